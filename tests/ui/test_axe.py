"""Every screen in both themes: it stands, nothing is wider than the window, and axe finds nothing of ours."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from visitor import Visitor

from discreet.ui.learn.course import LESSONS

PLAIN = (
    "",
    "global-sensitivity",
    "propose-test-release",
    "smooth-sensitivity",
    "sample-and-aggregate",
    "exponential-selection",
    "compare",
    "budget",
)
SCREENS = (
    *PLAIN,
    "smooth-sensitivity?smooth-view=how",
    "smooth-sensitivity?smooth-view=guarantee",
    "learn",
    "learn?learn-view=teach",
    *(one.page.replace("_", "-") for one in LESSONS),
    "lesson-6-local-sensitivity?lang=zh",
)
OPTIONS = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]},
    "resultTypes": ["violations"],
}
# the list of pages in the sidebar is Streamlit's own markup: headings stand inside its <ul>
STREAMLITS_OWN = {"list", "listitem"}


def violations(page: Page) -> list[tuple[str, list[str]]]:
    """Return what axe finds on a screen, apart from Streamlit's own."""
    return [
        (rule["id"], [node["html"][:160] for node in rule["nodes"]][:3])
        for rule in Axe().run(page, options=OPTIONS).response["violations"]
        if rule["id"] not in STREAMLITS_OWN
    ]


def stands(page: Page, path: str) -> None:
    """Fail where a screen has no heading, an error box, or something wider than the window."""
    expect(page.locator("h1")).to_be_visible()
    assert page.get_by_text("Something went wrong").count() == 0, path
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0, path


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_screen_stands_and_axe_finds_nothing_of_ours(visit: Callable[..., Visitor], scheme: str) -> None:
    """WCAG 2.1 A and AA."""
    one = visit(scheme=scheme)
    wrong = []
    for path in SCREENS:
        page = one.open(path)
        if path in PLAIN:
            stands(page, path)
        wrong += [(path, *rule) for rule in violations(page)]
    assert not wrong
