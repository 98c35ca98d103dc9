"""Tidy: what a server deletes by itself, and what nobody can make it delete."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from support.offices import APART

from discreet.budget import Cost, ParameterError
from discreet.office import House, Policy, Registration
from discreet.office.datasets import lifecycle, registering, registry
from discreet.office.house.house import same, trying
from discreet.office.house.roles import Member
from discreet.office.house.vault import NEW, Vault
from discreet.office.people import joining
from discreet.office.running import backup, housekeeping
from discreet.rows import Number, Schema

CONTENT = b"age\n" + b"\n".join(str(i % 90).encode() for i in range(300))
OTHER = CONTENT + b"\n7"
DAYS = 10 * 24 * 3600.0


def opened(home: Path, keys: Path | None = None, database: str = "ledger.db") -> House:
    """Open a house."""
    return House(home, f"sqlite:///{home / database}", keys=keys)


def lived_in(home: Path, keys: Path | None = None) -> tuple[House, Member, list[str]]:
    """Return a house with an officer and two datasets, whose files are old."""
    house = opened(home, keys)
    link = joining.setup_link(house)
    assert link is not None
    ann = joining.set_up(house, link, "ann", "Ann", "a long password")
    said = Schema({"age": Number(0, 120, integer=True, origin="nobody is older")})
    names = []
    for name, content in (("one", CONTENT), ("other", OTHER)):
        registration = Registration(name, said, Cost.of("2"), "survey", "consent", alone=True, apart=APART)
        names.append(registering.register(house, ann, content, registration, Policy()).id)
    for path in [*(home / "vault").iterdir(), *(keys.iterdir() if keys else ())]:
        os.utime(path, (0, 0))
    return house, ann, names


def files(*folders: Path) -> dict[str, bytes]:
    """Return all files in folders."""
    paths = [path for folder in folders for path in folder.iterdir()]
    return {f"{path.parent.name}/{path.name}": path.read_bytes() for path in paths}


def contents(house: House) -> list[str]:
    """Return where the rows of the datasets lie."""
    with house.store.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT content FROM datasets ORDER BY name")
        return [row[0] for row in rows]


def test_another_or_a_lost_database_deletes_nothing_and_stops_the_start(tmp_path: Path) -> None:
    """Rows and keys that this database does not know are those of the right one."""
    home, keys = tmp_path / "home", tmp_path / "keys"
    lived_in(home, keys)
    before = files(home / "vault", keys)
    wrong = opened(home, keys, "misspelt.db")
    housekeeping.tidy(wrong)
    assert files(home / "vault", keys) == before and len(before) == 5
    with pytest.raises(ParameterError, match="The database is empty, but"):
        housekeeping.check_memory(wrong)
    housekeeping.check_memory(opened(home, keys))
    housekeeping.check_memory(opened(tmp_path / "new"))


def test_what_a_crash_left_of_a_registration_is_deleted_after_a_day(tmp_path: Path) -> None:
    """Only that; rows in the middle of being registered stay, and so do those that are known."""
    house, _, _ = lived_in(tmp_path / "home", tmp_path / "keys")
    vault, place = house.vault, tmp_path / "home" / "vault"
    left, fresh, registered = vault.put(CONTENT), vault.put(CONTENT), contents(house)[0]
    for name in (left, fresh, registered):
        (place / f"{name}{NEW}").write_bytes(b"")
    for name in (left, registered):
        os.utime(place / f"{name}{NEW}", (0, 0))
    (place / "lost+found").mkdir()
    before = files(tmp_path / "keys")
    (place / "lost+found").rename(tmp_path / "lost")
    housekeeping.tidy(house)
    survivors = {path.name for path in place.iterdir()}
    assert survivors == {*contents(house), fresh, f"{fresh}{NEW}", "key"}
    assert set(before) - set(files(tmp_path / "keys")) == {f"keys/{left}"}


@pytest.mark.parametrize("target", ["key", "../seal.key", "../../victim", "another"])
def test_nobody_who_writes_to_the_database_makes_the_server_delete_a_file(tmp_path: Path, target: str) -> None:
    """Neither at the start nor when an officer deletes rows: the trail knows the right place."""
    home = tmp_path / "home"
    house, ann, ids = lived_in(home)
    (tmp_path / "victim").write_text("x")
    name = contents(house)[1] if target == "another" else target
    before = files(home / "vault") | {"seal": (home / "seal.key").read_bytes()}
    with house.store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE datasets SET content = ? WHERE name = 'one'", (str(name),))
    with pytest.raises(ParameterError, match="The location of these rows does not match"):
        lifecycle.erase(house, ann, ids[0])
    with house.store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE datasets SET state = 'deleted' WHERE name = 'one'")
    housekeeping.tidy(house)
    after = files(home / "vault") | {"seal": (home / "seal.key").read_bytes()}
    assert after == before and (tmp_path / "victim").exists()


def test_rows_are_not_called_deleted_while_their_key_lies_elsewhere(tmp_path: Path) -> None:
    """A command without the folder of keys refuses; with it, rows and key go together."""
    home, keys = tmp_path / "home", tmp_path / "keys"
    _, ann, ids = lived_in(home, keys)
    for wrong in (None, tmp_path / "no keys"):
        with pytest.raises(ParameterError, match="The key of these rows is not in any listed"):
            lifecycle.erase(opened(home, wrong), ann, ids[0])
    house = opened(home, keys)
    assert registry.find(house, ids[0]).state == "open" and len(files(keys)) == 2
    lifecycle.erase(house, ann, ids[0])
    assert registry.find(house, ids[0]).state == "deleted" and len(files(keys)) == 1
    assert same(f"{home}/", str(home)) and not same(str(home), "") and not same("a", "b")


def test_rows_behind_a_link_are_neither_called_deleted_nor_copied(tmp_path: Path) -> None:
    """They would stay where it leads; a backup that followed it would copy whatever lies there."""
    house, ann, names = lived_in(tmp_path / "home")
    content = contents(house)[0]
    path = house.vault.folder / content
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ParameterError, match="The vault contains a link instead of the"):
        lifecycle.erase(house, ann, names[0])
    assert registry.find(house, names[0]).state == "open"
    (tmp_path / "backup").mkdir()
    _, missing = backup.backup(house, tmp_path / "backup")
    assert missing == [content] and not (tmp_path / "backup" / "vault" / content).exists()


def test_deleted_rows_are_let_go_though_nobody_asked_since_they_were_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process deletes them while, or after, this one opens them."""
    house, ann, ids = lived_in(tmp_path / "home")
    house.ahead = True
    with pytest.raises(ParameterError, match="being prepared"):
        registry.curator(house, ids[0])
    (opening,) = house.preparing()
    opening.thread.join()
    lifecycle.erase(opened(tmp_path / "home"), ann, ids[0])
    housekeeping.drop_deleted(house)
    assert house.preparing() == [] and house.opened() == []


def test_a_vault_keeps_its_keys_apart_and_nothing_that_looks_sealed(tmp_path: Path) -> None:
    """Keys within the vault would be in its backups; a table may not begin like a sealed file."""
    for keys in (tmp_path / "vault", tmp_path / "vault" / "keys"):
        with pytest.raises(ParameterError, match="DISCREET_KEYS must be a folder outside the"):
            Vault(tmp_path / "vault", keys)
    (tmp_path / "keys").mkdir(mode=0o777)
    vault = Vault(tmp_path / "vault", tmp_path / "keys")
    assert (tmp_path / "keys").stat().st_mode & 0o77 == 0
    for odd in ("", "key", "../x", "a" * 31, "A" * 32, "a" * 32 + "/x", "/etc/passwd"):
        for verb in (vault.delete, vault.sealed, vault.leave_out):
            with pytest.raises(ParameterError, match="The file in the vault differs from the one"):
                verb(odd)
    with pytest.raises(ParameterError, match="The first cell looks like the start of a"):
        Vault(tmp_path / "plain").put(b"DISCREET-SEALED1,age\n1,2\n")


def test_a_mark_that_was_taken_away_meanwhile_is_not_taken_for_a_death(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between opening a mark and locking it, whoever held it may have ended well."""
    import fcntl

    flock = fcntl.flock

    def late(mark: Any, how: int) -> None:
        (tmp_path / "tries" / "q").unlink()
        flock(mark, how)

    monkeypatch.setattr("fcntl.flock", late)
    with trying(tmp_path / "tries", "q") as died:
        assert died is None
    monkeypatch.setattr("fcntl.flock", flock)
    with trying(tmp_path / "tries", "q") as died:
        assert died == 0
