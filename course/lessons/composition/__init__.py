"""Lesson 5: what many results cost together, by simple addition and by tighter accounting."""

from __future__ import annotations

from discreet.course.lessons.composition.adding import ADDING
from discreet.course.lessons.composition.apart import APART
from discreet.course.lessons.composition.exercises import EXERCISES
from discreet.course.lessons.composition.growth import ACCOUNTING
from discreet.course.lessons.composition.orders import ORDERS
from discreet.course.lessons.composition.tossing import TOSSING
from discreet.course.lessons.composition.vectors import VECTORS

STEPS = (ADDING, ACCOUNTING, VECTORS, APART, TOSSING, ORDERS)
__all__ = ["EXERCISES", "STEPS"]
