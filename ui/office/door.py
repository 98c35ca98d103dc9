"""The door: the house of this server, who stands in front of it, and the way in and out."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from threading import Thread
from typing import Any

import streamlit as st
from sqlalchemy.exc import SQLAlchemyError

from discreet.budget import ParameterError
from discreet.office import Account, House, invitations, keeping, open_house, providers, registry, sessions, settings
from discreet.office.causes import cause
from discreet.office.registry import Registered
from discreet.office.roles import ROLES
from discreet.ui.cookies import BROWSER, SESSION

LOOK_EVERY = 20.0  # seconds until rows that another process deleted are let go, at most
MISCONFIGURED = 78  # the word of systemd for what a restart does not mend
FRESH = 300.0  # seconds for which a provider's word is taken
GO = "export default ({ data }) => { if (data.to) window.location.replace(data.to); };"


@lru_cache(maxsize=1)
def _house() -> House:
    return open_house()


def house() -> House | None:
    """Return the house; None where its folder or its database cannot be reached."""
    try:
        return _house()
    except (OSError, SQLAlchemyError) as wrong:
        logging.getLogger("discreet").error("no house: %s", cause(wrong))
        return None


def address(host: str, port: int, named: str) -> str:
    """Return where people reach this server: by its name if it has one, behind a proxy with TLS."""
    if named and named != "localhost":
        return f"https://{named}"
    return f"http://{named or host}:{port}"


def open_up() -> None:
    """Open rows, finish what a crash left, and keep watching; begun once the server listens."""
    Thread(target=_keep_house, daemon=True).start()


def _keep_house() -> None:
    begun = False
    while True:
        try:
            found = house()
            if found is not None and not begun:
                found.ahead = begun = True
                keeping.begin(found)
            if found is not None:
                keeping.drop_deleted(found)
        except Exception as wrong:  # the next round tries again
            logging.getLogger("discreet").error("keeping house: %s", cause(wrong))
        time.sleep(LOOK_EVERY)


def announce(address: str) -> None:
    """Say who may come in, and print the link to the first account, while there is none.

    Settings that mean nothing end the server here, in one sentence: an error would be printed as a
    long trace, and the sentence with it.
    """
    try:
        settings.check()
        _rules()
        found = house()
        if found is not None:
            keeping.check_memory(found)
    except ParameterError as wrong:
        print(f"\n  Discreet does not start. {wrong}\n", file=sys.stderr, flush=True)
        os._exit(MISCONFIGURED)
    print(f"\n  {settings.MODES[settings.mode()]}", flush=True)
    if found is not None:
        found.ahead = True
    link = invitations.setup_link(found) if found is not None else None
    if link is not None:
        print(
            f"\n  To keep data for others to ask, set up the first account (works once):"
            f"\n  {address}/sign-in?link={link}\n",
            flush=True,
        )


def of_cookies(cookies: Mapping[str, Any]) -> Account | None:
    """Return who a browser's cookies are signed in as."""
    secret, found = cookies.get(SESSION), house()
    if not isinstance(secret, str) or found is None:
        return None
    return sessions.of_session(found, secret)


def signed_in(cookies: Mapping[str, Any]) -> bool:
    """Say whether a browser's cookies are of somebody who is signed in; if in doubt, not."""
    with suppress(SQLAlchemyError):
        return of_cookies(cookies) is not None
    return False


def stay() -> str:
    """Name the stay of whoever is signed in, by a hash of what their browser carries."""
    return sha256(str(st.context.cookies.get(SESSION, "")).encode()).hexdigest()


def who() -> Account | None:
    """Return who looks at the screen, looked up anew in every run."""
    with suppress(SQLAlchemyError):
        return of_cookies(st.context.cookies)
    return None


def desks() -> list[Registered]:
    """Return the registered datasets that whoever looks may ask."""
    person, found = who(), house()
    if person is None or found is None or "analyst" not in person.roles:
        return []
    return [one for one in registry.everything(found) if one.state == "open"]


def must_sign_in() -> bool:
    """Say whether this server shows nothing to whoever is not signed in."""
    return settings.mode() != settings.OPEN


def let_in(person: Account) -> None:
    """Send a browser through the address that gives it a session of its own."""
    found = house()
    browser = st.context.cookies.get(BROWSER)
    if found is None or not isinstance(browser, str):
        return
    go(f"/enter/{sessions.ticket(found, person, browser)}")


def go(address: str) -> None:
    """Send the browser to an address of this server."""
    st.components.v2.component("discreet_go", js=GO)(key=f"go:{address[-8:]}", data={"to": address})


def sign_out() -> None:
    """End the session, here and with the provider."""
    person, found = who(), house()
    if person is not None and found is not None:
        sessions.end_session(found, str(st.context.cookies.get(SESSION)), person)
    if _told():
        st.logout()


def offers_provider() -> bool:
    """Say whether an OpenID provider is configured."""
    with suppress(Exception):
        return "auth" in st.secrets
    return False


def arrive() -> bool:
    """Let in whom a provider has just signed in; say whether it gives them no role here."""
    told, found = _told(), house()
    if not told or found is None or time.time() - float(told.get("iat") or 0) > FRESH:
        return False
    subject = f"{told.get('iss')}|{told.get('sub')}"
    if providers.left_after(found, subject, float(told["iat"])):
        return False  # signed out here since: another tab must not bring them back
    login = str(told.get("email") or told.get("preferred_username") or told.get("sub"))
    name = str(told.get("name") or login)
    person = providers.from_provider(found, subject, login, name, _roles(told))
    if person is None or not person.roles:
        return True
    let_in(person)
    return False


def _told() -> dict[str, Any]:
    """Return what the provider said about whoever looks; nothing where there is none."""
    if not offers_provider():
        return {}
    user = st.user.to_dict()
    return user if user.get("is_logged_in") else {}


def _roles(told: Mapping[str, Any]) -> frozenset[str]:
    """Return the roles that the configuration gives to what a provider says of somebody.

    The claim may lie inside of others: `claim = ["realm_access", "roles"]`. Names match whole.
    """
    rules = _rules()
    path, said = rules.get("claim", "groups"), told
    for step in [path] if isinstance(path, str) else path:
        said = said.get(step, ()) if isinstance(said, Mapping) else ()
    listed: list[Any] = [said] if isinstance(said, str) else []
    listed = said if isinstance(said, list) else listed
    groups = {name for name in listed if isinstance(name, str)}
    return frozenset(role for role in ROLES if groups & set(rules.get(role, ())))


def _rules() -> Mapping[str, Any]:
    """Return which groups have which role; refuse what would give a role to others than meant.

    A text instead of a list would be taken letter by letter: a group called "c" would be officers.
    """
    try:
        rules: Mapping[str, Any] = st.secrets.get("roles", {})
    except FileNotFoundError:
        return {}
    for name, told in rules.items():
        single = name == "claim" and isinstance(told, str)
        texts = isinstance(told, list) and all(isinstance(one, str) for one in told)
        if name not in ("claim", *ROLES) or not (single or texts):
            raise ParameterError(
                'In [roles], {name} is a list of names, as in {name} = ["curators"]; the roles are {known}.',
                name=name,
                known=", ".join(ROLES),
            )
    return rules
