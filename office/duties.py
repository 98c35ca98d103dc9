"""Duties: who may not do both, and what two people have to want.

Whoever registered a dataset or a version of it, set its policy, extended its declaration or decided
about a question of it never asks of it, and whoever asked of it does none of these. What lets a question run without an
approval, what more is declared of registered data, and every change of roles, holds once two people
with the role have said the same; where there is one such person only, it holds at once, and the
trail says so.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, delete, insert, select

from discreet.budget.errors import ParameterError
from discreet.office import charges
from discreet.office.durations import WEEK
from discreet.office.house import House
from discreet.office.registration import Policy
from discreet.office.relations import acts, proposals, requests
from discreet.office.relations import people as accounts
from discreet.office.roles import OPENID, TERMINAL, Member, person_of, present, require

RULING = (
    *("registered", "policy", "policy proposed", "reconnected", "extended", "extension proposed"),
    *("renewed rows", "version proposed", "apart agreed"),
)
ALONE = {"alone": True}  # on the trail: nobody else could confirm it


@dataclass(frozen=True)
class Motion:
    """What one person wants, and a second one has to want as well."""

    id: str
    kind: str
    about: str
    body: str
    by: str
    stead: str = ""

    @property
    def voices(self) -> frozenset[str]:
        """Whose voices it has already: that of whoever wants it, and of whoever they stand in for."""
        return frozenset({self.by, self.stead} - {""})

    @property
    def wanted(self) -> Any:
        """What is wanted, in parts."""
        return json.loads(self.body)


def may_ask(connection: Connection, who: Member, dataset: str, name: str) -> None:
    """Refuse a question from whoever keeps the data or has decided about them, and of data that others ask."""
    charges.check_analyst(connection, who, dataset)
    ruling = select(acts.c.seq).where(acts.c.about == name, acts.c.what.in_(RULING), acts.c.who == who.id)
    deciding = select(requests.c.id).filter_by(dataset=dataset, decided_by=who.id)
    if connection.execute(ruling).first() or connection.execute(deciding).first():
        raise ParameterError(
            "You registered these data or a version of them, set their policy, extended their declaration or decided "
            "about a question of them. Somebody else has to ask."
        )


def has_asked(connection: Connection, who: Member, dataset: str) -> bool:
    """Say whether somebody has ever asked of a dataset."""
    asked = select(requests.c.id).filter_by(dataset=dataset, analyst=who.id).limit(1)
    return connection.execute(asked).first() is not None


def may_keep(house: House, connection: Connection, who: Member, dataset: str) -> dict[str, Any]:
    """Refuse a decision or a policy of whoever has asked of the data, and of data that others keep.

    Return what the trail says of in whose stead it is; nobody has a right to lend who has asked.
    """
    absent = charges.check_keeper(house, connection, who, dataset)
    if has_asked(connection, who, dataset):
        raise ParameterError("You have asked of these data. Another officer has to do this.")
    if absent is not None and has_asked(connection, absent, dataset):
        raise ParameterError(
            "{name}, for whom you stand in, has asked of these data. Another officer has to do this.", name=absent.name
        )
    return charges.on_trail(absent)


def others(house: House, connection: Connection, mine: frozenset[str], role: str, dataset: str = "") -> list[Member]:
    """Return who else than these voices could confirm: open accounts with this role that can sign in.

    Of a dataset only those who keep it and never asked of it. A substitute and whoever is away are
    one voice: neither of them confirms what the other one wants.
    """
    policy = charges.policy_of(connection, dataset) if dataset and role == "officer" else Policy()
    rows = connection.execute(select(accounts).filter_by(active=True)).mappings().all()
    able = [person_of(line) for line in rows if line["password"] or line["id"].startswith(OPENID)]
    return [
        account
        for account in able
        if role in account.roles
        and _apart(house, connection, account, policy, mine)
        and not has_asked(connection, account, dataset)
    ]


def _apart(house: House, connection: Connection, account: Member, policy: Policy, mine: frozenset[str]) -> bool:
    """Say whether somebody keeps the data with a voice that is none of these."""
    stead = charges.stead_of(house, connection, account, policy)
    free = stead is not None and (not stead or any(each.id not in mine for each in stead))
    return free and account.id not in mine


def alone(house: House, who: Member, role: str, dataset: str = "") -> bool:
    """Say whether nobody else could confirm what this person wants."""
    with house.store.reading() as connection:
        mine = charges.voices(who, _stead(house, connection, who, role, dataset))
        return who != TERMINAL and not others(house, connection, mine, role, dataset)


def agreed(
    house: House, connection: Connection, who: Member, role: str, what: tuple[str, str, Any]
) -> dict[str, Any] | None:
    """Return what the trail says of a change that holds now; None where it waits for a second.

    `what` is the kind of change, what it is about, and what is wanted. A second person confirms by
    wanting exactly the same. The terminal needs nobody: it has the disk.
    """
    kind, about, wanted = what
    body = json.dumps(wanted, sort_keys=True)
    motion = standing(house, connection, kind, about)
    stead = _stead(house, connection, who, role, about, motion.voices if motion else frozenset())
    mine = charges.voices(who, stead)
    both = others(house, connection, mine, role, about)  # what is about a person has no askers
    first = _first(motion, both, mine)
    forget(connection, kind, about)
    if who == TERMINAL or not both:
        return {} if who == TERMINAL else ALONE | charges.on_trail(stead)
    if motion is not None and motion.body == body and first is not None:
        return {"first": first.login} | charges.on_trail(stead)
    row = {"id": uuid4().hex, "kind": kind, "about": about, "body": body, "by": who.id}
    row["stead"] = "" if stead is None else stead.id
    connection.execute(insert(proposals).values(**row, until=house.clock() + WEEK))
    return None


def _stead(
    house: House, connection: Connection, who: Member, role: str, about: str, before: frozenset[str] = frozenset()
) -> Member | None:
    """Return in whose stead somebody acts; only officers have substitutes."""
    return charges.stead_at(house, connection, who, about, before) if role == "officer" else None


def _first(motion: Motion | None, both: list[Member], mine: frozenset[str]) -> Member | None:
    """Return who wanted it first and still counts: with another voice than whoever wants it now."""
    if motion is None or not motion.voices.isdisjoint(mine):
        return None
    return next((account for account in both if account.id == motion.by), None)


def agreed_policy(
    house: House, connection: Connection, who: Member, dataset: str, policy: Policy, before: Policy
) -> dict[str, Any] | None:
    """Return what the trail says of a policy that holds now; None where it waits for a second."""
    if not policy.free and not policy.looser(before) and "policy" not in before.both:
        forget(connection, "policy", dataset)
        return {}
    return agreed(house, connection, who, "officer", ("policy", dataset, json.loads(policy.to_json())))


def agreed_act(
    house: House, connection: Connection, who: Member, dataset: str, act: str, wanted: Any
) -> dict[str, Any] | None:
    """Return what the trail says of an act that holds now; None where the policy wants a second officer."""
    if act not in charges.policy_of(connection, dataset).both:
        return {}
    return agreed(house, connection, who, "officer", (act, dataset, wanted))


def agreed_roles(
    house: House, connection: Connection, who: Member, account: str, roles: frozenset[str], active: bool
) -> dict[str, Any] | None:
    """Return what the trail says of roles that hold now; None where they wait for a second."""
    wanted = {"roles": sorted(roles), "active": active}
    return agreed(house, connection, who, "administrator", ("roles", account, wanted))


def forget(connection: Connection, kind: str, about: str) -> None:
    """Let what was proposed go: something else holds now."""
    connection.execute(delete(proposals).filter_by(kind=kind, about=about))


def second(house: House, connection: Connection, who: Member, stead: Member | None, motion: Motion) -> None:
    """Let a wish be that of its second person, so that it holds once the first one wants it again."""
    forget(connection, motion.kind, motion.about)
    row = {"id": uuid4().hex, "kind": motion.kind, "about": motion.about, "body": motion.body, "by": who.id}
    row["stead"] = "" if stead is None else stead.id
    connection.execute(insert(proposals).values(**row, until=house.clock() + WEEK))


def pending(house: House, kind: str, about: str) -> Motion | None:
    """Return what waits for a second person; nothing waits for longer than a week."""
    with house.store.reading() as connection:
        return standing(house, connection, kind, about)


def drop(house: House, who: Member, role: str, proposal: Motion, name: str) -> None:
    """Let a proposal go; whoever made it can, and everybody who could confirm it."""
    require(who, role)
    with house.writing() as connection:
        present(connection, who, role)
        absent = charges.check_keeper(house, connection, who, proposal.about) if role == "officer" else None
        connection.execute(delete(proposals).filter_by(id=proposal.id))
        house.act(connection, who.id, "dropped", name, **charges.on_trail(absent))


def standing(house: House, connection: Connection, kind: str, about: str) -> Motion | None:
    """Return the same in a transaction that is under way."""
    same = select(proposals).filter_by(kind=kind, about=about)
    row = connection.execute(same.where(proposals.c.until > house.clock())).mappings().first()
    if row is None:
        return None
    return Motion(row["id"], row["kind"], row["about"], row["body"], row["by"], row["stead"])
