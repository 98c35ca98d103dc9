"""Into how many blocks rows are dealt: by the error on public people."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from discreet.lab.contest import MOST_TRIED, Scenario, dealt, error, numbers_of_blocks
from discreet.mechanisms.block_count import propose_k
from discreet.mechanisms.sample_aggregate import BlocksMean, BlocksMedian, BlocksSmoothMedian, SampleAggregate
from discreet.queries import Bounds, Column

AGES = Bounds(0, 100, integer=True)
KINDS: list[type[SampleAggregate]] = [BlocksMean, BlocksMedian, BlocksSmoothMedian]


def asked(kind: type[SampleAggregate], epsilon: float = 0.5, estimator: str = "median") -> SampleAggregate:
    """Return an aggregator of ages in one block."""
    return kind(estimator=estimator, k=1, lower=0.0, upper=100.0, epsilon=epsilon)


def test_the_numbers_that_are_tried_double_up_to_a_quarter_of_the_rows() -> None:
    """Four rows a block at least, and no more blocks than are quickly estimated from."""
    assert numbers_of_blocks(100) == [1, 2, 4, 8, 16, 25]
    assert numbers_of_blocks(1) == [1] and numbers_of_blocks(10**6)[-1] == MOST_TRIED


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("people", [1, 50, 3000])
def test_no_other_number_that_is_tried_has_a_smaller_error(kind: type[SampleAggregate], people: int) -> None:
    """And it is the same every time: nothing but public things decides."""
    column = Scenario(AGES, people, "skewed").column
    best = dealt(asked(kind), column)
    errors = [error(replace(best, k=k), column) for k in numbers_of_blocks(people)]
    assert error(best, column) == min(errors) and best == replace(asked(kind), k=best.k)
    assert dealt(asked(kind), Column.from_ticks(AGES, column.order(np.arange(1, people + 1)))) == best


def test_few_people_have_less_than_half_of_the_error_of_the_rule_of_thumb() -> None:
    """A noisy mean of 66 blocks was proposed for 2,000 people at epsilon 0.1."""
    column, rule = Scenario(AGES, 2000, "skewed").column, propose_k(0.1, 2000)
    before = replace(asked(BlocksMean, 0.1), k=rule.k)
    assert rule.slug == BlocksMean.slug
    assert 2 * error(dealt(asked(BlocksMedian, 0.1), column), column) < error(before, column)


def test_without_rows_or_with_two_columns_a_mechanism_stays_as_it_is() -> None:
    """There is nothing public to look at."""
    empty = Column.from_ticks(AGES, np.array([], np.int64))
    assert dealt(asked(BlocksMean), empty) == asked(BlocksMean)
    two = asked(BlocksMean, estimator="correlation")
    assert dealt(two, Scenario(AGES, 100).column) == two
