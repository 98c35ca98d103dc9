"""A browser and a server for measuring screens: which element is watched, and how long a redraw takes."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
REPEATS = 15
# the time from the last key to the redraw of the watched element
WATCH = """(where) => {
  const now = () => { const e = document.querySelector(where);
    return e && e.textContent + [...e.querySelectorAll('path')].slice(0, 60)
      .map(p => p.getAttribute('d')).join(); };
  const drawn = e => e && (e.tagName !== 'svg' || e.querySelectorAll('path').length > 3);
  window.before = now(); window.node = document.querySelector(where);
  window.start = null; window.taken = null;
  document.addEventListener('keydown', () => { window.start ??= performance.now(); },
                            {capture: true, once: true});
  const look = () => { const node = document.querySelector(where);
    const fresh = node !== window.node || now() !== window.before;
    if (window.start !== null && drawn(node) && fresh) {
      window.taken = performance.now() - window.start; return; }
    requestAnimationFrame(look); };
  look(); }"""
# without eval, which the pages' content security policy forbids
TAKEN = """() => new Promise((resolve, reject) => {
  const end = performance.now() + 30000;
  const look = () => window.taken !== null ? resolve(window.taken)
    : performance.now() > end ? reject(new Error('nothing was drawn')) : setTimeout(look, 10);
  look(); })"""


def _port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def server(script: str = "app.py", started: list[int] | None = None) -> Iterator[tuple[str, float]]:
    """Start the app (or another script); yield its address and how long it took to be ready."""
    port = _port()
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.port", str(port)]
    start = time.perf_counter()
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=ROOT, stdout=quiet, stderr=quiet)
    address = f"http://127.0.0.1:{port}"
    if started is not None:
        started.append(process.pid)
    try:
        while True:
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).read()
                break
            except OSError:
                time.sleep(0.05)
        yield address, time.perf_counter() - start
    finally:
        process.kill()
        process.wait()


def settle(page: Any) -> None:
    """Wait until the script has run and the page is stable."""
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
    page.wait_for_timeout(500)


def moves(page: Any, where: str, repeats: int = REPEATS, keys: tuple[str, ...] = ("ArrowRight",)) -> float:
    """Move the focused control repeatedly; return the median milliseconds to the change."""
    taken = []
    for turn in range(repeats):
        page.evaluate(WATCH, where)
        page.keyboard.press(keys[turn % len(keys)])
        taken.append(page.evaluate(TAKEN))
        settle(page)
    return float(np.median(taken))


@contextmanager
def visited() -> Iterator[Any]:
    """Yield a page of a headless browser, 1280 by 800."""
    from playwright.sync_api import sync_playwright

    sys.path.insert(0, str(ROOT / "tests"))
    from support.browser_setup import find

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find(), args=["--no-sandbox", "--disable-gpu"])
        yield browser.new_page(viewport={"width": 1280, "height": 800})
