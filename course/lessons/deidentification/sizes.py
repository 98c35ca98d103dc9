"""Sizes: how many people are in groups of each size, and the scale of age groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from discreet.course import figures
from discreet.course.figures import Face, Series
from discreet.course.lessons.deidentification import numbers as tables

CLASSES = ("1", "2–4", "5–9", "10–19", "20+")


@dataclass(frozen=True)
class Who:
    """The person of a row, with the number of people who match: found by name if it is one."""

    name: str
    matching: int

    def face(self, sizes: Sequence[int]) -> Face:
        """Return the person above the bar of those who are matched by as many; without a face if not found."""
        at = int(np.searchsorted(tables.SIZES, self.matching, side="right")) - 1
        height = sizes[at] + ABOVE * sum(sizes)
        if self.matching == 1:
            return Face(self.name, at, height, "with", text=self.name)
        return Face(UNKNOWN, at, height, "quiet", gone=True, text=UNKNOWN)


UNKNOWN = "?"
WIDTHS: dict[str, Any] = {"xaxis_type": "log", "xaxis_range": [-0.04, 2.06], "xaxis_tickvals": tables.WIDTHS}


HEAD = 1.24  # of all people: the height of the figure, with room for someone on the highest bar
ABOVE = 0.08  # of all people: someone stands above the number of a bar


def classes(
    sizes: Sequence[int], axes: tuple[str, str], words: str, key: str, hue: str = "blocks", who: Who | None = None
) -> None:
    """Draw how many people are in groups of each size; `who` stands on the bar of their own group."""
    everyone = sum(sizes)
    figures.bars(
        CLASSES,
        [Series(axes[1], list(sizes), hue)],
        axes,
        words,
        key,
        [] if who is None else [who.face(sizes)],
        text=",",
        xaxis_type="category",
        yaxis_range=[0, (1.12 if who is None else HEAD) * everyone],
        yaxis_tickvals=[everyone * fifth // 5 for fifth in range(6)],
        yaxis_tickformat=",",
    )
