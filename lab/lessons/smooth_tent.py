"""Smooth tent: the ladder of two groups of people under weights that fall off."""

from __future__ import annotations

from functools import lru_cache

from discreet.lab import explain
from discreet.lab.explain import Smoothed
from discreet.lab.lessons.local import two_groups
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries.median import Median

BEYOND = 4  # rungs that are drawn after the last person


def mechanism(m: int) -> SmoothCoreTail:
    """Return the mechanism of the library whose beta is 1/m."""
    return SmoothCoreTail(query=Median(), epsilon=1.0, m=m)


@lru_cache(maxsize=64)
def tent(young: int, old: int, m: int) -> Smoothed:
    """Return the ladder of the median, weighted; a rung beyond the last person is no higher."""
    return explain.smoothed(Median(), two_groups(young, old), mechanism(m).beta, young + old + BEYOND)
