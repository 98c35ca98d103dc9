"""Decisions: what waits is approved, denied, sent back, withdrawn or late, once, before there is an answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection, update

from discreet.budget import ParameterError
from discreet.office import charges, duties, pairs, registry, seal
from discreet.office.asked import STATES, Inquiry, find, listed, select_requests
from discreet.office.checklist import Item, to_answer
from discreet.office.checklist import checklist as checklist_of
from discreet.office.dossier import Dossier, dossier
from discreet.office.execution import UNSOUND, finish, row_of, unchanged
from discreet.office.house import House, writable
from discreet.office.memberships import name_of
from discreet.office.relations import requests
from discreet.office.roles import Denied, Member, present, require

FEWEST, LONGEST = 10, 2_000
NOBODY: Mapping[str, Any] = MappingProxyType({})  # nobody else had to agree


def decide(
    house: House,
    who: Member,
    request: str,
    verdict: str,
    reason: str = "",
    checklist: Mapping[str, str] | None = None,
    seen: str | None = None,
) -> Inquiry:
    """Approve a question, deny it, or ask for changes, once; approval runs it, once.

    Where the policy wants two officers, the first approval is written down, and the request waits on.

    `seen` is the `seal.of_decision` of the page on which it was decided: another one is refused.
    """
    require(who, "officer")
    asked = find(house, request)
    _check(who, asked, verdict, reason)
    said = {point: word for point, word in (checklist or {}).items() if word.strip()}
    if verdict == "approved":
        registry.curator(house, asked.dataset, asked.number)  # rows that cannot be read are found out now
    with house.writing(asked.dataset) as connection:
        who = present(connection, who, "officer")
        stead = duties.may_keep(house, connection, who, asked.dataset)
        still_waits(house, connection, request)
        _as_seen(dossier(house, asked, who), verdict, said, seen)
        words = writable(reason).strip()[:LONGEST]
        consent = _consent(house, connection, who, asked, said) if verdict == "approved" else {}
        if consent is not None:
            _move(house, connection, who.id, asked, verdict, words, json.dumps(said), stead | dict(consent))
    return finish(house, find(house, request)) if verdict == "approved" else find(house, request)


def _consent(
    house: House, connection: Connection, who: Member, asked: Inquiry, said: Mapping[str, str]
) -> dict[str, Any] | None:
    """Return what the trail says of an approval; None where a second officer has to approve, too."""
    return pairs.consent(house, connection, who, asked, charges.sealed_policy(house, connection, asked.dataset), said)


def _check(who: Member, asked: Inquiry, verdict: str, reason: str) -> None:
    """Refuse what is no decision, has no reason, or is about an own request."""
    if verdict not in ("approved", "denied", "changes"):
        raise ParameterError("A decision is approved, denied or changes.")
    if verdict != "approved" and len(reason.strip()) < FEWEST:
        raise ParameterError("Say why in at least {fewest} characters.", fewest=FEWEST)
    if who.id == asked.analyst:
        raise ParameterError("Nobody decides about their own request. Ask another officer.")


def _as_seen(here: Dossier, verdict: str, said: Mapping[str, str], seen: str | None) -> None:
    """Refuse another text than the page showed, and an approval that leaves a point open."""
    items = checklist_of(here)
    if seen not in (None, seal.of_decision(here.snapshot, items)):
        raise ParameterError(seal.OTHER)
    if verdict == "approved":
        _all_said(items, said)
        _still_sound(here)


def deny(house: House, who: Member, chosen: Sequence[str], reason: str) -> tuple[list[Inquiry], list[ParameterError]]:
    """Deny several with one reason, each as if alone; return what was denied, and why others were not."""
    require(who, "officer")
    denied, refused = list[Inquiry](), list[ParameterError]()
    for request in chosen:
        try:
            denied.append(decide(house, who, request, "denied", reason))
        except Denied:
            raise
        except ParameterError as wrong:
            number = find(house, request).number
            refused.append(ParameterError("#{number}: {why}", number=number, why=wrong.args[0]))
    return denied, refused


def still_waits(house: House, connection: Connection, request: str) -> None:
    """Refuse what was decided, withdrawn or late meanwhile: say by whom and when."""
    row = row_of(connection, request)
    if row is None or row["state"] == "waiting":
        return
    if row["decided_by"] is None:
        raise ParameterError("It does not wait any more: {state}.", state=STATES[row["state"]])
    raise ParameterError(
        "It does not wait any more: {state} by {name} on {time}. What you have just done had no effect.",
        state=STATES[row["state"]],
        name=name_of(house, row["decided_by"]),
        time=row["decided"][:16].replace("T", " "),
    )


def withdraw(house: House, who: Member | None, request: str) -> Inquiry:
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
    late = listed(house, select_requests().where(requests.c.state == "waiting", requests.c.until < house.clock()))
    for asked in late:
        with house.writing(asked.dataset) as connection:
            row = row_of(connection, asked.id)
            if row is not None and row["state"] == "waiting":
                _move(house, connection, "", asked, "expired")
    return len(late)


def _still_sound(here: Dossier) -> None:
    """Refuse an approval on a closed dataset, too late, or on a ledger that does not verify."""
    here.data.check_open()
    if here.asked.until < here.snapshot.now.timestamp():
        raise ParameterError("This request has expired. The analyst may ask again.")
    if not here.verdict.holds:
        raise ParameterError(UNSOUND)
    unchanged(here.asked)


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
    house: House,
    connection: Connection,
    who: str,
    asked: Inquiry,
    state: str,
    reason: str = "",
    checklist: str = "{}",
    consent: Mapping[str, Any] = NOBODY,
) -> None:
    """Leave waiting, once; what ends without an answer returns its reservation."""
    values, bound = {"state": state, "reason": reason}, dict[str, Any]()
    if state in ("approved", "denied", "changes"):
        now = house.now.isoformat(timespec="seconds")
        values |= {"decided_by": who, "decided": now, "checklist": checklist}
        bound = {"request": asked.id, "checklist": json.loads(checklist), **consent}
    waiting = update(requests).where(requests.c.id == asked.id, requests.c.state == "waiting")
    if connection.execute(waiting.values(**values)).rowcount != 1:
        still_waits(house, connection, asked.id)
        raise ParameterError("This request does not wait any more. Look at its state.")
    if state != "approved":
        registry.ledger(house, asked.dataset).expire(asked.id)
    house.act(connection, who, state, f"#{asked.number}", values, reason=reason, **bound)
