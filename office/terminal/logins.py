"""Logins: the commands about accounts."""

from __future__ import annotations

from datetime import date
from shlex import quote

from discreet.office import invitations, mailboxes, memberships, second_factors, substitutes
from discreet.office.house import House
from discreet.office.roles import TERMINAL
from discreet.office.terminal.lookup import account_named, somebody
from discreet.office.terminal.speech import stop, tell

LINK = "/sign-in?link="


def setup(house: House) -> None:
    """setup: print the link for the first account, while nobody has one."""
    link = invitations.setup_link(house)
    if link is None:
        stop("Somebody has an account already. Use invite or renew.")
    tell(LINK + link)


def invite(house: House, login: str, name: str, roles: str) -> None:
    """invite LOGIN NAME ROLES: create an account, print the link with which its owner signs in."""
    tell(LINK + invitations.invite(house, TERMINAL, login, name, frozenset(roles.split(","))))


def renew(house: House, login: str) -> None:
    """renew LOGIN: print a new link, for a lost link or password."""
    tell(LINK + invitations.renew(house, TERMINAL, account_named(house, login)["person"].login))


def people(house: House) -> None:
    """people: list the accounts."""
    for account in memberships.everybody(house):
        who, joined = account["person"], "" if account["joined"] else "no password"
        state = joined if account["active"] else "closed"
        factor = "second factor" if account["factor"] else ""
        tell(login=who.login, name=who.name, roles=sorted(who.roles), state=state, factor=factor)


def roles(house: House, login: str, roles: str) -> None:
    """roles LOGIN ROLES: give an account these roles instead of its own."""
    account, now = account_named(house, login), frozenset(roles.split(","))
    memberships.change(house, TERMINAL, account["person"].login, now, account["active"])


def close(house: House, login: str) -> None:
    """close LOGIN: close an account and end its sessions."""
    who = account_named(house, login)["person"]
    memberships.change(house, TERMINAL, who.login, who.roles, False)


def reopen(house: House, login: str) -> None:
    """reopen LOGIN: open a closed account again; its password is as it was."""
    who = account_named(house, login)["person"]
    memberships.change(house, TERMINAL, who.login, who.roles, True)


def forget(house: House, login: str, *, yes: bool = False) -> None:
    """forget LOGIN --yes: erase the name and mail address of a closed account; its login stays."""
    who = account_named(house, login)["person"]
    if not yes:
        stop(f"This cannot be undone. If it is meant, say forget {quote(who.login)} --yes")
    memberships.erase_name(house, TERMINAL, who.login)
    tell(
        f"{who.login} has no other name any more. The trail keeps the one with which the account began, as no line "
        "of it can go; backups made before hold it, too."
    )


def signout(house: House, login: str) -> None:
    """signout LOGIN: end all sessions and tokens of an account, and forget its browsers."""
    memberships.end_sessions(house, TERMINAL, account_named(house, login)["person"].login)


def factor(house: House, login: str, none: str) -> None:
    """factor LOGIN none: take the second factor of an account away; its sessions and tokens end."""
    if none != "none":
        stop("A second factor is set up by its owner, on the page Account. Here it is taken away: factor LOGIN none.")
    second_factors.take_factor(house, TERMINAL, account_named(house, login)["person"].login)


def mail(house: House, login: str, address: str) -> None:
    """mail LOGIN ADDRESS|none: set where somebody gets mail; they prove it by a code, on the page Account."""
    who = account_named(house, login)["person"]
    mailboxes.set_address(house, TERMINAL, who.login, "" if address == "none" else address)


def substitute(house: House, login: str, first: str, last: str, *, acting: str = "") -> None:
    """substitute LOGIN FIRST LAST --as OFFICER: let LOGIN decide in the stead of OFFICER on these days."""
    who = somebody(house, acting or stop("Say for whom: --as LOGIN."))
    try:
        days = date.fromisoformat(first), date.fromisoformat(last)
    except ValueError:
        stop("Write days as 2030-12-24.")
    substitutes.name_substitute(house, who, login, *days)


def list_substitutes(house: House) -> None:
    """substitutes: list who stands in for whom, now and later."""
    for each in substitutes.substitutions(house, TERMINAL):
        first, last = each.days
        tell(substitute=each.substitute.login, officer=each.officer.login, first=first, last=last)


def recall(house: House, login: str) -> None:
    """recall LOGIN: end every substitution of an officer."""
    who = account_named(house, login)["person"]
    for each in substitutes.substitutions(house, TERMINAL):
        if each.officer.id == who.id:
            substitutes.end_substitution(house, TERMINAL, each.id)
