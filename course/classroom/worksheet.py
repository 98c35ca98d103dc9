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
from discreet.course.lessons.deidentification.numbers import MIA, town
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
    return Phrase("{named}: no one else in the register has the same three values.", named=joined.recognised.size)


def _pair() -> Phrase:
    among, but = differencing.exact(town().names[MIA])
    return Phrase(
        "{among} − {but} = {left}: Mia smokes. Without noise, nothing is hidden.",
        among=among,
        but=but,
        left=among - but,
    )


def _paid() -> Phrase:
    (asking,) = [activity for activity in ACTIVITIES if isinstance(activity, Questioning)]
    paid = len(differencing.until_refused(asking.epsilon, asking.limit).answers)
    error = 1.96 * differencing.spread(asking.epsilon) / math.sqrt(paid)
    return Phrase(
        "{paid} results. The margin of error of their average is {error} (95%).", paid=paid, error=f"{error:.1f}"
    )


def _twenty() -> Phrase:
    best = differencing.twenty(math.log(3), 1).allowed
    return Phrase(
        "{best} on average. A coin gets {coin} right on average, and 15 or more with a chance of {lucky}.",
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
    return Phrase("The sum changes by {sum}, the mean by {mean}.", sum=f"{INCOME:,}", mean=f"{INCOME / PEOPLE:g}")


def _total() -> Phrase:
    plain = numbers.totals(numbers.LAPLACE, EPSILON, 1e-6, numbers.MANY)
    return Phrase(
        "{sum} by addition, {best} under the best accounting method.",
        sum=f"{max(plain.values()):.0f}",
        best=f"{hundred():.2f}",
    )


def _leak() -> Phrase:
    return Phrase("n = 100 / 0.1 − 1 = {people}. The width of the noise reveals it.", people=round(100 / WIDTH - 1))


def _passes() -> Phrase:
    threshold = Threshold(0.5, 1e-6)
    rates = (PureTest(distance, threshold).chance for distance in (threshold.least, threshold.least + 10))
    there, further = (f"{rate:.1%}" for rate in rates)
    return Phrase(
        "T = {t}. At D = T the probability is {there}, ten people further away it is {further}.",
        t=threshold.least,
        there=there,
        further=further,
    )


def _highest() -> Phrase:
    before, after = (local.tent(young, 4, 3) for young in (9, 8))
    return Phrase(
        "At k = {k}: S = {s}. Without one of the nine, S = {more}, which is e^β = {factor} times as much and no more.",
        k=before.peak,
        s=f"{before.bound:.2f}",
        more=f"{after.bound:.2f}",
        factor=f"{after.bound / before.bound:.3f}",
    )


def _winner() -> Phrase:
    most, less = (election.chances(election.WAYS[0], VOTES, epsilon)[0] for epsilon in (1.0, 0.1))
    return Phrase("{most} at ε = 1, {less} at ε = 0.1.", most=f"{most:.1%}", less=f"{less:.1%}")


def _true() -> Phrase:
    return Phrase("The probability is e / (1 + e) = {chance}.", chance=f"{streams.truthful(1.0):.1%}")


def _class() -> Phrase:
    (coin,) = [activity for activity in ACTIVITIES if isinstance(activity, CoinFlip)]
    share = estimated(coin, [0] * CLASS)
    return Phrase(
        "The margin of error is {error} (95%). With so few people the estimate means little.",
        error=f"{share.error:.0%}",
    )


def _claimed() -> Phrase:
    bounds = Bounds(-100, 20, integer=True)
    truth = TextbookGlobalMean(1.0).true_guarantee(Public(bounds)).epsilon
    return Phrase("{truth}: (1 + 100/20) / 2. A row at −100 changes the sum by 100, not by 20.", truth=f"{truth:g}")


EXERCISES = (
    Exercise(
        "lesson_1_deidentification",
        Phrase(
            "A table of {people} patients without names shows sex, age and postcode. A public "
            "register has names. How many patients are identified when both are joined?",
            people=deidentification.PATIENTS,
        ),
        _named,
    ),
    Exercise(
        "lesson_2_differencing",
        Phrase("How many people smoke, and how many without the named person? What do the two exact results reveal?"),
        _pair,
    ),
    Exercise(
        "lesson_2_differencing",
        Phrase(
            "A result costs ε = 0.1, and the budget is ε = 3. How many results can you afford, and "
            "how precise is their average?"
        ),
        _paid,
    ),
    Exercise(
        "lesson_2_differencing",
        Phrase(
            "Each of twenty people smokes with probability 1/2. A count of each is released at ε = ln "
            "3. How many can you guess right, and how many can a coin?"
        ),
        _twenty,
    ),
    Exercise(
        "lesson_3_laplace",
        Phrase("How far from the exact value are 95% of noisy counts at ε = 0.1? And at ε = 0.2?"),
        _reaches,
    ),
    Exercise(
        "lesson_3_laplace",
        Phrase("One person joins. By what factor can the probability of any result grow, at ε = 0.5?"),
        _ratio,
    ),
    Exercise(
        "lesson_4_sensitivity",
        Phrase(
            "Incomes are between 0 and 80,000. One of 1,000 people is replaced. How much can the sum "
            "and the mean change?"
        ),
        _influence,
    ),
    Exercise(
        "lesson_5_composition",
        Phrase(
            "What do 100 results of ε = 0.1 cost by plain addition? And under the best accounting "
            "method with δ = 0.000001?"
        ),
        _total,
    ),
    Exercise(
        "lesson_6_local_sensitivity",
        Phrase("The noise follows the local sensitivity 100 / (n + 1). Someone sees that this is 0.1. What is n?"),
        _leak,
    ),
    Exercise(
        "lesson_6_local_sensitivity",
        Phrase(
            "Propose-test-release: ε₁ = 0.5 and δ = 10⁻⁶. Which threshold T must the noisy distance reach? How "
            "often does it reach T if the distance D is T?"
        ),
        _passes,
    ),
    Exercise(
        "lesson_6_local_sensitivity",
        Phrase(
            "Nine people are around 40 and four around 80, β = 1/3. At which k is the tent highest, "
            "and what is S? What is S without one of the nine?"
        ),
        _highest,
    ),
    Exercise(
        "lesson_7_election",
        Phrase("Four places have 9, 7, 6 and 3 votes. How likely is the first one to win at ε = 1, and at ε = 0.1?"),
        _winner,
    ),
    Exercise(
        "lesson_8_streams", Phrase("Everyone answers through a coin of ε = 1. How often is a report true?"), _true
    ),
    Exercise(
        "lesson_8_streams",
        Phrase("A class of 25 answers through such coins. How large can the error of the estimated share of yes be?"),
        _class,
    ),
    Exercise(
        "lesson_9_mistakes",
        Phrase("The textbook's noisy mean claims ε = 1 for values from −100 to 20. What is its true ε?"),
        _claimed,
    ),
)
