"""Messages: which messages a browser may send over its connection; all others never reach Streamlit."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from starlette.types import Message, Receive

from discreet.ui.session.streamlit_seams import MESSAGES, BackMsg

# Connections: how many pages are open, so that no browser and no address takes the places of all others.

MOST_OF_ONE = 40  # pages of one browser
PART = 4  # one fourth for one address, and for all without a cookie; one fourth is reserved for known clients


class Connections:
    """The open pages by browser and by address; those without a cookie count together."""

    def __init__(self, most: int, of_address: int) -> None:
        """Start without pages."""
        self._most = most
        self._of_address = of_address
        self._browsers: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    @property
    def crowded(self) -> bool:
        """Whether the remaining places are reserved for known clients."""
        return self._browsers.total() >= self._most - self._most // PART

    @contextmanager
    def place(self, browser: str, address: str, known: bool = False) -> Iterator[bool]:
        """Hold a place for one more page, and yield whether there was one.

        Known clients do not need a place of their address: others there may have taken all of them.
        """
        most = MOST_OF_ONE if browser else self._most // PART
        room = self._browsers.total() < self._most and (known or not self.crowded)
        near = known or self._addresses[address] < self._of_address
        free = self._browsers[browser] < most and room and near
        if not free:
            yield False
            return
        self._browsers[browser] += 1
        self._addresses[address] += 1
        try:
            yield True
        finally:
            for counted, name in ((self._browsers, browser), (self._addresses, address)):
                counted[name] -= 1
                if not counted[name]:
                    del counted[name]

    def full(self, address: str) -> bool:
        """Whether only known clients can get a place now."""
        return self.crowded or self._addresses[address] >= self._of_address


LARGEST = 1 << 20  # bytes: a large pasted table of declarations is far smaller; some of it is kept
MOST = {"widgets": 2_000, "names": 20, "hashes": 5_000}  # of the lists in a message; a page has some hundred fields
LONGEST = 64 * 1024  # characters of an address, or of the name of a field
PIECE = 32 * 1024  # bytes that count as one message
OF_PAGE, OF_ADDRESS = (10.0, 40.0), (100.0, 400.0)  # messages per second, and as a burst; a class may share one address
REQUESTS = (100.0, 4_000.0)  # of an address, likewise: a first visit makes about 100
MOST_PACES = 10_000
OPERATIONS = {"deferred_file", "dataframe_chunk"}
PRESSES = {"trigger_value", "string_trigger_value", "json_trigger_value", "chat_input_value"}
GONE: Message = {"type": "websocket.disconnect", "code": 1002}


def needed(data: bytes) -> bytes | None:
    """Return the needed part of a message, possibly empty; None if no screen could have sent it."""
    if len(data) > LARGEST:
        return None
    message = BackMsg()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return None
    if not _bearable(message):
        return None
    kind = message.WhichOneof("type")
    if kind == "backend_operation_request":
        return data if message.backend_operation_request.WhichOneof("payload") in OPERATIONS else b""
    if kind == "rerun_script" and message.rerun_script.is_auto_rerun:
        return _without_presses(message)
    return data if kind in MESSAGES else b""


def _without_presses(message: BackMsg) -> bytes:
    """Remove button presses from an automatic rerun: the page sends it again, and the press would act twice."""
    widgets = message.rerun_script.widget_states.widgets
    others = [widget for widget in widgets if widget.WhichOneof("value") not in PRESSES]
    del widgets[:]
    widgets.extend(others)
    return bytes(message.SerializeToString())


def _bearable(message: BackMsg) -> bool:
    """Whether a screen could have sent a message of this size."""
    run = message.rerun_script
    files = message.file_urls_request
    words = (run.query_string, run.page_name, run.page_script_hash, run.fragment_id, files.request_id)
    return (
        len(run.widget_states.widgets) <= MOST["widgets"]
        and len(run.cached_message_hashes) <= MOST["hashes"]
        and len(files.file_names) <= MOST["names"]
        and all(len(word) <= LONGEST for word in (*words, *files.file_names))
        and all(len(widget.id) <= LONGEST for widget in run.widget_states.widgets)
    )


class Pace:
    """A rate limit: messages above the rate wait, and are not lost."""

    def __init__(self, rate: float, most: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with the full burst available."""
        self._rate = rate
        self._most = most
        self._clock = clock
        self._since = clock()
        self._left = most

    def wait(self, size: int) -> float:
        """Return for how many seconds a message of this size has to wait."""
        now = self._clock()
        self._left = min(self._most, self._left + self._rate * (now - self._since)) - 1 - size / PIECE
        self._since = now
        return max(0.0, -self._left / self._rate)


class Paces:
    """The common rate limit of all pages, or of all requests, of an address."""

    def __init__(self, rate: float, most: float) -> None:
        """Start without addresses."""
        self._rate = rate
        self._most = most
        self._of: dict[str, Pace] = {}

    def of(self, address: str) -> Pace:
        """Return the rate limit of an address."""
        if len(self._of) > MOST_PACES:
            self._of.clear()
        if address not in self._of:
            self._of[address] = Pace(self._rate, self._most)
        return self._of[address]


Heard = Callable[[int, float], Awaitable[bool]]  # of a size, after some seconds: whether the connection is open then


def filtered(receive: Receive, near: Pace, heard: Heard) -> Receive:
    """Return a receive function that passes only needed messages at a limited rate; an invalid one disconnects."""
    pace = Pace(*OF_PAGE)

    async def receive_needed() -> Message:
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            data = message.get("bytes")
            if data is None or not await heard(len(data), max(pace.wait(len(data)), near.wait(len(data)))):
                return GONE
            left = needed(data)
            if left is None:
                return GONE
            if left:
                return {**message, "bytes": left}

    return receive_needed
