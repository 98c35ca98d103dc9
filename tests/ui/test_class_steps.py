"""A class guesses on a step of a lesson: its teacher sees the guesses as they come, and shows everybody the answer."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from support.axe import violations
from support.browsers import WAIT, empty_page
from support.class_visitors import Reader, joined, seated
from support.lessons import Pupil
from support.nursery import copied
from support.visitor import QUIET, ROOT, free_port, healthy
from support.wire import Wire, new_browser

from discreet.course.classroom.activity import ACTIVITIES
from discreet.ui.session import own_table
from discreet.ui.session.cookies import BROWSER

COMMAND = importlib.import_module("discreet.command.class")
PAGE, STEP = "lesson-3-laplace", "lang=en&lesson3-step=scales"
ANSWER = ("5.99", "metric {", "Guesses of the class", "Your guess: ")


def own_file(folder: Path) -> Path:
    """Write the table of a teacher: forty ages in three groups."""
    table = folder / "own.csv"
    table.write_text("age,group\n" + "\n".join(f"{20 + i % 7},{'abc'[i % 3]}" for i in range(40)), encoding="utf-8")
    return table


@pytest.fixture
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, str]]:
    """Hold a class by what its command makes of its words (test_classroom.py runs the command); return the ways in."""
    port, log = free_port(), tmp_path_factory.mktemp("steps") / "log.txt"
    words = ["--port", str(port), "--file", str(own_file(log.parent)), "--address", "127.0.0.1"]
    rules = COMMAND.begun(COMMAND._parser().parse_args(words))
    place = ["--server.address", "127.0.0.1", "--server.port", str(port)]
    process = copied(["run", "app.py", *place], log, ROOT, COMMAND.surroundings(rules, os.environ))
    healthy(process, log, port)
    yield f"http://127.0.0.1:{port}", rules["code"], rules["word"]
    process.kill()


def person(chromium: Browser, width: int = 390) -> Page:
    """Return somebody with a browser of their own."""
    page = chromium.new_context(reduced_motion="reduce").new_page()
    page.set_default_timeout(WAIT)
    page.set_viewport_size({"width": width, "height": 844})
    return page


def join(page: Page, url: str, code: str) -> None:
    """Join with the link of the square code."""
    page.goto(f"{url}/?code={code}&lang=en")
    expect(page.get_by_role("button", name="Join")).to_be_visible()
    page.wait_for_selector(QUIET)  # a button that is drawn anew while it is pressed does not hear it
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text("You have joined")).to_be_visible()


def seen(url: str, cookies: dict[str, str]) -> str:
    """Return all that the step sends to somebody."""
    with Wire(url, cookies) as line:
        return line.run(STEP, PAGE)


def guess(page: Page, number: str) -> None:
    """Type a guess and commit it."""
    page.get_by_role("spinbutton", name="Your guess").fill(number)
    page.get_by_role("spinbutton", name="Your guess").press("Enter")
    page.get_by_role("button", name="Submit guess").click()


def reader(stack: ExitStack, url: str, way_in: str) -> Reader:
    """Return somebody at a wire of their own, who leaves before it is cut."""
    person = seated(stack, Reader, url, way_in)
    stack.callback(person.leave)
    return person


def pupils(stack: ExitStack, url: str, code: str) -> tuple[Reader, Reader]:
    """Let two people join."""
    pair = reader(stack, url, f"code={code}"), reader(stack, url, f"code={code}")
    for pupil in pair:
        pupil.join(code)
    return pair


def guess_on_a_wire(pupil: Reader, number: float) -> None:
    """Go where the whole class is asked, type a guess and commit it."""
    pupil.follow("Guess now")
    pupil.do("lesson3-scales-guess", double_value=number)
    pupil.do("lesson3-scales-commit", trigger_value=True)
    pupil.hears("Your guess has been noted.")


def test_nobody_is_sent_the_answer_of_a_step_before_the_class_sees_it_together(held: tuple[str, str, str]) -> None:
    """Nor any part of it that no screen draws; a guess is on the teacher's figure as it comes; then all see all."""
    url, code, word = held
    with ExitStack() as stack:
        teacher, (ann, bob) = reader(stack, url, f"teacher={word}"), pupils(stack, url, code)
        teacher.there("next")
        teacher.go(PAGE, STEP)
        teacher.hears("0 of 2 have answered this step.")
        teacher.do("step-ask", trigger_value=True)
        bob.follow("Guess now")
        bob.hears("This question is for the whole class")
        assert "1 of 2 have answered" not in teacher.sent
        guess_on_a_wire(ann, 4.0)
        teacher.hears("1 of 2 have answered this step.")
        assert not [words for words in ANSWER if words in ann.sent + bob.sent]
        assert "correct answer: 5.99" not in teacher.sent
        teacher.do("step-open", trigger_value=True)
        for pupil, words in product((ann, bob), ANSWER[:3]):
            pupil.hears(words)
        ann.hears("Your guess: 4.")
        assert "Reveal to everyone" not in ann.sent + bob.sent
        teacher.hears("correct answer: 5.99")
        teacher.go("")
        teacher.hears("Lesson 3, The noise (guesses: 1)")


def test_a_press_that_meets_a_look_counts_once(held: tuple[str, str, str]) -> None:
    """A page that looks again by itself says what is about to be pressed, and at once the press says it as well."""
    url, _, word = held
    with Wire(url, {BROWSER: new_browser(url)}) as teacher:
        way_in = f"teacher={word}&lang=en"
        screen, look = teacher.run(way_in), BackMsg()
        (button,) = set(re.findall(r'"(\$\$ID-[0-9a-f]+-next)"', screen))
        look.rerun_script.fragment_id = re.findall(r'auto_rerun \{[^}]*fragment_id: "(\w+)"', screen)[0]
        look.rerun_script.is_auto_rerun = True
        look.rerun_script.widget_states.widgets.add(id=button, trigger_value=True)
        teacher.say(look)
        assert "script_finished" in teacher.listen()
        screen = teacher.run(way_in, pressed=button)
    first, second, *_ = (str(activity.title) for activity in ACTIVITIES)
    assert first in screen and second not in screen


@pytest.mark.soak_alone
def test_a_class_guesses_on_a_step_and_sees_the_answer_together(chromium: Browser, held: tuple[str, str, str]) -> None:
    """Nobody sees it before; a guess is on the teacher's figure as it comes; then all see all guesses.

    In `make test` the test above goes the same way on wires, and reads all that is sent.
    """
    url, code, word = held
    teacher, ann = empty_page(chromium, url), person(chromium)
    with ExitStack() as stack:
        bob = joined(stack, url, code)
        stack.callback(bob.leave)
        join(ann, url, code)
        teacher.goto(f"{url}/?teacher={word}&lang=en")
        expect(teacher.get_by_role("button", name="Next")).to_be_visible()
        teacher.goto(f"{url}/{PAGE}?{STEP}")
        expect(teacher.get_by_text("0 of 2 have answered this step.")).to_be_visible()
        teacher.get_by_role("button", name="Ask the whole class").click()
        ann.get_by_role("link", name="Guess now").click()
        guess(ann, "4")
        expect(ann.get_by_text("Your guess has been noted.")).to_be_visible()
        assert not ann.get_by_test_id("stMetricValue").count() and not ann.get_by_text("5.99").count()
        expect(teacher.get_by_text("1 of 2 have answered this step.")).to_be_visible()
        before = seen(url, bob.cookies)
        assert "This question is for the whole class" in before and "Guesses of the class" not in before
        for page in (teacher, ann):
            expect(page.locator("[data-stale=true]")).to_have_count(0)  # what is drawn anew is pale for a moment
            assert not violations(page)
        teacher.get_by_role("button", name="Reveal to everyone").click()
        expect(ann.get_by_text("Guesses of the class", exact=True)).to_be_visible()
        expect(ann.get_by_test_id("stMetricValue").first).to_be_visible()
        expect(ann.get_by_text("Your guess: 4.")).to_be_visible()
        assert "Guesses of the class" in seen(url, bob.cookies)
        assert not ann.get_by_role("button", name="Reveal to everyone").count()
        expect(teacher.get_by_text("correct answer: 5.99").first).to_be_visible()
        teacher.get_by_role("link", name="Class").first.click()
        expect(teacher.get_by_text("Lesson 3, The noise (guesses: 1)")).to_be_visible()
    for page in (teacher, ann):
        page.context.close()


@pytest.mark.soak_alone
def test_a_class_works_on_the_table_of_its_teacher_and_nobody_reads_its_rows(
    chromium: Browser, held: tuple[str, str, str]
) -> None:
    """Counts and groups of the file beside those of the sample; the teacher is told what everybody is told.

    In `make test` the test below counts and groups the same file without a browser.
    """
    url, code, word = held
    teacher, ann = person(chromium, 1280), person(chromium)
    join(ann, url, code)
    ann.goto(f"{url}/lesson-3-laplace?lang=en&guess=no&lesson3-step=count")
    exact = ann.get_by_test_id("stMetricValue").first
    expect(exact).to_have_text("13,916")
    ann.get_by_text("Dataset of the class").click()
    expect(ann.get_by_text("Your own file")).to_have_count(0)  # a class takes no file
    expect(exact).to_have_text("22")  # from 23 on: four of seven ages among forty
    ann.goto(f"{url}/lesson-1-deidentification?lang=en&guess=no&lesson1-step=groups&lesson1-groups-table=own")
    expect(ann.get_by_text("group", exact=True)).to_be_visible()
    expect(ann.get_by_test_id("stMetricValue").first).to_have_text("1")
    teacher.goto(f"{url}/?teacher={word}&lang=en")
    teacher.get_by_role("button", name="More").click()
    expect(teacher.get_by_text("Your file has 40 rows.")).to_be_visible()
    for page in (teacher, ann):
        page.context.close()


def test_a_lesson_counts_in_the_table_of_the_class_and_groups_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the sample first; the file is chosen, or its address is opened."""
    monkeypatch.setattr(own_table.LECTERN, "table", own_table.read(own_file(tmp_path)))
    pupil = Pupil("lesson_3_laplace", step="count")
    assert "13,916" in pupil.numbers().values()
    pupil.move("count-table", "own")
    assert "22" in pupil.numbers().values()  # from 23 on: four of seven ages among forty
    grouped = Pupil("lesson_1_deidentification", step="groups", **{"groups-table": "own"})
    assert grouped.numbers()["In groups below 5"] == "40"  # of ages and groups, all are in small ones


def test_a_class_does_not_begin_on_a_file_that_is_no_table(tmp_path: Path) -> None:
    """It says why, without a cell of it."""
    file = tmp_path / "own.csv"
    file.write_text("name,name\n" + "Ada,secret\n" * 40, encoding="utf-8")
    command = [sys.executable, "-m", "discreet", "class", "--port", str(free_port()), "--file", str(file)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 78 and "needs a unique name" in ended.stderr
    assert "secret" not in ended.stderr + ended.stdout
