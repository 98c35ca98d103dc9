"""Door: the office of this server, who is signed in, and how they sign in and out."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from typing import Any

import streamlit as st
from sqlalchemy.exc import SQLAlchemyError

from discreet.budget import ParameterError
from discreet.office import House, Member, open_house
from discreet.office.datasets import registry
from discreet.office.datasets.registry import Registered
from discreet.office.house import house as house_module
from discreet.office.house.failures import cause, ending
from discreet.office.house.roles import ANALYST, ROLES
from discreet.office.notices.news import choose_tongue
from discreet.office.people import signing_in
from discreet.office.rules import rights
from discreet.office.running import settings
from discreet.ui.session.cookies import BROWSER, DEVICE, SESSION

# Provider: the claims of an OpenID provider, and the roles that the configuration derives from them.


def offered() -> bool:
    """Whether an OpenID provider is configured."""
    with suppress(Exception):
        return "auth" in st.secrets
    return False


def claims() -> dict[str, Any]:
    """Return the provider's claims about the viewer; empty if there are none."""
    if not offered():
        return {}
    user = st.user.to_dict()
    return user if user.get("is_logged_in") else {}


def roles_of(claims: Mapping[str, Any]) -> frozenset[str]:
    """Return the roles that the configuration assigns to a provider's claims.

    The claim may be nested: `claim = ["realm_access", "roles"]`. Names must match completely.
    """
    rules = rules_of_roles()
    path = rules.get("claim", "groups")
    claim = claims
    for step in [path] if isinstance(path, str) else path:
        claim = claim.get(step, ()) if isinstance(claim, Mapping) else ()
    listed: list[Any] = [claim] if isinstance(claim, str) else []
    listed = claim if isinstance(claim, list) else listed
    groups = {name for name in listed if isinstance(name, str)}
    return frozenset(role for role in ROLES if groups & set(rules.get(role, ())))


def rules_of_roles() -> Mapping[str, Any]:
    """Return which groups have which role; refuse a configuration that would give a role to unintended people.

    A text instead of a list would be read letter by letter: a group called "c" would become officers.
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
                'In [roles], {name} must be a list of names, as in {name} = ["curators"]. The roles are {known}.',
                name=name,
                known=", ".join(ROLES),
            )
    return rules


GO = "export default ({ data }) => { if (data.to) window.location.replace(data.to); };"


@lru_cache(maxsize=1)
def _house() -> House:
    return open_house()


def house() -> House | None:
    """Return the office; None if its folder or database cannot be reached."""
    try:
        return _house()
    except (OSError, SQLAlchemyError) as wrong:
        logging.getLogger("discreet").error("no house: %s", cause(wrong))
        return None


def trouble() -> str:
    """Return why there is no office, in one line for the server administrator; empty if there is one."""
    try:
        _house()
    except (OSError, SQLAlchemyError) as wrong:
        return ending(wrong)
    return ""


def of_cookies(cookies: Mapping[str, Any]) -> Member | None:
    """Return the person that a browser's cookies are signed in as."""
    secret = cookies.get(SESSION)
    here = house() if isinstance(secret, str) else None  # a class server has no office to ask
    person = None if here is None else signing_in.of_session(here, str(secret))
    if person is not None:
        house_module.came(person.id, house_module.SESSION, str(secret))
    return person


def signed_in(cookies: Mapping[str, Any]) -> bool:
    """Whether a browser's cookies belong to a signed-in person; False if in doubt."""
    with suppress(SQLAlchemyError):
        return of_cookies(cookies) is not None
    return False


def whence() -> tuple[str, str]:
    """Return the network address of a sign-in attempt and the mark of its browser; no address means this machine."""
    return str(st.context.ip_address or ""), str(st.context.cookies.get(DEVICE) or "")


def stay() -> str:
    """Return the name of the signed-in session: a hash of the browser's cookie."""
    return sha256(str(st.context.cookies.get(SESSION, "")).encode()).hexdigest()


def who() -> Member | None:
    """Return the signed-in person, looked up again in every run."""
    with suppress(SQLAlchemyError):
        return of_cookies(st.context.cookies)
    return None


def desks() -> list[Registered]:
    """Return the registered datasets that the signed-in person may query."""
    person = who()
    here = house()
    if person is None or here is None or ANALYST not in person.roles:
        return []
    every = registry.everything(here)
    return [data for data in every if data.state == "open" and rights.may_ask_of(data.policy, person)]


def must_sign_in() -> bool:
    """Whether this server shows nothing to a person who is not signed in."""
    return settings.mode() != settings.OPEN


def let_in(person: Member, language: str) -> None:
    """Send the browser to the address that starts its session.

    Mail to this person uses the language of their first sign-in until they choose another one.
    """
    here = house()
    browser = st.context.cookies.get(BROWSER)
    if here is None:
        return
    with suppress(ParameterError):  # if the account was closed at this moment, the address shows it
        choose_tongue(here, person, language, first=True)
    if isinstance(browser, str):
        go(f"/enter/{signing_in.ticket(here, person, browser)}")


def go(address: str) -> None:
    """Redirect the browser to an address of this server."""
    st.components.v2.component("discreet_go", js=GO)(key=f"go:{address[-8:]}", data={"to": address})


def sign_out() -> None:
    """End the session, here and at the provider."""
    person = who()
    here = house()
    if person is not None and here is not None:
        signing_in.end_session(here, str(st.context.cookies.get(SESSION)), person)
    if claims():
        st.logout()
