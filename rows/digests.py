"""Digests: the content of rows as a hash, which names their session budget."""

from __future__ import annotations

from hashlib import sha256

import pyarrow as pa

from discreet.rows.sealing import Content

PIECE = 2**22


def of_table(table: pa.Table) -> str:
    """Return the hash of a table in memory."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks())
    return sha256(sink.getvalue()).hexdigest()


def of_bytes(data: bytes | Content) -> str:
    """Return the hash of a file."""
    if isinstance(data, bytes):
        return sha256(data).hexdigest()
    digest = sha256()
    with data.open() as file:
        while piece := file.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()
