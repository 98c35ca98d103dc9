"""Strangers: requests of a client without an account, byte by byte, from an address of its own."""

from __future__ import annotations

import socket
import struct
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg

from discreet.ui.session.cookies import BROWSER

BINARY, MORE, PING = 2, 0, 9
FIN = 0x80
MIB = 1 << 20


def frame(data: bytes, kind: int = BINARY, last: bool = True, length: int | None = None) -> bytes:
    """Return a WebSocket frame, masked with zeros; it may declare a larger length than its content."""
    size = len(data) if length is None else length
    head = bytes([kind | FIN * last])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 1 << 16:
        head += bytes([0x80 | 126]) + struct.pack(">H", size)
    else:
        head += bytes([0x80 | 127]) + struct.pack(">Q", size)
    return head + bytes(4) + data


@dataclass
class Stranger:
    """A client that reaches a server from one address."""

    url: str
    source: str = "127.0.0.2"
    lines: list[socket.socket] = field(default_factory=list)

    @property
    def host(self) -> str:
        """Return name and port of the server."""
        return urlsplit(self.url).netloc

    def call(self, first: bytes = b"", wait: float = 30.0) -> socket.socket:
        """Connect, and send bytes."""
        name, _, port = self.host.partition(":")
        line = socket.create_connection((name, int(port)), wait, (self.source, 0))
        self.lines.append(line)
        line.sendall(first)
        return line

    def request(self, method: str = "GET", path: str = "/", rest: str = "") -> bytes:
        """Return the head of a request; `rest` are further lines, and decides whether the head ends."""
        return f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\n{rest}".encode()

    def page(self, cookie: str = "") -> socket.socket:
        """Open the connection of a page."""
        cookies = f"Cookie: {BROWSER}={cookie}\r\n" if cookie else ""
        more = (
            f"Origin: {self.url}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: streamlit\r\n{cookies}\r\n"
        )
        line = self.call(self.request(path="/_stcore/stream", rest=more))
        heard = b""
        while b"\r\n\r\n" not in heard:
            piece = line.recv(4096)
            if not piece:
                raise ConnectionError("refused")
            heard += piece
        if not heard.startswith(b"HTTP/1.1 101"):
            raise ConnectionError(heard.partition(b"\r\n")[0].decode())
        return line

    def pages(self, number: int) -> list[socket.socket]:
        """Open connections until so many are open or one is refused."""
        found = list[socket.socket]()
        with suppress(OSError):
            for _ in range(number):
                found.append(self.page())
        return found

    def leave(self) -> None:
        """Close all connections."""
        for line in self.lines:
            line.close()
        self.lines.clear()


def is_open(line: socket.socket, wait: float = 0.0) -> bool:
    """Whether a server still keeps a connection after some seconds; received data are discarded."""
    end = time.monotonic() + wait
    while True:
        line.settimeout(max(0.01, end - time.monotonic()))
        try:
            if not line.recv(1 << 16):
                return False
        except TimeoutError:
            return True
        except OSError:
            return False


def many_states(number: int = 190_000) -> bytes:
    """Return a message with very many fields."""
    message = BackMsg()
    for n in range(number):
        message.rerun_script.widget_states.widgets.add(id=f"{n}", int_value=n)
    return bytes(message.SerializeToString())


def many_names(number: int = 280_000) -> bytes:
    """Return a message that asks for the addresses of very many files."""
    message = BackMsg()
    message.file_urls_request.file_names.extend([str(n) for n in range(number)])
    return bytes(message.SerializeToString())


def rerun() -> bytes:
    """Return a message that asks for a page."""
    message = BackMsg()
    message.rerun_script.query_string = ""
    return bytes(message.SerializeToString())


@dataclass
class Health:
    """The durations of the server's health checks, and how often there was no response."""

    seconds: list[float] = field(default_factory=list)
    missing: int = 0

    @property
    def worst(self) -> float:
        """The longest duration."""
        return max(self.seconds, default=0.0)


@contextmanager
def watched(url: str, every: float = 0.2) -> Iterator[Health]:
    """Check the health of a server repeatedly, from a monitoring address."""
    health, over = Health(), threading.Event()

    def look() -> None:
        while not over.wait(every):
            begun = time.monotonic()
            try:
                urllib.request.urlopen(f"{url}/_stcore/health", timeout=30).read()
            except OSError:
                health.missing += 1
            health.seconds.append(time.monotonic() - begun)

    watch = threading.Thread(target=look)
    watch.start()
    try:
        yield health
    finally:
        over.set()
        watch.join()


def memory_of(pid: int) -> int:
    """Return how many bytes of memory a process has."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


# attacks: each runs until it is stopped, and reconnects when its connection is closed
def half_messages(who: Stranger) -> None:
    """Begin messages of 30 MiB, and never end one."""
    for line in who.pages(40):
        with suppress(OSError):
            line.settimeout(5)
            line.sendall(frame(b"", length=40 * MIB))
            for _ in range(30):
                line.sendall(b"x" * MIB)


def small_pieces(who: Stranger) -> None:
    """Send a message in pieces of one byte."""
    for line in who.pages(10):
        with suppress(OSError):
            line.sendall(frame(b"x", last=False))
            for _ in range(200):
                line.sendall(frame(b"x", MORE, last=False) * 2000)


def whole_messages(made: Callable[[], bytes]) -> Callable[[Stranger], None]:
    """Return an attack that sends one message repeatedly."""
    made = cache(made)

    def attack(who: Stranger) -> None:
        message = made()
        for line in who.pages(12):
            with suppress(OSError):
                line.sendall(frame(message) * 3)

    return attack


def kept_messages(who: Stranger) -> None:
    """Send on many pages a complete message just below the size limit."""
    message = BackMsg()
    message.rerun_script.widget_states.widgets.add(id="x", string_value="x" * (MIB - 100))
    data = frame(bytes(message.SerializeToString()))
    for line in who.pages(300):
        with suppress(OSError):
            line.sendall(data)


def pings(who: Stranger) -> None:
    """Send very many pings, and read no response."""
    for line in who.pages(4):
        with suppress(OSError):
            line.settimeout(2)
            for _ in range(2000):
                line.sendall(frame(b"x" * 125, PING) * 100)


def reruns(who: Stranger) -> None:
    """Request the first page as fast as possible."""
    data = frame(rerun())
    for line in who.pages(30):
        with suppress(OSError):
            line.settimeout(2)
            line.sendall(data * 500)


def half_requests(who: Stranger) -> None:
    """Begin requests, and never end one."""
    with suppress(OSError):
        for _ in range(1100):
            who.call(who.request())


def slow_heads(who: Stranger) -> None:
    """Send the heads of requests, one byte after another."""
    lines = list[socket.socket]()
    with suppress(OSError):
        for _ in range(300):
            lines.append(who.call(who.request(rest="X: ")))
    for line in lines:
        with suppress(OSError):
            line.sendall(b"y")


def slow_bodies(who: Stranger) -> None:
    """Declare a body, and send none of it."""
    with suppress(OSError):
        for path in ("/", "/api/v1/requests", "/_stcore/upload_file/x/y") * 100:
            line = who.call(who.request("POST", path, "Content-Length: 1000000\r\n\r\n"))
            line.sendall(b"x")


def idle_pages(who: Stranger) -> None:
    """Open pages, and send nothing."""
    who.pages(800)


def second_heads(who: Stranger) -> None:
    """Send a request, and begin another one."""
    with suppress(OSError):
        for _ in range(300):
            line = who.call(who.request(path="/_stcore/health", rest="\r\n"))
            line.recv(4096)
            line.sendall(b"GET / HTTP/1.1\r\nX: ")


def large_heads(who: Stranger) -> None:
    """Send heads that never end."""
    for _ in range(20):
        with suppress(OSError):
            line = who.call(who.request(rest="X: "))
            for _ in range(64):
                line.sendall(b"y" * MIB)


def deaf(who: Stranger) -> None:
    """Request large pages, and read nothing."""
    with suppress(OSError):
        for _ in range(200):
            who.call(who.request(rest="Accept: text/html\r\n\r\n") * 20)


ATTACKS: dict[str, Callable[[Stranger], None]] = {
    "half messages": half_messages,
    "small pieces": small_pieces,
    "many states": whole_messages(many_states),
    "many names": whole_messages(many_names),
    "kept messages": kept_messages,
    "pings": pings,
    "reruns": reruns,
    "half requests": half_requests,
    "slow heads": slow_heads,
    "slow bodies": slow_bodies,
    "idle pages": idle_pages,
    "second heads": second_heads,
    "large heads": large_heads,
    "deaf": deaf,
}


def attack(url: str, name: str, seconds: float, source: str = "127.0.0.2") -> int:
    """Attack repeatedly for this time; return how often."""
    end = time.monotonic() + seconds
    for times in count(1):
        who = Stranger(url, source)
        try:
            ATTACKS[name](who)
            if time.monotonic() > end:
                return times
            time.sleep(min(2.0, max(0.0, end - time.monotonic())))
        except OSError:
            time.sleep(0.5)
        finally:
            who.leave()
    return 0
