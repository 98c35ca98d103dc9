"""Members: the accounts with their roles, and changes to one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget import ParameterError
from discreet.office import House, Member
from discreet.office.house.roles import ADMINISTRATOR, ANALYST
from discreet.office.notices import mail
from discreet.office.people import accounts as memberships
from discreet.office.people import joining, second_factor_setup
from discreet.office.rules import rights, substitutes
from discreet.ui.frame.links import primary
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import first_steps
from discreet.ui.office.forms import Entries, do, told_done, turn, turned
from discreet.ui.office.people import account as account_page
from discreet.ui.office.people.account import ask_roles, in_words
from discreet.ui.session import door
from discreet.ui.session.state import choose, chosen

# Invitations: links for a new person, or for one who has lost the password.

MARK = "invite"
LINK = "invited"


def invite(house: House, who: Member) -> None:
    """Ask for a login, a name and roles, and show the link of the new account."""
    st.header(say("Invite someone"), anchor=False)
    entries = Entries(turned(MARK))
    with st.form("invite", border=False):
        login = st.text_input(say("Login"), key=entries.key("login"))
        name = st.text_input(say("Name"), key=entries.key("name"))
        roles = ask_roles(entries.key("roles"), [ANALYST])
        sent = st.form_submit_button(say("Create invitation link"), width="stretch")
    if not rights.alone(house, who, ADMINISTRATOR):
        st.caption(
            say("An invited officer or administrator can sign in once another administrator confirms the invitation.")
        )
    if sent:
        _invited(lambda: joining.invite(house, who, login, name, roles))
    secret = chosen(LINK)
    if secret:
        choose(LINK, None)
        _shown_once(secret)


def _invited(make: Callable[[], str]) -> None:
    """Make a link, and reset the form, so that its values are not used for the next person."""
    try:
        choose(LINK, make())
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    turn(MARK)
    st.rerun()


def new_link(make: Callable[[], str]) -> None:
    """Show a new link, once."""
    try:
        secret = make()
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    _shown_once(secret)


def _shown_once(secret: str) -> None:
    st.success(say("Send them this link. It works once, within a week, and is not shown again."))
    st.code(f"{_address()}/sign-in?link={secret}", language=None, wrap_lines=True)


def _address() -> str:
    """Return the address of this server as the browser knows it."""
    return str(st.context.url or "").rsplit("/", 1)[0] if st.context.url else ""


# Former members: the name and mail address of a closed account can be erased; what is kept, and why, is shown first.


def show_former(house: House, who: Member, person: Member) -> None:
    """Offer to erase them, after a typed confirmation."""
    st.caption(
        say(
            "You can erase the name and email address of a closed account. Its login is then shown "
            "instead of the name. The audit log keeps the original name, because every entry is "
            "sealed together with the earlier ones. No page shows that name, but the terminal, audit "
            "files and backups may. Texts that people wrote stay unchanged."
        )
    )
    sure = st.checkbox(say("I understand that an erased name cannot be restored"), key=f"erase:{person.id}")
    if st.button(say("Erase name and email address"), disabled=not sure, width="stretch", key="erase-name"):
        do(lambda: memberships.erase_name(house, who, person.login), say("Name and email address are erased."))


Line = dict[str, Any]


def show() -> None:
    """Show the accounts, one to change, and a form for a new one."""
    st.title(say("People"), anchor=False)
    house = door.house()
    who = door.who()
    if house is None or who is None:
        return
    told_done()
    first_steps.on_the_way(house, who)
    table = st.empty()  # filled last, so that an account created below is in it
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
                account_page.line(house, who, each)


def _line(account: Line) -> dict[str, str]:
    person: Member = account["person"]
    state = say("has a password") if account["joined"] else say("no password here")
    if account["factor"]:
        state = say("has a password and two-factor authentication")
    return {
        say("Login"): person.login,
        say("Name"): person.name,
        say("Roles"): in_words(person.roles),
        say("State"): state if account["active"] else say("closed"),
    }


def _change(house: House, who: Member, accounts: Sequence[Line]) -> None:
    """Change the roles of one account, close it, or reset its password and sessions."""
    st.header(say("Change an account"), anchor=False)
    by_login = {account["person"].login: account for account in accounts}
    login = st.selectbox(
        say("Account"), by_login, key="account", format_func=lambda login: f"{by_login[login]['person'].name} ({login})"
    )
    account = by_login[login]
    person: Member = account["person"]
    roles = ask_roles(f"roles:{person.id}", sorted(person.roles))
    closed = st.checkbox(say("Closed (cannot sign in)"), not account["active"], key=f"closed:{person.id}")
    _second_person(house, who)
    _waiting(house, who, person)
    if primary(say("Save"), width="stretch", key="save-account"):
        do(lambda: _save(house, who, person, roles, not closed))
    _anew(house, who, person)
    if account["active"]:
        _reach(house, who, account)
    else:
        show_former(house, who, person)


def _save(house: House, who: Member, person: Member, roles: frozenset[str], active: bool) -> None:
    holds = memberships.change(house, who, person.login, roles, active)
    words = say("Account changed.") if holds else say("Proposed. Another administrator must confirm it.")
    st.toast(words, icon=":material/check:")


def _reach(house: House, who: Member, account: Line) -> None:
    """Offer the actions for an open account: removing its second factor, and setting its mail address."""
    person: Member = account["person"]
    if account["factor"]:
        _take(house, who, person)
    mailbox = mail.own_mailbox(house, who, person.login)
    account_page.ask_address(house, who, person.login, "" if mailbox is None else mailbox.address)
    st.caption(say("Email is sent there once the recipient enters a code on the Account page."))


def _anew(house: House, who: Member, person: Member) -> None:
    """Offer a new password and the end of all sessions."""
    left, right = st.columns(2)
    with left:
        again = st.button(say("New password link"), width="stretch", key="renew")
    with right:
        ended = st.button(say("End all sessions"), width="stretch", key="end-sessions")
    if again:
        new_link(lambda: joining.renew(house, who, person.login))
    if ended:
        do(lambda: memberships.end_sessions(house, who, person.login))


def _take(house: House, who: Member, person: Member) -> None:
    """Offer to remove a lost second factor; the viewer's own is on the page Account."""
    if person.id == who.id:
        return
    if st.button(say("Turn off two-factor authentication"), width="stretch", key="take-factor"):
        do(lambda: second_factor_setup.take_factor(house, who, person.login))
    st.caption(
        say(
            "Use this for a lost phone. The sessions and tokens of the account end, and its owner is "
            "notified in their news."
        )
    )


def _second_person(house: House, who: Member) -> None:
    """Show who must confirm other roles; warn if no second administrator exists."""
    if rights.alone(house, who, ADMINISTRATOR):
        st.warning(
            say(
                "You are the only administrator, so role changes need no confirmation. The audit log "
                "records this. Invite a second administrator."
            )
        )
    else:
        st.caption(
            say(
                "Role changes take effect once another administrator confirms them. The same is true for "
                "closing the account of an officer or administrator."
            )
        )


def _waiting(house: House, who: Member, person: Member) -> None:
    """Show what waits for a second administrator, who can confirm or reject it."""
    waits = rights.pending(house, "roles", person.id)
    if waits is None:
        return
    roles = frozenset(waits.wanted["roles"])
    active = bool(waits.wanted["active"])
    st.warning(
        say(
            "{name} proposes: {roles}. This takes effect once another administrator confirms it.",
            name=quoted(memberships.name_of(house, waits.by)),
            roles=in_words(roles) if active else say("closed"),
        )
    )
    if waits.by != who.id and st.button(say("Confirm"), width="stretch", key=f"yes:{waits.id}"):
        do(lambda: memberships.change(house, who, person.login, roles, active))
    if st.button(say("Withdraw proposal"), width="stretch", key=f"no:{waits.id}"):
        do(lambda: rights.drop(house, who, ADMINISTRATOR, waits, person.login))
