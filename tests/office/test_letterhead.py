"""What every registration begins with: said once by an administrator, offered, frozen with what was registered."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from support.offices import APART, CONTENT, POLICY, REGISTRATION, Office

from discreet.budget import ParameterError
from discreet.office.auditing import inspection
from discreet.office.datasets import letterhead, registering, registry
from discreet.office.datasets.letterhead import Letterhead, declare, of_house
from discreet.office.house import audit_log
from discreet.office.house.roles import Denied
from discreet.office.rules.registration import Registration

SAID = Letterhead(
    "Town Hospital", "Government", "Healthcare", "data@town.example", "Hospital Act", "a town", "two people"
)


def test_what_is_said_once_is_offered_and_on_the_trail(office: Office) -> None:
    """Once per change, with old and new values; nothing changed is no act."""
    house, adam = office.house, office.who["adam"]
    assert of_house(house) == Letterhead()
    declare(house, adam, SAID)
    assert of_house(house) == of_house(office.again()) == SAID
    before = audit_log.head(house.store)
    declare(house, adam, SAID)
    assert audit_log.head(house.store) == before
    declare(house, adam, replace(SAID, contact="other@town.example"))
    newest = audit_log.trail(house.store, 1)[0]
    assert newest.what == "letterhead" and newest.details["was"]["body"]["contact"] == "data@town.example"
    assert inspection.look(house).all == []


def test_only_an_administrator_says_it(office: Office) -> None:
    """Officers and analysts read it in the form; nobody else changes it."""
    for login in ("olga", "bob"):
        with pytest.raises(Denied):
            declare(office.house, office.who[login], SAID)
    with pytest.raises(Denied):
        declare(office.house, None, SAID)


@pytest.mark.parametrize(
    "part", [{"sector": "hospitals"}, {"kind": "Clinic"}, {"contact": "x" * 501}, {"region": "\0"}]
)
def test_what_no_registration_could_say_is_refused(server: object, part: dict[str, str]) -> None:
    """Sectors and kinds are those of the public registry."""
    with pytest.raises(ParameterError):
        Letterhead(**part)


def test_a_registration_keeps_what_was_said_in_it(office: Office) -> None:
    """What changes later changes the next one only."""
    house = office.house
    declare(house, office.who["adam"], SAID)
    said = replace(REGISTRATION, name="second", apart=APART, **of_house(house).said)
    data = registering.register(house, office.who["olga"], CONTENT + b"1,north,x\n", said, POLICY)
    declare(house, office.who["adam"], Letterhead("Another House"))
    stored = registry.find(house, data.id).registration
    assert (stored.organisation, stored.kind, stored.sector) == ("Town Hospital", "Government", "Healthcare")
    assert set(SAID.said) <= {field.name for field in fields(Registration)}


def check_that_words_by_hand_are_refused(office: Office) -> None:
    """Fail if what somebody wrote into the table is offered."""
    declare(office.house, office.who["adam"], SAID)
    office.by_hand("UPDATE letterhead SET body = replace(body, 'Town', 'Evil')")
    with pytest.raises(ParameterError, match="The organisation's details do not match the"):
        of_house(office.house)
    assert inspection.look(office.house).all


def test_words_by_hand_are_refused(office: Office) -> None:
    """The trail counts, and verification names it."""
    check_that_words_by_hand_are_refused(office)


def test_a_trail_that_is_not_asked_is_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where the row is taken as it stands."""
    monkeypatch.setattr(letterhead.replay, "holds", lambda *_: True)
    with pytest.raises(pytest.fail.Exception):
        check_that_words_by_hand_are_refused(office)
