"""A mean up to a bound found in the same act: its exact joint law, its twins, and where it wins."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from discreet.budget import Cost, SessionLedger
from discreet.budget.errors import ParameterError
from discreet.curator import Curator, Request
from discreet.evidence.audit import worst
from discreet.lab.experiment import simulate
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public, clipped_mean
from discreet.mechanisms.clipped_mean import BoundAndMean, ClippedDeviation, ClippedMean, ClippedSum, ClippedVariance
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.laws.divergence import divergence
from discreet.mechanisms.laws.law import Measured
from discreet.mechanisms.laws.moments import Moments, Sums
from discreet.mechanisms.laws.ratio import SoftCounts
from discreet.mechanisms.soft_moments import JointSoftMoments
from discreet.queries import Bounds, Column, Relation
from discreet.queries.variance import StandardDeviation
from discreet.rows import Category, LocalSource, Number, OpenData, Schema

WIDE = Bounds(0, 2**20 - 1, integer=True)
DRAWS = 4000


def column(*rows: int) -> Column:
    """Return a small column of a wide range."""
    return Column.from_ticks(WIDE, np.array(rows, np.int64))


def law(mechanism: ClippedMean, *rows: int) -> BoundAndMean:
    """Return the law of a few rows."""
    mixture = mechanism.law(column(*rows))
    assert isinstance(mixture, BoundAndMean)
    return mixture


ROWS = (3, 5, 5, 100, 4000)


def test_the_chance_of_a_bound_and_the_counts_inside_it_are_those_of_the_rows() -> None:
    """Counted in plain Python: how many rows are above every bound, and what clipped rows add up to."""
    mechanism = ClippedMean(epsilon=2.0, share=0.5, doubling=2)
    mixture = law(mechanism, *ROWS)
    bounds = mixture.points.tolist()
    assert bounds[-1] == 2**20 - 1 and all(1.9 < b / a < 2.1 or a < 5 for a, b in zip(bounds, bounds[1:], strict=False))
    weights = [math.exp(-sum(x > g for x in ROWS) - 2 * j) for j, g in enumerate(bounds)]
    assert mixture.probabilities == pytest.approx(np.array(weights) / sum(weights), rel=1e-6)
    for g, inner in zip(bounds, mixture.inside, strict=True):
        above = sum(min(x, g) for x in ROWS) / g
        assert (float(inner.first.centre), float(inner.second.centre)) == pytest.approx((above, len(ROWS) - above))
        assert inner.first.scale == pytest.approx(1.0, rel=1e-8) and inner.low + inner.width == g


def test_drawn_answers_have_the_law_of_bound_and_mean() -> None:
    """The bound as often as its chance, the mean by its mixture (each fails once in a million)."""
    mechanism, noise = ClippedMean(epsilon=4.0, share=0.5, doubling=1), SimulationNoise(4)
    mixture = law(mechanism, *ROWS * 5)
    drawn: list[Any] = [mixture.draw(noise) for _ in range(DRAWS)]
    bounds = np.array([bound for _, bound in drawn])
    for point, chance in zip(mixture.points, mixture.probabilities, strict=True):
        assert abs(np.mean(bounds == point) - chance) < 5 * math.sqrt(chance * (1 - chance) / DRAWS) + 1e-9
    means = np.sort([float(mean) for mean, _ in drawn])
    assert np.abs(mixture.cdf(means) - np.arange(1, DRAWS + 1) / DRAWS).max() < 2.7 / math.sqrt(DRAWS)
    assert mixture.quantile([0.1, 0.5, 0.9]) == pytest.approx(np.quantile(means, [0.1, 0.5, 0.9]), rel=0.1)
    simulated = simulate(mixture, DRAWS, noise)
    assert stats.ks_2samp(simulated, means).pvalue > 1e-6
    assert all(isinstance(mean, Measured) and mean <= bound for mean, bound in drawn)


def broken(mechanism: ClippedMean, how: str) -> ClippedMean:
    """Return a twin: the counts get all of epsilon as well, a row is worth twice as much, or the bound is no choice."""

    class Twin(ClippedMean):
        """One of three mistakes."""

        @property
        def rate(self) -> float:
            """Let one row count for two, or choose without noise."""
            return super().rate * {"twice": 2.0, "best": 1e3}.get(how, 1.0)

        @property
        def scale(self) -> float:
            """Spend all of epsilon on the counts, after some was spent on the bound."""
            return super().scale * (1 - self.share if how == "all" else 1.0)

    return Twin(epsilon=mechanism.epsilon, share=mechanism.share, doubling=mechanism.doubling)


@pytest.mark.parametrize("how", ["right", "twice", "best", "all"])
@pytest.mark.parametrize("share", [0.2, 0.8])
def test_what_is_lost_is_caught_exactly(how: str, share: float) -> None:
    """A row more at the top: all lower bounds become less likely, and both counts move."""
    mechanism = ClippedMean(epsilon=1.0, share=share, doubling=1)
    twin = mechanism if how == "right" else broken(mechanism, how)
    rows = [Column.from_ticks(Bounds(0, 3, integer=True), np.full(n, 3, np.int64)) for n in range(6)]
    assert worst(twin, itertools.pairwise(rows)).holds == (how == "right")


def test_half_of_the_loss_of_a_person_with_two_rows_is_that_of_one() -> None:
    """So rows in two groups lose no more than both in one."""
    mechanism = ClippedMean(epsilon=1.0, doubling=1, relation=Relation(rows=2))
    middle, top = 2**19 - 1, 2**20 - 1
    pair = mechanism.law(column(middle)), mechanism.law(column(middle, top))
    assert max(divergence(*pair, 0.5), divergence(*pair[::-1], 0.5)) < 1e-12
    assert max(divergence(*pair, 0.45), divergence(*pair[::-1], 0.45)) > 1e-6


def test_bounds_that_are_far_too_wide_cost_next_to_nothing() -> None:
    """Incomes under a bound of a hundred million: a twentieth of the error; more of it where the bound is tight."""
    normal = stats.norm.ppf((np.arange(5000) + 0.5) / 5000)
    incomes, noise = np.exp(10.5 + 0.8 * normal), SimulationNoise(2)
    ratios = []
    for top in (10**8, 400_000):
        data = Column.from_values(Bounds(0, top), incomes)
        errors = [
            np.abs(simulate(kind.law(data), DRAWS, noise) - incomes.mean()).mean()
            for kind in (ClippedMean(epsilon=1.0), TwoCounts(epsilon=1.0))
        ]
        ratios.append(errors[1] / errors[0])
    assert ratios[0] > 20 and ratios[1] < 1


def test_a_sum_is_computed_from_the_same_bound_and_counts() -> None:
    """Bound, counts and noise are those of the mean; without noise it is the sum of clipped rows, also below 0."""
    for bounds, rows in ((WIDE, ROWS), (Bounds(-7, 2**20 - 8, integer=True), (0, *ROWS))):
        data = Column.from_ticks(bounds, np.array(rows, np.int64))
        total, mean = ClippedSum(epsilon=2.0).law(data), ClippedMean(epsilon=2.0).law(data)
        assert isinstance(total, BoundAndMean) and isinstance(mean, BoundAndMean)
        assert total.probabilities == pytest.approx(mean.probabilities)
        for g, inner, soft in zip(total.points, total.inside, mean.inside, strict=True):
            assert isinstance(inner, Moments) and isinstance(soft, SoftCounts)
            assert inner.parts == (soft.second, soft.first)
            sums = Sums.of([float(part.centre) for part in inner.parts], inner.scale)
            values = [float(bounds.value(row)) for row in rows]
            assert inner.measure.value(sums, inner.scale) == pytest.approx(sum(min(x, g) for x in values), abs=1e-6)


@pytest.mark.parametrize("spent", [1.0, 0.6])
def test_counts_of_a_sum_that_spend_what_the_bound_has_spent_are_caught(
    spent: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The joint law of bound and both counts: right with the rest of epsilon, and refuted with more."""
    whole = ClippedMean.scale.fget  # type: ignore[attr-defined]
    monkeypatch.setattr(ClippedSum, "scale", property(lambda self: whole(self) * spent))
    rows = [Column.from_ticks(Bounds(0, 3, integer=True), np.full(n, 3, np.int64)) for n in range(6)]
    assert worst(ClippedSum(epsilon=1.0, share=0.4, doubling=1), itertools.pairwise(rows)).holds == (spent == 1)


def test_drawn_sums_have_the_law_that_is_stated() -> None:
    """Within the lattice of the law, and no farther from the truth than a hundredth of what Laplace noise is."""
    incomes = np.exp(10.5 + 0.8 * stats.norm.ppf((np.arange(2000) + 0.5) / 2000))
    data = Column.from_values(Bounds(0, 10**8), incomes)
    mixture, noise = ClippedSum(epsilon=1.0).law(data), SimulationNoise(6)
    drawn = np.sort([float(mixture.draw(noise)[0]) for _ in range(600)])  # type: ignore[index,arg-type]
    assert mixture.quantile([0.1, 0.5, 0.9]) == pytest.approx(np.quantile(drawn, [0.1, 0.5, 0.9]), rel=0.01)
    assert stats.ks_2samp(simulate(mixture, DRAWS, noise), drawn).pvalue > 1e-6
    assert np.quantile(np.abs(drawn - incomes.sum()), 0.95) < 3 * 10**8 / 80


SPREADS = {ClippedVariance: np.var, ClippedDeviation: np.std}
TOP = Bounds(0, 3, integer=True)


@pytest.mark.parametrize("kind", SPREADS)
def test_a_spread_is_computed_from_the_same_bound_and_three_moments_of_clipped_rows(kind: Any) -> None:
    """Chances of bounds are those of the mean; without noise it is the spread of clipped rows, also below 0."""
    for bounds, rows in ((WIDE, ROWS), (Bounds(-7, 2**20 - 8, integer=True), (0, *ROWS)), (TOP, (3, 3, 3)), (TOP, ())):
        data = Column.from_ticks(bounds, np.array(rows, np.int64))
        spread, mean = kind(epsilon=2.0, share=0.5).law(data), ClippedMean(epsilon=2.0, share=0.5).law(data)
        assert spread.probabilities == pytest.approx(mean.probabilities) and spread.draws == 4
        for g, inner in zip(spread.points, spread.inside, strict=True):
            t = [(min(float(bounds.value(row)), g) - bounds.value(0)) / (g - bounds.value(0)) for row in rows]
            moments = [sum((1 - x) ** 2 for x in t), sum(2 * x * (1 - x) for x in t), sum(x * x for x in t)]
            assert [float(part.centre) for part in inner.parts] == pytest.approx(moments, abs=1e-9)
            assert [part.scale for part in inner.parts] == pytest.approx([1.0] * 3, rel=1e-8)
            sums = Sums.of([float(part.centre) for part in inner.parts], inner.scale)
            values = [min(float(bounds.value(row)), g) for row in rows]
            exact = SPREADS[kind](values) if rows else 0.0
            assert inner.measure.value(sums, inner.scale) == pytest.approx(exact, rel=1e-6, abs=1e-3)


@pytest.mark.parametrize("how", ["right", "spent", "twice", "heavy"])
def test_a_spread_that_spends_more_than_is_charged_is_caught(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The joint law of bound and moments: right, with epsilon spent twice, a row worth two, a piece above 1."""
    if how == "heavy":
        sums = clipped_mean.piece_sums
        monkeypatch.setattr(clipped_mean, "piece_sums", lambda *given: tuple(each * 3 / 2 for each in sums(*given)))
    for name, factor in (("scale", 0.6), ("rate", 2.0)):
        if how == {"scale": "spent", "rate": "twice"}[name]:
            whole = getattr(ClippedMean, name).fget
            monkeypatch.setattr(ClippedVariance, name, property(lambda self, w=whole, f=factor: w(self) * f))
    rows = [Column.from_ticks(TOP, np.full(n, 3, np.int64)) for n in range(6)]
    assert worst(ClippedVariance(epsilon=1.0, share=0.4, doubling=1), itertools.pairwise(rows)).holds == (
        how == "right"
    )


def test_drawn_spreads_have_the_law_that_is_stated() -> None:
    """Within the lattice of the law, and next to the truth where soft moments say nothing at all."""
    incomes = np.exp(10.5 + 0.8 * stats.norm.ppf((np.arange(2000) + 0.5) / 2000))
    data = Column.from_values(Bounds(0, 10**8), incomes)
    mixture, noise = ClippedDeviation(epsilon=1.0).law(data), SimulationNoise(6)
    drawn = np.sort([float(mixture.draw(noise)[0]) for _ in range(600)])  # type: ignore[index,arg-type]
    assert mixture.quantile([0.1, 0.5, 0.9]) == pytest.approx(np.quantile(drawn, [0.1, 0.5, 0.9]), rel=0.1)
    assert stats.ks_2samp(simulate(mixture, DRAWS, noise), drawn).pvalue > 1e-6
    soft = simulate(JointSoftMoments(StandardDeviation(), 1.0).law(data), DRAWS, noise)
    off = [np.abs(each - incomes.std()).mean() for each in (drawn, soft)]
    assert off[1] > 100 * off[0] and off[0] < 0.2 * incomes.std()


def test_the_answer_is_two_numbers_with_names_and_the_rows_about() -> None:
    """On the road, alone and by group: the mean, the bound that was chosen, no interval, and how many rows."""
    rows = b"x,g\n" + b"".join(b"%d,%s\n" % (i % 40, b"ab"[i % 2 : i % 2 + 1]) for i in range(4000))
    schema = Schema({"x": Number(0, 10**8, integer=True), "g": Category(("a", "b"))})
    road = Curator(OpenData(LocalSource(rows), schema), SessionLedger(Cost.of(4)), SimulationNoise(1), tick=0)
    mechanism = ClippedMean(epsilon=1.0)
    alone: Any = road.ask(Request(mechanism, ("x",)))
    mean, bound = alone.answer
    assert type(mean) is float and abs(mean - 19.5) < 2 and 16 < bound < 2000
    assert alone.interval is None and abs(alone.size - 4000) < 100
    assert len(mechanism.parts(())) == 2 and "clipped" in mechanism.parts(())[0]
    grouped: Any = road.ask(Request(mechanism, ("x",), by="g"))
    assert [level for level, _ in grouped.answer] == ["a", "b"] and all(len(value) == 2 for _, value in grouped.answer)
    assert all(abs(size - 2000) < 100 for _, size in grouped.size)


def test_bounds_are_loose_if_the_widest_group_says_so() -> None:
    """Of several groups the largest bound counts: an eighth of the declared one is the limit."""
    public = Public(Bounds(0, 10**8))
    for kind in (ClippedMean(), ClippedSum(), ClippedVariance(), ClippedDeviation()):
        assert kind.loose([(1.0, 100.0), (1.0, 5e7)], public) is None
        assert "8 times nearer" in str(kind.loose([(1.0, 100.0), (1.0, 1.25e7)], public))
    assert TwoCounts().loose([1.0], public) is None


def test_no_rows_and_wrong_parameters() -> None:
    """Nobody at all chooses the lowest bounds; few are told so beforehand; a public size is refused with a sentence."""
    assert law(ClippedMean(epsilon=1.0)).probabilities[0] > 0.8
    notes = [str(ClippedMean().forecast(Public(WIDE, people)).note) for people in (100, 1000)]
    assert ["far too low" in note for note in notes] == [True, False]
    assert ClippedMean(epsilon=0.5).doubling == 14 and ClippedMean(relation=Relation(rows=3)).doubling == 20
    with pytest.raises(ParameterError, match="private number of rows"):
        ClippedMean(relation=Relation(size=9))
    with pytest.raises(ParameterError, match="This variance needs a private number of rows"):
        ClippedVariance(relation=Relation(size=9))
    with pytest.raises(ParameterError):
        ClippedDeviation().check(Public(Bounds(0, 1e200)))
    with pytest.raises(ParameterError, match="Share for the bound must be between"):
        ClippedMean(share=1.0)
    assert replace(ClippedMean(), epsilon=2.0).doubling == 7  # what is declared stays
