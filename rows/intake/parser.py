"""Parser: the server's side of the process that parses files."""

from __future__ import annotations

import json
import math
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from itertools import chain
from pathlib import Path
from subprocess import DEVNULL, Popen
from threading import BoundedSemaphore, Lock, Thread
from time import monotonic
from typing import Any

import pyarrow as pa

from discreet.budget import plugins
from discreet.budget.errors import ParameterError, Phrase
from discreet.rows import capacity
from discreet.rows.capacity import MIB, MOST_CELLS, MOST_COLUMNS, ROW_BYTES
from discreet.rows.files import Format, Layout, formats
from discreet.rows.files.format import BEYOND, DAMAGED
from discreet.rows.schema import check_name

# --- Refusals: the errors for files that are not read. No sentence quotes a cell. ---

FULL = Phrase("The server has no memory left for more files. Discard this file, or try again later.")
STARVED = (-signal.SIGABRT, -signal.SIGKILL)  # it aborted for lack of memory, or was killed for it
UNTOLD = b"[-9, 0, false]"  # the watcher process was killed as well
LATER = b"[0, 0, true]"  # the watcher process hangs as well


class Unreachable(ParameterError):
    """A database or cluster that could not be opened or read; the reason is not given."""


def check_header(names: Sequence[str]) -> None:
    """Raise ParameterError for headers with no, duplicate, too many or unsafe names."""
    if not names:
        raise ParameterError("The file has no columns. The first line must name them.")
    if len(names) > MOST_COLUMNS:
        raise ParameterError(
            "The file has more than {most_columns} columns. Keep those you need.", most_columns=MOST_COLUMNS
        )
    if any(not str(name).strip() for name in names):
        raise ParameterError("A column has no name. Name every column in the first line.")
    if len(set(names)) < len(names):
        raise ParameterError("Two columns have the same name. Rename one of them.")
    for name in names:
        check_name(name)


def judge(form: Format, whole: bool, ended: bytes) -> None:
    """Raise the error for a file that was not read, if it was not."""
    reason, line, late = json.loads(ended or UNTOLD)
    if late or reason == -signal.SIGXCPU:
        raise ParameterError("This file takes too long to read. Split it, or use Parquet.")
    if reason in STARVED:
        reason = BEYOND
    if reason or not whole:
        raise form.refusal(reason or DAMAGED, line)


# --- Turns: whose file is read next, and which session uploaded it ---

AT_ONCE = 2  # of uploaded tables; the same limit again for registered ones, and for small files
MOST_WAITING = 10_000
PATIENCE = 60.0  # seconds that a file waits for its turn
LOOK_EVERY = 0.2
Report = Callable[[float], object]

_guard = Lock()
_turns, _own_turns, _small_turns = (BoundedSemaphore(AT_ONCE) for _ in range(3))
_waiting: dict[str, BoundedSemaphore] = {}  # one semaphore for each browser
_whose: ContextVar[tuple[str, float]] = ContextVar("whose", default=("", math.inf))


@contextmanager
def brought_by(browser: str, most: float = math.inf) -> Iterator[None]:
    """Set which browser uploaded the files that are read in this context, and how many bytes their rows may take.

    The files of a browser are read one after the other.
    """
    mark = _whose.set((browser, most))
    try:
        yield
    finally:
        _whose.reset(mark)


@contextmanager
def turn(report: Report) -> Iterator[float]:
    """Wait for the turn of the browser that uploaded a file; yield how many bytes its rows may take."""
    browser, most = _whose.get()
    turns = [_own(browser), _turns] if browser else [_own_turns]
    with ExitStack() as waited:
        for semaphore in turns:
            waited.enter_context(_turn(semaphore, report))
        yield most


@contextmanager
def small_turn(report: Report) -> Iterator[None]:
    """Wait for the turn of a small file: after other files of its browser, but not after tables of other browsers."""
    browser, _ = _whose.get()
    with ExitStack() as waited:
        for semaphore in ([_own(browser)] if browser else []) + [_small_turns]:
            waited.enter_context(_turn(semaphore, report))
        yield


def _own(browser: str) -> BoundedSemaphore:
    """Return the semaphore of one browser."""
    with _guard:
        if len(_waiting) > MOST_WAITING:
            _waiting.clear()
        return _waiting.setdefault(browser, BoundedSemaphore(1))


@contextmanager
def _turn(turns: BoundedSemaphore, report: Report) -> Iterator[None]:
    """Acquire the semaphore; report progress so that the user can cancel."""
    end = monotonic() + PATIENCE
    while not turns.acquire(timeout=LOOK_EVERY):
        report(0.0)
        if monotonic() > end:
            raise ParameterError("The server is reading other files. Try again in a minute.")
    try:
        yield
    finally:
        turns.release()


HANDED = 30.0  # seconds in which the waiting process accepts a file
# limit memory arenas; of the server's environment, which contains passwords, only the packages to load are passed on
ENVIRONMENT = {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "1", "OPENBLAS_NUM_THREADS": "1"}
START = """
import sys
sys.path += sys.argv[1:]
from discreet.rows.intake.no_pandas import without
without("pandas")
from discreet.rows.intake.sandbox import serve
serve()
"""
# the directory from which the process imports formats: a checkout or an installation; other packages are elsewhere
PACKAGE = Path(str(sys.modules["discreet"].__file__)).resolve().parents[1]


class Parser:
    """A process that has imported everything and waits; each file is read by a limited fork of it."""

    def __init__(self) -> None:
        """Start the process with a minimal environment and an empty folder."""
        self.owner = os.getpid()
        self._lock = Lock()
        self._control, theirs = socket.socketpair()
        self._control.settimeout(HANDED)
        with theirs:
            self._process = Popen(
                [sys.executable, "-P", "-c", START, str(PACKAGE), *plugins.places()],
                stdin=theirs.fileno(),
                stdout=DEVNULL,
                stderr=DEVNULL,
                env=ENVIRONMENT | plugins.setting(),
                cwd="/",
            )

    @property
    def alive(self) -> bool:
        """Return whether the process runs and is ours: a fork of the server starts one of its own."""
        return self.owner == os.getpid() and self._process.poll() is None

    def take(self, job: dict[str, Any], rows: socket.socket, word: socket.socket) -> None:
        """Pass a file on: the socket for its bytes and rows, and the socket for its result."""
        with self._lock:
            ends = [rows.fileno(), word.fileno()]
            socket.send_fds(self._control, [json.dumps(job).encode()], ends)
            if not self._control.recv(1):
                raise OSError

    def end(self) -> None:
        """Kill the process: it is gone, or it hangs."""
        self._process.kill()
        self._process.wait()


_parsers: list[Parser] = []
_starting = Lock()


def ready() -> Parser:
    """Return the waiting process; start it if there is none."""
    with _starting:
        if not _parsers or not _parsers[0].alive:
            _parsers[:] = [Parser()]
        return _parsers[0]


def hand_over(job: dict[str, Any], rows: socket.socket, word: socket.socket) -> None:
    """Pass a file to the waiting process, or to a new one if that one was killed meanwhile."""
    for _ in range(2):
        parser = ready()
        try:
            return parser.take(job, rows, word)
        except OSError:
            parser.end()
    raise ParameterError("The server cannot read files now. Try again in a minute.")


# --- Parsing: the server's side of the limited processes that read untrusted files ---


LATE = 30.0  # seconds after a file's deadline in which its result must arrive
SECONDS, SECONDS_A_MIB = 30, 4  # of processor time; three times as many of wall-clock time

Pieces = Iterable[bytes]
Part = tuple[pa.Schema, pa.RecordBatch | None]  # the columns, and some rows; the first one has no rows


def batches(
    pieces: Pieces,
    size: int,
    layout: Layout,
    report: Report,
    most_cells: float = MOST_CELLS,
    again: bool = False,
    columns: Sequence[str] | None = None,
) -> Iterator[Part]:
    """Parse a file in a limited process; yield its columns without rows first, then batch by batch.

    Every error is a sentence that quotes no cell. With `again` no row makes the file refused. If rows name their own
    cells, those of the declared `columns` are read. Closing the generator ends the parsing.
    """
    keyed = bool(columns) and formats[layout.format].keyed
    held = 0
    job = job_of(size, layout, most_cells, again) | {"keyed": keyed}
    if keyed:
        pieces = chain([json.dumps(list(columns or ())).encode() + b"\n"], pieces)
    with turn(report) as most:
        for schema, batch in _parsed(pieces, layout, job, report):
            held += 0 if batch is None else weight(batch)
            if held > most:
                raise ParameterError(FULL)
            yield schema, batch


def weight(rows: pa.RecordBatch | pa.Table) -> int:
    """Return how many bytes rows count for: however few a file needs, a query needs some dozens per row."""
    return max(int(rows.nbytes), ROW_BYTES * int(rows.num_rows))


def job_of(size: int, layout: Layout, most_cells: float, again: bool) -> dict[str, Any]:
    """Return the parameters of a file for the process that parses it."""
    seconds = SECONDS + SECONDS_A_MIB * size // MIB
    encoding = "utf-8-sig" if layout.encoding == "utf-8" else layout.encoding
    return {
        "kind": layout.format,
        "encoding": encoding,
        "separator": layout.separator,
        "header": layout.header,
        "row_names": layout.row_names,
        "skip": layout.skip,
        "comment": layout.comment,
        "sheet": layout.sheet,
        "width": layout.columns,
        "lenient": layout.lenient,
        "again": again,
        "size": size,
        "unpacked": capacity.LARGEST_UNPACKED,
        "columns": MOST_COLUMNS,
        "cells": most_cells,
        "seconds": seconds,
        "patience": 3 * seconds,
    }


def _parsed(pieces: Pieces, layout: Layout, job: dict[str, Any], report: Report) -> Iterator[Part]:
    """Yield what the process sends, while a thread feeds it; then raise the file's error, if there is one."""
    (ours, rows), (told, theirs) = pair(job), pair(job)
    with ours, told:
        with rows, theirs:
            hand_over(job, rows, theirs)
        feed = Feed(ours, pieces)
        whole = False
        try:
            for schema, batch in _received(ours):
                yield schema, batch
                if batch is not None:
                    report(min(1.0, feed.fed / max(job["size"], 1)))
            whole = True
        except (pa.ArrowException, OSError):
            pass  # the process reports the error itself
        finally:
            feed.end()
        judge(formats[layout.format], whole, word(told))
    report(1.0)


def pair(job: dict[str, Any]) -> tuple[socket.socket, socket.socket]:
    """Return both ends of a connection; the timeout is for a process that hangs, a slow one ends itself."""
    ours, theirs = socket.socketpair()
    ours.settimeout(job["patience"] + LATE)
    return ours, theirs


def word(ended: socket.socket) -> bytes:
    """Return the result of a file; the wait is bounded by the timeout of the connection."""
    try:
        return ended.recv(4096)
    except TimeoutError:
        return LATER


class Feed:
    """A thread that sends a file to the process that parses it."""

    def __init__(self, into: socket.socket, pieces: Pieces) -> None:
        """Start sending."""
        self.fed = 0  # bytes
        self._into = into
        self._pieces = pieces
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with suppress(OSError):
            for piece in self._pieces:
                self._into.sendall(piece)
                self.fed += len(piece)
            self._into.shutdown(socket.SHUT_WR)

    def end(self) -> None:
        """Stop sending."""
        with suppress(OSError):
            self._into.shutdown(socket.SHUT_RDWR)
        self._thread.join()


def _received(stream: socket.socket) -> Iterator[Part]:
    """Yield what arrives; an invalid header raises an error before its rows are read."""
    with stream.makefile("rb") as source, pa.ipc.open_stream(source) as rows:
        if rows.schema.names:
            check_header(rows.schema.names)
        yield rows.schema, None
        for batch in rows:
            yield rows.schema, batch
