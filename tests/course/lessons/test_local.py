"""The numbers of lesson 6: against brute force, closed forms and the exact divergence."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.soak import times

from discreet.course.lessons.local import numbers
from discreet.course.lessons.local.guesses import GUESSES
from discreet.queries import Column
from discreet.queries import registry as statistics


@pytest.mark.parametrize("people, width", [(5, 0.0), (9, 40.0), (21, 100.0)])
@pytest.mark.parametrize("name", ["mean", "median"])
def test_local_sensitivity_is_what_one_person_can_move(people: int, width: float, name: str) -> None:
    """Every removal and every addition tried by hand."""
    query, column = statistics[name](), numbers.spread_out(people, width)
    rows = list(column.values())
    tries = [rows[:i] + rows[i + 1 :] for i in range(people)]
    tries += [[*rows, value] for value in np.arange(0, 100.5, 0.5)]
    moved = max(abs(query.value(Column.from_values(numbers.AGES, t)) - query.value(column)) for t in tries)
    assert numbers.local(query, column) == pytest.approx(moved)


def test_the_size_of_the_noise_tells_n() -> None:
    """After 1,000 answers the guess is within a tenth, for few people and for many."""
    for people in (10, 300, 10_000):
        assert numbers.recovered(people, 0.5, 1000, 1)[-1] == pytest.approx(people, rel=0.1)
    assert len(numbers.places(1000)) == len(numbers.recovered(50, 1.0, 1000, 2))


def test_n_is_known_after_as_many_results_as_the_spread_of_exponentials_needs() -> None:
    """About 1.96²·100 results take n to a tenth; 4,000 attacks with so many are right in 95% of cases.

    The share is known to 0.0034, and the middle is estimated too: within 0.015 (false alarm below 1e-4).
    """
    for people in (300, 10_000):
        m = numbers.known_after(people)
        assert m == pytest.approx(1.96**2 * 100, rel=0.05)
        drawn = np.random.default_rng(people).laplace(50, 100 / (people + 1), (4000, m))
        scale = np.abs(drawn - np.median(drawn, axis=1, keepdims=True)).mean(axis=1)
        assert np.mean(np.abs(100 / scale - 1 - people) <= people / 10) == pytest.approx(0.95, abs=0.015)
    assert GUESSES["leak"].answer == numbers.known_after(300)


def test_noise_of_local_size_fails_at_the_jump_and_only_there() -> None:
    """Five and four: delta near 1; one group much larger: the median cannot jump, delta is 0."""
    jump = numbers.jump(5, 4, 1.0)
    assert jump.sensitivities == (19.0, 0.25) and jump.delta > 0.9
    assert numbers.jump(9, 2, 1.0).delta < 1e-9
    step = jump.x[1] - jump.x[0]
    assert jump.densities[0].sum() * step == pytest.approx(1, abs=0.1)


def test_the_error_of_the_global_way_is_the_closed_form_and_blocks_need_people() -> None:
    """Laplace noise for the median: b ln 20, folded by the bounds; every way is at equal cost."""
    ways = {way.kind.slug: way for way in numbers.ways("median", 300, 1.0)}
    assert ways["laplace"].error <= 49.75 * math.log(20)
    assert ways["smooth-core-tail"].error < ways["propose-test-release"].error < 20
    many = {way.kind.slug: way for way in numbers.ways("median", 30_000, 1.0)}
    assert many["blocks-median"].error < 1 < ways["blocks-median"].error
    assert all(way.refusals < 0.05 for way in many.values())


@pytest.mark.soak
@pytest.mark.parametrize("b", [1.0, 2.0, 2.5, 5.0])
def test_the_walk_is_the_mechanism_with_the_noise_of_its_test_in_sight(b: float) -> None:
    """An answer comes exactly where the noisy distance reaches the threshold, and as often as the mechanism says."""
    many = times(100, 300)
    walks = [numbers.walk(300, b, 1.0, seed) for seed in range(1, many + 1)]
    assert all((walked.answer is not None) == (walked.noisy >= walked.threshold) for walked in walks)
    chance = walks[0].proposed.chance
    answered = sum(walked.answer is not None for walked in walks)
    assert abs(answered - many * chance) <= 5 * math.sqrt(many * chance * (1 - chance)) + 1e-6  # one in a million
    ladder, away = walks[0].ladder, walks[0].proposed.distance
    assert all((rung > b) == (k >= away) for k, rung in zip(ladder.k, ladder.rungs, strict=True))
    x, height = numbers.bell(walks[0].law)
    assert x[int(height.argmax())] == pytest.approx(walks[0].truth, abs=x[1] - x[0])


@pytest.mark.parametrize("young, old, m", [(9, 4, 3), (12, 12, 1), (12, 2, 24), (1, 1, 12), (5, 4, 6)])
def test_the_tent_shows_where_the_mechanism_takes_its_bound(young: int, old: int, m: int) -> None:
    """The highest product that is drawn is S, and neighbours differ by a factor of e^β at most."""
    smoothed = numbers.tent(young, old, m)
    best = int(smoothed.weighted.argmax())
    assert smoothed.k.tolist() == list(range(young + old + numbers.BEYOND + 1))
    assert smoothed.weighted[best] == pytest.approx(smoothed.bound) and smoothed.k[best] == smoothed.peak
    assert smoothed.tent.tolist() == pytest.approx([math.exp(-k / m) for k in smoothed.k])
    more = numbers.tent(young + 1, old, m).bound
    assert math.exp(-1 / m) - 1e-6 <= more / smoothed.bound <= math.exp(1 / m) + 1e-6


@pytest.mark.parametrize("k", [1, 10, 300])
@pytest.mark.parametrize("name", ["mean", "median"])
def test_dealt_people_are_each_in_one_block(name: str, k: int) -> None:
    """Each block has the clipped median of its people, or the middle; their mean or median is the centre."""
    low, high = 30.0, 40.0
    dealt = numbers.deal(name, k, low, high, 3)
    groups = [dealt.ages[dealt.blocks == block] for block in range(k)]
    assert sum(map(len, groups)) == numbers.DEALT
    medians = [min(high, max(low, float(np.median(group)))) if len(group) else 35.0 for group in groups]
    assert dealt.estimates.tolist() == medians
    assert dealt.centre == pytest.approx(getattr(np, name)(medians), abs=1e-4)
    assert low <= dealt.answer <= high and dealt.span[0] <= dealt.span[1]


def test_the_error_is_smallest_between_few_and_many_blocks() -> None:
    """Noise of (u - l)/k makes few blocks worse, small blocks make many worse; the best is the question's answer."""
    errors = numbers.errors_by_blocks("mean", 20.0, 80.0)
    best = numbers.best_blocks("mean", 20.0, 80.0)
    assert GUESSES["blocks"].answer == best
    assert errors[numbers.NUMBERS.index(best)] < 0.9 * min(errors[0], errors[-1])
