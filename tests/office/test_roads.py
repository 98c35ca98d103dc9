"""The contract of a road: a curator and a desk are asked in the same way and keep the same word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import pytest
from support.offices import CONTENT, ON_SQLITE, PURPOSE, SCHEMA, Office, planned, question

from discreet.budget import BudgetExceeded, Cost, ParameterError, SessionLedger
from discreet.budget.durable import open_budget
from discreet.budget.ledger import Now, TooMuch, Waits
from discreet.curator import Curator, FixedPlan, Release, Request
from discreet.lab.road import Road
from discreet.office import Desk
from discreet.rows import Dataset, LocalSource

LIMIT = Cost.of("3", "1e-5")


def of_session(office: Office) -> Road:
    """Return a curator with a budget in memory."""
    return Curator(people(), SessionLedger(LIMIT), tick=0.0)


def of_database(office: Office) -> Road:
    """Return a curator with a budget in the office's database."""
    return Curator(people(), open_budget(office.store, "people", LIMIT), tick=0.0)


def of_desk(office: Office) -> Road:
    """Return the desk of an analyst whose questions run at once."""
    office.amend(free=1.0)
    return Desk(office.house, office.who["bob"], office.dataset)


def of_waiting_desk(office: Office) -> Road:
    """Return the desk of an analyst whose questions wait for an officer."""
    office.amend(free=0.0)
    return Desk(office.house, office.who["bob"], office.dataset)


# every road by how it is opened; another one is one line more
ROADS: dict[str, Callable[[Office], Road]] = {
    "session": of_session,
    "database": of_database,
    "desk": of_desk,
    "waiting desk": of_waiting_desk,
}


@lru_cache(maxsize=1)
def people() -> Dataset:
    """Return the protected rows that the office has registered."""
    return Dataset(LocalSource(CONTENT), SCHEMA)


@pytest.fixture(params=ROADS)
def road(request: pytest.FixtureRequest, office: Office) -> Road:
    """Return a road of each kind, on which nothing was asked."""
    return ROADS[request.param](office)


class RoadContract:
    """What holds of every road."""

    def test_terms_say_what_happens(self, road: Road) -> None:
        """Answered at once or waiting, and as much left as was said; asking for it is free."""
        asked, left = question(0.5), road.ledger.left
        terms = road.terms(asked)
        assert isinstance(terms, Now | Waits) and road.ledger.left == left == LIMIT
        release = road.ask(asked, "0", PURPOSE)
        assert (release is not None) == isinstance(terms, Now)
        assert road.ledger.left == terms.left == LIMIT - asked.cost()

    def test_one_draw_is_one_answer(self, road: Road) -> None:
        """However often it is asked; another nonce is another draw, and costs again."""
        asked = question(0.5)
        assert road.stored(asked, "0") is None and road.releases == ()
        first = road.ask(asked, "0", PURPOSE)
        assert road.ask(asked, "0", PURPOSE) == first == road.stored(asked, "0")
        assert road.ledger.spent == asked.cost()
        second = road.ask(asked, "1", PURPOSE)
        assert road.ledger.spent == asked.cost() + asked.cost()
        releases = [release for release in (first, second) if release is not None]
        assert list(road.releases) == releases and len({release.id for release in releases}) == len(releases)

    def test_a_plan_is_asked_as_one_question(self, road: Road) -> None:
        """Its terms, its one charge, its rows among the answers; the same nonce is the same draw."""
        plan = planned(0.6)
        terms = road.terms(plan)
        assert isinstance(terms, Now | Waits) and terms.left == LIMIT - plan.cost()
        answers = road.run(plan, "0", PURPOSE)
        assert (answers is not None) == isinstance(terms, Now)
        assert road.run(plan, "0", PURPOSE) == answers and road.ledger.spent == plan.cost()
        assert road.releases == (() if answers is None else answers.releases)
        assert answers is None or [row.request for row in answers.releases] == list(plan.rows)
        odd = FixedPlan((*plan.rows, replace(question(0.5), columns=("wage",))))
        for work in (road.terms, lambda asked: road.run(asked, "0", PURPOSE)):
            with pytest.raises(ParameterError, match="Query 4 of the plan"):
                work(odd)
        assert road.ledger.spent == plan.cost()

    def test_what_does_not_fit_is_said_and_refused(self, road: Road) -> None:
        """By the same amount as the ledger says, and nothing is spent."""
        for at in range(3):
            road.ask(question(0.9), str(at), PURPOSE)
        terms, spent = road.terms(question(0.9)), road.ledger.spent
        assert isinstance(terms, TooMuch) and terms.left == road.ledger.left
        with pytest.raises(BudgetExceeded) as refused:
            road.ask(question(0.9), "3", PURPOSE)
        assert refused.value.shortfall == terms.by and road.ledger.spent == spent

    def test_what_may_not_be_asked_has_no_terms(self, road: Road) -> None:
        """A column that is not declared: refused in the same words, at no cost."""
        odd = replace(question(0.5), columns=("wage",))
        said = []
        for work in (road.terms, lambda asked: road.ask(asked, "0", PURPOSE)):
            with pytest.raises(ParameterError) as refused:
                work(odd)
            said.append(str(refused.value))
        assert said[0] == said[1] and road.ledger.spent == Cost.zero()

    def test_whoever_asks_has_a_share_or_all(self, road: Road) -> None:
        """Nobody said anything of a share here."""
        assert road.share is None and road.ledger.limit == LIMIT


@ON_SQLITE
class TestEveryRoad(RoadContract):
    """Each road keeps the contract."""


def breaks(make: Callable[[], Road]) -> list[str]:
    """Return the parts of the contract that a road does not keep."""
    broken = []
    for name in [name for name in vars(RoadContract) if name.startswith("test_")]:
        try:
            getattr(RoadContract(), name)(make())
        except (Exception, pytest.fail.Exception):
            broken.append(name)
    return broken


class DrawsAgain(Curator):
    """A broken twin: every click is a draw of its own."""

    clicks = 0

    def ask(self, request: Request, nonce: str = "", purpose: str = "") -> Release:
        """Forget the nonce."""
        self.clicks += 1
        return super().ask(request, f"{nonce}{self.clicks}", purpose)


class PromisesAll(Curator):
    """A broken twin: whatever is asked is said to fit."""

    def terms(self, request: Request) -> Now:
        """Look at nothing."""
        return Now(LIMIT)


@pytest.mark.parametrize("twin", [DrawsAgain, PromisesAll])
def test_a_broken_road_breaks_the_contract(twin: type[Curator]) -> None:
    """The contract catches each twin, and not the curator it is made of."""
    assert breaks(lambda: twin(people(), SessionLedger(LIMIT), tick=0.0))
    assert not breaks(lambda: Curator(people(), SessionLedger(LIMIT), tick=0.0))
