"""Labelled: files of SPSS, Stata and SAS are read as they are typed, and their labels propose a declaration."""

from __future__ import annotations

import io
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from discreet.budget.errors import ParameterError
from discreet.rows import Category, LocalSource, Number
from discreet.rows.columns.date import Date
from discreet.rows.files import Layout, suggest
from discreet.rows.intake.opening import Keeping, read
from discreet.rows.proposals import proposed
from discreet.rows.proposals.proposed import labelled, meanings

pyreadstat = pytest.importorskip("pyreadstat")
PEOPLE = pd.DataFrame(
    {
        "age": [30.0, 41.5, None],
        "sex": [1.0, 2.0, 1.0],
        "town": ["a", "", "b"],
        "born": [date(1990, 1, 2), None, date(1950, 5, 6)],
        "seen": [datetime(2020, 1, 2, 3, 4, 5), None, datetime(2021, 1, 1)],
    }
)
LABELS = {"column_labels": ["Age in years", None, None, None, None]}
VALUES = {"variable_value_labels": {"sex": {1: "male", 2: "female"}, "age": {99: "unknown"}}}
WAYS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "spss": ("write_sav", "x.sav", LABELS | VALUES),
    "packed": ("write_sav", "x.zsav", LABELS | VALUES | {"compress": True}),
    "stata": ("write_dta", "x.dta", LABELS | VALUES),
    "old-stata": ("write_dta", "x.dta", LABELS | VALUES | {"version": 10}),
    "sas": ("write_xport", "x.xpt", LABELS),
    "portable": ("write_por", "x.por", {}),
}


def written(way: str, folder: Path) -> bytes:
    """Return people as a file of a program."""
    verb, name, more = WAYS[way]
    people = PEOPLE.rename(columns=str.upper) if way == "portable" else PEOPLE
    getattr(pyreadstat, verb)(people, str(folder / name), **more)
    return (folder / name).read_bytes()


@pytest.mark.parametrize("way", WAYS)
def test_cells_are_read_as_they_are_typed(way: str, tmp_path: Path) -> None:
    """Numbers, texts, days and times; what is missing is missing."""
    data = written(way, tmp_path)
    table = read(data, suggest(data))
    age, sex, town, born, seen = (column.combine_chunks() for column in table.columns)
    ticks, there = Number(0, 100, step=0.5).ticks(age)
    assert (ticks / 2).tolist()[:2] == [30, 41.5] and there.tolist() == [True, True, False]
    assert Category(("1", "2")).codes(sex).tolist() == [0, 1, 0]
    assert Category(("a", "b")).codes(town).tolist() == [0, -1, 1]
    days = Date("1900-01-01", "2100-01-01")
    ticks, there = days.ticks(born)
    assert there.tolist() == [True, False, True] and days.shown(ticks[0]) == "1990-01-02"
    times = Date("2000-01-01", "2050-01-01", "second")
    assert times.shown(times.ticks(seen)[0][0]) == "2020-01-02 03:04:05"


@pytest.mark.parametrize("way", ["spss", "packed", "stata", "old-stata"])
def test_labels_propose_a_declaration(way: str, tmp_path: Path) -> None:
    """Codes stay codes and are called by their labels; one labelled code makes no category of a number."""
    keeping = Keeping()
    source = LocalSource(written(way, tmp_path), keeping=keeping)
    assert labelled(keeping.notes) == {"sex": Category(("1", "2"), names=("male", "female"))}
    assert meanings(keeping.notes) == {"age": "Age in years"} and source.names == list(PEOPLE)


def test_labels_that_tell_nothing_apart_leave_codes() -> None:
    """Double and empty labels name no levels; a list without end is none."""
    codes = {"1": "x", "2": "x"}
    assert labelled({"labels": {"a": {"values": codes}}}) == {"a": Category(("1", "2"))}
    assert labelled({"labels": {"a": {"values": {"1": "", "2": "y"}}}}) == {"a": Category(("1", "2"))}
    assert labelled({"labels": {"a": {"values": {str(at): str(at) for at in range(501)}}, "b": {"label": "B"}}}) == {}
    assert labelled({}) == {}


@pytest.mark.parametrize("way", [way for way in WAYS if way != "portable"])
def test_a_torn_file_says_of_which_program_it_is(way: str, tmp_path: Path) -> None:
    """And not that a text has no rows."""
    data = written(way, tmp_path)
    program = {"packed": "SPSS", "old-stata": "Stata", "sas": "SAS"}.get(way, way.upper() if way == "spss" else "Stata")
    with pytest.raises(ParameterError, match=f"This {program} file cannot be read"):
        LocalSource(data[: len(data) // 3])


def test_old_sas_is_known_by_its_first_bytes() -> None:
    """There is no writer of it here: what is none of its pages is refused in its name."""
    from discreet.rows.files.labelled import Sas

    data = Sas.magic + bytes(3000)
    assert suggest(data) == Layout("sas")
    with pytest.raises(ParameterError, match="This SAS file cannot be read"):
        LocalSource(io.BytesIO(data).getvalue())


def test_a_column_of_numbers_without_a_number_is_one_of_numbers(tmp_path: Path) -> None:
    """Whether anybody has a value is seen in no type, and in no proposal."""
    types = []
    for values in ([1.0, 2.0], [None, None]):
        pyreadstat.write_sav(pd.DataFrame({"sex": pd.Series(values, dtype=float)}), str(tmp_path / "x.sav"))
        source = LocalSource((tmp_path / "x.sav").read_bytes())
        types.append(source.types)
        assert proposed(source.names, source.types) == {}
    assert types[0] == types[1]
