"""Block count: how many blocks to use, from public inputs only."""

from __future__ import annotations

import math
from dataclasses import dataclass

from discreet.budget import Cost
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.sample_aggregate import MOST_BLOCKS, BlocksMean, BlocksMedian

ROWS_PER_BLOCK = 30


@dataclass(frozen=True)
class BlockCount:
    """A suggested aggregator (its slug) with its number of blocks, and the reason."""

    slug: str
    k: int
    reason: str


def propose_k(epsilon: float, size_guess: int, rows: int = ROWS_PER_BLOCK) -> BlockCount:
    """Suggest an aggregator and k from public inputs: a median needs about 100 / epsilon blocks.

    P(median outside the bulk of width w) is about (R/w) exp(-epsilon k / 4), so k >= 4/epsilon ln(R/(alpha w)) whatever
    the data; the estimator needs `rows` rows per block to be meaningful.
    """
    Cost.of(epsilon)
    if not 1 <= size_guess <= 2**40 or rows < 1:
        raise ParameterError("The size guess must be between 1 and 2^40. Got {size_guess}.", size_guess=size_guess)
    wanted = math.ceil(100 / epsilon)
    if wanted <= MOST_BLOCKS and size_guess >= rows * wanted:
        reason = Phrase(
            "{wanted} blocks of about {rows} rows are enough for a private median.",
            wanted=wanted,
            rows=size_guess // wanted,
        )
        return BlockCount(BlocksMedian.slug, wanted, reason)
    k = min(max(1, size_guess // rows), MOST_BLOCKS)
    reason = Phrase(
        "A median needs {wanted} blocks of {rows} rows. A noisy mean needs only {k}.", wanted=wanted, rows=rows, k=k
    )
    return BlockCount(BlocksMean.slug, k, reason)
