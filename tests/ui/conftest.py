"""A server and browsers for the tests of the screens; nobody may talk to another machine."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright
from plotly.graph_objects import Figure  # type: ignore[import-untyped]
from support.browser_setup import find
from support.browsers import FLAGS, LEFT, empty_page
from support.office_seats import town
from support.pages import app
from support.visitor import WAIT, Server, Visitor, free_port, serve

from discreet.ui.figures.theme import Sketch

__all__ = ["app", "town"]  # fixtures of all tests of this folder
CHECKED: set[bytes] = set()


@pytest.fixture(autouse=True)
def checked_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Plotly look at every figure that a page draws in this process: where it is sent, nothing does."""
    plain = Sketch.to_dict

    def checked(sketch: Sketch) -> dict[str, Any]:
        figure = plain(sketch)
        digest = sha256(pickle.dumps(figure)).digest()
        if digest not in CHECKED:  # a screen is drawn again with every press
            Figure(**figure)
            CHECKED.add(digest)
        return figure

    monkeypatch.setattr(Sketch, "to_dict", checked)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start one server for all tests of this process."""
    port, log = free_port(), tmp_path_factory.mktemp("server") / "log.txt"
    process = serve("app.py", log, port)
    yield Server(f"http://127.0.0.1:{port}", log)
    process.kill()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Open a browser; without one the tests fail instead of being skipped."""
    path = find()
    assert path, "No Chromium on this machine: run tests/support/browser_setup.py, as make test does."
    expect.set_options(timeout=WAIT)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        LEFT.clear()
        browser.close()


@pytest.fixture
def visit(chromium: Browser, server: Server) -> Iterator[Callable[..., Visitor]]:
    """Return a maker of visitors; nobody may have talked to another machine in the end."""
    visitors: list[Visitor] = []

    def make(width: int = 1280, scheme: str = "light") -> Visitor:
        visitors.append(Visitor(empty_page(chromium, server.url, width, scheme), server))
        visitors[-1].watch(visitors[-1].page)
        return visitors[-1]

    yield make
    for visitor in visitors:
        visitor.leave()
    assert not [url for visitor in visitors for url in visitor.foreign]
    assert not [text for visitor in visitors for text in visitor.wrong]
