"""Widgets of a flag: one box in the table, one choice in a filter."""

from __future__ import annotations

from typing import ClassVar

import streamlit as st

from discreet.rows import Filter
from discreet.rows.columns import Kind
from discreet.rows.columns.flag import Flag
from discreet.ui.frame.words import quoted, say
from discreet.ui.kinds.widgets import Cell, Line, Widgets


class FlagWidgets(Widgets[Flag]):
    """A flag is told by its name."""

    declares: ClassVar[type[Kind]] = Flag
    names: ClassVar[tuple[str, ...]] = ("flag",)

    def details(self) -> dict[str, Cell]:
        """Ask what silence means."""
        return {"silent": Cell(False, st.column_config.CheckboxColumn(say("Silence is no")))}

    def declared(self, line: Line, name: str) -> Flag:
        """Read it."""
        return Flag(bool(line["silent"]))

    def line(self, declared: Flag) -> Line:
        """Write it."""
        return {"silent": declared.silent}

    def words(self, declared: Flag) -> str:
        """Say both."""
        return say("yes or no")

    def conditions(self, column: str, declared: Flag, key: str) -> list[Filter]:
        """Ask for one of them."""
        choice = st.segmented_control(quoted(column), declared.labels, key=f"{key}:flag:{column}")
        return [Filter(column, "=", choice)] if choice else []
