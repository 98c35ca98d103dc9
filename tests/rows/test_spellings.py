"""Spellings: one level has one meaning, whichever format wrote it."""

from __future__ import annotations

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xlsxwriter
from support.for_each import for_each

from discreet.budget.errors import ParameterError
from discreet.rows import Category, LocalSource
from discreet.rows.columns.yes_no import NO, YES, YesNo


def codes(levels: tuple[str, ...], cells: object, other: bool = False) -> list[int]:
    """Return which level each cell names."""
    return Category(levels, other).codes(cells if isinstance(cells, pa.Array) else pa.array(cells)).tolist()


def parquet(values: list[object]) -> bytes:
    """Return a column x as Parquet."""
    sink = io.BytesIO()
    pq.write_table(pa.table({"x": values}), sink)
    return sink.getvalue()


def workbook(values: list[object]) -> bytes:
    """Return a column x as a workbook."""
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as book:
        book.add_worksheet().write_column(0, 0, ["x", *values])
    return sink.getvalue()


@pytest.mark.parametrize("level", ["1", "1.0", "1.00"])
@pytest.mark.parametrize("data", [b"x\n1\n", b"x\n1.0\n", parquet([1]), parquet([1.0]), workbook([1]), workbook([1.0])])
def test_a_whole_number_is_one_level_in_every_format(level: str, data: bytes) -> None:
    """What a person calls 1 is 1, however a file writes it."""
    count = LocalSource(data).map(lambda batch: Category((level, "2")).codes(batch.column("x")).tolist(), ["x"], [])
    assert count == [0]


@pytest.mark.parametrize("level", ["true", "True", "TRUE"])
@pytest.mark.parametrize("data", [b"x\nTrue\n", b"x\ntrue\n", b"x\nTRUE\n", parquet([True]), workbook([True])])
def test_a_truth_is_one_level_in_every_format(level: str, data: bytes) -> None:
    """Python, R, databases and workbooks write it each in their way."""
    rest = {"true": "false", "True": "False", "TRUE": "FALSE"}[level]
    count = LocalSource(data).map(lambda batch: Category((level, rest)).codes(batch.column("x")).tolist(), ["x"], [])
    assert count == [0]


def test_codes_that_look_like_numbers_are_not_joined() -> None:
    """A leading zero is part of a code; an exponent, a plus or a word is no other spelling."""
    assert codes(("1", "2.5"), ["1", "01", "1.0", "1.", "2.50", "2.5E0", "2,5", "+1", "1e0", "one"]) == [
        *(0, -1, 0, 0, 1, 1, -1, -1, -1, -1)
    ]
    assert codes(("01", "true"), ["1", "01", "01.0", "1.0", "t", "yes"]) == [-1, 0, -1, -1, -1, -1]
    assert codes(("a", "TRUE!"), ["A", "true!", None, ""]) == [-1] * 4


def test_whoever_declares_two_spellings_tells_them_apart() -> None:
    """Then each cell goes by its text alone."""
    assert codes(("1", "1.0", "x"), ["1", "1.0", "1.00"]) == [0, 1, -1]
    assert codes(("true", "True"), ["true", "True", "TRUE"], other=True) == [0, 1, 2]


def test_a_cell_that_names_a_level_goes_by_its_text_first() -> None:
    """No canonical form takes a cell away from the level that it is written as."""
    assert codes(("-0", "0"), ["-0", "0", "0.0", "-0.0"]) == [0, 1, 1, 0]


@for_each([*YES, *map(str.upper, YES), "1.0", " Yes "])
def test_every_word_for_yes_is_yes(word: str) -> None:
    """Capitals and outer blanks do not matter."""
    assert YesNo().codes(pa.array([word, *NO, "maybe", "", None])).tolist() == [1, *[0] * len(NO), -1, -1, -1]


def test_typed_truths_and_numbers_are_yes_or_no() -> None:
    """A column of truths, of ones and zeros, of a survey's own codes."""
    assert YesNo().codes(pa.array([True, False, None])).tolist() == [1, 0, -1]
    assert YesNo().codes(pa.array([1, 0, 2, None])).tolist() == [1, 0, -1, -1]
    assert YesNo().codes(pa.array([1.0, 0.0, float("nan")])).tolist() == [1, 0, -1]
    survey = YesNo(yes=("1",), no=("2",))
    assert survey.codes(pa.array(["1", "2", "2.0", "0", "yes"])).tolist() == [1, 0, 0, -1, -1]
    assert not set(YES) & set(NO)


@pytest.mark.parametrize(("yes", "no"), [(("a",), ()), (("a",), ("A",)), (("",), ("b",)), ((" a",), ("b",))])
def test_words_that_do_not_tell_yes_from_no_are_refused(yes: tuple[str, ...], no: tuple[str, ...]) -> None:
    """Words are declared for both, and each means one."""
    with pytest.raises(ParameterError, match=r"[Vv]alues that mean yes and"):
        YesNo(yes, no)
