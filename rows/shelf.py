"""Shelf: what was read without any secret choice stays at hand, for all datasets of a process together.

How much a view takes follows the rows, and anybody may ask for as many of them as they like. So all
have one room, and what was used least lately goes first.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict, deque
from collections.abc import Callable
from itertools import count
from threading import Lock
from typing import Any, TypeVar

import numpy as np

from discreet.rows.capacity import MIB, share

ROOM, MOST = share(16, 512 * MIB), 1024
SMALL, LISTED = 64, 1000
T = TypeVar("T")


def weight(thing: Any) -> int:
    """Return about how many bytes a view takes, with all that was noted on it since."""
    if isinstance(thing, np.ndarray):
        return SMALL + int(thing.nbytes)
    if isinstance(thing, (list, tuple)) and len(thing) > LISTED:
        return SMALL * len(thing)
    if isinstance(thing, (list, tuple)):
        return SMALL + sum(map(weight, thing))
    inner = thing if isinstance(thing, dict) else getattr(thing, "__dict__", {})
    return SMALL + sum(map(weight, list(inner.values())))  # at once: another question may note something meanwhile


class Shelf:
    """Things of several owners, as many as there is room for."""

    def __init__(self, room: int = ROOM) -> None:
        """Begin with nothing."""
        self._room, self._lock, self._numbers = room, Lock(), count()
        self._things: OrderedDict[tuple[int, Any], Any] = OrderedDict()
        self._gone: deque[int] = deque()

    def number(self, owner: object) -> int:
        """Return a number that nobody else has; what stands under it goes when its owner has gone."""
        number = next(self._numbers)
        weakref.finalize(owner, self._leave, number)
        return number

    def take(self, number: int, key: Any, make: Callable[[], T]) -> T:
        """Return what stands there, or make it and put it there."""
        place = number, key
        with self._lock:
            if place in self._things:
                self._things.move_to_end(place)
                thing: T = self._things[place]
                return thing
        thing = make()
        with self._lock:
            self._things[place] = thing
            self._tidy()
        return thing

    @property
    def weight(self) -> int:
        """How many bytes everything takes."""
        with self._lock:
            return sum(map(weight, self._things.values()))

    def _leave(self, number: int) -> None:
        """Let go of what an owner had; this comes at any moment, also while somebody is at the shelf."""
        self._gone.append(number)
        if self._lock.acquire(blocking=False):
            try:
                self._clear()
            finally:
                self._lock.release()

    def _clear(self) -> None:
        gone = {self._gone.popleft() for _ in range(len(self._gone))}
        for place in [place for place in self._things if place[0] in gone]:
            del self._things[place]

    def _tidy(self) -> None:
        """Let go of what nobody owns any more, and of the oldest things until the others fit in."""
        self._clear()
        weights = [weight(thing) for thing in self._things.values()]
        left, many = sum(weights), len(weights)
        for place, heavy in zip(list(self._things), weights, strict=True):
            if left <= self._room and many <= MOST:
                return
            del self._things[place]
            left, many = left - heavy, many - 1


SHELF = Shelf()
