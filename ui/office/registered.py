"""Registered data, as an officer keeps them: budget, policy, ledger, publication, and their end."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.office import Account, House, Policy, duties, keeping, registry, rulings, upkeep
from discreet.office.memberships import name_of
from discreet.office.registry import Registered
from discreet.rows.connection import Connection
from discreet.ui import declare
from discreet.ui.links import files, pick, view
from discreet.ui.office import door, registering
from discreet.ui.office.rules import ask_policy, policy_of, told
from discreet.ui.state import workspace
from discreet.ui.words import number, quoted, say

VIEWS = {"kept": Phrase("Registered"), "new": Phrase("Register a dataset")}
STATES = {"open": Phrase("accepts questions"), "closed": Phrase("closed"), "deleted": Phrase("rows deleted")}


def show() -> None:
    """Show what is registered, or register something new."""
    st.title(say("Registered data"), anchor=False)
    house, who = door.house(), door.who()
    if house is None or who is None:
        return
    known = registry.everything(house)
    part = view(say("View"), VIEWS, "registered-view", "kept" if known else "new")
    if part == "new":
        registering.show(house, who)
    elif not known:
        st.info(say("Nothing is registered yet."))
    else:
        _kept(house, who, known)


def _kept(house: House, who: Account, known: list[Registered]) -> None:
    late = keeping.past_retention(house)
    if late:
        st.warning(say("Past their day of deletion: {names}.", names=quoted(", ".join(one.name for one in late))))
    by_id = {one.id: one for one in known}
    one = by_id[pick(say("Dataset"), {i: told.name for i, told in by_id.items()}, "dataset")]
    _totals(house, one)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        with st.container(border=True):
            _said(one)
        with st.container(border=True):
            _policy(house, who, one)
    with right:
        with st.container(border=True):
            _ledger(house, who, one)
        if one.remote and one.state != "deleted":
            with st.container(border=True):
                _connection(house, who, one)
        with st.container(border=True):
            _publication(house, who, one)
        with st.container(border=True):
            _end(house, who, one)


def _totals(house: House, one: Registered) -> None:
    ledger = registry.ledger(house, one.id)
    told = {say("Spent or reserved"): ledger.spent, say("Left"): ledger.left, say("Limit"): ledger.limit}
    for place, (label, cost) in zip(st.columns(3), told.items(), strict=True):
        delta = say("δ {delta}", delta=number(cost.delta)) if cost.delta_units else say("no δ")
        place.metric(label, f"ε {cost.epsilon:g}", delta, delta_color="off", delta_arrow="off", border=True)


def _said(one: Registered) -> None:
    """Show what was declared, which never changes."""
    said = one.registration
    st.subheader(say("Declaration"), anchor=False)
    st.dataframe(declare.reading(said.schema), hide_index=True, width="stretch")
    lines = {
        say("State"): say(STATES[one.state]),
        say("Source"): said.source,
        say("Collected on the basis of"): said.basis,
        say("Rows are kept until"): said.keep_until or said.forever,
        say("Server administered by"): said.access,
        say("Every row is a different person"): say("Yes") if said.alone else "",
        say("Other releases of these data"): said.others,
        say("Bounds chosen by looking"): said.looked,
        say("Fingerprint (keyed)"): one.fingerprint[:16],
    }
    st.dataframe(
        pd.DataFrame([{say("What"): k, say("Said"): v or "–"} for k, v in lines.items()]),
        hide_index=True,
        width="stretch",
    )


def _policy(house: House, who: Account, one: Registered) -> None:
    """Show the policy as a form; it changes from now on."""
    st.subheader(say("Policy"), anchor=False)
    with st.form(f"policy:{one.id}", border=False):
        ask_policy(one.policy, f"policy:{one.id}")
        saved = st.form_submit_button(say("Change the policy"), width="stretch")
    registering.second_person(duties.alone(house, who, "officer", one.id))
    _waiting(house, who, one)
    if saved:
        _do(lambda: rulings.amend(house, who, one.id, policy_of(f"policy:{one.id}")))


def _waiting(house: House, who: Account, one: Registered) -> None:
    """Show the policy that waits for a second officer, and let one confirm or drop it."""
    waits = duties.pending(house, "policy", one.id)
    if waits is None:
        return
    wanted = Policy(**waits.wanted)
    st.warning(
        say(
            "{name} proposes another policy. It holds when another officer confirms it.",
            name=quoted(name_of(house, waits.by)),
        )
    )
    st.dataframe(
        pd.DataFrame([{say("What"): k, say("Said"): v or "–"} for k, v in told(wanted).items()]),
        hide_index=True,
        width="stretch",
    )
    mine = waits.by == who.id
    if not mine and st.button(say("Confirm this policy"), width="stretch", key=f"yes:{waits.id}"):
        _do(lambda: rulings.amend(house, who, one.id, wanted))
    if st.button(say("Drop this proposal"), width="stretch", key=f"no:{waits.id}"):
        _do(lambda: duties.drop(house, who, "officer", waits, one.name))


def _ledger(house: House, who: Account, one: Registered) -> None:
    """Verify the chain here and now."""
    st.subheader(say("Ledger"), anchor=False)
    ledger = registry.ledger(house, one.id)
    lines = ledger.lines
    st.caption(say("{lines} lines. Head of the chain, as every card shows it:", lines=len(lines)))
    st.code(f"{len(lines) - 1}:{ledger.head}" if lines else ledger.head, language=None, wrap_lines=True)
    if st.button(say("Verify the whole chain"), icon=":material/verified:", width="stretch"):
        found = upkeep.check_ledger(house, who, one.id)
        if found.holds:
            st.success(say("All {lines} lines hold: order, hashes, totals, limit and answers.", lines=found.lines))
        else:
            st.error(say("Line {at}: {why}", at=found.at, why=say(found.wrong or "")))
    with st.expander(say("All lines")):
        st.dataframe(
            pd.DataFrame(
                [
                    {
                        say("Line"): line["seq"],
                        say("Kind"): say(line["kind"]),
                        say("ε"): line["cost_epsilon"] / 1e9,
                        say("Question"): line["request"][:8],
                        say("Hash"): line["hash"][:12],
                    }
                    for line in lines
                ]
            ),
            hide_index=True,
            width="stretch",
        )


def _connection(house: House, who: Account, one: Registered) -> None:
    """Take a new password or user for the same table."""
    st.subheader(say("Connection"), anchor=False)
    st.caption(
        say(
            "The rows are in a table of a database. When its password changes, say the whole "
            "address again here. It must lead to the same table; budget and policy stay."
        )
    )
    told = registering.address(f"reach:{one.id}", say("Change the connection"))
    if told is not None:
        _do(lambda: upkeep.reconnect(house, who, one.id, Connection(*told)))


def _publication(house: House, who: Account, one: Registered) -> None:
    st.subheader(say("Publication"), anchor=False)
    st.caption(
        say("Everybody can read the list of releases.")
        if one.published
        else say(
            "Published, every answer of these data becomes readable without signing in, with "
            "its question, purpose and cost; names are not shown. What was copied meanwhile "
            "cannot be called back."
        )
    )
    label = say("Stop publishing") if one.published else say("Publish the list of releases")
    if st.button(label, width="stretch", icon=":material/public:"):
        _do(lambda: upkeep.publish(house, who, one.id, not one.published))
    files(say("All releases as a file"), f"/releases/{one.id}")


def _end(house: House, who: Account, one: Registered) -> None:
    """Close the dataset, or delete its rows, each after a word of confirmation."""
    st.subheader(say("End"), anchor=False)
    if one.state == "deleted":
        st.caption(say("The rows are deleted. Ledger, requests and releases stay."))
        return
    if one.state == "open":
        known = st.checkbox(say("I know that closed data cannot be opened again"), key=f"close:{one.id}")
        label = say("Close: nothing more is asked")
        if st.button(label, disabled=not known, width="stretch"):
            _do(lambda: upkeep.close(house, who, one.id))
    sure = st.checkbox(say("I know that deleted rows cannot be brought back"), key=f"end:{one.id}")
    if st.button(say("Delete the rows"), disabled=not sure, width="stretch"):
        _do(lambda: upkeep.erase(house, who, one.id))


def _do(step) -> None:  # type: ignore[no-untyped-def]
    """Do one thing and show the page anew, or say why not."""
    try:
        step()
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    workspace().notice = ""
    st.rerun()
