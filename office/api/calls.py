"""Calls: what an operation is given, and how it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from discreet.budget import AlreadyCharged, BudgetExceeded, ParameterError
from discreet.office.house.failures import UNREACHABLE, sentence
from discreet.office.house.house import House, early
from discreet.office.house.roles import Denied, Member
from discreet.office.people.tokens import Bearer

# Call: what an operation is given, and the ways in which it refuses by itself.


@dataclass(frozen=True)
class Call:
    """One call: its method and path, its caller, its parameters and its body."""

    house: House
    bearer: Bearer
    place: Mapping[str, str]  # what the address names
    body: Mapping[str, Any]

    @property
    def who(self) -> Member:
        """The owner of the token, as the account is now."""
        return self.bearer.who


class NotThere(ParameterError):
    """The object does not exist, or this person may not read it: the answer is the same for both."""

    def __init__(self) -> None:
        """Say the same in both cases."""
        super().__init__("There is nothing here for you. Look at the id, and at whose token this is.")


class OutOfScope(ParameterError):
    """The token does not allow this, whatever the roles of its owner."""

    def __init__(self, scope: str) -> None:
        """Say which scope it needs."""
        super().__init__("This token may not do this. Make one with the scope {choices}.", choices=scope)


# Problems: how an operation that failed answers: a number, and a sentence that says what to do.

TITLES = {
    400: "The body cannot be read.",
    401: "There is no token, or it does not work.",
    403: "This is not for this token or this person.",
    404: "There is nothing here for you.",
    405: "The address has other methods.",
    408: "The body did not come in time.",
    409: "It does not fit in the budget, or was done before.",
    413: "The body is too large.",
    415: "The body must be JSON, and say so.",
    422: "It was understood and refused.",
    429: "Too many calls.",
    500: "Something went wrong.",
    503: "It cannot be done at this moment.",
}


class Refusal(Exception):
    """A number of HTTP with the sentence of this case, and headers where it needs some."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        """Take what is answered."""
        self.status = status
        self.detail = detail
        self.headers = headers or {}
        super().__init__(detail)


def refusal_of(error: Exception) -> Refusal | None:
    """Return how an operation refuses; None for an unexpected error."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, NotThere):
        return Refusal(404, str(error))
    if isinstance(error, (Denied, OutOfScope)):
        return Refusal(403, str(error))
    if isinstance(error, (BudgetExceeded, AlreadyCharged)):
        return Refusal(409, str(error))
    if isinstance(error, ParameterError):
        soon = str(error) == str(early())
        return Refusal(503, str(error), {"retry-after": "2"}) if soon else Refusal(422, str(error))
    if isinstance(error, (OSError, SQLAlchemyError)):
        return Refusal(503, str(sentence(error) or UNREACHABLE), {"retry-after": "60"})
    return None
