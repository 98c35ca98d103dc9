"""Clock: the public ticks of time in which answers come, and how to wait for one."""

from __future__ import annotations

import time

from discreet.rows.dataset import Dataset

# Pace: the public ticks of time in which answers come, and how to wait for one.

# seconds, twice what a million rows of text take of a processor; bringing those of a person together takes longer
TICK = 0.4
TICK_OF_PERSONS = 1.2
FURTHER = 8  # every further row of a plan adds this part of a tick: the rows are open and warm by then


def tick_of(dataset: Dataset) -> float:
    """Return the public tick of answers: none where everybody may see the rows."""
    if not dataset.protected:
        return 0.0
    return TICK if dataset.schema.person is None else TICK_OF_PERSONS


def paced(tick: float, rows: int) -> float:
    """Return the public tick of so many rows that are answered together."""
    return tick * (1 + (rows - 1) / FURTHER)


def rest(seconds: float) -> None:
    """Sleep in two steps: a busy system wakes a thread later that worked longer, but only once."""
    end = time.monotonic() + seconds
    time.sleep(seconds / 2)
    time.sleep(max(0.0, end - time.monotonic()))
