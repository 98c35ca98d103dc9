"""A private upper bound for clipping: the sound form of "widen the bounds until the answer settles"."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from discreet.budget import Account, Cost, Pure
from discreet.budget.errors import Phrase
from discreet.mechanisms.base.mechanism import Mechanism
from discreet.mechanisms.base.sparse_vector import Crossings, Scales
from discreet.mechanisms.base.vocabulary import (
    AS_DRAWN,
    LAPLACE,
    SPARSE,
    Family,
    Forecast,
    Noise,
    Public,
    Topic,
    epsilon_parameter,
    own_relation,
    parameter,
)
from discreet.mechanisms.laws.law import Law, Picked
from discreet.noise.protocol import NoiseSource
from discreet.queries import Bounds, Column, Relation
from discreet.queries.bounds import FloatArray, IntArray


def geometric_grid(bounds: Bounds, ratio: float) -> IntArray:
    """Return ticks from 0 to the top: geometric distances from the lower bound, and 0 itself."""
    size = math.ceil(math.log(bounds.top) / math.log(ratio)) + 1
    points = np.ceil(bounds.top * ratio ** -np.arange(size, dtype=np.float64))
    return np.unique(np.concatenate(([0], points.astype(np.int64))))


@dataclass(frozen=True)
class PrivateUpperBound(Mechanism):
    """The first point of a public geometric grid with no more than a few rows above it.

    AboveThreshold over the counts -#{x > g_j}, which one person moves all the same way, with the
    threshold -(rows left out). The grid ends at the declared upper bound, the answer if no earlier
    point passes. Looking at j noisy answers by hand and widening until they settle costs j epsilon;
    this costs epsilon once, however far it goes, and its answer may be the bound of what follows.
    Guarantee: epsilon-DP, no delta.
    Proof: this is above-threshold with one answer, on counts that one person moves by at most m
    each. Raising the threshold's noise by m (by 0 if the counts fall) costs at most e1 and keeps
    all misses as likely; the hit is then short by at most 2 m, or m where all counts move one way,
    which costs e2. Grid and rows left out are public.
    Reference: Dwork and Roth 2014, section 3.6; Lyu, Su and Li 2017 for the noise.
    Complexity: O(grid); probabilities O(grid^2).
    Corner cases: no rows stop at the smallest point, most likely; equal rows stop just above them;
    rows at the upper bound give the upper bound.
    """

    slug: ClassVar[str] = "private-upper-bound"
    title: ClassVar[str] = "Upper bound by sparse vector"
    family: ClassVar[Family] = SPARSE
    answers: ClassVar[tuple[Topic, ...]] = (
        Topic("upper-bound", Phrase("Upper bound for clipping"), bounds=("upper",)),
    )
    noise: ClassVar[Noise] = LAPLACE
    after: ClassVar[Phrase] = AS_DRAWN

    epsilon: float = epsilon_parameter()
    left_out: float | None = parameter(
        "Rows left out", 0, 1e12, help="About this many rows may be above the bound. Default: 5 / ε."
    )
    ratio: float = parameter("Ratio", 1.1, 10, default=2.0, help="This is the ratio between neighbouring grid points.")
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it

    def __post_init__(self) -> None:
        """Set the default of the rows left out, and check the parameters."""
        self.parameters()["epsilon"].check(self.epsilon)
        if self.left_out is None:
            preset = math.ceil(5 * self.relation.rows / self.epsilon)
            object.__setattr__(self, "left_out", preset)
        super().__post_init__()

    @property
    def scales(self) -> Scales:
        """The two public noise scales."""
        return Scales.best(self.epsilon, "automatic", self.relation, 1)

    def grid(self, bounds: Bounds) -> IntArray:
        """Return the public grid as ticks: 0, and geometric distances from the lower bound."""
        return geometric_grid(bounds, self.ratio)

    @property
    def additive(self) -> bool:
        """True: each row moves all counts by at most 1, so the noise is raised by its own part only."""
        return True

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)

    def law(self, data: Column) -> Law:
        """Return the law over the grid, in the column's own unit."""
        assert self.left_out is not None
        grid = self.grid(data.bounds)
        at = np.searchsorted(data.levels, grid[:-1], side="right")
        above = data.n - np.concatenate(([0], data.ends))[at]
        stream = Crossings((), -above, -float(self.left_out), self.scales)
        points = np.asarray(data.bounds.value(grid), dtype=np.float64)

        def pick(noise: NoiseSource) -> int:
            return next(iter(stream.positions(noise)), grid.size - 1)

        def chances() -> FloatArray:
            return stream.probabilities

        return Picked(points.tolist(), points, chances, pick)

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no width, but how many rows may be above the bound, whatever the data."""
        if public.bounds is None:
            return Forecast(None, "The bounds of the column determine the length of the grid.")
        assert self.left_out is not None
        rows = self.left_out + self.scales.slack(self.grid(public.bounds).size, 1 - confidence)
        return Forecast(
            None,
            Phrase(
                "With {sure:.4g}% confidence, at most {rows:.3g} rows are above it.", sure=100 * confidence, rows=rows
            ),
        )
