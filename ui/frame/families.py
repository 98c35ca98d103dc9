"""Families: the colours of meanings, and the colour, page and icon of each family of mechanisms."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.mechanisms import Mechanism
from discreet.mechanisms.base.vocabulary import (
    BLOCKS,
    CLIPPED_AT,
    GLOBAL,
    LOCAL,
    PTR,
    SELECTION,
    SMOOTH,
    SPARSE,
    Family,
)


@dataclass(frozen=True)
class Face:
    """The colours of a family in the light and dark theme, its page, and its icon if the page is listed."""

    hues: tuple[str, str]
    page: str
    icon: str = ""


# Meanings: one colour each in the light and the dark theme, as in .streamlit/config.toml; docs/design.md says of what.
QUIET = ("#56605c", "#b0bab6")
TOKENS = {
    "ground": ("#fffefb", "#111716"),
    "truth": ("#16211e", "#e9eeec"),
    "quiet": QUIET,
    "line": ("#dfdbd0", "#34403d"),
    "result": ("#0b6e66", "#5cc9bb"),
    "with": ("#b4501a", "#f0a06a"),
    "without": ("#4458b0", "#9dadf7"),
    "reserved": ("#7a4f9e", "#c9a3ea"),
    "refused": ("#b3261e", "#f28b82"),
    "done": ("#236533", "#8fd9a0"),
}
INTERVAL = (0.26, 0.30)  # how much of the result's colour the band of an interval has
EXHIBIT = ("#a33a3a", "#f08a8a")  # textbook versions, of whatever family
PLAIN = Face(QUIET, "dataset")  # a family without a face here: queries start on the page Data
FACES = {
    GLOBAL: Face(("#0b6e66", "#4fc3b7"), "global_sensitivity", "public"),
    CLIPPED_AT: Face(("#7d6608", "#d9c25a"), "global_sensitivity"),
    PTR: Face(("#b4541a", "#f0a06a"), "propose_test_release", "rule"),
    SMOOTH: Face(("#4a5fb5", "#94a5f5"), "smooth_sensitivity", "waves"),
    BLOCKS: Face(("#8a3f7c", "#d38fc8"), "sample_and_aggregate", "grid_view"),
    SELECTION: Face(("#6b7a1f", "#bccb5f"), "exponential_mechanism", "ballot"),
    SPARSE: Face(("#2f7fa3", "#7cc5e6"), "exponential_mechanism"),
    LOCAL: Face(("#7a5c2e", "#cfae7a"), "dataset"),
}
HUES = {family.key: face.hues for family, face in FACES.items()} | {"exhibit": EXHIBIT}


def face(family: Family) -> Face:
    """Return the face of a family."""
    return FACES.get(family, PLAIN)


def asked_on(mechanism: Mechanism) -> str:
    """Return the page on which queries with a mechanism are asked."""
    return face(mechanism.family).page
