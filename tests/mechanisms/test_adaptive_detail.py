"""Counts of bands that are wider where there are few rows: steps, the joint law, intervals, and the road from bytes."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from discreet.budget.errors import ParameterError
from discreet.evidence.audit import worst
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public
from discreet.mechanisms.base.steps import WORTH, Steps
from discreet.mechanisms.counts_detail import AdaptiveDetail, Detail, Noises
from discreet.mechanisms.laws.branches import Within
from discreet.mechanisms.laws.divergence import apart, divergences, loss
from discreet.mechanisms.laws.law import Laplace, Noisy, Product
from discreet.mechanisms.laws.moments import equal_tail, equal_width, form_tail
from discreet.queries import Bounds, Column, Relation
from discreet.queries.column import Bins

FOUR = Bins((0.0, 1.0, 2.0, 3.0, 4.0))
TICKS = Bounds(0, 4, integer=True)
RELATIONS = (Relation(), Relation(rows=3), Relation(size=4), Relation(size=4, rows=2))


def column(*rows: int) -> Column:
    """Return the column of these ticks."""
    return Column.from_ticks(TICKS, np.array(rows, dtype=np.int64))


@pytest.mark.parametrize("bands", range(1, 20))
def test_each_step_joins_neighbours_two_by_two(bands: int) -> None:
    """Every step cuts all bands; each of its bands is one or two of the step before; the last step is all of them."""
    steps = Steps(bands)
    assert steps.each[0] == tuple((at, at + 1) for at in range(bands)) and steps.each[-1] == ((0, bands),)
    for finer, wider in zip(steps.each, steps.each[1:], strict=False):
        assert [cut for span in wider for cut in span][1:-1:2] == [low for low, _ in wider[1:]]
        inside = [sum(low <= first and last <= high for first, last in finer) for low, high in wider]
        assert sum(inside) == len(finer) and inside[:-1] == [2] * (len(wider) - 1) and inside[-1] in (1, 2)
    assert len(set(steps.spans)) == len(steps.spans) and set(steps.spans) == {s for step in steps.each for s in step}
    for step, sizes in zip(steps.each, steps.sizes, strict=True):
        for span, many in zip(steps.spans, sizes, strict=True):
            assert many == sum(span[0] <= low and high <= span[1] for low, high in step)
    lengths = [len(Steps(each).spans) for each in range(1, 65)]
    assert len(set(lengths)) == len(lengths)  # an answer shows how many bands there were


def test_thresholds_ask_for_five_half_widths_in_each_band() -> None:
    """Exactly there the finer step is chosen, and with no rows or fewer the widest."""
    steps = Steps(8)
    assert steps.thresholds(2.0) == (80.0, 40.0, 20.0, -math.inf) and WORTH == 5
    rows = np.array([-50.0, 0.0, 19.9, 20.0, 39.9, 40.0, 79.9, 80.0, 1e9])
    assert steps.chosen(rows, 2.0).tolist() == [3, 3, 3, 2, 2, 1, 1, 0, 0]


def test_the_tail_of_a_sum_of_equal_noises_is_exact() -> None:
    """Against partial fractions and Fourier series, and against draws of many."""
    for many, t in product((1, 2, 3, 6, 8), (0.1, 1.0, 4.0, 9.0)):
        assert 2 * float(equal_tail(many, t)) == pytest.approx(
            form_tail((1.0,) * many, t), abs=0.01 if many == 3 else 3e-3
        )
        assert float(equal_tail(many, -t)) == pytest.approx(1 - float(equal_tail(many, t)))
    noise = SimulationNoise(2)
    for many in (16, 64):
        drawn = np.array(noise.laplaces([0] * (many * 4000), 1.0), dtype=float).reshape(4000, -1).sum(axis=1)
        assert float(np.mean(np.abs(drawn) > equal_width(many, 0.05))) == pytest.approx(0.05, abs=0.015)
    assert equal_width(1, 0.05) == pytest.approx(math.log(20), rel=1e-8)


@pytest.mark.parametrize("relation", RELATIONS, ids=str)
def test_a_person_moves_the_rows_and_each_step_by_no_more_than_the_noise_covers(relation: Relation) -> None:
    """On every small table; the two parts of epsilon are spent on the number of rows and on one step."""
    mechanism = AdaptiveDetail(bins=FOUR, epsilon=0.7, relation=relation)
    steps = Steps(4)
    most = relation.rows * (2 if relation.change_one else 1)
    for rows, more in product(product(range(4), repeat=4), product(range(4), repeat=min(relation.rows, 2))):
        other = (*rows[len(more) :], *more) if relation.change_one else (*rows, *more)
        first, second = (
            Detail(tuple(FOUR.scores(column(*each)).counts.tolist()), mechanism.noises) for each in (rows, other)
        )
        moved = [np.abs(np.subtract(first.exact(at), second.exact(at))).sum() for at in range(len(steps.each))]
        assert max(*moved, abs(len(rows) - len(other))) <= most
    assert most / mechanism.noises.rows + most / mechanism.noises.count == pytest.approx(0.7)


def tables(most: int) -> list[Column]:
    """Return every small table."""
    return [
        column(*rows)
        for size in range(most + 1)
        for rows in product(range(4), repeat=size)
        if list(rows) == sorted(rows)
    ]


def test_the_joint_law_of_rows_choice_and_counts_loses_epsilon_and_no_more() -> None:
    """Over all small tables at a large epsilon, where every step is chosen; and it is tight."""
    for epsilon, bins in ((1.0, FOUR), (12.0, FOUR), (12.0, Bins((0.0, 1.0, 4.0)))):
        mechanism = AdaptiveDetail(bins=bins, epsilon=epsilon)
        every = tables(2)
        pairs = [(few, many) for few, many in product(every, every) if many.n == few.n + 1 and _one_more(few, many)]
        assert worst(mechanism, pairs).holds
        losses = [loss(*(mechanism.law(each).everything for each in pair)) for pair in pairs]
        assert max(losses) == pytest.approx(epsilon, rel=1e-6) and max(losses) <= epsilon * (1 + 1e-9)
    weights = mechanism.law(column(0, 1, 1)).everything.weights
    assert all(weight > 0.01 for weight in weights) and sum(weights) == pytest.approx(1)


def _one_more(few: Column, many: Column) -> bool:
    counts = (np.bincount(each.values().astype(int), minlength=5) for each in (many, few))
    moved = np.subtract(*counts)
    return bool(moved.min() == 0)


def test_the_divergence_of_branches_is_that_of_an_integral() -> None:
    """Two bands, where the joint density of rows and counts is summed on a fine grid."""
    noises = Noises(2.0, 1.0)
    first, second = Detail((3, 2), noises), Detail((3, 3), noises)
    grid, least = np.linspace(-30, 40, 1401), noises.half * WORTH * 2
    for epsilon in (0.2, 0.6, 1.2):
        total = 0.0
        for step, ends in enumerate((np.maximum(grid, least), np.minimum(grid, least))):
            joint = []
            for law in (first, second):
                (count,) = law.exact(step)[1 - step :]  # of the finer step the first band has the same law in both
                each = law.rows.cdf(ends), Noisy(count, noises.count, Laplace()).cdf(grid)
                joint.append(np.multiply.outer(*map(np.diff, each)))
            total += float(np.maximum(joint[0] - math.exp(epsilon) * joint[1], 0).sum())
        assert divergences(first.everything, second.everything, epsilon)[0] == pytest.approx(total, abs=2e-3)
    assert divergences(first.everything, second.everything, 1.5) == (0.0, 0.0)


class _Exact(Detail):
    """A broken twin: the exact number of rows chooses."""

    @property
    def rows(self) -> Noisy:
        """No noise to speak of."""
        return replace(super().rows, scale=1e-6)


def test_a_choice_by_the_exact_number_of_rows_is_caught() -> None:
    """By the divergence of neighbours, at the threshold and elsewhere; the mechanism itself holds there."""
    noises = AdaptiveDetail(bins=FOUR, epsilon=1.0).noises
    least = math.ceil(Steps(4).thresholds(noises.half)[0])
    for size in (least - 1, 40):
        few, many = ((size - 2, 1, 1, at) for at in (0, 1))
        assert max(divergences(Detail(few, noises).everything, Detail(many, noises).everything, 1.0)) < 1e-11
        twins = [_Exact(each, noises).everything for each in (few, many)]
        assert max(divergences(*twins, 1.0)) > 0.6
        assert max(divergences(Product((twins[0], twins[0])), Product((twins[1], twins[0])), 1.0)) > 0.6


def test_mixtures_of_branches_are_compared_branch_by_branch() -> None:
    """As where a lot decides which rows of a person count: the mechanism holds, and the twin is caught."""
    noises = AdaptiveDetail(bins=Bins((0.0, 2.0, 4.0)), epsilon=1.0).noises
    least = math.ceil(Steps(2).thresholds(noises.half)[0])
    few = (least - 1, 0)
    for kind, holds in ((Detail, True), (_Exact, False)):
        sides = [
            [(0.5, kind(each, noises).everything) for each in pair]
            for pair in ((few, few), ((least, 0), (least - 1, 1)))
        ]
        assert (max(apart(*sides, 1.0)) < 1e-9) == holds
        groups = [[(w, Product((law, sides[0][0][1]))) for w, law in side] for side in sides]
        assert (max(apart(*groups, 1.0)) < 1e-9) == holds


def test_draws_follow_the_law_that_is_audited() -> None:
    """How often each step is chosen, where each number lies, and what is simulated."""
    law = Detail((30, 20, 14, 10), AdaptiveDetail(bins=FOUR, epsilon=1.0).noises)
    noise, draws = SimulationNoise(4), 4000
    answers = np.array([[math.nan if each is None else each for each in law.draw(noise)] for _ in range(draws)]).T  # type: ignore[union-attr]
    simulated = law.simulate(noise.uniforms(law.draws, draws))
    weights = np.array(law.everything.weights)
    shown = np.array([[many > 0 for many in sizes] for sizes in law.steps.sizes])
    for found in (answers, simulated):
        assert (~np.isnan(found)).mean(axis=1) == pytest.approx(weights @ shown, abs=0.04)
        for at, row in enumerate(found):
            given = np.sort(row[~np.isnan(row)])
            places = np.broadcast_to(given, (len(found), given.size))
            assert np.abs(law.cdf(places)[at] - np.arange(1, given.size + 1) / draws).max() < 0.05
    middle = law.quantile([0.5])[:, 0]
    assert middle[:3] == pytest.approx([74, 50, 24], abs=0.5)


@pytest.mark.parametrize("counts", [(0, 0, 0, 0), (500, 0, 0, 0), (40, 0, 0, 40), (20, 21, 19, 20), (1, 0, 2, 71)])
def test_intervals_hold_given_the_choice(counts: tuple[int, ...]) -> None:
    """Of each number in each step that is chosen often; sums of several counts have wider ones."""
    mechanism, noise = AdaptiveDetail(bins=FOUR, epsilon=1.0), SimulationNoise(5)
    law = Detail(counts, mechanism.noises)
    truth = [sum(counts[low:high]) for low, high in law.steps.spans]
    held: dict[tuple[bool, ...], list[list[bool]]] = {}
    for _ in range(1500):
        answer: Any = law.draw(noise)
        spans = mechanism.interval(answer, Public(TICKS))
        assert [span is None for span in spans] == [each is None for each in answer]
        inside = [ends[0] <= value <= ends[1] for ends, value in zip(spans, truth, strict=True) if ends]
        held.setdefault(tuple(each is None for each in answer), []).append(inside)
    for inside in held.values():
        if len(inside) > 300:
            assert np.mean(inside, axis=0).min() > 0.91  # where 95 % do, with probability below 1e-4
    narrower = mechanism.interval(answer, Public(TICKS), 0.5)
    pairs = [(a, b) for a, b in zip(spans, narrower, strict=True) if a]
    assert all(a[0] <= b[0] and b[1] <= a[1] for a, b in pairs)


def test_bands_that_do_not_fit_are_refused_before_a_charge() -> None:
    """One band chooses nothing, and more than 64 are too many."""
    for edges in ((0.0, 4.0), tuple(map(float, range(66)))):
        with pytest.raises(ParameterError, match="2 to 64 bands"):
            AdaptiveDetail(bins=Bins(edges)).check(Public(TICKS))
    AdaptiveDetail().check(Public(TICKS))
    assert len(Steps(len(AdaptiveDetail().view.bands(Bounds(0, 99, integer=True)).labels)).each[0]) == 8


def test_a_number_within_ends_has_a_density_there_alone() -> None:
    """Its mass is 1, and it is the inner law between them."""
    law = Within(Noisy(0, 1.0, Laplace()), 1.0, 2.0)
    assert law.chance == pytest.approx((math.exp(-1) - math.exp(-2)) / 2)
    assert law.cdf([0.5, 1.0, 2.0, 3.0]).tolist() == pytest.approx([0, 0, 1, 1])
