"""Tables: statistics in one draw against separate rows and blocks, forecasts behind filters, and choices of plans."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

import discreet
from benchmarks import peers
from benchmarks.data import ages, incomes
from benchmarks.report import table, verdict
from discreet.budget import Cost
from discreet.curator import Request
from discreet.lab.experiment import open_column, ranks_off, simulate
from discreet.lab.explain import views
from discreet.lab.samples import census, earnings, visits
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import registry
from discreet.mechanisms.counts_detail import AdaptiveDetail, Detail
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.quantiles_counted import MOST_TICKS, steady
from discreet.mechanisms.sample_aggregate import BlocksMean, BlocksMedian, BlocksSmoothMedian
from discreet.mechanisms.soft_pairs import SoftPairs
from discreet.plans import Plan, Planned, PlannedRow, Wanted, planned
from discreet.plans.methods import Subject
from discreet.queries import ADD_REMOVE, Bounds, Column, Relation
from discreet.queries.column import Bins, Pairs
from discreet.rows import Category, Filter, Number, OpenData, Schema
from discreet.rows.columns.bands import Bands

TOTAL = Cost.of(1)
PEOPLE, DRAWS = (300, 2_000, 32_561), 4000
SHAPED = ("bell", "skewed", "two groups")
STATISTICS = ("count", "mean", "standard-deviation")
SCHEMA = Schema({"age": Number(0, 100, integer=True)})


def errors(way: Planned) -> NDArray[np.float64]:
    """Return the 95 % error of every row on the rows that its plan assumes."""
    found = []
    for row in way.rows:
        column = row.subject.ground.column
        answers = simulate(row.tuned().mechanism.law(column), DRAWS, SimulationNoise(0))
        found.append(float(np.quantile(np.abs(answers - row.subject.wanted.value(column)), 0.95)))
    return np.array(found)


FILTERED = (  # sample, the column of the mean, the column of the filter, and how many filters
    (census, "age", "hours", 10),
    (census, "hours", "education_years", 10),
    (earnings, "hours", "age", 10),
    (earnings, "age", "hours", 10),
    (visits, "minutes", "cost", 10),
)
LEAST, MOST, NEAR = 0.01, 0.6, 1.3  # parts that pass; the largest ratio of a true forecast


def filters(dataset: OpenData, mean: str, column: str, number: int) -> list[tuple[Filter, float, Column]]:
    """Return filters that pass between the least and the most, each with its part and its rows."""

    def rows(where: tuple[Filter, ...]) -> Column:
        asked = Request(TwoCounts(relation=Relation(rows=dataset.schema.rows_per_person), epsilon=1.0), (mean,), where)
        (only,) = views(dataset, asked)
        found: Column = only[1]
        return found

    every = rows(())
    values = open_column(dataset, column)
    found = []
    for part in np.geomspace(LEAST, MOST, number):
        tick = int(values.order(np.array([max(1, int((1 - part) * values.n))]))[0])
        where = Filter(column, ">=", float(values.bounds.value(tick)))
        here = rows((where,))
        while here.n < LEAST * every.n or here.n > MOST * every.n:  # many rows have the same value
            tick += 1 if here.n > MOST * every.n else -1
            where = Filter(column, ">=", float(values.bounds.value(tick)))
            here = rows((where,))
        found.append((where, here.n / every.n, here))
    return found


def behind_filters() -> None:
    """Print forecasts of means behind filters over their true errors: with the part given, assumed, and ignored."""
    lines = []
    ratios = []
    for sample, mean, column, number in FILTERED:
        dataset = sample()
        chosen = filters(dataset, mean, column, number)
        apart = []
        for where, part, rows in chosen:
            people = round(rows.n / part)
            given, assumed, ignored = (
                planned(
                    Plan((Wanted("mean", mean, where=(where,), passing=each),), TOTAL, people), dataset.schema
                ).rows[0]
                for each in (part, None, 1.0)
            )
            answers = simulate(given.tuned().mechanism.law(rows), DRAWS, SimulationNoise(0))
            true = float(np.quantile(np.abs(answers - given.subject.wanted.value(rows)), 0.95))
            apart.append([max(row.error / true, true / row.error) for row in (given, assumed, ignored)])
        parts = [part for _, part, _ in chosen]
        most = np.max(apart, axis=0)
        ratios += [
            (each[0], f"{mean} where {column} >= {where.value:g}", part)
            for each, (where, part, _) in zip(apart, chosen, strict=True)
        ]
        span = f"{min(parts):.1%} to {max(parts):.1%}"
        lines.append([sample.__name__, mean, column, str(len(chosen)), span, *(f"{ratio:.2f}" for ratio in most)])
    title = "Means behind filters: forecast and true 95% error, the worst ratio of one to the other"
    table(title, ["sample", "mean of", "filter on", "filters", "pass", "part given", "assumed", "no part"], lines)
    worst, where, part = max(ratios)
    within = sum(ratio <= NEAR for ratio, _, _ in ratios)
    print(f"with the part given: {within} of {len(ratios)} within {NEAR}; worst {worst:.2f} ({verdict(worst, NEAR)})")
    print(f"the worst is the mean of {where}, which {part:.1%} pass: values there are not spread as the plan assumes")


TABLE = Schema(  # as in the findings: groups of 2 and of 14
    {
        "a": Category(("a",), other=True),
        "o": Category(tuple("bcdefghijklmn"), other=True),
        "v": Number(0, 9, integer=True),
    }
)
TABLES = ("a", "o", ("a", "o"))


def margins() -> None:
    """Print the forecasts and drawn errors of a table with its margins in one draw, over those of separate counts."""
    lines = []
    for total in (TOTAL, Cost.of(1, 1e-6)):
        rows = [Wanted("count", "v", by) for by in TABLES]
        way = planned(Plan(tuple(rows), total, PEOPLE[-1]), TABLE)
        held = [replace(row, held=0.999 * TOTAL.epsilon / len(rows)) for row in rows]
        alone = planned(Plan(tuple(held), total, PEOPLE[-1]), TABLE)
        drawn, apart = errors(way), errors(alone)
        for by, row, other, mine, its in zip(TABLES, way.rows, alone.rows, drawn, apart, strict=True):
            cells = " x ".join(str(len(TABLE.category(each).labels)) for each in row.item.groups)
            ratio, seen = other.error / row.error, its / mine
            each = f"± {other.error:.2f}", row.mechanism.slug, f"± {row.error:.2f}", f"{ratio:.2f}", f"{seen:.2f}"
            lines.append([str(total), " x ".join(by), cells, other.mechanism.slug, *each])
    head = ["total", "counts by", "cells", "separate", "error", "one draw", "error", "ratio", "ratio as drawn"]
    table("A table and its margins: separate counts against sums of one draw", head, lines)


MOST_WIDE = {"correlation": 1.0, "covariance": 250_000.0}
RANGES = {"prediction": (0.0, 1000.0), "covariance": (-250_000.0, 250_000.0)}  # of estimates of blocks
ASKED = ("slope", "prediction:250", "covariance", "correlation")
OF_TWO, LOSSES = (1_000, 32_561), (0.1, 1.0)  # rows and epsilons of two columns
SPREADS = {"all": 1.0, "a tenth": 0.1}  # of its bounds that x fills
KILO = Bounds(0, 1000, integer=True)
BLOCKS, SPLITS = (8, 15, 25, 40, 80, 160, 320), 4
AGGREGATORS: tuple[type[Any], ...] = (BlocksMedian, BlocksMean, BlocksSmoothMedian)


def pair(people: int, spread: float) -> Pairs:
    """Return rows with x even in the middle of its bounds, and y around a line through the same middle."""
    rng = np.random.default_rng(people)
    x = 0.5 + spread * (rng.random(people) - 0.5)
    y = np.clip(0.3 + 0.4 * x + 0.15 * rng.standard_normal(people), 0, 1)
    return Pairs.from_ticks(KILO, KILO, KILO.ticks(1000 * x), KILO.ticks(1000 * y))


def of_blocks(name: str, data: Pairs, truth: float, epsilon: float) -> float:
    """Return the smallest 95 % error of any number of blocks and any aggregator, chosen after looking at the truth."""
    errors = []
    places = (np.arange(200) + 0.5) / 200
    for kind, k in product(AGGREGATORS, BLOCKS):
        low, high = RANGES.get(name.partition(":")[0], (-1.0, 1.0))
        mechanism = kind(estimator=name, k=k, lower=low, upper=high, epsilon=epsilon)
        noise = SimulationNoise(k)
        laws = (mechanism.law(mechanism.view.split(data.values(), noise)) for _ in range(SPLITS))
        errors.append(np.quantile([np.abs(law.quantile(places) - truth) for law in laws], 0.95))
    return float(min(errors))


def two_columns() -> None:
    """Print the errors of the best blocks over those of one draw, for slope, prediction and correlation."""
    lines = []
    for name, (filled, spread), people, epsilon in product(ASKED, SPREADS.items(), OF_TWO, LOSSES):
        data = pair(people, spread)
        mechanism = SoftPairs(estimator=name, epsilon=epsilon)
        truth = mechanism.view.truth(data)
        assert truth is not None
        answers = simulate(mechanism.law(data), DRAWS, SimulationNoise(0))
        soft = float(np.quantile(np.abs(answers - truth), 0.95))
        blocks = of_blocks(name, data, truth, epsilon)
        width = mechanism.usual_width(data)
        interval = "all" if width >= MOST_WIDE.get(name, KILO.top) else f"{width:.3g}"
        statistic = name.replace(":", " at ")
        lines.append(
            [statistic, filled, f"{people:,}", f"{epsilon:g}", f"{truth:.3f}", f"{soft:.3g}", interval]
            + [f"{blocks:.3g}", f"{blocks / soft:.2f}"]
        )
    title = "Two columns: 95% errors of one draw, and of the best of 21 settings of blocks in hindsight"
    head = ["of", "x fills", "rows", "epsilon", "true", "one draw", "interval +-", "blocks", "blocks / draw"]
    table(title, head, lines)


OF_ONE_PAIR = (("slope", "covariance"), ("slope", "prediction:250"), ("slope", "correlation"), ASKED)
OF_KILOS = Schema({"x": Number(0, 1000, integer=True), "y": Number(0, 1000, integer=True)})


def pairs_together() -> None:
    """Print the errors of separate rows about two columns over those of one draw."""
    lines = []
    least = np.inf
    for names, people, epsilon in product(OF_ONE_PAIR, OF_TWO, LOSSES):
        rows = tuple(_of_pair(*name.split(":")) for name in names)
        together = planned(Plan(rows, Cost.of(epsilon), people, "even"), OF_KILOS)
        apart = [planned(Plan((row,), Cost.of(epsilon / len(rows)), people, "even"), OF_KILOS) for row in rows]
        data = pair(people, 1.0)
        separate = np.array([_off(each.rows[0], data) for each in apart])
        ratios = separate / np.array([_off(row, data) for row in together.rows])
        draws = len(together.draws)
        shown = ", ".join(f"{ratio:.2f}" for ratio in ratios)
        lines.append([", ".join(names).replace(":", " at "), f"{people:,}", f"{epsilon:g}", str(draws), shown])
        least = min(least, *ratios) if draws == 1 else least
    title = "Two columns: 95% errors of separate queries over those of one plan, at equal total"
    table(title, ["statistics", "rows", "epsilon", "draws", "separate / one draw"], lines)
    print(f"smallest ratio in one draw: {least:.2f} (at least 0.95: {verdict(1 / least, 1 / 0.95)})")


def _of_pair(statistic: str, at: str = "") -> Wanted:
    return Wanted(statistic, "x", second="y", level=float(at) if at else None, interval=True)


def _off(row: PlannedRow, data: Pairs) -> float:
    """Return the 95 % error of a row on some rows of both columns."""
    mechanism: Any = row.tuned().mechanism
    answers = simulate(mechanism.law(data), DRAWS, SimulationNoise(0))
    return float(np.quantile(np.abs(answers - mechanism.view.truth(data)), 0.95))


def run() -> None:
    """Print errors of separate rows and of one draw, forecasts behind filters, and blocks against one draw."""
    together_and_apart()
    pairs_together()
    margins()
    behind_filters()
    wider_bands()
    what_is_known()
    two_columns()
    of_peers()


# A table of an office: count, mean and standard deviation of two columns by age band and sex, against the peers.

MEASURED = ("hours", "education_years")
CROSSED = (Bands("age", (25, 35, 45, 60)), "sex")
RELEASES = 1000  # of a peer: at 200 the error of one cell in fifty is off by a tenth
COVERED = 20  # releases by the road, whose intervals are looked at
TOLERATED = 1.05  # how much larger an error may be, over the same cells


def of_peers() -> None:
    """Print the errors of a table against separate queries and the peers, and how many of its intervals hold."""
    dataset = census()
    items = tuple(
        Wanted(statistic, name, CROSSED, interval=True)
        for name in MEASURED
        for statistic in STATISTICS
        if (statistic, name) != ("count", MEASURED[1])
    )
    people = 32_561
    way = planned(Plan(items, TOTAL, people), dataset.schema)
    apart = [planned(Plan((item,), Cost.of(TOTAL.epsilon / len(items)), people), dataset.schema) for item in items]
    columns = {row.item.column: dict(views(dataset, row.request)) for row in way.rows if row.item.statistic == "mean"}
    truths = np.array([[_truth(item, column) for column in columns[item.column].values()] for item in items])
    ours = _errors([row for row in way.rows], columns, truths)
    separate = _errors([each.rows[0] for each in apart], columns, truths)
    lines = []
    worst = 0.0
    rivals = {"separate queries": separate}
    for name, sampler in (("OpenDP", _by_opendp), ("diffprivlib", _by_diffprivlib)):
        rivals[name] = _quantiles(_answers(items, columns, sampler) - truths)
    for at, item in enumerate(items):
        line = [item.statistic, item.column, f"{np.median(ours[at]):.3g}"]
        for errors_of in rivals.values():
            ratios = errors_of[at] / ours[at]
            worst = max(worst, float(1 / ratios.min()))
            line.append(f"{np.median(ratios):.2f} ({ratios.min():.2f})")
        lines.append(line)
    title = "Count, mean and SD of two columns in 5 age bands x 2 sexes at epsilon 1, rows added or removed, n private"
    head = ["statistic", "column", "95% error", *(f"{name} / ours" for name in rivals)]
    table(title, head, lines)
    print("ratios of 95% errors: the median of 10 cells, and the smallest in brackets")
    print(f"largest error over a rival's in any cell: {worst:.2f} (at most {TOLERATED}: {verdict(worst, TOLERATED)})")
    held, total = _held(items, truths)
    print(f"intervals of {COVERED} releases that hold: {held} of {total} ({held / total:.1%})")


def _truth(item: Wanted, column: Column) -> float:
    values = column.values()
    of = {"count": len, "mean": np.mean, "standard-deviation": np.std}
    return float(of[item.statistic](values))


def _errors(rows: Sequence[PlannedRow], columns: dict[str, dict[str, Column]], truths: Any) -> NDArray[np.float64]:
    """Return the 95 % error of each row in each cell."""
    found = []
    for row, exact in zip(rows, truths, strict=True):
        laws = [row.tuned().mechanism.law(column) for column in columns[row.item.column].values()]
        answers = np.array([simulate(law, DRAWS, SimulationNoise(at)) for at, law in enumerate(laws)])
        found.append(np.quantile(np.abs(answers - exact[:, None]), 0.95, axis=1))
    return np.array(found)


def _quantiles(errors_of: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.quantile(np.abs(errors_of), 0.95, axis=0)
    return found


Cells = list[NDArray[np.float64]]
Sums = Callable[[Cells, float, float], Any]  # samplers of counts, sums and sums of squares of cells, at an epsilon each


def _answers(items: Sequence[Wanted], columns: dict[str, dict[str, Column]], sampler: Sums) -> NDArray[np.float64]:
    """Return answers of a library that has noisy counts and sums: by draw, row and cell.

    Its best effort: one count for both columns, sums of values and of squares from the middle of the bounds, each of
    the five at a fifth of the budget, and everything else computed from them.
    """
    share = TOTAL.epsilon / (1 + 2 * len(columns))
    middle, half = {}, {}
    samplers = {}
    for name, cells in columns.items():
        bounds = next(iter(cells.values())).bounds
        middle[name], half[name] = (bounds.lower + bounds.upper) / 2, (bounds.upper - bounds.lower) / 2
        values = [column.values() - middle[name] for column in cells.values()]
        samplers[name] = sampler(values, half[name], share)
    found = []
    for _ in range(RELEASES):
        counts = np.maximum(1, np.array(samplers[items[0].column][0](), float))
        answers = {("count", items[0].column): np.array(counts)}
        for name, (_, sums, squares) in samplers.items():
            mean = np.clip(np.array(sums(), float) / counts, -half[name], half[name])
            variance = np.clip(np.array(squares(), float) / counts - mean**2, 0, half[name] ** 2)
            answers["mean", name] = middle[name] + mean
            answers["standard-deviation", name] = np.sqrt(variance)
        found.append([answers[item.statistic, item.column] for item in items])
    return np.array(found)


def _by_opendp(cells: Cells, half: float, share: float) -> Any:
    counts = np.array([cell.size for cell in cells])
    sums, squares = (np.array([(cell**power).sum() for cell in cells]) for power in (1, 2))
    return (
        peers.opendp_counts(counts, share),
        peers.opendp_cells(sums, half, share),
        peers.opendp_cells(squares, half**2, share),
    )


def _by_diffprivlib(cells: Cells, half: float, share: float) -> Any:
    counts = np.array([cell.size for cell in cells])
    return (
        peers.diffprivlib_counts(counts, share),
        peers.diffprivlib_cells(cells, (-half, half), share),
        peers.diffprivlib_cells([cell**2 for cell in cells], (0, half**2), share),
    )


def _held(items: Sequence[Wanted], truths: NDArray[np.float64]) -> tuple[int, int]:
    """Return how many intervals of releases by the road hold, and how many there are."""
    held = total = 0
    for _ in range(COVERED):
        released = discreet.open(census(), epsilon=TOTAL.epsilon, people=32_561).plan(*items).release()
        for result, exact in zip(released, truths, strict=True):
            for (low, high), value in zip(result.interval.values(), exact, strict=True):
                held += low <= value <= high
                total += 1
    return held, total


def together_and_apart() -> None:
    """Print the errors of separate rows over those of one draw."""
    lines = []
    least = np.inf
    for shape in SHAPED:
        for people in PEOPLE:
            rows = tuple(Wanted(name, "age") for name in STATISTICS)
            together = planned(Plan(rows, TOTAL, people, shape), SCHEMA)
            apart = [planned(Plan((row,), Cost.of(TOTAL.epsilon / 3), people, shape), SCHEMA) for row in rows]
            separate = np.array([errors(each)[0] for each in apart])
            ratios = separate / errors(together)
            draws = len(together.draws)
            lines.append([shape, f"{people:,}", str(draws), *(f"{ratio:.2f}" for ratio in ratios)])
            least = min(least, *ratios) if draws == 1 else least
    title = "Count, mean and standard deviation: 95% errors of separate queries over those of one plan, at equal total"
    table(title, ["values", "rows", "draws", *STATISTICS], lines)
    print(f"smallest ratio in one draw: {least:.2f} (at least 0.95: {verdict(1 / least, 1 / 0.95)})")


# --- Wider bands: many small districts, with the same bands everywhere and with wider ones where few people live ---

DISTRICTS, MIDDLE, BANDS, SAME = 600, 67, 8, 20  # people in the middle one; bands are more equal with a larger number
USABLE = 1 / 4  # of a count: the largest half width that it bears
LEAST_USABLE = 0.8  # of the cells


def wider_bands() -> None:
    """Print how many counts of a table of districts bear their interval, with the same bands everywhere and joined."""
    bins = Bins(tuple(map(float, range(BANDS + 1))))
    grid = Bounds(0, BANDS, integer=True)
    noise = SimulationNoise(0)
    lines = []
    worst = 1.0
    for spread, epsilon in product((0.5, 1.0), (0.5, 1.0, 2.0)):
        rng = np.random.default_rng(1)
        sizes = np.maximum(1, np.rint(MIDDLE * np.exp(spread * rng.standard_normal(DISTRICTS)))).astype(int)
        cells = np.array([rng.multinomial(n, rng.dirichlet(np.full(BANDS, SAME))) for n in sizes])
        mechanism = AdaptiveDetail(bins=bins, epsilon=epsilon)
        fixed = -np.log(0.05) / epsilon <= USABLE * cells
        joined = []
        for counts in cells:
            law = mechanism.law(Column.from_counts(grid, np.append(counts, 0)))
            assert isinstance(law, Detail)
            step = int(law.steps.chosen(law.rows.quantile(noise.uniforms(1, 1)[0]), law.noises.half)[0])
            joined.append(law.noises.half <= USABLE * np.array(law.exact(step)))
        usable = float(np.concatenate(joined).mean())
        worst = min(worst, usable)
        whole = np.mean([each.all() for each in joined])
        each = [f"{fixed.size:,}", f"{fixed.mean():.0%}", f"{fixed.all(axis=1).mean():.0%}"]
        each += [f"{sum(map(len, joined)):,}", f"{usable:.0%}", f"{whole:.0%}"]
        lines.append([f"{spread:g}", f"{epsilon:g}", *each])
    people = f"{DISTRICTS} districts of {MIDDLE} people in the middle, {BANDS} bands"
    title = f"{people}: cells whose half width is a quarter at most, and districts with such cells alone"
    head = ["log sizes +-", "epsilon", "same bands", "usable", "districts", "wider bands", "usable", "districts"]
    table(title, head, lines)
    print(f"fewest usable cells: {worst:.0%} (at least {LEAST_USABLE:.0%}: {verdict(LEAST_USABLE, worst)})")


# --- What is known: what a plan chooses against the best of the mechanisms and of textbook constructions ---

FACTOR = 1.3  # of the error of the best one: what a plan may be worse
NO_DIFFERENCE = {"rows": 2.0, "steps": 0.3}  # differences below this are none: of a rank, or of a step of the grid
TRIES = 200
EPSILONS = (0.1, 1.0)
LEVELS = ((0.25, 0.5, 0.75), tuple(at / 10 for at in range(1, 10)), tuple(at / 100 for at in range(1, 100)))
SMOOTHED = "smooth-core-tail"
QUANTILES = ("quantile-tree", "quantiles-apart", "quantiles-counted")


@dataclass(frozen=True)
class Known:
    """Rows, their declared grid, and the shape that an analyst guesses for them."""

    name: str
    kind: Number
    shape: str
    values: NDArray[np.float64]

    @property
    def schema(self) -> Schema:
        """The declaration."""
        return Schema({"x": self.kind})

    @property
    def column(self) -> Column:
        """The rows on their grid."""
        return Column.from_values(self.schema.bounds("x"), self.values)

    def chosen(self, statistic: str, epsilon: float, **more: Any) -> Any:
        """Return the mechanism that a plan takes, by the guessed shape and the number of rows alone."""
        plan = Plan((Wanted(statistic, "x", **more),), Cost.of(epsilon), self.values.size, self.shape)
        return planned(plan, self.schema).rows[0].tuned().mechanism


def columns() -> list[Known]:
    """Return ages, hours and incomes on grids from 99 to a million ticks."""
    every = ages().values
    hours = open_column(census(), "hours").values()
    pay = incomes().values
    return [
        Known("ages", Number(0, 125, integer=True), "bell", every),
        Known("2,000 ages", Number(0, 125, integer=True), "bell", every[:2000]),
        Known("500 ages", Number(0, 125, integer=True), "bell", every[:500]),
        Known("hours", Number(1, 99, integer=True), "bell", hours),
        Known("incomes by 500", Number(0, 1e6, step=500), "skewed", pay),
        Known("incomes to 1e6", Number(0, 1e6), "skewed", pay),
        Known("incomes to 1e8", Number(0, 1e8), "skewed", pay),
        Known("2,000 incomes to 1e8", Number(0, 1e8), "skewed", pay[:2000]),
    ]


def histogram(column: Column, levels: Sequence[float], epsilon: float) -> NDArray[np.float64]:
    """Return quantiles of a textbook: one noisy histogram of all ticks, with ascending sums."""
    rng = np.random.default_rng(1)
    counts = np.zeros(column.bounds.top + 1)
    counts[column.levels] = column.counts
    sums = steady(np.cumsum(counts + rng.laplace(size=(TRIES, counts.size)) / epsilon, axis=1))
    ticks = np.array([(sums >= level * sums[:, -1:]).argmax(axis=1) for level in levels])
    return np.asarray(column.bounds.value(ticks), dtype=np.float64)


Errors = dict[str, float]


def many_quantiles(known: Known, levels: tuple[float, ...], epsilon: float) -> tuple[str, Errors]:
    """Return what is chosen for several quantiles, and the errors in ranks of all ways."""
    column = known.column
    slugs = QUANTILES if column.bounds.top < MOST_TICKS else QUANTILES[:2]
    errors = {
        slug: ranks_off(
            column, levels, simulate(kind(levels=levels, epsilon=epsilon).law(column), TRIES, SimulationNoise(3))
        )
        for slug in slugs
        for kind in (registry[slug],)
    }
    if column.bounds.top < MOST_TICKS:
        errors["histogram"] = ranks_off(column, levels, histogram(column, levels, epsilon))
    return known.chosen("quantile", epsilon, level=levels).slug, errors


def one_statistic(
    known: Known, statistic: str, epsilon: float, rivals: Sequence[str], **more: Any
) -> tuple[str, Errors]:
    """Return what is chosen for a number, and the mean errors of all ways, in steps of the grid."""
    column = known.column
    truth = Subject(statistic, column.bounds, None, 1, known.shape, ADD_REMOVE, more.get("level")).wanted.value(column)
    own = known.chosen(statistic, epsilon, **more)
    tried = {own.slug: own} | {slug: known.chosen(statistic, epsilon, method=slug, **more) for slug in rivals}
    errors = {
        slug: float(np.abs(simulate(mechanism.law(column), DRAWS, SimulationNoise(4)) - truth).mean())
        for slug, mechanism in tried.items()
    }
    return own.slug, {slug: error / float(column.bounds.resolution) for slug, error in errors.items()}


def what_is_known() -> None:
    """Print, for each query of which something better was known, how far the choice of a plan is from the best."""
    lines = []
    worst = 0.0

    def add(known: Known, what: str, epsilon: float, unit: str, found: tuple[str, Errors]) -> None:
        nonlocal worst
        slug, errors = found
        best = min(errors, key=lambda name: errors[name])
        ratio = 1.0 if errors[slug] - errors[best] < NO_DIFFERENCE[unit] else errors[slug] / errors[best]
        worst = max(worst, ratio)
        each = f"{errors[slug]:.3g}", best, f"{errors[best]:.3g}", f"{ratio:.2f}", verdict(ratio, FACTOR)
        lines.append([known.name, what, f"{epsilon:g}", slug, *each])

    named = {known.name: known for known in columns()}
    for name in ("ages", "2,000 ages", "hours", "incomes by 500"):
        for levels in LEVELS:
            for epsilon in EPSILONS:
                add(
                    named[name],
                    f"{len(levels)} quantiles",
                    epsilon,
                    "rows",
                    many_quantiles(named[name], levels, epsilon),
                )
    for name, level in (("ages", 0.9), ("500 ages", 0.9), ("ages", 0.99)):
        for epsilon in EPSILONS:
            found = one_statistic(named[name], "quantile", epsilon, ("quantile-exponential",), level=level)
            add(named[name], f"quantile {level}", epsilon, "steps", found)
    for name in ("incomes to 1e8", "2,000 incomes to 1e8", "incomes to 1e6"):
        for epsilon in EPSILONS:
            for statistic, plain in (("sum", "laplace"), ("mean", "two-counts"), ("standard-deviation", SMOOTHED)):
                found = one_statistic(named[name], statistic, epsilon, (plain,))
                add(named[name], statistic, epsilon, "steps", found)
    for name in ("2,000 ages", "ages", "incomes to 1e6", "incomes to 1e8"):
        for epsilon in EPSILONS:
            found = one_statistic(named[name], "interquartile-range", epsilon, ("quartile-range", "smooth-core-tail"))
            add(named[name], "interquartile range", epsilon, "steps", found)
    head = ["rows", "query", "epsilon", "a plan takes", "error", "best", "error", "ratio", f"at most {FACTOR}"]
    table(
        "What is known: the choice of a plan against the best, errors in ranks (several quantiles) or steps",
        head,
        lines,
    )
    print(f"worst ratio: {worst:.2f} ({verdict(worst, FACTOR)})")
