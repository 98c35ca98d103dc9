"""Duties: who may not do both, and what two people have to want.

Whoever registered a dataset or a version of it, set its policy, extended its declaration or decided
about a question of it never asks of it, and whoever asked of it does none of these. What lets a question run without an
approval, who keeps data, what more is declared of them, and every change of roles, holds once two people
with the role have said the same. It holds at once, and the trail says so, where there is one such person in the
whole house only: a policy that names one of several officers makes nobody the only one. What loosens a policy
every officer of the house can confirm; all else only those whom it names.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, delete, select

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.office import charges, replay, voices
from discreet.office.house import House
from discreet.office.relations import acts, proposals, requests
from discreet.office.relations import people as accounts
from discreet.office.roles import OPENID, TERMINAL, Member, person_of, present, require

if TYPE_CHECKING:
    from discreet.office.registration import Policy

RULING = (
    *("registered", "policy", "policy proposed", "reconnected", "extended", "extension proposed"),
    *("renewed rows", "version proposed", "apart agreed"),  # the last one by earlier versions
)
ALONE = {"alone": True}  # on the trail: nobody else could confirm it
POLICY = "policy"
NOBODY = Phrase(
    "This takes two officers, and the policy of these data names nobody else who could be the second. Nothing was "
    "done. Propose a policy that names another officer: every officer here can confirm it."
)
HAND_MADE = Phrase(
    "The trail knows other accounts than the database. Nothing was done on one word: tell whoever keeps the server."
)


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


def may_rule(house: House, connection: Connection, who: Member, dataset: str, wanted: Any) -> dict[str, Any]:
    """Refuse a policy of whoever may not keep the data; one that waits any officer of the house may confirm."""
    waits = voices.standing(house, connection, POLICY, dataset)
    mine = charges.stead_of(house, connection, who, charges.policy_of(connection, dataset))
    if mine is None and waits is not None and waits.wanted == wanted and not has_asked(connection, who, dataset):
        return {}
    return may_keep(house, connection, who, dataset)


def others(
    house: House, connection: Connection, mine: frozenset[str], role: str, dataset: str = "", *, named: bool = True
) -> list[Member]:
    """Return who else than these voices could confirm: open accounts with this role that can sign in.

    Of a dataset only those who never asked of it, and keep it, unless all officers of the house are looked at. A
    substitute and whoever is away are one voice: neither of them confirms what the other one wants.
    """
    policy = charges.policy_of(connection, dataset) if named and dataset and role == "officer" else None
    return [
        account
        for account in _able(connection, role)
        if _apart(house, connection, account, policy, mine) and not has_asked(connection, account, dataset)
    ]


def _apart(house: House, connection: Connection, account: Member, policy: Policy | None, mine: frozenset[str]) -> bool:
    """Say whether somebody keeps the data, or is an officer of the house, with a voice that is none of these."""
    stead = () if policy is None else charges.stead_of(house, connection, account, policy)
    free = stead is not None and (not stead or any(each.id not in mine for each in stead))
    return free and account.id not in mine


def alone(house: House, who: Member, role: str, dataset: str = "") -> bool:
    """Say whether nobody else in the house could confirm what this person wants."""
    with house.store.reading() as connection:
        return who != TERMINAL and not others(house, connection, frozenset({who.id}), role, dataset, named=False)


def only_one(house: House, connection: Connection, who: Member, role: str, dataset: str) -> bool:
    """Say the same where something is to hold on one word: accounts that somebody wrote by hand are no answer."""
    if others(house, connection, frozenset({who.id}), role, dataset, named=False):
        return False
    if not replay.all_hold(connection, house.seal, "account"):
        raise ParameterError(HAND_MADE)
    return True


def agreed(
    house: House, connection: Connection, who: Member, role: str, what: tuple[str, str, Any]
) -> dict[str, Any] | None:
    """Return what the trail says of a change that holds now; None where it has to be proposed.

    `what` is the kind of change, what it is about, and what is wanted. A second person confirms by
    wanting exactly the same. The terminal needs nobody: it has the disk.
    """
    kind, about, wanted = what
    if who == TERMINAL:
        voices.forget(connection, kind, about)
        return {}
    motion = voices.standing(house, connection, kind, about)
    stead = _stead(house, connection, who, role, about, motion.voices if motion else frozenset())
    mine = charges.voices(who, stead)
    both = others(house, connection, mine, role, about)  # what is about a person has no askers
    first = _first(motion, both, mine)
    if not both and only_one(house, connection, who, role, about):
        voices.forget(connection, kind, about)
        return ALONE | charges.on_trail(stead)
    if not both and kind != POLICY:
        raise ParameterError(NOBODY)
    if motion is not None and motion.body == voices.body_of(wanted) and first is not None:
        voices.forget(connection, kind, about)
        return {"first": first.login, voices.VOICE: motion.voice} | charges.on_trail(stead)
    return None


def propose(
    house: House, connection: Connection, who: Member, what: tuple[str, str, Any], act: tuple[str, str], **details: Any
) -> None:
    """Write down what waits for a second person, with its act: by that it counts, and others hear of it.

    `what` is as for `agreed`; `act` is how the trail calls it, and what it is about there.
    """
    kind, about, wanted = what
    motion = voices.standing(house, connection, kind, about)
    role = "administrator" if kind == "roles" else "officer"
    stead = _stead(house, connection, who, role, about, motion.voices if motion else frozenset())
    wish = kind, about, voices.body_of(wanted)
    voices.write(house, connection, who, stead, wish, act, details)


def _stead(
    house: House, connection: Connection, who: Member, role: str, about: str, before: frozenset[str] = frozenset()
) -> Member | None:
    """Return in whose stead somebody acts; only officers have substitutes."""
    return charges.stead_at(house, connection, who, about, before) if role == "officer" else None


def _first(motion: voices.Motion | None, both: list[Member], mine: frozenset[str]) -> Member | None:
    """Return who wanted it first and still counts: with another voice than whoever wants it now."""
    if motion is None or not motion.voices.isdisjoint(mine):
        return None
    return next((account for account in both if account.id == motion.by), None)


def agreed_policy(
    house: House, connection: Connection, who: Member, dataset: str, policy: Policy, before: Policy
) -> dict[str, Any] | None:
    """Return what the trail says of a policy that holds now; None where it waits for a second."""
    if not policy.free and not policy.looser(before) and "policy" not in before.both:
        voices.forget(connection, "policy", dataset)
        return {}
    return agreed(house, connection, who, "officer", ("policy", dataset, json.loads(policy.to_json())))


def agreed_beginning(
    house: House, connection: Connection, who: Member, dataset: str, policy: Policy
) -> dict[str, Any] | None:
    """Return the same of the policy with which data begin: to be the only one of several officers takes two, too."""
    if not policy.free and not _names_too_few(connection, policy):
        return {}
    return agreed(house, connection, who, "officer", (POLICY, dataset, json.loads(policy.to_json())))


def without_consent(connection: Connection, policy: Policy) -> Policy:
    """Return what holds of such a policy as long as one officer alone wants it."""
    return replace(policy, free=0.0, officers=() if _names_too_few(connection, policy) else policy.officers)


def _names_too_few(connection: Connection, policy: Policy) -> bool:
    """Say whether a policy names officers, and fewer than two of them could decide here."""
    if not policy.officers:
        return False
    return len([each for each in _able(connection, "officer") if charges.keeps(policy, each)]) < 2


def _able(connection: Connection, role: str) -> list[Member]:
    """Return the open accounts with a role that can sign in."""
    rows = connection.execute(select(accounts).filter_by(active=True)).mappings().all()
    people = [person_of(line) for line in rows if line["password"] or line["id"].startswith(OPENID)]
    return [each for each in people if role in each.roles]


def propose_policy(house: House, connection: Connection, who: Member, dataset: str, name: str, policy: Policy) -> None:
    """Write down the policy that one officer wants."""
    wanted = json.loads(policy.to_json())
    propose(house, connection, who, (POLICY, dataset, wanted), ("policy proposed", name), policy=wanted)


def agreed_act(
    house: House, connection: Connection, who: Member, dataset: str, act: str, wanted: Any
) -> dict[str, Any] | None:
    """Return what the trail says of an act that holds now; None where the policy wants a second officer."""
    if act not in charges.sealed_policy(house, connection, dataset).both:
        return {}
    return agreed(house, connection, who, "officer", (act, dataset, wanted))


def agreed_roles(
    house: House, connection: Connection, who: Member, account: str, roles: frozenset[str], active: bool
) -> dict[str, Any] | None:
    """Return what the trail says of roles that hold now; None where they wait for a second."""
    wanted = {"roles": sorted(roles), "active": active}
    return agreed(house, connection, who, "administrator", ("roles", account, wanted))


def pending(house: House, kind: str, about: str) -> voices.Motion | None:
    """Return what waits for a second person; nothing waits for longer than a week."""
    with house.store.reading() as connection:
        return voices.standing(house, connection, kind, about)


def drop(house: House, who: Member, role: str, proposal: voices.Motion, name: str) -> None:
    """Let a proposal go; whoever made it can, and everybody who keeps the data."""
    require(who, role)
    with house.writing() as connection:
        present(connection, who, role)
        absent = charges.check_keeper(house, connection, who, proposal.about) if role == "officer" else None
        connection.execute(delete(proposals).filter_by(id=proposal.id))
        house.act(connection, who.id, voices.DROPPED, name, kind=proposal.kind, **charges.on_trail(absent))
