"""The one road to a release: charge, read, draw, record. Nothing else releases anything."""

from __future__ import annotations

import time
from collections.abc import Callable
from hashlib import sha256
from threading import Lock

from discreet.budget import AlreadyCharged, Entry, Ledger
from discreet.budget.errors import ParameterError
from discreet.curator.noise import ReleaseNoise
from discreet.curator.records import keep, recall
from discreet.curator.released import Release
from discreet.curator.request import Request
from discreet.curator.road import Outcome, law, settled, shown, views
from discreet.curator.terms import Terms, fitting
from discreet.mechanisms.noise_source import NoiseSource
from discreet.rows.dataset import Dataset
from discreet.rows.lots import DrawnLots

TICK, TICK_OF_PERSONS = 0.1, 0.4  # seconds that a million rows fit in; bringing those of a person together takes longer


def _tick(dataset: Dataset) -> float:
    """Return the public tick of answers: none where everybody may see the rows."""
    if not dataset.protected:
        return 0.0
    return TICK if dataset.schema.person is None else TICK_OF_PERSONS


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
        if dataset.protected and not isinstance(self._noise, ReleaseNoise):
            raise ParameterError("Protected data need the release source of noise.")
        self._tick = _tick(dataset) if tick is None else tick
        self._clock, self._sleep = clock, sleep
        self._given: dict[str, None] = {}  # what was asked here and answered, oldest first
        self._locks: dict[str, Lock] = {}
        self._guard = Lock()

    @property
    def releases(self) -> tuple[Release, ...]:
        """Everything released here so far, oldest first; what is being released now as well.

        A page that is drawn anew in the middle of a release would show its charge and no answer.
        """
        for lock in tuple(self._locks.values()):
            with lock:
                pass
        answers = (recall(self.ledger, name) for name in tuple(self._given))
        return tuple(release for release in answers if release is not None)

    def stored(self, request: Request, nonce: str = "") -> Release | None:
        """Return the answer of this question and nonce, if it was released already."""
        return recall(self.ledger, name_of(request, nonce))

    @property
    def share(self) -> None:
        """Whoever asks here may spend all that is left."""

    def terms(self, request: Request) -> Terms:
        """Say whether a question fits, or refuse one that cannot be asked at all."""
        self._check(request)
        return fitting(request.cost(), self.ledger.left)

    def ask(self, request: Request, nonce: str = "", purpose: str = "") -> Release:
        """Release one answer, or return the stored one of the same question and nonce.

        Nobody decides here, so nobody reads the purpose.
        """
        name = name_of(request, nonce)
        with self._guard:
            lock = self._locks.setdefault(name, Lock())
        with lock:
            release = recall(self.ledger, name) or self._release(name, request)
            self._given.setdefault(name)
            return release

    def refuse(self, request: Request, nonce: str = "") -> Release:
        """Charge a question in full and answer nothing: computing it ended a process."""
        name, failed = name_of(request, nonce), Outcome(None, failed=True)
        entry = _charge(self.ledger, name, request)
        release = shown(name, request, self._dataset.schema, failed, entry.seq)
        return keep(self.ledger, release, settled(request, failed))

    def _check(self, request: Request) -> None:
        """Refuse what does not fit the declaration, before anything is charged."""
        request.check(self._dataset.schema)
        if request.mechanism.open_only:
            raise ParameterError("This is a textbook exhibit: it is shown on open data and never releases anything.")

    def _release(self, name: str, request: Request) -> Release:
        self._check(request)
        start, ledger = self._clock(), self.ledger
        entry = _charge(ledger, name, request)
        outcome = self._drawn(request)
        self._pad(start)  # what is stamped and written from here on follows the answer alone
        release = shown(name, request, self._dataset.schema, outcome, entry.seq)
        return keep(ledger, release, settled(request, outcome))

    def _drawn(self, request: Request) -> Outcome:
        """Read and draw. Whatever goes wrong is a refusal, and says nothing (not even in a log)."""
        try:
            seen = views(self._dataset, request, DrawnLots(self._noise))
            return Outcome(law(request, seen).draw(self._noise))
        except Exception:
            return Outcome(None, failed=True)

    def _pad(self, start: float) -> None:
        """Wait for one, two, four, eight ... ticks: long work shows its order of size at most."""
        taken, end = self._clock() - start, self._tick
        while 0 < end < taken:
            end *= 2
        if end > 0:
            self._sleep(end - taken)


def _charge(ledger: Ledger, name: str, request: Request) -> Entry:
    """Charge, or find the charge of a request whose answer was lost before anybody saw it."""
    now, full = request.refusal_cost(), request.cost()
    try:
        return ledger.charge(name, now, full - now, request.account())
    except AlreadyCharged:
        return ledger.entry(name)


def name_of(request: Request, nonce: str) -> str:
    """Return the id under which a question and its nonce are charged and kept."""
    return sha256(f"{request.identity}:{nonce}".encode()).hexdigest()
