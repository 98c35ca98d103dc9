"""Widgets: what a screen has for one kind of column: its cells, its words, its filter."""

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
from discreet.ui.frame.words import say

K = TypeVar("K", bound=Kind)
MOST_QUOTED = 40  # signs of what somebody typed
Line = dict[str, Any]  # what is typed about one column
T = TypeVar("T")
Pair = tuple[T, T]
registry: dict[type[Kind], Widgets[Any]] = {}


@dataclass(frozen=True)
class Cell:
    """One more column of the table of declarations: what stands in it before anybody types, and its looks."""

    empty: str | bool
    looks: Any
    pasted: Phrase | None = None  # what may be pasted where there is room for more than a line


class Widgets(ABC, Generic[K]):
    """A subclass that says which kind it `declares` is found by registration.

    The table calls the kind by `names`; one line may be enough to tell it without (`shows`). Cells
    that every declaration needs stand before the `details`.
    """

    declares: ClassVar[type[Kind]]
    names: ClassVar[tuple[str, ...]]
    rank: ClassVar[int] = 100  # where its cells stand in the table

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Register the widgets of every kind, so that there is no list to edit."""
        super().__init_subclass__(**kwargs)
        registry[cls.declares] = cls()

    def cells(self) -> dict[str, Cell]:
        """Return the cells that say most of it."""
        return {}

    def details(self) -> dict[str, Cell]:
        """Return the cells that few declarations need."""
        return {}

    def shows(self, line: Line) -> bool:
        """Say whether what is typed can only mean this kind."""
        return False

    @abstractmethod
    def declared(self, line: Line, name: str) -> K:
        """Turn one line of the table into a declaration."""

    @abstractmethod
    def line(self, declared: K) -> Line:
        """Return what would be typed for a declaration."""

    def called(self, declared: K) -> str:
        """Return which of its names a declaration has."""
        return self.names[0]

    def words(self, declared: K) -> str:
        """Say a declaration in a few words, for reading."""
        return ""

    def written(self, declared: K) -> tuple[Phrase, str] | None:
        """Return how cells are written, in words around an example, where that must be said."""
        return None

    def between(self, declared: K, labels: Pair[str], ends: Pair[float], keys: Pair[str]) -> Pair[float]:
        """Ask for two places among the values of a column, the lower one and the upper one."""
        left, right = st.columns(2)
        low = left.number_input(labels[0], value=float(ends[0]), format="%g", key=keys[0])
        return low, right.number_input(labels[1], value=float(ends[1]), format="%g", key=keys[1])

    def conditions(self, column: str, declared: K, key: str) -> list[Filter]:
        """Ask which rows count, by this column; no choice keeps all of them."""
        return []

    def filled(self, column: str, declared: K, filters: Sequence[Filter], key: str) -> dict[str, Any]:
        """Return what the widgets of `conditions` are set to where they say these filters."""
        return {}


def source() -> Cell:
    """Return the cell that asks from where bounds or levels are known; all kinds that have any share it."""
    help = say("The public source of the bounds or levels.")
    return Cell("", st.column_config.TextColumn(say("Where from"), help=help))


def text_of(cell: Any) -> str:
    """Return what is typed in a cell."""
    return "" if cell is None or pd.isna(cell) else str(cell).strip()


def numerals_of(line: Line) -> Numerals:
    """Return how numbers of a column are written, in its cells and where somebody types one."""
    return Numerals.like(text_of(line["written"]) or PLAIN)


def typed(line: Line, place: str, label: str) -> float | None:
    """Return the number that is typed in a cell, written as the column is; None where there is none."""
    text = text_of(line[place])
    way = numerals_of(line)
    number = way.number(text)
    if text and number is None:
        raise ParameterError(
            "{label}: {text} is not written like {example}. Write it so, or change how numbers are written.",
            label=label,
            text=text[:MOST_QUOTED],
            example=way.signs,
        )
    return number
