"""Rights: who keeps which dataset and may ask of it, who may not do both, and what two people have to want."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, delete, select, union_all

from discreet.budget import ParameterError
from discreet.budget.errors import Phrase
from discreet.office.house import replay
from discreet.office.house.acts import DROPPED, POLICY_PROPOSED, Act, those
from discreet.office.house.house import House
from discreet.office.house.roles import OPENID, TERMINAL, Denied, Member, person_of, present, require
from discreet.office.house.tables import acts, datasets, proposals, requests, withdrawn
from discreet.office.house.tables import people as accounts
from discreet.office.rules import two_persons
from discreet.office.rules.substitutes import stood_for

# Charges: which officers keep which dataset, and which analysts may ask of it, as its policy names them.


if TYPE_CHECKING:  # who looks after accounts waits for no mechanism
    from discreet.office.rules.registration import Policy


def keeps(policy: Policy, who: Member) -> bool:
    """Say whether somebody is one of the officers of these data; where none is named every officer is."""
    return who == TERMINAL or not policy.officers or who.login in policy.officers


def may_ask_of(policy: Policy, who: Member) -> bool:
    """Say whether somebody is one of the analysts of these data; where none is named every analyst is."""
    return not policy.analysts or who.login in policy.analysts


def stead_of(house: House, connection: Connection, who: Member, policy: Policy) -> tuple[Member, ...] | None:
    """Return in whose stead somebody keeps data: nobody's, by their own right; None where they do not."""
    if keeps(policy, who):
        return ()
    return tuple(each for each in stood_for(house, connection, who) if keeps(policy, each)) or None


def stead_at(
    house: House, connection: Connection, who: Member, dataset: str, before: frozenset[str] = frozenset()
) -> Member | None:
    """Return in whose stead somebody acts here; nobody's where they act by their own right, or not at all.

    Of several it is the first whose voice was not among those `before`: whoever stands in for two is one of them.
    """
    return _first_keeper(stead_of(house, connection, who, policy_of(connection, dataset)) or (), before)


def in_stead(house: House, who: Member, dataset: str) -> Member | None:
    """Return the same for a page."""
    with house.store.reading() as connection:
        return stead_at(house, connection, who, dataset)


def voices_of(who: Member, stead: Member | None) -> frozenset[str]:
    """Return whose voices somebody's is, who is one of two: their own, and that of whoever is away."""
    return frozenset({who.id} if stead is None else {who.id, stead.id})


def on_trail(stead: Member | None) -> dict[str, Any]:
    """Return what the trail says of in whose stead something is done."""
    return {} if stead is None else {"for": stead.login}


def check_keeper(house: House, connection: Connection, who: Member, dataset: str) -> Member | None:
    """Refuse whoever is none of the officers of a dataset; return in whose stead it is, if in somebody's."""
    stead = stead_of(house, connection, who, policy_of(connection, dataset))
    if stead is None:
        raise ParameterError("The policy of these data names other officers. One of them has to do this.")
    return _first_keeper(stead)


def check_analyst(connection: Connection, who: Member, dataset: str) -> None:
    """Refuse whoever is none of the analysts of a dataset."""
    if not may_ask_of(policy_of(connection, dataset), who):
        raise ParameterError("The policy of these data names other analysts.")


def check_reader(house: House, who: Member, dataset: str) -> None:
    """Refuse an officer of other data to read what was asked of these; administrators see to all of them."""
    with house.store.reading() as connection:
        stead = stead_of(house, connection, who, policy_of(connection, dataset))
    if "administrator" not in who.roles and ("officer" not in who.roles or stead is None):
        raise Denied


def check_named(connection: Connection, policy: Policy) -> None:
    """Refuse a policy that names officers of whom nobody could act."""
    rows = connection.execute(select(accounts).filter_by(active=True)).mappings()
    if policy.officers and not any("officer" in person_of(row).roles and keeps(policy, person_of(row)) for row in rows):
        raise ParameterError("None of these logins is an officer here, so nobody could keep these data.")


def of_officer(house: House, who: Member) -> frozenset[str]:
    """Return the datasets that an officer keeps, or that somebody keeps for whom they stand in."""
    with house.store.reading() as connection:
        return kept_by(house, connection, who)


def kept_by(house: House, connection: Connection, who: Member) -> frozenset[str]:
    """Return the same, in a transaction that is under way; none for whoever is no officer."""
    if "officer" not in who.roles:
        return frozenset()
    both = (who, *stood_for(house, connection, who))
    return frozenset(
        name for name, policy in _policies(connection).items() if any(keeps(policy, each) for each in both)
    )


def of_reader(house: House, who: Member) -> frozenset[str]:
    """Return the datasets of which somebody may read what was asked: all of them for an administrator."""
    with house.store.reading() as connection:
        return read_by(house, connection, who)


def read_by(house: House, connection: Connection, who: Member) -> frozenset[str]:
    """Return the same, in a transaction that is under way."""
    return frozenset(_policies(connection)) if "administrator" in who.roles else kept_by(house, connection, who)


def policy_of(connection: Connection, dataset: str) -> Policy:
    """Return the policy of a dataset, in a transaction that is under way; while it is registered it names nobody."""
    text = connection.execute(select(datasets.c.policy).filter_by(id=dataset)).scalar_one_or_none()
    return _read(text)


def sealed_policy(house: House, connection: Connection, dataset: str) -> Policy:
    """Return the same where something is decided by it: a policy that somebody wrote by hand decides nothing."""
    row = next(replay.rows(connection, "dataset", datasets.c.id == dataset), None)
    if row is None:
        return _read(None)
    if not replay.same(connection, house.seal, row, "policy"):
        raise ParameterError(
            "The trail knows another policy of these data. Nothing was done: tell whoever keeps the server."
        )
    return _read(row["policy"])


def _first_keeper(stead: tuple[Member, ...], before: frozenset[str] = frozenset()) -> Member | None:
    return next((each for each in stead if each.id not in before), next(iter(stead), None))


def _policies(connection: Connection) -> dict[str, Policy]:
    # what was withdrawn is nobody else's to read about either
    each = union_all(*(select(table.c.id, table.c.policy) for table in (datasets, withdrawn)))
    rows = connection.execute(each)
    return {row.id: _read(row.policy) for row in rows}


def _read(text: str | None) -> Policy:
    from discreet.office.rules.registration import Policy

    return Policy() if text is None else Policy.from_json(text)


# Duties: who may not do both, and what two people have to want.

RULING = those(lambda act: act.rules)
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
    check_analyst(connection, who, dataset)
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
    absent = check_keeper(house, connection, who, dataset)
    if has_asked(connection, who, dataset):
        raise ParameterError("You have asked of these data. Another officer has to do this.")
    if absent is not None and has_asked(connection, absent, dataset):
        raise ParameterError(
            "{name}, for whom you stand in, has asked of these data. Another officer has to do this.", name=absent.name
        )
    return on_trail(absent)


def may_rule(house: House, connection: Connection, who: Member, dataset: str, wanted: Any) -> dict[str, Any]:
    """Refuse a policy of whoever may not keep the data; one that waits any officer of the house may confirm."""
    waits = two_persons.standing(house, connection, POLICY, dataset)
    mine = stead_of(house, connection, who, policy_of(connection, dataset))
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
    policy = policy_of(connection, dataset) if named and dataset and role == "officer" else None
    return [
        account
        for account in _able(connection, role)
        if _apart(house, connection, account, policy, mine) and not has_asked(connection, account, dataset)
    ]


def _apart(house: House, connection: Connection, account: Member, policy: Policy | None, mine: frozenset[str]) -> bool:
    """Say whether somebody keeps the data, or is an officer of the house, with a voice that is none of these."""
    stead = () if policy is None else stead_of(house, connection, account, policy)
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
        two_persons.forget(connection, kind, about)
        return {}
    motion = two_persons.standing(house, connection, kind, about)
    stead = _stead(house, connection, who, role, about, motion.voices if motion else frozenset())
    mine = voices_of(who, stead)
    both = others(house, connection, mine, role, about)  # what is about a person has no askers
    first = _first_voice(motion, both, mine)
    if not both and only_one(house, connection, who, role, about):
        two_persons.forget(connection, kind, about)
        return ALONE | on_trail(stead)
    if not both and kind != POLICY:
        raise ParameterError(NOBODY)
    if motion is not None and motion.body == two_persons.body_of(wanted) and first is not None:
        two_persons.forget(connection, kind, about)
        return {"first": first.login, two_persons.VOICE: motion.voice} | on_trail(stead)
    return None


def propose(
    house: House, connection: Connection, who: Member, what: tuple[str, str, Any], act: tuple[Act, str], **details: Any
) -> None:
    """Write down what waits for a second person, with its act: by that it counts, and others hear of it.

    `what` is as for `agreed`; `act` is how the trail calls it, and what it is about there.
    """
    kind, about, wanted = what
    motion = two_persons.standing(house, connection, kind, about)
    role = "administrator" if kind == "roles" else "officer"
    stead = _stead(house, connection, who, role, about, motion.voices if motion else frozenset())
    wish = kind, about, two_persons.body_of(wanted)
    two_persons.write(house, connection, who, stead, wish, act, details)


def _stead(
    house: House, connection: Connection, who: Member, role: str, about: str, before: frozenset[str] = frozenset()
) -> Member | None:
    """Return in whose stead somebody acts; only officers have substitutes."""
    return stead_at(house, connection, who, about, before) if role == "officer" else None


def _first_voice(motion: two_persons.Motion | None, both: list[Member], mine: frozenset[str]) -> Member | None:
    """Return who wanted it first and still counts: with another voice than whoever wants it now."""
    if motion is None or not motion.voices.isdisjoint(mine):
        return None
    return next((account for account in both if account.id == motion.by), None)


def agreed_policy(
    house: House, connection: Connection, who: Member, dataset: str, policy: Policy, before: Policy
) -> dict[str, Any] | None:
    """Return what the trail says of a policy that holds now; None where it waits for a second."""
    if not policy.free and not policy.looser(before) and "policy" not in before.both:
        two_persons.forget(connection, "policy", dataset)
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
    return len([each for each in _able(connection, "officer") if keeps(policy, each)]) < 2


def _able(connection: Connection, role: str) -> list[Member]:
    """Return the open accounts with a role that can sign in."""
    rows = connection.execute(select(accounts).filter_by(active=True)).mappings().all()
    people = [person_of(line) for line in rows if line["password"] or line["id"].startswith(OPENID)]
    return [each for each in people if role in each.roles]


def propose_policy(house: House, connection: Connection, who: Member, dataset: str, name: str, policy: Policy) -> None:
    """Write down the policy that one officer wants."""
    wanted = json.loads(policy.to_json())
    propose(house, connection, who, (POLICY, dataset, wanted), (POLICY_PROPOSED, name), policy=wanted)


def agreed_act(
    house: House, connection: Connection, who: Member, dataset: str, act: str, wanted: Any
) -> dict[str, Any] | None:
    """Return what the trail says of an act that holds now; None where the policy wants a second officer."""
    if act not in sealed_policy(house, connection, dataset).both:
        return {}
    return agreed(house, connection, who, "officer", (act, dataset, wanted))


def agreed_roles(
    house: House, connection: Connection, who: Member, account: str, roles: frozenset[str], active: bool
) -> dict[str, Any] | None:
    """Return what the trail says of roles that hold now; None where they wait for a second."""
    wanted = {"roles": sorted(roles), "active": active}
    return agreed(house, connection, who, "administrator", ("roles", account, wanted))


def pending(house: House, kind: str, about: str) -> two_persons.Motion | None:
    """Return what waits for a second person; nothing waits for longer than a week."""
    with house.store.reading() as connection:
        return two_persons.standing(house, connection, kind, about)


def drop(house: House, who: Member, role: str, proposal: two_persons.Motion, name: str) -> None:
    """Let a proposal go; whoever made it can, and everybody who keeps the data."""
    require(who, role)
    with house.writing() as connection:
        present(connection, who, role)
        absent = check_keeper(house, connection, who, proposal.about) if role == "officer" else None
        connection.execute(delete(proposals).filter_by(id=proposal.id))
        house.act(connection, who.id, DROPPED, name, kind=proposal.kind, **on_trail(absent))
