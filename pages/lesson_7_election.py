"""Lesson 7: an election by exact chances, four ways to choose, and a day that noise would miss."""

from __future__ import annotations

import streamlit as st

from discreet.budget import Phrase
from discreet.lab.lessons import election
from discreet.mechanisms.families import SELECTION, SPARSE
from discreet.ui.figures import learn
from discreet.ui.figures.learn import Series
from discreet.ui.frame.words import number, say
from discreet.ui.learn.controls import Controls
from discreet.ui.learn.lesson import Step, lesson, numbers, table

EPSILONS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)
SHOWN = {0.01: "quiet", 0.1: SPARSE.key, 1.0: SELECTION.key}
PLACES = {"Zoo": Phrase("Zoo"), "Museum": Phrase("Museum"), "Lake": Phrase("Lake"), "Castle": Phrase("Castle")}
CHOICE, FLIP, NOISY, COUNTED = election.WAYS
WAYS = {
    CHOICE: Phrase("Exponential"),
    FLIP: Phrase("Permute-and-flip"),
    NOISY: Phrase("Noisy max"),
    COUNTED: Phrase("All noisy counts"),
}
WEEK = (Phrase("Mon"), Phrase("Tue"), Phrase("Wed"), Phrase("Thu"), Phrase("Fri"), Phrase("Sat"), Phrase("Sun"))


def votes_controls(by: Controls) -> tuple[int, ...]:
    """Choose the votes for every place."""
    sample = dict(zip(election.votes().labels, election.votes().counts.tolist(), strict=True))
    told = []
    for row in (("Zoo", "Museum"), ("Lake", "Castle")):
        for column, place in zip(st.columns(2), row, strict=True):
            label = say("Votes: {place}", place=say(PLACES[place]))
            with column:
                told.append(by.whole(place.lower(), label, 0, 20, sample[place]))
    return tuple(told)


def votes(told: tuple[int, ...], key: str) -> None:
    """Draw the exact chance of every place at three values of epsilon."""
    found = {epsilon: election.chances(CHOICE, told, epsilon) for epsilon in SHOWN}
    best = {epsilon: election.right(told, chances) for epsilon, chances in found.items()}
    numbers(
        {say("Winner at ε = {epsilon}", epsilon=number(epsilon)): f"{chance:.1%}" for epsilon, chance in best.items()}
    )
    labels = [
        say("{place}: {count}", place=say(named), count=count)
        for named, count in zip(PLACES.values(), told, strict=True)
    ]
    learn.bars(
        labels,
        [
            Series(say("ε = {epsilon}", epsilon=number(epsilon)), found[epsilon].tolist(), hue)
            for epsilon, hue in SHOWN.items()
        ],
        (say("Place and its votes"), say("Chance to be chosen")),
        say(
            "Chances of the places at ε = 0.01, 0.1 and 1. The winner has {low}, {middle} and {high}.",
            low=f"{best[0.01]:.1%}",
            middle=f"{best[0.1]:.1%}",
            high=f"{best[1.0]:.1%}",
        ),
        key,
        text=".2~p",
        yaxis_range=[0, 1.08],
        bargap=0.12,
        yaxis_tickformat=".0%",
    )
    table(
        {say("Place"): labels}
        | {
            say("ε = {epsilon}", epsilon=number(epsilon)): [f"{chance:.2%}" for chance in chances]
            for epsilon, chances in found.items()
        }
    )


def ways_controls(by: Controls) -> tuple[float, int, bool]:
    """Choose epsilon, a longer list, and what a pupil may name."""
    epsilon = by.pick("epsilon", say("ε of the choice"), EPSILONS, 0.5)
    more = int(by.pick("more", say("More places, without votes"), (0, 4, 10, 20), 0))
    return epsilon, more, by.toggle("several", say("A pupil may name every place"))


def ways(settings: tuple[float, int, bool], key: str) -> None:
    """Draw how well four ways choose at the same price."""
    epsilon, more, several = settings
    told = election.with_more(tuple(election.votes().counts.tolist()), more)
    found = {way: election.chances(way, told, epsilon, several) for way in WAYS}
    best = {way: election.right(told, chances) for way, chances in found.items()}
    lost = {way: election.behind(told, chances) for way, chances in found.items()}
    numbers(
        {
            say("Behind: exponential"): say("{votes} votes", votes=number(lost[CHOICE], 3)),
            say("Behind: flips"): say("{votes} votes", votes=number(lost[FLIP], 3)),
            say("Behind: counts"): say("{votes} votes", votes=number(lost[COUNTED], 3)),
        }
    )
    learn.bars(
        [say(name) for name in WAYS.values()],
        [Series(say("Right winner"), list(best.values()), "selection")],
        ("", say("Chance of the right winner")),
        say(
            "At ε = {epsilon} the right winner is chosen with a chance of {choice} by the "
            "exponential mechanism, {flip} by permute-and-flip, {noisy} by noisy max, {counts} by "
            "noisy counts.",
            epsilon=epsilon,
            choice=f"{best[CHOICE]:.1%}",
            flip=f"{best[FLIP]:.1%}",
            noisy=f"{best[NOISY]:.1%}",
            counts=f"{best[COUNTED]:.1%}",
        ),
        key,
        text=".1%",
        yaxis_range=[0, 1.08],
        yaxis_tickformat=".0%",
        bargap=0.5,
    )


def date_controls(by: Controls) -> tuple[float, int]:
    """Choose epsilon, and whose wishes."""
    epsilon = by.pick("epsilon", say("ε of the choice"), (*EPSILONS, 5.0, 10.0), 1.0)
    return epsilon, by.whole("class", say("Class"), 1, 20, 1)


def named_day(day: int) -> str:
    """Return the name of a day from 1 to 14."""
    return say("{weekday} {day}", weekday=say(WEEK[election.weekday(day)]), day=day)


def date(settings: tuple[float, int], key: str) -> None:
    """Draw who can come on each day, and on which day two ways land."""
    epsilon, school_class = settings
    noise = election.by_noise(school_class, epsilon)
    weight = election.by_weight(school_class, epsilon)
    best = int(noise.wishes.argmax()) + 1
    numbers(
        {
            say("Best: {day}", day=named_day(best)): say("{pupils} come", pupils=number(int(noise.wishes[best - 1]))),
            say("By weight"): say("{pupils} come", pupils=number(weight.pupils, 3)),
            say("By noise"): say("{pupils} come", pupils=number(noise.pupils, 3)),
            say("Noise: under 6"): f"{noise.empty:.0%}",
        }
    )
    learn.bars(
        [named_day(day) for day in range(1, election.DAYS + 1)],
        [
            Series(say("can come"), (noise.wishes / election.PUPILS).tolist(), "quiet"),
            Series(say("noise on the day"), noise.chances.tolist(), "global"),
            Series(say("by weight"), weight.chances.tolist(), "selection"),
        ],
        (say("Day of the fortnight; closed on Mondays"), say("Share of the class, or chance")),
        say(
            "{best} of {all} pupils can come on the best day. Noise on the day finds {noise} of "
            "them on average, the exponential mechanism {weight}.",
            best=int(noise.wishes[best - 1]),
            all=election.PUPILS,
            noise=number(noise.pupils, 3),
            weight=number(weight.pupils, 3),
        ),
        key,
        yaxis_range=[0, 1],
        yaxis_tickformat=".0%",
    )


lesson(
    "lesson_7_election",
    {
        "election": Step(
            Phrase("The election"),
            Phrase(
                "A class votes for an outing. The exponential mechanism draws a place by lot: "
                "each vote multiplies its weight by e^ε. No count is told."
            ),
            Phrase("Give the Museum three more votes. At which ε does that matter?"),
            votes_controls,
            votes,
        ),
        "ways": Step(
            Phrase("Four ways to choose"),
            Phrase(
                "All four cost ε: draw by weight, flip coins in random order, compare secret "
                "noisy counts, or publish them. *Behind*: the votes that the choice lacks."
            ),
            Phrase("Let pupils name every place, then lengthen the list: counts in public pay for each place."),
            ways_controls,
            ways,
        ),
        "date": Step(
            Phrase("The day of the outing"),
            Phrase(
                "Which day suits most? One pupil can move the best day by 13 days, so noise on it "
                "lands anywhere, even on a closed day. Weigh each day by who can come."
            ),
            Phrase("Raise ε to 10: does noise on the day catch up? Try another class."),
            date_controls,
            date,
        ),
    },
)
