"""Sandbox: a limited process parses a file, and sends back plain, validated columns."""

from __future__ import annotations

import codecs
import gc
import json
import os
import resource
import select
import signal
import socket
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import IO

import pyarrow as pa
import pyarrow.compute as pc

from discreet.budget.errors import ParameterError
from discreet.rows.capacity import MIB
from discreet.rows.cells import within
from discreet.rows.files import formats
from discreet.rows.files.compressed import unpacked
from discreet.rows.files.format import (
    BEYOND,
    DAMAGED,
    ENCODING,
    READ,
    REFUSED,
    Batches,
    Job,
    Wrong,
    carried,
    nested_in,
    noted,
)

# --- Stream: the columns are sent to the server as plain, validated arrays, up to the limits ---

ROWS = 2**16


def plain(cells: pa.Array) -> pa.Array:
    """Return cells with memory of their own; nested cells become null."""
    kind = cells.type
    if isinstance(kind, pa.BaseExtensionType):
        return plain(cells.storage)
    if pa.types.is_dictionary(kind):
        return pa.DictionaryArray.from_arrays(cells.indices, within(plain(cells.dictionary))).dictionary_decode()
    if pa.types.is_run_end_encoded(kind):
        return plain(pc.run_end_decode(cells))
    if pa.types.is_nested(kind):
        return pa.nulls(len(cells), pa.large_string())
    if pa.types.is_string_view(kind):
        return cells.cast(pa.large_string())
    return cells.cast(pa.large_binary()) if pa.types.is_binary_view(kind) else cells


def write(out: IO[bytes], schema: pa.Schema, batches: Batches, job: Job, overfull: str) -> None:
    """Write plain batches up to the limits; more cells than allowed are refused with reason `overfull`."""
    weight = cells = 0
    written = _header(out, schema, job)
    with pa.ipc.new_stream(out, written) as writer:
        out.flush()  # the header may be refused before the first row is read
        for batch in batches:
            cells += batch.num_rows * batch.num_columns
            if cells > job["cells"]:
                raise Wrong(overfull)
            batch.validate(full=True)
            for start in range(0, batch.num_rows, ROWS):
                piece = [within(plain(column)) for column in batch.slice(start, ROWS).columns]
                weight += sum(column.nbytes for column in piece)
                if weight > job["unpacked"]:
                    raise Wrong(BEYOND)
                writer.write_batch(pa.record_batch(piece, schema=written))


def _header(out: IO[bytes], schema: pa.Schema, job: Job) -> pa.Schema:
    """Return the columns as they are written; if there are too many, only names are sent, and no row."""
    if len(schema) > job["columns"]:  # the header alone decides; each column takes time
        names = schema.names[: job["columns"] + 1]
        with pa.ipc.new_stream(out, pa.schema([(name, pa.null()) for name in names])):
            out.flush()
        raise Wrong(BEYOND)
    return noted(plain_schema(schema), nested=nested_in(schema))


def plain_schema(schema: pa.Schema) -> pa.Schema:
    """Return the schema of the columns after `plain`."""
    empty = [plain(column.combine_chunks()) for column in schema.empty_table().columns]
    types = (column.type for column in empty)
    return pa.schema(list(zip(schema.names, types, strict=True)), carried(schema.metadata) or None)


# --- Limits: uploads are parsed in processes of their own; a file that needs too much ends only its own ---


OWN = 64 * MIB  # what a reader needs for itself, most of it for the stacks of its threads
Reason = str | int  # why a file is refused, or the signal that ended its reader; empty or 0 if it was read


def confine(room: int, seconds: int) -> None:
    """Limit this process to `room` more bytes of memory and to `seconds` of time; let it write no file.

    Only Linux enforces the limit of memory; elsewhere the process is at least separate.
    """
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + room
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)


def work(job: Job, rows: int) -> tuple[Reason, int]:
    """Read one file from a socket and send its columns back; return why it is refused, and at which line."""
    if "function" in job:
        return _made(job, rows), 0
    form = formats[job["kind"]]
    try:
        confine(OWN + form.room(job), job["seconds"])
        both = socket.socket(fileno=rows)
        with both, both.makefile("rb") as data, both.makefile("wb") as out:
            keys = {"keys": json.loads(data.readline())} if job["keyed"] else {}  # they may be too many for a job
            schema, batches = form.read(unpacked(data, job["unpacked"]), job | keys)
            write(out, schema, batches, job, form.overfull)
    except MemoryError:
        return BEYOND, 0
    except Wrong as wrong:
        return wrong.reason, wrong.line
    except UnicodeError:
        return ENCODING, 0
    except (pa.ArrowException, OSError, ValueError, IndexError):
        return DAMAGED, 0
    return "", 0


def _made(job: Job, rows: int) -> Reason:
    """Send back the result of one of our functions on a small file, or the message with which it refuses the file."""
    function = getattr(import_module(job["module"]), job["function"])
    confine(OWN + job["room"], job["seconds"])
    both = socket.socket(fileno=rows)
    with both, both.makefile("rb") as data, both.makefile("wb") as out:
        try:
            beside = json.loads(data.readline())
            out.write(READ + function(data.read(job["size"]), beside))
        except ParameterError as wrong:
            out.write(REFUSED + json.dumps(wrong.args[0].plain()).encode())
        except Exception:
            return DAMAGED
    return ""


def watch(job: Job, rows: int, server: int) -> None:
    """Fork a reader for a file; kill it when its time is over or the server is gone; report the result."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    life, word = os.pipe()
    reader = os.fork()
    if reader == 0:
        os.close(server)
        os.write(word, json.dumps(work(job, rows)).encode())
        os._exit(0)
    os.close(word)
    os.close(rows)
    last, over, late = _last_words(life, server, job["patience"])
    if not over:
        os.kill(reader, signal.SIGKILL)
    ended = os.waitpid(reader, 0)[1]
    reason, line = json.loads(last) if last and ended == 0 else (-os.WTERMSIG(ended) or DAMAGED, 0)
    os.write(server, json.dumps([reason, line, late]).encode())


def _last_words(life: int, server: int, patience: float) -> tuple[bytes, bool, bool]:
    """Return a reader's last message, whether it has ended, and whether its time is over."""
    words = b""
    end = time.monotonic() + patience
    while True:
        ready, _, _ = select.select([life, server], [], [], max(0.0, end - time.monotonic()))
        piece = os.read(life, 4096) if life in ready else b""
        if not piece:
            return words, life in ready, not ready
        words += piece


def serve() -> None:
    """Wait for files until the server is gone; fork this process for each."""
    pa.array([""])  # imports what Arrow would otherwise import in each fork
    codecs.lookup("utf-8-sig")  # as Python would
    gc.collect()
    gc.freeze()  # memory that a collection marks would no longer be shared with forks
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control = socket.socket(fileno=0)
    while True:
        job, ends, _, _ = socket.recv_fds(control, 4096, 2)
        if not job:
            return
        if os.fork() == 0:
            control.close()
            watch(json.loads(job), *ends)
            os._exit(0)
        for end in ends:
            os.close(end)
        control.send(b".")
