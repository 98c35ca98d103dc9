"""Charges: which officers keep which dataset, and which analysts may ask of it, as its policy names them."""

from __future__ import annotations

from sqlalchemy import Connection, select

from discreet.budget.errors import ParameterError
from discreet.office.house import House
from discreet.office.registration import Policy
from discreet.office.relations import datasets, people
from discreet.office.roles import TERMINAL, Denied, Member, person_of


def keeps(policy: Policy, who: Member) -> bool:
    """Say whether somebody is one of the officers of these data; where none is named every officer is."""
    return who == TERMINAL or not policy.officers or who.login in policy.officers


def may_ask_of(policy: Policy, who: Member) -> bool:
    """Say whether somebody is one of the analysts of these data; where none is named every analyst is."""
    return not policy.analysts or who.login in policy.analysts


def check_keeper(connection: Connection, who: Member, dataset: str) -> None:
    """Refuse whoever is none of the officers of a dataset."""
    if not keeps(policy_of(connection, dataset), who):
        raise ParameterError("The policy of these data names other officers. One of them has to do this.")


def check_analyst(connection: Connection, who: Member, dataset: str) -> None:
    """Refuse whoever is none of the analysts of a dataset."""
    if not may_ask_of(policy_of(connection, dataset), who):
        raise ParameterError("The policy of these data names other analysts.")


def check_reader(house: House, who: Member, dataset: str) -> None:
    """Refuse an officer of other data to read what was asked of these; administrators see to all of them."""
    with house.store.reading() as connection:
        policy = policy_of(connection, dataset)
    if "administrator" not in who.roles and not keeps(policy, who):
        raise Denied


def check_named(connection: Connection, policy: Policy) -> None:
    """Refuse a policy that names officers of whom nobody could act."""
    rows = connection.execute(select(people).filter_by(active=True)).mappings()
    if policy.officers and not any("officer" in person_of(row).roles and keeps(policy, person_of(row)) for row in rows):
        raise ParameterError("None of these logins is an officer here, so nobody could keep these data.")


def of_officer(house: House, who: Member) -> frozenset[str]:
    """Return the datasets that an officer keeps."""
    return frozenset(name for name, policy in _policies(house).items() if keeps(policy, who))


def of_reader(house: House, who: Member) -> frozenset[str]:
    """Return the datasets of which somebody may read what was asked: all of them for an administrator."""
    return frozenset(_policies(house)) if "administrator" in who.roles else of_officer(house, who)


def policy_of(connection: Connection, dataset: str) -> Policy:
    """Return the policy of a dataset, in a transaction that is under way; while it is registered it names nobody."""
    text = connection.execute(select(datasets.c.policy).filter_by(id=dataset)).scalar_one_or_none()
    return Policy() if text is None else Policy.from_json(text)


def _policies(house: House) -> dict[str, Policy]:
    with house.store.reading() as connection:
        rows = connection.execute(select(datasets.c.id, datasets.c.policy))
        return {row.id: Policy.from_json(row.policy) for row in rows}
