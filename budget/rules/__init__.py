"""Rules: one file for each rule of accounting. A ledger's rule is chosen when it is opened, permanently.

Every file of this folder is imported here, so a new rule is one new file.
"""

from discreet.budget.plugins import import_files
from discreet.budget.rules.basic import BASIC
from discreet.budget.rules.renyi import RENYI
from discreet.budget.rules.rule import RULES, Amount, Rule, rule_of
from discreet.budget.rules.zcdp import ZCDP

import_files(__name__, __path__)

__all__ = ["BASIC", "RENYI", "ZCDP", "Amount", "Rule", "RULES", "rule_of"]
