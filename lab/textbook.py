"""The comparisons of the textbook chapter, reproduced on open data, each beside what is right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet.budget.phrase import Phrase
from discreet.lab.contest import Contender, Ground
from discreet.lab.experiment import Experiment, simulate
from discreet.lab.explain import Smoothed, spaced
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism
from discreet.mechanisms.exhibit_global import TextbookGlobalMean
from discreet.mechanisms.exhibit_ptr import TextbookPTR
from discreet.mechanisms.exhibit_smooth import TextbookSmooth
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
RUNGS = 200  # where the chapter stops looking
SHARE = 0.1  # of epsilon that the proven test takes


@dataclass(frozen=True)
class Reproduced:
    """A named line of a comparison: what was run, and its answers."""

    name: str
    contender: Contender
    result: Experiment


Pair = tuple[Reproduced, Reproduced]


def delta_of(ground: Ground) -> float:
    """Return the chapter's delta: 1 / n squared."""
    return 1 / max(ground.column.n, 2) ** 2


def _run(asked: Sequence[tuple[str, str, Mechanism]], ground: Ground, seed: int) -> list[Reproduced]:
    noise, truth = SimulationNoise(seed), Mean().value(ground.column)
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

    Proven means the same epsilon and delta in all: propose-test-release spends a small part of
    epsilon on its test.
    """
    delta = delta_of(ground) if delta is None else delta
    right = ProposeTestRelease(Mean(), epsilon, delta, proposed, share=SHARE)
    first, second, third, fourth = _run(
        (
            (Phrase("Global, as printed"), TextbookGlobalMean.slug, TextbookGlobalMean(epsilon)),
            (Phrase("PTR, as printed"), TextbookPTR.slug, TextbookPTR(epsilon, delta, Mean(), proposed)),
            (Phrase("Global, two soft counts"), TwoCounts.slug, TwoCounts(epsilon=epsilon)),
            (Phrase("PTR, as proven"), ProposeTestRelease.slug, right),
        ),
        ground,
        seed,
    )
    return (first, second), (third, fourth)


def blocks_against_global(
    ground: Ground, seed: int, k: int, epsilon: float = EPSILON, clipped: tuple[float, float] = CLIPPED
) -> tuple[Pair, Pair]:
    """Return a hundred mean ages by blocks beside the printed sum over count, then beside two soft counts."""
    low, high = clipped
    blocks = BlocksMean(estimator="mean", k=k, lower=low, upper=high, epsilon=epsilon)
    first, second, third = _run(
        (
            (Phrase("Global, as printed"), TextbookGlobalMean.slug, TextbookGlobalMean(epsilon)),
            (Phrase("Blocks, k = {k}", k=k), BlocksMean.slug, blocks),
            (Phrase("Global, two soft counts"), TwoCounts.slug, TwoCounts(epsilon=epsilon)),
        ),
        ground,
        seed,
    )
    return (first, second), (third, second)


@dataclass(frozen=True)
class Bounds200:
    """The smooth bound of one statistic: as it is, as printed, and by looking at k < 200 only."""

    name: str
    smoothed: Smoothed
    printed: float
    looked: float
    beta: float


def printed_beta(epsilon: float, delta: float) -> float:
    """Return the chapter's beta = epsilon / (2 ln(2/delta))."""
    return epsilon / (2 * math.log(2 / delta))


def smooth_bounds(ground: Ground, epsilon: float = EPSILON, delta: float | None = None) -> list[Bounds200]:
    """Return exp(-beta k) A(k) of mean and median, as far as its maximum and beyond k = 200."""
    delta = delta_of(ground) if delta is None else delta
    beta, results = printed_beta(epsilon, delta), []
    for query in (Mean(), Median()):
        every = np.arange(min(window(beta), 4 * ground.column.n) + 1)
        rungs = query.ladder(ground.column, every)
        tent = np.exp(-beta * every)
        weighted = tent * rungs
        peak = int(np.argmax(weighted))
        shown = spaced(max(2 * peak, RUNGS + RUNGS // 10), 2 * max(peak, RUNGS))
        smoothed = Smoothed(shown, rungs[shown], tent[shown], smooth_bound(query, ground.column, beta), peak)
        printed = TextbookSmooth(epsilon, delta, query).bound(ground.column)
        results.append(Bounds200(query.label, smoothed, printed, float(weighted[:RUNGS].max()), beta))
    return results
