"""Printed numbers: where the numbers of the textbook chapter come from, and what they are here."""

from __future__ import annotations

import math
from dataclasses import dataclass

from discreet.budget.phrase import Phrase
from discreet.lab.contest import Ground
from discreet.lab.textbook import (
    BLOCKS,
    CLIPPED,
    EPSILON,
    PROPOSED,
    SHARE,
    Reproduced,
    blocks_against_global,
    delta_of,
    global_against_ptr,
    printed_beta,
)
from discreet.mechanisms.proposal import Threshold, distance
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.sample_aggregate import BlocksMean
from discreet.mechanisms.smooth import smooth_bound
from discreet.queries.mean import Mean

SEED = 2024  # of the answers that are drawn beside the printed ones


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
    return [*_tested(ground), *_answers(ground), *_smoothed(ground), *_blocks(ground), _by_blocks(ground)]


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


def _answers(ground: Ground) -> list[PrintedNumber]:
    """Return the two mean ages of the chapter beside one drawn here, as printed and as proven."""
    (by_sum, by_test), (by_counts, proven) = global_against_ptr(ground, SEED)
    real = Phrase(
        "Noise on the mean age of the book's people, who are real. The people here are generated, and their mean age "
        "is {mean}. Both numbers beside it are one draw.",
        mean=f"{Mean().value(ground.column):.3f}",
    )
    halves = Phrase("The same people and other noise: half of ε for the sum, half for the count. One draw here, too.")
    test, count = r"f(x) + \mathrm{Lap}(b/\varepsilon)", r"n + \mathrm{Lap}(2/\varepsilon)"
    ratio = rf"\frac{{\sum x_i + \mathrm{{Lap}}(2u/\varepsilon)}}{{{count}}}"
    tested, counted = Phrase("Mean age, by propose-test-release"), Phrase("Mean age, by sum over count")
    return [
        PrintedNumber(tested, "38.569", test, _first(by_test), _first(proven), real),
        PrintedNumber(counted, "38.592", ratio, _first(by_sum), _first(by_counts), halves),
    ]


def _first(line: Reproduced) -> float:
    """Return the first answer that was drawn."""
    return float(line.result.answers[0])


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


def _by_blocks(ground: Ground) -> PrintedNumber:
    """Return the chapter's mean age of blocks beside one drawn here: the mechanism is the same."""
    (_, blocks), _ = blocks_against_global(ground, SEED, BLOCKS[1])
    return PrintedNumber(
        Phrase("Mean age, by 600 blocks"),
        "38.747",
        r"\frac1k \sum_i a_i + \mathrm{Lap}\left(\frac{u-l}{k\,\varepsilon}\right)",
        _first(blocks),
        _first(blocks),
        Phrase("Noise of scale 0.1, twenty times that of the test: so it may lie further off. One draw here, too."),
    )
