"""Watched: a process of pytest that runs some tests in an order, and notes each as it begins and ends.

`python tests/mutate/watched.py JOB`: a JSON file of `report`, `words` for pytest, `tests` (null: all but browsers).
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


class Watch:
    """What pytest asks and hears; a process that is killed leaves what it had noted."""

    def __init__(self, report: Path, tests: list[str] | None) -> None:
        """Note into a file; run these tests only."""
        self._report = report
        self._order = None if tests is None else {test: at for at, test in enumerate(tests)}
        self._failed = False

    def _note(self, *parts: Any) -> None:
        with self._report.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(parts) + "\n")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what was not asked for, after everybody else has had their say."""
        order = self._order
        if order is not None:
            items[:] = sorted((item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid])
            return
        for item in items:
            if "chromium" in getattr(item, "fixturenames", ()):
                self._note("browser", item.nodeid)
        items[:] = [item for item in items if "chromium" not in getattr(item, "fixturenames", ())]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that cannot be read any more is a test that fails."""
        if report.failed:
            self._note("end", report.nodeid, 0.0, False)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note a test before it runs, and how it went."""
        self._failed, begun = False, time.monotonic()
        self._note("begin", item.nodeid)
        answer = yield
        self._note("end", item.nodeid, round(time.monotonic() - begun, 3), not self._failed)
        return answer

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Setting up, running and tearing down count."""
        self._failed |= report.failed


if __name__ == "__main__":
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.exit(pytest.main(job["words"], plugins=[Watch(Path(job["report"]), job["tests"])]))
