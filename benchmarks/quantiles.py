"""Quantiles: several together compared with single draws, and the interquartile range with smooth sensitivity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import Numbers, ages, incomes
from benchmarks.report import table, verdict
from discreet.lab.experiment import simulate
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism
from discreet.mechanisms.base.tuning import tuned
from discreet.mechanisms.quantile_tree import QuantileTree
from discreet.mechanisms.quantiles_apart import QuantilesApart
from discreet.mechanisms.quartile_range import QuartileRange
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries import Column
from discreet.queries.interquartile import InterquartileRange

DRAWS = 400
TIE = 0.2  # two 95 % errors of 400 draws differ by more with probability 1 in 100
DECILES = tuple(at / 10 for at in range(1, 10))
QUARTILES = (0.25, 0.5, 0.75)
EPSILONS = (0.1, 1.0)
Line = tuple[str, ...]


def drawn(mechanism: Mechanism, column: Column) -> NDArray[np.float64]:
    """Return many answers."""
    return simulate(mechanism.law(column), DRAWS, SimulationNoise(1))


def off_rank(mechanism: Any, column: Column) -> float:
    """Return the 95 % rank error of the worst level."""
    rows, worst = column.values(), 0.0
    for level, answers in zip(mechanism.levels, drawn(mechanism, column), strict=True):
        below, upto = (np.searchsorted(rows, answers, side=side) for side in ("left", "right"))
        far = np.maximum(0, np.maximum(below - level * rows.size, level * rows.size - upto))
        worst = max(worst, float(np.quantile(far, 0.95)))
    return worst


def off_range(mechanism: Mechanism, column: Column) -> float:
    """Return the 95 % error of an interquartile range."""
    return float(np.quantile(np.abs(drawn(mechanism, column) - InterquartileRange().value(column)), 0.95))


def line(data: Numbers, what: str, epsilon: float, pair: tuple[float, float], most: float) -> Line:
    """Return one line: both errors, their ratio, and whether it is within the limit."""
    first, second = pair
    ratio = first / second if second else 0.0 if not first else float("inf")
    return data.name, what, f"{epsilon:g}", f"{first:.4g}", f"{second:.4g}", f"{ratio:.3f}", verdict(ratio, most)


def lines(data: Numbers, epsilon: float) -> list[Line]:
    """Compare on one column."""
    column = Column.from_values(data.bounds, data.values)
    rows = []
    for name, levels, most in (("9 levels, rows off", DECILES, 0.7), ("3 levels, rows off", QUARTILES, 1.0)):
        kinds: tuple[Callable[..., Any], ...] = (QuantileTree, QuantilesApart)
        at_once, apart = (off_rank(kind(levels=levels, epsilon=epsilon), column) for kind in kinds)
        rows.append(line(data, name, epsilon, (at_once, apart), most + TIE))
    smooth = tuned(SmoothCoreTail(InterquartileRange(), epsilon), column)
    pair = off_range(QuartileRange(epsilon=epsilon), column), off_range(smooth, column)
    return [*rows, line(data, "interquartile range", epsilon, pair, 0.2 if epsilon < 1 else 1.0)]


def run() -> None:
    """Print the table; a ratio below 1 favours the first."""
    head = ("data", "what", "epsilon", "at once", "apart, or smooth", "ratio", "verdict")
    rows = [row for data in (ages(), incomes()) for epsilon in EPSILONS for row in lines(data, epsilon)]
    table(f"Quantiles: errors that 19 of 20 answers keep to ({DRAWS} draws)", head, rows)


if __name__ == "__main__":
    run()
