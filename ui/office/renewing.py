"""Renewing: versions of the rows of a dataset and dated notes; a file that is a version, and no new dataset."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from discreet.budget import ParameterError
from discreet.office import House, Member, registry, renewal
from discreet.office.likeness import Alike
from discreet.office.memberships import name_of
from discreet.office.registry import Registered
from discreet.ui import notices
from discreet.ui.frame.buttons import primary
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import door, drafted, further, proposed_rows
from discreet.ui.office.entries import Entries
from discreet.ui.office.standpoint import VIEW
from discreet.ui.opened import Draft
from discreet.ui.state import choose, workspace

NEW = ""  # no version of anything


def offered(house: House, draft: Draft) -> bool:
    """Ask whether a file is a new version; if it is, show that form, and say so."""
    data = [each for each in registry.everything(house) if each.state == "open" and not each.remote]
    entries = _entries(draft.number)
    if draft.address is not None or draft.source is None or not data:
        return False
    names = {NEW: say("New people: a dataset with its own budget")}
    names |= {each.id: _named(each) for each in data}
    chosen = st.selectbox(say("What is this file?"), list(names), key=entries.key("of"), format_func=names.__getitem__)
    by_id = {each.id: each for each in data}
    if chosen not in by_id:
        return False
    _form(house, by_id[chosen], draft, entries)
    return True


def _named(data: Registered) -> str:
    """Say what a file would be as a version of some data."""
    return say("A new version of {name}: the same people, one budget", name=data.name)


def looks_like(others: Sequence[Alike], entries: Entries, mistaken: Registered | None = None) -> None:
    """Warn of registered data that these look like, and ask why their people are others, or whether they replace it."""
    with st.container():  # it comes and goes while somebody types below: their field stays the one that it is
        for other in others:
            st.warning(_likeness(other))
        if mistaken is not None:
            _instead(entries, mistaken)
        if [other for other in others if mistaken is None or other.data.id != mistaken.id or not replaces(entries)]:
            _apart(entries)


def _instead(entries: Entries, mistaken: Registered) -> None:
    """Ask whether these replace a registration of which nothing was asked."""
    name = quoted(mistaken.name)
    ways = {
        "apart": say("Their people are others"),
        "replaces": say("They replace {name}, of which nothing was asked", name=name),
    }
    st.radio(
        say("What are they beside {name}?", name=name), list(ways), key=entries.key("beside"), format_func=ways.get
    )
    if replaces(entries):
        st.caption(
            say(
                "{name} is withdrawn when these are registered: its rows are deleted here, and that cannot be undone. "
                "The trail keeps who registered it, and that it was replaced.",
                name=name,
            )
        )


def replaces(entries: Entries) -> bool:
    """Say whether a registration of which nothing was asked is to be replaced."""
    return bool(entries.value("beside") == "replaces")


def _likeness(other: Alike) -> str:
    why, name = quoted(", ".join(say(reason) for reason in other.why)), quoted(other.data.name)
    return say("This looks like {name}: {why}. If it is a new version, choose so at the top.", name=name, why=why)


def _apart(entries: Entries) -> None:
    st.text_input(
        say("If not: why are their people others?"),
        key=entries.key("apart"),
        max_chars=500,
        help=say("It is on every card and on the trail. The same people with two budgets lose what both promise."),
    )


def show(house: House, who: Member, data: Registered) -> None:
    """Show the versions of a dataset and the notes on it, and ways to add one."""
    st.header(say("Versions and notes"), anchor=False)
    st.caption(say("Every version answers under the one budget of the dataset, from the next request on."))
    lines = [_line(house, data, at) for at in range(len(data.versions))]
    st.dataframe(pd.DataFrame(lines), hide_index=True, width="stretch")
    proposed_rows.show(house, who, data)
    for note in data.errata:
        name = quoted(name_of(house, note.by))
        st.markdown(f"{note.at[:10]}, {name}: {quoted(note.text)}")
    if data.state == "open" and not data.remote:
        st.button(say("Add a version"), icon=":material/history:", width="stretch", on_click=choose, args=(VIEW, "new"))
    _note(house, who, data)


def _line(house: House, data: Registered, at: int) -> dict[str, str]:
    version = data.versions[at]
    return {
        say("Version"): str(version.number),
        say("Day"): version.at[:10],
        say("From request on"): f"#{version.since}" if version.since else "–",
        say("Added by"): name_of(house, version.by),
        say("What is new"): version.why or "–",
    }


def _note(house: House, who: Member, data: Registered) -> None:
    """Take a dated note."""
    entries = Entries(f"note:{data.id}:{len(data.errata)}")
    st.text_input(
        say("A note on what was said"),
        key=entries.key("text"),
        max_chars=renewal.LONGEST,
        help=say("What was said stays; the note stands beside it, with its day, on every card from now on."),
    )
    st.button(say("Add the note"), width="stretch", key=entries.key("go"), on_click=_noted, args=(data.id, entries))
    notices.show()


def _noted(dataset: str, entries: Entries) -> None:
    """Add what is typed at this moment, as whoever is signed in at this moment."""
    house, who = door.house(), door.who()
    if house is None or who is None:
        return
    try:
        renewal.note(house, who, dataset, entries.text("text"))
    except ParameterError as refused:
        workspace().notice = refused


def _entries(number: int) -> Entries:
    return Entries(f"version:{number}")


def _form(house: House, data: Registered, draft: Draft, entries: Entries) -> None:
    """Say what a version is, and ask what is new in it."""
    st.text(draft.name)
    st.caption(
        say(
            "Its rows are read as {name} is declared, and its answers are charged to what is left of that budget. "
            "What waits is answered from the rows that it was asked of.",
            name=quoted(data.name),
        )
    )
    st.text_input(say("What is new"), key=entries.key("why"), max_chars=renewal.LONGEST)
    further.ask(entries, data.registration.schema)
    looks_like([other for other in draft.resembling if other.data.id != data.id], entries)
    if (who := door.who()) is not None:
        proposed_rows.before(house, who, data)
    notices.show()
    number = len(data.versions) + 1
    with st.container(horizontal=True):
        primary(
            say("Add version {number}", number=number),
            key=entries.key("go"),
            on_click=_renew,
            args=(draft.number, data.id),
        )
        st.button(say("Discard this file"), type="tertiary", on_click=workspace().drop, args=(draft,))


def _renew(number: int, dataset: str) -> None:
    """Add the file as it lies here, for whoever is signed in at this moment."""
    here = drafted.standing(number)
    if here is None:
        return
    (house, who, draft), entries = here, _entries(number)
    try:
        later = further.later(entries, registry.find(house, dataset).registration.schema)
        said = (draft.data, entries.text("why"), draft.layout, entries.text("apart"))
        holds = renewal.renew(house, who, dataset, *said, later=later)
    except ParameterError as refused:
        drafted.refused(draft, refused)
        return
    waits = say("It is proposed, and holds when another officer has added the same file.")
    drafted.arrive(draft, dataset, say("The new version is registered.") if holds else waits)
