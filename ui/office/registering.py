"""Registering: from an uploaded file to a dataset with a budget, a policy and an officer's word."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from discreet.budget import BASIC, ZCDP, Cost, ParameterError, Phrase
from discreet.curator import Ignored, Schema
from discreet.office import Account, House, Policy, Registration, duties, enrolment, places, seal
from discreet.office.registration import UNITS
from discreet.rows.connection import Connection
from discreet.ui import declare, upload
from discreet.ui.buttons import primary
from discreet.ui.links import view
from discreet.ui.office import door, rules
from discreet.ui.office.rules import DELTAS, ask_policy, policy_of
from discreet.ui.opened import AnySource, Draft
from discreet.ui.state import choose, chosen, workspace
from discreet.ui.words import quoted, say

FROM = {"file": Phrase("A file"), "table": Phrase("A table of a database")}


def show(house: House, who: Account) -> None:
    """Take a file or a connection, have it declared, and register it."""
    draft = workspace().registration
    if draft is None:
        _choose(house, who)
        return

    def finish(one: Draft, _: AnySource, schema: Schema | None) -> None:
        _form(house, who, one, schema)

    upload.drafting(draft, finish)


def _choose(house: House, who: Account) -> None:
    """Take a file into the vault, or the address of a table that stays where it is."""
    if view(say("From"), FROM, "registered-from") == "file":
        st.caption(
            say(
                "The file goes into the private vault of this server. Nobody sees its rows, "
                "analysts see the declaration only."
            )
        )
        upload.uploader(registering=True)
        return
    st.caption(
        say(
            "The rows stay in the database and are read for each answer, in a transaction that "
            "cannot write. The address, with its password, lies in the vault only."
        )
    )
    if not places.patterns():
        st.info(
            say(
                "This server may open no database. Whoever keeps it names those that it may open in {name}.",
                name=places.DATABASES,
            )
        )
        return
    told = address("connection", say("Connect"))
    if told is not None:
        _connect(house, who, *told)


def address(key: str, button: str) -> tuple[str, str] | None:
    """Ask for the address of a table; None until it is sent."""
    with st.form(key, border=False):
        url = st.text_input(
            say("Address of the database"),
            type="password",
            autocomplete="off",
            help="postgresql+psycopg://user:password@host/database, sqlite:////folder/file",
        )
        table = st.text_input(say("Table or view"))
        sent = st.form_submit_button(button, width="stretch")
    return (url.strip(), table.strip()) if sent else None


def _connect(house: House, who: Account, url: str, table: str) -> None:
    """Look at the names of the columns, and make a draft of them."""
    space = workspace()
    try:
        with st.spinner(say("Connecting")):
            connection = Connection(url, table)
            source = places.look(house, who, connection)
        names = list(source.names)
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    space.uploads += 1
    space.keep(
        Draft(
            table,
            b"",
            None,
            source,
            declare.empty(names),
            1,
            number=space.uploads,
            connection=connection,
            registering=True,
        )
    )
    st.rerun()


def _form(house: House, who: Account, draft: Draft, schema: Schema | None) -> None:
    """Ask what an officer must be able to answer for."""
    mark = f"register:{draft.number}"
    st.subheader(say("What are these data?"), anchor=False)
    left, right = st.columns(2, gap="medium")
    with left:
        _about(draft, mark, schema is not None and schema.person is not None)
    with right:
        _budget(mark)
    with st.expander(say("Policy: what runs at once, what needs approval"), expanded=True):
        ask_policy(Policy(), mark)
    _summary(mark, schema)
    second_person(duties.alone(house, who, "officer"))
    if workspace().notice:
        st.error(quoted(say(workspace().notice)))
        workspace().notice = ""
    primary(
        say("Register"),
        disabled=schema is None,
        key=f"{mark}:go",
        on_click=_register,
        args=(draft.number, schema, _columns(draft)),
    )


def second_person(alone: bool) -> None:
    """Say who must confirm what runs at once; loudly where nobody can."""
    if alone:
        st.warning(
            say(
                "You are the only officer. What runs at once holds on your word alone, and the "
                "trail says so. Invite a second officer."
            )
        )
    else:
        st.caption(say("What runs at once above 0 holds when another officer has confirmed it."))


def _summary(mark: str, schema: Schema | None) -> None:
    """Show what will be frozen, as it stands at this moment."""
    st.subheader(say("What will be registered"), anchor=False)
    st.caption(
        say(
            "What is said here is on every card and never changes, except for the policy. "
            "The budget cannot be enlarged: releases add up for good."
        )
    )
    if schema is None:
        return
    try:
        said, policy = _said(mark, schema), policy_of(mark)
    except ParameterError as missing:
        st.info(quoted(say(missing)))
        return
    columns = [name for name, told in schema.columns.items() if not isinstance(told, Ignored)]
    lines = {
        say("Name"): said.name,
        say("Columns"): ", ".join(columns),
        say("Budget, for good"): f"ε {said.limit.epsilon:g}, δ {said.limit.delta:g}, {said.rule}",
        say("Who is protected"): say(UNITS[said.unit]),
        say("Public number of people"): "" if said.people is None else f"{said.people:,}",
        say("Source"): said.source,
        say("Collected on the basis of"): said.basis,
        say("Rows are kept until"): said.keep_until or said.forever,
        say("Bounds chosen by looking at the data?"): said.looked or say("No"),
        say("Other releases of the same data"): said.others or say("none"),
        **rules.told(policy),
    }
    st.dataframe(
        pd.DataFrame([{say("What"): k, say("Said"): v or "–"} for k, v in lines.items()]),
        hide_index=True,
        width="stretch",
    )


def _columns(draft: Draft) -> str:
    """Return the mark of how the file is read and declared, as the fields stand."""
    fields = (f"declared:{draft.number}:{draft.version}", f"encoding:{draft.number}", f"separator:{draft.number}")
    return seal.of(draft.version, [chosen(field) for field in fields])


def _register(number: int, schema: Schema, seen: str) -> None:
    """Register what the fields say at this moment, for whoever is signed in at this moment.

    Columns that were changed after the page was drawn are not what was checked and shown: they are
    refused. Everything else is read here, so that what was typed last counts.
    """
    house, who, space = door.house(), door.who(), workspace()
    draft, mark = space.registration, f"register:{number}"
    if house is None or who is None or draft is None or draft.number != number:
        space.notice = say("Nothing was registered: sign in, and begin anew.")
        return
    try:
        if seen != _columns(draft):
            raise ParameterError(seal.OTHER)
        rows = draft.connection or draft.data
        said, policy = _said(mark, schema), policy_of(mark)
        one = enrolment.register(house, who, rows, said, policy, draft.layout)
    except ParameterError as refused:
        space.notice = refused
        return
    space.drop(draft)
    choose("registered-view", "kept")
    choose("dataset", one.id)


def _said(mark: str, schema: Schema) -> Registration:
    """Return what the fields say at this moment."""

    def told(field: str) -> str:
        return str(chosen(f"{mark}:{field}") or "").strip()

    until, people = chosen(f"{mark}:until"), chosen(f"{mark}:people")
    if until is None and not told("forever"):
        raise ParameterError("Say until when the rows are kept, or why there is no such day.")
    return Registration(
        schema=schema,
        name=" ".join(told("name").split()),
        source=told("source"),
        basis=told("basis"),
        unit=chosen(f"{mark}:unit"),
        looked=told("looked"),
        others=told("others"),
        access=told("access"),
        region=told("region"),
        alone=schema.person is None and bool(chosen(f"{mark}:alone")),
        limit=Cost.of(str(chosen(f"{mark}:epsilon")), chosen(f"{mark}:delta")),
        rule=chosen(f"{mark}:rule"),
        people=people,
        keep_until="" if until is None else until.isoformat(),
        forever=told("forever") if until is None else "",
    )


def _about(draft: Draft, mark: str, person: bool) -> None:
    """Ask what the data are, and what only whoever registers can say."""
    st.text_input(say("Name"), draft.name.rpartition(".")[0] or draft.name, key=f"{mark}:name", max_chars=80)
    st.text_input(say("Source"), key=f"{mark}:source", help=say("Who collected these data, and when."))
    st.text_input(say("Collected on the basis of"), key=f"{mark}:basis", help=say("Consent, a law, a contract."))
    st.selectbox(
        say("Who is protected"),
        list(UNITS),
        key=f"{mark}:unit",
        format_func=lambda u: say(UNITS[u]),
        help=say("One row, or what the person column names."),
    )
    st.text_input(
        say("Bounds chosen by looking at the data?"),
        key=f"{mark}:looked",
        help=say("Empty means no. Otherwise say which and why."),
    )
    st.text_input(
        say("Other releases of the same data"),
        key=f"{mark}:others",
        help=say("Private or not: tables, reports, earlier budgets. Empty means none."),
    )
    st.text_input(
        say("Who administers this server"),
        key=f"{mark}:access",
        help=say("They could read the rows. Empty: whoever decides is asked each time."),
    )
    if not person:
        st.checkbox(
            say("Every row is a different person"),
            key=f"{mark}:alone",
            help=say("Otherwise name the column of persons above, so that all their rows count."),
        )


def _budget(mark: str) -> None:
    """Ask for the budget, and for the end of the rows."""
    st.number_input(say("Total epsilon"), 0.1, 50.0, 3.0, 0.5, key=f"{mark}:epsilon")
    st.selectbox(say("Total delta"), DELTAS, 4, key=f"{mark}:delta")
    st.selectbox(
        say("Rule"), [BASIC.name, ZCDP.name], key=f"{mark}:rule", help=say("zCDP suits many Gaussian releases.")
    )
    st.number_input(
        say("Public number of people"),
        1,
        None,
        None,
        key=f"{mark}:people",
        help=say("From outside the data; delta should stay below one over its square."),
    )
    st.text_input(say("Region"), key=f"{mark}:region")
    until = st.date_input(say("Rows are kept until"), None, key=f"{mark}:until")
    if until is None:
        st.text_input(say("Or why there is no such day"), key=f"{mark}:forever", max_chars=500)
