"""Registering: from an uploaded file to a dataset with a budget, a policy and an officer's word."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import streamlit as st

from budget import BASIC, ZCDP, Cost, ParameterError, Phrase
from curator import LocalSource, Schema
from curator.connection import Connection, TableSource
from curator.office import House, Person, Policy, Registration, registry
from curator.office.registration import FAMILIES, UNITS
from ui import declare, upload
from ui.buttons import primary
from ui.links import view
from ui.opened import Draft
from ui.state import choose, workspace
from ui.words import quoted, say

FROM = {"file": Phrase("A file"), "table": Phrase("A table of a database")}
DELTAS = ("0", "1e-9", "1e-8", "1e-7", "1e-6", "1e-5")
NAMES = {
    "global": Phrase("Global sensitivity"),
    "ptr": Phrase("Propose-test-release"),
    "smooth": Phrase("Smooth sensitivity"),
    "blocks": Phrase("Sample and aggregate"),
    "selection": Phrase("Exponential selection"),
    "sparse": Phrase("Sparse vector and private bounds"),
    "local": Phrase("Randomized response"),
}


def show(house: House, who: Person) -> None:
    """Take a file or a connection, have it declared, and register it."""
    draft = workspace().registration
    if draft is None:
        _choose()
        return

    def finish(one: Draft, _: LocalSource, schema: Schema | None) -> None:
        _form(house, who, one, schema)

    upload.drafting(draft, finish)


def _choose() -> None:
    """Take a file into the vault, or the address of a table that stays where it is."""
    if view(say("From"), FROM, "registered-from") == "file":
        st.caption(
            say("The file goes into the private vault of this server. Nobody sees its rows, "
                "analysts see the declaration only.")
        )  # fmt: skip
        upload.uploader(registering=True)
        return
    st.caption(
        say("The rows stay in the database and are read for each answer, in a transaction that "
            "cannot write. The address, with its password, lies in the vault only.")
    )  # fmt: skip
    told = address("connection", say("Connect"))
    if told is not None:
        _connect(*told)


def address(key: str, button: str) -> tuple[str, str] | None:
    """Ask for the address of a table; None until it is sent."""
    with st.form(key, border=False):
        url = st.text_input(
            say("Address of the database"), type="password", autocomplete="off",
            help="postgresql+psycopg://user:password@host/database, sqlite:////folder/file",
        )  # fmt: skip
        table = st.text_input(say("Table or view"))
        sent = st.form_submit_button(button, width="stretch")
    return (url.strip(), table.strip()) if sent else None


def _connect(url: str, table: str) -> None:
    """Look at the names of the columns, and make a draft of them."""
    space = workspace()
    try:
        connection = Connection(url, table)
        source = TableSource(connection)
        names = list(source.names)
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    space.uploads += 1
    space.keep(Draft(table, b"", None, source, declare.empty(names), 1, number=space.uploads,
                     connection=connection, registering=True))  # fmt: skip
    st.rerun()


def _form(house: House, who: Person, draft: Draft, schema: Schema | None) -> None:
    """Ask what an officer must be able to answer for."""
    mark = f"register:{draft.number}"
    st.subheader(say("What are these data?"), anchor=False)
    left, right = st.columns(2, gap="medium")
    with left:
        said = _about(draft, mark, schema is not None and schema.person is not None)
    with right:
        told = _budget(mark)
    with st.expander(say("Policy: what runs at once, what needs approval"), expanded=True):
        rules = policy(Policy(), mark)
    st.caption(
        say("What is said here is on every card and never changes, except for the policy. "
            "The budget cannot be enlarged: releases add up for good.")
    )  # fmt: skip
    if workspace().notice:
        st.error(quoted(say(workspace().notice)))
        workspace().notice = ""

    primary(
        say("Register"), disabled=schema is None, key=f"{mark}:go", on_click=_register,
        args=(house, who, draft, lambda: Registration(schema=schema, **said(), **told()), rules),
    )  # fmt: skip


def _register(house: House, who: Person, draft: Draft, said: Any, rules: Any) -> None:
    """Register, and look at what is registered; a refusal leaves the form as it is."""
    rows = draft.connection or draft.data
    try:
        one = registry.register(house, who, rows, said(), Policy(**rules()), draft.layout)
    except ParameterError as refused:
        workspace().notice = refused
        return
    workspace().drop(draft)
    choose("registered-view", "kept")
    choose("dataset", one.id)


def _about(draft: Draft, mark: str, person: bool) -> Callable[[], dict[str, Any]]:
    name = st.text_input(
        say("Name"), draft.name.rpartition(".")[0] or draft.name, key=f"{mark}:name", max_chars=80
    )
    source = st.text_input(say("Source"), key=f"{mark}:source",
                           help=say("Who collected these data, and when."))  # fmt: skip
    basis = st.text_input(say("Collected on the basis of"), key=f"{mark}:basis",
                          help=say("Consent, a law, a contract."))  # fmt: skip
    unit = st.selectbox(
        say("Who is protected"), list(UNITS), key=f"{mark}:unit",
        format_func=lambda u: say(UNITS[u]),
        help=say("One row, or what the person column names."),
    )  # fmt: skip
    admitted = _admitted(mark, person)
    return lambda: {
        "name": " ".join(name.split()), "source": source, "basis": basis, "unit": unit,
        **admitted(),
    }  # fmt: skip


def _admitted(mark: str, person: bool) -> Callable[[], dict[str, Any]]:
    """Ask what only whoever registers can say, and what is asked again where they do not."""
    looked = st.text_input(
        say("Bounds chosen by looking at the data?"), key=f"{mark}:looked",
        help=say("Empty means no. Otherwise say which and why."),
    )  # fmt: skip
    others = st.text_input(
        say("Other releases of the same data"), key=f"{mark}:others",
        help=say("Private or not: tables, reports, earlier budgets. Empty means none."),
    )  # fmt: skip
    access = st.text_input(
        say("Who administers this server"), key=f"{mark}:access",
        help=say("They could read the rows. Empty: whoever decides is asked each time."),
    )  # fmt: skip
    alone = not person and st.checkbox(
        say("Every row is a different person"), key=f"{mark}:alone",
        help=say("Otherwise name the column of persons above, so that all their rows count."),
    )  # fmt: skip
    return lambda: {
        "looked": looked, "others": others, "access": access.strip(), "alone": alone,
    }  # fmt: skip


def _budget(mark: str) -> Callable[[], dict[str, Any]]:
    epsilon = st.number_input(say("Total epsilon"), 0.1, 50.0, 3.0, 0.5, key=f"{mark}:epsilon")
    delta = st.selectbox(say("Total delta"), DELTAS, 4, key=f"{mark}:delta")
    rule = st.selectbox(say("Rule"), [BASIC.name, ZCDP.name], key=f"{mark}:rule",
                        help=say("zCDP suits many Gaussian releases."))  # fmt: skip
    people = st.number_input(
        say("Public number of people"), 1, None, None, key=f"{mark}:people",
        help=say("From outside the data; delta should stay below one over its square."),
    )  # fmt: skip
    region = st.text_input(say("Region"), key=f"{mark}:region")
    until = st.date_input(say("Rows are kept until"), None, key=f"{mark}:until")
    forever = "" if until is not None else st.text_input(
        say("Or why there is no such day"), key=f"{mark}:forever", max_chars=500
    )  # fmt: skip

    def told() -> dict[str, Any]:
        if until is None and not forever.strip():
            raise ParameterError("Say until when the rows are kept, or why there is no such day.")
        return {
            "limit": Cost.of(str(epsilon), delta), "rule": rule, "people": people,
            "region": region, "forever": forever.strip(),
            "keep_until": "" if until is None else until.isoformat(),
        }  # fmt: skip

    return told


def policy(now: Policy, mark: str) -> Callable[[], dict[str, Any]]:
    """Show a policy as widgets; what is returned reads them."""
    families = st.pills(
        say("Mechanisms"), list(FAMILIES), selection_mode="multi", default=list(now.families),
        key=f"{mark}:families", format_func=lambda name: say(NAMES[name]),
    )  # fmt: skip
    left, right = st.columns(2)
    with left:
        amounts = _amounts(now, mark)
    with right:
        limits = _limits(now, mark)
    return lambda: {"families": tuple(families), **amounts(), **limits()}


def _amounts(now: Policy, mark: str) -> Callable[[], dict[str, Any]]:
    """Ask what runs at once, and what may be asked at all."""
    free = st.number_input(
        say("Runs at once up to epsilon"), 0.0, 50.0, now.free, 0.1, key=f"{mark}:free",
        help=say("0: every release waits for an officer."),
    )  # fmt: skip
    most = st.number_input(
        say("Largest epsilon of a release"), 0.01, 50.0, now.most, 0.1, key=f"{mark}:most"
    )
    delta = st.selectbox(
        say("Largest delta of a release"), DELTAS, DELTAS.index(_delta(now.most_delta)),
        key=f"{mark}:delta-most",
    )  # fmt: skip
    return lambda: {"free": free, "most": most, "most_delta": float(delta)}


def _limits(now: Policy, mark: str) -> Callable[[], dict[str, Any]]:
    """Ask for the shares of analysts, and for the ends of requests and of asking."""
    share = st.number_input(
        say("Share of each analyst (epsilon)"), 0.0, 50.0, now.share, 0.5, key=f"{mark}:share",
        help=say("Empty: as much as is left."),
    )  # fmt: skip
    shares = st.text_input(
        say("Other shares"), ", ".join(f"{who}={most:g}" for who, most in now.shares.items()),
        key=f"{mark}:shares", help=say("For single analysts by login: ann=1.5, bob=0.5"),
    )  # fmt: skip
    days = st.number_input(
        say("A request waits at most (days)"), 1, 365, now.days, key=f"{mark}:days"
    )
    until = st.date_input(
        say("Nothing is asked after"), date.fromisoformat(now.until) if now.until else None,
        key=f"{mark}:last",
    )  # fmt: skip
    return lambda: {
        "share": share, "shares": _shares(shares), "days": int(days),
        "until": "" if until is None else until.isoformat(),
    }  # fmt: skip


def _delta(most: float) -> str:
    return next((text for text in DELTAS if float(text) >= most), DELTAS[-1])


def _shares(text: str) -> dict[str, float]:
    """Read shares of single analysts."""
    told: dict[str, float] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        login, _, share = part.partition("=")
        try:
            told[login.strip().lower()] = float(share)
        except ValueError:
            raise ParameterError("Write shares as ann=1.5, bob=0.5") from None
    return told
