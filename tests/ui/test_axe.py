"""Every screen in both themes: it stands, nothing is wider than the window, and axe finds nothing of ours."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.axe import TALL, in_both_themes, stands, violations
from support.soak import SOAKS, some
from support.visitor import Visitor

from discreet.course.contents import LESSONS

PLAIN = (
    "",
    "data",
    "query",
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


def test_axe_sees_what_has_to_be_scrolled_to(visit: Callable[..., Visitor]) -> None:
    """Grey words on grey at the foot of a long screen are noticed."""
    page = visit().open("budget")
    page.set_viewport_size({"width": 1280, "height": 400})
    assert page.evaluate(TALL) > page.viewport_size["height"]  # type: ignore[index]
    foot = "[...document.querySelectorAll('[data-testid=stMain] [data-testid=stMarkdown] p')].at(-1)"
    page.evaluate(f"{foot}.style.cssText = 'color: #ccc; background: #fff'")
    assert [rule for rule, _ in violations(page)] == ["color-contrast"]


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
