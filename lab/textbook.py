"""The comparisons of the textbook chapter, reproduced on open data, each beside what is right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet.budget.phrase import Phrase
from discreet.lab.contest import Contender, Ground
from discreet.lab.experiment import Experiment, simulate
from discreet.lab.explain import Smoothed
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism
from discreet.mechanisms.exhibit_global import TextbookGlobalMean
from discreet.mechanisms.exhibit_ptr import TextbookPTR
from discreet.mechanisms.exhibit_smooth import TextbookSmooth
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.sample_aggregate import BlocksMean
from discreet.mechanisms.smooth import smooth_bound
from discreet.queries.mean import Mean
from discreet.queries.median import Median

EPSILON = 1.0
PROPOSED = 0.005
ANSWERS = 100
BLOCKS = (10, 600, 1000, 6000)
RUNGS = 200


@dataclass(frozen=True)
class Reproduced:
    """A named line of a comparison: what was run, and its answers."""

    name: str
    contender: Contender
    result: Experiment


def _delta(ground: Ground) -> float:
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


def global_against_ptr(ground: Ground, seed: int) -> list[Reproduced]:
    """Mean age with b = 0.005, epsilon 1, delta 1/n^2, 100 answers each: as printed, and as right.

    Right means the same epsilon and delta in all: propose-test-release spends a small part of
    epsilon on its test.
    """
    delta = _delta(ground)
    right = ProposeTestRelease(Mean(), EPSILON, delta, PROPOSED, share=0.1)
    return _run(
        (
            (Phrase("Global, as printed"), TextbookGlobalMean.slug, TextbookGlobalMean(EPSILON)),
            (Phrase("Global, two soft counts"), TwoCounts.slug, TwoCounts(epsilon=EPSILON)),
            (Phrase("PTR, as printed"), TextbookPTR.slug, TextbookPTR(EPSILON, delta, Mean(), PROPOSED)),
            (Phrase("PTR, as proven"), ProposeTestRelease.slug, right),
        ),
        ground,
        seed,
    )


def blocks_against_global(ground: Ground, seed: int) -> list[Reproduced]:
    """Mean age by sample and aggregate at k = 10, 600, 1000, 6000 against global sensitivity."""
    low, high = float(ground.bounds.lower), float(ground.bounds.upper)
    blocks = [
        (
            Phrase("Blocks, k = {k}", k=k),
            BlocksMean.slug,
            BlocksMean(estimator="mean", k=k, lower=low, upper=high, epsilon=EPSILON),
        )
        for k in BLOCKS
    ]
    return _run(
        (*blocks, (Phrase("Global, two soft counts"), TwoCounts.slug, TwoCounts(epsilon=EPSILON))), ground, seed
    )


@dataclass(frozen=True)
class Bounds200:
    """The smooth bound for k < 200 of one statistic, as printed and as right."""

    name: str
    smoothed: Smoothed
    printed: float
    beta: float


def smooth_bounds(ground: Ground) -> list[Bounds200]:
    """Return exp(-beta k) A(k) for k < 200 with the textbook's beta = epsilon / (2 ln(2/delta))."""
    beta = EPSILON / (2 * math.log(2 / _delta(ground)))
    k, results = np.arange(RUNGS), []
    for query in (Mean(), Median()):
        rungs = query.ladder(ground.column, k)
        weighted = np.exp(-beta * k) * rungs
        bound = smooth_bound(query, ground.column, beta)
        printed = TextbookSmooth(EPSILON, _delta(ground), query).bound(ground.column)
        smoothed = Smoothed(k, rungs, weighted, bound, int(np.argmax(weighted)))
        results.append(Bounds200(query.label, smoothed, printed, beta))
    return results
