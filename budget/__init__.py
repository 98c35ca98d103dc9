"""Floor 1: what privacy costs and who keeps count, without knowing what is being paid for.

A `Cost` is (epsilon, delta) in exact integers. A `Ledger` says yes or no to a charge before any row
is read, by the `Rule` it was opened with, and nothing comes back but a held part that was settled
as not taken. `SessionLedgers` keeps one ledger per dataset in the server process. An `Account` says
what a charge is under other accountings, and `all_views` shows the same history under each of them.
"""

from discreet.budget.account import Account, Together
from discreet.budget.cost import BudgetExceeded, Cost, Number
from discreet.budget.entry import Charge, Entry, charges
from discreet.budget.errors import AlreadyCharged, ParameterError
from discreet.budget.guarantees import Approximate, BoundedRange, GaussianAccount, LaplaceAccount, Pure
from discreet.budget.ledger import Clock, Ledger, SessionLedger
from discreet.budget.ledgers import SessionLedgers
from discreet.budget.phrase import Phrase
from discreet.budget.refined import Refined
from discreet.budget.rules import BASIC, RENYI, RULES, ZCDP, Rule
from discreet.budget.views import Total, all_views, basic_lasts, best

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

if __name__ != "discreet.budget":  # under a second name every class would be there twice
    raise ImportError("Write discreet.budget: this folder is a part of the package discreet.")
