"""Printing: one table style, and timing by the median of repeated runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


def median_seconds(work: Callable[[], Any], repeats: int = 7) -> float:
    """Return the median wall time of a call after one warm-up."""
    work()
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return float(np.median(taken))


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print rows under a title with aligned columns."""
    texts = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(len(row[i]) for row in texts) for i in range(len(head))]
    print(f"\n## {title}")
    for i, row in enumerate(texts):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
        if i == 0:
            print("  ".join("-" * width for width in widths))


def verdict(ratio: float, limit: float) -> str:
    """Return whether a ratio or time is within its limit."""
    return "holds" if ratio <= limit else "MISSED"
