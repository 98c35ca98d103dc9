"""Ledgers: one budget per dataset for the whole server process."""

from __future__ import annotations

import threading

from discreet.budget.cost import Cost
from discreet.budget.ledger import Clock, SessionLedger, no_clock
from discreet.budget.rules import BASIC, Rule


class SessionLedgers:
    """The ledgers of a server process, one per dataset, whoever looks at it and however often.

    The owner is the content digest of a dataset, so that a reload, a second tab or a second upload
    of the same content sees the same budget and not a new one.
    """

    def __init__(self, clock: Clock = no_clock) -> None:
        """Start with none; the clock is given to every ledger."""
        self._clock = clock
        self._lock = threading.Lock()
        self._ledgers: dict[str, SessionLedger] = {}

    def open(self, owner: str, limit: Cost, rule: Rule = BASIC) -> SessionLedger:
        """Return the owner's ledger; the limit and rule count only the first time."""
        with self._lock:
            if owner not in self._ledgers:
                self._ledgers[owner] = SessionLedger(limit, rule, self._clock)
            return self._ledgers[owner]

    @property
    def every(self) -> dict[str, SessionLedger]:
        """All ledgers, by their owners."""
        with self._lock:
            return dict(self._ledgers)

    def before(self, owner: str) -> tuple[Cost, ...]:
        """Return what was spent of each budget that an owner's was put in the place of."""
        ledger = self.every.get(owner)
        return () if ledger is None else tuple(former.spent for former in ledger.lineage[:-1])

    def replace(self, owner: str, limit: Cost, rule: Rule = BASIC) -> SessionLedger:
        """Give the owner a new budget, knowing what that means, and close the old ledger.

        What was answered stays answered: the new ledger knows the answers of the old one.
        """
        with self._lock:
            former = self._ledgers.get(owner)
            fresh = SessionLedger(limit, rule, self._clock, former)
            if former is not None:
                former.close()
            self._ledgers[owner] = fresh
            return fresh
