"""What a plan keeps: its rows under another schema, its name, the results of its runs; and what it says of the rest."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import discreet.ui.session.state
from discreet.budget import Cost
from discreet.plans import Plan, Wanted
from discreet.rows import Category, Dataset, LocalSource, Number, OpenData, Schema
from discreet.rows.filters import Filter
from discreet.ui.session.workspace import MOST_RUNS, Sheet, Workspace

ROOT = Path(__file__).resolve().parents[2]
SEX = Category(("f", "m"))
WHOLE = Schema({"age": Number(0, 120, integer=True), "pay": Number(0, 900), "sex": SEX})
LESS = Schema({"age": Number(0, 120, integer=True), "sex": SEX})
FIRST = b"age,pay,sex\n" + b"30,100,f\n40,200,m\n" * 400
SECOND = b"age,pay,sex\n" + b"35,100,f\n45,200,m\n" * 400
AGE = Wanted("mean", "age")
PAY = Wanted("mean", "pay")
RICH = Wanted("count", "age", where=(Filter("pay", ">", 500),))


@pytest.fixture
def app() -> AppTest:
    """Return the page of plans, on protected rows."""
    discreet.ui.session.state.server().clear()
    opened = AppTest.from_file(str(ROOT / "ui" / "shell.py"), default_timeout=60).run()
    space(opened).open("people", Dataset(LocalSource(FIRST), WHOLE))
    return opened.switch_page("../pages/plan.py").run()


def space(app: AppTest) -> Workspace:
    """Return the workspace behind an app."""
    return discreet.ui.session.state.server().workspace(app.session_state["browser"])


def named(app: AppTest, kind: str, words: str) -> Any:
    """Return the one widget of a kind whose label holds some words."""
    (widget,) = [each for each in app.get(kind) if words in each.label]
    return widget


def plain(shown: Any) -> list[str]:
    """Return texts as a person reads them, without what escapes Markdown."""
    return [each.value.replace("\\", "") for each in shown]


def test_a_plan_follows_its_dataset_and_what_no_longer_fits_is_marked(app: AppTest) -> None:
    """Every row stays with its settings; two of three are refused with the reason, and the other can be released."""
    sheet = space(app).sheet
    sheet.add([PAY, Wanted("mean", "age", wish=3.0), RICH])
    sheet.change(name="Wages")
    space(app).open("people", Dataset(LocalSource(FIRST), LESS))
    app.run()
    assert space(app).sheet is sheet and sheet.common.name == "Wages" and sheet.items[1].wish == 3.0
    errors = plain(app.error)
    assert [error.split(":")[0] for error in errors] == [
        "1. Mean",
        "3. Number of rows with a value of age where pay > 500",
    ]
    assert all("'pay'" in error and "not declared" in error for error in errors) and not app.exception
    named(app, "button", "Release 1 result")
    named(app, "button", "Remove query 1").click().run()
    assert sheet.items[0].column == "age" and [error[:2] for error in plain(app.error)] == ["2."]
    named(app, "checkbox", "Keep the filter").set_value(False).run()
    next(each for each in app.button if ":misfit:" in (each.key or "") and each.key.endswith("change")).click().run()
    assert not app.error and sheet.items[1] == Wanted("count", "age")
    space(app).open("people", Dataset(LocalSource(FIRST), WHOLE))
    assert space(app).sheet is sheet


def test_a_plan_of_protected_rows_does_not_learn_from_the_same_rows_as_public_ones(app: AppTest) -> None:
    """A plan follows the schema only where the data have the same protection."""
    space(app).sheet.add([AGE])
    space(app).open("people", OpenData(LocalSource(FIRST), LESS))
    assert not space(app).sheet.items


def test_equal_rows_are_one_and_nothing_chosen_is_dropped_without_a_word(app: AppTest) -> None:
    """A median is a quantile of one half; a mean of a category, and counts by group, are named as not possible."""
    space(app).sheet.add([Wanted("median", "age", interval=True)])
    named(app, "button_group", "Statistics").set_value(["quantile", "mean", "counts"]).run()
    named(app, "button_group", "Columns").set_value(["age", "sex"]).run()
    named(app, "button_group", "Group by").set_value(["sex"]).run()
    (missed,) = [each for each in plain(app.caption) if each.startswith("Not possible")]
    assert "Mean: sex (needs a number" in missed and "Histogram, 10 bins: age (counts take no groups" in missed
    named(app, "button_group", "Group by").set_value([]).run()
    named(app, "number_input", "Bins").set_value(12).run()
    named(app, "button", "Add 6 queries").click().run()
    assert [each for each in plain(app.info) if "Median: age" in each and "not added again" in each]
    items = space(app).sheet.items
    assert len(items) == 6 and [item.bins for item in items if item.statistic == "counts"] == [12, None]
    app.run()
    assert not [each for each in app.info if "not added again" in each.value]


def test_several_group_columns_are_crossed_or_one_table_each_in_one_go(app: AppTest) -> None:
    """Questions with similar names say how they differ; a row that would be too noisy says so in its cell."""
    statistics = named(app, "button_group", "Statistics")
    offered = [option.content for option in statistics.proto.options]
    assert {"Number of rows", "Count (rows with a value)"} <= {*offered}
    statistics.set_value(["mean", "median", "more"]).run()
    rest = list(named(app, "multiselect", "More statistics").options)
    assert "Lower median (lower of the two middle values)" in rest
    named(app, "button_group", "Columns").set_value(["pay"]).run()
    named(app, "button_group", "Group by").set_value(["sex", "age"]).run()
    named(app, "button", "Add 2 queries")
    named(app, "toggle", "One table for each column").set_value(True).run()
    named(app, "button", "Add 4 queries").click().run()
    groups = [item.groups for item in space(app).sheet.items]
    assert len(groups) == 4 and [len(each) for each in groups] == [1] * 4 and groups[0] == ("sex",) != groups[2]
    (errors,) = [list(frame.value["error"]) for frame in app.dataframe if "error" in frame.value]
    noisy = [each for each in errors if "⚠" in each]
    assert 0 < len(noisy) < 4 and all(each.endswith(" ⚠ too noisy") for each in noisy) and not app.exception


def test_of_equal_rows_the_first_stays_with_its_settings_and_its_place() -> None:
    """A row that is added again, or edited until it equals another one, takes nothing from the one that was there."""
    first = Wanted("mean", "age", wish=3.0, weight=2.0)
    sheet = Sheet()
    sheet.add([first, PAY])
    sheet.add([AGE, RICH])
    assert sheet.items == (first, PAY, RICH) and sheet.merged == (AGE,)
    sheet.edit(1, column="age", wish=7.0)
    assert sheet.items == (first, RICH) and sheet.merged == (Wanted("mean", "age", wish=7.0),)
    sheet.undo()
    assert sheet.items == (first, PAY, RICH)


def test_an_opened_plan_takes_the_place_of_rows_and_terms_and_one_step_brings_both_back() -> None:
    """Also the name, the guess and the reserve; and a step back is a change of its own, so that no editor is stale."""
    sheet = Sheet()
    sheet.add([AGE])
    sheet.change(name="Mine", people=77, reserve=0.1)
    mine, version = (sheet.items, sheet.common), sheet.version
    sheet.open(Plan((PAY, RICH), Cost.of(2), 500, "skewed", 0.2, "Theirs"))
    assert sheet.items == (PAY, RICH) and sheet.plan == Plan((PAY, RICH), Cost.of(2), 500, "skewed", 0.2, "Theirs")
    sheet.undo()
    assert (sheet.items, sheet.common) == mine and sheet.version > version + 1


def test_runs_are_kept_once_with_the_rows_that_were_asked_newest_last() -> None:
    """Only so many of them; a run of some rows is kept with those rows, whatever the plan has besides."""
    sheet = Sheet()
    sheet.add([AGE, PAY])
    given = [SimpleNamespace(id=str(at)) for at in range(MOST_RUNS + 2)]
    for each in given:
        sheet.take(each, (PAY,))  # type: ignore[arg-type]
        sheet.take(each, (PAY,))  # type: ignore[arg-type]
    assert [run.answers.id for run in sheet.runs] == [each.id for each in given[2:]]
    assert sheet.asked == (PAY,) and sheet.answers is given[-1] and sheet.items == (AGE, PAY)


def test_each_way_out_says_the_error_that_it_leads_to(app: AppTest) -> None:
    """More budget is one press: the table then shows what the button said."""
    sheet = space(app).sheet
    sheet.add([Wanted("mean", "age", "sex")])
    sheet.change(total=Cost.of("0.1"), people=100)
    app.run()
    ways = {each.label.split(":")[0]: each for each in app.button if "±" in each.label}
    assert {"Fewer groups", "ε 0.2"} <= set(ways)
    said = ways["ε 0.2"].label.partition("± ")[2]
    ways["ε 0.2"].click().run()
    assert sheet.common.total == Cost.of("0.2") and sheet.way is not None
    assert said == f"{sheet.way[1].rows[0].error:.3g}"
    sheet.undo()
    next(each for each in app.run().button if each.label.startswith("Fewer groups")).click().run()
    assert sheet.items[0].groups == () and not app.exception


def test_results_belong_to_their_plan_and_are_folded_once_it_has_changed(app: AppTest) -> None:
    """Under its name, also on the page of results, whose files are called by it."""
    sheet = space(app).sheet
    sheet.add([AGE])
    named(app.run(), "text_input", "Plan name").set_value("Wages: 2026").run()
    named(app, "button", "Release 1 result").click().run()
    assert any("Wages" in each.value for each in app.markdown) and [each.value for each in app.header][0] == "Results"
    sheet.add([PAY])
    app.run()
    (fold,) = [each for each in app.expander if "Wages" in each.label]
    assert "has changed since" in fold.label and not fold.children and not app.exception
    app.switch_page("../pages/results.py").run()
    assert [each for each in app.expander if "Wages" in each.label and "has changed since" in each.label]
    sheet.undo()
    app.run()
    assert not [each for each in app.expander if "has changed since" in each.label] and not app.exception


def test_the_same_plan_again_on_another_file_says_its_cost_and_both_runs_stand_side_by_side(app: AppTest) -> None:
    """One press takes the plan along; nothing is spent by it; then each number has what it was and what it is."""
    space(app).sheet.add([AGE, PAY])
    space(app).sheet.change(name="Wages")
    named(app.run(), "button", "Release 2 results").click().run()
    space(app).open("later", Dataset(LocalSource(SECOND.replace(b"pay", b"fee")), LESS))
    again = named(app.run(), "button", "Use “Wages” here")
    assert re.search(r"at most ε = 1, δ = 1e-6", again.label)
    assert any("1 of 2 queries fit" in each.value for each in app.caption)
    again.click().run()
    assert space(app).sheet.common.name == "Wages" and not space(app).curator.ledger.entries
    named(app, "button", "Release 1 result").click().run()
    beside = named(app, "selectbox", "Compare with")
    assert len(beside.options) == 1 and "people" in beside.options[0]
    beside.set_value(0).run()
    (table,) = [frame.value for frame in app.dataframe if "Earlier" in frame.value]
    assert list(table["Query"]) == ["Mean: age"] and not app.exception
    then, now = (float(table[name][0].split(" (")[0]) for name in ("Earlier", "Now"))
    assert then < now and "–" in table["Earlier"][0]


def test_a_row_with_a_share_of_its_own_is_seen_and_can_be_changed(app: AppTest) -> None:
    """Fixed shares and weights are columns only where they are asked for, or where there is one."""
    sheet: Sheet = space(app).sheet
    sheet.open(Plan((AGE,), Cost.of(1)))

    def columns() -> list[str]:
        return [str(name) for frame in app.run().dataframe for name in frame.value.columns]

    assert "held" not in columns() and "number" in columns()
    named(app, "toggle", "Set shares by hand").set_value(True).run()
    assert {"held", "weight"} <= set(columns())
