"""Parser: the waiting process that parses files, as the server sees it."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path
from subprocess import DEVNULL, Popen
from threading import Lock
from typing import Any

from discreet.budget import plugins
from discreet.budget.errors import ParameterError

HANDED = 30.0  # seconds in which the waiting process takes a file over
# reserve no surplus; nothing else of the server's environment, which holds passwords, is told but the packages to load
ENVIRONMENT = {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "1", "OPENBLAS_NUM_THREADS": "1"}
START = """
import sys
sys.path += sys.argv[1:]
from discreet.rows.lean import without
without("pandas")
from discreet.rows.limits import serve
serve()
"""
# from where the process imports formats: a checkout, or where the package is installed; others lie elsewhere
PACKAGE = Path(str(sys.modules["discreet"].__file__)).resolve().parents[1]


class Parser:
    """A process that has imported everything and waits; each file gets a limited copy of it."""

    def __init__(self) -> None:
        """Start it, with an environment and a folder that hold nothing."""
        self.owner = os.getpid()
        self._lock = Lock()
        self._control, theirs = socket.socketpair()
        self._control.settimeout(HANDED)
        with theirs:
            self._process = Popen(
                [sys.executable, "-P", "-c", START, str(PACKAGE), *plugins.places()],
                stdin=theirs.fileno(),
                stdout=DEVNULL,
                stderr=DEVNULL,
                env=ENVIRONMENT | plugins.setting(),
                cwd="/",
            )

    @property
    def alive(self) -> bool:
        """Say whether it is there, and ours: a copy of the server starts one of its own."""
        return self.owner == os.getpid() and self._process.poll() is None

    def take(self, job: dict[str, Any], rows: socket.socket, word: socket.socket) -> None:
        """Hand a file over: where its bytes come from, and where to say how it ended."""
        with self._lock:
            ends = [rows.fileno(), word.fileno()]
            socket.send_fds(self._control, [json.dumps(job).encode()], ends)
            if not self._control.recv(1):
                raise OSError

    def end(self) -> None:
        """End it: it is gone, or it hangs."""
        self._process.kill()
        self._process.wait()


_parsers: list[Parser] = []
_starting = Lock()


def ready() -> Parser:
    """Return the waiting process; start it where there is none."""
    with _starting:
        if not _parsers or not _parsers[0].alive:
            _parsers[:] = [Parser()]
        return _parsers[0]


def hand_over(job: dict[str, Any], rows: socket.socket, word: socket.socket) -> None:
    """Give a file to the waiting process; where that one was ended meanwhile, to a new one."""
    for _ in range(2):
        parser = ready()
        try:
            return parser.take(job, rows, word)
        except OSError:
            parser.end()
    raise ParameterError("The server cannot read files now. Try again in a minute.")
