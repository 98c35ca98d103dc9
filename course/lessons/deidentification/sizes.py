"""Sizes: how many people are in groups of each size, and the scale of age groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discreet.course import figures
from discreet.course.figures import Series
from discreet.course.lessons.deidentification import numbers as tables

CLASSES = ("1", "2–4", "5–9", "10–19", "20+")
WIDTHS: dict[str, Any] = {"xaxis_type": "log", "xaxis_range": [-0.04, 2.06], "xaxis_tickvals": tables.WIDTHS}


def classes(sizes: Sequence[int], axes: tuple[str, str], words: str, key: str, hue: str = "blocks") -> None:
    """Draw how many people are in groups of each size."""
    figures.bars(
        CLASSES,
        [Series(axes[1], list(sizes), hue)],
        axes,
        words,
        key,
        text=",",
        xaxis_type="category",
        yaxis_range=[0, 1.12 * sum(sizes)],
        yaxis_tickformat=",",
    )
