"""A guess is put on the figure itself: what is seen before, what after, and by which ways it gets there."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from support.lessons import Pupil
from support.visitor import Visitor

from discreet.course.contents import LESSONS
from discreet.course.lessons import composition, election, laplace, local, mistakes, sensitivity, streams
from discreet.course.steps import Step
from discreet.ui.figures.drag import SCRIPT
from discreet.ui.frame.families import TOKENS
from discreet.ui.session.guesses import OnFactors, OnScale

ROOMS = {3: laplace, 4: sensitivity, 5: composition, 6: local, 7: election, 8: streams, 9: mistakes}
POINTS = [(number, step) for number, room in ROOMS.items() for step in room.STEPS if step.point is not None]
NAMES = [step.name for _, step in POINTS]


LATE = """
const listen = WebSocket.prototype.addEventListener;
WebSocket.prototype.addEventListener = function (kind, hear, ...rest) {
  listen.call(this, kind, kind === "message" ? (event) => setTimeout(() => hear(event), 400) : hear, ...rest);
};
"""


def drawn(pupil: Pupil) -> dict[str, Any]:
    """Return the figure that is on the screen: of several the one with the guess."""
    figures: list[dict[str, Any]] = [json.loads(chart.proto.spec) for chart in pupil.app.get("plotly_chart")]
    return next((each for each in figures if any("guess" in text for text in written(each))), figures[0])


def written(figure: dict[str, Any]) -> list[str]:
    """Return what is written on a figure."""
    return [note["text"] for note in figure["layout"].get("annotations", ())]


def test_twelve_steps_take_their_guess_on_the_figure() -> None:
    """The point asks what the step asks, on places that the question offers."""
    assert len(POINTS) == 12
    for _, step in POINTS:
        assert step.point is not None and step.point.prediction is step.prediction
        assert isinstance(step.prediction.kind, (OnScale, OnFactors))
        assert all(step.prediction.kind.offers(place) for place in step.prediction.kind.places), step.name


@pytest.mark.parametrize(("number", "step"), POINTS, ids=NAMES)
def test_the_truth_stands_on_the_figure_after_the_guess_and_not_before(number: int, step: Step) -> None:
    """Guess, truth and distance lie on the axis of the answer; of another case nothing of it is said."""
    assert step.point is not None and isinstance(step.prediction.kind, (OnScale, OnFactors))
    pupil = Pupil(LESSONS[number - 1].page, guess="yes", step=step.name)
    kind, truth = step.prediction.kind, float(step.prediction.answer)
    guess = max(kind.places, key=lambda place: abs(place - truth))
    before = drawn(pupil)
    assert not any("correct answer:" in text or "your guess" in text for text in written(before)), written(before)
    pupil.move(f"{step.name}-guess", guess)
    pupil.press("Submit guess")
    after = drawn(pupil)
    assert {text.split(":")[0] for text in written(after)} >= {"correct answer", "your guess"}
    ends = {shape.get(f"{step.point.axis}0") for shape in after["layout"]["shapes"]}
    assert {guess * step.point.unit, truth * step.point.unit} <= ends
    (bar,) = [shape for shape in after["layout"]["shapes"] if shape["line"]["width"] == 6]
    assert (bar[f"{step.point.axis}0"], bar[f"{step.point.axis}1"]) == (
        guess * step.point.unit,
        truth * step.point.unit,
    )
    assert any("Too high by" in text or "Too low by" in text for text in written(after))
    assert bar["line"]["color"] == TOKENS["refused"][0]


def test_a_good_guess_is_green() -> None:
    """6 is near 5.99: the bar of the distance has the colour of done."""
    pupil = Pupil("lesson_3_laplace", guess="yes", step="scales")
    pupil.move("scales-guess", 6.0)
    pupil.press("Submit guess")
    (bar,) = [shape for shape in drawn(pupil)["layout"]["shapes"] if shape["line"]["width"] == 6]
    assert bar["line"]["color"] == TOKENS["done"][0]


def test_another_case_has_no_truth_of_the_guess() -> None:
    """The guess was about ε = 0.5: at ε = 1 neither it nor its truth is on the figure."""
    pupil = Pupil("lesson_3_laplace", guess="yes", step="scales")
    pupil.move("scales-guess", 4.0)
    pupil.press("Submit guess")
    assert any("correct answer" in text for text in written(drawn(pupil)))
    pupil.move("scales-epsilon", 1.0)
    assert not any("correct answer" in text for text in written(drawn(pupil)))
    pupil.move("scales-epsilon", 0.5)
    assert any("correct answer" in text for text in written(drawn(pupil)))


def test_a_guess_is_pressed_dragged_stepped_and_typed(visit: Callable[..., Visitor]) -> None:
    """The point comes to where one presses and along with the mouse; keys and the field move it, too."""
    visitor = visit()
    page = visitor.open("lesson-9-mistakes?lang=en&lesson9-step=catastrophe")
    handle, field = page.locator(".discreet-handle"), page.get_by_label("Your guess, in %")
    expect(handle).to_have_attribute("aria-valuetext", "?")
    plot = page.locator(".js-plotly-plot .nsewdrag").first.bounding_box()
    assert plot is not None
    high = plot["y"] + plot["height"] * (1 - 0.5 / 1.05)
    page.mouse.click(plot["x"] + 30, high)
    expect(field).to_have_value("50")
    page.mouse.move(plot["x"] + 30, high)
    page.mouse.down()
    page.mouse.move(plot["x"] + 60, plot["y"] + plot["height"] * (1 - 0.8 / 1.05), steps=5)
    page.mouse.up()
    expect(field).to_have_value("80")
    expect(handle).to_be_focused()
    handle.press("ArrowDown")
    expect(field).to_have_value("75")
    field.fill("30")
    field.press("Enter")
    expect(handle).to_have_attribute("aria-valuetext", "30%")
    page.get_by_role("button", name="Submit guess").click()
    figure = page.locator(".js-plotly-plot")  # the sentence above it names the guess, too
    expect(figure.get_by_text("your guess: 30%")).to_be_visible()
    expect(figure.get_by_text("correct answer: 30.6%")).to_be_visible()


@pytest.mark.soak_alone
def test_a_late_answer_takes_nothing_back(visit: Callable[..., Visitor]) -> None:
    """On a slow line the last place of the point is the one that counts, whatever older answers say.

    In `make test` test_hands_on.py moves a handle over a slow line, which is made of the same script.
    """
    visitor = visit()
    visitor.alter(LATE)
    page = visitor.open("lesson-9-mistakes?lang=en&lesson9-step=catastrophe")
    handle, field = page.locator(".discreet-handle"), page.get_by_label("Your guess, in %")
    expect(handle).to_have_attribute("aria-valuetext", "?")
    handle.focus()
    for texts in ("55%", "60%", "65%", "70%", "75%"):
        handle.press("ArrowUp")
        expect(handle).to_have_attribute("aria-valuetext", texts)
        page.wait_for_timeout(150)
    page.wait_for_timeout(1500)
    expect(handle).to_have_attribute("aria-valuetext", "75%")
    expect(field).to_have_value("75")


BARE = """async (script) => {
  document.body.innerHTML = '<div class="st-key-bare"><div class="js-plotly-plot"></div></div>';
  const axis = { type: "linear", _offset: 0, _length: 100, d2p: (place) => place };
  Object.assign(document.querySelector(".js-plotly-plot"), {
    _fullLayout: { xaxis: axis, yaxis: axis },
    on: () => {},
  });
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const draw = (await import(address)).default;
  const handle = { control: "c", name: "n", places: [0, 1], texts: ["0", "1"], at: 0, axis: "x", beside: null };
  const given = { data: { within: "bare", handles: [handle] }, parentElement: {}, setTriggerValue: () => {} };
  window.come = () => void (window.go = draw(given));
}"""


@pytest.mark.soak_alone
def test_a_handle_keeps_its_focus_when_a_busy_page_goes_and_comes(chromium: Browser) -> None:
    """A page may take its leave of a figure and draw it again at once; one that stays away leaves nothing.

    In `make test` test_hands_on.py moves a handle by keys while its figure comes anew.
    """
    page = chromium.new_page()
    page.evaluate(BARE, SCRIPT)
    page.evaluate("come()")
    handle = page.get_by_role("slider")
    handle.focus()
    page.evaluate("go(); come()")
    page.wait_for_timeout(1500)
    expect(handle).to_be_focused()
    page.evaluate("go()")
    expect(handle).to_have_count(0)
    page.close()
