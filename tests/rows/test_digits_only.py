"""Cells of digits, points and signs: what is read faster is read as it always was."""

from __future__ import annotations

import re
from itertools import product
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.rows import Number, cells
from discreet.rows.columns import number

DIGITS = st.one_of(st.none(), st.just(""), st.text("0123456789", max_size=18), st.integers(0, 10**9).map(str))
POINTS = st.one_of(DIGITS, st.text("0123456789.-", max_size=12), st.floats(-1e6, 1e6).map("{:.6f}".format))
WRITTEN = st.one_of(DIGITS, st.sampled_from(["-1", "+7", "1.5", " 12 ", "٣", "x", "1e3", "inf", "0x1f", "1_0", "."]))
COLUMNS = st.one_of(st.lists(DIGITS), st.lists(POINTS), st.lists(WRITTEN), st.just(["9" * 400, "1.5"]))
KINDS = [Number(-100, 10**6, integer=True), Number(-100, 10**6, 0.25), Number(-1e6, 1e6)]


@pytest.mark.parametrize("kind", KINDS)
@given(column=COLUMNS, form=st.sampled_from([pa.string(), pa.large_string()]))
def test_digits_mean_what_the_patterns_say(kind: Number, column: list[str | None], form: pa.DataType) -> None:
    """Ticks, and which cells have one, with the short ways and without them; also of a part of a column."""
    array = pa.array(["-7.5x", *column], form)[1:]
    fast, there = kind.ticks(array)
    with patch.object(number, "counted", return_value=None), patch.object(cells, "_points", return_value=None):
        slow, named = kind.ticks(array)
    assert np.array_equal(there, named) and np.array_equal(fast[there], slow[there])


def test_the_short_way_takes_no_text_that_the_patterns_refuse() -> None:
    """Every text of up to five of these signs, one by one: a number of the pattern, to the last bit, or not taken."""
    taken = 0
    for size in range(1, 6):
        for text in map("".join, product("09.-", repeat=size)):
            read = cells._points(pa.array([text], pa.large_string()))
            assert (read is not None) == bool(re.fullmatch(cells.DECIMAL, text)), text
            if read is not None:
                taken += 1
                assert np.float64(read[0].as_py()).tobytes() == np.float64(text).tobytes()
    assert taken > 100
    for text in ("+1", "1e3", "inf", "nan", "0x1", "1 ", "1,5", "٣"):
        assert cells._points(pa.array([text], pa.large_string())) is None
