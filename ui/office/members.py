"""Accounts: who can sign in and as what, and one of them to change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from discreet.office import House, Member, duties, invitations, mailboxes, memberships, second_factors, substitutes
from discreet.ui.frame.buttons import primary
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import door, first_steps, former, mailing, standing_in
from discreet.ui.office.inviting import invite, new_link
from discreet.ui.office.role_choice import ask_roles, in_words
from discreet.ui.office.steps import do, told_done

Line = dict[str, Any]


def show() -> None:
    """Show the accounts, one to change, and the way to a new one."""
    st.title(say("People"), anchor=False)
    house, who = door.house(), door.who()
    if house is None or who is None:
        return
    told_done()
    first_steps.on_the_way(house, who)
    table = st.empty()  # filled last: whoever is invited below stands in it
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True):
        invite(house, who)
    accounts = memberships.everybody(house)
    table.dataframe(pd.DataFrame([_line(account) for account in accounts]), hide_index=True, width="stretch")
    with right, st.container(border=True):
        _change(house, who, accounts)
    absences = substitutes.substitutions(house, who)
    if absences:
        with left, st.container(border=True):
            st.header(say("Substitutes"), anchor=False)
            for each in absences:
                standing_in.line(house, who, each)


def _line(account: Line) -> dict[str, str]:
    person: Member = account["person"]
    state = say("has a password") if account["joined"] else say("no password here")
    if account["factor"]:
        state = say("has a password and a second factor")
    return {
        say("Login"): person.login,
        say("Name"): person.name,
        say("Roles"): in_words(person.roles),
        say("State"): state if account["active"] else say("closed"),
    }


def _change(house: House, who: Member, accounts: Sequence[Line]) -> None:
    """Change the roles of one account, close it, or begin its password and sessions anew."""
    st.header(say("Change an account"), anchor=False)
    by_login = {account["person"].login: account for account in accounts}
    login = st.selectbox(
        say("Account"), by_login, key="account", format_func=lambda login: f"{by_login[login]['person'].name} ({login})"
    )
    account = by_login[login]
    person: Member = account["person"]
    roles = ask_roles(f"roles:{person.id}", sorted(person.roles))
    closed = st.checkbox(say("Closed: cannot sign in"), not account["active"], key=f"closed:{person.id}")
    _second_person(house, who)
    _waiting(house, who, person)
    if primary(say("Save"), width="stretch", key="save-account"):
        do(lambda: _save(house, who, person, roles, not closed))
    _anew(house, who, person)
    if account["active"]:
        _reach(house, who, account)
    else:
        former.show(house, who, person)


def _save(house: House, who: Member, person: Member, roles: frozenset[str], active: bool) -> None:
    """Change an account, or propose it, and say which."""
    holds = memberships.change(house, who, person.login, roles, active)
    words = say("The account is changed.") if holds else say("It is proposed, and waits for another administrator.")
    st.toast(words, icon=":material/check:")


def _reach(house: House, who: Member, account: Line) -> None:
    """Offer what only an open account needs: to be without its second factor, and to get mail."""
    person: Member = account["person"]
    if account["factor"]:
        _take(house, who, person)
    mailbox = mailboxes.own_mailbox(house, who, person.login)
    mailing.ask_address(house, who, person.login, "" if mailbox is None else mailbox.address)
    st.caption(say("Mail goes there once its reader has typed in a code, on the page Account."))


def _anew(house: House, who: Member, person: Member) -> None:
    """Offer a new password and the end of all sessions."""
    left, right = st.columns(2)
    with left:
        again = st.button(say("New password link"), width="stretch", key="renew")
    with right:
        ended = st.button(say("End all sessions"), width="stretch", key="end-sessions")
    if again:
        new_link(lambda: invitations.renew(house, who, person.login))
    if ended:
        do(lambda: memberships.end_sessions(house, who, person.login))


def _take(house: House, who: Member, person: Member) -> None:
    """Offer to take the second factor away, for whoever has lost it; one's own is on the page Account."""
    if person.id == who.id:
        return
    if st.button(say("Take the second factor away"), width="stretch", key="take-factor"):
        do(lambda: second_factors.take_factor(house, who, person.login))
    st.caption(
        say("For a lost telephone. Sessions and tokens of the account end, and its owner reads it in their news.")
    )


def _second_person(house: House, who: Member) -> None:
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


def _waiting(house: House, who: Member, person: Member) -> None:
    """Show what waits for a second administrator, and let one confirm or drop it."""
    waits = duties.pending(house, "roles", person.id)
    if waits is None:
        return
    roles, active = frozenset(waits.wanted["roles"]), bool(waits.wanted["active"])
    st.warning(
        say(
            "{name} proposes: {roles}. It holds when another administrator confirms it.",
            name=quoted(memberships.name_of(house, waits.by)),
            roles=in_words(roles) if active else say("closed"),
        )
    )
    if waits.by != who.id and st.button(say("Confirm"), width="stretch", key=f"yes:{waits.id}"):
        do(lambda: memberships.change(house, who, person.login, roles, active))
    if st.button(say("Drop this proposal"), width="stretch", key=f"no:{waits.id}"):
        do(lambda: duties.drop(house, who, "administrator", waits, person.login))
