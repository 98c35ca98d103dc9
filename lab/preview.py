"""Preview: rows, counts and truths of open data. Protected data are refused."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.curator.noise import SimulationNoise
from discreet.curator.release import Curator
from discreet.curator.request import Request
from discreet.lab.contest import Ground
from discreet.lab.experiment import open_column
from discreet.lab.samples import census
from discreet.mechanisms.laws import Law
from discreet.queries.scores import Bins, Scores
from discreet.rows.dataset import Dataset
from discreet.rows.lots import DrawnLots
from discreet.rows.schema import Number

LOOK_SEED = 0


def _open(dataset: Dataset) -> None:
    if dataset.protected:
        raise ParameterError("Protected data are never shown. Choose a sample or open data.")


def rows(dataset: Dataset, most: int = 100) -> pa.Table:
    """Return the first rows of open data."""
    _open(dataset)
    return dataset.head(most)


def counts(dataset: Dataset, name: str, bins: int = 30) -> Scores:
    """Return the counts of one declared column of open data, numbers in equal bins."""
    _open(dataset)
    declared = dataset.schema.columns[name]
    if not isinstance(declared, Number):
        return dataset.opened(("scores", name), lambda: dataset.scores(name, (), DrawnLots(SimulationNoise(LOOK_SEED))))
    return binned(ground(dataset, name), bins)


def binned(stand: Ground, bins: int = 30) -> Scores:
    """Return the counts of equal bins of public numbers."""
    bounds = stand.bounds
    edges = np.linspace(bounds.lower, bounds.upper, min(bins, bounds.top + 1) + 1)
    return Bins(tuple(map(float, edges))).scores(stand.column)


def ground(dataset: Dataset, name: str) -> Ground:
    """Return one number column of open data to stand on."""
    return Ground(name, open_column(dataset, name))


@lru_cache(maxsize=8)
def census_ground(name: str) -> Ground:
    """Return one number column of the open census to stand on, read once."""
    return ground(census(), name)


def laws(curator: Curator, request: Request) -> dict[str, Law]:
    """Return the law of a question on open data, for every group (one without a name if none)."""
    return {level: request.mechanism.law(view) for level, view in curator.open_views(request)}


def truth(curator: Curator, request: Request, view: Any) -> float | None:
    """Return the exact value that a question on open data asks for; None if it is no number.

    `view` is what its law is made of; what is asked of parts of the rows is read again of all.
    """
    whole = request.mechanism.whole()
    if whole is not request.mechanism:
        ((_, view),) = curator.open_views(replace(request, mechanism=whole))
    return whole.view.truth(view)
