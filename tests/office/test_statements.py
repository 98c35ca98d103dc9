"""Statements: a verb looks a thing up once, and passes it on; counted where nothing is remembered from before."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import event
from support.offices import APART, CHECKED, CONTENT, PURPOSE, REGISTRATION, Office, question

from discreet.budget.durable import Store
from discreet.office import House, Policy
from discreet.office.cards.review_case import dossier
from discreet.office.datasets import changes, registering, registry
from discreet.office.decisions import decisions
from discreet.office.desk import asking
from discreet.office.rules.visit import acting

SILENT = re.compile(r"\s*(BEGIN|COMMIT|ROLLBACK|PRAGMA|SHOW|SET)\b|\s*SELECT pg_advisory|.*\bFOR UPDATE", re.DOTALL)
TABLE = re.compile(r"(?:FROM|JOIN|INTO|UPDATE)\s+\"?(\w+)", re.IGNORECASE)


@dataclass(frozen=True)
class Statement:
    """One statement, with what it asks for, in one of the transactions of a verb."""

    transaction: int
    text: str
    parameters: str

    @property
    def tables(self) -> str:
        """Its verb and its tables."""
        return f"{self.transaction} {self.text.split()[0].lower()} {' '.join(dict.fromkeys(TABLE.findall(self.text)))}"


@contextmanager
def counted(store: Store) -> Iterator[list[Statement]]:
    """Keep the statements that run meanwhile, but those that begin, end and lock."""
    seen = list[Statement]()
    begun = list[Any]()

    def note(_: Any, __: Any, statement: str, parameters: Any, *more: Any) -> None:
        if not SILENT.match(statement):
            seen.append(Statement(len(begun), statement, repr(parameters)))

    def start(connection: Any) -> None:
        begun.append(connection)

    event.listen(store.engine, "before_cursor_execute", note)
    event.listen(store.engine, "begin", start)
    try:
        yield seen
    finally:
        event.remove(store.engine, "before_cursor_execute", note)
        event.remove(store.engine, "begin", start)


def lived_in(office: Office) -> None:
    """Leave behind what a house of some months has: more data, versions, notes, policies and requests."""
    house = office.house
    ann, olga = office.who["ann"], office.who["olga"]
    for number in range(3):
        rows = CONTENT + b"1,north,x\n" * (number + 1)
        said = registering.Registration(
            f"more {number}", REGISTRATION.schema, REGISTRATION.limit, "survey", "consent", alone=True, apart=APART
        )
        registering.register(house, ann, rows, said, Policy())
    changes.renew(house, olga, office.dataset, CONTENT + b"1,north,later\n", "the next year")
    changes.note(house, olga, office.dataset, "A note on what was said of these rows.")
    changes.amend(house, olga, office.dataset, Policy(most=0.9))
    changes.amend(house, olga, office.dataset, Policy())
    for number in range(1, 4):
        decisions.decide(house, olga, office.ask(0.1 + number / 100).id, "approved", "", CHECKED)
    office.ask(0.15)


def cold(office: Office) -> House:
    """Open the house as another process does; only rows are open already."""
    house = office.again()
    registry.curator(house, office.dataset)
    return house


def report(seen: list[Statement]) -> str:
    """Write the statements down in their order, each with the number of its transaction."""
    return "\n".join([f"{len(seen)} statements", *(f"  {each.tables}" for each in seen)])


def check(seen: list[Statement], most: int) -> None:
    """Fail if a verb takes more statements, or asks the same twice in one transaction."""
    print(report(seen))
    assert len(seen) <= most, report(seen)
    assert [each.tables for each, times in Counter(seen).items() if times > 1] == []


def of_verb(office: Office, verb: Callable[[House], object]) -> list[Statement]:
    """Return the statements of a verb in a house that was opened for it."""
    house = cold(office)
    with counted(house.store) as seen:
        verb(house)
    return seen


def test_a_question_is_sent_with_few_statements(another: Callable[..., Office]) -> None:
    """Three see that its rows can be read, before anybody waits for the lock; the others read, reserve and write.

    The row is read back before it is sealed; the dataset and its acts are read again after the lock.
    """
    office = another(lived_in)
    ask = lambda house: asking.submit(house, office.who["bob"], office.dataset, question(0.3), PURPOSE)  # noqa: E731
    check(of_verb(office, ask), 14)


def test_a_request_is_decided_with_few_statements(another: Callable[..., Office]) -> None:
    """Three before the lock, thirteen under it, three after it was decided, eight to charge and release, three to tell.

    What a guard needs is read again in each of these transactions: the request, its dataset and their acts. Under the
    lock both chains are recomputed, so that their lines and seals are read as well.
    """
    office = another(lived_in)
    asked = office.ask(0.3)
    olga = office.who["olga"]
    here = dossier(office.house, asked, olga)
    seal = decisions.fingerprint_of(here.snapshot, decisions.checklist_of(here))
    decide = lambda house: decisions.decide(house, olga, asked.id, "approved", "", CHECKED, seal)  # noqa: E731
    check(of_verb(office, decide), 30)


def test_what_is_asked_twice_is_noticed(another: Callable[..., Office]) -> None:
    """Two that look a dataset up by its name in one transaction; a visit that holds it is none of them."""
    office = another(lived_in)
    house = cold(office)
    with counted(house.store) as seen, acting(house, office.who["olga"], "officer", dataset=office.dataset) as visit:
        assert registry.of(visit) == registry.of(visit)
    check(seen, 2)
    with counted(house.store) as seen, house.writing(office.dataset):
        assert registry.find(house, office.dataset) == registry.find(house, office.dataset)
    with pytest.raises(AssertionError):
        check(seen, 2)
