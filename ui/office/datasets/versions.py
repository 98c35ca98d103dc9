"""Versions: new rows of a dataset, how far its bounds extend for them, and what waits for a second officer."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from discreet.budget import ParameterError
from discreet.office import House, Member
from discreet.office.datasets import changes, registry
from discreet.office.datasets.later_bounds import LONGEST, NONE, Later
from discreet.office.datasets.likeness import Alike
from discreet.office.datasets.registry import Registered
from discreet.office.house.roles import OFFICER
from discreet.office.people.accounts import name_of
from discreet.office.rules import rights, two_persons
from discreet.office.rules.registration import VERSION
from discreet.rows import Schema
from discreet.ui.frame import words
from discreet.ui.frame.links import primary
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.datasets import drafts
from discreet.ui.office.forms import VIEW, Entries, do
from discreet.ui.session import door
from discreet.ui.session.state import choose, workspace
from discreet.ui.session.workspace import Draft

# Proposed rows: when a version needs two officers, which proposal waits, and ways to answer it.


def show_proposed(house: House, who: Member, data: Registered) -> None:
    """Show the version that waits for another officer of this dataset, how to confirm it, and a way to reject it."""
    waits = rights.pending(house, VERSION, data.id)
    if waits is not None:
        st.warning(_whose(house, data, waits))
        st.caption(
            say(
                "This takes effect once another officer adds the same file as a version and answers the "
                "same about the bounds."
            )
        )
        if st.button(say("Withdraw proposal"), width="stretch", key=f"no:{waits.id}"):
            do(lambda: rights.drop(house, who, OFFICER, waits, data.name))


def before(house: House, who: Member, data: Registered) -> None:
    """Show, above the button that adds a version, whether one officer suffices, and what already waits."""
    waits = rights.pending(house, VERSION, data.id)
    if VERSION not in data.policy.both and waits is None:
        return
    if rights.alone(house, who, OFFICER, data.id):
        st.warning(say("You are the only officer, so this needs no confirmation. The audit log records this."))
        return
    if waits is not None:
        st.info(_whose(house, data, waits))
    if VERSION in data.policy.both:
        st.caption(
            say("A version of this dataset requires two officers. It takes effect once both have added the same file.")
        )


def _whose(house: House, data: Registered, waits: two_persons.Motion) -> str:
    """Describe who proposes a version, and the description of it."""
    name = name_of(house, waits.by)
    why = changes.proposed(house, data)
    words = quoted(say("{name} proposes a version: “{why}”.", name=name, why=why))
    bounds = waits.wanted.get("bounds")
    if not bounds:
        return words
    listed = ", ".join(f"{name} {end}" for name, end in bounds.items())
    source = waits.wanted["source"]
    return (
        f"{words} {quoted(say('Bounds from this version on: {ends}. Source: “{source}”.', ends=listed, source=source))}"
    )


# Bounds: whether the declared bounds hold for new rows, or which of them are extended, from public knowledge.

FIELD = "bounds"


def ask(entries: Entries, schema: Schema) -> None:
    """Ask it if there are bounds that can be extended, by how much, and from which source."""
    if not schema.ends:
        return
    names = {True: say("Yes, all of them"), False: say("No, some are higher")}
    st.radio(
        say("Are the declared bounds still valid?") + " *",
        list(names),
        index=None,
        horizontal=True,
        format_func=names.__getitem__,
        key=entries.key(FIELD),
        help=say("Answer from public knowledge, never by looking at the rows."),
    )
    st.caption(
        quoted(say("Declared up to: {ends}.", ends=", ".join(f"{name} {end}" for name, end in schema.ends.items())))
    )
    with st.container():  # a container keeps the widgets below when this one appears or disappears
        if entries.value(FIELD) is False:
            _further(entries, schema)


def _further(entries: Entries, schema: Schema) -> None:
    """Ask for a later last day or a higher upper bound of each column."""
    for name, end in schema.ends.items():
        st.text_input(say("{name}, up to", name=quoted(name)), end, key=entries.key(f"end:{name}"))
    st.text_input(say("Public source") + " *", key=entries.key("source"), max_chars=LONGEST)
    st.caption(
        say(
            "The bounds apply from this version on, once another officer has entered the same. "
            "Earlier results keep their bounds. Values beyond a bound count as that bound. You can "
            "enter only a later last day or a higher upper bound here. For any other change, register "
            "these rows as a separate dataset."
        )
    )


def later_bounds_fields(entries: Entries, schema: Schema) -> Later:
    """Return the current answer; refuse an unanswered question."""
    said = entries.value(FIELD) if schema.ends else True
    if said is None:
        raise ParameterError("State whether the declared bounds are still valid.")
    if said:
        return NONE
    typed = {name: entries.text(f"end:{name}") for name in schema.ends}
    ends = {name: end for name, end in typed.items() if end != schema.ends[name]}
    if not ends:
        raise ParameterError("Enter which bound has changed, or state that all of them are still valid.")
    return Later(ends, entries.text("source"))


# Renewing: versions of a dataset's rows and dated notes; a file may be a version instead of a new dataset.

NEW = ""  # not a version of any dataset


def offered(house: House, draft: Draft) -> bool:
    """Ask whether a file is a new version; if so, show its form and return True."""
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
    """Describe a file as a version of a dataset."""
    return say("A new version of {name}: the same people, one budget", name=data.name)


def looks_like(others: Sequence[Alike], entries: Entries, mistaken: Registered | None = None) -> None:
    """Warn of similar registered datasets, and ask why their people differ, or whether this one replaces them."""
    with st.container():  # a container keeps the field below when this one appears during typing
        for other in others:
            st.warning(_likeness(other))
        if mistaken is not None:
            _instead(entries, mistaken)
        if [other for other in others if mistaken is None or other.data.id != mistaken.id or not replaces(entries)]:
            _apart(entries)


def _instead(entries: Entries, mistaken: Registered) -> None:
    """Ask whether this replaces a registration that was never queried."""
    name = quoted(mistaken.name)
    ways = {
        "apart": say("It covers different people"),
        "replaces": say("It replaces {name}, which has no requests", name=name),
    }
    st.radio(
        say("How is it related to {name}?", name=name), list(ways), key=entries.key("beside"), format_func=ways.get
    )
    if replaces(entries):
        st.caption(
            say(
                "{name} is withdrawn when this dataset is registered. Its rows are deleted here, which "
                "cannot be undone. The audit log keeps who registered it and that it was replaced.",
                name=name,
            )
        )


def replaces(entries: Entries) -> bool:
    """Whether a registration that was never queried is to be replaced."""
    return bool(entries.value("beside") == "replaces")


def _likeness(other: Alike) -> str:
    why = quoted(", ".join(say(reason) for reason in other.why))
    name = quoted(other.data.name)
    return say("This looks like {name}: {why}. If it is a new version, select that at the top.", name=name, why=why)


def _apart(entries: Entries) -> None:
    st.text_input(
        say("If not: why does it cover different people?"),
        key=entries.key("apart"),
        max_chars=500,
        help=say(
            "The reason appears on every card and in the audit log. If the same people have two "
            "budgets, neither guarantee is valid for them."
        ),
    )


def show(house: House, who: Member, data: Registered) -> None:
    """Show the versions of a dataset and its notes, and ways to add one."""
    st.header(say("Versions and notes"), anchor=False)
    st.caption(say("Every version spends from the dataset's single budget, from the next request on."))
    lines = [_line(house, data, at) for at in range(len(data.versions))]
    st.dataframe(pd.DataFrame(lines), hide_index=True, width="stretch")
    show_proposed(house, who, data)
    for note in data.errata:
        name = quoted(name_of(house, note.by))
        st.markdown(f"{note.at[:10]}, {name}: {quoted(note.text)}")
    if data.state == "open" and not data.remote:
        st.button(say("Add version"), icon=":material/history:", width="stretch", on_click=choose, args=(VIEW, "new"))
    _note(house, who, data)


def _line(house: House, data: Registered, at: int) -> dict[str, str]:
    version = data.versions[at]
    return {
        say("Version"): str(version.number),
        say("Date"): version.at[:10],
        say("From request"): f"#{version.since}" if version.since else "–",
        say("Added by"): name_of(house, version.by),
        say("What is new"): version.why or "–",
    }


def _note(house: House, who: Member, data: Registered) -> None:
    entries = Entries(f"note:{data.id}:{len(data.errata)}")
    st.text_input(
        say("Note on the registration"),
        key=entries.key("text"),
        max_chars=changes.LONGEST,
        help=say("The original details stay unchanged. The note appears with its date on every card from now on."),
    )
    st.button(say("Add note"), width="stretch", key=entries.key("go"), on_click=_noted, args=(data.id, entries))
    words.show_notice()


def _noted(dataset: str, entries: Entries) -> None:
    """Add the text typed so far, for the person who is signed in at this moment."""
    house = door.house()
    who = door.who()
    if house is None or who is None:
        return
    try:
        changes.note(house, who, dataset, entries.text("text"))
    except ParameterError as refused:
        workspace().notice = refused


def _entries(number: int) -> Entries:
    return Entries(f"version:{number}")


def _form(house: House, data: Registered, draft: Draft, entries: Entries) -> None:
    """Explain what a version is, and ask what is new in it."""
    st.text(draft.name)
    st.caption(
        say(
            "Its rows are read with the schema of {name}, and its results are charged to the "
            "remaining budget of that dataset. Waiting requests still use the rows for which they "
            "were sent.",
            name=quoted(data.name),
        )
    )
    st.text_input(say("What is new"), key=entries.key("why"), max_chars=changes.LONGEST)
    ask(entries, data.registration.schema)
    looks_like([other for other in draft.resembling if other.data.id != data.id], entries)
    if (who := door.who()) is not None:
        before(house, who, data)
    words.show_notice()
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
    """Add the file of the draft, for the person who is signed in at this moment."""
    here = drafts.standing(number)
    if here is None:
        return
    (house, who, draft), entries = here, _entries(number)
    try:
        later = later_bounds_fields(entries, registry.find(house, dataset).registration.schema)
        said = (draft.data, entries.text("why"), draft.layout, entries.text("apart"))
        holds = changes.renew(house, who, dataset, *said, later=later)
    except ParameterError as refused:
        drafts.refused(draft, refused)
        return
    waits = say("Proposed. It takes effect once another officer has added the same file.")
    drafts.arrive(draft, dataset, say("The new version is registered.") if holds else waits)
