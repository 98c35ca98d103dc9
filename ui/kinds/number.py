"""Widgets of a number: its bounds, its step, its rule for missing values, its range in a filter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.rows import Filter, Number
from discreet.rows.columns import DROP, Kind
from discreet.rows.numerals import EXAMPLES, PLAIN
from discreet.ui.figures.curves import simulated
from discreet.ui.frame.words import quoted, say
from discreet.ui.kinds.widgets import Cell, Line, Widgets, numerals_of, source, text_of, typed

WHOLE = "whole number"
ENDS = {"lower": Phrase("Lower"), "upper": Phrase("Upper"), "step": Phrase("Step")}
WAYS = (*EXAMPLES, PLAIN, "1234,5", "1 234.5", "1'234,5")


class NumberWidgets(Widgets[Number]):
    """A number can be recognised by its bounds alone."""

    declares: ClassVar[type[Kind]] = Number
    names: ClassVar[tuple[str, ...]] = ("number", WHOLE)
    rank: ClassVar[int] = 1
    drawn: ClassVar[bool] = True

    def cells(self) -> dict[str, Cell]:
        """Ask for the bounds and the unit."""
        text = st.column_config.TextColumn
        return {
            "lower": Cell("", text(say("Lower"), width=90, help=say("Smaller values are raised to this lower bound."))),
            "upper": Cell("", text(say("Upper"), width=90, help=say("Larger values are lowered to this upper bound."))),
            "unit": Cell("", text(say("Unit"), help=say("Enter the unit of the values, for example years or euros."))),
        }

    def details(self) -> dict[str, Cell]:
        """Ask for the source, the step, the rule for missing values and the format of numbers."""
        text = st.column_config.TextColumn
        step = say("Leave this empty for an automatic step (1 for whole numbers).")
        missing = say("Leave this empty to drop the row, or enter a replacement value.")
        choice = st.column_config.SelectboxColumn
        affixes = say(
            "Enter symbols that may surround a number, separated by spaces: € EUR %. Add () if brackets mean negative."
        )
        return {
            "origin": source(),
            "step": Cell("", text(say("Step"), width=80, help=step)),
            "missing": Cell("", text(say("If missing"), help=missing)),
            "written": Cell(
                "",
                choice(
                    say("Number format"),
                    options=["", *WAYS],
                    help=say(
                        "Choose the format of numbers in text and of the bounds you enter. "
                        "Default: the format chosen for the file."
                    ),
                ),
            ),
            "affixes": Cell("", text(say("Symbols around numbers"), help=affixes)),
        }

    def shows(self, line: Line) -> bool:
        """Bounds imply a number."""
        return bool(text_of(line["lower"]) or text_of(line["upper"]))

    def declared(self, line: Line, name: str) -> Number:
        """Parse bounds, step, rule for missing values, source, unit and format."""
        lower, upper, step = (typed(line, place, say(label)) for place, label in ENDS.items())
        if lower is None or upper is None:
            raise ParameterError("Enter a lower and an upper bound from public knowledge.")
        origin = text_of(line["origin"])
        unit = text_of(line["unit"])
        way = numerals_of(line)
        written = way.decimal, way.thousands, tuple(text_of(line["affixes"]).split())
        return Number(lower, upper, step, name == WHOLE, _missing(line), origin, unit, *written)

    def line(self, declared: Number) -> Line:
        """Write the cells of a number."""
        way = declared.numerals
        values = {name: getattr(declared, name) for name in ("lower", "upper", "step", "missing")}
        ends = {name: "" if value in (None, DROP) else way.written(value) for name, value in values.items()}
        about = {"origin": declared.origin, "unit": declared.unit, "affixes": " ".join(declared.affixes)}
        return ends | about | {"written": way.signs}

    def called(self, declared: Number) -> str:
        """Return whether it is called a whole number."""
        return WHOLE if declared.integer else self.names[0]

    def words(self, declared: Number) -> str:
        """Describe bounds, step, rule for missing values and, unless it is the default, the format."""
        missing = say("dropped") if declared.missing == DROP else f"= {declared.missing:.15g}"
        ends = {"low": declared.lower, "high": declared.upper, "missing": missing}
        if declared.step is None and not declared.integer:
            words = say("{low:.15g} to {high:.15g}, with decimals, missing values {missing}", **ends)
        else:
            step = declared.bounds.resolution
            words = say("{low:.15g} to {high:.15g}, step {step:.15g}, missing values {missing}", step=step, **ends)
        numerals = declared.numerals
        return words + ("" if numerals.usual else say(", format {example}", example=numerals.example))

    def written(self, declared: Number) -> tuple[Phrase, str]:
        """Return an example of a number in this format."""
        return Phrase("numbers like {examples}"), declared.numerals.signs

    def picture(self, declared: Number, name: str, key: str) -> None:
        """Draw simulated values between the bounds."""
        simulated(declared, name, declared.unit, key)

    def conditions(self, column: str, declared: Number, key: str) -> list[Filter]:
        """Ask for a range; an unchanged bound is no condition."""
        left, right = st.columns(2)
        kind = int if declared.integer else float
        lowest = kind(declared.lower)
        highest = kind(declared.upper)
        marks = f"{key}:from:{column}", f"{key}:to:{column}"
        label = say("{column} from", column=quoted(column))
        low = left.number_input(label, lowest, highest, lowest, key=marks[0], persist_state="session")
        label = say("{column} to", column=quoted(column))
        high = right.number_input(label, lowest, highest, highest, key=marks[1], persist_state="session")
        conditions = [Filter(column, ">=", low)] if low > lowest else []
        return [*conditions, Filter(column, "<=", high)] if high < highest else conditions

    def filled(self, column: str, declared: Number, filters: Sequence[Filter], key: str) -> dict[str, Any]:
        """Set both ends, each as its filter gives it."""
        kind = int if declared.integer else float
        ends = {">=": "from", "<=": "to"}
        said = {ends[each.comparison]: each.value for each in filters if each.comparison in ends}
        return {f"{key}:{end}:{column}": kind(float(str(value))) for end, value in said.items()}


def _missing(line: Line) -> str | float:
    if text_of(line["missing"]) in ("", DROP):
        return DROP
    missing = typed(line, "missing", say("If missing"))
    assert missing is not None
    return missing
