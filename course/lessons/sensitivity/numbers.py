"""Numbers of lesson 4: distance of datasets, sensitivity of statistics, clipping, bounds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import optimize, stats

from discreet.course.lessons.differencing.numbers import law as counted
from discreet.lab import explain
from discreet.lab.contest import Scenario
from discreet.lab.explain import Clipping, census_ground, ground
from discreet.lab.samples import census, earnings
from discreet.mechanisms import registry
from discreet.mechanisms.histogram_bounds import HistogramBounds, Span
from discreet.mechanisms.laws.law import Picked
from discreet.mechanisms.private_bounds import PrivateUpperBound
from discreet.queries import ADD_REMOVE, Bounds, Column, Relation
from discreet.queries import registry as statistics
from discreet.queries.bounds import FloatArray, IntArray

# Functions: how far x, n x and x² move when x moves by 1.

TOP = 100  # the declared bound of x
SURE = 0.95
FUNCTIONS: dict[str, Callable[[FloatArray, int], FloatArray]] = {
    "x": lambda x, n: x,
    "nx": lambda x, n: n * x,
    "square": lambda x, n: x**2,
}


def value(name: str, x: float, n: int) -> float:
    """Return f(x)."""
    return float(FUNCTIONS[name](np.asarray(x, dtype=np.float64), n))


def moved_by_one(name: str, x: float, n: int) -> float:
    """Return how far f moves from x to x + 1."""
    return value(name, x + 1, n) - value(name, x, n)


def most(name: str, n: int, top: int = TOP) -> float:
    """Return the sensitivity: the furthest move of all between 0 and the bound."""
    return max(moved_by_one(name, x, n) for x in range(top))


def unbounded(name: str, n: int) -> bool:
    """Whether a wider bound gives a larger sensitivity, so that there is none without a bound."""
    return most(name, n, 2 * TOP) > most(name, n)


# Sensitivity: distance of datasets, how far one person moves a statistic, and the cost of bounds.

STEP = 5
AGES = Bounds(20, 75, step=STEP, integer=True)
FIRST = (25, 30, 30, 45, 50, 65)
ADDED = (35, 60)
CHANGED = 3  # the index of the person whose age can be changed: no one before it is removed
WITHOUT_A_BOUND = (1e150, 1e200)


@dataclass(frozen=True)
class TwoDatasets:
    """Two small datasets as counts of every age."""

    first: IntArray
    second: IntArray

    @property
    def only(self) -> tuple[int, int]:
        """The number of rows in the first only, and in the second only."""
        gap = self.first - self.second
        return int(np.maximum(gap, 0).sum()), int(np.maximum(-gap, 0).sum())

    @property
    def distance(self) -> int:
        """The size of the symmetric difference: rows to remove and to add from one to the other."""
        return sum(self.only)

    @property
    def neighbours(self) -> str:
        """The relation under which they are neighbours: "add", "change", "same" or "none"."""
        if self.distance < 2:
            return ("same", "add")[self.distance]
        return "change" if self.only == (1, 1) else "none"


def ages() -> list[int]:
    """Return every age that a row of the small datasets can have."""
    return [int(AGES.value(tick)) for tick in range(AGES.top + 1)]


def pair(removed: int, added: int, age: int) -> TwoDatasets:
    """Return a dataset of six ages beside one with rows removed, rows added and one row changed."""
    second = [*FIRST[:CHANGED], age, *FIRST[CHANGED + 1 :]]
    return TwoDatasets(_counts(FIRST), _counts((*second[removed:], *ADDED[:added])))


def _counts(rows: tuple[int, ...]) -> IntArray:
    column = Column.from_values(AGES, np.array(rows))
    dense = np.zeros(AGES.top + 1, dtype=np.int64)
    dense[column.levels] = column.counts
    return dense


def moved(name: str, bounds: Bounds, size: int | None = None) -> float:
    """Return how far one person can move a statistic; `size` is the public n of change-one."""
    relation = ADD_REMOVE if size is None else Relation(size=size)
    return statistics[name](relation).global_sensitivity(bounds)


def unlimited(name: str, lower: float) -> bool:
    """Whether one person who joins or leaves can move a statistic by any distance if there is no bound."""
    near, far = (moved(name, Bounds(lower, upper)) for upper in WITHOUT_A_BOUND)
    return far > near


@lru_cache(maxsize=16)
def people(column: str, size: int) -> Column:
    """Return a column of one of the public censuses, reduced to some people with its shape."""
    stand = census_ground(column) if column in census().schema.numbers else ground(earnings(), column)
    return stand.resized(size).column


def clipping(rows: Column, epsilon: float) -> Clipping:
    """Return bias and noise of a sum against the bound, both as shares of the exact sum."""
    clipped = explain.clipping(rows, epsilon)
    truth = total(rows)
    return Clipping(clipped.bounds, clipped.bias / truth, clipped.noise / truth)


def total(rows: Column) -> float:
    """Return the exact sum, clipped only by the declared bounds."""
    return statistics["sum"]().value(rows)


@dataclass(frozen=True)
class Clipped:
    """A sum with one upper bound: the share lost by clipping, and the share of noise."""

    bias: float
    noise: float


def clipped(rows: Column, epsilon: float, upper: int) -> Clipped:
    """Return both errors of the mechanism itself at one bound, the noise as its 95% margin."""
    query = statistics["sum"]()
    inside = Column.from_values(Bounds(0, upper, integer=True), rows.values())
    law = registry["laplace"](query=query, epsilon=epsilon).law(inside)  # type: ignore[call-arg]
    truth = total(rows)
    left = query.value(inside)
    return Clipped((truth - left) / truth, (float(law.quantile(0.975)) - left) / truth)


OLDEST = 100.0  # the upper bound of ages in a mean
PERCENT = range(10, 95, 5)  # shares of ε for the sum that can be chosen
AVERAGE = 40.0  # the exact mean of the people in that figure
FAR = 60  # widths of the noise of a count, beyond which nothing is left to add up


@lru_cache(maxsize=512)
def mean_error(share: float, epsilon: float, people: int) -> float:
    """Return the exact 95% margin of error of a noisy sum of ages divided by a noisy count.

    The count has geometric noise y, the sum Laplace noise x of scale OLDEST over its epsilon. For every y, the ratio is
    beyond the mean by t if x is beyond AVERAGE y ± t (people + y); without people left, it is beyond any t.
    """
    a = math.exp(-epsilon * (1 - share))
    reach = math.ceil(FAR / (epsilon * (1 - share)))
    y = np.arange(-reach, reach + 1)
    chances = (1 - a) / (1 + a) * a ** np.abs(y)
    scale = OLDEST / (epsilon * share)
    left = people + y

    def beyond(t: float) -> float:
        over = stats.laplace.sf(AVERAGE * y + t * left, scale=scale)
        under = stats.laplace.cdf(AVERAGE * y - t * left, scale=scale)
        return float(chances @ np.where(left > 0, over + under, 1.0))

    if beyond(OLDEST) >= 1 - SURE:  # a mean outside the bounds is moved to them
        return OLDEST
    return float(optimize.brentq(lambda t: beyond(t) - (1 - SURE), 0.0, OLDEST))


INCOMES = Bounds(0, 1_000_000, integer=True)
USUAL = Bounds(0, 300_000, integer=True)
START = 10_000  # the first bound of the way that widens by hand
WAYS = ("look", "widen", PrivateUpperBound.slug, HistogramBounds.slug)


@lru_cache(maxsize=64)
def firm(size: int, top: int | None) -> Column:
    """Return incomes of a simulated firm, without or with the person who earns most."""
    usual = Scenario(USUAL, size - 1, "skewed").column.values()
    return Column.from_values(INCOMES, usual if top is None else np.append(usual, top))


@dataclass(frozen=True)
class Chosen:
    """The possible bounds of a way, the probability of each, and the total epsilon."""

    points: FloatArray
    chances: FloatArray
    average: float
    most: float

    @property
    def likeliest(self) -> float:
        """The most probable bound."""
        return float(self.points[int(np.argmax(self.chances))])

    @property
    def guess(self) -> float:
        """The highest probability that a guess of who is in the data is right: e^eps / (1 + e^eps)."""
        return 1 / (1 + math.exp(-self.most))


@lru_cache(maxsize=512)
def chosen(way: str, size: int, top: int | None, epsilon: float) -> Chosen:
    """Return the exact probabilities of the upper bound that one way chooses."""
    rows = firm(size, top)
    if way == "look":
        largest = statistics["largest"]().value(rows)
        return Chosen(np.array([largest]), np.ones(1), math.inf, math.inf)
    if way == "widen":
        return _widened(rows, epsilon)
    law = registry[way](epsilon=epsilon).law(rows)  # type: ignore[call-arg]
    if isinstance(law, Picked):
        return Chosen(law.points, law.probabilities, epsilon, epsilon)
    assert isinstance(law, Span)
    return Chosen(law.edges[1:], law.table.sum(axis=0), epsilon, epsilon)


def _widened(rows: Column, epsilon: float) -> Chosen:
    """Count the rows above a bound, and double it until a noisy count is small.

    Every look is a count of its own and costs epsilon. The last bound, the declared one, needs no look. The noise is
    independent every time, so the probabilities of going on multiply.
    """
    sparse = PrivateUpperBound(epsilon=epsilon)
    assert sparse.left_out is not None
    points = np.asarray(INCOMES.value(sparse.grid(INCOMES)), dtype=np.float64)
    points = points[points >= START]
    stops = np.array([float(counted(above(rows, point), epsilon).cdf(sparse.left_out)) for point in points[:-1]])
    goes_on = np.concatenate(([1.0], np.cumprod(1 - stops)))
    chances = goes_on * np.append(stops, 1.0)
    looks = points.size - 1
    return Chosen(points, chances, epsilon * float(goes_on[:-1].sum()), epsilon * looks)


def above(rows: Column, point: float) -> int:
    """Return how many rows are above a point."""
    below = int(np.searchsorted(rows.bounds.value(rows.levels), point, side="right"))
    return int(rows.counts[below:].sum())
