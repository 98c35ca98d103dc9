"""Texts: what an archive is made of and its test says again, without anything of the product.

So the modules that make an archive (`make`, `house`, `tables`, `work`) may name the product's modules as the version
calls them in whose checkout they run, and the test as its own version does.
"""

from __future__ import annotations

COUNTS, TOTAL = 4.0, 6.0  # epsilons: an answer is off by more than is allowed here with a chance below exp(-28)
ROWS = 300
TOWNS = ("Köln", "Düren", "Bonn")
SHEETS = ("these", "those")
GERMAN = "Größe;Stadt"
GROWN = "the rows of those who came later"
PURPOSE, REASON = "to plan the beds of next year", "the purpose is not clear enough"
LOOKED = "explained: looked at it"


def towns_of(rows: int) -> list[str]:
    """Return where people live."""
    return [TOWNS[at * at % 3] for at in range(rows)]


def tenths_of(rows: int) -> list[int]:
    """Return how tall people are, in tenths of a centimetre."""
    return [1500 + at % 400 for at in range(rows)]


def german_text(rows: int, heading: str = GERMAN) -> str:
    """Write towns and heights with semicolons and decimal commas."""
    both = zip(tenths_of(rows), towns_of(rows), strict=True)
    return "\n".join([heading, *(f"{tenth // 10},{tenth % 10};{town}" for tenth, town in both), ""])
