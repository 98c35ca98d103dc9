"""Scenarios: public stand-in data made from declared bounds, a guess of n and an assumed shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
from scipy import special

from discreet.budget.errors import ParameterError
from discreet.mechanisms import Mechanism
from discreet.mechanisms.tuning import tuned
from discreet.queries import Bounds, Column
from discreet.queries.bounds import FloatArray
from discreet.queries.scores import Scores

MOST_PEOPLE = 1_000_000
M = TypeVar("M", bound=Mechanism)
Shape = Callable[[FloatArray], FloatArray]

# each maps a rank between 0 and 1 to a place between the bounds, 0 to 1
SHAPES: dict[str, Shape] = {
    "bell": lambda p: 0.4 + 0.14 * special.ndtri(p),
    "even": lambda p: p,
    "skewed": lambda p: -0.12 * np.log1p(-p),
    "heavy tail": lambda p: 0.01 * ((1 - p) ** -0.7 - 1),
    "far below the bound": lambda p: np.exp(0.8 * special.ndtri(p)) / 3000,
    "two groups": lambda p: np.where(
        p < 0.7, 0.25 + 0.06 * special.ndtri(p / 0.7), 0.75 + 0.06 * special.ndtri(np.maximum(p - 0.7, 1e-9) / 0.3)
    ),
}


@dataclass(frozen=True)
class Scenario:
    """People who do not exist: how many, between which bounds, in which shape. All of it public."""

    bounds: Bounds
    size: int = 1000
    shape: str = "bell"

    def __post_init__(self) -> None:
        """Refuse sizes and shapes that cannot be made."""
        if self.shape not in SHAPES:
            raise ParameterError(
                "A shape must be one of {choices}. Got {shape!r}.", choices=", ".join(SHAPES), shape=self.shape
            )
        if not isinstance(self.size, int) or not 1 <= self.size <= MOST_PEOPLE:
            raise ParameterError(
                "A guess of the number of people must be between 1 and {most_people:,}. Got {size}.",
                most_people=MOST_PEOPLE,
                size=self.size,
            )

    @property
    def column(self) -> Column:
        """The stand-in rows, the same every time."""
        return _column(self)


@lru_cache(maxsize=64)
def _column(scenario: Scenario) -> Column:
    ranks = (np.arange(scenario.size) + 0.5) / scenario.size
    places = np.clip(SHAPES[scenario.shape](ranks), 0.0, 1.0)
    bounds = scenario.bounds
    ticks = np.minimum((places * (bounds.top + 1)).astype(np.int64), bounds.top)
    return Column.from_ticks(bounds, ticks)


def imagined_counts(labels: tuple[str, ...], people: int) -> Scores:
    """Return public stand-in counts of declared labels: each next one is rarer, as names are."""
    weights = 1 / (1 + np.arange(len(labels)))
    counts = np.round(people * weights / weights.sum()).astype(np.int64)
    return Scores(labels, counts)


@lru_cache(maxsize=512)
def tuned_on(mechanism: M, scenario: Scenario) -> M:
    """Return the settings that do best on a scenario, computed once."""
    return tuned(mechanism, scenario.column)
