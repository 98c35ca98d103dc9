"""The page of answers: all that was released, by whatever page and declaration; searched, looked at, taken along."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from streamlit.testing.v1 import AppTest
from support.visitor import Visitor

import discreet.ui.session.state
from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Request
from discreet.curator.plan import FixedPlan
from discreet.lab.samples import census_schema, census_table
from discreet.mechanisms.laplace import Geometric
from discreet.mechanisms.smooth_laplace import SmoothLaplace
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
    drawn: list[Any] = []
    curator = Curator(Dataset(LocalSource(census_table()), schema), SessionLedger(Cost.of("9", "1e-4")), tick=0)
    finer = replace(MEDIAN, mechanism=replace(MEDIAN.mechanism, epsilon=0.4))
    every = [chapter(curator.ask(each), schema) for each in (MEDIAN, finer, COUNT)]
    show = "discreet.ui.figures.theme.show"
    monkeypatch.setattr(show, lambda fig, words, table, key, height: drawn.append((fig.to_dict(), table)))
    answers.compare(every, "here")
    ((figure, table),) = drawn
    assert table["answer"] == [every[1 - at].data[0].place for at in (1, 0)]
    assert table["name"] == ["Median: hours, ε = 0.2", "Median: hours, ε = 0.4"]
    assert [trace["x"][0] for trace in figure["data"]] == table["answer"][::-1]
    answers.compare(every[1:], "here")
    assert len(drawn) == 1


def cards(app: AppTest, *rows: int) -> list[str]:
    """Choose lines of the table, as many as one likes; return the last lines of the cards that are shown."""
    (table,) = app.dataframe
    assert list(table.proto.selection_mode) == [table.proto.SelectionMode.MULTI_ROW]
    app.session_state[str(table.key)] = {"selection": {"rows": list(rows)}}
    app.run()
    assert not app.exception and not app.error
    return [caption.value for caption in app.caption if "ledger entry" in caption.value]


def test_lines_that_are_chosen_show_their_cards_and_one_figure(app: AppTest) -> None:
    """From a question to its answer among all answers, and to how it was given; then of another method, and both."""
    for page, how in (("global_sensitivity", "Mean from two soft counts"), ("smooth_sensitivity", "Smooth sens")):
        app.switch_page(f"../pages/{page}.py").run()
        (spend,) = [button for button in app.button if button.label.startswith("Release result (")]
        spend.click().run()
        app.switch_page("../pages/results.py").run()
        asked = len(space(app).curator.releases)
        assert any(f"Values: {asked}. Results: {asked}." in caption.value for caption in app.caption)
        assert not [caption for caption in app.caption if "ledger entry" in caption.value]
        (card,) = cards(app, 0)
        assert how in card and f"ledger entry {2 * asked - 1}" in card
        assert not app.get("plotly_chart")  # one number alone is no figure
    assert len(cards(app, 0, 1)) == 2
    (figure,) = app.get("plotly_chart")
    assert figure.proto.alt == "2 values from several results, with their intervals."


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
    page.locator(".dvn-scroller").first.click(position={"x": 16, "y": 52})
    visitor.settle()
    expect(page.get_by_text("ledger entry")).to_be_visible()
    page = visitor.open("smooth-sensitivity")
    visitor.spend()
    page = visitor.open("results")
    for line in (0, 1):
        page.locator(".dvn-scroller").first.click(position={"x": 16, "y": 52 + 35 * line})
        visitor.settle()
    expect(page.get_by_text("ledger entry")).to_have_count(2)
    expect(page.get_by_role("figure", name="2 values from several results")).to_be_visible()
