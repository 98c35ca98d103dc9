"""Places: a mean of n values from 0 to 1, with noise in four different places at the same price.

n is public: one person changes a value. Input: everybody adds noise. Objective: the mean is what makes
the squared distances least, and noise tilts that sum. Optimiser: each step towards it is noisy.
Output: the mean gets noise.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.shapes import Laplace
from discreet.queries.bounds import FloatArray

PLACES = ("input", "objective", "optimiser", "output")
DRAWS, SEED, PACE, START, MEAN = 4000, 404, 0.5, 0.5, 0.3
CHUNK = 50  # draws at a time: everybody's noise of so many surveys is held at once


def _noise(rows: int, draws: int, seed: int) -> FloatArray:
    return Laplace().quantile(SimulationNoise(seed).uniforms(rows, draws))


def answers(place: str, people: int, epsilon: float, steps: int) -> FloatArray:
    """Return simulated answers."""
    if place == "input":
        draws = [_noise(people, CHUNK, SEED + part).mean(axis=0) for part in range(DRAWS // CHUNK)]
        return np.asarray(MEAN + np.concatenate(draws) / epsilon)
    if place == "optimiser":
        return _stepped(people, epsilon, steps)
    # the tilted sum of squares is least where the mean stands, moved by the noise / n: both are one law
    return np.asarray(MEAN + _noise(1, DRAWS, SEED)[0] / (people * epsilon))


def _stepped(people: int, epsilon: float, steps: int) -> FloatArray:
    """Walk towards the mean; every step pays with its part of epsilon."""
    here: FloatArray = np.full(DRAWS, START)
    for noise in _noise(steps, DRAWS, SEED) * steps / (people * epsilon):
        here = here - PACE * (here - MEAN + noise)
    return here


@lru_cache(maxsize=256)
def error(place: str, people: int, epsilon: float, steps: int = 10) -> float:
    """Return the error that 19 in 20 answers keep to."""
    return float(np.quantile(np.abs(answers(place, people, epsilon, steps) - MEAN), 0.95))
