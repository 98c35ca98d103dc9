"""Connecting: the address of rows that stay in a database, a cluster or a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from discreet.budget import ParameterError
from discreet.office import House, Member
from discreet.office.datasets import lifecycle, places, registry
from discreet.office.datasets.places import SILENT, NamedConnection, offers, reach
from discreet.office.datasets.registry import Registered
from discreet.rows.engines.folder import Folder
from discreet.rows.engines.registry import Address, table_at
from discreet.rows.intake.parser import Unreachable
from discreet.rows.proposals import proposed
from discreet.ui.data import table
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.forms import do
from discreet.ui.session.state import workspace
from discreet.ui.session.workspace import Draft

EXAMPLES = "postgresql://user:password@host/database, sqlite:////folder/file, sc://host:15002/;use_ssl=true;token=..."


def show(house: House, who: Member) -> None:
    """Ask for a table of a database or cluster that this server may open."""
    st.caption(
        say(
            "The rows stay in the database or in the cluster. A database is read for each result in a "
            "read-only transaction. A cluster counts the rows itself. The address, with its password "
            "or token, is stored only in the vault."
        )
    )
    if not places.tables():
        st.info(
            say(
                "This server may not open any database or cluster. The server administrator lists the "
                "allowed ones in {databases} and {clusters}.",
                databases=places.DATABASES,
                clusters=places.CLUSTERS,
            )
        )
        return
    table = typed_address("connection", say("Connect"))
    if table is not None:
        _connect(house, who, table[1], lambda: table_at(*table))


def named(house: House, who: Member, usable: Sequence[NamedConnection]) -> None:
    """Ask for a table of a connection that an administrator has set up."""
    st.caption(say("An administrator has set up these connections. You enter no address and no password here."))
    by_id = {each.id: each for each in usable}
    chosen = by_id[st.selectbox(say("Connection"), list(by_id), format_func=lambda name: by_id[name].name)]
    names = [] if chosen.folder else _offered(house, who, chosen)
    with st.form("named-connection", border=False):
        table = "" if chosen.folder else _table(names)
        sent = st.form_submit_button(say("Connect"), width="stretch")
    if sent:
        place = lambda: reach(house, who, chosen.id, table)  # noqa: E731 - it may be refused
        _connect(house, who, table or chosen.name, place, chosen)


def _offered(house: House, who: Member, connection: NamedConnection) -> list[str]:
    """List the tables and views of a connection on request; without a request, the connection is not opened."""
    label = say("List tables and views")
    if not st.toggle(label, key=f"tables:{connection.id}", help=say("Only names are listed. No row is read.")):
        return []
    try:
        with st.spinner(say("Connecting")):
            names = offers(house, who, connection.id)
    except ParameterError as refused:
        st.error(quoted(say(SILENT, name=connection.name) if isinstance(refused, Unreachable) else say(refused)))
        return []
    if not names:
        st.caption(say("The list is empty. Enter the name."))
    return names


def _table(names: Sequence[str]) -> str:
    """Ask for the name of a table, as text or as a choice from the listed tables."""
    label = say("Table or view")
    if names:
        return st.selectbox(label, names, None, placeholder=say("Choose one")) or ""
    return st.text_input(label).strip()


def folder(house: House, who: Member) -> None:
    """Ask for a folder that this server may open."""
    st.caption(
        say(
            "The files stay in their folder and are read for each result. All files need the same "
            "structure and names of the form *.parquet. Rows may be added or removed, but the budget "
            "stays the same."
        )
    )
    if not places.roots():
        st.info(
            say(
                "This server may not open any folder. The server administrator lists the allowed folders in {name}.",
                name=places.FOLDERS,
            )
        )
        return
    with st.form("folder", border=False):
        path = st.text_input(say("Folder on this server"), placeholder="/srv/registers/people").strip()
        sent = st.form_submit_button(say("Connect"), width="stretch")
    if sent:
        _connect(house, who, path.rpartition("/")[2] or path, lambda: Folder(path))


def typed_address(key: str, button: str) -> tuple[str, str] | None:
    """Ask for the address of a table; None until it is sent."""
    with st.form(key, border=False):
        url = st.text_input(
            say("Address of the database or cluster"),
            type="password",
            autocomplete="off",
            help=say("Write the address like one of these examples: {examples}", examples=EXAMPLES),
        )
        table = st.text_input(say("Table or view"))
        sent = st.form_submit_button(button, width="stretch")
    return (url.strip(), table.strip()) if sent else None


def _connect(
    house: House, who: Member, name: str, where: Callable[[], Address], by: NamedConnection | None = None
) -> None:
    """Read the names of the columns, and make a draft of them."""
    space = workspace()
    try:
        with st.spinner(say("Connecting")):
            place = where()
            source = places.look(house, who, place)
        names = list(source.names)
    except ParameterError as refused:
        silent = by is not None and isinstance(refused, Unreachable)
        st.error(quoted(say(SILENT, name=by.name) if silent and by else say(refused)))
        return
    space.uploads += 1
    proposals = proposed(names, source.types)
    number = space.uploads
    draft = Draft(name, b"", None, source, table.lines(names, proposals), 1, number=number, address=place)
    draft.proposed = tuple(proposals)
    draft.through = "" if by is None else by.id
    space.keep(draft)
    st.rerun()


# Reconnecting: a new password or user for the same database table.


def show_reconnect(house: House, who: Member, data: Registered) -> None:
    """Take a new address for the table that contains the rows."""
    st.header(say("Connection"), anchor=False)
    through = places.name_through(house, registry.row_of(house, data.id)["layout"])
    if through:
        st.caption(
            say(
                "The rows are reached through the connection {name}. An administrator enters its new "
                "password once, on the Settings page.",
                name=quoted(through),
            )
        )
        return
    st.caption(
        say(
            "The rows are in an external table. If its password or token changes, enter the whole "
            "address again here. It must point to the same table. Budget and policy stay the same."
        )
    )
    address = typed_address(f"reach:{data.id}", say("Change connection"))
    if address is not None:
        do(lambda: lifecycle.reconnect(house, who, data.id, table_at(*address)))
