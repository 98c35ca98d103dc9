"""Fuzz: the long run of the whole road: `python tests/support/evidence/fuzz.py MINUTES [FIRST_SEED] [files]`."""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

for place in (Path(__file__).parents[2], Path(__file__).parents[3]):
    sys.path.insert(0, str(place))

from hypothesis import HealthCheck, Phase, given, seed, settings  # noqa: E402

from discreet.evidence.whole_road import between, laws
from discreet.rows import Dataset  # noqa: E402
from support.evidence import files  # noqa: E402
from support.evidence.grammar import Case, cases  # noqa: E402
from support.evidence.tables import Paid, charged  # noqa: E402

AT_ONCE = 500
QUICK: dict[str, Any] = {
    "deadline": None,
    "database": None,
    "phases": (Phase.generate, Phase.shrink),
    "suppress_health_check": list(HealthCheck),
}


def check(case: Case, seen: Counter[str] | None = None) -> None:
    """Compare a table with all its neighbours; raise if the charge in the ledger does not cover the loss."""
    table = case.table(case.rows)
    paid = Paid(charged(Dataset(case.opened(table), case.schema), case.request))
    first = laws(table, case.schema, case.request, case.opened)
    for rows in case.next_to:
        second = laws(case.table(rows), case.schema, case.request, case.opened)
        assert paid.refusal_holds(first, second), (paid, case.request, case.schema, case.rows, rows)
        loss = between(paid, first, second)
        if seen is not None:
            seen["pairs"] += 1
            seen[case.slug] += 1
        assert loss.holds, (loss, case.request, case.schema, case.rows, rows)
    if seen is not None:
        seen["tables"] += 1 + len(case.next_to)
        seen["requests"] += 1


def run(minutes: float, first: int) -> Counter[str]:
    """Generate cases with successive seeds until the time is over."""
    seen: Counter[str] = Counter()
    end, number = time.monotonic() + 60 * minutes, first
    while time.monotonic() < end:

        @seed(number)
        @settings(max_examples=AT_ONCE, **QUICK)
        @given(cases())
        def drawn(case: Case) -> None:
            check(case, seen)

        drawn()
        number += 1
        print(f"seed {number - 1}: {seen['pairs']} pairs, no violation", flush=True)
    return seen


if __name__ == "__main__":
    if sys.argv[-1:] == ["files"]:
        print(files.run(float(sys.argv[1])), "0 violations", sep="\n")
        sys.exit()
    tally = run(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    whole = {name: tally.pop(name) for name in ("tables", "requests", "pairs")}
    print(", ".join(f"{number} {name}" for name, number in whole.items()), "0 violations")
    print(", ".join(f"{slug} {number}" for slug, number in sorted(tally.items())))
