"""Review without traps: list and card are one request, the first of two says so, and the same question is seen."""

from __future__ import annotations

import pytest
from support.office_seats import Town, answer_all
from support.seats import Seat
from support.town import PURPOSE, question

from discreet.office.datasets import changes
from discreet.office.decisions import decisions
from discreet.office.house.roles import TERMINAL
from discreet.office.people import joining
from discreet.office.requests.request import find
from discreet.office.rules.registration import Policy


@pytest.fixture
def busy(town: Town) -> Town:
    """Let seven requests wait, in a house with two officers."""
    link = joining.invite(town.house, TERMINAL, "otto", "Otto", frozenset({"officer"}))
    town.people["otto"] = joining.choose_password(town.house, link, "a long enough password")
    for at in range(7):
        town.ask(0.21 + at / 100)
    return town


def decisions_of(officer: Seat) -> list[str]:
    """Return the labels of the buttons that decide."""
    keys = ("approve:", "deny:", "changes:", "back:")
    return [button.label for button in officer.app.button if str(button.key).startswith(keys)]


def test_a_search_moves_the_card_and_the_decision_along(busy: Town) -> None:
    """What is listed alone is what is open; where nothing is listed nothing can be decided."""
    olga = busy.at("olga").open("review", waiting="2")
    assert "Approve and run #2 once" in decisions_of(olga) and "**Request #2**" in olga.text()
    olga.fill(Search="#5").run()
    assert "1 listed." in olga.text() and "**Request #5** · ε" in olga.text()
    assert decisions_of(olga) == ["Approve and run #5 once", "Request changes to #5", "Deny #5"]
    (column,) = [table.proto.columns for table in olga.app.dataframe if "Right guesses of 100, at most" in table.value]
    assert "guess whether a person is in the dataset" in column
    assert "Request #2" not in olga.text() and not olga.buttons("Next request")
    olga.fill(Search="nothing like this").run()
    assert decisions_of(olga) == [] and "No request is open" in olga.text()
    olga.fill(Search="").run()
    assert len(decisions_of(olga)) == 3


def test_the_first_of_two_reads_what_an_approval_does(busy: Town) -> None:
    """It does not run, cannot be given twice, and can be taken back; the second one reads that it runs."""
    for login in ("olga", "otto"):
        changes.amend(busy.house, busy.people[login], busy.dataset, Policy(free=0.2, pair=0.2))
    olga, otto = (busy.at(login).open("review", waiting="3") for login in ("olga", "otto"))
    for seat in (olga, otto):
        assert (
            decisions_of(seat)[0] == "Approve #3 (first of two)"
            and "Approving runs the query immediately and" not in seat.text()
        )
    answer_all(olga)
    olga.press("Approve #3 (first of two)")
    asked = next(each for each in busy.desk("abe").requests if each.number == 3)
    assert asked.state == "waiting" and "as the first of two" in olga.text()
    olga, otto = (busy.at(login).open("review", waiting="3") for login in ("olga", "otto"))
    (button,) = olga.buttons("#3 is waiting for another officer")
    assert button.disabled
    assert decisions_of(otto)[0] == "Approve (second of two) and run #3 once"
    assert "Approving runs the query immediately and" in otto.text() and not otto.buttons("Withdraw my approval")
    olga.press("Withdraw my approval of #3")
    assert "You withdrew your approval of #3." in olga.text()
    assert decisions.first_of(busy.house, busy.people["otto"], asked.id) is None
    assert "Approve #3 (first of two)" in decisions_of(olga)
    assert find(busy.house, asked.id).state == "waiting"


def test_the_same_question_at_other_prices_is_seen_in_the_queue_and_beside_the_card(busy: Town) -> None:
    """With what they would cost together; what is spent and what waits are two lines of the card."""
    olga = busy.at("olga").open("review", waiting="2")
    assert "7 × the same query, total ε = 1.68: " in olga.text()
    (table,) = [each.value for each in olga.app.dataframe if "State" in each.value.columns]
    assert list(table["Request"]) == ["#1", "#3", "#4", "#5", "#6", "#7"]
    assert "No one else has sent this query for this" not in olga.text() and "Other waiting requests: 6" in olga.text()
    assert "After seeing this and all earlier results, they are right" in olga.text()
    assert "After seeing this result, all earlier results and all pending requests, they are right" in olga.text()
    assert PURPOSE and question
