"""Snapshot: everything that was written down of one request, as one moment knew it.

Cards, checklists and seals are made of it alone: whatever else happens meanwhile, all of a page
speaks of the same moment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from discreet.budget import RULES, Cost, ParameterError
from discreet.budget.durable.periods import of_all_waves, waves_in
from discreet.budget.durable.written import Told, lines_of
from discreet.office import acts, examining, registry, replay
from discreet.office.asked import Inquiry, asked_of, select_requests
from discreet.office.house import House
from discreet.office.proof import Examination
from discreet.office.registry import Registered
from discreet.office.relations import people, requests
from discreet.office.same_question import alike
from discreet.office.standing import Standing


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
    absent: str = ""  # in whose stead it was decided

    @property
    def same(self) -> tuple[Inquiry, ...]:
        """The other requests that ask the same of the same data, or some of it, at any epsilon; oldest first."""
        mine = self.asked
        return tuple(other for other in self.requests if other.id != mine.id and alike(mine.request, other.request))

    def name(self, person: str) -> str:
        """Return how a person is called; whoever is not known is called by their id."""
        return self.names.get(person) or person


def snapshot(house: House, asked: Inquiry) -> Snapshot:
    """Read a request and everything about it."""
    with house.store.reading() as connection:
        return read(connection, house, asked)


def read(connection: Connection, house: House, asked: Inquiry) -> Snapshot:
    """Read a request and everything about it, in a transaction that is under way."""
    rows = connection.execute(select_requests().where(requests.c.dataset == asked.dataset)).mappings().all()
    cases = {row["id"]: asked_of(row) for row in rows}
    if asked.id not in cases:
        raise ParameterError("There is no such request.")
    registration = registry.row_in(connection, asked.dataset)
    data, lines = registry.registered(registration, asked.number), tuple(lines_of(connection, asked.dataset))
    said = data.registration
    mine = next({c.name: row[c.name] for c in requests.c} for row in rows if row["id"] == asked.id)
    who = {data.by, *(row[name] for row in rows for name in ("analyst", "decided_by"))}
    return Snapshot(
        cases[asked.id],
        data,
        tuple(cases.values()),
        Standing(RULES[said.rule].opened(said.limit), _limit(data, lines), lines, asked.id),
        _names(connection, who | {edition.by for edition in data.later}),
        replay.agrees(connection, house.seal, mine, registration),
        house.now,
        examining.read(connection, house.seal, cases[asked.id]),
        _absent(connection, cases[asked.id]),
    )


def _limit(data: Registered, lines: tuple[Told, ...]) -> Cost:
    """Return the whole budget: of data with a budget for each wave, those of all waves that were asked."""
    limit, allowance = data.registration.limit, data.registration.allowance
    return of_all_waves(limit, waves_in(lines)) if allowance is not None and allowance.apart else limit


def _absent(connection: Connection, asked: Inquiry) -> str:
    """Return in whose stead a request was decided, as the trail says it; nothing where it was by one's own right."""
    if asked.decided_by is None:
        return ""
    decisions = [act for act in acts.about(connection, f"#{asked.number}") if act.what == asked.state]
    login = str(decisions[-1].details.get("for", "")) if decisions else ""
    return connection.execute(select(people.c.name).filter_by(login=login)).scalar_one_or_none() or login


def _names(connection: Connection, who: set[str | None]) -> dict[str, str]:
    """Return what some people are called."""
    named = select(people.c.id, people.c.name).where(people.c.id.in_(who - {None}))
    return {line.id: line.name for line in connection.execute(named)}
