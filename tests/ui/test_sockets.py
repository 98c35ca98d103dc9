"""Sockets: what is counted and timed before anything whole has come over a connection, and who is drawn next."""

from __future__ import annotations

import asyncio
import logging
import random
import socket
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
from support.loops import run_alone
from support.strangers import BINARY, FIN, MORE, PING, frame
from uvicorn.config import Config
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol
from uvicorn.server import ServerState

from discreet.rows import capacity
from discreet.ui.gate import addresses, gate, messages, runs, sockets
from discreet.ui.gate.limits import Limits
from discreet.ui.gate.sockets import FRAME, Frames

FEW = Limits(sockets=8, sockets_of_one=4, held=4000, held_by_one=2000, pages=8, pages_of_one=2)
Talk = Callable[["Served"], Awaitable[None]]


class Inner(asyncio.Protocol):
    """What stands behind: it says what it hears, and becomes a page when it is asked to."""

    def __init__(self, of: Served) -> None:
        """Be one of those that are served."""
        self.of, self.app_state, self.heard = of, dict[str, Any](), b""

    def connection_made(self, transport: Any) -> None:
        """Remember."""
        self.transport = transport
        self.of.inner.append(self)

    def data_received(self, data: bytes) -> None:
        """Hear; a whole head is answered as the gate does."""
        self.heard += data
        line: Any = self.app_state.get(sockets.SOCKET)
        if data.endswith(b"page\r\n\r\n"):
            self.transport.set_protocol(Inner(self.of))
            line.expect(sockets.BEGUN)
        elif data.endswith(b"\r\n\r\n"):
            line.whole()
            self.transport.write(b"answer")
            line.expect(sockets.HEAD)


class Served:
    """A server in this process, and those who talk to it."""

    def __init__(self, limits: Limits) -> None:
        """Wait to be begun."""
        self.limits, self.inner, self.lines = limits, list[Inner](), list[socket.socket]()

    async def begin(self) -> None:
        """Listen, with what stands in front."""
        loop = asyncio.get_running_loop()
        sockets.stand(loop, self.limits)
        self._server = await loop.create_server(lambda: Inner(self), "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def call(self, first: bytes = b"", source: str = "127.0.0.2") -> socket.socket:
        """Connect, and say something."""
        line = socket.socket()
        line.bind((source, 0))
        line.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(line, ("127.0.0.1", self.port))
        self.lines.append(line)
        await self.say(line, first)
        return line

    async def page(self, source: str = "127.0.0.2") -> socket.socket:
        """Connect as a page does."""
        return await self.call(b"page\r\n\r\n", source)

    async def say(self, line: socket.socket, data: bytes) -> None:
        """Say something, and let it be heard."""
        with suppress(OSError, TimeoutError):
            await asyncio.wait_for(asyncio.get_running_loop().sock_sendall(line, data), 2)
        await asyncio.sleep(0.02)

    async def is_open(self, line: socket.socket) -> bool:
        """Say whether it is still open; what was sent is thrown away."""
        await asyncio.sleep(0.02)
        try:
            while line.recv(65536):
                pass
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    async def open(self) -> list[bool]:
        """Say of all whether they are open."""
        return [await self.is_open(line) for line in self.lines]

    def end(self) -> None:
        """Hang up."""
        for line in self.lines:
            line.close()
        self._server.close()


def serving(talk: Talk, limits: Limits = FEW) -> None:
    """Let somebody talk to a server."""

    async def whole() -> None:
        served = Served(limits)
        await served.begin()
        try:
            await talk(served)
        finally:
            served.end()

    run_alone(whole())


@pytest.fixture(autouse=True)
def nobody_between(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy is believed."""
    addresses._proxies.cache_clear()
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "")


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has long to wait."""
    for name in ("HEAD", "BEGUN", "STUCK"):
        monkeypatch.setattr(sockets, name, 1.0)


@pytest.mark.usefixtures("soon")
def test_the_first_lines_of_a_request_come_in_time() -> None:
    """However slowly somebody goes on; and again for each further request on the connection."""

    async def talk(served: Served) -> None:
        silent, slow = await served.call(), await served.call(b"GET")
        prompt, again = await served.call(b"GET\r\n\r\n"), await served.call(b"GET\r\n\r\n")
        for _ in range(3):
            await served.say(slow, b"x")
            await served.say(again, b"GET")
        assert await served.is_open(prompt)
        await asyncio.sleep(1.2)
        assert not any([await served.is_open(line) for line in (silent, slow, again, prompt)])

    serving(talk)


@pytest.mark.usefixtures("soon")
def test_a_message_comes_in_time_and_silence_is_no_message() -> None:
    """One that has begun ends in time; between messages a page may be silent, and answers that it is there."""

    async def talk(served: Served) -> None:
        begun, mute, well = [await served.page() for _ in range(3)]
        await served.say(begun, frame(b"x", length=100))
        await served.say(well, frame(b"x"))
        await served.inner[2].app_state[sockets.SOCKET].heard(1, 0)
        for _ in range(4):
            await served.say(well, frame(b"1234", 10))
            await served.say(begun, b"x")
        await asyncio.sleep(1.2)
        assert await served.open() == [False, False, True], mute
        await served.say(well, frame(b"x", length=50))
        await asyncio.sleep(1.2)
        assert not await served.is_open(well)

    serving(talk)


def test_what_an_address_begins_and_does_not_end_makes_room_for_the_next() -> None:
    """The one goes that waits longest; another address is not touched, and who is whole stays."""

    async def talk(served: Served) -> None:
        neighbour = await served.call(b"GET\r\n\r\n", "127.0.0.3")
        await asyncio.sleep(0.1)
        served.inner[0].app_state[sockets.SOCKET].whole()
        lines = [await served.call(b"GET") for _ in range(6)]
        assert [await served.is_open(line) for line in lines] == [False] * 2 + [True] * 4
        assert await served.is_open(neighbour)
        others = [await served.call(b"GET", f"127.0.0.{number}") for number in range(4, 8)]
        assert [await served.is_open(line) for line in (*lines, neighbour)] == [False] * 3 + [True] * 4
        assert all([await served.is_open(line) for line in others])

    serving(talk)


def test_where_all_are_whole_one_more_is_refused() -> None:
    """Nobody who talks is thrown out for somebody new."""

    async def talk(served: Served) -> None:
        for _ in range(5):
            await served.call(b"GET\r\n\r\n")
            for inner in served.inner:
                inner.app_state[sockets.SOCKET].whole()
        assert await served.open() == [True] * 4 + [False]
        assert await served.is_open(await served.call(source="127.0.0.9"))

    serving(talk)


def test_behind_a_proxy_connections_are_of_whom_the_request_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxy's own address has no limit; those whom it names do."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "10.0.0.0/8, 127.0.0.2")
    addresses._proxies.cache_clear()

    async def talk(served: Served) -> None:
        for _ in range(8):
            await served.page()
            served.inner[-1].app_state[sockets.SOCKET].belongs_to(f"192.0.2.{len(served.lines) % 2}")
        assert all(await served.open())
        for line in served.lines[:6:2]:
            await served.say(line, frame(b"x" * 700, length=9000))
        assert (await served.open()).count(False) == 1

    serving(talk)
    assert addresses.is_proxy("10.9.9.9") and not addresses.is_proxy("127.0.0.1")
    addresses._proxies.cache_clear()


def test_a_whole_message_counts_until_it_is_heard() -> None:
    """Two unheard messages hold as much as two begun ones; a heard one is replaced by the next."""

    async def talk(served: Served) -> None:
        heard, unheard = [await served.page(f"127.0.0.{number}") for number in (2, 3)]
        for _ in range(4):
            await served.say(heard, frame(b"x" * 900))
            await served.inner[0].app_state[sockets.SOCKET].heard(900, 0)
        await served.say(unheard, frame(b"x" * 900))
        assert await served.open() == [True, True]
        await served.say(unheard, frame(b"x" * 900))
        assert await served.open() == [True, False]

    serving(talk)


def test_the_message_of_a_closed_page_is_not_kept_until_its_time_comes() -> None:
    """It waits as long as its connection is open, and no longer."""

    async def talk(served: Served) -> None:
        for size, still in ((900, True), (9000, False)):  # the second is more than one address may hold
            line = await served.page()
            here = served.inner[-1].app_state[sockets.SOCKET]
            assert await here.heard(size, 0.05) is still
            line.close()
        line = await served.page()
        waits = asyncio.create_task(served.inner[-1].app_state[sockets.SOCKET].heard(900, 60))
        await asyncio.sleep(0.1)
        assert not waits.done()
        line.close()
        assert await asyncio.wait_for(waits, 2) is False

    serving(talk)


def test_the_incomplete_message_of_a_closed_page_is_freed() -> None:
    """Where the installed server keeps it, in objects that refer to each other."""

    async def page() -> Any:
        config = Config(Inner)  # any app: none is called
        config.load()
        return AutoWebSocketsProtocol(config, ServerState(), {})

    closed = run_alone(page())
    closed.conn.reader.feed_data(b"x" * 1000)
    sockets._drop_what_came(closed)
    assert len(closed.conn.reader.buffer) == 0


def test_who_holds_most_goes_first() -> None:
    """Messages that have begun and those that are kept count, for an address and for all."""

    async def talk(served: Served) -> None:
        large, small, kept = [await served.page() for _ in range(3)]
        await served.say(small, frame(b"x" * 100, length=900))
        await served.inner[2].app_state[sockets.SOCKET].heard(600, 0)
        await served.say(large, frame(b"x" * 900, length=9000))
        assert await served.open() == [True, True, True]
        await served.say(large, b"x" * 400)
        assert await served.open() == [False, True, True]
        for number in (3, 4):
            other = await served.page(f"127.0.0.{number}")
            await served.say(other, frame(b"x" * 1400, length=9000))
            await served.say(other, b"x" * 100)
        assert (await served.open()).count(False) == 2, kept

    serving(talk)


def test_no_message_is_larger_than_a_screen_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor has so many pieces that they take as much; and no page asks for many signs of life."""
    monkeypatch.setattr(sockets, "LONGEST", 1500)
    limits = Limits(8, 8, 10**6, 10**6, 8, 8)

    async def talk(served: Served) -> None:
        whole, large, pieces, pings, fine = [await served.page() for _ in range(5)]
        await served.say(whole, frame(b"x" * 1300))
        await served.say(large, frame(b"x" * 1600, length=9000))
        await served.say(pieces, frame(b"x", last=False) + frame(b"", MORE, last=False) * 12)
        await served.say(pings, frame(b"x" * 9, PING) * 101)
        await served.say(fine, frame(b"", PING) * 100)
        assert await served.open() == [True, False, False, False, True]

    serving(talk, limits)


@pytest.mark.usefixtures("soon")
def test_who_takes_nothing_is_let_go() -> None:
    """What waits for somebody takes memory; who reads slowly but reads is no such person."""

    async def talk(served: Served) -> None:
        deaf, slow = await served.call(b"GET\r\n\r\n"), await served.call(b"GET\r\n\r\n")
        for inner in served.inner:
            inner.app_state[sockets.SOCKET].whole()
            inner.transport.write(b"x" * 30_000_000)
        for _ in range(25):
            await asyncio.sleep(0.1)
            for _ in range(10):
                try:
                    slow.recv(1 << 16)
                except BlockingIOError:
                    break
        assert served.inner[0].app_state[sockets.SOCKET].transport.is_closing()
        assert await served.is_open(deaf) is False
        assert not served.inner[1].app_state[sockets.SOCKET].transport.is_closing()

    serving(talk)


def test_pieces_are_counted_however_they_arrive() -> None:
    """Random messages, cut at random places: as much is begun as a reader of whole frames says."""
    lot = random.Random(20261126)
    for _ in range(300):
        stream, expected, begun, controls = b"", list[tuple[int, int, int]](), 0, 0
        for _ in range(lot.randrange(1, 8)):
            kind = lot.choice((BINARY, MORE, PING))
            size, last = lot.choice((0, 1, 125, 126, 300, 70_000)), lot.random() < 0.5
            stream += frame(b"x" * min(size, 125 if kind == PING else size), kind, last or kind == PING)
            if kind == PING:
                controls += 1
            else:
                begun = 0 if last else begun + FRAME + size
            expected.append((len(stream), begun, controls))
        frames, at = Frames(), 0
        for end, begun, controls in expected:
            while at < end:
                piece = stream[at : min(end, at + lot.choice((1, 2, 5, 1000, 100_000)))]
                frames.take(piece)
                at += len(piece)
            assert (frames.begun, frames.controls) == (begun, controls)
    assert FIN == 0x80


def test_the_line_about_missing_files_is_said_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    """It would fill the disk of the ledger; every other line is said."""

    async def talk(served: Served) -> None:
        for _ in range(1000):
            logging.getLogger("asyncio").error("socket.accept() out of system resource")
        logging.getLogger("asyncio").error("is not a Discreet project file")

    serving(talk)
    assert [record.message for record in caplog.records if record.name == "asyncio"] == [
        "socket.accept() out of system resource",
        "is not a Discreet project file",
    ]


def test_a_loop_that_is_woken_once_for_all_sleeps_through_nothing() -> None:
    """Also what is queued just while it reads that it was woken; many at once write to it few times."""
    written = 0

    async def whole() -> None:
        nonlocal written
        loop: Any = asyncio.get_running_loop()
        read, write = loop._read_from_self, loop._write_to_self

        def counted() -> None:
            nonlocal written
            written += 1
            write()

        def busy() -> None:
            loop.call_soon_threadsafe(int)  # somebody is just as fast
            read()

        loop._read_from_self, loop._write_to_self = busy, counted
        sockets.wake_once(loop)
        for _ in range(20):
            heard = asyncio.Event()
            threading.Timer(0.01, loop.call_soon_threadsafe, (heard.set,)).start()
            await asyncio.wait_for(heard.wait(), 5)
        assert written < 60
        before, done = written, asyncio.Event()

        def flood() -> None:
            for _ in range(2000):
                loop.call_soon_threadsafe(int)
            loop.call_soon_threadsafe(done.set)

        thread = threading.Thread(target=flood)
        thread.start()
        time.sleep(0.2)  # meanwhile the loop reads nothing
        await asyncio.wait_for(done.wait(), 5)
        thread.join()
        assert written - before < 200

    run_alone(whole())


def test_messages_that_come_too_fast_wait() -> None:
    """As fast as anybody clicks they do not; large ones count as several, and those of one address together."""
    now = [0.0]
    for rate, most in (messages.OF_PAGE, messages.OF_ADDRESS):
        pace = messages.Pace(rate, most, lambda: now[0])
        many = int(most)
        assert [pace.wait(10) for _ in range(many - 1)] == [0.0] * (many - 1)
        assert 0.9 < [pace.wait(10) for _ in range(int(rate) + 1)][-1] < 1.2
        now[0] += 1000
        for _ in range(2 * many):
            now[0] += 1.3 / rate
            assert pace.wait(1000) == 0
    assert pace.wait(messages.LARGEST) == 0 and pace.wait(30 * messages.LARGEST) > 1
    paces = messages.Paces(1, 1)
    assert paces.of("a") is paces.of("a") is not paces.of("b")


class Line:
    """A connection that records how long its requests wait."""

    def __init__(self, stays: bool = True) -> None:
        """Stay open, or be closed before the request's turn comes."""
        self.stays, self.waits = stays, list[float]()

    def belongs_to(self, address: str) -> None:
        """Ignore the address."""

    def whole(self) -> None:
        """Ignore what has arrived."""

    def expect(self, seconds: float) -> None:
        """Ignore what has to arrive."""

    async def open_after(self, seconds: float) -> bool:
        """Record how long the request would have to wait."""
        self.waits.append(seconds)
        return self.stays


def test_requests_of_an_address_that_come_too_fast_wait_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of another address do not wait, and a request whose connection was closed meanwhile is not answered."""
    monkeypatch.setattr(gate, "REQUESTS", (0.01, 3.0))
    answered: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        answered.append(scope["client"][0])

    async def whole() -> None:
        front = gate.Gate(app)

        async def ask(client: str, line: Line) -> None:
            head: dict[str, Any] = {
                "type": "http",
                "method": "GET",
                "path": "/other",
                "query_string": b"",
                "scheme": "http",
            }
            head |= {"headers": [(b"host", b"localhost")], "client": (client, 1), "state": {sockets.SOCKET: line}}
            await front(head, cast("Any", None), cast("Any", None))

        line, other, gone = Line(), Line(), Line(stays=False)
        for _ in range(4):
            await ask("192.0.2.1", line)
        await ask("192.0.2.2", other)
        await ask("192.0.2.1", gone)
        assert line.waits[:3] + other.waits == [0.0] * 4
        assert 99 < line.waits[3] < 101 and 199 < gone.waits[0] < 201
        assert answered == ["192.0.2.1"] * 4 + ["192.0.2.2"]

    run_alone(whole())


def test_a_body_that_is_no_file_is_neither_slow_nor_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is gone; whoever has sent theirs may wait for a long answer."""
    monkeypatch.setattr(sockets, "PATIENCE", 0.1)

    async def never() -> Any:
        await asyncio.sleep(5)

    async def large() -> Any:
        return {"type": "http.request", "body": b"x" * (1 << 20), "more_body": True}

    async def whole() -> None:
        assert await sockets.bounded(never)() == sockets.GONE
        receive = sockets.bounded(large)
        assert [await receive() == sockets.GONE for _ in range(5)] == [False] * 4 + [True]
        said = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def then_silent() -> Any:
            message = next(said, None)
            if message is None:
                await asyncio.sleep(0.3)
                return {"type": "http.disconnect", "late": True}
            return message

        receive = sockets.bounded(then_silent)
        assert (await receive())["type"] == "http.request"
        assert (await receive())["late"]

    run_alone(whole())


def test_an_address_is_that_of_a_house() -> None:
    """Whoever may choose the rest of a long address is one neighbour."""
    assert addresses.network(("2001:db8::1", 1)) == addresses.network(("2001:db8::ffff:1", 2, 0, 0))
    assert addresses.network(("2001:db8:0:1::1", 1)) != addresses.network(("2001:db8::1", 1))
    assert addresses.network(("::ffff:192.0.2.1", 1)) == "192.0.2.1" == addresses.network(("192.0.2.1", 1))
    assert addresses.network(("fe80::1%eth0", 1)) == "fe80::/64" and addresses.network(None) == ""


def test_whose_screen_is_drawn_next() -> None:
    """Few at once; first of the address for which least was drawn lately, and in it of the browser."""
    turns, order, lock = runs.Runs(at_once=1), list[str](), threading.Lock()
    turns._addresses.add("busy", 5.0)
    turns._browsers.add("eager", 1.0)

    def draw(address: str, browser: str) -> None:
        with turns.turn(address, browser) as here, lock:
            assert here
            order.append(f"{address} {browser}")
            time.sleep(0.01)

    people = [("busy", f"{number}") for number in range(5)] + [("calm", "eager"), ("calm", "idle")]
    with turns.turn("first", "first"):
        threads = [threading.Thread(target=draw, args=who) for who in people]
        for thread in threads:
            thread.start()
            time.sleep(0.01)
        assert not order
    for thread in threads:
        thread.join()
    assert order[:2] == ["calm idle", "calm eager"] and len(order) == 7


def test_a_long_run_keeps_nobody_waiting_and_who_has_gone_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that waits for a file makes room; nothing is drawn for a page that is closed."""
    monkeypatch.setattr(runs, "LONG", 0.2)
    turns = runs.Runs(at_once=1)
    with turns.turn("a", "a"):
        begun = time.monotonic()
        with turns.turn("b", "b") as here:
            assert here and 0.1 < time.monotonic() - begun < 2
            with turns.turn("c", "c", lambda: False) as there:
                assert not there
    assert not turns._waiting and not turns._drawing


def test_memory_is_that_of_the_group_if_it_is_less(tmp_path: Path) -> None:
    """In both layouts of Linux, of every group around the process; no limit is no number."""
    own, groups = tmp_path / "own", tmp_path / "groups"
    (groups / "a" / "b").mkdir(parents=True)
    (groups / "memory" / "old").mkdir(parents=True)
    (groups / "a" / "memory.max").write_text("3000\n")
    (groups / "a" / "b" / "memory.max").write_text("max\n")
    (groups / "memory" / "old" / "memory.limit_in_bytes").write_text("2000\n")
    own.write_text("4:memory:/old\n3:cpu:/x\n0::/a/b\n")
    assert sorted(capacity._limits(groups, own)) == [2000, 3000]
    assert capacity._limits(groups, tmp_path / "absent") == []


@pytest.mark.parametrize("gib", [1.5, 2, 4, 8, 24])
def test_what_everybody_may_take_together_is_there(gib: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files, their rows, four readers at work, views, messages and pages, beside the server itself."""
    monkeypatch.setattr(capacity, "memory", lambda: int(gib * 2**30))
    mib, share = capacity.MIB, capacity.share
    files, reader = share(12, 2048 * mib), share(10, 2048 * mib)
    waiting = min(capacity.LARGEST_UPLOAD, files // 4)
    pages = share(4, 1000 * mib) // mib * mib // 4
    parts = (capacity.ITSELF, 3 * files, 4 * reader, 2 * waiting, share(16, 512 * mib), share(32, 256 * mib), pages)
    assert sum(parts) <= gib * 2**30
