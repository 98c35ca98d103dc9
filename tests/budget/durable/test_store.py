"""Stores: brought up to date from wherever an earlier program has left them, and otherwise only looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import event, inspect

from discreet.budget.durable import Store
from discreet.budget.durable.store import LEDGER

REVISIONS = [each.revision for each in ScriptDirectory.from_config(LEDGER.config).walk_revisions()][
    :0:-1
]  # but the newest


def built(store: Store) -> set[tuple[str, ...]]:
    """Return everything a database is made of: tables and their columns, guards and what they say."""
    if store.lite:
        what = "type, name, sql FROM sqlite_master"
    else:
        what = "tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) FROM pg_trigger"
    with store.engine.connect() as connection:
        return {tuple(map(str, row)) for row in connection.exec_driver_sql(f"SELECT {what}")}


@pytest.fixture(scope="module")
def today(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, ...]]:
    """Return what a database is made of that begins today."""
    return built(Store(f"sqlite:///{tmp_path_factory.mktemp('today') / 'new.db'}").prepare())


def left_at(url: str, revision: str) -> Store:
    """Return what a program of this revision has left."""
    store = Store(url)
    if store.lite:
        Path(str(store.engine.url.database)).parent.mkdir(exist_ok=True)
    with store.engine.begin() as connection:
        LEDGER.upgrade(connection, revision)
    return store


@pytest.mark.parametrize("revision", REVISIONS)
def test_what_an_earlier_program_has_left_is_brought_up_to_date(
    revision: str, today: set[tuple[str, ...]], tmp_path: Path
) -> None:
    """From each revision: the same as what begins today."""
    old = left_at(f"sqlite:///{tmp_path / 'old.db'}", revision)
    assert built(old) != today
    old.prepare()
    assert built(old) == today


def test_what_fails_half_way_changes_nothing(empty_url: str) -> None:
    """A disk that is full, or a kill, while tables are made: the next start finds what was there before."""
    store = left_at(empty_url, REVISIONS[1])
    before = built(store)

    def full(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        if "CREATE TABLE seals" in statement:
            raise OSError(28, "No space left on device")

    event.listen(store.engine, "before_cursor_execute", full)
    with pytest.raises(OSError, match="No space"):
        store.prepare()
    assert built(store) == before
    event.remove(store.engine, "before_cursor_execute", full)
    store.prepare()
    assert built(store) != before


def test_on_a_server_as_well(empty_url: str) -> None:
    """From the first revision on."""
    store = left_at(empty_url, REVISIONS[0])
    first = built(store)
    store.prepare()
    assert len(built(store)) > len(first)


def test_what_is_up_to_date_is_only_looked_at(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is changed where there is nothing to change: no migration is as much as read."""

    def never(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(command, "upgrade", never)
    monkeypatch.setattr(ScriptDirectory, "from_config", never)
    Store(store.engine.url.render_as_string(hide_password=False)).prepare()


def test_a_ledger_knows_no_office(empty_url: str) -> None:
    """What begins today holds the four tables of ledgers, and how far they are."""
    names = inspect(Store(empty_url).prepare().engine).get_table_names()
    assert set(names) == {"answers", "budgets", "ledger_version", "lines", "seals"}
