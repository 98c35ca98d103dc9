"""Registering: from an uploaded file, a table or a folder to a dataset with a budget and an officer's word."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from discreet.budget import ParameterError, Phrase
from discreet.office import House, Member, Policy, charges, connections, duties, enrolment, likeness, seal, withdrawals
from discreet.office.registry import Registered
from discreet.rows import Schema
from discreet.ui import notices
from discreet.ui.data import layout, upload, written
from discreet.ui.frame.buttons import primary
from discreet.ui.frame.links import view
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import begun, connecting, drafted, policies, renewing, responsible, whose
from discreet.ui.office.entries import Entries, turned
from discreet.ui.office.frozen import summary
from discreet.ui.office.lacking import lacking
from discreet.ui.office.promises import ask_about, ask_budget, registration_of
from discreet.ui.office.resuming import sent
from discreet.ui.opened import Draft
from discreet.ui.state import chosen, settings, workspace

CONNECTION = {"connection": Phrase("A connection of this house")}
FROM = {
    "file": Phrase("A file"),
    "table": Phrase("A table of a database or cluster"),
    "folder": Phrase("A folder of Parquet"),
}


def show(house: House, who: Member) -> None:
    """Take a file or an address, have it declared, and register it."""
    draft = workspace().registration
    if draft is not None:
        if renewing.offered(house, draft):
            return
        begun.bring_back(house, who, draft, _mark(draft.number))
        first = st.container()  # what is asked before the columns, and filled once these are known
        upload.drafting(draft, lambda draft, source, schema: _form(house, who, draft, source.names, schema, first))
        return
    _begin(house, who)


def _begin(house: House, who: Member) -> None:
    """Ask where the rows are, and make a draft of them."""
    begun.waiting(house, who)
    usable = connections.own_connections(house, who)
    way = view(say("From"), (CONNECTION if usable else {}) | FROM, "registered-from")
    if way == "connection":
        connecting.named(house, who, usable)
    elif way == "file":
        st.caption(
            say(
                "The file goes into the private vault of this server. Nobody sees its rows, "
                "analysts see the declaration only."
            )
        )
        upload.uploader(registering=True)
    elif way == "table":
        connecting.show(house, who)
    else:
        connecting.folder(house, who)


def _mark(number: int) -> str:
    return f"register:{number}"


def _entries(number: int) -> Entries:
    """Return the fields of a registration, by the number of its draft."""
    return Entries(turned(_mark(number)))


def _form(
    house: House, who: Member, draft: Draft, names: Sequence[str], schema: Schema | None, first: DeltaGenerator
) -> None:
    """Ask what an officer must be able to answer for."""
    entries, others, said = _entries(draft.number), _alike(house, draft), responsible.of_house(house)
    with first:
        schema = whose.ask(entries, names, schema)
    mistaken = _mistaken(house, who, others)
    renewing.looks_like(others, entries, mistaken)
    if mistaken is not None and renewing.replaces(entries):
        others = [other for other in others if other.data.id != mistaken.id]
    st.header(say("What are these data?"), anchor=False)
    left, right = st.columns(2, gap="medium")
    with left:
        ask_about(draft, entries, said.basis)
        responsible.ask(entries, said)
    with right:
        ask_budget(entries)
    with st.expander(say("Policy: what runs at once, what needs approval"), expanded=True):
        policies.ask(Policy(), entries)
    summary(entries, schema, lacking(entries, schema, others))
    _send(house, who, draft, schema, "" if mistaken is None else mistaken.id)


def _mistaken(house: House, who: Member, others: Sequence[likeness.Alike]) -> Registered | None:
    """Return the first of some data that this officer keeps, and of which nothing was ever asked."""
    mine = charges.of_officer(house, who) if others else frozenset()
    known = [other.data for other in others if other.data.id in mine]
    return next((data for data in known if withdrawals.untouched(house, data.id)), None)


def _send(house: House, who: Member, draft: Draft, schema: Schema | None, mistaken: str) -> None:
    """Say who must confirm it and what is kept of it, and offer to register."""
    policies.second_officer(duties.alone(house, who, "officer"))
    notices.show()
    begun.put_away(house, who, draft, _mark(draft.number))
    primary(
        written.confirmed(draft, schema, say("Register")),
        disabled=schema is None,
        key=_entries(draft.number).key("go"),
        on_click=_register,
        args=(draft.number, schema, _seen(draft), mistaken),
    )
    st.download_button(
        say("Export this declaration"),
        "" if schema is None else schema.to_json(),
        "declaration.json",
        "application/json",
        icon=":material/download:",
        disabled=schema is None,
        on_click="ignore",
        help=say("What is declared of the columns, to be imported with another file."),
    )


def _alike(house: House, draft: Draft) -> list[likeness.Alike]:
    """Return registered data that a draft looks like, by what is typed at this moment."""
    names = () if draft.source is None else draft.source.names
    others = likeness.alike(house, names, _entries(draft.number).text("source"), draft.address)
    refused = {other.data.id for other in draft.resembling}
    return [*draft.resembling, *(other for other in others if other.data.id not in refused)]


def columns_of(draft: Draft) -> str:
    """Return the mark of how the file is read and declared, as the fields stand."""
    table = f"declared:{draft.number}:{draft.version}"
    fields = (table, *(f"{name}:{draft.number}" for name in layout.PARTS), *written.keys(draft))
    single = {field: str(value) for field, value in settings(table, ()).items()}
    return seal.of(draft.version, str(draft.layout), [*(chosen(field) for field in fields), single])


def _seen(draft: Draft) -> str:
    """Return the mark of the columns, and of whose rows they are."""
    return seal.of(columns_of(draft), whose.fields(_entries(draft.number)))


def _register(number: int, schema: Schema, seen: str, mistaken: str) -> None:
    """Register what the fields say at this moment, for whoever is signed in at this moment.

    Columns that were changed after the page was drawn are not what was checked and shown: they are
    refused. Everything else is read here, so that what was typed last counts.
    """
    here = drafted.standing(number)
    if here is None:
        return
    (house, who, draft), entries = here, _entries(number)
    try:
        if seen != _seen(draft):
            raise ParameterError(seal.OTHER)
        rows = draft.address or draft.data
        words, policy = registration_of(entries, schema), policies.policy_of(entries)
        before = mistaken if renewing.replaces(entries) else ""
        data = enrolment.register(house, who, rows, words, policy, draft.layout, draft.through, before)
    except ParameterError as refused:
        drafted.refused(draft, refused)
        return
    sent(begun.form_of(draft, _mark(number)))
    drafted.arrive(draft, data.id, say("{name} is registered.", name=quoted(data.name)))
