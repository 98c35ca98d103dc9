"""The table that declares columns, one line each; what is typed in it becomes a declaration."""

from __future__ import annotations

import csv
import io
from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget.errors import ParameterError
from discreet.curator import Category, Ignored, Number, Person, Schema
from discreet.rows.schema import DROP, Declaration
from discreet.ui.frame.words import quoted, say
from discreet.ui.state import base_of

AUTOMATIC = "automatic"
KINDS = [AUTOMATIC, "ignored", "number", "whole number", "category", "person"]
COLUMNS = {
    "column": "",
    "kind": AUTOMATIC,
    "lower": None,
    "upper": None,
    "step": None,
    "missing": "",
    "levels": "",
    "other": False,
    "rows": None,
    "unit": "",
    "origin": "",
    "reduce": "",
    "fold": False,
}
MOST_TOLD = 12
NUMERIC = ("lower", "upper", "step", "rows")


def empty(names: list[str]) -> pd.DataFrame:
    """Return a table in which nothing is declared yet."""
    return _typed(pd.DataFrame([COLUMNS | {"column": name} for name in names]))


def _typed(lines: pd.DataFrame) -> pd.DataFrame:
    return lines.astype({name: float for name in NUMERIC} | {"other": bool, "fold": bool})


def table(lines: pd.DataFrame, key: str) -> pd.DataFrame:
    """Show the editable table and return its lines; they survive leaving the page."""
    text, numbers = st.column_config.TextColumn, st.column_config.NumberColumn
    kind = st.column_config.SelectboxColumn
    edited: pd.DataFrame = st.data_editor(
        base_of(key, lines),
        key=key,
        hide_index=True,
        disabled=["column"],
        alt=say("Declarations, one line for each column"),
        column_config={
            "column": text(say("Column"), pinned=True, width=130),
            "kind": kind(
                say("Kind"),
                options=KINDS,
                required=True,
                width=110,
                help=say("Automatic: a number if it has bounds, a category if it has levels, else ignored."),
            ),
            "lower": numbers(say("Lower"), width=90, help=say("The smallest value that counts.")),
            "upper": numbers(say("Upper"), width=90, help=say("The largest value that counts.")),
            "step": numbers(say("Step"), width=80, help=say("Empty: 1 for whole numbers, else fine enough.")),
            "missing": text(say("If missing"), help=say("Empty leaves the row out, or a number.")),
            "levels": text(say("Levels"), help=say("Separated by commas.")),
            "other": st.column_config.CheckboxColumn(say("Other"), help=say("Count other levels.")),
            "rows": numbers(say("Rows a person"), help=say("At most so many count. Empty: 1.")),
            "unit": text(say("Unit"), help=say("What a value is counted in: years, euros.")),
            "origin": text(say("Where from"), help=say("The public source of the bounds.")),
            **_of_persons(),
        },
    )
    return edited


def _of_persons() -> dict[str, Any]:
    """Return the two columns that say how rows of one person are taken together."""
    return {
        "reduce": st.column_config.SelectboxColumn(
            say("One for each"),
            options=["", "mean", "first"],
            help=say("Of a person: the mean of their rows, or one row by secret chance, in place of a number of rows."),
        ),
        "fold": st.column_config.CheckboxColumn(
            say("Join spellings"),
            help=say(
                "Of a person: capitals and Unicode variants of an identifier are one person. "
                "Otherwise AB1 and ab1 are two."
            ),
        ),
    }


def schema_of(lines: pd.DataFrame) -> Schema | None:
    """Return what is declared so far, or say what is missing."""
    columns: dict[str, Declaration] = {}
    for line in lines.to_dict("records"):
        try:
            columns[str(line["column"])] = declared(line)
        except ParameterError as wrong:
            st.info(f"{quoted(line['column'])}: {quoted(say(wrong))}")
            return None
    if not any(isinstance(told, (Number, Category)) for told in columns.values()):
        st.info(say("Declare at least one column: type lower and upper of a number, or levels."))
        return None
    try:
        return Schema(columns)
    except ParameterError as wrong:
        st.info(quoted(say(wrong)))
        return None


def kind_of(line: dict[Any, Any]) -> str:
    """Return the kind of a line; bounds alone make a number, levels alone a category."""
    kind = str(line["kind"] or AUTOMATIC)
    if kind == AUTOMATIC:
        if not (pd.isna(line["lower"]) and pd.isna(line["upper"])):
            return "number"
        if _text(line["levels"]):
            return "category"
        return "ignored" if pd.isna(line["rows"]) else "person"
    return kind


def declared(line: dict[Any, Any]) -> Declaration:
    """Turn one line of the table into a declaration."""
    kind = kind_of(line)
    if kind in ("number", "whole number"):
        return _number(line, kind == "whole number")
    if kind == "category":
        cells = next(csv.reader([_text(line["levels"])], skipinitialspace=True), [])
        levels = tuple(cell.strip() for cell in cells if cell.strip())
        if not levels:
            raise ParameterError("Type the levels, separated by commas.")
        return Category(levels, other=bool(line["other"]))
    if kind == "person":
        rows = line["rows"]
        if not pd.isna(rows) and rows != int(rows):
            raise ParameterError("Rows a person must be a whole number.")
        told = 1 if pd.isna(rows) else int(rows)
        return Person(told, _text(line["reduce"]) or None, bool(line["fold"]))
    return Ignored()


def _number(line: dict[Any, Any], whole: bool) -> Number:
    if pd.isna(line["lower"]) or pd.isna(line["upper"]):
        raise ParameterError("Type lower and upper, from public knowledge.")
    missing: str | float = DROP
    if text := _text(line["missing"]):
        try:
            missing = DROP if text == DROP else float(text)
        except ValueError:
            raise ParameterError("If missing must be empty or a number.") from None
    step = None if pd.isna(line["step"]) else float(line["step"])
    lower, upper = line["lower"], line["upper"]
    origin, unit = _text(line["origin"]), _text(line["unit"])
    return Number(lower, upper, step, whole, missing, origin, unit)


def _text(cell: Any) -> str:
    return "" if cell is None or pd.isna(cell) else str(cell).strip()


def lines_of(schema: Schema, names: list[str]) -> pd.DataFrame:
    """Return the lines of the table that say what a declaration says."""
    lines = [_line(name, schema.columns.get(name, Ignored())) for name in names]
    return _typed(pd.DataFrame(lines))


def _line(name: str, told: Declaration) -> dict[str, Any]:
    line: dict[str, Any] = COLUMNS | {"column": name}
    if isinstance(told, Number):
        kind = "whole number" if told.integer else "number"
        line |= {"kind": kind, "lower": told.lower, "upper": told.upper, "step": told.step}
        line |= {"missing": "" if told.missing == DROP else str(told.missing), "origin": told.origin, "unit": told.unit}
    elif isinstance(told, Category):
        sink = io.StringIO()
        csv.writer(sink, lineterminator="").writerow(told.levels)
        line |= {"kind": "category", "levels": sink.getvalue(), "other": told.other}
    elif isinstance(told, Person):
        line |= {"kind": "person", "rows": told.rows}
        line |= {"reduce": told.reduce or "", "fold": told.fold}
    return line


def reading(schema: Schema) -> pd.DataFrame:
    """Return what is declared, one line per column, for reading."""
    return pd.DataFrame(
        [
            {say("Column"): name, say("Kind"): say(type(told).__name__.lower()), say("Declared"): _told(told)}
            for name, told in schema.columns.items()
        ]
    )


def _told(told: Declaration) -> str:
    if isinstance(told, Number):
        missing = say("left out") if told.missing == DROP else f"= {told.missing:g}"
        return say(
            "{low:g} to {high:g}, step {step:g}, missing {missing}",
            low=told.lower,
            high=told.upper,
            step=told.bounds.resolution,
            missing=missing,
        )
    if isinstance(told, Category):
        return ", ".join(told.labels)
    if isinstance(told, Person):
        return _counting(told) + (say(", spellings joined") if told.fold else "")
    return ""


def _counting(told: Person) -> str:
    if told.reduce == "mean":
        return say("the mean of a person's rows")
    if told.reduce == "first":
        return say("one row of a person, by secret chance")
    return say("at most {rows} rows a person", rows=told.rows)


def summary(schema: Schema) -> None:
    """Say how the table is understood, for the columns that can be asked."""
    told = {n: t for n, t in schema.columns.items() if not isinstance(t, Ignored)}
    lines = [f"{quoted(n)}: {say(_kind(t))}, {quoted(_told(t))}" for n, t in told.items()]
    st.caption(say("Understood:") + " " + " · ".join(lines[:MOST_TOLD]))


def _kind(told: Declaration) -> str:
    if isinstance(told, Number):
        return "whole number" if told.integer else "number"
    return type(told).__name__.lower()
