"""Preparing: rows are opened before anybody waits for them, and a try that died is not repeated.

How long opening takes says how large a table is. So a server opens ahead, and whoever asks too
early hears so; that it is ready is said after one, two, four ... public ticks.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from discreet.budget.durable.files import PRIVATE_FILE, PRIVATE_FOLDER
from discreet.budget.errors import ParameterError

if TYPE_CHECKING:
    from discreet.office.answerers import Answerers

TICK = 1.0


class Preparing:
    """Rows that are being opened."""

    def __init__(self, make: Callable[[], Answerers]) -> None:
        """Begin."""
        self._make, self._begun = make, time.monotonic()
        self._made: Answerers | None = None
        self._wrong: Exception | None = None
        self._ready = float("inf")
        self.thread = Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self._made = self._make()
        except Exception as wrong:
            self._wrong = wrong
        end = self._begun + TICK
        while end < time.monotonic():
            end += end - self._begun
        self._ready = end

    @property
    def over(self) -> bool:
        """Say whether it may be told that this is over."""
        return time.monotonic() >= self._ready

    def result(self) -> Answerers:
        """Return who answers, or say why nobody can."""
        if self._made is None:
            raise self._wrong or early()
        return self._made


def early() -> ParameterError:
    """Say that rows are not open yet; nothing was charged."""
    return ParameterError("These data are being prepared. Try again in a moment.")


@contextmanager
def trying(folder: Path, name: str) -> Iterator[int | None]:
    """Mark what is begun until it is over, however it ends but with its process.

    Yields how many tries ended with theirs; None while another process is at it.
    """
    folder.mkdir(exist_ok=True, mode=PRIVATE_FOLDER)
    path = folder / name
    with open(path, "ab", opener=_private) as mark:
        try:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
            return
        if not path.exists() or not os.path.samestat(os.fstat(mark.fileno()), path.stat()):
            yield None  # it was over just now: the mark that is locked is no longer the one there
            return
        died = os.fstat(mark.fileno()).st_size
        mark.write(b"x")
        mark.flush()
        os.fsync(mark.fileno())
        try:
            yield died
        finally:
            path.unlink(missing_ok=True)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE_FILE)
