"""Sweeps: the error of contenders against one setting, on public data only."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from discreet.budget import Cost
from discreet.lab.contest import Contender, Ground, Statistic, contenders, fitted, width95
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism, Public, registry
from discreet.mechanisms.laws.law import Law
from discreet.mechanisms.selection import Selection
from discreet.queries.bounds import FloatArray
from discreet.queries.column import Scores
from discreet.rows.intake.opening import silent
from discreet.rows.intake.parser import Report


@dataclass(frozen=True)
class Sweep:
    """Errors against one setting, a line for every contender."""

    setting: str
    points: tuple[float, ...]
    errors: Mapping[str, FloatArray] = field(repr=False)


EPSILONS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0)
SIZES = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)


Compute = Callable[..., Any]  # runs a function of public inputs, here or in another process


def at_once(function: Compute, *args: Any) -> Any:
    """Run a function immediately, in this process."""
    return function(*args)


def against_epsilon(
    query: Statistic,
    cost: Cost,
    ground: Ground,
    only: Sequence[str],
    report: Report = silent,
    compute: Compute = at_once,
) -> Sweep:
    """Return the 95% error of every contender for a range of epsilon."""
    points = {e: (Cost.of(e, cost.delta), ground) for e in EPSILONS}
    return _sweep("Epsilon", points, query, only, report, compute)


def against_size(
    query: Statistic,
    cost: Cost,
    ground: Ground,
    only: Sequence[str],
    report: Report = silent,
    compute: Compute = at_once,
) -> Sweep:
    """Return the 95% error of every contender for a range of numbers of people."""
    points = {float(n): (cost, ground.resized(n)) for n in SIZES}
    return _sweep("People", points, query, only, report, compute)


def _sweep(
    name: str,
    points: Mapping[float, tuple[Cost, Ground]],
    query: Statistic,
    only: Sequence[str],
    report: Report,
    compute: Compute,
) -> Sweep:
    errors = {slug: np.full(len(points), np.nan) for slug in only}
    for at, (cost, ground) in enumerate(points.values()):
        report(at / len(points))
        for slug, error in compute(point, query, cost, ground, tuple(errors)).items():
            errors[slug][at] = error
    return Sweep(name, tuple(points), errors)


def point(query: Statistic, cost: Cost, ground: Ground, only: Sequence[str]) -> dict[str, float]:
    """Return the 95% error of every contender at one point of a sweep."""
    here = fitted(query, ground)
    return {
        contender.slug: width95(contender.mechanism, here, ground)
        for contender in contenders(here, cost, ground, only=only)
    }


def against_blocks(
    contender: Contender, query: Statistic, ground: Ground, report: Report = silent, compute: Compute = at_once
) -> Sweep:
    """Return the 95% error of an aggregator for a range of k."""
    most = max(ground.column.n, 4)
    ks = sorted({int(k) for k in np.geomspace(4, min(most, 10_000), 12)})
    variants = [replace(contender.mechanism, k=k) for k in ks]  # type: ignore[call-arg]
    errors = np.full(len(ks), np.nan)
    for at, mechanism in enumerate(variants):
        report(at / len(ks))
        errors[at] = compute(width95, mechanism, query, ground)
    return Sweep("Blocks k", tuple(map(float, ks)), {contender.slug: errors})


def against_bound(contender: Contender, query: Statistic, ground: Ground) -> Sweep:
    """Return the 95% error and refusals of propose-test-release for a range of b."""
    middle = float(contender.mechanism.values()["b"])
    bs = [float(f"{b:.3g}") for b in middle * np.geomspace(0.2, 20, 13)]
    variants = [replace(contender.mechanism, b=b) for b in bs]  # type: ignore[call-arg]
    errors = np.array([width95(m, query, ground) for m in variants])
    refused = np.array([m.law(ground.column).refusal for m in variants])
    return Sweep("Bound b", tuple(bs), {contender.slug: errors, "refusals": refused})


# --- Choices: how well each selection names the most common, exactly, on public counts ---


@dataclass(frozen=True)
class Choice:
    """How well a selection does on public counts: exact numbers, no simulation."""

    slug: str
    right: float
    shortfall: float


def choosing(scores: Scores, epsilon: float) -> list[Choice]:
    """Return the probability of the most common, and the mean shortfall in rows, for every selection."""
    choices = []
    for slug, kind in registry.items():
        if issubclass(kind, Selection):
            selection: Selection = kind(epsilon=epsilon)
            chances = selection.chances(scores.counts)
            best = scores.counts.max()
            right = float(chances[scores.counts == best].sum())
            choices.append(Choice(slug, right, float(chances @ (best - scores.counts))))
    return sorted(choices, key=lambda choice: choice.shortfall)


# --- Publishable width: how wide the released interval of an answer is, on public data ---

MOST_REFUSED = 0.05
DRAWS = 25  # if only draws show how wide intervals are


def published_width(mechanism: Mechanism, ground: Ground, public: Public) -> float:
    """Return the usual half width of the interval for the value of the rows; infinity if none is released.

    A mechanism that mostly refuses, or whose interval is about something else, has none.
    """
    noise = SimulationNoise(0)
    forecast = mechanism.forecast(public)
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
    """Return the median of many half widths; infinity after one draw where an answer is numbers without intervals."""
    first = law.draw(noise)
    span = mechanism.interval(first, public)
    if span is None and isinstance(first, (int, float, tuple)):  # and no refusal
        return math.inf
    spans = [span, *(mechanism.interval(law.draw(noise), public) for _ in range(DRAWS - 1))]
    widths = [math.inf if span is None or isinstance(span[0], tuple) else (span[1] - span[0]) / 2 for span in spans]
    return float(np.median(widths))


@dataclass(frozen=True)
class Ranked:
    """A contender with the half width of what it can publish."""

    contender: Contender
    width: float


def by_width(asked: Sequence[Contender], ground: Ground) -> list[Ranked]:
    """Return those that release an interval, the narrowest first."""
    public = Public(ground.bounds, ground.column.n)
    every = [Ranked(each, published_width(each.mechanism, ground, public)) for each in asked]
    return sorted((each for each in every if math.isfinite(each.width)), key=lambda each: each.width)
