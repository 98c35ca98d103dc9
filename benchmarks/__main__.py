"""Run every benchmark and print its tables: python -m benchmarks [accuracy] [speed] [large]."""

from __future__ import annotations

import sys

from benchmarks import accuracy, large, speed

PARTS = {"speed": speed.run, "accuracy": accuracy.run, "large": large.run}

for name in sys.argv[1:] or PARTS:
    PARTS[name]()
