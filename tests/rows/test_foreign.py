"""Foreign: what is no table is called what it is, and a table that begins like it is read."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import pickle
import sqlite3
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.orc as orc
import pytest

from discreet.budget.errors import ParameterError
from discreet.rows import LocalSource
from discreet.rows.files import suggest

CANARY = "secret-4711"
TABLE = f"name,pay\n{CANARY},2\n".encode()


def sqlite(folder: Path) -> bytes:
    """Return a database."""
    with sqlite3.connect(folder / "x.db") as base:
        base.execute("CREATE TABLE t (a TEXT)")
    base.close()
    return (folder / "x.db").read_bytes()


def archive(*names: str) -> bytes:
    """Return a packed archive of texts."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as packed:
        for name in names:
            packed.writestr(name, CANARY)
    return sink.getvalue()


def tar() -> bytes:
    """Return an archive that is not packed."""
    sink = io.BytesIO()
    with tarfile.open(fileobj=sink, mode="w") as box:
        box.addfile(tarfile.TarInfo("x.csv"))
    return sink.getvalue()


def saved(verb: object) -> bytes:
    """Return what something writes into a file."""
    sink = io.BytesIO()
    verb(sink)  # type: ignore[operator]
    return sink.getvalue()


ROWS = pa.table({"a": [1, 2]})
FOREIGN: dict[str, tuple[bytes, str]] = {
    **{f"pickle {at}": (pickle.dumps([CANARY], protocol=at), "pickle.*Export") for at in range(2, 6)},
    "packed twice": (gzip.compress(gzip.compress(TABLE)), "compressed.*Unpack"),
    "bzip2": (bz2.compress(TABLE), "compressed.*Unpack"),
    "xz": (lzma.compress(TABLE), "compressed.*Unpack"),
    "zip": (archive("x.csv", "y.csv"), "contains 2 files: x.csv, y.csv. Unpack"),
    "document": (archive("[Content_Types].xml", "word/document.xml"), "This is a compressed archive, not a workbook"),
    "ods": (archive("mimetype", "content.xml"), "OpenDocument.*xlsx"),
    "tar": (tar(), "archive.*Unpack"),
    "old xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old Office.*xlsx"),
    "r": (b"RDX3\nX\n" + bytes(9), "is R data.*Export"),
    "numpy": (saved(lambda sink: np.save(sink, np.zeros(3))), "NumPy"),
    "hdf": (b"\x89HDF\r\n\x1a\n" + bytes(90), "HDF5"),
    "orc": (saved(lambda sink: orc.write_table(ROWS, sink)) + bytes(1), "ORC"),
    "old feather": (saved(lambda sink: feather.write_feather(ROWS, sink, version=1)), "version 1"),
    "stream": (saved(lambda sink: pa.ipc.new_stream(sink, ROWS.schema).close()), "an Arrow stream"),
    "avro": (b"Obj\x01" + bytes(9), "Avro"),
    "rtf": (b"{\\rtf1 " + TABLE, "text document"),
    "page": (b"\n<HTML><table><tr><td>" + TABLE, "web page"),
    "sql": (b"-- dump\nCREATE TABLE t (a TEXT);\nINSERT INTO t VALUES ('" + TABLE, "an SQL script.*Export"),
    "postgres": (b"PGDMP" + bytes(9), "PostgreSQL"),
    "json": (b'["' + TABLE, "list of objects"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_foreign_file_is_called_what_it_is(name: str) -> None:
    """In a sentence that says what to do, and quotes nothing."""
    data, says = FOREIGN[name]
    with pytest.raises(ParameterError, match=says) as refused:
        LocalSource(data)
    assert CANARY not in str(refused.value)


def test_a_database_is_one(tmp_path: Path) -> None:
    """Its tables are exported first."""
    with pytest.raises(ParameterError, match="SQLite.*Export"):
        suggest(sqlite(tmp_path))


@pytest.mark.parametrize(
    "header", ["ORCID,name", "MZ,b", "PARENT,b", "FEA1,b", "PARE,b", "[id],[name]", "{a},b", "set,a"]
)
def test_a_table_whose_first_name_looks_foreign_is_read(header: str) -> None:
    """Words are words where nothing else speaks against them."""
    assert LocalSource(f"{header}\n1,2\n".encode()).names == header.split(",")
