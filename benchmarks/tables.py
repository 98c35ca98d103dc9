"""Tables: several statistics in one draw against separate rows at the same total, forecasts behind filters, and
slopes and correlations from one draw against blocks."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import table, verdict
from discreet.budget import Cost
from discreet.curator import Request
from discreet.lab.experiment import open_column, simulate
from discreet.lab.explain import views
from discreet.lab.samples import census, earnings, visits
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.sample_aggregate import BlocksMean, BlocksMedian, BlocksSmoothMedian
from discreet.mechanisms.soft_pairs import SoftPairs
from discreet.plans import Plan, Planned, Wanted, planned
from discreet.queries import Bounds, Column, Relation
from discreet.queries.column import Pairs
from discreet.rows import Filter, Number, OpenData, Schema

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
    for name, (told, spread), people, epsilon in product(ASKED, SPREADS.items(), OF_TWO, LOSSES):
        data = pair(people, spread)
        mechanism = SoftPairs(estimator=name, epsilon=epsilon)
        truth = mechanism.view.truth(data)
        assert truth is not None
        answers = simulate(mechanism.law(data), DRAWS, SimulationNoise(0))
        soft = float(np.quantile(np.abs(answers - truth), 0.95))
        blocks = of_blocks(name, data, truth, epsilon)
        width = mechanism.usual_width(data)
        said = "all" if width >= MOST_WIDE.get(name, KILO.top) else f"{width:.3g}"
        told_name = name.replace(":", " at ")
        lines.append(
            [told_name, told, f"{people:,}", f"{epsilon:g}", f"{truth:.3f}", f"{soft:.3g}", said]
            + [f"{blocks:.3g}", f"{blocks / soft:.2f}"]
        )
    title = "Two columns: 95% errors of one draw, and of the best of 21 settings of blocks in hindsight"
    head = ["of", "x fills", "rows", "epsilon", "true", "one draw", "interval +-", "blocks", "blocks / draw"]
    table(title, head, lines)


def run() -> None:
    """Print errors of separate rows and of one draw, forecasts behind filters, and blocks against one draw."""
    together_and_apart()
    behind_filters()
    two_columns()


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
