"""Offices: an office with people and one dataset, made once for each database and copied for tests.

The password of every person is `secret_of(login)`. The rows contain a canary that must not occur elsewhere.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher

from discreet.budget import Cost
from discreet.budget.durable import DurableLedger, Store
from discreet.budget.durable import store as ledgers
from discreet.curator import Request
from discreet.curator.plan import FixedPlan
from discreet.curator.release import Question
from discreet.mechanisms import registry as mechanisms
from discreet.office import House, Member, Policy, Registration
from discreet.office.datasets import changes, registering, registry
from discreet.office.decisions.checklist import POINTS
from discreet.office.desk import asking
from discreet.office.house import tables as offices
from discreet.office.people import accounts, joining
from discreet.office.requests.request import Inquiry
from discreet.queries.mean import Mean
from discreet.rows import Category, Number, Schema
from support.postgres import Postgres

# the proof that a check can fail is run on one database
ON_SQLITE = pytest.mark.parametrize("server", ["sqlite"], indirect=True)
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)  # for passwords: the real code, with less work
START = 1_900_000_000.0  # a day in 2030
CANARY = "zebracanary"
ROWS = "\n".join(f"{i % 90},{('north', 'south')[i % 2]},{CANARY}{i}" for i in range(300))
CONTENT = f"age,town,note\n{ROWS}\n".encode()
SCHEMA = Schema(
    {"age": Number(0, 120, integer=True, origin="life span"), "town": Category(("north", "south"), origin="a map")}
)
REGISTRATION = Registration("people", SCHEMA, Cost.of("3", "1e-5"), "survey", "consent", alone=True)
POLICY = Policy(free=0.2)
APART = "the people of another town"  # why similar rows are a separate dataset
PURPOSE = "to know how old people are"
REASON = "the purpose is not clear enough"
CHECKED = dict.fromkeys(POINTS, "explained: looked at it")
STAFF = {
    "olga": frozenset({"officer"}),
    "otto": frozenset({"officer"}),
    "bob": frozenset({"analyst"}),
    "eve": frozenset({"analyst"}),
    "max": frozenset({"analyst", "officer"}),
    "adam": frozenset({"administrator"}),
}


TABLES = [table.name for metadata in (ledgers.metadata, offices.metadata) for table in metadata.sorted_tables]


class Clock:
    """A clock that only moves when it is set."""

    def __init__(self) -> None:
        """Start on a day in 2030."""
        self.now = START

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def secret_of(login: str) -> str:
    """Return the password of a person."""
    return f"a long password of {login}"


def question(epsilon: float) -> Request:
    """Return a query; each epsilon gives a different one."""
    kind: Any = mechanisms["laplace"]
    return Request(kind(query=Mean(), epsilon=epsilon), ("age",))


def planned(epsilon: float, delta: float = 0.0) -> FixedPlan:
    """Return a plan with this total cost: half of it for a median, the rest for counts and means of groups."""
    laplace: Any = mechanisms["laplace"]
    counts: Any = mechanisms["counts-geometric"]
    median: Any = mechanisms["quantile-exponential"]
    mean = Request(laplace(query=Mean(), epsilon=epsilon / 4), ("age",), by="town")
    half = Request(median(epsilon=epsilon / 2), ("age",))
    return FixedPlan((mean, Request(counts(epsilon=epsilon / 4), ("town",)), half), delta)


@dataclass
class Office:
    """An office in operation, with what tests do with it."""

    home: Path
    url: str
    clock: Clock
    house: House
    who: dict[str, Member]
    dataset: str
    others: list[House] = field(default_factory=list)
    asks: Callable[[float], Question] = question  # a query or plan for an epsilon

    @property
    def store(self) -> Store:
        """The database."""
        return self.house.store

    @property
    def ledger(self) -> DurableLedger:
        """The budget of the dataset."""
        return registry.ledger(self.house, self.dataset)

    def again(self) -> House:
        """Open this office again as another process would, with empty caches."""
        self.others.append(House(self.home, self.url, self.clock))
        return self.others[-1]

    def ask(self, epsilon: float, login: str = "bob", round: int = 0) -> Inquiry:
        """Ask as an analyst; above 0.2 the request waits."""
        who = self.who[login]
        return asking.submit(self.house, who, self.dataset, self.asks(epsilon), PURPOSE, round)

    def kinds(self, request: str) -> list[str]:
        """Return the kinds of the ledger's entries for a request."""
        return [line["kind"] for line in self.ledger.lines if line["request"] == request]

    def amend(self, **change: Any) -> None:
        """Change the policy, as two officers."""
        for login in ("olga", "otto"):  # what is released without approval needs two officers
            changes.amend(self.house, self.who[login], self.dataset, Policy(**change))

    def by_hand(self, statement: str) -> None:
        """Run hand-written SQL, like a person with access to the database."""
        with self.store.engine.begin() as connection:
            connection.exec_driver_sql(statement)

    def without_guards(self) -> None:
        """Drop the triggers, as the owner of the database can."""
        if not self.store.lite:
            for table in (
                "requests",
                "datasets",
                "declarations",
                "versions",
                "errata",
                "acts",
                "people",
                "lines",
                "budgets",
                "answers",
                "seals",
                "remarks",
                "revisions",
            ):
                self.by_hand(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            return
        with self.store.engine.begin() as connection:
            triggers = sa.text("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for name in connection.execute(triggers).scalars().all():
                connection.exec_driver_sql(f"DROP TRIGGER {name}")


def everything_in(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables: equal before and after means that nothing changed."""
    with store.engine.connect() as connection:
        cursor: Any = connection.connection.cursor()  # raw rows suffice, and SQLAlchemy took most of the time
        return {name: sorted(cursor.execute(f'SELECT * FROM "{name}"').fetchall(), key=repr) for name in TABLES}


def ruled(house: House, dataset: str, policy: Policy) -> None:
    """Set a policy as two officers: what is released without approval needs both."""
    people = {account["person"].login: account["person"] for account in accounts.everybody(house)}
    changes.amend(house, people["ann"], dataset, policy)
    changes.amend(house, people["olga"], dataset, policy)


def staffed(home: Path, url: str) -> None:
    """Create an office with its people and one dataset."""
    house = House(home, url, Clock())
    link = joining.setup_link(house)
    assert link is not None
    ann = joining.set_up(house, link, "ann", "Ann", secret_of("ann"))
    for login, roles in STAFF.items():
        invitation = joining.invite(house, ann, login, login.title(), roles)
        joining.choose_password(house, invitation, secret_of(login))
    ruled(house, registering.register(house, ann, CONTENT, REGISTRATION, POLICY).id, POLICY)
    house.store.close()


def copied(url: str, home: Path, goal: Path, server: Postgres | None) -> str:
    """Copy an office with its database; return the address of the copy's database."""
    if server is None:
        shutil.copytree(home, goal)
        return f"sqlite:///{goal / 'ledger.db'}"
    if (home / "vault").exists():
        shutil.copytree(home, goal)
    return server.database(str(sa.make_url(url).database))


def opened(home: Path, url: str, like: Office | None = None) -> Office:
    """Open a prepared office; a copy takes its people and dataset from the original."""
    clock = Clock()
    house = House(home, url, clock)
    if like is not None:
        return Office(home, url, clock, house, dict(like.who), like.dataset)
    who = {account["person"].login: account["person"] for account in accounts.everybody(house)}
    return Office(home, url, clock, house, who, registry.everything(house)[0].id)


def together(works: list[Callable[[], Any]]) -> list[Any]:
    """Run functions in as many threads; return what each returned or raised."""
    start, outcomes = Barrier(len(works)), [None] * len(works)

    def run(at: int) -> None:
        start.wait()
        try:
            outcomes[at] = works[at]()
        except Exception as refused:
            outcomes[at] = refused

    threads = [Thread(target=run, args=(at,)) for at in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes
