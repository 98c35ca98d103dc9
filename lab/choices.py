"""Choices: how well each selection names the most common, exactly, on public counts."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.mechanisms import registry
from discreet.mechanisms.selection import Selection
from discreet.queries.scores import Scores


@dataclass(frozen=True)
class Choice:
    """How well a selection does on public counts: exact numbers, no simulation."""

    slug: str
    right: float
    shortfall: float


def choosing(scores: Scores, epsilon: float) -> list[Choice]:
    """Return the chance of the most common, and the rows lost on average, of every selection."""
    choices = []
    for slug, kind in registry.items():
        if issubclass(kind, Selection):
            selection: Selection = kind(epsilon=epsilon)
            chances = selection.chances(scores.counts)
            best = scores.counts.max()
            right = float(chances[scores.counts == best].sum())
            choices.append(Choice(slug, right, float(chances @ (best - scores.counts))))
    return sorted(choices, key=lambda choice: choice.shortfall)
