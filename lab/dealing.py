"""Dealing: into how many blocks rows are dealt, by the error that each number has on public ground."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.in_blocks import InBlocks
from discreet.mechanisms.sample_aggregate import SampleAggregate
from discreet.queries import Column
from discreet.queries.blocks import Blocks
from discreet.queries.estimators import registry as estimators

FEWEST_ROWS = 4  # of a block: fewer say nothing of most estimators
MOST_ROWS, MOST_TRIED = 50_000, 2048  # rows and blocks that are looked at; more of them change the best number little
SPLITS, PLACES = 2, 64


def numbers_of_blocks(rows: int) -> list[int]:
    """Return the numbers of blocks that are tried: each twice the one before."""
    most = min(max(1, rows // FEWEST_ROWS), MOST_TRIED)
    return [2**step for step in range(most.bit_length()) if 2**step < most] + [most]


def dealt(mechanism: SampleAggregate, column: Column) -> SampleAggregate:
    """Return an aggregator with the number of blocks of the smallest 95% error on public rows.

    It spends nothing: only public rows decide. Data unlike them cost accuracy, never privacy.
    """
    if mechanism.view.columns != 1 or not column.n:
        return mechanism
    return _dealt(replace(mechanism, k=1), _thinned(column, min(column.n, MOST_ROWS)))


@lru_cache(maxsize=64)
def _dealt(mechanism: SampleAggregate, column: Column) -> SampleAggregate:
    tried = [replace(mechanism, k=k) for k in numbers_of_blocks(column.n)]
    return min(tried, key=lambda each: error(each, column))


def error(mechanism: SampleAggregate, column: Column) -> float:
    """Return the error that 19 answers in 20 keep to on public rows: of the noise and of small blocks together."""
    some = _thinned(column, min(column.n, MOST_ROWS))
    truth = estimators[mechanism.estimator](some.values())
    places = (np.arange(PLACES) + 0.5) / PLACES
    errors = [np.abs(mechanism.law(blocks).quantile(places) - truth) for blocks in _splits(mechanism.view, some)]
    return float(np.quantile(np.concatenate(errors), 0.95))


@lru_cache(maxsize=8)
def _thinned(column: Column, rows: int) -> Column:
    if rows == column.n:
        return column
    return Column.from_ticks(column.bounds, column.order(np.linspace(1, column.n, rows).astype(np.int64)))


@lru_cache(maxsize=64)
def _splits(view: InBlocks, column: Column) -> tuple[Blocks, ...]:
    """Return the estimates of several ways to deal, the same for every aggregator."""
    noise = SimulationNoise(view.k)
    values = column.values()[None, :]
    return tuple(view.split(values, noise) for _ in range(SPLITS))
