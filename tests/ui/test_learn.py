"""The course in a real browser: one screen each, on a phone too; addresses, reset, timetable."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable
from datetime import time
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest
from support.lessons import Pupil
from support.pages import ROOT
from support.soak import some
from support.visitor import Visitor

import discreet.ui.session.state
from discreet.course.contents import BREAKS, LESSONS, Lesson
from discreet.course.onward import TEN_MINUTES
from discreet.course.overview import timetable
from discreet.course.whole_course import places
from discreet.ui.frame.catalogue import CATALOGUES

LAST = "[data-testid=stMain] [data-testid=stPageLink]"
WIDE = "() => document.querySelector('[data-testid=stMain]').scrollWidth"
BOTTOM = "e => Math.max(...e.map(link => link.getBoundingClientRect().bottom))"


def address(lesson: Lesson) -> str:
    """Return where a lesson is."""
    return lesson.page.replace("_", "-")


def steps(page: Page) -> list[str]:
    """Return the labels of a lesson's steps."""
    group = page.get_by_test_id("stMain").get_by_role("radiogroup").first
    return [str(button.text_content()) for button in group.get_by_role("radio").all()]


@pytest.mark.soak
@pytest.mark.parametrize("code", some(("en", "zh"), 2))
def test_every_step_of_a_lesson_fits_one_screen_and_a_phone(visit: Callable[..., Visitor], code: str) -> None:
    """At 1280 x 800 the last link of every step is in sight without scrolling; on a phone nothing is wider than it.

    A step with two figures, one below the other, is longer.

    In `make test` every second step of one lesson in English; test_axe.py opens another one.
    """
    visitor = visit()
    page = visitor.open(f"lessons?lang={code}&guess=no")
    for lesson in some(map(address, LESSONS[3:] + LESSONS[:3]), len(LESSONS)):
        page.set_viewport_size({"width": 1280, "height": 800})
        visitor.go(lesson)
        for place, label in some(list(enumerate(steps(page))), 2):
            page.get_by_test_id("stMain").get_by_role("radiogroup").first.get_by_role("radio").nth(place).click()
            visitor.settle()
            expect(page.locator(".st-key-lesson-figure")).to_be_visible()
            if page.locator(".js-plotly-plot").count() < 2:
                assert page.locator(LAST).evaluate_all(BOTTOM) <= 800, (lesson, label)
        page.set_viewport_size({"width": 390, "height": 800})
        visitor.settle()
        assert page.evaluate(WIDE) <= 390, lesson
        visitor.go("lessons")


@pytest.mark.soak_alone
@pytest.mark.parametrize("code", some(("zh", "en"), 2))
def test_what_one_plays_and_walks_fits_one_screen(visit: Callable[..., Visitor], code: str) -> None:
    """The two steps that have more than numbers above their figure: the last link is in sight at 1280 x 800.

    In `make test` the test above holds the same of the steps of one lesson.
    """
    visitor = visit()
    visitor.page.set_viewport_size({"width": 1280, "height": 800})
    for lesson, step in (("2-differencing", "twenty"), ("6-local-sensitivity", "test")):
        page = visitor.load(f"lesson-{lesson}?lang={code}&guess=no&lesson{lesson[0]}-step={step}")
        expect(page.locator(".js-plotly-plot")).to_have_count(1)
        assert page.locator(LAST).evaluate_all(BOTTOM) <= 800, step


def noise(pupil: Pupil) -> tuple[str, str, str]:
    """Return what a lesson stands at: its first number, its step, and its noise by the word that the address has."""
    (control,) = [control for control in pupil.app.select_slider if control.key == pupil.key("again-epsilon")]
    assert control.proto.query_param_key == control.key  # what is bound so is written by the browser itself
    return next(iter(pupil.numbers().values())), pupil.app.query_params[pupil.key("step")], str(control.value)


def test_an_address_carries_step_and_settings_to_somebody_else() -> None:
    """A teacher moves a slider, a pupil opens the address and sees the same; reset takes the settings back."""
    teacher = Pupil("lesson_2_differencing")
    teacher.move("step", "again")
    assert noise(teacher) == ("10", "again", "0.1")
    teacher.move("again-epsilon", 0.05)
    assert noise(teacher) == ("20", "again", "0.05")
    teacher.reset()
    assert noise(teacher) == ("10", "again", "0.1")
    pupil = Pupil("lesson_2_differencing", step="again", **{"again-epsilon": "0.05"})
    assert noise(pupil) == ("20", "again", "0.05")


def test_numbers_of_sliders_are_written_as_everywhere_and_old_addresses_open() -> None:
    """10⁻⁶ and 800,000; addresses of earlier versions have 1e-9, 1e-09 and 800000."""
    for written in ("10⁻⁹", "1e-9", "1e-09"):
        pupil = Pupil("lesson_5_composition", step="accounts", **{"accounts-delta": written})
        (delta,) = [control for control in pupil.app.select_slider if control.key == pupil.key("accounts-delta")]
        assert delta.value == 1e-9
        assert list(delta.options) == ["10⁻⁹", "10⁻⁸", "10⁻⁷", "10⁻⁶", "10⁻⁵"]
    pupil = Pupil("lesson_4_sensitivity", step="bounds", **{"bounds-top": "800000"})
    (top,) = [control for control in pupil.app.select_slider if control.key == pupil.key("bounds-top")]
    assert top.value == 800_000
    assert "800,000" in top.options


@pytest.mark.soak_alone
def test_an_address_carries_step_and_settings_to_another_browser(visit: Callable[..., Visitor]) -> None:
    """A teacher moves a slider, copies the address, and a pupil sees the same; reset takes the settings back.

    In `make test` the test above does the same without a browser; test_hands_on.py reads the address of a browser after
    a figure was moved, and the test below opens one.
    """
    teacher = visit()
    page = teacher.open("lesson-2-differencing?lang=en&guess=no")
    page.get_by_role("radio", name="Repeated queries").click()
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("10")
    teacher.settle()
    slider = page.get_by_role("slider", name="ε per result")
    slider.focus()
    slider.press("ArrowLeft")
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("20")
    teacher.settle()
    copied = page.url
    assert "lesson2-step=again" in copied and "lesson2-again-epsilon=0.05" in copied
    page.get_by_role("button", name="Reset").click()
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("10")
    teacher.settle()
    assert "lesson2-step=again" in page.url and "epsilon" not in page.url
    page.context.clear_cookies()  # from here on it is another browser
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    seen = teacher.load(copied.split("/", 3)[3])
    expect(seen.get_by_test_id("stMetricValue").first).to_have_text("20")


def test_an_address_works_in_the_other_language(visit: Callable[..., Visitor]) -> None:
    """The names in an address are of no language; the labels are."""
    visitor = visit()
    page = visitor.open("lesson-6-local-sensitivity?lang=zh&guess=no&lesson6-step=ways&lesson6-ways-people=1000")
    chosen = page.get_by_role("radio", name=CATALOGUES["zh"]["Three safe mechanisms"])
    expect(chosen).to_be_checked()
    expect(page.get_by_role("slider").first).to_have_attribute("aria-valuetext", "1,000")


def follow(pupil: Pupil, label: str) -> None:
    """Go where the first link that is called so, or begins so, leads."""
    links = [link.proto for link in pupil.app.get("page_link") if link.proto.label.startswith(label)]
    pupil.app.query_params.clear()
    for name, word in parse_qsl(links[0].query_string):
        pupil.app.query_params[name] = word
    pupil.app.switch_page(f"../pages/{links[0].page.replace('-', '_')}.py").run()
    pupil.stands()


def test_links_lead_from_the_course_to_an_idea_and_back_to_its_step() -> None:
    """From the course to a lesson, the next one, a mechanism, and from there back to the step, which is chosen."""
    pupil = Pupil("lesson_6_local_sensitivity")
    pupil.app.switch_page("../pages/lessons.py").run()
    follow(pupil, "Open lesson 5")
    follow(pupil, "Lesson 6")
    assert "Lesson 6" in pupil.app.header[0].value
    pupil.move("step", "tent")
    follow(pupil, "Sample and aggregate")
    assert pupil.app.title[0].value == "Sample and aggregate"
    follow(pupil, "Back to lesson 6")
    assert "Lesson 6" in pupil.app.header[0].value
    assert [group.value for group in pupil.app.button_group if group.key == pupil.key("step")] == ["tent"]
    assert not [link for link in pupil.app.get("page_link") if link.proto.label.startswith("Back to lesson")]


@pytest.mark.soak_alone
def test_a_lesson_leads_on_to_the_next_and_to_the_screen_of_its_idea(visit: Callable[..., Visitor]) -> None:
    """By links alone, from the course to a mechanism, and from there back to the step.

    In `make test` the test above follows the same links without a browser; those of test_axe.py are clicked in one.
    """
    visitor = visit()
    page = visitor.open("lessons?lang=en")
    page.get_by_role("link", name="Open lesson 5").click()
    page.get_by_test_id("stMain").get_by_role("link", name="Lesson 6").click()
    expect(page.get_by_role("heading", name=re.compile("Lesson 6"))).to_be_visible()
    page.get_by_test_id("stMain").get_by_role("radio", name="The tent").click()
    visitor.settle()
    page.get_by_test_id("stMain").get_by_role("link", name="Sample and aggregate").click()
    expect(page.get_by_role("heading", name="Sample and aggregate", exact=True)).to_be_visible()
    page.get_by_role("link", name="Back to lesson 6").click()
    expect(page.get_by_test_id("stMain").get_by_role("radio", name="The tent")).to_be_checked()
    expect(page.get_by_role("link", name="Back to lesson")).to_have_count(0)


LINES = {"half-day": len(LESSONS) + len(BREAKS), "ninety": 4, "hour": 3, "ten": 3, "term": len(LESSONS)}


def test_the_short_plans_and_the_ten_minutes_lead_to_local_sensitivity() -> None:
    """A class of an hour meets it, and so does a reader with ten minutes."""
    for plan in ("hour", "ninety"):
        assert "lesson_6_local_sensitivity" in {slot.lesson.page for slot in timetable(plan, time(9)) if slot.lesson}
    assert [screen.lesson.number for screen in TEN_MINUTES] == [2, 3, 6, 6, 6]
    assert {screen.key for screen in TEN_MINUTES} <= set(places())


LESSON = "lesson_6_local_sensitivity"


def walker(**address: str) -> Pupil:
    """Return a pupil on the page *Lessons* who follows what is pressed: AppTest would return to its first page."""
    pupil = Pupil("lesson_2_differencing", guess="yes")
    pupil.app.query_params.clear()
    pupil.app.query_params.update(address)
    pupil.app.switch_page("../pages/lessons.py").run()
    pupil.app._page_hash = ""
    return pupil


def heading(pupil: Pupil) -> str:
    """Return the first heading of the page."""
    return str(pupil.app.header[0].value)


def offers(pupil: Pupil) -> list[str]:
    """Return the screens that the page *Lessons* links to, and its way on."""
    titles = [link.proto.label for link in pupil.app.get("page_link") if link.proto.label[1:4] == " · "]
    return titles + [button.label for button in pupil.app.button]


def test_the_path_of_ten_minutes_is_walked_from_its_start_to_its_end() -> None:
    """Its button leads from screen to screen, through three lessons; what was seen has a mark on *Lessons*."""
    pupil = walker()
    assert "1 · Two large queries" in offers(pupil) and "Start" in offers(pupil)
    pupil.press("Start")
    for screen in TEN_MINUTES:
        title = places()[screen.key].step.title
        assert heading(pupil) == f"Screen {screen.number} of 5 · {title}"
        assert pupil.app.query_params == screen.address
        assert "Local sensitivity in ten minutes" in [caption.value for caption in pupil.app.caption]
        pupil.press("Show answer")
        answered = [fold.markdown[0].value for fold in pupil.app.expander if fold.label == "Answer"]
        answer = places()[screen.key].step.answer
        assert answered == [answer.text.format(**answer.numbers())]
        pupil.press("Next screen" if screen.number < len(TEN_MINUTES) else "What you have seen")
    assert heading(pupil) == "Ten minutes: what you have seen"
    onward = {link.proto.page: link.proto.label for link in pupil.app.get("page_link")}
    assert onward["dataset"] == "Use my table" and onward["lesson-6-local-sensitivity"].startswith("Lesson 6")
    pupil.press("Lessons")
    assert [title[-1] for title in offers(pupil)[:5]] == ["✓"] * 5 and "What you have seen" in offers(pupil)


def test_home_leads_to_the_first_screen_of_the_path() -> None:
    """By an address that names no lesson."""
    pupil = walker(path="start")
    assert pupil.app.query_params == TEN_MINUTES[0].address


def test_the_page_of_lessons_continues_the_path_at_the_first_screen_that_was_not_seen() -> None:
    """A step of the path does not continue its lesson instead; a screen whose answer is hidden was not seen."""
    pupil = walker()
    pupil.press("Start")
    pupil.app.radio(key="lesson2-two-guess").set_value("smokes")
    pupil.press("Submit guess")
    pupil.press("Next screen")
    pupil.press("Lesson 3")
    assert heading(pupil) == "Lesson 3 · The Laplace mechanism"
    pupil.app.switch_page("../pages/lessons.py").run()
    pupil.app._page_hash = ""
    assert "1 · Two large queries ✓" in offers(pupil) and "2 · The noise" in offers(pupil)
    assert not [link for link in pupil.app.get("page_link") if link.proto.label.startswith("Continue lesson")]
    pupil.press("Continue: screen 2 of 5")
    assert heading(pupil).startswith("Screen 2 of 5")


def test_what_was_shown_on_the_path_without_a_question_was_seen() -> None:
    """A reader who turned the questions off gets marks, too."""
    pupil = walker(guess="no")
    pupil.press("Start")
    pupil.press("Next screen")
    pupil.press("Screen 1")
    pupil.app.switch_page("../pages/lessons.py").run()
    assert "2 · The noise ✓" in offers(pupil) and "3 · In this dataset" in offers(pupil)


def test_a_link_to_a_screen_of_the_path_opens_it_for_somebody_else() -> None:
    """The address alone has the place on the path; out of it, the same step is in its lesson."""
    pupil = Pupil(LESSON, guess="yes")
    pupil.app.query_params.update({"path": "3", "lesson6-step": "local"})
    pupil.app.run()
    assert heading(pupil) == "Screen 3 of 5 · In this dataset"
    pupil.app._page_hash = ""
    pupil.press("Lesson 6")
    assert heading(pupil) == "Lesson 6 · Local sensitivity"
    assert "path" not in pupil.app.query_params
    assert pupil.app.segmented_control(key="lesson6-step").value == "local"


@pytest.mark.parametrize("number", ["", "1", "6", "end", "x"])
def test_a_lesson_without_a_screen_of_the_path_in_its_address_is_as_always(number: str) -> None:
    """It has its steps and *Next step*; so it is with the number of another lesson's screen, or of none."""
    pupil = Pupil(LESSON)
    if number:
        pupil.app.query_params["path"] = number
    pupil.move("step", "leak")
    assert heading(pupil) == "Lesson 6 · Local sensitivity"
    pupil.press("Next step")
    assert pupil.app.segmented_control(key="lesson6-step").value == "jump"
    assert "Next screen" not in [button.label for button in pupil.app.button]


@pytest.mark.parametrize(
    "plan, minutes, end",
    [
        ("half-day", 240, "12:30"),
        ("ninety", 90, "10:00"),
        ("hour", 60, "09:30"),
        ("ten", 10, "08:40"),
        ("term", 45, "09:15"),
    ],
)
def test_a_timetable_adds_up(plan: str, minutes: int, end: str) -> None:
    """Three lessons in an hour; else every lesson once, breaks in half a day only, from half past eight on."""
    discreet.ui.session.state.server().clear()
    app = AppTest.from_file(str(ROOT / "ui" / "shell.py"), default_timeout=60).run()
    app.query_params["learn-plan"] = plan
    app.switch_page("../pages/teach.py").run()
    app.time_input[0].set_value(time(8, 30)).run()
    assert not app.exception
    assert any(f"{minutes} minutes**, from 08:30 to {end}" in m.value for m in app.markdown)
    lines = app.table[0].value
    meetings = lines.groupby(lines["Session"] if plan == "term" else lambda _: 1)
    assert len(lines) == LINES[plan]
    for _, meeting in meetings:
        assert meeting["Minutes"].sum() == minutes
        assert list(meeting["Starts"]) == sorted(meeting["Starts"])


def test_the_course_page_says_what_a_lesson_needs_and_how_far_one_came() -> None:
    """Steps for mathematicians are not counted; a lesson that was begun is continued at its open step."""
    pupil = Pupil("lesson_5_composition", guess="yes", step="accounts")
    pupil.move("accounts-guess", 5.0)
    pupil.press("Submit guess")
    pupil.app.switch_page("../pages/lessons.py").run()
    captions = [caption.value for caption in pupil.app.caption]
    assert "20 minutes · needs 3 · 1 of 3 guessed" in captions and "20 minutes" in captions
    assert [bar.proto.value for bar in pupil.app.get("progress")] == [33]
    pictures = [part.proto.body for part in pupil.app.get("html")]
    drawn = [b64decode(body.split("base64,")[1].split('"')[0]).decode() for body in pictures if "base64" in body]
    assert [f'd="{lesson.picture}"' in svg for lesson, svg in zip(LESSONS, drawn, strict=True)] == [True] * len(LESSONS)
    assert len({lesson.picture for lesson in LESSONS}) == len(LESSONS)
    (onward,) = [each.proto for each in pupil.app.get("page_link") if each.proto.label == "Continue lesson 5"]
    assert "lesson5-step=sequential" in onward.query_string


def test_a_lesson_needs_only_lessons_before_it() -> None:
    """In this order no idea comes too early."""
    assert all(need < lesson.number for lesson in LESSONS for need in lesson.needs)


PARTS = {"lesson_1_deidentification": ("groups", "generalise"), "lesson_4_sensitivity": ("statistics", "functions")}
PARTS |= {"lesson_8_streams": ("local", "people")}


def test_a_second_figure_of_a_step_opens_at_the_address_that_it_had_as_a_step() -> None:
    """With its settings and its guess; from there the first figure is one choice away, and steps are not counted."""
    for page, (main, part) in PARTS.items():
        pupil = Pupil(page, guess="yes", step=part)
        assert pupil.app.button(key=pupil.key(f"{part}-commit"))
        pupil.press("Show answer")
        assert pupil.numbers()
        assert pupil.app.segmented_control(key=pupil.key("step")).value == main
        pupil.move(f"{main}-part", main)
        assert pupil.app.button(key=pupil.key(f"{main}-commit"))
    pupil = Pupil("lesson_8_streams", **{"people-people": "300"})
    assert pupil.numbers()["√ of the number of people"] == "17.3"


def test_a_link_on_the_same_page_leads_to_a_second_figure_too() -> None:
    """Someone stands at another step when the address changes."""
    pupil = Pupil("lesson_8_streams", step="places")
    pupil.app.query_params[pupil.key("step")] = "people"
    pupil.app.run()
    assert "√ of the number of people" in pupil.numbers()
    pupil.move("step", "stream")
    assert "√ of the number of people" not in pupil.numbers()
