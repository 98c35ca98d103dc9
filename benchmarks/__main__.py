"""Run every benchmark, or those that are named: speed, accuracy, large, lessons, screens."""

from __future__ import annotations

import sys

from benchmarks import accuracy, large, lessons, screens, speed

PARTS = {"speed": speed.run, "accuracy": accuracy.run, "large": large.run,
         "lessons": lessons.run, "screens": screens.run}  # fmt: skip

for name in sys.argv[1:] or PARTS:
    PARTS[name]()
