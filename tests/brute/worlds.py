"""Every dataset of a small world, its neighbours, and ladders by brute force.

Nothing here shares code with queries/: a dataset is a sorted tuple of ticks, a statistic a plain
function of such a tuple, and A(k) is local sensitivity carried k times to all neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np

Dataset = tuple[int, ...]


class World:
    """All multisets over some ticks with up to `most` rows, neighbours by one row more or less."""

    def __init__(self, ticks: Sequence[int], most: int) -> None:
        """List the datasets and the neighbour pairs."""
        self.ticks = tuple(sorted(ticks))
        self.most = most
        sizes = range(most + 1)
        self.datasets = [x for n in sizes for x in combinations_with_replacement(self.ticks, n)]
        self.index = {x: i for i, x in enumerate(self.datasets)}
        self.pairs = np.array(
            [
                (i, self.index[tuple(sorted((*x, t)))])
                for i, x in enumerate(self.datasets)
                if len(x) < most
                for t in self.ticks
            ]
        )

    def up_to(self, size: int) -> list[Dataset]:
        """Datasets of at most `size` rows."""
        return [x for x in self.datasets if len(x) <= size]

    def ladder(self, f: Callable[[Dataset], float], rungs: int) -> np.ndarray:
        """A(0..rungs-1) of every dataset; rows with len(x) + k < most see their whole ball."""
        values = np.array([f(x) for x in self.datasets])
        return climb(values, self.pairs, rungs)


class SizedWorld(World):
    """All multisets of exactly `size` rows, neighbours by one changed row."""

    def __init__(self, ticks: Sequence[int], size: int) -> None:
        """List the datasets and the neighbour pairs."""
        self.ticks = tuple(sorted(ticks))
        self.most = size
        self.datasets = list(combinations_with_replacement(self.ticks, size))
        self.index = {x: i for i, x in enumerate(self.datasets)}
        changed = {
            (i, self.index[tuple(sorted((*x[:row], *x[row + 1 :], t)))])
            for i, x in enumerate(self.datasets)
            for row in range(size)
            for t in self.ticks
        }
        self.pairs = np.array(sorted(changed))


class PersonWorld:
    """Multisets of up to `most` persons with 1 to `rows` rows each; one person more or less."""

    def __init__(self, ticks: Sequence[int], rows: int, most: int) -> None:
        """List the states of persons and the neighbour pairs."""
        persons = [p for n in range(1, rows + 1) for p in combinations_with_replacement(sorted(ticks), n)]
        self.most = most
        states = [x for n in range(most + 1) for x in combinations_with_replacement(range(len(persons)), n)]
        index = {x: i for i, x in enumerate(states)}
        self.sizes = np.array([len(x) for x in states])
        self.datasets = [tuple(sorted(t for p in x for t in persons[p])) for x in states]
        self.pairs = np.array(
            [
                (i, index[tuple(sorted((*x, p)))])
                for i, x in enumerate(states)
                if len(x) < most
                for p in range(len(persons))
            ]
        )

    def ladder(self, f: Callable[[Dataset], float], rungs: int) -> np.ndarray:
        """A(0..rungs-1) in persons of every state."""
        statistic = lru_cache(maxsize=None)(f)
        return climb(np.array([statistic(x) for x in self.datasets]), self.pairs, rungs)


def climb(values: np.ndarray, pairs: np.ndarray, rungs: int) -> np.ndarray:
    """Local sensitivity from all pairs, then the maximum over neighbours once per rung."""
    first, other = pairs.T
    moves = np.abs(values[first] - values[other])
    rung = np.zeros(values.size)
    np.maximum.at(rung, first, moves)
    np.maximum.at(rung, other, moves)
    ladder = [rung]
    for _ in range(rungs - 1):
        higher = rung.copy()
        np.maximum.at(higher, first, rung[other])
        np.maximum.at(higher, other, rung[first])
        rung = higher
        ladder.append(rung)
    return np.array(ladder).T
