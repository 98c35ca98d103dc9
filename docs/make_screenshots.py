"""Start the app, use it as a person would, and save the pictures of README and documents."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "ui"), str(ROOT / "tests"), str(ROOT)]

from playwright.sync_api import expect, sync_playwright  # noqa: E402
from support.browser_setup import find  # noqa: E402
from support.town import start, visitor  # noqa: E402
from support.visitor import Server, Visitor, free_port, serve  # noqa: E402

MENU = 248  # pixels that the menu takes, which these pictures leave out
SHOTS = (
    ("app", "query", 1280, "light"),
    ("app-dark", "query", 1280, "dark"),
    ("app-phone", "query", 390, "light"),
    ("data", "dataset", 1280, "light"),
    ("how", "propose-test-release?ptr-view=how", 1280, "light"),
    ("compare", "compare", 1280, "light"),
    ("lesson", "lesson-6-local-sensitivity?lesson6-step=jump&guess=no", 1280, "light"),
    ("chinese", "lesson-5-composition?lesson5-step=accounts&lang=zh&guess=no", 1280, "light"),
)


def shoot(browser: Any, server: Server, folder: Path) -> None:
    """Save every picture; on the page of the first three a result is released."""
    for name, path, width, scheme in SHOTS:
        page = browser.new_page(viewport={"width": width, "height": 900 if width < 500 else 720}, color_scheme=scheme)
        viewer = Visitor(page, server)
        viewer.open(path)
        if name.startswith("app"):
            page.get_by_role("button", name=re.compile("^Release result")).click()
            page.get_by_text(re.compile("ledger entry 1$")).wait_for()
        page.locator(".fig, .js-plotly-plot").first.wait_for()
        page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
        page.wait_for_timeout(1500)
        page.screenshot(path=folder / f"{name}.png")
        page.close()


def plan(browser: Any, server: Server, folder: Path) -> None:
    """Save the pictures of a plan before it is released, and of its report as a file."""
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    viewer = Visitor(page, server)
    viewer.open("plan")
    for label, choices in (
        ("Statistics", ("Mean", "Median")),
        ("Columns", ("age", "hours")),
        ("Group by (several columns are cross-tabulated)", ("sex",)),
    ):
        for choice in choices:
            page.get_by_label(label, exact=True).get_by_text(choice, exact=True).click()
            viewer.settle()
    page.get_by_role("button", name="Add 4 queries").click()
    spend = page.get_by_role("button", name=re.compile("^Release 4 results"))
    spend.wait_for()
    viewer.settle()
    page.screenshot(path=folder / "plan.png", clip={"x": MENU, "y": 0, "width": 1280 - MENU, "height": 1000})
    spend.click()
    with page.expect_download() as report:
        page.get_by_role("button", name="Report (HTML)").click()
    page.set_viewport_size({"width": 900, "height": 1000})
    report.value.save_as(folder / "report.html")
    page.goto(f"file://{folder / 'report.html'}")
    page.screenshot(path=folder / "report.png")
    (folder / "report.html").unlink()
    page.close()


def review(browser: Any, folder: Path) -> None:
    """Save the picture of an officer's queue, in a house of its own."""
    with TemporaryDirectory() as temporary:
        office, stop = start(Path(temporary))
        try:
            office.ask(0.8, mechanism="smooth-core-tail")
            page = visitor(browser, office, "olga").open("review")
            page.screenshot(path=folder / "review.png", clip={"x": MENU, "y": 0, "width": 1280 - MENU, "height": 800})
            page.context.close()
        finally:
            stop()


def main(folder: Path) -> None:
    """Start a server on a free port and take the pictures."""
    expect.set_options(timeout=60_000)
    port = free_port()
    with TemporaryDirectory() as temporary:
        log = Path(temporary) / "log.txt"
        process = serve("app.py", log, port)
        try:
            with sync_playwright() as play:
                flags = ["--no-sandbox", "--disable-gpu"]
                browser = play.chromium.launch(executable_path=find(), args=flags)
                server = Server(f"http://127.0.0.1:{port}", log)
                shoot(browser, server, folder)
                plan(browser, server, folder)
                review(browser, folder)
        finally:
            process.kill()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs")
