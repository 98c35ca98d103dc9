"""Pairs: above an epsilon that the policy says, an approval takes two officers, each with a checklist of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from discreet.budget import ParameterError
from discreet.office import duties
from discreet.office.asked import Inquiry
from discreet.office.house import House
from discreet.office.registration import Policy
from discreet.office.relations import approvals, people
from discreet.office.roles import TERMINAL, Member, person_of, require

FIRST = "approved first"


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
    others = duties.others(connection, who, "officer", asked.dataset)
    if not others:
        return dict(duties.ALONE)
    before = _first(connection, asked.id)
    first = next((account for account in others if before is not None and account.id == before["by"]), None)
    if first is not None and before is not None:
        return {"first": first.login, "first_checklist": json.loads(before["checklist"])}
    if before is not None and before["by"] == who.id:
        raise ParameterError("You have approved this request already. Another officer has to, too.")
    _note(house, connection, who, asked, said)
    return None


def first_of(house: House, who: Member, request: str) -> Member | None:
    """Return who has approved a request as the first of two, None where nobody has."""
    require(who, "officer")
    with house.store.reading() as connection:
        both = select(people).join(approvals, approvals.c.by == people.c.id).where(approvals.c.request == request)
        row = connection.execute(both).mappings().first()
    return None if row is None else person_of(row)


def _first(connection: Connection, request: str) -> Any:
    return connection.execute(select(approvals).filter_by(request=request)).mappings().first()


def _note(house: House, connection: Connection, who: Member, asked: Inquiry, said: Mapping[str, str]) -> None:
    """Write down who was first, in the place of whoever counts no more."""
    connection.execute(delete(approvals).filter_by(request=asked.id))
    row = {"request": asked.id, "by": who.id, "at": house.now.isoformat(timespec="seconds")}
    connection.execute(insert(approvals).values(**row, checklist=json.dumps(dict(said))))
    house.act(connection, who.id, FIRST, f"#{asked.number}", request=asked.id, checklist=dict(said))
