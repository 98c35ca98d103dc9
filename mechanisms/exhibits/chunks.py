"""The textbook's sample and aggregate, which cuts the file into consecutive chunks."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.vocabulary import BLOCKS, Family, Public, parameter, setting
from discreet.mechanisms.exhibits.exhibit import Exhibit, Guarantee
from discreet.mechanisms.laws.law import Laplace, Law, Noisy
from discreet.queries import Column
from discreet.queries.bounds import FloatArray
from discreet.queries.estimators import registry as estimators


def chunks(rows: FloatArray, k: int) -> list[FloatArray]:
    """Cut rows into consecutive chunks of ceil(n/k), which gives k of them or fewer."""
    size = max(1, math.ceil(rows.size / k))
    return [rows[start : start + size] for start in range(0, rows.size, size)]


@dataclass(frozen=True)
class TextbookChunks(Exhibit):
    """The mean of f over consecutive chunks, clipped to [l, u], plus Laplace((u-l)/(k epsilon)).

    Guarantee: k epsilon and no less in general. Removing the first row shifts every later chunk, so
    that all k answers can change by u-l. With one row changed in place one chunk changes, and the
    loss is epsilon k/chunks, because ceil(n/k) rows a chunk make fewer than k chunks.
    Claim: epsilon-DP, as one row is in one chunk.
    Reference: Nissim, Raskhodnikova and Smith 2007, where blocks are random.
    Corner cases: no rows give the middle of the range; a chunk without an estimate counts as the
    middle; a last chunk of one row is printed as one. `law` takes rows in the order of a file,
    and a column as a file in ascending order.
    """

    slug: ClassVar[str] = "textbook-chunks"
    title: ClassVar[str] = "Textbook: sample and aggregate"
    family: ClassVar[Family] = BLOCKS

    estimator: str = setting(Phrase("Estimator"), "mean")
    k: int = parameter("Chunks", 1, 1_000_000, default=600, help="The number of chunks is public.")
    lower: float = parameter("Lowest estimate", default=0.0, help="Lower estimates are raised to this value.")
    upper: float = parameter("Highest estimate", default=1.0, help="Higher estimates are lowered to this value.")

    def __post_init__(self) -> None:
        """Check the parameters."""
        super().__post_init__()
        if not self.lower < self.upper:
            raise ParameterError("The lowest estimate must be below the highest estimate.")

    @property
    def scale(self) -> float:
        """The printed noise scale."""
        return (self.upper - self.lower) / self.k / self.epsilon

    @property
    def claim(self) -> Guarantee:
        """The printed claim."""
        return Guarantee(self.epsilon, 0.0, "ε-DP: one row is in one chunk only.")

    def true_guarantee(self, public: Public) -> Guarantee:
        """Return the loss when the first row is removed, and when a row changes in place."""
        text = Phrase("Removing the first row can change all {k} chunks: up to {k} times the claimed ε.", k=self.k)
        n = public.size_guess
        if n:
            count = -(-n // max(1, math.ceil(n / self.k)))
            text = Phrase(
                "{text} If one row is changed in place, it is {times:.4g} times the claimed ε, with {count} chunks.",
                text=text,
                times=self.k / count,
                count=count,
            )
        return Guarantee(self.k * self.epsilon, 0.0, text)

    def centre(self, rows: FloatArray) -> float:
        """Return the mean of the clipped answers of all chunks."""
        middle = (self.lower + self.upper) / 2
        function: Callable[..., float] = estimators[self.estimator]
        with np.errstate(all="ignore"):
            answers = [function(chunk) for chunk in chunks(rows, self.k)] or [middle]
        whole = np.nan_to_num(np.array(answers), nan=middle)
        return float(np.clip(whole, self.lower, self.upper).mean())

    def loss(self, rows: FloatArray, removed: int = 0) -> float:
        """Return the privacy loss of removing one row of a file, in epsilons."""
        left = np.delete(rows, removed)
        return abs(self.centre(rows) - self.centre(left)) / self.scale / self.epsilon

    def law(self, data: Column | Any) -> Law:
        """Return the law as printed."""
        rows = data.values() if isinstance(data, Column) else np.asarray(data, dtype=np.float64)
        return Noisy(self.centre(rows), self.scale, Laplace())
