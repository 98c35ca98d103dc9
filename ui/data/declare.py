"""The table that declares columns, one line each; what is typed in it becomes a declaration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget.errors import ParameterError
from discreet.rows import Ignored, Schema
from discreet.rows.columns import Kind
from discreet.ui import kinds
from discreet.ui.frame.keystrokes import keep_keystrokes
from discreet.ui.frame.theme import handheld
from discreet.ui.frame.words import quoted, say
from discreet.ui.kinds import Cell, Line, Widgets
from discreet.ui.state import base_of

AUTOMATIC = "automatic"
MOST_TOLD = 12
ROW, MOST_LINES = 35, 20  # how high a line of the table is, and how many are seen at once
NARROW, WIDEST, SIGN = 130, 300, 7  # how wide names stand, in pixels, and a sign of them


def _cells() -> dict[str, Cell]:
    """Return the cells of all kinds, those that say most first."""
    widgets = kinds.every()
    parts = [*(kind.cells() for kind in widgets), *(kind.details() for kind in widgets)]
    return {name: cell for part in parts for name, cell in part.items()}


def _blank(name: str) -> Line:
    """Return a line in which nothing is typed yet."""
    return {"column": name, "kind": AUTOMATIC} | {place: cell.empty for place, cell in _cells().items()}


def _typed(lines: list[Line]) -> pd.DataFrame:
    cells = _cells()
    dtypes = {name: bool if cell.empty is False else object for name, cell in cells.items()}
    return pd.DataFrame(lines, columns=["column", "kind", *cells]).astype(dtypes)


def choices() -> list[str]:
    """Return what a column can be."""
    return [AUTOMATIC, *(name for kind in kinds.every() for name in kind.names)]


def table(lines: pd.DataFrame, key: str, wanted: tuple[str, ...] = ()) -> pd.DataFrame:
    """Show the editable table and return its lines; they survive leaving the page.

    The cells that are `wanted` of every column stand first, where they are seen without scrolling.
    """
    choice = _kind()
    keep_keystrokes(key)
    names = st.column_config.TextColumn(say("Column"), pinned=True, width=_width(lines))
    edited: pd.DataFrame = st.data_editor(
        base_of(key, lines),
        key=key,
        hide_index=True,
        placeholder="",
        height=ROW * (min(len(lines), MOST_LINES) + 1) + 3,
        disabled=["column"],
        column_order=order_of(wanted),
        alt=say("Declarations, one line for each column"),
        column_config={"column": names, "kind": choice} | {name: cell.looks for name, cell in _cells().items()},
    )
    return edited


def _kind() -> Any:
    """Return how the kind of a column is chosen."""
    return st.column_config.SelectboxColumn(
        say("Kind"),
        options=choices(),
        format_func=lambda name: say(str(name)),
        required=True,
        width=110,
        help=say("Automatic: a number if it has bounds, a category if it has levels, else ignored."),
    )


def order_of(wanted: tuple[str, ...]) -> list[str]:
    """Return the cells of a line from left to right."""
    return list(dict.fromkeys(["column", "kind", *wanted, *_cells()]))


def _width(lines: pd.DataFrame) -> int:
    """Return how wide the names stand: whole, where there is room for them."""
    longest = max(map(len, map(str, lines["column"])), default=0)
    return NARROW if handheld() else min(max(NARROW, SIGN * longest + 20), WIDEST)


def schema_of(lines: pd.DataFrame) -> Schema | None:
    """Return what is declared so far, or say what is missing."""
    columns: dict[str, Kind] = {}
    for line in lines.to_dict("records"):
        try:
            columns[str(line["column"])] = declared(line)
        except ParameterError as wrong:
            st.info(f"{quoted(line['column'])}: {quoted(say(wrong))}")
            return None
    if not any(column.askable for column in columns.values()):
        st.info(say("Declare at least one column: type lower and upper of a number, or levels."))
        return None
    try:
        return Schema(columns)
    except ParameterError as wrong:
        st.info(quoted(say(wrong)))
        return None


def declared(line: dict[Any, Any]) -> Kind:
    """Turn one line of the table into a declaration; what is typed may tell its kind alone."""
    kind = meant(line)
    if kind is None:
        return Ignored()
    column: Kind = kind.declared(line, str(line["kind"] or AUTOMATIC))
    return column


def kind_of(line: Line) -> str:
    """Return the name of the kind that a line of the table is understood as."""
    name, kind = str(line["kind"] or AUTOMATIC), meant(line) or kinds.of(Ignored())
    return kind.names[0] if name == AUTOMATIC else name


def meant(line: Line) -> Widgets[Any] | None:
    """Return the kind that is named, or that what is typed can only mean."""
    name = str(line["kind"] or AUTOMATIC)
    said = (kind for kind in kinds.every() if name in kind.names or (name == AUTOMATIC and kind.shows(line)))
    return next(said, None)


def lines_of(schema: Schema, names: list[str]) -> pd.DataFrame:
    """Return the lines of the table that say what a declaration says."""
    return _typed([_line(name, schema.columns.get(name, Ignored())) for name in names])


def _line(name: str, column: Kind) -> Line:
    kind = kinds.of(column)
    return _blank(name) | ({"kind": kind.called(column), **kind.line(column)} if column.used else {})


def reading(schema: Schema) -> pd.DataFrame:
    """Return what is declared, one line per column, for reading."""
    return pd.DataFrame(
        [
            {
                say("Column"): name,
                say("Kind"): say(kinds.of(column).called(column)),
                say("Declared"): kinds.of(column).words(column),
            }
            for name, column in schema.columns.items()
        ]
    )


def summary(schema: Schema, unusable: Sequence[str] = ()) -> None:
    """Say how the table is understood, and about which columns nobody can ask; those that cannot be used were named."""
    lines = [_understood(name, schema.columns[name]) for name in schema.used]
    st.caption(say("Understood:") + " " + " · ".join(lines[:MOST_TOLD]))
    ignored = [quoted(name) for name, column in schema.columns.items() if not column.used and name not in unusable]
    if ignored:
        more = len(ignored) - MOST_TOLD
        st.caption(
            say("Ignored, because nothing is said of them: {columns}.", columns=", ".join(ignored[:MOST_TOLD]))
            + (" " + say("{many} more.", many=more) if more > 0 else "")
        )


def _understood(name: str, column: Kind) -> str:
    kind = kinds.of(column)
    return f"{quoted(name)}: {say(kind.called(column))}, {quoted(kind.words(column))}"
