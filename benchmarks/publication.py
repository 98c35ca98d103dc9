"""Publication: a plan of 20 rows on the screen: its forecast after a change, its report, its answers later."""

from __future__ import annotations

import re
import time
from typing import Any

import numpy as np

from benchmarks.browser import TAKEN, WATCH, server, settle, visited
from benchmarks.report import table, verdict

CHOICES = (
    ("Statistics", ("Count (people with a value)", "Mean", "Median", "Sum", "Standard deviation")),
    ("Columns", ("age", "education_years", "hours", "capital_gain")),
)
CHANGES = 9
REPORT = "text=Methods"
RESULT = "text=Details"  # the fold of the first card
VALUES = "[data-testid='stDataFrame']"


def _choose(page: Any) -> None:
    """Choose five statistics of four columns."""
    for label, options in CHOICES:
        for option in options:
            page.get_by_label(label, exact=True).get_by_text(option, exact=True).click()
            settle(page)


def _forecasts(page: Any) -> list[float]:
    """Change the total step by step; return the milliseconds until the button shows its price."""
    taken = []
    field = page.get_by_label("Total ε")
    for _ in range(CHANGES):
        field.focus()
        page.evaluate(WATCH, "[data-testid='stBaseButton-primary']")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        taken.append(page.evaluate(TAKEN))
        settle(page)
    return taken


def _until(page: Any, do: Any, seen: str) -> float:
    """Perform an action; return the milliseconds until an element is drawn."""
    start = time.perf_counter()
    do()
    page.wait_for_selector(seen)
    return (time.perf_counter() - start) * 1000


def run() -> None:
    """Print every time with its limit."""
    with server() as (address, _), visited() as page:
        page.set_default_timeout(60_000)
        page.goto(f"{address}/plan?lang=en")
        settle(page)
        _choose(page)
        first = _until(page, page.get_by_role("button", name="Add 20 queries").click, "text=Release 20 results")
        settle(page)
        changes = _forecasts(page)
        spend = page.get_by_role("button", name=re.compile("^Release 20 results"))
        paid = _until(page, spend.click, REPORT)
        settle(page)
        address = f"{address}/results?lang=en"
        opened = _until(page, lambda: page.goto(address, wait_until="commit"), RESULT)
        settle(page)
        every = _until(page, lambda: page.goto(address, wait_until="commit"), VALUES)
    rows = [
        ("forecast after a change, median", float(np.median(changes)), 250.0),
        ("forecast after a change, worst", max(changes), 2500.0),
        ("paid, answered and its report is there", paid, 1500.0),
        ("Results loaded anew: the first result", opened, 1500.0),
        ("Results loaded anew: the table of all values", every, 1500.0),
    ]
    shown = [(what, f"{ms:.0f}", f"{limit:.0f}", f"{ms / limit:.2f}", verdict(ms, limit)) for what, ms, limit in rows]
    table(
        f"A plan of 20 rows, milliseconds (its first forecast took {first:.0f})",
        ("what", "taken", "promised", "ratio", "verdict"),
        shown,
    )
