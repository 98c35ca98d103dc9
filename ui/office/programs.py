"""Programs: the HTTP interface for programs, which is opened by a token and never by a cookie."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from asyncio import Semaphore
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http import HTTPStatus
from typing import Any
from uuid import uuid4
from weakref import WeakValueDictionary

from anyio import CapacityLimiter, to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from discreet.office import House
from discreet.office.api.calls import Refusal, refusal_of
from discreet.office.api.forms import LARGEST
from discreet.office.api.operations import at
from discreet.office.api.service import Sent, Service
from discreet.office.house.failures import UNREACHABLE, cause
from discreet.office.people.signing_in import place_of
from discreet.office.running.metrics import TALLY
from discreet.ui.session import door

PATIENCE = 10.0  # seconds in which a body has to arrive
AT_ONCE, WAITING = 4, 32  # calls that are processed, and that wait: screens keep working beside them
BODIES_OF_ONE, CALLS_OF_ONE, AT_ONCE_OF_ONE = 8, 12, 2  # of one account, over all of its tokens
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"]
HEADERS = {"cache-control": "no-store"}
BUSY = "Too many calls at this moment. Try again in a few seconds."
BUSY_OWN = "Too many calls of this account at this moment. Try again in a few seconds."
SOON = {"retry-after": "5"}


class Places:
    """A limit per account, so that one account cannot take the places of others."""

    def __init__(self, most: int) -> None:
        """Start without any taken."""
        self._most = most
        self._taken = Counter[str]()

    @contextmanager
    def taken(self, whose: str) -> Iterator[None]:
        """Hold a place for an account, or refuse."""
        if self._taken[whose] >= self._most:
            raise Refusal(429, BUSY_OWN, SOON)
        self._taken[whose] += 1
        try:
            yield
        finally:
            self._taken[whose] -= 1
            if not self._taken[whose]:
                del self._taken[whose]


class Programs:
    """The entry point of all calls of programs."""

    def __init__(self) -> None:
        """Limit how many calls run together: they share the machine with the screens."""
        self.service = Service()
        self._limit: CapacityLimiter | None = None
        self._limits = WeakValueDictionary[str, Semaphore]()
        self._inside = 0
        self._bodies = Places(BODIES_OF_ONE)
        self._calls = Places(CALLS_OF_ONE)

    async def answer(self, request: Request) -> Response:
        """Answer a call, or refuse it in one sentence; count it, with its duration."""
        begun = time.monotonic()
        answer = await self._answered(request)
        entry = at(request.scope["path"]).get(request.method)
        TALLY.count(entry[0].name if entry else "none", answer.status_code, time.monotonic() - begun)
        return answer

    async def _answered(self, request: Request) -> Response:
        try:
            record = await self._record(request)
        except ClientDisconnect:
            return Response(status_code=HTTPStatus.BAD_REQUEST)
        except Exception as error:
            return _refused(refusal_of(error) or _unforeseen(error))
        return _written(record, 200, "application/json")

    async def _record(self, request: Request) -> dict[str, Any]:
        """Identify the caller, read the body, and run the call; a slow body holds no place of others."""
        sent = _head(request)
        self.service.find(sent)  # an unknown address is refused first
        with self._place():
            bearer = await self._aside(self.service.admit, sent)
        whose = place_of(sent.origin) if bearer is None else bearer.who.id
        if request.method == "POST":
            with self._bodies.taken(whose):
                sent = replace(sent, body=await _read(request))
        with self._calls.taken(whose), self._place():
            async with self._limits.setdefault(whose, Semaphore(AT_ONCE_OF_ONE)):
                record: dict[str, Any] = await self._aside(self.service.work, sent, bearer)
            return record

    @contextmanager
    def _place(self) -> Iterator[None]:
        """Hold one of the common places, or refuse."""
        if self._inside >= AT_ONCE + WAITING:
            raise Refusal(503, BUSY, SOON)
        self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1

    async def _aside(self, step: Callable[..., Any], *given: Any) -> Any:
        """Run a step in a thread, with few threads in total."""
        self._limit = self._limit or CapacityLimiter(AT_ONCE)
        return await to_thread.run_sync(lambda: step(_house(), *given), limiter=self._limit)


def _house() -> House:
    house = door.house()
    if house is None:
        raise Refusal(503, str(UNREACHABLE), {"retry-after": "60"})
    return house


def _head(request: Request) -> Sent:
    """Return the head of a request, which is available before the body."""
    headers = request.headers
    query = dict(request.query_params)
    where = request.client.host if request.client is not None else ""
    words = (headers.get("authorization", ""), headers.get("content-type", ""))
    return Sent(request.method, request.scope["path"], query, *words, b"", where)


async def _read(request: Request) -> bytes:
    """Return a body that is not too large, not too slow, and not compressed."""
    if request.headers.get("content-encoding", "identity") != "identity":
        raise Refusal(415, "Send the body as it is, not packed.")
    if _announced(request) > LARGEST:
        raise _too_large()
    try:
        return await asyncio.wait_for(_body(request), PATIENCE)
    except TimeoutError:
        raise Refusal(408, "The body did not come in time.") from None


def _announced(request: Request) -> int:
    """Return the declared length of a body; 0 if it is not declared."""
    length = request.headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdecimal() and len(length) < 20 else 0


async def _body(request: Request) -> bytes:
    """Return a body within the size limit."""
    parts = list[bytes]()
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > LARGEST:
            raise _too_large()
        parts.append(part)
    return b"".join(parts)


def _too_large() -> Refusal:
    return Refusal(413, f"The body may have {LARGEST:,} bytes.", {"connection": "close"})


def _refused(refusal: Refusal) -> Response:
    """Return a refusal in the format of problem details (RFC 9457)."""
    title = HTTPStatus(refusal.status).phrase
    record = {"title": title, "status": refusal.status, "detail": refusal.detail}
    answer = _written(record, refusal.status, "application/problem+json")
    answer.headers.update(refusal.headers)
    return answer


def _unforeseen(error: Exception) -> Refusal:
    """Log the cause of an error under a reference, and return a refusal with the reference."""
    reference = uuid4().hex[:8]
    logging.getLogger("discreet").error("error %s: %s", reference, cause(error))
    return Refusal(500, f"Something went wrong. Nothing of the data is shown. Reference: {reference}")


def _written(record: dict[str, Any], status: int, kind: str) -> Response:
    return Response(json.dumps(record, ensure_ascii=False), status, HEADERS, kind)


CALLS = [Route("/api/{rest:path}", Programs().answer, methods=METHODS)]
