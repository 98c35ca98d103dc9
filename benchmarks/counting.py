"""Exact counts of many rows: CPU seconds and peak memory compared with DuckDB and Polars, in one run, on one file.

Every way counts rows by tick, by tick and group, and by tick with one random row per person. The first two must be
equal to the last row; of the third, which is random, equally many rows must count.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.report import table, verdict

PIECE = 10**6
ROWS_OF_ONE = 7
GROUPS = tuple(f"canton {i}" for i in range(12))
TOP = 2**20 - 1  # 2^20 ticks of a quarter
SMALL, LARGE = 10**7, 10**8
FORM = pa.schema([("age", pa.float64()), ("income", pa.float64()), ("canton", pa.string()), ("who", pa.int64())])
# query: the number, its top and step, whether by group, whether by person
QUESTIONS: dict[str, tuple[str, int, float, bool, bool]] = {
    "101 ticks": ("age", 100, 1, False, False),
    "2^20 ticks": ("income", TOP, 0.25, False, False),
    "12 groups x 2^20 ticks": ("income", TOP, 0.25, True, False),
    "<= 1 row a person": ("income", TOP, 0.25, False, True),
}
TIMES = {"101 ticks": 2.5, "2^20 ticks": 1.0, "<= 1 row a person": 2.5}  # DuckDB's CPU seconds, at most
MIB = {"12 groups x 2^20 ticks": 1024, "<= 1 row a person": 1536}  # at 10^8 rows, at most
Answer = dict[str, Any]


def write(path: Path, rows: int) -> None:
    """Write ages, incomes, cantons and persons piece by piece; each person has seven rows on average."""
    with pq.ParquetWriter(path, FORM) as writer:
        for piece in range(rows // PIECE):
            rng = np.random.default_rng(piece)
            codes = pa.array(rng.integers(0, len(GROUPS), PIECE, dtype=np.int32))
            columns = [
                pa.array(np.floor(rng.gamma(8, 4.8, PIECE)) - 2.0),
                pa.array(np.round(np.exp(rng.normal(10.6, 0.9, PIECE)), 2)),
                pa.DictionaryArray.from_arrays(codes, pa.array(GROUPS)).cast(pa.string()),
                pa.array(rng.integers(0, rows // ROWS_OF_ONE, PIECE) * 977),
            ]
            writer.write_table(pa.table(columns, schema=FORM))


def of_discreet(path: str, question: str) -> Callable[[], Answer]:
    """Count as a release does, with fresh lots."""
    from discreet.noise.source import ReleaseNoise
    from discreet.rows import Category, Dataset, LocalSource, Number, Person, Schema
    from discreet.rows.persons import DrawnLots

    name, top, step, grouped, persons = QUESTIONS[question]
    declared = Number(0, top * step, step) if step < 1 else Number(0, top, integer=True)
    schema = Schema({name: declared, "canton": Category(GROUPS)} | ({"who": Person()} if persons else {}))

    def count() -> Answer:
        data = Dataset(LocalSource(path), schema)
        lots = DrawnLots(ReleaseNoise())
        by = ("canton",) if grouped else ()
        columns = data.crossed(name, by, (), lots).values()
        return _answer((cell, column.levels, column.counts) for cell, column in enumerate(columns))

    return count


def of_duckdb(path: str, question: str) -> Callable[[], Answer]:
    """Count with DuckDB, with the same arithmetic of ticks."""
    import duckdb

    name, top, step, grouped, persons = QUESTIONS[question]
    db = duckdb.connect()
    inside = f"(CASE WHEN {name} <= 0 THEN 0 WHEN {name} >= {top * step} THEN {top * step} ELSE {name} END)"
    nearest = f"floor({inside} / {step}::DOUBLE + 0.5)" if step < 1 else f"floor({inside})"
    tick = f"least({nearest}, {top})::BIGINT"
    cell = f"list_position({list(GROUPS)}, canton) - 1" if grouped else "0"
    rows = f"SELECT {cell} AS cell, {tick} AS tick FROM '{path}' WHERE {name} IS NOT NULL"
    if persons:
        rows = f"SELECT 0 AS cell, arg_min({tick}, random()) AS tick FROM '{path}' GROUP BY who"

    def count() -> Answer:
        sql = f"SELECT cell, tick, count(*) AS n FROM ({rows}) GROUP BY ALL ORDER BY ALL"
        counts = db.execute(sql).fetchnumpy()
        return _answer(_by_cell(counts["cell"], counts["tick"], counts["n"]))

    return count


def of_polars(path: str, question: str) -> Callable[[], Answer]:
    """Count with Polars, streaming."""
    import polars as pl

    name, top, step, grouped, persons = QUESTIONS[question]
    inside = pl.col(name).clip(0, top * step)
    tick = ((inside / step + 0.5) if step < 1 else inside).floor().clip(0, top).cast(pl.Int64).alias("tick")
    codes = {group: code for code, group in enumerate(GROUPS)}
    cell = pl.col("canton").replace_strict(codes, return_dtype=pl.Int64) if grouped else pl.lit(0, pl.Int64)

    def count() -> Answer:
        rows = pl.scan_parquet(path).select(cell.alias("cell"), tick, *(["who"] if persons else []))
        if persons:
            rows = rows.group_by("who").agg(pl.col("cell").first(), pl.col("tick").sample(1).first())
        counts = rows.group_by("cell", "tick").agg(pl.len().alias("n")).sort("cell", "tick").collect(engine="streaming")
        return _answer(_by_cell(*(counts[column].to_numpy() for column in ("cell", "tick", "n"))))

    return count


def _by_cell(cells: Any, ticks: Any, rows: Any) -> Iterator[tuple[int, Any, Any]]:
    """Split sorted counts by cell."""
    for cell in range(len(GROUPS)):
        low, high = np.searchsorted(cells, (cell, cell + 1))
        yield cell, ticks[low:high], rows[low:high]


def _answer(parts: Iterable[tuple[int, Any, Any]]) -> Answer:
    """Return what can be compared: a hash of all counts, and the number of rows."""
    digest, total = sha256(), 0
    for cell, ticks, rows in parts:
        if len(rows):
            digest.update(np.int64(cell).tobytes())
            digest.update(np.ascontiguousarray(ticks, dtype=np.int64).tobytes())
            digest.update(np.ascontiguousarray(rows, dtype=np.int64).tobytes())
            total += int(np.sum(rows))
    return {"counts": digest.hexdigest(), "rows": total}


WAYS = {"Discreet": of_discreet, "DuckDB": of_duckdb, "Polars": of_polars}


def child(way: str, path: str, question: str) -> None:
    """Count in a separate process and print what it took; imports are not measured."""
    count = WAYS[way](path, question)
    before = resource.getrusage(resource.RUSAGE_SELF)
    answer = count()
    after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    peak = Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]  # ru_maxrss is inherited
    print(json.dumps(answer | {"seconds": seconds, "mib": int(peak) / 1024}))


def _told(way: str, path: Path, question: str) -> Answer:
    command = [sys.executable, "-m", "benchmarks.counting", way, str(path), question]
    answer: Answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return answer


def _line(question: str, answers: dict[str, Answer], rows: int) -> list[str]:
    ours, duck = answers["Discreet"], answers.get("DuckDB", answers["Discreet"])
    for other in answers.values():
        same = other["rows"] == ours["rows"] and (QUESTIONS[question][-1] or other["counts"] == ours["counts"])
        assert same, f"not the same counts: {question}"
    ratio = ours["seconds"] / duck["seconds"]
    says = []
    if question in TIMES and rows == SMALL and "DuckDB" in answers:
        says.append(f"<= {TIMES[question]} x DuckDB {verdict(ratio, TIMES[question])}")
    if question in MIB and rows == LARGE:
        says.append(f"<= {MIB[question]} MiB {verdict(ours['mib'], MIB[question])}")
    cells = [f"{answers[w]['seconds']:.2f} s / {answers[w]['mib']:.0f} MiB" if w in answers else "" for w in WAYS]
    return [f"{rows:,}", question, *cells, f"{ratio:.2f}", f"{ours['rows']:,}", ", ".join(says)]


def run() -> None:
    """Print CPU seconds, peak MiB and ratios; at 10^8 rows for the queries with a memory limit."""
    lines = []
    sizes = [int(float(size)) for size in os.environ.get("DISCREET_ROWS", f"{SMALL},{LARGE}").split(",")]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        for rows in sizes:
            write(path, rows)
            for question in MIB if rows >= LARGE else QUESTIONS:
                lines.append(_line(question, {way: _told(way, path, question) for way in WAYS}, rows))
            path.unlink()
    head = ("rows", "counts", *(f"{way}: CPU / peak" for way in WAYS), "of DuckDB", "rows counted", "promised")
    table("Exact counts: one Parquet file, one process each", head, lines)


if __name__ == "__main__":
    child(*sys.argv[1:4])
