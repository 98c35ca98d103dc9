"""Declarations: typed by a person or imported from a file, checked before rows are read."""

from __future__ import annotations

import json

import pytest

from discreet.budget.errors import ParameterError
from discreet.lab.samples import census_schema
from discreet.rows import Category, Ignored, Number, Person, Schema

FULL = Schema(
    {
        "id": Person(rows=3),
        "pay": Number(-1.5, 10.25, step=0.125, missing=0.0, origin="contract"),
        "age": Number(0, 120, integer=True),
        "town": Category(("Ä", "b, c", "名"), other=True),
        "note": Ignored(),
    }
)


@pytest.mark.parametrize("schema", [FULL, Schema({}), census_schema()], ids=["full", "none", "x"])
def test_a_declaration_survives_export_and_import_exactly(schema: Schema) -> None:
    """What is imported is what was exported, with the same digest."""
    again = Schema.from_json(schema.to_json())
    assert again == schema and again.digest == schema.digest


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"kind": "nonsense"}, "kind must be one of"),
        ({"lower": 500}, "Lower must be smaller"),
        ({"lower": "x"}, "must be a number"),
        ({"surprise": 1}, "only .* can be set"),
        ({"missing": "mean"}, "Missing must be"),
        ({"step": 0}, "above 0"),
        ({"step": 1e-9}, "2 to"),
    ],
)
def test_an_import_error_names_the_column_and_what_to_do(change: dict[str, object], says: str) -> None:
    """A declaration is refused as a whole, with the first thing to mend."""
    declaration = json.loads(FULL.to_json())
    declaration["columns"]["pay"].update(change)
    with pytest.raises(ParameterError, match=f"'pay': .*{says}"):
        Schema.from_json(json.dumps(declaration))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"columns": 3}', "\x00", '{"columns": {"a": 1}}'])
def test_what_is_no_declaration_says_so(text: str) -> None:
    """Never a traceback."""
    with pytest.raises(ParameterError):
        Schema.from_json(text)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Number(5, 5), "smaller than upper"),
        (lambda: Number(float("nan"), 5), "finite"),
        (lambda: Number(0, float("inf")), "finite"),
        (lambda: Number(0, 1, missing=2.0), "between 0.0 and 1.0"),
        (lambda: Number(0, 5, integer=True, step=0.5), "whole number"),
        (lambda: Number(0.5, 5, integer=True), "whole number"),
        (lambda: Category(()), "1 to"),
        (lambda: Category(("a", "a")), "must differ"),
        (lambda: Category(("a", "")), "empty|outer"),
        (lambda: Category(("other",), other=True), "called 'other'"),
        (lambda: Person(0), "between 1 and 10000"),
        (lambda: Person(True), "whole number"),
        (lambda: Person(reduce="max"), "mean, first"),
        (lambda: Schema({"a": Person(), "b": Person()}), "Only one"),
        (lambda: Schema({"": Ignored()}), "1 to 200"),
        (lambda: Schema({"a\u202eb": Ignored()}), "control or direction"),
        (lambda: Schema({"a": Category(("\ud800", "b"))}), "This schema contains an invalid Unicode"),
        (lambda: Schema({"a": Number(0, 1, origin="\udfff")}), "This schema contains an invalid Unicode"),
        (lambda: Schema.from_json('{"columns":' + "[" * 100_000), "This is not a schema file"),
    ],
)
def test_declarations_out_of_range_name_the_range(make: object, says: str) -> None:
    """Every refusal is a sentence about the declaration."""
    with pytest.raises(ParameterError, match=says):
        make()  # type: ignore[operator]


def test_rows_per_person_follow_the_declaration() -> None:
    """A reduced person counts once."""
    assert FULL.rows_per_person == 3 and Schema({}).rows_per_person == 1
    assert Schema({"id": Person(rows=9, reduce="mean")}).rows_per_person == 1


def test_levels_have_a_source_as_bounds_have() -> None:
    """What was written before they had one keeps its hash; a source may be said, or said better, later on."""
    plain, cited = Category(("a", "b")), Category(("a", "b"), origin="a form")
    assert "origin" not in plain.plain() and Schema({"x": plain}).digest != Schema({"x": cited}).digest
    before = {"discreet": 1, "columns": {"x": {"kind": "category", "levels": ["a", "b"], "other": False}}}
    assert Schema.from_json(json.dumps(before)) == Schema({"x": plain})
    assert json.loads(Schema({"x": plain}).to_json()) == before
    assert Schema.from_json(Schema({"x": cited}).to_json()) == Schema({"x": cited})
    columns = {"a": cited, "b": plain, "n": Number(0, 1, origin="x"), "m": Number(0, 1), "p": Person(), "i": Ignored()}
    assert Schema(columns).unsourced == ["b", "m"]
    assert plain.from_source("a form") == cited and cited.continues(plain)
    longer = Category(("a", "b", "c"), origin="a newer form")
    assert longer.continues(cited) and longer.continues(plain) and not cited.continues(longer)
    assert not Category(("b", "a"), origin="a form").continues(cited)
