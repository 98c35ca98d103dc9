"""Exercises: what a worksheet asks of each lesson, and the answer, computed where the lesson's numbers are."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from discreet.budget import Phrase
from discreet.lab.classroom.activity import ACTIVITIES, EPSILON, CoinFlip, Questioning, hundred, noise_reach
from discreet.lab.classroom.drawings import estimated
from discreet.lab.lessons import composition, differencing, election, streams
from discreet.lab.lessons.people import town
from discreet.mechanisms.tuning import half_width

INCOME, PEOPLE, WIDTH = 80_000, 1000, 0.1
VOTES = (9, 7, 6, 3)
CLASS = 25


@dataclass(frozen=True)
class Exercise:
    """A question of one lesson, and its answer with the numbers filled in."""

    lesson: str
    question: Phrase
    answer: Callable[[], Phrase]


def _pair() -> Phrase:
    among, but = differencing.exact(town().names[0])
    return Phrase(
        "{among} − {but} = {left}: the person smokes. Without noise nothing is hidden.",
        among=among,
        but=but,
        left=among - but,
    )


def _paid() -> Phrase:
    (asking,) = [activity for activity in ACTIVITIES if isinstance(activity, Questioning)]
    paid = len(differencing.until_refused(asking.epsilon, asking.limit).answers)
    error = 1.96 * differencing.spread(asking.epsilon) / math.sqrt(paid)
    return Phrase(
        "{paid} answers. Their average is within {error} of the truth 19 times in 20.", paid=paid, error=f"{error:.1f}"
    )


def _reaches() -> Phrase:
    twice = half_width(differencing.law(composition.PEOPLE, 2 * EPSILON))
    return Phrase("{near} people, and {half} at twice the ε.", near=f"{noise_reach():.0f}", half=f"{twice:.0f}")


def _ratio() -> Phrase:
    return Phrase("At most e^0.5 = {ratio} times.", ratio=f"{math.exp(0.5):.2f}")


def _influence() -> Phrase:
    return Phrase("The sum by {sum}, the mean by {mean}.", sum=f"{INCOME:,}", mean=f"{INCOME / PEOPLE:g}")


def _total() -> Phrase:
    plain = composition.totals(composition.LAPLACE, EPSILON, 1e-6, composition.MANY)
    return Phrase(
        "{sum} by addition, {best} by the best account.", sum=f"{max(plain.values()):.0f}", best=f"{hundred():.2f}"
    )


def _leak() -> Phrase:
    return Phrase("n = 100 / 0.1 − 1 = {people}. The width of the noise has told it.", people=round(100 / WIDTH - 1))


def _winner() -> Phrase:
    most, less = (election.chances(election.WAYS[0], VOTES, epsilon)[0] for epsilon in (1.0, 0.1))
    return Phrase("{most} at ε = 1, {less} at ε = 0.1.", most=f"{most:.1%}", less=f"{less:.1%}")


def _true() -> Phrase:
    return Phrase("With a chance of e / (1 + e) = {chance}.", chance=f"{streams.truthful(1.0):.1%}")


def _class() -> Phrase:
    (coin,) = [activity for activity in ACTIVITIES if isinstance(activity, CoinFlip)]
    share = estimated(coin, [0] * CLASS)
    return Phrase("By up to {error}, 19 times in 20: with so few people it says little.", error=f"{share.error:.0%}")


EXERCISES = (
    Exercise(
        "lesson_2_differencing",
        Phrase("How many people smoke, and how many without the named person? What do the two exact answers tell?"),
        _pair,
    ),
    Exercise(
        "lesson_2_differencing",
        Phrase(
            "An answer costs ε = 0.1, the budget is ε = 3. How many answers are paid, and how good is their average?"
        ),
        _paid,
    ),
    Exercise(
        "lesson_3_laplace",
        Phrase("How far from the truth are 19 of 20 noisy counts at ε = 0.1? And at ε = 0.2?"),
        _reaches,
    ),
    Exercise(
        "lesson_3_laplace",
        Phrase("One person joins. How many times likelier can any answer become, at ε = 0.5?"),
        _ratio,
    ),
    Exercise(
        "lesson_4_sensitivity",
        Phrase("Incomes lie between 0 and 80,000. One of 1,000 people is exchanged. How far can sum and mean move?"),
        _influence,
    ),
    Exercise(
        "lesson_5_composition",
        Phrase("What do 100 answers of ε = 0.1 cost by plain addition, and by the best account with δ = 0.000001?"),
        _total,
    ),
    Exercise(
        "lesson_6_local_sensitivity",
        Phrase("Noise follows the local sensitivity 100 / (n + 1). Somebody sees that this is 0.1. What is n?"),
        _leak,
    ),
    Exercise(
        "lesson_7_election",
        Phrase("Four places have 9, 7, 6 and 3 votes. How likely does the first one win at ε = 1, and at ε = 0.1?"),
        _winner,
    ),
    Exercise(
        "lesson_8_streams", Phrase("Everybody answers through a coin of ε = 1. How often is a report the truth?"), _true
    ),
    Exercise(
        "lesson_8_streams",
        Phrase("A class of 25 answers through such coins. How far off can the estimated share of yes be?"),
        _class,
    ),
)
