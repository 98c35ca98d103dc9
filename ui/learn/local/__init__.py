"""Lesson 6: local sensitivity, why noise must not follow it, and three ways that are safe."""

from __future__ import annotations

from discreet.ui.learn.local.jumping import JUMPING
from discreet.ui.learn.local.leaking import LEAKING
from discreet.ui.learn.local.local_exercises import EXERCISES
from discreet.ui.learn.local.nearby import NEARBY
from discreet.ui.learn.local.rivals import RIVALS
from discreet.ui.learn.local.tent import TENT
from discreet.ui.learn.local.walked_test import WALKED

STEPS = (NEARBY, LEAKING, JUMPING, WALKED, TENT, RIVALS)
__all__ = ["EXERCISES", "STEPS"]
