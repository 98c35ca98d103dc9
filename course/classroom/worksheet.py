"""Worksheet: the exercises of each lesson, with answers computed from the lesson's numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from discreet.budget import Phrase
from discreet.course.classroom.activity import (
    ACTIVITIES,
    EPSILON,
    CoinFlip,
    Questioning,
    estimated,
    hundred,
    noise_reach,
)
from discreet.course.lessons.composition import numbers
from discreet.course.lessons.deidentification import numbers as deidentification
from discreet.course.lessons.deidentification.numbers import town
from discreet.course.lessons.differencing import numbers as differencing
from discreet.course.lessons.election import numbers as election
from discreet.course.lessons.local import numbers as local
from discreet.course.lessons.streams import numbers as streams
from discreet.mechanisms import Public
from discreet.mechanisms.base.distance_test import PureTest, Threshold
from discreet.mechanisms.base.tuning import half_width
from discreet.mechanisms.exhibits.global_mean import TextbookGlobalMean
from discreet.queries import Bounds

INCOME = 80_000
PEOPLE = 1000
WIDTH = 0.1
VOTES = (9, 7, 6, 3)
CLASS = 25


@dataclass(frozen=True)
class Exercise:
    """A question of one lesson, and its answer with the numbers filled in."""

    lesson: str
    question: Phrase
    answer: Callable[[], Phrase]


def _named() -> Phrase:
    columns = ("sex", "age", "postcode")
    hospital = deidentification.register().columns(columns, deidentification.hospital().persons)
    register = deidentification.register().columns(columns)
    joined = deidentification.join(hospital, register, (deidentification.PATIENTS, len(town().names)))
    return Phrase("{named}: nobody else in the register has all three in common.", named=joined.recognised.size)


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


def _twenty() -> Phrase:
    best = differencing.twenty(math.log(3), 1).allowed
    return Phrase(
        "{best} on average. A coin has {coin}, and 15 or more right with a chance of {lucky}.",
        best=f"{differencing.PEOPLE * best:.0f}",
        coin=f"{differencing.PEOPLE * differencing.COIN:.0f}",
        lucky=f"{differencing.luck(15, differencing.COIN):.1%}",
    )


def _reaches() -> Phrase:
    twice = half_width(differencing.law(numbers.PEOPLE, 2 * EPSILON))
    return Phrase("{near} people, and {half} at twice the ε.", near=f"{noise_reach():.0f}", half=f"{twice:.0f}")


def _ratio() -> Phrase:
    return Phrase("At most e^0.5 = {ratio} times.", ratio=f"{math.exp(0.5):.2f}")


def _influence() -> Phrase:
    return Phrase("The sum by {sum}, the mean by {mean}.", sum=f"{INCOME:,}", mean=f"{INCOME / PEOPLE:g}")


def _total() -> Phrase:
    plain = numbers.totals(numbers.LAPLACE, EPSILON, 1e-6, numbers.MANY)
    return Phrase(
        "{sum} by addition, {best} by the best account.", sum=f"{max(plain.values()):.0f}", best=f"{hundred():.2f}"
    )


def _leak() -> Phrase:
    return Phrase("n = 100 / 0.1 − 1 = {people}. The width of the noise has told it.", people=round(100 / WIDTH - 1))


def _passes() -> Phrase:
    threshold = Threshold(0.5, 1e-6)
    rates = (PureTest(distance, threshold).chance for distance in (threshold.least, threshold.least + 10))
    there, further = (f"{rate:.1%}" for rate in rates)
    return Phrase(
        "T = {t}. At D = T with a chance of {there}, ten people further with {further}.",
        t=threshold.least,
        there=there,
        further=further,
    )


def _highest() -> Phrase:
    before, after = (local.tent(young, 4, 3) for young in (9, 8))
    return Phrase(
        "At k = {k}: S = {s}. Without one of the nine S = {more}, e^β = {factor} times that and no more.",
        k=before.peak,
        s=f"{before.bound:.2f}",
        more=f"{after.bound:.2f}",
        factor=f"{after.bound / before.bound:.3f}",
    )


def _winner() -> Phrase:
    most, less = (election.chances(election.WAYS[0], VOTES, epsilon)[0] for epsilon in (1.0, 0.1))
    return Phrase("{most} at ε = 1, {less} at ε = 0.1.", most=f"{most:.1%}", less=f"{less:.1%}")


def _true() -> Phrase:
    return Phrase("With a chance of e / (1 + e) = {chance}.", chance=f"{streams.truthful(1.0):.1%}")


def _class() -> Phrase:
    (coin,) = [activity for activity in ACTIVITIES if isinstance(activity, CoinFlip)]
    share = estimated(coin, [0] * CLASS)
    return Phrase("By up to {error}, 19 times in 20: with so few people it says little.", error=f"{share.error:.0%}")


def _claimed() -> Phrase:
    bounds = Bounds(-100, 20, integer=True)
    truth = TextbookGlobalMean(1.0).true_guarantee(Public(bounds)).epsilon
    return Phrase("{truth}: (1 + 100/20) / 2. A row at −100 moves the sum by 100, not by 20.", truth=f"{truth:g}")


EXERCISES = (
    Exercise(
        "lesson_1_deidentification",
        Phrase(
            "A table of {people} patients without names tells sex, age and postcode. A public register has names. How "
            "many of the patients are named when both are joined?",
            people=deidentification.PATIENTS,
        ),
        _named,
    ),
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
        "lesson_2_differencing",
        Phrase(
            "Each of twenty people smokes as likely as not, and a count of each is told at ε = ln 3. How many can you "
            "guess right, and how many can a coin?"
        ),
        _twenty,
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
        "lesson_6_local_sensitivity",
        Phrase(
            "Propose, test, release: ε₁ = 0.5 and δ = 1e-6. Which threshold T must the noisy distance reach? How often "
            "does it, if the distance D is T?"
        ),
        _passes,
    ),
    Exercise(
        "lesson_6_local_sensitivity",
        Phrase(
            "The tent over nine people around 40 and four around 80, β = 1/3: at which k is it highest, and what is S? "
            "What is S without one of the nine?"
        ),
        _highest,
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
    Exercise(
        "lesson_9_mistakes",
        Phrase("The printed noisy mean claims ε = 1 for values from −100 to 20. Which ε has it in truth?"),
        _claimed,
    ),
)
