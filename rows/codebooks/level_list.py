"""Level lists: levels as people type or paste them."""

from __future__ import annotations

import csv
import io
import re

MEANING = re.compile(r"\t|\s=\s")  # between a code and its meaning
SEPARATORS = ("\t", ";", "|")


def levels_of(text: str) -> tuple[str, ...]:
    """Return a list of levels: one on each line, or on one line between commas, tabs, semicolons or bars.

    If codes have meanings (`1 = male`, or a tab between them), the levels are the codes, which cells contain.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    parts = [MEANING.split(line, maxsplit=1)[0] for line in lines] if len(lines) > 1 else _cut(lines)
    return tuple(dict.fromkeys(level for part in parts if (level := part.strip())))


def meanings_of(text: str) -> tuple[str, ...]:
    """Return the meanings of the codes of a pasted list, if each code has one and all differ."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    pairs = [MEANING.split(line, maxsplit=1) for line in lines]
    meanings = tuple(pair[1].strip() for pair in pairs if len(pair) == 2 and pair[1].strip())
    whole = len(lines) > 1 and len(meanings) == len(set(meanings)) == len(lines) == len(levels_of(text))
    return meanings if whole else ()


def _cut(lines: list[str]) -> list[str]:
    """Split one line; quotes mean that commas separate."""
    line = lines[0] if lines else ""
    others = [sign for sign in SEPARATORS if sign in line]
    separator = others[0] if others and '"' not in line and "," not in line else ","
    try:
        cells = next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:  # longer than any list that people paste
        cells = line.split(separator)
    return cells if '"' in line else [MEANING.split(cell, maxsplit=1)[0] for cell in cells]


def written(levels: tuple[str, ...]) -> str:
    """Write levels on one line that `levels_of` parses unchanged."""
    plain = not any(sign in level for level in levels for sign in (",", '"', " = ", "\t", ";", "|"))
    sink = io.StringIO()
    csv.writer(sink, lineterminator="", quoting=csv.QUOTE_MINIMAL if plain else csv.QUOTE_ALL).writerow(levels)
    return sink.getvalue()
