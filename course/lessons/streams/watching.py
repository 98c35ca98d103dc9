"""Watching: a stream that is reported only when its counts first exceed a threshold."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.controls import Controls
from discreet.course.figures import Mark, Series, panels, percent
from discreet.course.lesson import numbers
from discreet.course.lessons.streams import numbers as streams
from discreet.course.lessons.streams.answers import ANSWERS
from discreet.course.lessons.streams.book import PAGES
from discreet.course.lessons.streams.guesses import GUESSES
from discreet.course.lessons.streams.letters import LETTERS
from discreet.course.steps import Step
from discreet.ui.frame.words import number, say

PRICES = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0)


def stream_controls(by: Controls) -> tuple[float, int, float]:
    """Choose epsilon, the threshold and the length of the stream."""
    epsilon = by.pick("epsilon", say("ε of the whole stream"), PRICES, 0.2)
    threshold = by.whole("threshold", say("Threshold (people)"), 60, 180, 100, 10)
    return epsilon, int(by.pick("days", say("Days"), (30, 60, 90, 120), 60)), threshold


def stream(settings: tuple[float, int, float], key: str) -> None:
    """Draw the counts of a stream, and under them the probability to stop on each day."""
    epsilon, days, threshold = settings
    watch = streams.watched(days, epsilon, threshold)
    near = percent(watch.near(streams.NEAR), 1)
    early = percent(watch.early(streams.NEAR), 1)
    numbers(
        {
            say("Cost of watching"): say("ε = {epsilon}", epsilon=number(epsilon)),
            say("If every count is released"): say("ε = {epsilon}", epsilon=number(days * epsilon)),
            say("Within 3 days"): near,
            say("False alarm"): early,
        }
    )
    words = say(
        "The counts exceed {threshold} on day {day}. The chance that the watch stops within 3 "
        "days of it is {near}. The chance that it stops earlier is {early}.",
        threshold=number(threshold),
        day=watch.due + 1,
        near=near,
        early=early,
    )
    _figure(watch, days, threshold, words, key)


def _figure(watch: streams.Watched, days: int, threshold: float, words: str, key: str) -> None:
    """Draw the counts above the probabilities, and mark the threshold and the day that exceeds it."""
    panels(
        list(range(1, days + 1)),
        Series(say("people with a fever"), watch.counts.tolist(), "truth"),
        Series(say("chance of stopping here"), watch.chances[:days].tolist(), "sparse"),
        (say("Day"), say("People"), say("Chance of stopping")),
        words,
        key,
        [
            Mark(threshold, say("threshold"), "quiet", "dash", level=True),
            Mark(watch.due + 1, say("first day above"), "quiet"),
        ],
        yaxis_tickformat=".0%",
    )


WATCHING = Step(
    "stream",
    Phrase("Watching a stream"),
    Phrase(
        "How many people of Kelumi have a fever today? Only one thing is published: the first day on which the "
        "noisy count reaches a noisy threshold. The days before it are free, so ε stays the same however long "
        "you watch."
    ),
    Phrase("Lengthen the stream: what grows, the cost or the chance of a false alarm?"),
    stream_controls,
    stream,
    GUESSES["stream"],
    PAGES["stream"],
    letters=LETTERS["stream"],
    answer=ANSWERS["stream"],
)
