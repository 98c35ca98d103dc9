"""Groups: rows with secret labels are brought together, whatever order they came in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from discreet.queries.bounds import IntArray

Assign = Callable[[pa.RecordBatch], tuple[IntArray, Sequence[NDArray[Any]]]]
Estimate = Callable[..., Any]


def estimated(parts: Sequence[tuple[IntArray, Sequence[NDArray[Any]]]], estimate: Estimate, groups: int) -> list[Any]:
    """Estimate every group of labelled rows; in which order they came changes no bit of it."""
    if not parts:
        return [estimate() for _ in range(groups)]
    labels = np.concatenate([labels for labels, _ in parts])
    values = [np.concatenate(piece) for piece in zip(*(v for _, v in parts), strict=True)]
    order = np.argsort(labels, kind="stable")
    ends = np.searchsorted(labels[order], np.arange(groups + 1))
    columns = [column[order] for column in values]
    return [estimate(*_in_order([column[ends[g] : ends[g + 1]] for column in columns])) for g in range(groups)]


def _in_order(columns: list[NDArray[Any]]) -> list[NDArray[Any]]:
    if len(columns) < 2:
        return [np.sort(column) for column in columns]
    order = np.lexsort(columns)
    return [column[order] for column in columns]
