"""How numbers and dates of a text file are written: asked once, proposed by public things, confirmed by the button."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from support.pages import at, on_dataset, press, several, shown, space, upload

import discreet.ui.session.state
from discreet.rows import Date, Number, Schema

ROOT = Path(__file__).resolve().parents[2]
GERMAN = "Nr;Einkommen;Tag\n" + "".join(
    f"{at};{1 + at % 9}.{at % 1000:03},5;{1 + at % 28:02}.03.2021\n" for at in range(300)
)
PLAIN = "x,y\n" + "".join(f'{at},"{1 + at % 9},{at % 1000:03}.5"\n' for at in range(300))


@pytest.fixture
def app() -> AppTest:
    """Return the shell in a fresh server process's state."""
    discreet.ui.session.state.server().clear()
    return on_dataset()


def choice(app: AppTest, label: str) -> Any:
    """Return one of the questions."""
    (only,) = [group for group in app.segmented_control if group.label == label]
    return only


def said(app: AppTest) -> str:
    """Return all text on the screen, without what keeps it from being markup."""
    return shown(app).replace("\\", "")


def button(app: AppTest) -> str:
    """Return what the button says that uses the data."""
    return str(next(each.label for each in app.button if each.label.startswith("Use this dataset")))


def test_a_semicolon_proposes_commas_and_a_typed_bound_is_written_so(app: AppTest) -> None:
    """Twenty thousand is 20.000, and a half is 0,5; nothing is clicked for it, and the button says it."""
    upload(
        app, GERMAN.encode(), {1: {"lower": "0,5", "upper": "20.000"}, 2: {"first": "2020-01-01", "last": "2022-01-01"}}
    )
    assert choice(app, "Number format").value == "1.234,5"
    assert button(app) == "Use this dataset · numbers like 1.234,5, dates like 31.01.2020"
    press(app, "Use this dataset")
    schema = space(app).dataset.schema
    assert schema.columns["Einkommen"] == Number(0.5, 20_000.0, decimal=",", thousands=".")
    assert schema.columns["Tag"] == Date("2020-01-01", "2022-01-01", order="day-month-year")
    draft = declared_anew(app)
    assert (draft.numbers, draft.dates) == ("1.234,5", "day-month-year")
    assert list(draft.lines.loc[1, ["lower", "upper", "written"]]) == ["0,5", "20000", ""]


def declared_anew(app: AppTest) -> Any:
    "Change schema of the data in use, and return its draft."
    press(at(app, "dataset"), "Change schema")
    draft = space(app).draft
    assert draft is not None
    return draft


def test_without_a_semicolon_points_are_proposed_and_thousands_may_have_commas(app: AppTest) -> None:
    """1,234.5 and 1234.5 are both numbers; a word that is no number so is refused with what to do."""
    upload(app, PLAIN.encode(), {1: {"lower": "0", "upper": "20,5"}})
    assert choice(app, "Number format").value == "1,234.5"
    assert "Upper: 20,5 does not match the number format 1,234.5." in said(app)
    choice(app, "Number format").set_value("1.234,5").run()
    several(app, "no")
    assert "0 to 20.5" in said(app)  # what was typed is read by the way that was chosen
    choice(app, "Number format").set_value("1,234.5").run()
    assert "0 to 20.5" in said(app) and space(app).draft.lines.loc[1, "upper"] == "20.5"  # type: ignore[union-attr]
    assert button(app) == "Use this dataset · numbers like 1,234.5"


def test_a_column_may_be_written_otherwise(app: AppTest) -> None:
    """What is said of a column stands above what is said of the file; the button names both."""
    upload(
        app, PLAIN.encode(), {0: {"lower": "0", "upper": "9"}, 1: {"lower": "0", "upper": "9,5", "written": "1.234,5"}}
    )
    assert button(app) == "Use this dataset · numbers like 1,234.5 and 1.234,5"
    press(app, "Use this dataset")
    columns = space(app).dataset.schema.columns
    assert columns == {"x": Number(0.0, 9.0, thousands=","), "y": Number(0.0, 9.5, decimal=",", thousands=".")}


def test_a_declaration_of_before_is_what_it_was(app: AppTest) -> None:
    """One that says nothing of thousands says the same after it was imported, and the button says so."""
    old = Schema({"x": Number(0.0, 2.125), "y": Number(0.5, 9.0)})
    upload(app, b"x;y\n1,5;2\n", {})
    draft = space(app).draft
    assert draft is not None
    app.file_uploader(key=f"declaration:{draft.number}:0").upload("d.json", old.to_json().encode()).run()
    assert button(app.run()) == "Use this dataset · numbers like 1234.5"
    press(several(app, "no") if app.radio else app, "Use this dataset")
    assert replace(space(app).dataset.schema, layout=None).digest == old.digest
    draft = declared_anew(app)
    choice(app, "Number format").set_value("1.234,5").run()
    assert list(draft.lines["upper"][:2]) == ["2,1250", "9"]  # and never 2,125, which others read as thousands


def test_typed_files_are_not_asked(app: AppTest, tmp_path: Path) -> None:
    """A cell of Parquet is what it is."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"x": [1.5, 2.5]}), tmp_path / "t.parquet")
    upload(app, (tmp_path / "t.parquet").read_bytes(), {0: {"lower": 0.0, "upper": 9.0}})
    assert not [group for group in app.segmented_control if "Number format" in group.label]
    assert button(app) == "Use this dataset"
    press(app, "Use this dataset")
    assert space(app).dataset.schema.columns["x"] == Number(0.0, 9.0)
