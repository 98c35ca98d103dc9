"""Lesson 8: a watched stream at a constant price, and asking people who trust nobody."""

from __future__ import annotations

from discreet.ui.learn.streams.patience import PATIENCE
from discreet.ui.learn.streams.placing import PLACING
from discreet.ui.learn.streams.stream_exercises import EXERCISES
from discreet.ui.learn.streams.survey import SURVEY
from discreet.ui.learn.streams.trust import TRUST
from discreet.ui.learn.streams.watching import WATCHING

STEPS = (WATCHING, PATIENCE, SURVEY, TRUST, PLACING)
__all__ = ["EXERCISES", "STEPS"]
