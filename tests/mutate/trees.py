"""Trees: copies of the project in which one line may be another, and where pytest runs by itself."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from planting import ROOT, listing, noting

NOTING = '''"""Reached: which planted bug was reached while which test ran."""
import os
import zlib

_seen = set()


def note(bug):
    test = os.environ.get("PYTEST_CURRENT_TEST", "")
    if (bug, test) not in _seen:
        _seen.add((bug, test))
        name = f"{bug}-{zlib.crc32(test.rpartition(' (')[0].encode())}"
        try:
            os.close(os.open(os.path.join(NOTES, name), os.O_CREAT | os.O_WRONLY))
        except OSError:
            pass
'''


@dataclass
class Ran:
    """What became of some tests: the seconds of each and whether it passed; a test that never ended did not."""

    tests: dict[str, tuple[float, bool]] = field(default_factory=dict)
    browser: list[str] = field(default_factory=list)
    code: int = 0

    @property
    def failed(self) -> str | None:
        """Return the first test that failed."""
        return next((test for test, (_, passed) in self.tests.items() if not passed), None)


class Tree:
    """A copy of the project; what its tests write is beside it."""

    def __init__(self, folder: Path) -> None:
        """Copy all files; whoever asks git which there are hears the same."""
        self.root, self._beside, self.notes = folder / "tree", folder / "tmp", folder / "notes"
        self._report, self._job = folder / "report", folder / "job"
        for name in listing():
            goal = self.root / name
            goal.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, goal, follow_symlinks=False)
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)
        self._writes = 0

    def write(self, path: str, text: str) -> None:
        """Change a file, at a time that none of its compiled copies was made for."""
        self._writes += 1
        goal = self.root / path
        goal.write_text(text, encoding="utf-8")
        when = (ROOT / path).stat().st_mtime + self._writes
        os.utime(goal, (when, when))

    def restore(self, path: str) -> None:
        """Bring back a file of the project."""
        shutil.copy2(ROOT / path, self.root / path)

    def probe(self, lines: dict[str, set[tuple[str, int]]]) -> None:
        """Note before these lines that a bug, by its key, is reached: also in processes that tests start."""
        self.notes.mkdir()
        (self.root / "discreet" / "reached.py").write_text(f"NOTES = {str(self.notes)!r}\n{NOTING}", encoding="utf-8")
        for path in {path for places in lines.values() for path, _ in places}:
            here = [(line, key) for key, places in lines.items() for at, line in places if at == path]
            self.write(path, noting((ROOT / path).read_text(encoding="utf-8"), here))

    def run(self, files: list[str], tests: list[str] | None, seconds: float, log: Path, *words: str) -> Ran:
        """Run tests of files in one process, as `make test` does; end it when it takes longer."""
        for folder in (self._beside, self._report):
            shutil.rmtree(folder) if folder.is_dir() else folder.unlink(missing_ok=True)
        self._beside.mkdir()
        begin = ["-q", "-n", "0", "-p", "no:cacheprovider", f"--basetemp={self._beside / 'base'}"]
        job = {"report": str(self._report), "words": [*begin, *words, *files], "tests": tests}
        self._job.write_text(json.dumps(job), encoding="utf-8")
        command = [sys.executable, str(self.root / "tests" / "mutate" / "watched.py"), str(self._job)]
        around = os.environ | {"TMPDIR": str(self._beside)}
        with log.open("a", encoding="utf-8") as out:
            process = subprocess.Popen(
                command, cwd=self.root, env=around, stdout=out, stderr=out, start_new_session=True
            )
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        ran = Ran(code=process.returncode)
        lines = self._report.read_text(encoding="utf-8").splitlines() if self._report.exists() else []
        for kind, test, *parts in map(json.loads, lines):
            if kind == "browser":
                ran.browser.append(test)
            else:
                ran.tests[test] = (parts[0], parts[1]) if parts else (0.0, False)
        return ran
