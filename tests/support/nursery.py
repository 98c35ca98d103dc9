"""Nursery: a process that has imported the product, from which servers are forked without start-up time.

Most of a server's start is importing, which is equal for all. Tests of the start itself (a package, a server that
cannot work, a server without visits) use a cold start, as in production.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
POSSIBLE = sys.platform == "linux"  # on other systems libraries do not survive a fork
_nurse: list[subprocess.Popen[bytes]] = []


@dataclass
class Nursling:
    """A forked server, with the methods of a process that tests use."""

    pid: int

    def kill(self) -> None:
        """Kill it."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def poll(self) -> int | None:
        """Return None as long as it runs."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, 0)
            return None
        return 0

    def wait(self) -> None:
        """Wait until it has ended."""
        while self.poll() is None:
            time.sleep(0.01)


def copied(words: list[str], log: Path, folder: Path, around: dict[str, str]) -> Nursling:
    """Fork a server that runs Streamlit with these arguments, in a folder, with exactly this environment."""
    if not _nurse:
        command = [sys.executable, str(Path(__file__).resolve())]
        _nurse.append(subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
    nurse = _nurse[0]
    assert nurse.stdin is not None and nurse.stdout is not None
    order = {"words": words, "log": str(log), "folder": str(folder), "around": around}
    nurse.stdin.write(json.dumps(order).encode() + b"\n")
    nurse.stdin.flush()
    return Nursling(int(nurse.stdout.readline()))


def _import_all() -> None:
    """Import everything that a server imports, and exclude it from garbage collection."""
    sys.path[0] = str(ROOT)
    gc.disable()
    importlib.import_module("streamlit.web.cli")
    importlib.import_module("plotly.graph_objects")
    ui = importlib.import_module("discreet.ui")
    for module in pkgutil.walk_packages(ui.__path__, "discreet.ui."):
        if not module.name.endswith("shell"):  # these are scripts
            importlib.import_module(module.name)
    away = importlib.import_module("discreet.ui.frame.background")
    away.ready = bool  # workers import on demand: most servers of tests need none
    gc.collect()
    gc.freeze()
    gc.enable()


def _become(order: dict[str, Any]) -> None:
    """Become a server, like a process of its own."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    sink = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for ours, its in ((nothing, 0), (sink, 1), (sink, 2)):
        os.dup2(ours, its)
    os.environ.clear()
    os.environ.update(order["around"])
    os.chdir(order["folder"])
    sys.argv = ["streamlit", *order["words"]]
    sys.exit(importlib.import_module("streamlit.web.cli").main(prog_name="streamlit"))


def _serve() -> None:
    """Fork for each order until the input ends; then kill all forks."""
    _import_all()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no one waits for ended children
    pids = []
    for line in iter(sys.stdin.buffer.readline, b""):
        pid = os.fork()
        if not pid:
            _become(json.loads(line))
        pids.append(pid)
        print(pid, flush=True)
    for pid in pids:
        Nursling(pid).kill()


if __name__ == "__main__":
    _serve()
