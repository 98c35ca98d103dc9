"""A codebook of lines: the name of a column and its bounds, as in `age 0..120`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from discreet.rows.codebooks import Codebook
from discreet.rows.columns import Kind, Number

LINE = re.compile(r"(\w+) (-?\d+)\.\.(-?\d+)")


class RangeList(Codebook):
    """A line for each column."""

    name: ClassVar[str] = "range-list"
    title: ClassVar[str] = "list of ranges"
    rank: ClassVar[int] = 50

    def columns(self, text: str) -> Mapping[str, Kind] | None:
        """Return the bounds of each column; None where a line is none."""
        lines = [LINE.fullmatch(line) for line in text.splitlines()]
        if not lines or None in lines:
            return None
        return {line[1]: Number(int(line[2]), int(line[3]), integer=True, origin="a list") for line in lines if line}
