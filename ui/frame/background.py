"""Background: long computations on public inputs run in worker processes, so that no screen waits."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, TypeVar

T = TypeVar("T")
LOOK_EVERY = 2.0


def _leave_with(parent: int) -> None:
    """End this worker once its server process is gone, however that ended."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_EVERY)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def ready() -> bool:
    """Import in the worker what the first computation needs."""
    import discreet.lab.sweeps  # noqa: F401

    return True


_LOCK = threading.Lock()
_POOLS: list[ProcessPoolExecutor] = []  # empty until a pool is first needed, then one


def pool() -> ProcessPoolExecutor:
    """Return the pool of workers, which leaves one core to the screens."""
    with _LOCK:
        if not _POOLS:
            _POOLS.append(
                ProcessPoolExecutor(
                    max(1, (os.cpu_count() or 2) - 1), get_context("spawn"), _leave_with, (os.getpid(),)
                )
            )
        return _POOLS[0]


def away(function: Callable[..., T], *args: Any) -> T:
    """Run a function of public inputs in a worker, or in this process if the workers are broken."""
    workers = pool()
    try:
        return workers.submit(function, *args).result()
    except BrokenProcessPool:
        with _LOCK:
            if workers in _POOLS:
                _POOLS.remove(workers)
        return function(*args)
