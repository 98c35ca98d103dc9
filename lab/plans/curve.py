"""Tradeoff: the error of a row of a plan for every share of the budget, with the best method for each."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from scipy import optimize

from discreet.budget import Cost
from discreet.budget.cost import HIGHEST_EPSILON, LOWEST_EPSILON
from discreet.lab.contest import enters
from discreet.lab.plans.subject import USELESS, Subject, attempt
from discreet.mechanisms import Mechanism, registry
from discreet.mechanisms.families import CLIPPED_AT, SMOOTH
from discreet.mechanisms.gaussian import gaussian_delta
from discreet.mechanisms.noises import GAUSSIAN

SMALLEST, LARGEST = float(LOWEST_EPSILON), float(HIGHEST_EPSILON)
POINTS = 10  # looked at, each half of the last: a budget of another power of two shares all but one with this one
TIE = 1.005
SLACK = 1e-9  # a flat stretch rises by so little, so that it is walked from its cheap end


@lru_cache(maxsize=4096)
def gaussian_epsilon(sigma: float, delta: float) -> float:
    """Return the epsilon at which noise of this deviation, at sensitivity 1, has this delta."""
    if gaussian_delta(sigma, 1e-6) <= delta:
        return 1e-6

    def excess(epsilon: float) -> float:
        return math.log(max(gaussian_delta(sigma, epsilon), 1e-300) / delta)

    return float(optimize.brentq(excess, 1e-6, 50.0)) if excess(50.0) < 0 else 50.0


def cost_of(slug: str, share: float, delta: float) -> Cost | None:
    """Return what a method costs that loses a share: epsilon, or a normal law of deviation 1 / share.

    Both count the same rho, so they cost about the same among many rows. None where the method needs
    a delta and there is none, or no cost is as small or as large as the share.
    """
    kind = registry[slug]
    if not SMALLEST <= share <= LARGEST:
        return None
    if kind.noise is GAUSSIAN:
        return Cost.of(gaussian_epsilon(1 / share, delta), delta) if delta else None
    if "delta" not in kind.parameters():
        return Cost.of(share)
    return Cost.of(share, delta / 1000) if delta >= 1e-12 else None


def offer(subject: Subject, slug: str, share: float, delta: float) -> tuple[Mechanism, float] | None:
    """Return a mechanism that loses a share, tuned, and its error; None if it cannot answer."""
    cost = cost_of(slug, share / subject.times(slug), delta)
    return None if cost is None else attempt(subject, slug, cost)


@dataclass(frozen=True)
class Tradeoff:
    """Logarithms of errors at those of shares, largest share first; between them an error goes like a power."""

    shares: tuple[float, ...]
    errors: tuple[float, ...]
    slugs: tuple[str, ...]

    @property
    def best(self) -> float:
        """The smallest error that any share reaches; more of the budget would be lost on it."""
        return math.exp(self.errors[0] + SLACK * len(self.errors)) if self.errors[1:] else 0.0

    def error(self, share: float) -> float:
        """Return the error at a share, as good as the points are dense."""
        return math.exp(_between(-math.log(share), tuple(-at for at in self.shares), self.errors, 1.0))

    def share(self, error: float) -> float:
        """Return the smallest share that reaches an error."""
        return math.exp(_between(math.log(error), self.errors, self.shares, -1.0))

    def slug(self, share: float) -> str:
        """Return the method that was best at the nearest point."""
        return min(zip(self.shares, self.slugs, strict=True), key=lambda point: abs(point[0] - math.log(share)))[1]


def _between(x: float, xs: tuple[float, ...], ys: tuple[float, ...], slope: float) -> float:
    """Interpolate between ascending points; before and behind them go on with a slope."""
    at = bisect_right(xs, x)
    if at == 0:
        return ys[0] + slope * (x - xs[0])
    if at == len(xs):
        return ys[-1] + slope * (x - xs[-1])
    part = (x - xs[at - 1]) / (xs[at] - xs[at - 1])
    return ys[at - 1] + part * (ys[at] - ys[at - 1])


def curve(subject: Subject, top: float, delta: float, normal: bool, method: str | None) -> Tradeoff | None:
    """Return the curve of a subject up to a share; `normal` says whether normal noise is allowed.

    None where nothing can answer it.
    """
    whole = min(LARGEST, 2.0 ** math.ceil(math.log2(top)))  # plans of about the same budget share their curves
    return _curve(subject, whole, delta, normal, method)


@lru_cache(maxsize=1024)
def _curve(subject: Subject, top: float, delta: float, normal: bool, method: str | None) -> Tradeoff | None:
    shares = [top / 2**point for point in range(POINTS)]
    slugs = (method,) if method else _entering(subject, top, delta, normal)
    tried = [(share, _best(subject, slugs, share, delta)) for share in shares]
    points = [(share, *best) for share, best in tried if best is not None]
    if not points:
        return None
    errors = accumulate((math.log(error) for _, _, error in points), max)
    rising = tuple(error + SLACK * at for at, error in enumerate(errors))
    return Tradeoff(tuple(math.log(share) for share, _, _ in points), rising, tuple(slug for _, slug, _ in points))


def methods(subject: Subject, delta: float) -> tuple[str, ...]:
    """Return the methods that can answer this, whatever they cost."""
    return tuple(
        slug
        for slug in registry
        if _enters(slug, False, bool(delta), subject.interval) and serves(subject, slug, delta)
    )


def serves(subject: Subject, method: str, delta: float) -> bool:
    """Say whether a method can answer this, whatever it costs."""
    cost = cost_of(method, 1.0, delta)
    return cost is not None and subject.untuned(method, cost) is not None


def answerable(subject: Subject) -> bool:
    """Say whether some method can answer this, whatever it costs."""
    return any(_enters(slug, False, True, subject.interval) and serves(subject, slug, 1e-6) for slug in registry)


def _entering(subject: Subject, share: float, delta: float, normal: bool) -> tuple[str, ...]:
    """Return the methods that are tried: the sure ones, or all others too where those are no use."""
    sure = tuple(slug for slug in registry if _enters(slug, True, normal, subject.interval))
    best = _best(subject, sure, share, delta)
    if best is not None and best[1] < USELESS * subject.range:
        return sure
    return tuple(slug for slug in registry if _enters(slug, False, normal, subject.interval))


def _best(subject: Subject, slugs: Sequence[str], share: float, delta: float) -> tuple[str, float] | None:
    """Return the method with the smallest error at a share and the lead it needs; of close ones the first."""
    tried = [(slug, offer(subject, slug, share, delta)) for slug in slugs]
    answers = [(slug, *each) for slug, each in tried if each is not None and math.isfinite(each[1])]
    errors = [
        (error * (mechanism.lead(subject.public) if slugs[1:] else 1.0), slug, error)
        for slug, mechanism, error in answers
    ]
    least = min((judged for judged, _, _ in errors), default=math.inf) * TIE
    return next(((slug, error) for judged, slug, error in errors if judged <= least < math.inf), None)


def _enters(slug: str, sure: bool, normal: bool, interval: bool) -> bool:
    """Say whether a method is tried: among the sure ones, or where those are no use."""
    kind = registry[slug]
    if not enters(kind, interval) or (kind.noise is GAUSSIAN and not normal):
        return False
    return kind.family.sure or kind.family is CLIPPED_AT or (kind.family is SMOOTH and not sure)
