"""Requests: frozen questions that wait, are decided before anybody has seen an answer, run once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from discreet.budget import BudgetExceeded, ParameterError, Phrase
from discreet.curator.release import name_of
from discreet.curator.request import Request, plain
from discreet.office import acts, duties, registry, seal, trail
from discreet.office.asked import Asked, find, listed, nonce, select_requests, spent_by
from discreet.office.checklist import Item, to_answer
from discreet.office.checklist import checklist as checklist_of
from discreet.office.house import House, writable
from discreet.office.look import Look, look
from discreet.office.people import Denied, Person, present, require
from discreet.office.registry import Registered
from discreet.office.tables import requests

FEWEST, LONGEST = 10, 2_000
DAY = 24 * 3600.0
UNSOUND = Phrase("The ledger of these data does not verify. Nothing is released.")
UNKNOWN = Phrase("The trail does not know this decision. Nothing is released: tell whoever keeps the server.")


@dataclass(frozen=True)
class Draw:
    """One draw of a question: the id under which it is charged, what it is for, and its round."""

    id: str
    purpose: str
    round: int


def submit(
    house: House, who: Person, dataset: str, request: Request, purpose: str, round: int = 0, seen: str | None = None
) -> Asked:
    """Freeze a question and reserve its cost; within policy it is answered at once.

    The same question in the same round is the same request, however often it is sent. `seen` is
    the `seal.of_question` that whoever sends it had before them: another one is refused.
    """
    require(who, "analyst")
    if round < 0:
        raise ParameterError("A round is a whole number from 0 up.")
    known = name_of(request, nonce(dataset, who.id, round))
    with house.store.reading() as connection:
        new = _row(connection, known) is None
    if new:
        registry.curator(house, dataset)  # rows that cannot be read are found out now
    with house.writing(dataset) as connection:
        who = present(connection, who, "analyst")
        if _row(connection, known) is None:
            one = registry.find(house, dataset)
            if seen not in (None, seal.of_question(one, request, round)):
                raise ParameterError(seal.OTHER)
            duties.may_ask(connection, who, one.id, one.name)
            _check(house, connection, who, one, request, purpose)
            said = " ".join(writable(purpose).split())
            _new(house, connection, who, one, request, Draw(known, said, round))
    asked = find(house, known)
    if asked.state == "refused":
        raise BudgetExceeded(asked.cost, registry.ledger(house, dataset).left)
    return finish(house, asked)


def decide(
    house: House,
    who: Person,
    request: str,
    verdict: str,
    reason: str = "",
    checklist: Mapping[str, str] | None = None,
    seen: str | None = None,
) -> Asked:
    """Approve a question, deny it, or ask for changes, once; approval runs it, once.

    `seen` is the `seal.of_decision` of the page on which it was decided: another one is refused.
    """
    require(who, "officer")
    asked = find(house, request)
    if verdict not in ("approved", "denied", "changes"):
        raise ParameterError("A decision is approved, denied or changes.")
    if verdict != "approved" and len(reason.strip()) < FEWEST:
        raise ParameterError("Say why in at least {fewest} characters.", fewest=FEWEST)
    if who.id == asked.analyst:
        raise ParameterError("Nobody decides about their own request. Ask another officer.")
    said = {point: word for point, word in (checklist or {}).items() if word.strip()}
    if verdict == "approved":
        registry.curator(house, asked.dataset)  # rows that cannot be read are found out now
    with house.writing(asked.dataset) as connection:
        who = present(connection, who, "officer")
        duties.may_keep(connection, who, asked.dataset)
        here = look(house, asked, who)
        items = checklist_of(here)
        if seen not in (None, seal.of_decision(here.snapshot, items)):
            raise ParameterError(seal.OTHER)
        if verdict == "approved":
            _all_said(items, said)
            _still_sound(here)
        words = writable(reason).strip()[:LONGEST]
        _move(house, connection, who.id, asked, verdict, words, json.dumps(said))
    return finish(house, find(house, request)) if verdict == "approved" else find(house, request)


def withdraw(house: House, who: Person | None, request: str) -> Asked:
    """Take an own request back while nobody has decided; its reservation returns."""
    asked = find(house, request)
    if who is None or who.id != asked.analyst:
        raise Denied
    with house.writing(asked.dataset) as connection:
        present(connection, who, "analyst")
        _move(house, connection, who.id, asked, "withdrawn")
    return find(house, request)


def sweep(house: House) -> int:
    """Let requests expire that nobody decided in time; their reservations return."""
    late = listed(house, select_requests().where(requests.c.state == "waiting"))
    late = [one for one in late if one.until < house.clock()]
    for one in late:
        with house.writing(one.dataset) as connection:
            row = _row(connection, one.id)
            if row is not None and row["state"] == "waiting":
                _move(house, connection, "", one, "expired")
    return len(late)


def finish(house: House, asked: Asked) -> Asked:
    """Answer what is allowed or approved; after a crash as well, and never twice."""
    if asked.state in ("allowed", "approved"):
        if asked.release is None:
            unchanged(asked)
            _still_open(registry.find(house, asked.dataset))
            if not trail.stands(house.store, asked.id):
                raise ParameterError(UNKNOWN)
            registry.curator(house, asked.dataset).ask(asked.request, asked.nonce)
        with house.writing() as connection:
            if not acts.told(connection, "answered", f"#{asked.number}"):
                house.act(connection, "", "answered", f"#{asked.number}")
    return find(house, asked.id)


def queue(house: House, who: Person) -> list[Asked]:
    """Return what waits for a decision, oldest first."""
    require(who, "officer")
    sweep(house)
    return listed(house, select_requests().where(requests.c.state == "waiting"))


def how_many(house: House, who: Person) -> int:
    """Return how many requests wait, without looking at them."""
    require(who, "officer")
    live = select(func.count()).where(requests.c.state == "waiting", requests.c.until > house.clock())
    with house.store.reading() as connection:
        return int(connection.execute(live).scalar_one())


def own(house: House, who: Person, dataset: str | None = None) -> list[Asked]:
    """Return an analyst's own requests, newest first."""
    require(who, "analyst")
    sweep(house)
    mine = select_requests().where(requests.c.analyst == who.id)
    if dataset is not None:
        mine = mine.where(requests.c.dataset == dataset)
    return listed(house, mine)[::-1]


def _check(house: House, connection: Connection, who: Person, one: Registered, request: Request, purpose: str) -> None:
    """Refuse what may not be asked, before anything is reserved."""
    if one.state != "open":
        raise ParameterError("These data are closed: nothing more can be asked.")
    kept = one.registration.keep_until
    if kept and house.now.date().isoformat() > kept:
        raise ParameterError("The rows of these data were to be kept until {day}.", day=kept)
    if not FEWEST <= len(purpose.strip()) <= LONGEST:
        raise ParameterError(
            "Say what the answer is for, in {fewest} to {most} characters.", fewest=FEWEST, most=LONGEST
        )
    if request.mechanism.open_only:
        raise ParameterError("This is a textbook exhibit and never releases anything.")
    request.check(one.registration.schema)
    cost = request.cost()
    one.policy.check(request, cost, house.now.date().isoformat())
    share = one.policy.share_of(who.login)
    spent = spent_by(house, one.id, who.id)
    if share is not None and spent.nano_epsilon + cost.nano_epsilon > round(share * 10**9):
        raise ParameterError(
            "Your share of these data is epsilon {share:g}, and {spent:g} of it is spent.",
            share=share,
            spent=spent.epsilon,
        )
    whole = one.registration.limit
    most = 1.0 if share is None else min(1.0, share * 10**9 / whole.nano_epsilon)
    if spent.delta_units + cost.delta_units > whole.delta_units * most and most < 1.0:
        raise ParameterError(
            "Your share of these data is delta {share:g}, as much of the whole as of epsilon, and "
            "{spent:g} of it is spent.",
            share=whole.delta * most,
            spent=spent.delta,
        )


def _new(house: House, connection: Connection, who: Person, one: Registered, request: Request, draw: Draw) -> None:
    """Reserve the cost and write the request down, both or neither."""
    full, now = request.cost(), request.refusal_cost()
    why = one.policy.waits(full)
    state = "allowed" if why is None else "waiting"
    try:
        registry.ledger(house, one.id).reserve(draw.id, now, full - now, request.account())
    except BudgetExceeded:
        state = "refused"
    number = (connection.execute(select(func.max(requests.c.number))).scalar() or 0) + 1
    row = {
        "id": draw.id,
        "number": number,
        "dataset": one.id,
        "analyst": who.id,
        "identity": request.identity,
        "round": draw.round,
        "question": json.dumps(plain(request)),
        "purpose": draw.purpose,
        "cost_epsilon": full.nano_epsilon,
        "cost_delta": full.delta_units,
        "state": state,
        "why": json.dumps([why.template, why.values] if why else None),
        "asked": house.now.isoformat(timespec="seconds"),
        "reason": "",
        "checklist": "{}",
        "until": house.clock() + one.policy.days * DAY,
    }
    connection.execute(insert(requests).values(**row))
    house.act(connection, who.id, "asked", f"#{number}", row, dataset=one.name, state=state)


def _still_sound(here: Look) -> None:
    """Refuse an approval on a closed dataset, too late, or on a ledger that does not verify."""
    _still_open(here.one)
    if here.asked.until < here.snapshot.now.timestamp():
        raise ParameterError("This request has expired. The analyst may ask again.")
    if not here.verdict.holds:
        raise ParameterError(UNSOUND)
    unchanged(here.asked)


def _still_open(one: Registered) -> None:
    """Refuse what was approved before its data were closed and has no answer yet."""
    if one.state != "open":
        raise ParameterError("These data are closed: nothing more can be asked.")


def unchanged(asked: Asked) -> None:
    """Refuse a question that is not the one whose cost stands on the ledger, under its hash."""
    if name_of(asked.request, asked.nonce) != asked.id:
        raise ParameterError(UNSOUND)


def _all_said(items: Sequence[Item], said: Mapping[str, str]) -> None:
    """Refuse an approval while a point of the checklist is open, or a no has no reason."""
    open_points = set(to_answer(items)) - set(said)
    unexplained = any(
        len(_reason(said.get(item.name, ""))) < FEWEST
        and (item.verified is False or said.get(item.name, "").startswith("no"))
        for item in items
    )
    if open_points or unexplained:
        raise ParameterError(
            "Answer every point of the checklist first, a no with a reason of at least {fewest} characters.",
            fewest=FEWEST,
        )


def _reason(word: str) -> str:
    return word.partition(":")[2].strip()


def _move(
    house: House, connection: Connection, who: str, asked: Asked, state: str, reason: str = "", checklist: str = "{}"
) -> None:
    """Leave waiting, once; what ends without an answer returns its reservation."""
    values, bound = {"state": state, "reason": reason}, dict[str, Any]()
    if state in ("approved", "denied", "changes"):
        now = house.now.isoformat(timespec="seconds")
        values |= {"decided_by": who, "decided": now, "checklist": checklist}
        bound = {"request": asked.id, "checklist": json.loads(checklist)}
    waiting = update(requests).where(requests.c.id == asked.id, requests.c.state == "waiting")
    if connection.execute(waiting.values(**values)).rowcount != 1:
        raise ParameterError("This request does not wait any more. Look at its state.")
    if state != "approved":
        registry.ledger(house, asked.dataset).expire(asked.id)
    house.act(connection, who, state, f"#{asked.number}", values, reason=reason, **bound)


def _row(connection: Connection, request: str) -> Any:
    return connection.execute(select(requests).filter_by(id=request)).mappings().first()
