"""The bookmark: a page verifies what is new on the trail, whoever verifies all of it reads it anew."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from support.offices import ON_SQLITE, Office

from discreet.office.auditing import inspection
from discreet.office.cards.review_case import dossier
from discreet.office.decisions.checklist import checklist
from discreet.office.house import audit_log
from discreet.office.running import housekeeping

FORGED = "UPDATE acts SET who = 'x' WHERE seq = 3"


def lines_of(office: Office, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the acts that a page reads from now on, each time that it is drawn."""
    counts, first_wrong = list[int](), audit_log.first_wrong

    def counted(lines: Any, *more: Any) -> int | None:
        counts.append(len(lines))
        return first_wrong(lines, *more)

    monkeypatch.setattr(audit_log, "first_wrong", counted)
    return counts


@ON_SQLITE
def test_a_page_reads_an_act_once(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first page reads all, the next one what was written since; so does a checklist."""
    counts = lines_of(office, monkeypatch)
    assert office.house.wrong_act() is None and office.house.wrong_act() is None
    waits = office.ask(0.5)
    items = {item.name: item for item in checklist(dossier(office.house, waits, office.who["olga"]))}
    assert items["chains"].verified is True
    assert counts == [len(audit_log.trail(office.store)) - 1, 1, 2]
    assert office.again().wrong_act() is None and counts[-1] == len(audit_log.trail(office.store))


def test_an_earlier_act_that_was_forged_is_found_where_all_is_read(
    office: Office, caplog: pytest.LogCaptureFixture
) -> None:
    """A page that has read it does not see it; the command, a start and another process do."""
    assert office.house.wrong_act() is None
    office.without_guards()
    office.by_hand(FORGED)
    assert office.house.wrong_act() is None
    assert "Entry 3 does not fit into the audit log." in map(str, inspection.look(office.house).all)
    assert audit_log.wrong_at(office.store) == 3 and office.again().wrong_act() == 3
    with caplog.at_level(logging.ERROR):
        housekeeping.verify_trail(office.house)
    assert [record.getMessage() for record in caplog.records] == ["act 3 does not fit into the trail"]


NEWER = {
    "a line that is another": "UPDATE acts SET who = 'x' WHERE seq = {one}",
    "a line nobody sealed": "DELETE FROM seals WHERE chain = 'trail' AND seq = {one}",
    "a line that is gone": "DELETE FROM acts WHERE seq = {one}",
    "an end that was cut off, but not its seals": "DELETE FROM acts WHERE seq >= {one}",
}


@pytest.mark.parametrize("change", NEWER)
def test_what_is_new_is_verified_as_ever(office: Office, change: str) -> None:
    """A line that was added since the last page is found, also below one that fits."""
    assert office.house.wrong_act() is None
    office.ask(0.1)
    newest = audit_log.trail(office.store, 1)[0].seq
    office.ask(0.1, round=1)
    office.without_guards()
    office.by_hand(NEWER[change].format(one=newest))
    assert office.house.wrong_act() == newest and office.house.wrong_act() == newest


def test_a_trail_that_was_set_back_is_found_without_any_head(office: Office) -> None:
    """Cut with its seals it fits, and the act of the bookmark is gone."""
    office.ask(0.1)
    assert office.house.wrong_act() is None
    last = audit_log.trail(office.store, 1)[0].seq
    office.without_guards()
    office.by_hand(f"DELETE FROM acts WHERE seq = {last}")
    office.by_hand(f"DELETE FROM seals WHERE chain = 'trail' AND seq = {last}")
    assert audit_log.wrong_at(office.store) is None
    assert office.house.wrong_act() == last and office.house.wrong_act() == last
