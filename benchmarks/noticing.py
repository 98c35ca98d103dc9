"""Noticing: the time of making the imprints of a file at registration, compared with only reading it."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as pq

from benchmarks.report import table, verdict
from discreet.rows.files import suggest
from discreet.rows.imprints import imprints_of
from discreet.rows.source import LocalSource

SIZES, KEY = (10**5, 10**6), b"k" * 32
MOST = 2.0  # factor over reading a text file, at most


def people(rows: int) -> pa.Table:
    """Generate people with an identifier, an age, an income, a town and a day."""
    rng = np.random.default_rng(rows)
    codes = pa.array(rng.integers(0, 40, rows, dtype=np.int32))
    return pa.table(
        {
            "id": pa.array(np.arange(rows) * 977).cast(pa.string()),
            "age": rng.integers(0, 90, rows),
            "income": np.round(np.exp(rng.normal(10.6, 0.9, rows)), 2),
            "town": pa.DictionaryArray.from_arrays(codes, [f"town {at}" for at in range(40)]).cast(pa.string()),
            "day": rng.integers(0, 20_000, rows).astype("datetime64[D]"),
        }
    )


def _line(form: str, path: Path, rows: int) -> list[str]:
    """Time one file: reading all cells, and reading them for the imprints."""
    content = path.read_bytes()
    start = time.perf_counter()
    source = LocalSource(content, suggest(content))
    source.map(lambda batch: [batch.num_rows], list(source.names), [])
    middle = time.perf_counter()
    imprints_of(source, KEY, "id")
    reading, making = middle - start, time.perf_counter() - middle
    ratio = making / reading
    promise = verdict(ratio, MOST) if form == "text" else ""
    return [form, f"{rows:,}", f"{rows / reading:,.0f}", f"{rows / making:,.0f}", f"{ratio:.2f}", promise]


def run() -> None:
    """Print rows per second of both, and how many times as long imprints take."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for rows in SIZES:
            people_, text, typed = people(rows), Path(folder) / "people.csv", Path(folder) / "people.parquet"
            csv.write_csv(people_, text)
            pq.write_table(people_, typed)
            lines += [_line("text", text, rows), _line("Parquet", typed, rows)]
    head = ("file", "rows", "read, rows/s", "imprints, rows/s", "ratio", f"at most {MOST:g}")
    table("Imprints of a file, beside reading it", head, lines)
