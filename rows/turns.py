"""Turns: whose file is read next, and who brought it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from threading import BoundedSemaphore, Lock
from time import monotonic

from discreet.budget.errors import ParameterError

AT_ONCE = 2  # of tables that people bring; as many of those that are registered, and of small files
MOST_WAITING = 10_000
PATIENCE = 60.0  # seconds that a file waits for its turn
LOOK_EVERY = 0.2
Report = Callable[[float], object]

_guard = Lock()
_turns, _own_turns, _small_turns = (BoundedSemaphore(AT_ONCE) for _ in range(3))
_waiting: dict[str, BoundedSemaphore] = {}  # one turn for each browser
_whose: ContextVar[tuple[str, float]] = ContextVar("whose", default=("", math.inf))


@contextmanager
def brought_by(browser: str, most: float = math.inf) -> Iterator[None]:
    """Say who brought the files that are read now, and how many bytes their rows may take.

    A browser's files are read one after the other.
    """
    mark = _whose.set((browser, most))
    try:
        yield
    finally:
        _whose.reset(mark)


@contextmanager
def turn(report: Report) -> Iterator[float]:
    """Wait for the turn of whoever brought a file; say how many bytes its rows may take."""
    browser, most = _whose.get()
    turns = [_own(browser), _turns] if browser else [_own_turns]
    with ExitStack() as waited:
        for semaphore in turns:
            waited.enter_context(_turn(semaphore, report))
        yield most


@contextmanager
def small_turn(report: Report) -> Iterator[None]:
    """Wait for the turn of a small file: behind the other files of its browser, and not behind tables of others."""
    browser, _ = _whose.get()
    with ExitStack() as waited:
        for semaphore in ([_own(browser)] if browser else []) + [_small_turns]:
            waited.enter_context(_turn(semaphore, report))
        yield


def _own(browser: str) -> BoundedSemaphore:
    """Return the turn of one browser."""
    with _guard:
        if len(_waiting) > MOST_WAITING:
            _waiting.clear()
        return _waiting.setdefault(browser, BoundedSemaphore(1))


@contextmanager
def _turn(turns: BoundedSemaphore, report: Report) -> Iterator[None]:
    """Wait for a turn, and say so, so that the wait can be ended; have it."""
    end = monotonic() + PATIENCE
    while not turns.acquire(timeout=LOOK_EVERY):
        report(0.0)
        if monotonic() > end:
            raise ParameterError("The server is reading other files. Try again in a minute.")
    try:
        yield
    finally:
        turns.release()
