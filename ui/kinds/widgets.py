"""Widgets: the cells, wording and filter of one kind of column."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

import pandas as pd
import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.rows import Filter
from discreet.rows.columns import Kind
from discreet.rows.numerals import PLAIN, Numerals
from discreet.ui.frame.words import quoted, say

K = TypeVar("K", bound=Kind)
MOST_QUOTED = 40  # characters of quoted input
Line = dict[str, Any]  # the typed cells of one column
T = TypeVar("T")
Pair = tuple[T, T]
registry: dict[type[Kind], Widgets[Any]] = {}


@dataclass(frozen=True)
class Cell:
    """One more column of the table of declarations: its default and its appearance."""

    empty: str | bool
    looks: Any
    pasted: Phrase | None = None  # what can be pasted where there is room for more than a line


class Widgets(ABC, Generic[K]):
    """The base class of all widgets; a subclass registers itself for the kind that it `declares`.

    The table calls the kind by `names`; typed cells may imply it without its name (`shows`). Cells that every schema
    needs come before the `details`.
    """

    declares: ClassVar[type[Kind]]
    names: ClassVar[tuple[str, ...]]
    rank: ClassVar[int] = 100  # the position of its cells in the table
    drawn: ClassVar[bool] = False  # whether a declaration has a picture
    derived: ClassVar[bool] = False  # whether columns of this kind are in no data, and have no line of the table

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Register the widgets of every kind, so that there is no list to edit."""
        super().__init_subclass__(**kwargs)
        registry[cls.declares] = cls()

    def cells(self) -> dict[str, Cell]:
        """Return the most important cells."""
        return {}

    def details(self) -> dict[str, Cell]:
        """Return the cells that are rarely needed."""
        return {}

    def ask(self, line: Line, key: str) -> set[str]:
        """Ask in words of its own for what its cells mean together; return the cells that this leaves out."""
        return set()

    def take(self, line: Line, key: str) -> None:
        """Take what was answered to `ask`, before anything that shows the line is drawn."""

    def shows(self, line: Line) -> bool:
        """Whether the typed cells can only mean this kind."""
        return False

    @abstractmethod
    def declared(self, line: Line, name: str) -> K:
        """Parse one line of the table into a declared kind."""

    @abstractmethod
    def line(self, declared: K) -> Line:
        """Return the cells that would be typed for a declared kind."""

    def called(self, declared: K) -> str:
        """Return which of its names a declared kind has."""
        return self.names[0]

    def words(self, declared: K) -> str:
        """Describe a declared kind in a few words."""
        return ""

    def written(self, declared: K) -> tuple[Phrase, str] | None:
        """Return the format of cells, in a phrase with an example, if it must be stated."""
        return None

    def picture(self, declared: K, name: str, key: str) -> None:
        """Draw what a declaration means, beside its fields, where `drawn`."""

    def between(self, declared: K, labels: Pair[str], ends: Pair[float], keys: Pair[str]) -> Pair[float]:
        """Ask for two values of a column, the lower one and the upper one."""
        left, right = st.columns(2)
        low = left.number_input(labels[0], value=float(ends[0]), format="%g", key=keys[0])
        return low, right.number_input(labels[1], value=float(ends[1]), format="%g", key=keys[1])

    def conditions(self, column: str, declared: K, key: str) -> list[Filter] | None:
        """Ask which rows count, by this column; None while nothing is chosen that has to be."""
        return []

    def bands(self, column: str, declared: K, text: str, key: str) -> str:
        """Ask for the bands of a column, as they are typed."""
        return st.text_input(
            say("Bands of {column}", column=quoted(column)),
            text,
            key=key,
            persist_state="session",
            help=say("Enter a width such as 10, where bands begin, such as 0, 18, 65, or one limit, such as >= 65."),
        )

    def filled(self, column: str, declared: K, filters: Sequence[Filter], key: str) -> dict[str, Any]:
        """Return the values of the widgets of `conditions` for these filters."""
        return {}


def source() -> Cell:
    """Return the cell for the source of bounds or allowed values, which all kinds with either share."""
    help = say("Enter the public source of the bounds or allowed values.")
    return Cell("", st.column_config.TextColumn(say("Known from"), help=help))


def text_of(cell: Any) -> str:
    """Return the text typed in a cell."""
    return "" if cell is None or pd.isna(cell) else str(cell).strip()


def numerals_of(line: Line) -> Numerals:
    """Return the number format of a column, for its data and for typed numbers."""
    return Numerals.like(text_of(line["written"]) or PLAIN)


def typed(line: Line, place: str, label: str) -> float | None:
    """Return the number typed in a cell, in the format of the column; None if empty."""
    text = text_of(line[place])
    way = numerals_of(line)
    number = way.number(text)
    if text and number is None:
        raise ParameterError(
            "{label}: {text} does not match the number format {example}. Change the value or the number format.",
            label=label,
            text=text[:MOST_QUOTED],
            example=way.signs,
        )
    return number
