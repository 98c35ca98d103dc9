"""The floating-point attack: does the double that was drawn give the exact answer away? (Mironov 2012)

Whoever adds noise to a number in floating point can reach some doubles from one exact answer and not
from another: one release tells which it was. The two answers lie a thousandth of a scale apart, so an
honest release tells next to nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy import special

from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.laws import Noisy
from discreet.mechanisms.noise_source import NoiseSource
from discreet.mechanisms.shapes import Laplace, Shape

RELEASES = 2_000
FALSE_ALARM = 1e-6  # chance that a source that gives nothing away is called broken
ANSWERS = (0.25, 0.251)
LATTICE = 2.0**-53  # uniforms of NumPy's generator are multiples of this
NEAR = np.arange(-24, 25)
Draw = Callable[[float], float]
Reach = Callable[[float, float], bool]


def laplace_reach(release: float, centre: float) -> bool:
    """Say whether centre -+ log(2U), U on the lattice, can be this release."""
    k = round(math.exp(-abs(release - centre)) / 2 / LATTICE)
    near = ((k + d) * LATTICE for d in range(-4, 5))
    noises = [math.log(u + u) for u in near if 0 < u <= 0.5]
    return any(release in (centre + noise, centre - noise) for noise in noises)


def quantile_reach(shape: Shape, scale: float = 1.0) -> Reach:
    """Return the same question for centre + scale quantile(U)."""

    def reach(release: float, centre: float) -> bool:
        k = np.round(shape.cdf((release - centre) / scale) / LATTICE) + NEAR
        uniforms = np.clip(k, 1, 2**53 - 1) * LATTICE + LATTICE / 2
        return bool(np.any(centre + scale * shape.quantile(uniforms) == release))

    return reach


def attributed(reach: Reach, draw: Draw, answers: tuple[float, float] = ANSWERS) -> int:
    """Return how many releases are attributed rightly; where both or none can be, toss a coin."""
    coins = SimulationNoise(1).uniforms(1, RELEASES)[0] < 0.5
    right = 0
    for i in range(RELEASES):
        truth = i % 2
        release = draw(answers[truth])
        first, second = (reach(release, answer) for answer in answers)
        right += int((coins[i] if first == second else int(second)) == truth)
    return right


def broken(reach: Reach, draw: Draw, answers: tuple[float, float] = ANSWERS) -> bool:
    """Say whether the attack beats a coin beyond doubt."""
    by_luck = special.bdtrc(attributed(reach, draw, answers) - 1, RELEASES, 0.5)  # the chance of as many or more
    return bool(by_luck < FALSE_ALARM)


def naive(shape: Shape, scale: float = 1.0) -> Draw:
    """Return a sampler that adds a float quantile to a float."""
    noise = SimulationNoise(0)
    return lambda centre: float(centre + scale * shape.quantile(noise.uniforms(1, 1)[0, 0]))


def falls(law: Noisy, noise: NoiseSource) -> bool:
    """Say whether answers of a law fall to the attack, drawn by a source at the law's own scale."""
    attacks = [quantile_reach(law.shape, law.scale)]
    if law.shape == Laplace() and law.scale == 1:
        attacks.append(laplace_reach)
    return any(
        broken(reach, lambda centre: law.shape.draw(noise, centre, law.scale), _answers(law)) for reach in attacks
    )


def falls_naively(law: Noisy) -> bool:
    """Say the same of the sum of two doubles: the twin, which must fall."""
    return broken(quantile_reach(law.shape, law.scale), naive(law.shape, law.scale), _answers(law))


def _answers(law: Noisy) -> tuple[float, float]:
    """Return two exact answers that lie a thousandth of a scale apart, none of them 0."""
    return law.scale * ANSWERS[0], law.scale * ANSWERS[1]
