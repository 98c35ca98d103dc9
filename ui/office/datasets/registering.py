"""Registering: from an uploaded file, a table or a folder to a registered dataset with a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pandas as pd
import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.office import House, Member, Policy, Registration
from discreet.office.datasets import changes, fingerprint, lifecycle, likeness, places, registering
from discreet.office.datasets.letterhead import LABELS
from discreet.office.datasets.likeness import Alike, check
from discreet.office.datasets.registry import Registered
from discreet.office.house.roles import OFFICER
from discreet.office.people.accounts import name_of
from discreet.office.rules import rights
from discreet.rows import Schema
from discreet.ui.data import layout, table, upload
from discreet.ui.frame import words
from discreet.ui.frame.links import primary, view
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.datasets import connecting, drafts, terms, versions
from discreet.ui.office.datasets.declaration import budget_of, kept_until, said
from discreet.ui.office.datasets.drafts import sent
from discreet.ui.office.datasets.terms import HERE, OATHS, ask_about, ask_budget, registration_of, responsible_in_words
from discreet.ui.office.forms import Entries, do, turned
from discreet.ui.session import door
from discreet.ui.session.state import chosen, settings, workspace
from discreet.ui.session.streamlit_seams import DeltaGenerator
from discreet.ui.session.workspace import Draft

# Summary: what will be registered, as it is at this moment.


def summary(entries: Entries, schema: Schema | None, lacks: Sequence[Phrase]) -> None:
    """Show what will be frozen, or everything that is missing for it."""
    st.header(say("Summary of the registration"), anchor=False)
    st.caption(
        say(
            "These details appear on every release card and cannot be changed later, except the "
            "policy. You can add columns and allowed values later."
        )
    )
    st.caption(say("The budget cannot be increased. The costs of all releases add up permanently."))
    if lacks:
        st.info(say("To do:") + "\n" + "\n".join(f"- {quoted(say(lack))}" for lack in lacks))
        return
    if schema is None:
        return
    try:
        words = registration_of(entries, schema)
        policy = terms.policy_of(entries)
    except ParameterError as missing:
        st.info(quoted(say(missing)))
        return
    said({**_in_words(words, schema), **terms.policy_in_words(policy)})


def _in_words(words: Registration, schema: Schema) -> dict[str, str]:
    """Describe a registration, for a last reading before it takes effect."""
    return {
        say("Name"): words.name,
        say("Columns"): ", ".join([*schema.used, *schema.derived]),
        say("Privacy budget (permanent)"): budget_of(words),
        say("Per period"): say(words.allowance.words) if words.allowance else say("no rule"),
        say("Unit of privacy"): say(words.protected),
        say("Public number of people"): "" if words.people is None else f"{words.people:,}",
        say("Source"): words.source,
        say("Legal basis for collection"): words.basis,
        **{say(LABELS[name]): responsible_in_words(getattr(words, name)) for name in HERE},
        say("Rows kept until"): kept_until(words),
        **{say(label): getattr(words, field) or say("No") for field, label in OATHS.items()},
        say("Why it covers different people"): words.apart,
        say("Row marks (to detect the same people)"): say("kept") if words.compared else say("not kept"),
    }


# Problems: everything that is missing or wrong in a registration, listed together, by field.

REQUIRED = {"name": Phrase("Name"), "source": Phrase("Source"), "basis": Phrase("Legal basis for collection")}


def lacking(entries: Entries, schema: Schema | None, others: list[Alike]) -> list[Phrase]:
    """Return what has to be completed or corrected before the registration."""
    steps = (
        lambda: terms.period_of(entries),
        lambda: terms.policy_of(entries),
        lambda: check(others, entries.text("apart")),
    )
    return [
        *terms.lacking(entries, schema),
        *_columns(schema),
        *(Phrase("Fill in “{field}”.", field=label) for field, label in REQUIRED.items() if not entries.text(field)),
        *_oaths(entries),
        *_end(entries),
        *(wrong for step in steps for wrong in _wrong(step)),
    ]


def _columns(schema: Schema | None) -> Iterator[Phrase]:
    """Yield the columns without a source, or a message that none is declared."""
    if schema is None or not schema.askable:
        yield Phrase("Declare at least one number or category.")
        return
    for name in schema.unsourced:
        yield Phrase("Column {name!r}: enter the public source of its bounds or allowed values.", name=name)


def _oaths(entries: Entries) -> Iterator[Phrase]:
    """Yield the questions without an answer, and those whose answer "yes" needs an explanation."""
    for field, label in terms.OATHS.items():
        sworn = terms.sworn(entries, field)
        if sworn is None:
            yield Phrase("Answer “{field}”: yes or no.", field=label)
        elif sworn and not entries.text(field):
            yield Phrase("Give details for “{field}”: you answered yes.", field=label)


def _end(entries: Entries) -> Iterator[Phrase]:
    if entries.value("until") is None and not entries.text("forever"):
        yield Phrase("Enter the date until which the rows are kept, or the reason for having no date.")


def _wrong(step: Callable[[], object]) -> Iterator[Phrase]:
    try:
        step()
    except ParameterError as refused:
        yield refused.args[0]


CONNECTION = {"connection": Phrase("A connection set up here")}
FROM = {
    "file": Phrase("A file"),
    "table": Phrase("A table in a database or cluster"),
    "folder": Phrase("A folder of Parquet files"),
}


def show(house: House, who: Member) -> None:
    """Take a file or an address, have its columns declared, and register it."""
    draft = workspace().registration
    if draft is not None:
        if versions.offered(house, draft):
            return
        drafts.bring_back(house, who, draft, _mark(draft.number))
        first = st.container()  # asked before the columns, but filled once these are known
        upload.drafting(draft, lambda draft, source, schema: _form(house, who, draft, source.names, schema, first))
        return
    _begin(house, who)


def _begin(house: House, who: Member) -> None:
    """Ask where the rows are, and make a draft of them."""
    drafts.waiting(house, who)
    usable = places.own_connections(house, who)
    way = view(say("From"), (CONNECTION if usable else {}) | FROM, "registered-from")
    if way == "connection":
        connecting.named(house, who, usable)
    elif way == "file":
        st.caption(
            say(
                "The file is stored in this server's private vault. No user sees its rows, and analysts "
                "see only the schema."
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
    """Ask the officer for the details of the registration."""
    entries = _entries(draft.number)
    others = _alike(house, draft)
    said = terms.of_house(house)
    with first:
        schema = terms.ask_whose(entries, names, schema)
    mistaken = _mistaken(house, who, others)
    versions.looks_like(others, entries, mistaken)
    if mistaken is not None and versions.replaces(entries):
        others = [other for other in others if other.data.id != mistaken.id]
    st.header(say("Dataset details"), anchor=False)
    left, right = st.columns(2, gap="medium")
    with left:
        ask_about(draft, entries, said.basis)
        terms.ask_responsible(entries, said)
    with right:
        ask_budget(entries)
    with st.expander(say("Policy: releases with and without approval"), expanded=True):
        terms.ask_policy(Policy(), entries)
    summary(entries, schema, lacking(entries, schema, others))
    _send(house, who, draft, schema, "" if mistaken is None else mistaken.id)


def _mistaken(house: House, who: Member, others: Sequence[likeness.Alike]) -> Registered | None:
    """Return the first of some datasets that this officer keeps and that was never queried."""
    mine = rights.of_officer(house, who) if others else frozenset()
    known = [other.data for other in others if other.data.id in mine]
    return next((data for data in known if lifecycle.untouched(house, data.id)), None)


def _send(house: House, who: Member, draft: Draft, schema: Schema | None, mistaken: str) -> None:
    """Show who must confirm the registration and what is stored, and offer to register."""
    terms.second_officer(rights.alone(house, who, OFFICER))
    words.show_notice()
    drafts.put_away(house, who, draft, _mark(draft.number))
    primary(
        layout.confirmed(draft, schema, say("Register")),
        disabled=schema is None,
        key=_entries(draft.number).key("go"),
        on_click=_register,
        args=(draft.number, schema, _seen(draft), mistaken),
    )
    st.download_button(
        say("Export schema"),
        "" if schema is None else schema.to_json(),
        "declaration.json",
        "application/json",
        icon=":material/download:",
        disabled=schema is None,
        on_click="ignore",
        help=say("The schema can be imported with another file."),
    )


def _alike(house: House, draft: Draft) -> list[likeness.Alike]:
    """Return the registered datasets that a draft resembles, given the current fields."""
    names = () if draft.source is None else draft.source.names
    others = likeness.alike(house, names, _entries(draft.number).text("source"), draft.address)
    refused = {other.data.id for other in draft.resembling}
    return [*draft.resembling, *(other for other in others if other.data.id not in refused)]


def columns_of(draft: Draft) -> str:
    """Return a digest of how the file is read and declared, given the current fields."""
    table = f"declared:{draft.number}:{draft.version}"
    fields = (table, *(f"{name}:{draft.number}" for name in layout.PARTS), *layout.keys(draft))
    single = {field: str(value) for field, value in settings(table, ()).items()}
    derived = {name: str(column.plain()) for name, column in draft.derived.items()}
    return fingerprint.of(draft.version, str(draft.layout), [*(chosen(field) for field in fields), single, derived])


def _seen(draft: Draft) -> str:
    """Return a digest of the columns and of the person column."""
    return fingerprint.of(columns_of(draft), terms.fields(_entries(draft.number)))


def _register(number: int, schema: Schema, seen: str, mistaken: str) -> None:
    """Register the current fields, for the person who is signed in at this moment.

    Columns that were changed after the page was drawn are not those that were checked and shown: they are refused.
    Everything else is read here, so that what was typed last counts.
    """
    here = drafts.standing(number)
    if here is None:
        return
    (house, who, draft), entries = here, _entries(number)
    try:
        if seen != _seen(draft):
            raise ParameterError(fingerprint.OTHER)
        rows = draft.address or draft.data
        words = registration_of(entries, schema)
        policy = terms.policy_of(entries)
        before = mistaken if versions.replaces(entries) else ""
        data = registering.register(house, who, rows, words, policy, draft.layout, draft.through, before)
    except ParameterError as refused:
        drafts.refused(draft, refused)
        return
    sent(drafts.form_of(draft, _mark(number)))
    drafts.arrive(draft, data.id, say("{name} is registered.", name=quoted(data.name)))


# Extension: one officer extends the schema of a registered dataset, another one confirms it.


def show_extension(house: House, who: Member, data: Registered) -> None:
    """Show earlier extensions, one that waits for a second officer, and a way to propose another."""
    _history(house, data)
    if data.state != "open":
        return
    st.header(say("More columns and allowed values"), anchor=False)
    st.caption(
        say(
            "You can declare ignored columns and add allowed values at the end of a list, from the "
            "next request on. Existing declarations, results, waiting requests and the budget stay "
            "unchanged."
        )
    )
    if data.remote:
        st.caption(
            say("If the rows stay at their source, you can also declare a later last day or a higher upper bound.")
        )
    _waiting(house, who, data)
    draft = workspace().extension
    if draft is not None and draft.notes == _extension_mark(data):
        _extension_form(house, who, data, draft)
    elif _growing(data):
        st.button(
            say("Extend schema"), icon=":material/edit:", width="stretch", on_click=_begin_extension, args=(data,)
        )


def _extension_mark(data: Registered) -> dict[str, object]:
    """Return the dataset and schema that an extension starts from."""
    return {"dataset": data.id, "after": len(data.later)}


def _growing(data: Registered) -> list[str]:
    """Return the columns that can be extended; for rows that stay in a database, also those with a later bound."""
    columns = data.registration.schema.columns.items()
    return [name for name, column in columns if column.grows or (data.remote and column.end)]


def _begin_extension(data: Registered) -> None:
    """Begin an extension with the columns that can be extended."""
    space = workspace()
    schema = data.registration.schema
    names = _growing(data)
    space.uploads += 1
    lines = table.lines_of(schema, names)
    space.extension = Draft(
        data.name, b"", None, None, lines, 1, number=space.uploads, notes=_extension_mark(data), registering=True
    )
    layout.taken(space.extension, table.lines_of(schema, list(schema.columns)))  # in the existing formats


def _extension_form(house: House, who: Member, data: Registered, draft: Draft) -> None:
    """Ask for the extension, from public knowledge, and show what would be new."""
    st.caption(say("Use public knowledge and never the rows. Enter the public source of every bound."))
    draft.lines = upload.edited(draft)
    schema = _wanted(data, layout.resolved(draft))
    seen = ""
    if schema is not None:
        _new(data, schema)
        seen = fingerprint.of_extension(data, schema)
    if rights.alone(house, who, OFFICER, data.id):
        st.warning(say("You are the only officer, so this needs no confirmation. The audit log records this."))
    else:
        st.caption(say("This takes effect once another officer confirms it."))
    words.show_notice()
    with st.container(horizontal=True):
        primary(
            say("Extend schema"),
            disabled=schema is None,
            key=f"extend:{draft.number}",
            on_click=_extend,
            args=(data.id, schema, columns_of(draft), seen),
        )
        st.button(say("Cancel"), type="tertiary", on_click=workspace().drop, args=(draft,))


def _wanted(data: Registered, lines: pd.DataFrame) -> Schema | None:
    """Return the extended schema, or show what is missing."""
    typed = table.schema_of(lines)
    if typed is None:
        return None
    schema = Schema(dict(data.registration.schema.columns) | dict(typed.columns))
    try:
        changes.extended(data, schema)
    except ParameterError as refused:
        st.info(quoted(say(refused)))
        return None
    return schema


def _new(data: Registered, schema: Schema) -> None:
    """Show the differences from the current schema."""
    before = data.registration.schema.columns
    new = {name: column for name, column in schema.columns.items() if column != before.get(name)}
    st.dataframe(table.reading(Schema(new)), hide_index=True, width="stretch")


def _extend(dataset: str, schema: Schema, fields: str, seen: str) -> None:
    """Propose what the page showed, for the person who is signed in now; refuse columns changed since."""
    house = door.house()
    who = door.who()
    space = workspace()
    draft = space.extension
    if house is None or who is None or draft is None:
        return
    try:
        if fields != columns_of(draft):
            raise ParameterError(fingerprint.OTHER)
        changes.extend(house, who, dataset, schema, seen)
    except ParameterError as refused:
        space.notice = refused
        return
    space.drop(draft)


def _history(house: House, data: Registered) -> None:
    """List who extended the schema, and when."""
    for edition in data.later:
        st.markdown(
            say(
                "Extended by {name} on {day}, from request {number} on.",
                number=edition.since,
                name=quoted(name_of(house, edition.by)),
                day=edition.at[:10],
            )
        )


def _waiting(house: House, who: Member, data: Registered) -> None:
    """Show the extension that waits for a second officer, who can confirm or reject it."""
    waits = rights.pending(house, changes.KIND, data.id)
    if waits is None:
        return
    schema = Schema.from_json(waits.body)
    name = quoted(name_of(house, waits.by))
    st.warning(
        say(
            "{name} proposes to extend the schema as follows. It takes effect once another officer confirms it.",
            name=name,
        )
    )
    _new(data, schema)
    seen = fingerprint.of_extension(data, schema)
    if waits.by != who.id and st.button(say("Confirm schema"), width="stretch", key=f"yes:{waits.id}"):
        do(lambda: changes.extend(house, who, data.id, schema, seen))
    if st.button(say("Withdraw proposal"), width="stretch", key=f"no:{waits.id}"):
        do(lambda: rights.drop(house, who, OFFICER, waits, data.name))
