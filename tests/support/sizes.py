"""Sizes: print how many modules each folder has, and which modules are the largest. No test depends on it."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support.floors import FLOORS  # noqa: E402

LARGEST = 12


def modules() -> dict[str, int]:
    """Return the number of lines of every module of the floors."""
    paths = [path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*.py")) if "versions" not in path.parts]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8").count("\n") for path in paths}


def report(sizes: dict[str, int]) -> str:
    """Return the report as text."""
    own = {name: lines for name, lines in sizes.items() if not name.endswith("__init__.py")}
    folders = Counter(name.rpartition("/")[0] for name in own)
    lines = Counter[str]()
    for name, count in own.items():
        lines[name.rpartition("/")[0]] += count
    rows = [f"{folders[folder]:4} modules {lines[folder]:6} lines  {folder}/" for folder in sorted(folders)]
    top = [f"{n:6} lines  {name}" for name, n in Counter(own).most_common(LARGEST)]
    whole = f"{len(own)} modules, {sum(own.values())} lines, median {median(own.values()):.0f}"
    return "\n".join([*rows, whole, "largest:", *top])


if __name__ == "__main__":
    print(report(modules()))
