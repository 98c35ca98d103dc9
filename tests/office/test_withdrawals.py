"""Withdrawals: a registration of which nothing was asked goes and may begin anew; whatever was asked keeps it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from support.offices import (
    APART,
    CHECKED,
    ON_SQLITE,
    PURPOSE,
    REASON,
    REGISTRATION,
    Office,
    everything_in,
    question,
    together,
)

from discreet.budget import ParameterError
from discreet.budget.durable import verify
from discreet.office import House, Policy
from discreet.office.auditing import inspection
from discreet.office.datasets import changes, lifecycle, registering, registry
from discreet.office.decisions import decisions
from discreet.office.desk import asking
from discreet.office.house import acts, audit_log
from discreet.office.notices import disclosure
from discreet.office.rules import rights
from discreet.office.running import backup, housekeeping
from discreet.rows import Category, Number, Schema

ROWS = b"years,place\n" + b"12,north\n" * 50
SCHEMA = Schema(
    {"years": Number(0, 120, integer=True, origin="law"), "place": Category(("north", "south"), origin="a map")}
)
SAID = replace(REGISTRATION, name="mistaken", source="a register", schema=SCHEMA, apart=APART)
WHY, NEW = "registered with the wrong unit", "rows that are new"


def enrolled(office: Office, said: Any = SAID, content: bytes = ROWS, **more: Any) -> registry.Registered:
    """Register rows as an officer; whatever is asked of them waits."""
    return registering.register(office.house, office.who["olga"], content, said, Policy(), **more)


def ask(office: Office, dataset: str, login: str = "bob") -> Any:
    """Ask of the data."""
    asked = replace(question(0.1), columns=("years",))
    return asking.submit(office.house, office.who[login], dataset, asked, PURPOSE)


def wrong(office: Office) -> list[str]:
    """Return everything that a verification finds."""
    return [str(each) for each in inspection.look(office.again()).all]


def files(office: Office) -> set[str]:
    """Return what lies in the vault."""
    return {path.name for path in office.house.vault.folder.iterdir()}


def test_what_nobody_has_asked_of_goes_and_can_be_registered_anew(office: Office) -> None:
    """Under its name, with its very rows, in any version; the trail keeps both, and all of it verifies."""
    before = files(office)
    first = enrolled(office)
    more = replace(SCHEMA, columns=SCHEMA.columns | {"place": Category(("north", "south", "west"), origin="a map")})
    for login in ("olga", "otto"):
        changes.extend(office.house, office.who[login], first.id, more)
    assert changes.renew(office.house, office.who["olga"], first.id, ROWS + b"13,south\n", NEW) is not None
    changes.note(office.house, office.who["olga"], first.id, "a note that is long enough")
    assert lifecycle.untouched(office.house, first.id)
    assert lifecycle.withdraw(office.house, office.who["otto"], first.id, WHY)
    assert files(office) == before and [data.name for data in registry.everything(office.house)] == ["people"]
    for call in (lambda: registry.find(office.house, first.id), lambda: ask(office, first.id)):
        with pytest.raises(ParameterError, match="This dataset does not exist"):
            call()
    assert wrong(office) == []
    again = enrolled(office)
    assert again.id != first.id and len(again.versions) == 1 and again.later == ()
    assert changes.renew(office.house, office.who["olga"], again.id, ROWS + b"13,south\n", NEW) is not None
    assert ask(office, again.id).state == "waiting" and wrong(office) == []
    (act,) = [act for act in audit_log.trail(office.store) if act.what == acts.REGISTRATION_WITHDRAWN.name]
    assert (act.about, act.who, act.details["why"]) == ("mistaken", office.who["otto"].id, WHY)


@pytest.mark.parametrize("end", ["waiting", "denied", "changes", "withdrawn", "expired", "answered", "refused"])
def test_a_request_keeps_the_registration_however_it_ended(office: Office, end: str) -> None:
    """Nothing is written, and no row is gone."""
    data = enrolled(office, replace(SAID, limit=SAID.limit if end != "refused" else question(0.05).cost()))
    if end == "refused":
        with pytest.raises(Exception, match="budget|left"):
            ask(office, data.id)
    else:
        asked, otto = ask(office, data.id), office.who["otto"]
        if end in ("denied", "changes"):
            decisions.decide(office.house, otto, asked.id, end, REASON)
        elif end == "withdrawn":
            decisions.withdraw(office.house, office.who["bob"], asked.id)
        elif end == "answered":
            assert decisions.decide(office.house, otto, asked.id, "approved", "", CHECKED).release is not None
        elif end == "expired":
            office.clock.now += 15 * 24 * 3600
            assert decisions.sweep(office.house) == 1
    before, rows = everything_in(office.store), files(office)
    assert not lifecycle.untouched(office.house, data.id)
    with pytest.raises(ParameterError, match="This dataset already has requests, so its"):
        lifecycle.withdraw(office.house, office.who["olga"], data.id, WHY)
    with pytest.raises(ParameterError, match="This dataset already has requests, so its"):
        enrolled(office, content=ROWS, replaces=data.id)
    assert (everything_in(office.store), files(office)) == (before, rows)


def test_of_a_question_and_a_withdrawal_at_once_one_wins(office: Office) -> None:
    """Either it was asked and the registration stays, or it is gone and nothing was reserved."""
    won = set[str]()
    for turn in range(6):
        data = enrolled(office, replace(SAID, name=f"m{turn}", source=f"s{turn}"), ROWS + b"1,north\n" * (turn + 1))
        other = office.again()
        gone, asked = together(
            [
                lambda house=other, data=data: lifecycle.withdraw(house, office.who["olga"], data.id, WHY),
                lambda data=data: ask(office, data.id),
            ]
        )
        there = [each.id for each in registry.everything(office.house)]
        if gone is True:
            assert isinstance(asked, ParameterError) and data.id not in there
            won.add("withdrawal")
        else:
            assert isinstance(gone, ParameterError) and asked.state == "waiting" and data.id in there
            won.add("question")
        assert verify(office.store, data.id).holds
    assert won and wrong(office) == []


@ON_SQLITE
def test_a_second_officer_confirms_where_a_deletion_takes_two(office: Office) -> None:
    """A proposal to delete the rows is none to withdraw, nor the other way round; a replacement is no way around."""
    data = enrolled(office)
    changes.amend(office.house, office.who["olga"], data.id, Policy(both=("deletion",)))
    with pytest.raises(ParameterError, match="requires two officers to delete its rows"):
        enrolled(office, replaces=data.id)
    assert not lifecycle.erase(office.house, office.who["olga"], data.id)
    assert not lifecycle.withdraw(office.house, office.who["otto"], data.id, WHY)
    assert not lifecycle.erase(office.house, office.who["olga"], data.id)
    assert not lifecycle.withdraw(office.house, office.who["otto"], data.id, WHY)
    motion = rights.pending(office.house, "deletion", data.id)
    assert motion is not None and motion.wanted == lifecycle.WANTED
    assert registry.find(office.house, data.id).state == "open"
    assert lifecycle.withdraw(office.house, office.who["olga"], data.id, WHY)
    assert rights.pending(office.house, "deletion", data.id) is None and wrong(office) == []


def test_a_mistake_is_replaced_in_one_step_or_not_at_all(office: Office) -> None:
    """By the same rows under the same name; what is refused withdraws nothing."""
    data = enrolled(office)
    with pytest.raises(registering.Known, match="It has no requests yet") as known:
        enrolled(office)
    assert (known.value.dataset, known.value.untouched) == (data.id, True)
    before, rows = everything_in(office.store), files(office)
    with pytest.raises(ParameterError, match="None of these logins belongs to an officer here"):
        registering.register(
            office.house, office.who["olga"], ROWS, SAID, Policy(officers=("nobody",)), replaces=data.id
        )
    with pytest.raises(ParameterError, match="looks like people"):
        enrolled(office, replace(SAID, source="survey", apart=""), replaces=data.id)
    assert (everything_in(office.store), files(office)) == (before, rows)
    again = enrolled(office, replace(SAID, people=500), replaces=data.id)
    assert again.id != data.id and again.registration.people == 500
    assert [each.name for each in registry.everything(office.house)] == ["mistaken", "people"]
    assert len(files(office)) == len(rows) and wrong(office) == []


def test_the_database_lets_nothing_else_go(office: Office) -> None:
    """Without a withdrawal no dataset, and what follows one, is deleted; and of what was asked none is withdrawn."""
    data = enrolled(office)
    changes.note(office.house, office.who["olga"], data.id, "a note that is long enough")
    office.ask(0.1)
    line = "INSERT INTO withdrawn VALUES ('{}', 'n', 'b', 'p', 'f', '[]', 'w', 'b', 'a')"
    statements = [
        f"DELETE FROM datasets WHERE id = '{data.id}'",
        f"DELETE FROM errata WHERE dataset = '{data.id}'",
        line.format(office.dataset),
    ]
    for statement in statements:
        with pytest.raises(sa.exc.DBAPIError):
            office.by_hand(statement)
    lifecycle.withdraw(office.house, office.who["olga"], data.id, WHY)
    for statement in ("UPDATE withdrawn SET why = 'x'", "DELETE FROM withdrawn"):
        with pytest.raises(sa.exc.DBAPIError):
            office.by_hand(statement)
    assert wrong(office) == []


@ON_SQLITE
def test_a_withdrawal_by_hand_is_found(office: Office) -> None:
    """Deleted without an act, an act without its line, and a line that says something else."""
    data = enrolled(office)
    office.by_hand(f"INSERT INTO withdrawn VALUES ('{data.id}', 'mistaken', 'b', 'p', 'f', '[]', 'w', 'b', 'a')")
    office.by_hand(f"DELETE FROM datasets WHERE id = '{data.id}'")
    assert "The withdrawal of mistaken does not match the audit log." in wrong(office)
    assert "The dataset mistaken is in the audit log, but nowhere else." in wrong(office)
    assert (
        housekeeping.tidy(office.house) is None and len(files(office)) == 3
    )  # no row goes on the word of a table alone


@ON_SQLITE
def test_rows_that_a_crash_left_behind_go_later(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The dataset is gone and its file is not: the next start deletes it, and lets go of what is open."""
    data = enrolled(office)
    other = office.again()
    registry.curator(other, data.id)
    with monkeypatch.context() as crash:
        crash.setattr(lifecycle, "delete_rows", lambda *_: None)
        lifecycle.withdraw(office.house, office.who["olga"], data.id, WHY)
    (content,) = [json.loads(row[-4])[0] for row in everything_in(office.store)["withdrawn"]]
    assert content in files(office) and other.opened() == [data.id]
    housekeeping.tidy(office.house)
    housekeeping.drop_deleted(other)
    assert content not in files(office) and other.opened() == []


def test_others_read_nothing_of_it(office: Office) -> None:
    """An officer of other data sees neither that it was registered nor that it was withdrawn; its own officer does."""
    said = replace(SAID, source="another")
    alone = Policy(officers=("olga",))
    data = registering.register(office.house, office.who["olga"], ROWS, said, alone)
    changes.amend(office.house, office.who["otto"], data.id, alone)  # agrees that they are hers alone
    lifecycle.withdraw(office.house, office.who["olga"], data.id, WHY)
    seen = {
        login: [act.about for act in disclosure.trail(office.house, office.who[login])]
        for login in ("olga", "otto", "adam")
    }
    assert [("mistaken" in seen[login]) for login in ("olga", "otto", "adam")] == [True, False, True]


def test_a_backup_keeps_what_was_withdrawn(office: Office, empty: House, tmp_path: Path) -> None:
    """And comes back as it was, with all that was registered since."""
    lifecycle.withdraw(office.house, office.who["olga"], enrolled(office).id, WHY)
    enrolled(office)
    (tmp_path / "backup").mkdir()
    words, missing = backup.backup(office.house, tmp_path / "backup")
    with backup.restored(empty, tmp_path / "backup", [word for word in words if not word.startswith("--")], "", ""):
        empty.begin_seals()
        assert missing == [] and inspection.look(empty).all == []
    assert everything_in(empty.store)["withdrawn"] == everything_in(office.store)["withdrawn"] != []
    with pytest.raises(ParameterError, match="already registered as mistaken"):
        registering.register(empty, office.who["olga"], ROWS, replace(SAID, name="x"), Policy())
