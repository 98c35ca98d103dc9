"""Decisions: what waits is approved, denied, sent back, withdrawn or late, once, before there is an answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sqlalchemy import delete, select, update

from discreet.budget import ParameterError
from discreet.curator.request import plain
from discreet.office.cards.review_case import Dossier, Snapshot, dossier_of
from discreet.office.datasets import fingerprint, registry
from discreet.office.decisions.checklist import Item, to_answer
from discreet.office.decisions.checklist import checklist as checklist_of
from discreet.office.house import acts
from discreet.office.house.house import House, writable
from discreet.office.house.roles import NO_ONE, Denied, Member, person_of, require
from discreet.office.house.tables import motions, people, requests
from discreet.office.people.accounts import name_of
from discreet.office.requests.execution import UNSOUND, finish, unchanged
from discreet.office.requests.request import Inquiry, find, listed
from discreet.office.requests.states import APPROVED, DENIED, EVERY, EXPIRED, VERDICTS, WAITING, WITHDRAWN
from discreet.office.rules import rights, two_persons
from discreet.office.rules.registration import Policy
from discreet.office.rules.two_persons import APPROVAL, Wish
from discreet.office.rules.visit import Visit, acting, looking, select_requests

COUNTED = "chains"  # the point that counts the lines of the ledger: a line more changes no decision

# Pairs: above an epsilon that the policy says, an approval takes two officers, each with a checklist of their own.

# state of an approval by two: none yet, the viewer approved, or another officer approved
NO_SECOND = "nobody"
MINE = "mine"
OTHER_OFFICER = "other"


def needs_two(policy: Policy, asked: Inquiry) -> bool:
    """Return whether a request takes two officers."""
    return policy.pair is not None and asked.cost.epsilon > policy.pair


def consent(visit: Visit, asked: Inquiry, said: Mapping[str, str]) -> dict[str, Any] | None:
    """Return what the trail says of an approval that holds now; None where it waits for a second officer."""
    if not needs_two(visit.sealed_policy, asked):
        return {}
    wish = Wish(APPROVAL, asked.id, dict(said))
    agreed = rights.agreed(visit, wish)
    if agreed is None:
        act = acts.APPROVED_FIRST, f"#{asked.number}"
        rights.propose(visit, wish, act, request=asked.id, checklist=dict(said))
    return agreed


def first_of(house: House, who: Member, request: str) -> Member | None:
    """Return who has approved a request as the first of two, None before that."""
    rights.check_reader(house, require(who, "officer"), find(house, request).dataset)
    with looking(house) as visit:
        before = two_persons.standing(visit, APPROVAL, request)
        same = select(people).filter_by(id=None if before is None else before.by)
        row = visit.connection.execute(same).mappings().first()
    return None if row is None else person_of(row)


def stage(house: House, who: Member, asked: Inquiry, policy: Policy) -> str:
    """Return the state of an approval for the viewer; empty where one approval is enough now."""
    rights.check_reader(house, require(who, "officer"), asked.dataset)
    if not needs_two(policy, asked):
        return ""
    with looking(house, who, asked.dataset) as visit:
        before = two_persons.standing(visit, APPROVAL, asked.id)
        others = rights.others(visit, rights.voices_of(who, rights.stead_at(visit)), "officer")
    if before is None or not others:
        return NO_SECOND if others else ""
    if before.by == who.id:
        return MINE
    return OTHER_OFFICER if any(account.id == before.by for account in others) else NO_SECOND


def take_back(house: House, who: Member, request: str) -> None:
    """Take one's own approval back, as the first of two, while no second officer has approved."""
    require(who, "officer")
    asked = find(house, request)
    with acting(house, who, "officer", dataset=asked.dataset) as visit:
        mine = delete(motions).filter_by(kind=APPROVAL, about=asked.id, by=who.id)
        if row_in(visit, asked)["state"] != WAITING.name or visit.connection.execute(mine).rowcount != 1:
            raise ParameterError("You have no first approval to withdraw.")
        visit.act(acts.APPROVAL_TAKEN_BACK, f"#{asked.number}", None, request=asked.id)


FEWEST = 10
LONGEST = 2_000
NOBODY: Mapping[str, Any] = MappingProxyType({})  # no second approval was needed


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

    `seen` is the `fingerprint_of` of the page on which it was decided: another one is refused.
    """
    require(who, "officer")
    asked = find(house, request)
    _check(who, asked, verdict, reason)
    said = {point: word for point, word in (checklist or {}).items() if word.strip()}
    if verdict == APPROVED.name:
        registry.curator(house, asked.dataset, asked.number)  # rows that cannot be read are found out now
    with acting(house, who, "officer", dataset=asked.dataset) as visit:
        here = dossier_of(visit, request, visit.who)
        stead = rights.may_keep(visit)
        still_waits(visit, asked)
        _as_seen(here, verdict, said, seen)
        words = writable(reason).strip()[:LONGEST]
        agreed = consent(visit, asked, said) if verdict == APPROVED.name else {}
        if agreed is not None:
            _move(visit, asked, verdict, words, json.dumps(said), stead | dict(agreed))
    return finish(house, request)


def _check(who: Member, asked: Inquiry, verdict: str, reason: str) -> None:
    """Refuse an unknown decision, one without a reason, and one about an own request."""
    if verdict not in VERDICTS:
        raise ParameterError("A decision must be approved, denied or changes.")
    if verdict != APPROVED.name and len(reason.strip()) < FEWEST:
        raise ParameterError("Give the reason in at least {fewest} characters.", fewest=FEWEST)
    if who.id == asked.analyst:
        raise ParameterError("You cannot decide on your own request. Ask another officer.")


def _as_seen(here: Dossier, verdict: str, said: Mapping[str, str], seen: str | None) -> None:
    """Refuse another text than the page showed, and an approval that leaves a point open."""
    items = checklist_of(here)
    if seen not in (None, fingerprint_of(here.snapshot, items)):
        raise ParameterError(fingerprint.OTHER)
    if verdict == APPROVED.name:
        _all_said(items, said)
        _still_sound(here)


def deny(house: House, who: Member, chosen: Sequence[str], reason: str) -> tuple[list[Inquiry], list[ParameterError]]:
    """Deny several with one reason, each as if alone; return what was denied, and why others were not."""
    require(who, "officer")
    denied = list[Inquiry]()
    refused = list[ParameterError]()
    for request in chosen:
        try:
            denied.append(decide(house, who, request, DENIED.name, reason))
        except Denied:
            raise
        except ParameterError as wrong:
            number = find(house, request).number
            refused.append(ParameterError("#{number}: {why}", number=number, why=wrong.args[0]))
    return denied, refused


def row_in(visit: Visit, asked: Inquiry) -> Mapping[str, Any]:
    """Return the state of a request in this transaction, who decided and when."""
    return next(row for row in visit.asked if row["id"] == asked.id)


def still_waits(visit: Visit, asked: Inquiry) -> None:
    """Refuse a request that is no longer open, with the person and time of its decision or withdrawal."""
    row = row_in(visit, asked)
    if row["state"] == WAITING.name:
        return
    if row["decided_by"] is None:
        raise ParameterError("This request is no longer waiting: {state}.", state=EVERY[row["state"]].words)
    raise ParameterError(
        "This request was already decided: {state} by {name}, {time}. Your action had no effect.",
        state=EVERY[row["state"]].words,
        name=name_of(visit.house, row["decided_by"]),
        time=row["decided"][:16].replace("T", " "),
    )


def withdraw(house: House, who: Member | None, request: str) -> Inquiry:
    """Take an own request back before it is decided; its reservation returns."""
    asked = find(house, request)
    if who is None or who.id != asked.analyst:
        raise Denied
    with acting(house, who, "analyst", dataset=asked.dataset) as visit:
        _move(visit, asked, WITHDRAWN.name)
    return find(house, request)


def sweep(house: House) -> int:
    """Let undecided requests expire at their end; their reservations return."""
    late = listed(house, select_requests().where(requests.c.state == WAITING.name, requests.c.until < house.clock()))
    for asked in late:
        with house.writing(asked.dataset) as connection:
            visit = Visit(house, connection, NO_ONE, asked.dataset)
            if row_in(visit, asked)["state"] == WAITING.name:
                _move(visit, asked, EXPIRED.name)
    return len(late)


def _still_sound(here: Dossier) -> None:
    """Refuse an approval on a closed dataset, too late, or on a ledger that does not verify."""
    here.data.check_open()
    if here.asked.until < here.snapshot.now.timestamp():
        raise ParameterError("This request has expired. The analyst may send it again.")
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
            "Answer every checklist item first. A “no” needs a reason of at least {fewest} characters.", fewest=FEWEST
        )


def _reason(word: str) -> str:
    return word.partition(":")[2].strip()


def _move(
    visit: Visit,
    asked: Inquiry,
    state: str,
    reason: str = "",
    checklist: str = "{}",
    consent: Mapping[str, Any] = NOBODY,
) -> None:
    """Leave waiting, once; what ends without an answer returns its reservation."""
    values = {"state": state, "reason": reason}
    bound = dict[str, Any]()
    if state in VERDICTS:
        now = visit.house.now.isoformat(timespec="seconds")
        values |= {"decided_by": visit.who.id, "decided": now, "checklist": checklist}
        bound = {"request": asked.id, "checklist": json.loads(checklist), **consent}
    waiting = update(requests).where(requests.c.id == asked.id, requests.c.state == WAITING.name)
    if visit.connection.execute(waiting.values(**values)).rowcount != 1:
        still_waits(visit, asked)
        raise ParameterError("This request is no longer waiting. Check its state.")
    if state != APPROVED.name:
        registry.ledger(visit.house, asked.dataset).expire(asked.id)
    visit.act(acts.EVERY[state], f"#{asked.number}", values, reason=reason, **bound)


def fingerprint_of(snapshot: Snapshot, items: Sequence[Item]) -> str:
    """Return the hash of a request with its checklist, and of all that its card is made of."""
    asked = snapshot.asked
    data = snapshot.data
    notes = [(item.name, item.verified, "" if item.name == COUNTED else str(item.note)) for item in items]
    frozen = (asked.id, asked.purpose, asked.analyst, asked.state, asked.until)
    return fingerprint.of(fingerprint.of_data(data), plain(asked.request), frozen, data.policy.to_json(), notes)
