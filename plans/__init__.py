"""Plans: many queries, one budget; methods and shares are chosen from public information alone."""

from discreet.plans.plan import Plan, Sizes, Wanted, plan_from, plan_text
from discreet.plans.planning import Planned, PlannedRow, planned

__all__ = ["Wanted", "Plan", "Sizes", "Planned", "PlannedRow", "plan_from", "plan_text", "planned"]

if __name__ != "discreet.plans":  # a second import name would create every class twice
    raise ImportError("Write discreet.plans: this folder is a part of the package discreet.")
