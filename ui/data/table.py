"""Table: the editable table that declares columns, its proposals and imports, and the form for one column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget.errors import ParameterError
from discreet.rows import Ignored, Schema, codebooks
from discreet.rows.capacity import MIB
from discreet.rows.columns import Kind
from discreet.rows.intake.parser import brought_by
from discreet.rows.proposals import Proposals
from discreet.ui import kinds
from discreet.ui.data import layout
from discreet.ui.frame.keystrokes import keep_keystrokes
from discreet.ui.frame.links import handheld
from discreet.ui.frame.words import quoted, say
from discreet.ui.kinds import Cell, Line, Widgets
from discreet.ui.session.state import base_of, brought, choose, chosen, fresh, workspace
from discreet.ui.session.workspace import AnySource, Draft

# Table: one line per column; the typed cells become a schema.

AUTOMATIC = "automatic"
MOST_TOLD = 12
ROW, MOST_LINES = 35, 20  # height of a line in pixels, and how many lines are visible at once
NARROW, WIDEST, SIGN = 130, 300, 7  # widths in pixels: of short names, of the longest, and of a character


def _cells() -> dict[str, Cell]:
    """Return the cells of all kinds, the most important first."""
    widgets = kinds.every()
    parts = [*(kind.cells() for kind in widgets), *(kind.details() for kind in widgets)]
    return {name: cell for part in parts for name, cell in part.items()}


def _blank(name: str) -> Line:
    return {"column": name, "kind": AUTOMATIC} | {place: cell.empty for place, cell in _cells().items()}


def _typed(lines: list[Line]) -> pd.DataFrame:
    cells = _cells()
    dtypes = {name: bool if cell.empty is False else object for name, cell in cells.items()}
    return pd.DataFrame(lines, columns=["column", "kind", *cells]).astype(dtypes)


def choices() -> list[str]:
    """Return the kinds a column can have."""
    return [AUTOMATIC, *(name for kind in kinds.every() for name in kind.names)]


def table(lines: pd.DataFrame, key: str, wanted: tuple[str, ...] = ()) -> pd.DataFrame:
    """Show the editable table and return its lines, which are kept when the person leaves the page.

    The cells that are `wanted` of every column come first, where they are visible without scrolling.
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
        alt=say("Schema, one line per column"),
        column_config={"column": names, "kind": choice} | {name: cell.looks for name, cell in _cells().items()},
    )
    return edited


def _kind() -> Any:
    """Return the selection of a column's kind."""
    return st.column_config.SelectboxColumn(
        say("Kind"),
        options=choices(),
        format_func=lambda name: say(str(name)),
        required=True,
        width=110,
        help=say(
            "With Automatic, bounds make a column a number, and allowed values make it a category. A column "
            "without either is ignored."
        ),
    )


def order_of(wanted: tuple[str, ...]) -> list[str]:
    """Return the cells of a line from left to right."""
    return list(dict.fromkeys(["column", "kind", *wanted, *_cells()]))


def _width(lines: pd.DataFrame) -> int:
    """Return the width of the names, in full if there is room."""
    longest = max(map(len, map(str, lines["column"])), default=0)
    return NARROW if handheld() else min(max(NARROW, SIGN * longest + 20), WIDEST)


def schema_of(lines: pd.DataFrame) -> Schema | None:
    """Return the schema declared so far, or raise an error that says what is missing."""
    columns: dict[str, Kind] = {}
    for line in lines.to_dict("records"):
        try:
            columns[str(line["column"])] = declared(line)
        except ParameterError as wrong:
            st.info(f"{quoted(line['column'])}: {quoted(say(wrong))}")
            return None
    if not any(column.askable for column in columns.values()):
        st.info(say("Declare at least one column: enter bounds for a number, or allowed values for a category."))
        return None
    try:
        return Schema(columns)
    except ParameterError as wrong:
        st.info(quoted(say(wrong)))
        return None


def declared(line: dict[Any, Any]) -> Kind:
    """Turn one line of the table into a declared kind; the typed cells may imply the kind."""
    kind = meant(line)
    if kind is None:
        return Ignored()
    column: Kind = kind.declared(line, str(line["kind"] or AUTOMATIC))
    return column


def kind_of(line: Line) -> str:
    """Return the name of the kind that a line is understood as."""
    name = str(line["kind"] or AUTOMATIC)
    kind = meant(line) or kinds.of(Ignored())
    return kind.names[0] if name == AUTOMATIC else name


def meant(line: Line) -> Widgets[Any] | None:
    """Return the widgets of the named kind, or of the only kind that the typed cells can mean."""
    name = str(line["kind"] or AUTOMATIC)
    said = (kind for kind in kinds.every() if name in kind.names or (name == AUTOMATIC and kind.shows(line)))
    return next(said, None)


def lines_of(schema: Schema, names: list[str]) -> pd.DataFrame:
    """Return the lines of the table for a schema."""
    return _typed([_line(name, schema.columns.get(name, Ignored())) for name in names])


def _line(name: str, column: Kind) -> Line:
    kind = kinds.of(column)
    return _blank(name) | ({"kind": kind.called(column), **kind.line(column)} if column.used else {})


def reading(schema: Schema) -> pd.DataFrame:
    """Return a schema as a table to read, one line per column."""
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
    """Summarise the schema, with the columns that cannot be queried; those named in `unusable` were already shown."""
    lines = [_understood(name, schema.columns[name]) for name in schema.used]
    st.caption(say("Columns used:") + " " + " · ".join(lines[:MOST_TOLD]))
    ignored = [quoted(name) for name, column in schema.columns.items() if not column.used and name not in unusable]
    if ignored:
        more = len(ignored) - MOST_TOLD
        st.caption(
            say("Ignored, because nothing is declared for them: {columns}.", columns=", ".join(ignored[:MOST_TOLD]))
            + (" " + say("{many} more.", many=more) if more > 0 else "")
        )


def _understood(name: str, column: Kind) -> str:
    kind = kinds.of(column)
    return f"{quoted(name)}: {say(kind.called(column))}, {quoted(kind.words(column))}"


# Proposals: a table prefilled from column names, types and labels.

MOST_NAMED = 8


def lines(names: Sequence[str], proposals: Proposals) -> pd.DataFrame:
    """Return a table prefilled where names, types or labels suggest the kind of a column."""
    columns: dict[str, Kind] = {name: part.declared(say(part.why)) for name, part in proposals.items()}
    return lines_of(Schema(columns), list(names))


def note(columns: Sequence[str], lines: pd.DataFrame, labels: bool) -> None:
    """Say which columns are proposed, and that the rows were not read for it; labels may have been used."""
    first = columns[:MOST_NAMED]
    more = len(columns) - MOST_NAMED
    listed = ", ".join(quoted(name) for name in first)
    st.info(
        say(
            "Suggested from column names, types and labels; no row was read: {columns}{more}.",
            columns=listed,
            more=_more(more),
        )
        + " "
        + say("Correct anything that is wrong: a wrong bound gives a wrong result.")
        + _spelled([name for name in columns if name in set(lines.loc[lines["levels"] != "", "column"])]),
        icon=":material/lightbulb:",
    )
    if labels:
        st.warning(
            say("Some programs build labels from the data itself. Remove every value that is not public knowledge.")
        )


def _spelled(columns: Sequence[str]) -> str:
    """Say that allowed values are matched exactly, for the columns whose values were proposed."""
    if not columns:
        return ""
    listed = ", ".join(quoted(name) for name in columns[:MOST_NAMED]) + _more(len(columns) - MOST_NAMED)
    return " " + say("Values must match exactly, including upper and lower case. Check: {columns}.", columns=listed)


def _more(many: int) -> str:
    return say(" and {many} more", many=many) if many > 0 else ""


# One column: a form for one column at a time, for narrow screens, long tables and long lists of values.

NOTHING_SAID = "–"  # a choice left at its default


def edit(lines: pd.DataFrame, key: str) -> pd.DataFrame:
    """Show one column with the fields of its kind; return all lines, including its current values."""
    names = [str(name) for name in lines["column"]]
    at = _turn(names, f"{key}:which")
    line: Line = {str(name): value for name, value in lines.iloc[at].items()}
    mark = f"{key}:{at}"
    line["kind"] = _kind_of_column(line, mark)
    widgets = meant(line)
    if widgets is not None:
        _fields(widgets, line, mark)
    changed = lines.copy()
    for place in (at, *_alike(names, at, mark)):
        for name, value in line.items():
            if name != "column":
                changed.at[place, name] = value
    return changed


def _alike(names: list[str], at: int, mark: str) -> list[int]:
    """Offer to declare other columns alike; return their positions at the moment of the press."""
    others = [place for place in range(len(names)) if place != at]
    if not others:
        return []
    with st.expander(say("Copy to other columns"), icon=":material/content_copy:"):
        label = say("Columns to declare like {column}", column=quoted(names[at]))
        places = st.multiselect(
            label,
            others,
            key=f"{mark}:alike",
            format_func=lambda place: names[place],
            select_all=False,
            placeholder=say("Choose"),
        )
        pressed = st.button(say("Copy declaration"), disabled=not places, key=f"{mark}:same")
    return places if pressed else []


def _turn(names: list[str], key: str) -> int:
    """Choose a column by name, or go to the previous or next one."""
    at = chosen(key, 0)
    st.selectbox(
        say("Column {at} of {all}", at=at + 1, all=len(names)),
        range(len(names)),
        format_func=lambda place: names[place],
        key=key,
    )
    with st.container(horizontal=True):
        _step(key, "before", say("Previous column"), at - 1, at == 0)
        _step(key, "after", say("Next column"), at + 1, at + 1 == len(names))
    return int(at)


def _step(key: str, way: str, label: str, to: int, end: bool) -> None:
    icon = ":material/arrow_back:" if way == "before" else ":material/arrow_forward:"
    st.button(label, icon=icon, key=f"{key}:{way}", disabled=end, on_click=choose, args=(key, to), width="stretch")


def _kind_of_column(line: Line, mark: str) -> str:
    """Ask for the kind of the column; the typed cells may imply it, and none of them is ignored."""
    names = [name for name in choices() if name != AUTOMATIC]
    at = kind_of(line)
    choice = st.pills(say("Kind"), names, default=at, key=f"{mark}:kind", format_func=say, required=True)
    return str(line["kind"]) if choice == at else str(choice)


def _fields(widgets: Widgets[Any], line: Line, mark: str) -> None:
    """Ask for the details of a kind, in two columns of fields."""
    cells = list((widgets.cells() | widgets.details()).items())
    for at in range(0, len(cells), 2):
        for place, (name, cell) in zip(st.columns(2), cells[at : at + 2], strict=False):
            with place:
                line[name] = _field(cell, line[name], f"{mark}:{name}")


def _field(cell: Cell, value: Any, key: str) -> Any:
    label = cell.looks["label"]
    help = cell.looks["help"]
    if cell.empty is False:
        return st.checkbox(label, bool(value), key=key, help=help)
    options = _options(cell)
    if options:
        at = list(options).index(value) if value in options else 0
        return st.selectbox(
            label, list(options), at, key=key, help=help, format_func=lambda choice: options[choice] or NOTHING_SAID
        )
    text = "" if value is None or pd.isna(value) else str(value)
    if cell.pasted is not None:
        return st.text_area(label, text, key=key, help=say(cell.pasted))
    return st.text_input(label, text, key=key, help=help)


def _options(cell: Cell) -> dict[str, str]:
    """Return the options of a cell with their labels, which the table combines if they differ."""
    options = cell.looks["type_config"].get("options") or []
    return dict(
        (option["value"], option["label"]) if isinstance(option, dict) else (option, option) for option in options
    )


# Import: the table is filled from a schema file or a codebook.


def offer(draft: Draft, source: AnySource) -> None:
    """Fill the table from a schema file or a codebook."""
    name = f"declaration:{draft.number}"
    with st.expander(say("Import schema"), icon=":material/upload_file:"):
        st.caption(
            say(
                "Import a schema exported from Discreet, or a codebook: Data Package, CSVW, DDI, SmartNoise "
                "metadata, or a two-column list."
            )
        )
        file = st.file_uploader(
            say("Schema or codebook file"), key=fresh(name), max_upload_size=codebooks.LARGEST // MIB
        )
        if file is None:
            if draft.unread:
                st.error(quoted(say(draft.unread)))
            return
        draft.unread = ""
        try:
            with st.spinner(say("Reading the file")), brought_by(workspace().browser):
                columns, whole = codebooks.brought(brought(name, file), source.names)
            draft.take(layout.taken(draft, lines_of(Schema(columns), list(source.names))), complete=whole)
        except ParameterError as wrong:
            draft.unread = wrong
    st.rerun()
