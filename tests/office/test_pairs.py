"""Two officers: above an epsilon of the policy one approval is none, whoever is quick, and no one is two."""

from __future__ import annotations

import pytest
from support.offices import CHECKED, REASON, Office, together

from discreet.budget import ParameterError
from discreet.office import Policy
from discreet.office.auditing import inspection
from discreet.office.datasets import changes
from discreet.office.decisions import decisions
from discreet.office.house import audit_log
from discreet.office.notices import news
from discreet.office.people import accounts
from discreet.office.requests.request import find
from discreet.office.rules import rights

pytestmark = pytest.mark.both_databases


def paired(office: Office) -> None:
    """Let requests above 0.5 take two officers."""
    changes.amend(office.house, office.who["olga"], office.dataset, Policy(pair=0.5))


def approve(office: Office, login: str, request: str) -> str:
    """Approve as somebody; return the state after it."""
    return decisions.decide(office.house, office.who[login], request, "approved", "", CHECKED).state


def test_a_large_request_takes_two_officers_and_a_small_one_one(office: Office) -> None:
    """Nothing is charged before the second; the trail and the card's decision name both checklists."""
    paired(office)
    large, small = office.ask(0.6), office.ask(0.5)
    assert approve(office, "olga", small.id) == "approved"
    assert approve(office, "olga", large.id) == "waiting" and office.kinds(large.id) == ["reserve"]
    first = decisions.first_of(office.house, office.who["otto"], large.id)
    assert first is not None and first.login == "olga"
    with pytest.raises(ParameterError, match="You have already approved this request"):
        approve(office, "olga", large.id)
    assert "approved, as the first of two officers," not in [
        str(item.words) for item in news.news(office.house, office.who["olga"])
    ]
    assert approve(office, "otto", large.id) == "approved"
    (last,) = [
        act for act in audit_log.trail(office.store) if act.what == "approved" and act.about == f"#{large.number}"
    ]
    assert last.details["first"] == "olga" and last.details["first_checklist"] == CHECKED
    assert office.kinds(large.id) == ["reserve", "charge", "settle", "release"]
    assert not office.house.wrong_act(whole=True)


def test_all_at_once_two_of_them_approve_and_it_runs_once(office: Office) -> None:
    """Whoever presses twice is not two; the database decides who was first."""
    paired(office)
    asked = office.ask(0.6)
    both = together([lambda login=login: approve(office, login, asked.id) for login in ("olga", "otto") * 3])
    assert "approved" in both and find(office.house, asked.id).state == "approved"
    done = [act for act in audit_log.trail(office.store) if act.about == f"#{asked.number}"]
    firsts = [act.who for act in done if act.what == "approved first"]
    seconds = [act.who for act in done if act.what == "approved"]
    assert len(firsts) == len(seconds) == 1 and set(firsts + seconds) == {office.who[n].id for n in ("olga", "otto")}
    assert office.kinds(asked.id).count("charge") == 1


def test_a_first_approval_holds_nothing_up(office: Office) -> None:
    """It can be denied, withdrawn or expire all the same, and its cost returns."""
    paired(office)
    left = office.ledger.left
    denied, withdrawn, late = (office.ask(epsilon) for epsilon in (0.6, 0.7, 0.8))
    for asked in (denied, withdrawn, late):
        approve(office, "olga", asked.id)
    decisions.decide(office.house, office.who["otto"], denied.id, "denied", REASON)
    decisions.withdraw(office.house, office.who["bob"], withdrawn.id)
    office.clock.now += 15 * 24 * 3600
    decisions.sweep(office.house)
    assert find(office.house, late.id).state == "expired" and office.ledger.left == left


def test_whoever_is_no_officer_any_more_was_not_first(office: Office) -> None:
    """The next one begins anew; where nobody else is left it holds alone, and the trail says so."""
    paired(office)
    asked, other = office.ask(0.6), office.ask(0.7)
    approve(office, "olga", asked.id)
    for admin in ("ann", "adam"):
        accounts.change(office.house, office.who[admin], "olga", frozenset({"officer"}), False)
    assert approve(office, "otto", asked.id) == "waiting"
    first = decisions.first_of(office.house, office.who["otto"], asked.id)
    assert first is not None and first.login == "otto"
    for login in ("ann", "max"):
        for admin in ("ann", "adam") if login == "max" else ("adam", "ann"):
            row = frozenset({"officer"}) if login == "max" else frozenset({"administrator"})
            accounts.change(office.house, office.who[admin], login, row, login == "ann")
    assert approve(office, "otto", other.id) == "approved"
    assert audit_log.trail(office.store)[1].details["alone"] is True


def test_to_want_fewer_pairs_takes_a_pair(office: Office) -> None:
    """Otherwise one officer would raise the bound, and approve alone; more pairs need nobody."""
    paired(office)
    policy = Policy(pair=0.5)
    olga, otto = office.who["olga"], office.who["otto"]
    for looser in (Policy(pair=0.9), Policy()):
        assert looser.looser(policy) and not policy.looser(looser)
        assert changes.amend(office.house, olga, office.dataset, looser) is False
    assert changes.amend(office.house, olga, office.dataset, Policy(pair=0.3)) is True
    assert changes.amend(office.house, olga, office.dataset, Policy()) is False
    assert changes.amend(office.house, otto, office.dataset, Policy()) is True
    assert approve(office, "otto", office.ask(0.9).id) == "approved"
    for wrong in (-0.1, 51):
        with pytest.raises(ParameterError, match="0 to 50"):
            Policy(pair=wrong)


def test_a_first_approval_is_taken_back_by_whoever_gave_it(office: Office) -> None:
    """As long as nobody has approved second; then it begins anew, and the trail has both acts."""
    paired(office)
    asked, olga, otto = office.ask(0.6), office.who["olga"], office.who["otto"]
    policy = Policy(pair=0.5)

    def stages() -> list[str]:
        return [decisions.stage(office.house, who, asked, policy) for who in (olga, otto)]

    assert stages() == [decisions.NO_SECOND, decisions.NO_SECOND]
    approve(office, "olga", asked.id)
    assert stages() == [decisions.MINE, decisions.OTHER_OFFICER]
    with pytest.raises(ParameterError, match="You have no first approval to withdraw"):
        decisions.take_back(office.house, otto, asked.id)
    decisions.take_back(office.house, olga, asked.id)
    assert (
        stages() == [decisions.NO_SECOND, decisions.NO_SECOND]
        and decisions.first_of(office.house, otto, asked.id) is None
    )
    assert approve(office, "otto", asked.id) == "waiting" and office.kinds(asked.id) == ["reserve"]
    assert approve(office, "olga", asked.id) == "approved"
    for who in (olga, otto):
        with pytest.raises(ParameterError, match="You have no first approval to withdraw"):
            decisions.take_back(office.house, who, asked.id)
    about = [act.what for act in audit_log.trail(office.store)[::-1] if act.about == f"#{asked.number}"]
    assert about == ["asked", "approved first", "approval taken back", "approved first", "approved", "answered"]
    assert not office.house.wrong_act(whole=True)


def test_a_second_approval_and_a_taking_back_at_once_are_one_of_both(office: Office) -> None:
    """Either it ran on two words, or there is one word and nothing ran."""
    paired(office)
    asked = office.ask(0.6)
    approve(office, "olga", asked.id)
    back = lambda: decisions.take_back(office.house, office.who["olga"], asked.id)  # noqa: E731
    both = together([back, lambda: approve(office, "otto", asked.id)])
    if find(office.house, asked.id).state == "approved":
        assert isinstance(both[0], ParameterError)
    else:
        assert both == [None, "waiting"] and office.kinds(asked.id) == ["reserve"]


BEFORE = (  # what waited, as it lay in two tables
    "CREATE TABLE proposals AS SELECT id, kind, about, body, by, until, stead FROM motions WHERE kind <> 'approval'",
    "CREATE TABLE approvals AS SELECT about AS request, by, '' AS at, body AS checklist, stead FROM motions"
    " WHERE kind = 'approval'",
    "DROP TABLE motions",
    "UPDATE alembic_version SET version_num = '0019'",
)


def test_what_waited_in_a_house_from_before_waits_still(office: Office) -> None:
    """A first approval and a proposal lay in tables of their own: the second officer confirms both."""
    paired(office)
    asked, wanted = office.ask(0.6), Policy(pair=0.7)
    approve(office, "olga", asked.id)
    assert not changes.amend(office.house, office.who["olga"], office.dataset, wanted)
    waits = rights.pending(office.house, "policy", office.dataset)
    for statement in BEFORE:
        office.by_hand(statement)
    house = office.house = office.again()
    assert rights.pending(house, "policy", office.dataset) == waits
    first = decisions.first_of(house, office.who["otto"], asked.id)
    assert first is not None and first.login == "olga"
    assert approve(office, "otto", asked.id) == "approved"
    assert changes.amend(house, office.who["otto"], office.dataset, wanted)
    assert not house.wrong_act(whole=True) and inspection.look(house).all == []
