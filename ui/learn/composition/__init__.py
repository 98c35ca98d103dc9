"""Lesson 5: what many answers cost, by adding up and by better accounts."""

from __future__ import annotations

from discreet.ui.learn.composition.adding import ADDING
from discreet.ui.learn.composition.apart import APART
from discreet.ui.learn.composition.cost_exercises import EXERCISES
from discreet.ui.learn.composition.growth import ACCOUNTING
from discreet.ui.learn.composition.orders import ORDERS
from discreet.ui.learn.composition.tossing import TOSSING
from discreet.ui.learn.composition.vectors import VECTORS

STEPS = (ADDING, APART, TOSSING, ACCOUNTING, ORDERS, VECTORS)
__all__ = ["EXERCISES", "STEPS"]
