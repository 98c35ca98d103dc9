"""Proposal walk: propose-test-release on the ages of the census, one step after the other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from discreet.lab import explain
from discreet.lab.contest import Ground
from discreet.lab.explain import Ladder, Proposed
from discreet.lab.lessons.laplace import density
from discreet.lab.preview import census_ground
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.composed import Gated
from discreet.mechanisms.laws import Noisy
from discreet.mechanisms.proposal import PureTest
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.queries.bounds import FloatArray
from discreet.queries.median import Median

DELTA = 1e-6
NEAREST = 80  # persons away that are drawn at least
SEEN = 1.1  # of what lies furthest away
SHOWN = 0.99  # of all answers


@dataclass(frozen=True)
class ProposalWalk:
    """A proposal, its noisy test, and what was released; no answer is a refusal."""

    law: Gated
    noise: float
    proposed: Proposed
    ladder: Ladder
    noisy: int
    answer: float | None
    truth: float

    @property
    def threshold(self) -> int:
        """What the noisy distance has to reach."""
        return int(self.proposed.threshold)


def crowd(people: int) -> Ground:
    """Return the ages of so many people, which everybody may see."""
    return census_ground("age").resized(people)


def proposal(b: float, epsilon: float) -> ProposeTestRelease:
    """Return the mechanism of the library: half of epsilon is for the test."""
    return ProposeTestRelease(query=Median(), epsilon=epsilon, delta=DELTA, b=b)


@lru_cache(maxsize=64)
def walk(people: int, b: float, epsilon: float, seed: int) -> ProposalWalk:
    """Walk a proposal to its release: the law draws the noise of the test first, then that of the answer."""
    mechanism, column = proposal(b, epsilon), crowd(people).column
    law, test = mechanism.law(column), mechanism.tested(column)
    assert isinstance(law, Gated) and isinstance(test, PureTest)
    noisy = SimulationNoise(seed).geometric(test.distance, test.threshold.scale)
    answer: Any = law.draw(SimulationNoise(seed))
    return ProposalWalk(
        law,
        mechanism.scale(column.bounds),
        explain.proposed(mechanism, column),
        explain.ladder(mechanism.query, column, max(NEAREST, int(SEEN * max(noisy, test.distance)))),
        noisy,
        answer,
        mechanism.query.value(column),
    )


def bell(law: Gated) -> tuple[FloatArray, FloatArray]:
    """Return where the answers lie that are given, and how densely."""
    low, high = (float(law.quantile(p)) for p in (1 - SHOWN, SHOWN))
    x, inner = np.linspace(low, high, 121), law.inner
    assert isinstance(inner, Noisy)
    return x, density(inner, x)
