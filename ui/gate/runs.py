"""Runs: the scheduler that decides which screen is drawn next.

Threads that all draw at the same time take longer than one after another, and keep the server from answering anyone. So
one draws and the others wait; the next one is of the address, and within it of the browser, that used least drawing
time recently.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Any

from discreet.ui.gate.addresses import network
from discreet.ui.session.cookies import BROWSER
from discreet.ui.session.streamlit_seams import Draw, StopException, client_of, draw_by

AT_ONCE = 1
LONG = 0.5  # seconds after which a run no longer counts: it waits for a file, or computes elsewhere
HALF = 10.0  # half-life of the drawing time used, in seconds
MOST_USERS = 10_000


class Used:
    """The drawing time that addresses or browsers used recently, in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """Start without any."""
        self._clock = clock
        self._seconds: dict[str, tuple[float, float]] = {}

    def of(self, who: str) -> float:
        """Return the seconds used, with exponential decay."""
        seconds, since = self._seconds.get(who, (0.0, 0.0))
        return float(seconds * 0.5 ** ((self._clock() - since) / HALF)) if seconds else 0.0

    def add(self, who: str, seconds: float) -> None:
        """Add seconds to the time used."""
        if len(self._seconds) > MOST_USERS:
            self._seconds.clear()
        self._seconds[who] = self.of(who) + seconds, self._clock()


@dataclass(eq=False)
class Turn:
    """A run that waits for its turn or has it."""

    address: str
    browser: str
    come: Event = field(default_factory=Event)
    since: float = 0.0


class Runs:
    """The turns of all sessions."""

    def __init__(self, at_once: int = AT_ONCE, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with no runs."""
        self._at_once = at_once
        self._clock = clock
        self._lock = Lock()
        self._drawing = set[Turn]()
        self._waiting = dict[Turn, None]()
        self._addresses = Used(clock)
        self._browsers = Used(clock)

    @contextmanager
    def turn(self, address: str, browser: str, here: Callable[[], bool] = lambda: True) -> Iterator[bool]:
        """Wait for a turn and hold it; yield whether the page is still open."""
        mine = Turn(address, browser)
        with self._lock:
            self._waiting[mine] = None
            self._let_in()
        while not mine.come.wait(LONG / 2):
            if not here():
                break
            with self._lock:  # a run may have become long in the meantime
                self._let_in()
        try:
            yield mine.come.is_set() and here()
        finally:
            with self._lock:
                self._waiting.pop(mine, None)
                if mine in self._drawing:
                    self._drawing.discard(mine)
                    took = min(self._clock() - mine.since, LONG)
                    self._addresses.add(address, took)
                    self._browsers.add(browser, took)
                self._let_in()

    def _let_in(self) -> None:
        """Give a turn to as many waiting runs as there is room for."""
        now = self._clock()
        room = self._at_once - sum(turn.since > now - LONG for turn in self._drawing)
        while room > 0 and self._waiting:
            turn = min(self._waiting, key=self._rank)
            del self._waiting[turn]
            turn.since = now
            self._drawing.add(turn)
            turn.come.set()
            room -= 1

    def _rank(self, turn: Turn) -> tuple[float, float]:
        return self._addresses.of(turn.address), self._browsers.of(turn.browser)


def stand() -> None:
    """Make every run of a script or fragment wait for its turn; for a closed page nothing is drawn."""
    runs = Runs()

    def in_turn(draw: Draw) -> Draw:
        def draw_in_turn(function: Callable[[], Any], context: Any) -> Any:
            session = context.session_id
            with runs.turn(*_whose(session), lambda: client_of(session) is not None) as here:
                return draw(function if here else _nothing, context)

        return draw_in_turn

    draw_by(in_turn)


def _nothing() -> None:
    raise StopException


def _whose(session: str) -> tuple[str, str]:
    """Return the address and the browser of a session."""
    client = client_of(session)
    if client is None:
        return "", ""
    context = client.client_context
    return network((context.remote_ip or "",)), str(context.cookies.get(BROWSER, session))
