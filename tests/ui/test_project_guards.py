"""Guards of a project: a file that is somebody else's, was made by hand, or cannot be written, and odd places."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from support.kept_work import DATA, MEAN, ROUGH, SCHEMA, saving_server, started, stopped, worked

from discreet.budget import Cost, ParameterError
from discreet.budget.durable import open_ledger
from discreet.budget.rules import BASIC
from discreet.lab.samples import SAMPLES
from discreet.office.house.house import House
from discreet.rows import Dataset, LocalSource
from discreet.rows.source import of_bytes
from discreet.ui.project import offering, place
from discreet.ui.session import project
from discreet.ui.session.project import content
from discreet.ui.session.project_file import AskedHere, Generation, Generations, ProjectFile
from discreet.ui.session.server import Server


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where work is kept."""
    return tmp_path / "home" / "project.sqlite"


def written(path: Path, text: str) -> None:
    """Put a text in the place of what was worked on, as whoever hands a file on can."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE work SET text = ?", (text,))


def tables(path: Path) -> set[str]:
    """Return the names of the tables in a file."""
    with closing(sqlite3.connect(path)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def test_a_ledger_of_the_command_is_not_taken_for_kept_work(path: Path) -> None:
    """Nothing is written into it: it goes on as the one budget that it is."""
    purse = open_ledger(path, Cost.of("1"))
    purse.charge("asked", Cost.of("0.5"))
    before = tables(path)
    with pytest.raises(ParameterError, match="is not a Discreet project file"):
        ProjectFile(path)
    assert tables(path) == before and open_ledger(path).spent == Cost.of("0.5")


def test_the_database_of_the_office_is_not_taken_for_kept_work(path: Path) -> None:
    """It is left as it was, and nobody is told to move it away."""
    House(path.parent, f"sqlite:///{path}")
    before = tables(path)
    with pytest.raises(ParameterError, match="is not a Discreet project file"):
        ProjectFile(path)
    assert tables(path) == before


ODD: dict[str, Any] = {
    "list": [],
    "number": 5,
    "nothing": {},
    "browsers": {"version": 1, "browsers": 5},
    "tables": {"version": 1, "tables": [5]},
    "rounds": {"version": 1, "rounds": [1]},
    "said": {"version": 1, "tables": [{"name": "a", "digest": "b", "protected": True, "path": "", "said": []}]},
}


@pytest.mark.parametrize("text", [*map(json.dumps, ODD.values()), "[" * 100_000], ids=[*ODD, "deep"])
def test_what_nobody_wrote_here_ends_the_start_with_a_sentence(path: Path, text: str) -> None:
    """Not each page of everybody with an error."""
    stopped(saving_server(path))
    written(path, text)
    with pytest.raises(ParameterError, match="is damaged or not a project file"):
        started(path)


def test_a_sample_that_is_gone_is_left_out(path: Path) -> None:
    """A later version may have others."""
    stopped(saving_server(path))
    written(path, json.dumps({"version": 1, "samples": ["gone", next(iter(SAMPLES))]}))
    server = started(path)
    assert server.project is not None
    assert list(server.project.workspace(server.roads).opened) == [next(iter(SAMPLES))]


def full(*_: Any, **__: Any) -> None:
    """Write nothing: the disk is full."""
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorname = "SQLITE_FULL"
    raise OperationalError("", {}, error)


STEPS: list[tuple[type, str]] = [
    (Generation, "_copy"),
    (Generations, "_next"),
    (AskedHere, "setdefault"),
    (ProjectFile, "write"),
    (ProjectFile, "_read"),
]


@pytest.mark.parametrize("step", STEPS, ids=[name for _, name in STEPS])
def test_a_disk_that_is_full_in_any_step_changes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, step: tuple[type, str]
) -> None:
    """The work goes on in memory, with what was spent; no file is left, and once there is room it is kept."""
    server = Server()
    space = worked(server)
    monkeypatch.setattr(offering, "workspace", lambda: space)
    monkeypatch.setattr(offering, "server", lambda: server)
    monkeypatch.setattr(offering, "browser", lambda: "ann")
    monkeypatch.setenv("DISCREET_PROJECT", str(path))
    with monkeypatch.context() as patched:
        patched.setattr(*step, full)
        offering._keep()
    assert "The server's disk is full" in str(space.notice)
    assert list(path.parent.iterdir()) == [] and server.project is None and server.workspace("ann") is space
    space.curator.ask(ROUGH, space.nonce(ROUGH))
    assert space.curator.ledger.spent == MEAN.cost() + ROUGH.cost() and not space.curator.ledger.lasting
    space.notice = ""
    offering._keep()
    assert space.notice == "" and server.workspace("ann").curator.ledger.lasting
    assert space.curator.ledger.spent == MEAN.cost() + ROUGH.cost() and len(space.curator.releases) == 2


def test_work_that_is_there_already_is_neither_written_over_nor_deleted(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was kept by another server between the offer and the click."""
    stopped(saving_server(path))
    server = Server()
    space = worked(server, "bob")
    monkeypatch.setattr(offering, "workspace", lambda: space)
    monkeypatch.setenv("DISCREET_PROJECT", str(path))
    offering._keep()
    assert "already contains a saved project" in str(space.notice) and server.project is None
    back = ProjectFile(path)
    back.discard()
    assert "people.csv" in started(path).workspace("ann").opened


def test_a_full_disk_at_the_start_is_not_called_damage(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever moved a whole file away would begin with a new budget."""
    stopped(saving_server(path))
    monkeypatch.setattr("discreet.budget.durable.store.Store.prepare", full)
    with pytest.raises(ParameterError, match="cannot be opened now. The server's disk is full"):
        ProjectFile(path)


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, lambda beside: os.symlink(f"{beside}.victim", beside)])
def test_odd_things_beside_the_file_are_a_sentence(path: Path, make: Callable[[str], None]) -> None:
    """A folder, a pipe that nobody reads, a link to a place where nothing is to be written."""
    path.parent.mkdir()
    make(f"{path}.open")
    with pytest.raises(ParameterError, match="cannot be opened now"):
        ProjectFile(path)
    assert not Path(f"{path}.open.victim").exists() and not path.exists()


def test_a_file_system_without_locks_is_not_called_another_server(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused, for what it is."""

    def none(*_: Any) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("discreet.ui.session.project_file.fcntl.flock", none)
    with pytest.raises(ParameterError, match="cannot be opened now. The file system refused"):
        ProjectFile(path)


def test_a_file_is_open_once_under_all_of_its_names(path: Path) -> None:
    """A link to it is no second file with locks of its own."""
    server = saving_server(path)
    link = path.parent.parent / "other.sqlite"
    link.symlink_to(path)
    with pytest.raises(ParameterError, match="open in another server"):
        ProjectFile(link)
    stopped(server)
    started(link)


def test_the_path_of_rows_may_be_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person whom the machine does not know; a file of the system without an end: the same sentence at once."""
    endless = tmp_path / "endless"
    endless.write_bytes(DATA)
    real = os.fstat
    monkeypatch.setattr(os, "fstat", lambda handle: os.stat_result((*real(handle)[:6], 0, *real(handle)[7:])))
    for where, digest in (("~nobody-of-this-name/people.csv", ""), (str(endless), of_bytes(DATA))):
        with pytest.raises(ParameterError, match="No file was found at this path"):
            content(where, digest)


def test_a_budget_that_is_replaced_while_work_is_kept_is_in_the_file(path: Path) -> None:
    """A click in another tab waits until all is in the file, and counts there."""
    server = Server()
    space = worked(server)
    late = Thread(target=space.replace_budget, args=(Cost.of("2.0", "1e-6"), BASIC))
    file, plain = ProjectFile(path), Generations.take

    def slow(ledgers: Generations, owner: str, ledger: Any) -> Generation:
        late.start()
        late.join(0.3)
        return plain(ledgers, owner, ledger)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Generations, "take", slow)
        server.keep(file, "ann")
    late.join()
    assert space.curator.ledger.lasting and space.before == (MEAN.cost(),)
    assert space.curator.ledger.limit == Cost.of("2.0", "1e-6")


def test_many_answers_are_read_in_one_look_after_a_restart(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of somebody who asked for months is there at once: no answer is looked up by itself."""
    server = saving_server(path)
    space = server.workspace("ann")
    body = space.curator.ledger.answer(space.curator.releases[0].id)
    assert body is not None
    for number in range(20):
        space.curator.ledger.charge(f"more {number}", Cost.of("0.001"))
        space.curator.ledger.release(f"more {number}", True, body)
        space.curator.asked.setdefault(f"more {number}")
    stopped(server)
    back = started(path).workspace("ann")
    monkeypatch.setattr("discreet.budget.durable.store.Store.reading", full)
    assert len(back.here.answered) == 21


def test_a_folder_that_may_not_be_looked_into_ends_the_start(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in it may have been spent: no server goes on without it, and none with a trace."""

    def closed(_: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setenv("DISCREET_PROJECT", str(path))
    monkeypatch.setattr(place, "private", lambda: True)
    monkeypatch.setattr(Path, "exists", closed)
    with pytest.raises(ParameterError, match="cannot be opened now. The server cannot write to its folder or database"):
        place.begun()


def test_another_tab_may_open_a_table_while_this_one_saves(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written down is a moment of it."""
    server = saving_server(path)
    space, plain = server.workspace("ann"), project._table

    def meanwhile(opened: Any) -> Any:
        space.opened["another"] = opened
        return plain(opened)

    monkeypatch.setattr(project, "_table", meanwhile)
    assert [table["name"] for table in project.state_of(space)["tables"]] == ["people.csv"]


def test_a_table_without_rows_shows_the_budget_that_holds_now(path: Path) -> None:
    """Another browser that brought the same protected people may have replaced it."""
    stopped(saving_server(path))
    server = started(path)
    space, other = server.workspace("ann"), server.workspace("bob")
    other.open("mine.csv", Dataset(LocalSource(DATA), SCHEMA))
    other.replace_budget(Cost.of("2.0", "1e-6"), BASIC)
    assert space.here.shelved and space.curator.ledger.limit == Cost.of("2.0", "1e-6")
    assert space.before == (MEAN.cost(),) and len(space.here.answered) == 1
