"""The page of answers: all that was released, by whatever page and declaration; searched, looked at, taken along."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect
from streamlit.testing.v1 import AppTest
from support.pages import figures
from support.visitor import Visitor

import discreet.ui.session.state
from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Request
from discreet.curator.plan import FixedPlan
from discreet.lab.samples import census_schema, census_table
from discreet.mechanisms.laplace import Geometric
from discreet.mechanisms.smooth_laplace import SmoothLaplace
from discreet.plans import Wanted
from discreet.plans.planning import planned
from discreet.queries.count import Count
from discreet.queries.median import Median
from discreet.report.publication import chapter
from discreet.report.tables import answers_csv
from discreet.rows import Dataset, Filter, LocalSource, Number
from discreet.ui.answers import lines, sought
from discreet.ui.figures import answers

ROOT = Path(__file__).resolve().parents[2]
COUNT = Request(Geometric(Count(), epsilon=0.1), ("age",), (Filter("age", ">", 40.0),), "sex")
MEDIAN = Request(SmoothLaplace(Median(), epsilon=0.2, delta=1e-6), ("hours",))


@pytest.fixture
def app() -> AppTest:
    """Return the page of answers in a fresh server process's state."""
    discreet.ui.session.state.server().clear()
    opened = AppTest.from_file(str(ROOT / "ui" / "shell.py"), default_timeout=60).run()
    return opened.switch_page("../pages/results.py").run()


def space(app: AppTest) -> discreet.ui.session.state.Workspace:
    """Return the workspace behind an app."""
    return discreet.ui.session.state.server().workspace(app.session_state["browser"])


def test_a_page_without_answers_says_where_they_come_from(app: AppTest) -> None:
    """And shows no table and no search."""
    assert not app.exception and "No results yet" in app.info[0].value
    assert not app.dataframe and not app.text_input


def test_every_number_has_a_line_whoever_asked_it(app: AppTest) -> None:
    """Of one question, of a plan, of groups; newest first, and after the columns are declared otherwise."""
    here, source, schema = space(app), LocalSource(census_table()), census_schema()
    here.open("mine", Dataset(source, schema), source=source)
    here.curator.ask(MEDIAN)
    wider = replace(schema, columns={**schema.columns, "age": Number(0, 120, integer=True)})
    here.open("mine", Dataset(source, wider), source=source)
    here.curator.run(FixedPlan((COUNT, MEDIAN)))
    app.run()
    (table,) = [each.value for each in app.dataframe]
    assert not app.exception and len(table) == 4
    assert list(table["Columns"])[-1] == "hours" and set(table["Group or part"]) == {"", "Male", "Female"}
    assert any("Values: 4. Results: 3." in each.value for each in app.caption)
    app.text_input[0].set_value("FEMALE count").run()
    assert [each.value for each in app.dataframe][0]["Result"].size == 1
    app.text_input[0].set_value("nobody asked this").run()
    assert not app.dataframe and "No results" in app.info[0].value


def test_lines_are_what_was_released(app: AppTest) -> None:
    """The numbers of the page are those of the file, which has each with its interval."""
    here = space(app)
    here.open("mine", Dataset(LocalSource(census_table()), census_schema()))
    here.curator.ask(COUNT)
    every, (_, *rows) = lines(here.here.answered), csv.reader(io.StringIO(answers_csv(here.here.answered)))
    assert [f"{float(row[7]):,.0f}" for row in rows] == [line.cells["Result"] for line in every]
    assert sought(every, "age > 40") == every and not sought(every, "age > 4711")


def test_the_ledger_says_in_words_what_each_charge_was_for(app: AppTest) -> None:
    """Of a plan the first question and how many there are; of what another browser asked nothing."""
    here = space(app)
    here.open("mine", Dataset(LocalSource(census_table()), census_schema()))
    here.curator.run(FixedPlan((COUNT, MEDIAN)))
    other = discreet.ui.session.state.server().workspace("another browser")
    other.open("mine", Dataset(LocalSource(census_table()), census_schema()))
    other.curator.ask(MEDIAN)
    app.switch_page("../pages/budget.py").run()
    words = list(app.dataframe[0].value["Query"])
    assert words[0].startswith("Plan with 2 queries: ") and "from another browser" in words[-1]


def test_chosen_answers_stand_beside_each_other_in_one_figure_for_each_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in another unit, or refused, is drawn in none; a single answer has its own figure."""
    schema = census_schema()
    drawn: list[str] = []
    curator = Curator(Dataset(LocalSource(census_table()), schema), SessionLedger(Cost.of("9", "1e-4")), tick=0)
    finer = replace(MEDIAN, mechanism=replace(MEDIAN.mechanism, epsilon=0.4))
    every = [chapter(curator.ask(each), schema) for each in (MEDIAN, finer, COUNT)]
    monkeypatch.setattr("streamlit.html", drawn.append)
    answers.compare(every)
    (figure,) = drawn
    assert re.findall(r'"number">([^<]+)<', figure) == [one.data[0].text for one in every[:2]]
    assert "Median: hours<small>ε = 0.2, δ = 1e-6</small>" in figure and "ε = 0.4" in figure
    answers.compare(every[1:])
    assert len(drawn) == 1


def choose(app: AppTest, *rows: int) -> None:
    """Choose lines of the table, as many as one likes."""
    table = next(each for each in app.dataframe if each.key == "answers:table")
    assert list(table.proto.selection_mode) == [table.proto.SelectionMode.MULTI_ROW]
    app.session_state["answers:table"] = {"selection": {"rows": list(rows)}}
    app.run()
    assert not app.exception and not app.error


def test_every_result_has_a_card_with_its_figure_and_a_fold_with_the_rest(app: AppTest) -> None:
    """From a query to its result among all results, and to how it was given; chosen ones in one figure as well."""
    for page, how in (("global_sensitivity", "Mean from two soft counts"), ("smooth_sensitivity", "Smooth sens")):
        app.switch_page(f"../pages/{page}.py").run()
        (spend,) = [button for button in app.button if button.label.startswith("Release result (")]
        spend.click().run()
        app.switch_page("../pages/results.py").run()
        asked = space(app).curator.releases
        assert any(f"Values: {len(asked)}. Results: {len(asked)}." in caption.value for caption in app.caption)
        assert len(figures(app)) == len(asked) and 'class="dot"' in figures(app)[0]
        assert not [caption for caption in app.caption if "ledger entry" in caption.value]
        app.session_state[f"answers:details:{asked[-1].id}"] = True
        app.run()
        (terms,) = [caption.value for caption in app.caption if "ledger entry" in caption.value]
        assert how in terms and f"ledger entry {2 * len(asked) - 1}" in terms
        app.session_state[f"answers:details:{asked[-1].id}"] = False
    choose(app, 0, 1)
    assert any("2 values from several results, with their intervals." in figure for figure in figures(app))


def test_two_values_are_compared_in_words(app: AppTest) -> None:
    """Groups with far apart counts; the same query twice; a number; marks of quality, off by default."""
    here = space(app)
    here.open("mine", Dataset(LocalSource(census_table()), census_schema()))
    here.curator.run(FixedPlan((replace(COUNT, mechanism=Geometric(Count(), epsilon=0.5)),)))
    app.run()
    assert not app.exception
    words = "**Male is above Female: yes, by "
    assert any(each.value.startswith(words) and each.value.endswith(" people** (95%).") for each in app.markdown)
    app.selectbox(key="answers:above:a").set_value(1).run()
    assert any(each.value.startswith("**Female is above Male: no, it is below") for each in app.markdown)
    app.selectbox(key="answers:above:b:1").set_value(-1).run()
    app.number_input(key="answers:above:number").set_value(0.5).run()
    assert any(each.value.startswith("**Female is above 0\\.5: yes**") for each in app.markdown)
    app.number_input(key="answers:above:number").set_value(1e9).run()
    assert any("1,000,000,000: no, it is below**" in each.value for each in app.markdown)
    spent = here.curator.ledger.spent
    table = app.dataframe[0].value
    assert not any(each.endswith(" a") for each in table["Result"])
    app.selectbox(key="answers:quality").set_value("5-15").run()
    assert all(each.endswith(" a") for each in app.dataframe[0].value["Result"])
    assert all(" a</strong>" in figure for figure in figures(app))
    assert here.curator.ledger.spent == spent


def test_of_one_query_asked_twice_it_is_said_whether_it_has_changed(app: AppTest) -> None:
    """The same rows: too close to say; the interval is that for any dependence."""
    here = space(app)
    here.open("mine", Dataset(LocalSource(census_table()), census_schema()))
    for nonce in ("one", "two"):
        here.curator.ask(replace(COUNT, mechanism=Geometric(Count(), epsilon=0.5), by=None), nonce)
    app.run()
    assert not app.exception
    assert any(each.value.startswith("**Too close to say whether it has changed**: by ") for each in app.markdown)


@pytest.mark.soak_alone
@pytest.mark.parametrize("width", [390, 1280])
def test_a_line_that_is_chosen_shows_its_card(visit: Callable[..., Visitor], width: int) -> None:
    """From a question to its answer among all answers, and to how it was given.

    In `make test` the test above chooses the same lines without a browser; test_plan.py clicks into lines of a table.
    """
    visitor = visit(width)
    page = visitor.open("global-sensitivity")
    visitor.spend()
    page = visitor.open("results")
    expect(page.get_by_text("Values: 1. Results: 1.")).to_be_visible()
    expect(page.locator(".fig .dot")).to_have_count(1)
    page.get_by_text("Details").click()
    visitor.settle()
    expect(page.get_by_text("ledger entry")).to_be_visible()
    page = visitor.open("smooth-sensitivity")
    visitor.spend()
    page = visitor.open("results")
    for line in (0, 1):
        page.locator(".dvn-scroller").last.click(position={"x": 16, "y": 52 + 35 * line})
        visitor.settle()
    expect(page.get_by_role("img", name="2 values from several results")).to_be_visible()


def test_the_page_begins_with_figures_and_has_its_tables_below(app: AppTest) -> None:
    """The latest result is the first thing to read; the plans it belongs to come after all figures."""
    here = space(app)
    here.sheet.add((Wanted("mean", "age"),))
    way = planned(here.sheet.plan, here.dataset.schema)
    here.sheet.take(here.curator.run(way.fixed, here.nonce(way.fixed)), tuple(row.item for row in way.rows))
    app.run()
    said = [str(each.value) for each in app.main if each.type in ("markdown", "subheader")]
    (card,) = [at for at, words in enumerate(said) if words.startswith(":gray[ε = ")]
    assert card < said.index("By plan") < said.index("All values"), said
