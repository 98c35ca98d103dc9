"""Every screen in both themes: it stands, nothing is wider than the window, and axe finds nothing of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from support.soak import SOAKS, some
from support.visitor import FADED, QUIET, Visitor

from discreet.course.contents import LESSONS

PLAIN = (
    "",
    "plan",
    "answers",
    "global-sensitivity",
    "propose-test-release",
    "smooth-sensitivity",
    "sample-and-aggregate",
    "exponential-selection",
    "compare",
    "budget",
)
LESSON = tuple(lesson.page.replace("_", "-") for lesson in LESSONS)
WALKED = LESSON if SOAKS else LESSON[2::4]  # made of the same controls; test_learn.py goes to every step of others
ALIKE = () if SOAKS else ("global-sensitivity", "propose-test-release", "sample-and-aggregate")  # made as smooth's is
# each is a link of the screen before it, or an address
SCREENS = (
    *(path for path in PLAIN if path not in ALIKE),
    *("smooth-sensitivity?smooth-view=" + view for view in some(("guarantee", "how"), 2)),
    "learn?learn-view=teach",
    "budget",
    *(path for lesson in WALKED for path in ("learn", lesson)),
    "lesson-6-local-sensitivity?lang=zh",
)
DARK = SCREENS if SOAKS else ("smooth-sensitivity", WALKED[0])  # all screens take their colours from one place
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


def test_axe_sees_what_has_to_be_scrolled_to(visit: Callable[..., Visitor]) -> None:
    """Grey words on grey at the foot of a long screen are noticed."""
    page = visit().open("budget")
    page.set_viewport_size({"width": 1280, "height": 400})
    assert page.evaluate(TALL) > page.viewport_size["height"]  # type: ignore[index]
    foot = "[...document.querySelectorAll('[data-testid=stMain] [data-testid=stMarkdown] p')].at(-1)"
    page.evaluate(f"{foot}.style.cssText = 'color: #ccc; background: #fff'")
    assert [rule for rule, _ in violations(page)] == ["color-contrast"]


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


@pytest.mark.soak
def test_every_screen_stands_and_axe_finds_nothing_of_ours(visit: Callable[..., Visitor]) -> None:
    """WCAG 2.1 A and AA."""
    visitor, seen, wrong = visit(), set[str](), []
    for path in SCREENS:
        page = visitor.open(path) if not seen or "?" in path else visitor.go(path)
        if path not in seen:
            if path in PLAIN:
                stands(page, path)
            themes = in_both_themes(visitor) if path in DARK else violations(page)
            wrong += [(path, *rule) for rule in themes]
        seen.add(path)
    assert not wrong and {*PLAIN, *WALKED} - {*ALIKE} <= seen


def test_a_text_that_is_too_pale_in_one_theme_is_found(visit: Callable[..., Visitor]) -> None:
    """A twin: grey that does on white is too dark on black, and the rules for colours alone say so."""
    visitor = visit()
    page = visitor.open("budget")
    page.evaluate("document.querySelector('h1').style.color = 'rgb(90, 88, 84)'")
    assert [rule for rule, _ in in_both_themes(visitor)] == ["color-contrast"]
