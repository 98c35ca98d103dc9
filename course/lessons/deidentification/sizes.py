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


WIDTHS: dict[str, Any] = {"xaxis_type": "log", "xaxis_range": [-0.04, 2.06], "xaxis_tickvals": tables.WIDTHS}
UNKNOWN = "?"
TOP = 1.12  # of all people: the height of the figure
LOW = 0.6  # of that height: the bar on which someone stands is lower, so that a phone has room for the head
ABOVE = 18  # pixels: someone stands above the number of a bar


@dataclass(frozen=True)
class Who:
    """The person of a row, with the number of people who match: found by name if it is one."""

    name: str
    matching: int

    @property
    def at(self) -> int:
        """The class of the group."""
        return int(np.searchsorted(tables.SIZES, self.matching, side="right")) - 1

    def face(self, sizes: Sequence[int]) -> Face:
        """Return the person above the bar of those who are matched by as many; an outline if not found."""
        at = self.at
        if self.matching == 1:
            return Face(self.name, at, sizes[at], "with", text=self.name, lift=ABOVE)
        return Face(UNKNOWN, at, sizes[at], "quiet", gone=True, text=UNKNOWN, lift=ABOVE)


def classes(
    sizes: Sequence[int], axes: tuple[str, str], words: str, key: str, hue: str = "blocks", who: Who | None = None
) -> None:
    """Draw how many people are in groups of each size; `who` stands on the bar of their own group."""
    everyone = sum(sizes)
    top = TOP * everyone if who is None else max(TOP * everyone, sizes[who.at] / LOW)
    ticks: dict[str, Any] = {} if who is None else {"yaxis_tickvals": [everyone * fifth // 5 for fifth in range(6)]}
    figures.bars(
        CLASSES,
        [Series(axes[1], list(sizes), hue)],
        axes,
        words,
        key,
        [] if who is None else [who.face(sizes)],
        text=",",
        xaxis_type="category",
        yaxis_range=[0, top],
        yaxis_tickformat=",",
        **ticks,
    )
