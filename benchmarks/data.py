"""Public data of the benchmarks: a generated census column and a generated income column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from discreet.lab.samples import census_table
from discreet.lab.simulation import SimulationNoise
from discreet.queries import Bounds

INCOMES = 100_000


@dataclass(frozen=True, eq=False)
class Numbers:
    """One public column with its bounds; `whole` columns are passed to the peers as integers."""

    name: str
    bounds: Bounds
    values: NDArray[np.float64]
    cut: float  # "how many are above?"

    @property
    def whole(self) -> bool:
        """Whether the column is declared as integer."""
        return self.bounds.integer


def ages() -> Numbers:
    """Return the ages of the census sample: 32,561 integers from 0 to 100."""
    column = np.asarray(census_table()["age"], dtype=np.float64)
    return Numbers("age", Bounds(0, 100, integer=True), column, 40)


def incomes(seed: int = 7) -> Numbers:
    """Return 100,000 lognormal incomes with bounds 0 to 500,000."""
    normal = SimulationNoise(seed).uniforms(1, INCOMES)[0]
    return Numbers("income", Bounds(0, 500_000), np.exp(10.5 + 0.7 * ndtri(normal)), 50_000)


def occupations() -> NDArray[np.str_]:
    """Return the occupations of the census sample, one per person."""
    return np.asarray(census_table()["occupation"], dtype=np.str_)
