"""Parsing: from the server's side, the limited processes that read what comes from outside."""

from __future__ import annotations

import json
import math
import os
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from subprocess import DEVNULL, Popen
from threading import BoundedSemaphore, Lock, Thread
from time import monotonic
from typing import Any

import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.rows import limits, sniff
from discreet.rows.refusals import FULL, LATER, check_header, judge
from discreet.rows.sniff import MOST_CELLS, MOST_COLUMNS, Layout

# reserve no surplus; nothing else of the server's environment, which holds passwords, is told
ENVIRONMENT = {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "1"}
AT_ONCE = 2  # of files that people bring; and as many of those that are registered
MOST_WAITING = 10_000
PATIENCE = 60.0  # seconds that a file waits for its turn
LOOK_EVERY = 0.2
HANDED = 30.0  # seconds in which the waiting process takes a file over
LATE = 30.0  # seconds after the end of a file's patience in which its end must be told
SECONDS, SECONDS_A_MIB = 30, 4  # of a processor; three times as many by the clock

Report = Callable[[float], object]
Pieces = Iterable[bytes]


class Parser:
    """A process that has imported everything and waits; each file gets a limited copy of it."""

    def __init__(self) -> None:
        """Start it, with an environment and a folder that hold nothing."""
        self.owner = os.getpid()
        self._lock = Lock()
        self._control, theirs = socket.socketpair()
        self._control.settimeout(HANDED)
        with theirs:
            self._process = Popen(
                [sys.executable, "-P", str(Path(limits.__file__).resolve())],
                stdin=theirs.fileno(),
                stdout=DEVNULL,
                stderr=DEVNULL,
                env=ENVIRONMENT,
                cwd="/",
            )

    @property
    def alive(self) -> bool:
        """Say whether it is there, and ours: a copy of the server starts one of its own."""
        return self.owner == os.getpid() and self._process.poll() is None

    def take(self, job: dict[str, Any], rows: socket.socket, told: socket.socket) -> None:
        """Hand a file over: where its bytes come from, and where to say how it ended."""
        with self._lock:
            given = [rows.fileno(), told.fileno()]
            socket.send_fds(self._control, [json.dumps(job).encode()], given)
            if not self._control.recv(1):
                raise OSError

    def end(self) -> None:
        """End it: it is gone, or it hangs."""
        self._process.kill()
        self._process.wait()


_parsers: list[Parser] = []
_starting = Lock()
_turns, _own_turns = BoundedSemaphore(AT_ONCE), BoundedSemaphore(AT_ONCE)
_waiting: dict[str, BoundedSemaphore] = {}  # one turn for each browser
_whose: ContextVar[tuple[str, float]] = ContextVar("whose", default=("", math.inf))


@contextmanager
def brought_by(browser: str, most: float = math.inf) -> Iterator[None]:
    """Say who brought the files that are read now, and how many bytes their rows may take.

    A browser's files are read one after the other.
    """
    mark = _whose.set((browser, most))
    try:
        yield
    finally:
        _whose.reset(mark)


def ready() -> Parser:
    """Return the waiting process; start it where there is none."""
    with _starting:
        if not _parsers or not _parsers[0].alive:
            _parsers[:] = [Parser()]
        return _parsers[0]


def batches(
    pieces: Pieces, size: int, layout: Layout, report: Report, most_cells: float = MOST_CELLS
) -> Iterator[tuple[pa.Schema, pa.RecordBatch | None]]:
    """Parse a file elsewhere; yield its columns without rows first, then batch by batch.

    Every refusal is a sentence that quotes no cell. Whoever stops listening ends the parsing.
    """
    (browser, most), held = _whose.get(), 0
    turns = [_own(browser), _turns] if browser else [_own_turns]
    with ExitStack() as waited:
        for one in turns:
            waited.enter_context(_turn(one, report))
        for schema, batch in _parsed(pieces, _job(size, layout, most_cells), report):
            held += 0 if batch is None else weight(batch)
            if held > most:
                raise ParameterError(FULL)
            yield schema, batch


def weight(rows: pa.RecordBatch | pa.Table) -> int:
    """Return how many bytes rows take: however few a file needs, a question needs some dozens."""
    return max(int(rows.nbytes), sniff.ROW_BYTES * int(rows.num_rows))


def _own(browser: str) -> BoundedSemaphore:
    """Return the turn of one browser."""
    with _starting:
        if len(_waiting) > MOST_WAITING:
            _waiting.clear()
        return _waiting.setdefault(browser, BoundedSemaphore(1))


@contextmanager
def _turn(turns: BoundedSemaphore, report: Report) -> Iterator[None]:
    """Wait for a turn, and say so, so that the wait can be ended; have it."""
    end = monotonic() + PATIENCE
    while not turns.acquire(timeout=LOOK_EVERY):
        report(0.0)
        if monotonic() > end:
            raise ParameterError("The server is reading other files. Try again in a minute.")
    try:
        yield
    finally:
        turns.release()


def _job(size: int, layout: Layout, most_cells: float) -> dict[str, Any]:
    seconds = SECONDS + SECONDS_A_MIB * size // sniff.MIB
    encoding = "utf-8-sig" if layout.encoding == "utf-8" else layout.encoding
    return {
        "kind": layout.format,
        "encoding": encoding,
        "separator": layout.separator,
        "size": size,
        "unpacked": sniff.LARGEST_UNPACKED,
        "columns": MOST_COLUMNS,
        "cells": most_cells,
        "book": sniff.LARGEST_UNPACKED // 4,
        "seconds": seconds,
        "patience": 3 * seconds,
    }


def _parsed(pieces: Pieces, job: dict[str, Any], report: Report) -> Iterator[tuple[pa.Schema, pa.RecordBatch | None]]:
    (ours, rows), (word, told) = _pair(job), _pair(job)
    with ours, word:
        with rows, told:
            _hand_over(job, rows, told)
        fed = [0]
        feeding = Thread(target=_feed, args=(ours, pieces, fed), daemon=True)
        feeding.start()
        whole = False
        try:
            for found in _received(ours):
                yield found
                if found[1] is not None:
                    report(min(1.0, fed[0] / max(job["size"], 1)))
            whole = True
        except (pa.ArrowException, OSError):
            pass  # the process says itself what was wrong
        finally:
            with suppress(OSError):
                ours.shutdown(socket.SHUT_RDWR)
            feeding.join()
        judge(job["kind"], whole, _word(word))
    report(1.0)


def _pair(job: dict[str, Any]) -> tuple[socket.socket, socket.socket]:
    """Return our end of a connection and theirs: they end a slow file themselves, ours is for one that hangs."""
    ours, theirs = socket.socketpair()
    ours.settimeout(job["patience"] + LATE)
    return ours, theirs


def _word(ended: socket.socket) -> bytes:
    """Return how it ended; nobody waits longer for the word than for the file."""
    try:
        return ended.recv(4096)
    except TimeoutError:
        return LATER


def _hand_over(job: dict[str, Any], rows: socket.socket, told: socket.socket) -> None:
    """Give a file to the waiting process; where that one was ended meanwhile, to a new one."""
    for _ in range(2):
        parser = ready()
        try:
            return parser.take(job, rows, told)
        except OSError:
            parser.end()
    raise ParameterError("The server cannot read files now. Try again in a minute.")


def _feed(into: socket.socket, pieces: Pieces, fed: list[int]) -> None:
    with suppress(OSError):
        for piece in pieces:
            into.sendall(piece)
            fed[0] += len(piece)
        into.shutdown(socket.SHUT_WR)


def _received(told: socket.socket) -> Iterator[tuple[pa.Schema, pa.RecordBatch | None]]:
    """Yield what arrives; a bad header ends it before its rows."""
    with told.makefile("rb") as source, pa.ipc.open_stream(source) as rows:
        if rows.schema.names:
            check_header(rows.schema.names)
        yield rows.schema, None
        for batch in rows:
            yield rows.schema, batch
