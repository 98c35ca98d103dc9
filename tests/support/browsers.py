"""Browsers: pages are cleaned and reused by the next test, because a page without caches compiles megabytes."""

from __future__ import annotations

from playwright.sync_api import Browser, Page

WAIT = 45_000
# rendered in software; pages do not live long enough for optimising compilers or for frequent garbage collection by
# several threads to pay
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-smooth-scrolling",
    "--js-flags=--max-lazy --no-opt --no-maglev --min-semi-space-size=64 --max-semi-space-size=64 --single-threaded-gc",
]
MOST = 4
LEFT: list[tuple[str, Page]] = []


def empty_page(chromium: Browser, url: str, width: int = 1280, scheme: str = "light") -> Page:
    """Return a page without history, preferably one that has cached this server's scripts."""
    warm = next((place for place in LEFT if place[0] == url), None)
    if warm:
        LEFT.remove(warm)
    page = warm[1] if warm else chromium.new_context().new_page()
    page.set_default_timeout(WAIT)
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    return page


def leave(page: Page, url: str) -> None:
    """Close a person's other pages and delete cookies and storage; keep the page, still on its server."""
    for other in page.context.pages:
        if other is not page:
            other.close()
    page.goto(f"{url}/_stcore/health")  # keeps the browser process, without a connection
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page.context.clear_cookies()
    LEFT.append((url, page))
    while len(LEFT) > MOST:
        LEFT.pop(0)[1].context.close()
