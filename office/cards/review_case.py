"""Review case: everything that was written down of one request, in one moment, for card and checklist."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from discreet.budget import RULES, Cost, ParameterError, Rule
from discreet.budget.durable import Verdict
from discreet.budget.durable.lines import Line, amount_of, cost_of, held_of, lines_of, of_all_waves, total_of, waves_in
from discreet.budget.durable.verify import examine
from discreet.budget.rules import Amount
from discreet.office.cards import proof
from discreet.office.cards.proof import Examination
from discreet.office.datasets import registry
from discreet.office.datasets.registry import Registered
from discreet.office.house import audit_log, replay
from discreet.office.house.audit_log import Entry
from discreet.office.house.house import House
from discreet.office.house.roles import Member
from discreet.office.house.tables import people
from discreet.office.requests.request import Inquiry, alike, asked_of, row_alone
from discreet.office.rules.registration import Registration
from discreet.office.rules.visit import Visit, looking

# Standing: where a request stands on its ledger, and what came of every charge there.

OWN = ("reserve", "expire", "charge", "settle")  # the lines that count for or against a request


@dataclass(frozen=True)
class Standing:
    """A request on its ledger: its lines, and the totals without it and with it."""

    rule: Rule
    limit: Cost
    lines: tuple[Line, ...]
    request: str

    @property
    def own(self) -> tuple[Line, ...]:
        """The request's own lines."""
        mine = [line for line in self.lines if line["request"] == self.request]
        return tuple(line for line in mine if line["kind"] in OWN)

    @property
    def charge(self) -> Line | None:
        """The line of its charge."""
        return next((line for line in self.own if line["kind"] == "charge"), None)

    @property
    def net(self) -> Amount:
        """What it counts for: nothing, if what was reserved came back."""
        return sum(map(amount_of, self.own), Amount())

    @property
    def total(self) -> Amount:
        """The total after its last charge or settlement; of now, as long as there is none."""
        done = [line for line in self.own if line["kind"] in ("charge", "settle")]
        return total_of(done[-1]) if done else self.used

    @property
    def before(self) -> Cost:
        """What was spent or reserved by all others at that moment."""
        return self._cost(self.total - self.net)

    @property
    def after(self) -> Cost:
        """What was spent or reserved with this request."""
        return self._cost(self.total)

    @property
    def answered(self) -> Cost:
        """What all that were answered by then came to, with this request; what only waits is not in it."""
        answered = self.requests("charge")
        return self._cost(sum((amount_of(line) for line in self.by_then if line["request"] in answered), Amount()))

    @property
    def by_then(self) -> tuple[Line, ...]:
        """The lines up to its last charge or settlement; all of them, as long as there is none."""
        done = [line for line in self.own if line["kind"] in ("charge", "settle")]
        return tuple(line for line in self.lines if not done or line["seq"] <= done[-1]["seq"])

    def requests(self, *kinds: str) -> set[str]:
        """Return the requests with lines of some kinds by then, and this one."""
        return {line["request"] for line in self.by_then if line["kind"] in kinds} | {self.request}

    @property
    def head(self) -> str:
        """The newest line as LINE:HASH."""
        return anchor(self.lines[-1]) if self.lines else ""

    @property
    def used(self) -> Amount:
        """What is used of the budget now, in the units of its rule."""
        return total_of(self.lines[-1] if self.lines else None)

    @property
    def room(self) -> Amount:
        """What is left of the budget now, in the units of its rule."""
        return self.rule.capacity(self.limit) - self.used

    def _cost(self, total: Amount) -> Cost:
        return self.rule.spent(total, self.limit)


def anchor(line: Line) -> str:
    """Write a line as LINE:HASH, as verification takes it."""
    return f"{line['seq']}:{line['hash']}"


def charged(lines: tuple[Line, ...]) -> dict[str, tuple[Line, Cost]]:
    """Return each request that was charged: the line of its charge, and what it came to."""
    free = {line["request"] for line in lines if line["kind"] == "settle" and not line["taken"]}
    charges = {}
    for line in lines:
        if line["kind"] == "charge":
            held = Cost.zero() if line["request"] in free else held_of(line)
            charges[line["request"]] = line, cost_of(line) + held
    return charges


# Snapshot: everything that was written down of one request, as one moment knew it.


@dataclass(frozen=True)
class Snapshot:
    """A request, its dataset with all other requests of it, its ledger, and what people are called.

    `stands` says whether the trail knows the request as it is here.
    """

    asked: Inquiry
    data: Registered
    requests: tuple[Inquiry, ...]
    place: Standing
    names: Mapping[str, str]
    stands: bool
    now: datetime
    examined: Examination | None = None  # what the layers of evidence said last
    absent: str = ""  # the name of the officer for whom a substitute decided

    @property
    def same(self) -> tuple[Inquiry, ...]:
        """The other requests that ask the same of the same data, or some of it, at any epsilon; oldest first."""
        mine = self.asked
        return tuple(other for other in self.requests if other.id != mine.id and alike(mine.request, other.request))

    def name(self, person: str) -> str:
        """Return a person's name; the id where the name is unknown."""
        return self.names.get(person) or person


def snapshot(house: House, asked: Inquiry) -> Snapshot:
    """Read a request and everything about it."""
    with looking(house, dataset=asked.dataset) as visit:
        return read(visit, asked.id)


def read(visit: Visit, request: str) -> Snapshot:
    """Read a request of the dataset and everything about it, in a transaction that is under way."""
    connection = visit.connection
    rows = visit.requests
    cases = {row["id"]: asked_of(row) for row in rows}
    if request not in cases:
        raise ParameterError("This request does not exist.")
    asked = cases[request]
    visit.trail.read(visit.row["name"], f"#{asked.number}")
    data = registry.of(visit, asked.number)
    lines = tuple(lines_of(connection, visit.dataset))
    said = data.registration
    mine = next(row_alone(row) for row in rows if row["id"] == request)
    who = {data.by, *(row[name] for row in rows for name in ("analyst", "decided_by"))}
    return Snapshot(
        asked,
        data,
        tuple(cases.values()),
        Standing(RULES[said.rule].opened(said.limit), _limit(data, lines), lines, request),
        _names(connection, who | {edition.by for edition in data.later}),
        replay.stands(visit.trail, mine, visit.row),
        visit.house.now,
        proof.read(visit.trail, asked),
        _absent(visit, asked),
    )


def _limit(data: Registered, lines: tuple[Line, ...]) -> Cost:
    """Return the whole budget: of data with a budget for each wave, those of all waves that were asked."""
    limit = data.registration.limit
    allowance = data.registration.allowance
    return of_all_waves(limit, waves_in(lines)) if allowance is not None and allowance.apart else limit


def _absent(visit: Visit, asked: Inquiry) -> str:
    """Return the login of the officer for whom a substitute decided, from the trail; empty without a substitute."""
    if asked.decided_by is None:
        return ""
    decisions = [line for line in visit.trail.about(f"#{asked.number}") if line["what"] == asked.state]
    login = str(json.loads(decisions[-1]["told"]).get("for", "")) if decisions else ""
    if not login:
        return ""
    return visit.connection.execute(select(people.c.name).filter_by(login=login)).scalar_one_or_none() or login


def _names(connection: Connection, who: set[str | None]) -> dict[str, str]:
    """Return what some people are called."""
    named = select(people.c.id, people.c.name).where(people.c.id.in_(who - {None}))
    return {line.id: line.name for line in connection.execute(named)}


# Dossier: what the points of the checklist look at: a snapshot, both chains, and who decides.


@dataclass(frozen=True)
class Dossier:
    """What the points look at: a request, who is about to decide, and both chains.

    The ledger is recomputed, the trail as far as this process has not verified it yet.
    """

    snapshot: Snapshot
    who: Member | None
    verdict: Verdict
    trail: tuple[Entry, ...]  # about the request and its dataset, oldest first
    unfit: int | None  # the first act that does not fit

    @property
    def asked(self) -> Inquiry:
        """The request."""
        return self.snapshot.asked

    @property
    def data(self) -> Registered:
        """The dataset."""
        return self.snapshot.data

    @property
    def said(self) -> Registration:
        """What was registered."""
        return self.data.registration

    @property
    def today(self) -> str:
        """The day, as days are written."""
        return self.snapshot.now.date().isoformat()

    @property
    def registrar(self) -> str:
        """Who registered the dataset."""
        return self.snapshot.name(self.data.by)

    @property
    def declared_later(self) -> tuple[str, ...]:
        """Who declared more, or later bounds, before this was asked."""
        return tuple(self.snapshot.name(edition.by) for edition in self.data.later)

    @property
    def mechanisms(self) -> tuple[Any, ...]:
        """How it is asked, for each row of a plan."""
        return tuple(row.mechanism for row in self.asked.request.rows)


def dossier(house: House, asked: Inquiry, who: Member | None = None) -> Dossier:
    """Read all that the points look at, in one transaction; `who` is about to decide."""
    with looking(house, dataset=asked.dataset) as visit:
        return dossier_of(visit, asked.id, who)


def dossier_of(visit: Visit, request: str, who: Member | None) -> Dossier:
    """Read the same in a transaction that is under way."""
    here = read(visit, request)
    seal = visit.house.seal
    verdict = examine(visit.connection, visit.dataset, seal=seal, read=here.place.lines)
    lines = [*visit.trail.about(here.data.name), *visit.trail.about(f"#{here.asked.number}")]
    acts = tuple(audit_log.entry_of(line) for line in sorted(lines, key=lambda line: line["seq"]))
    return Dossier(here, who, verdict, acts, visit.house.bookmark.wrong_at(visit.connection, seal))
