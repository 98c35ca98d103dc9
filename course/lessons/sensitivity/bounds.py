"""Bounds: the bounds to choose from in lesson 4, and the ways to find them."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.mechanisms.histogram_bounds import HistogramBounds
from discreet.mechanisms.private_bounds import PrivateUpperBound

LIMITS = {
    "capital_gain": (100, 300, 1000, 3000, 6000, 10_000, 20_000, 50_000, 100_000),
    "wealth": (10_000, 30_000, 100_000, 200_000, 500_000, 1_000_000, 5_000_000),
    "age": (20, 30, 40, 50, 60, 70, 80, 90, 100),
}
PEOPLE = 3000
WAYS = {
    "look": Phrase("Look"),
    "widen": Phrase("Widen"),
    PrivateUpperBound.slug: Phrase("Sparse"),
    HistogramBounds.slug: Phrase("Bins"),
}
FIRM = 500
