"""What axe finds on a screen, and whether a screen stands."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from support.soak import SOAKS
from support.visitor import FADED, QUIET, Visitor

OPTIONS = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]},
    "rules": {"heading-order": {"enabled": True}},
    "resultTypes": ["violations"],
}


# the themes have the same markup in other colours: the other one is asked of colours alone, except in `make soak`
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


IN_THE_DARK = OPTIONS if SOAKS else OPTIONS | COLOURS


# of text that has to be scrolled to axe cannot tell the colour behind it: the window is made as tall as the screen
TALL = "(document.querySelector('[data-testid=stMain]') ?? document.documentElement).scrollHeight"


BELOW = 200  # pixels: the bar above, and what grows a little in a taller window


# the list of pages in the sidebar is Streamlit's own markup: headings stand inside its <ul>
STREAMLITS_OWN = {"list", "listitem"}


def violations(page: Page, options: dict[str, Any] = OPTIONS) -> list[tuple[str, list[str]]]:
    """Return what axe finds on a screen, apart from Streamlit's own, when its run has ended and its colours stand."""
    page.wait_for_selector(QUIET)
    size = page.viewport_size
    assert size is not None
    page.set_viewport_size({"width": size["width"], "height": max(size["height"], page.evaluate(TALL) + BELOW)})
    wrong = _found(page, options) and _found(page, options)  # a screen that looks again by itself may have been pale
    page.set_viewport_size(size)
    return wrong


def _found(page: Page, options: dict[str, Any]) -> list[tuple[str, list[str]]]:
    page.wait_for_timeout(100)
    page.wait_for_selector(QUIET)
    page.evaluate(FADED)
    return [
        (rule["id"], [node["html"][:160] for node in rule["nodes"]][:3])
        for rule in Axe().run(page, options=options).response["violations"]
        if rule["id"] not in STREAMLITS_OWN
    ]


def in_both_themes(visitor: Visitor) -> list[tuple[str, list[str]]]:
    """Return what axe finds on the screen that is open, in light and in dark."""
    wrong = violations(visitor.page)
    visitor.dress("dark")
    wrong += violations(visitor.page, IN_THE_DARK)
    visitor.dress("light")
    return wrong


def stands(page: Page, path: str) -> None:
    """Fail where a screen has no heading, an error box, or something wider than the window."""
    expect(page.locator("h1")).to_be_visible()
    assert page.get_by_text("Something went wrong").count() == 0, path
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0, path
