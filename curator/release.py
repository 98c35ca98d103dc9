"""The one road to a release: charge, read, draw, record. Nothing else releases anything."""

from __future__ import annotations

import time
from collections.abc import Callable
from hashlib import sha256
from threading import Lock
from typing import Any

from budget import AlreadyCharged, Cost, Entry, Ledger
from budget.errors import ParameterError
from curator.dataset import Dataset
from curator.noise import ReleaseNoise
from curator.records import before, keep, recall
from curator.released import Release
from curator.request import Request
from mechanisms.laws import Answer
from mechanisms.source import NoiseSource

Interval = tuple[float, float] | None


def rest(seconds: float) -> None:
    """Sleep in two steps: a busy system wakes a thread later that worked longer, but only once."""
    end = time.monotonic() + seconds
    time.sleep(seconds / 2)
    time.sleep(max(0.0, end - time.monotonic()))


class Curator:
    """The only holder of rows, ledger and noise.

    `ask` is a release that survives the page: one id (the question and the form's nonce) gives one
    charge and one stored answer, however often and from wherever it is asked. Whatever happens
    after the charge, an error included, is an answer or a refusal that says nothing about rows.
    The time of an answer is one, two, four ... public ticks: no distance or noise shows in it.
    """

    def __init__(
        self,
        dataset: Dataset,
        ledger: Ledger,
        noise: NoiseSource | None = None,
        tick: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = rest,
    ) -> None:
        """Take the rows, the ledger and (for tests and open data only) another source of noise."""
        self._dataset = dataset
        self.ledger = ledger
        self._noise = ReleaseNoise() if noise is None else noise
        if dataset.protected and not getattr(self._noise, "secure", False):
            raise ParameterError("Protected data need the release source of noise.")
        self._tick = (0.1 if dataset.protected else 0.0) if tick is None else tick
        self._clock, self._sleep = clock, sleep
        self._records: dict[str, Release] = {}
        self._locks: dict[str, Lock] = {}
        self._guard = Lock()

    @property
    def releases(self) -> tuple[Release, ...]:
        """Everything released so far, oldest first."""
        return tuple(self._records.values())

    def stored(self, request: Request, nonce: str = "") -> Release | None:
        """Return the answer of this question and nonce, if it was released already."""
        name = name_of(request, nonce)
        return self._records.get(name) or recall(self.ledger, name)

    def ask(self, request: Request, nonce: str = "") -> Release:
        """Release one answer, or return the stored one of the same question and nonce."""
        name = name_of(request, nonce)
        with self._guard:
            lock = self._locks.setdefault(name, Lock())
        with lock:
            if name not in self._records:
                kept = recall(self.ledger, name)
                self._records[name] = kept or self._release(name, request)
            return self._records[name]

    def refuse(self, request: Request, nonce: str = "") -> Release:
        """Charge a question in full and answer nothing: computing it ended a process."""
        name, full = name_of(request, nonce), request.cost()
        now = request.refusal_cost()
        entry = self._charge(name, request, now, full)
        return keep(self.ledger, Release(name, request, None, full, entry.seq, None), taken=True)

    def open_views(self, request: Request) -> list[tuple[str, Any]]:
        """Return what a law is made of, by group, for open data only: figures show its truth."""
        if self._dataset.protected:
            raise ParameterError("The truth of protected data is never shown.")
        request.check(self._dataset.schema)
        return self._groups(request) if request.by else [("", self._view(request))]

    def _release(self, name: str, request: Request) -> Release:
        request.check(self._dataset.schema)
        if request.mechanism.open_only:
            raise ParameterError(
                "This is a textbook exhibit: it is shown on open data and never releases anything."
            )
        start = self._clock()
        now, full = request.refusal_cost(), request.cost()
        entry = self._charge(name, request, now, full)
        answer, proper = self._drawn(request)
        self._pad(start)  # what is stamped and written from here on follows the answer alone
        taken = not proper or _any_answer(request, answer)
        cost, interval = full if taken else now, self._interval(request, answer)
        release = Release(name, request, answer, cost, entry.seq, interval)
        return keep(self.ledger, release, taken)

    def _charge(self, name: str, request: Request, now: Cost, full: Cost) -> Entry:
        """Charge, or find the charge of a request whose answer was lost before anybody saw it."""
        try:
            return self.ledger.charge(name, now, full - now, request.account())
        except AlreadyCharged:
            entry = before(self.ledger, name)
            if entry is None:
                raise
            return entry

    def _drawn(self, request: Request) -> tuple[Answer, bool]:
        """Read and draw. Whatever goes wrong is a refusal, and says nothing (not even in a log)."""
        try:
            if request.by is None:
                law = request.mechanism.law(self._view(request))
                return law.draw(self._noise), True
            return tuple(
                (level, request.mechanism.law(column).draw(self._noise))
                for level, column in self._groups(request)
            ), True
        except Exception:
            return None, False

    def _view(self, request: Request) -> Any:
        mechanism, names, noise = request.mechanism, request.columns, self._noise
        if mechanism.view == "column":
            return self._dataset.column(names[0], request.where, noise, size=_size(request))
        if mechanism.view == "scores":
            bins = getattr(mechanism, "bins", None)
            if bins is not None:
                return bins.scores(self._dataset.column(names[0], request.where, noise))
            return self._dataset.scores(names[0], request.where, noise)
        return self._dataset.blocks(mechanism, names, request.where, noise)

    def _groups(self, request: Request) -> list[tuple[str, Any]]:
        assert request.by is not None
        grouped = self._dataset.grouped(request.columns[0], request.by, request.where, self._noise)
        return list(grouped.items())

    def _interval(self, request: Request, answer: Answer) -> Any:
        forecast = request.mechanism.forecast(request.public(self._dataset.schema))
        width = forecast.half_width if forecast.exact else None
        if request.by is not None and isinstance(answer, tuple):
            return tuple((level, _around(value, width)) for level, value in answer)
        return _around(answer, width)

    def _pad(self, start: float) -> None:
        """Wait for one, two, four, eight ... ticks: long work shows its order of size at most."""
        taken, end = self._clock() - start, self._tick
        while 0 < end < taken:
            end *= 2
        if end > 0:
            self._sleep(end - taken)


def name_of(request: Request, nonce: str) -> str:
    """Return the id under which a question and its nonce are charged and kept."""
    return sha256(f"{request.identity}:{nonce}".encode()).hexdigest()


def _any_answer(request: Request, answer: Answer) -> bool:
    if request.by is not None and isinstance(answer, tuple):
        return any(value is not None for _, value in answer)
    return answer is not None


def _around(answer: Answer, width: float | None) -> Interval:
    if width is None or not isinstance(answer, (int, float)):
        return None
    return answer - width, answer + width


def _size(request: Request) -> int | None:
    query = getattr(request.mechanism, "query", None)
    resize: int | None = getattr(query, "resize", None)
    return resize or request.mechanism.neighbours.size
