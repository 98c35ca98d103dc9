"""Accuracy: what may be known before anything is spent, and what it predicts."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.queries import Bounds


@dataclass(frozen=True)
class Public:
    """What may be known before anything is spent: bounds, a public guess of n, a list of labels."""

    bounds: Bounds | None = None
    size_guess: int | None = None
    labels: int | None = None


@dataclass(frozen=True)
class Forecast:
    """Accuracy predicted from public inputs: a half width, or the reason why there is none.

    `exact` says that the width holds for every dataset, so that the released answer plus and minus
    the half width is a valid interval.
    """

    half_width: float | None
    note: str
    exact: bool = False
