"""A slow line: a browser asks again before it has heard the last answer, and says where its fields stood until then."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect
from support.visitor import LATE, Visitor


def stands(page: Page, number: str) -> None:
    """Wait until the slider, its typed field and the button say one epsilon."""
    expect(page.get_by_role("slider").first).to_have_value(number)
    expect(page.get_by_label("ε as a number").first).to_have_value(number)  # the one before may still be leaving
    expect(page.get_by_role("button", name=f"(spends ε = {number}")).to_be_visible()


def test_epsilon_stays_where_it_was_put_over_a_slow_line(visit: Callable[..., Visitor]) -> None:
    """Moved on before the last move was answered, then typed, with another field chosen at once."""
    visitor = visit()
    visitor.alter(LATE)
    page = visitor.open("global-sensitivity?lang=en")
    page.evaluate("window.late = 500")
    slider, typed = page.get_by_role("slider").first, page.get_by_label("ε as a number").first
    slider.focus()
    for _ in range(6):
        slider.press("ArrowRight")
        page.wait_for_timeout(250)
    page.wait_for_timeout(1000)
    stands(page, "0.56")
    typed.fill("0.9")
    typed.press("Enter")
    page.get_by_role("combobox").first.press("ArrowDown")  # before the slider has heard of it
    page.keyboard.press("Enter")
    page.wait_for_timeout(1500)
    stands(page, "0.9")
