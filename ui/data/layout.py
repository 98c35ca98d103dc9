"""Layout: how a file is read, as far as its format leaves a choice, and generated column names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.rows import Schema
from discreet.rows.calendar import ISO
from discreet.rows.files import COMMENTS, ENCODINGS, MOST_SKIPPED, SEPARATOR_NAMES, SEPARATORS, Layout, formats
from discreet.rows.files.csv import Text
from discreet.rows.numerals import EXAMPLES, PLAIN, Numerals
from discreet.ui import kinds
from discreet.ui.frame.words import quoted, say
from discreet.ui.kinds import Line
from discreet.ui.kinds.date import DAYS
from discreet.ui.session.workspace import Draft

NAMES = {**SEPARATOR_NAMES, "": Phrase("none")}
Notes = dict[str, Any]  # what a file says beside its columns
Asked = Callable[[Any, Notes, str], Any]  # asks for a part of a layout: its value, the notes, a key
MOST_NAMED = 12


def _encoding(now: Any, notes: Notes, key: str) -> Any:
    return st.selectbox(say("Encoding"), ENCODINGS, ENCODINGS.index(now), key=key)


def _separator(now: Any, notes: Notes, key: str) -> Any:
    return st.selectbox(say("Separator"), SEPARATORS, SEPARATORS.index(now), format_func=_called, key=key)


def _comment(now: Any, notes: Notes, key: str) -> Any:
    label = say("Comment marker")
    help_ = say("Lines that start with this marker are skipped.")
    return st.selectbox(label, COMMENTS, COMMENTS.index(now), format_func=_called, key=key, help=help_)


def _header(now: Any, notes: Notes, key: str) -> Any:
    help_ = say("If off, columns are numbered and the first line is read as data.")
    return st.toggle(say("First line has column names"), now, key=key, help=help_)


def _skip(now: Any, notes: Notes, key: str) -> Any:
    help_ = say("Enter the number of title or comment lines above the header.")
    return int(st.number_input(say("Lines to skip"), 0, MOST_SKIPPED, now, key=key, help=help_))


def _row_names(now: Any, notes: Notes, key: str) -> Any:
    help_ = say("Turn this on for files written by R. Their first column has row names and no header.")
    return st.toggle(say("First column has no header"), now, key=key, help=help_)


def _lenient(now: Any, notes: Notes, key: str) -> Any:
    help_ = say(
        "If on, each line is a row. A line that cannot be read is a row without values, and a cell in "
        "another encoding is missing. If off, such a file is refused."
    )
    return st.toggle(say("Skip what cannot be read"), now, key=key, help=help_)


ASKED: dict[str, Asked] = {
    "encoding": _encoding,
    "separator": _separator,
    "header": _header,
    "skip": _skip,
    "comment": _comment,
    "row_names": _row_names,
    "lenient": _lenient,
}
PARTS = ("sheet", *ASKED)  # all parts of a layout that are asked


def adjusted(layout: Layout, notes: Notes, key: str, open_: bool) -> Layout:
    """Offer to correct how a file is read, and return the resulting layout."""
    adjustable = formats[layout.format].adjustable
    wanted: dict[str, Any] = {"sheet": _sheet(layout.sheet, notes, key)} if "sheet" in adjustable else {}
    with st.expander(say("File format"), open_, icon=":material/text_fields:"):
        places = st.columns(2)
        for at, name in enumerate(name for name in adjustable if name in ASKED):
            with places[at % 2]:
                wanted[name] = ASKED[name](getattr(layout, name), notes, f"{name}:{key}")
    return replace(layout, **wanted)


def _sheet(now: str, notes: Notes, key: str) -> str:
    """Ask for the sheet if a workbook has several: none of them is chosen by default."""
    sheets = notes.get("sheets", [])
    if len(sheets) < 2:
        return now
    place = sheets.index(now) if now in sheets else None
    help_ = say("Each sheet is a separate table.")
    first = say("Choose a sheet")
    chosen = st.selectbox(say("Sheet"), sheets, place, key=f"sheet:{key}", placeholder=first, help=help_)
    return chosen or now


def made_names(notes: Notes) -> None:
    """List the columns whose names were generated, and those whose names are misleading."""
    unnamed, doubled, nested = (_listed(notes.get(kind, [])) for kind in ("unnamed", "doubled", "nested"))
    if unnamed:
        st.info(say("Columns without a name were numbered: {names}.", names=unnamed))
    if notes.get("percent"):
        st.info(say("Percentages in the sheet are read as fractions: 57.3% is 0.573."))
    if nested:
        st.info(
            say("Columns of lists or objects cannot be used: {names}. Put each part in its own column.", names=nested)
        )
    if doubled:
        st.info(say("Duplicate column names were numbered: {names}.", names=doubled))


def _listed(names: list[str]) -> str:
    return quoted(", ".join(names[:MOST_NAMED]) + (", ..." if len(names) > MOST_NAMED else ""))


def _called(sign: str) -> str:
    return say(NAMES[sign]) if sign in NAMES else sign


# Formats: how the numbers and dates of a text file are written, asked once for all of its columns.

WRITTEN, ORDER = "written", "order"  # the cells of a line that hold the formats of its column
ENDS = ("lower", "upper", "step", "missing")  # the cells of a line that hold typed numbers


def begin(draft: Draft, layout: Layout) -> None:
    """Propose the formats from what is public of a text file: a semicolon as separator suggests decimal commas."""
    if layout.format == Text.name:
        semicolon = layout.separator == ";"
        draft.numbers, draft.dates = (EXAMPLES[1], "day-month-year") if semicolon else (EXAMPLES[0], ISO)


def ask(draft: Draft) -> None:
    """Ask for both formats of a text file; a file with types needs neither."""
    if not draft.textual:
        return
    left, right = st.columns(2)
    with left:
        options = list(dict.fromkeys([*EXAMPLES, draft.numbers]))
        numbers = _choice(say("Number format"), options, draft.numbers, keys(draft)[0])
    with right:
        help_ = say("The separators -, / and . are all accepted: 31/01/2020 is read like 31.01.2020.")
        dates = _choice(say("Date format"), list(DAYS), draft.dates, keys(draft)[1], help_)
    if (numbers, dates) != (draft.numbers, draft.dates):
        change(draft, numbers, dates)


def keys(draft: Draft) -> tuple[str, str]:
    """Return the keys of both questions; a new value gives a new key."""
    return f"numbers:{draft.number}:{draft.numbers}", f"dates:{draft.number}:{draft.dates}"


def _choice(label: str, options: list[str], now: str, key: str, help_: str | None = None) -> str:
    choice = st.segmented_control(
        label, options, default=now, key=key, format_func=lambda way: DAYS.get(way, way), required=True, help=help_
    )
    return str(choice)


def change(draft: Draft, numbers: str, dates: str) -> None:
    """Change how numbers and dates are written, for all columns without a format of their own."""
    before = Numerals.like(draft.numbers)
    after = Numerals.like(numbers)
    draft.lines = _filled(draft.lines, lambda line: {place: _same(line[place], before, after) for place in ENDS})
    draft.numbers = numbers
    draft.dates = dates
    draft.begin_anew()


def otherwise(draft: Draft, columns: Collection[str], example: str) -> None:
    """Change how numbers are written in some columns; in the whole file if no other column has numbers."""
    lines = draft.lines
    mine = lines["column"].isin(list(columns))
    if draft.textual and not (lines["lower"] != "")[~mine].any():
        lines.loc[mine, WRITTEN] = ""
        change(draft, example, draft.dates)
        return
    for at in lines.index[mine]:
        before = Numerals.like(lines.at[at, WRITTEN] or draft.numbers or PLAIN)
        for place in ENDS:
            lines.at[at, place] = _same(lines.at[at, place], before, Numerals.like(example))
        lines.at[at, WRITTEN] = example
    draft.begin_anew()


def _same(typed: Any, before: Numerals, after: Numerals) -> Any:
    """Convert a typed number to another format; text that the new format can read is kept as typed."""
    number = before.number(str(typed or ""))
    return typed if number is None or after.number(str(typed)) is not None else after.written(number)


def _filled(lines: pd.DataFrame, of: Callable[[dict[Any, Any]], Line]) -> pd.DataFrame:
    """Return lines with some cells replaced, in columns without a format of their own."""
    changed = lines.copy()
    for at, line in enumerate(lines.to_dict("records")):
        for place, value in of(line).items() if not line[WRITTEN] else ():
            changed.loc[changed.index[at], place] = value
    return changed


def resolved(draft: Draft) -> pd.DataFrame:
    """Return the lines of a draft, each with the formats of its numbers and dates."""
    lines: pd.DataFrame = draft.lines.copy()
    lines[WRITTEN] = [way or draft.numbers for way in lines[WRITTEN].fillna("")]
    lines[ORDER] = [order or draft.dates for order in lines[ORDER].fillna("")]
    return lines


def taken(draft: Draft, lines: pd.DataFrame) -> pd.DataFrame:
    """Take lines with a format in each column; a format common to all becomes that of the file."""
    numbers = _common(lines.loc[lines["lower"] != "", WRITTEN]) or _common(lines[WRITTEN])
    dates = _common([order or ISO for order in lines.loc[lines["first"] != "", ORDER]]) or _common(lines[ORDER])
    draft.numbers, draft.dates = numbers or draft.numbers or PLAIN, dates or draft.dates or ISO
    lines = lines.copy()
    lines[WRITTEN] = ["" if way == draft.numbers else way for way in lines[WRITTEN]]
    lines[ORDER] = ["" if (order or ISO) == draft.dates else order for order in lines[ORDER]]
    return lines


def _common(ways: Iterable[str]) -> str:
    """Return the common value; empty if there are several values or none."""
    different = set(ways)
    return different.pop() if len(different) == 1 else ""


def proposed(draft: Draft, lines: pd.DataFrame) -> pd.DataFrame:
    """Return lines that were proposed by rule, in the formats of the file."""
    lines = lines.assign(**{WRITTEN: "", ORDER: ""})
    plain = Numerals.like(PLAIN)
    way = Numerals.like(draft.numbers or PLAIN)
    return _filled(lines, lambda line: {place: _same(line[place], plain, way) for place in ENDS})


def confirmed(draft: Draft, schema: Schema | None, label: str) -> str:
    """Return the label of a button, with the formats in which a text file's numbers and dates are read."""
    if not draft.textual or schema is None:
        return label
    said = [each for column in schema.columns.values() if (each := kinds.of(column).written(column)) is not None]
    examples = {words: dict.fromkeys(example for same, example in said if same == words) for words, _ in said}
    formats = ", ".join(say(words, examples=say(" and ").join(each)) for words, each in examples.items())
    return f"{label} · {formats}" if formats else label


def typed(draft: Draft, column: str, ends: Line) -> Line:
    """Return the bounds of a column, with numbers in the format of the column."""
    said = dict(zip(draft.lines["column"], resolved(draft)[WRITTEN], strict=True))
    way = Numerals.like(said.get(column) or PLAIN)
    return {place: way.written(end) if isinstance(end, (int, float)) else end for place, end in ends.items()}
