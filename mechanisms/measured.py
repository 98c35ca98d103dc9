"""Measured: a number that was drawn together with its interval."""

from __future__ import annotations

from typing import Any

Interval = tuple[float, float]


class Measured(float):
    """A number that knows its interval, and of how many rows it is, where that was drawn: all is released."""

    interval: Interval
    size: float | None

    def __new__(cls, value: float, interval: Interval, size: float | None = None) -> Measured:
        """Remember both beside the number."""
        measured = super().__new__(cls, value)
        measured.interval, measured.size = interval, size
        return measured


def plainly(answer: Any) -> Any:
    """Return an answer as a plain number, or as several."""
    if isinstance(answer, tuple):
        return tuple(map(plainly, answer))
    return float(answer) if isinstance(answer, Measured) else answer
