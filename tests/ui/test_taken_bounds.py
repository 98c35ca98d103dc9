"""Released bounds become the bounds of their column: what was paid for can be used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from support.pages import on_dataset

import discreet.ui.session.state
from discreet.curator import Release, Request
from discreet.lab.samples import census_schema, census_table
from discreet.mechanisms.histogram_bounds import HistogramBounds
from discreet.mechanisms.laplace import Geometric
from discreet.mechanisms.laws.law import Picked
from discreet.mechanisms.private_bounds import PrivateUpperBound
from discreet.queries.count import Count
from discreet.rows import Dataset, Filter, LocalSource, Number, Schema
from discreet.ui.ask.answers import bounds_of

SHELL = Path(__file__).resolve().parents[2] / "ui" / "shell.py"
WIDE = Schema({**census_schema().columns, "age": Number(0, 10_000, integer=True)})
BOTH = Request(HistogramBounds(epsilon=1.0), ("age",))


@pytest.fixture
def app() -> AppTest:
    """Return an app with a table that somebody has brought along."""
    discreet.ui.session.state.server().clear()
    opened = on_dataset()
    source = LocalSource(census_table())
    space(opened).open("mine", Dataset(source, WIDE), source=source)
    return opened


def space(app: AppTest) -> discreet.ui.session.state.Workspace:
    """Return the workspace behind an app."""
    return discreet.ui.session.state.server().workspace(app.session_state["browser"])


def press(app: AppTest, release: Release) -> AppTest:
    """Press what takes the bounds of an answer, on the page of its mechanism."""
    app.switch_page("../pages/exponential_mechanism.py").run()
    app.button(key=f"bounds:{release.id}").click().run()
    return app.switch_page("../pages/dataset.py").run()  # where the press leads a browser


@pytest.mark.parametrize("mechanism", [HistogramBounds(epsilon=1.0), PrivateUpperBound(epsilon=1.0)])
def test_released_bounds_are_in_the_declaration_that_is_then_used(
    app: AppTest, mechanism: HistogramBounds | PrivateUpperBound, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The form of the declaration opens with them; used, the column has them, and nothing was spent again."""
    # the likeliest candidate is drawn: noise makes the bound wider than this test looks for once in 45 times
    monkeypatch.setattr(Picked, "draw", lambda law, _: law.candidates[int(np.argmax(law.probabilities))])
    release = space(app).curator.ask(Request(mechanism, ("age",)))
    spent = space(app).curator.ledger.spent
    press(app, release)
    draft = space(app).draft
    assert draft is not None and not app.exception
    assert any("age" in message.value and "Use this dataset" in message.value for message in app.info)
    assert space(app).dataset.schema == WIDE  # until it is used
    next(button for button in app.button if button.label.startswith("Use this dataset")).click().run()
    column = space(app).dataset.schema.numbers["age"]
    assert column.upper < 1000
    assert {name: getattr(column, name) for name in bounds_of(release)} == bounds_of(release)
    assert "entry 1" in column.origin and space(app).curator.ledger.spent == spent
    assert set(space(app).dataset.schema.used) == set(WIDE.used)
    assert [pair[0].id for pair in space(app).here.answered] == [release.id]


def test_only_bounds_of_all_rows_can_be_taken(app: AppTest) -> None:
    """Not those of some rows, nor of a group; and a count is no bound."""
    ask = space(app).curator.ask
    some = ask(replace(BOTH, where=(Filter("hours", ">", 40.0),)))
    assert len(bounds_of(ask(BOTH))) == 2 and not bounds_of(some)
    assert not bounds_of(ask(Request(Geometric(Count(), epsilon=0.1), ("age",))))


def test_what_cannot_be_declared_anew_offers_no_bounds(app: AppTest) -> None:
    """A sample has a declaration for good; a column that is left out by now has no bounds."""
    release = space(app).curator.ask(BOTH)
    columns = {name: kind for name, kind in WIDE.columns.items() if name != "age"}
    source = LocalSource(census_table())
    space(app).open("mine", Dataset(source, Schema(columns)), source=source)
    app.switch_page("../pages/exponential_mechanism.py").run()
    assert not app.exception and not [b for b in app.button if str(b.key) == f"bounds:{release.id}"]


def test_proposed_bounds_are_not_said_to_be_near_anything(app: AppTest) -> None:
    """Their spread on a scenario is no error: there is no exact value to be near to."""
    app.switch_page("../pages/exponential_mechanism.py").run()
    (topic,) = [w for w in app.selectbox if str(w.key).endswith(":topic")]
    topic.set_value(next(iter(HistogramBounds.topics()))).run()
    assert any("rows is detected" in text.value for text in app.markdown) and not app.exception
    assert not any("Margin of error" in text.value for text in (*app.caption, *app.markdown))
