"""Recode: a public map from the levels of a category to new ones, the same as plain Python makes of the cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.for_each import for_each

from discreet.budget.errors import ParameterError
from discreet.curator import Request
from discreet.curator.records import rebuilt
from discreet.curator.request import plain
from discreet.mechanisms.laplace import Geometric
from discreet.rows import Bands, Category, LocalSource, Number, Person, Recode, Schema, YesNo
from discreet.rows.columns.grouping import grouping_of
from discreet.rows.columns.recode import recode_of, written
from discreet.rows.counting import Task
from discreet.ui.frame.catalogue import said_in

SCHEMA = Schema(
    {
        "age": Number(0, 100, integer=True),
        "town": Category(("a", "b", "c", "d")),
        "open": Category(("a", "b", "c"), other=True),
        "coded": Category(("1", "2", "9"), names=("male", "female", "unknown")),
        "member": YesNo(),
    }
)
NORTH = Recode("town", (("a", "north"), ("b", "south"), ("c", "north")))


def named(recode: Recode, *cells: Any) -> list[str | None]:
    """Return the new level of each cell."""
    factor = SCHEMA.category(recode)
    codes = factor.codes(pa.array(cells))
    return [factor.labels[code] if code >= 0 else None for code in codes.tolist()]


def test_each_value_has_the_new_value_of_its_line() -> None:
    """Several to one, and other for what has no line; a cell that names no level is left out, or is other."""
    assert SCHEMA.category(NORTH).labels == ("north", "south", "other")
    assert named(NORTH, "a", "b", "c", "d", "x", "", None) == ["north", "south", "north", "other", None, None, None]
    each = Recode("town", (("a", "1"), ("b", "1"), ("c", "2"), ("d", "2")))
    assert SCHEMA.category(each).labels == ("1", "2"), "nothing is left for other"
    assert named(Recode("open", (("a", "n"),)), "a", "b", "x", None) == ["n", "other", "other", "other"]
    unknown = Recode("open", {"a": "n", "b": "n", "c": "n", "other": "?"})  # type: ignore[arg-type]
    assert SCHEMA.category(unknown).labels == ("n", "?") and named(unknown, "c", "x", None) == ["n", "?", "?"]
    back = Recode("town", (("a", "other"), ("b", "x")))
    assert SCHEMA.category(back).labels == ("x", "other") and named(back, "a", "b", "c") == ["other", "x", "other"]


def test_codes_are_named_by_their_labels_or_as_they_are_in_cells() -> None:
    """And a cell that is spelled otherwise names the same level as ever."""
    known = Recode("coded", (("male", "known"), ("2", "known")))
    assert named(known, "1", "2", "2.0", "9", "male") == ["known", "known", "known", "other", None]
    assert named(Recode("member", (("yes", "in"), ("no", "out"))), "ja", "0", "?") == ["in", "out", None]


@given(
    st.sampled_from(("town", "open")),
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from(("x", "y", "a", "other")), min_size=1),
    st.lists(st.sampled_from((*"abcdx", "", " a ", "other", None)), min_size=1),
)
def test_new_levels_are_those_of_plain_python(name: str, into: dict[str, str], cells: list[str | None]) -> None:
    """Whatever the list, also where a new level is called as an old one."""
    declared = SCHEMA.columns[name]
    assert isinstance(declared, Category)
    into = {old: new for old, new in into.items() if old in declared.levels}
    targets = {into.get(level, "other") for level in declared.labels}
    if not into or len(targets) < 2:
        return
    recode = Recode(name, tuple(into.items()))
    assert set(SCHEMA.category(recode).labels) == targets
    for cell, label in zip(cells, named(recode, *cells), strict=True):
        level = (cell or "").strip()
        found = level if level in declared.levels else "other" if declared.other else None
        assert label == (None if found is None else into.get(found, "other")), (cell, label)


def test_every_code_has_exactly_one_new_code() -> None:
    """The map covers each level and `other`, and each new level has an old one."""
    for recode in (NORTH, Recode("open", (("a", "n"),)), Recode("member", (("yes", "in"),))):
        factor: Any = SCHEMA.category(recode)
        assert len(factor.map) == len(factor.of.labels)
        assert set(factor.map.tolist()) == set(range(len(factor.labels)))


REFUSED = {
    "a value that is not allowed": lambda: SCHEMA.category(Recode("town", (("z", "n"),))),
    "a value twice": lambda: Recode("town", (("a", "n"), ("a", "m"))),
    "a value twice, by two names": lambda: SCHEMA.category(Recode("coded", (("1", "n"), ("male", "m")))),
    "one group": lambda: SCHEMA.category(Recode("town", tuple((each, "n") for each in "abcd"))),
    "one group called other": lambda: SCHEMA.category(Recode("town", (("a", "other"),))),
    "a number": lambda: SCHEMA.category(Recode("age", (("1", "n"),))),
    "a column that is not there": lambda: SCHEMA.category(Recode("?", (("1", "n"),))),
    "nothing": lambda: Recode("town", ()),
    "an empty name": lambda: Recode("town", (("a", ""),)),
    "a name with spaces around": lambda: Recode("town", (("a", " n"),)),
    "a name of two lines": lambda: Recode("town", (("a", "n\nm"),)),
    "half a sign": lambda: Recode("town", (("a", "\ud800"),)),
    "a long name": lambda: Recode("town", (("a", "n" * 201),)),
    "a name with an equals sign": lambda: Recode("town", (("a", "n = m"),)),
    "no pairs": lambda: Recode("town", ("ab", "cd")),  # type: ignore[arg-type]
    "three in a line": lambda: Recode("town", (("a", "b", "c"),)),  # type: ignore[arg-type]
    "a number as a name": lambda: Recode("town", (("a", 1),)),  # type: ignore[arg-type]
    "no column": lambda: Recode(1, (("a", "n"),)),  # type: ignore[arg-type]
    "a text": lambda: Recode("town", "a=n"),  # type: ignore[arg-type]
    "an unknown field in a file": lambda: grouping_of({"recode": "town", "into": [["a", "n"]], "more": 1}),
    "no list in a file": lambda: grouping_of({"recode": "town"}),
    "a line without a new value": lambda: recode_of("town", "a = n\nb"),
    "nothing typed": lambda: recode_of("town", " \n"),
}


@for_each(REFUSED)
def test_what_is_no_list_of_new_values_is_refused(name: str) -> None:
    """Before any row is read, with a sentence."""
    with pytest.raises(ParameterError):
        REFUSED[name]()


def test_lists_are_typed_or_pasted_and_read_back() -> None:
    """Lines with an equals sign, or two cells of a spreadsheet; levels may have signs of their own."""
    assert recode_of("town", "a = north\n\n b=south \nc\tnorth\n") == NORTH
    assert recode_of("income", "<=50K = low\n>50K\thigh").into == (("<=50K", "low"), (">50K", "high"))
    assert recode_of("town", "x = y = z").into == (("x = y", "z"),)
    assert recode_of("town", written(NORTH)) == NORTH
    assert Recode("town", {"a": "north", "b": "south", "c": "north"}) == NORTH  # type: ignore[arg-type]


def test_lists_survive_files_and_change_the_hash() -> None:
    """One value, however it is written; another order of groups or another list is another query."""
    request = Request(Geometric(epsilon=1.0), ("age",), by=(NORTH, Bands("age", every=50)))
    request.check(SCHEMA)
    assert grouping_of(NORTH.plain()) == NORTH == grouping_of({"recode": "town", "into": dict(NORTH.into)})
    assert rebuilt(plain(request)) == request and rebuilt(plain(request)).identity == request.identity
    task = Task.of(SCHEMA, ("age",), (NORTH, Bands("age", (18,))), ())
    assert Task.from_json(task.to_json()) == task and set(task.reads) == {"age", "town"}
    others = (NORTH.into[:2], NORTH.into[::-1], (*NORTH.into, ("d", "south")))
    hashes = {Request(Geometric(epsilon=1.0), ("age",), by=Recode("town", into)).identity for into in others}
    assert len(hashes) == len({str(Recode("town", into)) for into in others}) == 3
    with pytest.raises(ParameterError, match="already used for grouping"):
        Request(Geometric(epsilon=1.0), ("age",), by=("town", NORTH)).check(SCHEMA)
    with pytest.raises(ParameterError, match="not an allowed value"):
        Request(Geometric(epsilon=1.0), ("age",), by=Recode("town", (("z", "n"),))).check(SCHEMA)


def test_the_declaration_says_which_values_each_group_has() -> None:
    """And no more than a reader takes in."""
    said = "; ".join(map(str, SCHEMA.category(NORTH).as_read("town")))
    assert "values of town merged: north (a, c); south (b); other (d)" in said
    assert "north (a, c); south (b); 其他 (d)" in "; ".join(
        said_in("zh", each) for each in SCHEMA.category(NORTH).as_read("town")
    )
    many = Schema({"x": Category(tuple(map(str, range(1000))))}).category(Recode("x", (("1", "n"),)))
    assert len("; ".join(map(str, many.as_read("x")))) < 300


def test_counts_by_new_levels_are_those_of_the_rows() -> None:
    """Crossed with bands, with the person's cap before."""
    rows = [(who, age, town) for who in "pqr" for age, town in ((5, "a"), (18, "c"), (30, "d"), (99, "b"), (7, "z"))]
    table = pa.table({name: [row[at] for row in rows] for at, name in enumerate(("who", "age", "town"))})
    counts = LocalSource(table).counts(Task.of(SCHEMA, (), (NORTH, Bands("age", (18,))), ()))
    assert counts.by_cell().tolist() == [3, 3, 0, 3, 0, 3]
    limited = Schema({**SCHEMA.columns, "who": Person(rows=2)})
    task = Task.of(limited, (), (NORTH,), ())
    assert task.person is not None and task.cells == 3 and np.prod([len(each) for each in task.levels]) == 3
