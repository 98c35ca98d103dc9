"""Rivalry: four ways to choose at equal cost."""

from __future__ import annotations

from collections.abc import Mapping

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Series, percent
from discreet.course.lesson import numbers
from discreet.course.lessons.election import numbers as election
from discreet.course.lessons.election.answers import ANSWERS
from discreet.course.lessons.election.book import PAGES
from discreet.course.lessons.election.guesses import CHOICE, COUNTED, FLIP, GUESSES, NOISY, WAYS
from discreet.course.lessons.election.letters import LETTERS
from discreet.course.steps import Step
from discreet.ui.frame.words import number, say

EPSILONS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)


def ways_controls(by: Controls) -> tuple[float, int, bool]:
    """Choose epsilon, a longer list, and how many places a pupil may name."""
    epsilon = by.pick("epsilon", say("ε of the choice"), EPSILONS, 0.5)
    more = int(by.pick("more", say("Additional places without votes"), (0, 4, 10, 20), 0))
    return epsilon, more, by.toggle("several", say("Pupils may name every place"))


def ways(settings: tuple[float, int, bool], key: str) -> None:
    """Draw how well four ways choose at equal cost."""
    epsilon, more, several = settings
    counts = election.with_more(tuple(election.votes().counts.tolist()), more)
    chances = {way: election.chances(way, counts, epsilon, several) for way in WAYS}
    lost = {way: number(election.behind(counts, chances[way]), 3) for way in WAYS}
    numbers(
        {
            say("Votes lost: exponential"): say("{votes} votes", votes=lost[CHOICE]),
            say("Votes lost: coin flips"): say("{votes} votes", votes=lost[FLIP]),
            say("Votes lost: noisy counts"): say("{votes} votes", votes=lost[COUNTED]),
        }
    )
    _figure(epsilon, {way: election.right(counts, chances[way]) for way in WAYS}, key)


def _figure(epsilon: float, right: Mapping[str, float], key: str) -> None:
    """Draw the probability of the right winner for each way."""
    figures.bars(
        [say(name) for name in WAYS.values()],
        [Series(say("Correct winner"), list(right.values()), "selection")],
        ("", say("Chance of the correct winner")),
        _words(epsilon, {way: percent(chance, 1) for way, chance in right.items()}),
        key,
        text=".1%",
        yaxis_range=[0, 1.08],
        yaxis_tickformat=".0%",
        bargap=0.5,
    )


def _words(epsilon: float, right: Mapping[str, str]) -> str:
    return say(
        "Chance of the correct winner at ε = {epsilon}: exponential mechanism {choice}, "
        "permute-and-flip {flip}, noisy max {noisy}, noisy counts {counts}.",
        epsilon=epsilon,
        choice=right[CHOICE],
        flip=right[FLIP],
        noisy=right[NOISY],
        counts=right[COUNTED],
    )


RIVALRY = Step(
    "ways",
    Phrase("Four ways to choose"),
    Phrase(
        "All four cost ε: pick by weight, flip coins in random order, compare secret noisy "
        "counts, or publish them. Votes lost are how many votes the chosen place is behind, on "
        "average."
    ),
    Phrase("Let pupils name every place, then lengthen the list: published counts pay for each place."),
    ways_controls,
    ways,
    GUESSES["ways"],
    PAGES["ways"],
    letters=LETTERS["ways"],
    answer=ANSWERS["ways"],
)
