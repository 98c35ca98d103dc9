"""Counts above a threshold: the exact chances of every name, and what they are worth."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from discreet.evidence.audit import worst
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public
from discreet.mechanisms.counts_above import CountsAbove
from discreet.mechanisms.laws.divergence import divergence
from discreet.queries import Relation
from discreet.queries.column import Bins, Scores

LABELS = ("a", "b", "c")
DRAWS = 4000
FALSE_ALARM = 5.0  # standard deviations: a right share is farther off once in a million


def counts(*numbers: int) -> Scores:
    """Return counts of three candidates."""
    return Scores(LABELS, np.array(numbers, np.int64))


@pytest.mark.parametrize("count", [0, 97, 99, 100, 103, 500])
@pytest.mark.parametrize("threshold", [99.5, 100.0, -3.0])
def test_the_chance_of_a_name_is_the_sum_over_all_noises(count: int, threshold: float) -> None:
    """By adding up the chances of every noisy count, in both tails to twelve digits."""
    mechanism = CountsAbove(epsilon=0.5, threshold=threshold)
    a = math.exp(-1 / mechanism.scale)
    noisy = np.arange(count - 3000, count + 3001)
    each = (1 - a) / (1 + a) * a ** np.abs(noisy - count)
    below, above = each[noisy < threshold].sum(), each[noisy >= threshold].sum()
    assert mechanism.law(counts(count, 0, 0)).parts[0].chances == pytest.approx([below, above], rel=1e-12)


def test_drawn_lists_have_the_names_of_the_law() -> None:
    """Every name as often as its chance says, in order, and an empty list where nothing is high enough."""
    mechanism, noise = CountsAbove(epsilon=0.3, threshold=10.0), SimulationNoise(5)
    law = mechanism.law(counts(8, 30, 11))
    drawn = [law.draw(noise) for _ in range(DRAWS)]
    for name, part in zip(LABELS, law.parts, strict=True):
        chance = part.chances[1]
        share = np.mean([name in names for names in drawn])
        assert abs(share - chance) < FALSE_ALARM * math.sqrt(chance * (1 - chance) / DRAWS) + 1e-9
    assert all(list(names) == sorted(names) for names in drawn)
    assert replace(mechanism, threshold=1e6).law(counts(8, 30, 11)).draw(noise) == ()


@pytest.mark.parametrize("rows", [1, 2])
def test_a_row_that_leaves_one_count_for_another_needs_twice_the_noise(rows: int) -> None:
    """A broken twin: the scale of add/remove under change-one loses up to twice epsilon, exactly."""
    pair = counts(50, 50 - rows, 0), counts(50 - rows, 50, 0)
    for relation, holds in ((Relation(size=200, rows=rows), True), (Relation(rows=rows), False)):
        mechanism = CountsAbove(epsilon=1.0, threshold=60.0, relation=relation)
        if holds:
            assert worst(mechanism, [pair]).holds
        laws = [mechanism.law(view) for view in pair]
        assert (divergence(*laws, 1.0) < 1e-12) == holds
        assert divergence(*laws, 2.0) < 1e-12


def test_the_forecast_says_how_far_a_wrong_name_may_be() -> None:
    """Three counts at that distance are all told right 19 times in 20, and not much more often."""
    mechanism = CountsAbove(epsilon=1.0, threshold=50.0, bins=Bins((0.0, 1.0, 2.0, 3.0)))
    note = mechanism.forecast(Public()).note
    assert "more than 4 rows" in str(note)
    at = [mechanism.law(counts(55, 45, 45)), mechanism.law(counts(52, 48, 48))]
    right = [law.parts[0].chances[1] * law.parts[1].chances[0] * law.parts[2].chances[0] for law in at]
    assert right[0] > 0.95 > right[1]
