"""One column: a declaration at a time, for narrow screens, long tables and lists of levels."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from discreet.ui.data import declare
from discreet.ui.frame.words import quoted, say
from discreet.ui.kinds import Cell, Line, Widgets
from discreet.ui.state import choose, chosen

NOTHING_SAID = "–"  # a choice that is left as it usually is


def edit(lines: pd.DataFrame, key: str) -> pd.DataFrame:
    """Show one column with the fields of its kind; return all lines, that one as it stands now."""
    names = [str(name) for name in lines["column"]]
    at = _turn(names, f"{key}:which")
    line: Line = {str(name): value for name, value in lines.iloc[at].items()}
    mark = f"{key}:{at}"
    line["kind"] = _kind(line, mark)
    widgets = declare.meant(line)
    if widgets is not None:
        _fields(widgets, line, mark)
    changed = lines.copy()
    for place in (at, *_alike(names, at, mark)):
        for name, value in line.items():
            if name != "column":
                changed.at[place, name] = value
    return changed


def _alike(names: list[str], at: int, mark: str) -> list[int]:
    """Offer to say the same of other columns; return where they stand at the moment of the press."""
    others = [place for place in range(len(names)) if place != at]
    if not others:
        return []
    with st.expander(say("The same for other columns"), icon=":material/content_copy:"):
        label = say("Columns that are like {column}", column=quoted(names[at]))
        places = st.multiselect(
            label,
            others,
            key=f"{mark}:alike",
            format_func=lambda place: names[place],
            select_all=False,
            placeholder=say("Choose"),
        )
        pressed = st.button(say("Say the same of them"), disabled=not places, key=f"{mark}:same")
    return places if pressed else []


def _turn(names: list[str], key: str) -> int:
    """Choose a column by its name, or turn to the one before or after."""
    at = chosen(key, 0)
    st.selectbox(
        say("Column {at} of {all}", at=at + 1, all=len(names)),
        range(len(names)),
        format_func=lambda place: names[place],
        key=key,
    )
    with st.container(horizontal=True):
        _step(key, "before", say("The column before"), at - 1, at == 0)
        _step(key, "after", say("The next column"), at + 1, at + 1 == len(names))
    return int(at)


def _step(key: str, way: str, label: str, to: int, end: bool) -> None:
    icon = ":material/arrow_back:" if way == "before" else ":material/arrow_forward:"
    st.button(label, icon=icon, key=f"{key}:{way}", disabled=end, on_click=choose, args=(key, to), width="stretch")


def _kind(line: Line, mark: str) -> str:
    """Ask what the column is; what was typed about it may tell that already, and nothing typed is ignored."""
    names = [name for name in declare.choices() if name != declare.AUTOMATIC]
    at = declare.kind_of(line)
    choice = st.pills(say("Kind"), names, default=at, key=f"{mark}:kind", format_func=say, required=True)
    return str(line["kind"]) if choice == at else str(choice)


def _fields(widgets: Widgets[Any], line: Line, mark: str) -> None:
    """Ask for what a kind needs to know, two fields beside each other."""
    cells = list((widgets.cells() | widgets.details()).items())
    for at in range(0, len(cells), 2):
        for place, (name, cell) in zip(st.columns(2), cells[at : at + 2], strict=False):
            with place:
                line[name] = _field(cell, line[name], f"{mark}:{name}")


def _field(cell: Cell, value: Any, key: str) -> Any:
    """Show one cell of the table as a field of its own."""
    label, help = cell.looks["label"], cell.looks["help"]
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
    """Return what can be chosen, and what it is called: the table has both in one where they differ."""
    options = cell.looks["type_config"].get("options") or []
    return dict(
        (option["value"], option["label"]) if isinstance(option, dict) else (option, option) for option in options
    )
