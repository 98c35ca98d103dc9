"""Tables: count, mean and standard deviation of one column in one draw, against separate rows at the same total."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import table, verdict
from discreet.budget import Cost
from discreet.lab.experiment import simulate
from discreet.lab.simulation import SimulationNoise
from discreet.plans import Plan, Planned, Wanted, planned
from discreet.rows import Number, Schema

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


def run() -> None:
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
