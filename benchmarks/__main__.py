"""Run every benchmark, or the ones that are named: see PARTS."""

from __future__ import annotations

import sys

from benchmarks import (
    accuracy,
    counting,
    databases,
    intervals,
    large,
    ledger,
    lessons,
    noticing,
    officer,
    plans,
    publication,
    quantiles,
    screens,
    sharper,
    speed,
    tables,
)

PARTS = {
    "speed": speed.run,
    "accuracy": accuracy.run,
    "quantiles": quantiles.run,
    "plans": plans.run,
    "intervals": intervals.run,
    "large": large.run,
    "counting": counting.run,
    "databases": databases.run,
    "ledger": ledger.run,
    "lessons": lessons.run,
    "noticing": noticing.run,
    "officer": officer.run,
    "screens": screens.run,
    "publication": publication.run,
    "sharper": sharper.run,
    "tables": tables.run,
}

for name in sys.argv[1:] or PARTS:
    PARTS[name]()
