"""Upload: a file becomes a draft, which is declared and then used; none of its rows is shown."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.budget.errors import commas
from discreet.lab.samples import SAMPLES
from discreet.rows import Dataset, Ignored, LocalSource, OpenData, Person, Schema
from discreet.rows.capacity import LARGEST_UPLOAD, MIB
from discreet.rows.files import Layout, formats, likely, suggest, titles
from discreet.rows.intake.opening import Keeping
from discreet.rows.intake.parser import FULL, brought_by
from discreet.rows.proposals import proposed
from discreet.rows.proposals.catalogue import names_a_person
from discreet.rows.proposals.proposed import labelled
from discreet.rows.source import of_bytes
from discreet.ui import kinds
from discreet.ui.data import checking, deriving, table
from discreet.ui.data import layout as written
from discreet.ui.data.layout import adjusted, made_names
from discreet.ui.frame.links import go_back, primary, to_managers
from discreet.ui.frame.scrolling import made
from discreet.ui.frame.words import quoted, say
from discreet.ui.session.state import absent, brought, choose, chosen, fresh, server, workspace
from discreet.ui.session.workspace import AnySource, Draft, Opened

# Several rows: whether one person can have several rows, a question that is easily forgotten.

ANSWERS = {"no": Phrase("No, one row per person"), "yes": Phrase("Yes")}
COLUMNS_MISSING = Phrase("Complete the columns above first. Leave a field to apply what you typed.")
PERSON_MISSING = Phrase("Choose above what counts of each person ({columns}), or set the column to “ignored”.")
ROWS_MISSING = Phrase("Answer above whether one person can have more than one row.")
LEFT_OUT = Phrase(
    "{columns} seems to identify people and is left out. If it has the same value in several rows, "
    "the person in these rows is not protected. Answer “Yes” to use it."
)
MOST_KNOWN = 3  # schemas of earlier files that are offered
ROWS = 10  # default number of rows per person


def asked(draft: Draft, schema: Schema | None) -> Schema | None:
    """Return the schema with its person column, if there is one; None while the question is unanswered.

    It is asked of incomplete columns, too, so that it stays in its place while they are typed.
    """
    declared_as = table.by_kind(draft.lines)
    if any(kind in kinds.of(Person()).names for kind in declared_as.values()):
        return schema
    asking = table.asks_of_a_person(draft) if chosen(f"way:{draft.number}") == "cards" else []
    if asking:
        st.caption(quoted(say(PERSON_MISSING, columns=commas(asking))))
        return None
    answer = st.radio(
        say("Can one person have more than one row?"),
        list(ANSWERS),
        0 if draft.complete else None,
        format_func=lambda name: say(ANSWERS[name]),
        key=f"several:{draft.number}:{draft.complete}",  # an imported schema answers it
        horizontal=True,
        help=say("A person with several rows is protected only if a column identifies which rows are theirs."),
    )
    free = [name for name, kind in declared_as.items() if kind in kinds.of(Ignored()).names]
    if answer != "yes":
        left_out = [name for name in free if names_a_person(name)]
        if answer == "no" and left_out:
            st.warning(quoted(say(LEFT_OUT, columns=commas(left_out))))
        return schema if answer == "no" else None
    return _with_person(draft, free, schema)


def _with_person(draft: Draft, free: Sequence[str], schema: Schema | None) -> Schema | None:
    """Ask which of the free columns identifies the person, and for the number of rows per person."""
    fields = Whose(f"whose:{draft.number}", f"rows:{draft.number}")
    fields.ask(free)
    try:
        return None if schema is None else fields.applied(schema)
    except ParameterError as wrong:
        st.error(quoted(say(wrong)))
        return None


@dataclass(frozen=True)
class Whose:
    """The fields for the person column and the number of rows per person, by their keys."""

    column: str
    rows: str

    def ask(self, free: Sequence[str]) -> None:
        """Ask for both; of the columns without a kind, those named like an identifier come first."""
        if not free:
            st.error(say("No unused column can identify people. Set a column to “ignored”, then select it here."))
            return
        left, right = st.columns(2)
        likely = sorted(free, key=lambda name: not names_a_person(name))
        left.selectbox(say("Column that identifies people"), likely, key=self.column)
        right.number_input(
            say("Maximum rows per person"),
            1,
            10_000,
            ROWS,
            key=self.rows,
            help=say(
                "Rows above this number are dropped at random. A higher limit adds noise but does not weaken privacy."
            ),
        )

    def applied(self, schema: Schema) -> Schema | None:
        """Return the schema with that person column; None if none is chosen."""
        column = chosen(self.column)
        rows = chosen(self.rows)
        if not column or not rows or column in schema.askable:
            return None
        return Schema({**schema.columns, str(column): Person(int(rows))})


WAYS = {"cards": Phrase("Cards"), "table": Phrase("As a spreadsheet")}
MOST_NAME = 80


def uploader(registering: bool = False) -> None:
    """Take a file, whose content becomes a draft for work in this browser or for a registration."""
    space = workspace()
    file = st.file_uploader(
        say("Upload a dataset"),
        key=fresh("table"),
        max_upload_size=LARGEST_UPLOAD // MIB,
        help=say(
            "The file stays on this server; its administrator could read it. "
            "Rows are hidden unless you mark the dataset as public."
        ),
    )
    st.caption(say(titles()))
    to_managers()
    if space.notice:
        st.error(quoted(say(space.notice)))
        space.notice = ""
    if file is None:
        return
    space.uploads += 1
    _begin(_plain(file.name)[:MOST_NAME] or say("upload"), brought("table", file), registering)


def _begin(name: str, data: bytes, registering: bool) -> None:
    """Make a draft of a file, or leave a notice why that failed; a file declared before restores its table's rows."""
    space = workspace()
    table = None if registering else _declared_before(data)
    try:
        layout = suggest(data)
        if table is not None:
            with st.spinner(say("Reading the file")):
                space.bring(table, data, server().room(space.browser))
    except ParameterError as refused:
        space.notice = refused
    else:
        if table is None:
            draft = Draft(name, data, layout, None, number=space.uploads, registering=registering)
            written.begin(draft, layout)
            space.keep(draft)
            _read(draft)
    st.rerun()


def _declared_before(data: bytes) -> Opened | None:
    """Return the table that was declared for this very file, if its rows are no longer loaded."""
    shelf = [table for table in workspace().opened.values() if table.shelved]
    content = of_bytes(data) if shelf else ""
    return next((table for table in shelf if table.dataset.digest == content), None)


def _plain(name: str) -> str:
    """Return a file name without characters that reverse text or control a terminal."""
    shown = "".join(c for c in name if unicodedata.category(c) not in ("Cc", "Cf"))
    return " ".join(shown.split())


def _discard(draft: Draft) -> None:
    workspace().drop(draft)


def _read(draft: Draft) -> None:
    """Read a draft with its layout; a failure leaves it without a source."""
    draft.source = None
    draft.wrong = Phrase("Reading was stopped. Upload the file again to continue.")
    draft.weight = 0
    draft.notes = {}
    draft.likely = None
    place = st.empty()
    with place.container():
        bar = st.progress(0.0, say("Reading the file"))
        st.button(say("Stop"), key=f"stop:{draft.number}:{draft.version}", on_click=_discard, args=(draft,))
    try:
        browser = workspace().browser
        with brought_by(browser, server().room(browser)):
            keeping = Keeping(notes=draft.notes)
            source = LocalSource(draft.data, draft.layout, lambda share: bar.progress(share), keeping)
    except ParameterError as refused:
        draft.wrong, draft.likely = refused, likely(draft.data)
        return
    if not server().takes(workspace().browser, source.weight):
        draft.wrong = FULL
        return
    draft.source = source
    draft.weight = source.weight
    draft.wrong = ""
    draft.layout = source.layout
    place.empty()
    _propose(draft, source)


def _propose(draft: Draft, source: LocalSource) -> None:
    """Fill the lines of a draft with proposals for its columns."""
    proposals = proposed(source.names, source.types, draft.notes)
    draft.lines = written.proposed(draft, table.lines(source.names, proposals))
    draft.proposed = tuple(proposals)
    draft.begin_anew()


def drafting(draft: Draft, finish: Callable[[Draft, AnySource, Schema | None], None]) -> None:
    """Declare a draft: how it is read and what its columns are; `finish` draws the last step."""
    st.header(say("Declare the columns"), anchor=False)
    st.text(draft.name)
    version = draft.version
    if draft.hint:
        st.info(quoted(say(draft.hint)))
    if draft.layout is not None:
        _layout(draft, draft.layout)
    if draft.source is None:
        st.error(quoted(say(draft.wrong)))
        _offer(draft)
    else:
        finish(draft, draft.source, _declare(draft, draft.source))
    label = say("Discard this dataset") if draft.address else say("Discard this file")
    if draft.earlier is not None:
        label = say("Cancel")
    st.button(label, icon=":material/delete:", type="tertiary", on_click=_discard, args=(draft,))
    if draft.version != version:
        st.rerun()  # the fields start from the new lines; not earlier, or the choices below them are lost


def _layout(draft: Draft, layout: Layout) -> None:
    """Offer to correct how a file is read, and read it again."""
    if formats[layout.format].adjustable:
        wanted = adjusted(layout, draft.notes, str(draft.number), draft.source is None)
        if wanted != layout:
            draft.layout = wanted
            if wanted.separator != layout.separator:
                written.begin(draft, wanted)
            _read(draft)
            st.rerun()
    made_names(draft.notes)


def _offer(draft: Draft) -> None:
    """Offer to read a refused file as its rows suggest: pressing the button declares it and resets the fields."""
    if draft.likely is None or draft.likely == draft.layout:
        return
    words = "; ".join(say(part) for part in draft.likely.as_read())
    if primary(say("Read as {layout}", layout=quoted(words)), key=f"likely:{draft.number}"):
        space = workspace()
        view = chosen(f"way:{draft.number}")
        space.uploads += 1
        draft.number = space.uploads
        if view is not None:
            choose(f"way:{draft.number}", view)
        draft.layout = draft.likely
        written.begin(draft, draft.likely)
        _read(draft)
        st.rerun()


def _declare(draft: Draft, source: AnySource) -> Schema | None:
    """Show the table of declarations; return None while something is missing."""
    st.caption(
        say(
            "Describe the columns from public knowledge, never from the file itself: bounds read off the data "
            "reveal it."
        )
    )
    above = st.container()
    if draft.proposed:
        table.note(draft.proposed, draft.lines, bool(labelled(draft.notes)))
    _offer_known(draft, source)
    draft.lines = edited(draft)
    with above:
        written.ask(draft)
    deriving.ask(draft)
    table.copying(draft, f"declared:{draft.number}:{draft.version}")
    table.offer(draft, source)
    schema = table.schema_of(written.resolved(draft), draft.derived)
    if schema is not None and chosen(f"way:{draft.number}") == "table":
        table.summary(schema, draft.notes.get("nested", ()))
    return schema


def _offer_known(draft: Draft, source: AnySource) -> None:
    """Offer the schemas of this session, or of its project, that are of a file with the same columns."""
    if draft.complete:
        return
    for name, schema in list(_known(source).items())[-MOST_KNOWN:][::-1]:
        st.button(
            say("Use the schema of {name}", name=quoted(name)),
            icon=":material/history:",
            key=f"known:{draft.number}:{name}",
            on_click=_take_known,
            args=(draft, schema, source),
            help=say("That file has the same columns. No row was read to find it."),
        )


def _known(source: AnySource) -> dict[str, Schema]:
    """Return the schemas of uploaded files with the same columns, by name; types are compared if they are known."""
    found: dict[str, Schema] = {}
    for name, opened in workspace().opened.items():
        if name in SAMPLES or opened.desk is not None:
            continue
        types = getattr(opened.source, "types", None)  # unknown of a file that is not loaded
        same = opened.dataset.schema.in_data == list(source.names)
        same = same and types in (None, getattr(source, "types", None))
        if same and opened.dataset.schema not in found.values():
            found[opened.name] = opened.dataset.schema
    return found


def _take_known(draft: Draft, schema: Schema, source: AnySource) -> None:
    lines = table.lines_of(schema, list(source.names))
    draft.take(written.taken(draft, lines), complete=True, derived=table.derived_of(schema))


def edited(draft: Draft) -> pd.DataFrame:
    """Show the declarations as cards, or in a spreadsheet."""
    mark = f"{draft.number}:{draft.version}"
    if absent([f"way:{draft.number}"]):
        choose(f"way:{draft.number}", "cards")
    way = st.segmented_control(
        say("View"),
        list(WAYS),
        format_func=lambda name: say(WAYS[name]),
        key=f"way:{draft.number}",
        required=True,
        on_change=draft.begin_anew,
        persist_state="session",
        label_visibility="collapsed",
    )
    wanted = ("origin",) if draft.registering else ()
    if way == "table":
        return table.table(draft.lines, f"declared:{mark}", wanted)
    return table.cards(draft, f"declared:{mark}", wanted)


def use(draft: Draft, source: AnySource, schema: Schema | None) -> None:
    """Ask whether the data are public, and open them with a budget of this session."""
    public = _public(draft) if draft.earlier is None else draft.earlier.shown is not None
    declared = schema
    if not public:
        schema = asked(draft, schema)
    with st.container(key="use-bar"):  # in sight below however many cards
        label = written.confirmed(draft, schema, say("Use this dataset"))
        pressed = primary(label, key=f"use:{draft.number}", disabled=schema is None)
        if schema is None:
            waits = "" if table.asks_of_a_person(draft) else ROWS_MISSING
            missing = COLUMNS_MISSING if declared is None else waits
            if missing:
                st.caption(say(missing))
    if pressed and schema:
        _use(draft, source, schema, public)


def _public(draft: Draft) -> bool:
    """Ask whether everyone may see the rows, which cannot be undone."""
    public = st.checkbox(
        say("This dataset is public"),
        key=f"public:{draft.number}:{draft.version}",
        help=say("Exact values can then be shown next to noisy ones."),
    )
    if public:
        st.warning(
            say(
                "Anyone who can open this page can then see every row and every exact value. No one in this "
                "dataset is protected. This cannot be undone."
            )
        )
    else:
        st.caption(say("Protected: only released results are shown. Even the number of rows stays hidden."))
    return public


def _use(draft: Draft, source: AnySource, schema: Schema, public: bool) -> None:
    space = workspace()
    if draft.registering:
        raise ParameterError("This upload is a registration draft, so it can only be registered.")
    before = draft.earlier
    size, weight = (len(draft.data), draft.weight) if before is None else (before.size, 0)
    with st.spinner(say("Preparing")):
        declared = replace(schema, layout=getattr(source, "layout", None))
        dataset = (OpenData if public else Dataset)(source, declared)
        space.open(draft.name, dataset, size, weight, source)
    space.drop(draft)
    made(space.current)
    if not checking.misread(space.here):
        go_back("query" if before is None and not space.here.answered else "")
    st.rerun()
