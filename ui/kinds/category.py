"""Widgets of a category: its levels, typed with commas and chosen in a filter."""

from __future__ import annotations

import csv
import io
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

    def shows(self, line: Line) -> bool:
        """Levels alone make a category."""
        return bool(text_of(line["levels"]))

    def declared(self, line: Line, name: str) -> Category:
        """Read levels as a line of CSV, so that one may hold a comma."""
        cells = next(csv.reader([text_of(line["levels"])], skipinitialspace=True), [])
        levels = tuple(cell.strip() for cell in cells if cell.strip())
        if not levels:
            raise ParameterError("Type the levels, separated by commas.")
        return Category(levels, other=bool(line["other"]))

    def line(self, declared: Category) -> Line:
        """Write them as a line of CSV."""
        sink = io.StringIO()
        csv.writer(sink, lineterminator="").writerow(declared.levels)
        return {"levels": sink.getvalue(), "other": declared.other}

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
