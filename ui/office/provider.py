"""Provider: what an OpenID provider says of somebody, and the roles that the configuration gives for it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import streamlit as st

from discreet.budget import ParameterError
from discreet.office.roles import ROLES


def offered() -> bool:
    """Say whether an OpenID provider is configured."""
    with suppress(Exception):
        return "auth" in st.secrets
    return False


def claims() -> dict[str, Any]:
    """Return what the provider said about whoever looks; nothing where there is none."""
    if not offered():
        return {}
    user = st.user.to_dict()
    return user if user.get("is_logged_in") else {}


def roles_of(claims: Mapping[str, Any]) -> frozenset[str]:
    """Return the roles that the configuration gives to what a provider says of somebody.

    The claim may lie inside of others: `claim = ["realm_access", "roles"]`. Names match whole.
    """
    rules = rules_of_roles()
    path, claim = rules.get("claim", "groups"), claims
    for step in [path] if isinstance(path, str) else path:
        claim = claim.get(step, ()) if isinstance(claim, Mapping) else ()
    listed: list[Any] = [claim] if isinstance(claim, str) else []
    listed = claim if isinstance(claim, list) else listed
    groups = {name for name in listed if isinstance(name, str)}
    return frozenset(role for role in ROLES if groups & set(rules.get(role, ())))


def rules_of_roles() -> Mapping[str, Any]:
    """Return which groups have which role; refuse what would give a role to others than meant.

    A text instead of a list would be taken letter by letter: a group called "c" would be officers.
    """
    try:
        rules: Mapping[str, Any] = st.secrets.get("roles", {})
    except FileNotFoundError:
        return {}
    for name, groups in rules.items():
        single = name == "claim" and isinstance(groups, str)
        texts = isinstance(groups, list) and all(isinstance(group, str) for group in groups)
        if name not in ("claim", *ROLES) or not (single or texts):
            raise ParameterError(
                'In [roles], {name} is a list of names, as in {name} = ["curators"]; the roles are {known}.',
                name=name,
                known=", ".join(ROLES),
            )
    return rules
