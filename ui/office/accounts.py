"""Accounts: who can sign in and as what, and links for whoever is new or has lost a password."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from discreet.budget import ParameterError
from discreet.office import Account, House, duties, invitations, memberships
from discreet.office.roles import ROLES
from discreet.ui.buttons import primary
from discreet.ui.office import door
from discreet.ui.words import quoted, say


def show() -> None:
    """Show the accounts, one to change, and the way to a new one."""
    st.title(say("People"), anchor=False)
    house, who = door.house(), door.who()
    if house is None or who is None:
        return
    table = st.empty()  # filled last: whoever is invited below stands in it
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True):
        _invite(house, who)
    known = memberships.everybody(house)
    table.dataframe(_table(known), hide_index=True, width="stretch")
    with right, st.container(border=True):
        _change(house, who, known)


def _table(known: list[dict]) -> pd.DataFrame:  # type: ignore[type-arg]
    return pd.DataFrame(
        [
            {
                say("Login"): told["person"].login,
                say("Name"): told["person"].name,
                say("Roles"): _roles(told["person"]),
                say("State"): say("closed")
                if not told["active"]
                else say("has a password")
                if told["joined"]
                else say("no password here"),
            }
            for told in known
        ]
    )


def _roles(person: Account) -> str:
    return ", ".join(say(ROLES[role]) for role in sorted(person.roles))


def _choose_roles(key: str, now: list[str]) -> frozenset[str]:
    found = st.pills(
        say("Roles"),
        list(ROLES),
        selection_mode="multi",
        default=now,
        key=key,
        format_func=lambda role: say(ROLES[role]),
        help=say("Analysts ask, officers register data and decide, administrators invite people."),
    )
    return frozenset(found)


def _invite(house: House, who: Account) -> None:
    st.subheader(say("Invite somebody"), anchor=False)
    with st.form("invite", border=False):
        login, name = st.text_input(say("Login")), st.text_input(say("Name"))
        roles = _choose_roles("invite-roles", ["analyst"])
        sent = st.form_submit_button(say("Make a link"), width="stretch")
    if not duties.alone(house, who, "administrator"):
        st.caption(
            say("An officer or administrator who is invited gets in once another administrator has confirmed it.")
        )
    if sent:
        _link(lambda: invitations.invite(house, who, login, name, roles))


def _link(make) -> None:  # type: ignore[no-untyped-def]
    """Show a new link, this one time."""
    try:
        secret = make()
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    st.success(say("Give this address to them. It works once, for a week, and is not shown again."))
    st.code(f"{_address()}/sign-in?link={secret}", language=None, wrap_lines=True)


def _address() -> str:
    """Return the address of this server as the browser knows it."""
    return str(st.context.url or "").rsplit("/", 1)[0] if st.context.url else ""


def _change(house: House, who: Account, known: list[dict]) -> None:  # type: ignore[type-arg]
    st.subheader(say("Change an account"), anchor=False)
    told = st.selectbox(
        say("Account"), known, key="account", format_func=lambda told: f"{told['person'].name} ({told['person'].login})"
    )
    chosen: Account = told["person"]
    roles = _choose_roles(f"roles:{chosen.id}", sorted(chosen.roles))
    closed = st.checkbox(say("Closed: cannot sign in"), not told["active"], key=f"closed:{chosen.id}")
    _second_person(house, who)
    _waiting(house, who, chosen)
    if primary(say("Save"), width="stretch", key="save-account"):
        _do(lambda: memberships.change(house, who, chosen.login, roles, not closed))
    left, right = st.columns(2)
    with left:
        again = st.button(say("New password link"), width="stretch", key="renew")
    with right:
        ended = st.button(say("End all sessions"), width="stretch", key="end-sessions")
    if again:
        _link(lambda: invitations.renew(house, who, chosen.login))
    if ended:
        _do(lambda: memberships.end_sessions(house, who, chosen.login))


def _second_person(house: House, who: Account) -> None:
    """Say who must confirm other roles; loudly where nobody can."""
    if duties.alone(house, who, "administrator"):
        st.warning(
            say(
                "You are the only administrator. Roles hold on your word alone, and the trail says "
                "so. Invite a second administrator."
            )
        )
    else:
        st.caption(
            say(
                "Other roles, and closing an officer or administrator, hold when another "
                "administrator has confirmed them."
            )
        )


def _waiting(house: House, who: Account, chosen: Account) -> None:
    """Show what waits for a second administrator, and let one confirm or drop it."""
    waits = duties.pending(house, "roles", chosen.id)
    if waits is None:
        return
    roles, active = frozenset(waits.wanted["roles"]), bool(waits.wanted["active"])
    told = ", ".join(say(ROLES[role]) for role in sorted(roles))
    st.warning(
        say(
            "{name} proposes: {roles}. It holds when another administrator confirms it.",
            name=quoted(memberships.name_of(house, waits.by)),
            roles=told if active else say("closed"),
        )
    )
    if waits.by != who.id and st.button(say("Confirm"), width="stretch", key=f"yes:{waits.id}"):
        _do(lambda: memberships.change(house, who, chosen.login, roles, active))
    if st.button(say("Drop this proposal"), width="stretch", key=f"no:{waits.id}"):
        _do(lambda: duties.drop(house, who, "administrator", waits, chosen.login))


def _do(step: Callable[[], object]) -> None:
    """Do one thing and show the page anew, or say why not."""
    try:
        step()
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    st.rerun()
