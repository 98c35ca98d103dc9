"""Outing: a day that noise would miss, and that the exponential mechanism finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Distance, Mark, Series, bar_panels, percent
from discreet.course.guessing import GuessPoint
from discreet.course.lesson import numbers
from discreet.course.lessons.election import numbers as election
from discreet.course.lessons.election.answers import ANSWERS
from discreet.course.lessons.election.book import PAGES
from discreet.course.lessons.election.guesses import GUESSES
from discreet.course.lessons.election.letters import LETTERS
from discreet.course.lessons.election.rivalry import EPSILONS
from discreet.course.steps import Step
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say

CLASS: dict[str, Any] = {"yaxis_range": [0, election.PUPILS + 1], "yaxis_dtick": 10}
CHANCES: dict[str, Any] = {"yaxis2_range": [0, 1.05], "yaxis2_dtick": 0.5, "yaxis2_tickformat": ".0%"}
WEEK = (Phrase("Mon"), Phrase("Tue"), Phrase("Wed"), Phrase("Thu"), Phrase("Fri"), Phrase("Sat"), Phrase("Sun"))


def date_controls(by: Controls) -> tuple[float, int]:
    """Choose epsilon, and the class whose wishes are used."""
    epsilon = by.pick("epsilon", say("ε of the choice"), (*EPSILONS, 5.0, 10.0), 1.0)
    return epsilon, by.whole("class", say("Class"), 1, 20, 1)


def named_day(day: int) -> str:
    """Return the name of a day from 1 to 14."""
    return say("{weekday} {day}", weekday=say(WEEK[election.weekday(day)]), day=day)


def _best(day: election.Day) -> str:
    return named_day(int(day.wishes.argmax()) + 1)


def date(settings: tuple[float, int], key: str) -> None:
    """Draw who can come on each day, and the day chosen in two ways."""
    epsilon, school_class = settings
    noise, weight = (by(school_class, epsilon) for by in (election.by_noise, election.by_weight))
    best = int(noise.wishes.max())
    by_weight = number(weight.pupils, 3)
    by_noise = number(noise.pupils, 3)
    numbers(
        {
            say("Best: {day}", day=_best(noise)): say("{pupils} come", pupils=number(best)),
            say("By weight"): say("{pupils} come", pupils=by_weight),
            say("With noise"): say("{pupils} come", pupils=by_noise),
            say("With noise, fewer than 6 come"): percent(noise.empty),
        }
    )
    words = say(
        "{best} of {all} pupils can come on the best day. Noise on the day gives {noise} on "
        "average, the exponential mechanism {weight}.",
        best=best,
        all=election.PUPILS,
        noise=by_noise,
        weight=by_weight,
    )
    _figure(noise, weight, POINT.marks(key, settings), words, key)


def _days() -> list[str]:
    return [named_day(day) for day in range(1, election.DAYS + 1)]


def _fortnight() -> tuple[str, dict[str, Any]]:
    """Return the title of the axis of days, and its numbers: names would be drawn slanted on a phone."""
    first, second = (day + 1 for day in range(election.DAYS) if not election.opened()[day])
    title = say("Day; closed on Mondays, {first} and {second}", first=first, second=second)
    return title, {"xaxis_tickvals": _days(), "xaxis_ticktext": [str(day + 1) for day in range(election.DAYS)]}


def _frame(key: str, grip: Handle) -> None:
    """Draw who can come on each day, without the chosen day."""
    wishes = election.by_noise(1, 1.0).wishes
    series = [Series(say("can come"), wishes.tolist(), "quiet")]
    words = say("The figure shows how many can come on each day. The effect of noise is not shown yet.")
    title, places = _fortnight()
    figures.bars(_days(), series, (title, say("Pupils")), words, key, [], None, [grip], **CLASS, **places)


POINT = GuessPoint(GUESSES["date"], _frame, lambda settings: settings == (1.0, 1), "y")


def _figure(noise: election.Day, weight: election.Day, marks: Sequence[Mark | Distance], words: str, key: str) -> None:
    """Draw the wishes, and below them both probabilities of each day."""
    title, places = _fortnight()
    bar_panels(
        _days(),
        Series(say("can come"), noise.wishes.tolist(), "quiet"),
        [
            Series(say("noise on the day"), noise.chances.tolist(), "global"),
            Series(say("by weight"), weight.chances.tolist(), "selection"),
        ],
        (title, say("Pupils"), say("Probability")),
        words,
        key,
        marks,
        **CLASS,
        **CHANCES,
        **places,
    )


OUTING = Step(
    "date",
    Phrase("The day of the outing"),
    Phrase(
        "Which day suits most pupils? One pupil can change the best day by 13 days, so the noise is "
        "wide. A result outside the two weeks moves to their first or last day. Instead, weight each "
        "day by the number of pupils who can come."
    ),
    Phrase("Raise ε to 10: does noise on the day catch up? Try another class."),
    date_controls,
    date,
    GUESSES["date"],
    PAGES["date"],
    POINT,
    letters=LETTERS["date"],
    answer=ANSWERS["date"],
)
