"""Printed numbers: where the numbers of the textbook chapter come from, and what they are here."""

from __future__ import annotations

import math
from dataclasses import dataclass

from discreet.budget.phrase import Phrase
from discreet.lab.contest import Ground
from discreet.lab.textbook import BLOCKS, CLIPPED, EPSILON, PROPOSED, SHARE, delta_of, printed_beta
from discreet.mechanisms.proposal import Threshold, distance
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.sample_aggregate import BlocksMean
from discreet.mechanisms.smooth import smooth_bound
from discreet.queries.mean import Mean


@dataclass(frozen=True)
class PrintedNumber:
    """A number of the chapter: as printed, its formula, what that gives, what is right here, and why."""

    name: str
    printed: str
    formula: str
    again: float
    here: float
    why: str


def printed_numbers(ground: Ground) -> list[PrintedNumber]:
    """Return the numbers of the chapter in its order, for the mean of a column with its n."""
    return [*_tested(ground), *_smoothed(ground), *_blocks(ground)]


def _upper(ground: Ground) -> float:
    return float(ground.bounds.value(ground.bounds.top))


def _tested(ground: Ground) -> list[PrintedNumber]:
    n, delta, upper = ground.column.n, delta_of(ground), _upper(ground)
    right = ProposeTestRelease(Mean(), EPSILON, delta, PROPOSED, share=SHARE)
    return [
        PrintedNumber(
            Phrase("Threshold of the test"),
            "10.737",
            r"\frac{\ln(2/\delta)}{2\varepsilon}",
            math.log(2 / delta) / (2 * EPSILON),
            float(Threshold(right.epsilon_test, right.delta).least),
            Phrase("The proven test pays with a tenth of ε only, so it asks for more distance."),
        ),
        PrintedNumber(
            Phrase("Distance D before its noise"),
            "12,562.5",
            r"\lceil n + 1 - u/b \rceil",
            float(math.ceil(n + 1 - upper / PROPOSED)),
            float(distance(Mean(), ground.column, PROPOSED, n)),
            Phrase("The half is noise. The exact ladder knows all ages: a person moves the mean by less than u/(n+1)."),
        ),
    ]


def _smoothed(ground: Ground) -> list[PrintedNumber]:
    n, delta, upper = ground.column.n, delta_of(ground), _upper(ground)
    beta = printed_beta(EPSILON, delta)
    return [
        PrintedNumber(
            Phrase("Smoothing parameter β"),
            "–",
            r"\frac{\varepsilon}{2\ln(2/\delta)}",
            beta,
            beta,
            Phrase("The same. The core-tail noise of this app needs no δ at all."),
        ),
        PrintedNumber(
            Phrase("Final sensitivity 2S"),
            "0.006142",
            r"\frac{2u}{n+1}",
            2 * upper / (n + 1),
            2 * smooth_bound(Mean(), ground.column, beta),
            Phrase("The program starts at k = 0, the formula above it at k = 1. Both take u/(n+1) for A(0)."),
        ),
    ]


def _blocks(ground: Ground) -> list[PrintedNumber]:
    n, k, (low, high) = ground.column.n, BLOCKS[1], CLIPPED
    widest = BlocksMean(estimator="mean", k=BLOCKS[-1], lower=low, upper=high, epsilon=EPSILON)
    return [
        PrintedNumber(
            Phrase("Rows in a chunk, k = 600"),
            "55",
            r"\lceil n/k \rceil",
            float(math.ceil(n / k)),
            n / k,
            Phrase("Here every row draws its block in secret, so blocks have 54 rows on average."),
        ),
        PrintedNumber(
            Phrase("Scale of the noise, k = 6,000"),
            "–",
            r"\frac{u-l}{k\,\varepsilon},\ l=20,\ u=80",
            (high - low) / BLOCKS[-1] / EPSILON,
            (widest.upper - widest.lower) / widest.k / widest.epsilon,
            Phrase("The same: one person is in one block, and a block moves by 60 years at most."),
        ),
    ]
