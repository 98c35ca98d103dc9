"""Sockets: limits on every connection from its first byte on, before anything complete has arrived.

A complete request or message has to arrive in time, and may hold a limited amount of memory while it arrives. If there
is no room for a new connection, the one that has waited longest for a complete message is closed; if too much memory is
held, the one that holds most.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Any

from starlette.types import Message, Receive, Scope

from discreet.ui.gate.addresses import is_proxy, network
from discreet.ui.gate.limits import Limits

# Frames: how much of an incomplete message has arrived, by RFC 6455.

FRAME = 128  # bytes of overhead per frame, besides its content
FIN = 0x80
CONTROL = 0x08
MASKED = 0x80
LENGTH = 0x7F
LONGER = {126: 2, 127: 8}  # bytes of the extended length, by the short length


class Frames:
    """The WebSocket frames that a browser sends, parsed incrementally."""

    def __init__(self) -> None:
        """Start before the first frame."""
        self.begun = 0  # bytes of the incomplete message, including overhead
        self.waits = 0  # bytes of complete messages that are not heard yet
        self._waiting = deque[int]()
        self.controls = 0  # control frames so far
        self._head = b""
        self._left = 0  # bytes of the current frame that are still to come

    def take(self, data: bytes) -> None:
        """Count received data."""
        at = 0
        while at < len(data):
            if self._left:
                took = min(self._left, len(data) - at)
                self._left -= took
                self._count(took)
                at += took
            else:
                before = len(self._head)
                head = self._head + data[at : at + 14 - before]
                length = _head_length(head)
                if len(head) < length:
                    self._head = head
                    return
                self._begin(head[:length])
                at += length - before

    def _begin(self, head: bytes) -> None:
        """Begin a frame whose head is complete; a frame without content is then complete."""
        self._head = head
        short = head[1] & LENGTH
        longer = LONGER.get(short, 0)
        self._left = int.from_bytes(head[2 : 2 + longer], "big") if longer else short
        self.controls += self._control
        self._count(0 if self._control else FRAME)

    def _count(self, size: int) -> None:
        """Count bytes of the frame, and end it when it is complete; the last frame ends the message."""
        if not self._control:
            self.begun += size
        if not self._left:
            if self._head[0] & FIN and not self._control:
                self._waiting.append(self.begun)
                self.waits += self.begun
                self.begun = 0
            self._head = b""

    def heard(self) -> None:
        """Count the oldest complete message as heard."""
        if self._waiting:
            self.waits -= self._waiting.popleft()

    @property
    def _control(self) -> bool:
        return bool(self._head[0] & CONTROL)


def _head_length(head: bytes) -> int:
    """Return the length of a frame's head, as far as its first bytes determine it."""
    if len(head) < 2:
        return 2
    return 2 + LONGER.get(head[1] & LENGTH, 0) + 4 * bool(head[1] & MASKED)


# Bodies: the body of a request has to arrive in time and has a maximum size.

PATIENCE, SLOWEST = 30.0, 64 * 1024  # seconds, and bytes per second: together the time a body may take
LARGEST = 4 << 20  # bytes of a body that is not a file
GONE: Message = {"type": "http.disconnect"}


def bounded(receive: Receive, size: int = 0, largest: float = LARGEST) -> Receive:
    """Return a receive function for a body of about this size, which disconnects if it is too slow or too large.

    The limit ends with the body: a later receive waits for the end of a long response.
    """
    clock = asyncio.get_running_loop()
    end = clock.time() + PATIENCE + size / SLOWEST
    came = 0
    coming = True

    async def receive_bounded() -> Message:
        nonlocal came, coming
        if not coming:
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), max(0.0, end - clock.time()))
        except TimeoutError:
            return GONE
        came += len(message.get("body", b""))
        coming = bool(message.get("more_body"))
        return message if came <= largest else GONE

    return receive_bounded


# Wake-ups: an event loop is woken once for all callbacks that wait.


def wake_once(loop: Any) -> None:
    """Write to the wake-up socket of an asyncio loop only if no earlier byte is still unread.

    A callback is queued before the loop is woken, so an unread byte wakes the loop for that callback too. While the
    byte is read the loop is awake, and looks at the queue before it sleeps.
    """
    write = getattr(loop, "_write_to_self", None)
    read = getattr(loop, "_read_from_self", None)
    if write is None or read is None or not hasattr(loop, "_ssock"):
        return  # other kinds of loops wake in their own way
    unread = False

    def write_once() -> None:
        nonlocal unread
        if not unread:
            unread = True
            write()

    def read_all() -> None:
        nonlocal unread
        read()
        unread = False  # not before: a byte written and read in between would count as unread for ever

    loop.remove_reader(loop._ssock.fileno())
    loop._write_to_self = write_once
    loop._read_from_self = read_all
    loop._add_reader(loop._ssock.fileno(), read_all)


HEAD = 15.0  # seconds in which the head of a request has to arrive
BEGUN = 30.0  # seconds for a message, from its first byte on, and for the first message of a page
STUCK = 60.0  # seconds in which a client has to read some of the data sent to it
LONGEST = 1 << 20  # bytes of a message: a large pasted table of declarations is far smaller
CONTROLS, CONTROLS_IN = 100, 60.0  # control frames, and per how many seconds: a browser sends one in twenty
SOCKET = "discreet.socket"  # the key in the state of a request
OUT_OF = "out of system resource"  # in asyncio's log line, which repeats at every attempt
SAY_EVERY = 60.0


class Socket(asyncio.Protocol):
    """A connection, whose data are passed on as long as they keep to the limits of time and size."""

    def __init__(self, inner: Any, sockets: Sockets) -> None:
        """Wrap a protocol."""
        self.inner = inner
        self.sockets = sockets
        self.transport: Any = None
        self.address = ""
        self.let_in = False
        self.lost = asyncio.Event()
        self.kept = 0  # bytes of the last complete message: its session keeps most of them
        self.counted = 0  # bytes of it that count as held
        self.frames: Frames | None = None  # set once it is the connection of a page
        self._end: asyncio.TimerHandle | None = None
        self._stuck: asyncio.TimerHandle | None = None
        self._since = 0.0
        self._controls = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept the connection if there is room."""
        self.transport = transport
        self.address = network(transport.get_extra_info("peername"))
        self.let_in = self.sockets.enter(self)
        if not self.let_in:
            self.cut()
            return
        self.expect(HEAD)
        self.inner.app_state = {**self.inner.app_state, SOCKET: self}
        self.inner.connection_made(Handed(self))

    def connection_lost(self, wrong: Exception | None) -> None:
        """Free the place of the connection."""
        self.lost.set()
        self.whole()
        self.resume_writing()
        self.sockets.leave(self)
        if self.let_in:
            self.inner.connection_lost(wrong)
            _drop_what_came(self.inner)

    def data_received(self, data: bytes) -> None:
        """Pass on received data, unless they exceed the limits."""
        if self.frames is not None and not self._fits(self.frames, data):
            self.cut()
        if not self.transport.is_closing():
            self.inner.data_received(data)

    def eof_received(self) -> Any:
        """Pass on the end of the data."""
        return self.inner.eof_received() if self.let_in else None

    def pause_writing(self) -> None:
        """Wait for a client that does not read the data it requested, but not forever."""
        if self._stuck is None:
            self._look_again()
            self.inner.pause_writing()

    def _look_again(self, before: int | None = None) -> None:
        """Close the connection if nothing was read since the last check."""
        waits: int = self.transport.get_write_buffer_size()
        if before is not None and waits >= before:
            self.cut()
        else:
            self._stuck = asyncio.get_running_loop().call_later(STUCK, self._look_again, waits)

    def resume_writing(self) -> None:
        """Continue, because the client reads again."""
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
            self.inner.resume_writing()

    def expect(self, seconds: float) -> None:
        """Close the connection unless something complete arrives within this time."""
        self.whole()
        self._end = asyncio.get_running_loop().call_later(seconds, self.cut)
        self.sockets.waiting[self] = None

    def whole(self) -> None:
        """Record that it has arrived."""
        if self._end is not None:
            self._end.cancel()
            self._end = None
            self.sockets.waiting.pop(self, None)

    def cut(self) -> None:
        """Close the connection immediately."""
        self.transport.abort()

    async def heard(self, size: int, seconds: float) -> bool:
        """Record a complete message that has to wait; return whether the connection is still open then.

        The message of a closed connection is not kept until its time comes.
        """
        self.kept = size
        if self.frames is not None:
            self.frames.heard()
        self.whole()
        self.sockets.count(self)
        return await self.open_after(seconds)

    async def open_after(self, seconds: float) -> bool:
        """Wait, but not for a connection that is closed; return whether it is still open then."""
        if seconds and not self.transport.is_closing():
            with suppress(TimeoutError):
                await asyncio.wait_for(self.lost.wait(), seconds)
        return not self.transport.is_closing()

    def belongs_to(self, address: str) -> None:
        """Set the client's address, which behind a proxy only a request contains."""
        self.sockets.move(self, address)

    @property
    def held(self) -> int:
        """The number of bytes held."""
        return self.kept + (0 if self.frames is None else self.frames.begun + self.frames.waits)

    def _fits(self, frames: Frames, data: bytes) -> bool:
        """Count data received for a page; return whether they are within the limits."""
        before = frames.controls
        now = time.monotonic()
        frames.take(data)
        if now > self._since + CONTROLS_IN:
            self._since = now
            self._controls = 0
        self._controls += frames.controls - before
        if frames.begun and self._end is None:
            self.expect(BEGUN)
        self.sockets.count(self)
        return frames.begun <= LONGEST and self._controls <= CONTROLS


def _drop_what_came(page: Any) -> None:
    """Free the incomplete message of a closed page, whose objects refer to each other and are collected much later."""
    buffer = getattr(getattr(getattr(page, "conn", None), "reader", None), "buffer", None)
    if isinstance(buffer, bytearray):
        buffer.clear()


class Handed:
    """The transport that the inner protocol sees; a protocol that takes it over replaces the inner one.

    A page is about fifty messages: those written in one iteration of the loop are sent together.
    """

    def __init__(self, socket: Socket) -> None:
        """Wrap the transport of a connection."""
        self._socket = socket
        self._pieces: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        """Delegate to the transport."""
        return getattr(self._socket.transport, name)

    def write(self, data: bytes) -> None:
        """Write messages of a page at the end of the iteration, and everything else immediately."""
        if self._socket.frames is None:
            self._socket.transport.write(data)
            return
        if not self._pieces:
            asyncio.get_running_loop().call_soon(self._flush)
        self._pieces.append(data)

    def close(self) -> None:
        """Close the connection after everything is sent."""
        self._flush()
        self._socket.transport.close()

    def _flush(self) -> None:
        pieces, self._pieces = self._pieces, []
        if pieces and not self._socket.transport.is_closing():
            self._socket.transport.write(b"".join(pieces))

    def set_protocol(self, protocol: Any) -> None:
        """Replace the inner protocol by that of a page, which sends messages."""
        self._socket.inner = protocol
        self._socket.frames = Frames()

    def get_protocol(self) -> Any:
        """Return the inner protocol."""
        return self._socket.inner


class Sockets:
    """All open connections, the number per address, and the bytes they hold."""

    def __init__(self, limits: Limits) -> None:
        """Start without connections."""
        self.limits = limits
        self.waiting: dict[Socket, None] = {}  # for something complete; the longest wait comes first
        self._open: set[Socket] = set()
        self._of: Counter[str] = Counter()
        self._held: Counter[str] = Counter()

    def enter(self, socket: Socket) -> bool:
        """Admit a connection; if its address or the server is full, it replaces one that waits."""
        full = self._of[socket.address] >= self.limits.sockets_of_one and not is_proxy(socket.address)
        if full and not self._replace(one for one in self.waiting if one.address == socket.address):
            return False
        if len(self._open) >= self.limits.sockets and not self._replace(self.waiting):
            return False
        self._open.add(socket)
        self._of[socket.address] += 1
        return True

    def _replace(self, among: Iterable[Socket]) -> bool:
        """Close the connection that has waited longest for something complete."""
        longest = next(iter(among), None)
        if longest is None:
            return False
        longest.cut()
        longest.whole()
        self.leave(longest)
        return True

    def leave(self, socket: Socket) -> None:
        """Forget a closed connection."""
        if socket in self._open:
            self._open.discard(socket)
            self._less(self._of, socket.address, 1)
            self._less(self._held, socket.address, socket.counted)
            socket.counted = 0

    def move(self, socket: Socket, address: str) -> None:
        """Move a connection to another address."""
        if socket in self._open and address != socket.address:
            for what, size in ((self._of, 1), (self._held, socket.counted)):
                self._less(what, socket.address, size)
                what[address] += size
            socket.address = address

    def count(self, socket: Socket) -> None:
        """Update the bytes that a connection holds; above the limit, the one that holds most is closed."""
        if socket not in self._open:
            return
        self._held[socket.address] += socket.held - socket.counted
        socket.counted = socket.held
        if self._held[socket.address] > self.limits.held_by_one:
            self._cut_largest(one for one in self._open if one.address == socket.address)
        if self._held.total() > self.limits.held:
            self._cut_largest(self._open)

    def _cut_largest(self, among: Iterable[Socket]) -> None:
        largest = max(among, key=lambda one: one.counted)
        largest.cut()
        self.leave(largest)

    @staticmethod
    def _less(what: Counter[str], address: str, size: int) -> None:
        what[address] -= size
        if not what[address]:
            del what[address]


def of(scope: Scope) -> Socket | None:
    """Return the connection of a request; None if no such wrapper is installed, as in a test."""
    found: Socket | None = scope.get("state", {}).get(SOCKET)
    return found


def stand(loop: Any, limits: Limits) -> None:
    """Wrap all connections that a loop accepts from now on."""
    listen = loop.create_server
    sockets = Sockets(limits)

    async def create_server(factory: Callable[[], Any], *args: Any, **options: Any) -> Any:
        return await listen(lambda: Socket(factory(), sockets), *args, **options)

    loop.create_server = create_server
    logging.getLogger("asyncio").addFilter(partial(_now_and_then, [0.0]))


def _now_and_then(said: list[float], record: logging.LogRecord) -> bool:
    """Pass the log line about missing file descriptors once a minute: otherwise it would fill the disk."""
    if OUT_OF not in str(record.msg):
        return True
    now = time.monotonic()
    if now < said[0] + SAY_EVERY and said[0]:
        return False
    said[0] = now
    return True
