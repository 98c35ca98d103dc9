"""Arrival: whom a provider has just signed in comes in here."""

from __future__ import annotations

import time

from discreet.office import providers
from discreet.ui.office import door, provider
from discreet.ui.state import language

FRESH = 300.0  # seconds for which a provider's word is taken


def arrive() -> bool:
    """Let in whom a provider has just signed in; say whether it gives them no role here."""
    claims, house = provider.claims(), door.house()
    if not claims or house is None or time.time() - float(claims.get("iat") or 0) > FRESH:
        return False
    subject = f"{claims.get('iss')}|{claims.get('sub')}"
    if providers.left_after(house, subject, float(claims["iat"])):
        return False  # signed out here since: another tab must not bring them back
    login = str(claims.get("email") or claims.get("preferred_username") or claims.get("sub"))
    name = str(claims.get("name") or login)
    person = providers.from_provider(house, subject, login, name, provider.roles_of(claims))
    if person is None or not person.roles:
        return True
    door.let_in(person, language())
    return False
