"""Hands on a figure, in a real browser: handles that are dragged, answers that fall, guesses that come back."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect
from visitor import Visitor

AVERAGE = "301 answers"


def test_a_handle_is_moved_by_keys_and_dragged_and_the_control_follows(visit: Callable[..., Visitor]) -> None:
    """A key to the right is more noise, and the focus stays; a long drag goes on while figures come anew."""
    visitor = visit()
    page = visitor.open("lesson-3-laplace?lang=en&guess=no")
    handle, first = page.locator(".discreet-handle"), page.get_by_test_id("stMetricValue").first
    expect(handle).to_have_attribute("aria-valuetext", "19 in 20 within 5.991: ε = 0.5")
    handle.focus()
    handle.press("ArrowRight")
    expect(first).to_have_text("3.333")
    expect(handle).to_be_focused()
    visitor.settle()
    box = handle.bounding_box()
    assert box is not None and box["width"] >= 24 and "lesson3-scales-epsilon=0.3" in page.url
    page.mouse.move(box["x"] + 14, box["y"] + 14)
    page.mouse.down()
    for step in range(1, 12):
        page.mouse.move(box["x"] + 14 - 25 * step, box["y"] + 20)
        page.wait_for_timeout(60)
    page.mouse.up()
    expect(first).to_have_text("0.3333")
    assert "lesson3-scales-epsilon=3" in page.url


def test_answers_fall_one_by_one_and_by_the_hundred(visit: Callable[..., Visitor]) -> None:
    """As many as were asked for, with their average; with reduced motion they lie there at once."""
    visitor = visit()
    page = visitor.open("lesson-3-laplace?lang=en&guess=no&lesson3-step=count&lesson3-count-show=falling")
    status = page.locator("p.status")
    page.get_by_role("button", name="One more").click()
    expect(status).to_contain_text("1 answers")
    for _ in range(3):
        page.get_by_role("button", name="A hundred").click()
    expect(status).to_contain_text(AVERAGE)
    average = float(str(status.text_content()).rsplit(" ", 1)[1].replace(",", ""))
    assert abs(average - 13_916) < 4
    page.get_by_role("button", name="From the beginning").click()
    expect(status).to_contain_text("0 answers")


def test_guesses_come_back_when_the_server_knows_nothing_of_them(visit: Callable[..., Visitor]) -> None:
    """The browser keeps them: without its cookie it is somebody new to the server, and is told its progress."""
    visitor = visit()
    page = visitor.open("lesson-3-laplace?lang=en")
    page.get_by_role("button", name="Show me").click()
    expect(page.get_by_text("Recap: 1 of 4 steps")).to_be_visible()
    visitor.settle()
    page.context.clear_cookies()
    page.reload()
    expect(page.get_by_text("Recap: 1 of 4 steps")).to_be_visible()
    page.get_by_role("button", name="Reset").click()
    expect(page.get_by_role("button", name="Show me")).to_be_visible()
    visitor.settle()
    page.context.clear_cookies()
    page.reload()
    expect(page.get_by_role("button", name="Show me")).to_be_visible()
