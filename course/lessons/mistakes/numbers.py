"""Numbers of lesson 9: published constructions on pairs of neighbours that break them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from discreet.evidence.audit import Event, Finding, Worst, black_box
from discreet.lab.experiment import simulate
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism, Public, registry
from discreet.mechanisms.exhibits.exhibit import Exhibit, Guarantee, largest
from discreet.mechanisms.laws.law import Law
from discreet.mechanisms.smooth import best_tail
from discreet.queries import Bounds, Column
from discreet.queries import registry as statistics
from discreet.queries.bounds import FloatArray

# Catastrophe: a mechanism that publishes every row with probability δ, and nothing otherwise: (0, δ), once a day.

YEAR = 365
DAYS = (1, 2, 5, 10, 30, 100, 365, 1000, 3650, 10_000)


def public_by(delta: float, days: int) -> float:
    """Return the probability that everything has been published by a day."""
    return -math.expm1(days * math.log1p(-delta))


def likelier_than_not(delta: float) -> int:
    """Return the first day by which publication is more likely than not."""
    return math.ceil(math.log(0.5) / math.log1p(-delta))


def fatal_days(delta: float, draws: int, seed: int) -> Sequence[int]:
    """Return the day of publication in several simulations."""
    (uniforms,) = SimulationNoise(seed).uniforms(1, draws)
    return [math.ceil(math.log(u) / math.log1p(-delta)) for u in uniforms.tolist()]


# Mistakes: each published construction on a pair of neighbours that breaks it, and its correction.

ANSWERS = 100_000
SURE = 0.99
BINS = 41
SHOWN = 0.98  # of the results, so that a few outliers do not compress the figure
LOWEST = -100
CROWD = 1000
SHARE = 0.8
JUMP = Bounds(0, 1000, integer=True)
BOUND = 0.5
HUNDRED = Bounds(0, 100)
AROUND = 20
SPREAD = 50.0  # half of the range: larger than that of 0 and 100, and so lowered to it


@dataclass(frozen=True, eq=False)
class Case:
    """A published version, the proven one, and two neighbours as each version sees them.

    `views` holds, for "printed" and "corrected", the data without one person and with that person.
    """

    printed: Exhibit
    corrected: Mechanism
    views: Mapping[str, tuple[Any, Any]]
    public: Public

    def laws(self, form: str) -> tuple[Law, Law]:
        """Return the distributions of a version without and with the person."""
        mechanism: Mechanism = self.printed if form == "printed" else self.corrected
        without, within = (mechanism.law(view) for view in self.views[form])
        return without, within

    def exact(self, form: str) -> Worst:
        """Return the delta that this pair needs at the claimed epsilon, beside the claimed one."""
        return _exact(self, form)

    @property
    def truth(self) -> Guarantee:
        """What the published version guarantees over all datasets, computed by the exhibit itself."""
        return self.printed.true_guarantee(self.public)


@lru_cache(maxsize=128)
def _exact(case: Case, form: str) -> Worst:
    claim = case.printed.claim
    pair = case.laws(form)
    return Worst(largest([pair], claim.epsilon), claim.delta, pair)


def _same(pair: tuple[Any, Any]) -> dict[str, tuple[Any, Any]]:
    return {"printed": pair, "corrected": pair}


def _exhibit(slug: str, **settings: Any) -> Exhibit:
    exhibit = registry[slug](**settings)
    assert isinstance(exhibit, Exhibit)
    return exhibit


def _pair(bounds: Bounds, rows: list[float], more: float) -> tuple[Column, Column]:
    """Return a column, and the same column with one row more."""
    return Column.from_values(bounds, rows), Column.from_values(bounds, [*rows, more])


@lru_cache(maxsize=32)
def global_mean(epsilon: float, upper: int) -> Case:
    """Return many people at 0.8 of the highest value, joined by one person at the lowest, -100."""
    bounds = Bounds(LOWEST, upper, integer=True)
    return Case(
        _exhibit("textbook-global-mean", epsilon=epsilon),
        registry["sum-over-count"](epsilon=epsilon),  # type: ignore[call-arg]
        _same(_pair(bounds, [round(SHARE * upper)] * CROWD, LOWEST)),
        Public(bounds, CROWD),
    )


@lru_cache(maxsize=32)
def local_mean(epsilon: float, lower: int, people: int) -> Case:
    """Return everyone at the lowest value, joined by one person at 100: n people then."""
    bounds = Bounds(lower, 100, integer=True)
    smooth: Any = registry["smooth-core-tail"]
    return Case(
        _exhibit("textbook-local-mean", epsilon=epsilon),
        smooth(query=statistics["mean"](), epsilon=epsilon, m=best_tail(epsilon, people)),
        _same(_pair(bounds, [lower] * (people - 1), 100)),
        Public(bounds, people),
    )


@lru_cache(maxsize=32)
def tested(epsilon: float, delta: float, ones: int) -> Case:
    """Return a median `ones` people away from a jump to 1,000, moved by one person at 1,000.

    With no one at 1 it jumps; otherwise it moves by exactly b = 0.5, and the distance falls by one.
    """
    settings: dict[str, Any] = {"query": statistics["median"](), "epsilon": epsilon, "delta": delta, "b": BOUND}
    rows = [0.0] * (ones + 1) + [1.0] * ones + [1000.0]
    return Case(
        _exhibit("textbook-ptr", **settings),
        registry["propose-test-release"](**settings),
        _same(_pair(JUMP, rows, 1000)),
        Public(JUMP),
    )


@lru_cache(maxsize=32)
def smooth(epsilon: float, delta: float) -> Case:
    """Return a pair that is hard for the published S; for beta below ln 2 it reaches the worst case.

    The gap below 100 is 100 exp(-beta), half of which is what the median moves by, and one person further down the gap
    is exp(beta) times as wide. So S falls by exp(beta) when a person joins, and the median moves by exp(beta) times the
    smaller S.
    """
    printed: Any = _exhibit("textbook-smooth", query=statistics["median"](), epsilon=epsilon, delta=delta)
    core_tail: Any = registry["smooth-core-tail"]
    rows = [0.0] * AROUND + [near(epsilon, delta)] + [100.0] * (AROUND + 1)
    return Case(
        printed,
        core_tail(query=statistics["median"](), epsilon=epsilon),
        _same(_pair(HUNDRED, rows, 100)),
        Public(HUNDRED),
    )


def near(epsilon: float, delta: float) -> float:
    """Return the value of the one person below the gap: 100 (1 - exp(-beta))."""
    printed: Any = _exhibit("textbook-smooth", epsilon=epsilon, delta=delta)
    return -100 * math.expm1(-printed.beta)


@lru_cache(maxsize=32)
def chunks(epsilon: float, k: int, seed: int) -> Case:
    """Return a file 0, 0, 100, 100, ... without and with its first row, in k chunks of two rows.

    The proven version puts people into secret random blocks. Everyone else keeps their block, so the two datasets are
    compared with equal blocks: the best case for an attack.
    """
    rows = np.resize([0.0, 0.0, 100.0, 100.0], 2 * k)
    settings: dict[str, Any] = {
        "estimator": "standard-deviation",
        "k": k,
        "lower": 0.0,
        "upper": SPREAD,
        "epsilon": epsilon,
    }
    means: Any = registry["blocks-mean"](**settings)
    last = np.append(rows[1:], rows[0])  # the first row draws its block last: the others keep theirs
    without, within = (means.view.split(column[None, :], SimulationNoise(seed)) for column in (rows[1:], last))
    return Case(
        _exhibit("textbook-chunks", **settings),
        means,
        {"printed": (rows[1:], rows), "corrected": (without, within)},
        Public(),
    )


@lru_cache(maxsize=128)
def attack(case: Case, form: str, seed: int) -> Finding:
    """Attack a version with 100,000 results on each of the two datasets, with 99% confidence."""
    noise = SimulationNoise(seed)
    claim = case.printed.claim
    without, within = (simulate(law, ANSWERS, noise) for law in case.laws(form))
    return black_box(without, within, claim.epsilon, claim.delta, SURE)


@dataclass(frozen=True)
class Bars:
    """Probabilities of a refusal and of results in equal bins, without and with the person."""

    middles: FloatArray
    without: FloatArray
    within: FloatArray
    refused: tuple[float, float]


def bars(case: Case, form: str) -> Bars:
    """Return the exact probabilities of a version, in common bins for both versions."""
    both = [law for scale in ("printed", "corrected") for law in case.laws(scale)]
    ends = np.array([law.quantile(np.array([1 - SHOWN, SHOWN])) for law in both])
    low = float(ends.min())
    high = float(ends.max())
    room = (high - low) / BINS / 2  # so that a bound with its own probability is inside a bin
    edges = np.linspace(low - room, high + room, BINS + 1)
    without, within = case.laws(form)
    return Bars(
        (edges[:-1] + edges[1:]) / 2,
        np.diff(without.cdf(edges)),
        np.diff(within.cdf(edges)),
        (without.refusal, within.refusal),
    )


def cells(bars: Bars, event: Event) -> list[tuple[int, int]]:
    """Return the first and last cell of each interval of an event: 0 is a refusal, the bins are from 1 on."""
    half = float(bars.middles[1] - bars.middles[0]) / 2
    inside = [event.refusal]
    for middle in bars.middles:
        low = float(middle) - half
        high = float(middle) + half
        inside.append(any(start < high and (end > low or start == end >= low) for start, end in event.spans))
    edges = np.flatnonzero(np.diff([False, *inside, False]))
    return [(int(first), int(last) - 1) for first, last in zip(edges[::2], edges[1::2], strict=True)]
