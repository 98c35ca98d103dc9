"""Drafts: there after a reload and in another browser, for their officer alone, sealed, and gone in time."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from support.offices import START, Office, everything_in

from discreet.budget import ParameterError
from discreet.office.house import audit_log
from discreet.office.house.roles import TERMINAL, Denied
from discreet.office.notices import drafts
from discreet.office.notices.drafts import DAY, discard_draft, draft_of, expire_drafts, own_drafts, save_draft
from discreet.office.people import accounts
from discreet.office.running import backup

WORDS = "consent of zebrawords"
VALUES = {"0:basis": WORDS, "0:until": date(2031, 2, 3), "0:families": ["a", "b"], "0:people": None, "0:alone": True}


def lines(office: Office) -> list[Any]:
    """Return what the table holds."""
    return everything_in(office.store)["drafts"]


def test_a_draft_comes_back_as_it_was(office: Office) -> None:
    """In another process as well, with the time at which it was written down; the newest counts."""
    house, olga, before = office.house, office.who["olga"], audit_log.head(office.store)
    assert draft_of(house, olga, "register:x") is None
    assert save_draft(house, olga, "register:x", "town.csv", {"0:basis": "y"}).timestamp() == START
    office.clock.now += 60
    save_draft(house, olga, "register:x", "town.csv", VALUES)
    back = draft_of(office.again(), olga, "register:x")
    assert back is not None and back.values == VALUES and back.title == "town.csv"
    assert back.time.timestamp() == START + 60 and len(lines(office)) == 1
    assert audit_log.head(office.store) == before  # a draft is no act


def test_nobody_else_sees_a_draft(office: Office) -> None:
    """No other officer, no analyst, no administrator; a row that is moved to another one opens nothing."""
    house, olga = office.house, office.who["olga"]
    save_draft(house, olga, "policy:1", "people", VALUES)
    assert own_drafts(house, office.who["otto"]) == [] and draft_of(house, office.who["otto"], "policy:1") is None
    for login in ("bob", "adam"):
        with pytest.raises(Denied):
            own_drafts(house, office.who[login])
        with pytest.raises(Denied):
            save_draft(house, office.who[login], "policy:1", "people", {})
    discard_draft(house, office.who["otto"], "policy:1")
    assert draft_of(house, olga, "policy:1") is not None
    check_that_a_moved_row_opens_nothing(office)


def check_that_a_moved_row_opens_nothing(office: Office) -> None:
    """Fail if a draft opens in another name, or in another form."""
    house, olga, otto = office.house, office.who["olga"], office.who["otto"]
    save_draft(house, olga, "policy:1", "people", VALUES)
    office.by_hand("UPDATE drafts SET form = 'policy:2'")
    assert own_drafts(house, olga) == []
    office.by_hand(f"UPDATE drafts SET form = 'policy:1', person = '{otto.id}'")
    assert own_drafts(house, otto) == []


def test_a_seal_without_a_name_is_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where drafts are sealed in nobody's name."""
    plain = drafts._cipher
    monkeypatch.setattr(drafts, "_cipher", lambda *arguments: (plain(*arguments)[0], b""))
    with pytest.raises(AssertionError):
        check_that_a_moved_row_opens_nothing(office)


def test_the_database_and_a_backup_hold_no_word_of_it(office: Office, tmp_path: Any) -> None:
    """Neither what was typed nor what it is about."""
    save_draft(office.house, office.who["olga"], "register:x", "zebratitle.csv", VALUES)
    text = repr(everything_in(office.store))
    assert "zebra" not in text.replace("zebracanary", "")
    (tmp_path / "b").mkdir()
    backup.backup(office.house, tmp_path / "b")
    assert "drafts" not in (tmp_path / "b" / backup.LEDGER).read_text()


def test_a_draft_goes_after_use_and_after_thirty_days(office: Office) -> None:
    """To the second; the server forgets it even if nobody looks."""
    house, olga = office.house, office.who["olga"]
    save_draft(house, olga, "policy:1", "people", VALUES)
    discard_draft(house, olga, "policy:1")
    assert lines(office) == []
    save_draft(house, olga, "policy:1", "people", VALUES)
    office.clock.now += 30 * DAY - 1
    assert len(own_drafts(house, olga)) == 1 and expire_drafts(house) == 0
    office.clock.now += 1
    assert own_drafts(house, olga) == []
    assert expire_drafts(house) == 1 and lines(office) == []


def test_what_is_too_long_or_of_a_closed_account_is_not_kept(office: Office) -> None:
    """It says so, and what was there before stays."""
    house, olga = office.house, office.who["olga"]
    save_draft(house, olga, "policy:1", "people", VALUES)
    with pytest.raises(ParameterError, match="too large to be saved as a draft"):
        save_draft(house, olga, "policy:1", "people", {"0:x": "x" * drafts.LONGEST})
    assert draft_of(house, olga, "policy:1") is not None
    accounts.change(house, TERMINAL, "olga", frozenset({"officer"}), False)
    with pytest.raises(Denied):
        save_draft(house, olga, "policy:1", "people", VALUES)
