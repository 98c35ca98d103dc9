"""Durable budgets: ledgers in one SQLite file or in PostgreSQL, hash-chained, guarded and verified."""

from discreet.budget.durable.budget_file import open_ledger
from discreet.budget.durable.ledger import DurableLedger, open_budget
from discreet.budget.durable.store import Store
from discreet.budget.durable.verify import Verdict, verify

__all__ = ["DurableLedger", "Store", "Verdict", "open_budget", "open_ledger", "verify"]
