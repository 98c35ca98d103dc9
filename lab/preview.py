"""Preview: rows, counts and truths of open data. Protected data are refused."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa

from discreet.curator.request import Request
from discreet.curator.road import Views
from discreet.curator.road import views as read
from discreet.lab.contest import Ground
from discreet.lab.experiment import NoRows, open_column
from discreet.lab.samples import census
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.laws import Law
from discreet.queries.scores import Bins, Scores
from discreet.rows.lots import DrawnLots
from discreet.rows.open_data import OpenData, refuse_protected

LOOK_SEED = 0


def rows(dataset: OpenData, most: int = 100) -> pa.Table:
    """Return the first rows of open data."""
    refuse_protected(dataset)
    return dataset.head(most)


def counts(dataset: OpenData, name: str, bins: int = 30) -> Scores:
    """Return the counts of one declared column of open data, numbers in equal bins."""
    refuse_protected(dataset)
    if name not in dataset.schema.numbers:
        return _named(dataset, name)
    return binned(ground(dataset, name), bins)


def _named(dataset: OpenData, name: str) -> Scores:
    lots = DrawnLots(SimulationNoise(LOOK_SEED))
    scores = dataset.opened(("scores", name), lambda: dataset.scores(name, (), lots))
    if not scores.n:
        raise NoRows
    return scores


def binned(stand: Ground, bins: int = 30) -> Scores:
    """Return the counts of equal bins of public numbers."""
    bounds = stand.bounds
    edges = np.linspace(bounds.lower, bounds.upper, min(bins, bounds.top + 1) + 1)
    return Bins(tuple(map(float, edges))).scores(stand.column)


def ground(dataset: OpenData, name: str) -> Ground:
    """Return one number column of open data to stand on."""
    return Ground(name, open_column(dataset, name))


@lru_cache(maxsize=8)
def census_ground(name: str) -> Ground:
    """Return one number column of the open census to stand on, read once."""
    return ground(census(), name)


def views(dataset: OpenData, request: Request) -> Views:
    """Return what a law is made of, by group: figures show its truth.

    They are made once, with the same lots every time, whatever the privacy parameters are.
    """
    refuse_protected(dataset)
    request.check(dataset.schema)
    lots = dataset.lots(SimulationNoise(LOOK_SEED))
    return dataset.opened(_seen(request), lambda: read(dataset, request, lots))


def _seen(request: Request) -> tuple[Any, ...]:
    """Return what decides how rows are read for a question, and nothing else of it."""
    return request.columns, request.groups, request.where, request.public_rows, request.mechanism.view


def laws(dataset: OpenData, request: Request) -> dict[str, Law]:
    """Return the law of a question on open data, for every group (one without a name if none)."""
    return {level: request.mechanism.law(view) for level, view in views(dataset, request)}


def nobody(dataset: OpenData, request: Request) -> bool:
    """Say whether a question on open data is about no row: then there is no truth of it."""
    refuse_protected(dataset)

    def rows(name: str) -> int:
        lots = dataset.lots(SimulationNoise(LOOK_SEED))
        of = dataset.column if name in dataset.schema.numbers else dataset.scores
        return int(of(name, request.where, lots).n)

    return dataset.opened(("nobody", request.columns, request.where), lambda: not all(map(rows, request.columns)))


def truth(dataset: OpenData, request: Request, view: Any) -> float | None:
    """Return the exact value that a question on open data asks for; None if it is no number, or of nobody.

    `view` is what its law is made of; what is asked of parts of the rows is read again of all.
    """
    if nobody(dataset, request):
        return None
    whole = request.mechanism.whole()
    if whole is not request.mechanism:
        ((_, view),) = views(dataset, replace(request, mechanism=whole))
    return whole.view.truth(view)
