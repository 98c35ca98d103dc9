"""Sharing: how test files are distributed over the workers of pytest-xdist, and where each starts to collect."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

ROOT = Path(__file__).resolve().parents[2]
OPENS = re.compile(r"^def (test_\w+)\([^)]*\b(?:chromium|visit): ", re.MULTILINE)


def files() -> list[Path]:
    """Return all test files."""
    return sorted((ROOT / "tests").rglob("test_*.py"))


def from_elsewhere(worker: Mapping[str, Any]) -> list[str]:
    """Return all files, starting at another one for each of several workers.

    In a new clone assertions are rewritten file by file: so each is rewritten once, and the other workers find it.
    """
    every = [str(file) for file in files()]
    begin = len(every) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    return every[begin:] + every[:begin]


class Shared(LoadFileScheduling):
    """Schedules by file, except that all tests with a browser go to one worker, with one browser and one server."""

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        """Find the tests with a browser: the scheduler has collected none itself."""
        super().__init__(config, log)
        self._opening = {
            f"{file.relative_to(ROOT).as_posix()}::{name}"
            for file in files()
            for name in OPENS.findall(file.read_text(encoding="utf-8"))
        }

    def _split_scope(self, nodeid: str) -> str:
        return "browsers" if nodeid.partition("[")[0] in self._opening else super()._split_scope(nodeid)
