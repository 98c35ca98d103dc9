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
from discreet.office.house.roles import TERMINAL, Denied, Member, person_of
from discreet.office.house.tables import datasets, motions, withdrawn
from discreet.office.rules import two_persons
from discreet.office.rules.substitutes import stood_for
from discreet.office.rules.two_persons import APPROVAL, POLICY, Motion, Wish, on_trail
from discreet.office.rules.visit import Visit, acting, looking

if TYPE_CHECKING:  # who looks after accounts waits for no mechanism
    from discreet.office.rules.registration import Policy

# Charges: which officers keep which dataset, and which analysts may ask of it, as its policy names them.


def keeps(policy: Policy, who: Member) -> bool:
    """Return whether a person is one of the officers of these data; if none is named, every officer is."""
    return who == TERMINAL or not policy.officers or who.login in policy.officers


def may_ask_of(policy: Policy, who: Member) -> bool:
    """Return whether a person is one of the analysts of these data; if none is named, every analyst is."""
    return not policy.analysts or who.login in policy.analysts


def stead_of(visit: Visit, who: Member) -> tuple[Member, ...] | None:
    """Return the officers for whom a person manages the data: empty by their own right, None without a right."""
    if keeps(visit.policy, who):
        return ()
    return tuple(each for each in stood_for(visit, who) if keeps(visit.policy, each)) or None


def stead_at(visit: Visit, before: frozenset[str] = frozenset()) -> Member | None:
    """Return the officer for whom a person acts here; None if they act by their own right, or not at all.

    Of several it is the first without a voice among those `before`: a substitute for two acts for one of them.
    """
    return _first_keeper(stead_of(visit, visit.who) or (), before)


def in_stead(house: House, who: Member, dataset: str) -> Member | None:
    """Return the same for a page."""
    with looking(house, who, dataset) as visit:
        return stead_at(visit)


def voices_of(who: Member, stead: Member | None) -> frozenset[str]:
    """Return the voices of one of two people: their own, and that of the absent officer."""
    return frozenset({who.id} if stead is None else {who.id, stead.id})


def check_keeper(visit: Visit) -> Member | None:
    """Refuse a person who is not an officer of the dataset; return the officer for whom they act, if any."""
    stead = stead_of(visit, visit.who)
    if stead is None:
        raise ParameterError("The policy of this dataset names other officers. One of them must do this.")
    return _first_keeper(stead)


def check_reader(house: House, who: Member, dataset: str) -> None:
    """Refuse an officer of other data to read what was asked of these; administrators see to all of them."""
    with looking(house, who, dataset) as visit:
        stead = stead_of(visit, who)
    if "administrator" not in who.roles and ("officer" not in who.roles or stead is None):
        raise Denied


def check_named(visit: Visit, policy: Policy) -> None:
    """Refuse a policy that names officers if none of them could act."""
    everybody = map(person_of, visit.accounts)
    if policy.officers and not any("officer" in each.roles and keeps(policy, each) for each in everybody):
        raise ParameterError("None of these logins belongs to an officer here, so no one could manage this dataset.")


def of_officer(house: House, who: Member) -> frozenset[str]:
    """Return the datasets that an officer manages, themselves or as a substitute."""
    with looking(house, who) as visit:
        return kept_by(visit)


def kept_by(visit: Visit) -> frozenset[str]:
    """Return the same, in a transaction that is under way; none for a person who is not an officer."""
    if "officer" not in visit.who.roles:
        return frozenset()
    both = (visit.who, *stood_for(visit, visit.who))
    policies = _policies(visit.connection)
    return frozenset(name for name, policy in policies.items() if any(keeps(policy, each) for each in both))


def of_reader(house: House, who: Member) -> frozenset[str]:
    """Return the datasets with requests that a person may read: all for an administrator."""
    with looking(house, who) as visit:
        return frozenset(_policies(visit.connection)) if "administrator" in who.roles else kept_by(visit)


def _first_keeper(stead: tuple[Member, ...], before: frozenset[str] = frozenset()) -> Member | None:
    return next((each for each in stead if each.id not in before), next(iter(stead), None))


def _policies(connection: Connection) -> dict[str, Policy]:
    from discreet.office.rules.registration import Policy

    # withdrawn datasets follow the same rule
    each = union_all(*(select(table.c.id, table.c.policy) for table in (datasets, withdrawn)))
    rows = connection.execute(each)
    return {row.id: Policy.from_json(row.policy) for row in rows}


# Duties: who may not do both, and what two people have to want.

RULING = those(lambda act: act.rules)
ALONE = {"alone": True}  # on the trail: no second person could confirm it
NOBODY = Phrase(
    "This action requires two officers, and the policy of this dataset names no other officer "
    "who could be the second. Nothing was done. Propose a policy that names another officer. "
    "Every officer here can confirm it."
)
HAND_MADE = Phrase(
    "The accounts in the database do not match the audit log. One person alone cannot do this "
    "now, so nothing was done. Contact the server administrator."
)


def may_ask(visit: Visit) -> None:
    """Refuse a question from a person who manages the data or decided about them, or who is not one of its analysts."""
    if not may_ask_of(visit.policy, visit.who):
        raise ParameterError("The policy of this dataset allows only other analysts.")
    mine = (line for line in visit.trail.about(visit.row["name"]) if line["who"] == visit.who.id)
    decided = any(asked["decided_by"] == visit.who.id for asked in visit.asked)
    if decided or any(line["what"] in RULING for line in mine):
        raise ParameterError(
            "You registered this dataset or a version of it, changed its policy or schema, or decided "
            "on a request for it. Someone else must send the request."
        )


def has_asked(visit: Visit, who: Member) -> bool:
    """Return whether a person has ever sent a request for the dataset."""
    return any(asked["analyst"] == who.id for asked in visit.asked)


def may_keep(visit: Visit) -> dict[str, Any]:
    """Refuse a decision or policy of a person who sent requests for the data, or who is not one of its officers.

    Return the trail's details about the substitution; an officer who sent requests cannot be substituted.
    """
    absent = check_keeper(visit)
    if has_asked(visit, visit.who):
        raise ParameterError("You have sent requests for this dataset. Another officer must do this.")
    if absent is not None and has_asked(visit, absent):
        raise ParameterError(
            "You substitute for {name}, who has sent requests for this dataset. Another officer must do this.",
            name=absent.name,
        )
    return on_trail(absent)


def may_rule(visit: Visit, wanted: Any) -> dict[str, Any]:
    """Refuse a policy of a person who may not manage the data; any officer may confirm one that waits."""
    waits = two_persons.standing(visit, POLICY, visit.dataset)
    mine = stead_of(visit, visit.who)
    if mine is None and waits is not None and waits.wanted == wanted and not has_asked(visit, visit.who):
        return {}
    return may_keep(visit)


def others(visit: Visit, mine: frozenset[str], role: str, *, named: bool = True) -> list[Member]:
    """Return who else than these voices could confirm: open accounts with this role that can sign in.

    Of a dataset only those who never asked of it, and keep it, unless all officers of the house are looked at. A
    substitute and the absent officer are one voice: neither of them confirms what the other one wants.
    """
    of_data = named and bool(visit.dataset) and role == "officer"
    return [
        account
        for account in _able(visit, role)
        if _apart(visit, account, mine, of_data) and not (visit.dataset and has_asked(visit, account))
    ]


def _apart(visit: Visit, account: Member, mine: frozenset[str], of_data: bool) -> bool:
    """Return whether a person manages the data, or is an officer of the house, with a voice other than these."""
    stead = stead_of(visit, account) if of_data else ()
    free = stead is not None and (not stead or any(each.id not in mine for each in stead))
    return free and account.id not in mine


def alone(house: House, who: Member, role: str, dataset: str = "") -> bool:
    """Return whether no other person in the house could confirm what this person wants."""
    with looking(house, who, dataset) as visit:
        return who != TERMINAL and not others(visit, frozenset({who.id}), role, named=False)


def only_one(visit: Visit, role: str) -> bool:
    """Return the same for a change on one person's word; refuse if accounts do not match the trail."""
    if others(visit, frozenset({visit.who.id}), role, named=False):
        return False
    if not replay.all_hold(visit.connection, visit.house.seal, "account"):
        raise ParameterError(HAND_MADE)
    return True


def agreed(visit: Visit, wish: Wish) -> dict[str, Any] | None:
    """Return what the trail says of something that holds now; None where it has to be proposed, for a second person.

    The second person confirms by the same change, or approves a request with a checklist of their own. Where
    no other person could, it holds at once, and the trail says so. The first one does not count without the role, or
    after requests for the data. The terminal needs no second person: it has the disk.
    """
    if visit.who == TERMINAL:
        two_persons.forget(visit, wish)
        return {}
    motion = two_persons.standing(visit, wish.kind, wish.about)
    stead = _stead(visit, wish, motion)
    mine = voices_of(visit.who, stead)
    both = others(visit, mine, wish.role)  # what is about a person has no askers
    if not both and only_one(visit, wish.role):
        two_persons.forget(visit, wish)
        return ALONE | on_trail(stead)
    if not both and wish.kind != POLICY:
        raise ParameterError(NOBODY)
    first = _first_voice(motion, both, mine)
    if motion is not None and first is not None and wish.agrees(motion):
        two_persons.forget(visit, wish)
        return motion.told(first.login) | on_trail(stead)
    if motion is not None and wish.kind == APPROVAL and not motion.voices.isdisjoint(mine):
        _refuse_same(visit, motion)
    return None


def propose(visit: Visit, wish: Wish, act: tuple[Act, str], **details: Any) -> None:
    """Store what waits for a second person, with its act: by that it counts, and others are notified.

    `act` is how the trail calls it, and what it is about there.
    """
    motion = two_persons.standing(visit, wish.kind, wish.about)
    two_persons.write(visit, _stead(visit, wish, motion), wish, act, details)


def _stead(visit: Visit, wish: Wish, motion: Motion | None) -> Member | None:
    """Return the officer for whom a person acts; only officers have substitutes."""
    return stead_at(visit, motion.voices if motion else frozenset()) if wish.role == "officer" else None


def _first_voice(motion: Motion | None, both: list[Member], mine: frozenset[str]) -> Member | None:
    """Return the first person if they still count and have another voice than the present one."""
    if motion is None or not motion.voices.isdisjoint(mine):
        return None
    return next((account for account in both if account.id == motion.by), None)


def _refuse_same(visit: Visit, motion: Motion) -> None:
    """Refuse the second approval of one voice, while the first of it counts."""
    if motion.by == visit.who.id:
        raise ParameterError("You have already approved this request. Another officer must approve it, too.")
    first = next((person_of(row) for row in visit.accounts if row["id"] == motion.by), None)
    if first is not None and stead_of(visit, first) is not None:
        raise ParameterError(
            "You and the officer who approved this request substitute for each other or for the same "
            "officer. A third officer must approve it, too."
        )


def agreed_policy(visit: Visit, policy: Policy, before: Policy) -> dict[str, Any] | None:
    """Return what the trail says of a policy that holds now; None where it waits for a second."""
    wish = _wish_of(visit, policy)
    if not policy.free and not policy.looser(before) and "policy" not in before.both:
        two_persons.forget(visit, wish)
        return {}
    return agreed(visit, wish)


def agreed_beginning(visit: Visit, policy: Policy) -> dict[str, Any] | None:
    """Return the same of the policy with which data begin: to be the only one of several officers takes two, too."""
    if not policy.free and not _names_too_few(visit, policy):
        return {}
    return agreed(visit, _wish_of(visit, policy))


def without_consent(visit: Visit, policy: Policy) -> Policy:
    """Return what holds of such a policy as long as one officer alone wants it."""
    return replace(policy, free=0.0, officers=() if _names_too_few(visit, policy) else policy.officers)


def _names_too_few(visit: Visit, policy: Policy) -> bool:
    """Return whether a policy names officers, and fewer than two of them could decide here."""
    if not policy.officers:
        return False
    return len([each for each in _able(visit, "officer") if keeps(policy, each)]) < 2


def _able(visit: Visit, role: str) -> list[Member]:
    """Return the open accounts with a role that can sign in."""
    return [each for each in visit.able if role in each.roles]


def _wish_of(visit: Visit, policy: Policy) -> Wish:
    return Wish(POLICY, visit.dataset, json.loads(policy.to_json()))


def propose_policy(visit: Visit, name: str, policy: Policy) -> None:
    """Write down the policy that one officer wants."""
    wish = _wish_of(visit, policy)
    propose(visit, wish, (POLICY_PROPOSED, name), policy=wish.wanted)


def agreed_act(visit: Visit, kind: str, wanted: Any) -> dict[str, Any] | None:
    """Return what the trail says of a change that holds now; None where the policy wants a second officer."""
    if kind not in visit.sealed_policy.both:
        return {}
    return agreed(visit, Wish(kind, visit.dataset, wanted))


def pending(house: House, kind: str, about: str) -> Motion | None:
    """Return what waits for a second person; nothing waits for longer than a week."""
    with looking(house) as visit:
        return two_persons.standing(visit, kind, about)


def drop(house: House, who: Member, role: str, proposal: Motion, name: str) -> None:
    """Drop a proposal; its author can, and every officer who manages the data."""
    dataset = proposal.about if role == "officer" else ""
    with acting(house, who, role) as visit:
        absent = check_keeper(visit.to(dataset)) if dataset else None
        visit.connection.execute(delete(motions).filter_by(id=proposal.id))
        visit.act(DROPPED, name, kind=proposal.kind, **on_trail(absent))
