"""Start the app, ask one question of the sample, and save the picture of README."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests")]

from browser_setup import find  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402


def start() -> tuple[subprocess.Popen[bytes], str]:
    """Start the server on a free port and wait until it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    for _ in range(120):
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).read()
            return server, address
        except OSError:
            time.sleep(0.5)
    server.kill()
    raise RuntimeError("The server did not start.")


def main(folder: Path) -> None:
    """Save the ask page with an answer: light, dark, and on a phone."""
    server, address = start()
    try:
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=find(), args=["--no-sandbox"])
            for name, width, scheme in (
                ("app", 1280, "light"),
                ("app-dark", 1280, "dark"),
                ("app-phone", 390, "light"),
            ):
                page = browser.new_page(
                    viewport={"width": width, "height": 800}, color_scheme=scheme
                )
                page.goto(f"{address}/ask")
                page.get_by_role("button", name="and release").click()
                page.get_by_text("cost ε").first.wait_for()
                page.wait_for_timeout(1500)
                page.screenshot(path=folder / f"{name}.png")
                page.goto(address)
                page.wait_for_timeout(2500)
                page.screenshot(path=folder / f"{name}-data.png")
    finally:
        server.kill()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs")
