"""Answers below *Try*: every step has one, its numbers are recomputed, and what its words claim is checked."""

from __future__ import annotations

import math
import string
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import combinations, product

import numpy as np
import pytest
from support.lessons import Pupil

from discreet.budget import Cost
from discreet.course.lessons.composition import numbers as composition
from discreet.course.lessons.deidentification import numbers as deidentification
from discreet.course.lessons.differencing import numbers as differencing
from discreet.course.lessons.election import numbers as election
from discreet.course.lessons.laplace import numbers as laplace
from discreet.course.lessons.local import numbers as local
from discreet.course.lessons.mistakes import numbers as mistakes
from discreet.course.lessons.sensitivity import numbers as sensitivity
from discreet.course.lessons.sensitivity.bounds import PEOPLE
from discreet.course.lessons.streams import numbers as streams
from discreet.course.steps import Answer
from discreet.course.whole_course import places
from discreet.mechanisms.gaussian import gaussian_sigma
from discreet.report.risk import best_guess, of_100
from discreet.ui.figures.push import CALLED
from discreet.ui.frame.catalogue import said_in
from discreet.ui.session.state import LANGUAGES

ANSWERS: dict[str, Answer] = {key: place.step.answer for key, place in places().items()}


def geometric(epsilon: float, share: float = 0.95) -> int:
    """Return the margin of error of a count: P(|Z| ≤ z) = 1 − 2a^(z+1)/(1+a) reaches a share."""
    a = math.exp(-epsilon)
    return next(z for z in range(10_000) if 1 - 2 * a ** (z + 1) / (1 + a) >= share)


def deviation(epsilon: float) -> float:
    """Return the standard deviation of geometric noise: √(2a)/(1 − a)."""
    a = math.exp(-epsilon)
    return math.sqrt(2 * a) / (1 - a)


def right(epsilon: float) -> float:
    """Return e^ε / (1 + e^ε)."""
    return math.exp(epsilon) / (1 + math.exp(epsilon))


def identified(*columns: str) -> float:
    """Return the share of patients whose values only one person of the register has."""
    register = deidentification.register()
    rows = list(zip(*(getattr(register, name).tolist() for name in columns), strict=True))
    seen = Counter(rows)
    patients = deidentification.hospital().persons.tolist()
    return sum(seen[rows[person]] == 1 for person in patients) / len(patients)


def softmax(votes: list[int], epsilon: float) -> list[float]:
    """Return the probabilities of the exponential mechanism on votes."""
    weights = [math.exp(epsilon * count) for count in votes]
    return [weight / sum(weights) for weight in weights]


def fallen(people: int, steps: int) -> float:
    """Return the error of the optimiser on many people, from draws of its steps."""
    return streams.error("optimiser", people, 1.0, steps)


def worst_coin() -> float:
    """Return the largest KL divergence of two coins that can be chosen."""
    chances = [place / 100 for place in range(1, 100)]
    return max(composition.Coins(p, q).there for p in (0.01, 0.5, 0.99) for q in chances)


VOTES = [9, 7, 6, 3]
ADDED = (*local.PUSHED, *[CALLED] * 4)  # after four people were added
RECOMPUTED: dict[str, Callable[[], Mapping[str, str]]] = {
    "lesson1-join": lambda: {
        "alone": f"{identified('birthday'):.1%}",
        "before": f"{identified('sex', 'age', 'postcode'):.1%}",
        "after": f"{identified('birthday', 'age', 'postcode'):.1%}",
    },
    "lesson1-outlier": lambda: {"age": "80", "oldest": str(deidentification.register().age.max())},
    "lesson2-two": lambda: {"right": f"{differencing.difference(0.1).right:.0%}"},
    "lesson2-named": lambda: {"three": f"{right(0.3):.1%}", "log": f"{math.log(3):.4g}"},
    "lesson2-twenty": lambda: {"coin": "10", "little": f"{20 * right(0.1):.3g}", "much": f"{20 * right(3):.3g}"},
    "lesson2-again": lambda: {
        "few": "10",
        "before": f"{1.96 * deviation(0.1) / math.sqrt(10):.3g}",
        "many": "20",
        "after": f"{1.96 * deviation(0.05) / math.sqrt(20):.3g}",
    },
    "lesson3-drops": lambda: {
        "narrow": str(geometric(0.5)),
        "wide": str(geometric(0.1)),
        "times": f"{geometric(0.1) / geometric(0.5):g}",
    },
    "lesson3-count": lambda: {
        "people": str(int((laplace.ages() >= 85).sum())),
        "margin": str(geometric(0.05)),
        "share": f"{geometric(0.05) / int((laplace.ages() >= 85).sum()):.0%}",
    },
    "lesson3-choosing": lambda: {
        "days": "3",
        "months": "1",
        "births": "1",
        "persons": "2",
        "epsilon": "1.68",
        "year": f"{365 * 1.68:.1f}",
    },
    "lesson4-distance": lambda: {"changed": "2", "both": "3"},
    "lesson4-statistics": lambda: {"added": "100", "changed": "200"},
    "lesson4-functions": lambda: {"ten": str(11**2 - 10**2), "fifty": str(51**2 - 50**2), "top": str(100**2 - 99**2)},
    "lesson5-sequential": lambda: {
        "k": "30",
        "before": f"{composition.afterwards(0.1, 1).delta_after:.3g}",
        "after": f"{composition.afterwards(0.1, 10).delta_after:.3g}",
    },
    "lesson5-noise": lambda: {
        "laplace": f"{math.log(20):.2g}",
        "gaussian": f"{1.959964 * gaussian_sigma(1.0, 1e-6):.3g}",
    },
    "lesson5-divergences": lambda: {"slope": f"{1 / 2**2:g}"},
    "lesson5-coins": lambda: {"alike": f"{0.4 * math.log(7 / 3):.3g}", "largest": f"{worst_coin():.3g}"},
    "lesson6-local": lambda: (
        {
            way: str(of_100(local.watched(way, (*local.PUSHED, *[CALLED] * 4), 16, 1.0).odds))
            for way in ("local", "smooth")
        }
        | {"limit": str(of_100(best_guess(Cost.of(1))))}
    ),
    "lesson6-leak": lambda: {"few": str(local.known_after(100)), "many": str(local.known_after(10_000))},
    "lesson6-tent": lambda: {
        "k": "4",
        "before": f"{19 * math.exp(-4 / 3):.3g}",
        "after": f"{19 * math.exp(-3 / 3):.3g}",
        "most": f"{math.exp(1 / 3):.3g}",
    },
    "lesson7-election": lambda: {
        "high_before": f"{softmax(VOTES, 1.0)[1]:.0%}",
        "high_after": f"{softmax([9, 10, 6, 3], 1.0)[1]:.0%}",
        "low_before": f"{softmax(VOTES, 0.01)[1]:.0%}",
        "low_after": f"{softmax([9, 10, 6, 3], 0.01)[1]:.0%}",
        "noise": str(geometric(0.01)),
    },
    "lesson8-patience": lambda: {"n": "4"},
    "lesson9-global": lambda: {"there": "1", "below": f"{(1 + 100 / 75) / 2:.3g}"},
    "lesson9-test": lambda: {
        "printed": f"{math.sqrt(1e-3 / 2) / 2:.2%}",  # a Laplace draw reaches ln(2/δ)/2
        "corrected": f"{1 - mistakes.tested(1.0, 1e-3, 0).laws('corrected')[0].refusal:.2%}",
    },
    "lesson9-catastrophe": lambda: {
        "unlikely": f"{1 - (1 - 1e-6) ** 3650:.2%}",
        "inverse": f"{1 - (1 - 1 / 32_561) ** 3650:.0%}",
    },
}


@pytest.mark.parametrize("key", RECOMPUTED)
def test_a_number_of_an_answer_is_that_of_another_way_to_compute_it(key: str) -> None:
    """By closed forms and by counting, where there are any."""
    assert ANSWERS[key].numbers() == RECOMPUTED[key]()


def test_every_answer_has_all_its_numbers_in_each_language() -> None:
    """None is left out, and none is computed that is not shown."""
    for key, answer in ANSWERS.items():
        numbers = answer.numbers()
        for language in LANGUAGES:
            places = {name for _, name, _, _ in string.Formatter().parse(said_in(language, answer.text)) if name}
            assert places == set(numbers), (key, language)


@pytest.mark.parametrize("key", [key for key, place in places().items() if not place.step.part_of])
def test_a_step_folds_its_answer_below_what_to_try(key: str) -> None:
    """In its lesson, as on the path; typeset powers apart."""
    place = places()[key]
    pupil = Pupil(place.lesson.page, step=place.step.name)
    (shown,) = [fold.markdown[0].value for fold in pupil.app.expander if fold.label == "Answer"]
    plain = place.step.answer.text.format(**place.step.answer.numbers())
    assert shown == plain or "^" in plain or "e-" in plain


def test_no_answer_is_shown_before_the_guess() -> None:
    """The question comes first."""
    pupil = Pupil("lesson_4_sensitivity", guess="yes")
    assert not [fold for fold in pupil.app.expander if fold.label == "Answer"]


def test_columns_of_the_first_lesson_identify_as_its_answers_say() -> None:
    """Alone only the birthday identifies; two columns of the census leave a k of 5, and never three."""
    assert all(identified(column) == 0 for column in ("sex", "age", "postcode"))
    sizes = {count: combinations(deidentification.CENSUS, count) for count in (2, 3)}
    ks = {count: [int(deidentification.census_sizes(each).min()) for each in them] for count, them in sizes.items()}
    assert max(ks[2]) >= 5 > max(ks[3])
    assert ANSWERS["lesson1-groups"].numbers() == {"k": str(deidentification.census_sizes(("sex", "age")).min())}
    tables = [
        (deidentification.generalised(*each), each)
        for each in product(deidentification.WIDTHS, range(2, 6), (True, False))
    ]
    lost, (width, digits, sex) = min((table.lost, each) for table, each in tables if table.k >= 5)
    assert sex and ANSWERS["lesson1-generalise"].numbers() == {
        "width": str(width),
        "digits": str(digits),
        "k": str(deidentification.generalised(width, digits, sex).k),
        "lost": f"{lost:.1%}",
    }


def test_the_oldest_is_alone_from_eighty_on() -> None:
    """In groups of 20 and of 40 years; with one group of 60 and over no age from there on matters."""
    for width in (20, 40):
        at = deidentification.WIDTHS.index(width)
        assert [age for age in range(60, 100) if deidentification.outlier(age, False).within[at] == 1][0] == 80
    assert len({deidentification.outlier(age, True) for age in range(60, 100)}) == 1


def test_a_changed_age_is_at_distance_two_and_a_removed_row_adds_one() -> None:
    """For every age that can be chosen, but that of the removed row."""
    ages = [age for age in sensitivity.ages() if age != 45]
    assert {sensitivity.pair(0, 0, age).distance for age in ages} == {2}
    removed = sensitivity.FIRST[0]
    assert {age: sensitivity.pair(1, 0, age).distance for age in ages} == {
        age: 1 if age == removed else 3 for age in ages
    }


def test_the_best_share_of_a_mean_is_the_same_for_each_number_of_people() -> None:
    """At ε = 1, of the shares that can be chosen."""
    best = set()
    for people in (100, 300, 1000, 3000):
        errors = {share: sensitivity.mean_error(share / 100, 1.0, people) for share in sensitivity.PERCENT}
        best.add(str(min(errors, key=errors.__getitem__)))
    assert best == {ANSWERS["lesson4-mean"].numbers()["share"]}
    assert ANSWERS["lesson4-mean"].numbers()["half"] == f"{sensitivity.mean_error(0.5, 1.0, 300):.3g}"


def test_bounds_rise_with_epsilon_and_only_looking_follows_the_highest_income() -> None:
    """Of capital gains; the other ways choose as likely a bound whatever the highest income is."""
    best = []
    for epsilon in (0.1, 0.5, 1.0):
        curve = sensitivity.clipping(sensitivity.people("capital_gain", PEOPLE), epsilon)
        best.append(float(curve.bounds[int((curve.bias + curve.noise).argmin())]))
    assert best == sorted(best)
    numbers = ANSWERS["lesson4-clipping"].numbers()
    assert [numbers["at0"], numbers["at1"]] == [f"{best[0]:,.0f}", f"{best[2]:,.0f}"]
    for way in sensitivity.WAYS:
        found = {sensitivity.chosen(way, 500, top, 0.5).likeliest for top in (350_000, 600_000, 990_000)}
        assert (len(found) == 3) == (way == "look")
    widened = sensitivity.chosen("widen", 500, 600_000, 0.5)
    assert ANSWERS["lesson4-bounds"].numbers() == {"average": f"{widened.average:.3g}", "most": f"{widened.most:g}"}


def test_rounding_lowers_delta_and_never_raises_the_loss() -> None:
    """For every unit that can be chosen; and 30 results of 0.1 spend 3."""
    for unit in (1, 2, 5, 10, 20):
        after = composition.afterwards(0.1, unit)
        assert after.loss_after <= after.loss_before * (1 + 1e-9) and after.delta_after <= after.delta_before
    assert composition.everybody(30, 0.1).charged == 3.0


def test_better_methods_beat_the_sum_from_where_their_answer_says() -> None:
    """And of a hundred results the named method has the smallest total."""
    numbers = ANSWERS["lesson5-accounts"].numbers()
    for name, slot in (("zCDP", "zcdp"), ("Advanced", "advanced")):
        k = int(numbers[slot])
        before, after = (composition.totals(composition.LAPLACE, 0.1, 1e-6, n) for n in (k - 1, k))
        assert before[name] >= before["Basic"] and after[name] < after["Basic"]
    by_laplace, by_gauss = (composition.totals(n, 0.1, 1e-6, 100) for n in (composition.LAPLACE, composition.GAUSSIAN))
    assert min(by_laplace, key=by_laplace.__getitem__) == "Optimal"
    assert numbers["laplace"] == f"{by_laplace['Optimal']:.3g}"
    assert min(by_gauss.values()) == by_gauss["zCDP"] == pytest.approx(by_gauss["Rényi"])
    assert numbers["gaussian"] == f"{by_gauss['Rényi']:.3g}"
    widths = composition.widths(False, 1.0, 1e-6)
    assert {each.laplace for each in widths} == {widths[0].laplace} and {(each.l1, each.l2) for each in widths} == {
        (1, 1)
    }


def test_fewer_results_have_a_higher_best_order() -> None:
    """The order that proves the least, of those drawn."""
    orders = {}
    for results in (50, 20):
        proved = composition.alike(0.2, results)[0].proved(1e-6)
        orders[results] = float(composition.ORDERS[int(proved.argmin())])
    assert orders[20] > orders[50]
    numbers = ANSWERS["lesson5-curves"].numbers()
    assert numbers == {"many": f"{orders[50]:.3g}", "few": f"{orders[20]:.3g}"}


def test_the_jump_and_the_test_of_lesson_six_have_their_numbers() -> None:
    """Where the local sensitivity jumps, and the smallest bound that passes nine times in ten."""
    pairs = [local.jump(young, 4, 1.0).sensitivities for young in (5, 2)]
    assert ANSWERS["lesson6-jump"].numbers() == {"low": "0.25", "high": "19"}
    assert {min(pair) for pair in pairs} == {0.25} and min(max(pair) for pair in pairs) == 19
    chances = {b: local.walk(300, b, 1.0, 1).proposed.chance for b in local.PROPOSALS}
    assert min(b for b, chance in chances.items() if chance >= 0.9) == 2
    assert ANSWERS["lesson6-test"].numbers() == {
        "b": "2",
        "less": "1.5",
        "often": f"{chances[2.0]:.1%}",
        "seldom": f"{chances[1.5]:.1%}",
    }
    assert local.proposal(2.0, 1.0, 1e-2).tested(local.crowd(300).column).threshold.least < 27


def test_a_narrow_range_has_a_smaller_error_and_a_flat_curve() -> None:
    """For each k; from 70 to 200 blocks errors differ by less than a tenth."""
    wide, narrow = (local.errors_by_blocks("mean", *span) for span in ((20.0, 80.0), (20.0, 60.0)))
    assert all(less < more for less, more in zip(narrow, wide, strict=True))
    flat = [error for k, error in zip(local.NUMBERS, narrow, strict=True) if 70 <= k <= 200]
    assert max(flat) < 1.1 * min(flat) and min(flat) == min(narrow)
    assert ANSWERS["lesson6-blocks"].numbers() == {
        "k": str(local.NUMBERS[int(np.argmin(wide))]),
        "error": f"{min(wide):.2g}",
        "narrow": str(local.NUMBERS[int(np.argmin(narrow))]),
        "less": f"{min(narrow):.2g}",
    }


def test_ways_to_choose_react_as_their_answers_say() -> None:
    """Only published counts pay for several places; noise on a day never catches up."""
    votes = tuple(VOTES)
    for way in election.WAYS:
        one, several = (election.right(votes, election.chances(way, votes, 0.5, each)) for each in (False, True))
        assert (several < one) == (way == election.COUNTED) and (several == one) == (way != election.COUNTED)
        longer = election.with_more(votes, 20)
        assert election.right(longer, election.chances(way, longer, 0.5, True)) < several
    shown = ANSWERS["lesson7-ways"].numbers()
    assert [int(shown[name][:-1]) for name in ("one", "all", "longer")] == [63, 35, 5]
    for school_class in range(1, 21):
        noise, weight = (by(school_class, 10.0).pupils for by in (election.by_noise, election.by_weight))
        assert noise < 0.7 * weight
    noise, weight = (by(1, 10.0).pupils for by in (election.by_noise, election.by_weight))
    assert ANSWERS["lesson7-date"].numbers() == {"noise": f"{noise:.3g}", "weight": f"{weight:.3g}"}


def test_streams_and_surveys_have_the_numbers_of_their_answers() -> None:
    """False alarms grow with the days; errors by closed forms; four counts can be released."""
    alarms = [streams.watched(days, 0.2, 100.0).early(3) for days in (30, 60, 90, 120)]
    assert alarms == sorted(alarms)
    assert ANSWERS["lesson8-stream"].numbers() == {"short": f"{alarms[0]:.1%}", "long": f"{alarms[-1]:.1%}"}
    slope = (math.e - 1) / (math.e + 1)
    untrusted = 1.96 * math.sqrt(right(1) * (1 - right(1)) / 100_000) / slope
    shown = ANSWERS["lesson8-local"].numbers()
    assert float(shown["local"][2:-1]) == pytest.approx(100 * untrusted, rel=5e-3)
    assert shown["central"] == f"± {100 * geometric(1.0) / 100_000:.3g}%"
    many = float(ANSWERS["lesson8-people"].numbers()["many"].replace(",", ""))
    assert many == pytest.approx(9 * streams.worth(100, 0.3, 1.0), rel=0.02)
    steps = {count: fallen(1000, count) for count in range(1, 31)}
    shown = ANSWERS["lesson8-places"].numbers()
    assert shown["steps"] == str(min(steps, key=steps.__getitem__)) and shown["least"] == f"{min(steps.values()):.3g}"
    assert float(shown["input"]) == pytest.approx(math.sqrt(10), rel=0.01)
    assert (shown["objective"], shown["output"]) == ("10", "10") and float(shown["optimiser"]) == pytest.approx(
        10, 0.01
    )
    for n in range(1, 30):
        released = next(w for w in range(10**6) if 1 - geometric_within(1 / n, w) <= 0.05 / n)
        watched = 2 * math.log(40) + 2 * math.log(40 * n)
        assert (released < watched) == (n <= 4)


def geometric_within(epsilon: float, reach: int) -> float:
    """Return P(|Z| ≤ reach) of geometric noise."""
    a = math.exp(-epsilon)
    return 1 - 2 * a ** (reach + 1) / (1 + a)


def test_standard_errors_with_and_without_trust_are_those_of_the_formula() -> None:
    """√2 e^(ε/2) / ((e^ε − 1) n), and the same without √2 over √n."""
    for epsilon in (0.3, 1.0, 3.0):
        bare = math.exp(epsilon / 2) / (math.exp(epsilon) - 1)
        assert math.sqrt(2) * bare == pytest.approx(deviation(epsilon))
        p = right(epsilon)
        assert bare == pytest.approx(math.sqrt(p * (1 - p)) / (2 * p - 1))


def test_mistakes_are_as_wrong_as_their_answers_say() -> None:
    """What the exhibits need on their pairs, and what they guarantee at best."""
    shown = ANSWERS["lesson9-local"].numbers()
    needed = [mistakes.local_mean(1.0, 0, people).exact("printed").delta for people in (3, 10, 40, 200, 1000)]
    assert needed == sorted(needed, reverse=True) and needed[-1] > 0
    assert shown == {"few": f"{needed[2]:.2g}", "many": f"{needed[4]:.2g}"}
    chunks = mistakes.chunks(0.01, 600, 1)
    assert ANSWERS["lesson9-chunks"].numbers() == {"delta": f"{chunks.exact('printed').delta:.2g}", "epsilon": "6"}
    assert pytest.approx(chunks.truth.epsilon) == 600 * 0.01
    loose, wrong = mistakes.smooth(1.0, 1e-6), mistakes.smooth(6.0, 0.1)
    assert loose.truth.delta < loose.printed.claim.delta and wrong.exact("printed").delta > wrong.printed.claim.delta
    assert ANSWERS["lesson9-smooth"].numbers() == {"times": f"{1e-6 / loose.truth.delta:.0f}"}
