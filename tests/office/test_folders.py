"""Registered folders: rows that stay where they are, under one budget, only where the server may look."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sqlalchemy as sa
from support.offices import APART, POLICY, PURPOSE, REGISTRATION, Office, everything_in, question, ruled

from discreet.budget import Cost, ParameterError
from discreet.curator import Request
from discreet.mechanisms.laplace import Geometric
from discreet.office.datasets import lifecycle, places, registering, registry
from discreet.office.desk import asking
from discreet.office.house.roles import Denied
from discreet.office.house.tables import datasets
from discreet.office.house.vault import KEY
from discreet.office.running import housekeeping, settings
from discreet.queries.sum import Sum
from discreet.rows import Number, Schema
from discreet.rows.engines.connection import DatabaseSource
from discreet.rows.engines.folder import Folder


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that this server may open, with a folder of people in it."""
    lake = tmp_path / "lake"
    (lake / "people").mkdir(parents=True)
    for at in range(3):
        write(lake / f"people/{at}.parquet", 100)
    monkeypatch.setenv(places.FOLDERS, f"/nowhere {lake}")
    return lake


def write(file: Path, rows: int, age: int | None = None) -> None:
    """Write rows as offices declare them."""
    ages = [i % 90 if age is None else age for i in range(rows)]
    pq.write_table(pa.table({"age": ages, "town": [("north", "south")[i % 2] for i in range(rows)]}), file)


def registered(office: Office, folder: Path, **change: Any) -> registry.Registered:
    """Register a folder."""
    said = replace(REGISTRATION, **{"name": "lake", "apart": APART, **change})
    data = registering.register(office.house, office.who["olga"], Folder(str(folder)), said, POLICY)
    ruled(office.house, data.id, POLICY)
    return registry.find(office.house, data.id)


def vault_files(office: Office) -> set[str]:
    """Return what lies in the vault."""
    return {path.name for path in (office.home / "vault").iterdir() if path.name != KEY}


def asked(office: Office, dataset: str, epsilon: float) -> Any:
    """Ask one question."""
    return asking.submit(office.house, office.who["bob"], dataset, question(epsilon), PURPOSE)


def test_a_folder_is_registered_and_asked(office: Office, lake: Path) -> None:
    """Its place lies in the vault, no row does; it is charged, verified, reopened and erased as usual."""
    before = vault_files(office)
    data = registered(office, lake / "people")
    (name,) = vault_files(office) - before
    assert json.loads((office.home / "vault" / name).read_text("utf-8")) == {"path": str(lake / "people")}
    assert data.remote and not data.table
    with office.store.reading() as db:
        row = db.execute(sa.select(datasets).filter_by(id=data.id)).mappings().one()
    assert json.loads(row["layout"]) == {"format": "folder"}
    assert office.house.vault.damage(name, row["layout"], row["fingerprint"]) is None
    assert asked(office, data.id, 0.1).release.answer is not None
    assert registry.ledger(office.house, data.id).spent == Cost.of("0.1")
    housekeeping.prepare(office.again())
    lifecycle.erase(office.house, office.who["olga"], data.id)
    assert vault_files(office) == before and (lake / "people/0.parquet").exists()


def test_new_rows_are_seen(office: Office, lake: Path) -> None:
    """An answer is of the rows that are there when it is asked."""
    data = registered(office, lake / "people")
    road = registry.curator(office.house, data.id)
    for file in (lake / "people").iterdir():
        file.unlink()
    write(lake / "people/new.parquet", 60_000, 77)
    answer = float(str(road.ask(Request(Geometric(Sum(), 2.0), ("age",)), "n").answer))
    assert abs(answer / 60_000 - 77) < 1  # false alarms: 2 exp(-1000); before, the mean was 44


def test_a_folder_has_one_budget(office: Office, lake: Path) -> None:
    """However it is spelled."""
    registered(office, lake / "people")
    (lake / "link").symlink_to(lake / "people")
    for place in (lake / "people", lake / "link"):
        with pytest.raises(ParameterError, match="already registered as lake"):
            registered(office, place, name="other")


def linked(lake: Path) -> Path:
    """Lead out by a link in the place of the folder."""
    (lake / "out").symlink_to(lake.parent / "secret")
    return lake / "out"


def beside(lake: Path) -> Path:
    """Name a folder that is called alike."""
    lake.parent.joinpath("lakes").mkdir()
    return lake.parent / "lakes"


def file_linked(lake: Path) -> Path:
    """Lead out by a link among the files."""
    (lake / "people/more.parquet").symlink_to(lake.parent / "secret/0.parquet")
    return lake / "people"


def vault(lake: Path) -> Path:
    """Name another folder of the server."""
    return Path("/etc")


def by_pattern(lake: Path) -> Path:
    """Lead out by a pattern, which follows links."""
    (lake / "out").symlink_to(lake.parent / "secret")
    return lake / "o*/*.parquet"


def one_file(lake: Path) -> Path:
    """Name a part of a folder, which would have a budget of its own."""
    return lake / "people/0.parquet"


def same_files(lake: Path) -> Path:
    """Name the files of a folder by a pattern: each pattern would be another budget."""
    return lake / "people/*.parquet"


NONE = "no Parquet files"
WAYS_OUT = {linked: "may not open", beside: "may not open", vault: "may not open", file_linked: "link"}
WAYS_OUT |= dict.fromkeys((by_pattern, one_file, same_files), NONE)


@pytest.mark.parametrize("way", WAYS_OUT)
def test_only_named_folders_are_opened(office: Office, lake: Path, way: Callable[[Path], Path]) -> None:
    """Neither to look nor to register; nothing is left behind."""
    (lake.parent / "secret").mkdir()
    write(lake.parent / "secret/0.parquet", 5)
    place = Folder(str(way(lake)))
    before, files = everything_in(office.store), vault_files(office)
    for work in (
        lambda: places.look(office.house, office.who["olga"], place),
        lambda: registered(office, Path(place.path)),
    ):
        with pytest.raises(ParameterError, match=WAYS_OUT[way]):
            work()
    assert (everything_in(office.store), vault_files(office)) == (before, files)


def moved(lake: Path, patch: pytest.MonkeyPatch) -> None:
    """Put a link to another folder in its place."""
    (lake / "people").rename(lake / "old")
    (lake / "new").mkdir()
    write(lake / "new/0.parquet", 5)
    (lake / "people").symlink_to(lake / "new")


def withdrawn(lake: Path, patch: pytest.MonkeyPatch) -> None:
    """Name it no more."""
    patch.setenv(places.FOLDERS, "")


def emptied(lake: Path, patch: pytest.MonkeyPatch) -> None:
    """Take all files away."""
    for file in (lake / "people").iterdir():
        file.unlink()


def torn(lake: Path, patch: pytest.MonkeyPatch) -> None:
    """Cut a file off."""
    (lake / "people/1.parquet").write_bytes(b"PAR1")


def renamed(lake: Path, patch: pytest.MonkeyPatch) -> None:
    """Let a declared column be gone."""
    for file in (lake / "people").iterdir():
        pq.write_table(pa.table({"years": [1]}), file)


@pytest.mark.parametrize("harm", [moved, withdrawn, emptied, torn, renamed])
def test_a_folder_that_is_lost_is_refused_without_a_charge(
    office: Office, lake: Path, harm: Callable[[Path, pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a process that has answered before, and by another one."""
    data = registered(office, lake / "people")
    asked(office, data.id, 0.1)
    spent = registry.ledger(office.house, data.id).spent
    harm(lake, monkeypatch)
    for house in (office.house, office.again()):
        with pytest.raises(ParameterError) as refused:
            asking.submit(house, office.who["bob"], data.id, question(0.15), PURPOSE)
        assert str(lake) not in str(refused.value)
        assert registry.ledger(house, data.id).spent == spent


def test_only_an_officer_looks_and_registers(office: Office, lake: Path) -> None:
    """Nobody else makes the server open a folder; a declaration must fit."""
    place = Folder(str(lake / "people"))
    for login in ("bob", "adam"):
        with pytest.raises(Denied):
            places.look(office.house, office.who[login], place)
        with pytest.raises(Denied):
            registering.register(office.house, office.who[login], place, REGISTRATION, POLICY)
    with pytest.raises(ParameterError, match="no column 'wage'"):
        registered(office, lake / "people", schema=Schema({"wage": Number(0, 1, origin="law")}))
    with pytest.raises(ParameterError, match="These rows are stored on this server, so"):
        data = registered(office, lake / "people")
        lifecycle.reconnect(office.house, office.who["olga"], data.id, DatabaseSource("sqlite:////x", "t"))


@pytest.mark.parametrize("words", ["lake", "/lake lake", '"/lake"'])
def test_folders_are_named_from_the_root_on(words: str) -> None:
    """Another word stops the start."""
    with pytest.raises(ParameterError, match=places.FOLDERS):
        settings.check({places.FOLDERS: words})
    settings.check({places.FOLDERS: "/lake /srv/registers"})
