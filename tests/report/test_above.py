"""Comparison of two released numbers: the interval for their difference holds, and is no wider than it has to be."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import special

from discreet.budget import Cost, ParameterError, SessionLedger
from discreet.curator import Curator, Release, Request
from discreet.curator.plan import FixedPlan
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.laplace import Geometric, GlobalLaplace, whole_width
from discreet.queries.bounds import FloatArray
from discreet.queries.count import Count
from discreet.queries.median import Median
from discreet.queries.sum import Sum
from discreet.report.intervals import Value, apart, independent, reach, values
from discreet.rows import Category, Dataset, Filter, LocalSource, Number, Schema

SIDE = 0.025  # the probability of missing on each side
TOWNS = ("a", "b", "c")
SCHEMA = Schema({"age": Number(0, 100, integer=True, unit="years"), "town": Category(TOWNS)})
ROWS = "age,town\n" + "".join(f"{(i * 37) % 90},{'aabc'[i % 4]}\n" for i in range(800))
SCALES = ((1.0, 1.0), (2.0, 1.0), (5.0, 0.7), (3.0, 3.0))


def curator() -> Curator:
    """Return who answers."""
    return Curator(Dataset(LocalSource(ROWS.encode()), SCHEMA), SessionLedger(Cost.of(20, "1e-2")), tick=0)


def asked(mechanism: Any, column: str = "age", **more: Any) -> Request:
    """Return a query."""
    return Request(mechanism, (column,), **more)


# The law, by brute force: every pair of two-sided geometric draws, moved to a range or not.


def geometric(scale: float, most: int) -> tuple[FloatArray, FloatArray]:
    """Return whole numbers and their exact probabilities."""
    z = np.arange(-most, most + 1)
    weights = np.exp(-np.abs(z) / scale)
    return z.astype(float), weights / weights.sum()


def missed(width: float, scales: tuple[float, float], truths: tuple[int, int], low: float, high: float) -> float:
    """Return the larger probability, of both sides, that the error of the clipped difference exceeds a width."""
    (x, p), (y, q) = (geometric(scale, round(40 * scale)) for scale in scales)
    errors = np.subtract.outer(np.clip(truths[0] + x, low, high), np.clip(truths[1] + y, low, high))
    errors -= truths[0] - truths[1]
    masses = np.multiply.outer(p, q)
    return max(float(masses[errors > width].sum()), float(masses[errors < -width].sum()))


def widths(scale: float) -> Any:
    """Return half the width of the interval of geometric noise, by confidence."""
    return lambda confidence: whole_width(scale, confidence)


@pytest.mark.parametrize("scales", SCALES)
def test_the_difference_is_missed_no_more_often_than_it_says(scales: tuple[float, float]) -> None:
    """For all true values near the end of a range, and without a range, by exact convolution."""
    width = reach(widths(scales[0]), widths(scales[1]), SIDE)
    for truths in product((0, 1, 3, 40), repeat=2):
        for low, high in ((0, math.inf), (0, 40), (-math.inf, math.inf)):
            assert missed(width, scales, truths, low, high) <= SIDE


def test_a_width_of_one_interval_alone_is_caught() -> None:
    """The broken twin: the wider of both intervals, or their widths by Pythagoras at 90 %, would miss too often."""
    one, other = (whole_width(3.0, 0.95) for _ in range(2))
    for width in (max(one, other), math.hypot(*(whole_width(3.0, 0.9) for _ in range(2)))):
        assert missed(width, (3.0, 3.0), (40, 40), -math.inf, math.inf) > SIDE


def test_it_is_hardly_wider_than_the_exact_law_and_far_narrower_than_the_bound_for_any_dependence() -> None:
    """Laplace noise of one scale: the quantile of the exact sum is 4.11 scales, that of two intervals 7.38."""

    def laplace(confidence: float) -> float:
        return -math.log(1 - confidence)

    def tail(w: float) -> float:
        return (2 + w) / 4 * math.exp(-w)

    exact = next(w for w in np.arange(3, 6, 1e-3) if tail(float(w)) <= SIDE)
    width = reach(laplace, laplace, SIDE)
    assert exact < width < 1.07 * exact and width < 0.6 * 2 * laplace(0.975)


def test_a_normal_sum_is_covered() -> None:
    """Two normal noises have a normal sum, whose quantile is known."""

    def normal(sigma: float) -> Any:
        return lambda confidence: sigma * float(special.ndtri((1 + confidence) / 2))

    exact = math.hypot(1, 2) * float(special.ndtri(1 - SIDE))
    assert exact < reach(normal(1), normal(2), SIDE) < 1.1 * exact


# Any dependence: a coupling of two noises in which two intervals at 95 % would miss a difference in 10 %.


def coupled(confidence: float) -> float:
    """Return how often a difference is missed if a noise is large only where the other is at the end of its interval.

    A uniform U decides both: in the last share (1 - c) of it the first error is just beyond its interval and the second
    is at the opposite end of its own; in the share before, the other way round.
    """
    miss = 1 - confidence
    cells = 2000
    tiny = 1e-6
    first, second = np.zeros(cells), np.zeros(cells)
    share = round(miss * cells)
    first[:share], second[:share] = 1 + tiny, -1
    first[share : 2 * share], second[share : 2 * share] = 1, -1 - tiny
    assert (np.abs(first) > 1).mean() <= miss + 1e-9 and (np.abs(second) > 1).mean() <= miss + 1e-9
    return float((np.abs(first - second) > 2).mean())


def test_two_intervals_at_95_percent_do_not_make_one_for_the_difference() -> None:
    """At 97.5 % they do, whatever the dependence; the broken twin at 95 % misses twice as often as it says."""
    assert coupled(0.975) <= 0.05 < coupled(0.95)


# Of releases: which bound is used, and what is refused.


def pair(first: Request, other: Request, at_once: bool = True) -> tuple[Value, Value]:
    """Return the first numbers of two queries, of one plan or one after the other."""
    desk = curator()
    released = desk.run(FixedPlan((first, other))).releases if at_once else tuple(map(desk.ask, (first, other)))
    return values(released[0], SCHEMA)[0], values(released[1], SCHEMA)[0]


def test_numbers_drawn_at_once_with_known_noise_have_the_narrow_interval() -> None:
    """Groups and counts of one result, and rows of one plan."""
    counts = values(curator().ask(asked(CountsGeometric(epsilon=0.5), "town")), SCHEMA)
    for first, other in ((counts[0], counts[1]), pair(asked(Geometric(Count(), 0.5)), asked(Geometric(Count(), 0.1)))):
        assert independent(first, other)
        low, high = apart(first, other)
        scales = (1 / value.release.request.mechanism.epsilon for value in (first, other))
        width = reach(*map(widths, scales), SIDE)
        middle = first.datum.answer - other.datum.answer
        assert (low, high) == pytest.approx((middle - width, middle + width))
        own, others = first.interval(0.975), other.interval(0.975)
        assert own is not None and others is not None
        assert high - low < own[1] - own[0] + others[1] - others[0]


@pytest.mark.parametrize("late", [False, True], ids=["other noise", "one after the other"])
def test_others_have_the_interval_that_holds_for_any_dependence(late: bool) -> None:
    """A later query may be chosen by the earlier result; a mean of two counts has no symmetric noise."""
    mechanism: Any = Geometric(Count(), 0.5) if late else TwoCounts(epsilon=0.5)
    first, other = pair(asked(mechanism), asked(mechanism, where=(Filter("town", "=", "a"),)), at_once=not late)
    assert not independent(first, other)
    own, others = first.interval(0.975), other.interval(0.975)
    assert own is not None and others is not None
    assert apart(first, other) == (own[0] - others[1], own[1] - others[0])
    narrow = first.datum.interval, other.datum.interval
    assert narrow[0] is not None and narrow[1] is not None
    assert own[1] - own[0] > narrow[0][1] - narrow[0][0]


def test_an_improved_result_is_never_taken_as_independent() -> None:
    """It shares noise with the one before."""
    first, other = pair(asked(Geometric(Count(), 0.5)), asked(Geometric(Count(), 0.1)))
    assert not independent(first, replace(other, release=replace(other.release, refines="earlier")))


def test_two_wrong_plans_with_one_entry_are_not_of_one_charge() -> None:
    """Entries of two ledgers have the same numbers."""
    first, other = (values(curator().ask(asked(Geometric(Count(), each))), SCHEMA)[0] for each in (0.5, 0.1))
    assert first.release.entry == other.release.entry and not independent(first, other)


def test_what_cannot_be_compared_is_refused_in_a_sentence() -> None:
    """The same value, other units, no interval."""
    count, total = pair(asked(Geometric(Count(), 0.5)), asked(GlobalLaplace(Sum(), 0.5)))
    with pytest.raises(ParameterError, match="two different"):
        apart(count, count)
    with pytest.raises(ParameterError, match="different units"):
        apart(count, total)
    bare = replace(count.release, id="b", interval=None)
    with pytest.raises(ParameterError, match="with an interval"):
        apart(count, replace(count, release=bare, datum=replace(count.datum, interval=None)))


def test_the_difference_stays_within_what_is_possible() -> None:
    """Both are within bounds, so their difference is within the width of these."""
    query = asked(GlobalLaplace(Median(), 8.0))
    made = [Release(f"plan:{at}", query, float(at), query.cost(), 0, (at - 5.0, at + 5.0)) for at in (95, 5)]
    first, other = (values(each, SCHEMA)[0] for each in made)
    assert independent(first, other)
    assert apart(first, other)[1] == 100 and apart(other, first)[0] == -100


def test_no_value_without_a_plain_number_is_offered() -> None:
    """A refusal has none."""
    refused = Release("r", asked(Geometric(Count(), 0.5)), None, Cost.zero(), 0)
    assert values(refused, SCHEMA) == []
