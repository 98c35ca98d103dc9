"""Rate limit: how often one caller may do something, so that the server has time for others, and who waits."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from threading import Lock

MOST_NAMES = 5000


class RateLimit:
    """At most a number of acts in a number of seconds, counted for each name separately."""

    def __init__(self, acts: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Take how many acts fit into how long a time."""
        self.acts = acts
        self.seconds = seconds
        self._clock = clock
        self._past: dict[str, deque[float]] = {}
        self._lock = Lock()

    def take(self, name: str = "") -> bool:
        """Return whether one more act is allowed now, and count it if it is."""
        with self._lock:
            now = self._clock()
            past = self._past.setdefault(name, deque())
            while past and past[0] <= now - self.seconds:
                past.popleft()
            allowed = len(past) < self.acts
            if allowed:
                past.append(now)
            if len(self._past) > MOST_NAMES:
                self._forget(now)
            return allowed

    def _forget(self, now: float) -> None:
        """Forget names that did nothing for long; of too many busy ones those that came first."""
        for name in [name for name, past in self._past.items() if not past or past[-1] <= now - self.seconds]:
            del self._past[name]
        for name in list(self._past)[: max(0, len(self._past) - MOST_NAMES)]:
            del self._past[name]

    def full(self, name: str = "") -> bool:
        """Return whether no more act is allowed now; count none."""
        with self._lock:
            past = self._past.get(name, ())
            since = self._clock() - self.seconds
            return sum(at > since for at in past) >= self.acts


class Pace:
    """Acts of one name one after the other, with a time between two: a queue of those who wait for theirs."""

    def __init__(self, between: float, longest: float, clock: Callable[[], float]) -> None:
        """Take the time between two, and the longest wait."""
        self._between = between
        self._longest = longest
        self._clock = clock
        self._next: dict[str, float] = {}

    def wait(self, name: str = "") -> float | None:
        """Return in how many seconds it is the turn of one more; None where that would be too long."""
        now = self._clock()
        self._next = {other: at for other, at in self._next.items() if at > now}
        at = self._next.get(name, now)
        if at - now > self._longest:
            return None
        self._next[name] = at + self._between
        return at - now
