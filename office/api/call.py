"""Call: what an operation is given, and the ways in which it refuses by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from discreet.budget import ParameterError
from discreet.office.credentials import Bearer
from discreet.office.house import House
from discreet.office.roles import Member


@dataclass(frozen=True)
class Call:
    """One call: where, by whom, about what, and what was sent."""

    house: House
    bearer: Bearer
    place: Mapping[str, str]  # what the address names
    body: Mapping[str, Any]

    @property
    def who(self) -> Member:
        """Whose token it is, as the account is now."""
        return self.bearer.who


class NotThere(ParameterError):
    """There is no such thing, or it is not for this person: nobody learns which."""

    def __init__(self) -> None:
        """Say the same in both cases."""
        super().__init__("There is nothing here for you. Look at the id, and at whose token this is.")


class OutOfScope(ParameterError):
    """The token may not do this, whoever owns it."""

    def __init__(self, scope: str) -> None:
        """Say which scope it needs."""
        super().__init__("This token may not do this. Make one with the scope {choices}.", choices=scope)
