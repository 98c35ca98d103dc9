"""Rulings: officers change the policy of a dataset, two of them where questions run at once."""

from __future__ import annotations

import json

from sqlalchemy import update

from discreet.office import charges, duties
from discreet.office.house import House
from discreet.office.registration import Policy
from discreet.office.registry import find
from discreet.office.relations import datasets
from discreet.office.roles import Member, present, require


def amend(house: House, who: Member, dataset: str, policy: Policy) -> bool:
    """Change the policy from now on; what was decided stays decided.

    Return False where it waits: what loosens it, or names other people, needs a second officer of the
    house who says the same, if there is one.
    """
    require(who, "officer")
    with house.writing(dataset) as connection:
        present(connection, who, "officer")
        data, before = find(house, dataset), charges.sealed_policy(house, connection, dataset)
        stead = duties.may_rule(house, connection, who, dataset, json.loads(policy.to_json()))
        charges.check_named(connection, policy)
        if policy == before:
            return True  # it holds already, and nobody has to want it twice
        consent = duties.agreed_policy(house, connection, who, dataset, policy, before)
        wanted = {"policy": json.loads(policy.to_json())}
        if consent is None:
            duties.propose_policy(house, connection, who, dataset, data.name, policy)
            return False
        meant = {"policy": policy.to_json()}
        connection.execute(update(datasets).filter_by(id=dataset).values(**meant))
        both = wanted | {"before": json.loads(before.to_json())}
        house.act(connection, who.id, "policy", data.name, meant, **both, **(stead | consent))
    return True
