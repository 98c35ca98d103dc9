"""Hands on a figure, in a real browser: handles that are dragged, answers that fall, guesses that come back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from support.visitor import LATE, Visitor

AVERAGE = "Results: 301, last "
HIDE = "how => { document.querySelector('.js-plotly-plot').style.display = how; }"  # as Plotly does for a moment


def test_a_handle_is_moved_by_keys_and_dragged_and_the_control_follows(visit: Callable[..., Visitor]) -> None:
    """A key to the right is more noise, and the focus stays; a long drag goes on while figures come anew."""
    visitor = visit()
    page = visitor.open("lesson-3-laplace?lang=en&guess=no&lesson3-step=scales")
    handle, first = page.locator(".discreet-handle"), page.get_by_test_id("stMetricValue").first
    expect(handle).to_have_attribute("aria-valuetext", "95% within 5.991: ε = 0.5")
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
    page.evaluate(HIDE, "none")
    page.mouse.move(box["x"] + 14 - 250, box["y"] + 20)
    page.evaluate(HIDE, "")
    page.mouse.up()
    expect(handle).to_have_attribute("aria-valuetext", "95% within 0.9986: ε = 3")
    expect(first).to_have_text("0.3333")
    expect(page).to_have_url(re.compile("lesson3-scales-epsilon=3"))  # the address follows the figure


def test_a_handle_moved_to_and_fro_over_a_slow_line_leaves_control_and_figure_at_one_value(
    visit: Callable[..., Visitor],
) -> None:
    """A browser that has not heard of the last move says that its control stands where it is moved to now."""
    visitor = visit()
    visitor.alter(LATE)
    page = visitor.open("lesson-3-laplace?lang=en&guess=no&lesson3-step=scales")
    handle, first = page.locator(".discreet-handle"), page.get_by_test_id("stMetricValue").first
    expect(handle).to_have_attribute("aria-valuetext", "95% within 5.991: ε = 0.5")
    visitor.settle()
    page.evaluate("window.late = 500")
    handle.focus()
    for key in ("ArrowRight", "ArrowLeft"):
        handle.press(key)
        page.wait_for_timeout(200)
    page.wait_for_timeout(1500)
    expect(first).to_have_text("2")
    expect(page.get_by_role("slider", name="ε")).to_have_value("5")  # 0.5 is the sixth of the values


def test_answers_fall_one_by_one_and_by_the_hundred(visit: Callable[..., Visitor]) -> None:
    """As many as were asked for, with their average; with reduced motion they lie there at once."""
    visitor = visit()
    page = visitor.open("lesson-3-laplace?lang=en&guess=no&lesson3-step=count&lesson3-count-show=falling")
    status = page.locator("p.status")
    page.get_by_role("button", name="Add one").click()
    expect(status).to_contain_text("Results: 1, last ")
    for _ in range(3):
        page.get_by_role("button", name="Add 100").click()
    expect(status).to_contain_text(AVERAGE)
    average = float(str(status.text_content()).rsplit(" ", 1)[1].replace(",", ""))
    assert abs(average - 13_916) < 4
    page.get_by_role("button", name="Start again").click()
    expect(status).to_contain_text("Results: 0, last ")


LOST = """
const send = WebSocket.prototype.send;
let lost = false; // the first word of what was guessed before
WebSocket.prototype.send = function (message) {
  const said = message instanceof Uint8Array && new TextDecoder().decode(message).includes("lesson3-");
  if (!said || lost) return send.call(this, message);
  lost = window.lost = true;
};
"""


def test_guesses_come_back_when_the_server_knows_nothing_of_them(visit: Callable[..., Visitor]) -> None:
    """The browser keeps them: without its cookie it is somebody new to the server, which is told until it has heard."""
    visitor = visit()
    page = visitor.open("lesson-3-laplace?lang=en")
    page.get_by_role("button", name="Show answer").click()
    expect(page.get_by_text("Recap: 1 of 5 steps")).to_be_visible()
    visitor.settle()
    visitor.alter(LOST)
    page.context.clear_cookies()
    page.reload()
    expect(page.get_by_text("Recap: 1 of 5 steps")).to_be_visible()
    assert page.evaluate("window.lost")
    page.get_by_role("button", name="Reset").click()
    expect(page.get_by_role("button", name="Show answer")).to_be_visible()
    visitor.settle()
    page.context.clear_cookies()
    page.reload()
    expect(page.get_by_role("button", name="Show answer")).to_be_visible()


@pytest.mark.soak_alone
def test_on_a_phone_a_step_begins_at_its_top_and_a_focused_control_lies_below_its_figure(
    visit: Callable[..., Visitor],
) -> None:
    """The way on lies far below; by keys one comes to a slider without losing the figure that it moves.

    In `make test` test_learn.py looks at steps on a phone.
    """
    visitor = visit()
    visitor.page.set_viewport_size({"width": 390, "height": 844})
    page = visitor.load("lesson-2-differencing?lang=en&guess=yes&lesson2-step=named")
    about, asked = (page.get_by_text(words) for words in ("No one has to forbid the query", "First, a guess"))
    assert about.bounding_box()["y"] < asked.bounding_box()["y"]
    page = visitor.load("lesson-2-differencing?lang=en&guess=no&lesson2-step=named")
    page.get_by_role("button", name="Next step").click()
    visitor.settle()
    figure = page.locator(".st-key-lesson-figure")
    expect(page.get_by_text("The count of person 1 is")).to_be_in_viewport(ratio=1)
    step = page.get_by_test_id("stHorizontalBlock").filter(has=figure)  # the figure itself would stay in sight
    assert 0 < step.evaluate("step => step.getBoundingClientRect().top") < 100
    page.set_viewport_size({"width": 1280, "height": 500})  # a laptop on which the way on lies below the edge
    page.get_by_role("button", name="Next step").scroll_into_view_if_needed()
    page.get_by_role("button", name="Next step").click()
    visitor.settle()
    assert 0 < step.evaluate("step => step.getBoundingClientRect().top") < 100
    page.set_viewport_size({"width": 390, "height": 844})
    visitor.load("lesson-2-differencing?lang=en&guess=no&lesson2-step=twenty")
    slider = page.locator('input[aria-label="ε per count"]')
    slider.focus()
    page.keyboard.press("ArrowRight")
    visitor.settle()
    expect(figure.locator(".js-plotly-plot")).to_be_in_viewport(ratio=0.99)
    below, above = slider.bounding_box(), figure.bounding_box()
    assert below and above and above["y"] + above["height"] <= below["y"] < 844


@pytest.mark.soak_alone
def test_exercises_stay_open_when_one_is_solved(visit: Callable[..., Visitor]) -> None:
    """What is solved is counted in the line that opens them: the line changes, and the next exercise stays in sight.

    In `make test` test_guess_first.py solves an exercise, and counts it.
    """
    visitor = visit()
    page = visitor.open("lesson-3-laplace?lang=en&guess=no&lesson3-step=scales")
    visitor.unfold("Exercises: 0 of 10 solved")
    for place, answer in enumerate(("10", "1.386", "4.605"), 1):
        field = page.get_by_role("spinbutton", name=f"Answer to exercise {place}", exact=True)
        field.fill(answer)
        field.press("Enter")
        expect(page.get_by_text(f"Exercises: {place} of 10 solved")).to_be_visible()
    expect(page.get_by_text("What is its standard deviation at scale 5?")).to_be_visible()
