"""Deriving: a column that follows from others of the row is added on the page, says what is wrong, and can be asked."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from support.pages import at, on_dataset, press, shown, space, upload

import discreet.ui.session.state
from discreet.rows import Bands, Difference, Meets, Ratio, Schema
from discreet.ui.data import table

DATA = b"in,out,cost,town\n" + b"".join(
    b"2024-03-%02d,2024-03-%02d,%d,%s\n" % (1 + i % 9, 3 + i % 20, 100 * (i % 30), (b"north", b"south")[i % 2])
    for i in range(300)
)
YEAR = {"first": "2024-01-01", "last": "2024-12-31"}
EDITS: dict[int, dict[str, object]] = {
    0: dict(YEAR),
    1: dict(YEAR),
    2: {"lower": "0", "upper": "5000", "unit": "euros"},
    3: {"levels": "north, south"},
}
RULE = {"difference": "Difference of two columns", "ratio": "Ratio of two columns", "condition": "Condition, 1 or 0"}


@pytest.fixture
def app() -> AppTest:
    """Return the page with a file whose columns are declared."""
    discreet.ui.session.state.server().clear()
    app = upload(on_dataset(), DATA, EDITS)
    assert "Add a derived column" in [part.label for part in app.expander]
    return app


def mark(app: AppTest) -> str:
    """Return the key of the form's fields."""
    draft = space(app).draft
    assert draft is not None
    return f"derive:{draft.number}:{len(draft.derived)}"


def fill(app: AppTest, way: str, name: str, of: str, **more: Any) -> AppTest:
    """Fill the form and press its button."""
    key = mark(app)
    app.segmented_control(key=f"{key}:way").set_value(way).run()
    app.text_input(key=f"{key}:name").set_value(name).run()
    app.selectbox(key=f"{key}:{way}:of").set_value(of).run()
    for field, value in more.items():
        if field == "by":
            app.selectbox(key=f"{key}:{way}:by:{of}").set_value(value).run()
        elif field == "how":
            app.selectbox(key=f"{key}:{way}:how").set_value(value).run()
        elif field == "levels":
            app.multiselect(key=f"{key}:{way}:in:{of}").set_value(value).run()
        elif field == "grain":
            (choice,) = [each for each in app.segmented_control if each.label == "Unit"]
            choice.set_value(value).run()
        else:
            app.text_input(key=f"{key}:{way}:{field}").set_value(value).run()
    return app.button(key=f"{key}:add").click().run()


def test_a_stay_a_cost_a_day_and_a_share_are_declared_and_asked(app: AppTest) -> None:
    """One after the other, each of those before it; the schema has them, and so has one that is opened again."""
    fill(app, "difference", "stay", "out", by="in", lower="0", upper="30")
    fill(app, "ratio", "day", "cost", by="stay", lower="0", upper="1000")
    fill(app, "condition", "long", "stay", how=">", value="7")
    fill(app, "condition", "northern", "town", levels=["north"])
    fill(app, "difference", "months", "out", by="in", grain="month")
    assert not app.exception and not app.error, [each.value for each in app.error]
    press(app, "Use this dataset")
    schema = space(app).dataset.schema
    assert schema.derived == ["stay", "day", "long", "northern", "months"]
    assert {name: schema.columns[name].plain() for name in schema.derived} == {
        "stay": Difference("out", "in", 0, 30, grain="day").plain(),
        "day": Ratio("cost", "stay", 0, 1000).plain(),
        "long": Meets("stay", ">", 7).plain(),
        "northern": Meets("town", "in", ("north",)).plain(),
        "months": Difference("out", "in", grain="month").plain(),
    }
    assert schema.category(Bands("long", every=1)).labels == ("0", "1")
    at(app, "dataset")
    assert not app.exception
    press(app, "Change schema")
    draft = space(app).draft
    assert draft is not None and list(draft.derived) == schema.derived
    assert "out − in, 0 to 30, in days" in shown(app).replace("\\", "")
    app.button(key=f"underive:{draft.number}:months").click().run()
    press(app, "Use this dataset")
    assert space(app).dataset.schema.derived == schema.derived[:-1]


@pytest.mark.parametrize(
    ("way", "name", "of", "more", "words"),
    [
        ("difference", "stay", "out", {}, "Choose two columns."),
        ("difference", "", "out", {"by": "in"}, "Enter a name for the derived column."),
        ("difference", "town", "out", {"by": "in"}, "There is a column 'town' already. Enter another name."),
        ("difference", "d", "out", {"by": "in", "lower": "9", "upper": "3"}, "Lower must be smaller than upper."),
        ("difference", "d", "out", {"by": "in", "lower": "x"}, "does not match the number format"),
        ("condition", "c", "cost", {"value": ""}, "Enter a value to compare with."),
        ("condition", "c", "in", {"value": "soon"}, "can be compared only with a date such as 2020-01-31"),
        ("condition", "c", "town", {}, "Choose at least one value."),
    ],
)
def test_what_is_wrong_is_said_where_it_is_added(
    app: AppTest, way: str, name: str, of: str, more: dict[str, Any], words: str
) -> None:
    """In one sentence, and nothing is added."""
    fill(app, way, name, of, **more)
    assert not app.exception
    assert [words in each.value.replace("\\", "") for each in app.error] == [True], [each.value for each in app.error]
    draft = space(app).draft
    assert draft is not None and not draft.derived


def test_a_ratio_needs_bounds(app: AppTest) -> None:
    """Nothing bounds what is divided by little."""
    fill(app, "difference", "stay", "out", by="in")
    fill(app, "ratio", "day", "cost", by="stay")
    assert ["lower and an upper bound from public knowledge" in each.value for each in app.error] == [True]


def test_a_source_that_is_not_declared_any_more_is_named(app: AppTest) -> None:
    """The page says which column is missing; nothing can be used until it is declared or the derived one removed."""
    fill(app, "difference", "stay", "out", by="in")
    draft = space(app).draft
    assert draft is not None
    key = f"declared:{draft.number}:{draft.version}"
    ignored = {"kind": "ignored", "first": "", "last": ""}
    app.session_state[key] = {"edited_rows": {**EDITS, 1: ignored}, "added_rows": [], "deleted_rows": []}
    app.run()
    assert not app.exception
    said = " ".join(each.value for each in app.info).replace("\\", "")
    assert "Column 'stay'" in said, said


def test_an_exported_schema_brings_its_derived_columns_back(app: AppTest) -> None:
    """Into the draft of a file with the same columns."""
    fill(app, "difference", "stay", "out", by="in", lower="0", upper="30")
    draft = space(app).draft
    assert draft is not None
    schema = table.schema_of(draft.lines, draft.derived)
    assert schema is not None
    text = schema.to_json()
    draft.derived.clear()
    app.run()
    app.file_uploader(key=f"declaration:{draft.number}:0").upload("d.json", text.encode()).run()
    assert draft.derived == {"stay": schema.columns["stay"]}
    assert Schema.from_json(text) == schema and "sources" not in json.loads(text)["columns"]["stay"]
