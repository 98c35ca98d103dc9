"""The page of a single query: the method chosen, the price named once, the result as a picture, the same in Python."""

from __future__ import annotations

import csv
import io
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from support.office_seats import Town
from support.pages import at, figures, shown, space
from support.seats import SHELL
from threats.screens import sent

import discreet.ui.session.state
from discreet.budget import Cost
from discreet.mechanisms import registry
from discreet.mechanisms.base.mechanism import Mechanism
from discreet.mechanisms.selection import MOST_COMMON
from discreet.mechanisms.soft_weights import JOINT
from discreet.plans import Wanted
from discreet.report.programs import script
from discreet.report.tables import answers_csv, ledger_csv
from discreet.report.words import numbers_of
from discreet.rows import Bands, Category, Dataset, Date, Filter, LocalSource, Number, Recode, Schema
from discreet.ui.ask import form, query, refilling
from discreet.ui.frame.families import FACES
from discreet.ui.plan.rows import title
from discreet.ui.session import door

SCHEMA = Schema({"age": Number(0, 100, integer=True, unit="years"), "town": Category(("a", "b"))})


@pytest.fixture
def page() -> AppTest:
    """Return the page Query on the first sample."""
    return opened()


def opened(**address: str) -> AppTest:
    """Return the page Query of a fresh server, opened by an address."""
    discreet.ui.session.state.server().clear()
    app = AppTest.from_file(str(SHELL), default_timeout=60).run()
    for name, value in address.items():
        app.query_params[name.replace("_", "-")] = value
    return at(app, "query")


def field(page: AppTest, ending: str) -> Any:
    """Return the widget whose key ends so."""
    every = (*page.button, *page.selectbox, *page.multiselect, *page.number_input, *page.slider, *page.radio)
    (widget,) = [each for each in (*every, *page.button_group, *page.text_area) if str(each.key).endswith(ending)]
    return widget


def ask(page: AppTest, question: str, column: str = "") -> AppTest:
    """Choose a question, and a column."""
    field(page, ":question").set_value(question).run()
    if column:
        field(page, ":column").set_value(column).run()
    assert not page.exception
    return page


def mechanism(page: AppTest) -> Mechanism:
    """Return the mechanism of the latest result."""
    return space(page).curator.releases[-1].request.mechanism


def test_one_press_releases_a_result_with_its_interval_for_the_price_named(page: AppTest) -> None:
    """Nothing is spent before; one charge, one picture, and nothing to press twice."""
    ledger = space(page).curator.ledger
    assert ledger.spent == Cost.zero() and "expected for about 32,561 people; not released yet" in shown(page)
    button = field(page, ":spend")
    assert button.label == "Release result (spends ε = 0.5)"
    button.click().run()
    (release,) = space(page).curator.releases
    assert ledger.spent == release.cost == Cost.of("0.5") and release.interval
    assert release.request.columns == ("age",) and not page.exception and not page.error
    assert len(figures(page)) == 1 and "95% interval" in shown(page) and not page.get("plotly_chart")
    assert not [each for each in page.button if str(each.key).endswith(":spend")]
    assert "not released yet" not in shown(page)
    page.run()
    assert len(space(page).curator.releases) == 1 and ledger.spent == release.cost


def test_the_method_has_an_interval_and_the_smallest_error_and_can_be_changed(page: AppTest) -> None:
    """The line says among how many; the list names the errors of the others, in place; the price stays."""
    assert "Smallest margin known in advance, of 4" in shown(page)
    field(page, ":change").click().run()
    (others,) = page.radio
    assert others.value == "two-counts" and others.options[0] == registry["two-counts"].title
    captions = others.proto.captions
    assert "± " in captions[0] and any("no interval" in each for each in captions)
    others.set_value("laplace").run()
    assert "Chosen by you" in shown(page) and field(page, ":spend").label.endswith("(spends ε = 0.5)")
    field(page, ":spend").click().run()
    assert mechanism(page).slug == "laplace"


def test_a_method_changed_and_a_press_at_once_spend_nothing(page: AppTest) -> None:
    """The button named another query."""
    field(page, ":change").click().run()
    page.radio[0].set_value("laplace")
    field(page, ":spend").click().run()
    assert space(page).curator.ledger.spent == Cost.zero()
    assert any("This page was out of date" in error.value for error in page.error)


def test_margin_and_epsilon_follow_each_other(page: AppTest) -> None:
    """Half the margin takes about twice ε; the button names it."""
    before = field(page, ":margin").value
    field(page, ":margin").set_value(before / 2).run()
    epsilon = field(page, ":epsilon").value
    assert 0.7 < epsilon < 1.3 and field(page, ":margin").value <= before / 2 * 1.01
    field(page, ":epsilon").set_value(0.25).run()
    assert field(page, ":margin").value > before * 1.5


def test_the_margin_is_said_for_a_number_of_people_that_is_typed_beside_it() -> None:
    """Ten times the people have a tenth of the error of a mean."""
    app = ask(own(["age,town", *(f"{20 + at % 50},a" for at in range(400))]), "mean", "age")
    before = field(app, ":margin").value
    field(app, ":people").set_value(10_000).run()
    assert field(app, ":margin").value < before / 8
    assert "expected for about 10,000 rows" in shown(app)


def test_a_released_number_of_rows_is_the_guess_of_the_next_query() -> None:
    """The result stays in sight with its own guess; what is typed later counts; other filters are other rows."""
    app = ask(own(["age,town", *(f"{20 + at % 50},a" for at in range(400))]), "mean", "age")
    field(app, ":spend").click().run()
    (release,) = space(app).curator.releases
    assert field(app, ":people").value == 1000 and "The result is based on about" in shown(app)
    assert "so it is wider than usual" in shown(app)
    ask(app, "median", "age")
    assert field(app, ":people").value == round(release.size) and 300 < release.size < 500
    assert space(app).sheet.common.people == round(release.size), "and of a plan that is begun later"
    space(app).sheet.add([Wanted("mean", "age")])
    space(app).sheet.change(people=800)
    assert space(app).sheet.common.people == 800
    field(app, ":people").set_value(700).run()
    assert field(ask(app, "mean"), ":people").value == 700
    field(app, ":where").set_value(["town"]).run()
    field(app, ":in:town").set_value(["a"]).run()
    field(app, ":question").set_value("count").run()
    assert field(app, ":people").value == 700 and not app.exception


def test_sizes_of_groups_tell_the_margin_of_the_smallest(page: AppTest) -> None:
    """Without them the smallest has at least the margin of equal groups; a line that does not fit is named."""
    field(page, ":by").set_value("sex").run()
    equal = "Groups are assumed equal: the smallest one has at least this margin of error."
    assert equal in shown(page)
    field(page, ":sizes:sex").set_value("Male = 9\nFemale = 1").run()
    smallest = re.search(r"In the smallest group: ± ([0-9.]+)", shown(page).replace("\\", ""))
    assert smallest is not None and equal not in shown(page)
    assert float(smallest.group(1)) > 1.5 * field(page, ":margin").value
    field(page, ":sizes:sex").set_value("Male = 9\nWoman = 1").run()
    assert "is not a group of sex" in shown(page) and not page.exception


def test_the_part_that_passes_a_filter_is_asked_beside_the_people() -> None:
    """Empty, it is assumed and said; another filter has another part; a released number of its rows is taken over."""
    app = ask(own(["age,town", *(f"{20 + at % 50},{'ab'[at % 2]}" for at in range(400))]), "mean", "age")
    before = field(app, ":margin").value
    field(app, ":where").set_value(["town"]).run()
    field(app, ":in:town").set_value(["a"]).run()

    def part() -> Any:
        (found,) = [each for each in app.number_input if ":passing:" in str(each.key)]
        return found

    assert part().value is None and part().placeholder == "50"
    assert "Assumes that about half pass the filter." in shown(app)
    assert 1.8 * before < field(app, ":margin").value < 2.2 * before
    part().set_value(10.0).run()
    assert 8 * before < field(app, ":margin").value < 12 * before and "Assumes that" not in shown(app)
    field(app, ":spend").click().run()
    (release,) = space(app).curator.releases
    ask(app, "median", "age")
    assert field(app, ":people").value == 1000 and part().value == round(release.size) / 10
    assert 100 < release.size < 300 and not app.exception


def test_bands_are_wider_where_there_are_few_people() -> None:
    """A number of bands is asked, each group has a choice of its own, and each result names its band."""
    page = opened(query_question="detail", query_column="age")
    field(page, ":by").set_value("marital_status").run()
    assert not page.exception and "± 7.05" in shown(page).replace("\\", "")
    field(page, ":spend").click().run()
    (release,) = space(page).curator.releases
    assert release.request.by == "marital_status" and len(release.request.mechanism.bins.labels) == 10
    assert not page.exception and "0–100" in str([frame.value for frame in page.dataframe])


def test_a_histogram_of_a_number_begins_with_ten_equal_bins(page: AppTest) -> None:
    """Each bin is a bar with its interval."""
    ask(page, "counts", "hours")
    field(page, ":spend").click().run()
    (release,) = space(page).curator.releases
    assert release.request.mechanism.bins.edges == tuple(range(0, 101, 10))
    assert len(release.answer) == 10 and not page.exception


@pytest.mark.parametrize("question", list(query.offered(SCHEMA)))
def test_every_question_has_a_method_and_a_result(question: str) -> None:
    """Frequent ones and the others, on a protected table."""
    app = own(["age,town", *(f"{20 + at % 50},a" for at in range(400))])
    space(app).replace_budget(Cost.of("10", "1e-3"), space(app).curator.ledger.rule)
    ask(app.run(), question)
    field(app, ":spend").click().run()
    assert len(space(app).curator.releases) == 1 and not app.exception and not app.error


def own(lines: list[str]) -> AppTest:
    """Return the page on a protected table with these lines."""
    discreet.ui.session.state.server().clear()
    app = AppTest.from_file(str(SHELL), default_timeout=60).run()
    here = space(app)
    source = LocalSource("\n".join([*lines, ""]).encode())
    here.open("own.csv", Dataset(source, SCHEMA), source=source)
    here.current = "own.csv"
    return at(app, "query")


def test_groups_and_filters_are_those_of_the_result(page: AppTest) -> None:
    """A number column's filter starts from its bounds."""
    field(page, ":by").set_value("sex").run()
    field(page, ":where").set_value(["hours"]).run()
    low, high = field(page, ":from:hours"), field(page, ":to:hours")
    assert (low.value, high.value) == (0, 100)
    low.set_value(20).run()
    field(page, ":spend").click().run()
    (release,) = space(page).curator.releases
    assert release.request.groups == ("sex",) and release.request.where == (Filter("hours", ">=", 20),)
    assert [group for group, _ in release.answer] == ["Male", "Female"]


def test_while_the_button_is_off_one_sentence_says_what_is_missing(page: AppTest) -> None:
    """A statistic of the list, a value of a filter, or budget."""
    field(page, ":question").set_value("more").run()
    off = field(page, "query-off")
    assert off.disabled and "Choose a statistic" in shown(page)
    field(page, ":rest").set_value("variance").run()
    assert not [each for each in page.button if each.key == "query-off"]
    field(page, ":where").set_value(["hours", "sex"]).run()
    assert field(page, "query-off").disabled and "Choose a value of sex, or remove it from the filter" in shown(page)
    field(page, ":in:sex").set_value(["Female"]).run()
    assert not [each for each in page.button if each.key == "query-off"]
    field(page, ":epsilon:typed:0").set_value(4.0).run()
    assert field(page, ":spend").disabled and "The budget left allows up to" in shown(page)


@pytest.mark.parametrize(("question", "column"), [("mean", "age"), ("counts", "hours"), ("most-common", "sex")])
def test_the_lines_of_python_do_the_same(page: AppTest, question: str, column: str) -> None:
    """They are run as they stand, and ask the very query of the button."""
    ask(page, question, column)
    (code,) = [each.value for each in page.code if "curator.ask" in each.value]
    names: dict[str, Any] = {}
    exec(compile(code, "fold", "exec"), names)  # noqa: S102
    field(page, ":spend").click().run()
    assert names["release"].request == space(page).curator.releases[0].request
    assert names["curator"].ledger.spent == Cost.of("0.5")


def test_the_fold_has_the_script_that_export_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the file, and runs beside it; a second run would spend again, and says so."""
    app = own(["age,town", *(f"{20 + at % 50},a" for at in range(400))])
    (code,) = [each.value for each in app.code if "curator.ask" in each.value]
    assert "python ask.py own.csv" in code and "Install: pip install" in code and "Each run spends" in code
    (tmp_path / "own.csv").write_text("age,town\n30,a\n40,a\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["ask.py", str(tmp_path / "own.csv")])
    names: dict[str, Any] = {}
    exec(compile(code, "fold", "exec"), names)  # noqa: S102
    field(app, ":spend").click().run()
    (release,) = space(app).curator.releases
    assert names["request"] == release.request
    here = space(app).here
    assert f"{code}\n" == script(release.request, SCHEMA, here.curator.ledger.limit, here.read_as, "own.csv")


def test_bins_of_whole_numbers_have_whole_edges_and_say_what_is_in_them(page: AppTest) -> None:
    """A value belongs to one bin, as named; each interval holds by itself, said once."""
    ask(page, "counts", "age")
    field(page, ":bins").set_value(3).run()
    field(page, ":spend").click().run()
    (release,) = space(page).curator.releases
    low, *inner, high = release.request.mechanism.bins.edges
    assert all(edge == round(edge) for edge in inner)
    names = numbers_of(release.request, space(page).dataset.schema)
    assert names[0] == f"{low:g}–{inner[0] - 1:g}" and names[-1] == f"{inner[-1]:g}–{high:g}"
    assert shown(page).count("Each 95% interval holds by itself") == 1 and names[1] in shown(page)


def test_a_result_among_values_is_off_by_no_part_of_a_step(page: AppTest) -> None:
    """A median of whole years is not known to a hundredth; a mean is."""
    ask(page, "median", "education_years")
    field(page, ":epsilon:typed:0").set_value(3.0).run()
    slugs = [kind.slug for kind in registry.values() if "rank_error" in vars(kind)]
    field(page, ":change").click().run()
    (others,) = page.radio
    shown_as = dict(zip([registry_slug(title) for title in others.options], others.proto.captions, strict=True))
    ranked = [shown_as[slug] for slug in slugs if slug in shown_as]
    assert ranked and all("less than one step" in each for each in ranked)
    ask(page, "mean", "education_years")
    assert "less than one step" not in shown(page)


def registry_slug(title: str) -> str:
    """Return the name of a mechanism by its title."""
    return next(slug for slug, kind in registry.items() if kind.title == title)


def test_a_statistic_of_two_columns_without_a_margin_of_error_is_led_to(page: AppTest) -> None:
    """It is asked elsewhere."""
    assert "Two columns" not in labels_of_links(page)
    field(page, ":question").set_value("more").run()
    assert "Two columns: Regression intercept" in labels_of_links(page)
    assert "Correlation" not in labels_of_links(page)


def test_a_slope_is_asked_of_two_columns_and_by_groups() -> None:
    """The second column is another one, and stays when the first is changed; the title says which is on which."""
    page = opened(query_question="slope", query_column="age")
    assert field(page, ":second").options == [name for name in field(page, ":column").options if name != "age"]
    field(page, ":second").set_value("hours").run()
    field(page, ":column").set_value("education_years").run()
    field(page, ":spend").click().run()
    assert not page.exception and "hours on education_years" in shown(page)
    (release,) = space(page).curator.releases
    assert release.request.columns == ("education_years", "hours") and release.interval is not None
    assert mechanism(page).slug == "soft-pairs"
    field(page, ":by").set_value("sex").run()
    field(page, ":spend").click().run()
    groups = space(page).curator.releases[-1]
    assert [level for level, _ in groups.answer] == [level for level, _ in groups.interval] and len(groups.answer) == 2
    assert groups.cost == groups.request.mechanism.cost()
    field(page, ":to-plan").click().run()
    (row,) = space(page).sheet.items
    assert (row.statistic, row.columns, row.interval) == ("slope", ("education_years", "hours"), True)


def test_a_column_that_is_named_like_a_weight_is_proposed_first() -> None:
    """What cannot be a weight is not offered: dates, and values that are never above 0."""
    names = ("age", "low", "day", "height", "swt", "hh_wt", "Weight_2")
    columns: dict[str, Any] = {name: Number(0, 9) for name in names}
    columns |= {"low": Number(-9, 0), "day": Date("2020-01-01", "2020-12-31")}
    schema = Schema(columns)
    assert form.seconds(schema, "weighted-mean", "age") == ["hh_wt", "Weight_2", "height", "swt"]
    assert form.seconds(schema, "slope", "age") == ["low", "height", "swt", "hh_wt", "Weight_2"]


def test_a_weight_is_chosen_beside_the_column() -> None:
    """It is another column; the result says that it is weighted, and what its bound clips."""
    page = opened(query_question="weighted-mean", query_column="age")
    assert "a quarter of the largest on average" in shown(page)
    assert field(page, ":second").label == "Weight" and field(page, ":column").label == "Column"
    field(page, ":second").set_value("hours").run()
    field(page, ":by").set_value("sex").run()
    field(page, ":spend").click().run()
    assert not page.exception and "age with weight hours" in shown(page)
    assert "weights above 100 count as 100" in shown(page)
    (release,) = space(page).curator.releases
    assert release.request.columns == ("age", "hours") and len(release.answer) == len(release.interval) == 2
    assert mechanism(page).slug == "soft-weights" and release.cost == release.request.mechanism.cost()
    field(page, ":to-plan").click().run()
    (row,) = space(page).sheet.items
    assert (row.statistic, row.columns, row.interval) == ("weighted-mean", ("age", "hours"), True)


@pytest.mark.parametrize("name", JOINT)
def test_every_weighted_statistic_is_released_with_an_interval(name: str) -> None:
    """Without groups."""
    page = opened(query_question=name, query_column="age")
    field(page, ":spend").click().run()
    (release,) = space(page).curator.releases
    assert not page.exception and not page.error and release.interval is not None


def labels_of_links(page: AppTest) -> str:
    """Return the labels of all links to pages."""
    return " ".join(str(each.proto.label) for each in page.get("page_link"))


def test_screens_and_files_number_an_entry_alike(page: AppTest) -> None:
    """The second result is entry 3: entry 2 says that the first was completed, which the page Budget says."""
    for question in ("mean", "median"):
        field(ask(page, question), ":spend").click().run()
    assert "ledger entry 3" in shown(page) and "Run again with fresh noise (costs ε = 0.5)" in names_of_buttons(page)
    here = space(page).here
    rows = list(csv.DictReader(io.StringIO(answers_csv(here.answered))))
    entries = list(csv.DictReader(io.StringIO(ledger_csv(here.curator.ledger.entries))))
    assert [row["entry"] for row in rows] == ["1", "3"]
    assert [each["entry"] for each in entries if each["kind"] == "charge"] == ["1", "3"]
    at(page, "budget")
    assert "they cost nothing" in shown(page)


def names_of_buttons(page: AppTest) -> list[str]:
    """Return the labels of all buttons."""
    return [each.label for each in page.button]


def test_a_count_has_one_name_before_and_after_it_is_released_or_planned(page: AppTest) -> None:
    """On Query, on the card of its result and in the plan: it counts those with a value of the column."""
    ask(page, "count", "hours")
    name = "Number of people with a value of hours"
    assert f"**{name}**" in shown(page)
    field(page, ":to-plan").click().run()
    (item,) = space(page).sheet.items
    assert title(item, space(page).dataset.schema) == name
    field(page, ":spend").click().run()
    assert name in [each.value for each in page.text]


def test_how_many_people_are_assumed_is_changed_where_it_is_said(page: AppTest) -> None:
    """The field beside the margin of error follows; a count assumes nothing, and asks nothing."""
    field(page, ":assumed").set_value(500).run()
    assert field(page, ":people").value == 500 and "expected for about 500 people" in shown(page)
    field(page, ":people").set_value(700).run()
    assert field(page, ":assumed").value == 700
    ask(page, "count", "hours")
    assert not [each for each in page.number_input if str(each.key).endswith(":assumed")]


def test_a_query_becomes_a_row_of_the_plan_and_can_be_explored(page: AppTest) -> None:
    """The row has the method and ε; the page of the mechanism stands at the same choice."""
    ask(page, "median", "hours")
    field(page, ":to-plan").click().run()
    (item,) = space(page).sheet.items
    assert (item.statistic, item.column, item.held, item.interval) == ("median", "hours", 0.5, True)
    assert field(page, ":to-plan").disabled
    assert any(
        each.proto.label == "View plan" for each in page.get("page_link")
    )  # the plan is out of sight, and so its confirmation leads there
    field(page, ":explore").click().run()
    assert not page.exception and page.title[0].value == "Global sensitivity"
    assert field(page, ":topic").value.name == "median"
    assert "hours" in [each.value for each in page.selectbox]
    assert item.method in [each.value.slug for each in page.selectbox if hasattr(each.value, "slug")]


def test_an_address_carries_the_question() -> None:
    """A link opens it; what is not offered is ignored."""
    page = opened(query_question="sum", query_column="hours")
    assert (field(page, ":question").value, field(page, ":column").value) == ("sum", "hours")
    field(page, ":question").set_value("count").run()
    assert page.query_params["query-question"] == "count"
    page = opened(query_question="variance", query_column="none such")
    assert (field(page, ":question").value, field(page, ":rest").value) == ("more", "variance")
    assert field(page, ":column").value == "age" and not page.exception


def test_before_a_release_nothing_shown_depends_on_protected_rows() -> None:
    """Two tables that have no row in common look alike."""
    screens = []
    for value in (31, 77):
        app = own(["age,town", *(f"{value},a" for _ in range(value))])
        screens.append(sent(app, space(app).dataset.digest, app.session_state["browser"]))
        assert field(app, ":spend").label == "Release result (spends ε = 0.5)"
    assert screens[0] == screens[1]


def test_on_registered_data_a_request_is_sent(town: Town) -> None:
    """The same road as on the pages of mechanisms: purpose, terms, and one button."""
    seat = town.at("abe").run()
    workspace = discreet.ui.session.state.server().workspace(seat.app.session_state["browser"], door.stay())
    workspace.turn_to(town.dataset)
    seat.open("query")
    assert seat.buttons("Send request") or seat.buttons("Release result")
    assert [each for each in seat.app.text_area if each.label == "Purpose"]
    assert not seat.app.code


def test_a_histogram_becomes_a_row_with_its_bins(page: AppTest) -> None:
    """The same bins as here, and no row for what a plan cannot ask."""
    ask(page, "counts", "age")
    field(page, ":to-plan").click().run()
    (item,) = space(page).sheet.items
    (slider,) = [each for each in page.slider if str(each.key).endswith(":bins")]
    assert item.bins == slider.value == 10 and not page.exception
    subject = item.subject(space(page).dataset.schema, 1000, "bell")
    field(page, ":spend").click().run()
    assert subject.bins == space(page).curator.releases[-1].request.mechanism.bins
    ask(page, MOST_COMMON.name, "age")
    assert not [each for each in page.button if str(each.key).endswith(":to-plan")]


def test_a_number_is_grouped_in_bands(page: AppTest) -> None:
    """The usual width stands ready; the result names each band, and the query can be repeated by its script."""
    ask(page, "mean", "hours")
    field(page, ":by").set_value("age").run()
    (width,) = [each for each in page.text_input if str(each.key).endswith(":bands:age")]
    assert width.value == "10" and not page.exception
    width.set_value("40, x").run()
    assert field(page, "query-off").disabled and "Enter numbers" in shown(page)
    (width,) = [each for each in page.text_input if str(each.key).endswith(":bands:age")]
    width.set_value("20").run()
    field(page, ":spend").click().run()
    (release,) = space(page).curator.releases
    assert release.request.by == Bands("age", every=20)
    assert [group for group, _ in release.answer] == ["0–19", "20–39", "40–59", "60–79", "80–100"]
    assert "Bands(column='age', edges=(), every=20.0)" in script(
        release.request, space(page).dataset.schema, Cost.of(3)
    )
    assert not page.exception and not page.error


def test_dates_are_grouped_by_a_part_of_the_calendar() -> None:
    """The usual part stands ready."""
    schema = Schema({"pay": Number(0, 9), "day": Date("2024-01-01", "2024-06-30")})
    discreet.ui.session.state.server().clear()
    app = AppTest.from_file(str(SHELL), default_timeout=60).run()
    source = LocalSource(b"pay,day\n" + b"".join(b"%d,2024-0%d-10\n" % (at % 9, 1 + at % 6) for at in range(300)))
    space(app).open("own.csv", Dataset(source, schema), source=source)
    space(app).current = "own.csv"
    page = ask(at(app, "query"), "mean", "pay")
    field(page, ":by").set_value("day").run()
    assert field(page, ":bands:day").value == "month" and "2024-01, 2024-02" in shown(page).replace("\\", "")
    assert field(page, ":bands:day").options == ["by quarter", "by month", "by weekday"], "only what these days have"
    field(page, ":bands:day").set_value("weekday").run()
    assert "Monday, Tuesday" in shown(page) and not page.exception
    field(page, ":spend").click().run()
    (release,) = space(page).curator.releases
    assert [group for group, _ in release.answer][0] == "Monday" and len(release.answer) == 7


def test_a_page_of_a_mechanism_groups_by_bands_and_takes_them_over_from_a_result() -> None:
    """The same fields there; a form that is set to an earlier query has its bands."""
    page = at(opened(), "smooth_sensitivity")
    field(page, ":by").set_value("age").run()
    (bands,) = [each for each in page.text_input if str(each.key).endswith(":bands:age")]
    bands.set_value("18, 65, 90").run()
    field(page, ":spend").click().run()
    (release,) = space(page).curator.releases
    assert release.request.by == Bands("age", (18, 65, 90)) and not page.exception
    schema = space(page).dataset.schema
    values = refilling.settings_of(list(FACES), release.request, schema, "key")
    assert values["key:by"] == "age" and values["key:bands:age"] == "18, 65, 90"
    (bands,) = [each for each in page.text_input if str(each.key).endswith(":bands:age")]
    bands.set_value("65, 18").run()
    assert "Edges must increase" in shown(page) and not page.exception


def test_values_of_a_category_are_merged(page: AppTest) -> None:
    """One switch, and every value stands ready with itself; a line that is wrong is said, and nothing can be spent."""
    ask(page, "mean", "hours")
    field(page, ":by").set_value("occupation").run()
    (switch,) = [each for each in page.toggle if str(each.key).endswith(":merging:occupation")]
    switch.set_value(True).run()
    (text,) = [each for each in page.text_area if str(each.key).endswith(":merged:occupation")]
    levels = space(page).dataset.schema.category("occupation").labels
    assert text.value == "\n".join(f"{level} = {level}" for level in levels) and not page.exception
    text.set_value(f"{levels[0]} = first\nnowhere = second").run()
    assert field(page, "query-off").disabled and "is not an allowed value" in shown(page)
    (text,) = [each for each in page.text_area if str(each.key).endswith(":merged:occupation")]
    text.set_value(f"{levels[0]} = first").run()
    assert "first, other" in shown(page)
    field(page, ":spend").click().run()
    (release,) = space(page).curator.releases
    assert release.request.by == Recode("occupation", ((levels[0], "first"),))
    assert [group for group, _ in release.answer] == ["first", "other"]
    written = script(release.request, space(page).dataset.schema, Cost.of(3))
    assert f"Recode(column='occupation', into=(({levels[0]!r}, 'first',),))" in written
    assert not page.exception and not page.error
    values = refilling.settings_of(list(FACES), release.request, space(page).dataset.schema, "key")
    assert values["key:merging:occupation"] is True and values["key:merged:occupation"] == f"{levels[0]} = first"


def test_a_category_whose_values_stay_as_they_are_is_not_merged(page: AppTest) -> None:
    """The list that stands ready is no other query, and two values are not offered to be merged."""
    ask(page, "mean", "hours")
    field(page, ":by").set_value("occupation").run()
    page.toggle[[str(each.key).endswith(":merging:occupation") for each in page.toggle].index(True)].set_value(
        True
    ).run()
    field(page, ":spend").click().run()
    assert space(page).curator.releases[-1].request.by == "occupation"
    field(page, ":by").set_value("sex").run()
    assert not [each for each in page.toggle if ":merging:" in str(each.key)] and not page.exception
