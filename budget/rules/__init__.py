"""Rules: one file a rule of accounting. One is chosen when a ledger is opened, for good.

Every module of this folder is imported here, so a new rule is one new file.
"""

from importlib import import_module
from pkgutil import iter_modules

from discreet.budget.rules.basic import BASIC
from discreet.budget.rules.renyi import RENYI
from discreet.budget.rules.rule import RULES, Amount, Rule, rule_of
from discreet.budget.rules.zcdp import ZCDP

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["BASIC", "RENYI", "ZCDP", "Amount", "Rule", "RULES", "rule_of"]
