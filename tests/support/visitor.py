"""Visitor: a server as `make run` starts it, and a person in front of a browser."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import ConsoleMessage, Error, FilePayload, FloatRect, Locator, Page, Request, WebSocket, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from support.browsers import WAIT, leave
from support.nursery import POSSIBLE, copied

ROOT = Path(__file__).resolve().parents[2]
STREAMLIT = [sys.executable, "-m", "streamlit", "run"]
Process = Any  # of a server: a subprocess, or a fork of one that has imported everything
# buttons change colour slowly, and are read afterwards; a page in the background does not animate, so never
FADED = """() => Promise.race([
    new Promise(done => setTimeout(done, 3000)),
    Promise.allSettled(
        document.getAnimations().filter(one => one instanceof CSSTransition).map(one => one.finished)
    ),
]).then(() => null)"""
QUIET = '[data-testid="stApp"][data-test-script-state="notRunning"]'  # a screen whose run has ended
BUSY = 60  # how many quarters of a second a run may take to begin
GROUNDS = {"light": "rgb(255, 254, 251)", "dark": "rgb(17, 23, 22)"}  # from .streamlit/config.toml

# a connection on which every message is delayed by `late` milliseconds
LATE = """
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (message) { setTimeout(() => send.call(this, message), window.late || 0); };
"""
CELL, LINE = "#portal input, #portal textarea", 35  # the editor of a table cell, and the height of a line


@dataclass
class Server:
    """A running server, with its address and its log."""

    url: str
    log: Path

    def log_text(self) -> str:
        """Return everything the server has logged."""
        return self.log.read_text(encoding="utf-8", errors="replace")


SERVERS: dict[int, Process] = {}


def free_port() -> int:
    """Return a free port, preferably one of a server that has ended, whose scripts pages have cached."""
    for port, process in list(SERVERS.items()):
        if process.poll() is not None:
            del SERVERS[port]
            with suppress(OSError):
                return _bound(port)
    return _bound(0)


def _bound(port: int) -> int:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))
        return int(probe.getsockname()[1])


def serve(script: str, log: Path, port: int, **variables: str) -> Process:
    """Start a server with an office of its own, unless one is given, and wait until it is healthy."""
    if script == "app.py":
        return serve_warm(script, log, port, **variables)
    # a script of a test may change what it imports
    return served([*STREAMLIT, script, "--server.port", str(port)], log, port, ROOT, **variables)


def serve_warm(script: str, log: Path, port: int, **variables: str) -> Process:
    """Start a server as a fork of a process that has imported everything, without changes to the imports."""
    words = ["run", script, "--server.port", str(port)]
    if not POSSIBLE:
        return served([sys.executable, "-m", "streamlit", *words], log, port, ROOT, **variables)
    process = SERVERS[port] = copied(words, log, ROOT, surroundings(log, variables))
    return healthy(process, log, port)


def surroundings(log: Path, variables: dict[str, str]) -> dict[str, str]:
    """Return the environment of a server: an office beside its log, unless another one is given."""
    return os.environ | {"DISCREET_HOME": str(log.parent / "home")} | variables


def served(command: list[str], log: Path, port: int, folder: Path, **variables: str) -> Process:
    """Start a server by a command, in a folder, and wait until it is healthy."""
    around = surroundings(log, variables)
    with log.open("wb") as sink:
        process = SERVERS[port] = subprocess.Popen(command, cwd=folder, stdout=sink, stderr=sink, env=around)
    return healthy(process, log, port)


def healthy(process: Process, log: Path, port: int) -> Process:
    """Wait until a server is healthy."""
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2).read()
            return process
        except OSError:
            time.sleep(0.1)
    process.kill()
    raise AssertionError(f"The server did not start: {log.read_text()}")


def at_rest(seen: Locator) -> FloatRect:
    """Return the position of an element, once it has stopped moving."""
    before = None
    while (box := seen.bounding_box()) is None or box != before:
        before = box
        seen.page.wait_for_timeout(100)
    return box


@dataclass
class Visitor:
    """A person with a browser of their own, and everything that was sent over the network."""

    page: Page
    server: Server
    frames: list[str | bytes] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    altered: bool = False  # whether the browser was modified, and cannot be reused
    asked: int = 0  # the number of runs requested since the last one began
    doubtful: bool = False  # whether another one follows: one run may answer two requests, or only the first of them

    def watch(self, page: Page) -> None:
        """Record what a page receives, requests from other machines, and throws."""
        page.on("websocket", self._connected)
        page.on("request", self._asked)
        page.on("pageerror", self._thrown)
        page.on("console", self._told)

    def leave(self) -> None:
        """Leave: delete everything of this person; the page is reused by the next, unless it was altered."""
        self.page.remove_listener("websocket", self._connected)
        self.page.remove_listener("request", self._asked)
        self.page.remove_listener("pageerror", self._thrown)
        self.page.remove_listener("console", self._told)
        if self.altered:
            self.page.context.close()
        else:
            leave(self.page, self.server.url)

    def alter(self, script: str) -> None:
        """Run a script before those of every page loaded from here on; the browser is not reused."""
        self.page.add_init_script(script)
        self.altered = True

    def _connected(self, line: WebSocket) -> None:
        line.on("framereceived", self._heard)
        line.on("framesent", self._sent)

    def _heard(self, frame: str | bytes) -> None:
        self.frames.append(frame)
        if isinstance(frame, bytes) and ForwardMsg.FromString(frame).WhichOneof("type") == "new_session":
            self.asked, self.doubtful = 0, self.asked > 1

    def _sent(self, frame: str | bytes) -> None:
        if isinstance(frame, bytes) and BackMsg.FromString(frame).WhichOneof("type") == "rerun_script":
            self.asked += 1

    def _thrown(self, error: Error) -> None:
        self.wrong.append(str(error))

    def _told(self, message: ConsoleMessage) -> None:
        """Record what the browser refused because of the server's policy."""
        if "Content Security Policy" in message.text:
            self.wrong.append(message.text)

    def _asked(self, request: Request) -> None:
        own = request.url.startswith((self.server.url, "data:", "blob:"))
        if not own:
            self.foreign.append(request.url)

    def open(self, path: str = "dataset") -> Page:
        """Go to another screen by its link if there is one, else by its address."""
        there = self.page.url.partition("?")[0] == f"{self.server.url}/{path}"
        above = self.page.get_by_role("dialog").count()  # stays, whatever is opened below it
        return self.load(path) if there or above or "?" in path or not self._link(path).count() else self.go(path)

    def load(self, path: str = "dataset") -> Page:
        """Load the address of a screen, and wait until it is at rest."""
        self.page.goto(f"{self.server.url}/{path}")
        self.settle()
        return self.page

    def _link(self, path: str) -> Locator:
        return self.page.locator(f'a[href$="/{path}"], a[href="{path}"]').first

    def go(self, path: str = "dataset") -> Page:
        """Follow a link of the open screen: loading a page again takes five times as much of a processor."""
        self._link(path).evaluate("link => link.click()")  # works even if the sidebar is collapsed
        # the address changes when its run begins
        expect(self.page).to_have_url(re.compile(rf"^{re.escape(self.server.url)}/{path}(\?|$)"))
        self.settle()
        return self.page

    def dress(self, scheme: Literal["light", "dark"]) -> None:
        """Switch the browser to the other theme, and wait until the screen has it."""
        self.page.emulate_media(color_scheme=scheme)
        expect(self.page.get_by_test_id("stApp")).to_have_css("background-color", GROUNDS[scheme])
        self.page.evaluate("document.activeElement.blur()")
        self.page.keyboard.press("r")  # reruns: colours from the server follow with a run
        self.settle()
        self.page.evaluate(FADED)

    def tab(self) -> Page:
        """Open another tab of this browser."""
        page = self.page.context.new_page()
        page.set_default_timeout(WAIT)
        self.watch(page)
        return page

    def settle(self, page: Page | None = None) -> None:
        """Wait until the requested runs are over, the screen has stayed quiet and every figure is drawn.

        A screen looks quiet until its run begins, which on a busy machine is long after a click.
        """
        seen = page or self.page
        seen.wait_for_selector(QUIET)
        seen.wait_for_timeout(250)
        for _ in range(BUSY):
            if not self.asked and not self.doubtful:
                break
            self.doubtful = False
            seen.wait_for_timeout(250)
        seen.wait_for_selector(QUIET)
        expect(seen.get_by_test_id("stSkeleton")).to_have_count(0)

    def upload(self, name: str, data: bytes, kind: str = "text/csv") -> None:
        """Upload a file on the page Data, and wait until the server has it."""
        expect(self.page.get_by_text("Declare the columns")).to_have_count(0)  # there a schema could be chosen
        self.bring(self.page.locator("input[type=file]").first, name, data, kind)

    def bring(self, uploader: Locator, name: str, data: bytes, kind: str) -> None:
        """Upload a file once nothing is being drawn any more, and wait until the server has it."""
        self.settle()
        file: FilePayload = {"name": name, "mimeType": kind, "buffer": data}
        with self.page.expect_response(lambda answer: "/_stcore/upload_file/" in answer.url) as answer:
            uploader.set_input_files(file)
        assert answer.value.ok, answer.value.status
        self.settle()

    def take(self, choices: tuple[str, ...]) -> None:
        """Choose options of the open list."""
        for choice in choices:
            self.choose(self.page.get_by_role("option", name=choice, exact=True))
        self.page.keyboard.press("Tab")

    def choose(self, option: Locator) -> None:
        """Click an option until the list is closed: a list that has just opened may miss a click."""
        for _ in range(5):
            option.click()
            self.settle()
            if option.count() == 0:
                break
        expect(option).to_have_count(0)

    def unfold(self, words: str) -> Locator:
        """Open the expander of this name, and return it. One that has just been drawn may miss a click."""
        head = self.page.locator("summary").filter(has_text=words)
        fold = self.page.locator("details").filter(has=head)
        for _ in range(5):
            if fold.get_attribute("open") is not None:
                break
            head.click()
            self.settle()
        expect(fold).to_have_attribute("open", "")
        return fold

    def spreadsheet(self) -> None:
        """Turn from the cards of columns to their spreadsheet."""
        self.page.get_by_text("As a spreadsheet").click()
        self.settle()

    def click_table(self, line: int, x: float) -> None:
        """Click into a line of the first table, at an offset from its left; it moves until all above it is drawn."""
        table = self.page.get_by_test_id("stDataFrame").first
        table.scroll_into_view_if_needed()
        box = at_rest(table)
        self.page.mouse.click(box["x"] + x, box["y"] + LINE * (line + 0.5))

    def open_cell(self, line: int, x: float) -> Locator:
        """Open a cell of the first table by a click at an offset from its left, and return its editor."""
        cell = self.page.locator(CELL).first
        for _ in range(5):
            self.click_table(line, x)
            self._hears_keys()
            self.page.keyboard.press("Enter")
            with suppress(AssertionError):  # a click that came while it was redrawn
                expect(cell).to_be_focused(timeout=5000)
                break
        expect(cell).to_be_focused()
        return cell

    def next_cell(self, key: str) -> Locator:
        """Finish the editor of a cell, and open the one to which this key leads."""
        cell = self.page.locator(CELL).first
        self.page.keyboard.press(key)
        expect(cell).to_be_hidden()
        self._hears_keys()
        self.page.keyboard.press("Enter")
        expect(cell).to_be_focused()
        return cell

    def _hears_keys(self) -> None:
        """Wait until a table accepts keys, on a busy machine some time after a click or the end of a cell."""
        self.page.wait_for_timeout(250)
        expect(self.page.locator("canvas:focus, canvas :focus").first).to_be_attached()

    def fill_cells(self, line: int, x: float, *texts: str) -> None:
        """Type into neighbouring cells of a line, the first by a click and each further one by the keyboard."""
        for at, text in enumerate(texts):
            cell = self.next_cell("Tab") if at else self.open_cell(line, x)
            self.page.keyboard.type(text, delay=40)
            expect(cell).to_have_value(text)
        self.page.keyboard.press("Tab")
        expect(self.page.locator(CELL).first).to_be_hidden()

    def declare(self, text: str) -> None:
        """Import a schema and use the data, which leads to the page Query."""
        self.import_declaration(text)
        self.page.get_by_role("button", name="Use this dataset").click()
        expect(self.page.get_by_role("heading", name="Query", exact=True)).to_be_visible()
        self.settle()

    def import_declaration(self, text: str, then: str = "Use this dataset") -> None:
        """Fill the table of a draft from a file, until the button for the next step is ready."""
        uploader = self.unfold("Import schema").locator("input[type=file]")
        self.bring(uploader, "d.json", text.encode(), "application/json")
        expect(self.page.get_by_role("button", name=re.compile(rf"^{re.escape(then)}( ·| \(|$)"))).to_be_enabled()
        self.settle()

    def spend(self) -> None:
        """Press the button that spends, and wait for the result."""
        self.page.get_by_role("button", name=re.compile(r"^Release result \(spends .*\)$")).click()
        expect(self.page.get_by_text(re.compile("^Done\\."))).to_be_visible()
        self.settle()

    def cards(self) -> int:
        """Count the results on the screen."""
        return self.page.get_by_text(re.compile(r"ledger entry \d+")).count()

    def wire(self) -> str:
        """Return everything that the browser received over its connections, as text."""
        return "\n".join(f.decode("utf-8", "replace") if isinstance(f, bytes) else f for f in self.frames)
