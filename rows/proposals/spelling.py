"""Spelling: the words in the name of a column, however they are joined."""

from __future__ import annotations

import re
import unicodedata

SEAMS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
SIGNS = re.compile(r"[\W_]+")


def words(name: str) -> tuple[str, ...]:
    """Return the words of a name: `ageAtEntry`, `AGE_AT_ENTRY` and `Age at entry` have the same."""
    plain = SEAMS.sub(" ", unicodedata.normalize("NFKC", name))
    return tuple(word for word in SIGNS.split(plain.casefold()) if word)


def within(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    """Say whether some words stand in a name, next to each other."""
    return f" {' '.join(part)} " in f" {' '.join(whole)} "
