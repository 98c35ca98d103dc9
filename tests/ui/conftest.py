"""A server and browsers for the tests of the screens; nobody may talk to another machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from browser_setup import find
from playwright.sync_api import Browser, expect, sync_playwright
from visitor import WAIT, Server, Visitor, free_port, serve

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


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
    assert path, "No Chromium on this machine: run tests/browser_setup.py, as make test does."
    expect.set_options(timeout=WAIT)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser, server: Server) -> Iterator[Callable[..., Visitor]]:
    """Return a maker of visitors; nobody may have talked to another machine in the end."""
    visitors: list[Visitor] = []

    def make(width: int = 1280, scheme: str = "light") -> Visitor:
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme="dark" if scheme == "dark" else "light"
        )
        page = context.new_page()
        page.set_default_timeout(WAIT)
        visitors.append(Visitor(page, server))
        visitors[-1].watch(page)
        return visitors[-1]

    yield make
    for visitor in visitors:
        visitor.page.context.close()
    assert not [url for visitor in visitors for url in visitor.foreign]
    assert not [text for visitor in visitors for text in visitor.wrong]
