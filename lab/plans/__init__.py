"""Plans: many questions, one budget; methods and shares are chosen on public ground alone."""

from discreet.lab.plans.plan_file import plan_from, plan_text
from discreet.lab.plans.planned import Planned, PlannedRow, planned
from discreet.lab.plans.wanted import Plan, Wanted

__all__ = ["Wanted", "Plan", "Planned", "PlannedRow", "plan_from", "plan_text", "planned"]
