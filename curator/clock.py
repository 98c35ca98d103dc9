"""Clock: the public ticks of time at which answers are returned, and how to wait for one."""

from __future__ import annotations

import time

from discreet.rows.dataset import Dataset

# seconds; twice the processor time of a million rows of text. Joining the rows of each person takes longer.
TICK = 0.4
TICK_OF_PERSONS = 1.2
FURTHER = 8  # each further row of a plan adds this fraction of a tick: the rows are open and cached by then


def tick_of(dataset: Dataset) -> float:
    """Return the public tick of answers from a dataset; 0 where the rows are open data."""
    if not dataset.protected:
        return 0.0
    return TICK if dataset.schema.person is None else TICK_OF_PERSONS


def paced(tick: float, rows: int) -> float:
    """Return the public tick of this many rows that are answered together."""
    return tick * (1 + (rows - 1) / FURTHER)


def rest(seconds: float) -> None:
    """Sleep in two steps: a busy system wakes a thread late if it has worked long, but only once."""
    end = time.monotonic() + seconds
    time.sleep(seconds / 2)
    time.sleep(max(0.0, end - time.monotonic()))
