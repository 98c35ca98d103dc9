"""A lesson as a notebook: its programs run in their order in one kernel, in both languages."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path

import pytest

from discreet.course.book import lesson_notebook
from discreet.course.contents import LESSONS
from discreet.ui.frame.catalogue import CATALOGUES
from discreet.ui.session.state import SPOKEN

PAGES = Path(__file__).resolve().parents[3] / "pages"
FOLDERS = [re.findall(r"lessons\.(\w+) import E", (PAGES / f"{lesson.page}.py").read_text())[0] for lesson in LESSONS]


@pytest.mark.parametrize("place", range(len(FOLDERS)))
def test_the_notebook_of_a_lesson_runs_from_its_beginning(place: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Every cell runs after those above it, and prints what its step asks; each exercise has an empty cell."""
    lesson = import_module(f"discreet.course.lessons.{FOLDERS[place]}")
    book = json.loads(lesson_notebook(LESSONS[place], lesson.STEPS, lesson.EXERCISES))
    assert book["nbformat"] == 4 and len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    programs = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]
    kernel: dict[str, object] = {}
    for step, program in zip(lesson.STEPS, programs, strict=False):
        exec(program, kernel)
        printed, truth = capsys.readouterr().out.strip(), step.prediction.truth()
        assert printed == truth if isinstance(truth, str) else float(printed) == pytest.approx(truth, rel=0.01)
    assert programs[len(lesson.STEPS) :] == [""] * len(lesson.EXERCISES)


@pytest.mark.parametrize("place", range(len(FOLDERS)))
def test_a_notebook_speaks_the_language_of_its_reader(place: int) -> None:
    """In Chinese, the same programs stand between Chinese sentences."""
    lesson = import_module(f"discreet.course.lessons.{FOLDERS[place]}")
    books = []
    for code in ("en", "zh"):
        mark = SPOKEN.set(code)
        books.append(json.loads(lesson_notebook(LESSONS[place], lesson.STEPS, lesson.EXERCISES))["cells"])
        SPOKEN.reset(mark)
    english, chinese = (
        [["".join(cell["source"]) for cell in book if cell["cell_type"] == kind] for kind in ("code", "markdown")]
        for book in books
    )
    assert english[0] == chinese[0]
    assert CATALOGUES["zh"][LESSONS[place].idea] in chinese[1][0]
    assert all(sentence != other for sentence, other in zip(english[1], chinese[1], strict=True))
