"""Reach: which tests reach which bug, from one run of every file of tests by itself, with notes before the lines.

Each file has a process of its own: what is imported or remembered once is reached in each file that needs it, and what
servers and workers note while a file runs belongs to that file.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planting import ROOT, Bug, bugs, listing, places, product, reaching
from trees import Tree

MAP = ROOT / ".mutate" / "reach.json"
LIMIT = 1800  # seconds for one file of tests
# these look at the text of the product, and would see any edit
LOOK_AT_TEXT = (
    "tests/test_architecture.py",
    "tests/test_perimeter.py",
    "tests/test_repository.py",
    "tests/mutate/",
    "tests/lab/test_open_data.py",
    "tests/ui/test_words.py::test_a_catalogue",
    "tests/ui/test_words.py::test_a_list_of_many_choices",
    "tests/report/test_public.py::test_an_error_fills_in",
    "tests/report/test_public.py::test_a_log_holds",
    "tests/report/test_public.py::test_every_address_is_listed",
)


@dataclass(frozen=True)
class File:
    """A file of tests: how long each takes that passes, which open a browser, which reach a bug, by its key."""

    path: str
    seconds: dict[str, float]
    browser: list[str]
    reached: dict[str, list[str]]

    def named_for(self, bug: Bug, path: str) -> int:
        """Return 0 if the file is about the module of a bug, 1 if about its folder, else 2."""
        folders, _, stem = path.removesuffix(".py").rpartition("/")
        own = Path(self.path).stem.removeprefix("test_").strip("_")
        return 0 if stem in own or own in stem else 1 if folders and f"/{folders}/" in self.path else 2


def test_files(under: Iterable[str]) -> list[str]:
    """Return the files of tests that `make test` runs, or those of some folders."""
    every = [name for name in listing() if name.startswith("tests/") and Path(name).match("test_*.py")]
    return [name for name in every if not name.startswith(LOOK_AT_TEXT) and name.startswith(tuple(under) or "tests/")]


class Reach:
    """The map of all files, kept for as long as neither they nor the product change."""

    def __init__(self, mine: list[Bug], stale: bool) -> None:
        """Read what there is; a stale map is taken for files that have not changed themselves.

        A new one is made for all bugs, and has to be new for those that are asked for.
        """
        sources, self._mine = product(), {bug.key for bug in mine}
        at = {bug.key: places(bug, sources) for bug in bugs()}
        self._lines = {key: reaching(only[0], sources) for key, only in at.items() if len(only) == 1}
        if wrong := [bug.name for bug in mine if bug.key not in self._lines]:
            raise SystemExit(f"Found at no place, or at several: {'; '.join(wrong)}.")
        names = [
            name for name in listing() if not Path(name).match("test_*.py") and not name.startswith("tests/mutate")
        ]
        self._house = "" if stale else _digest(name for name in names if not name.endswith(".md"))
        self._entries: dict[str, Any] = json.loads(MAP.read_text(encoding="utf-8")) if MAP.exists() else {}

    def missing(self, files: list[str]) -> list[str]:
        """Return the files that are to be run."""
        return [name for name in files if not self._fresh(name)]

    def _fresh(self, name: str) -> bool:
        entry = self._entries.get(name, {"house": None, "file": None, "probes": []})
        same = entry["file"] == _digest([name]) and self._house in ("", entry["house"])
        return same and self._mine <= set(entry["probes"])

    def prepare(self, tree: Tree) -> None:
        """Let a copy of the project note what is reached."""
        tree.probe(self._lines)

    def run(self, tree: Tree, name: str, say: Callable[[str], None]) -> None:
        """Run a file of tests in a copy, and keep what it reaches."""
        for note in tree.notes.iterdir():
            note.unlink()
        ran = tree.run([name], None, LIMIT, MAP.parent / "reach.log")
        by_code = {str(zlib.crc32(test.encode())): test for test in ran.tests}
        reached: dict[str, list[str]] = {}
        for note in tree.notes.iterdir():
            key, _, code = note.name.partition("-")
            tests = reached.setdefault(key, [])
            tests += [by_code[code]] if code in by_code else []
        fails = sorted(test for test, (_, passed) in ran.tests.items() if not passed)
        self._entries[name] = {
            "house": self._house,
            "file": _digest([name]),
            "probes": sorted(self._lines),
            "seconds": {test: seconds for test, (seconds, passed) in ran.tests.items() if passed},
            "browser": ran.browser,
            "reached": reached,
        }
        failing = f"; left out, failing: {fails}" if fails else ""
        say(f"{name}: {len(ran.tests)} tests reach {len(reached)} bugs{failing}")

    def keep(self) -> None:
        """Write the map down."""
        MAP.write_text(json.dumps(self._entries), encoding="utf-8")

    def files(self, names: list[str]) -> list[File]:
        """Return files with what counts of them."""
        return [self._file(name, self._entries[name]) for name in names]

    def _file(self, name: str, entry: dict[str, Any]) -> File:
        seconds = {test: took for test, took in entry["seconds"].items() if not test.startswith(LOOK_AT_TEXT)}
        return File(name, seconds, entry["browser"], entry["reached"])


def _digest(names: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for name in names:
        digest.update(name.encode() + b"\0" + (ROOT / name).read_bytes() + b"\0")
    return digest.hexdigest()
