"""Table: the editable table that declares columns, its proposals and imports, and the form for one column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget.errors import ParameterError
from discreet.rows import Ignored, Person, Schema, codebooks
from discreet.rows.capacity import MIB
from discreet.rows.codebooks.level_list import levels_of, written
from discreet.rows.columns import Kind
from discreet.rows.intake.parser import brought_by
from discreet.rows.proposals import Proposals
from discreet.rows.proposals.catalogue import likely_kind, spellings
from discreet.ui import kinds
from discreet.ui.data import layout
from discreet.ui.frame.keystrokes import keep_keystrokes
from discreet.ui.frame.links import handheld
from discreet.ui.frame.words import quoted, say
from discreet.ui.kinds import Cell, Line, Widgets
from discreet.ui.session.state import base_of, brought, chosen, fresh, workspace
from discreet.ui.session.workspace import AnySource, Draft

# Table: one line per column; the typed cells become a schema.

AUTOMATIC = "automatic"
IN_VIEW = ("lower", "upper", "levels", "unit")  # of the spreadsheet
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
    return [AUTOMATIC, *(name for kind in kinds.every() if not kind.derived for name in kind.names)]


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
    """Return the cells of a line from left to right; the others are on the card of a column."""
    return ["column", "kind", *wanted, *IN_VIEW]


def _width(lines: pd.DataFrame) -> int:
    """Return the width of the names, in full if there is room."""
    longest = max(map(len, map(str, lines["column"])), default=0)
    return NARROW if handheld() else min(max(NARROW, SIGN * longest + 20), WIDEST)


def schema_of(lines: pd.DataFrame, derived: Mapping[str, Kind] = MappingProxyType({})) -> Schema | None:
    """Return the schema declared so far, with derived columns, or show what is missing."""
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
        return Schema({**columns, **derived})
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


def by_kind(lines: pd.DataFrame) -> dict[str, str]:
    """Return the name of the kind that each column is understood as, complete or not."""
    each = ({str(name): cell for name, cell in line.items()} for line in lines.to_dict("records"))
    return {str(line["column"]): kind_of(line) for line in each}


def meant(line: Line) -> Widgets[Any] | None:
    """Return the widgets of the named kind, or of the only kind that the typed cells can mean."""
    name = str(line["kind"] or AUTOMATIC)
    known = (kind for kind in kinds.every() if not kind.derived)
    said = (kind for kind in known if name in kind.names or (name == AUTOMATIC and kind.shows(line)))
    return next(said, None)


def lines_of(schema: Schema, names: list[str]) -> pd.DataFrame:
    """Return the lines of the table for a schema."""
    return _typed([_line(name, schema.columns.get(name, Ignored())) for name in names])


def derived_of(schema: Schema) -> dict[str, Kind]:
    """Return the derived columns of a schema, which have no line of the table."""
    return {name: schema.columns[name] for name in schema.derived}


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
    lines = [_understood(name, schema.columns[name]) for name in (*schema.used, *schema.derived)]
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
        + say("Correct what is wrong.")
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
    return " " + say(
        "Values must match exactly, including upper and lower case. Check the spelling: {columns}.", columns=listed
    )


def _more(many: int) -> str:
    return say(" and {many} more", many=many) if many > 0 else ""


# Cards: one line per column, which opens to the fields of its kind.

NOTHING_SAID = "–"  # a choice left at its default
MOST_CARDS = 40  # on the screen at a time
ABREAST, LIST = 3, 80  # fields beside each other, and the height of a list of values in pixels
MOST_OPEN = 4  # at first, of the cards that need a word
DONE, OPEN, IGNORED = ":material/check_circle:", ":material/help:", ":material/remove:"


def cards(draft: Draft, key: str, wanted: tuple[str, ...] = ()) -> pd.DataFrame:
    """Show each column as a line that opens to its fields; return all lines, with what is typed now.

    The cells that are `wanted` of every column are never folded.
    """
    lines: pd.DataFrame = draft.lines.copy()
    for at in _shown([str(name) for name in lines["column"]], key):
        line: Line = {str(name): value for name, value in lines.iloc[at].items()}
        mark = f"{key}:{at}"
        _card(draft, at, line, mark, wanted)
        for name, value in line.items():
            if name != "column":
                lines.at[lines.index[at], name] = value
    return lines


def _shown(names: list[str], key: str) -> range:
    """Return the columns on the screen; of very many, some at a time."""
    parts = [range(at, min(at + MOST_CARDS, len(names))) for at in range(0, len(names), MOST_CARDS)]
    if len(parts) < 2:
        return range(len(names))
    part = st.selectbox(
        say("Columns"),
        range(len(parts)),
        format_func=lambda at: f"{names[parts[at].start]} – {names[parts[at].stop - 1]}",
        key=f"{key}:part",
    )
    return parts[part]


def _card(draft: Draft, at: int, line: Line, mark: str, wanted: tuple[str, ...]) -> None:
    """Show one column; its line is changed to what its fields have."""
    _fresh(line, mark)
    waits = _waits(draft, line)
    if at not in draft.opened:
        some = sum(draft.opened.values()) < MOST_OPEN
        draft.opened[at] = len(draft.lines) == 1 or (waits and (some or _person(line)))
    with st.container(border=True, key=f"card:{mark}", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", key=f"line:{mark}"):
            st.button(
                f"**{quoted(line['column'])}**",
                icon=f":material/{'keyboard_arrow_down' if draft.opened[at] else 'chevron_right'}:",
                type="tertiary",
                key=f"{mark}:open",
                on_click=_turn,
                args=(draft, at),
            )
            st.markdown(_headline(draft, line, waits))
        if draft.opened[at]:
            _form(draft, line, mark, wanted)


def _turn(draft: Draft, at: int) -> None:
    draft.opened[at] = not draft.opened[at]


def _fresh(line: Line, mark: str) -> None:
    """Take what was just typed, so that the headline above the fields says it."""
    for name in _cells():
        line[name] = chosen(f"{mark}:{name}", line[name])
    line["kind"] = _said(line, chosen(f"{mark}:kind"))
    widgets = _asked(line, mark)
    if widgets is not None:
        widgets.take(line, mark)


def _waits(draft: Draft, line: Line) -> bool:
    """Whether a column still needs a word: a kind, its bounds or values, or a look at how these are spelled."""
    if meant(line) is None:
        return not draft.complete
    try:
        declared(_written(draft, line))
    except ParameterError:
        return True
    return line["column"] in draft.proposed and bool(spellings(str(line["column"])))


def _written(draft: Draft, line: Line) -> Line:
    """Return a line with the formats of the file where it has none of its own."""
    return line | {
        layout.WRITTEN: line[layout.WRITTEN] or draft.numbers,
        layout.ORDER: line[layout.ORDER] or draft.dates,
    }


def _headline(draft: Draft, line: Line, waits: bool) -> str:
    """Return kind, what is declared and how it is written, with a sign for what is left to do."""
    try:
        column = declared(_written(draft, line))
    except ParameterError:
        return f"{OPEN} :gray-badge[{say(kind_of(line))}] {say('not complete')}"
    if not column.used:
        sign, words = (OPEN, say("not declared")) if waits else (IGNORED, say("ignored"))
        return f"{sign} {words}"
    kind = kinds.of(column)
    example = kind.written(column) if draft.textual else None
    words = kind.words(column)
    if example is not None and example[1] not in words:
        words += " · " + say(example[0], examples=example[1])
    return f"{DONE} :gray-badge[{say(kind.called(column))}] {quoted(words)}"


def _form(draft: Draft, line: Line, mark: str, wanted: tuple[str, ...]) -> None:
    """Ask for the kind of a column, and for its fields: those of every schema first, the others folded."""
    names = [name for name in choices() if name != AUTOMATIC]
    st.pills(say("Kind"), names, default=_likely(line), key=f"{mark}:kind", format_func=say, required=True)
    widgets = _asked(line, mark)
    if widgets is None:
        return
    done = widgets.ask(line, mark)
    first = {name: cell for name, cell in (widgets.cells() | widgets.details()).items() if name not in done}
    rest = {name: cell for name, cell in first.items() if name not in {*widgets.cells(), *wanted}}
    _spelled_like(draft, line, mark)
    first = {name: cell for name, cell in first.items() if name not in rest}
    if widgets.drawn:
        fields, picture = st.columns([3, 2], gap="medium")
        with fields:
            _fields(first, line, mark, helped=False)  # the picture says it, and the tab key goes from field to field
        with picture:
            _picture(draft, line, mark)
    else:
        _fields(first, line, mark)
    if rest:
        with st.expander(say("Fine tuning"), type="compact", key=f"{mark}:rest"):
            _fields(rest, line, mark)


def _spelled_like(draft: Draft, line: Line, mark: str) -> None:
    """Offer other spellings of values that were proposed by the name of the column."""
    name = str(line["column"])
    lists = [written(each) for each in spellings(name) if name in draft.proposed]
    if lists:
        st.pills(
            say("Spelled in the file as"),
            lists,
            default=line["levels"] if line["levels"] in lists else None,
            format_func=lambda levels: ", ".join(levels_of(levels)),
            key=f"{mark}:spelled",
            on_change=_spell,
            args=(draft, name, f"{mark}:spelled"),
        )


def _spell(draft: Draft, name: str, key: str) -> None:
    """Take another spelling of proposed values."""
    levels = chosen(key)
    if levels:
        draft.lines.loc[draft.lines["column"] == name, "levels"] = levels
        opened = dict(draft.opened)
        draft.begin_anew()
        draft.opened = opened


def _picture(draft: Draft, line: Line, mark: str) -> None:
    """Draw what is declared, once it is complete."""
    try:
        column = declared(_written(draft, line))
    except ParameterError:
        return
    kinds.of(column).picture(column, str(line["column"]), f"{mark}:simulated")


def _likely(line: Line) -> str | None:
    """Return the kind of a column, or the one that its name suggests while nothing is declared."""
    return kind_of(line) if meant(line) is not None else likely_kind(str(line["column"])) or None


def _said(line: Line, choice: object) -> str:
    """Return the kind after a choice; choosing what is likely anyway leaves it to the typed cells."""
    return str(line["kind"]) if choice in (_likely(line), None) else str(choice)


def _asked(line: Line, mark: str) -> Widgets[Any] | None:
    """Return the widgets whose questions a card has: of its kind, or of the likely one while that is chosen."""
    hint = likely_kind(str(line["column"]))
    likely = (each for each in kinds.every() if hint in each.names and kind_of(line) != hint)
    widgets = next(likely, None) if chosen(f"{mark}:kind", hint) == hint else None
    return meant(line) or widgets


def asks_of_a_person(draft: Draft) -> list[str]:
    """Return the columns whose cards ask what counts of each person, and wait for the answer."""
    return [] if draft.complete else [str(line["column"]) for line in draft.lines.to_dict("records") if _person(line)]


def _person(line: Line) -> bool:
    return meant(line) is None and likely_kind(str(line["column"])) == Person.name


def _fields(cells: dict[str, Cell], line: Line, mark: str, helped: bool = True) -> None:
    """Ask for cells, in columns of fields that are below each other on a phone."""
    listed = list(cells.items())
    for at in range(0, len(listed), ABREAST):
        part = listed[at : at + ABREAST]
        widths = [2 if cell.pasted else 1 for _, cell in part] + [1] * (ABREAST - len(part))
        for place, (name, cell) in zip(st.columns(widths), part, strict=False):
            with place:
                line[name] = _field(cell, line[name], f"{mark}:{name}", helped)


# Copy: what is declared of one column is declared of others, as far as that is wanted.


def copying(draft: Draft, key: str) -> None:
    """Offer to copy parts of one column's declaration to other columns."""
    names = [str(name) for name in draft.lines["column"]]
    done = [at for at, line in enumerate(draft.lines.to_dict("records")) if meant(line) is not None]
    if len(names) < 2 or not done:
        return
    with st.expander(say("Copy to other columns"), icon=":material/content_copy:", key=f"{key}:copy"):
        called = names.__getitem__
        start = st.selectbox(say("Copy from"), done, format_func=called, key=f"{key}:from")
        others = [at for at in range(len(names)) if at != start]
        to = st.multiselect(
            say("Copy to"),
            others,
            format_func=called,
            key=f"{key}:alike",
            select_all=False,
            placeholder=say("Choose columns"),
        )
        labels = {"kind": say("Kind")} | {name: cell.looks["label"] for name, cell in _cells().items()}
        line = draft.lines.iloc[start]
        said = [name for name in labels if name == "kind" or (not pd.isna(line[name]) and line[name])]
        parts = st.multiselect(
            say("What to copy"),
            said,
            said,
            format_func=labels.__getitem__,
            key=f"{key}:parts:{start}:{len(said)}",
            select_all=False,
            placeholder=say("Choose"),
        )
        st.button(
            say("Copy declaration"),
            disabled=not (to and parts),
            key=f"{key}:same",
            on_click=_copy,
            args=(draft, start, tuple(to), tuple(parts)),
        )


def _copy(draft: Draft, start: int, to: tuple[int, ...], parts: tuple[str, ...]) -> None:
    line: Line = {str(name): value for name, value in draft.lines.iloc[start].items()}
    for at in to:
        for name in parts:
            draft.lines.at[draft.lines.index[at], name] = kind_of(line) if name == "kind" else line[name]
    draft.begin_anew()


def _field(cell: Cell, value: Any, key: str, helped: bool) -> Any:
    label = cell.looks["label"]
    help = cell.looks["help"] if helped else None
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
        return st.text_area(label, text, key=key, help=say(cell.pasted), height=LIST)
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
            schema = Schema(columns)
            draft.take(layout.taken(draft, lines_of(schema, list(source.names))), whole, derived_of(schema))
        except ParameterError as wrong:
            draft.unread = wrong
    st.rerun()
