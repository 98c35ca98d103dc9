"""Settings page: what an administrator enters once, so that no officer has to enter it in every registration."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.office import House, Member
from discreet.office.datasets import letterhead, places
from discreet.office.datasets.letterhead import LABELS, Letterhead
from discreet.office.datasets.places import NamedConnection
from discreet.ui.frame.links import primary
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import first_steps
from discreet.ui.office.datasets import terms
from discreet.ui.office.datasets.terms import logins
from discreet.ui.office.forms import Entries, do
from discreet.ui.session import door

NO_PLACE = Phrase(
    "This server may not open any database, cluster or folder yet. The server administrator "
    "lists the allowed ones in {databases}, {clusters} and {folders}."
)
EXAMPLES = (
    "postgresql://user:password@host/database",
    "postgresql://user:${CONNECTION_NAME}@host/database",
    "sqlite:////folder/file",
    "/srv/registers/people",
    "sc://host:15002/;use_ssl=true;token=...",
)


def show() -> None:
    """Show the letterhead and the connections as forms, side by side."""
    st.title(say("Settings"), anchor=False)
    house = door.house()
    who = door.who()
    if house is None or who is None:
        return
    first_steps.on_the_way(house, who)
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True):
        _letterhead(house, who)
    with right, st.container(border=True):
        _connections(house, who, places.all_connections(house, who))


def _letterhead(house: House, who: Member) -> None:
    """Ask for the defaults of every registration."""
    st.header(say("Default registration details"), anchor=False)
    st.caption(
        say(
            "Officers see these values when they register a dataset and can change them there. "
            "Existing registrations keep their values. Every card names the organisation as "
            "responsible for the dataset."
        )
    )
    entries = Entries("letterhead")
    now = terms.of_house(house)
    for name in LABELS:
        terms.field(name, getattr(now, name), entries.key(name))
    if primary(say("Save"), width="stretch", key="save-letterhead"):
        do(lambda: _declare(house, who, entries))


def _declare(house: House, who: Member, entries: Entries) -> None:
    letterhead.declare(house, who, Letterhead(**{name: entries.text(name) for name in LABELS}))
    st.toast(say("Saved. The next registration starts with these values."), icon=":material/check:")


def _connections(house: House, who: Member, every: Sequence[NamedConnection]) -> None:
    """Show the connections, with ways to test or remove one and to add a new one."""
    st.header(say("Connections"), anchor=False)
    st.caption(
        say(
            "Officers use these connections by name to register tables and folders. They see no "
            "passwords. To change a password, set up the connection again under the same name. Every "
            "dataset that uses it is updated."
        )
    )
    if every:
        st.dataframe(pd.DataFrame([_line(each) for each in every]), hide_index=True, width="stretch")
        _single(house, who, [each.name for each in every])
    else:
        st.info(say("No connections yet."))
    _new(house, who)


def _line(each: NamedConnection) -> dict[str, str]:
    return {
        say("Name"): each.name,
        say("Place"): each.place,
        say("Officers"): ", ".join(each.officers) or say("all of them"),
    }


def _single(house: House, who: Member, names: Sequence[str]) -> None:
    name = st.selectbox(say("Connection"), names, key="connection-name")
    left, right = st.columns(2)
    tested = left.button(say("Test"), width="stretch", key="test-connection")
    removed = right.button(say("Remove"), width="stretch", key="remove-connection")
    if removed:
        do(lambda: places.disconnect(house, who, name))
    if tested:
        try:
            with st.spinner(say("Connecting")):
                places.knock(house, who, name)
        except ParameterError as refused:
            st.error(quoted(say(refused)))
            return
        st.success(say("{name} responds.", name=quoted(name)))


def _new(house: House, who: Member) -> None:
    """Ask for a name and an address; the address is never shown again."""
    if not (places.tables() or places.roots()):
        st.info(say(NO_PLACE, databases=places.DATABASES, clusters=places.CLUSTERS, folders=places.FOLDERS))
        return
    st.markdown(f"**{say('Set up a connection or enter its new password')}**")
    with st.form("new-connection", border=False, clear_on_submit=True):
        name = st.text_input(say("Name"), max_chars=places.LONGEST)
        address = st.text_input(
            say("Address, with its password"), type="password", autocomplete="off", help="\n\n".join(EXAMPLES)
        )
        officers = st.text_input(
            say("Officers who may use it"),
            help=say("Enter logins, separated by commas. Leave this empty to allow all officers."),
        )
        sent = st.form_submit_button(say("Set up"), width="stretch")
    if sent:
        do(lambda: _connect(house, who, name, address, officers))


def _connect(house: House, who: Member, name: str, address: str, officers: str) -> None:
    places.connect(house, who, name, address, logins(officers))
    st.toast(say("{name} is set up. Test it.", name=quoted(name)), icon=":material/check:")
