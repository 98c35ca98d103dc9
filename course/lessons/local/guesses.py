"""Guesses of lesson 6: mean or median, the attack, the jump, and the best of four mechanisms."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.lessons.local import numbers
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.ui.session.guesses import OneOf, OnScale, Prediction

PEOPLE = 300
BOUND = 2.0
YOUNG = 9
OLD = 4
TAIL = 3
STATISTICS = {kind.name: Phrase(kind.label) for kind in (Median, Mean)}

GUESSES = {
    "local": Prediction(
        Phrase("21 people, ages evenly from 30 to 70. Which of the two can one person more or less move further?"),
        OneOf(STATISTICS),
        lambda: max(STATISTICS, key=lambda name: numbers.sensitivities(21, 40.0)[name][0]),
        Phrase(
            "A newcomer of 100 pulls the mean. Ages lie 2 years apart here: the median moves half way to the next one, "
            "by 1, and no further."
        ),
    ),
    "leak": Prediction(
        Phrase("300 people, and noise of scale u/((n+1) ε). What does a spy guess for n after a thousand answers?"),
        OnScale(0.0, 600.0, 10.0),
        lambda: float(numbers.recovered(PEOPLE, 0.5, 1000, 1)[-1]),
        Phrase("The answers spread as widely as the noise, so their spread tells u/((n+1) ε), and that tells n."),
    ),
    "jump": Prediction(
        Phrase(
            "Two neighbours, each with noise of its own local size, claim ε = 1. Which δ do they need beside it, from "
            "0 (the claim holds) to 1 (it is worth nothing)?"
        ),
        OnScale(0.0, 1.0, 0.05),
        lambda: numbers.jump(5, 4, 1.0).delta,
        Phrase("One of them has almost no noise: its answers stand in one place, and give it away."),
    ),
    "test": Prediction(
        Phrase(
            "300 people, b = 2 years. How many would have to come or go before one more can move the median age "
            "by 2 years or more?"
        ),
        OnScale(0.0, 60.0, 1.0),
        lambda: float(numbers.walk(PEOPLE, BOUND, 1.0, 1).proposed.distance),
        Phrase("Ages lie close together in the middle. This distance moves by one if one person comes or goes."),
    ),
    "tent": Prediction(
        Phrase(
            "Nine people around 40, four around 80. The further away, the less a rung weighs. Which k gives the "
            "largest product of weight and rung, at β = 1/3?"
        ),
        OnScale(0.0, 16.0, 1.0),
        lambda: float(numbers.tent(YOUNG, OLD, TAIL).peak),
        Phrase("Once four are gone the median can jump: there A(k) is 19, and its weight is still 26 %."),
    ),
    "ways": Prediction(
        Phrase("The median age of 300 people at ε = 1. Which way errs least?"),
        OneOf(
            {
                "0": Phrase("Global noise"),
                "1": Phrase("Propose-test-release"),
                "2": Phrase("Smooth sensitivity"),
                "3": Phrase("Blocks"),
            }
        ),
        lambda: _best(),
        Phrase("On smooth data S is tiny. The test pays for its distance, blocks have few rows each."),
    ),
}


def _best() -> str:
    errors = [way.error for way in numbers.ways(Median.name, PEOPLE, 1.0)]
    return str(errors.index(min(errors)))
