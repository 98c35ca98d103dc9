"""Codebooks: what others have written down becomes a declaration, or a sentence; never a surprise."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.budget import ParameterError
from discreet.rows import Category, Number, Person, Schema
from discreet.rows.codebooks import codebooks, read
from discreet.rows.codebooks.level_list import levels_of, meanings_of, written
from discreet.rows.columns import Kind

CSVW = {
    "@context": "http://www.w3.org/ns/csvw",
    "tableSchema": {
        "columns": [
            {"titles": "Age", "datatype": {"base": "integer", "minimum": "0", "maximum": "120"}},
            {"name": "sex", "titles": {"en": ["Sex"]}, "datatype": {"base": "string", "format": "^(f|m)$"}},
            {"titles": "Note", "datatype": "string"},
        ]
    },
}
PACKAGE = {
    "name": "survey",
    "resources": [
        {
            "name": "people",
            "schema": {
                "fields": [
                    {"name": "Age", "type": "integer", "constraints": {"minimum": 0, "maximum": 120}},
                    {"name": "Sex", "type": "string", "constraints": {"enum": ["f", "m"]}},
                    {"name": "Note", "type": "string"},
                ]
            },
        }
    ],
}
DDI = """<?xml version="1.0"?>
<codeBook xmlns="ddi:codebook:2_5"><dataDscr>
<var name="Age" intrvl="contin"><valrng><range min="0" max="120"/></valrng></var>
<var name="Sex"><catgry><catValu>f</catValu><labl>female</labl></catgry><catgry><catValu>m</catValu></catgry>
<catgry missing="Y"><catValu>x</catValu></catgry></var>
<var name="Note"/></dataDscr></codeBook>"""
SMARTNOISE = """
'':
  public:
    people:
      row_privacy: false
      max_ids: 3
      Age: {type: int, lower: 0, upper: 120}
      Sex: {type: string, cardinality: 2}
      who: {type: string, private_id: true}
"""
LIST = "Age\t0 to 120\nSex\tf, m\n"
NAMES = ("Age", "Sex", "Note", "who", "more")
AGE, SEX = Number(0, 120, integer=True), Category(("f", "m"))


def bare(columns: dict[str, Kind]) -> dict[str, Kind]:
    """Return columns without where they come from, and numbers without a unit."""
    plain = {name: column.from_source("") for name, column in columns.items()}
    return {
        name: Number(c.lower, c.upper, c.step, c.integer) if isinstance(c, Number) else c for name, c in plain.items()
    }


@pytest.mark.parametrize(
    "text", [json.dumps(CSVW), json.dumps(PACKAGE), DDI, LIST], ids=["csvw", "package", "ddi", "list"]
)
def test_each_form_says_the_same(text: str) -> None:
    """Ranges and levels arrive, and a column of which nothing is said is left alone."""
    columns, whole = read(text.encode(), NAMES)
    assert bare(columns) == {"Age": AGE, "Sex": SEX}
    assert columns["Age"].sourced and columns["Sex"].unsourced is (text == LIST) and not whole


def test_metadata_of_a_database_names_the_person() -> None:
    """How many rows one person may have comes along."""
    assert bare(read(SMARTNOISE.encode(), NAMES)[0]) == {"Age": AGE, "who": Person(3)}


def test_what_was_exported_here_comes_back_whole() -> None:
    """Nothing that can be declared is lost."""
    schema = Schema(
        {"a": Number(0, 1, 0.1, missing=0.5, unit="m"), "b": Category(("x", "y"), other=True), "p": Person(2)}
    )
    assert read(schema.to_json().encode(), schema.columns) == (schema.columns, True)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello",
        b"[1, 2]",
        b"\x00\xff\xfe",
        b'{"fields": [{"name": "x", "type": "integer"}]}',
        b'<!DOCTYPE a [<!ENTITY b "c">]><codeBook><var name="&b;"/></codeBook>',
        b"[" * 100_000,
        b'{"columns": ' * 5_000,
        json.dumps({"discreet": 1, "columns": {"x": {"kind": "number"}}}).encode(),
        b"x" * (9 * 2**20),
    ],
)
def test_what_is_no_codebook_gets_a_sentence(data: bytes) -> None:
    """However it is spoiled, it ends in words and nothing grows."""
    with pytest.raises(ParameterError):
        read(data, NAMES)


@given(st.one_of(st.binary(max_size=300), st.text(max_size=300).map(str.encode)))
def test_anything_ends_in_columns_or_a_sentence(data: bytes) -> None:
    """No form of codebook fails on what is none."""
    try:
        assert Schema(read(data, NAMES)[0]).columns is not None
    except ParameterError as refused:
        assert str(refused)


@pytest.mark.parametrize(
    "part", [None, 3, "x", [], {}, {"enum": {"a": 1}}, {"minimum": "a", "maximum": []}, {"enum": [[], None]}]
)
def test_a_constraint_of_any_shape_says_nothing_or_something(part: object) -> None:
    """What others write may be anything."""
    fields = [{"name": "x", "type": "integer", "constraints": part}, {"name": "y", "constraints": {"enum": ["u", "v"]}}]
    assert "y" in read(json.dumps({"fields": fields}).encode(), ("x", "y"))[0]


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("a, b, c", ("a", "b", "c")),
        ('"A, B", C', ("A, B", "C")),
        ("a\nb\nc\n", ("a", "b", "c")),
        ("1 = male\n2 = female", ("1", "2")),
        ("1\tmale\n2\tfemale", ("1", "2")),
        ("a; b; b", ("a", "b")),
        ("a\tb\tc", ("a", "b", "c")),
        ("Support, level 2\nSales", ("Support, level 2", "Sales")),
        (" \n ", ()),
    ],
)
def test_levels_are_read_as_they_are_pasted(text: str, levels: tuple[str, ...]) -> None:
    """A line each, or a line of them, with or without what they mean."""
    assert levels_of(text) == levels


def test_meanings_become_names_where_every_code_has_one_of_its_own() -> None:
    """A list in which one says nothing, or two say the same, is a list of codes."""
    assert meanings_of("1 = male\n2\tfemale") == ("male", "female")
    assert meanings_of("1 = male\n2") == meanings_of("1 = x\n2 = x") == meanings_of("a, b") == meanings_of("") == ()


LEVEL = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=8)


@given(st.lists(LEVEL.map(str.strip).filter(bool), min_size=1, max_size=5, unique=True))
def test_what_is_written_of_levels_is_read_back(levels: list[str]) -> None:
    """Whatever signs a level holds."""
    assert levels_of(written(tuple(levels))) == tuple(levels)


def test_metadata_that_repeats_itself_by_name_is_not_unfolded() -> None:
    """A few lines can stand for more than any memory; so can a hundred thousand brackets."""
    bomb = "a0: &a0 {type: int, lower: 0, upper: 1}\n" + "".join(
        f"a{i + 1}: &a{i + 1} [{', '.join([f'*a{i}'] * 9)}]\n" for i in range(40)
    )
    assert codebooks["smartnoise"].columns(bomb) is None
    assert codebooks["smartnoise"].columns("a: " + "[" * 100_000) is None


def test_every_form_has_its_own_place_in_the_order() -> None:
    """Two forms that both read a text are always asked in the same order."""
    ranks = [form.rank for form in codebooks.values()]
    assert len(set(ranks)) == len(ranks)
