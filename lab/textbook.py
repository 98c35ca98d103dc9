"""The comparisons of the textbook chapter, reproduced on open data, each with the correct version."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet.budget.errors import Phrase
from discreet.lab.contest import Contender, Ground
from discreet.lab.experiment import Experiment, simulate
from discreet.lab.explain import Smoothed, spaced
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism
from discreet.mechanisms.base.distance_test import Threshold, distance
from discreet.mechanisms.exhibits.global_mean import TextbookGlobalMean
from discreet.mechanisms.exhibits.ptr import TextbookPTR
from discreet.mechanisms.exhibits.smooth import TextbookSmooth
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.sample_aggregate import BlocksMean
from discreet.mechanisms.smooth import smooth_bound, window
from discreet.queries.mean import Mean
from discreet.queries.median import Median

EPSILON = 1.0
PROPOSED = 0.005
ANSWERS = 100
BLOCKS = (10, 600, 1000, 6000)
CLIPPED = (20.0, 80.0)  # the bounds of a block's mean
RUNGS = 200  # where the chapter stops
SHARE = 0.1  # of epsilon for the proven test


@dataclass(frozen=True)
class Reproduced:
    """A named line of a comparison: its contender, and its answers."""

    name: str
    contender: Contender
    result: Experiment


Pair = tuple[Reproduced, Reproduced]


def delta_of(ground: Ground) -> float:
    """Return the chapter's delta: 1 / n squared."""
    return 1 / max(ground.column.n, 2) ** 2


def _run(asked: Sequence[tuple[str, str, Mechanism]], ground: Ground, seed: int) -> list[Reproduced]:
    noise = SimulationNoise(seed)
    truth = Mean().value(ground.column)
    return [
        Reproduced(
            name,
            Contender(slug, mechanism),
            Experiment(name, truth, simulate(ground.law(mechanism, noise), ANSWERS, noise)),
        )
        for name, slug, mechanism in asked
    ]


def global_against_ptr(
    ground: Ground, seed: int, epsilon: float = EPSILON, delta: float | None = None, proposed: float = PROPOSED
) -> tuple[Pair, Pair]:
    """Return a hundred mean ages each way: both as printed, then both as proven.

    The proven versions use the same epsilon and delta in total: propose-test-release spends a small part of epsilon on
    its test.
    """
    delta = delta_of(ground) if delta is None else delta
    right = ProposeTestRelease(Mean(), epsilon, delta, proposed, share=SHARE)
    first, second, third, fourth = _run(
        (
            (Phrase("Global, textbook version"), TextbookGlobalMean.slug, TextbookGlobalMean(epsilon)),
            (Phrase("PTR, textbook version"), TextbookPTR.slug, TextbookPTR(epsilon, delta, Mean(), proposed)),
            (Phrase("Global, two soft counts"), TwoCounts.slug, TwoCounts(epsilon=epsilon)),
            (Phrase("PTR, proven version"), ProposeTestRelease.slug, right),
        ),
        ground,
        seed,
    )
    return (first, second), (third, fourth)


def blocks_against_global(
    ground: Ground, seed: int, k: int, epsilon: float = EPSILON, clipped: tuple[float, float] = CLIPPED
) -> tuple[Pair, Pair]:
    """Return a hundred mean ages by blocks, compared with the printed sum over count, then with two soft counts."""
    low, high = clipped
    blocks = BlocksMean(estimator="mean", k=k, lower=low, upper=high, epsilon=epsilon)
    first, second, third = _run(
        (
            (Phrase("Global, textbook version"), TextbookGlobalMean.slug, TextbookGlobalMean(epsilon)),
            (Phrase("Blocks, k = {k}", k=k), BlocksMean.slug, blocks),
            (Phrase("Global, two soft counts"), TwoCounts.slug, TwoCounts(epsilon=epsilon)),
        ),
        ground,
        seed,
    )
    return (first, second), (third, second)


@dataclass(frozen=True)
class Bounds200:
    """The smooth bound of one statistic: exact, as printed, and over k < 200 only."""

    name: str
    smoothed: Smoothed
    printed: float
    looked: float
    beta: float


def printed_beta(epsilon: float, delta: float) -> float:
    """Return the chapter's beta = epsilon / (2 ln(2/delta))."""
    return epsilon / (2 * math.log(2 / delta))


def smooth_bounds(ground: Ground, epsilon: float = EPSILON, delta: float | None = None) -> list[Bounds200]:
    """Return exp(-beta k) A(k) of mean and median, up to its maximum and beyond k = 200."""
    delta = delta_of(ground) if delta is None else delta
    beta = printed_beta(epsilon, delta)
    results = []
    for query in (Mean(), Median()):
        every = np.arange(min(window(beta), 4 * ground.column.n) + 1)
        rungs = query.ladder(ground.column, every)
        weighted = np.exp(-beta * every) * rungs
        peak = int(np.argmax(weighted))
        shown = spaced(max(2 * peak, RUNGS + RUNGS // 10), 2 * max(peak, RUNGS))  # beyond the search, too
        heights = query.ladder(ground.column, shown)
        smoothed = Smoothed(shown, heights, np.exp(-beta * shown), smooth_bound(query, ground.column, beta), peak)
        printed = TextbookSmooth(epsilon, delta, query).bound(ground.column)
        results.append(Bounds200(query.label, smoothed, printed, float(weighted[:RUNGS].max()), beta))
    return results


# --- Printed numbers: where the numbers of the textbook chapter come from, and their values here ---

SEED = 2024  # of the answers that are drawn for comparison with the printed ones


@dataclass(frozen=True)
class PrintedNumber:
    """A number of the chapter: as printed, its formula, its value, the correct value here, and why."""

    name: str
    printed: str
    formula: str
    again: float
    here: float
    why: str


def printed_numbers(ground: Ground, seed: int = SEED) -> list[PrintedNumber]:
    """Return the numbers of the chapter in its order, for the mean of a column with its n; the seed draws answers."""
    drawn = _answers(ground, seed), _by_blocks(ground, seed)
    return [*_tested(ground), *drawn[0], *_smoothed(ground), *_blocks(ground), drawn[1]]


def _upper(ground: Ground) -> float:
    return float(ground.bounds.value(ground.bounds.top))


def _tested(ground: Ground) -> list[PrintedNumber]:
    n = ground.column.n
    delta = delta_of(ground)
    upper = _upper(ground)
    right = ProposeTestRelease(Mean(), EPSILON, delta, PROPOSED, share=SHARE)
    return [
        PrintedNumber(
            Phrase("Threshold of the test"),
            "10.737",
            r"\frac{\ln(2/\delta)}{2\varepsilon}",
            math.log(2 / delta) / (2 * EPSILON),
            float(Threshold(right.epsilon_test, right.delta).least),
            Phrase("The proven test uses only a tenth of ε, so it requires a larger distance."),
        ),
        PrintedNumber(
            Phrase("Distance D before its noise"),
            "12,562.5",
            r"\lceil n + 1 - u/b \rceil",
            float(math.ceil(n + 1 - upper / PROPOSED)),
            float(distance(Mean(), ground.column, PROPOSED, n)),
            Phrase(
                "The fraction is noise. The exact A(k) takes all ages into account: one person changes "
                "the mean by less than u/(n+1)."
            ),
        ),
    ]


def _answers(ground: Ground, seed: int) -> list[PrintedNumber]:
    """Return the two mean ages of the chapter, each with one drawn here, as printed and as proven."""
    (by_sum, by_test), (by_counts, proven) = global_against_ptr(ground, seed)
    real = Phrase(
        "The book adds noise to the mean age of real people. The people here are simulated, and "
        "their mean age is {mean}. Both values beside it are from one run.",
        mean=f"{Mean().value(ground.column):.3f}",
    )
    halves = Phrase(
        "The same people with different noise: half of ε for the sum and half for the count. This, too, is one run."
    )
    test = r"f(x) + \mathrm{Lap}(b/\varepsilon)"
    count = r"n + \mathrm{Lap}(2/\varepsilon)"
    ratio = rf"\frac{{\sum x_i + \mathrm{{Lap}}(2u/\varepsilon)}}{{{count}}}"
    tested = Phrase("Mean age, by propose-test-release")
    counted = Phrase("Mean age, by sum over count")
    return [
        PrintedNumber(tested, "38.569", test, _first(by_test), _first(proven), real),
        PrintedNumber(counted, "38.592", ratio, _first(by_sum), _first(by_counts), halves),
    ]


def _first(line: Reproduced) -> float:
    """Return the first answer that was drawn."""
    return float(line.result.answers[0])


def _smoothed(ground: Ground) -> list[PrintedNumber]:
    n = ground.column.n
    delta = delta_of(ground)
    upper = _upper(ground)
    beta = printed_beta(EPSILON, delta)
    return [
        PrintedNumber(
            Phrase("Smoothing parameter β"),
            "–",
            r"\frac{\varepsilon}{2\ln(2/\delta)}",
            beta,
            beta,
            Phrase("The same. The core-tail noise of Discreet needs no δ."),
        ),
        PrintedNumber(
            Phrase("Final sensitivity 2S"),
            "0.006142",
            r"\frac{2u}{n+1}",
            2 * upper / (n + 1),
            2 * smooth_bound(Mean(), ground.column, beta),
            Phrase("The program starts at k = 0, but the formula above it starts at k = 1. Both use u/(n+1) for A(0)."),
        ),
    ]


def _blocks(ground: Ground) -> list[PrintedNumber]:
    n, k, (low, high) = ground.column.n, BLOCKS[1], CLIPPED
    widest = BlocksMean(estimator="mean", k=BLOCKS[-1], lower=low, upper=high, epsilon=EPSILON)
    return [
        PrintedNumber(
            Phrase("Rows per chunk, k = 600"),
            "55",
            r"\lceil n/k \rceil",
            float(math.ceil(n / k)),
            n / k,
            Phrase("Here every row is assigned to a block at random, so blocks have 54 rows on average."),
        ),
        PrintedNumber(
            Phrase("Scale of the noise, k = 6,000"),
            "–",
            r"\frac{u-l}{k\,\varepsilon},\ l=20,\ u=80",
            (high - low) / BLOCKS[-1] / EPSILON,
            (widest.upper - widest.lower) / widest.k / widest.epsilon,
            Phrase("The same: one person is in one block, and a block changes by at most 60 years."),
        ),
    ]


def _by_blocks(ground: Ground, seed: int) -> PrintedNumber:
    """Return the chapter's mean age of blocks with one drawn here: the mechanism is the same."""
    (_, blocks), _ = blocks_against_global(ground, seed, BLOCKS[1])
    return PrintedNumber(
        Phrase("Mean age, by 600 blocks"),
        "38.747",
        r"\frac1k \sum_i a_i + \mathrm{Lap}\left(\frac{u-l}{k\,\varepsilon}\right)",
        _first(blocks),
        _first(blocks),
        Phrase(
            "The noise has scale 0.1, twenty times that of propose-test-release, so the result may be "
            "further off. This, too, is one run."
        ),
    )
