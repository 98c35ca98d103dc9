"""About tokens: whose token this is, and what it may do."""

from __future__ import annotations

from datetime import UTC, datetime

from discreet.office.api.about_data import Record
from discreet.office.api.call import Call


def me(call: Call) -> Record:
    """Say whose token this is, what it may do, and until when."""
    own = call.bearer.credential
    return {
        "login": call.who.login,
        "name": call.who.name,
        "roles": sorted(call.who.roles),
        "token": own.name,
        "scopes": sorted(own.scopes),
        "until": datetime.fromtimestamp(own.until, UTC).isoformat(timespec="seconds"),
    }
