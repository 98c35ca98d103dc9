"""The page of plans: rows, wishes, one price, all answers; a step back, a file to keep, and nothing asked unseen."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from playwright.sync_api import expect
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest
from support.pages import press
from support.visitor import Visitor, at_rest

import discreet.ui.session.state
from discreet.budget import Cost, ParameterError
from discreet.curator import Request
from discreet.lab.samples import census_schema, census_table
from discreet.mechanisms.base.vocabulary import SELECTION, SPARSE
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.sample_aggregate import BlocksMedian
from discreet.plans import Plan, Sizes, Wanted, plan_from, plan_text
from discreet.plans.methods import HOW_READ
from discreet.plans.request_list import LARGEST
from discreet.rows import Bands, Category, Dataset, Filter, LocalSource, Number, Person, Recode, Schema
from discreet.ui.ask.form import topics
from discreet.ui.frame import results as frames
from discreet.ui.frame.families import FACES
from discreet.ui.plan import page, results
from discreet.ui.plan import rows as listing
from discreet.ui.plan.rows import everyone, title
from discreet.ui.session.workspace import Common, Sheet

ROOT = Path(__file__).resolve().parents[2]
AGE, HOURS = Wanted("mean", "age"), Wanted("median", "hours")


@pytest.fixture
def app() -> AppTest:
    """Return the page of plans in a fresh server process's state."""
    discreet.ui.session.state.server().clear()
    opened = AppTest.from_file(str(ROOT / "ui" / "shell.py"), default_timeout=60).run()
    return opened.switch_page("../pages/plan.py").run()


def space(app: AppTest) -> discreet.ui.session.state.Workspace:
    """Return the workspace behind an app."""
    return discreet.ui.session.state.server().workspace(app.session_state["browser"])


def named(app: AppTest, kind: str, words: str) -> Any:
    """Return the one widget of a kind whose label holds some words."""
    (widget,) = [each for each in app.get(kind) if words in each.label]
    return widget


def test_rows_are_every_choice_with_every_column_that_it_fits(app: AppTest) -> None:
    """Two statistics of two columns by a group are four rows; levels of a quantile are rows, too."""
    named(app, "button_group", "Statistics").set_value(["mean", "quantile"]).run()
    named(app, "button_group", "Columns").set_value(["age", "hours"]).run()
    named(app, "button_group", "Group by").set_value(["sex"]).run()
    named(app, "multiselect", "Quantiles").set_value([0.1, 0.9]).run()
    named(app, "button", "Add 6 queries").click().run()
    assert all(item.interval for item in space(app).sheet.items)
    rows = [(item.statistic, item.column, item.level, item.groups) for item in space(app).sheet.items]
    assert rows == [
        *((("mean", name, None, ("sex",))) for name in ("age", "hours")),
        *(("quantile", name, level, ("sex",)) for name in ("age", "hours") for level in (0.1, 0.9)),
    ]
    assert not app.exception and not app.error
    named(app, "button", "Add 6 queries").click().run()
    assert len(space(app).sheet.items) == 6  # nobody wants a row twice
    named(app, "checkbox", "Require 95% intervals").set_value(False).run()
    named(app, "button", "Add 4 queries").click().run()
    assert [item.level for item in space(app).sheet.items[6:]] == [None, None, (0.1, 0.9), (0.1, 0.9)]
    assert not app.exception and not app.error


def test_a_statistic_of_two_columns_takes_each_two_of_them(app: AppTest) -> None:
    """A slope is of the later one on the earlier one; with one column of numbers it is not possible."""
    named(app, "button_group", "Statistics").set_value(["mean", "more"]).run()
    named(app, "multiselect", "More statistics").set_value(["slope"]).run()
    named(app, "button_group", "Columns").set_value(["sex", "age"]).run()
    assert "needs two columns of numbers" in " ".join(each.value for each in app.caption)
    named(app, "button_group", "Columns").set_value(["age", "hours", "education_years"]).run()
    named(app, "button", "Add 6 queries").click().run()
    slopes = [item for item in space(app).sheet.items if item.statistic == "slope"]
    assert len({item.columns for item in slopes}) == 3 and ("age", "hours") in {item.columns for item in slopes}
    assert all(item.interval for item in slopes) and not app.exception and not app.error
    assert title(slopes[0], space(app).dataset.schema).startswith("Regression slope: ")
    assert " on " in title(slopes[0], space(app).dataset.schema)
    named(app, "button", "Release 6 results").click().run()
    assert not app.exception and not app.error and len(space(app).sheet.runs) == 1


def test_a_weight_is_chosen_once_for_all_columns(app: AppTest) -> None:
    """Each other column is a row with that weight."""
    named(app, "button_group", "Statistics").set_value(["more"]).run()
    assert not [each for each in app.selectbox if each.label == "Weight"]
    named(app, "multiselect", "More statistics").set_value(["weighted-mean", "weighted-variance"]).run()
    named(app, "selectbox", "Weight").set_value("hours").run()
    named(app, "button_group", "Columns").set_value(["age", "hours", "education_years"]).run()
    named(app, "button", "Add 4 queries").click().run()
    items = space(app).sheet.items
    assert {item.columns for item in items} == {("age", "hours"), ("education_years", "hours")}
    assert all(item.interval for item in items) and not app.exception and not app.error
    assert title(items[0], space(app).dataset.schema) == "Weighted mean: age with weight hours"
    named(app, "button", "Release 4 results").click().run()
    assert not app.exception and not app.error and len(space(app).sheet.runs) == 1


def test_everyone_is_counted_without_a_column_and_the_title_says_who_is_left_out(app: AppTest) -> None:
    """One group is counted by itself; crossed ones by a column that every row has, else the title names the column."""
    assert named(app, "button", "Add to plan").disabled
    assert "Choose a statistic." in [each.value for each in app.caption]
    named(app, "button_group", "Statistics").set_value(["mean"]).run()
    assert named(app, "button", "Add to plan").disabled
    assert "Choose a column." in [each.value for each in app.caption]
    statistics = named(app, "button_group", "Statistics")
    assert "Number of people" in [option.content for option in statistics.proto.options]
    statistics.set_value(["people"]).run()
    named(app, "button", "Add 1 query")
    groups = {(): ("count", None), ("sex",): ("counts", None), ("sex", "income"): ("count", ("sex", "income"))}
    for chosen, (statistic, by) in groups.items():
        found = everyone(census_schema(), (), chosen)
        assert found is not None and (found.statistic, found.by) == (statistic, by)
    kept = Schema({"age": Number(0, 100), "pay": Number(0, 9, missing=0.0), "sex": Category(("f", "m"))})
    for chosen in ((), ("sex",)):
        found = everyone(kept, ("age",), chosen)
        assert found == Wanted("count", "pay", chosen or None)
        assert title(found, kept) == "Number of rows"  # no row is lost, and no column says who a person is
    assert everyone(Schema({"sex": Category(("f", "m"))}), (), ()) is None
    assert title(Wanted("count", "age"), census_schema()) == "Number of people with a value of age"
    assert title(Wanted("counts", "sex"), census_schema()) == "Number of people by sex"


def test_the_part_that_passes_a_filter_is_typed_in_percent(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until then the forecast says what it assumes; an emptied cell assumes it again."""
    sheet = space(app).sheet
    sheet.add([Wanted("mean", "hours", where=(Filter("sex", "=", "Female"),)), HOURS])
    said = [each.value.replace("\\", "") for each in app.run().caption]
    assert any("No. 1: assumes that about half pass the filter. A mean of a tenth" in each for each in said)
    monkeypatch.setattr(listing, "edited", lambda *_: None)
    for typed, part in ((25, 0.25), (None, None)):
        monkeypatch.setattr(listing, "chosen", lambda mark, typed=typed: {"edited_rows": {"0": {"passing": typed}}})
        listing._edit(sheet, (0, 1), "rows", "mark")
        assert sheet.items[0].passing == part and sheet.items[1] == HOURS
    monkeypatch.undo()
    sheet.edit(0, passing=0.5)
    assert not any("assumes" in each.value for each in app.run().caption) and not app.exception


def test_sizes_of_groups_are_typed_and_the_smallest_has_its_own_margin(app: AppTest) -> None:
    """Until then they are assumed equal; what does not fit is named and stays to be corrected; equal sizes are none."""
    sheet = space(app).sheet
    sheet.add([Wanted("mean", "age", by="sex"), Wanted("count", "age", by="sex")])
    assert any("Groups are assumed equal" in each.value for each in app.run().caption)
    field = named(app, "text_area", "Sizes of groups: sex")
    assert field.value == "Male = 1\nFemale = 1"
    field.set_value("Male = 30\nFemale = 1").run()
    assert sheet.common.sizes == (Sizes("sex", {"Male": 30, "Female": 1}),)
    assert not any("assumed" in each.value for each in app.caption) and not app.exception
    errors = [str(each) for each in app.dataframe[0].value["error"]]
    least, most = (float(part) for part in errors[0].removeprefix("± ").split(" to "))
    assert most > 10 * least and " to " not in errors[1]
    named(app, "text_area", "Sizes of groups").set_value("Male = 30\nWoman = 1").run()
    assert sheet.common.sizes == (Sizes("sex", {"Male": 30, "Female": 1}),)
    assert "Woman" in named(app, "text_area", "Sizes of groups").value
    assert any("'Woman' is not a group of sex" in each.value.replace("\\", "") for each in (*app.error, *app.warning))
    named(app, "text_area", "Sizes of groups").set_value("Male = 2\nFemale = 2").run()
    assert sheet.common.sizes == () and not app.exception


def test_one_press_answers_all_rows_for_the_price_that_it_names(app: AppTest) -> None:
    """One line of the ledger, every number with its interval; the same plan again has nothing to press."""
    space(app).sheet.add([AGE, HOURS, Wanted("counts", "sex")])
    spend = named(app.run(), "button", "Release 3 results")
    total = re.search(r"\(spends (.*)\)$", spend.label)
    spend.click().run()
    ledger = space(app).curator.ledger
    assert total is not None and total.group(1) == str(ledger.spent)
    assert [entry.kind for entry in ledger.entries] == ["charge", "settle"]
    (table,) = (frame.value for frame in app.dataframe if "Result" in frame.value)
    assert list(table["Query"]) == ["Mean: age", "Median: hours", *["Number of people by sex"] * 2]
    assert list(table["Group or part"])[2:] == ["Male", "Female"]
    assert not [button for button in app.button if button.label.startswith("Release ")]
    assert any(each.value.startswith("Done.") for each in app.success)


def test_answers_are_a_report_with_figures_methods_and_files(app: AppTest) -> None:
    """Bars, a map of two crossed groups, and quantiles of each group by their own names; every file can be made."""
    levels = (0.25, 0.5, 0.75)
    crossed, quantiles = Wanted("count", "age", ("sex", "income")), Wanted("quantile", "age", "sex", level=levels)
    space(app).sheet.add([Wanted("counts", "sex", interval=True), crossed, quantiles, AGE])
    named(app.run(), "button", "Release 4 results").click().run()
    (table,) = (frame.value for frame in app.dataframe if "Result" in frame.value)
    names = [name for what, name in zip(table["Query"], table["Group or part"], strict=True) if "uantile" in what]
    assert names == [f"{sex} · {level}" for sex in ("Male", "Female") for level in levels]
    figure = named(app, "selectbox", "Figure")
    for at, form in enumerate(('class="dot"', 'class="figures heat', 'class="strip"', 'class="band"')):
        figure.set_value(at).run()
        (drawn,) = (each.proto.body for each in app.get("html") if each.proto.body.startswith('<figure class="fig"'))
        assert form in drawn and not app.exception
    assert len(figure.options) == 4
    labels = [button.label for button in app.get("download_button")]
    assert {"Report (HTML)", "Data package (ZIP)", "Notebook", "Script", "JSON", "CSV"} <= set(labels)
    assert any("Together they satisfy differential privacy" in each.value for each in app.markdown)


def test_after_a_release_the_results_are_at_the_top_and_equal_groups_are_one_table(app: AppTest) -> None:
    """Count and mean side by side, crossed groups as a cross table, then the list; the plan's own table is folded."""
    crossed = Wanted("mean", "hours", ("sex", "income"), interval=True)
    space(app).sheet.add([Wanted("count", "age", "sex"), Wanted("mean", "age", "sex", interval=True), crossed, HOURS])
    assert "Queries of the plan" not in [each.label for each in app.run().expander]
    named(app, "button", "Release 4 results").click().run()
    assert not app.exception
    assert {"Queries of the plan", "Values as a list"} <= {each.label for each in app.expander}
    tables = [[name.strip("\u200b") for name in frame.value] for frame in app.dataframe]
    count, mean = "Number of people with a value of age", "Mean of age (years)"
    assert tables[0] == ["Query", "Value (95% interval)"]
    assert tables[1] == ["sex", count, mean]
    assert tables[2] == ["sex", "up to 50K", "over 50K"]
    counts = app.dataframe[1].value
    assert list(counts["sex"]) == ["Male", "Female"]
    assert all(re.fullmatch(r"[\d,]+ \([\d,]+ – [\d,]+\)", cell) for cell in counts[count])
    assert re.fullmatch(r"[\d.]+ \([\d.]+ – [\d.]+\)", app.dataframe[2].value["over 50K"][0])
    assert f"**{count}, {mean} by sex**" in [each.value.replace("\\", "") for each in app.markdown]
    assert [each.value for each in app.header][0] == "Results"
    space(app).sheet.remove([3])
    assert "Queries of the plan" not in [each.label for each in app.run().expander]


def test_the_total_is_what_was_set_and_a_step_can_be_taken_back(app: AppTest) -> None:
    """Fields follow the plan, and the plan follows the fields."""
    sheet = space(app).sheet
    sheet.add([AGE])
    named(app.run(), "number_input", "Total ε").set_value(0.4).run()
    assert sheet.common.total == Cost.of("0.4", "1e-6")
    named(app, "button", "Undo").click().run()
    assert named(app, "number_input", "Total ε").value == 1.0 and sheet.items == (AGE,)
    named(app, "button", "Undo").click().run()
    assert not sheet.items and any("No queries yet" in each.value for each in app.info)


def test_fields_show_what_an_opened_plan_says_and_changing_one_changes_no_other(app: AppTest) -> None:
    """Also a total, a delta and a reserve that nobody can choose here."""
    sheet = space(app).sheet
    sheet.open(Plan((AGE,), Cost.of("0.004", "0.0001"), reserve=0.25))
    assert named(app.run(), "number_input", "Total ε").value == 0.004
    assert float(named(app, "selectbox", "δ").value) == 1e-4 and named(app, "selectbox", "Reserve").value == 0.25
    named(app, "number_input", "People (approximate)").set_value(500).run()
    assert sheet.common == Common(Cost.of("0.004", "0.0001"), 500, "bell", 0.25)
    assert not app.exception and not app.error


def test_a_kept_plan_whose_method_is_asked_no_more_opens_and_can_be_changed(app: AppTest) -> None:
    """It says what to take instead, spends nothing, and the row is answered once its method is chosen anew."""
    sheet = space(app).sheet
    sheet.open(Plan((replace(AGE, method="staircase"),), Cost.of(1, "1e-6")))
    app.run()
    (error,) = app.error
    assert not app.exception and "no longer offered" in error.value and "Laplace noise" in error.value
    assert not [each for each in app.button if each.label.startswith("Release ")]
    assert named(app, "selectbox", "Mechanism").value is None
    named(app, "button", "Apply changes").click().run()
    assert not app.error and sheet.items == (AGE,)
    named(app, "button", "Release 1 result")


def test_a_plan_that_does_not_fit_the_budget_cannot_be_pressed(app: AppTest) -> None:
    """It says so, and where the budget went."""
    sheet = space(app).sheet
    sheet.add([AGE])
    sheet.change(total=Cost.of(9, "1e-6"))
    assert named(app.run(), "button", "Release 1 result").disabled
    assert app.warning and not space(app).curator.ledger.entries


def test_what_was_changed_after_the_button_named_its_price_is_not_asked(app: AppTest) -> None:
    """Another tab changes the sheet: the press asks nothing, and the page names the new price."""
    sheet = space(app).sheet
    sheet.add([AGE])
    spend = named(app.run(), "button", "Release 1 result")
    sheet.change(total=Cost.of(2, "1e-6"))
    spend.click().run()
    assert app.error and not space(app).curator.ledger.entries


def test_the_middle_quantile_is_called_the_median() -> None:
    """As everywhere else; several levels at once are told by their numbers."""
    levels = (0.25, 0.5, (0.25, 0.5))
    names = [title(Wanted("quantile", "age", level=level), census_schema()) for level in levels]
    assert names == ["Quantile 0.25: age", "Median: age", "Quantile 0.25, 0.5: age"]
    assert title(Wanted("median", "age"), census_schema()) == names[1]


def test_rows_that_would_say_nothing_are_named_before_the_money_is_spent(app: AppTest) -> None:
    """And a plan that cannot be made is refused with a sentence."""
    sheet = space(app).sheet
    sheet.add([AGE, Wanted("mean", "age", ("sex", "marital_status"))])
    sheet.change(total=Cost.of("0.01"), people=100)
    assert any("Queries 1, 2 are too noisy to be useful" in each.value for each in app.run().warning)
    sheet.add([Wanted("gini", "age", "sex")])
    assert any("No mechanism can release gini" in each.value for each in app.run().error)


def test_a_high_limit_of_rows_a_person_is_named_where_it_drowns_the_answers(app: AppTest) -> None:
    """Whoever has set it can lower it; where one row counts nothing is said of it."""
    for rows, said in ((10, True), (1, False)):
        schema = Schema({"who": Person(rows), "age": Number(0, 120), "sex": Category(("f", "m"))})
        space(app).open(f"{rows}", Dataset(LocalSource(b"who,age,sex\np,1,f\n"), schema))
        space(app).sheet.add([Wanted("mean", "age", ("sex",))])
        space(app).sheet.change(total=Cost.of("0.01"), people=100)
        (warning,) = [each.value for each in app.run().warning if "too noisy to be useful" in each.value]
        assert ("Up to 10 rows per person are counted" in warning) is said


def test_margins_that_are_sums_of_finer_counts_are_named(app: AppTest) -> None:
    """A margin of few counts is; one of many, or of other rows, is not."""
    sheet = space(app).sheet
    count = Wanted("count", "age")
    sheet.add([replace(count, by="sex"), replace(count, by=("sex", "marital_status")), Wanted("count", "hours", "sex")])
    notes = [each.value for each in app.run().info if "are sums of the counts of query 2" in each.value]
    assert len(notes) == 0  # seven counts each, and two queries: four at most
    sheet.add([replace(count, by="marital_status")])
    (note,) = [each.value for each in app.run().info if "are sums of the counts of query 2" in each.value]
    assert note.startswith("Queries 1, 4 ")


def test_protected_rows_are_planned_on_a_guess_and_open_ones_on_their_number(app: AppTest) -> None:
    """Nothing of protected rows, not even how many there are, is in a forecast."""
    assert space(app).sheet.common.people == 32_561
    space(app).open("census", Dataset(LocalSource(census_table()), census_schema()))
    assert space(app).sheet.common.people == Common().people and not space(app).sheet.items


def test_a_result_says_which_rows_it_is_of(app: AppTest) -> None:
    """Beside others without that filter: the same name would be a false one."""
    old = Wanted("count", "age", where=(Filter("age", ">=", 65),))
    space(app).sheet.add([Wanted("count", "age"), old, Wanted("mean", "age", "sex")])
    press(app.run(), ":spend")
    name = "Number of people with a value of age"
    assert list(app.dataframe[0].value["Query"]) == [name, f"{name} · only where age >= 65"]


def test_a_phone_shows_the_margin_of_a_query_before_its_long_name(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its screen ends with the name; on a laptop all fits."""
    space(app).sheet.add([Wanted("mean", "age", "sex")])
    names = list(app.run().dataframe[0].value)
    assert names.index("what") < names.index("error")
    monkeypatch.setattr(listing, "handheld", lambda: True)
    names = list(app.run().dataframe[0].value)
    assert names.index("error") + 1 == names.index("what")


def test_a_phone_has_each_row_of_a_table_as_lines(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its group first, then each number below its name; what does not fit on a screen or two is folded."""
    given = [Wanted("mean", "age", "sex"), Wanted("mean", "hours", "sex"), Wanted("counts", "age", bins=30)]
    space(app).sheet.add(given)
    press(app.run(), ":spend")
    editor = 1
    assert len(app.dataframe) > editor
    monkeypatch.setattr(frames, "handheld", lambda: True)
    app.run()
    assert len(app.dataframe) == editor and not app.exception
    said = "\n".join(each.value for each in app.markdown)
    assert re.search(r"\*\*Female\*\*  \nMean[^\n]* age[^\n]*: [^\n]+ \n?Mean[^\n]* hours", said), said
    assert "more." in "".join(fold.label for fold in app.expander)


def test_how_many_rows_a_forecast_assumes_is_said_beside_it_and_changed_there(app: AppTest) -> None:
    """Where it matters: of a count it does not."""
    space(app).sheet.add([Wanted("count", "hours")])
    assert not any("assumed" in each.value for each in app.run().markdown)
    space(app).sheet.add([HOURS])
    app.run()
    assert any("About 32,561 people assumed." in each.value for each in app.markdown)
    (field,) = [each for each in app.number_input if str(each.key).endswith(":assumed")]
    field.set_value(500).run()
    assert space(app).sheet.common.people == 500


def test_a_question_of_a_page_becomes_a_row_by_its_method_and_with_its_epsilon(app: AppTest) -> None:
    """Once: then the page says that it is one. What no plan can ask is not offered."""
    app.switch_page("../pages/exponential_mechanism.py").run()
    form = f"selection:{space(app).dataset.schema.digest[:8]}:topic"
    app.session_state[form] = topic(app, "quantile")
    app.run()
    named(app, "button", "Add to plan").click().run()
    (item,) = space(app).sheet.items
    assert (item.statistic, item.level, item.held, item.method) == ("quantile", 0.9, 0.5, "quantile-exponential")
    assert named(app, "button", "Already in the plan").disabled
    app.session_state[form] = topic(app, "most-common")
    app.run()
    named(app, "button", "Add to plan").click().run()
    assert space(app).sheet.items[1].statistic == "most-common"
    named(app, "toggle", "Choose settings automatically").set_value(False).run()
    named(app, "selectbox", "Least common").set_value(True).run()
    assert not [button for button in app.button if "plan" in button.label]
    space(app).sheet.undo()
    app.switch_page("../pages/plan.py").run()
    assert named(app, "button", "Release 1 result") and not app.error


def test_a_plan_is_measured_by_the_server_and_not_by_the_browser_alone(app: AppTest) -> None:
    """What is larger than the field says, or has more conditions than a question, takes the place of nothing."""
    small = plan_text(Plan((HOURS, AGE), Cost.of(2)))
    many = json.dumps([["age", "<", 30]] * 101)
    crowded = small.replace('"column": "age"', f'"column": "age", "where": {many}')
    for data, said in ((small + " " * LARGEST, "at most 1 MiB"), (crowded, "Query 2 of the plan has more than 100")):
        named(app, "file_uploader", "Open a plan").upload("plan.json", data.encode()).run()
        assert said in " ".join(error.value for error in app.error) and space(app).sheet.plan is None
    named(app, "file_uploader", "Open a plan").upload("plan.json", small.encode()).run()
    assert not app.error and space(app).sheet.plan == plan_from(small) and space(app).sheet.way is not None


def topic(app: AppTest, name: str) -> Any:
    """Return a topic of the page of selections by its name."""
    return next(each for each in topics((SELECTION, SPARSE), space(app).dataset.schema) if each.name == name)


def test_a_sheet_takes_steps_back_and_refuses_what_no_plan_could_be() -> None:
    """Edited, doubled, removed, opened: each is one step, and a refused one is none."""
    sheet = Sheet()
    sheet.add([AGE, HOURS])
    sheet.edit(0, wish=2.0)
    sheet.double(1, by="sex")
    assert [item.groups for item in sheet.items] == [(), (), ("sex",)]
    sheet.remove([1])
    version = sheet.version
    for wrong in ({"reserve": 1.0}, {"total": Cost.zero()}):
        with pytest.raises(ParameterError):
            sheet.change(**wrong)
    sheet.change(people=1000)
    assert sheet.version == version
    sheet.open(Plan((HOURS,), Cost.of(2), 5, "even", 0.5))
    assert sheet.plan == Plan((HOURS,), Cost.of(2), 5, "even", 0.5)
    while sheet.can_undo:
        sheet.undo()
    assert sheet.plan is None and sheet.common == Common()


def test_wishes_are_typed_rows_taken_out_and_plans_kept_and_opened(visit: Callable[..., Visitor]) -> None:
    """In a browser: cells typed while the forecast of others comes, a bin, a file that is saved, and opened again."""
    visitor = visit()
    page = visitor.open("plan")
    for label, option in (("Statistics", "Mean"), ("Columns", "age"), ("Columns", "hours")):
        page.get_by_label(label).get_by_text(option, exact=True).click()
        visitor.settle()
    page.get_by_role("button", name="Add 2 queries").click()
    visitor.settle()
    width = at_rest(page.get_by_test_id("stDataFrame").first)["width"]
    cell = visitor.open_cell(1, 0.46 * width)  # the wish of the first row
    page.keyboard.type("0.5", delay=40)
    expect(cell).to_have_value("0.5")
    cell = visitor.next_cell("Enter")  # the wish of the row below
    page.keyboard.type("2", delay=40)
    visitor.settle()  # the forecast of the first wish has come meanwhile
    expect(cell).to_have_value("2")
    page.keyboard.press("Enter")
    visitor.settle()
    visitor.unfold("Save or open a plan")
    for _ in range(10):  # a busy server takes its time to learn what was typed
        with page.expect_download() as download:
            page.get_by_role("button", name="Save plan").click()
        wishes = [item.wish for item in plan_from(download.value.path().read_text(encoding="utf-8")).items]
        if all(wishes):
            break
        visitor.settle()
    assert wishes == [0.5, 2]
    spend = page.get_by_role("button", name=re.compile("^Release "))
    visitor.click_table(2, 22)  # the bin of the second row
    expect(spend).to_contain_text("Release 1 result")
    visitor.settle()  # the table below gets shorter after this, and "Undo" moves up with it
    page.get_by_role("button", name="Undo").click()
    expect(spend).to_contain_text("Release 2 results")
    page.get_by_role("button", name="Remove all queries").click()
    expect(page.get_by_text("No queries yet")).to_be_visible()
    uploader = page.locator("input[type=file]").first
    visitor.bring(uploader, "plan.json", json.dumps({"discreet_plan": 2}).encode(), "application/json")
    expect(page.get_by_text("This is not a plan file")).to_be_visible()
    visitor.bring(uploader, "plan.json", download.value.path().read_bytes(), "application/json")
    expect(page.get_by_role("button", name=re.compile("^Release 2 results"))).to_be_visible()


def test_the_form_is_folded_above_a_plan_that_was_made_elsewhere_and_stays_open_while_queries_are_added(
    app: AppTest,
) -> None:
    """It is open while there is no query, and where one was added more may follow: nothing moves under the mouse."""

    def open_() -> bool:
        (form,) = [each for each in app.expander if each.label == "Add queries"]
        return bool(form.proto.expanded)

    assert open_()
    space(app).sheet.add((AGE,))
    app.run()
    assert not open_() and "Choose the statistics to release" not in str([each.value for each in app.markdown])
    named(app, "button_group", "Statistics").set_value(["median"]).run()
    named(app, "button_group", "Columns").set_value(["age"]).run()
    named(app, "button", "Add 1 query").click().run()
    assert open_() and len(space(app).sheet.items) == 2


def test_the_queries_of_a_plan_stand_above_its_price(app: AppTest) -> None:
    """Those who come to a finished plan see what it asks first."""
    space(app).sheet.add((AGE, HOURS))
    app.run()
    kinds = [getattr(each, "label", None) or type(each).__name__ for each in app.main]
    (table,) = [at for at, kind in enumerate(kinds) if kind == "Dataframe"] or [-1]
    assert 0 <= table < kinds.index("Plan name"), kinds


def test_a_number_makes_groups_of_the_usual_width_and_edges_are_changed_in_place(app: AppTest) -> None:
    """Two presses: the statistic with its column, and the column to group by; what does not fit is said at once."""
    named(app, "button_group", "Statistics").set_value(["people", "mean"]).run()
    named(app, "button_group", "Columns").set_value(["hours"]).run()
    groups = named(app, "button_group", "Group by")
    assert {"sex", "age (bands)"} <= {option.content for option in groups.proto.options}
    groups.set_value(["age", "sex"]).run()
    width = named(app, "text_input", "Bands of age")
    assert width.value == "10"
    width.set_value("18, 10").run()
    assert named(app, "button", "Add to plan").disabled and "Edges must increase" in "".join(
        c.value for c in app.caption
    )
    width.set_value("18, 30, 65").run()
    assert "0–17, 18–29, 30–64, 65–100" in [each.value for each in app.caption]
    named(app, "button", "Add 2 queries").click().run()
    bands = Bands("age", (18, 30, 65))
    assert [item.groups for item in space(app).sheet.items] == [(bands, "sex")] * 2
    assert not app.exception and not app.error
    named(app, "button", "Release 2 results").click().run()
    assert not app.exception and not app.error
    tables = [frame.value for frame in app.dataframe]
    assert any("18–29" in table.to_string() and "65–100" in table.to_string() for table in tables)
    first, _ = space(app).curator.releases
    assert first.answer[0][0] == "0–17 · Male"


def test_the_bands_of_a_row_of_the_plan_can_be_changed(app: AppTest) -> None:
    """The row keeps its bands until others are applied; a plan of these bands opens again."""
    row = Wanted("mean", "hours", by=Bands("age", every=20))
    space(app).sheet.add([row])
    app.run()
    assert plan_from(plan_text(space(app).sheet.plan)).items == (row,)
    assert any("age (bands of 20)" in str(list(frame.value.get("what", ()))) for frame in app.dataframe)
    width = named(app, "text_input", "Bands of age")
    assert width.value == "20"
    width.set_value("30").run()
    named(app, "button", "Apply changes").click().run()
    assert [item.groups for item in space(app).sheet.items] == [(Bands("age", every=30),)]
    named(app, "text_input", "Bands of age").set_value("soon, later").run()
    named(app, "button", "Apply changes").click().run()
    assert [item.groups for item in space(app).sheet.items] == [(Bands("age", every=30),)] and not app.exception


def test_everyone_is_counted_by_bands_through_their_own_column() -> None:
    """Who is in a band has a value of its column, so no other column is needed."""
    bands = Bands("age", every=10)
    assert everyone(census_schema(), (), (bands,)) == Wanted("count", "age", (bands,))
    crossed = everyone(census_schema(), (), (bands, "sex"))
    assert crossed is not None and crossed.groups == (bands, "sex")


def test_the_merged_values_of_a_row_of_the_plan_can_be_changed(app: AppTest) -> None:
    """The row keeps its list until another one is applied; a plan of it opens again, and so it is counted."""
    level = census_schema().category("occupation").labels[0]
    row = Wanted("mean", "hours", by=Recode("occupation", ((level, "first"),)))
    space(app).sheet.add([row])
    app.run()
    assert plan_from(plan_text(space(app).sheet.plan)).items == (row,)
    assert any("occupation (merged into first)" in str(list(frame.value.get("what", ()))) for frame in app.dataframe)
    text = named(app, "text_area", "New values of occupation")
    assert text.value == f"{level} = first" and named(app, "toggle", "Merge values of occupation").value
    text.set_value(f"{level} = one").run()
    named(app, "button", "Apply changes").click().run()
    assert [item.groups for item in space(app).sheet.items] == [(Recode("occupation", ((level, "one"),)),)]
    named(app, "text_area", "New values of occupation").set_value("soon").run()
    named(app, "button", "Apply changes").click().run()
    assert [item.groups for item in space(app).sheet.items] == [(Recode("occupation", ((level, "one"),)),)]
    assert not app.exception
    assert everyone(census_schema(), (), (row.groups[0],)) == Wanted("count", "age", row.groups)


def test_a_limit_of_rows_is_said_where_rows_above_it_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not of one row a person, and not of blocks, which take all rows of a person."""
    said: list[str] = []
    monkeypatch.setattr(results.st, "caption", said.append)
    thrice = Schema({"age": Number(0, 100), "who": Person(rows=3)})
    mean = Request(TwoCounts(epsilon=1.0), ("age",))
    blocks = Request(BlocksMedian(epsilon=1.0), ("age",))
    results._limited((mean,), Schema({"age": Number(0, 100), "who": Person(rows=1)}))
    results._limited((mean, blocks), thrice)
    assert said == []
    results._limited((mean,), thrice)
    assert said[0].startswith("At most 3 rows per person are counted.")


def test_a_profile_is_one_press_and_what_it_left_out_is_one_press_away(app: AppTest) -> None:
    """Nothing is spent; a coarser row is replaced in its place; other terms make it anew beside own rows."""
    sheet = space(app).sheet
    sheet.change(people=600)
    sheet.add([Wanted("sum", "hours")])
    named(app.run(), "button", "Profile of the dataset").click().run()
    assert not app.exception and not space(app).curator.ledger.entries
    assert sheet.items[0] == Wanted("sum", "hours") and {"age", "sex", "occupation"} <= {i.column for i in sheet.items}
    said = " ".join(each.value.replace("\\", "") for each in (*app.info, *app.caption))
    assert "Histogram, 10 bins: age" in said and "Left out: person. Such columns take no statistics" in said
    before = sheet.items
    place = before.index(Wanted("counts", "age", interval=True, bins=5))
    named(app, "button", "Put back Histogram, 10 bins: age").click().run()
    assert sheet.items == (*before[:place], replace(before[place], bins=10), *before[place + 1 :])
    assert not [each for each in app.button if each.label == "Put back Histogram, 10 bins: age"]
    named(app, "button", "Undo").click().run()
    assert sheet.items == before and not app.exception
    named(app, "button", "Put back Number of people by occupation").click().run()
    assert sheet.items == (*before, Wanted("counts", "occupation", interval=True))
    assert not [each for each in app.button if each.label.startswith("Profile for")]
    named(app, "number_input", "People (approximate)").set_value(1_000_000).run()
    named(app, "button", "Profile for the changed terms").click().run()
    assert len(sheet.items) == len(set(sheet.items)) and sheet.items[0] == Wanted("sum", "hours")
    assert Wanted("counts", "age", interval=True, bins=10) in sheet.items and before[place] not in sheet.items
    assert not [each for each in app.button if each.label.startswith("Put back")] and not app.exception


def test_too_few_people_for_a_profile_are_told(app: AppTest) -> None:
    """The plan stays empty, and nothing breaks."""
    space(app).sheet.change(people=1)
    named(app.run(), "button", "Profile of the dataset").click().run()
    assert not space(app).sheet.items and not app.exception
    assert any("so few people" in each.value for each in (*app.error, *app.warning))


def test_count_mean_and_deviation_are_one_choice_and_missing_values_another(app: AppTest) -> None:
    """Three rows of one draw, none of them twice; how cells are read takes no groups, and that is said."""
    statistics = named(app, "button_group", "Statistics")
    statistics.set_value(["summary", "mean", "how-read"]).run()
    named(app, "button_group", "Columns").set_value(["age", "sex"]).run()
    named(app, "button", "Add 5 queries").click().run()
    asked = [(item.statistic, item.column) for item in space(app).sheet.items]
    moments = [(name, "age") for name in ("count", "mean", "standard-deviation")]
    assert asked == [*moments, ("how-read", "age"), ("how-read", "sex")]
    assert "Missing values: sex" in str(app.dataframe[0].value["what"].tolist())
    named(app, "button_group", "Group by").set_value(["income"]).run()
    said = "".join(each.value.replace("\\", "") for each in app.caption)
    assert "Missing values: age (" in said and not app.exception
    named(app, "button", "Release 5 results").click().run()
    assert not app.exception and not app.error


def test_each_warning_has_a_way_out_in_one_press(app: AppTest) -> None:
    """Wider bands and a larger share for a noisy row, the part that passes a filter, and one count of several."""
    sheet = space(app).sheet
    noisy = Wanted("mean", "capital_gain", by=Bands("age", every=1), interval=True)
    counts = [Wanted("count", name, interval=True) for name in ("age", "hours")]
    sheet.add([noisy, *counts, Wanted("mean", "hours", where=(Filter("sex", "=", "Female"),))])
    sheet.change(people=2000)
    app.run()
    assert not app.exception
    named(app, "button", "25%").click().run()
    assert sheet.items[3].passing == 0.25 and not [each for each in app.button if each.label == "25%"]
    named(app, "button", "Keep only query 2").click().run()
    assert sheet.items[1] == counts[0] and counts[1] not in sheet.items
    named(app, "button", "A larger share of ε: ±").click().run()
    assert sheet.items[0].weight == 4 and not app.exception
    named(app, "button", "Undo").click().run()
    named(app, "button", "Wider bands: ±").click().run()
    assert sheet.items[0].groups == (Bands("age", every=2),) and not app.exception


def test_a_table_of_small_counts_becomes_one_of_wider_bands_in_one_press(app: AppTest) -> None:
    """It is offered where most counts would be noise, asked for the same price, and each result names its band."""
    sheet = space(app).sheet
    table = Wanted("count", "age", ("marital_status", Bands("age", every=10)), interval=True)
    sheet.add([table])
    sheet.change(people=40_000, total=Cost.of(1))
    offer = "Wider bands where there are few people"
    assert not [each for each in app.run().button if each.label == offer]
    sheet.change(people=400)
    app.run()
    (note,) = [each.value for each in app.info if "less than four margins of error" in each.value]
    assert note.startswith("Query 1:")
    named(app, "button", offer).click().run()
    assert sheet.items == (replace(table, statistic="detail"),) and not app.exception
    assert not [each for each in app.button if each.label == offer]
    named(app, "button", "Release 1 result").click().run()
    assert not app.exception
    (release,) = space(app).here.curator.releases[-1].releases
    assert release.request.by == "marital_status" and release.cost.epsilon == pytest.approx(1, abs=1e-3)


def test_counts_that_come_with_their_draw_are_no_waste(app: AppTest) -> None:
    """Only counts that each pay are called one too many."""
    parts = ("count", "mean", "standard-deviation")
    space(app).sheet.add([Wanted(part, name, interval=True) for name in ("age", "hours") for part in parts])
    app.run()
    assert not [each for each in app.info if "count the same rows" in each.value] and not app.exception
    said = [each.value for each in app.caption if "share one draw" in each.value]
    assert len(said) == 1 and said[0].count("share one draw") == 1 and "age and hours" in said[0]


ELSEWHERE = {
    "several": "each of them is a row, and rows of one draw share it",
    "quantiles": "a quantile with several levels",
    "intercept": "the prediction at 0",
    "prediction": "*Query* asks for its value, and adds it to the plan",
    **dict.fromkeys(
        ("upper-bound", "both-bounds", "first-above"), "asked before a schema is settled, and no statistic"
    ),
    "share-of-yes": "the counts of the column say it more precisely",
}


def test_every_statistic_of_the_mechanism_pages_can_be_planned() -> None:
    """By registration: a new one is in the menu of plans, or listed with the reason why not."""
    schema = census_schema()
    pages = {topic.name for topic in topics(list(FACES), schema)}
    assert pages - set(listing.offered(schema)) == set(ELSEWHERE) & pages
    assert set(listing.offered(schema)) - pages == {HOW_READ.name}


def test_no_wish_of_an_opened_plan_is_dropped(app: AppTest) -> None:
    """Each row of a file is in the table, or named with the reason; also one that does not exist."""
    names = [*(topic.name for topic in topics(list(FACES), census_schema())), "made-up"]
    levels = {"quantile": 0.9, "quantiles": (0.25, 0.75)}
    rows = tuple(Wanted(name, "age", level=levels.get(name), bins=4 if name == "counts" else None) for name in names)
    space(app).sheet.open(plan_from(plan_text(Plan(rows, Cost.of(1, "1e-6")))))
    app.run()
    refused = [int(each.value.partition(".")[0].replace("\\", "")) for each in app.error]
    shown = list(app.dataframe[0].value["number"])
    assert sorted([*refused, *shown]) == list(range(1, len(rows) + 1)) and len(names) in refused
    assert not app.exception


def test_a_statistic_that_only_blocks_answer_is_planned_without_an_interval(app: AppTest) -> None:
    """It stands behind one more press, takes no groups, and is released."""
    named(app, "button_group", "Statistics").set_value(["mean", "more"]).run()
    named(app, "multiselect", "More statistics").set_value(["skewness", "gini"]).run()
    named(app, "button_group", "Columns").set_value(["hours"]).run()
    named(app, "button", "Add 3 queries").click().run()
    spans = {item.statistic: item.interval for item in space(app).sheet.items}
    assert spans == {"mean": True, "skewness": False, "gini": False}
    errors = [float(str(each).removeprefix("± ")) for each in app.dataframe[0].value["error"]]
    assert 0 < errors[1] < 2 and 0 < errors[2] < 0.5
    named(app, "button_group", "Group by").set_value(["sex"]).run()
    assert any("Skewness: hours (takes no groups)" in each.value.replace("\\", "") for each in app.caption)
    named(app, "button", "Release 3 results").click().run()
    assert not app.exception and not app.error


def test_rows_of_a_long_forecast_are_shown_as_they_are_ready(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table grows while others are computed, and nothing of it is left afterwards."""
    views: list[int] = []
    monkeypatch.setattr(page, "EACH", -1.0)
    monkeypatch.setattr(DeltaGenerator, "dataframe", lambda _, lines, **__: views.append(len(lines)))
    place = st.empty()
    ready = page._growing(place, Plan((AGE, HOURS), Cost.of(1)), census_schema())
    ready(0, 0.5)
    ready(1, 2.0)
    assert views == [1, 2]
    monkeypatch.setattr(page, "EACH", 1000.0)
    page._growing(place, Plan((AGE,), Cost.of(1)), census_schema())(0, 0.5)
    assert views == [1, 2]  # a short one shows nothing of it
    monkeypatch.undo()
    space(app).sheet.add([AGE, HOURS])
    assert len(app.run().dataframe) == 1 and not app.exception
