"""Progress: how far a run of several workers is, in a line; and at the end its first failure, once more."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

EVERY = 2.0  # seconds, on a terminal
LINES = 20  # in a log
SHOWN = 30  # lines of the first failure


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Watch a run from where its workers are seen; whoever asks for more words or fewer gets those of pytest."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or hasattr(config, "workerinput") or config.get_verbosity() < 0:
        return
    config.pluginmanager.register(FirstFailure())
    if getattr(config.option, "numprocesses", None) and not config.get_verbosity():
        config.pluginmanager.register(Progress(reporter))


class Progress:
    """A line instead of a dot for each test."""

    def __init__(self, reporter: Any) -> None:
        """Write where the other lines are written."""
        self._reporter = reporter
        self._begun = time.monotonic()
        self._total = 0
        self._done = 0
        self._failed = 0
        self._next = 0.0  # on a terminal a time, in a log a number of tests

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_report_teststatus(self) -> Iterator[None]:
        """Count a test as everybody does, and write no letter for it."""
        category, *_ = yield
        return category, "", ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count what fails: setting up, running and tearing down."""
        self._failed += report.failed

    def pytest_runtest_logfinish(self) -> None:
        """Count a test, and say so now and then."""
        self._total = self._reporter._session.testscollected
        self._done += 1
        if self._reporter.isatty:
            if time.monotonic() >= self._next:
                self._reporter.rewrite(self.line(), erase=True)
                self._next = time.monotonic() + EVERY
        elif self._done >= self._next or self._done == self._total:
            self._reporter.write_line(self.line())
            self._next = self._done + self._total / LINES

    def line(self) -> str:
        """Return how far it is."""
        minutes, seconds = divmod(int(time.monotonic() - self._begun), 60)
        share = 100 * self._done // max(1, self._total)
        return f"[{share:3} %] {self._done} of {self._total}, {self._failed} failed, {minutes}:{seconds:02}"


class FirstFailure:
    """What failed first, below everything else."""

    def __init__(self) -> None:
        """Wait for it."""
        self._first: pytest.TestReport | pytest.CollectReport | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the first test that fails."""
        if report.failed and self._first is None:
            self._first = report

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep the first file that cannot be read."""
        if report.failed and self._first is None:
            self._first = report

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> Iterator[None]:
        """Show it after every list; only the closing line of the run comes later."""
        answer = yield
        if self._first is not None:
            terminalreporter.section("the first failure", red=True)
            lines = self._first.longreprtext.splitlines()
            for line in ["...", *lines[-SHOWN:]] if len(lines) > SHOWN else lines:
                terminalreporter.write_line(line)
            terminalreporter.write_line(f"\nAgain: {again(self._first.nodeid)}")
        return answer


def again(test: str) -> str:
    """Return the command that runs a test again."""
    python = Path(sys.executable)
    if python.is_relative_to(Path.cwd()):
        python = python.relative_to(Path.cwd())
    soak = "SOAK=1 " if os.environ.get("SOAK") else ""
    return f"{soak}{python} -m pytest -n 0 {shlex.quote(test)}"
