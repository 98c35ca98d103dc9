"""Lesson 1 shows who is found, what k is and what it costs, moves, and comes back."""

from __future__ import annotations

from support.lessons import Pupil

from discreet.course.lessons.deidentification import numbers as tables

PAGE = "lesson_1_deidentification"


def test_people_are_found_by_harmless_columns_and_the_row_has_a_name() -> None:
    """729 of 1,000 by sex, age and postcode; without the postcode nobody, and reset is back."""
    pupil = Pupil(PAGE)
    before = pupil.numbers()
    person = int(tables.hospital().persons[11])
    assert before["Patients identified"] == "72.9%"
    assert before["Row 12 is"] == tables.name_of(person)
    assert before["Illness in row 12"] == "cancer" and tables.hospital().illness[11] == 5
    pupil.move("join-columns-postcode", False)
    fitting = tables.attack(("sex", "age")).there[11]
    assert pupil.numbers()["Patients identified"] == "0%"
    assert pupil.numbers()["Row 12 is"] == f"one of {fitting}"
    pupil.move("join-row", 2)
    assert "Row 2 is" in pupil.numbers()
    pupil.reset()
    assert pupil.numbers() == before


def test_nothing_ticked_tells_nothing() -> None:
    """Every patient may be any of the 2,000."""
    pupil = Pupil(PAGE)
    for name in ("sex", "age", "postcode"):
        pupil.move(f"join-columns-{name}", False)
    assert pupil.numbers()["Patients identified"] == "0%"
    assert pupil.numbers()["Row 12 is"] == "one of 2,000"


def test_k_of_the_census_falls_with_what_is_known() -> None:
    """k, people alone and people below 5 for three columns, and for one less."""
    pupil = Pupil(PAGE, step="groups")
    for names in (("age", "sex", "occupation"), ("age", "sex")):
        sizes = tables.census_sizes(names)
        assert list(pupil.numbers().values()) == [f"{sizes.min()}", f"{(sizes == 1).sum():,}", f"{(sizes < 5).sum():,}"]
        pupil.move("groups-columns-occupation", False)
    assert pupil.numbers()["k, size of the smallest group"] == "7"


def test_a_coarser_table_shows_its_k_and_its_loss() -> None:
    """The address opens the best answer; a table as it was has lost nothing."""
    address = {"generalise-width": "20", "generalise-digits": "3"}
    pupil = Pupil(PAGE, step="generalise", **address)
    assert list(pupil.numbers().values()) == ["14", "0", "14.2%"]
    pupil.move("generalise-sex", False)
    table = tables.generalised(20, 3, False)
    assert list(pupil.numbers().values()) == [str(table.k), "0", f"{table.lost:.1%}"]
    pupil.reset()
    pupil.move("step", "generalise")
    assert list(pupil.numbers().values()) == ["1", "19", "33.3%"]


def test_one_old_woman_spoils_k_and_an_open_end_mends_it() -> None:
    """1 instead of 238, 100 years instead of 5; 79 years or one group of 60 and over do no harm."""
    pupil = Pupil(PAGE, step="outlier")
    assert list(pupil.numbers().values()) == ["1", "238", "100", "5"]
    pupil.move("outlier-open", True)
    assert list(pupil.numbers().values()) == ["239", "238", "5", "5"]
    pupil.move("outlier-open", False)
    pupil.move("outlier-age", 79)
    assert pupil.numbers()["Years for k ≥ 5"] == "5"
    pupil.move("outlier-width", 100)
    assert list(pupil.numbers().values())[:2] == ["486", "485"]
