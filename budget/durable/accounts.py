"""Accounts as text: what a ledger's line keeps of a release's account, and reads back exactly."""

from __future__ import annotations

import json
from typing import Any

from discreet.budget.account import Account, Together
from discreet.budget.cost import Cost
from discreet.budget.guarantees import Approximate, BoundedRange, GaussianAccount, LaplaceAccount, Pure
from discreet.budget.refined import Refined

SINGLE: dict[str, type[Any]] = {
    "Pure": Pure,
    "Laplace": LaplaceAccount,
    "Gaussian": GaussianAccount,
    "BoundedRange": BoundedRange,
}
NAMES: dict[type[Any], str] = {
    kind: name for name, kind in SINGLE.items()
}  # what is written stays, whatever a class is called


def text_of(account: Account | None) -> str | None:
    """Write an account as text."""
    return None if account is None else json.dumps(_plain(account))


def _plain(account: Account) -> list[Any]:
    if isinstance(account, Together):
        return ["Together", [_plain(member) for member in account.members]]
    if isinstance(account, Refined):
        return ["Refined", account.of, account.instead, _plain(account.account)]
    if isinstance(account, Approximate):
        return ["Approximate", account.cost.nano_epsilon, account.cost.delta_units]
    name = NAMES.get(type(account))
    if name is None:
        raise TypeError(f"{type(account).__name__} has no text yet: add it to budget/durable/accounts.py.")
    return [name, float(account.size)]  # type: ignore[attr-defined]


def account_of(text: str | None) -> Account | None:
    """Read an account back."""
    return None if text is None else _made(json.loads(text))


def _made(written: list[Any]) -> Account:
    name, *rest = written
    if name == "Together":
        return Together(tuple(_made(member) for member in rest[0]))
    if name == "Refined":
        of, instead, account = rest
        return Refined(of, _made(account), instead)
    if name == "Approximate":
        return Approximate(Cost(*rest))
    single: Account = SINGLE[name](rest[0])
    return single
