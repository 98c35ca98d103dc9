"""Experiments: many simulated answers beside the truth, on open data or scenarios only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from discreet.budget.errors import ParameterError, Phrase
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism
from discreet.mechanisms.laws.law import Law
from discreet.queries import Column
from discreet.queries.bounds import FloatArray
from discreet.rows.dataset import OpenData
from discreet.rows.persons import DrawnLots

SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")
NOBODY = Phrase("No row of this dataset has a readable value in this column.")


class NoRows(ParameterError):
    """There is no row, and so no true value, and nothing to show beside it."""

    def __init__(self) -> None:
        """Set the message."""
        super().__init__(NOBODY)


def simulate(law: Law, size: int, noise: SimulationNoise) -> FloatArray:
    """Return many answers of one law at once; NaN is a refusal."""
    return law.simulate(noise.uniforms(law.draws, size))


def ranks_off(column: Column, levels: Sequence[float], answers: FloatArray) -> float:
    """Return by how many ranks answers are off, on average over levels; `answers` has one row per level."""
    ticks, ends = column.bounds.value(column.levels), np.concatenate(([0], column.ends))
    aims = np.asarray(levels)[:, None] * column.n
    below, upto = (ends[np.searchsorted(ticks, answers, side=side)] for side in SIDES)
    return float(np.maximum(0, np.maximum(below - aims, aims - upto)).mean())


@dataclass(frozen=True, eq=False)
class Experiment:
    """The results of one mechanism: its answers, their errors, and summary numbers."""

    label: str
    truth: float
    answers: FloatArray = field(repr=False)

    @property
    def errors(self) -> FloatArray:
        """Absolute errors of the answers that were given."""
        given = self.answers[~np.isnan(self.answers)]
        return np.asarray(np.abs(given - self.truth))

    @property
    def refusal_rate(self) -> float:
        """The fraction of refusals."""
        return float(np.mean(np.isnan(self.answers)))

    def summary(self) -> dict[str, float]:
        """Return median error, root mean square error, 95% error and refusal rate."""
        errors = self.errors
        if not errors.size:
            nothing = float("nan")
            return {"median": nothing, "rmse": nothing, "q95": nothing, "refusals": 1.0}
        median, q95 = np.quantile(errors, (0.5, 0.95))
        return {
            "median": float(median),
            "rmse": float(np.sqrt(np.mean(errors**2))),
            "q95": float(q95),
            "refusals": self.refusal_rate,
        }


def compare(
    mechanisms: Mapping[str, Mechanism], data: Any, truth: float, draws: int, seed: int
) -> Sequence[Experiment]:
    """Simulate every mechanism on the same view of open data or of a scenario."""
    noise = SimulationNoise(seed)
    return [
        Experiment(label, truth, simulate(mechanism.law(data), draws, noise)) for label, mechanism in mechanisms.items()
    ]


def open_column(dataset: OpenData, name: str) -> Column:
    """Return a column for an experiment; raise ParameterError for protected data, and NoRows if it is empty."""
    if not isinstance(dataset, OpenData):  # a caller without type checks
        raise ParameterError(
            "Comparisons show exact values, so they run on public datasets only. Choose a sample or simulated data."
        )
    column = dataset.opened(("column", name), lambda: dataset.column(name, (), DrawnLots(SimulationNoise(0))))
    if not column.n:
        raise NoRows
    return column
