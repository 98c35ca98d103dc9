"""Seals: what somebody acts on is what they saw, or nothing is done."""

from __future__ import annotations

import pytest
from support.offices import CHECKED, PURPOSE, REASON, Office, everything_in, question

from discreet.budget import ParameterError
from discreet.office import Desk
from discreet.office.cards.review_case import dossier
from discreet.office.datasets import fingerprint, lifecycle, registry
from discreet.office.decisions import decisions
from discreet.office.decisions.checklist import checklist
from discreet.office.requests.request import Inquiry, find

CHANGED = "This page was out of date, so nothing was"


def shown(office: Office, epsilon: float) -> str:
    """Return the seal of a question as the page shows it now."""
    dataset = registry.find(office.house, office.dataset)
    return fingerprint.of_question(dataset, question(epsilon), 0)


def read(office: Office, asked: Inquiry) -> str:
    """Return the seal of a request as an officer reads it now."""
    here = dossier(office.house, asked, office.who["olga"])
    return decisions.fingerprint_of(here.snapshot, checklist(here))


def test_a_question_is_sent_as_it_was_shown(office: Office) -> None:
    """Not at another price, not where it runs at once instead of waiting, not of other words."""
    desk, seen = Desk(office.house, office.who["bob"], office.dataset), shown(office, 0.5)
    office.amend(free=0.9)
    before = everything_in(office.store)
    for request in (question(0.5), question(0.6)):
        with pytest.raises(ParameterError, match=CHANGED):
            desk.ask(request, "0", PURPOSE, seen)
    assert everything_in(office.store) == before
    assert desk.ask(question(0.5), "0", PURPOSE, shown(office, 0.5)) is not None


def test_a_publication_in_between_is_another_question(office: Office) -> None:
    """The answer would be read by everybody."""
    seen = shown(office, 0.1)
    lifecycle.publish(office.house, office.who["olga"], office.dataset, True)
    with pytest.raises(ParameterError, match=CHANGED):
        desk = Desk(office.house, office.who["bob"], office.dataset)
        desk.ask(question(0.1), "0", PURPOSE, seen)


@pytest.mark.parametrize("verdict", ["approved", "denied", "changes"])
@pytest.mark.parametrize("change", ["spent", "policy", "published"])
def test_a_decision_holds_for_what_was_read(office: Office, verdict: str, change: str) -> None:
    """Another answer, another policy or a publication meanwhile: it is read again."""
    waits = office.ask(0.5)
    seen = read(office, waits)
    if change == "spent":
        office.ask(0.1, "eve")
    elif change == "policy":
        office.amend(most=0.6)
    else:
        lifecycle.publish(office.house, office.who["olga"], office.dataset, True)

    def decide(read_: str) -> Inquiry:
        olga = office.who["olga"]
        return decisions.decide(office.house, olga, waits.id, verdict, REASON, CHECKED, read_)

    with pytest.raises(ParameterError, match=CHANGED):
        decide(seen)
    assert find(office.house, waits.id).state == "waiting"
    assert decide(read(office, waits)).state == verdict


def test_the_act_of_a_decision_says_what_was_decided(office: Office) -> None:
    """The hash of the question, and the checklist as it was answered."""
    from discreet.office.house import audit_log

    waits = office.ask(0.5)
    decisions.decide(office.house, office.who["olga"], waits.id, "approved", "", CHECKED)
    act = next(act for act in audit_log.trail(office.store) if act.what == "approved")
    assert act.details["request"] == waits.id and act.details["checklist"] == CHECKED
    registration = next(act for act in audit_log.trail(office.store) if act.what == "registered")
    assert len(registration.details["registration"]) == 64 and registration.details["policy"]["free"] == 0
