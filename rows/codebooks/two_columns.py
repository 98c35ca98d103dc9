"""Two columns: a list as people paste it, `name; levels or bounds`, one line for each column."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from discreet.rows.codebooks.codebook import Codebook, Noted, said
from discreet.rows.codebooks.level_list import levels_of
from discreet.rows.columns import Kind

RANGE = re.compile(r"^(-?\d+(?:\.\d+)?)\s*(?:to|\.\.\.?|–|-|至|到)\s*(-?\d+(?:\.\d+)?)$")
ORIGIN = "codebook"


class TwoColumns(Codebook):
    """Each line is a column's name, a tab, semicolon or colon, and its range (`0 to 120`) or its levels."""

    name: ClassVar[str] = "two-columns"
    title: ClassVar[str] = "a list of two columns (name; range or levels)"
    rank: ClassVar[int] = 20

    def columns(self, text: str) -> Mapping[str, Kind] | None:
        """Parse every line that has two parts."""
        if text.lstrip()[:1] in "<{[":
            return None  # another format, damaged
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        pairs = [cut for line in lines if (cut := _cut(line)) is not None]
        if not pairs or len(pairs) < len(lines) / 2:
            return None
        return said({name: _noted(rest) for name, rest in pairs})


def _cut(line: str) -> tuple[str, str] | None:
    for separator in ("\t", ";", ":"):
        name, seam, rest = line.partition(separator)
        if seam and name.strip() and rest.strip():
            return name.strip().strip('"'), rest.strip()
    return None


def _noted(rest: str) -> Noted:
    bounds = RANGE.match(rest)
    if bounds is not None:
        whole = "." not in bounds[1] + bounds[2]
        return Noted(bounds[1], bounds[2], (), whole, "", ORIGIN)
    return Noted(levels=levels_of(rest))
