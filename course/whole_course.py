"""Whole course: every step of every lesson by its key, for code that uses more than one lesson."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from discreet.course.contents import LESSONS, Lesson
from discreet.course.lessons import (
    composition,
    deidentification,
    differencing,
    election,
    laplace,
    local,
    mistakes,
    sensitivity,
    streams,
)
from discreet.course.steps import Step

PARTS = (deidentification, differencing, laplace, sensitivity, composition, local, election, streams, mistakes)


@dataclass(frozen=True)
class Place:
    """A step, with its lesson."""

    lesson: Lesson
    step: Step

    @property
    def key(self) -> str:
        """The prefix of its widgets' keys, under which its guess is stored."""
        return f"{self.lesson.key}-{self.step.name}"

    @property
    def address(self) -> Mapping[str, str]:
        """The query parameters that lead to it."""
        return {f"{self.lesson.key}-step": self.step.name}


@lru_cache(maxsize=1)
def places() -> Mapping[str, Place]:
    """Return all steps by their keys, in the order of the course."""
    all_ = [Place(lesson, step) for lesson, part in zip(LESSONS, PARTS, strict=True) for step in part.STEPS]
    return {place.key: place for place in all_}
