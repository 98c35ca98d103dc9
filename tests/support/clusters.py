"""Rows on a cluster."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from discreet.lab.simulation import SimulationNoise
from discreet.rows import Dataset
from discreet.rows.filters import Condition
from discreet.rows.persons import DrawnLots


def rows(size: int = 20_000) -> pa.Table:
    """Draw rows, some of their cells missing or not a number."""
    u = SimulationNoise(1).uniforms(size, 4)
    pay = np.where(u[:, 2] < 0.05, np.nan, np.where(u[:, 2] > 0.95, np.inf, u[:, 1] * 6000 - 500))
    return pa.table(
        {
            "age": pa.array((u[:, 0] * 140 - 20).astype(np.int64), mask=u[:, 3] < 0.1),
            "pay": pa.array(pay, mask=u[:, 2] < 0.1),
            "to`wn.x": pa.array(np.array(["north", " south", "elsewhere", ""])[(u[:, 2] * 4).astype(int)]),
            "who": pa.array([f"P{int(x)}" for x in u[:, 3] * size / 5]),
        }
    )


def lots() -> DrawnLots:
    """Return the same lots each time."""
    return DrawnLots(SimulationNoise(7))


def counted(data: Dataset, where: tuple[Condition, ...] = ()) -> list[Any]:
    """Return all counts."""
    columns = [data.column(name, where, lots()) for name in ("age", "pay")]
    columns += data.grouped("age", ("to`wn.x",), where, lots()).values()
    levels = [(column.levels.tolist(), column.counts.tolist()) for column in columns]
    return [*levels, data.scores("to`wn.x", where, lots()).counts.tolist()]
