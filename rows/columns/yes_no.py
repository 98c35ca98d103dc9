"""Yes or no: a column that answers one question, in any of the usual words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import IntArray
from discreet.rows.cells import SPELLED, longest, text
from discreet.rows.columns.factor import Factor
from discreet.rows.numerals import canonical

NO = (
    "no",
    "n",
    "false",
    "f",
    "0",
    "nein",
    "falsch",
    "non",
    "faux",
    "nee",
    "nej",
    "nei",
    "não",
    "nao",
    "off",
    "否",
    "假",
    "нет",
)
YES = (
    "yes",
    "y",
    "true",
    "t",
    "1",
    "ja",
    "j",
    "wahr",
    "oui",
    "o",
    "vrai",
    "si",
    "sí",
    "s",
    "sim",
    "on",
    "是",
    "真",
    "да",
)
MOST_WORDS = 100
SIGN = 3  # ratio of bytes that a capital may take: the Kelvin sign for k


@dataclass(frozen=True)
class YesNo(Factor):
    """Two levels, no and yes. Letter case is ignored; a cell that is neither is left out.

    `yes` and `no` are the words for each. If none are declared, they are the usual words of several languages, truth
    values, and 1 and 0; otherwise only the declared ones count.
    """

    name: ClassVar[str] = "yes-no"

    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise ParameterError for words for only one of the levels, and for words that are empty or mean both."""
        for field in ("yes", "no"):
            object.__setattr__(self, field, tuple(getattr(self, field)))
        words = [*self.yes, *self.no]
        if bool(self.yes) != bool(self.no):
            raise ParameterError("Declare values that mean yes and values that mean no, or neither.")
        if len(words) > MOST_WORDS or not all(map(_is_word, words)):
            raise ParameterError("Values that mean yes and no must be texts without spaces at either end.")
        if len({word.lower() for word in words}) < len(words):
            raise ParameterError("The values that mean yes and no must differ.")

    @classmethod
    def short(cls, given: Any) -> Self | None:
        """Return yes or no for the type `bool`."""
        return cls() if given is bool else None

    @property
    def labels(self) -> tuple[str, ...]:
        """The levels; no comes first."""
        return Phrase("no"), Phrase("yes")

    def codes(self, cells: Any) -> IntArray:
        """Return 0 for no, 1 for yes, and -1 for any other cell."""
        no = self.no or NO
        yes = self.yes or YES
        words = _lowered(pa.array([*no, *yes], pa.large_string()))
        places = pc.index_in(_lowered(text(cells, SIGN * longest(words) + SPELLED)), value_set=words)
        spoken = np.asarray(places.fill_null(-1)).astype(np.int64)
        return np.where(spoken < 0, -1, (spoken >= len(no)).astype(np.int64))

    def as_read(self, column: str) -> tuple[Phrase, ...]:
        """Describe what happens to other words."""
        return (Phrase("rows in which {column} is neither yes nor no dropped", column=column),)


def _is_word(word: object) -> bool:
    return isinstance(word, str) and word.strip() == word != ""


def _lowered(words: pa.Array) -> pa.Array:
    return pc.utf8_lower(canonical(words))
