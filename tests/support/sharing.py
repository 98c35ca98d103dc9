"""Sharing: a file of tests goes to one worker, and what opens a browser goes to one together.

It needs one browser and one server then. The groups of xdist (`--dist loadgroup`) would say the same, but xdist 3.8
writes them into a field that pytest 9.2 does not read: every test is dealt out by itself.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

ROOT = Path(__file__).resolve().parents[2]
OPENS = re.compile(r"^def (test_\w+)\([^)]*\b(?:chromium|visit): ", re.MULTILINE)


class Shared(LoadFileScheduling):
    """Deal out files, and the tests that open a browser as if they were one file."""

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        """Look for these in the source: whoever deals tests out has not collected any."""
        super().__init__(config, log)
        self._opening = {
            f"{file.relative_to(ROOT).as_posix()}::{name}"
            for file in (ROOT / "tests").rglob("test_*.py")
            for name in OPENS.findall(file.read_text(encoding="utf-8"))
        }

    def _split_scope(self, nodeid: str) -> str:
        return "browsers" if nodeid.partition("[")[0] in self._opening else super()._split_scope(nodeid)
