"""Parsing: from the server's side, the limited processes that read what comes from outside."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from threading import Thread
from typing import Any

import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.rows import capacity
from discreet.rows.capacity import MIB, MOST_CELLS, MOST_COLUMNS, ROW_BYTES
from discreet.rows.files import Layout, formats
from discreet.rows.parser import hand_over
from discreet.rows.refusals import FULL, LATER, check_header, judge
from discreet.rows.turns import Report, turn

LATE = 30.0  # seconds after the end of a file's patience in which its end must be told
SECONDS, SECONDS_A_MIB = 30, 4  # of a processor; three times as many by the clock

Pieces = Iterable[bytes]
Part = tuple[pa.Schema, pa.RecordBatch | None]  # the columns, and some rows; the first has none


def batches(
    pieces: Pieces,
    size: int,
    layout: Layout,
    report: Report,
    most_cells: float = MOST_CELLS,
    again: bool = False,
    columns: Sequence[str] | None = None,
) -> Iterator[Part]:
    """Parse a file elsewhere; yield its columns without rows first, then batch by batch.

    Every refusal is a sentence that quotes no cell. A file that is read `again` is refused for no row of it.
    Where rows name their own cells, those of the declared `columns` are read. Whoever stops listening ends the parsing.
    """
    keyed = bool(columns) and formats[layout.format].keyed
    held, job = 0, job_of(size, layout, most_cells, again) | {"keyed": keyed}
    if keyed:
        pieces = chain([json.dumps(list(columns or ())).encode() + b"\n"], pieces)
    with turn(report) as most:
        for schema, batch in _parsed(pieces, layout, job, report):
            held += 0 if batch is None else weight(batch)
            if held > most:
                raise ParameterError(FULL)
            yield schema, batch


def weight(rows: pa.RecordBatch | pa.Table) -> int:
    """Return how many bytes rows take: however few a file needs, a question needs some dozens."""
    return max(int(rows.nbytes), ROW_BYTES * int(rows.num_rows))


def job_of(size: int, layout: Layout, most_cells: float, again: bool) -> dict[str, Any]:
    """Return what the process is told of a file that parses it."""
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
    """Yield what the process sends back, while a thread feeds it; then say what was wrong, if anything."""
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
            pass  # the process says itself what was wrong
        finally:
            feed.end()
        judge(formats[layout.format], whole, word(told))
    report(1.0)


def pair(job: dict[str, Any]) -> tuple[socket.socket, socket.socket]:
    """Return our end of a connection and theirs: they end a slow file themselves, ours is for one that hangs."""
    ours, theirs = socket.socketpair()
    ours.settimeout(job["patience"] + LATE)
    return ours, theirs


def word(ended: socket.socket) -> bytes:
    """Return how it ended; nobody waits longer for the word than for the file."""
    try:
        return ended.recv(4096)
    except TimeoutError:
        return LATER


class Feed:
    """A thread that sends a file to the process that parses it."""

    def __init__(self, into: socket.socket, pieces: Pieces) -> None:
        """Begin."""
        self.fed = 0  # bytes
        self._into, self._pieces = into, pieces
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with suppress(OSError):
            for piece in self._pieces:
                self._into.sendall(piece)
                self.fed += len(piece)
            self._into.shutdown(socket.SHUT_WR)

    def end(self) -> None:
        """Send no more."""
        with suppress(OSError):
            self._into.shutdown(socket.SHUT_RDWR)
        self._thread.join()


def _received(stream: socket.socket) -> Iterator[Part]:
    """Yield what arrives; a bad header ends it before its rows."""
    with stream.makefile("rb") as source, pa.ipc.open_stream(source) as rows:
        if rows.schema.names:
            check_header(rows.schema.names)
        yield rows.schema, None
        for batch in rows:
            yield rows.schema, batch
