"""Lesson 6: local sensitivity, why noise must not be scaled to it, and three safe alternatives."""

from __future__ import annotations

from discreet.course.lessons.local.dealing import DEALING
from discreet.course.lessons.local.exercises import EXERCISES
from discreet.course.lessons.local.jumping import JUMPING
from discreet.course.lessons.local.leaking import LEAKING
from discreet.course.lessons.local.nearby import NEARBY
from discreet.course.lessons.local.rivals import RIVALS
from discreet.course.lessons.local.tent import TENT
from discreet.course.lessons.local.walked_test import WALKED

STEPS = (NEARBY, LEAKING, JUMPING, WALKED, TENT, DEALING, RIVALS)
__all__ = ["EXERCISES", "STEPS"]
