"""Deadlines: what ends on which day, for officers."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from support.offices import ON_SQLITE, REASON, Office

from discreet.budget import ParameterError
from discreet.office.decisions import decisions
from discreet.office.house.roles import Denied
from discreet.office.notices import deadlines, outlook
from discreet.office.notices.deadlines import ASKED, DELETED, EXPIRES

pytestmark = ON_SQLITE


def test_what_waits_and_what_ends_stands_by_its_day(office: Office) -> None:
    """The nearest first; a decided request and deleted rows end no more."""
    olga = office.who["olga"]
    waits = office.ask(0.5)
    office.amend(until="2030-03-31")
    (ends, asked) = sorted(deadlines.deadlines(office.house, olga), key=lambda each: each.what is ASKED)
    expires = datetime.fromtimestamp(waits.until, UTC).date()
    assert (ends.day, ends.what, ends.of) == (expires, EXPIRES, f"#{waits.number}, people")
    assert (asked.day, asked.what, asked.of) == (date(2030, 3, 31), ASKED, "people")
    assert [each.day for each in deadlines.deadlines(office.house, olga)] == sorted([ends.day, asked.day])
    decisions.decide(office.house, olga, waits.id, "denied", REASON)
    assert [each.what for each in deadlines.deadlines(office.house, olga)] == [ASKED]


def test_rows_with_a_day_have_to_be_deleted_on_it(office: Office) -> None:
    """The day of the registration, until they are."""
    (data,) = [each.data for each in outlook.outlooks(office.house, office.who["olga"])]
    dataset = replace(data, registration=replace(data.registration, keep_until="2031-01-01"))
    assert [(each.day, each.what) for each in deadlines._of(dataset)] == [(date(2031, 1, 1), DELETED)]
    assert not list(deadlines._of(replace(dataset, state="deleted")))


@pytest.mark.parametrize("login", ["bob", "eve"])
def test_an_analyst_sees_no_deadlines(office: Office, login: str) -> None:
    """What others have asked is not theirs to know."""
    for look in (deadlines.deadlines, outlook.outlooks):
        with pytest.raises((Denied, ParameterError)):
            look(office.house, office.who[login])
