"""Widgets of a category: its levels, typed with commas and chosen in a filter."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import ClassVar

import streamlit as st

from discreet.budget import ParameterError
from discreet.rows import Category, Filter
from discreet.rows.columns import Kind
from discreet.ui.frame.words import quoted, say
from discreet.ui.kinds.widgets import Cell, Line, Widgets, text_of


class CategoryWidgets(Widgets[Category]):
    """A category is told by its levels alone."""

    declares: ClassVar[type[Kind]] = Category
    names: ClassVar[tuple[str, ...]] = ("category",)
    rank: ClassVar[int] = 2

    def cells(self) -> dict[str, Cell]:
        """Ask for the levels."""
        text, box = st.column_config.TextColumn, st.column_config.CheckboxColumn
        return {
            "levels": Cell("", text(say("Levels"), help=say("Separated by commas."))),
            "other": Cell(False, box(say("Other"), help=say("Count other levels."))),
        }

    def details(self) -> dict[str, Cell]:
        """Ask what codes mean."""
        called = say("What the levels are called where cells hold codes, in their order, separated by commas.")
        return {"names": Cell("", st.column_config.TextColumn(say("Names of levels"), help=called))}

    def shows(self, line: Line) -> bool:
        """Levels alone make a category."""
        return bool(text_of(line["levels"]))

    def declared(self, line: Line, name: str) -> Category:
        """Read levels as a line of CSV, so that one may hold a comma."""
        levels = _cut(line["levels"])
        if not levels:
            raise ParameterError("Type the levels, separated by commas.")
        return Category(levels, other=bool(line["other"]), names=_cut(line["names"]))

    def line(self, declared: Category) -> Line:
        """Write them as a line of CSV."""
        return {"levels": _joined(declared.levels), "other": declared.other, "names": _joined(declared.names)}

    def words(self, declared: Category) -> str:
        """Say the levels."""
        return ", ".join(declared.labels)

    def conditions(self, column: str, declared: Category, key: str) -> list[Filter]:
        """Ask for some of the levels."""
        levels = st.multiselect(
            say("{column} is", column=quoted(column)),
            declared.labels,
            key=f"{key}:in:{column}",
            persist_state="session",
            placeholder=say("Choose levels"),
        )
        return [Filter(column, "in", tuple(levels))] if levels else []


def _cut(cell: object) -> tuple[str, ...]:
    cells = next(csv.reader([text_of(cell)], skipinitialspace=True), [])
    return tuple(text.strip() for text in cells if text.strip())


def _joined(texts: Sequence[str]) -> str:
    sink = io.StringIO()
    csv.writer(sink, lineterminator="").writerow(texts)
    return sink.getvalue()
