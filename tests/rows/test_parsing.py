"""Parsing: what a file can do to the server is nothing; the process that reads it has limits."""

from __future__ import annotations

import io
import os
import resource
import signal
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Thread

import pyarrow as pa
import pytest
from pyarrow import feather

from discreet.budget.errors import ParameterError
from discreet.rows import LocalSource
from discreet.rows.intake import parser
from discreet.rows.intake.parser import ready

GROWS = 200 * 2**20


def below(pid: int) -> list[int]:
    """Return the processes below another one."""
    try:
        children = [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
    except OSError:
        return []
    return [*children, *(descendant for child in children for descendant in below(child))]


def test_the_process_that_parses_knows_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its environment and its open files hold nothing of the server's (the database's address)."""
    monkeypatch.setenv("DISCREET_DATABASE", "postgresql://somebody:canary-4711@host/db")
    monkeypatch.setattr(parser, "_parsers", [])
    LocalSource(b"a,b\n1,2\n")
    pid = ready()._process.pid
    environment = Path(f"/proc/{pid}/environ").read_bytes()
    assert b"canary" not in environment and b"DISCREET" not in environment
    assert os.readlink(f"/proc/{pid}/cwd") == "/"
    assert len(os.listdir(f"/proc/{pid}/fd")) <= 4


def test_the_process_that_parses_has_loaded_no_pandas() -> None:
    """Nothing of it is in its memory, though Arrow looks for it."""
    LocalSource(b"a,b\n1,2\n")
    loaded = Path(f"/proc/{ready()._process.pid}/maps").read_text()
    assert "pyarrow" in loaded and "pandas" not in loaded


@pytest.mark.parametrize("kind", ["wide", "one line"])
def test_a_text_takes_little_memory_of_the_server_however_wide_it_is(kind: str) -> None:
    """Two thousand columns are read in pieces of cells, elsewhere: the server holds the table."""
    line = ",".join(["1"] * 2_000)
    names = ",".join(f"c{i}" for i in range(2_000))
    data = f"{names}\n{(line + chr(10)) * 2_000}".encode()
    if kind == "one line":
        data = b"a\n" + b"x" * (8 * 2**20)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        LocalSource(data)
    except ParameterError as refused:
        assert kind == "one line" and "Line 2 cannot be read" in str(refused)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    assert grown < GROWS


def test_a_file_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the clock, and by the time of a processor; both get one sentence."""
    data = b"a,b\n" + b"1,2\n" * 2_000_000
    monkeypatch.setattr(parser, "SECONDS", 1)
    monkeypatch.setattr(parser, "SECONDS_A_MIB", 0)
    with pytest.raises(ParameterError, match="too long to read"):
        LocalSource(data)


def test_only_so_many_files_are_read_at_once_and_whoever_waits_can_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn is waited for, with a word now and then; after a while it is refused."""
    for _ in range(parser.AT_ONCE):
        parser._own_turns.acquire()
    heard: list[float] = []
    monkeypatch.setattr(parser, "PATIENCE", 0.5)
    try:
        with pytest.raises(ParameterError, match="reading other files"):
            LocalSource(b"a,b\n1,2\n", report=heard.append)
    finally:
        for _ in range(parser.AT_ONCE):
            parser._own_turns.release()
    assert heard
    assert LocalSource(b"a,b\n1,2\n").names == ["a", "b"]


def test_a_reading_that_is_stopped_leaves_no_process() -> None:
    """Whoever stops listening ends the process that reads."""

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        LocalSource(b"a,b\n" + b"1,2\n" * 1_000_000, report=stop)
    end = time.monotonic() + 20
    while below(ready()._process.pid) and time.monotonic() < end:
        time.sleep(0.1)
    assert not below(ready()._process.pid)


def test_a_killed_process_is_a_refusal_and_the_next_file_is_read() -> None:
    """The one that reads, and the one that waits: the server goes on."""

    def kill() -> None:
        while not (pids := below(ready()._process.pid)[1:]):
            time.sleep(0.01)
        os.kill(pids[0], signal.SIGKILL)

    ready()
    killer = Thread(target=kill)
    killer.start()
    with pytest.raises(ParameterError, match="when unpacked"):
        LocalSource(b"a,b\n" + b"1,2\n" * 3_000_000)
    killer.join()
    assert LocalSource(b"a,b\n1,2\n").names == ["a", "b"]
    os.kill(ready()._process.pid, signal.SIGKILL)
    assert LocalSource(b"a,b\n1,2\n").names == ["a", "b"]


def test_a_process_that_hangs_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that waits is replaced; a file whose reader and watcher hang is a refusal."""
    monkeypatch.setattr(parser, "LATE", 0.5)
    monkeypatch.setattr(parser, "SECONDS", 1)
    monkeypatch.setattr(parser, "SECONDS_A_MIB", 0)
    monkeypatch.setattr(parser, "_parsers", [])
    waits = ready()
    waits._control.settimeout(0.5)
    os.kill(waits._process.pid, signal.SIGSTOP)
    assert LocalSource(b"a,b\n1,2\n").names == ["a", "b"]
    assert ready() is not waits and not waits.alive

    def stop() -> None:
        while len(pids := below(ready()._process.pid)) < 2:
            time.sleep(0.01)
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        stopped.extend(pids)

    stopped = list[int]()
    stopper = Thread(target=stop)
    stopper.start()
    start = time.monotonic()
    with pytest.raises(ParameterError, match="too long to read"):
        LocalSource(b"a,b\n" + b"1,2\n" * 3_000_000)
    assert time.monotonic() - start < 30
    stopper.join()
    for pid in stopped:
        with suppress(ProcessLookupError):  # whoever was asked instead may have ended it already
            os.kill(pid, signal.SIGKILL)


def test_one_browser_has_one_turn_and_registered_rows_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever brings two slow files waits for the first; nobody else does."""
    monkeypatch.setattr(parser, "PATIENCE", 0.5)
    with ExitStack() as slow:
        slow.enter_context(parser._turn(parser._own("one"), lambda _: None))
        with parser.brought_by("one"), pytest.raises(ParameterError, match="reading other files"):
            LocalSource(b"a,b\n1,2\n")
        with parser.brought_by("another"):
            assert LocalSource(b"a,b\n1,2\n").names == ["a", "b"]
        for _ in range(parser.AT_ONCE):
            slow.enter_context(parser._turn(parser._turns, lambda _: None))
        with parser.brought_by("a third"), pytest.raises(ParameterError, match="other files"):
            LocalSource(b"a,b\n1,2\n")
        assert LocalSource(b"a,b\n1,2\n").names == ["a", "b"]
    with parser.brought_by("one"):
        assert LocalSource(b"a,b\n1,2\n").names == ["a", "b"]


def test_rows_weigh_what_a_question_takes_of_them() -> None:
    """A column of nothing is small in a file and in memory, and large in a question."""
    rows = 100_000
    assert LocalSource(pa.table({"a": pa.nulls(rows)})).weight >= 64 * rows
    assert LocalSource(pa.table({"a": pa.array([0] * rows, pa.int8())})).weight >= 64 * rows


def test_rows_stop_coming_once_they_take_more_than_there_is_room_for() -> None:
    """Before they are all in the server's memory: a small file may hold very many."""
    sink = io.BytesIO()
    feather.write_feather(pa.table({"a": pa.nulls(3_000_000)}), sink, compression="zstd")
    assert len(sink.getvalue()) < 2**20
    with (
        parser.brought_by("one", 2**26),
        pytest.raises(ParameterError, match="The server has no memory left for more files"),
    ):
        LocalSource(sink.getvalue())
    with parser.brought_by("one", 2**30):
        assert LocalSource(sink.getvalue()).weight == 64 * 3_000_000


def test_too_many_columns_are_refused_by_their_number() -> None:
    """Whatever the format; the header comes first, and nothing is made of each."""
    names = [f"c{i}" for i in range(10_000)]
    sink = io.BytesIO()
    feather.write_feather(pa.table({name: pa.array([1], pa.int8()) for name in names}), sink)
    for data in (",".join(names).encode() + b"\n", sink.getvalue()):
        with pytest.raises(ParameterError, match="2000 columns"):
            LocalSource(data)
