"""Chain: every line carries the hash of the line before, so that no line can change unseen."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from discreet.budget.durable import tables

BUDGET = tuple(c.name for c in tables.budgets.columns if c.name != "hash")
LINE = tuple(c.name for c in tables.lines.columns if c.name != "hash")


def _hash(names: tuple[str, ...], row: Mapping[str, Any]) -> str:
    values = [row[name] for name in names]
    return sha256(json.dumps(values, ensure_ascii=True).encode()).hexdigest()


def budget_hash(budget: Mapping[str, Any]) -> str:
    """Return the hash of a budget: where its chain begins."""
    return _hash(BUDGET, budget)


def line_hash(line: Mapping[str, Any]) -> str:
    """Return the hash of a line, with the hash of the line before inside."""
    return _hash(LINE, line)
