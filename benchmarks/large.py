"""Ten to a hundred million rows of Parquet: time, memory and exact counts, compared with np.sum."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.report import table, verdict

SIZES = (10**6, 10**7, 10**8)
LIMIT_MIB = 1024
PIECE = 10**6
BOUNDS = (0.0, 100.0)
WIDTH = 10.0  # of a band


def write(path: Path, rows: int) -> None:
    """Write a generated column of doubles piece by piece."""
    schema = pa.schema([("value", pa.float64())])
    with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
        for piece in range(rows // PIECE):
            rng = np.random.default_rng(piece)
            values = np.clip(rng.gamma(8, 4.8, PIECE), *BOUNDS)
            writer.write_table(pa.table({"value": values}, schema=schema))


def answer(path: Path) -> None:
    """Release a mean, a median and a count; print seconds and peak memory."""
    from discreet.budget import Cost, SessionLedger
    from discreet.curator import Curator, Request
    from discreet.mechanisms import registry
    from discreet.queries import registry as queries
    from discreet.rows import Dataset, LocalSource, Number, Schema

    start = time.perf_counter()
    schema = Schema({"value": Number(*BOUNDS)})
    dataset = Dataset(LocalSource(path), schema)
    curator = Curator(dataset, SessionLedger(Cost.of(10, "1e-6")), tick=0)
    smooth = registry["smooth-core-tail"]
    for mechanism in (
        smooth(query=queries["mean"](), m=64),
        smooth(query=queries["median"]()),
        registry["geometric"](query=queries["count"]()),
    ):
        print(curator.ask(Request(mechanism, ("value",))).answer)
    seconds = time.perf_counter() - start
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def bands(path: Path) -> None:
    """Release count, mean and variance in bands of the column; print seconds and peak memory."""
    from discreet.budget import Cost, SessionLedger
    from discreet.curator import Curator, Request
    from discreet.mechanisms import registry
    from discreet.queries import registry as queries
    from discreet.rows import Bands, Dataset, LocalSource, Number, Schema

    start = time.perf_counter()
    dataset = Dataset(LocalSource(path), Schema({"value": Number(*BOUNDS)}))
    curator = Curator(dataset, SessionLedger(Cost.of(10)), tick=0)
    for statistic in ("mean", "variance"):
        mechanism = registry["soft-moments"](query=queries[statistic](), epsilon=1.0)
        print(curator.ask(Request(mechanism, ("value",), (), Bands("value", every=WIDTH))).answer)
    print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def plain_sum(path: Path) -> None:
    """Read the column whole and sum it with NumPy: the reference."""
    start = time.perf_counter()
    values = pq.read_table(path)["value"].to_numpy()
    middle = time.perf_counter()
    np.sum(values)
    end = time.perf_counter()
    print(end - start, end - middle, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def _child(what: str, path: Path) -> list[str]:
    command = [sys.executable, "-m", "benchmarks.large", what, str(path)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")


def run() -> None:
    """Print the table for every size, each in its own process."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            path = Path(folder) / "column.parquet"
            write(path, size)
            *_, answered, _ = _child("answer", path)
            seconds, peak = map(float, answered.split())
            *_, answered, _ = _child("bands", path)
            in_bands, peak_of_bands = map(float, answered.split())
            whole, summed, all_of_it = map(float, _child("sum", path)[0].split())
            rows.append(
                (
                    f"{size:,}",
                    f"{seconds:.2f} s",
                    f"{seconds / size * 1e9:.0f} ns",
                    f"{peak:.0f} MiB",
                    f"{in_bands:.2f} s, {peak_of_bands:.0f} MiB",
                    f"{whole:.2f} s ({summed:.3f} s the sum)",
                    f"{all_of_it:.0f} MiB",
                    verdict(max(peak, peak_of_bands), LIMIT_MIB),
                )
            )
            path.unlink()
    head = (
        "rows",
        "mean + median + count",
        "per row",
        "peak",
        "mean + variance in 10 bands",
        "read whole + np.sum",
        "its peak",
        f"peaks <= {LIMIT_MIB} MiB",
    )
    table("Large files: one Parquet column of doubles", head, rows)


if __name__ == "__main__":
    {"answer": answer, "bands": bands, "sum": plain_sum}[sys.argv[1]](Path(sys.argv[2]))
