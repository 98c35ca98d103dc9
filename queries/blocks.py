"""Blocks: one estimate per secret random block of persons."""

from __future__ import annotations

from dataclasses import dataclass, field

from discreet.queries.bounds import FloatArray


@dataclass(frozen=True, eq=False)
class Blocks:
    """k estimates, each clipped into the public range [lower, upper]. Private.

    One person is in one block, so a neighbour changes at most one of the k numbers.
    """

    lower: float
    upper: float
    estimates: FloatArray = field(repr=False)
