"""Coercion: every cell by itself, whatever stands in the others."""

from __future__ import annotations

import decimal
import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.rows.columns import Category, Number
from discreet.rows.columns.person import person_words

AGE = Number(0, 100, integer=True)
PAY = Number(-10, 10, step=0.5)


def values(cells: object, declared: Number = AGE) -> list[float | None]:
    """Return the value each cell stands for; None is missing."""
    array = cells if isinstance(cells, pa.Array) else pa.array(cells)
    ticks, present = declared.ticks(array)
    numbers = declared.bounds.value(ticks).tolist()
    return [v if k else None for v, k in zip(numbers, present.tolist(), strict=True)]


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("5", 5),
        (" 5 ", 5),
        ("+5", 5),
        ("5.9", 5),
        ("-3", 0),
        ("1e1", 10),
        ("1e308", 100),
        ("-1e400", None),
        ("1e400", None),
        ("9" * 400, None),
        ("inf", None),
        ("-INF", None),
        ("Infinity", None),
        (".5", 0),
        ("7.", 7),
        ("101", 100),
        ("99999999999999999999", 100),
        ("NaN", None),
        ("NA", None),
        ("", None),
        ("0x10", None),
        ("1_0", None),
        ("٣", None),
        ("５", None),
        ("five", None),
        ("1,5", None),
        ("--1", None),
        ("1e", None),
        ("nan(7)", None),
        (None, None),
        ("1 2", None),
        ("1e99999", None),
    ],
)
def test_a_cell_of_text_is_parsed_strictly(cell: str | None, value: float | None) -> None:
    """Decimal numbers with outer blanks are numbers; what no double holds is missing like all else (N2)."""
    assert values(pa.array([cell], pa.string())) == [value]


@given(st.lists(st.one_of(st.none(), st.text(max_size=8), st.floats().map(repr)), max_size=12))
def test_no_cell_changes_what_another_one_means(cells: list[str | None]) -> None:
    """Coercing a column equals coercing every cell alone: no inference over the data (N2)."""
    clean = [c if c is None else c.encode("utf-8", "ignore").decode() for c in cells]
    together = values(pa.array(clean, pa.string()), PAY)
    alone = [values(pa.array([c], pa.string()), PAY)[0] for c in clean]
    assert together == alone


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (pa.array([1, 200], pa.uint8()), [1, 100]),
        (pa.array([-128, 127], pa.int8()), [0, 100]),
        (pa.array([2**63 - 1, -(2**63)], pa.int64()), [100, 0]),
        (pa.array([2**64 - 1, 7], pa.uint64()), [100, 7]),
        (pa.array([math.nan, math.inf, -math.inf, 3.5]), [None, None, None, 3]),
        (pa.array([math.inf, 2.5], pa.float32()), [None, 2]),
        (pa.array([math.inf, 2.5], pa.float16()), [None, 2]),
        (pa.array([1.5, None], pa.float32()), [1, None]),
        (pa.array([True, False, None]), [1, 0, None]),
        (pa.array([decimal.Decimal("12.5"), None]), [12, None]),
        (pa.array(["1", "x"]).dictionary_encode(), [1, None]),
        (pa.array([[1], [2]]), [None, None]),
        (pa.nulls(2), [None, None]),
    ],
)
def test_typed_columns_are_total(array: pa.Array, expected: list[float | None]) -> None:
    """No type overflows, wraps or fails (N1, N4, N5)."""
    assert values(array) == expected


def test_whole_numbers_beyond_doubles_stay_exact_beside_fractions() -> None:
    """A row's digits do not depend on another row's fraction (N6)."""
    big = 2**53
    declared = Number(big, big + 10, integer=True)
    assert values(pa.array([str(big + 1), "0.5", str(big + 3)]), declared) == [big + 1, big, big + 3]
    assert float(big + 1) == float(big), "a float column would lose the digit"


def test_the_missing_rule_may_be_a_constant() -> None:
    """Missing cells take the declared value, and the row counts."""
    declared = Number(0, 100, integer=True, missing=40)
    assert values(pa.array(["x", "5", None, "nan"]), declared) == [40, 5, 40, 40]


def test_clipping_comes_first_and_on_both_sides() -> None:
    """Every value lies within the bounds before anything is computed (N3)."""
    ticks, _ = PAY.ticks(pa.array([-1e9, 1e9, 0.0]))
    inside = PAY.bounds.value(ticks)
    assert np.all((inside >= -10) & (inside <= 10))


def test_categories_take_declared_levels_and_nothing_else() -> None:
    """An undeclared level is other where it is declared, else left out (L3)."""
    cells = pa.array(["a", " b", "A", "rare", None, ""])
    assert Category(("a", "b")).codes(cells).tolist() == [0, 1, -1, -1, -1, -1]
    assert Category(("a", "b"), other=True).codes(cells).tolist() == [0, 1, 2, 2, 2, 2]


@pytest.mark.parametrize("form", [pa.binary(), pa.large_binary(), pa.string(), pa.large_string()], ids=str)
def test_bytes_that_are_no_text_are_missing_alone(form: pa.DataType) -> None:
    """Whoever else is in the batch counts as before: one row more changes one row (P1)."""
    cells = [b"5", b"\xff", b" 7 ", b"\xed\xa0\x80", None, b"nine"]
    written = pa.array(cells, pa.large_binary() if pa.types.is_large_string(form) else pa.binary())
    array = written.view(form) if form in (pa.string(), pa.large_string()) else written.cast(form)
    assert values(array) == [5, None, 7, None, None, None]
    assert Category(("5", "7"), other=True).codes(array).tolist() == [0, 2, 1, 2, 2, 2]
    words, named = person_words(array, b"key")
    assert named.tolist() == [True, False, True, False, False, True] and len(set(words[named])) == 3
    assert words[0] == person_words(pa.array(["5"]), b"key")[0][0]


def test_variants_of_one_identifier_are_one_person() -> None:
    """Joined, case and width do not make a second person; a blank names nobody (N9)."""
    cells = pa.array(["Ann", " ann ", "ANN", "Ａnn", "bob", " ", None])
    exact, same = person_words(cells, b"k")
    assert len(set(exact[:5].tolist())) == 5 and same.tolist() == [True] * 5 + [False] * 2
    words, named = person_words(cells, b"k", fold=True)
    assert len(set(words[:4].tolist())) == 1 and words[4] != words[0]
    assert named.tolist() == [True] * 5 + [False] * 2
    assert words.dtype == np.uint64


def test_person_words_of_two_releases_have_nothing_in_common() -> None:
    """Another key, other words."""
    cells = pa.array([str(i) for i in range(100)])
    words, other = person_words(cells, b"one")[0], person_words(cells, b"two")[0]
    assert not set(words.tolist()) & set(other.tolist())
