"""The town: one place and its people through all lessons, and numbers that say no more than they know."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.lessons import Pupil

from discreet.course.contents import LESSONS
from discreet.course.figures import percent
from discreet.course.lessons.deidentification import numbers as deidentification
from discreet.course.lessons.local import numbers as local
from discreet.course.whole_course import PARTS, places
from discreet.ui.figures import people

COURSE = Path(__file__).resolve().parents[2] / "course"
UNNAMED = re.compile(r"with(out)? (the|a) person|person [0-9]|without one of them|highest income is in|\ba town\b")
DATA = {"town", "register", "hospital", "census_table", "census_ground"}  # what a program may take from the library
COMPARED = "lesson6-ways"  # whose program runs four whole mechanisms


def phrases(path: Path) -> list[str]:
    """Return the sentences that a file of the course shows."""
    calls = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call))
    said = (call.args[0] for call in calls if getattr(call.func, "id", "") in ("say", "Phrase") and call.args)
    return [node.value for node in said if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def layout(pupil: Pupil) -> dict[str, Any]:
    """Return the layout of the figure of a step."""
    part: dict[str, Any] = json.loads(pupil.app.get("plotly_chart")[0].proto.spec)["layout"]
    return part


def faces(pupil: Pupil) -> list[tuple[str, float, bool]]:
    """Return the people in the figure of a step: name, place, and whether only an outline is left."""
    shapes = [shape for shape in layout(pupil)["shapes"] if shape["type"] == "path" and "name" in shape]
    return [(shape["name"], shape["xanchor"], "fillcolor" not in shape) for shape in shapes]


def test_who_may_be_left_out_is_mia_everywhere() -> None:
    """No lesson speaks of a person without a name where Mia is meant, and each is in the town or about her."""
    for folder in sorted((COURSE / "lessons").iterdir()):
        said = [text for path in sorted(folder.glob("*.py")) if path.stem != "exercises" for text in phrases(path)]
        assert not [text for text in said if UNNAMED.search(text)], folder.name
        assert not said or any("Mia" in text or "Kelumi" in text for text in said), folder.name


def test_mia_is_found_in_the_first_lesson_and_is_the_same_in_the_second() -> None:
    """She has one row of the hospital, in which she is recognised; there is no other Mia, and she smokes."""
    town = deidentification.town()
    assert [name for name in town.names if name.startswith("Mia ")] == [town.names[deidentification.MIA]]
    assert len(set(town.names)) == len(town.names) and town.has("Mia Nosado")
    attack = deidentification.attack(("sex", "age", "postcode"))
    assert deidentification.HER_ROW in attack.recognised
    assert attack.partner[deidentification.HER_ROW] == deidentification.MIA
    assert len(set(deidentification.hospital().persons.tolist())) == deidentification.PATIENTS
    assert Pupil("lesson_1_deidentification", step="join").numbers()["Row 12 is"] == "Mia Nosado"


def test_everybody_has_one_outline_and_nobody_wears_hers() -> None:
    """The same in every figure, inside the height that figures leave for a person, in signs that Plotly reads."""
    outlines = {name: people.outline(name) for name in people.CAST}
    assert len(set(people.CAST)) == len(people.CAST)
    assert [name for name, outline in outlines.items() if people.TOPKNOT in outline] == [people.MIA]
    assert len(set(outlines.values())) == len(people.HAIR) + 1
    assert {each["name"]: each["outline"] for each in people.cast()} == outlines
    for path in (*outlines.values(), people.FACE):
        assert re.fullmatch(r"[MLCZ0-9. -]+", path)
        numbers = [float(each) for each in re.findall(r"-?[\d.]+", path)]
        across, up = numbers[::2], numbers[1::2]
        assert max(map(abs, across)) <= 14 and min(up) >= -40 and max(up) <= 0


def test_a_person_of_a_figure_stands_upright() -> None:
    """Plotly counts heights upwards: a head that is drawn at −24 is 24 above the feet, and the move is to the right."""
    body, face = people.shapes("Mia", 3.0, 0.5, "#123456", "#ffffff", gone=False, shift=10)
    assert body["path"].startswith("M-1.05,0 C-1.05,8.5 ") and (body["xanchor"], body["yanchor"]) == (3.0, 0.5)
    assert face["fillcolor"] == "#ffffff" and body["fillcolor"] == "#123456"
    (outline,) = people.shapes("Mia", 3.0, 0.5, "#123456", "#ffffff", gone=True, shift=0)
    assert "fillcolor" not in outline


def test_who_is_found_in_the_first_lesson_stands_on_the_bar_of_her_group() -> None:
    """Mia above those who match one person, and an outline without a name where several match."""
    found = Pupil("lesson_1_deidentification", step="join")
    assert faces(found) == [("Mia", 0, False)]
    assert "Mia Nosado" in json.dumps(layout(found))
    assert found.app.get("plotly_chart")[0].proto.alt.endswith("Row 12 is Mia Nosado.")
    found.move("join-columns-postcode", False)
    fitting = int(found.numbers()["Row 12 is"].removeprefix("one of "))
    group = next(at for at, most in enumerate((1, 4, 9, 19, 2000)) if fitting <= most)
    assert faces(found) == [("?", group, True)] and "Mia" not in json.dumps(layout(found))


def test_figures_about_one_person_show_her() -> None:
    """Without noise at what is known of her, under noise between both; with her place where she is missing."""
    two = Pupil("lesson_2_differencing", step="two")
    assert faces(two) == [("Mia", 1.0, False)]
    two.move("two-person", 9)  # does not smoke
    assert faces(two) == [(deidentification.town().names[8].split()[0], 0.0, False)]
    two.move("two-noise", "private")
    assert faces(two) == [("Mia", 0.5, False)]
    assert faces(Pupil("lesson_2_differencing", step="named")) == [("Mia", 0.5, False)]
    assert faces(Pupil("lesson_3_laplace", step="ratio")) == [("Mia", 13_916, False), ("Mia", 13_915, True)]
    moved = Pupil("lesson_4_sensitivity", step="distance")
    assert faces(moved) == [("Mia", 45, True), ("Mia", 60, False)]
    moved.move("distance-age", 45)
    assert faces(moved) == [("Mia", 45, False)]


@pytest.mark.parametrize(
    ("share", "digits", "shown"),
    [
        (0, 1, "0%"),
        (1, 1, "100%"),
        (0.99975, 0, "99.98%"),
        (0.9996, 1, "99.96%"),
        (0.004, 0, "0.4%"),
        (0.5, 0, "50%"),
        (1 - 1e-9, 0, "> 99.99%"),
        (1e-9, 1, "< 0.001%"),
        (1.5, 1, "150.0%"),
    ],
)
def test_a_share_reads_as_certain_only_if_it_is(share: float, digits: int, shown: str) -> None:
    """99.975% is not 100%."""
    assert percent(share, digits) == shown


def test_no_share_of_the_course_is_written_past_that() -> None:
    """In the whole course, so that the next lesson does not bring it back."""
    rounded = re.compile(r"\{[^{}]*:\.[012]%\}")
    found = {path.name for path in COURSE.rglob("*.py") if rounded.search(path.read_text("utf-8"))}
    # the stops of a slider, estimates that may be below 0, and answers that are known and lie between
    assert found <= {"tossing.py", "teacher.py", "worksheet.py"}


def test_an_error_that_clipping_ended_is_not_shown_as_the_width_of_the_noise() -> None:
    """Of 300 people around 37 the noise of global sensitivity is 150 wide: 63 is the distance to the upper bound."""
    cut = {way.kind.slug: way.cut for way in local.ways("median", 300, 1.0)}
    assert cut.pop("laplace") and not any(cut.values())
    assert local.at_bound(37.0, 37.0, (0, 100)) and not local.at_bound(36.0, 37.0, (0, 100))


def test_simulated_errors_have_no_more_digits_than_their_draws_support() -> None:
    """Two thousand draws leave 3% to chance: the third digit is chance alone."""
    ways = Pupil("lesson_6_local_sensitivity", step="ways")
    part = json.loads(ways.app.get("plotly_chart")[0].proto.spec)["data"][0]
    blocks = Pupil("lesson_6_local_sensitivity", step="blocks", **{"blocks-k": "50"}).numbers()
    shown = [*part["text"], blocks["Margin of error (95%)"]]
    digits = [re.findall(r"[\d.]+", text)[0].replace(".", "").lstrip("0") for text in shown]
    assert len(digits) == 5 and max(map(len, digits)) == 2


def test_programs_take_data_from_the_library_and_no_algorithm() -> None:
    """Those of all steps and exercises, but the one that runs four mechanisms."""
    programs = {key: place.step.page.program for key, place in places().items()}
    for lesson, part in zip(LESSONS, PARTS, strict=True):
        programs |= {f"{lesson.key}, {n}": task.program for n, task in enumerate(part.EXERCISES, 1)}
    taken = {
        key: {
            name for names in re.findall(r"^from discreet.* import (.*)$", program, re.M) for name in names.split(", ")
        }
        for key, program in programs.items()
    }
    assert [key for key, names in taken.items() if names - DATA] == [COMPARED]
