"""Visit: a person acts or reads now; what that needs is read once, in the one transaction in which it is done.

It is handed on from a verb to its guards, so that none of them reads the same rows again. It ends with its
transaction: what a lock protects is read after the lock, and nothing is remembered from one transaction to the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Select, func, select

from discreet.budget import ParameterError
from discreet.budget.durable import store as durable
from discreet.office.house import replay
from discreet.office.house.acts import Act
from discreet.office.house.house import House
from discreet.office.house.replay import Trail
from discreet.office.house.roles import NO_ONE, OPENID, Member, person_of, present, require
from discreet.office.house.tables import datasets, people, requests, substitutes

if TYPE_CHECKING:  # who looks after accounts waits for no mechanism
    from discreet.office.rules.registration import Policy


class Visit:
    """One person in one transaction, in front of one dataset or none; each property is one statement, at its first use.

    `who` is as their account is in this transaction where they act, see `acting`.
    """

    def __init__(
        self, house: House, connection: Connection, who: Member = NO_ONE, dataset: str = "", trail: Trail | None = None
    ) -> None:
        """Begin with nothing looked up, or with the trail of the visit before, in the same transaction."""
        self.house = house
        self.connection = connection
        self.who = who
        self.dataset = dataset
        self.trail = trail or Trail(connection, house.seal)
        self.motions: dict[tuple[str, str], Any] = {}  # those that were looked at, see `two_persons.standing`

    def to(self, dataset: str) -> Visit:
        """Go on to another dataset in the same transaction."""
        return Visit(self.house, self.connection, self.who, dataset, self.trail)

    @cached_property
    def found(self) -> Mapping[str, Any] | None:
        """The row of the dataset with all that follows it; None while it is being registered, or was withdrawn."""
        return next(replay.rows(self.connection, "dataset", datasets.c.id == self.dataset), None)

    @property
    def row(self) -> Mapping[str, Any]:
        """The same of a dataset that there must be."""
        if self.found is None:
            raise ParameterError("This dataset does not exist.")
        return self.found

    @cached_property
    def policy(self) -> Policy:
        """The policy of the dataset; during the registration it names no people."""
        from discreet.office.rules.registration import Policy

        return Policy() if self.found is None else Policy.from_json(self.found["policy"])

    @property
    def sealed_policy(self) -> Policy:
        """The policy for a decision: refused if it does not match the trail."""
        if self.found is not None and not replay.same(self.trail, self.found, "policy"):
            raise ParameterError(
                "The policy does not match the audit log, so nothing was done. Contact the server administrator."
            )
        return self.policy

    @cached_property
    def accounts(self) -> list[Mapping[str, Any]]:
        """The rows of all open accounts."""
        open_ = select(people).filter_by(active=True).order_by(people.c.login)
        return [dict(row) for row in self.connection.execute(open_).mappings()]

    @cached_property
    def able(self) -> list[Member]:
        """All people with an open account who can sign in."""
        return [person_of(row) for row in self.accounts if row["password"] or row["id"].startswith(OPENID)]

    @cached_property
    def substitutions(self) -> list[Mapping[str, Any]]:
        """The rows of the substitutions that have not ended, the first to begin first."""
        live = select(substitutes).where(substitutes.c.until > self.house.clock())
        ordered = live.order_by(substitutes.c.since, substitutes.c.id)
        return [dict(row) for row in self.connection.execute(ordered).mappings()]

    @cached_property
    def requests(self) -> list[Mapping[str, Any]]:
        """Every request of the dataset with its answer and the release of that, oldest first."""
        mine = select_requests().where(requests.c.dataset == self.dataset)
        return [dict(row) for row in self.connection.execute(mine).mappings()]

    @cached_property
    def _requests(self) -> list[Mapping[str, Any]]:
        c = requests.c
        columns = c.id, c.dataset, c.number, c.state, c.analyst, c.decided_by, c.decided
        newest = c.number == select(func.max(c.number)).scalar_subquery()
        wanted = select(*columns).where((c.dataset == self.dataset) | newest)
        return [dict(row) for row in self.connection.execute(wanted).mappings()]

    @property
    def asked(self) -> list[Mapping[str, Any]]:
        """Every request of the dataset: its number, state, who asked it and who has decided about it."""
        read = vars(self).get("requests")
        return [row for row in self._requests if row["dataset"] == self.dataset] if read is None else read

    @property
    def newest(self) -> int:
        """The number of the newest request of any dataset; 0 where there is none."""
        return max((int(row["number"]) for row in self._requests), default=0)

    def act(self, act: Act, about: str = "", meant: Mapping[str, Any] | None = None, **details: Any) -> None:
        """Put on the trail what this person does; see `House.act`."""
        self.house.act(self.connection, self.who.id, act, about, meant, trail=self.trail, **details)


def select_requests() -> Select[Any]:
    """Return the question for requests with their answers and releases, oldest first."""
    answers = durable.answers
    lines = durable.lines
    both = (requests.c.dataset == answers.c.budget) & (requests.c.id == answers.c.request)
    released_by = (answers.c.budget == lines.c.budget) & (answers.c.request == lines.c.request)
    joined = requests.outerjoin(answers, both).outerjoin(lines, released_by & (lines.c.kind == "release"))
    columns = select(requests, answers.c.body, lines.c.note).select_from(joined)
    return columns.order_by(requests.c.number)


@contextmanager
def acting(house: House, who: Member | None, *roles: str, dataset: str = "") -> Iterator[Visit]:
    """Act as a person who has one of these roles at this moment; a dataset's budget is locked if named."""
    who = require(who, *roles)
    with house.writing(dataset) as connection:
        yield Visit(house, connection, present(connection, who, *roles), dataset)


@contextmanager
def looking(house: House, who: Member = NO_ONE, dataset: str = "") -> Iterator[Visit]:
    """Look as somebody, in one moment, without holding anybody up."""
    with house.store.reading() as connection:
        yield Visit(house, connection, who, dataset)
