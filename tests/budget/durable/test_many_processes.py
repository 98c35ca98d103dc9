"""Eight processes race for one budget; others are killed; the database server is, too."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from math import inf
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
import sqlalchemy as sa
from support import workers
from support.postgres import Postgres
from support.soak import times
from support.workers import CHARGE, FORK, PROCESSES

from discreet.budget import AlreadyCharged, Cost
from discreet.budget.durable import DurableLedger, Store, open_budget, verify

pytestmark = pytest.mark.long

ATTEMPTS, KILLS = times(16, 1250), times(8, 60)
FITS = times(100, 1000)
LIMIT = Cost.of(f"{FITS / 1000}")  # a charge is a thousandth
ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.soak
def test_eight_processes_spend_a_budget_once(url: str) -> None:
    """A hundred attempts and more, in `make soak` thousands: as many charges as fit, each somebody's, none twice."""
    store = Store(url).prepare()
    open_budget(store, "race", LIMIT)
    store.close()
    start = time.perf_counter()
    reports = workers.together(workers.race, url, ATTEMPTS)
    taken = time.perf_counter() - start
    accepted = [name for names, _, _ in reports for name in names]
    ledger = DurableLedger(Store(url), "race")
    written = [line["request"] for line in ledger.lines if line["kind"] == "charge"]
    assert len(accepted) == len(set(accepted)) == FITS
    assert sorted(accepted) == sorted(written)
    assert ledger.spent == LIMIT and verify(Store(url), "race").holds
    print(f"{PROCESSES * ATTEMPTS / taken:.0f}/s, worst wait {max(w for *_, w in reports):.2f} s")


def test_eight_processes_make_the_tables_of_an_empty_database(empty_url: str) -> None:
    """Two servers that start at once do not refuse each other."""
    errors = workers.together(workers.prepared, empty_url, 1)
    assert errors == [""] * PROCESSES
    open_budget(Store(empty_url), "race", LIMIT)


def test_reading_and_then_writing_overspends(url: str) -> None:
    """The naive twin lets more through than fits: the race of the test above is a real one."""
    store = Store(url).prepare()
    with store.engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE naive (name TEXT)"))
    store.close()
    reports = workers.together(workers.naive, url, 60)
    assert sum(len(names) for names, _, _ in reports) > 100


def acknowledged(out: Connection, most: float = inf) -> list[tuple[str, str]]:
    """Return what a worker says, until it has said so much or died."""
    lines: list[tuple[str, str]] = []
    with suppress(EOFError, ConnectionResetError):
        while len(lines) < most:
            lines.append(out.recv())
    return lines


@pytest.mark.soak
def test_a_killed_process_loses_nothing_that_it_acknowledged(url: str) -> None:
    """Kills at random points: what was said is written, once, and the chain holds.

    Kills of the whole road to an answer are in tests/office/test_kills.py.
    """
    store = Store(url).prepare()
    ledger = open_budget(store, "race", Cost.of(50))
    store.close()
    choose = random.Random(11)
    said: list[tuple[str, str]] = []
    for turn in range(0, KILLS, 4):
        pipes = [FORK.Pipe(duplex=False) for _ in range(4)]
        running = [
            FORK.Process(target=workers.until_killed, args=(url, number, turn, into), daemon=True)
            for number, (_, into) in enumerate(pipes)
        ]
        for process, (_, into) in zip(running, pipes, strict=True):
            process.start()
            into.close()
        for process, (out, _) in zip(running, pipes, strict=True):
            said += acknowledged(out, choose.randrange(1, 5))
            time.sleep(choose.random() * 0.01)
            process.kill()
            said += acknowledged(out)
            process.join()
    again = Store(url)
    records = Counter((line["kind"], line["request"]) for line in ledger.lines)
    assert len(said) > KILLS and max(records.values()) == 1
    assert not [line for line in said if line not in records]
    assert verify(again, "race").holds
    for kind, name in said[:20]:
        if kind == "charge":
            with pytest.raises(AlreadyCharged):
                DurableLedger(again, "race").charge(name, workers.CHARGE)


def test_a_killed_database_server_comes_back_with_every_charge(tmp_path: Path) -> None:
    """The whole server killed while four processes charge; after a restart nothing is missing."""
    server = Postgres(tmp_path / "own")
    url = server.database()
    open_budget(Store(url).prepare(), "race", Cost.of(50))
    pipes = [FORK.Pipe(duplex=False) for _ in range(4)]
    running = [
        FORK.Process(target=workers.until_killed, args=(url, number, 0, into), daemon=True)
        for number, (_, into) in enumerate(pipes)
    ]
    for process, (_, into) in zip(running, pipes, strict=True):
        process.start()
        into.close()
    said = [line for out, _ in pipes for line in acknowledged(out, 8)]
    server.kill()
    said += [line for out, _ in pipes for line in acknowledged(out)]
    server.start()
    records = {(line["kind"], line["request"]) for line in DurableLedger(Store(url), "race").lines}
    assert len(said) > 20 and not [line for line in said if line not in records]
    assert verify(Store(url), "race").holds
    server.stop()


def test_opening_a_house_twice_leaves_the_file_locked(tmp_path: Path) -> None:
    """What one process writes another sees, whoever has opened and closed the file in between.

    Closing any handle of a file drops all locks of its process: SQLite in another process would
    then think itself alone, delete the log that is in use, and the next charges would be lost.
    """
    url = f"sqlite:///{tmp_path / 'ledger.db'}"
    first = Store(url).prepare()
    ledger = open_budget(first, "one", Cost.of("1"))
    ledger.charge("a", CHARGE)
    second = Store(url).prepare()
    elsewhere = (
        f"import sys\nfrom discreet.budget.durable import *\nfor _ in sys.stdin: s = Store({url!r}); "
        "print(len(DurableLedger(s, 'one').lines), flush=True); s.close()"
    )
    command = [sys.executable, "-c", elsewhere]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin is not None and other.stdout is not None
        for name, lines in (("b", 1), ("c", 2), ("d", 3)):
            other.stdin.write("look\n")
            other.stdin.flush()
            assert int(other.stdout.readline()) == lines
            ledger.charge(name, CHARGE)
    for store in (first, second):
        store.close()
