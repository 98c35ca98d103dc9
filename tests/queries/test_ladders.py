"""Ladders: what a column remembers of its ladders is no part of its value, and no more than there is room for."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np

from discreet.mechanisms.smooth import smooth_bound
from discreet.queries import Bounds, Column
from discreet.queries.column import MOST, MOST_BOUNDS, Ladders
from discreet.queries.median import Median
from discreet.queries.quantile import Quantile

NINE = Bounds(0, 9, integer=True)
ROWS = (1, 2, 2, 5, 9)


def test_a_ladder_is_the_same_one_whenever_it_is_asked_for() -> None:
    """Equal statistics share it, others do not."""
    ladders = Ladders()
    assert ladders.of(Median()) is ladders.of(Median())
    assert ladders.of(Median()) is not ladders.of(Quantile(q=0.25))


def test_of_many_statistics_the_older_ones_are_forgotten() -> None:
    """What anybody may ask for without end must not grow without end."""
    ladders, many = Ladders(), [Quantile(q=0.01 * at) for at in range(1, 3 * MOST)]
    for query in many:
        ladders.of(query).bounds[1.0] = 1.0
        assert len(ladders.climbed) <= MOST
    assert ladders.of(many[-1]).bounds and not ladders.of(many[0]).bounds


def test_of_many_bounds_the_older_ones_are_forgotten() -> None:
    """And computed again to the last bit."""
    column, betas = Column.from_values(NINE, ROWS), np.linspace(0.5, 4, 3 * MOST_BOUNDS)
    first = [smooth_bound(Median(), column, beta) for beta in betas]
    assert len(column.ladders.of(Median()).bounds) <= MOST_BOUNDS
    assert [smooth_bound(Median(), column, beta) for beta in betas] == first


def test_a_column_is_its_bounds_and_counts_alone() -> None:
    """A copy begins with no ladder climbed, and whatever was computed can be computed again from it."""
    column = Column.from_values(NINE, ROWS)
    smooth_bound(Median(), column, 1.0)
    copy = replace(column)
    assert [field.name for field in fields(Column) if field.init] == ["bounds", "levels", "counts"]
    assert column.ladders.climbed and not copy.ladders.climbed
    assert np.array_equal(copy.ends, column.ends) and np.array_equal(copy.sums, column.sums)
