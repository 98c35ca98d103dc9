"""Bounds and ticks: exact on the grid, total for any number, and refused with a sentence."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.soak import times

from discreet.budget.errors import ParameterError
from discreet.queries import Bounds, Column
from discreet.queries.mean import Mean
from discreet.queries.sum import Sum

QUIET = settings(max_examples=times(100, 1000))
HUGE = 2**62 - 1


@QUIET
@given(st.integers(-50, 50), st.integers(1, 60), st.integers(1, 7), st.integers(-200, 200))
def test_integer_ticks_are_floors(lower: int, width: int, step: int, value: int) -> None:
    """An integer's tick is floor((clipped - lower) / step), from integers and floats alike."""
    if width < step:
        return
    bounds = Bounds(lower, lower + width, step=step, integer=True)
    expected = (min(max(value, lower), lower + width) - lower) // step
    assert bounds.ticks(np.array([value])).tolist() == [expected]
    assert bounds.ticks(np.array([float(value)])).tolist() == [expected]
    assert bounds.value(expected) == lower + step * expected


@QUIET
@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.floats(allow_nan=False))
def test_real_ticks_are_on_the_grid_and_near(lower: float, width: float, value: float) -> None:
    """Any number but NaN has a tick from 0 to top, whose value is within a step of it."""
    bounds = Bounds(lower, lower + width)
    (tick,) = bounds.ticks(np.array([value])).tolist()
    assert 0 <= tick <= bounds.top
    clipped = min(max(value, bounds.lower), bounds.upper)
    rounding = 4 * np.spacing(max(abs(bounds.lower), abs(bounds.upper)))
    assert abs(bounds.value(tick) - clipped) <= bounds.resolution / 2 + rounding


def test_fractions_in_an_integer_column_are_cut() -> None:
    """A fraction in a column declared whole belongs to the whole number below it."""
    bounds = Bounds(-3, 3, integer=True)
    assert bounds.ticks(np.array([-2.5, -0.1, 0.9, 1.5, 2.99])).tolist() == [0, 2, 3, 4, 5]


def test_default_step() -> None:
    """Whole numbers have step 1, others 2^20 steps from lower to upper."""
    assert Bounds(0, 100, integer=True).top == 100
    assert Bounds(0, 100).top == 2**20
    assert Bounds(0, 1, step=0.1).top == 10
    assert Bounds(-1, 1, step=0.3).top == 6


def test_infinities_and_extremes_clip() -> None:
    """Infinite and enormous values land on the bounds, in every number type."""
    for bounds in (Bounds(-5, 5), Bounds(-5, 5, integer=True)):
        ends = [0, bounds.top]
        assert bounds.ticks(np.array([-np.inf, np.inf])).tolist() == ends
        assert bounds.ticks(np.array([-1e308, 1e308])).tolist() == ends
        assert bounds.ticks(np.array([-(2**63), 2**63 - 1])).tolist() == ends
        assert bounds.ticks(np.array([0, 2**64 - 1], dtype=np.uint64))[1] == bounds.top


def test_widest_integer_bounds_do_not_overflow() -> None:
    """The widest integer range keeps its order and its ends."""
    bounds = Bounds(-HUGE, HUGE, step=2**32, integer=True)
    ticks = bounds.ticks(np.array([-HUGE, -1, 0, HUGE])).tolist()
    assert ticks == [(x + HUGE) // 2**32 for x in (-HUGE, -1, 0, HUGE)]
    assert ticks[-1] == bounds.top
    assert np.all(np.diff(bounds.value(np.array([0, bounds.top]))) > 0)


def test_integer_bounds_are_exact_beyond_doubles() -> None:
    """Identifiers above 2^53 keep their last digit."""
    base = 2**53
    bounds = Bounds(base, base + 10, integer=True)
    assert bounds.ticks(np.array([base + 1, base + 2])).tolist() == [1, 2]
    assert bounds.value(1) == base + 1


def test_distance_is_a_float_array() -> None:
    """Distances in the column's unit are never integers, whatever the step is."""
    distances = Bounds(0, 9, integer=True).distance(np.array([1, 2]))
    assert distances.dtype == np.float64


def test_width_is_what_two_values_can_differ_by() -> None:
    """The width is the distance of the first and the last value."""
    for bounds in (Bounds(0, 9, integer=True), Bounds(-1, 1, step=0.3), Bounds(2.0, 7.5)):
        exact = Fraction(bounds.resolution) * bounds.top
        assert bounds.width == pytest.approx(float(exact))
        assert bounds.value(bounds.top) - bounds.value(0) == pytest.approx(bounds.width)


@pytest.mark.parametrize(
    "given_bounds",
    [
        {"lower": 1, "upper": 1},
        {"lower": 2, "upper": 1},
        {"lower": math.nan, "upper": 1},
        {"lower": 0, "upper": math.inf},
        {"lower": -1e308, "upper": 1e308},
        {"lower": 0, "upper": 1e251},
        {"lower": 0, "upper": 1e-251},
        {"lower": "0", "upper": 1},
        {"lower": True, "upper": 2},
        {"lower": 0.5, "upper": 2, "integer": True},
        {"lower": -(2**62), "upper": 2**61, "step": 2**33, "integer": True},
        {"lower": 0, "upper": 1, "step": 0},
        {"lower": 0, "upper": 1, "step": -1},
        {"lower": 0, "upper": 1, "step": math.nan},
        {"lower": 0, "upper": 1, "step": 1e-12},
        {"lower": 0, "upper": 1, "step": 5},
        {"lower": 0, "upper": 9, "step": 0.5, "integer": True},
    ],
)
def test_impossible_bounds_are_refused(given_bounds: dict[str, object]) -> None:
    """Bounds that make no grid are refused with a sentence, before any row is read."""
    with pytest.raises(ParameterError, match=r"\.$"):
        Bounds(**given_bounds)  # type: ignore[arg-type]


@QUIET
@given(st.integers(-(10**6), 10**6), st.integers(1, 10**6), st.integers(0, 20))
def test_a_tick_is_the_nearest_point_of_the_grid(lower: int, width: int, halvings: int) -> None:
    """Lower and upper are points themselves: a long column of zeros on [0, 100] sums to zero."""
    bounds = Bounds(lower, lower + width, step=width / 2**halvings)
    values = np.linspace(lower, lower + width, 101)
    ticks = bounds.ticks(values)
    rounding = 4 * np.spacing(float(abs(lower) + width))
    assert np.all(np.abs(bounds.value(ticks) - values) <= bounds.resolution / 2 + rounding)
    assert ticks[0] == 0 and bounds.value(0) == lower and ticks[-1] == bounds.top
    zeros = Column.from_values(Bounds(0, 100), np.zeros(10**6))
    assert Sum().value(zeros) == 0.0 and Mean().value(zeros) == 0.0
