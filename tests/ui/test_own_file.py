"""Own file: a teacher's open data on their own machine, in every lesson that can stand on it, and nowhere unasked."""

from __future__ import annotations

import pytest
from support.lessons import Pupil

from discreet.course.contents import LESSONS
from discreet.course.lessons.differencing import numbers
from discreet.course.lessons.sensitivity.numbers import clipped
from discreet.course.lessons.streams import numbers as streams
from discreet.ui.frame.words import number, quoted
from discreet.ui.session import own_table

ROWS = [(20 + i % 7, 100 * i, "abc"[i % 3], "xy"[i % 2]) for i in range(60)]
DATA = "\n".join(["age,gain,group,side", *(",".join(map(str, row)) for row in ROWS)]).encode()
NAMES = "\n".join(["name", *(f"n{i}" for i in range(40))]).encode()


def uploader(pupil: Pupil):  # type: ignore[no-untyped-def]
    """Return the field for the file."""
    (field,) = [field for field in pupil.app.file_uploader if str(field.key).startswith("own-file:")]
    return field


def bring(pupil: Pupil, data: bytes) -> None:
    """Say that a file is public, and choose it."""
    pupil.app.checkbox(key="own-file-open").check().run()
    uploader(pupil).upload("own.csv", data).run()


def turn(pupil: Pupil, page: str, step: str) -> None:
    """Go on to a step of another lesson."""
    pupil.number = page.split("_")[1]
    pupil.app.query_params[pupil.key("step")] = step
    pupil.app.switch_page(f"../pages/{page}.py").run()
    pupil.app.query_params[pupil.key("step")] = step
    pupil.app.switch_page(f"../pages/{page}.py").run()
    pupil.stands()


def choose(pupil: Pupil, name: str, label: str) -> None:
    """Take one of the names that are in the file."""
    (box,) = [box for box in pupil.app.selectbox if str(box.key).startswith(pupil.key(name))]
    box.select_index(box.options.index(label)).run()
    pupil.stands()


@pytest.fixture(scope="module")
def brought() -> Pupil:
    """Somebody who has brought a file in lesson 1."""
    pupil = Pupil("lesson_1_deidentification", step="groups")
    bring(pupil, DATA)
    return pupil


def test_nothing_is_taken_before_somebody_says_that_it_is_public() -> None:
    """The field is shut, and there is nothing to choose; a file that is no table is refused with its reason."""
    pupil = Pupil("lesson_1_deidentification", step="groups")
    assert uploader(pupil).disabled
    assert not [group for group in pupil.app.get("button_group") if group.key == pupil.key("groups-table")]
    bring(pupil, b"one\n1\n")
    assert [error.value for error in pupil.app.error] == [quoted(str(own_table.TOO_SHORT))]


def test_lesson_1_groups_the_rows_of_the_file(brought: Pupil) -> None:
    """By the columns that are known; the sample comes back when the file is put away."""
    pupil = brought
    turn(pupil, "lesson_1_deidentification", "groups")
    pupil.move("groups-table", "own")
    assert "60 rows" in " ".join(caption.value for caption in pupil.app.caption)
    sizes = {row: sum(other[0] == row[0] and other[2] == row[2] for other in ROWS) for row in ROWS}
    assert pupil.numbers()["k, size of the smallest group"] == str(min(sizes.values()))
    assert pupil.numbers()["In groups below 5"] == str(sum(size < 5 for size in sizes.values()))


def test_lesson_3_counts_in_any_column_of_whole_numbers(brought: Pupil) -> None:
    """The first one unless another is chosen."""
    turn(brought, "lesson_3_laplace", "count")
    brought.move("count-table", "own")
    assert brought.numbers()["Exact count"] == str(sum(row[0] >= 23 for row in ROWS))
    choose(brought, "count-column", "gain")
    assert brought.numbers()["Exact count"] == str(sum(row[1] >= 2950 for row in ROWS))
    assert brought.numbers()["Margin of error (95%)"] == f"± {number(float(numbers.law(0, 0.1).quantile(0.975)))}"


def test_lesson_4_clips_a_column_of_amounts(brought: Pupil) -> None:
    """Bias by hand, noise of the mechanism; bounds go up to the largest value."""
    turn(brought, "lesson_4_sensitivity", "clipping")
    brought.move("clipping-table", "own")
    choose(brought, "clipping-own", "gain")
    upper = 2000
    brought.move("clipping-upper-own-5900", upper)
    total = sum(row[1] for row in ROWS)
    assert brought.numbers()["Lost by clipping"] == f"{sum(max(row[1] - upper, 0) for row in ROWS) / total:.1%}"
    (column,) = [column for name, column in own_table.brought(DATA).amounts.items() if name == "gain"]
    assert brought.numbers()["Noise (95%)"] == f"± {clipped(column, 0.1, upper).noise:.1%}"


def test_lesson_8_asks_the_people_of_the_file(brought: Pupil) -> None:
    """As many as there are rows; one of the values counts as yes."""
    turn(brought, "lesson_8_streams", "local")
    brought.move("local-table", "own")
    choose(brought, "local-column", "group")
    choose(brought, "local-level", "b")
    both = streams.surveyed(60, 20, 1.0)
    assert brought.numbers()["No one trusted"] == f"± {100 * both.local:.3g}%"
    assert brought.numbers()["Curator trusted"] == f"± {100 * both.central:.3g}%"


def test_a_lesson_says_what_one_can_do_after_it(brought: Pupil) -> None:
    """The textbook's goals, in its lesson on local sensitivity."""
    turn(brought, "lesson_6_local_sensitivity", "ways")
    (goals,) = [part.value for part in brought.app.markdown if part.value.startswith("After this lesson you can:")]
    assert "define local sensitivity" in goals and goals.count("\n- ") == len(LESSONS[5].goals) == 5
    assert all(lesson.goals for lesson in LESSONS)


def test_a_step_that_does_not_find_what_it_needs_says_so_and_keeps_the_sample() -> None:
    """And the file can be put away, after which nothing speaks of it."""
    pupil = Pupil("lesson_4_sensitivity", step="clipping")
    before = pupil.numbers()
    bring(pupil, NAMES)
    said = " ".join(caption.value for caption in pupil.app.caption)
    assert "Lesson 4 needs a column of whole numbers" in said and "This step always uses the sample." in said
    assert pupil.numbers() == before
    pupil.press("Remove file")
    assert not [caption for caption in pupil.app.caption if "Lesson 4 needs" in caption.value]
