"""Lookup: what a command names, found in the house."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discreet.office.house.house import House
from discreet.office.people import accounts
from discreet.office.terminal.output import stop

if TYPE_CHECKING:
    from discreet.office.datasets.registry import Registered


def dataset_named(house: House, name: str) -> Registered:
    """Return a dataset by its name."""
    from discreet.office.datasets import registry

    same = [data for data in registry.everything(house) if data.name == name]
    return same[0] if same else stop("No dataset has this name.")


def account_named(house: House, login: str) -> dict[str, Any]:
    """Return an account by its login."""
    mine = [account for account in accounts.everybody(house) if account["person"].login == login.strip().lower()]
    return mine[0] if mine else stop("No account has this login.")
