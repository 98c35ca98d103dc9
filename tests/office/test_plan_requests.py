"""A plan in the office is one request: one decision, one charge, one record, all rows, whatever happens to it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import sqlalchemy as sa
from support.offices import CANARY, CHECKED, ON_SQLITE, PURPOSE, REASON, Office, planned, question

from discreet.budget import Cost, ParameterError
from discreet.budget.durable import verify
from discreet.curator.plan import Answers, FixedPlan
from discreet.curator.records import text_of
from discreet.curator.request import Request, plain
from discreet.office import Desk
from discreet.office.cards import cards
from discreet.office.cards.review_case import dossier, snapshot
from discreet.office.datasets import fingerprint
from discreet.office.decisions import decisions
from discreet.office.decisions.checklist import checklist
from discreet.office.requests.request import Inquiry, find
from discreet.report.public import OUTPUTS, strangers
from discreet.report.words import titled
from tests.office import test_requests as requests
from tests.office.test_forgeries import wrong

ANSWERED = ["reserve", "charge", "settle", "release"]


def desk(office: Office, login: str = "bob") -> Desk:
    """Sit down as an analyst."""
    return Desk(office.house, office.who[login], office.dataset)


def send(office: Office, plan: FixedPlan, login: str = "bob", round: int = 0) -> Inquiry:
    """Send a plan."""
    desk(office, login).run(plan, str(round), PURPOSE)
    sent = desk(office, login).latest(plan)
    assert sent is not None
    return sent


def approve(office: Office, asked: Inquiry, login: str = "olga") -> Inquiry:
    """Approve it."""
    return decisions.decide(office.house, office.who[login], asked.id, "approved", "", CHECKED)


def test_a_plan_is_one_request_one_decision_and_one_charge(office: Office) -> None:
    """From the rows of a registered file to the card: reserved, approved, answered, all rows at once."""
    plan = planned(0.6)
    waits = send(office, plan)
    assert waits.status == "waiting" and waits.request == plan and waits.cost == Cost.of("0.6")
    assert office.kinds(waits.id) == ["reserve"] and office.ledger.spent == Cost.of("0.6")
    answered = approve(office, waits)
    assert isinstance(answered.release, Answers) and answered.release.plan == plan
    assert [row.request for row in answered.answers] == list(plan.rows)
    assert dict(answered.answers[0].answer).keys() == {"north", "south"}  # type: ignore[arg-type]
    assert office.kinds(waits.id) == ANSWERED and office.ledger.spent == Cost.of("0.6")
    assert desk(office).releases == answered.answers and verify(office.store, office.dataset).holds
    again = find(office.again(), waits.id)
    assert again.release == answered.release
    assert send(office, plan).number == waits.number and office.ledger.spent == Cost.of("0.6")


def test_within_policy_a_plan_runs_at_once(office: Office) -> None:
    """All rows together are what the policy looks at."""
    sent = send(office, planned(0.18))
    assert sent.status == "answered" and sent.state == "allowed" and office.kinds(sent.id) == ANSWERED
    assert send(office, planned(0.24)).state == "waiting"


def test_a_card_of_a_plan_says_each_row_and_the_one_total(office: Office) -> None:
    """Before the answer and after; every part is listed; and every point of the checklist is made."""
    waits = send(office, planned(0.6, 1e-6))
    for state in ("waiting", "approved"):
        asked = waits if state == "waiting" else approve(office, waits)
        card = cards.card(snapshot(office.house, asked))
        assert not cards.strange_parts(card.to_json())
        titles = [row.release.question for row in card.rows]
        assert titles[0] == "Mean: age for each town" and titles == [titled(row) for row in waits.request.rows]
        alone = card.accounting.one_by_one
        assert card.accounting.cost == asked.cost and card.accounting.proof
        assert alone is not None and alone.epsilon == pytest.approx(0.6)
        answers = [row.release.answer for row in card.rows]
        assert all(answer is None for answer in answers) == (asked.release is None)
        assert "Plan with 3 queries" in cards.card_yaml(card) and cards.card_json(card)
        items = {item.name: item.verified for item in checklist(dossier(office.house, asked))}
        assert items["method"] and items["silent"] and items["total"] and items["after"] is None


@pytest.mark.parametrize("wrong", ["family", "epsilon", "work"])
def test_a_plan_with_one_row_that_may_not_be_asked_is_refused_by_its_number(office: Office, wrong: str) -> None:
    """Nothing is reserved, and nobody sees it."""
    plan = planned(0.6)
    if wrong == "family":
        office.amend(families=("global",))
    if wrong == "epsilon":
        office.amend(most=0.25)
    if wrong == "work":
        plan = FixedPlan((*plan.rows[:2], Request(plan.rows[2].mechanism, ("wage",))))
    with pytest.raises(ParameterError, match="Query 3 of the plan"):
        desk(office).terms(plan)
    with pytest.raises(ParameterError, match="Query 3 of the plan"):
        send(office, plan)
    assert not office.ledger.lines


# as one question: the same checks, on plans


@pytest.fixture
def plans(office: Office) -> Office:
    """Return a house in which every question is a plan."""
    office.asks = planned
    return office


def test_whoever_races_a_plan_is_approved_once(plans: Office) -> None:
    """Eight approvals at once by two officers: one decision, one charge, one record."""
    requests.check_that_one_approval_runs_once(plans)


@pytest.mark.parametrize("point", requests.POINTS)
def test_a_crash_costs_a_plan_once(plans: Office, point: str) -> None:
    """Wherever it is cut off: after a new start there is one charge, and all answers."""
    requests.check_that_a_crash_costs_once(plans, point, 0.5)


def test_a_plan_that_was_exchanged_is_not_run(plans: Office) -> None:
    """Neither approved nor answered: its cost stands on the ledger under the hash of the plan that was asked."""
    requests.check_that_another_question_is_not_run(plans)


def test_a_share_holds_when_plans_race(plans: Office) -> None:
    """A plan counts with all of its rows."""
    requests.check_that_a_share_holds(plans)


def test_nobody_decides_about_their_own_plan(plans: Office) -> None:
    """Nor does whoever decided about the data ask a plan of them."""
    own = plans.ask(0.5, "max")
    with pytest.raises(ParameterError, match="own request"):
        approve(plans, own, "max")
    decisions.decide(plans.house, plans.who["olga"], own.id, "denied", REASON)
    with pytest.raises(ParameterError, match="Another officer"):
        approve(plans, plans.ask(0.5), "max")


def test_a_plan_is_decided_as_it_was_shown(office: Office) -> None:
    """Sent and approved with the seal of what was seen; another policy, or other rows meanwhile, are read again."""
    bob, plan = desk(office), planned(0.6)
    seen = fingerprint.of_question(bob.registered, plan, 0)
    with pytest.raises(ParameterError, match="This page was out of date, so nothing was"):
        bob.run(planned(0.7), "0", PURPOSE, seen)
    assert bob.run(plan, "0", PURPOSE, seen) is None
    waits = bob.latest(plan)
    assert waits is not None
    here = dossier(office.house, waits, office.who["olga"])
    shown = decisions.fingerprint_of(here.snapshot, checklist(here))
    fewer = json.dumps(plain(FixedPlan(plan.rows[:2])))
    office.without_guards()
    with office.store.engine.begin() as connection:
        connection.execute(sa.text("UPDATE requests SET question = :fewer"), {"fewer": fewer})
    with pytest.raises(ParameterError, match="This page was out of date, so nothing was"):
        decisions.decide(office.house, office.who["olga"], waits.id, "approved", "", CHECKED, shown)
    with pytest.raises(ParameterError, match="The ledger of this dataset failed verification"):
        approve(office, waits)
    assert "Request #1 of people" in wrong(office) and office.kinds(waits.id) == ["reserve"]


# what is forged is found


def test_a_changed_answer_of_a_plan_counts_for_nothing(office: Office) -> None:
    """One row of it is enough: it is no answer of the plan any more, and found by name."""
    asked = approve(office, send(office, planned(0.6)))
    office.without_guards()
    assert asked.release is not None
    first = replace(asked.answers[0], answer=(("north", 1.0), ("south", 2.0)))
    forged = replace(asked.release, releases=(first, *asked.answers[1:]))
    with office.store.engine.begin() as connection:
        connection.execute(sa.text("UPDATE answers SET body = :body"), {"body": text_of(forged)})
    assert find(office.house, asked.id).release is None and office.ledger.answer(asked.id) is None
    assert not desk(office).releases and "A result was changed or is missing" in wrong(office)


def test_an_answer_of_a_plan_that_nobody_released_counts_for_nothing(office: Office) -> None:
    """The record of one plan beside another that waits."""
    real, waits = approve(office, send(office, planned(0.3))), send(office, planned(0.6))
    office.without_guards()
    with office.store.engine.begin() as connection:
        body = connection.execute(sa.text("SELECT body FROM answers WHERE request = :id"), {"id": real.id}).scalar()
        values = {"budget": office.dataset, "request": waits.id, "body": body}
        connection.execute(sa.text("INSERT INTO answers VALUES (:budget, :request, :body)"), values)
    assert find(office.house, waits.id).status == "waiting"
    assert "The ledger has a result that was never" in wrong(office)


@ON_SQLITE
def test_a_plan_that_is_charged_for_one_row_only_is_found(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """A twin that is consistent with itself: reserved, charged, answered and sealed; a whole program finds it."""
    with monkeypatch.context() as patch:
        patch.setattr(FixedPlan, "cost", lambda plan: plan.rows[0].cost())
        asked = approve(office, send(office, planned(0.6)))
        assert asked.release is not None and office.ledger.spent == Cost.of("0.15")
        assert wrong(office) == ""
    assert verify(office.store, office.dataset).holds
    assert wrong(office) == "Request #1 of people does not match the ledger."


def test_a_plan_that_a_newer_program_accounts_for_otherwise_is_not_approved(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Approved, it could never be charged, and would hold what is reserved: it waits, and can be denied."""
    waits = send(office, planned(0.6))
    monkeypatch.setattr(FixedPlan, "cost", lambda plan: Cost.of("0.59"))
    with pytest.raises(ParameterError, match="The cost of this plan, as proven now,"):
        approve(office, waits)
    assert find(office.house, waits.id).state == "waiting" and office.kinds(waits.id) == ["reserve"]
    decisions.decide(office.house, office.who["olga"], waits.id, "denied", REASON)
    assert office.ledger.spent == Cost.zero()


# what others see


def test_rows_that_were_answered_before_are_shown_to_whoever_decides(office: Office) -> None:
    """In a plan or alone: answers to one question can be averaged."""
    alone = office.ask(0.15)
    assert isinstance(planned(0.6).rows[0], Request)
    sent = send(office, FixedPlan((*planned(0.6).rows, question(0.15))))
    other = send(office, planned(0.4), "eve")
    assert [same.number for same in snapshot(office.house, sent).same] == [alone.number, other.number]
    assert [same.number for same in snapshot(office.house, alone).same] == [sent.number]
    assert [same.number for same in snapshot(office.house, other).same] == [sent.number]
    items = {item.name: item for item in checklist(dossier(office.house, sent))}
    assert items["unseen"].verified is None and "Some queries of this plan already have results" in items["unseen"].note


def test_the_list_of_releases_holds_every_row_and_no_names(office: Office) -> None:
    """All parts are listed; one cost and one charge stand for all rows."""
    asked = approve(office, send(office, planned(0.6)))
    (record,) = json.loads(cards.releases_json(office.house, office.dataset))["releases"]
    listed = OUTPUTS["A list of released results"]
    assert not strangers(record, listed) and not [part for row in record["rows"] for part in strangers(row, listed)]
    assert record["cost"] == {"epsilon": 0.6, "delta": 0.0} and record["charge"] and len(record["rows"]) == 3
    assert [row["id"] for row in record["rows"]] == [row.id for row in asked.answers]
    public = cards.card_json(cards.card(snapshot(office.house, asked), names=False))
    assert "Bob" not in public and "Olga" not in public and CANARY not in public
