"""Lookup: what a command names, found in the house."""

from __future__ import annotations

import sys
from getpass import getpass
from typing import Any

from discreet.office import memberships, registry
from discreet.office.house import House
from discreet.office.roles import TERMINAL, Member
from discreet.office.terminal.speech import stop
from discreet.rows.elsewhere import Tabled, table_at


def dataset_named(house: House, name: str) -> registry.Registered:
    """Return a dataset by its name."""
    same = [data for data in registry.everything(house) if data.name == name]
    return same[0] if same else stop("There is no dataset of this name.")


def account_named(house: House, login: str) -> dict[str, Any]:
    """Return an account by its login."""
    mine = [account for account in memberships.everybody(house) if account["person"].login == login.strip().lower()]
    return mine[0] if mine else stop("There is no account with this login.")


def somebody(house: House, login: str) -> Member:
    """Return for whom a command acts: an account, with its guards, or the terminal, which has the disk."""
    who: Member = account_named(house, login)["person"] if login else TERMINAL
    return who


def table(name: str) -> Tabled:
    """Return a table; its address, which may hold a password, is read from standard input."""
    url = getpass("Address of the database or cluster: ") if sys.stdin.isatty() else sys.stdin.readline()
    return table_at(url.strip(), name)
