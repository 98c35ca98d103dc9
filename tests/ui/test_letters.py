"""Letters of formulas: each stands in its formula, and lights up what it means, by mouse, finger and keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from lessons import Pupil
from playwright.sync_api import Page, expect
from visitor import Visitor

from discreet.ui.learn.course import LESSONS
from discreet.ui.learn.letters import WRITTEN
from discreet.ui.learn.step import Step
from discreet.ui.learn.whole_course import PARTS

STEPS = [(number, step) for number, part in enumerate(PARTS, 1) for step in part.STEPS]
GREEK = WRITTEN | {"τ": r"\tau"}


@pytest.mark.parametrize(("number", "step"), STEPS, ids=[f"{number}-{step.name}" for number, step in STEPS])
def test_a_letter_stands_in_its_formula_and_names_controls_that_are_there(number: int, step: Step) -> None:
    """Each step has letters; a control that a letter sets is on the screen of that step."""
    assert step.letters
    formulas = re.sub(r"\\(mathrm|operatorname|text|mathbb)\{[^}]*\}", "", " ".join(step.page.formulas))
    assert not [sign for sign in step.letters if GREEK.get(sign, sign) not in formulas]
    assert any(letter.marks for letter in step.letters.values())
    pupil = Pupil(LESSONS[number - 1].page, step=step.name)
    kinds = ("slider", "select_slider", "number_input", "toggle", "checkbox", "button_group")
    keys = [str(widget.key) for kind in kinds for widget in getattr(pupil.app, kind, pupil.app.get(kind))]
    for letter in step.letters.values():
        for control in letter.controls:
            prefix = f"lesson{number}-{step.name}-{control}"
            shown = any(key.startswith(prefix) for key in keys)
            assert shown or (step.name, control) == ("functions", "n"), (step.name, control, keys)


def lit(page: Page) -> list[str]:
    """Return the names of what is lit on the figure."""
    names = page.evaluate(
        """[...document.querySelectorAll('.st-key-lesson-figure .discreet-lit')].map(
            (node) => [node.__data__].flat()[0]?.trace?.name ?? node.getAttribute('aria-label') ?? node.textContent)"""
    )
    return [str(name) for name in names]


def test_a_letter_lights_its_line_its_axis_and_its_control(visit: Callable[..., Visitor]) -> None:
    """By mouse in the formula itself, by keyboard on its button, and until pressed again; others are dimmed."""
    visitor = visit()
    page = visitor.open("lesson-5-composition?lang=en&guess=no&lesson5-step=divergences")
    button, status = page.locator(".discreet-letters button"), page.locator(".discreet-meaning")
    expect(page.locator(".st-key-lesson-figure .trace").first).to_be_visible()
    page.locator("[class*=-formulas] [data-letter=P]").first.hover()
    expect(status).to_have_text("P: the law of the answers with the person")
    assert lit(page) == ["P, with the person"]
    assert page.locator(".trace.discreet-dim").count() == 2
    page.mouse.move(5, 5)
    expect(page.locator(".trace.discreet-dim")).to_have_count(0)
    button.filter(has_text="δ").first.click()
    assert lit(page) == ["P above e^ε Q: area δ"]
    button.filter(has_text="ε").first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(page.locator(".st-key-lesson5-divergences-epsilon.discreet-lit")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".discreet-lit")).to_have_count(0)


def test_a_letter_finds_a_mark_whose_number_is_filled_in_and_one_drawn_anew(visit: Callable[..., Visitor]) -> None:
    """In Chinese, too; the figure that a control moves stays lit while the letter is pressed."""
    visitor = visit()
    page = visitor.open("lesson-6-local-sensitivity?lang=zh&guess=no&lesson6-step=leak")
    expect(page.locator(".st-key-lesson-figure .trace").first).to_be_visible()
    page.locator(".discreet-letters button").filter(has_text="n").first.click()
    expect(page.locator(".annotation.discreet-lit")).to_contain_text("300")
    page.locator(".st-key-lesson6-leak-people input, .st-key-lesson6-leak-people [role=slider]").first.press(
        "ArrowRight"
    )
    expect(page.locator(".annotation.discreet-lit")).to_contain_text("1,000")
