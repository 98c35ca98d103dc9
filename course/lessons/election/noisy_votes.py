"""Noisy votes: what a table of noisy counts shows, at three values of epsilon."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.course import figures
from discreet.course.figures import Series
from discreet.course.lesson import numbers
from discreet.course.lessons.election import numbers as election
from discreet.mechanisms.base.vocabulary import SELECTION, SPARSE
from discreet.ui.frame.words import number, say

HUES = {0.01: "quiet", 0.1: SPARSE.key, 1.0: SELECTION.key}


def noisy_votes(counts: tuple[int, ...], labels: Sequence[str], seed: int, key: str) -> None:
    """Draw one table of noisy votes for each epsilon, beside the true votes."""
    drawn = {epsilon: election.noisy(counts, epsilon, seed) for epsilon in HUES}
    off = {e: max(abs(a - b) for a, b in zip(votes, counts, strict=True)) for e, votes in drawn.items()}
    numbers({say("Largest error at ε = {epsilon}", epsilon=number(e)): number(far) for e, far in off.items()})
    names = {epsilon: say("ε = {epsilon}", epsilon=number(epsilon)) for epsilon in HUES}
    _figure(labels, [counts, *drawn.values()], [say("votes"), *names.values()], key)


def _figure(labels: Sequence[str], votes: Sequence[Sequence[int]], names: Sequence[str], key: str) -> None:
    """Draw the votes of each place, true and with noise."""
    hues = ("truth", *HUES.values())
    figures.bars(
        labels,
        [Series(name, list(each), hue) for name, each, hue in zip(names, votes, hues, strict=True)],
        (say("Place with its votes"), say("Votes with noise")),
        say("Votes of the places with noise at ε = 0.01, 0.1 and 1, beside the exact votes."),
        key,
        text=",",
        bargap=0.12,
    )
