"""Weighted soft counts: their pieces, what a cap clips, exact intervals, and the whole way from a file to a result."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.budget.errors import ParameterError
from discreet.curator import Request
from discreet.evidence.audit import worst
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public, soft_weights
from discreet.mechanisms.laws.moments import Middle
from discreet.mechanisms.soft_weights import MEASURES, JointWeightedCounts, JointWeightedMoments, SoftWeights
from discreet.queries import Bounds, Relation
from discreet.queries.column import Pairs
from discreet.report.export import release_record
from discreet.report.words import as_read, heading
from discreet.rows import Number
from discreet.rows.schema import ANSWERS

X, W = Bounds(-3, 9, integer=True), Bounds(0, 2, step=0.5)
SIGNED, APART = Bounds(-1.5, 2, step=0.5), Bounds(0.25, 1.25, step=0.25)  # weights below 0, and none near 0
WHOLE, CAPPED = Bounds(0, 100, integer=True), Bounds(0, 8, step=0.25)
PLACES = list(product((0, 5, 12), (0, 1, 4)))
DRAWS, MISSES = 40, 11  # of 40 draws, more miss where 5 % do with probability 1e-6


def pairs(*rows: tuple[int, int], first: Bounds = X, second: Bounds = W) -> Pairs:
    """Return a column and its weights, of these rows of ticks."""
    left, right = ([row[at] for row in rows] for at in (0, 1))
    return Pairs.from_ticks(first, second, left, right)


def plain(name: str, rows: Any, first: Bounds = X, second: Bounds = W) -> Fraction | None:
    """Return the statistic, or its square, in plain fractions; None where it is not defined."""
    each = [(first.exact(tick), max(Fraction(0), second.exact(weight))) for tick, weight in rows]
    count, total = sum((w for _, w in each), Fraction(0)), sum((w * x for x, w in each), Fraction(0))
    if name in ("weighted-count", "weighted-sum"):
        return count if name == "weighted-count" else total
    if not count:
        return None
    mean = total / count
    return (
        mean
        if name in ("weighted-mean", "weighted-share")
        else sum((w * (x - mean) ** 2 for x, w in each), Fraction(0)) / count
    )


@pytest.mark.parametrize("second", [W, SIGNED, APART])
@pytest.mark.parametrize("name", MEASURES)
def test_every_row_moves_the_pieces_by_its_part_of_the_cap(name: str, second: Bounds) -> None:
    """In fractions, on every small table: each piece only grows, and all together by w/W, at most by 1."""
    mechanism = SoftWeights(estimator=name)
    cap = second.exact(second.top)
    for size in range(3):
        for rows in combinations_with_replacement(PLACES, size):
            before = mechanism.sums(pairs(*rows, second=second))
            for row in product(range(X.top + 1), range(second.top + 1)) if size < 2 else PLACES:
                after = mechanism.sums(pairs(*rows, row, second=second))
                moves = [now - then for now, then in zip(after, before, strict=True)]
                assert sum(moves) == max(Fraction(0), second.exact(row[1])) / cap <= 1 and min(moves) >= 0


@pytest.mark.parametrize("second", [W, SIGNED, APART])
@pytest.mark.parametrize("name", MEASURES)
def test_without_noise_the_pieces_give_the_statistic(name: str, second: Bounds) -> None:
    """The value, the true value of the view, and plain fractions agree on every small table."""
    mechanism = SoftWeights(estimator=name, epsilon=1.0)
    scale = mechanism.scale(X, second)
    for rows in [*combinations_with_replacement(PLACES, 3), (), ((7, 3),)]:
        data, exact = pairs(*rows, second=second), plain(name, rows, X, second)
        value = float(mechanism.measure.value(scale.sums(tuple(map(float, mechanism.sums(data)))), scale))
        truth = mechanism.view.truth(data)
        if exact is None:
            assert truth is None and value == (3.0 if mechanism.measure == Middle() else 0.0)
            continue
        wanted = float(exact) ** (0.5 if name == "weighted-standard-deviation" else 1.0)
        assert value == pytest.approx(wanted, abs=1e-6) and truth == pytest.approx(wanted, abs=1e-6)


def neighbours(second: Bounds = W) -> list[tuple[Pairs, Pairs]]:
    """Return some tables, and each with one row more."""
    begun = ((), ((0, 0),), ((5, 1), (12, 4)))
    return [(pairs(*rows, second=second), pairs(*rows, row, second=second)) for rows in begun for row in PLACES]


@pytest.mark.parametrize("name", MEASURES)
def test_weights_above_the_cap_that_are_not_clipped_are_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two broken twins: cells above the cap are read as they are, and the cap is half of what it is."""
    mechanism = SoftWeights(estimator=name, epsilon=1.0)
    assert worst(mechanism, neighbours()).holds and worst(mechanism, neighbours(SIGNED)).holds
    unclipped = [(before, replace(after, right=after.right * 3)) for before, after in neighbours()[:9]]
    assert worst(mechanism, unclipped).delta > 0.01
    monkeypatch.setattr(soft_weights, "weights", lambda data: (data, Fraction(0), Fraction(1, 2)))
    assert worst(mechanism, neighbours()).delta > 0.01


def test_a_negative_weight_that_counts_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken twin: rows with a weight below 0 are kept, so the pieces of one row move by more than 1 in parts."""
    wide = Bounds(-6, 2, step=0.5)
    views = [(pairs(second=wide), pairs((5, 0), second=wide))]
    mechanism = SoftWeights(epsilon=1.0)
    assert worst(mechanism, views).holds
    monkeypatch.setattr(soft_weights, "weights", lambda data: (data, Fraction(-3), Fraction(1, 4)))
    assert worst(mechanism, views).delta > 0.01


def test_a_share_is_the_mean_of_no_and_yes() -> None:
    """On the grid of both answers, against the two counts of weights."""
    zero, one = pairs((0, 3), (0, 4), first=ANSWERS), pairs((0, 3), (1, 4), (1, 1), first=ANSWERS)
    mechanism = SoftWeights(estimator="weighted-share")
    assert mechanism.sums(one) == (Fraction(3, 4), Fraction(5, 4)) and mechanism.view.truth(one) == 0.625
    assert mechanism.view.truth(zero) == 0.0 and mechanism.view.range(None) == mechanism.view.range(ANSWERS) == (0, 1)


def adversarial() -> dict[str, tuple[Any, Any]]:
    """Return columns of ticks from 0 to 100, and of weights from 0 to 32."""
    p = np.arange(200)
    return {
        "no rows": (p[:0], p[:0]),
        "no weight": (p // 2, 0 * p),
        "one row": ([37], [32]),
        "one light row": ([100], [1]),
        "one row has the weight": (p // 2, np.where(p == 199, 32, 0)),
        "heavy rows are high": (100 * (p % 2), np.where(p % 2, 32, 1)),
        "heavy rows are low": (100 * (p % 2), np.where(p % 2, 1, 32)),
        "all at the cap": (p // 2, 0 * p + 32),
        "all light": (p // 2, 0 * p + 1),
        "at the upper bound": (0 * p + 100, p % 33),
        "constant inside": (0 * p + 37, p % 33),
        "one outlier": (np.where(p == 7, 100, 0), np.where(p == 7, 32, 2)),
        "many": (np.arange(5000) * 61 % 101, np.arange(5000) * 17 % 33),
    }


@pytest.mark.parametrize("name", MEASURES)
def test_intervals_hold_the_truth_on_adversarial_weights(name: str) -> None:
    """Each as often as promised, within the range of the statistic."""
    noise, mechanism = SimulationNoise(5), SoftWeights(estimator=name, epsilon=0.8)
    first = ANSWERS if mechanism.view.answers else WHOLE
    public = Public(first, second=CAPPED)
    least, most = mechanism.view.range(first)
    for shape, (left, right) in adversarial().items():
        data = Pairs.from_ticks(first, CAPPED, np.asarray(left) * first.top // 100, right)
        truth, law, missed = mechanism.view.truth(data), mechanism.law(data), 0
        for _ in range(DRAWS):
            drawn: Any = law.draw(noise)
            low, high = mechanism.interval(drawn, public)
            assert least <= low <= float(drawn) <= high <= most
            missed += truth is not None and not low <= truth <= high
        assert missed <= MISSES, (shape, missed)


def test_too_narrow_intervals_are_caught() -> None:
    """A broken twin: the noise is taken for a quarter of what it is, as where the cap is taken for a quarter of it."""
    noise, data = SimulationNoise(6), Pairs.from_ticks(WHOLE, CAPPED, *adversarial()["many"])
    for name in MEASURES:
        mechanism = SoftWeights(estimator=name, epsilon=0.8)
        law: Any = mechanism.law(data)
        narrow = SoftWeights(estimator=name, epsilon=3.2).scale(WHOLE, CAPPED)
        truth: Any = mechanism.view.truth(data)
        missed = 0
        for _ in range(DRAWS):
            low, high = law.measure.interval(narrow.sums(law.everything.draw(noise)), narrow, 0.05)
            missed += not low <= truth <= high
        assert missed > MISSES


def test_what_is_no_weight_is_refused() -> None:
    """An upper bound of 0, a public number of rows, and a statistic of one column."""
    below = Bounds(-2, 0, integer=True)
    for wrong in (
        lambda: SoftWeights().check(Public(X, second=below)),
        lambda: SoftWeights().law(pairs((0, 0), second=below)),
        lambda: SoftWeights().check(Public(Bounds(0, 1e200), second=Bounds(0, 1e100))),
        lambda: SoftWeights().check(Public(Bounds(0, 1e-200), second=Bounds(0, 1e-100))),
        lambda: SoftWeights(relation=Relation(size=3)),
        lambda: SoftWeights(estimator="mean"),
    ):
        with pytest.raises(ParameterError):
            wrong()


# --- The whole way: from the bytes of a file to a result and its record ---

ROWS = 400
CLIPPED = "weights above 8 count as 8"


def written(path: Path) -> tuple[Path, list[tuple[float, float]]]:
    """Write a file with missing, negative and too large weights; return its rows as they should count."""
    cells, counted = [], []
    for at in range(ROWS):
        age, weight = at * 7 % 100, ("", "-3", "0", "1.25", "0.5", "99", "8", "no")[at % 8]
        cells.append(f"{age},{weight},{'fm'[at % 3 == 0]}")
        if weight not in ("", "-3", "0", "no"):
            counted.append((age, min(8.0, float(weight))))
    path.write_text("age,w,sex\n" + "\n".join(cells) + "\n", encoding="utf-8")
    return path, counted


def test_from_a_file_to_a_result_and_its_record(tmp_path: Path) -> None:
    """Rows without a weight are left out, too large ones are clipped, and the result says so."""
    path, rows = written(tmp_path / "survey.csv")
    schema = {"age": Number(0, 100, step=1), "w": Number(0, 8, step=0.25), "sex": ["f", "m"]}
    analysis = discreet.open(path, schema, epsilon=50, people=ROWS)
    total = sum(weight for _, weight in rows)
    mean = sum(weight * age for age, weight in rows) / total
    exact = {
        "weighted_count": total,
        "weighted_sum": mean * total,
        "weighted_mean": mean,
        "weighted_variance": sum(weight * (age - mean) ** 2 for age, weight in rows) / total,
    }
    exact["weighted_standard_deviation"] = exact["weighted_variance"] ** 0.5
    for name, truth in exact.items():
        result = getattr(analysis, name)("age", "w", epsilon=10)
        low, high = result.interval
        reach = 3 * (high - low)  # far beyond what one of several draws misses
        assert low <= result.value <= high and abs(result.value - truth) <= reach < 0.2 * truth
    release = result.release
    assert release.request.mechanism.slug == "soft-weights" and release.size is None
    words = [str(each) for each in as_read(release.request, analysis.schema)]
    assert CLIPPED in words and "rows without w dropped" in words and "rows without a weight above 0 dropped" in words
    assert str(heading(release.request, analysis.schema)) == "Weighted standard deviation of age with weight w"
    assert CLIPPED in json.dumps(release_record(release, analysis.schema))


@pytest.mark.parametrize("by", [None, "sex"])
def test_a_share_from_a_file_to_a_result(tmp_path: Path, by: str | None) -> None:
    """A cell that is neither yes nor no, or without a weight, leaves the row out; groups are apart."""
    lines, counted = [], dict[str, list[tuple[bool, float]]]()
    for at in range(ROWS):
        well, weight, sex = ("yes", "no", "perhaps")[at * 5 % 3], ("1", "99", "", "0.5")[at % 4], "fm"[at % 5 < 2]
        lines.append(f"{well},{weight},{sex}")
        if well != "perhaps" and weight:
            counted.setdefault(sex if by else "", []).append((well == "yes", min(8.0, float(weight))))
    path = tmp_path / "survey.csv"
    path.write_text("well,w,sex\n" + "\n".join(lines) + "\n", encoding="utf-8")
    analysis = discreet.open(path, {"well": bool, "w": (0, 8), "sex": ["f", "m"]}, epsilon=50, people=ROWS)
    result = analysis.weighted_share("well", "w", by=by, epsilon=50)
    shares = {key: sum(w for yes, w in each if yes) / sum(w for _, w in each) for key, each in counted.items()}
    answers = result.value if by else {"": result.value}
    for key, truth in shares.items():
        assert answers[key] == pytest.approx(truth, abs=0.02)
    release = result.release
    assert CLIPPED in [str(each) for each in as_read(release.request, analysis.schema)]
    assert str(heading(release.request, analysis.schema)).startswith("Weighted share of well with weight w")
    with pytest.raises(ParameterError, match="must be declared as yes or no"):
        analysis.weighted_share("sex", "w")
    with pytest.raises(ParameterError, match="must be declared as a number"):
        analysis.weighted_mean("well", "w")


def test_groups_are_charged_once_and_a_plan_forecasts_them(tmp_path: Path) -> None:
    """Each group has its own pieces; the forecast is from public values, and the file is not read for it."""
    path, _ = written(tmp_path / "survey.csv")
    schema = {"age": (0, 100), "w": (0, 8), "sex": ["f", "m"]}
    analysis = discreet.open(path, schema, epsilon=10, people=ROWS)
    plan = analysis.plan(epsilon=4).weighted_mean("age", "w", by="sex").weighted_count("age", "w")
    first, second = plan.forecast.rows
    assert {row.mechanism.slug for row in (first, second)} == {"soft-weights"} and first.item.interval
    assert 0 < first.error < 50 and 0 < second.error < inf
    assert first.request.cost().epsilon + second.request.cost().epsilon <= 4
    results = plan.release()
    assert analysis.spent.epsilon == pytest.approx(4) and len(tuple(results)) == 2


def test_weighted_statistics_of_the_same_rows_share_a_draw(tmp_path: Path) -> None:
    """It is charged and drawn once, each margin of error is smaller than alone, and all results fit each other."""
    path, _ = written(tmp_path / "survey.csv")
    analysis = discreet.open(path, {"age": (0, 100), "w": (0, 8), "sex": ["f", "m"]}, epsilon=10, people=ROWS)
    plan = analysis.plan(epsilon=3)
    alone = plan.weighted_count("age", "w", epsilon=1).forecast.rows[0].error
    for slug, names in (
        ("soft-weighted-counts", ("weighted_count", "weighted_mean", "weighted_sum")),
        ("soft-weighted-moments", ("weighted_count", "weighted_mean", "weighted_standard_deviation")),
    ):
        asked = plan
        for name in names:
            asked = getattr(asked, name)("age", "w")
        way = asked.forecast
        assert {row.mechanism.slug for row in way.rows} == {slug} and way.draws == ((0, 1, 2),)
        assert way.total.cost.epsilon == pytest.approx(3, rel=0.01) and way.rows[0].error < alone
        count, mean, third = (result.value for result in asked.release())
        if slug == "soft-weighted-counts":
            assert third == pytest.approx(count * mean, rel=1e-6)
    assert analysis.spent.epsilon == pytest.approx(6, rel=0.01)


@pytest.mark.parametrize("kind", [JointWeightedCounts, JointWeightedMoments])
def test_a_shared_draw_gives_each_statistic_what_it_gives_alone(kind: Any) -> None:
    """The same sums for all of them, with the noise of one; without noise the exact statistics."""
    data = pairs((0, 3), (5, 1), (12, 4), (7, 2))
    public = Public(X, second=W)
    for topic in kind.topics():
        mechanism = kind(estimator=topic.name, epsilon=1.0)
        assert mechanism.sums(data) == mechanism.shared.sums(data) and mechanism.shared == kind(epsilon=1.0)
        value = mechanism.measured(tuple(map(float, mechanism.sums(data))), public)
        assert float(value) == pytest.approx(mechanism.view.truth(data), abs=1e-9)
        assert mechanism.usual_width(data) > 0 and worst(mechanism, neighbours()).holds
    with pytest.raises(ParameterError):
        kind(estimator="weighted-share")


def test_persons_with_several_rows_pay_once_over_groups() -> None:
    """The noise is that of m rows, however they are spread over groups."""
    mechanism = SoftWeights(epsilon=1.0, relation=Relation(rows=3))
    assert mechanism.scale(X, W).noise == pytest.approx(3.0)
    assert Request(mechanism, ("x", "w"), by="g").cost() == mechanism.cost()
