"""Rate limit: how often somebody may do something, so that nobody takes the time of all others."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from threading import Lock

MOST_NAMES = 5000


class RateLimit:
    """So many acts in so many seconds, for each name by itself."""

    def __init__(self, acts: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Take how many acts fit into how long a time."""
        self.acts, self.seconds, self._clock = acts, seconds, clock
        self._past: dict[str, deque[float]] = {}
        self._lock = Lock()

    def take(self, name: str = "") -> bool:
        """Say whether one more act is allowed now, and count it if it is."""
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
