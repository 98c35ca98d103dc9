"""Lost executors: whatever is killed in the middle, nobody is in two blocks and no row is counted twice."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.lab.simulation import SimulationNoise
from discreet.rows import Dataset, LocalSource, Number, Person, Schema
from discreet.rows.counting import Task
from discreet.rows.engines.spark import SparkSource
from discreet.rows.persons import DrawnLots

KILLS = 20
SIZE, PEOPLE, PARTS = 60_000, 3_000, 12
AGE = Number(0, 100, integer=True)
ROWS = Schema({"age": AGE})
PERSONS = Schema({"age": AGE, "who": Person(rows=2)})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write rows of which each block can say whose they are: everybody's age is their own number of a hundred."""
    folder, numbers = tmp_path_factory.mktemp("lost"), np.arange(SIZE)
    table = pa.table({"age": numbers % 97, "who": [f"P{number % PEOPLE}" for number in numbers]})
    for at in range(PARTS):
        pq.write_table(table.slice(at * SIZE // PARTS, SIZE // PARTS), folder / f"{at:02}.parquet")
    return folder


@pytest.fixture(scope="module")
def source(session: Any, folder: Path) -> SparkSource:
    """Return them as a table whose every part takes a while, so that a kill falls into the middle."""

    def slow(batches: Any) -> Any:
        for batch in batches:
            time.sleep(0.4)
            yield batch

    frame = session.read.parquet(str(folder)).mapInArrow(slow, "age long, who string")
    frame.createOrReplaceTempView("lost")
    return SparkSource("lost", session)


def executors() -> list[psutil.Process]:
    """Return the JVMs of the cluster that run tasks."""
    mine = psutil.Process().children(recursive=True)
    return [process for process in mine if any("CoarseGrainedExecutorBackend" in word for word in _words(process))]


def _words(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def killing(work: Callable[[], Any], after: float) -> tuple[Any, int]:
    """Do something, and meanwhile kill one executor; say how many were killed before it was done."""
    killed, done = list[int](), threading.Event()

    def kill() -> None:
        time.sleep(after)
        for victim in executors()[:1]:
            if not done.is_set():
                victim.kill()
                killed.append(victim.pid)

    killer = threading.Thread(target=kill)
    killer.start()
    result = work()
    done.set()
    killer.join()
    return result, len(killed)


def checked(source: SparkSource, folder: Path, at: int) -> None:
    """Ask for counts, for rows of persons and for blocks, each of which must be as without a loss."""
    here = LocalSource(pa.concat_tables([pq.read_table(file) for file in sorted(folder.iterdir())]))
    lots = DrawnLots(SimulationNoise(at))
    if at % 3 == 0:
        there = Dataset(source, ROWS).column("age", (), lots)
        whole = Dataset(here, ROWS).column("age", (), lots)
        assert (there.levels.tolist(), there.counts.tolist()) == (whole.levels.tolist(), whole.counts.tolist())
    elif at % 3 == 1:
        assert Dataset(source, PERSONS).column("age", (), lots).n == 2 * PEOPLE
    else:
        sizes = source.group(lambda ages: float(ages.size), Task.of(PERSONS, ("age",)), lots, 7)
        assert sum(sizes) == SIZE and all(size % (SIZE // PEOPLE) == 0 for size in sizes)


def test_a_lost_executor_changes_nothing(source: SparkSource, folder: Path) -> None:
    """Twenty times: a block has whole persons only (each has twenty rows), and all rows are there once."""
    killed = 0
    for at in range(KILLS):
        _, count = killing(lambda at=at: checked(source, folder, at), 1.0 + 0.35 * (at % 9))
        killed += count
    assert killed >= KILLS * 3 // 4  # the others came too late to disturb anything
