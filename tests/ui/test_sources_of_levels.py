"""Sources of levels: asked where they are declared, required where data are registered, shown where they are read."""

from __future__ import annotations

import pytest
from support.office_seats import Town
from support.seats import Seat
from support.town import SCHEMA

from discreet.rows import Category, Date, Schema
from discreet.ui import kinds
from discreet.ui.data import table as declare

BARE = Schema({**SCHEMA.columns, "group": Category(("a", "b"))})


def begun(officer: Seat, schema: Schema) -> Seat:
    """Choose a file, and bring its declaration."""
    officer.open("datasets", registered_view="new")
    officer.uploaded("", "late.csv", b"age,group,note\n12,a,y\n13,b,z\n")
    return officer.uploaded("Schema or codebook file", "d.json", schema.to_json().encode()).run()


def test_a_list_of_levels_without_a_source_is_not_registered(town: Town) -> None:
    """It is named among what is still to be done; with a source it is not."""
    missing = "Column 'group': enter the public source of its bounds or allowed values."
    assert missing in begun(town.at("olga"), BARE).text()
    assert missing not in begun(town.at("olga"), SCHEMA).text()


def test_whoever_keeps_the_data_reads_the_sources(town: Town) -> None:
    """Beside each column, with the budget, its rule, and who registered when."""
    olga = town.at("olga").open("datasets")
    (columns,) = [table.value for table in olga.app.dataframe if "Source" in table.value.columns]
    assert list(columns["Source"]) == ["nobody is older", "the form"]
    said = "\n".join(table.value.to_string() for table in olga.app.dataframe if "Detail" in table.value.columns)
    assert "ε 3, δ 1e-6, Basic" in said and ", Olga" in said and "no rule" in said


@pytest.mark.parametrize(
    "column",
    [Category(("1", "2"), names=("x", "y"), origin="a form"), Date("2030-01-01", "2030-12-31", origin="a law")],
)
def test_one_column_at_a_time_asks_for_its_source(column: Category | Date) -> None:
    """What is typed there is what was declared; the table has the same cell once."""
    widgets = kinds.of(column)
    assert "origin" in widgets.cells() | widgets.details()
    (line,) = declare.lines_of(Schema({"x": column}), ["x"]).to_dict("records")
    assert declare.declared(line) == column


def test_what_is_asked_of_every_column_stands_first_where_data_are_registered() -> None:
    """Without scrolling; everything else keeps its order."""
    usual, wanted = declare.order_of(()), declare.order_of(("origin",))
    assert wanted[:3] == ["column", "kind", "origin"] and "origin" not in usual
    assert usual == ["column", "kind", "lower", "upper", "levels", "unit"], "the rest is on the card of a column"
    assert [name for name in wanted if name != "origin"] == [name for name in usual if name != "origin"]
