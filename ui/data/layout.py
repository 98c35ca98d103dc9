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


def _sheet(now: Any, notes: Notes, key: str) -> Any:
    sheets, read = notes.get("sheets", []), now or notes.get("sheet", "")
    if not sheets:
        return now
    chosen = st.selectbox(say("Sheet"), sheets, sheets.index(read) if read in sheets else 0, key=key)
    return now if chosen == read else chosen


ASKED: dict[str, Asked] = {
    "encoding": _encoding,
    "separator": _separator,
    "sheet": _sheet,
    "header": _header,
    "skip": _skip,
    "comment": _comment,
    "row_names": _row_names,
    "lenient": _lenient,
}


def adjusted(layout: Layout, notes: Notes, key: str, open_: bool) -> Layout:
    """Offer to correct how a file is read, and return how it is to be read."""
    wanted: dict[str, Any] = {}
    with st.expander(say("How the file is read"), open_, icon=":material/text_fields:"):
        places = st.columns(2)
        for at, name in enumerate(formats[layout.format].adjustable):
            with places[at % 2]:
                wanted[name] = ASKED[name](getattr(layout, name), notes, f"{name}:{key}")
    return replace(layout, **wanted)


def made_names(notes: Notes) -> None:
    """Say which columns have names that the file does not give them."""
    unnamed, doubled = (_listed(notes.get(kind, [])) for kind in ("unnamed", "doubled"))
    if unnamed:
        st.info(say("Columns without a name are called by their place: {names}.", names=unnamed))
    if doubled:
        st.info(say("Columns with the name of another one got a number: {names}.", names=doubled))


def _listed(names: list[str]) -> str:
    return quoted(", ".join(names[:MOST_NAMED]) + (", ..." if len(names) > MOST_NAMED else ""))


def _called(sign: str) -> str:
    return say(NAMES[sign]) if sign in NAMES else sign
