"""Typed: cells that a file holds as numbers, truths or days, written as text that means the same everywhere."""

from __future__ import annotations

from typing import Any


def typed(cell: Any) -> str:
    """Write a cell: 5.0 is 5, a truth is true or false, a date is its ISO form.

    A fraction is written in scientific notation, 2.5E0: that is one number under every declared
    way to write numbers, where 1.234 would be a thousand and more under some.
    """
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 2**53 else scientific(repr(cell))
    return cell if isinstance(cell, str) else str(cell)


def scientific(number: str) -> str:
    """Return decimal text with an exponent; what is none of both stays."""
    return number if not number[-1:].isdigit() or "e" in number.lower() else f"{number}E0"
