"""The one road to a release: charge, read, draw, record. Nothing else releases anything."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from threading import Lock
from typing import Any

from discreet.budget import AlreadyCharged, Entry, Ledger, plugins
from discreet.budget.errors import ParameterError, Phrase
from discreet.budget.ledger import Terms, fitting
from discreet.curator.clock import paced, rest, tick_of
from discreet.curator.plan import Answers, FixedPlan
from discreet.curator.records import behind, keep, recall, recalled
from discreet.curator.request import Finer, Request, draw_of, draws, kinds
from discreet.curator.result import Release
from discreet.curator.road import Outcome, drawn, drawn_together, settled, shown, views
from discreet.mechanisms.base.refining import Behind
from discreet.noise.protocol import NoiseSource
from discreet.noise.source import ReleaseNoise
from discreet.rows.dataset import Dataset
from discreet.rows.persons import DrawnLots, Seeded

Question = Request | FixedPlan  # what somebody asks anew
Asked = Question | Finer
SEED_BITS = 256
REFINED = Phrase("This result was already improved. Improve the newer one.")


class Curator:
    """The only holder of rows, ledger and noise.

    `ask` makes a release that survives the page: one id (the query and the form's nonce) gives one charge and one
    stored answer, however often and from wherever it is asked. Whatever happens after the charge, an error included, is
    an answer or a refusal that reveals nothing about rows. The time of an answer is one, two, four ... public ticks,
    with longer ticks for a plan of many rows. Work that fits into the first tick reveals nothing; longer work, for
    example on many more rows, reveals its order of magnitude.
    """

    def __init__(
        self,
        dataset: Dataset,
        ledger: Ledger,
        noise: NoiseSource | None = None,
        tick: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = rest,
        refines: bool = True,
        asked: dict[str, None] | None = None,
    ) -> None:
        """Take the rows, the ledger and (for tests and open data only) another source of noise.

        If `refines`, the noisy numbers of answers that may be refined are stored with them, and a hash of the rows.
        `asked` holds the ids of the queries that were asked here, oldest first.
        """
        self._dataset = dataset
        self.ledger = ledger
        self._noise = ReleaseNoise() if noise is None else noise
        if dataset.protected and not isinstance(self._noise, ReleaseNoise):
            raise ParameterError("A protected dataset needs the secure noise source.")
        self._tick = tick_of(dataset) if tick is None else tick
        self._clock = clock
        self._sleep = sleep
        self._refines = refines
        self.asked = {} if asked is None else asked
        self._locks: dict[str, Lock] = {}
        self._guard = Lock()

    @property
    def releases(self) -> tuple[Release, ...]:
        """Everything released here so far, oldest first, including what is being released now.

        This waits for releases in progress: a page that is drawn during one would show its charge and no answer.
        """
        for lock in tuple(self._locks.values()):
            with lock:
                pass
        return recalled(self.ledger, tuple(self.asked))

    def stored(self, request: Request, nonce: str = "") -> Release | None:
        """Return the stored answer of this query and nonce, or None."""
        release: Release | None = recall(self.ledger, name_of(request, nonce))
        return release

    @property
    def share(self) -> None:
        """None: no per-user share. A caller may spend all that is left."""

    def terms(self, request: Asked) -> Terms:
        """Return whether the budget covers a query; raise ParameterError if it cannot be asked at all."""
        self._check(request)
        return fitting(request.cost(), self.ledger.left, self.ledger.after(request.cost(), request.account()))

    def ask(self, request: Request | Finer, nonce: str = "", purpose: str = "") -> Release:
        """Release one answer, or return the stored one of this query and nonce.

        `purpose` is ignored: no officer decides about a query here.
        """
        release: Release = self._once(name_of(request, nonce), request)
        return release

    def run(self, plan: FixedPlan, nonce: str = "", purpose: str = "") -> Answers:
        """Answer all rows of a plan under one charge and in one record, or return the stored answers."""
        answers: Answers = self._once(name_of(plan, nonce), plan)
        return answers

    def check_finer(self, question: Finer) -> None:
        """Raise ParameterError if the earlier answer is of other rows or was charged to another budget."""
        self._behind(question)

    def _once(self, name: str, question: Asked) -> Any:
        with self._guard:
            lock = self._locks.setdefault(name, Lock())
        with lock:
            self.asked.setdefault(name)  # before it is answered, so every stored answer is listed
            return recall(self.ledger, name) or self._release(name, question)

    def refuse(self, question: Question, nonce: str = "") -> Any:
        """Charge a query in full and answer nothing, because computing it crashed a process."""
        name = name_of(question, nonce)
        failed = [Outcome(None, failed=True)] * len(question.rows)
        entry = _charge(self.ledger, name, question)
        return keep(self.ledger, _gathered(name, question, self._dataset, failed, entry.seq), taken=True)

    def _check(self, question: Asked) -> Behind | None:
        """Return what a finer answer is drawn from; raise ParameterError, before any charge, for a query that fails."""
        question.check(self._dataset.schema)
        earlier = self._behind(question) if isinstance(question, Finer) else None
        if any(row.mechanism.open_only for row in question.rows):
            raise ParameterError(
                "This is a textbook version (not private). It runs on public datasets only and never releases anything."
            )
        if self._dataset.protected:
            plugins.check_evidence(kinds(question))
        return earlier

    def _release(self, name: str, question: Asked) -> Any:
        earlier = self._check(question)
        ground = self._ground(question)
        start = self._clock()
        ledger = self.ledger
        entry = _charge(ledger, name, question)
        first = None if ground is None else Behind.of(name, (), self._noise.bits(SEED_BITS), ground)
        origin = earlier or first
        outcomes = self._outcomes(question.rows, origin)
        self._pad(start, len(outcomes))  # time stamps and writes from here on depend on the answers alone
        taken = any(settled(row, outcome) for row, outcome in zip(question.rows, outcomes, strict=True))
        numbers = outcomes[0].numbers
        released = _gathered(name, question, self._dataset, outcomes, entry.seq)
        more = Behind.of(name, numbers, origin.seed, ground) if ground and origin and numbers else None
        return keep(ledger, released, taken, more)

    def _ground(self, question: Asked) -> str | None:
        """Return the hash of the rows behind an answer that may be refined later, or None."""
        alone = self._refines and not isinstance(question, FixedPlan) and question.rows[0].mechanism.refines
        return self._dataset.ground if alone else None

    def _behind(self, question: Finer) -> Behind:
        """Return the noisy numbers of the earlier answer, which must be of these rows and charged to this budget."""
        earlier = question.difference.earlier
        found = behind(self.ledger, earlier, self._dataset.ground)
        if found is None:
            raise ParameterError("This result cannot be improved: the data or the schema has changed since.")
        if not self.ledger.rule.takes(question.account()):
            raise ParameterError(
                "With this accounting method, only results with Gaussian noise can be improved. Run the query again."
            )
        self.ledger.entry(earlier)  # raises unless it was charged here: the budget may have been replaced
        return found

    def _outcomes(self, rows: Sequence[Request], origin: Behind | None) -> list[Outcome]:
        """Return the outcome of every row; those that share a draw are read and drawn once."""
        outcomes = [Outcome(None, failed=True)] * len(rows)
        for places in draws(rows):
            together = self._drawn([rows[place] for place in places], origin)
            for place, outcome in zip(places, together, strict=True):
                outcomes[place] = outcome
        return outcomes

    def _drawn(self, rows: Sequence[Request], origin: Behind | None) -> list[Outcome]:
        """Read and draw once. Every error becomes a refusal and is reported nowhere, not even in a log."""
        try:
            lots = DrawnLots(self._noise if origin is None else Seeded(origin.seed))
            draw = draw_of(rows, range(len(rows)))
            seen = views(self._dataset, draw, lots)
            if draw is not rows[0]:
                return drawn_together(draw, rows, self._dataset.schema, seen, self._noise)
            return [drawn(draw, seen, self._noise, origin)]
        except Exception:
            return [Outcome(None, failed=True)] * len(rows)

    def _pad(self, start: float, rows: int) -> None:
        """Wait until one, two, four, eight ... ticks have passed: long work reveals its order of magnitude at most.

        Further rows of a plan lengthen the tick: a plan that asks one query a thousand times would otherwise reveal a
        thousand times the time that a tick hides.
        """
        taken = self._clock() - start
        end = paced(self._tick, rows)
        while 0 < end < taken:
            end *= 2
        if end > 0:
            self._sleep(end - taken)


def _gathered(name: str, question: Asked, dataset: Dataset, outcomes: list[Outcome], entry: int) -> Release | Answers:
    """Return the release of one query, or of every row of a plan."""
    schema = dataset.schema
    read_by = dataset.read_by
    if isinstance(question, Finer):
        finer = shown(name, question.request, schema, outcomes[0], entry, read_by)
        return replace(finer, cost=question.cost(), refines=question.difference.earlier)
    if isinstance(question, Request):
        return shown(name, question, schema, outcomes[0], entry, read_by)
    drawn = enumerate(zip(question.rows, outcomes, strict=True), 1)
    rows = tuple(shown(f"{name}:{number}", row, schema, outcome, entry, read_by) for number, (row, outcome) in drawn)
    return Answers(name, question, rows, question.cost(), entry)


def _charge(ledger: Ledger, name: str, question: Asked) -> Entry:
    """Charge, or return the earlier charge of a request whose answer was lost before it was shown."""
    now = question.refusal_cost()
    full = question.cost()
    try:
        return ledger.charge(name, now, full - now, question.account())
    except AlreadyCharged:
        entry = ledger.entry(name)
        if isinstance(question, Finer) and entry.account != question.account():
            raise ParameterError(REFINED) from None
        return entry


def name_after(earlier: str) -> str:
    """Return the id of the refinement of an answer. There is only one, so of two racing calls one is charged."""
    return sha256(f"finer:{earlier}".encode()).hexdigest()


def name_of(question: Asked, nonce: str) -> str:
    """Return the id under which a query and its nonce are charged and stored."""
    if isinstance(question, Finer):
        return name_after(question.difference.earlier)
    return sha256(f"{question.identity}:{nonce}".encode()).hexdigest()
