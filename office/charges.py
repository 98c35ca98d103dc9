"""Charges: which officers keep which dataset, and which analysts may ask of it, as its policy names them.

Whoever stands in for a named officer (`substitutes`) keeps what that officer keeps, in their stead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, select, union_all

from discreet.budget.errors import ParameterError
from discreet.office import replay
from discreet.office.house import House
from discreet.office.relations import datasets, people, withdrawn
from discreet.office.roles import TERMINAL, Denied, Member, person_of
from discreet.office.substitutes import stood_for

if TYPE_CHECKING:  # who looks after accounts waits for no mechanism
    from discreet.office.registration import Policy


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
    return _first(stead_of(house, connection, who, policy_of(connection, dataset)) or (), before)


def in_stead(house: House, who: Member, dataset: str) -> Member | None:
    """Return the same for a page."""
    with house.store.reading() as connection:
        return stead_at(house, connection, who, dataset)


def voices(who: Member, stead: Member | None) -> frozenset[str]:
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
    return _first(stead)


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
    rows = connection.execute(select(people).filter_by(active=True)).mappings()
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


def _first(stead: tuple[Member, ...], before: frozenset[str] = frozenset()) -> Member | None:
    return next((each for each in stead if each.id not in before), next(iter(stead), None))


def _policies(connection: Connection) -> dict[str, Policy]:
    # what was withdrawn is nobody else's to read about either
    each = union_all(*(select(table.c.id, table.c.policy) for table in (datasets, withdrawn)))
    rows = connection.execute(each)
    return {row.id: _read(row.policy) for row in rows}


def _read(text: str | None) -> Policy:
    from discreet.office.registration import Policy

    return Policy() if text is None else Policy.from_json(text)
