"""Run every benchmark, or those that are named: speed, accuracy, large, screens."""

from __future__ import annotations

import sys

from benchmarks import accuracy, large, screens, speed

PARTS = {"speed": speed.run, "accuracy": accuracy.run, "large": large.run, "screens": screens.run}

for name in sys.argv[1:] or PARTS:
    PARTS[name]()
