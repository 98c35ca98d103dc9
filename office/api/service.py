"""Service: one call of a program from its address to its answer, whatever server it came through."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import copy_context
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from discreet.budget import ParameterError
from discreet.office.api.calls import Call, OutOfScope, Refusal
from discreet.office.api.forms import BodyField, checked, parsed
from discreet.office.api.openapi import openapi
from discreet.office.api.operations import BASE, Operation, at
from discreet.office.api.rate_limit import RateLimit
from discreet.office.house import house as through
from discreet.office.house.house import House
from discreet.office.people import tokens
from discreet.office.people.signing_in import place_of
from discreet.office.people.tokens import Bearer

FILE = f"{BASE}/openapi.json"
MOST_CALLS, MOST_WRONG, SECONDS = 120, 60, 60.0  # of one token; of wrong tokens from one place; in so long
DIGITS = 12
NO_TOKEN = "Send one of your tokens: Authorization: Bearer discreet_... Create tokens on the page Account."
WRONG_TOKEN = (
    "This token does not work: it is wrong, revoked or expired, or its account is closed or lacks the two-factor "
    "authentication that this server requires. Sign in and create a new token."
)
OFTEN = "Too many calls. Wait a minute, then try again."


@dataclass(frozen=True)
class Sent:
    """What came in: method, address, what follows it, headers that matter, and from where."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    authorization: str = ""
    kind: str = ""  # of the body
    body: bytes = b""
    origin: str = ""


class Service:
    """Answers calls of programs, and counts the calls of each token."""

    def __init__(self) -> None:
        """Start with no call."""
        self._calls = RateLimit(MOST_CALLS, SECONDS)
        self._wrong = RateLimit(MOST_WRONG, SECONDS)

    def find(self, sent: Sent) -> tuple[Operation, dict[str, str]] | None:
        """Return the operation of an address; None for the file that describes all of them."""
        if sent.path == FILE and sent.method == "GET":
            return None
        here = at(sent.path)
        if not here and sent.path != FILE:
            raise Refusal(404, f"This address does not exist. {FILE} lists all addresses.")
        if sent.method not in here:
            raise Refusal(
                405, "This address does not support this method.", {"allow": ", ".join(sorted(here)) or "GET"}
            )
        return here[sent.method]

    def answer(self, house: House, sent: Sent) -> dict[str, Any]:
        """Do what was called for, and return its record; raise what refuses."""
        return self.work(house, sent, self.admit(house, sent))

    def admit(self, house: House, sent: Sent) -> Bearer | None:
        """Return the caller before the body is read, or refuse; None for the description, which is public."""
        entry = self.find(sent)
        if entry is None:
            return None
        bearer = self._bearer(house, sent)
        if entry[0].scope not in bearer.credential.scopes:
            raise OutOfScope(entry[0].scope)
        return bearer

    def work(self, house: House, sent: Sent, bearer: Bearer | None) -> dict[str, Any]:
        """Run the operation for a caller who was admitted."""
        entry = self.find(sent)
        if entry is None or bearer is None:
            return openapi()
        operation, place = entry
        body = _body(sent, operation) if operation.body else _query(sent.query, operation.query)
        return copy_context().run(_worked, operation, Call(house, bearer, place, body))

    def _bearer(self, house: House, sent: Sent) -> Bearer:
        """Return the owner of the token. Wrong tokens from the same address never delay a valid one."""
        scheme, _, token = sent.authorization.partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise Refusal(401, NO_TOKEN, {"www-authenticate": "Bearer"})
        bearer = tokens.bearer(house, token.strip())
        if bearer is None and self._wrong.take(place_of(sent.origin)):
            raise Refusal(401, WRONG_TOKEN, {"www-authenticate": 'Bearer error="invalid_token"'})
        if bearer is None or not self._calls.take(bearer.credential.id):
            raise Refusal(429, OFTEN, {"retry-after": str(int(SECONDS))})
        return bearer


def _worked(operation: Operation, call: Call) -> dict[str, Any]:
    """Have it done; what it writes on the trail bears a mark of the token."""
    through.came(call.who.id, through.TOKEN, call.bearer.credential.id)
    record: dict[str, Any] = _finite(operation.work(call))
    return record


def _body(sent: Sent, operation: Operation) -> Mapping[str, Any]:
    """Return the body of a call; nothing else than JSON comes in, and no query beside it."""
    if sent.kind.partition(";")[0].strip().lower() != "application/json":
        raise Refusal(415, "Send the body as JSON: Content-Type: application/json.")
    try:
        thing = parsed(sent.body)
    except ParameterError as wrong:
        raise Refusal(400, str(wrong)) from None
    _query(sent.query, {})
    return checked(thing, operation.body)


def _query(query: Mapping[str, str], parts: Mapping[str, BodyField]) -> Mapping[str, Any]:
    """Return what follows an address: whole numbers only."""
    if any(not (text.isascii() and text.isdecimal() and len(text) <= DIGITS) for text in query.values()):
        raise ParameterError("Parameters in an address must be whole numbers.")
    return checked({name: int(text) for name, text in query.items()}, parts)


def _finite(thing: Any) -> Any:
    """Return a record with numbers that JSON has: null instead of infinities."""
    if isinstance(thing, Mapping):
        return {name: _finite(value) for name, value in thing.items()}
    if isinstance(thing, (list, tuple)):
        return [_finite(value) for value in thing]
    return None if isinstance(thing, float) and not isfinite(thing) else thing
