"""Pairs: above an epsilon that the policy says, an approval takes two officers, each with a checklist of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from discreet.budget import ParameterError
from discreet.office import charges, duties, voices
from discreet.office.asked import Inquiry, find
from discreet.office.house import House
from discreet.office.registration import Policy
from discreet.office.relations import approvals, people
from discreet.office.roles import TERMINAL, Member, person_of, present, require

# where an approval stands that takes two: nobody has approved, whoever looks has, or another officer has
NOBODY, MINE, OTHER = "nobody", "mine", "other"


def needs_two(policy: Policy, asked: Inquiry) -> bool:
    """Say whether a request takes two officers."""
    return policy.pair is not None and asked.cost.epsilon > policy.pair


def consent(
    house: House, connection: Connection, who: Member, asked: Inquiry, policy: Policy, said: Mapping[str, str]
) -> dict[str, Any] | None:
    """Return what the trail says of an approval that holds now; None where it waits for a second officer.

    Where nobody else could approve it holds at once, and the trail says so. Whoever was first and is
    no officer any more, or has asked of these data since, counts no more.
    """
    if not needs_two(policy, asked) or who == TERMINAL:
        return {}
    before = _first(house, connection, asked.id)
    heard = frozenset({before["by"], before["stead"]} - {""}) if before is not None else frozenset[str]()
    stead = charges.stead_at(house, connection, who, asked.dataset, heard)
    mine = charges.voices(who, stead)
    others = duties.others(house, connection, mine, "officer", asked.dataset)
    if not others and not duties.only_one(house, connection, who, "officer", asked.dataset):
        raise ParameterError(duties.NOBODY)
    if not others:
        return duties.ALONE | charges.on_trail(stead)
    if before is not None and mine.isdisjoint(heard):
        first = next((account for account in others if account.id == before["by"]), None)
        if first is not None:
            said_first = json.loads(before["checklist"])
            return {"first": first.login, "first_checklist": said_first} | charges.on_trail(stead)
    elif before is not None:
        _refuse_same(house, connection, before, who, policy)
    _note(house, connection, who, stead, asked, said)
    return None


def _refuse_same(house: House, connection: Connection, before: Any, who: Member, policy: Policy) -> None:
    """Refuse the second approval of one voice, while the first of it counts."""
    if before["by"] == who.id:
        raise ParameterError("You have approved this request already. Another officer has to, too.")
    same = select(people).filter_by(id=before["by"], active=True)
    first = connection.execute(same).mappings().first()
    if first is not None and charges.stead_of(house, connection, person_of(first), policy) is not None:
        raise ParameterError(
            "Who has approved this request, and you, stand in for each other or for the same officer. "
            "A third one has to approve it, too."
        )


def first_of(house: House, who: Member, request: str) -> Member | None:
    """Return who has approved a request as the first of two, None where nobody has."""
    charges.check_reader(house, require(who, "officer"), find(house, request).dataset)
    with house.store.reading() as connection:
        before = _first(house, connection, request)
        same = select(people).filter_by(id=None if before is None else before["by"])
        row = connection.execute(same).mappings().first()
    return None if row is None else person_of(row)


def _first(house: House, connection: Connection, request: str) -> Any:
    """Return who was first, as the trail knows it: a row that was written by hand is nobody's word."""
    row = connection.execute(select(approvals).filter_by(request=request)).mappings().first()
    return row if row is not None and voices.approved(connection, house.seal, dict(row)) else None


def _note(
    house: House, connection: Connection, who: Member, stead: Member | None, asked: Inquiry, said: Mapping[str, str]
) -> None:
    """Write down who was first, in the place of whoever counts no more."""
    connection.execute(delete(approvals).filter_by(request=asked.id))
    row = {"request": asked.id, "by": who.id, "at": house.now.isoformat(timespec="seconds")}
    row["stead"] = "" if stead is None else stead.id
    connection.execute(insert(approvals).values(**row, checklist=json.dumps(dict(said))))
    more = {"request": asked.id, "checklist": dict(said)} | charges.on_trail(stead)
    house.act(connection, who.id, voices.APPROVED_FIRST, f"#{asked.number}", None, **more)


def stage(house: House, who: Member, asked: Inquiry, policy: Policy) -> str:
    """Say where an approval stands for whoever looks; nothing where it runs on one word, now."""
    charges.check_reader(house, require(who, "officer"), asked.dataset)
    if not needs_two(policy, asked):
        return ""
    with house.store.reading() as connection:
        before = _first(house, connection, asked.id)
        stead = charges.stead_at(house, connection, who, asked.dataset)
        others = duties.others(house, connection, charges.voices(who, stead), "officer", asked.dataset)
    if before is None or not others:
        return NOBODY if others else ""
    if before["by"] == who.id:
        return MINE
    return OTHER if any(account.id == before["by"] for account in others) else NOBODY


def take_back(house: House, who: Member, request: str) -> None:
    """Take one's own approval back, as the first of two, while nobody has approved second."""
    require(who, "officer")
    asked = find(house, request)
    with house.writing(asked.dataset) as connection:
        present(connection, who, "officer")
        mine = delete(approvals).filter_by(request=asked.id, by=who.id)
        if find(house, request).state != "waiting" or connection.execute(mine).rowcount != 1:
            raise ParameterError("There is no first approval of yours that could be taken back.")
        house.act(connection, who.id, voices.TAKEN_BACK, f"#{asked.number}", None, request=asked.id)
