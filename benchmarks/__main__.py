"""Run every benchmark, or those named: speed, accuracy, large, counting, databases, ledger, lessons, screens."""

from __future__ import annotations

import sys

from benchmarks import accuracy, counting, databases, large, ledger, lessons, screens, speed

PARTS = {
    "speed": speed.run,
    "accuracy": accuracy.run,
    "large": large.run,
    "counting": counting.run,
    "databases": databases.run,
    "ledger": ledger.run,
    "lessons": lessons.run,
    "screens": screens.run,
}

for name in sys.argv[1:] or PARTS:
    PARTS[name]()
