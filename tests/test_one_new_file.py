"""A new statistic or mechanism is one new file: nothing else is touched."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

NEW_QUERY = '''
"""The share of rows in the upper half of the bounds."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from queries.query import Query


@dataclass(frozen=True)
class UpperShare(Query):
    """Rows in the upper half over a public hundred: moves by 1/100 a row."""

    name: ClassVar[str] = "upper share"
    label: ClassVar[str] = "Upper share"

    def value(self, column):
        return float(column.counts[2 * column.levels > column.bounds.top].sum()) / 100

    def empty(self, bounds):
        return 0.0

    def row_sensitivity(self, bounds):
        return 0.01

    def row_ladder(self, column, k):
        return np.full(k.shape, 0.01)
'''
NEW_MECHANISM = '''
"""Twice as careful as smooth sensitivity."""

from dataclasses import dataclass
from typing import ClassVar

from mechanisms.smooth import SmoothCoreTail


@dataclass(frozen=True)
class Careful(SmoothCoreTail):
    """Smooth sensitivity under another name."""

    slug: ClassVar[str] = "careful"
    title: ClassVar[str] = "Careful"
'''
USE = """
import numpy as np
from mechanisms import registry
from queries import Bounds, Column, registry as queries

column = Column.from_values(Bounds(0, 100, integer=True), np.arange(80))
law = registry["careful"](query=queries["upper share"]()).law(column)
assert abs(float(law.quantile(0.5)) - 0.29) < 1e-9, law
print("found")
"""


def test_a_new_statistic_and_a_new_mechanism_are_found_by_lying_in_their_folder(
    tmp_path: Path,
) -> None:
    """Two files dropped into a copy of the core work at once, with no list to edit."""
    for folder in ("budget", "queries", "mechanisms"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / "queries" / "upper_share.py").write_text(NEW_QUERY, encoding="utf-8")
    (tmp_path / "mechanisms" / "careful.py").write_text(NEW_MECHANISM, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", USE], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.strip() == "found", done.stderr
