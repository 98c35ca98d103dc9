"""Soft counts of pairs: their pieces, the exact sets of slopes and correlations, and what is read for them."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.budget.errors import ParameterError
from discreet.evidence.audit import worst
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public
from discreet.mechanisms.laws import moments, pair_moments
from discreet.mechanisms.laws.moments import form_tail, form_width, outer_ends
from discreet.mechanisms.laws.pair_moments import Around
from discreet.mechanisms.soft_pairs import SPLITS, JointCorrelations, JointSlopes, PairsDraw, SoftPairs
from discreet.queries import Bounds
from discreet.queries.column import Pairs, exact_products

X, Y = Bounds(-3, 9, integer=True), Bounds(0, 2, step=0.5)
WHOLE = Bounds(0, 100, integer=True)
NAMES = ("slope", "correlation", "covariance")
PREDICTED = ("prediction:0.3", "prediction:5", "prediction:9")  # within the bounds of both grids of x
PLACES = list(product((0, 5, 12), (0, 1, 4)))
DRAWS = 40
MISSES = 11  # of 40 draws, more miss where 5 % do with probability 1e-6


def pairs(*rows: tuple[int, int], first: Bounds = X, second: Bounds = Y) -> Pairs:
    """Return two columns of these rows of ticks."""
    left, right = ([row[at] for row in rows] for at in (0, 1))
    return Pairs.from_ticks(first, second, left, right)


def plain(name: str, rows: Any, first: Bounds, second: Bounds) -> float | None:
    """Return the statistic in plain fractions; None where it is not defined."""
    x = [first.exact(tick) for tick, _ in rows]
    y = [second.exact(tick) for _, tick in rows]
    n = len(rows)
    if not n:
        return None
    mx, my = sum(x) / n, sum(y) / n
    sxy = sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True))
    sxx, syy = sum((a - mx) ** 2 for a in x), sum((b - my) ** 2 for b in y)
    if name.startswith("prediction") and sxx:
        return float(my + sxy / sxx * (Fraction(name.partition(":")[2]) - mx))
    if name == "covariance":
        return float(sxy / n)
    if not sxx or (name == "correlation" and not syy):
        return None
    return float(sxy / sxx) if name == "slope" else float(sxy) / math.sqrt(sxx * syy)


@pytest.mark.parametrize("name", NAMES)
def test_every_row_moves_the_pieces_by_exactly_one(name: str) -> None:
    """In fractions, on every small table: each piece only grows, and all of them together by 1."""
    mechanism = SoftPairs(estimator=name)
    for size in range(3):
        for rows in combinations_with_replacement(PLACES, size):
            before = mechanism.sums(pairs(*rows))
            for row in product(range(X.top + 1), range(Y.top + 1)) if size < 2 else PLACES:
                after = mechanism.sums(pairs(*rows, row))
                moves = [now - then for now, then in zip(after, before, strict=True)]
                assert sum(moves) == Fraction(1) and min(moves) >= 0


@pytest.mark.parametrize("name", NAMES)
def test_pieces_that_sum_above_one_are_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken twin: the middle piece of x is counted twice. The exact distance of neighbours shows it."""
    mechanism = SoftPairs(estimator=name, epsilon=1.0)
    views = [(pairs(*rows), pairs(*rows, row)) for rows in ((), ((0, 0),), ((5, 1), (12, 4))) for row in PLACES]
    assert worst(mechanism, views).holds
    monkeypatch.setitem(SPLITS, 3, ((1, -2, 1), (0, 4, -4), (0, 0, 1)))
    assert worst(mechanism, views).delta > 0.01


@pytest.mark.parametrize("name", (*NAMES, *PREDICTED))
def test_almost_without_noise_the_pieces_give_the_statistic(name: str) -> None:
    """The value, the true value of the view, and plain fractions agree on every small table."""
    mechanism = SoftPairs(estimator=name, epsilon=50.0)
    for rows in [*combinations_with_replacement(PLACES, 3), ((0, 0), (12, 4)), ((0, 4),)]:
        exact = plain(name, rows, X, Y)
        found = mechanism.view.truth(pairs(*rows))
        assert found == (None if exact is None else pytest.approx(exact, abs=1e-9))
        many = pairs(*rows * 3000)
        scale = mechanism.scale(X, Y)
        value = float(mechanism.measure.value(scale.sums(tuple(map(float, mechanism.sums(many)))), scale))
        assert exact is None or value == pytest.approx(exact, abs=1e-6)


def test_sums_of_products_are_exact_at_any_size() -> None:
    """Ticks up to 2^31 and their squares, many rows, against whole numbers of Python."""
    rng = np.random.default_rng(1)
    for top, rows in ((10, 5), (2**20, 2**20), (2**31 - 1, 2**32), (2**31 - 1, 2**40)):
        left, right = rng.integers(0, top + 1, (2, 20))
        counts = rng.integers(1, rows, 20)
        for up, to in product(range(3), repeat=2):
            exact = sum(int(n) * int(a) ** up * int(b) ** to for n, a, b in zip(counts, left, right, strict=True))
            assert exact_products(counts, left**up, right**to) == exact
    assert exact_products(*np.zeros((3, 0), np.int64)) == 0


def test_the_tail_of_a_form_of_many_weights_is_never_too_small() -> None:
    """Against partial fractions in exact arithmetic, of different weights; equal ones against slightly larger ones."""
    for weights in ((1, 2, 3, 4, 5, 6), (1, 3, 4, 6, 7, 8, 9, 11, 12), (2, 3, 20, 21, 22, 23)):
        for t in (3, 20, 60, 150):
            exact = 0.0
            for weight in weights:
                part = math.exp(-t / weight)
                for other in weights:
                    part *= float(Fraction(weight**2, weight**2 - other**2)) if other != weight else 1.0
                exact += part
            assert exact - 1e-12 <= form_tail(weights, t) <= exact * 1.001 + 3e-9
    assert form_tail((1.0,) * 6, 3.0) <= form_tail((1.0, 1.01, 1.02, 1.03, 1.04, 1.05), 3.0)
    assert form_tail((1.0,) * 9, 0.0) == 1.0 and form_tail((1.0,) * 9, 1e6) < 3e-9
    assert form_tail((1.0,) * 6, form_width((1.0,) * 6, 0.05)) <= 0.05 < form_tail((1.0,) * 6, 6.88)
    assert form_tail((1.0, 0, 0, 0, 0, 0), 3.0) >= math.exp(-3)


def adversarial() -> dict[str, tuple[Any, Any]]:
    """Return columns of ticks from 0 to 100."""
    p = np.arange(200)
    return {
        "no rows": (p[:0], p[:0]),
        "one row": ([37], [80]),
        "two rows": ([0, 100], [100, 0]),
        "two equal rows": ([50, 50], [50, 50]),
        "x constant": (0 * p + 30, p // 2),
        "y constant": (p // 2, 0 * p + 30),
        "both constant": (0 * p, 0 * p + 100),
        "two points": (100 * (p % 2), 100 * (p % 2)),
        "x at the ends, y not related": (100 * (p % 2), p // 2),
        "a line": (p // 2, 99 - p // 2),
        "one outlier": (np.where(p == 7, 100, 0), np.where(p == 7, 100, 0)),
        "narrow": (50 + p % 3, 50 + (p * 7) % 11),
        "curved": (p // 2, (p // 2) ** 2 // 100),
        "many": (np.arange(5000) * 61 % 101, np.arange(5000) * 61 % 101 // 2 + np.arange(5000) * 17 % 51),
    }


CASES = [
    *((SoftPairs, name) for name in (*NAMES, "prediction:5", "prediction:100")),
    *((JointCorrelations, name) for name in ("slope", "covariance", "prediction:5")),  # of nine pieces
]


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_intervals_hold_the_truth_on_adversarial_data(kind: Any, name: str) -> None:
    """Each as often as promised; where nothing is defined, they say that anything is possible."""
    noise = SimulationNoise(5)
    mechanism = kind(estimator=name, epsilon=0.8)
    least, most = {"correlation": (-1.0, 1.0), "slope": (-100.0, 100.0), "covariance": (-2500.0, 2500.0)}.get(
        name, (-10_000.0, 10_100.0)
    )
    for shape, (left, right) in adversarial().items():
        data = Pairs.from_ticks(WHOLE, WHOLE, left, right)
        truth, law, missed = mechanism.view.truth(data), mechanism.law(data), 0
        for _ in range(DRAWS):
            drawn = law.draw(noise)
            low, high = drawn.interval
            assert least <= low <= float(drawn) <= high <= most
            missed += (low, high) != (least, most) if truth is None else not low <= truth <= high
        assert missed <= MISSES, (shape, missed)


@pytest.mark.parametrize(("name", "forms"), [("slope", 1), ("covariance", 1), ("correlation", 2), ("prediction:7", 3)])
def test_all_forms_together_are_missed_with_five_per_cent_at_most(
    name: str, forms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two means and every other form take a share each, and the shares add up to what is promised."""
    shares: list[float] = []

    def means(size: float, first: float, places: Any, miss: float) -> Any:
        shares.append(miss)
        return moments.means(size, first, places, miss)

    def ends(likely: Any, *range_: float) -> Any:
        asked.clear()
        found = outer_ends(likely, *range_)
        (miss,) = asked
        shares.append(miss)
        return found

    def likely(self: Around, weights: Any, value: Any, miss: float) -> bool:
        asked.add(miss)
        return plainly(self, weights, value, miss)

    asked, plainly = set[float](), Around.likely
    monkeypatch.setattr(pair_moments, "means", means)
    monkeypatch.setattr(pair_moments, "outer_ends", ends)
    monkeypatch.setattr(Around, "likely", likely)
    SoftPairs(estimator=name).usual_width(Pairs.from_ticks(WHOLE, WHOLE, *adversarial()["many"]))
    assert len(shares) == 2 + forms and sum(shares) == pytest.approx(0.05)


def test_too_narrow_sets_are_caught() -> None:
    """A broken twin: the noise is taken for a quarter of what it is."""
    noise, data = SimulationNoise(6), Pairs.from_ticks(WHOLE, WHOLE, *adversarial()["many"])
    for name in (*NAMES, "prediction:80"):
        mechanism = SoftPairs(estimator=name, epsilon=0.8)
        law: Any = mechanism.law(data)
        narrow = SoftPairs(estimator=name, epsilon=3.2).scale(WHOLE, WHOLE)
        truth: Any = mechanism.view.truth(data)
        missed = 0
        for _ in range(DRAWS):
            low, high = law.measure.interval(narrow.sums(law.everything.draw(noise)), narrow, 0.05)
            missed += not low <= truth <= high
        assert missed > MISSES


@pytest.mark.parametrize("kind", [JointSlopes, JointCorrelations])
def test_a_shared_draw_gives_each_statistic_what_it_gives_alone(kind: type[PairsDraw]) -> None:
    """The same sums for all of them, moved by 1 by each row; without noise the exact statistics."""
    rows = ((0, 3), (5, 1), (12, 4), (7, 2))
    data, public = pairs(*rows), Public(X, second=Y)
    for topic in kind.topics():
        for name in PREDICTED if topic.name == "prediction" else (topic.name,):
            mechanism: Any = kind(estimator=name, epsilon=1.0)  # type: ignore[call-arg]
            sums = mechanism.sums(data)
            assert mechanism.shared == kind(epsilon=1.0) and mechanism.shared.sums(data) == sums  # type: ignore[call-arg]
            assert len(sums) == 3 * mechanism.pieces and sum(sums) == 4
            for row in product(range(X.top + 1), range(Y.top + 1)):
                moves = [now - then for now, then in zip(mechanism.sums(pairs(*rows, row)), sums, strict=True)]
                assert sum(moves) == Fraction(1) and min(moves) >= 0
            many = tuple(3000 * float(each) for each in sums)
            assert float(mechanism.measured(many, public)) == pytest.approx(plain(name, rows, X, Y), abs=1e-6)
            assert mechanism.cost() == mechanism.shared.cost() and mechanism.usual_width(data) > 0
    assert JointSlopes.can_answer("correlation") is False
    with pytest.raises(ParameterError, match="must be one of slope, prediction, covariance"):
        JointSlopes(estimator="correlation")


def test_statistics_of_two_columns_share_a_draw_from_a_file_to_results(tmp_path: Path) -> None:
    """It is charged and drawn once, each margin of error is smaller than alone, and all results fit each other."""
    path = tmp_path / "people.csv"
    lines = [f"{at * 37 % 101},{(at * 37 % 101 + at * 53 % 97) % 81},{'fm'[at % 3 > 0]}" for at in range(6000)]
    path.write_text("age,hours,sex\n" + "\n".join(lines) + "\n", encoding="utf-8")
    analysis = discreet.open(path, {"age": (0, 100), "hours": (0, 80), "sex": ["f", "m"]}, epsilon=10, people=6000)
    plan = analysis.plan(epsilon=3)
    for slug, names in (
        ("soft-slopes", ("slope", "covariance")),
        ("soft-correlations", ("slope", "covariance", "correlation")),
    ):
        asked = plan
        for name in names:
            asked = getattr(asked, name)("age", "hours", by="sex")
        way = asked.forecast
        assert {row.mechanism.slug for row in way.rows} == {slug} and way.draws == (tuple(range(len(names))),)
        assert way.total.cost.epsilon == pytest.approx(3, rel=0.01)
        alone = plan.slope("age", "hours", by="sex", epsilon=3 / len(names)).forecast.rows[0]
        assert way.rows[0].error < alone.error
        results = tuple(asked.release())
        assert len({result.release.size for result in results}) == 1
        for (low, high), value in zip(results[0].interval.values(), results[0].value.values(), strict=True):
            assert low <= value <= high
    assert analysis.spent.epsilon == pytest.approx(6, rel=0.01)
