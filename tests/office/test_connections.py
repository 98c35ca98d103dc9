"""Connections that are set up once: picked by name, guarded, rotated, and never seen."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.offices import APART, ON_SQLITE, POLICY, REGISTRATION, Office, everything_in

from discreet.budget import ParameterError
from discreet.office.auditing import bundles, inspection
from discreet.office.datasets import lifecycle, places, registering, registry
from discreet.office.datasets.registry import Registered
from discreet.office.house import audit_log
from discreet.office.house.roles import TERMINAL, Denied
from discreet.office.people import accounts
from discreet.office.running import backup, housekeeping
from discreet.rows.engines import database
from discreet.rows.engines.connection import DatabaseSource
from discreet.rows.intake.parser import Unreachable

pytestmark = ON_SQLITE
SECRET = "hunter2secret"


@pytest.fixture
def folk(office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the address of a table that this server may open."""
    file = tmp_path / "folk.db"
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("CREATE TABLE folk (age INTEGER, town TEXT)")
        db.executemany("INSERT INTO folk VALUES (?, ?)", [(i % 90, ("north", "south")[i % 2]) for i in range(300)])
        db.execute("CREATE VIEW others AS SELECT * FROM folk")
    monkeypatch.setenv(places.DATABASES, f"sqlite:{tmp_path}/* *:*/hospital")
    monkeypatch.setattr(places, "PADDED", 0.01)
    return f"sqlite:///{file}"


def only(office: Office, login: str = "olga") -> places.NamedConnection:
    """Return the one connection that somebody may use."""
    (connection,) = places.own_connections(office.house, office.who[login])
    return connection


def enrolled(office: Office, table: str = "folk", login: str = "olga", name: str = "folk") -> Registered:
    """Register a table through the one connection."""
    through, who = only(office, login).id, office.who[login]
    where = places.reach(office.house, who, through, table)
    return registering.register(
        office.house, who, where, replace(REGISTRATION, apart=APART, name=name), POLICY, through=through
    )


def files(office: Office) -> list[str]:
    """Return what lies in the vault."""
    return sorted(path.name for path in (office.home / "vault").iterdir())


def test_an_officer_registers_by_name_and_the_budget_is_the_tables(office: Office, folk: str) -> None:
    """Through a connection, through another one, and by the typed address: one dataset, one budget."""
    house, adam, olga = office.house, office.who["adam"], office.who["olga"]
    places.connect(house, adam, "register of folk", folk)
    data = enrolled(office)
    assert data.remote and registry.find(house, data.id).fingerprint == data.fingerprint
    with pytest.raises(ParameterError, match="already registered as folk"):
        registering.register(
            house, olga, DatabaseSource(folk, "folk"), replace(REGISTRATION, apart=APART, name="again"), POLICY
        )
    places.connect(house, adam, "another name", folk)
    other = next(each for each in places.own_connections(house, olga) if each.name == "another name")
    where = places.reach(house, olga, other.id, "folk")
    with pytest.raises(ParameterError, match="already registered as folk"):
        registering.register(
            house, olga, where, replace(REGISTRATION, apart=APART, name="again"), POLICY, through=other.id
        )
    office.dataset = data.id
    assert office.ask(0.1).release is None  # the policy waits for a second officer
    assert inspection.look(house).all == []


def test_the_same_table_by_hand_first_has_the_same_budget(office: Office, folk: str) -> None:
    """The other way round."""
    house, olga = office.house, office.who["olga"]
    registering.register(
        house, olga, DatabaseSource(folk, "folk"), replace(REGISTRATION, apart=APART, name="first"), POLICY
    )
    places.connect(house, office.who["adam"], "x", folk)
    with pytest.raises(ParameterError, match="already registered as first"):
        enrolled(office)


def test_a_name_that_counted_as_identity_is_noticed(office: Office, folk: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where the digest holds how a table is reached."""
    monkeypatch.setattr(DatabaseSource, "digest", property(lambda self: self.url + self.table))
    monkeypatch.setattr(
        DatabaseSource, "bare", property(lambda self: DatabaseSource(self.url.replace("///", "////"), self.table))
    )
    with pytest.raises((AssertionError, ParameterError, pytest.fail.Exception)):
        test_an_officer_registers_by_name_and_the_budget_is_the_tables(office, folk)


def test_only_who_is_named_uses_a_connection(office: Office, folk: str) -> None:
    """Another officer sees none, reaches none, and registers none, even with its id in hand."""
    house = office.house
    places.connect(house, office.who["adam"], "narrow", folk, ("olga",))
    assert places.own_connections(house, office.who["otto"]) == []
    through = only(office).id
    with pytest.raises(ParameterError, match="or you may not use it"):
        places.reach(house, office.who["otto"], through, "folk")
    where = DatabaseSource(folk, "folk")
    with pytest.raises(ParameterError, match="or you may not use it"):
        registering.register(
            house, office.who["otto"], where, replace(REGISTRATION, apart=APART, name="otto's"), POLICY, through=through
        )
    for login in ("bob", "olga"):
        for step in (
            lambda who: places.connect(house, who, "mine", folk),
            lambda who: places.disconnect(house, who, "narrow"),
            lambda who: places.all_connections(house, who),
            lambda who: places.knock(house, who, "narrow"),
        ):
            with pytest.raises(Denied):
                step(office.who[login])


def test_the_file_of_a_dataset_holds_no_password_and_a_new_one_is_said_once(
    office: Office, folk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is registered through a connection is reached by what the connection says at that moment."""
    house, adam = office.house, office.who["adam"]
    url = f"postgresql+psycopg://reader:{SECRET}@localhost:1/hospital"
    stand_in(monkeypatch, folk)
    places.connect(house, adam, "hospital", url)
    data = enrolled(office)
    row = registry.row_of(house, data.id)
    assert SECRET not in house.vault.secret(row["content"]) and "reader" not in house.vault.secret(row["content"])
    before = places.mark(house, row)
    seen: list[str] = []
    monkeypatch.setattr(places, "permit", lambda where, *_: seen.append(where.to_json()))
    registry.open_rows(house, row, data.registration.schema)
    assert SECRET in seen[-1]
    places.connect(house, adam, "hospital", url.replace(SECRET, "another"))
    again = registry.row_of(house, data.id)
    assert again == row and places.mark(house, row) != before
    registry.open_rows(house, row, data.registration.schema)
    assert SECRET not in seen[-1] and "another" in seen[-1]
    assert inspection.look(house).all == []


def stand_in(monkeypatch: pytest.MonkeyPatch, folk: str) -> None:
    """Let a small file answer for a server of the hospital."""
    plain = database.engine
    monkeypatch.setattr(database, "engine", lambda address: plain(DatabaseSource(folk, "folk").address))


def test_a_connection_leads_to_one_place_for_good(office: Office, folk: str, tmp_path: Path) -> None:
    """Another place under its name is refused, and it stays while rows are reached through it."""
    house, adam = office.house, office.who["adam"]
    places.connect(house, adam, "x", folk)
    with pytest.raises(ParameterError, match="points to a different place"):
        places.connect(house, adam, "x", f"sqlite:///{tmp_path}/else.db")
    data = enrolled(office)
    with pytest.raises(ParameterError, match="reached through this connection"):
        places.disconnect(house, adam, "x")
    with pytest.raises(ParameterError, match="through the connection x"):
        lifecycle.reconnect(house, office.who["olga"], data.id, DatabaseSource(folk, "folk"))
    lifecycle.erase(house, office.who["olga"], data.id)
    count = len(files(office))
    places.disconnect(house, adam, "x")
    assert len(files(office)) == count - 1 and places.all_connections(house, adam) == []
    with pytest.raises(ParameterError, match="This connection does not exist, or you may"):
        places.knock(house, adam, "x")


def test_secrets_of_the_environment_are_read_at_each_opening(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only names that begin so; signs of an address in them do no harm; without a value it is said."""
    text = "postgresql+psycopg://reader:${CONNECTION_HOSPITAL}@db:5432/hospital"
    with pytest.raises(ParameterError, match="does not set CONNECTION_HOSPITAL"):
        places.address_for(text)
    monkeypatch.setenv("CONNECTION_HOSPITAL", "a@b/c?host=evil")
    where = places.address_for(text)
    assert isinstance(where, DatabaseSource)
    assert (where.address.password, where.address.host) == ("a@b/c?host=evil", "db")
    assert where.digest == places.address_of_place(text).digest
    monkeypatch.setenv("HOME_SECRET", "x")
    assert "${HOME_SECRET}" in places.resolved("sqlite:////${HOME_SECRET}")


def test_a_connection_that_does_not_answer_says_so_in_one_sentence(office: Office, folk: str, tmp_path: Path) -> None:
    """With its name, without its address; one that answers says nothing."""
    house, adam = office.house, office.who["adam"]
    places.connect(house, adam, "there", folk)
    places.knock(house, adam, "there")
    places.connect(house, adam, "gone", f"sqlite:///{tmp_path}/gone.db")
    with pytest.raises(Unreachable, match="The connection gone does not respond") as refused:
        places.knock(house, adam, "gone")
    assert str(tmp_path) not in str(refused.value)
    with pytest.raises(ParameterError, match="may not open"):
        places.connect(house, adam, "far", "sqlite:////etc/far.db")


def test_no_secret_leaves_the_vault(
    office: Office, folk: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Not into the database, the trail, a bundle, a listing or the log; the backup holds it as the vault does."""
    house, adam, olga = office.house, office.who["adam"], office.who["olga"]
    stand_in(monkeypatch, folk)
    places.connect(house, adam, "hospital", f"postgresql+psycopg://reader:{SECRET}@localhost:1/hospital")
    data = enrolled(office)
    places.knock(house, adam, "hospital")
    written = repr(everything_in(office.store)) + repr(audit_log.trail(house.store)) + caplog.text
    written += repr(places.all_connections(house, adam)) + repr(registry.find(house, data.id))
    assert SECRET not in written
    assert SECRET.encode() not in bundles.bundle(house, olga, data.id, bundles.Period())
    folder = tmp_path / "backup"
    folder.mkdir()
    _, missing = backup.backup(house, folder)
    assert missing == [] and SECRET not in (folder / backup.LEDGER).read_text()
    held = [path for path in (folder / backup.FILES).iterdir() if SECRET.encode() in path.read_bytes()]
    assert len(held) == 1  # the connection's own, as in the vault


def test_a_backup_brings_connections_back(office: Office, folk: str, tmp_path: Path, empty: Any) -> None:
    """And what is registered through them is reached."""
    places.connect(office.house, office.who["adam"], "x", folk)
    data = enrolled(office)
    folder = tmp_path / "backup"
    folder.mkdir()
    words, _ = backup.backup(office.house, folder)
    heads = [word for word in words if not word.startswith("--")]
    with backup.restored(empty, folder, heads, "", ""):
        pass
    assert inspection.look(empty).all == []
    row = registry.row_of(empty, data.id)
    registry.open_rows(empty, row, data.registration.schema)


def check_that_a_row_by_hand_opens_nothing(office: Office, statement: str, refused: Callable[[], Any]) -> None:
    """Fail if a row that was written by hand is used, or verified."""
    office.by_hand(statement)
    with pytest.raises(ParameterError):
        refused()
    assert inspection.look(office.house).all


def test_a_row_that_was_written_by_hand_opens_nothing(office: Office, folk: str) -> None:
    """Other officers, another file of the vault: the trail knows neither."""
    house, adam = office.house, office.who["adam"]
    places.connect(house, adam, "x", folk, ("olga",))
    through = only(office).id
    check_that_a_row_by_hand_opens_nothing(
        office, "UPDATE connections SET officers = ''", lambda: places.reach(house, office.who["otto"], through, "folk")
    )
    assert places.own_connections(house, office.who["otto"]) == []


def test_a_trail_that_is_not_asked_is_noticed(office: Office, folk: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where rows are taken as they stand."""
    monkeypatch.setattr(places.replay, "holds", lambda *_: True)
    with pytest.raises(pytest.fail.Exception):
        test_a_row_that_was_written_by_hand_opens_nothing(office, folk)


def test_a_crash_between_commit_and_mark_loses_no_connection(office: Office, folk: str) -> None:
    """A day later what is left over is tidied, and the address of a connection is not."""
    house, adam = office.house, office.who["adam"]
    places.connect(house, adam, "x", folk)
    with house.store.reading() as connection:
        (content,) = places.contents(connection)
    (house.vault.folder / f"{content}.new").touch()
    os.utime(house.vault.folder / f"{content}.new", (0, 0))
    housekeeping.tidy(house)
    places.knock(house, adam, "x")


def test_an_account_that_was_closed_reaches_nothing(office: Office, folk: str) -> None:
    """Whoever holds a page that was drawn before."""
    places.connect(office.house, office.who["adam"], "x", folk)
    through = only(office).id
    accounts.change(office.house, TERMINAL, "otto", frozenset({"officer"}), False)
    with pytest.raises(Denied):
        places.reach(office.house, office.who["otto"], through, "folk")
