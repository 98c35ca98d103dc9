"""What a guess can gain, as sentences say it, against the best guess between all distributions that a cost allows."""

from __future__ import annotations

import math
import re
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linprog

from discreet.budget import Cost, Phrase, SessionLedger
from discreet.curator import Curator, Release, Request
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.queries import Relation
from discreet.queries.mean import Mean
from discreet.report.publication import publication
from discreet.report.risk import best_guess, cases_of_100, guesses, risk
from discreet.report.words import PERSON, ROW
from discreet.rows import Dataset, LocalSource, Number, Schema
from discreet.ui.frame.catalogue import said_in

RESULT = Phrase("the result")
FAR = 400  # the geometric distribution ends in fact before that
OUTCOMES = 3

# of a cost: right guesses of 100 about membership, and about the values of a member, computed by hand
BY_HAND = {
    ("0.5", "0"): (63, 74),  # e^0.5 / (1 + e^0.5) = 0.6225, e / (1 + e) = 0.7311
    ("1", "0"): (74, 89),  # 0.7311, e^2 / (1 + e^2) = 0.8808
    ("0.5", "0.01"): (63, 74),  # (e^0.5 + 0.01) / (1 + e^0.5) = 0.6262, (e + 0.02649) / (1 + e) = 0.7382
    ("1", "0.1"): (76, 93),  # (e + 0.1) / (1 + e) = 0.7580, (e^2 + 0.3718) / (1 + e^2) = 0.9251
    ("2", "1e-6"): (89, 99),  # 0.8808, 0.9820
}


def allowed(cost: Cost, apart: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return which distributions of results a cost allows: of datasets in a row, each a change from the one before.

    As the definition says it: for every set of outcomes, P(S) <= e^eps Q(S) + delta, and the same of Q and P.
    """
    rows = []
    for first, second in [pair for at in range(apart) for pair in ((at, at + 1), (at + 1, at))]:
        for size in range(1, OUTCOMES):
            for chosen in map(list, combinations(range(OUTCOMES), size)):
                row = np.zeros((apart + 1, OUTCOMES))
                row[first, chosen] = 1
                row[second, chosen] = -math.exp(cost.epsilon)
                rows.append(row.ravel())
    return np.array(rows), np.full(len(rows), cost.delta), np.kron(np.eye(apart + 1), np.ones(OUTCOMES))


def most(cost: Cost, apart: int, goal: np.ndarray) -> float:
    """Return the largest value of a goal among them: so much for each outcome of the first and the last dataset."""
    bounds, ends, sums = allowed(cost, apart)
    weights = np.zeros((apart + 1, OUTCOMES))
    weights[[0, -1]] = goal
    found = linprog(-weights.ravel(), bounds, ends, sums, np.ones(apart + 1))
    assert found.success and found.fun is not None
    return float(-found.fun)


@cache
def right(cost: Cost, apart: int) -> float:
    """Return how often the best guess is right: the first dataset if the outcome is in a set, else the last one."""
    guessed = [chosen for size in range(1, OUTCOMES) for chosen in combinations(range(OUTCOMES), size)]
    return max(most(cost, apart, np.array([[0.5 * (o in s), 0.5 * (o not in s)] for o in range(OUTCOMES)]).T)
               for s in guessed)  # fmt: skip


def posterior(cost: Cost, apart: int) -> float:
    """Return the largest probability of the first dataset after some outcome, without delta.

    It is at most q if (1 - q) P(outcome) - q Q(outcome) is never above 0.
    """
    low, high = 0.5, 1.0
    while high - low > 1e-9:
        q = (low + high) / 2
        goal = np.zeros((2, OUTCOMES))
        goal[:, 0] = 1 - q, -q
        low, high = (q, high) if most(cost, apart, goal) > 1e-12 else (low, q)
    return high


def geometric(epsilon: float, apart: int) -> float:
    """Return how often the best guess between two counts is right that are some people apart: geometric noise."""
    step = math.exp(-epsilon)

    def chance(at: int) -> float:
        return (1 - step) / (1 + step) * step ** abs(at)

    return sum(max(chance(at), chance(at - apart)) for at in range(-FAR, FAR)) / 2


def figures(cost: Cost, change_one: bool | None = False) -> list[int]:
    """Return the cases of 100 that the sentences name."""
    return [
        int(re.findall(r"at most (\d+) of 100", line)[0])
        for line in guesses(cost, PERSON, RESULT, change_one)
        if "of 100" in line
    ]


def up(chance: float) -> int:
    """Return cases of 100, rounded up, of a number that a solver found."""
    return math.ceil(100 * chance - 1e-6)


@pytest.mark.parametrize("given", BY_HAND)
def test_the_figures_are_those_of_the_definition(given: tuple[str, str]) -> None:
    """Membership, and values where the number of rows is public, are one change; the values of a member are two."""
    cost = Cost.of(*given)
    membership, values = figures(cost)
    assert (membership, values) == BY_HAND[given] and figures(cost, change_one=True) == [membership]
    assert right(cost, 1) == pytest.approx(best_guess(cost), abs=1e-9) and membership == up(right(cost, 1))
    assert membership < up(right(cost, 2)) <= values  # the first figure says too little for two changes
    if not cost.delta_units:
        assert membership == up(posterior(cost, 1)) and values == up(posterior(cost, 2))


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0])
def test_no_guess_after_a_noisy_count_does_better_than_the_sentences_say(epsilon: float) -> None:
    """Nor is the first figure too large by a case."""
    membership, values = figures(Cost.of(epsilon))
    assert 100 * geometric(epsilon, 1) <= membership < 100 * geometric(epsilon, 1) + 1
    assert membership < 100 * geometric(epsilon, 2) <= values


def test_where_the_number_of_rows_is_public_only_values_are_protected() -> None:
    """They are one change apart there, at most two if it is public for some queries only; membership is left out."""
    cost = Cost.of("0.5")
    for change_one, times in ((True, 63), (None, 74)):
        line, *more = guesses(cost, PERSON, RESULT, change_one)
        assert figures(cost, change_one) == [times] and "whether" not in line and "values of a person" in line
        assert all("do not protect whether a person is in the dataset" in words for words in more)
        assert len(more) == (change_one is None)
        assert not [words for words in risk(cost, PERSON, RESULT, change_one).in_words if "guess whether" in words]


def test_groups_are_as_many_changes_as_they_have_people() -> None:
    """Twice as many where some queries protect the values of members and others membership."""
    cost = Cost.of("0.1", "1e-6")
    for change_one, apart in ((False, 1), (True, 1), (None, 2)):
        several = [line for line in risk(cost, PERSON, RESULT, change_one).in_words if "such as a family" in line]
        for people, line in zip((2, 5), several, strict=True):
            times = int(re.findall(r"at most (\d+) of 100", line)[0])
            assert f"{people} people" in line and up(right(cost, people * apart)) <= times
            assert times == math.ceil(100 / (1 + math.exp(-0.1 * people * apart)) + 1e-3)
    assert any("5 rows together, such as those of one person" in line for line in risk(cost, ROW, RESULT).in_words)
    household = risk(cost, Phrase("a household"), RESULT).in_words
    assert any("5 units of privacy together" in line for line in household) and not any(
        "family" in x for x in household
    )


def test_no_sentence_says_that_every_guess_is_right() -> None:
    """Where rounding up would say so, it says more than 99, in English and in Chinese, and so does a table."""
    for change_one in (False, True, None):
        for unit in (PERSON, ROW):
            said = risk(Cost.of("7.5", "1e-6"), unit, RESULT, change_one).in_words
            cases = [line for line in said if "of 100" in line]
            assert cases and all("may be right in more than 99 of 100 cases." in line for line in cases)
            assert not [line for line in cases if "100 次中至多猜对 100 次" in said_in("zh", line)]
            assert all("99 次以上" in said_in("zh", line) for line in cases)
    assert [cases_of_100(best_guess(Cost.of(epsilon))) for epsilon in ("0.5", "4.5", "7.5")] == ["63", "99", "> 99"]


@pytest.mark.parametrize("delta, times", [("1e-6", "1,000,000"), ("1e-9", "1,000,000,000"), ("1.5e-7", "6,666,666")])
def test_delta_adds_no_more_than_is_said(delta: str, times: str) -> None:
    """The fraction is rounded up, so its denominator down."""
    words = risk(Cost.of(1, delta), PERSON, RESULT).in_words[-1]
    assert f"it adds at most 1 in {times} to the probability of any outcome." in words


def test_delta_is_within_the_figures() -> None:
    """With chance delta everything is shown: the guess gains by no more than that is worth."""
    cost = Cost.of(1, "0.1")
    assert figures(cost)[0] == math.ceil(100 * best_guess(cost)) > math.ceil(100 * best_guess(Cost.of(1)))


@pytest.mark.parametrize(
    "sizes, said",
    [
        ((None,), ["whether a person is in", "74 of 100 cases", "values is right in at most 89"]),
        ((4,), ["guessing the values of a person", "74 of 100 cases"]),
        ((None, 4), ["guessing the values of a person", "99 of 100 cases"]),
    ],
)
def test_a_report_says_what_all_its_queries_protect(sizes: tuple[int | None, ...], said: list[str]) -> None:
    """Of queries that add or remove a person, that change one, and of both."""
    schema = Schema({"age": Number(0, 100, integer=True)})
    dataset = Dataset(LocalSource(b"age\n20\n30\n40\n50\n"), schema)
    curator = Curator(dataset, SessionLedger(Cost.of(3)), tick=0)
    asked = [Request(GlobalLaplace(query=Mean(relation=Relation(size)), epsilon=1), ("age",)) for size in sizes]
    released: list[Release] = [curator.ask(each) for each in asked]
    promise = publication([(release, schema) for release in released]).promise
    assert all(any(words in line for line in promise[:2]) for words in said)
    assert any("guessing whether" in line for line in promise) == (sizes == (None,))
    assert any("do not protect whether" in line for line in promise) == (len(sizes) > 1)
