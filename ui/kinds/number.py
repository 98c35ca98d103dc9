"""Widgets of a number: its bounds, its step, what is missing, its range in a filter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import pandas as pd
import streamlit as st

from discreet.budget import ParameterError
from discreet.rows import Filter, Number
from discreet.rows.columns import DROP, Kind
from discreet.rows.numerals import DECIMALS, POINT, THOUSANDS
from discreet.ui.frame.words import quoted, say
from discreet.ui.kinds.widgets import Cell, Line, Widgets, source, text_of

WHOLE = "whole number"


class NumberWidgets(Widgets[Number]):
    """A number is told by its bounds alone."""

    declares: ClassVar[type[Kind]] = Number
    names: ClassVar[tuple[str, ...]] = ("number", WHOLE)
    rank: ClassVar[int] = 1

    def cells(self) -> dict[str, Cell]:
        """Ask for bounds, step and missing rule."""
        number, text = st.column_config.NumberColumn, st.column_config.TextColumn
        step = say("Empty: 1 for whole numbers, else fine enough.")
        return {
            "lower": Cell(None, number(say("Lower"), width=90, help=say("The smallest value that counts."))),
            "upper": Cell(None, number(say("Upper"), width=90, help=say("The largest value that counts."))),
            "step": Cell(None, number(say("Step"), width=80, help=step)),
            "missing": Cell("", text(say("If missing"), help=say("Empty leaves the row out, or a number."))),
        }

    def details(self) -> dict[str, Cell]:
        """Ask for the unit, the source and how numbers are written."""
        text, choice = st.column_config.TextColumn, st.column_config.SelectboxColumn
        affixes = say("What may stand beside a number, with blanks between: € EUR %. With () brackets mean below zero.")
        return {
            "unit": Cell("", text(say("Unit"), help=say("What a value is counted in: years, euros."))),
            "origin": source(),
            "decimal": Cell(
                "",
                choice(say("Decimal sign"), options=["", *DECIMALS], help=say("Of numbers in text. Empty: a point.")),
            ),
            "thousands": Cell(
                "",
                choice(
                    say("Between thousands"),
                    options=list(THOUSANDS),
                    format_func=lambda sign: say("blank") if sign == " " else str(sign),
                    help=say("Of numbers in text, in groups of three digits. Empty: nothing."),
                ),
            ),
            "affixes": Cell("", text(say("Beside a number"), help=affixes)),
        }

    def shows(self, line: Line) -> bool:
        """Bounds alone make a number."""
        return not (pd.isna(line["lower"]) and pd.isna(line["upper"]))

    def declared(self, line: Line, name: str) -> Number:
        """Read bounds, step, missing rule, source, unit and how numbers are written."""
        if pd.isna(line["lower"]) or pd.isna(line["upper"]):
            raise ParameterError("Type lower and upper, from public knowledge.")
        step = None if pd.isna(line["step"]) else float(line["step"])
        origin, unit = text_of(line["origin"]), text_of(line["unit"])
        written = _written(line)
        return Number(line["lower"], line["upper"], step, name == WHOLE, _missing(line), origin, unit, *written)

    def line(self, declared: Number) -> Line:
        """Write them."""
        missing = "" if declared.missing == DROP else str(declared.missing)
        bounds: Line = {"lower": declared.lower, "upper": declared.upper, "step": declared.step}
        written = {"thousands": declared.thousands, "affixes": " ".join(declared.affixes)}
        written["decimal"] = "" if declared.decimal == POINT else declared.decimal
        return bounds | {"missing": missing, "origin": declared.origin, "unit": declared.unit} | written

    def called(self, declared: Number) -> str:
        """Say which numbers are whole."""
        return WHOLE if declared.integer else self.names[0]

    def words(self, declared: Number) -> str:
        """Say bounds, step, missing rule and, where it is not the usual one, how numbers are written."""
        missing = say("left out") if declared.missing == DROP else f"= {declared.missing:g}"
        ends = {"low": declared.lower, "high": declared.upper, "missing": missing}
        if declared.step is None and not declared.integer:
            words = say("{low:g} to {high:g}, with decimals, missing {missing}", **ends)
        else:
            step = declared.bounds.resolution
            words = say("{low:g} to {high:g}, step {step:g}, missing {missing}", step=step, **ends)
        numerals = declared.numerals
        return words + ("" if numerals.usual else say(", written like {example}", example=numerals.example))

    def conditions(self, column: str, declared: Number, key: str) -> list[Filter]:
        """Ask for a range; a bound that is left where it is says nothing."""
        left, right = st.columns(2)
        kind = int if declared.integer else float
        lowest, highest = kind(declared.lower), kind(declared.upper)
        marks = f"{key}:from:{column}", f"{key}:to:{column}"
        label = say("{column} from", column=quoted(column))
        low = left.number_input(label, lowest, highest, lowest, key=marks[0], persist_state="session")
        label = say("{column} to", column=quoted(column))
        high = right.number_input(label, lowest, highest, highest, key=marks[1], persist_state="session")
        conditions = [Filter(column, ">=", low)] if low > lowest else []
        return [*conditions, Filter(column, "<=", high)] if high < highest else conditions

    def filled(self, column: str, declared: Number, filters: Sequence[Filter], key: str) -> dict[str, Any]:
        """Set both ends, each where it is said."""
        kind, ends = int if declared.integer else float, {">=": "from", "<=": "to"}
        said = {ends[each.comparison]: each.value for each in filters if each.comparison in ends}
        return {f"{key}:{end}:{column}": kind(float(str(value))) for end, value in said.items()}


def _written(line: Line) -> tuple[str, str, tuple[str, ...]]:
    """Read how numbers are written; a blank is a choice here."""
    decimal, thousands = text_of(line["decimal"]) or POINT, line["thousands"]
    return decimal, thousands if isinstance(thousands, str) else "", tuple(text_of(line["affixes"]).split())


def _missing(line: Line) -> str | float:
    text = text_of(line["missing"])
    try:
        return DROP if text in ("", DROP) else float(text)
    except ValueError:
        raise ParameterError("If missing must be empty or a number.") from None
