"""The same question: whatever its epsilon and mechanism; and what is spent told apart from what only waits."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from support.offices import APART, CHECKED, CONTENT, ON_SQLITE, PURPOSE, REGISTRATION, Office, question

from discreet.budget import Cost
from discreet.curator import Request
from discreet.curator.plan import FixedPlan
from discreet.mechanisms import registry as mechanisms
from discreet.office import Policy
from discreet.office.cards import cards
from discreet.office.cards.review_case import dossier, snapshot
from discreet.office.datasets import registering
from discreet.office.decisions import decisions
from discreet.office.decisions.checklist import checklist
from discreet.office.desk import asking, queue
from discreet.office.requests.request import alike, find
from discreet.queries import registry as statistics
from discreet.queries.mean import Mean
from discreet.queries.query import Relation
from discreet.report.risk import Risk, best_guess
from discreet.rows import Filter

WHERE = (Filter("age", ">", 20), Filter("town", "=", "north"))


def made(slug: str = "laplace", where: Any = (), by: Any = None, columns: Any = ("age",), **fields: Any) -> Request:
    """Return a question."""
    kind: Any = mechanisms[slug]
    return Request(kind(**{"epsilon": 0.5} | fields), columns, where, by)


MEAN = made(query=Mean(), epsilon=0.05)
SAME = {
    "another epsilon": made(query=Mean(), epsilon=0.5),
    "another mechanism": made("two-counts"),
    "blocks of it": made("blocks-mean", lower=0.0, upper=120.0),
}
OTHER = {
    "another statistic": made(query=statistics["median"]()),
    "a filter": made(query=Mean(), where=WHERE),
    "groups": made(query=Mean(), by="town"),
    "more rows of a person": made(query=Mean(relation=Relation(rows=3))),
}


@pytest.mark.parametrize("what", SAME)
def test_another_price_or_way_is_the_same_question(what: str) -> None:
    """Answers to both can be averaged."""
    assert alike(MEAN, SAME[what]) and alike(FixedPlan((SAME[what], OTHER["groups"])), MEAN)


@pytest.mark.parametrize("what", OTHER)
def test_another_statistic_filter_group_or_rule_is_another_question(what: str) -> None:
    """Also where the price is the same."""
    assert not alike(replace(MEAN, mechanism=replace(MEAN.mechanism, epsilon=0.5)), OTHER[what])


def test_settings_that_say_what_is_asked_are_told_apart() -> None:
    """Which quantile, which levels, the order of a filter is no setting."""
    quantile, exponential = statistics["quantile"], "quantile-exponential"
    quarter = made(query=quantile(q=Fraction(1, 4)))
    assert alike(quarter, made(exponential, q=0.25)) and not alike(quarter, made(exponential, q=0.75))
    assert alike(made(exponential), made(query=statistics["median"]()))
    tree = made("quantile-tree", levels=(0.25, 0.5))
    assert not alike(tree, made("quantile-tree", levels=(0.25, 0.75))) and not alike(tree, made(exponential))
    assert not alike(made(query=statistics["largest"](j=1)), made(query=statistics["largest"](j=2)))
    assert alike(made(query=Mean(), where=WHERE), made(query=Mean(), where=WHERE[::-1], epsilon=0.1))


def test_all_of_them_are_listed_waiting_ones_too(office: Office) -> None:
    """On the card of each, and in the queue with what they would cost together; of other data none is."""
    said = replace(REGISTRATION, name="others", source="another", apart=APART)
    other = registering.register(office.house, office.who["olga"], CONTENT + b"1,north,z\n", said, Policy())
    office.amend(free=0.0)
    asked = [office.ask(epsilon) for epsilon in (0.5, 0.6, 0.7)]
    asking.submit(office.house, office.who["bob"], other.id, question(0.5), PURPOSE)
    for mine in asked:
        same = snapshot(office.house, mine).same
        assert [each.number for each in same] == [each.number for each in asked if each.number != mine.number]
    cases = queue.cases(office.house, office.who["olga"])
    assert [[each.number for each in case.beside] for case in cases] == [[1, 2, 3]] * 3 + [[4]]
    assert cases[0].together == Cost.of("1.8") and [case.before for case in cases] == [0] * 4
    decisions.decide(office.house, office.who["olga"], asked[0].id, "approved", "", CHECKED)
    cases = queue.cases(office.house, office.who["olga"])
    assert [case.before for case in cases] == [1, 1, 0] and "again" in cases[0].risks
    items = {item.name: item for item in checklist(dossier(office.house, asked[1]))}
    assert items["unseen"].verified is None and "This query already has a result" in items["unseen"].note


def promised(office: Office, request: str, part: str) -> float:
    """Return how often a guess is right at most, as a card says it of some answers."""
    risk: Risk = getattr(cards.card(snapshot(office.house, find(office.house, request))).guarantee, part)
    return risk.best_guess_from_half


@ON_SQLITE
def test_answers_so_far_are_those_that_were_answered(office: Office) -> None:
    """What waits is a second line of its own: others who withdraw change that one, and not the first."""
    first = office.ask(0.15)
    waits = [office.ask(epsilon) for epsilon in (0.3, 0.4, 0.5)]
    mine = waits[0].id
    assert first.release is not None
    assert promised(office, mine, "risk_of_all") == pytest.approx(best_guess(Cost.of("0.45")))
    assert promised(office, mine, "risk_of_waiting") == pytest.approx(best_guess(Cost.of("1.35")))
    decisions.withdraw(office.house, office.who["bob"], waits[2].id)
    assert promised(office, mine, "risk_of_all") == pytest.approx(best_guess(Cost.of("0.45")))
    assert promised(office, mine, "risk_of_waiting") == pytest.approx(best_guess(Cost.of("0.85")))
    decisions.decide(office.house, office.who["olga"], waits[1].id, "approved", "", CHECKED)
    assert promised(office, mine, "risk_of_all") == pytest.approx(best_guess(Cost.of("0.85")))
    card = cards.card(snapshot(office.house, find(office.house, mine)))
    assert card.guarantee.risk_of_waiting is None  # it alone waits
    assert promised(office, waits[1].id, "risk_of_all") == pytest.approx(best_guess(Cost.of("0.55")))
    assert promised(office, first.id, "risk_of_all") == pytest.approx(best_guess(Cost.of("0.15")))
