"""Widgets of a person column: how many rows of each person count, or how they are combined into one."""

from __future__ import annotations

from typing import ClassVar

import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.rows import Person
from discreet.rows.columns import Kind
from discreet.ui.frame.words import say
from discreet.ui.kinds.widgets import Cell, Line, Widgets, text_of, typed
from discreet.ui.session.state import chosen

SEVERAL = "10"  # rows per person, until another number is typed
MEAN = "mean"  # how rows are combined, as a declaration names it
AVERAGE = "average"
COUNTED = {
    "one": Phrase("One row, picked at random"),
    "several": Phrase("Several rows, up to a limit"),
    AVERAGE: Phrase("The mean of their rows"),
}
MEANS = {
    "one": Phrase("Each person counts once, by that row."),
    "several": Phrase("Each person counts once per row, up to the limit. Counts are of rows, with more noise."),
    AVERAGE: Phrase("Each person counts once, in the category of a random row. Their numbers are averaged."),
}


class PersonWidgets(Widgets[Person]):
    """A person column can be recognised by its number of rows alone."""

    declares: ClassVar[type[Kind]] = Person
    names: ClassVar[tuple[str, ...]] = ("person",)
    rank: ClassVar[int] = 3

    def cells(self) -> dict[str, Cell]:
        """Ask for the number of rows."""
        text = st.column_config.TextColumn
        return {
            "rows": Cell(
                "", text(say("Rows per person"), help=say("Enter the maximum number of rows counted per person."))
            )
        }

    def details(self) -> dict[str, Cell]:
        """Ask how the rows of one person are combined."""
        reduced = say(
            "If set, each person has one value instead of several rows: the mean of their rows, or one row "
            "picked at random."
        )
        joined = say(
            "If on, identifiers that differ only in capitals or Unicode form are one person. If off, AB1 and "
            "ab1 are two people."
        )
        choice = st.column_config.SelectboxColumn
        box = st.column_config.CheckboxColumn
        return {
            "reduce": Cell("", choice(say("One value per person"), options=["", "mean", "first"], help=reduced)),
            "fold": Cell(False, box(say("Ignore case and Unicode form"), help=joined)),
        }

    def ask(self, line: Line, key: str) -> set[str]:
        """Ask which rows of a person count; the number is asked only where it matters."""
        way = st.segmented_control(
            say("What counts of each person"),
            list(COUNTED),
            default=_counted(line),
            key=f"{key}:counted",
            format_func=lambda name: say(COUNTED[name]),
            required=True,
        )
        st.caption("\n".join(f"- **{say(COUNTED[name])}**: {say(MEANS[name])}" for name in COUNTED))
        return {"reduce"} if way == "several" else {"reduce", "rows"}

    def take(self, line: Line, key: str) -> None:
        """Turn the chosen answer into the kind and its cells."""
        way = chosen(f"{key}:counted")
        if way is None or way == _counted(line):
            return
        line["kind"] = self.names[0]
        line["rows"] = {"several": SEVERAL}.get(str(way), "1")
        line["reduce"] = MEAN if way == AVERAGE else ""

    def shows(self, line: Line) -> bool:
        """A number of rows implies a person column."""
        return bool(text_of(line["rows"]))

    def declared(self, line: Line, name: str) -> Person:
        """Parse the number of rows, or the rule that combines them."""
        if _counted(line) is None:
            raise ParameterError("Choose what counts of each person: one row, several rows, or the mean of their rows.")
        rows = typed(line, "rows", say("Rows per person"))
        if rows is not None and not rows.is_integer():
            raise ParameterError("Rows per person must be a whole number.")
        return Person(1 if rows is None else int(rows), text_of(line["reduce"]) or None, bool(line["fold"]))

    def line(self, declared: Person) -> Line:
        """Write the cells of a person column."""
        return {"rows": str(declared.rows), "reduce": declared.reduce or "", "fold": declared.fold}

    def words(self, declared: Person) -> str:
        """Describe which rows count."""
        return _counting(declared) + (say(", ignoring case and Unicode form") if declared.fold else "")


def _counted(line: Line) -> str | None:
    """Return which answer a line is; None if nothing was said."""
    reduce = text_of(line["reduce"])
    rows = text_of(line["rows"])
    if reduce == MEAN or not (reduce or rows):
        return AVERAGE if reduce else None
    return "one" if reduce or rows == "1" else "several"


def _counting(declared: Person) -> str:
    if declared.reduce == MEAN:
        return say("the mean of a person's rows")
    if declared.reduce == "first":
        return say("one row per person, picked at random")
    if declared.rows == 1:
        return say("at most one row per person")
    return say("at most {rows} rows per person", rows=declared.rows)
