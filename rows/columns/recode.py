"""Recode: groups that merge the levels of a declared category by a public list, never computed from rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import IntArray
from discreet.queries.column import MOST_CANDIDATES
from discreet.rows.columns.bands import semicolons
from discreet.rows.columns.category import OTHER
from discreet.rows.columns.factor import Factor

EQUALS = " = "  # between a level and its new one, in a line
LONGEST = 200  # characters of a new level
NAMED = 6  # new levels that a title names
SHOWN = 30  # levels that a sentence lists
QUOTED = 40  # characters of a line or level in an error


@dataclass(frozen=True)
class Recode:
    """New levels for those of a declared category, as groups of a query: part of the query, like its filters.

    `into` has pairs of a level and its new one, or is a mapping; several levels may have the same new one. A level that
    it does not name counts as `other`. A cell without a level is left out, as it is without a recode.
    """

    column: str
    into: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        """Accept lists and mappings as well; raise ParameterError for what is no list of pairs of names."""
        pairs = list(self.into.items()) if isinstance(self.into, Mapping) else self.into
        if not isinstance(self.column, str) or not isinstance(pairs, (list, tuple)) or not all(map(_is_pair, pairs)):
            raise ParameterError("Merged values need a column, and pairs of a value and its new value.")
        object.__setattr__(self, "into", tuple((str(old), str(new)) for old, new in pairs))
        if not 1 <= len(self.into) <= MOST_CANDIDATES:
            raise ParameterError("Enter 1 to {most} values, each with its new value.", most=MOST_CANDIDATES)
        if len({old for old, _ in self.into}) < len(self.into):
            raise ParameterError("A value has two new values. Keep one of these lines.")
        if not all(_is_name(new) for _, new in self.into):
            raise ParameterError(
                "A new value needs 1 to {most} characters, without an equals sign between spaces.", most=LONGEST
            )

    def __str__(self) -> str:
        """Return the whole list in one line; different lists differ."""
        return json.dumps(self.plain(), ensure_ascii=False)

    @property
    def new(self) -> tuple[str, ...]:
        """The new levels that are named, in order; `other` comes last."""
        names = dict.fromkeys(new for _, new in self.into if new != OTHER)
        return (*names, OTHER) if any(new == OTHER for _, new in self.into) else tuple(names)

    @property
    def words(self) -> Phrase:
        """The column with its new levels, as a title names them."""
        groups = ", ".join((*self.new[:NAMED], *["…"][: len(self.new) > NAMED]))
        return Phrase("{column} (merged into {groups})", column=self.column, groups=groups)

    def plain(self) -> dict[str, Any]:
        """Return the list as plain values, for a file."""
        return {"recode": self.column, "into": [list(pair) for pair in self.into]}


def _is_pair(pair: Any) -> bool:
    return isinstance(pair, (list, tuple)) and len(pair) == 2 and all(isinstance(name, str) for name in pair)


def _is_name(new: str) -> bool:
    return new.strip() == new != "" and len(new) <= LONGEST and new.isprintable() and EQUALS not in new


# --- As typed or pasted: a level and its new one in each line ---


def written(recode: Recode) -> str:
    """Return the list as it is typed."""
    return "\n".join(map(EQUALS.join, recode.into))


def recode_of(column: str, text: str) -> Recode:
    """Parse lines such as "old = new", or two cells of a spreadsheet."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return Recode(column, tuple(map(_pair, lines)))


def _pair(line: str) -> tuple[str, str]:
    if "\t" not in line and EQUALS not in line:
        old, sign, new = line.partition("=")
    else:
        old, sign, new = line.rpartition("\t" if "\t" in line else EQUALS)
    if not sign:
        raise ParameterError(
            "Each line needs a value, an equals sign and its new value. {line!r} has none.", line=line[:QUOTED]
        )
    return old.strip(), new.strip()


# --- Recoded: from a level to its new one, total and public ---


@dataclass(frozen=True)
class Recoded(Factor):
    """A category by its new levels: a cell has the new level of its level, and no other. It is never declared."""

    of: Factor
    recode: Recode

    def __post_init__(self) -> None:
        """Raise ParameterError for a list that does not fit the declaration."""
        if len(self.labels) < 2:
            raise ParameterError(
                "The new values of {column!r} make a single group. Enter two or more.", column=self.recode.column
            )

    @cached_property
    def named(self) -> dict[int, str]:
        """The new level of each level that the list names, by its code."""
        places = self.of.places
        named: dict[int, str] = {}
        for old, new in self.recode.into:
            if old not in places:
                raise ParameterError(
                    "{value!r} is not an allowed value of {column!r}.", value=old[:QUOTED], column=self.recode.column
                )
            if places[old] in named:
                raise ParameterError("A value has two new values. Keep one of these lines.")
            named[places[old]] = new
        return named

    @property
    def labels(self) -> tuple[str, ...]:
        """The public names of the new levels; `other` is among them if the list does not name each level."""
        return self._labels

    @cached_property
    def _labels(self) -> tuple[str, ...]:
        new = self.recode.new
        return (*new, OTHER) if len(self.named) < len(self.of.labels) and OTHER not in new else new

    @cached_property
    def map(self) -> IntArray:
        """The code of the new level of each code: every level has exactly one."""
        place = {label: at for at, label in enumerate(self.labels)}
        return np.array([place[self.named.get(code, OTHER)] for code in range(len(self.of.labels))], np.int64)

    @property
    def complete(self) -> bool:
        """Whether any cell counts."""
        return self.of.complete

    def codes(self, cells: Any) -> IntArray:
        """Return the new level of each cell; -1 for a cell without a level."""
        codes = self.of.codes(cells)
        return np.where(codes < 0, -1, self.map[codes])

    def as_read(self, column: str) -> tuple[Phrase, ...]:
        """Describe which levels each new one has."""
        groups: dict[str, list[str]] = {label: [] for label in self.labels}
        for at, old in enumerate(self.of.labels[:SHOWN]):
            groups[self.labels[self.map[at]]].append(old)
        each = [Phrase("{new} ({old})", new=new, old=", ".join(old)) for new, old in groups.items() if old]
        listed = [*each, *["…"][: len(self.of.labels) > SHOWN]]
        words = Phrase("values of {column} merged: {groups}", column=column, groups=semicolons(listed))
        return *self.of.as_read(column), words


@lru_cache(maxsize=256)
def recoded(of: Factor, recode: Recode) -> Recoded:
    """Return a category by its new levels, found once: they are asked for at every step of a query."""
    return Recoded(of, recode)
