"""Coverage: the interval beside an answer holds the value of the rows as read, on any table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats
from support.soak import some, times

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Request, road
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism
from discreet.mechanisms.counts_gaussian import CountsGaussian
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.gaussian import AnalyticGaussian
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.laplace import Geometric, GlobalLaplace
from discreet.mechanisms.laws.law import Gated, Law, Product
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.noise.source import ReleaseNoise
from discreet.queries import Relation
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.sum import Sum
from discreet.queries.trimmed import TrimmedMean
from discreet.queries.variance import Variance
from discreet.rows import Category, Dataset, LocalSource, Number, OpenData, Person, Schema
from discreet.rows.persons import DrawnLots

PROMISED = 0.95
PERSONS = (None, Person(), Person(rows=3), Person(reduce="mean"), Person(reduce="first"))
X = {"whole": Number(0, 100, integer=True), "fine": Number(-1, 1), "coarse": Number(0, 10, step=2.5)}
CELLS: dict[str, list[str]] = {  # adversarial: what a column can hold at worst
    "nobody": [],
    "one": ["7"],
    "all zero": ["0"] * 500,
    "all at the top": ["100"] * 500,
    "two points": ["0", "100"] * 200,
    "heavy tail": [str(10**k) for k in range(12)] * 20,
    "out of bounds": ["-1e300", "inf", "1e9", "-5"] * 50,
    "unreadable": ["x", "", "NaN", "1;2"] * 50,
    "nearly all missing": [""] * 400 + ["3"],
    "between grid points": ["0.3333", "0.7071", "1.2345"] * 100,
    "alternating sign": [str((-1) ** i * i) for i in range(300)],
    "one outlier": ["0"] * 400 + ["100"],
}


def table(name: str) -> pa.Table:
    """Return a table: values, levels and persons with up to five rows, some without a name."""
    cells = CELLS[name]
    return pa.table(
        {
            "x": pa.array(cells, pa.large_string()),
            "g": pa.array([("a", "b", "z", None)[i % 4] for i in range(len(cells))], pa.string()),
            "who": pa.array([str(i // 5) if i % 9 else "" for i in range(len(cells))], pa.string()),
        }
    )


def questions(rows: int, epsilon: float) -> Iterator[Mechanism]:
    """Return every mechanism whose answers stand with an interval."""
    counting = Relation(rows=rows)
    for query in (Count(counting), Sum(counting), Mean(counting), Median(counting), Variance(counting)):
        yield GlobalLaplace(query, epsilon)
        yield AnalyticGaussian(query, epsilon, 1e-6)
    yield GlobalLaplace(TrimmedMean(counting, resize=50), epsilon)
    yield GlobalLaplace(Mean(Relation(300, rows)), epsilon)
    yield Geometric(Count(counting), epsilon)
    yield Geometric(Sum(counting), epsilon)
    yield ProposeTestRelease(Median(counting), epsilon=epsilon, delta=0.01, b=0.5)
    yield CountsGeometric(epsilon=epsilon, relation=counting)
    yield CountsGaussian(epsilon=epsilon, relation=counting)


def covered(law: Law, value: float, width: float) -> float:
    """Return the exact chance that an answer, once given, lies within the width of the value."""
    low = np.nextafter(value - width, -np.inf) - width * 1e-12
    inside = float(law.cdf(value + width * (1 + 1e-12)) - law.cdf(low))
    return inside / (1 - law.refusal) if isinstance(law, Gated) else inside


@pytest.mark.soak
@pytest.mark.parametrize(("kind", "person"), some(product(X, PERSONS), 4), ids=str)
def test_the_stated_interval_covers_exactly(kind: str, person: Person | None) -> None:
    """Of each law given the rows: at least 95 %, whatever the table, the cap and epsilon."""
    schema = Schema({"x": X[kind], "g": Category(("a", "b"), other=True)} | ({} if person is None else {"who": person}))
    compared = 0
    for name in CELLS:
        dataset, seen = OpenData(LocalSource(table(name)), schema), dict[Any, Any]()
        for epsilon in some((0.05, 1.0, 8.0), 2):
            for mechanism in questions(schema.rows_per_person, epsilon):
                compared += audit(dataset, mechanism, name, seen)
    assert compared > times(200, 300)


def audit(dataset: Dataset, mechanism: Any, name: str, seen: dict[Any, Any]) -> int:
    """Check one question of one table; 0 where the declaration does not admit it.

    What is seen of the rows, with the same secret words, is the same for every noise and epsilon.
    """
    counted = mechanism.view.category
    request = Request(mechanism, ("g",) if counted else ("x",))
    try:
        request.check(dataset.schema)
    except ValueError:
        return 0
    if mechanism.view not in seen:
        ((_, seen[mechanism.view]),) = road.views(dataset, request, DrawnLots(SimulationNoise(1)))
    view = seen[mechanism.view]
    forecast = mechanism.forecast(request.public(dataset.schema))
    law, width = mechanism.law(view), forecast.half_width
    assert forecast.exact and width is not None
    laws = law.parts if isinstance(law, Product) else (law,)
    values = view.counts if counted else [mechanism.query.value(view)]
    for part, value in zip(laws, values, strict=True):
        assert covered(part, float(value), width) >= PROMISED - 1e-9, (name, mechanism, value)
    return 1


TIMES, FALSE_ALARM = times(240, 400), 1e-9


NOISY = (GlobalLaplace(Mean(), 0.5), Geometric(Sum(), 0.5), AnalyticGaussian(Sum(), 0.5, 1e-6), TwoCounts(epsilon=0.5))
NAMED = ("nobody", "two points", "heavy tail", "one outlier")


@pytest.mark.soak
@pytest.mark.parametrize(
    ("mechanism", "name"), some(product(NOISY, NAMED), 5), ids=lambda part: getattr(part, "slug", part)
)
def test_releases_keep_to_their_interval(mechanism: Any, name: str) -> None:
    """Through the road with the release source; each case fails by chance once in 10^9."""
    schema = Schema({"x": X["whole"], "who": Person()})
    dataset = Dataset(LocalSource(table(name)), schema)
    request, inside = Request(mechanism, ("x",)), 0
    for _ in range(TIMES // 80):
        # one that keeps no number for finer answers: rows are read by the noise that the test remembers
        asked = Curator(dataset, SessionLedger(Cost.of(50, "1e-3")), ReleaseNoise(), tick=0, refines=False)
        for i in range(80):
            lots = _Remembered()
            asked._noise = lots
            release = asked.ask(request, str(i))
            column = dataset.column("x", (), DrawnLots(lots.again()))
            low, high = release.interval
            inside += low <= float(mechanism.view.truth(column)) <= high
    assert inside >= stats.binom.ppf(FALSE_ALARM, TIMES, PROMISED)


class _Remembered(ReleaseNoise):
    """The release source, which remembers the words of rows so that a test can read as it did."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._told: list[Any] = []

    def words(self, size: int) -> Any:
        """Draw, and remember."""
        self._told.append(super().words(size))
        return self._told[-1]

    def again(self) -> _Remembered:
        """Return a source that gives the same words in the same order."""
        draws = iter(self._told)
        copy = _Remembered()
        copy.words = lambda size: next(draws)  # type: ignore[method-assign]
        return copy
