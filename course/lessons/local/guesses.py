"""Guesses of lesson 6: mean or median, the attack, the jump, and the best of four mechanisms."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.lessons.local import numbers
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.ui.session.guesses import OneOf, OnFactors, OnScale, Prediction

PEOPLE = 300
BOUND = 2.0
YOUNG = 9
OLD = 4
TAIL = 3
RANGE = (20.0, 80.0)
STATISTICS = {kind.name: Phrase(kind.label) for kind in (Median, Mean)}

GUESSES = {
    "local": Prediction(
        Phrase(
            "Nine people of Kelumi are 40, 40.5, 41 … 44, four are 80 to 81.5. The median is 43. One person is "
            "added or removed. How far can the median move at most?"
        ),
        OneOf(
            {"0.25": Phrase("0.25 years"), "2": Phrase("2 years"), "20": Phrase("20 years"), "50": Phrase("50 years")}
        ),
        lambda: f"{numbers.local(Median(), numbers.pushed()):g}",
        Phrase(
            "The ages around the median are half a year apart, so it moves by half of that. Among other people "
            "it could move by 50."
        ),
    ),
    "leak": Prediction(
        Phrase(
            "300 people, ε = 0.5, and noise of scale u/((n+1) ε). After how many results is the attacker's guess of n "
            "within 10%, in 95% of attacks?"
        ),
        OnFactors(10.0, 1000.0),
        lambda: float(numbers.known_after(PEOPLE)),
        Phrase(
            "The results are as spread out as the noise. The spread reveals u/((n+1) ε), and this reveals n. "
            "Four times as many results about halve the error of the guess."
        ),
    ),
    "jump": Prediction(
        Phrase(
            "A spy sees a result and guesses whether Mia, the sixth person around 40, is in the "
            "data. ε = 1 allows fewer than 74 right guesses of 100. How many are right here?"
        ),
        OnScale(50.0, 100.0, 1.0),
        lambda: 100 * numbers.jump(5, 4, 1.0).right,
        Phrase(
            "Without Mia, 95% of results are more than a year from 42; with her, 3%. ε = 1 holds only "
            "with δ = 0.92: by so much the probability of some results exceeds what it allows."
        ),
    ),
    "test": Prediction(
        Phrase(
            "300 people of the census, b = 2 years. How many must be added or removed before one more can "
            "change the median age by more than 2 years?"
        ),
        OnScale(0.0, 60.0, 1.0),
        lambda: float(numbers.walk(PEOPLE, BOUND, 1.0, 1).proposed.distance),
        Phrase(
            "Ages are close together around the median. This distance changes by at most 1 if one person is "
            "added or removed."
        ),
    ),
    "tent": Prediction(
        Phrase(
            "Nine people are around 40, four around 80. The larger the distance k, the smaller the "
            "weight. Which k gives the largest product of weight and A(k), at β = 1/3?"
        ),
        OnScale(0.0, 16.0, 1.0),
        lambda: float(numbers.tent(YOUNG, OLD, TAIL).peak),
        Phrase("After four people are removed the median can jump: there A(k) is 19, and its weight is still 26%."),
    ),
    "blocks": Prediction(
        Phrase(
            "300 people are dealt into k blocks. The median age of each is clipped to 20 to 80, and the mean "
            "of these medians gets noise for ε = 1. Which k gives the smallest error?"
        ),
        OnFactors(1.0, 300.0),
        lambda: float(numbers.best_blocks(Mean.name, *RANGE)),
        Phrase(
            "With few blocks, one person moves the mean by much, so the noise is large. With many, the median of a "
            "few people is far from that of all."
        ),
    ),
    "ways": Prediction(
        Phrase(
            "The median age of 300 people of the census is released at ε = 1. Which mechanism has the smallest error?"
        ),
        OneOf(
            {
                "0": Phrase("Global noise"),
                "1": Phrase("Propose-test-release"),
                "2": Phrase("Smooth sensitivity"),
                "3": Phrase("Sample and aggregate"),
            }
        ),
        lambda: _best(),
        Phrase(
            "Ages around the median are close together, so the smooth bound is tiny. The test takes half of ε "
            "and passes for larger bounds only, and blocks have few people."
        ),
    ),
}


def _best() -> str:
    errors = [way.error for way in numbers.ways(Median.name, PEOPLE, 1.0)]
    return str(errors.index(min(errors)))
