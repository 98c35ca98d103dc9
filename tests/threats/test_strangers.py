"""Strangers: nobody without an account ends a server, keeps others out of it, or gives a spent budget back."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from support.strangers import (
    ATTACKS,
    MIB,
    Stranger,
    attack,
    frame,
    is_open,
    many_names,
    many_states,
    memory_of,
    watched,
)
from support.visitor import free_port, serve
from support.wire import Wire, ask, new_browser

from discreet.ui.gate.limits import PAGE
from discreet.ui.session.cookies import BROWSER

ROOT = Path(__file__).resolve().parents[2]
LATE = 5.0  # seconds in which a server answers beside an attack, on a machine that runs other tests meanwhile
MORE = 150 * MIB  # that an attack may take, far below what it sends
PAGES = 250  # that one address may open


@dataclass
class Site:
    """A server, and its process."""

    url: str
    pid: int


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Start a server for everybody, behind no proxy, with as few files as systemd gives."""
    port, log = free_port(), tmp_path_factory.mktemp("strangers") / "log.txt"
    process = serve("app.py", log, port, FORWARDED_ALLOW_IPS="")
    with Wire(f"http://127.0.0.1:{port}") as first:
        first.run()  # what the first visit imports is no attack
    yield Site(f"http://127.0.0.1:{port}", process.pid)
    process.kill()


@pytest.fixture
def stranger(site: Site) -> Iterator[Stranger]:
    """Return somebody with an address of their own."""
    somebody = Stranger(site.url)
    yield somebody
    somebody.leave()


def test_a_message_that_never_ends_is_cut(site: Site, stranger: Stranger) -> None:
    """At the size that a screen needs, whatever size it announces."""
    before, lines = memory_of(site.pid), stranger.pages(20)
    for line in lines:
        try:
            line.sendall(frame(b"x" * (3 * MIB), length=30 * MIB))
        except OSError:
            continue
    assert len(lines) == 20 and not any(is_open(line, 2.0) for line in lines)
    assert memory_of(site.pid) < before + MORE


@pytest.mark.parametrize(("made", "number"), [(many_states, 190_000), (many_names, 20_000), (many_names, 280_000)])
def test_a_message_that_lists_too_much_ends_its_connection(
    site: Site, stranger: Stranger, made: Callable[[int], bytes], number: int
) -> None:
    """Before anything is made of it."""
    before, message = memory_of(site.pid), made(number)
    with watched(site.url) as health:
        for line in stranger.pages(8):
            try:
                line.sendall(frame(message))
            except OSError:
                continue
            assert not is_open(line, 10.0)
    assert health.worst < LATE and not health.missing
    assert memory_of(site.pid) < before + MORE


def test_a_message_in_pieces_of_one_byte_is_cut(stranger: Stranger) -> None:
    """Each piece takes more than it brings."""
    (line,) = stranger.pages(1)
    try:
        for _ in range(40):
            line.sendall(frame(b"x", 0 if _ else 2, last=False) + frame(b"x", 0, last=False) * 999)
    except OSError:
        pass
    assert not is_open(line, 5.0)


def test_half_requests_keep_nobody_out(site: Site, stranger: Stranger) -> None:
    """As many as there are; others are heard, and open pages."""
    for _ in range(1100):
        stranger.call(stranger.request())
    begun = time.monotonic()
    assert ask(site.url, "/_stcore/health").text == "ok"
    with Wire(site.url, {BROWSER: new_browser(site.url)}) as visitor:
        assert "Publish numbers" in visitor.run()
    assert time.monotonic() - begun < 2 * LATE


def test_pages_of_one_address_leave_room_for_others(site: Site, stranger: Stranger) -> None:
    """However many browsers it makes up."""
    cookies = [new_browser(site.url) for _ in range(3)]
    opened = 0
    for number in range(400):
        try:
            stranger.page(cookies[number % 3] if number % 2 else "")
        except OSError:
            continue
        opened += 1
    assert opened <= PAGES
    with Wire(site.url, {BROWSER: new_browser(site.url)}) as visitor:
        assert visitor.run()


def test_a_body_that_never_comes_keeps_nobody_waiting(site: Site, stranger: Stranger) -> None:
    """Neither a form's, nor a file's, nor a program's; a page is drawn meanwhile."""
    for path in ("/", "/_stcore/upload_file/x/y", "/api/v1/requests") * 60:
        stranger.call(stranger.request("POST", path, "Content-Length: 100000\r\n\r\n") + b"x")
    begun = time.monotonic()
    with Wire(site.url, {BROWSER: new_browser(site.url)}) as visitor:
        assert visitor.run()
    assert time.monotonic() - begun < 2 * LATE


def attacking(url: str, name: str, seconds: float) -> Any:
    """Attack from a process of its own."""
    process = get_context("spawn").Process(target=attack, args=(url, name, seconds), daemon=True)
    process.start()
    return process


@pytest.mark.parametrize("name", ["reruns", "pings", "kept messages", "deaf", "second heads", "large heads"])
def test_beside_an_attack_others_go_on(site: Site, name: str) -> None:
    """The server lives, answers who watches it, draws a page for a visitor, and keeps its memory.

    Messages that are kept take what open pages may; how much of it is left of closed pages depends on the machine.
    """
    before, more = memory_of(site.pid), PAGES * PAGE * MIB if name == "kept messages" else 3 * MORE
    with Wire(site.url, {BROWSER: new_browser(site.url)}) as visitor, watched(site.url) as health:
        visitor.run()
        attacker = attacking(site.url, name, 4.0)
        end = time.monotonic() + 5
        while time.monotonic() < end:
            assert "script_finished" in visitor.run()
            time.sleep(1.0)
        attacker.join()
    assert not health.missing and health.worst < LATE
    assert memory_of(site.pid) < before + more


ASKING = """
import sys
from discreet.budget import Cost
from discreet.ui.session.budgets import Roads
from discreet.budget.durable.spent import Spent
from pathlib import Path
roads = Roads()
roads.spent = Spent(Path(sys.argv[1]))
ledger = roads.budget("rows", True, sys.argv[2])
print(ledger.spent.nano_epsilon, flush=True)
ledger.charge(sys.argv[3], Cost.of("1"))
sys.stdin.read()
"""


def test_a_server_that_is_ended_gives_nothing_back(tmp_path: Path) -> None:
    """Whoever brings the same rows again, in another browser too, finds what was spent; a fourth ε 1 is refused."""
    known = []
    for number in range(4):
        words = [sys.executable, "-c", ASKING, str(tmp_path), f"browser {number}", f"request {number}"]
        process = subprocess.Popen(
            words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        known.append(int(process.stdout.readline()))
        if number < 3:
            time.sleep(0.3)
            process.kill()
        else:
            assert "BudgetExceeded" in process.communicate("")[1]
        process.wait()
    assert known == [0, 10**9, 2 * 10**9, 3 * 10**9]


@pytest.mark.soak_alone
@pytest.mark.parametrize("name", ATTACKS)
def test_a_minute_of_each_attack(site: Site, name: str) -> None:
    """Nothing grows without an end. In `make test` the tests above send some of each."""
    attacker = attacking(site.url, name, 60.0)
    with watched(site.url) as health:
        attacker.join()
    assert not health.missing and memory_of(site.pid) < 1500 * MIB
    with Wire(site.url, {BROWSER: new_browser(site.url)}) as visitor:
        assert visitor.run()
