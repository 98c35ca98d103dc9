"""Requests: decided once, charged once, answered once, whoever races, and whatever crashes."""

from __future__ import annotations

import itertools
import multiprocessing
import random
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from support.offices import (
    CANARY,
    CHECKED,
    ON_SQLITE,
    PURPOSE,
    REASON,
    Clock,
    Office,
    everything_in,
    question,
    together,
)

import discreet.curator.release
import discreet.office.cards.review_case
from discreet.budget import AlreadyCharged, BudgetExceeded, Cost, Entry, ParameterError
from discreet.budget.durable import DurableLedger, verify
from discreet.curator import Request
from discreet.curator.release import Curator
from discreet.mechanisms import registry as mechanisms
from discreet.office import Desk, House, Member
from discreet.office.cards.review_case import snapshot
from discreet.office.datasets import lifecycle, registering, registry
from discreet.office.decisions import decisions
from discreet.office.desk import asking, queue
from discreet.office.house import acts, audit_log
from discreet.office.house.roles import Denied
from discreet.office.house.tables import requests as requests_table
from discreet.office.requests import execution
from discreet.office.requests.request import Inquiry, decided, find, released, spent_by
from discreet.office.rules.visit import Visit, select_requests
from discreet.office.running import housekeeping
from discreet.queries.mean import Mean
from discreet.rows import Filter, Number, Schema

FORK = multiprocessing.get_context("fork")
ANSWERED = ["reserve", "charge", "settle", "release"]
RETURNED = ["reserve", "expire"]
DAY = asking.DAY


class Crash(BaseException):
    """The process ends here."""


def approve(office: Office, request: str, login: str = "olga") -> Inquiry:
    """Approve a request."""
    return decisions.decide(office.house, office.who[login], request, "approved", "", CHECKED)


def deny(office: Office, request: str, verdict: str = "denied") -> Inquiry:
    """Deny a request, or ask for changes."""
    return decisions.decide(office.house, office.who["olga"], request, verdict, REASON)


def withdraw(office: Office, request: str) -> Inquiry:
    """Take a request back."""
    inquiry = find(office.house, request)
    owner = next(who for who in office.who.values() if who.id == inquiry.analyst)
    return decisions.withdraw(office.house, owner, request)


def expire(office: Office, request: str) -> Inquiry:
    """Let a request expire."""
    office.clock.now = find(office.house, request).until + 1
    assert decisions.sweep(office.house) == 1
    return find(office.house, request)


def rows(office: Office, **which: Any) -> int:
    """Count requests."""
    with office.store.reading() as connection:
        query = sa.select(sa.func.count()).select_from(requests_table).filter_by(**which)
        return int(connection.execute(query).scalar_one())


def count_acts(office: Office, what: str) -> int:
    """Count acts of a kind."""
    return sum(act.what == what for act in audit_log.trail(office.store))


# what is asked and answered


def test_what_is_within_policy_is_answered_at_once(office: Office) -> None:
    """Reserved, charged, kept; nobody decided."""
    asked = office.ask(0.2)
    assert (asked.status, asked.state, asked.why) == ("answered", "allowed", None)
    assert asked.decided_by is None and asked.purpose == PURPOSE
    assert asked.release is not None and asked.release.cost == asked.cost == Cost.of("0.2")
    assert office.kinds(asked.id) == ANSWERED and office.ledger.spent == Cost.of("0.2")
    assert released(office.house, office.dataset) == [asked]
    assert asked.request == question(0.2) and find(office.house, asked.id) == asked


def test_what_is_above_waits_with_its_cost_reserved(office: Office) -> None:
    """No answer, no charge, and nobody else can spend it."""
    asked = office.ask(0.5)
    assert asked.status == asked.state == "waiting" and "0.2" in str(asked.why)
    assert asked.release is None and office.kinds(asked.id) == ["reserve"]
    assert office.ledger.spent == Cost.of("0.5")
    assert execution.finish(office.house, asked.id) == asked


def test_without_a_free_epsilon_everything_waits(office: Office) -> None:
    """However small."""
    office.amend(free=0.0)
    assert office.ask(0.001).state == "waiting"


def test_approval_answers(office: Office) -> None:
    """With who decided, when, on which list; the cost is what was reserved."""
    asked = office.ask(0.5)
    said = CHECKED | {"unit": "yes", "others": "explained: é"}
    approval = decisions.decide(office.house, office.who["olga"], asked.id, "approved", "well\x00 made", said)
    assert approval.status == "answered" and approval.state == "approved"
    assert approval.decided_by == office.who["olga"].id and approval.decided == office.house.now
    assert approval.reason == "well made" and approval.checklist == said
    assert office.kinds(asked.id) == ANSWERED and office.ledger.spent == Cost.of("0.5")
    assert find(office.again(), asked.id) == approval


def check_that_reservations_return(office: Office) -> None:
    """Fail if what ends without an answer is charged, or keeps its reservation."""
    ends: list[Callable[[Office, str], Inquiry]] = [deny, lambda o, r: deny(o, r, "changes"), withdraw, expire]
    for at, end in enumerate(ends):
        asked = office.ask(0.5, round=at)
        assert office.ledger.spent == Cost.of("0.5")
        assert end(office, asked.id).release is None
        assert office.kinds(asked.id) == RETURNED
        assert office.ledger.spent == Cost.zero()
    assert verify(office.store, office.dataset).holds
    assert not everything_in(office.store)["answers"]


def test_what_ends_without_an_answer_costs_nothing(office: Office) -> None:
    """Denied, to be changed, withdrawn, expired."""
    check_that_reservations_return(office)


@ON_SQLITE
def test_a_reservation_that_stays_is_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where nothing comes back."""
    monkeypatch.setattr(DurableLedger, "expire", lambda *_: None)
    with pytest.raises(AssertionError):
        check_that_reservations_return(office)


def test_a_decision_is_final(office: Office) -> None:
    """After each end every other verb is refused, and nothing changes."""
    by_olga = "This request was already decided: {} by Olga, .* Your action had no effect"
    ends: list[tuple[Callable[[Office, str], Inquiry], str]] = [
        (approve, by_olga.format("approved")),
        (deny, by_olga.format("denied")),
        (lambda o, r: deny(o, r, "changes"), by_olga.format("changes requested")),
        (withdraw, "This request is no longer waiting: withdrawn"),
        (expire, "This request is no longer waiting: expired"),
    ]
    for at, (end, why) in enumerate(ends):
        asked = office.ask(0.5, round=at)
        end(office, asked.id)
        before = everything_in(office.store)
        for verb in (approve, deny, withdraw):
            with pytest.raises(ParameterError, match=why):
                verb(office, asked.id)
        assert decisions.sweep(office.house) == 0
        assert everything_in(office.store) == before


def test_nobody_decides_about_their_own_request(office: Office) -> None:
    """Not even an officer, for or against; another one can."""
    asked = office.ask(0.5, "max")
    for verdict in ("approved", "denied", "changes"):
        with pytest.raises(ParameterError, match="own request"):
            decisions.decide(office.house, office.who["max"], asked.id, verdict, REASON)
    assert find(office.house, asked.id) == asked
    assert approve(office, asked.id).status == "answered"


def test_a_decision_needs_a_verdict_and_a_refusal_a_reason(office: Office) -> None:
    """Nothing is decided otherwise."""
    asked = office.ask(0.5)
    before = everything_in(office.store)
    for request, verdict, reason, why in (
        (asked.id, "maybe", REASON, "approved, denied or changes"),
        (asked.id, "withdrawn", REASON, "approved, denied or changes"),
        (asked.id, "denied", " too short ", "Give the reason in at least"),
        (asked.id, "changes", "", "Give the reason in at least"),
        ("unknown", "approved", "", "This request does not exist"),
    ):
        with pytest.raises(ParameterError, match=why):
            decisions.decide(office.house, office.who["olga"], request, verdict, reason)
    assert everything_in(office.store) == before


def test_an_approval_needs_every_point_of_the_checklist(office: Office) -> None:
    """One that nobody answered, or a bare word where a reason is due: nothing is decided."""
    asked = office.ask(0.5)
    before = everything_in(office.store)
    for said in ({}, CHECKED | {"readable": " "}, CHECKED | {"deletion": "yes"}, CHECKED | {"deletion": "no:"}):
        with pytest.raises(ParameterError, match="Answer every checklist item first"):
            decisions.decide(office.house, office.who["olga"], asked.id, "approved", "", said)
    assert everything_in(office.store) == before
    assert approve(office, asked.id).status == "answered"


def test_what_may_not_be_asked_reserves_nothing(office: Office) -> None:
    """Each refusal, and no trace of it on the ledger or the trail."""
    laplace: Any = mechanisms["laplace"]
    exhibit = next(kind for kind in mechanisms.values() if kind.open_only)
    before = everything_in(office.store)
    for request, purpose, why in (
        (question(0.1), "too short", "Enter the purpose in"),
        (question(0.1), " " * 50, "Enter the purpose in"),
        (question(0.1), "x" * 2001, "Enter the purpose in"),
        (question(1.5), PURPOSE, "allows at most ε = 1 per release"),
        (Request(laplace(epsilon=0.1), ("wage",)), PURPOSE, "not declared"),
        (Request(laplace(epsilon=0.1), ("note",)), PURPOSE, "not declared"),
        (Request(laplace(epsilon=0.1), ("town",)), PURPOSE, "declared as a number"),
        (Request(laplace(epsilon=0.1), ("age",), [Filter("note", ">", 1)]), PURPOSE, "not decl"),
        (Request(exhibit(), ("age",)), PURPOSE, "textbook"),
    ):
        with pytest.raises(ParameterError, match=why):
            Desk(office.house, office.who["bob"], office.dataset).ask(request, "0", purpose)
    with pytest.raises(ParameterError, match="This dataset does not exist"):
        asking.submit(office.house, office.who["bob"], "unknown", question(0.1), PURPOSE)
    with pytest.raises(ParameterError, match="from 0 up"):
        office.ask(0.1, round=-1)
    assert everything_in(office.store) == before


def test_a_policy_that_ends_or_lacks_the_family_refuses(office: Office) -> None:
    """What waits already may still be approved."""
    asked = office.ask(0.5)
    office.amend(free=0.2, until="2030-01-01")
    with pytest.raises(ParameterError, match="This dataset accepted requests until"):
        office.ask(0.1)
    office.amend(free=0.2, families=("smooth",))
    with pytest.raises(ParameterError, match="does not allow this mechanism"):
        office.ask(0.1)
    assert approve(office, asked.id).status == "answered"


# once, whoever races


def check_that_one_approval_runs_once(office: Office) -> None:
    """Fail if eight approvals at once give more than one decision, charge and answer."""
    asked = office.ask(0.5)
    officers = ("olga", "otto") * 4
    said = together([lambda o=o: approve(office, asked.id, o) for o in officers])
    won = [outcome for outcome in said if isinstance(outcome, Inquiry)]
    assert len(won) == 1 and all(isinstance(outcome, Inquiry | ParameterError) for outcome in said), said
    assert won[0].status == "answered" and find(office.house, asked.id) == won[0]
    assert office.kinds(asked.id) == ANSWERED and office.ledger.spent == Cost.of("0.5")
    assert count_acts(office, "approved") == count_acts(office, "answered") == 1


def test_eight_approvals_at_once_are_one(office: Office) -> None:
    """One decision, one charge, one answer; seven are told that it does not wait any more."""
    check_that_one_approval_runs_once(office)


@ON_SQLITE
def test_deciding_what_was_read_before_decides_twice(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The naive twin, with the guards of the database gone as well, fails the check."""

    def naive(visit: Visit, asked: Inquiry, state: str, *_: Any) -> None:
        assert asked.state == "waiting"  # read before the lock, so it may be so no more
        values = {"state": state, "decided_by": visit.who.id, "decided": visit.house.now.isoformat()}
        visit.connection.execute(sa.update(requests_table).filter_by(id=asked.id).values(**values))
        visit.act(acts.EVERY[state], f"#{asked.number}")

    monkeypatch.setattr(decisions, "_move", naive)
    office.without_guards()
    with pytest.raises(AssertionError):
        check_that_one_approval_runs_once(office)


def approving(home: Path, url: str, who: Member, request: str, out: Connection) -> None:
    """Approve a request in a process of its own."""
    house = House(home, url, Clock())
    try:
        answer = decisions.decide(house, who, request, "approved", "", CHECKED).release
        out.send(("answer", None if answer is None else answer.answer))
    except ParameterError as refused:
        out.send(("refused", str(refused)))
    house.store.close()


def test_four_processes_approve_once(office: Office) -> None:
    """Each with its own house; the answer that one of them tells is the one that is kept."""
    asked = office.ask(0.5)
    office.store.close()
    pipes = [FORK.Pipe(duplex=False) for _ in range(4)]
    running = [
        FORK.Process(target=approving, args=(office.home, office.url, office.who[login], asked.id, into), daemon=True)
        for login, (_, into) in zip(("olga", "otto") * 2, pipes, strict=True)
    ]
    for process in running:
        process.start()
    said = [out.recv() for out, _ in pipes]
    for process in running:
        process.join()
    answers = [value for kind, value in said if kind == "answer"]
    release = find(office.house, asked.id).release
    assert release is not None and answers == [release.answer], said
    assert office.kinds(asked.id) == ANSWERED and office.ledger.spent == Cost.of("0.5")
    assert count_acts(office, "approved") == count_acts(office, "answered") == 1


@pytest.mark.parametrize("rival", ["withdraw", "expire", "deny"])
def test_approval_and_another_end_at_once_are_one_of_them(office: Office, rival: str) -> None:
    """Four times: approved, charged and answered; or ended and returned. Never both, or neither.

    A request expires while it is approved where the clocks of two servers differ.
    """
    later = office.again()
    later.clock = lambda: office.clock() + 15 * DAY
    others: dict[str, Callable[[str], Any]] = {
        "withdraw": lambda request: withdraw(office, request),
        "expire": lambda _: decisions.sweep(later),
        "deny": lambda request: deny(office, request),
    }
    charged = 0
    for turn in range(4):
        asked = office.ask(0.25, round=turn)
        works: list[Callable[[], Any]] = [
            lambda asked=asked: approve(office, asked.id),
            lambda asked=asked: others[rival](asked.id),
        ]  # type: ignore[list-item]
        together(works[:: 1 if turn % 2 else -1])
        inquiry = find(office.house, asked.id)
        approved = inquiry.state == "approved"
        assert inquiry.status == ("answered" if approved else inquiry.state)
        assert inquiry.state in ("approved", "withdrawn", "expired", "denied")
        assert office.kinds(asked.id) == (ANSWERED if approved else RETURNED)
        charged += approved
    assert office.ledger.spent.nano_epsilon == charged * 250_000_000
    assert verify(office.store, office.dataset).holds


def check_that_one_question_is_one_request(office: Office, send: Callable[[], Inquiry]) -> None:
    """Fail if eight threads that send the same question get more than one request or answer."""
    said = together([send] * 8)
    assert all(isinstance(outcome, Inquiry) for outcome in said), said
    assert len({inquiry.id for inquiry in said}) == len({inquiry.release.answer for inquiry in said}) == 1
    assert rows(office) == 1 and office.kinds(said[0].id) == ANSWERED
    assert office.ledger.spent == Cost.of("0.1")
    assert count_acts(office, "asked") == count_acts(office, "answered") == 1


def test_the_same_question_of_the_same_round_is_one_request(office: Office) -> None:
    """A double click, a reconnect, eight tabs. Another round or analyst is another draw."""
    check_that_one_question_is_one_request(office, lambda: office.ask(0.1))
    again, eve = office.ask(0.1, round=1), office.ask(0.1, "eve")
    assert len({again.id, eve.id, office.ask(0.1).id}) == 3
    assert office.ledger.spent == Cost.of("0.3")


@ON_SQLITE
def test_a_round_for_each_click_is_noticed(office: Office) -> None:
    """The check fails where each click is a question of its own."""
    clicks = itertools.count()
    with pytest.raises(AssertionError):
        check_that_one_question_is_one_request(office, lambda: office.ask(0.1, round=next(clicks)))


def check_that_a_share_holds(office: Office) -> None:
    """Fail if eight questions at once spend more than the share of their analyst."""
    office.amend(free=0.2, share=2.0, shares={"bob": 0.5})
    said = together([lambda at=at: office.ask(0.1, round=at) for at in range(8)])
    won = [outcome for outcome in said if isinstance(outcome, Inquiry)]
    assert len(won) == 5, said
    assert all(
        "Your limit for this dataset is ε = 0.5" in str(outcome) for outcome in said if not isinstance(outcome, Inquiry)
    )
    assert spent_by(office.house, office.dataset, office.who["bob"].id) == Cost.of("0.5")


def test_a_share_holds_when_questions_race(office: Office) -> None:
    """Five of eight; another analyst has the share of everybody."""
    check_that_a_share_holds(office)
    assert office.ask(0.1, "eve").status == "answered"


@ON_SQLITE
def test_a_share_of_what_was_read_before_is_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where all see what was spent before the race."""
    before = spent_by(office.house, office.dataset, office.who["bob"].id)
    monkeypatch.setattr(asking, "spent_by", lambda *_: before)
    with pytest.raises(AssertionError):
        check_that_a_share_holds(office)


def test_a_share_counts_what_waits_and_forgets_what_ended(office: Office) -> None:
    """To the last unit of the share."""
    office.amend(free=0.2, shares={"bob": 0.6})
    waits = office.ask(0.5)
    desk = Desk(office.house, office.who["bob"], office.dataset)
    assert desk.share == (0.6, Cost.of("0.5"))
    with pytest.raises(ParameterError, match="Your limit for this dataset is ε = 0.6, and 0.5"):
        office.ask(0.100001)
    office.ask(0.1)
    deny(office, waits.id)
    assert desk.share == (0.6, Cost.of("0.1"))
    assert office.ask(0.5, round=1).state == "waiting"
    assert Desk(office.house, office.who["eve"], office.dataset).share is None


@ON_SQLITE
def test_a_share_is_held_against_all_that_an_analyst_has(office: Office) -> None:
    """Sixty questions, decided about or not, added up by hand: a share of epsilon and as much of delta, or none."""
    choose, has = random.Random(7), dict[str, dict[str, Cost]](bob={}, eve={}, max={})
    gaussian: Any = mechanisms["gaussian"]
    office.amend(free=0.05, most_delta=1e-5, shares={"bob": 0.3, "eve": 0.6})
    limit, said = office.ledger.limit, list[str]()
    for step in range(60):
        login = choose.choice(["bob", "eve", "max", "max"])
        cost = Cost.of(choose.choice(["0.03", "0.05", "0.1", "0.2"]), choose.choice(["0", "2e-7", "5e-7", "1e-6"]))
        delta = {"delta": cost.delta} if cost.delta else {}
        kind = gaussian if delta else mechanisms["laplace"]
        asked = Request(kind(query=Mean(), epsilon=cost.epsilon, **delta), ("age",))
        mine, every = (
            sum(parts, cost) for parts in (has[login].values(), [c for m in has.values() for c in m.values()])
        )
        part = {"bob": 0.1, "eve": 0.2}.get(login)
        expected = "answered" if cost.epsilon <= 0.05 else "waiting"
        if not every.fits_in(limit):
            expected = "only .* is left"
        if part and mine.delta > limit.delta * part * (1 + 1e-9):
            expected = "Your limit for this dataset is δ ="
        if part and mine.epsilon > limit.epsilon * part * (1 + 1e-9):
            expected = "Your limit for this dataset is ε ="
        said.append(expected)
        if expected not in ("answered", "waiting"):
            with pytest.raises((ParameterError, BudgetExceeded), match=expected):
                asking.submit(office.house, office.who[login], office.dataset, asked, PURPOSE, step)
            continue
        inquiry = asking.submit(office.house, office.who[login], office.dataset, asked, PURPOSE, step)
        has[login][inquiry.id] = cost
        assert inquiry.status == expected
        assert spent_by(office.house, office.dataset, office.who[login].id) == sum(has[login].values(), Cost.zero())
        end = choose.choice([deny, withdraw, approve, None, None])
        if expected == "waiting" and end is not None and end(office, inquiry.id).release is None:
            del has[login][inquiry.id]
    assert len(set(said)) == 5, set(said)


def test_what_does_not_fit_in_the_budget_is_refused(office: Office) -> None:
    """Once, under its round; when something came back the next round fits."""
    waiting = [office.ask(1.0, round=at) for at in range(3)]
    for _ in range(2):
        with pytest.raises(BudgetExceeded):
            office.ask(0.1)
    assert rows(office, state="refused") == 1
    refused = queue.own(office.house, office.who["bob"])[0]
    assert refused.state == "refused" and refused.release is None
    assert office.kinds(refused.id) == ["refuse"] and refused.cost == Cost.of("0.1")
    withdraw(office, waiting[0].id)
    desk = Desk(office.house, office.who["bob"], office.dataset)
    assert desk.next_round(question(0.1)) == 1
    assert office.ask(0.1, round=1).status == "answered"
    assert office.ledger.spent == Cost.of("2.1")


def test_a_budget_holds_when_questions_race(office: Office) -> None:
    """Eight of 0.5 where six fit."""
    said = together([lambda at=at: office.ask(0.5, round=at) for at in range(8)])
    assert sum(isinstance(outcome, Inquiry) for outcome in said) == 6
    assert sum(isinstance(outcome, BudgetExceeded) for outcome in said) == 2
    assert office.ledger.spent == Cost.of("3") and verify(office.store, office.dataset).holds


# closed, deleted, lost and tampered with


@pytest.mark.parametrize("end", [lifecycle.close, lifecycle.erase])
def test_nothing_is_asked_of_or_released_from_data_that_are_closed(office: Office, end: Callable[..., None]) -> None:
    """What waits can be denied or withdrawn; what was answered is read on."""
    answered, first, second = office.ask(0.1), office.ask(0.5), office.ask(0.6)
    end(office.house, office.who["olga"], office.dataset)
    before = everything_in(office.store)
    with pytest.raises(ParameterError, match="closed|deleted"):
        office.ask(0.15)
    with pytest.raises(ParameterError, match="closed|deleted"):
        approve(office, first.id)
    assert everything_in(office.store) == before
    assert deny(office, first.id).state == "denied"
    assert withdraw(office, second.id).state == "withdrawn"
    assert office.ask(0.1) == answered and office.ledger.spent == Cost.of("0.1")


def test_rows_that_are_lost_are_found_out_before_anything_is_reserved(office: Office) -> None:
    """No reservation for a question that nobody can answer; no decision either."""
    waits = office.ask(0.5)
    for path in (office.home / "vault").iterdir():
        if path.name != "key":
            path.unlink()
    office.house.forget(office.dataset)
    before = everything_in(office.store)
    for work in (lambda: office.ask(0.1), lambda: approve(office, waits.id)):
        with pytest.raises(ParameterError, match="not in the vault"):
            work()
    assert everything_in(office.store) == before


def test_a_late_approval_is_refused(office: Office) -> None:
    """Though nobody has swept; at the last moment it is not late."""
    office.amend(free=0.2, days=1)
    first, second = office.ask(0.5), office.ask(0.6)
    office.clock.now += DAY
    assert approve(office, first.id).status == "answered"
    office.clock.now += 1
    with pytest.raises(ParameterError, match="has expired"):
        approve(office, second.id)
    assert queue.queue(office.house, office.who["olga"]) == []
    newest = audit_log.trail(office.store, 1)[0]
    assert (newest.what, newest.who, newest.about) == ("expired", "", f"#{second.number}")
    assert office.kinds(second.id) == RETURNED


def check_that_a_wrong_ledger_stops_approval(office: Office) -> None:
    """Fail if anything is approved on a ledger that was changed behind its guards."""
    office.ask(0.2)
    asked = office.ask(0.5)
    office.without_guards()
    office.by_hand("UPDATE lines SET cost_epsilon = 1 WHERE seq = 0")
    before = everything_in(office.store)
    with pytest.raises(ParameterError, match="The ledger of this dataset failed verification"):
        approve(office, asked.id)
    assert everything_in(office.store) == before
    assert deny(office, asked.id).state == "denied"


def test_a_ledger_that_was_tampered_with_releases_nothing(office: Office) -> None:
    """The request waits on, and may be denied."""
    check_that_a_wrong_ledger_stops_approval(office)


@ON_SQLITE
def test_a_ledger_that_nobody_verifies_is_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where every ledger verifies."""
    sound = verify(office.store, office.dataset)
    monkeypatch.setattr(discreet.office.cards.review_case, "examine", lambda *_, **__: sound)
    with pytest.raises(pytest.fail.Exception):
        check_that_a_wrong_ledger_stops_approval(office)


def check_that_another_question_is_not_run(office: Office) -> None:
    """Fail if a question that was put in the place of the one asked is approved or answered."""
    first, second = office.ask(0.5), office.ask(0.6)
    office.without_guards()
    office.by_hand(
        "UPDATE requests SET question = (SELECT question FROM requests WHERE number = 2),"
        " identity = (SELECT identity FROM requests WHERE number = 2) WHERE number = 1"
    )
    with pytest.raises(ParameterError, match="The ledger of this dataset failed verification"):
        approve(office, first.id)
    office.by_hand(f"UPDATE requests SET state = 'approved', decided_by = '{office.who['olga'].id}' WHERE number = 1")
    with pytest.raises(ParameterError, match="The ledger of this dataset failed verification"):
        execution.finish(office.house, first.id)
    assert office.kinds(first.id) == office.kinds(second.id) == ["reserve"]
    assert not everything_in(office.store)["answers"]


def test_a_question_that_was_exchanged_is_not_run(office: Office) -> None:
    """Its cost stands on the ledger under the hash of the question that was asked."""
    check_that_another_question_is_not_run(office)


@ON_SQLITE
def test_a_question_that_nobody_compares_is_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where neither the hash nor the trail is looked at."""
    for module in (decisions, execution):
        monkeypatch.setattr(module, "unchanged", lambda _: None)
    monkeypatch.setattr(housekeeping, "unchanged", lambda _: None)
    monkeypatch.setattr(execution.replay, "stands", lambda *_: True)
    with pytest.raises(pytest.fail.Exception):
        check_that_another_question_is_not_run(office)


# whatever crashes


def crash(*_: Any, **__: Any) -> Any:
    """End the process, as far as the code above can tell."""
    raise Crash


def crash_at(point: str, patch: pytest.MonkeyPatch) -> None:
    """Let the process end at a point of the road to an answer."""
    if point == "before the charge":
        patch.setattr(discreet.curator.release, "_charge", crash)
    if point == "between charge and draw":
        patch.setattr(Curator, "_drawn", crash)
    if point == "between draw and keep":
        patch.setattr(discreet.curator.release, "keep", crash)
    if point == "between keep and trail":
        act = House.act
        patch.setattr(
            House,
            "act",
            lambda self, c, who, what, *rest, **more: (
                crash() if what is acts.ANSWERED else act(self, c, who, what, *rest, **more)
            ),
        )


POINTS = {
    "before the charge": ["reserve"],
    "between charge and draw": ["reserve", "charge"],
    "between draw and keep": ["reserve", "charge"],
    "between keep and trail": ANSWERED,
}


def check_that_a_crash_costs_once(office: Office, point: str, epsilon: float) -> None:
    """Fail if after a crash and a new start there is not one charge, one answer, one act."""
    with pytest.MonkeyPatch.context() as patch:
        crash_at(point, patch)
        with pytest.raises(Crash):
            asked = office.ask(epsilon)
            approve(office, asked.id)
    inquiry = queue.own(office.house, office.who["bob"])[0]
    assert office.kinds(inquiry.id) == POINTS[point]
    assert (inquiry.release is None) == (POINTS[point] != ANSWERED)
    for _ in range(2):
        house = office.again()
        finished = execution.finish(house, inquiry.id)
        assert finished.release is not None and inquiry.release in (None, finished.release)
        inquiry = finished
    assert office.kinds(inquiry.id) == ANSWERED
    assert office.ledger.spent == inquiry.cost == Cost.of(epsilon)
    assert count_acts(office, "answered") == 1 and verify(office.store, office.dataset).holds


@pytest.mark.parametrize("point", POINTS)
def test_a_crash_costs_once_and_answers_once(another: Callable[[], Office], point: str) -> None:
    """Of a request that was approved, and of one that was within policy."""
    for epsilon in (0.5, 0.1):
        check_that_a_crash_costs_once(another(), point, epsilon)


@ON_SQLITE
def test_a_charge_that_stays_without_an_answer_is_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where a lost answer is not drawn anew."""

    def lost(ledger: DurableLedger, request: str) -> Entry:
        raise AlreadyCharged(request)

    monkeypatch.setattr(DurableLedger, "entry", lost)
    with pytest.raises(Exception, match="is already in the ledger"):
        check_that_a_crash_costs_once(office, "between charge and draw", 0.5)


def test_asking_again_finishes_what_crashed(office: Office) -> None:
    """The analyst sends the same question: within policy, or approved in the meantime."""
    for epsilon in (0.1, 0.5):
        with pytest.MonkeyPatch.context() as patch:
            crash_at("between charge and draw", patch)
            with pytest.raises(Crash):
                approve(office, office.ask(epsilon).id)
        assert office.ask(epsilon).status == "answered"
    assert office.ledger.spent == Cost.of("0.6")


@pytest.mark.parametrize("what", ["asked", "approved", "denied", "withdrawn", "expired"])
def test_a_crash_before_the_commit_leaves_everything_as_it_was(office: Office, what: str) -> None:
    """Request, reservation, decision and act are written together or not at all."""
    request = "" if what == "asked" else office.ask(0.5).id
    office.clock.now += 15 * DAY if what == "expired" else 0
    works: dict[str, Callable[[], Any]] = {
        "asked": lambda: office.ask(0.5),
        "approved": lambda: approve(office, request),
        "denied": lambda: deny(office, request),
        "withdrawn": lambda: withdraw(office, request),
        "expired": lambda: decisions.sweep(office.house),
    }
    before = everything_in(office.store)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(audit_log, "insert", crash)
        with pytest.raises(Crash):
            works[what]()
    assert everything_in(office.store) == before
    works[what]()
    assert count_acts(office, what) == 1


def test_whatever_happens_every_answer_has_its_one_charge(office: Office) -> None:
    """A hundred steps of asking, deciding, withdrawing, crashing and starting anew."""
    choose = random.Random(5)
    house = office.house
    for _ in range(100):
        asked = [inquiry.id for inquiry in queue.own(house, office.who["bob"])]
        with pytest.MonkeyPatch.context() as patch, suppress(ParameterError, BudgetExceeded, Crash):
            if choose.random() < 0.4:
                crash_at(choose.choice(list(POINTS)), patch)
            step = choose.choice(["ask", "ask", "approve", "approve", "deny", "withdraw", "start"])
            if step == "ask":
                office.ask(choose.choice([0.05, 0.25]), round=choose.randrange(8))
            elif step == "start":
                house = office.house = office.again()
                for request in asked:
                    execution.finish(house, request)
            elif asked:
                {"approve": approve, "deny": deny, "withdraw": withdraw}[step](office, choose.choice(asked))
    everything = queue.own(house, office.who["bob"])
    answered = [inquiry for inquiry in everything if inquiry.release is not None]
    for inquiry in everything:
        kinds = office.kinds(inquiry.id)
        assert len(kinds) == len(set(kinds)) and kinds[0] in ("reserve", "refuse")
        assert (inquiry.release is not None) == ("release" in kinds)
        assert "charge" not in kinds or inquiry.state in ("allowed", "approved")
        assert "expire" not in kinds or inquiry.state in ("denied", "withdrawn")
    live = [inquiry for inquiry in everything if inquiry.state in ("waiting", "allowed", "approved")]
    assert office.ledger.spent == sum((inquiry.cost for inquiry in live), Cost.zero())
    assert len(answered) > 5 and verify(office.store, office.dataset).holds
    assert audit_log.wrong_at(office.store) is None


# who sees what


def test_lists_are_in_order_and_hold_what_they_say(office: Office) -> None:
    """The queue oldest first; own requests newest first; the same question of others."""
    mine, yours, small = office.ask(0.5), office.ask(0.5, "eve"), office.ask(0.1, "eve")
    house, olga, bob = office.house, office.who["olga"], office.who["bob"]
    assert [inquiry.id for inquiry in queue.queue(house, olga)] == [mine.id, yours.id]
    assert [inquiry.number for inquiry in (mine, yours, small)] == [1, 2, 3]
    assert queue.own(house, bob) == [mine] == queue.own(house, bob, office.dataset)
    assert queue.own(house, bob, "another dataset") == []
    assert queue.own(house, office.who["eve"]) == [small, yours]
    assert snapshot(house, mine).same == (yours, small) and snapshot(house, small).same == (mine, yours)
    done = approve(office, yours.id)
    assert decided(house, olga) == [small, done]
    assert released(house, office.dataset) == [done, small]
    with pytest.raises(Denied):
        decisions.withdraw(house, olga, mine.id)


def test_a_desk_holds_no_rows(office: Office) -> None:
    """The declaration, the budget, the own requests and answers; nothing of the file."""
    desk = Desk(office.house, office.who["bob"], office.dataset)
    office.ask(0.1, "eve")
    first = office.ask(0.1)
    second, waits = office.ask(0.1, round=1), office.ask(0.5)
    assert desk.requests == [waits, second, first]
    assert desk.releases == (first.release, second.release)
    assert desk.latest(question(0.1)) == second and desk.stored(question(0.1)) == second.release
    assert desk.stored(question(0.3)) is None and desk.latest(question(0.3)) is None
    assert desk.next_round(question(0.1)) == 2 and desk.next_round(question(0.3)) == 0
    assert desk.next_round(question(0.5)) == 0
    assert desk.declared.schema == desk.registered.registration.schema and desk.declared.protected
    assert desk.ledger.spent == Cost.of("0.8")
    assert CANARY not in repr(vars(desk)) and not hasattr(desk.declared, "head")


def test_requests_of_two_datasets_do_not_touch(office: Office) -> None:
    """The same question by the same analyst, each on its own budget, numbered in one row."""
    said = registry.Registration(
        "o", Schema({"age": Number(0, 120, integer=True, origin="law")}), Cost.of("0.2"), "s", "b", alone=True
    )
    content = b"age\n" + b"41\n" * 300
    other = registering.register(office.house, office.who["olga"], content, said, registry.Policy(free=0.2))
    office.ask(0.1)
    desk = Desk(office.house, office.who["bob"], other.id)
    desk.ask(question(0.1), "", PURPOSE)
    assert [asked.number for asked in desk.requests] == [2]
    assert office.ledger.spent == desk.ledger.spent == Cost.of("0.1")
    with office.store.reading() as connection:
        assert len(connection.execute(select_requests()).all()) == 2
