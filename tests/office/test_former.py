"""Former mechanisms: what they released opens, verifies and is shown; nothing new is asked of them, nowhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest
from support.offices import CHECKED, ON_SQLITE, PURPOSE, REASON, SCHEMA, Office

from discreet.budget import Cost, ParameterError, SessionLedger
from discreet.command import main
from discreet.curator import Curator, Request
from discreet.curator.records import rebuilt, release_of, text_of
from discreet.curator.refining import refine
from discreet.curator.request import plain
from discreet.lab.contest import Ground, Scenario, contenders
from discreet.mechanisms import Mechanism, former, registry
from discreet.mechanisms.several_laplace import SeveralLaplace
from discreet.mechanisms.staircase import GlobalStaircase, Steps
from discreet.office.api.forms import question_of
from discreet.office.api.openapi import text
from discreet.office.auditing import inspection
from discreet.office.cards import cards
from discreet.office.cards.review_case import snapshot
from discreet.office.decisions import decisions
from discreet.office.desk import asking
from discreet.office.desk.asking import Desk
from discreet.plans import plan_from, planned
from discreet.plans.methods import statistic_of
from discreet.plans.planning import methods as of_plans
from discreet.queries import Bounds
from discreet.queries.mean import Mean
from discreet.rows import Dataset, LocalSource
from discreet.ui.ask import refilling
from discreet.ui.ask.form import methods
from discreet.ui.figures import theme
from discreet.ui.frame.families import FACES

KINDS = (GlobalStaircase, SeveralLaplace)
INSTEAD = {
    GlobalStaircase: "no longer offered. Use Laplace noise",
    SeveralLaplace: "no longer offered. Use Gaussian noise",
}


@contextmanager
def before(kind: type[Mechanism]) -> Iterator[None]:
    """Be an earlier version, which asked this mechanism."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kind, "instead", None)
        patch.setattr(Steps, "draw", lambda self, noise, centre, scale: float(centre) + 1.0)
        yield


@pytest.fixture(params=KINDS, ids=lambda kind: kind.slug)
def kind(request: pytest.FixtureRequest) -> Any:
    """Return each of them."""
    return request.param


def asked(kind: Any, epsilon: float) -> Request:
    """Return a question."""
    return Request(kind(epsilon=epsilon), ("age",))


@ON_SQLITE
def test_its_answers_open_and_verify_and_nothing_new_is_asked(office: Office, kind: Any) -> None:
    """One was answered, one waits: the first is read as it was, the second can only be sent back."""
    house, bob, olga = office.house, office.who["bob"], office.who["olga"]
    with before(kind):
        answered = asking.submit(house, bob, office.dataset, asked(kind, 0.1), PURPOSE)
        waits = asking.submit(house, bob, office.dataset, asked(kind, 0.5), PURPOSE)
        card = cards.card(snapshot(house, answered))
    assert answered.release is not None and waits.state == "waiting"
    again = office.again()
    assert inspection.look(again).all == []
    desk = Desk(again, bob, office.dataset)
    assert desk.stored(asked(kind, 0.1)) == answered.release and cards.card(snapshot(again, answered)) == card
    assert asking.submit(again, bob, office.dataset, asked(kind, 0.1), PURPOSE).release == answered.release
    spent, left = office.ledger.spent, office.ledger.left
    for ask in (desk.terms, lambda new: asking.submit(again, bob, office.dataset, new, PURPOSE)):
        with pytest.raises(ParameterError, match=INSTEAD[kind]):
            ask(asked(kind, 0.15))
    with pytest.raises(ParameterError, match=rf"{INSTEAD[kind]}.* Request changes\."):
        decisions.decide(again, olga, waits.id, "approved", "", CHECKED)
    assert (office.ledger.spent, office.ledger.left) == (spent, left)
    assert decisions.decide(again, olga, waits.id, "changes", REASON).state == "changes"
    assert office.ledger.left.epsilon > left.epsilon and inspection.look(again).all == []


def test_it_is_read_and_offered_nowhere(kind: Any) -> None:
    """By no form, no comparison, no plan, no list for programs; figures know its name and colour."""
    assert kind.slug in former and kind.slug not in registry
    for topic in kind.topics():
        assert kind not in methods(list(FACES), topic.name)
    ground = Ground.of(Scenario(Bounds(0, 120, integer=True), 1000))
    assert kind.slug not in {each.slug for each in contenders(Mean(), Cost.of(1, 1e-6), ground)}
    assert kind.slug not in of_plans(statistic_of(SCHEMA, "mean", "age", (), None, 1000, "bell"), 1e-6)
    assert f'"{kind.__name__}"' not in text()
    assert theme.title(kind.slug) == kind.title and theme.style(kind.slug)["color"] != theme.style("nothing")["color"]
    question = asked(kind, 1.0)
    assert rebuilt(json.loads(json.dumps(plain(question)))) == question_of(plain(question)) == question
    assert not any(":method:" in widget for widget in refilling.settings_of(list(FACES), question, SCHEMA, "key"))


def test_its_claim_can_be_looked_at(kind: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The exact comparison that stands on its cards."""
    assert main(["audit", kind.slug]) == 0 and "holds" in capsys.readouterr().out


def test_a_plan_that_names_it_opens_and_says_what_to_take_instead() -> None:
    """Only staircase noise could be a row's method; without it the plan is made."""
    row = {"statistic": "mean", "column": "age", "method": GlobalStaircase.slug}
    plan = plan_from(json.dumps({"discreet_plan": 1, "epsilon": 1.0, "rows": [row]}))
    with pytest.raises(ParameterError, match=INSTEAD[GlobalStaircase]):
        planned(plan, SCHEMA)
    (item,) = plan.items
    assert planned(replace(plan, items=(replace(item, method=None),)), SCHEMA).rows


def test_an_answer_stays_and_no_further_one_is_drawn(kind: Any) -> None:
    """Not under another number, and not more exactly; nothing is charged for asking."""
    ledger = SessionLedger(Cost.of(3))
    curator = Curator(Dataset(LocalSource(pa.table({"age": [20, 40] * 50, "town": ["north"] * 100})), SCHEMA), ledger)
    question = asked(kind, 1.0)
    with before(kind):
        first = curator.ask(question)
    assert curator.ask(question) == first and release_of(text_of(first)) == first
    for further, why in (
        (lambda: curator.ask(question, "2"), INSTEAD[kind]),
        (lambda: refine(curator, first.id, 2.0), "precision of such a result cannot be improved"),
    ):
        with pytest.raises(ParameterError, match=why):
            further()
    assert ledger.spent == Cost.of(1)
