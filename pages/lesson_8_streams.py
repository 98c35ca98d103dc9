"""Lesson 8: a watched stream at a constant price, and asking people who trust nobody."""

from __future__ import annotations

import math

from discreet.budget import Phrase
from discreet.lab.lessons import streams
from discreet.queries.bounds import FloatArray
from discreet.ui.figures import learn
from discreet.ui.figures.learn import Mark, Series
from discreet.ui.frame.words import number, say
from discreet.ui.learn.controls import Controls
from discreet.ui.learn.lesson import Step, lesson, numbers

WATCHING = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0)
EPSILONS = (0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)
NEAR = 3  # days
YES = 0.3
ASKED = streams.PEOPLE[:-1]


def error(share: float) -> str:
    """Write an error of a share in percent."""
    return f"± {number(100 * share, 3)}%"


def stream_controls(by: Controls) -> tuple[float, int, float]:
    """Choose epsilon, the threshold and the length of the stream."""
    epsilon = by.pick("epsilon", say("ε of the whole stream"), WATCHING, 0.2)
    threshold = by.whole("threshold", say("Threshold (people)"), 60, 180, 100, 10)
    return epsilon, int(by.pick("days", say("Days"), (30, 60, 90, 120), 60)), threshold


def stream(settings: tuple[float, int, float], key: str) -> None:
    """Draw the counts of a stream, and under them the chance to stop on each day."""
    epsilon, days, threshold = settings
    told = streams.watched(days, epsilon, threshold)
    near, early = told.near(NEAR), told.early(NEAR)
    numbers(
        {
            say("Watching costs"): say("ε = {epsilon}", epsilon=number(epsilon)),
            say("Each count paid"): say("ε = {epsilon}", epsilon=number(days * epsilon)),
            say("Within 3 days"): f"{near:.1%}",
            say("False alarm"): f"{early:.1%}",
        }
    )
    learn.panels(
        list(range(1, days + 1)),
        Series(say("people with a fever"), told.counts.tolist(), "truth"),
        Series(say("chance to stop here"), told.chances[:days].tolist(), "sparse"),
        (say("Day"), say("People"), say("Chance to stop")),
        say(
            "The counts pass {threshold} on day {day}. The watch stops within 3 days of it with a "
            "chance of {near}, earlier with {early}.",
            threshold=number(threshold),
            day=told.due + 1,
            near=f"{near:.1%}",
            early=f"{early:.1%}",
        ),
        key,
        [
            Mark(threshold, say("threshold"), "ptr", "dash", level=True),
            Mark(told.due + 1, say("first day above"), "quiet"),
        ],
        yaxis_tickformat=".0%",
    )


def patience_controls(by: Controls) -> tuple[float, int]:
    """Choose epsilon, and the length at which the errors are read."""
    epsilon = by.pick("epsilon", say("ε of the whole stream"), WATCHING, 1.0)
    return epsilon, int(by.pick("length", say("Length of the stream"), streams.LENGTHS, 100))


def patience(settings: tuple[float, int], key: str) -> None:
    """Draw how far off each way may be, for streams of every length."""
    epsilon, length = settings
    told, at = streams.slack(epsilon), streams.LENGTHS.index(length)
    numbers(
        {
            say("Watching"): f"± {number(float(told.watched[at]), 3)}",
            say("All counts told"): f"± {number(float(told.counted[at]), 3)}",
            say("Told, with a δ"): f"± {number(float(told.gaussian[at]), 3)}",
        }
    )
    learn.lines(
        list(streams.LENGTHS),
        [
            Series(say("all counts told"), told.counted.tolist(), "global"),
            Series(say("told, δ = 1e-6"), told.gaussian.tolist(), "ptr"),
            Series(say("watching"), told.watched.tolist(), "sparse"),
        ],
        (say("Length of the stream (logarithmic)"), say("Error in people (logarithmic)")),
        say(
            "Over {length} counts watching misjudges no count by more than {watched} people; all "
            "counts told are off by up to {counted}.",
            length=length,
            watched=number(float(told.watched[at]), 3),
            counted=number(float(told.counted[at]), 3),
        ),
        key,
        [Mark(length, say("{length} counts", length=length))],
        xaxis_type="log",
        yaxis_type="log",
        xaxis_dtick=1,
        yaxis_dtick=1,
        yaxis_tickformat=",",
        xaxis_tickformat=",",
        xaxis_range=[-0.05, 3.05],
        yaxis_range=[0, 6],
    )


def local_controls(by: Controls) -> tuple[float, int, int]:
    """Choose epsilon, how many are asked, and how many of them would say yes."""
    epsilon = by.pick("epsilon", say("ε of each person"), EPSILONS, 1.0)
    people = int(by.pick("people", say("People asked"), ASKED, 1000))
    return epsilon, people, by.whole("yes", say("Truly yes, in percent"), 0, 100, 30, 5)


def local(settings: tuple[float, int, int], key: str) -> None:
    """Draw what is estimated if nobody is trusted, and if a curator is."""
    epsilon, people, percent = settings
    yes = percent * people // 100
    untrusted, trusted = streams.estimates(people, yes, epsilon)
    told = streams.surveyed(people, yes, epsilon)
    numbers(
        {
            say("A report is true"): f"{streams.truthful(epsilon):.1%}",
            say("Nobody trusted"): error(told.local),
            say("Curator trusted"): error(told.central),
        }
    )
    learn.lines(
        streams.SHARES.tolist(),
        [
            Series(say("curator trusted"), trusted.tolist(), "global", at=int(trusted.argmax()), fill=True),
            Series(say("nobody trusted"), untrusted.tolist(), "local", at=_beside(untrusted), fill=True),
        ],
        (say("Estimated share of yes"), say("Chance")),
        say(
            "Of {people} people {percent} % say yes in truth. 19 in 20 estimates are within "
            "{local} if nobody is trusted, within {central} if a curator is.",
            people=number(people),
            percent=percent,
            local=error(told.local),
            central=error(told.central),
        ),
        key,
        xaxis_tickformat=".0%",
        yaxis_tickformat=".0%",
        xaxis_range=[-0.5, 1.5],
        yaxis_range=[0, 1.1],
    )


def _beside(chances: FloatArray) -> int:
    """Return a place beside a curve, on the side that has more room, for its name."""
    top = int(chances.argmax())
    return top + 18 if top <= chances.size // 2 else top - 18


def people_controls(by: Controls) -> tuple[float, int]:
    """Choose epsilon, and the number of people at which the errors are read."""
    epsilon = by.pick("epsilon", say("ε of each person"), EPSILONS, 1.0)
    return epsilon, int(by.pick("people", say("People asked"), streams.PEOPLE, 10_000))


def people(settings: tuple[float, int], key: str) -> None:
    """Draw the errors with and without trust against the number of people."""
    epsilon, asked = settings
    told = {n: streams.surveyed(n, round(YES * n), epsilon) for n in streams.PEOPLE}
    here = told[asked]
    numbers(
        {
            say("Nobody trusted"): error(here.local),
            say("Curator trusted"): error(here.central),
            say("Ratio"): number(here.ratio, 3),
            say("√ of the people"): number(math.sqrt(asked), 3),
        }
    )
    learn.lines(
        list(streams.PEOPLE),
        [
            Series(say("nobody trusted"), [one.local for one in told.values()], "local", at=0),
            Series(say("curator trusted"), [one.central for one in told.values()], "global", at=1),
        ],
        (say("People asked (logarithmic)"), say("Error of the share (logarithmic)")),
        say(
            "With {people} people the error is {ratio} times larger if nobody is trusted.",
            people=number(asked),
            ratio=number(here.ratio, 3),
        ),
        key,
        [Mark(asked, say("{people} people", people=number(asked)))],
        xaxis_type="log",
        yaxis_type="log",
        xaxis_dtick=1,
        yaxis_dtick=1,
        yaxis_tickformat="~%",
        xaxis_tickformat=",",
        xaxis_range=[1.95, 5.55],
        yaxis_range=[-5.7, 0.2],
    )


lesson(
    "lesson_8_streams",
    {
        "stream": Step(
            Phrase("A watched stream"),
            Phrase(
                "How many have a fever today? Say only when the counts first pass a threshold: "
                "misses are free, so ε stays the same however long the watch lasts."
            ),
            Phrase("Lengthen the stream: what grows, the cost or the false alarms?"),
            stream_controls,
            stream,
        ),
        "patience": Step(
            Phrase("The price of patience"),
            Phrase(
                "At one ε: tell every count, or watch for one. One person may be in all counts, so "
                "telling needs noise that grows with the length. Errors hold 19 times in 20."
            ),
            Phrase("For how short a stream is it better to tell every count?"),
            patience_controls,
            patience,
        ),
        "local": Step(
            Phrase("Nobody to trust"),
            Phrase(
                "Everybody flips a coin before answering, so every report can be denied. The share "
                "of yes is corrected for the flips. Beside it: a trusted curator adds noise once."
            ),
            Phrase("Ask more people until both look alike. How many did it take?"),
            local_controls,
            local,
        ),
        "people": Step(
            Phrase("What trust is worth"),
            Phrase(
                "Without trust every person adds noise, with it one curator does: the errors part "
                "like the square root of the people asked."
            ),
            Phrase("How many people without trust are as good as 100 with it?"),
            people_controls,
            people,
        ),
    },
)
