"""Causes: what is wrong with the machine is one sentence for people and one word for the log."""

from __future__ import annotations

import multiprocessing
import resource
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
import sqlalchemy as sa

from discreet.office.__main__ import main
from discreet.office.house.failures import CLOSED, FULL, NO_ADDRESS, UNREACHABLE, cause, sentence
from discreet.office.house.vault import Vault

CANARY = b"canary-4711"
FORK = multiprocessing.get_context("fork")


def raised(work: object) -> Exception:
    """Return what something raises."""
    with pytest.raises(Exception) as info:  # noqa: B017, PT011
        work()  # type: ignore[operator]
    return info.value  # type: ignore[no-any-return]


def test_a_full_disk_is_said_and_logged_by_its_number() -> None:
    """The device that is always full, and a file that may not grow."""

    def fill() -> None:
        with open("/dev/full", "wb", 0) as disk:
            disk.write(CANARY)

    wrong = raised(fill)
    assert sentence(wrong) == FULL and cause(wrong) == "OSError ENOSPC"


def _put(folder: Path, out: Connection) -> None:
    vault = Vault(folder)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    wrong = raised(lambda: vault.put(CANARY * 1000))
    out.send((sentence(wrong), cause(wrong), sorted(path.name for path in folder.iterdir())))


def test_rows_that_do_not_fit_leave_nothing_in_the_vault(tmp_path: Path) -> None:
    """What was begun is taken away again; the sentence holds no path."""
    out, into = FORK.Pipe(duplex=False)
    process = FORK.Process(target=_put, args=(tmp_path / "vault", into))
    process.start()
    message, logged, left = out.recv()
    process.join()
    assert message == FULL and logged == "OSError EFBIG" and left == ["key"]


def test_a_database_without_room_or_rights_or_server_is_told_apart(tmp_path: Path) -> None:
    """By SQLite's own words; nothing of the statement is logged."""
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'a.db'}", hide_parameters=True)
    with engine.begin() as db:
        db.exec_driver_sql("PRAGMA max_page_count = 3")
        db.exec_driver_sql("CREATE TABLE t (v TEXT)")

    def grow() -> None:
        with engine.begin() as db:
            db.exec_driver_sql("PRAGMA max_page_count = 3")
            db.execute(sa.text("INSERT INTO t VALUES (:v)"), {"v": CANARY.decode() * 10_000})

    wrong = raised(grow)
    assert sentence(wrong) == FULL and cause(wrong) == "OperationalError SQLITE_FULL"

    def write() -> None:
        with engine.begin() as db:
            db.exec_driver_sql("PRAGMA query_only = ON")
            db.exec_driver_sql("DELETE FROM t")

    wrong = raised(write)
    assert sentence(wrong) == CLOSED and cause(wrong) == "OperationalError SQLITE_READONLY"
    gone = sa.create_engine("postgresql+psycopg://nobody:pw@127.0.0.1:1/none")
    wrong = raised(gone.connect)
    assert sentence(wrong) == UNREACHABLE and "pw" not in cause(wrong)


@pytest.mark.parametrize("url", ["mysql://a:b@host/c", "nonsense", "oracle+none://x"])
def test_a_command_says_which_address_is_wrong(url: str, tmp_path: Path) -> None:
    """A driver that is not here, or no address at all: one sentence, no traceback."""
    with pytest.raises(SystemExit) as ended:
        main(["people", "--home", str(tmp_path / "home"), "--database", url])
    assert ended.value.code == str(NO_ADDRESS)


def test_what_is_no_fault_of_the_machine_has_no_such_sentence() -> None:
    """An error of ours keeps its reference."""
    assert sentence(ValueError(CANARY.decode())) is None
    assert cause(ValueError(CANARY.decode())) == "ValueError"
