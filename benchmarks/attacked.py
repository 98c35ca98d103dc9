"""Attacked: a server with little memory, visitors, and attackers who use several attacks at once.

`python -m benchmarks.attacked MINUTES MIB [ATTACK ...]`: as root on Linux, where a control group limits the memory.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks import visitors

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
GROUP = Path("/sys/fs/cgroup/memory/discreet")
PEOPLE, PORT = 25, 18901


def attacking(url: str, name: str, seconds: float, source: str) -> None:
    """Attack, with a low priority for the processor."""
    from support import strangers

    os.nice(10)
    strangers.attack(url, name, seconds, source)


def limited(mib: int) -> Any:
    """Return a function that puts a process into a control group with this much memory."""
    GROUP.mkdir(exist_ok=True)
    (GROUP / "memory.limit_in_bytes").write_text(str(mib << 20))
    return lambda: (GROUP / "cgroup.procs").write_text(str(os.getpid()))


def peak(over: threading.Event, server: subprocess.Popen[bytes], found: list[int]) -> None:
    """Record the group's memory use repeatedly."""
    while not over.wait(0.5):
        found.append(int((GROUP / "memory.usage_in_bytes").read_text()) if server.poll() is None else -1)


def main(minutes: float, mib: int, names: list[str]) -> None:
    """Print what visitors and the health check observed, and whether the server survived."""
    from support import strangers

    visitors.SECONDS = 60 * minutes
    names = names or ["half messages", "many states", "many names", "slow heads", "half requests", "slow bodies"]
    assert all(name in strangers.ATTACKS for name in names), sorted(strangers.ATTACKS)
    with tempfile.TemporaryDirectory() as home:
        server, url = visitors.started(ROOT, PORT, home, limited(mib)), f"http://127.0.0.1:{PORT}"
        seconds = visitors.SECONDS + 2 * visitors.THOUGHT + PEOPLE / 8
        people = [
            get_context("spawn").Process(target=attacking, args=(url, name, seconds, f"127.0.0.{at}"))
            for at, name in enumerate(names, start=2)
        ]
        over, found = threading.Event(), list[int]()
        watch = threading.Thread(target=peak, args=(over, server, found))
        try:
            for person in people:
                person.start()
            watch.start()
            begun = time.monotonic()
            seen = asyncio.run(visitors.measure(url, [server.pid], PEOPLE))
            print(f"{', '.join(names)}: {minutes:g} minutes, {mib} MiB")
            print(seen.row("attacked", PEOPLE))
            lives = "lives" if server.poll() is None else "is dead"
            late = sum(second > 1 for second in seen.health)
            print(
                f"The server {lives} after {time.monotonic() - begun:.0f} s; at most {max(found) >> 20} MiB; "
                f"{late} of {len(seen.health)} looks at its health took more than a second."
            )
        finally:
            over.set()
            watch.join()
            for person in people:
                person.kill()
            with suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
