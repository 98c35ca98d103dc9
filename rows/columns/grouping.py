"""Grouping: what a query can group by: a declared category, or groups that a public map derives from a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from discreet.budget.errors import ParameterError
from discreet.rows.columns.bands import Bands
from discreet.rows.columns.recode import Recode

Derived = Bands | Recode  # part of the query, like its columns and filters; never computed from rows
DERIVED = (Bands, Recode)
Grouping = str | Derived  # a name is that of a declared category


def source_of(by: Grouping) -> str:
    """Return the declared column that a grouping reads; it names the groups in tables and files."""
    return by if isinstance(by, str) else by.column


def sources(by: Sequence[Grouping]) -> tuple[str, ...]:
    """Return the declared columns that several groupings read."""
    return tuple(map(source_of, by))


def in_words(by: Sequence[Grouping]) -> list[str]:
    """Return several groupings as titles name them; derived ones are phrases."""
    return [each if isinstance(each, str) else each.words for each in by]


def plain_groups(by: Grouping | Sequence[Grouping] | None) -> Any:
    """Return one grouping, several or none as plain values, for a file."""
    if isinstance(by, DERIVED):
        return by.plain()
    return by if by is None or isinstance(by, str) else list(map(plain_groups, by))


def grouping_of(plain: Any) -> Grouping:
    """Rebuild a grouping from its plain values; raise ParameterError for anything else."""
    if isinstance(plain, (str, *DERIVED)):
        return plain
    if isinstance(plain, Mapping) and "recode" in plain and set(plain) <= {"recode", "into"}:
        return Recode(plain["recode"], plain.get("into", ()))
    fit = isinstance(plain, Mapping) and "bands" in plain and set(plain) <= {"bands", "edges", "every"}
    edges = plain.get("edges", []) if fit else None
    if not isinstance(edges, (list, tuple)) or not isinstance(plain["bands"], str):
        raise ParameterError(
            "A grouping must be the name of a category, bands (a column with edges or a width), or merged values."
        )
    return Bands(plain["bands"], tuple(edges), plain.get("every"))
