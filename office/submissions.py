"""Submissions: a question is frozen and its cost reserved before anybody has seen an answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, insert, select

from discreet.budget import BudgetExceeded, ParameterError, Phrase
from discreet.curator.release import Question, name_of
from discreet.curator.request import plain
from discreet.lab.proving import packages
from discreet.lab.report.titles import titled
from discreet.office import charges, duties, registry, revisions, seal
from discreet.office.asked import Inquiry, find, nonce
from discreet.office.decisions import FEWEST, LONGEST
from discreet.office.durations import DAY
from discreet.office.execution import finish, row_of
from discreet.office.house import House, writable
from discreet.office.registry import Registered
from discreet.office.relations import requests
from discreet.office.roles import Member, present, require
from discreet.office.shares import check_share

ROOM_NOW = Phrase("There was no room for this when it was asked. There is now: ask for a new draw.")
BOUNDED = Phrase("This was asked under earlier bounds, and its answer is of those. Ask for a new draw.")


@dataclass(frozen=True)
class Draw:
    """One draw of a question: the id under which it is charged, what it is for, its round, what it replaces."""

    id: str
    purpose: str
    round: int
    earlier: str = ""


def submit(
    house: House,
    who: Member,
    dataset: str,
    request: Question,
    purpose: str,
    round: int = 0,
    seen: str | None = None,
    earlier: str = "",
) -> Inquiry:
    """Freeze a question and reserve its cost; within policy it is answered at once.

    The same question in the same round is the same request, however often it is sent. `seen` is
    the `seal.of_question` that whoever sends it had before them: another one is refused. `earlier`
    is the request that this one replaces.
    """
    require(who, "analyst")
    if round < 0:
        raise ParameterError("A round is a whole number from 0 up.")
    name = name_of(request, nonce(dataset, who.id, round))
    with house.store.reading() as connection:
        new = row_of(connection, name) is None
    if new:
        packages.check(request)  # it may take a while, so not while others wait for the database
        _check_readable(house, dataset)
    with house.writing(dataset) as connection:
        who = present(connection, who, "analyst")
        before = row_of(connection, name)
        if before is not None:
            _check_now(registry.find(house, dataset), before["number"])
        if before is None:
            draw = Draw(name, " ".join(writable(purpose).split()), round, earlier)
            _fresh(house, connection, who, registry.find(house, dataset), request, draw, seen)
    return finish(house, _fitting(house, find(house, name)))


def _check_now(data: Registered, number: int) -> None:
    """Refuse what was asked before as if it were asked now, where its answer is of other bounds."""
    if data.bounded_otherwise(number):
        raise ParameterError(BOUNDED)


def _check_readable(house: House, dataset: str) -> None:
    """Find out now that rows cannot be read; of what was withdrawn meanwhile, that it is gone."""
    try:
        registry.curator(house, dataset)
    except ParameterError:
        registry.find(house, dataset)
        raise


def _fitting(house: House, asked: Inquiry) -> Inquiry:
    """Refuse a request for which there was no room; where there is some now, its next round may have it."""
    if asked.state != "refused":
        return asked
    left = registry.ledger(house, asked.dataset).left
    if asked.cost.fits_in(left):
        raise ParameterError(ROOM_NOW)
    raise BudgetExceeded(asked.cost, left)


def _fresh(
    house: House, connection: Connection, who: Member, data: Registered, request: Question, draw: Draw, seen: str | None
) -> None:
    """Write a request down that may be asked, and the one that it follows."""
    if seen not in (None, seal.of_question(data, request, draw.round)):
        raise ParameterError(seal.OTHER)
    _check(house, connection, who, data, request, draw.purpose)
    before = revisions.check(house, draw.earlier, data.id, who.id) if draw.earlier else None
    row = _new(house, connection, who, data, request, draw)
    if before is not None:
        revisions.follow(connection, draw.id, before.id)
    _told(house, connection, row, data.name, request, before)


def _check(house: House, connection: Connection, who: Member, data: Registered, asked: Question, purpose: str) -> None:
    """Refuse what may not be asked, before anything is reserved."""
    duties.may_ask(connection, who, data.id, data.name)
    data.check_open()
    until = data.registration.keep_until
    if until and house.now.date().isoformat() > until:
        raise ParameterError("The rows of these data were to be kept until {day}.", day=until)
    if not FEWEST <= len(purpose.strip()) <= LONGEST:
        raise ParameterError(
            "Say what the answer is for, in {fewest} to {most} characters.", fewest=FEWEST, most=LONGEST
        )
    if any(row.mechanism.open_only for row in asked.rows):
        raise ParameterError("This is a textbook exhibit and never releases anything.")
    asked.check(data.registration.schema)
    charges.sealed_policy(house, connection, data.id)
    data.policy.check(asked, asked.cost(), house.now.date().isoformat())
    check_share(house, who, data, asked.cost())


def _new(
    house: House, connection: Connection, who: Member, data: Registered, request: Question, draw: Draw
) -> dict[str, Any]:
    """Reserve the cost and write the request down, both or neither."""
    why = data.policy.waits(request)
    state = _reserved(house, data, request, draw) or ("allowed" if why is None else "waiting")
    number = (connection.execute(select(func.max(requests.c.number))).scalar() or 0) + 1
    row = {
        "id": draw.id,
        "number": number,
        "dataset": data.id,
        "analyst": who.id,
        **_frozen(request),
        "round": draw.round,
        "purpose": draw.purpose,
        "state": state,
        "why": json.dumps([why.template, why.values] if why else None),
        "asked": house.now.isoformat(timespec="seconds"),
        "reason": "",
        "checklist": "{}",
        "until": house.clock() + data.policy.days * DAY,
    }
    connection.execute(insert(requests).values(**row))
    return row


def _told(
    house: House, connection: Connection, row: dict[str, Any], data: str, question: Question, before: Inquiry | None
) -> None:
    """Put it on the trail in words."""
    number, words = f"#{row['number']}", {"state": row["state"], "question": titled(question)}
    words |= {} if before is None else {"replaces": f"#{before.number}"}
    house.act(connection, row["analyst"], "asked", number, row, dataset=data, **words)


def _frozen(request: Question) -> dict[str, Any]:
    """Return a question and its price as they stand in a row."""
    cost = {"cost_epsilon": request.cost().nano_epsilon, "cost_delta": request.cost().delta_units}
    return {"identity": request.identity, "question": json.dumps(plain(request)), **cost}


def _reserved(house: House, data: Registered, request: Question, draw: Draw) -> str:
    """Reserve the cost of a question; say that it is refused where it does not fit."""
    refusal = request.refusal_cost()
    try:
        registry.ledger(house, data.id).reserve(draw.id, refusal, request.cost() - refusal, request.account())
    except BudgetExceeded:
        return "refused"
    return ""
