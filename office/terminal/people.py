"""People: the commands about accounts that the screens cannot help: the first one, and those that are locked out."""

from __future__ import annotations

from discreet.office.house.house import House
from discreet.office.house.roles import TERMINAL
from discreet.office.people import accounts, joining, second_factor_setup
from discreet.office.terminal.lookup import account_named
from discreet.office.terminal.output import stop, tell

LINK = "/sign-in?link="


def setup(house: House) -> None:
    """Print the link for the first account, if there is none yet."""
    link = joining.setup_link(house)
    if link is None:
        stop("An account already exists. Run people to list the accounts, and people renew LOGIN for a new link.")
    tell(LINK + link)


def people(house: House) -> None:
    """List the accounts."""
    for account in accounts.everybody(house):
        who = account["person"]
        joined = "" if account["joined"] else "no password"
        state = joined if account["active"] else "closed"
        factor = "two-factor authentication" if account["factor"] else ""
        tell(login=who.login, name=who.name, roles=sorted(who.roles), state=state, factor=factor)


def renew(house: House, login: str) -> None:
    """Print a new link, for a lost link or password."""
    tell(LINK + joining.renew(house, TERMINAL, account_named(house, login)["person"].login))


def roles(house: House, login: str, roles: str) -> None:
    """Give an account these roles instead of its own."""
    account = account_named(house, login)
    now = frozenset(roles.split(","))
    accounts.change(house, TERMINAL, account["person"].login, now, account["active"])


def close(house: House, login: str) -> None:
    """Close an account and end its sessions."""
    who = account_named(house, login)["person"]
    accounts.change(house, TERMINAL, who.login, who.roles, False)


def signout(house: House, login: str) -> None:
    """End all sessions and tokens of an account, and forget its browsers."""
    accounts.end_sessions(house, TERMINAL, account_named(house, login)["person"].login)


def factor(house: House, login: str) -> None:
    """Take the second factor of an account away; its sessions and tokens end."""
    second_factor_setup.take_factor(house, TERMINAL, account_named(house, login)["person"].login)
