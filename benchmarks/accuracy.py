"""Median absolute error against the peers: same data, bounds, neighbour relation and epsilon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import peers
from benchmarks.data import Numbers, ages, incomes, occupations
from benchmarks.ours import Key, category, numbers
from benchmarks.report import table
from discreet.noise.source import ReleaseNoise

EPSILON = 1.0
DRAWS = 1000
TIE = 0.13  # two medians of 1000 absolute errors differ by more with probability 1 in 200

Errors = Mapping[Key, NDArray[np.float64]]


def truths(data: Numbers) -> dict[str, Any]:
    """Return the exact answers on the clipped values."""
    x = np.clip(data.values, data.bounds.lower, data.bounds.upper)
    edges = np.linspace(data.bounds.lower, data.bounds.upper, peers.BINS + 1)
    return {
        "mean": x.mean(),
        "median": np.median(x),
        "quantile 0.9": np.quantile(x, 0.9, method="inverted_cdf"),
        "sum": x.sum(),
        "count": np.sum(data.values > data.cut),
        "histogram": np.histogram(x, edges)[0],
    }


def errors(samplers: Mapping[Key, Any], truth: Mapping[str, Any]) -> Errors:
    """Return the absolute errors of real answers; a histogram counts every bin."""
    return {
        key: np.abs(np.array([sample() for _ in range(DRAWS)], float) - truth[key[0]]).ravel()
        for key, sample in samplers.items()
    }


def verdict(mine: NDArray[np.float64], theirs: NDArray[np.float64]) -> str:
    """Return which side has the smaller median error, and by how much."""
    a, b = float(np.median(mine)), float(np.median(theirs))
    if a == b or (b > 0 and abs(a - b) <= TIE * max(a, b)):
        return "tie"
    return f"ours {b / a:.2f}x better" if a and a < b else "ours exact" if a < b else "PEER AHEAD"


def compare(data: Numbers) -> list[tuple[str, ...]]:
    """Return one row per statistic, relation and peer."""
    truth = truths(data)
    mine = errors(numbers(data, EPSILON, ReleaseNoise()), truth)
    rows = []
    for peer, source in (("OpenDP", peers.opendp_number), ("diffprivlib", peers.diffprivlib_number)):
        for key, theirs in sorted(errors(source(data, EPSILON), truth).items()):
            word = verdict(mine[key], theirs)
            pair = f"{np.median(mine[key]):.4g}", f"{np.median(theirs):.4g}"
            means = f"{np.mean(mine[key]):.4g}", f"{np.mean(theirs):.4g}"
            rows.append((data.name, *key, peer, *pair, word, *means))
    return rows


def most_common() -> list[tuple[str, ...]]:
    """Return the votes lost by the chosen occupation, at an epsilon where the choice is hard."""
    rows = occupations()
    levels = sorted(set(rows.tolist()))
    votes = {level: int(np.sum(rows == level)) for level in levels}
    epsilon = 3 / max(1, (sorted(votes.values())[-1] - sorted(votes.values())[-2]))
    best = max(votes.values())

    def lost(sample: Any) -> NDArray[np.float64]:
        return np.array([best - votes[sample()] for _ in range(5 * DRAWS)], dtype=float)

    mine = lost(category(rows, levels, epsilon, ReleaseNoise()))
    lines = []
    for peer, source in (("OpenDP", peers.opendp_category), ("diffprivlib", peers.diffprivlib_category)):
        theirs = lost(source(rows, levels, epsilon))
        pair = f"{np.median(mine):.4g}", f"{np.median(theirs):.4g}"
        means = f"{mine.mean():.4g}", f"{theirs.mean():.4g}"
        lines.append(
            ("occupation", f"most common, eps {epsilon:.3f}", "a/r", peer, *pair, verdict(mine, theirs), *means)
        )
    return lines


def run() -> None:
    """Print the table, and list the comparisons in which a peer is ahead."""
    rows = compare(ages()) + compare(incomes()) + most_common()
    head = ("data", "statistic", "relation", "peer", "ours", "theirs", "median error", "our mean", "their mean")
    table(f"Accuracy at epsilon {EPSILON}: absolute error of {DRAWS} real answers", head, rows)
    ahead = [row for row in rows if row[6] == "PEER AHEAD"]
    print(f"\npeers ahead in median error: {len(ahead)} of {len(rows)}")
    for row in ahead:
        print("  ", *row)


if __name__ == "__main__":
    run()
