"""Patience: the cost of releasing every count, against monitoring for one event."""

from __future__ import annotations

from typing import Any

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Mark, Series
from discreet.course.lesson import numbers
from discreet.course.lessons.streams import numbers as streams
from discreet.course.lessons.streams.answers import ANSWERS
from discreet.course.lessons.streams.book import PAGES
from discreet.course.lessons.streams.guesses import GUESSES
from discreet.course.lessons.streams.letters import LETTERS
from discreet.course.lessons.streams.scales import LOGARITHMIC
from discreet.course.lessons.streams.watching import PRICES
from discreet.course.steps import Step
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say

SCALES: dict[str, Any] = {**LOGARITHMIC, "yaxis_tickformat": ",", "xaxis_range": [-0.05, 3.05], "yaxis_range": [0, 6]}


def patience_controls(by: Controls) -> tuple[float, int]:
    """Choose epsilon, and the length at which the errors are read."""
    epsilon = by.pick("epsilon", say("ε of the whole stream"), PRICES, 1.0)
    return epsilon, int(by.pick("length", say("Length of the stream"), streams.LENGTHS, 100))


def patience(settings: tuple[float, int], key: str) -> None:
    """Draw the errors of each way, for streams of every length."""
    epsilon, length = settings
    slack = streams.slack(epsilon)
    at = streams.LENGTHS.index(length)
    watched = number(float(slack.watched[at]), 3)
    counted = number(float(slack.counted[at]), 3)
    numbers(
        {
            say("Watching"): f"± {watched}",
            say("All counts released"): f"± {counted}",
            say("All released, with a δ"): f"± {number(float(slack.gaussian[at]), 3)}",
            say("Ratio of released to watching"): number(float(slack.counted[at] / slack.watched[at]), 3),
        }
    )
    words = say(
        "Watching {length} counts misjudges none of them by more than {watched} people. If all "
        "counts are released, none is off by more than {counted}. Both apply with 95% "
        "probability.",
        length=length,
        watched=watched,
        counted=counted,
    )
    _figure(slack, length, words, key)


def _figure(slack: streams.Slack, length: int, words: str, key: str) -> None:
    """Draw the errors of three ways against the length of the stream."""
    figures.lines(
        list(streams.LENGTHS),
        [
            Series(say("all counts released"), slack.counted.tolist(), "global"),
            Series(say("all released, δ = 10⁻⁶"), slack.gaussian.tolist(), "blocks"),
            Series(say("watching"), slack.watched.tolist(), "sparse"),
        ],
        (say("Length of the stream (logarithmic)"), say("Error in people (logarithmic)")),
        words,
        key,
        [Mark(length, say("{length} counts", length=length))],
        [Handle(f"{key}-length", say("Length of the stream"), streams.LENGTHS, streams.LENGTHS, length)],
        **SCALES,
    )


PATIENCE = Step(
    "patience",
    Phrase("The price of patience"),
    Phrase(
        "At one ε you can release every count, or watch for one. One person may be in all counts, "
        "so releasing them all needs noise that grows with the length. The margins of error in "
        "the figure apply to all counts together (95%)."
    ),
    Phrase("For how short a stream is it better to release every count?"),
    patience_controls,
    patience,
    GUESSES["patience"],
    PAGES["patience"],
    letters=LETTERS["patience"],
    mathematical=True,
    answer=ANSWERS["patience"],
)
