"""Widgets of a category: its allowed values, typed with commas and chosen in a filter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.rows import Category, Filter
from discreet.rows.codebooks.level_list import levels_of, meanings_of, written
from discreet.rows.columns import Kind
from discreet.ui.frame.words import quoted, say
from discreet.ui.kinds.widgets import Cell, Line, Widgets, source, text_of

PASTED = Phrase(
    "Enter one value per line, or separate values with commas. In a list of codes such as 1 = male, "
    "the meanings become labels."
)
WIDTH = 200  # of a list of values, in pixels: the widest cell


class CategoryWidgets(Widgets[Category]):
    """A category can be recognised by its allowed values alone."""

    declares: ClassVar[type[Kind]] = Category
    names: ClassVar[tuple[str, ...]] = ("category",)
    rank: ClassVar[int] = 2

    def cells(self) -> dict[str, Cell]:
        """Ask for the allowed values."""
        text = st.column_config.TextColumn
        box = st.column_config.CheckboxColumn
        words = say("Separate values with commas. Put a value that contains a comma in quotes.")
        return {
            "levels": Cell("", text(say("Allowed values"), width=WIDTH, help=words), PASTED),
            "other": Cell(False, box(say("Other"), help=say("If on, all other values are collected in one group."))),
        }

    def details(self) -> dict[str, Cell]:
        """Ask for the meaning of codes, and the source of the list."""
        called = say("Enter the labels of coded values in the same order, separated by commas.")
        names = Cell("", st.column_config.TextColumn(say("Labels"), help=called))
        return {"names": names, "origin": source()}

    def shows(self, line: Line) -> bool:
        """Allowed values imply a category."""
        return bool(text_of(line["levels"]))

    def declared(self, line: Line, name: str) -> Category:
        """Parse a typed or pasted list of values; a quoted value may contain a comma."""
        typed = text_of(line["levels"])
        levels = levels_of(typed)
        names = levels_of(text_of(line["names"]))
        if not levels:
            raise ParameterError("Enter the allowed values, separated by commas.")
        origin = text_of(line["origin"])
        return Category(levels, other=bool(line["other"]), names=names or meanings_of(typed), origin=origin)

    def line(self, declared: Category) -> Line:
        """Write the values so that they parse back unchanged."""
        listed: Line = {"levels": written(declared.levels), "names": written(declared.names)}
        return listed | {"other": declared.other, "origin": declared.origin}

    def words(self, declared: Category) -> str:
        """List the allowed values."""
        return ", ".join(declared.labels)

    def conditions(self, column: str, declared: Category, key: str) -> list[Filter] | None:
        """Ask for some of the allowed values."""
        levels = st.multiselect(
            say("{column} is", column=quoted(column)),
            declared.labels,
            key=f"{key}:in:{column}",
            persist_state="session",
            select_all=False,
            placeholder=say("Choose values"),
        )
        if not levels:
            return None
        others = st.checkbox(say("All values except these"), key=f"{key}:not:{column}", persist_state="session")
        return [Filter(column, "not in" if others else "in", tuple(levels))]

    def filled(self, column: str, declared: Category, filters: Sequence[Filter], key: str) -> dict[str, Any]:
        """Set the values, and whether they are the excluded ones."""
        listed = [each for each in filters if each.comparison in ("in", "not in")]
        return {f"{key}:in:{column}": list(each.value) for each in listed if isinstance(each.value, tuple)} | {
            f"{key}:not:{column}": each.comparison == "not in" for each in listed
        }
