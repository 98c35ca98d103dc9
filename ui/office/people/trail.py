"""Trail: the audit log, newest entry first, and whether its hash chain is valid."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.office import House
from discreet.office.auditing import signing
from discreet.office.datasets import registry
from discreet.office.house import audit_log, replay
from discreet.office.house.audit_log import Entry
from discreet.office.house.roles import ADMINISTRATOR, DECIDERS
from discreet.office.notices import disclosure
from discreet.office.people import accounts
from discreet.office.rules import rights
from discreet.ui.frame.links import pick
from discreet.ui.frame.words import say
from discreet.ui.session import door

NEWEST = 500
SAID = {  # what entries contain besides values
    "reason": Phrase("reason"),
    "holds": Phrase("holds"),
    "wrong": Phrase("wrong"),
    "restored": Phrase("restored"),
    "openid": Phrase("OpenID"),
    "dataset": Phrase("dataset"),
    "question": Phrase("question"),
}


def show() -> None:
    """Show who did what, and verify that nothing was changed."""
    st.title(say("Audit log"), anchor=False)
    house = door.house()
    who = door.who()
    if house is None or who is None or who.roles.isdisjoint(DECIDERS):
        return
    _chain(house)
    wanted = _wanted()
    newest = disclosure.trail(house, who, NEWEST, wanted)
    st.dataframe(_table(house, newest), hide_index=True, width="stretch")
    st.caption(say("Showing the newest {most} entries. The command line shows all of them.", most=NEWEST))
    if ADMINISTRATOR not in who.roles:
        st.caption(say("Entries about datasets of other officers are not listed, but the hash chain includes them."))
    mine = rights.of_officer(house, who)
    kept = {data.id: data.name for data in registry.everything(house) if data.id in mine}
    if kept:
        with st.container(border=True):
            _audit_file(house, kept)


def _wanted() -> audit_log.Excerpt:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        about = st.text_input(
            say("About"), key="trail:about", help=say("Enter a dataset, a login or a request number such as #12.")
        )
        what = st.multiselect(
            say("What"),
            list(audit_log.WORDS),
            key="trail:what",
            format_func=lambda w: say(audit_log.WORDS[w]),
            select_all=False,
            placeholder=say("Choose"),
        )
        first = st.date_input(say("First day"), None, key="trail:first")
        last = st.date_input(say("Last day"), None, key="trail:last")
    routine = st.toggle(say("Sign-ins, sign-outs and verifications without findings"), key="trail:routine")
    return audit_log.Excerpt(about.strip(), tuple(what), _day(first), _day(last), routine)


def _day(day: object) -> str:
    return day.isoformat() if isinstance(day, date) else ""


def _chain(house: House) -> None:
    """Show whether the hash chain is valid, and its latest hash."""
    wrong = house.wrong_act()
    if wrong is not None:
        st.error(say("Entry {number} breaks the hash chain: the audit log was changed.", number=wrong))
        return
    st.success(say("Audit log verified: no entry was changed, moved or removed."))
    st.caption(
        say(
            "This page reads each entry once after the server starts. The command-line check reads "
            "everything. It compares the audit log with accounts, datasets, requests, rows and hashes "
            "stored elsewhere. Latest hash:"
        )
    )
    st.code(audit_log.head(house.store), language=None, wrap_lines=True)


def _table(house: House, newest: list[Entry]) -> pd.DataFrame:
    """Return the newest entries, with the names of the actors."""
    people = [account["person"] for account in accounts.everybody(house)]
    names = {each.id: each.name for each in people} | {f"login {each.login}": each.name for each in people}
    return pd.DataFrame(
        [
            {
                say("When"): f"{act.time:%Y-%m-%d %H:%M:%S}",
                say("User"): _who(act, names),
                say("What"): say(act.words),
                say("About"): act.about,
                say("Through"): _through(act),
                say("Details"): _more(act),
            }
            for act in newest
        ]
    )


def _who(act: Entry, names: Mapping[str, str]) -> str:
    """Return who acted, and for whom as a substitute."""
    if act.nobody:
        return say(act.nobody)
    name = names.get(act.who, act.who)
    absent = act.details.get("for")
    return (
        say("{name} on behalf of {absent}", name=name, absent=names.get(f"login {absent}", absent)) if absent else name
    )


def _through(act: Entry) -> str:
    """Return the session, token or command of an action, if the log has it."""
    way, _, mark = str(act.details.get("through", "")).partition(" ")
    if act.details.get("by_command"):
        return say("command")
    return {"session": say("session {mark}", mark=mark), "token": say("token {mark}", mark=mark)}.get(way, "")


def _more(act: Entry) -> str:
    """Return what an action changed, old and new, and its other details."""
    values = [f"{say(name)}: {old} → {new}" for name, old, new in replay.changed(act.details)]
    rest = [f"{say(label)}: {act.details[name]}" for name, label in SAID.items() if act.details.get(name)]
    return "; ".join([*values, *rest])


# Audit file: the signed file of a dataset and period for an auditor, and the key to verify it.


def _audit_file(house: House, kept: Mapping[str, str]) -> None:
    """Ask for the dataset and the period, and offer the file."""
    st.header(say("Audit file"), anchor=False)
    st.caption(
        say(
            "One signed file contains the schema, every request with its decision and card, the "
            "comments and the ledger. It also contains the audit log entries for this dataset. It has "
            "names of people but no rows. Creating it is recorded in the audit log."
        )
    )
    dataset = pick(say("Dataset"), kept, "of")
    left, right = st.columns(2)
    first = left.date_input(say("First day"), None, key="audit:first")
    last = right.date_input(say("Last day"), None, key="audit:last")
    given = (("first", first), ("last", last))
    days = "&".join(f"{name}={day.isoformat()}" for name, day in given if day is not None)
    address = f"/bundle/{dataset}" + (f"?{days}" if days else "")
    st.link_button(say("Create audit file"), address, icon=":material/folder_zip:", width="stretch")
    st.caption(say("The recipient verifies the file with the command below. Send them this key separately:"))
    st.code(f"discreet verify bundle.zip --key {signing.public_key(house)}", language=None, wrap_lines=True)
