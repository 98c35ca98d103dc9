"""Effort: about how long a plan takes to be planned, from public things, so that none holds a server up."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import TypeVar

from discreet.budget.errors import ParameterError
from discreet.lab.plans.subject import Subject
from discreet.mechanisms import registry

MOST_SECONDS = 120.0  # of one processor, by the numbers below, which `benchmarks plans` measures
LEVEL, OTHER_TICK = 0.011, 2.5e-7  # for each level of several; for each of them and of the ticks that people have
SURE, UNSURE, OTHER_PERSON = 0.15, 2.0, 5e-6  # one number by a sure method; by tuned ones, and for each person
QUICK, LANES, PATIENCE = 3.0, 2, 60.0  # seconds that nobody waits for; long plans at once; how long another one waits
_lanes = BoundedSemaphore(LANES)
Row = tuple[Subject, str | None]
T = TypeVar("T")


def seconds(subject: Subject) -> float:
    """Return about how long the curve of a row takes."""
    ticks = min(subject.people, subject.bounds.top + 1) if subject.bounds else 0
    if isinstance(subject.level, tuple):
        return len(subject.level) * (LEVEL + OTHER_TICK * ticks)
    sure = any(kind.family.sure and kind.compared and kind.can_answer(subject.statistic) for kind in registry.values())
    return SURE if sure and not subject.interval else UNSURE + OTHER_PERSON * subject.people


def too_long() -> ParameterError:
    """Return the refusal."""
    return ParameterError(
        "Planning these rows would take longer than {most:.0f} seconds. Give fewer rows that differ, or fewer levels.",
        most=MOST_SECONDS,
    )


@contextmanager
def lane(rows: Iterable[Row]) -> Iterator[None]:
    """Refuse a plan that would take too long, before anything is looked at; what is equal is looked at once.

    A few long plans are planned at once, and others wait: together they would take the time of everybody.
    """
    effort = sum(seconds(subject) for subject, _ in set(rows))
    if effort > MOST_SECONDS:
        raise too_long()
    if effort <= QUICK:
        yield
        return
    if not _lanes.acquire(timeout=PATIENCE):
        raise ParameterError("The server is planning other long plans. Try again in a minute.")
    try:
        yield
    finally:
        _lanes.release()


def in_time(rows: Iterable[T]) -> Iterator[T]:
    """Go through rows as long as there is processor time left: the guess may have been too small."""
    start = time.thread_time()
    for row in rows:
        if time.thread_time() - start > MOST_SECONDS:
            raise too_long()
        yield row
