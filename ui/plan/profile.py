"""Profile: one press plans all declared columns, and says what it made coarser or left out, each with a way back."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.budget import ParameterError
from discreet.plans.plan import Wanted
from discreet.plans.profile import NOT_ASKED, Note, Profile
from discreet.rows import Schema
from discreet.ui.frame.links import BACK, link
from discreet.ui.frame.words import named, quoted, say
from discreet.ui.plan.rows import whole_title
from discreet.ui.session.state import workspace
from discreet.ui.session.workspace import Sheet


def button(sheet: Sheet, schema: Schema, key: str) -> None:
    """Offer the plan of all declared columns."""
    words = say("Plans what suits each declared column, at one total ε. Nothing is spent before you release the plan.")
    label = say("Profile of the dataset")
    st.button(
        label, icon=":material/table_chart:", help=words, key=f"{key}:profile", on_click=_fill, args=(sheet, schema)
    )


def _fill(sheet: Sheet, schema: Schema) -> None:
    try:
        sheet.fill(schema)
    except ParameterError as refused:
        workspace().notice = refused


def notes(sheet: Sheet, schema: Schema, key: str) -> None:
    """Say what the profile in this plan asks coarser than usual or not at all, each with a press that puts it back."""
    made = sheet.profile
    if made is None or set(sheet.items).isdisjoint(made.plan.items):
        return
    mark = f"{key}:{sheet.version}"
    open_ = [note for note in made.notes if not set(note.usual) <= set(sheet.items)]
    for why in dict.fromkeys(note.why for note in open_):
        alike = [note for note in open_ if note.why == why]
        said = "; ".join(_titles(note.usual, schema) for note in alike)
        st.info(quoted(say(why, queries=said)), icon=":material/lightbulb:")
        with st.container(horizontal=True):
            for at, note in enumerate(alike):
                label = say("Put back {queries}", queries=_titles(note.usual, schema))
                st.button(label, key=f"{mark}:back:{why[:20]}:{at}", on_click=_back, args=(sheet, note))
    _left(made)
    if vars(sheet.common) != {name: getattr(made.plan, name) for name in vars(sheet.common)}:
        label = say("Profile for the changed terms")
        st.button(label, icon=":material/replay:", key=f"{mark}:again", on_click=_fill, args=(sheet, schema))


def _left(made: Profile) -> None:
    """Name the columns that no query can be about."""
    if made.left:
        st.caption(quoted(say(NOT_ASKED, columns=", ".join(map(named, made.left)))))
        link("dataset", say("Change schema"), at={BACK: "plan"})


def _titles(rows: Sequence[Wanted], schema: Schema) -> str:
    return ", ".join(whole_title(row, schema) for row in rows)


def _back(sheet: Sheet, note: Note) -> None:
    """Put the usual rows in the place of those that stand instead of them, or at the end."""
    here = [at for at, item in enumerate(sheet.items) if item in note.instead]
    kept = [item for item in sheet.items if item not in note.instead]
    place = here[0] if here else len(kept)
    try:
        sheet.change((*kept[:place], *note.usual, *kept[place:]))
    except ParameterError as refused:
        workspace().notice = refused
