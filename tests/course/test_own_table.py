"""A teacher's own table: what is read, what is refused, which lessons it suits, and that it ends with the class."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from discreet.budget import ParameterError
from discreet.course.classroom.meeting import Meeting, Rules
from discreet.course.lessons.deidentification import numbers
from discreet.ui.session import own_table
from discreet.ui.session.own_table import NO_TEXT, TOO_LARGE, TOO_SHORT, UNEVEN, UNNAMED, read

ROWS = [f"{20 + i % 7},{'abc'[i % 3]},n{i},{i / 2}" for i in range(40)]


def file(folder: Path, head: str = "age,group,name,share", rows: list[str] = ROWS) -> Path:
    """Write a table."""
    path = folder / "own.csv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def put_away() -> Iterator[None]:
    """Leave no table behind."""
    yield
    own_table.LECTERN.table = None


def test_columns_are_told_apart_by_what_is_in_them(tmp_path: Path) -> None:
    """Whole numbers throughout are numbers; what repeats makes groups; names and halves are neither."""
    table = read(file(tmp_path))
    assert table.rows == 40 and list(table.whole) == ["age"] and table.groups == ["age", "group"]
    assert not table.missing
    sizes = numbers.own_sizes(table, ["age", "group"])
    assert sizes.min() == 1 and sizes.max() == 2 and sizes.size == 40


def test_a_lesson_that_finds_nothing_for_it_says_what_it_needs(tmp_path: Path) -> None:
    """One column of names has no groups and no numbers: all four lessons stay on the sample."""
    table = read(file(tmp_path, "name", [f"n{i}" for i in range(40)]))
    assert [sentence.split()[1] for sentence in table.missing] == ["1", "3", "4", "8"]
    low = read(file(tmp_path, "debt,rooms", [f"{i - 20},{i % 10}" for i in range(40)]))
    assert set(low.whole) == {"debt", "rooms"} and not low.amounts  # some below 0, and never 10
    assert [sentence.split()[1] for sentence in low.missing] == ["1", "4"]


def test_amounts_keep_their_sum_and_their_largest_value(tmp_path: Path) -> None:
    """What lesson 4 clips is what is in the file."""
    (column,) = read(file(tmp_path)).amounts.values()
    assert column.bounds.upper == 26 and column.values().sum() == sum(20 + i % 7 for i in range(40))


def test_a_table_takes_no_more_memory_than_it_says() -> None:
    """Cells of two letters are the worst: each is an object of its own."""
    data = ("a,b\n" + "\n".join(f"{i % 90 + 10},{i % 89 + 10}" for i in range(20_000))).encode()
    tracemalloc.start()
    table = own_table.brought(data)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken < table.weight


@pytest.mark.parametrize(
    ("head", "rows", "said"),
    [
        ("age,group", ["1,a"] * 29, TOO_SHORT),
        ("", [], TOO_SHORT),
        ("age,age", ["1,a"] * 40, UNNAMED),
        ("age,", ["1,a"] * 40, UNNAMED),
        ("age,group", ["1,a"] * 39 + ["1,a,b"], UNEVEN),
        (",".join(f"c{i}" for i in range(41)), [",".join("1" * 41)] * 40, TOO_LARGE),
        ("age", ["1"] * 100_001, TOO_LARGE),
        ("age", ["9" * 1000] * 6000, TOO_LARGE),
        ('age,"group', ["1,a"] * 40, NO_TEXT),
    ],
)
def test_a_file_that_is_no_table_is_refused_with_a_reason(
    tmp_path: Path, head: str, rows: list[str], said: str
) -> None:
    """None of the reasons repeats a cell."""
    with pytest.raises(ParameterError) as refused:
        read(file(tmp_path, head, rows))
    assert str(refused.value) == str(said)


def test_bytes_that_are_no_utf8_are_refused(tmp_path: Path) -> None:
    """A workbook, or letters of another encoding."""
    (tmp_path / "own.csv").write_bytes(b"PK\x03\x04\xff\xfe" * 100)
    with pytest.raises(ParameterError, match="UTF-8"):
        read(tmp_path / "own.csv")


def test_the_table_ends_with_the_class(tmp_path: Path) -> None:
    """Nobody finds it afterwards."""
    meeting = Meeting(Rules("ABC234", "SECRETWORD", 30, 3, "http://192.0.2.7:8501"))
    own_table.LECTERN.table = read(file(tmp_path))
    meeting.lead("teacher", "SECRETWORD")
    assert meeting.left > 0 and own_table.LECTERN.table is not None
    meeting.end("teacher")
    assert meeting.left == 0 and own_table.LECTERN.table is None
