"""Ledger: charges per second by eight processes, and the error of reading before writing without a lock."""

from __future__ import annotations

import multiprocessing
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlalchemy as sa

from benchmarks.report import table
from discreet.budget import BudgetExceeded, Cost
from discreet.budget.durable import DurableLedger, Store, open_budget

PROCESSES, ATTEMPTS, FITS = 8, 250, 1000
CHARGE, LIMIT = Cost.of("0.001"), Cost.of("1.0")
FORK = multiprocessing.get_context("fork")


def ours(url: str, worker: int, results: Any) -> None:
    """Charge repeatedly; report how often it was accepted and the longest wait."""
    ledger, accepted, worst = DurableLedger(Store(url), "race"), 0, 0.0
    for attempt in range(ATTEMPTS):
        start = time.perf_counter()
        try:
            ledger.charge(f"{worker}:{attempt}", CHARGE)
            accepted += 1
        except BudgetExceeded:
            pass
        worst = max(worst, time.perf_counter() - start)
    results.send((accepted, worst))


def naive(url: str, worker: int, results: Any) -> None:
    """Read what is spent, decide, then write: no lock, no chain, no guards."""
    engine = sa.create_engine(url, connect_args={"timeout": 30})
    accepted, worst = 0, 0.0
    for attempt in range(ATTEMPTS):
        start = time.perf_counter()
        with engine.connect() as connection:
            spent = connection.execute(sa.text("SELECT COUNT(*) FROM naive")).scalar_one()
        if spent < FITS:
            with engine.begin() as connection:
                name = {"name": f"{worker}:{attempt}"}
                connection.execute(sa.text("INSERT INTO naive VALUES (:name)"), name)
            accepted += 1
        worst = max(worst, time.perf_counter() - start)
    results.send((accepted, worst))


def race(work: Any, url: str) -> tuple[float, int, float]:
    """Run eight processes concurrently; return attempts per second, accepted ones, the longest wait."""
    pipes = [FORK.Pipe(duplex=False) for _ in range(PROCESSES)]
    running = [
        FORK.Process(target=work, args=(url, number, into), daemon=True) for number, (_, into) in enumerate(pipes)
    ]
    start = time.perf_counter()
    for process in running:
        process.start()
    results = [out.recv() for out, _ in pipes]
    taken = time.perf_counter() - start
    return PROCESSES * ATTEMPTS / taken, sum(n for n, _ in results), max(w for _, w in results)


def run() -> None:
    """Print both on SQLite files of their own: 2,000 attempts at 1,000 charges that fit."""
    lines = []
    with TemporaryDirectory() as folder:
        for name, work in (("ours", ours), ("reads, then writes", naive)):
            url = f"sqlite:///{Path(folder) / work.__name__}.db"
            if work is ours:
                store = Store(url).prepare()
                open_budget(store, "race", LIMIT)
                store.close()
            else:
                with sa.create_engine(url).begin() as connection:
                    connection.execute(sa.text("PRAGMA journal_mode=WAL"))
                    connection.execute(sa.text("CREATE TABLE naive (name TEXT PRIMARY KEY)"))
            lines.append((name, *race(work, url)))
    fastest = lines[1][1]
    table(
        "Ledger: eight processes, 2,000 attempts, room for 1,000 (SQLite)",
        ("", "attempts/s", "accepted", "worst wait, s", "reads-then-writes / this"),
        [
            (name, f"{rate:.0f}", f"{accepted}", f"{worst:.2f}", f"{fastest / rate:.2f}")
            for name, rate, accepted, worst in lines
        ],
    )
