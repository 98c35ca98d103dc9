"""Sharing: which tests go to the same of several workers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

ROOT = Path(__file__).resolve().parents[1]
OPENS = re.compile(r"^def (test_\w+)\([^)]*\b(?:chromium|visit): ", re.MULTILINE)


class Shared(LoadFileScheduling):
    """A file goes to one worker; what opens a browser goes to one together, which needs one browser and one server."""

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        """Look for tests that open one: whoever deals them out has not collected any."""
        super().__init__(config, log)
        files = (ROOT / "tests").rglob("test_*.py")
        self._opening = {
            f"{file.relative_to(ROOT).as_posix()}::{name}"
            for file in files
            for name in OPENS.findall(file.read_text(encoding="utf-8"))
        }

    def _split_scope(self, nodeid: str) -> str:
        return "browsers" if nodeid.partition("[")[0] in self._opening else super()._split_scope(nodeid)
