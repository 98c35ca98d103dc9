"""Entry: one line of a ledger, never changed once written; and what the lines amount to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from discreet.budget.account import Account
from discreet.budget.cost import Cost
from discreet.budget.refined import Refined
from discreet.budget.rules import Amount


@dataclass(frozen=True)
class Entry:
    """One line: a charge, or the settlement of the held part of an earlier charge.

    `cost` is spent for good; `held` counts as spent until the settlement says that it was `taken`
    or is free again. `amount` is what the rule counts for this charge as a whole, `total` what it
    counts after this line, as on a bank statement. `time` is for display and decides nothing.
    """

    seq: int
    request_id: str
    kind: Literal["charge", "settle"]
    cost: Cost
    held: Cost
    taken: bool | None
    account: Account | None
    amount: Amount
    total: Amount
    time: datetime | None


@dataclass(frozen=True)
class Charge:
    """A cost and, where more is known, the account of the same release."""

    cost: Cost
    account: Account | None = None


def charges(entries: Iterable[Entry]) -> tuple[Charge, ...]:
    """Return what every charge came to; a held part counts unless it was settled as free.

    An account speaks of cost and held part together, so it falls with the held part. An answer and
    a finer one in its place are one charge: what both cost, under the account of the finer one.
    """
    lines = tuple(entries)
    free = {line.request_id for line in lines if line.kind == "settle" and not line.taken}
    every: dict[str, Charge] = {}
    for line in lines:
        if line.kind == "charge":
            part = line.request_id in free and line.held != Cost.zero()
            charge = Charge(line.cost) if part else Charge(line.cost + line.held, line.account)
            if isinstance(line.account, Refined) and line.account.instead:
                earlier = every.pop(line.account.of, Charge(Cost.zero()))
                charge = Charge(earlier.cost + charge.cost, line.account.account)
            every[line.request_id] = charge
    return tuple(every.values())
