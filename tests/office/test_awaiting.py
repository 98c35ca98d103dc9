"""The queue as officers work in it: a list that is searched and sorted, looks, and decisions that came too late."""

from __future__ import annotations

import pytest
from support.offices import CHECKED, REASON, Office, together

from discreet.budget import ParameterError
from discreet.office.decisions import decisions
from discreet.office.desk import queue
from discreet.office.desk.queue import ORDERS, RISKS, Sieve, arranged, beside, cases
from discreet.office.house import audit_log
from discreet.office.requests.request import find, number_of

DAY = 24 * 3600.0


def numbers(office: Office, sieve: Sieve = Sieve()) -> list[int]:  # noqa: B008 - it is frozen
    """Return the numbers of what a sieve lets through, in its order."""
    waiting = cases(office.house, office.who["olga"])
    return [case.asked.number for case in arranged(waiting, sieve, lambda case: f"#{case.asked.number} {case.asker}")]


def test_the_list_says_who_asks_at_which_price_and_how_long_it_can_wait(office: Office) -> None:
    """What is left is what all others leave, without this one."""
    first = office.ask(0.5)
    office.ask(1.0, "eve")
    office.clock.now += 3 * DAY
    bob, eve = cases(office.house, office.who["olga"])
    assert (bob.asker, eve.asker, bob.data) == ("Bob", "Eve", "people")
    assert bob.share == pytest.approx(0.5 / 2.0) and eve.share == pytest.approx(1.0 / 2.5)
    assert bob.age == pytest.approx(3) and bob.rest == pytest.approx(11)
    assert number_of(office.house, first.number) == first.id and number_of(office.house, 99) is None


def test_it_is_searched_filtered_and_sorted(office: Office) -> None:
    """Every order and every risk is one of the list, and an unknown order is the first."""
    for epsilon, login in ((0.5, "bob"), (0.3, "eve"), (0.9, "bob")):
        office.ask(epsilon, login)
    assert numbers(office) == [1, 2, 3] == numbers(office, Sieve(order="nonsense"))
    assert numbers(office, Sieve(order="dearest")) == [3, 1, 2] == numbers(office, Sieve(order="share"))
    assert numbers(office, Sieve(words="BOB 3")) == [3] and numbers(office, Sieve(words="nobody")) == []
    assert numbers(office, Sieve(asker="Eve")) == [2] and numbers(office, Sieve(data="other")) == []
    assert numbers(office, Sieve(risk="much")) == [1, 3] and numbers(office, Sieve(risk="late")) == []
    office.clock.now += 12.5 * DAY
    assert numbers(office, Sieve(risk="late", order="ending")) == [1, 2, 3]
    assert all(str(words) for words, _ in (*RISKS.values(), *ORDERS.values()))
    assert beside([1, 2, 3], 2) == (1, 3) and beside([4], 4) == (None, None)


def test_what_was_granted_before_is_told(office: Office) -> None:
    """Answers to one question can be averaged, whoever has them."""
    first = office.ask(0.5)
    decisions.decide(office.house, office.who["olga"], first.id, "approved", "", CHECKED)
    office.ask(0.5, "eve")
    (case,) = cases(office.house, office.who["olga"])
    assert case.before == 1 and "again" in case.risks and "again" in {*queue.RISKS}


def test_officers_see_who_else_looks_for_five_minutes(office: Office) -> None:
    """One look for each person; it is no act, and whoever goes on to another request is gone from the first."""
    first, second = office.ask(0.5), office.ask(0.6)
    olga, otto = office.who["olga"], office.who["otto"]
    before = len(audit_log.trail(office.store))
    assert queue.look(office.house, olga, first) == []
    assert queue.look(office.house, otto, first) == ["Olga"] and queue.look(office.house, olga, first) == ["Otto"]
    assert queue.look(office.house, otto, second) == [] == queue.look(office.house, olga, first)
    queue.look(office.house, otto, first)
    office.clock.now += 301
    assert queue.look(office.house, olga, first) == []
    assert len(audit_log.trail(office.store)) == before
    looks = together([lambda who=who: queue.look(office.house, who, second) for who in (olga, otto) * 3])
    assert all(isinstance(names, list) for names in looks), looks


def test_a_decision_that_came_too_late_is_told_who_was_first(office: Office) -> None:
    """By name and time, with the page it was read on or without; and how it ended where nobody decided."""
    first, second, third = office.ask(0.5), office.ask(0.6), office.ask(0.7)
    olga, otto = office.who["olga"], office.who["otto"]
    decisions.decide(office.house, otto, first.id, "denied", REASON)
    for seen in (None, "a page of before"):
        with pytest.raises(ParameterError, match=r"denied by Otto, 2030-.*no effect"):
            decisions.decide(office.house, olga, first.id, "approved", "", CHECKED, seen)
    decisions.withdraw(office.house, office.who["bob"], second.id)
    with pytest.raises(ParameterError, match="no longer waiting: withdrawn"):
        decisions.decide(office.house, olga, second.id, "denied", REASON)
    decisions.decide(office.house, olga, third.id, "approved", "", CHECKED)
    with pytest.raises(ParameterError, match="approved by Olga"):
        decisions.withdraw(office.house, office.who["bob"], third.id)


def test_several_are_denied_with_one_reason_each_by_itself(office: Office) -> None:
    """What was overtaken is told by its number; the others are denied, and their cost is free again."""
    left = office.ledger.left
    first, second, third = office.ask(0.5), office.ask(0.6), office.ask(0.7)
    olga, otto = office.who["olga"], office.who["otto"]
    decisions.decide(office.house, otto, second.id, "denied", REASON)
    denied, refused = decisions.deny(office.house, olga, [first.id, second.id, third.id], REASON)
    assert [asked.number for asked in denied] == [1, 3] and office.ledger.left == left
    assert [str(wrong) for wrong in refused] == [str(refused[0])] and str(refused[0]).startswith("#2: ")
    assert {find(office.house, asked.id).decided_by for asked in denied} == {olga.id}
    fourth = office.ask(0.8)
    assert decisions.deny(office.house, olga, [fourth.id], "no")[0] == []
    assert find(office.house, fourth.id).state == "waiting"


def test_two_officers_deny_the_same_lists_at_once(office: Office) -> None:
    """Each request is decided once, by one of them; the other one is told so."""
    requests = [office.ask(0.21 + at / 100).id for at in range(4)]
    both = together(
        [lambda who=who: decisions.deny(office.house, office.who[who], requests, REASON) for who in ("olga", "otto")]
    )
    denied = [asked.number for done, _ in both for asked in done]
    assert sorted(denied) == [1, 2, 3, 4] and sum(len(refused) for _, refused in both) == 4


def test_two_servers_tell_of_looks_and_of_decisions_that_came_too_late(office: Office) -> None:
    """Olga sits at one, Otto at the other: nothing of it is in the memory of either, and lists race."""
    here, there = office.house, office.again()
    olga, otto = office.who["olga"], office.who["otto"]
    first, *more = [office.ask(0.21 + at / 100) for at in range(7)]
    queue.look(here, olga, first)
    assert queue.look(there, otto, first) == ["Olga"] and queue.look(here, olga, first) == ["Otto"]
    decisions.decide(there, otto, first.id, "denied", REASON)
    for verdict in ("approved", "denied", "changes"):
        with pytest.raises(ParameterError, match=r"denied by Otto, 2030-.*no effect"):
            decisions.decide(here, olga, first.id, verdict, REASON, CHECKED)
    numbers = [asked.id for asked in more]
    both = together(
        [
            lambda house=house, who=who: decisions.deny(house, who, numbers, REASON)
            for house, who in ((here, olga), (there, otto))
        ]
    )
    denied = sorted(asked.number for done, _ in both for asked in done)
    assert denied == [2, 3, 4, 5, 6, 7] and sum(len(refused) for _, refused in both) == len(denied)
    denials = [act.about for act in audit_log.trail(office.store) if act.what == "denied"]
    assert len(denials) == len(set(denials)) == 7 and here.wrong_act(whole=True) is None
