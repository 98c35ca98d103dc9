"""Floor 1: what privacy costs and how it is counted, independent of what is being paid for.

A `Cost` is (epsilon, delta) in exact integers. A `Ledger` accepts or refuses a charge before any row is read, by the
`Rule` it was opened with, and nothing is refunded but a held part that was settled as not taken. `SessionLedgers` keeps
one ledger per dataset in the server process. An `Account` states what a charge is under other accountings, and
`all_views` shows one history under each of them.
"""

from discreet.budget.accounts import (
    Account,
    Approximate,
    BoundedRange,
    GaussianAccount,
    LaplaceAccount,
    Pure,
    Refined,
    Together,
)
from discreet.budget.composition import Total, all_views, basic_lasts, best
from discreet.budget.cost import BudgetExceeded, Cost, Number
from discreet.budget.errors import AlreadyCharged, ParameterError, Phrase
from discreet.budget.ledger import Charge, Clock, Entry, Ledger, SessionLedger, SessionLedgers, charges
from discreet.budget.rules import BASIC, RENYI, RULES, ZCDP, Rule

__all__ = [
    "BASIC",
    "RENYI",
    "RULES",
    "ZCDP",
    "Account",
    "AlreadyCharged",
    "Approximate",
    "BoundedRange",
    "BudgetExceeded",
    "Charge",
    "Clock",
    "Cost",
    "Entry",
    "GaussianAccount",
    "LaplaceAccount",
    "Ledger",
    "Number",
    "ParameterError",
    "Phrase",
    "Pure",
    "Refined",
    "Rule",
    "SessionLedger",
    "SessionLedgers",
    "Together",
    "Total",
    "all_views",
    "basic_lasts",
    "best",
    "charges",
]

if __name__ != "discreet.budget":  # a second import name would create every class twice
    raise ImportError("Write discreet.budget: this folder is a part of the package discreet.")
