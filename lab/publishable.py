"""Publishable: how wide the interval is that stands beside an answer, on public ground.

An answer that is close and does not say how close is worth less in a table than one that is nearly as
close and says it. Whatever tells an interval takes part, by registration.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet.lab.contest import Contender, Ground
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism, Public
from discreet.mechanisms.laws import Law

MOST_REFUSED = 0.05
DRAWS = 25  # where nothing but answers says how wide intervals are


def published_width(mechanism: Mechanism, ground: Ground, public: Public) -> float:
    """Return the usual half width of the interval of the value of the rows; endless where none is told.

    What mostly refuses, and what tells an interval of something else, tells none.
    """
    noise, forecast = SimulationNoise(0), mechanism.forecast(public)
    data = mechanism.view.stand_in(ground.column, noise)
    if data is None:
        return float(forecast.half_width or math.inf) if forecast.exact else math.inf
    law = mechanism.law(data)
    if law.refusal > MOST_REFUSED or mechanism.interval_of is not None:
        return math.inf
    width = forecast.half_width if forecast.exact else mechanism.usual_width(data)
    width = _drawn(mechanism, law, public, noise) if width is None else float(width)
    low, high = mechanism.view.range(public.bounds)
    return min(width, (high - low) / 2) if math.isfinite(width) else width


def _drawn(mechanism: Mechanism, law: Law, public: Public, noise: SimulationNoise) -> float:
    """Return the middle of many half widths."""
    spans = [mechanism.interval(law.draw(noise), public) for _ in range(DRAWS)]
    widths = [math.inf if span is None or isinstance(span[0], tuple) else (span[1] - span[0]) / 2 for span in spans]
    return float(np.median(widths))


@dataclass(frozen=True)
class Ranked:
    """A contender with the half width of what it can publish."""

    contender: Contender
    width: float


def by_width(asked: Sequence[Contender], ground: Ground) -> list[Ranked]:
    """Return those that tell an interval, the narrowest first."""
    public = Public(ground.bounds, ground.column.n)
    every = [Ranked(each, published_width(each.mechanism, ground, public)) for each in asked]
    return sorted((each for each in every if math.isfinite(each.width)), key=lambda each: each.width)
