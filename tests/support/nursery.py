"""A nursery of servers: a process that has imported the house, of which each server is a copy, ready at once.

What takes a server most of its start is the same for all: importing. Whatever looks at the start itself (a package, a
server that cannot work, a server that nobody has visited) begins cold, as everybody's does.
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
POSSIBLE = sys.platform == "linux"  # elsewhere libraries do not like to be copied
_nurse: list[subprocess.Popen[bytes]] = []


@dataclass
class Nursling:
    """A copy that has become a server: what tests ask of a process."""

    pid: int

    def kill(self) -> None:
        """End it at once."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def poll(self) -> int | None:
        """Return nothing for as long as it lives."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, 0)
            return None
        return 0

    def wait(self) -> None:
        """Return when it has ended."""
        while self.poll() is None:
            time.sleep(0.01)


def copied(words: list[str], log: Path, folder: Path, around: dict[str, str]) -> Nursling:
    """Let a copy run Streamlit with these words, in a folder, with nothing else of an environment."""
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
    """Import what a server imports sooner or later, and keep it out of every collection."""
    sys.path[0] = str(ROOT)
    gc.disable()
    importlib.import_module("streamlit.web.cli")
    importlib.import_module("plotly.graph_objects")
    ui = importlib.import_module("discreet.ui")
    for module in pkgutil.walk_packages(ui.__path__, "discreet.ui."):
        if not module.name.endswith("shell"):  # these are scripts
            importlib.import_module(module.name)
    away = importlib.import_module("discreet.ui.frame.background")
    away.ready = bool  # a worker imports what it computes with when it is asked: most servers of tests ask none
    gc.collect()
    gc.freeze()
    gc.enable()


def _become(order: dict[str, Any]) -> None:
    """Be a server, as a process of its own would be."""
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
    """Copy this process for each order, until nobody gives any; then end all copies."""
    _import_all()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the dead
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
