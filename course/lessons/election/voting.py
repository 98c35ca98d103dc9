"""Voting: the exact probability of every place at three values of epsilon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Distance, Mark, Series, percent
from discreet.course.guessing import GuessPoint
from discreet.course.lesson import numbers
from discreet.course.lessons.election import numbers as election
from discreet.course.lessons.election.answers import ANSWERS
from discreet.course.lessons.election.book import PAGES
from discreet.course.lessons.election.guesses import CHOICE, GUESSES
from discreet.course.lessons.election.letters import LETTERS
from discreet.course.lessons.election.noisy_votes import noisy_votes
from discreet.course.steps import Step
from discreet.mechanisms.base.vocabulary import SELECTION, SPARSE
from discreet.queries.bounds import FloatArray
from discreet.ui.figures.drag import Handle
from discreet.ui.figures.falling import falling_choices
from discreet.ui.frame.words import number, say

CHANCES: dict[str, Any] = {"yaxis_range": [0, 1.08], "bargap": 0.12, "yaxis_tickformat": ".0%"}
SHOWN = {0.01: "quiet", 0.1: SPARSE.key, 1.0: SELECTION.key}
PLACES = {"Zoo": Phrase("Zoo"), "Museum": Phrase("Museum"), "Lake": Phrase("Lake"), "Castle": Phrase("Castle")}


DRAWN, ELECTIONS = 0.1, 1000  # at this epsilon an animation of draws is instructive
VIEWS = {"chances": Phrase("Chances"), "falling": Phrase("One by one"), "noisy": Phrase("Noisy votes")}


def votes_controls(by: Controls) -> tuple[tuple[int, ...], str, int]:
    """Choose the votes for every place, and whether probabilities or noisy votes are drawn."""
    sample = dict(zip(election.votes().labels, election.votes().counts.tolist(), strict=True))
    votes = []
    for row in (("Zoo", "Museum"), ("Lake", "Castle")):
        for column, place in zip(st.columns(2), row, strict=True):
            label = say("Votes: {place}", place=say(PLACES[place]))
            with column:
                votes.append(by.whole(place.lower(), label, 0, 20, sample[place]))
    shown = by.choose("show", say("Show"), VIEWS)
    return tuple(votes), shown, by.draw() if shown != "chances" else 1


def votes(settings: tuple[tuple[int, ...], str, int], key: str) -> None:
    """Draw the probability of every place at three values of epsilon, or its noisy votes."""
    counts, shown, seed = settings
    if shown == "noisy":
        noisy_votes(counts, _labels(counts), seed, key)
    elif shown == "falling":
        _drawn(counts, seed, key)
    else:
        _chances(counts, POINT.marks(key, settings), key)


def _drawn(counts: tuple[int, ...], seed: int, key: str) -> None:
    """Animate the winners of many elections, which fall on their places."""
    chances = election.chances(CHOICE, counts, DRAWN)
    winners = election.winners(counts, DRAWN, ELECTIONS, seed)
    numbers({say("Winner at ε = {epsilon}", epsilon=number(DRAWN)): percent(election.right(counts, chances), 1)})
    words = say("Winners of elections at ε = {epsilon}, one by one, at their places.", epsilon=number(DRAWN))
    falling_choices(winners, _labels(counts), say("Place with its votes"), words, key)


def _labels(counts: tuple[int, ...]) -> list[str]:
    return [
        say("{place}: {count}", place=say(place), count=count)
        for place, count in zip(PLACES.values(), counts, strict=True)
    ]


def _frame(key: str, grip: Handle) -> None:
    """Draw the places and their votes, without any probability."""
    labels = _labels(tuple(election.votes().counts.tolist()))
    words = say("Four places with their votes. No chances are shown yet.")
    axes = (say("Place with its votes"), say("Probability of being chosen"))
    series = [Series(say("probability"), [0.0] * len(labels), "quiet")]
    figures.bars(labels, series, axes, words, key, [], None, [grip], **CHANCES)


def _asked(settings: tuple[tuple[int, ...], str, int]) -> bool:
    return settings[:2] == (tuple(election.votes().counts.tolist()), "chances")


POINT = GuessPoint(GUESSES["election"], _frame, _asked, "y", 0, 0.01)


def _chances(counts: tuple[int, ...], marks: Sequence[Mark | Distance], key: str) -> None:
    """Draw the exact probability of every place at three values of epsilon."""
    chances = {epsilon: election.chances(CHOICE, counts, epsilon) for epsilon in SHOWN}
    best = {epsilon: percent(election.right(counts, chances[epsilon]), 1) for epsilon in SHOWN}
    numbers({say("Winner at ε = {epsilon}", epsilon=number(epsilon)): chance for epsilon, chance in best.items()})
    labels = _labels(counts)
    words = say(
        "Chances of the places at ε = 0.01, 0.1 and 1. The winner has a chance of {low}, {middle} and {high}.",
        low=best[0.01],
        middle=best[0.1],
        high=best[1.0],
    )
    _figure(labels, chances, marks, words, key)


def _figure(
    labels: list[str], chances: Mapping[float, FloatArray], marks: Sequence[Mark | Distance], words: str, key: str
) -> None:
    """Draw a group of bars for each place, one bar for each epsilon."""
    figures.bars(
        labels,
        [Series(_at(epsilon), chances[epsilon].tolist(), hue) for epsilon, hue in SHOWN.items()],
        (say("Place with its votes"), say("Probability of being chosen")),
        words,
        key,
        marks,
        text=".0%",
        **CHANCES,
    )


def _at(epsilon: float) -> str:
    return say("ε = {epsilon}", epsilon=number(epsilon))


VOTING = Step(
    "election",
    Phrase("The election"),
    Phrase(
        "A class of 25 in Kelumi votes on an outing. The exponential mechanism picks a place at random: each "
        "vote multiplies its weight by e^ε. No count is published."
    ),
    Phrase(
        "Give the Museum three more votes: at which ε does that matter? Next, show noisy votes: "
        "at which ε is the winner a lottery?"
    ),
    votes_controls,
    votes,
    GUESSES["election"],
    PAGES["election"],
    POINT,
    letters=LETTERS["election"],
    answer=ANSWERS["election"],
)
