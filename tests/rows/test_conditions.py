"""Conditions: what `and`, `or` and `not in` let pass, by brute force over every row there can be."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.budget.errors import ParameterError
from discreet.curator import Request
from discreet.mechanisms.laplace import Geometric
from discreet.rows import Category, Either, Filter, Number, Schema
from discreet.rows.counting import Task
from discreet.rows.filters import any_of, condition_of, even_share

SCHEMA = Schema({"x": Number(0, 3, integer=True), "g": Category(("a", "b", "c"))})
ROWS = list(product((None, 0, 1, 2, 3), (None, "a", "b", "c", "zoo")))
BATCH = pa.record_batch({"x": pa.array([x for x, _ in ROWS], pa.int64()), "g": pa.array([g for _, g in ROWS])})
FILTERS = st.one_of(
    st.builds(Filter, st.just("x"), st.sampled_from(("=", "!=", "<", ">=")), st.integers(0, 3)),
    st.builds(Filter, st.just("g"), st.sampled_from(("=", "!=")), st.sampled_from("abc")),
    st.builds(Filter, st.just("g"), st.sampled_from(("in", "not in")), st.sampled_from([("a",), ("a", "b")])),
)


def passes(condition: Filter, row: tuple[Any, Any]) -> bool:
    """Compare one cell in plain Python: what is missing or not declared passes nothing."""
    cell, value = row[condition.column == "g"], condition.value
    if cell is None or cell == "zoo":
        return False
    ways = {"=": cell == value, "!=": cell != value, "<": cell < value if cell in range(4) else False}
    ways[">="] = cell >= value if cell in range(4) else False
    inside = isinstance(value, tuple) and cell in value
    return ways.get(condition.comparison, inside == (condition.comparison == "in"))


@given(st.lists(st.lists(FILTERS, min_size=1, max_size=3), min_size=1, max_size=3))
def test_any_of_several_ways_lets_pass_what_one_of_them_does(ways: list[list[Filter]]) -> None:
    """All conditions together say the same as the alternatives, also of rows with missing cells."""
    masks = [condition.mask(BATCH, SCHEMA) for condition in any_of(ways)]
    expected = [any(all(passes(each, row) for each in way) for way in ways) for row in ROWS]
    assert np.logical_and.reduce(masks).tolist() == expected


@given(st.lists(st.one_of(FILTERS, st.builds(Either, st.lists(FILTERS, min_size=1, max_size=3))), max_size=3))
def test_the_even_share_is_that_of_a_table_with_each_combination_once(where: list[Any]) -> None:
    """Whatever conditions link the columns."""
    each = [row for row in ROWS if None not in row and "zoo" not in row]
    expected = sum(all(any(passes(one, row) for one in way.filters) for way in where) for row in each) / len(each)
    assert even_share(where, SCHEMA) == pytest.approx(expected)


def test_a_number_between_two_steps_and_too_many_combinations_have_an_even_share() -> None:
    """Bounds and steps are those of the declaration; many columns are taken as independent."""
    half = Schema({"x": Number(0, 10, step=0.5), "y": Number(10, 20, step=5, integer=True)})
    cases = {("x", ">", 4.9): 10 / 21, ("x", "<=", -3): 0.0, ("y", "<", 12): 1 / 3, ("x", "!=", 99): 1.0}
    for (name, comparison, value), share in cases.items():
        assert even_share([Filter(name, comparison, value)], half) == pytest.approx(share), (name, comparison, value)
    many = Schema({f"c{at}": Number(0, 1, integer=True) for at in range(21)})
    assert even_share([Either([Filter(name, "=", 1) for name in many.columns])], many) == pytest.approx(1 - 2**-21)


def test_a_way_without_conditions_lets_everything_pass() -> None:
    """Whoever accepts all rows or some others accepts all rows."""
    assert any_of([[Filter("x", "=", 1)], []]) == ()
    assert any_of([[Filter("x", "=", 1)]]) == (Filter("x", "=", 1),)


@given(st.one_of(FILTERS, st.builds(Either, st.lists(FILTERS, min_size=1, max_size=3))))
def test_conditions_are_written_and_read_back(condition: Any) -> None:
    """In tasks, which are sent to where rows lie, they stay what they are."""
    assert condition_of(condition.plain()) == condition
    task = Task.of(SCHEMA, (), (), (condition,))
    assert Task.from_json(task.to_json()) == task and set(task.reads) == {f.column for f in condition.filters}


def test_what_does_not_fit_is_refused_with_a_sentence() -> None:
    """No alternatives, an undeclared level among them, and alternatives without end."""
    for choices in ((), (Either((Filter("x", "=", 1),)),), ("x",)):
        with pytest.raises(ParameterError, match="A condition with alternatives needs at"):
            Either(choices)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="can be compared only with its allowed values"):
        Either((Filter("x", "=", 1), Filter("g", "not in", ("z",)))).check(SCHEMA)
    with pytest.raises(ParameterError, match="more than 100 conditions"):
        any_of([[Filter("x", ">", at), Filter("x", "<", at + 2), Filter("g", "=", "a")] for at in range(5)])


@pytest.mark.parametrize(
    ("odd", "says"),
    [
        (Filter("x", "<", 10**400), "one finite number"),
        (Filter("x", "<", -(10**400)), "one finite number"),
        (Filter("x", "<", float("-inf")), "one finite number"),
        (Filter("x", "<", float("nan")), "one finite number"),
        (Filter("g", "in", (["a"],)), "can be compared only with its allowed values"),  # type: ignore[arg-type]
        (Filter("g", "in", ("a", "a", "a", "a")), "can be compared only with its allowed values"),
    ],
)
def test_values_that_no_cell_is_compared_with_are_refused_with_a_sentence(odd: Filter, says: str) -> None:
    """A number beyond all doubles, a list in a list, more levels than there are."""
    with pytest.raises(ParameterError, match=says):
        odd.check(SCHEMA)


def test_conditions_are_counted_before_one_of_them_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred thousand alternatives take no time; each of them was checked before they were too many."""
    looked = list[str]()
    monkeypatch.setattr(Filter, "check", lambda self, schema: looked.append(self.column))
    many = Request(Geometric(epsilon=0.5), ("x",), (Either((Filter("x", "=", 1),) * 101),))
    with pytest.raises(ParameterError, match="at most 100 conditions"):
        many.check(SCHEMA)
    assert looked == []
