"""Explain: what a mechanism does inside, in numbers for figures. On open data and scenarios only.

Every function takes a column (or counts) that is public; the pages get them from `open_column` or a scenario, which
refuse protected data.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from statistics import NormalDist
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
from discreet.mechanisms.base.distance_test import PureTest, Threshold, best_chances, distance
from discreet.mechanisms.laws.law import Law
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.sample_aggregate import SampleAggregate
from discreet.mechanisms.selection import Selection
from discreet.mechanisms.smooth import SmoothCoreTail, smooth_bound
from discreet.queries import Column, Query
from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.column import Bins, Scores
from discreet.rows.columns import Quantity
from discreet.rows.dataset import OpenData, refuse_protected
from discreet.rows.persons import DrawnLots

POINTS = 120


@dataclass(frozen=True)
class Ladder:
    """A(k) at some k, and where a proposed bound intersects it."""

    k: IntArray
    rungs: FloatArray
    sensitivity: float


def spaced(most: int, points: int = POINTS) -> IntArray:
    """Return integers from 0 to `most`, all of them or evenly spaced."""
    return np.unique(np.linspace(0, max(most, 1), points).astype(np.int64))


def ladder(query: Query, column: Column, most: int) -> Ladder:
    """Return the ladder of a statistic on public data."""
    k = spaced(most)
    return Ladder(k, query.ladder(column, k), query.global_sensitivity(column.bounds))


@dataclass(frozen=True)
class Proposed:
    """A proposal on public data: its distance, threshold, and probabilities of passing by distance."""

    distance: int
    threshold: float
    chance: float
    distances: IntArray
    chances: FloatArray
    ladder: Ladder


def proposed(mechanism: ProposeTestRelease, column: Column) -> Proposed:
    """Return the parts of propose-test-release on public data."""
    test = Threshold(mechanism.epsilon_test, mechanism.delta)
    refuted = distance(mechanism.query, column, mechanism.b, test.cap)
    reach = max(2 * mechanism.needed(), 4)
    away = spaced(reach)
    if mechanism.test == "pure":
        chances = np.array([PureTest(int(d), test).chance for d in away])
    else:
        table = best_chances(mechanism.epsilon, mechanism.epsilon_answer, mechanism.delta)
        chances = np.array([table[min(int(d), len(table) - 1)] for d in away])
    chance = float(mechanism.tested(column).chance)
    most = min(max(int(1.5 * refuted), reach), 4 * max(column.n, reach))
    return Proposed(refuted, float(test.least), chance, away, chances, ladder(mechanism.query, column, most))


@dataclass(frozen=True)
class Smoothed:
    """The ladder A(k), the weights exp(-beta k), their product, its maximum S, and where it is reached."""

    k: IntArray
    rungs: FloatArray
    tent: FloatArray
    bound: float
    peak: int

    @property
    def weighted(self) -> FloatArray:
        """The product of ladder and weights."""
        return self.tent * self.rungs

    @property
    def floored(self) -> bool:
        """Whether S is the least value that a smooth bound has, above every product."""
        return bool(self.weighted.max() < 0.999 * self.bound)


def smoothed(query: Query, column: Column, beta: float, most: int) -> Smoothed:
    """Return the smooth bound against k on public data."""
    rungs = ladder(query, column, most)
    tent = np.exp(-beta * rungs.k)
    peak = int(rungs.k[int(np.argmax(tent * rungs.rungs))])
    return Smoothed(rungs.k, rungs.rungs, tent, smooth_bound(query, column, beta), peak)


def smooth_window(mechanism: SmoothCoreTail) -> int:
    """Return how many rungs to draw: beyond them the weight is below 1/1000."""
    return min(int(np.ceil(7 / mechanism.beta)), 20_000)


@dataclass(frozen=True)
class Split:
    """Block estimates of one random split, their spread, and the noise that k blocks need."""

    estimates: FloatArray = field(repr=False)
    truth: float
    centre: float
    bias: float
    noise: float
    rows_per_block: float


def split(mechanism: SampleAggregate, truth: float, ground: Ground, seed: int) -> Split:
    """Return one random split of public data."""
    blocks = mechanism.view.split(ground.column.values()[None, :], SimulationNoise(seed))
    law = mechanism.law(blocks)
    low, middle, high = (float(law.quantile(p)) for p in (0.025, 0.5, 0.975))
    return Split(
        blocks.estimates,
        truth,
        middle,
        float(np.mean(blocks.estimates)) - truth,
        (high - low) / 2,
        ground.column.n / mechanism.k,
    )


@dataclass(frozen=True)
class Chances:
    """Exact probabilities of candidates, and their counts."""

    labels: tuple[str, ...]
    counts: IntArray
    probabilities: FloatArray


def chances(mechanism: Selection, scores: Scores) -> Chances:
    """Return the exact probabilities of all candidates of public counts."""
    counts = -scores.counts if mechanism.least else scores.counts
    return Chances(scores.labels, scores.counts, mechanism.chances(counts))


@dataclass(frozen=True)
class Clipping:
    """Bias and noise of a sum as the upper bound moves."""

    bounds: FloatArray
    bias: FloatArray
    noise: FloatArray


def clipping(column: Column, epsilon: float, points: int = 24) -> Clipping:
    """Return what clipping removes from a sum and what its noise adds, for a range of bounds.

    The noise is the 95 % half width of Laplace noise scaled to the bound.
    """
    values = column.values()
    top = float(column.bounds.value(column.bounds.top))
    uppers = np.geomspace(max(top / 1000, float(column.bounds.resolution)), top, points)
    lost = np.array([float(np.maximum(values - u, 0).sum()) for u in uppers])
    return Clipping(uppers, lost, uppers / epsilon * np.log(20))


# --- Preview: rows, counts and true values of open data. Protected data raise ParameterError. ---

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


SIMULATED, SIMULATED_BINS = 1000, 20


def simulated(declared: Quantity) -> tuple[list[int], list[float]]:
    """Return counts in bins, and the middles of these, of simulated values under declared bounds; no row is read.

    The values are quantiles of a normal distribution around the middle, of which one in twenty is outside the bounds.
    """
    bounds = declared.bounds
    low, high = float(bounds.lower), float(bounds.upper)
    normal = NormalDist((low + high) / 2, (high - low) / 4)
    values = [normal.inv_cdf((at + 0.5) / SIMULATED) for at in range(SIMULATED)]
    counts, edges = np.histogram(np.clip(values, low, high), SIMULATED_BINS, (low, high))
    return counts.tolist(), ((edges[:-1] + edges[1:]) / 2).tolist()


def _named(dataset: OpenData, name: str) -> Scores:
    lots = DrawnLots(SimulationNoise(LOOK_SEED))
    scores = dataset.opened(("scores", name), lambda: dataset.scores(name, (), lots))
    if not scores.n:
        raise NoRows
    return scores


def binned(stand: Ground, bins: int = 30) -> Scores:
    """Return the counts of public numbers in equal bins."""
    bounds = stand.bounds
    edges = np.linspace(bounds.lower, bounds.upper, min(bins, bounds.top + 1) + 1)
    return Bins(tuple(map(float, edges))).scores(stand.column)


def ground(dataset: OpenData, name: str) -> Ground:
    """Return one number column of open data as a ground."""
    return Ground(name, open_column(dataset, name))


@lru_cache(maxsize=8)
def census_ground(name: str) -> Ground:
    """Return one number column of the open census as a ground, read once."""
    return ground(census(), name)


def views(dataset: OpenData, request: Request) -> Views:
    """Return the views that laws are computed from, by group: figures show their true values.

    They are read once, with fixed lots, whatever the privacy parameters are.
    """
    refuse_protected(dataset)
    request.check(dataset.schema)
    lots = dataset.lots(SimulationNoise(LOOK_SEED))
    return dataset.opened(_seen(request), lambda: read(dataset, request, lots))


def _seen(request: Request) -> tuple[Any, ...]:
    """Return the parts of a query that determine how rows are read, and nothing else of it."""
    return request.columns, request.groups, request.where, request.public_rows, request.mechanism.view


def laws(dataset: OpenData, request: Request) -> dict[str, Law]:
    """Return the law of a query on open data, for every group (one without a name if there are none)."""
    return {level: request.mechanism.law(view) for level, view in views(dataset, request)}


def nobody(dataset: OpenData, request: Request) -> bool:
    """Return whether a query on open data is about no rows: then it has no true value."""
    refuse_protected(dataset)

    def rows(name: str) -> int:
        lots = dataset.lots(SimulationNoise(LOOK_SEED))
        of = dataset.column if name in dataset.schema.numbers else dataset.scores
        return int(of(name, request.where, lots).n)

    return dataset.opened(("nobody", request.columns, request.where), lambda: not all(map(rows, request.columns)))


def truth(dataset: OpenData, request: Request, view: Any) -> float | None:
    """Return the exact value that a query on open data asks for; None if it is not a number, or there are no rows.

    `view` is what its law is computed from; for a mechanism on parts of the rows, all rows are read again.
    """
    if nobody(dataset, request):
        return None
    whole = request.mechanism.whole()
    if whole is not request.mechanism:
        ((_, view),) = views(dataset, replace(request, mechanism=whole))
    return whole.view.truth(view)
