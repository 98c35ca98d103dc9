"""Extending: more of a registered dataset is declared, by one officer, and confirmed by another one."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from discreet.budget import ParameterError
from discreet.office import House, Member, duties, extension, seal
from discreet.office.memberships import name_of
from discreet.office.registry import Registered
from discreet.rows import Schema
from discreet.ui import notices
from discreet.ui.data import declare, upload, written
from discreet.ui.frame.buttons import primary
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import door
from discreet.ui.office.registering import columns_of
from discreet.ui.office.steps import do
from discreet.ui.opened import Draft
from discreet.ui.state import workspace


def show(house: House, who: Member, data: Registered) -> None:
    """Show how the declaration was extended, what waits for a second officer, and a way to declare more."""
    _history(house, data)
    if data.state != "open":
        return
    st.header(say("More columns and levels"), anchor=False)
    st.caption(
        say(
            "Ignored columns can be declared, and levels added at the end of a list, from the next request on. "
            "What is declared stays, and so do answers, what waits, and the budget."
        )
    )
    if data.remote:
        st.caption(
            say("Of rows that stay where they are a later last day or a higher upper bound can be declared, too.")
        )
    _waiting(house, who, data)
    draft = workspace().extension
    if draft is not None and draft.notes == _mark(data):
        _form(house, who, data, draft)
    elif _growing(data):
        st.button(say("Declare more"), icon=":material/edit:", width="stretch", on_click=_begin, args=(data,))


def _mark(data: Registered) -> dict[str, object]:
    """Return which declaration of which dataset is extended."""
    return {"dataset": data.id, "after": len(data.later)}


def _growing(data: Registered) -> list[str]:
    """Return the columns of which more can be said: of rows that stay where they are also a later bound."""
    columns = data.registration.schema.columns.items()
    return [name for name, column in columns if column.grows or (data.remote and column.end)]


def _begin(data: Registered) -> None:
    """Begin with the columns of which more can be said."""
    space, schema = workspace(), data.registration.schema
    names = _growing(data)
    space.uploads += 1
    lines = declare.lines_of(schema, names)
    space.extension = Draft(data.name, b"", None, None, lines, 1, number=space.uploads, notes=_mark(data))
    written.taken(space.extension, declare.lines_of(schema, list(schema.columns)))  # as the columns that there are


def _form(house: House, who: Member, data: Registered, draft: Draft) -> None:
    """Ask what else is declared, from public knowledge; show what would be new."""
    st.caption(say("From public knowledge and never from the rows: with the public source of every bound."))
    draft.lines = upload.edited(draft)
    schema, seen = _wanted(data, written.resolved(draft)), ""
    if schema is not None:
        _new(data, schema)
        seen = seal.of_extension(data, schema)
    if duties.alone(house, who, "officer", data.id):
        st.warning(say("You are the only officer. It holds on your word alone, and the trail says so."))
    else:
        st.caption(say("It holds when another officer has confirmed it."))
    notices.show()
    with st.container(horizontal=True):
        primary(
            say("Extend the declaration"),
            disabled=schema is None,
            key=f"extend:{draft.number}",
            on_click=_extend,
            args=(data.id, schema, columns_of(draft), seen),
        )
        st.button(say("Leave it as it was"), type="tertiary", on_click=workspace().drop, args=(draft,))


def _wanted(data: Registered, lines: pd.DataFrame) -> Schema | None:
    """Return the declaration with what is typed, or say what is missing."""
    typed = declare.schema_of(lines)
    if typed is None:
        return None
    schema = Schema(dict(data.registration.schema.columns) | dict(typed.columns))
    try:
        extension.extended(data, schema)
    except ParameterError as refused:
        st.info(quoted(say(refused)))
        return None
    return schema


def _new(data: Registered, schema: Schema) -> None:
    """Show what would be declared otherwise than now."""
    before = data.registration.schema.columns
    new = {name: column for name, column in schema.columns.items() if column != before.get(name)}
    st.dataframe(declare.reading(Schema(new)), hide_index=True, width="stretch")


def _extend(dataset: str, schema: Schema, fields: str, seen: str) -> None:
    """Want what the page showed, as whoever is signed in at this moment; what was typed since is refused."""
    house, who, space = door.house(), door.who(), workspace()
    draft = space.extension
    if house is None or who is None or draft is None:
        return
    try:
        if fields != columns_of(draft):
            raise ParameterError(seal.OTHER)
        extension.extend(house, who, dataset, schema, seen)
    except ParameterError as refused:
        space.notice = refused
        return
    space.drop(draft)


def _history(house: House, data: Registered) -> None:
    """Say who declared more, and when."""
    for edition in data.later:
        st.markdown(
            say(
                "From request {number} on: extended by {name}, {day}.",
                number=edition.since,
                name=quoted(name_of(house, edition.by)),
                day=edition.at[:10],
            )
        )


def _waiting(house: House, who: Member, data: Registered) -> None:
    """Show what waits for a second officer, and let one confirm or drop it."""
    waits = duties.pending(house, extension.KIND, data.id)
    if waits is None:
        return
    schema = Schema.from_json(waits.body)
    name = quoted(name_of(house, waits.by))
    st.warning(say("{name} proposes to declare this as well. It holds when another officer confirms it.", name=name))
    _new(data, schema)
    seen = seal.of_extension(data, schema)
    if waits.by != who.id and st.button(say("Confirm this declaration"), width="stretch", key=f"yes:{waits.id}"):
        do(lambda: extension.extend(house, who, data.id, schema, seen))
    if st.button(say("Drop this proposal"), width="stretch", key=f"no:{waits.id}"):
        do(lambda: duties.drop(house, who, "officer", waits, data.name))
