"""Catastrophe: a mechanism that publishes every row with chance δ, and else nothing: (0, δ), once a day."""

from __future__ import annotations

import math
from collections.abc import Sequence

from discreet.lab.simulation import SimulationNoise

YEAR = 365
DAYS = (1, 2, 5, 10, 30, 100, 365, 1000, 3650, 10_000)


def public_by(delta: float, days: int) -> float:
    """Return the chance that everything has been published by a day."""
    return -math.expm1(days * math.log1p(-delta))


def likelier_than_not(delta: float) -> int:
    """Return the first day by which it has more likely happened than not."""
    return math.ceil(math.log(0.5) / math.log1p(-delta))


def fatal_days(delta: float, draws: int, seed: int) -> Sequence[int]:
    """Return, of several worlds, on which day each publishes everything."""
    (uniforms,) = SimulationNoise(seed).uniforms(1, draws)
    return [math.ceil(math.log(u) / math.log1p(-delta)) for u in uniforms.tolist()]
