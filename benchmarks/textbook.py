"""The loops that a textbook's reader would write: one answer at a time, on a pandas series."""

from __future__ import annotations

import numpy as np
import pandas as pd

UPPER = 100.0


def global_mean(series: pd.Series[float], epsilon: float, rng: np.random.Generator) -> float:
    """Noisy sum over noisy count."""
    noisy = series.clip(upper=UPPER).sum() + rng.laplace(scale=2 * UPPER / epsilon)
    return float(noisy / (len(series) + rng.laplace(scale=2 / epsilon)))


def distance(n: int, b: float) -> int:
    """Search outwards until the sensitivity u/(n-k+1) exceeds b."""
    k = 0
    while UPPER / abs(n - k + 1) < b and k < n:
        k += 1
    return k


def ptr_mean(
    series: pd.Series[float], epsilon: float, delta: float, b: float, rng: np.random.Generator
) -> float | None:
    """Propose b, test the distance, release."""
    clipped = series.clip(upper=UPPER)
    k = distance(len(clipped), b)
    if k + rng.laplace(scale=1 / epsilon) < np.log(2 / delta) / (2 * epsilon):
        return None
    return float(clipped.mean() + rng.laplace(scale=b / epsilon))


def smooth_mean(series: pd.Series[float], epsilon: float, delta: float, rng: np.random.Generator) -> float:
    """Take the maximum of the smoothed ladder over 200 steps, then Laplace noise."""
    clipped = series.clip(upper=UPPER)
    beta, n = epsilon / (2 * np.log(2 / delta)), len(clipped)
    bounds = []
    for k in range(200):
        bounds.append(np.exp(-beta * k) * (UPPER / abs(n - k + 1)))
    return float(clipped.mean() + rng.laplace(scale=2 * max(bounds) / epsilon))


def chunk_mean(series: pd.Series[float], epsilon: float, k: int, rng: np.random.Generator) -> float:
    """Split into consecutive chunks, clip each answer, average, add noise."""
    size = int(np.ceil(len(series) / k))
    chunks = [series[i : i + size] for i in range(0, len(series), size)]
    answers = [min(max(chunk.mean(), 0.0), UPPER) for chunk in chunks]
    return float(np.mean(answers) + rng.laplace(scale=UPPER / k / epsilon))


def every(series: pd.Series[float], rng: np.random.Generator) -> list[float | None]:
    """Return one answer of each of the four loops."""
    epsilon, delta = 1.0, 1 / len(series) ** 2
    return [
        global_mean(series, epsilon, rng),
        ptr_mean(series, epsilon, delta, 0.005, rng),
        smooth_mean(series, epsilon, delta, rng),
        chunk_mean(series, epsilon, 600, rng),
    ]
