"""The thin thread in a real browser: one's own file, from upload to answer, and a reload."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_setup import find
from playwright.sync_api import Page, expect, sync_playwright

from curator import Number, Schema

ROOT = Path(__file__).resolve().parents[2]
WAIT = 45_000
CANARY = "91827364"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Start the server as `make run` does and wait until it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    server = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(240):
            try:
                urllib.request.urlopen(f"{url}/_stcore/health", timeout=2).read()
                break
            except OSError:
                time.sleep(0.5)
        yield url
    finally:
        server.kill()


@pytest.fixture(scope="module")
def page(address: str) -> Iterator[Page]:
    """Open a browser; without one the test fails instead of being skipped."""
    path = find()
    assert path, "No Chromium on this machine: run tests/browser_setup.py, as make test does."
    expect.set_options(timeout=WAIT)
    with sync_playwright() as play:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = play.chromium.launch(executable_path=path, args=flags)
        opened = browser.new_page(viewport={"width": 1280, "height": 900})
        opened.set_default_timeout(WAIT)
        yield opened
        browser.close()


def test_the_first_request_to_a_page_address_goes_through_the_shell(
    page: Page, address: str
) -> None:
    """No address reaches a page around the shell: the sidebar and its budget are there."""
    page.goto(f"{address}/ask")
    expect(page.get_by_test_id("stSidebar").get_by_text("Budget")).to_be_visible()
    expect(page.get_by_role("button", name="and release")).to_be_visible()


def test_a_double_click_and_a_reload_keep_one_charge_and_its_answer(
    page: Page, address: str
) -> None:
    """Two clicks on one form are one release, and a reload still shows it."""
    page.goto(f"{address}/ask")
    page.get_by_role("button", name="and release").dblclick()
    expect(page.get_by_text("cost ε = 0.5").first).to_be_visible()
    page.wait_for_timeout(2000)
    page.reload()
    expect(page.get_by_text("cost ε = 0.5").first).to_be_visible()
    cards = page.get_by_text("cost ε = 0.5").count()
    expect(page.get_by_test_id("stSidebar").get_by_text(f"ε = {0.5 * cards:g}")).to_be_visible()
    assert cards == 1


def test_ones_own_file_is_declared_and_answered_without_showing_a_row(
    page: Page, address: str
) -> None:
    """Upload, import a declaration, use, ask, answer; a planted cell never crosses the wire."""
    seen: list[str] = []
    page.on("websocket", lambda ws: ws.on("framereceived", lambda f: seen.append(str(f))))
    page.goto(address)
    rows = "".join(f"{i % 90},{CANARY}\n" for i in range(400))
    page.locator("input[type=file]").set_input_files(
        {"name": "own.csv", "mimeType": "text/csv", "buffer": f"age,note\n{rows}".encode()}
    )
    declaration = Schema({"age": Number(0, 120, integer=True)}).to_json()
    page.locator("input[type=file]").nth(1).set_input_files(
        {
            "name": "declaration.json",
            "mimeType": "application/json",
            "buffer": declaration.encode(),
        }
    )
    use = page.get_by_role("button", name="Use these data")
    expect(use).to_be_enabled()
    use.click()
    expect(page.get_by_text("Declared. Go to Ask.")).to_be_visible()
    page.get_by_role("link", name="Ask").click()
    expect(page.get_by_test_id("stSidebar").get_by_text("protected")).to_be_visible()
    page.get_by_role("button", name="and release").click()
    expect(page.get_by_text("Mean of age")).to_be_visible()
    assert seen and not any(CANARY in frame for frame in seen)
    assert CANARY not in page.content()
