"""Letters of formulas: each stands in its formula, and lights up what it means, by mouse, finger and keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.lessons import Pupil
from support.visitor import Visitor

from discreet.course.contents import LESSONS
from discreet.course.figures import named
from discreet.course.letters import Letter, every, signs
from discreet.course.steps import Step
from discreet.course.whole_course import PARTS
from discreet.ui.figures.drag import Handle
from discreet.ui.figures.theme import Sketch

STEPS = [(number, step) for number, part in enumerate(PARTS, 1) for step in part.STEPS]
KINDS = ("slider", "select_slider", "number_input", "text_input", "toggle", "checkbox", "button_group")
# letters of formulas that are drawn, and nobody says anything about
SILENT = """() => [...document.querySelectorAll('[class*=-formulas] :is(.mord, .mop)')].filter((node) =>
    !node.childElementCount && /^(\\p{L}|[A-Z][A-Za-z]+|ln)$/u.test(node.textContent) && !node.dataset.letter
).map((node) => node.textContent)"""


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect what has a name on the figures that are drawn: lines, bars and their places, marks, axes and handles."""
    names: list[str] = []
    figure, handle = Sketch.to_dict, Handle.drawn

    def of_figure(sketch: Sketch) -> dict[str, Any]:
        whole = figure(sketch)
        page, traces = whole["layout"], whole["data"]
        titles = (page[axis]["title"].get("text", "") for axis in page if "axis" in axis and page[axis].get("title"))
        names.extend(title.replace("<br>", "") for title in titles)  # as the browser reads it
        names.extend(str(part.get("name") or part.get("text")) for part in (*traces, *page["annotations"]))
        names.extend(at for trace in traces for axis in "xy" for at in trace.get(axis) or [] if isinstance(at, str))
        return whole

    def of_handle(grip: Handle) -> dict[str, Any]:
        names.append(grip.name)
        return handle(grip)

    monkeypatch.setattr(Sketch, "to_dict", of_figure)
    monkeypatch.setattr(Handle, "drawn", of_handle)
    return names


def alike(mark: str, names: Iterable[str]) -> bool:
    """Say whether a mark is among names; what is filled in may be anything."""
    pattern = ".+".join(re.escape(part) for part in re.split(r"\{[^}]*\}", mark))
    return any(re.fullmatch(pattern, name) for name in names)


def controls(pupil: Pupil) -> set[str]:
    """Return the keys of the controls that are there."""
    return {str(widget.key) for kind in KINDS for widget in getattr(pupil.app, kind, pupil.app.get(kind))}


def test_letters_are_read_out_of_formulas() -> None:
    """Names that stand upright are one name, commands of typesetting are none."""
    lines = (r"\mathrm{LS}(f, x') = \max_{k \ge 0} e^{-\beta k}", r"\begin{cases} \ln\frac{u_i}{\delta} \end{cases}")
    assert signs(lines) == ["LS", "f", "x", "k", "e", "β", "ln", "u", "i", "δ"]


@pytest.mark.parametrize(("number", "step"), STEPS, ids=[f"{number}-{step.name}" for number, step in STEPS])
def test_every_letter_of_a_formula_has_a_meaning_and_its_marks_and_controls_are_there(
    number: int, step: Step, drawn: list[str]
) -> None:
    """A control that a letter sets is on the screen of that step, and so is one of its marks."""
    letters = every(step.page.formulas, step.letters)
    assert set(letters) == set(signs(step.page.formulas))
    assert any(letter.marks for letter in letters.values())
    pupil, prefix = Pupil(LESSONS[number - 1].page, step=step.name), f"lesson{number}-{step.name}-"
    missing = missed(letters, [*pupil.numbers(), *drawn], controls(pupil), prefix)
    views = [group for group in pupil.app.get("button_group") if str(group.key).startswith(prefix)]
    choices = [(view, option) for view in views for option in view.options[1:]]
    for view, option in choices:
        if missing:
            view.set_value(option).run()
            missing &= missed(letters, [*pupil.numbers(), *drawn], controls(pupil), prefix)
    assert not missing


def missed(letters: Mapping[str, Letter], names: Sequence[str], keys: Collection[str], prefix: str) -> set[str]:
    """Return the letters none of whose marks is on the screen, and the controls that are not."""
    dark = {
        sign
        for sign, letter in letters.items()
        if letter.marks and not any(alike(named(m), names) for m in letter.marks)
    }
    wanted = {control for letter in letters.values() for control in letter.controls}
    return dark | {control for control in wanted if not any(key.startswith(prefix + control) for key in keys)}


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
    expect(page.locator("[class*=-formulas] [data-letter=KL]")).to_be_visible()
    assert page.evaluate(SILENT) == []
    page.locator("[class*=-formulas] [data-letter=P]").first.hover()
    expect(status).to_have_text("P: the distribution of the results with Mia")
    assert lit(page) == ["P, with Mia"]
    assert page.locator(".trace.discreet-dim").count() == 2
    page.mouse.move(5, 5)
    expect(page.locator(".trace.discreet-dim")).to_have_count(0)
    button.filter(has_text="δ").first.click()
    assert lit(page) == ["P above e<sup>ε</sup> Q: area δ"]
    button.filter(has_text="ε").first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(page.locator(".st-key-lesson5-divergences-epsilon.discreet-lit")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".discreet-lit")).to_have_count(0)


@pytest.mark.soak_alone
def test_a_letter_finds_a_mark_whose_number_is_filled_in_and_one_drawn_anew(visit: Callable[..., Visitor]) -> None:
    """In Chinese, too; the figure that a control moves stays lit while the letter is pressed.

    In `make test` the test above lights marks of a figure, and the first one names what each letter marks.
    """
    visitor = visit()
    page = visitor.open("lesson-6-local-sensitivity?lang=zh&guess=no&lesson6-step=leak")
    expect(page.locator(".st-key-lesson-figure .trace").first).to_be_visible()
    page.locator(".discreet-letters button").filter(has_text="n").first.click()
    expect(page.locator(".annotation.discreet-lit")).to_contain_text("300")
    page.locator(".st-key-lesson6-leak-people input, .st-key-lesson6-leak-people [role=slider]").first.press(
        "ArrowRight"
    )
    expect(page.locator(".annotation.discreet-lit")).to_contain_text("1,000")
