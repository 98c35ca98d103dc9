"""Widgets of a yes-or-no column: the words for each value, and one choice in a filter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import streamlit as st

from discreet.rows import Filter
from discreet.rows.columns import Kind
from discreet.rows.columns.yes_no import YesNo
from discreet.ui.frame.words import quoted, say
from discreet.ui.kinds.widgets import Cell, Line, Widgets, text_of


class YesNoWidgets(Widgets[YesNo]):
    """A yes-or-no column can only be recognised by its name."""

    declares: ClassVar[type[Kind]] = YesNo
    names: ClassVar[tuple[str, ...]] = ("yes-no",)
    rank: ClassVar[int] = 5

    def details(self) -> dict[str, Cell]:
        """Ask for the words, if they are not the usual ones."""
        text = st.column_config.TextColumn
        usual = say("Separate values with commas. Default: the usual words, true and false, 1 and 0.")
        return {
            "yes": Cell("", text(say("Values that mean yes"), help=usual)),
            "no": Cell("", text(say("Values that mean no"), help=usual)),
        }

    def declared(self, line: Line, name: str) -> YesNo:
        """Parse the words."""
        return YesNo(_words(line["yes"]), _words(line["no"]))

    def line(self, declared: YesNo) -> Line:
        """Write the words."""
        return {"yes": ", ".join(declared.yes), "no": ", ".join(declared.no)}

    def words(self, declared: YesNo) -> str:
        """List the words, if they are not the usual ones."""
        if not declared.yes:
            return say("yes or no")
        return say("yes: {yes}; no: {no}", yes=", ".join(declared.yes), no=", ".join(declared.no))

    def conditions(self, column: str, declared: YesNo, key: str) -> list[Filter] | None:
        """Ask for one of the two values."""
        choice = st.segmented_control(
            quoted(column), declared.labels, key=f"{key}:yes:{column}", format_func=say, persist_state="session"
        )
        return [Filter(column, "=", choice)] if choice else None

    def filled(self, column: str, declared: YesNo, filters: Sequence[Filter], key: str) -> dict[str, Any]:
        """Set the choice."""
        return {f"{key}:yes:{column}": each.value for each in filters if each.comparison == "="}


def _words(cell: object) -> tuple[str, ...]:
    return tuple(word.strip() for word in text_of(cell).split(",") if word.strip())
