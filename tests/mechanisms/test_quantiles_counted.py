"""Many quantiles from one noisy count of all ticks: what a row moves, the noise of each rank, and intervals."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from support.evidence.interval_cases import columns

from discreet.budget.errors import ParameterError
from discreet.evidence.audit import worst
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public, quantiles_counted, registry
from discreet.mechanisms.laws.law import Laplace
from discreet.mechanisms.laws.moments import chernoff, chernoff_width, form_tail, sums_tail
from discreet.mechanisms.quantile_interval import QuantileInterval
from discreet.mechanisms.quantiles_counted import Counted, QuantileCounted, QuantilesCounted, Tree
from discreet.queries import Bounds, Column, Relation
from discreet.queries.quantile import Quantile

LEVELS = (0.0, 0.1, 0.25, 0.5, 0.9, 1.0)
SHARES = tuple(Fraction(str(level)) for level in LEVELS)
DRAWS, MISSES = 40, 12  # more of 40 miss where 5 % do with probability 2e-7


def column(top: int, *rows: int) -> Column:
    """Return the column of these ticks."""
    return Column.from_ticks(Bounds(0, top, integer=True), np.array(rows, dtype=np.int64))


@pytest.mark.parametrize("top", [1, 2, 6, 8])
def test_a_row_moves_one_block_and_one_tick_by_one(top: int) -> None:
    """On every small table; so the noise of m rows is 2 m over epsilon, and twice that where rows are replaced."""
    tree = Tree(top + 1)
    for rows in product(range(top + 1), repeat=2):
        for row in range(top + 1):
            moves = tree.counts(column(top, *rows, row)) - tree.counts(column(top, *rows))
            assert sorted(moves)[-2:] == [1, 1] and moves.sum() == 2
    scales = [QuantilesCounted(epsilon=0.5, relation=each).scale for each in (Relation(rows=3), Relation(size=4))]
    assert scales == pytest.approx([12, 8])


@pytest.mark.parametrize("ticks", [2, 3, 4, 7, 10])
def test_the_weights_are_those_of_the_noise_in_each_rank(ticks: int) -> None:
    """Each noise alone, through least squares and sums: as often with each weight as is said."""
    tree = Tree(ticks)
    below = tree.below(np.eye(tree.size))
    for q, at in product(SHARES, range(ticks)):
        alone = np.abs(below[:, at] - float(q) * below[:, -1])
        said = [(float(w), int(many)) for w, many in tree.weights(q, np.array(at))]
        stated = [w for w, many in said for _ in range(many)]
        assert sorted(np.abs(stated)) == pytest.approx(sorted(alone), abs=1e-12)


def test_without_noise_the_counts_give_every_quantile() -> None:
    """Of every small table, as the statistic itself does."""
    for top, size in ((1, 3), (3, 3), (6, 4)):
        for rows in product(range(top + 1), repeat=size):
            data = column(top, *rows)
            law = Counted(data, SHARES, 1e-9)
            found = law.values(np.array([law.centres], dtype=float))[:, 0]
            assert found.tolist() == [float(Quantile(q=q).value(data)) for q in SHARES], rows


def test_the_tail_of_a_sum_is_exact_and_never_too_small() -> None:
    """Against partial fractions, and against many draws; Chernoff's bound is above it."""
    for weights in ((1.0, 0.5, 0.2), (0.9, 0.6, 0.4, 0.1), (1.0, 0.9)):
        pairs = [(w, 1) for w in weights]
        for x in (0.2, 1.0, 3.0):
            exact = form_tail(weights, x) / 2
            tail = float(sums_tail(pairs, np.array(x)))
            assert exact * 0.99 <= tail <= exact * 1.01 + 1e-3
            assert 1 - tail <= float(sums_tail(pairs, np.array(-x))) <= 1 - exact + 2e-3
            assert float(chernoff(pairs, np.array(x))) >= exact
    assert float(sums_tail([(1.0, 1), (0.2, 1)], np.array(100.0))) < 1e-20
    pairs = [(0.9, 3), (0.3, 20), (0.1, 40)]
    noise = SimulationNoise(2)
    drawn = sum(
        w * np.array(noise.laplaces([0] * (many * 4000), 1.0), dtype=float).reshape(4000, -1).sum(1)
        for w, many in pairs
    )
    for x in (1.0, 3.0, 5.0):
        assert float(sums_tail(pairs, np.array(x))) == pytest.approx(np.mean(drawn >= x), abs=0.03)
    (width,) = chernoff_width(pairs, 0.01, (1,))
    assert float(chernoff(pairs, np.array(width))) <= 0.012 and float(sums_tail(pairs, np.array(width))) < 0.01


@pytest.mark.parametrize("top", [1, 9, 99])
def test_answers_ascend_and_keep_to_their_rank_error(top: int) -> None:
    """On every dataset made to be bad, and with no rows."""
    noise = SimulationNoise(3)
    mechanism = QuantilesCounted(levels=LEVELS, epsilon=0.4)
    off = np.array(mechanism.off(top + 1, 0.95))
    for _, wide in [*columns(60)[::3], *columns(3000)[-3:]]:
        data = column(top, *(wide.values() * top / 100).astype(int))
        missed = np.zeros(len(LEVELS))
        for _ in range(15):
            answer: Any = mechanism.law(data).draw(noise)
            assert list(answer) == sorted(answer)
            below, upto = (np.searchsorted(data.values(), answer, side=side) for side in ("left", "right"))
            aims = np.array(LEVELS) * data.n
            missed += np.maximum(below - aims, aims - upto) > off
        assert missed.max() <= 6  # of 15: where 5 % do, with probability 2e-5


@pytest.mark.parametrize("more", [18, 22, 25])
def test_no_rank_error_that_happens_too_often_is_left_out(more: int) -> None:
    """Half of the rows at each end, and some more above: a median below the top is off by that, in 1 of 10 draws."""
    mechanism = QuantilesCounted(levels=(0.25, 0.5), epsilon=0.4)
    data = column(100, *[0] * (1000 - more), *[100] * (1000 + more))
    found = mechanism.law(data).simulate(SimulationNoise(8).uniforms(1, 600))[1]
    assert np.mean(found < 100) > 0.05 and mechanism.off(101, 0.95)[1] >= more


def missed(law: Counted) -> int:
    """Return how many of 40 draws miss the quantile of the level that is missed most."""
    noise = SimulationNoise(4)
    truths = [float(Quantile(q=q).value(law.column)) for q in law.levels]
    wrong = np.zeros(len(truths), dtype=int)
    for _ in range(DRAWS):
        drawn: Any = law.draw(noise)
        spans = [each.interval for each in drawn]
        wrong += [not low <= truth <= high for (low, high), truth in zip(spans, truths, strict=True)]
        assert all(low <= each <= high for (low, high), each in zip(spans, drawn, strict=True))
    return int(wrong.max())


def test_intervals_hold_the_quantiles_on_adversarial_data() -> None:
    """Ties, values at one end, one row, no rows; all others are in tests/evidence/test_intervals.py."""
    for name, data in columns(60):
        law = QuantilesCounted(levels=LEVELS, epsilon=0.8).law(data)
        assert isinstance(law, Counted) and missed(law) <= MISSES, name


def test_each_end_misses_one_time_in_forty() -> None:
    """Where every tick has few rows, so that no tick hides a miss: not more often (false 1 time in 10^6), nor never."""
    data = Column.from_ticks(Bounds(0, 400, integer=True), np.arange(1203) % 401)
    law = QuantilesCounted(levels=(0.3, 0.5, 0.7), epsilon=0.4).law(data)
    assert isinstance(law, Counted)
    noises = SimulationNoise(6).uniforms(law.tree.size, 250)
    below = law.tree.below((np.array(law.centres)[:, None] / law.scale + Laplace().quantile(noises)).T)
    for q in law.levels:
        truth = float(Quantile(q=q).value(data))
        found = np.array([quantiles_counted.ends(law.tree, each, q, 0.05) for each in below])
        outside = int(np.sum(found[:, 0] > truth)), int(np.sum(found[:, 1] < truth))
        assert max(outside) <= 20 and sum(outside) >= 1, outside


def test_intervals_for_a_third_of_the_noise_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same check refutes intervals that take every noise for a third as large."""
    whole = quantiles_counted.ends
    monkeypatch.setattr(quantiles_counted, "ends", lambda tree, below, q, miss: whole(tree, 3 * below, q, miss))
    data = Column.from_ticks(Bounds(0, 100, integer=True), np.arange(3030) % 101)
    law = QuantilesCounted(levels=(0.4, 0.45, 0.5, 0.55), epsilon=0.1).law(data)
    assert isinstance(law, Counted) and missed(law) > MISSES


@pytest.mark.parametrize("relation", [Relation(), Relation(rows=2), Relation(size=3)])
def test_a_count_of_ticks_alone_is_paid_for_as_both_are(relation: Relation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exact divergence: with noise for one of both counts the loss is twice the claim."""
    mechanism = QuantilesCounted(epsilon=1.0, relation=relation)
    rows = (0, 1, 3)
    moved = (0, 0, 0) if relation.change_one else (0, 1, 3, *(2,) * relation.rows)
    pairs = [(column(3, *rows), column(3, *moved[: 3 if relation.change_one else None]))]
    if relation.change_one:
        pairs = [(column(3, 0, 1, 3), column(3, 0, 1, 0))]
    assert worst(mechanism, pairs).holds
    monkeypatch.setattr(QuantilesCounted, "scale", property(lambda self: whole(self) / 1.01))
    assert not worst(replace(mechanism), pairs).holds


whole = QuantilesCounted.scale.fget  # type: ignore[attr-defined]


def test_a_fine_grid_is_refused_before_a_charge() -> None:
    """4,096 ticks are counted, one more is not; no interval at another confidence is made up."""
    mechanism = QuantilesCounted()
    mechanism.check(Public(Bounds(0, 4095, integer=True)))
    with pytest.raises(ParameterError, match=r"at most 4,096\. Got 4,097"):
        mechanism.check(Public(Bounds(0, 4096, integer=True)))
    answer: Any = mechanism.law(column(5, 1, 2, 3)).draw(SimulationNoise(1))
    public = Public(Bounds(0, 5, integer=True))
    assert len(mechanism.interval(answer, public)) == 3 and mechanism.interval(answer, public, 0.99) is None


def test_the_law_is_that_of_its_draws() -> None:
    """Simulated answers against drawn ones: the same chance of each tick, within 5 standard errors."""
    law = QuantilesCounted(levels=(0.25, 0.75), epsilon=1.0).law(column(9, *range(10), *range(10)))
    noise = SimulationNoise(9)
    drawn = np.array([[float(each) for each in law.draw(noise)] for _ in range(600)])  # type: ignore[union-attr]
    simulated = law.simulate(noise.uniforms(law.draws, 4000))
    for level in range(2):
        for tick in range(0, 9, 2):
            assert np.mean(drawn[:, level] <= tick) == pytest.approx(np.mean(simulated[level] <= tick), abs=0.11)


@pytest.mark.parametrize("ticks", [2, 30, 126, 4096])
@pytest.mark.parametrize("q", [0.01, 0.25, 0.5, 0.9])
def test_an_interval_is_narrower_in_ranks_than_a_drawn_one(ticks: int, q: float) -> None:
    """On every grid that is counted, whatever the rows: where plans find both equally good, this one is chosen."""
    drawn = QuantileInterval(q=q, epsilon=1.0).end(ticks, 1)
    rows = np.full(ticks, 0.9 * drawn.rows(drawn.shift) / QuantileCounted(epsilon=1.0).scale)
    assert sums_tail(Tree(ticks).weights(Fraction(str(q)), np.arange(ticks)), rows).max() < 0.025


def test_one_quantile_is_one_level_with_its_interval() -> None:
    """The same noisy counts give the same answer and interval, which is much narrower than a drawn one."""
    data = column(125, *np.random.default_rng(3).integers(0, 126, 3000).tolist())
    public = Public(Bounds(0, 125, integer=True), 3000)
    one = QuantileCounted(q=0.9, epsilon=1.0)
    answer: Any = one.law(data).draw(SimulationNoise(4))
    every: Any = QuantilesCounted(levels=(0.5, 0.9), epsilon=1.0).law(data).draw(SimulationNoise(4))
    assert (answer, one.interval(answer, public)) == (every[1], every[1].interval)
    assert (
        one.interval(answer, public, 0.99) is None
        and one.rank_error(public) == QuantilesCounted(levels=(0.5, 0.9), epsilon=1.0).off(126, 0.95)[1]
    )
    drawn = registry["quantile-interval"](q=0.9, epsilon=1.0).usual_width(data)
    assert one.usual_width(data) < drawn / 4
    simulated = one.law(data).simulate(SimulationNoise(2).uniforms(1, 300))
    assert abs(np.median(simulated) - float(Quantile(q="0.9").value(data))) <= 1
