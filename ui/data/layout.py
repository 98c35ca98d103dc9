"""Layout: how a file is read, as far as its format leaves a choice, and which names were made for its columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from discreet.budget import Phrase
from discreet.rows.files import COMMENTS, ENCODINGS, MOST_SKIPPED, SEPARATOR_NAMES, SEPARATORS, Layout, formats
from discreet.ui.frame.words import quoted, say

NAMES = {**SEPARATOR_NAMES, "": Phrase("none")}
Notes = dict[str, Any]  # what a file says beside its columns
Asked = Callable[[Any, Notes, str], Any]  # for a part of a layout: what it is, the notes, a key
MOST_NAMED = 12


def _encoding(now: Any, notes: Notes, key: str) -> Any:
    return st.selectbox(say("Encoding"), ENCODINGS, ENCODINGS.index(now), key=key)


def _separator(now: Any, notes: Notes, key: str) -> Any:
    return st.selectbox(say("Separator"), SEPARATORS, SEPARATORS.index(now), format_func=_called, key=key)


def _comment(now: Any, notes: Notes, key: str) -> Any:
    label, help_ = say("Comments begin with"), say("Lines that begin so are left out.")
    return st.selectbox(label, COMMENTS, COMMENTS.index(now), format_func=_called, key=key, help=help_)


def _header(now: Any, notes: Notes, key: str) -> Any:
    help_ = say("Else columns are called by their place, and the first line is a row like all others.")
    return st.toggle(say("The first line names the columns"), now, key=key, help=help_)


def _skip(now: Any, notes: Notes, key: str) -> Any:
    help_ = say("Titles and remarks above the table.")
    return int(st.number_input(say("Lines to skip"), 0, MOST_SKIPPED, now, key=key, help=help_))


def _row_names(now: Any, notes: Notes, key: str) -> Any:
    help_ = say("The names stand over the cells beside them: R writes tables so, with the names of rows in front.")
    return st.toggle(say("The first column has no name in that line"), now, key=key, help=help_)


def _lenient(now: Any, notes: Notes, key: str) -> Any:
    help_ = say(
        "Each line is then a row. A line that cannot be read is a row without any value, and a cell that is not in "
        "this encoding is missing. Otherwise such a file is refused."
    )
    return st.toggle(say("Leave out what cannot be read"), now, key=key, help=help_)


ASKED: dict[str, Asked] = {
    "encoding": _encoding,
    "separator": _separator,
    "header": _header,
    "skip": _skip,
    "comment": _comment,
    "row_names": _row_names,
    "lenient": _lenient,
}
PARTS = ("sheet", *ASKED)  # all that is asked of how a file is read


def adjusted(layout: Layout, notes: Notes, key: str, open_: bool) -> Layout:
    """Offer to correct how a file is read, and return how it is to be read."""
    adjustable = formats[layout.format].adjustable
    wanted: dict[str, Any] = {"sheet": _sheet(layout.sheet, notes, key)} if "sheet" in adjustable else {}
    with st.expander(say("How the file is read"), open_, icon=":material/text_fields:"):
        places = st.columns(2)
        for at, name in enumerate(name for name in adjustable if name in ASKED):
            with places[at % 2]:
                wanted[name] = ASKED[name](getattr(layout, name), notes, f"{name}:{key}")
    return replace(layout, **wanted)


def _sheet(now: str, notes: Notes, key: str) -> str:
    """Ask for the sheet where a workbook has several: none of them is taken unasked."""
    sheets = notes.get("sheets", [])
    if len(sheets) < 2:
        return now
    place = sheets.index(now) if now in sheets else None
    help_, first = say("Each sheet is a table of its own."), say("Choose a sheet")
    chosen = st.selectbox(say("Sheet"), sheets, place, key=f"sheet:{key}", placeholder=first, help=help_)
    return chosen or now


def made_names(notes: Notes) -> None:
    """Say which columns have names that the file does not give them, and which are not what they seem."""
    unnamed, doubled, nested = (_listed(notes.get(kind, [])) for kind in ("unnamed", "doubled", "nested"))
    if unnamed:
        st.info(say("Columns without a name are called by their place: {names}.", names=unnamed))
    if notes.get("percent"):
        st.info(say("What the sheet shows as percentages is read as fractions: 57.3 % is 0.573."))
    if nested:
        st.info(
            say(
                "Columns of lists or objects cannot be used: {names}. Write each part as a column of its own.",
                names=nested,
            )
        )
    if doubled:
        st.info(say("Columns with the name of another one got a number: {names}.", names=doubled))


def _listed(names: list[str]) -> str:
    return quoted(", ".join(names[:MOST_NAMED]) + (", ..." if len(names) > MOST_NAMED else ""))


def _called(sign: str) -> str:
    return say(NAMES[sign]) if sign in NAMES else sign
