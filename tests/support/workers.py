"""Workers: processes that charge one budget as fast as they can, until they finish or are killed."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

import sqlalchemy as sa

from discreet.budget import AlreadyCharged, BudgetExceeded, Cost
from discreet.budget.durable import DurableLedger, Store
from discreet.office.house.tables import HISTORY

CHARGE = Cost.of("0.001")
PROCESSES = 8
FORK = multiprocessing.get_context("fork")


def together(work: Callable[..., None], url: str, attempts: int) -> list[Any]:
    """Run a worker in eight processes at the same time; return the result of each."""
    pipes = [FORK.Pipe(duplex=False) for _ in range(PROCESSES)]
    running = [
        FORK.Process(target=work, args=(url, number, attempts, into), daemon=True)
        for number, (_, into) in enumerate(pipes)
    ]
    for process, (_, into) in zip(running, pipes, strict=True):
        process.start()
        into.close()  # so that the death of a worker is noticed
    reports = [out.recv() for out, _ in pipes]
    for process in running:
        process.join()
    return reports


def race(url: str, worker: int, attempts: int, pipe: Connection) -> None:
    """Charge repeatedly, some requests twice; send what was accepted, and the longest wait."""
    ledger = DurableLedger(Store(url), "race")
    accepted, refused, worst = [], 0, 0.0
    for attempt in range(attempts):
        name = f"{worker}:{attempt}" if attempt % 10 else f"all:{attempt}"
        start = time.perf_counter()
        try:
            ledger.charge(name, CHARGE)
            accepted.append(name)
        except (BudgetExceeded, AlreadyCharged):
            refused += 1
        worst = max(worst, time.perf_counter() - start)
    pipe.send((accepted, refused, worst))


def prepared(url: str, worker: int, attempts: int, pipe: Connection) -> None:
    """Migrate a database; send the error, if any."""
    try:
        Store(url).prepare().close()
        pipe.send("")
    except sa.exc.SQLAlchemyError as wrong:
        pipe.send(str(wrong))


def prepared_by_turns(url: str, worker: int, attempts: int, pipe: Connection) -> None:
    """Bring a database up to date, as a ledger alone or as a house; tell what went wrong."""
    try:
        Store(url, None, *[HISTORY][: worker % 2]).prepare().close()
        pipe.send("")
    except sa.exc.SQLAlchemyError as wrong:
        pipe.send(str(wrong))


def naive(url: str, worker: int, attempts: int, pipe: Connection) -> None:
    """Read the amount spent, decide, then write, in a table without guards: the forbidden way."""
    engine = sa.create_engine(url, connect_args={"timeout": 30} if "sqlite" in url else {})
    accepted = []
    for attempt in range(attempts):
        with engine.connect() as connection:
            spent = connection.execute(sa.text("SELECT COUNT(*) FROM naive")).scalar_one()
        if spent < 100:
            time.sleep(0.02)  # long enough for others to read the old value, however fast the disk is
            with engine.begin() as connection:
                connection.execute(sa.text("INSERT INTO naive VALUES (:name)"), {"name": f"{worker}:{attempt}"})
            accepted.append(f"{worker}:{attempt}")
    pipe.send((accepted, attempts - len(accepted), 0.0))


def until_killed(url: str, worker: int, seed: int, pipe: Connection) -> None:
    """Charge and settle, and acknowledge each by name only after it was written."""
    choose, ledger = random.Random(seed), DurableLedger(Store(url), "race")
    with suppress(sa.exc.OperationalError):  # the server is killed, not the worker
        for attempt in range(10_000):
            name = f"{worker}:{seed}:{attempt}"
            ledger.charge(name, CHARGE, CHARGE)
            pipe.send(("charge", name))
            if choose.random() < 0.5:
                ledger.settle(name, taken=choose.random() < 0.5)
                pipe.send(("settle", name))
