"""Durable budgets: ledgers in one SQLite file or in PostgreSQL, chained, guarded and verified."""

from budget.durable.ledger import DurableLedger, open_budget
from budget.durable.store import Store
from budget.durable.verify import Verdict, verify

__all__ = ["DurableLedger", "Store", "Verdict", "open_budget", "verify"]
