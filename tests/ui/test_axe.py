"""Every screen in both themes: it stands, nothing is wider than the window, and axe finds nothing of ours."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from support.axe import COLOURS, TALL, in_both_themes, stands, violations
from support.soak import SOAKS
from support.visitor import Visitor

from discreet.course.contents import LESSONS

PLAIN = (
    "",
    "dataset",
    "query",
    "plan",
    "results",
    "global-sensitivity",
    "propose-test-release",
    "smooth-sensitivity",
    "sample-and-aggregate",
    "exponential-mechanism",
    "compare",
    "budget",
)
LESSON = tuple(lesson.page.replace("_", "-") for lesson in LESSONS)
WALKED = LESSON if SOAKS else LESSON[2:3]  # made of the same controls; test_learn.py opens every step of another one
ALIKE = () if SOAKS else ("global-sensitivity", "propose-test-release", "sample-and-aggregate")  # made as smooth's is
# views of screens, each loaded anew
ADDRESSES = (
    "smooth-sensitivity?smooth-view=guarantee",
    "smooth-sensitivity?smooth-view=how",
    "teach",
    "lesson-6-local-sensitivity?lang=zh",
)
# each is a link of the screen before it, or an address
SCREENS = (
    *(path for path in PLAIN if path not in ALIKE),
    *(path for lesson in WALKED for path in ("lessons", lesson)),
    *(ADDRESSES if SOAKS else ()),
)
DARK = SCREENS if SOAKS else ("smooth-sensitivity",)  # all screens take their colours from one place


def test_axe_sees_what_is_too_pale_in_one_theme_and_what_has_to_be_scrolled_to(visit: Callable[..., Visitor]) -> None:
    """Two twins: grey that does on white is too dark on black, and grey on grey stands at the foot of a long screen."""
    visitor = visit()
    page = visitor.open("budget")
    page.evaluate("document.querySelector('h1').style.color = 'rgb(90, 88, 84)'")
    assert [rule for rule, _ in in_both_themes(visitor)] == ["color-contrast"]
    page.evaluate("document.querySelector('h1').style.color = ''")
    page.set_viewport_size({"width": 1280, "height": 400})
    assert page.evaluate(TALL) > page.viewport_size["height"]  # type: ignore[index]
    foot = "[...document.querySelectorAll('[data-testid=stMain] [data-testid=stMarkdown] p')].at(-1)"
    page.evaluate(f"{foot}.style.cssText = 'color: #ccc; background: #fff'")
    assert [rule for rule, _ in violations(page)] == ["color-contrast"]


def test_what_opens_above_a_page_has_the_colours_of_its_theme(visit: Callable[..., Visitor]) -> None:
    """Popovers are outside the element that has the theme: quiet text and the button that opened them follow it."""
    visitor = visit()
    page = visitor.open("smooth-sensitivity")
    visitor.dress("dark")
    page.locator(".st-key-ledger button").click()
    expect(page.get_by_text("Nothing is spent yet.")).to_be_visible()
    assert not violations(page, COLOURS)


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
