"""Intervals: whatever a registered mechanism tells covers what it is of, on datasets made to be bad.

Found by registration. Of every mechanism, dataset, size and epsilon thousands of answers are drawn at
once from the law, and some one by one with the interval that is really told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cache, singledispatch
from typing import Any

import numpy as np
import pytest
from scipy import stats
from support.evidence.interval_cases import HUNDRED, MIDDLES, SHAPES, columns, seen
from support.soak import times

from discreet.budget.errors import ParameterError
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism, Public, registry
from discreet.mechanisms.base.scale_interval import Bought
from discreet.mechanisms.base.view import InBlocks
from discreet.mechanisms.laws.law import Laplace, Law, Product
from discreet.mechanisms.laws.moments import Moments, form_width, sums_tail
from discreet.mechanisms.laws.pair_moments import OF_MEANS, SQUARE, PairScale
from discreet.mechanisms.laws.ratio import SoftCounts
from discreet.mechanisms.quantile_interval import Enclosed
from discreet.mechanisms.quantiles_counted import Counted, OneCounted
from discreet.mechanisms.sample_aggregate import BlocksMean
from discreet.mechanisms.several_gaussian import SeveralGaussian
from discreet.queries import Query
from discreet.queries.column import Blocks
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.sum import Sum

SIZES, EPSILONS = (5, 60, 900), (0.05, 0.5, 4.0)
QUERIES: tuple[Query, ...] = (Mean(), Median(), Sum())
SETTINGS: dict[str, Any] = {"delta": 0.01, "b": 20.0, "lower": 0.0, "upper": 100.0}
FALSE_ALARM = 1e-9  # of each line: of the some thousand of a long run one is crossed by chance once in 10^5 runs


def settings(kind: type[Mechanism], epsilon: float, size: int) -> Iterator[Mechanism]:
    """Return a mechanism for each of some statistics."""
    names = {f.name for f in fields(kind)}
    given = {name: value for name, value in SETTINGS.items() if name in names} | {"epsilon": epsilon}
    given |= {"people": size} if "people" in names else {}
    given |= {"k": size} if "k" in names and issubclass(kind, tuple(MIDDLES)) else {}
    for query in QUERIES if "query" in names else (None,):
        try:
            yield kind(**given, **({} if query is None else {"query": query}))
        except ParameterError:
            continue


@dataclass(frozen=True)
class Case:
    """One mechanism on one dataset: its law, what should be covered, and public things."""

    mechanism: Mechanism
    truth: Any
    public: Public


@singledispatch
def covered(law: Law, case: Case, draws: int, noise: SimulationNoise) -> Any:
    """Say of many answers whether their interval holds the truth: one by one, whatever the law."""
    drawn = (case.mechanism.interval(law.draw(noise), case.public) for _ in range(max(draws // 20, 10)))
    return np.array([held for span in drawn if span for held in _holds(span, case.truth)])


def public_width(law: Law, case: Case, draws: int, noise: SimulationNoise) -> Any:
    """Say the same of noise of a public size, all at once; refusals are no answers."""
    width: Any = case.mechanism.forecast(case.public).half_width
    if isinstance(case.mechanism, SeveralGaussian):
        width = np.array(case.mechanism.widths(HUNDRED))[:, None]
    answers = law.simulate(noise.uniforms(law.draws, draws))
    truth = np.asarray(case.truth)[:, None] if np.ndim(case.truth) else case.truth
    inside = np.abs(answers - truth) <= width * (1 + 1e-12) + 1e-9
    return inside[~np.isnan(answers)] if np.ndim(answers) == 1 else inside.ravel()


@covered.register
def _bought(law: Bought, case: Case, draws: int, noise: SimulationNoise) -> Any:
    first, second = noise.uniforms(2, draws)
    width = np.exp(law.logarithm.quantile(second)) * law.times
    return np.abs(law.answer.quantile(first) - case.truth) <= width + 1e-12


@covered.register
def _soft(law: SoftCounts, case: Case, draws: int, noise: SimulationNoise) -> Any:
    first, second = noise.uniforms(2, draws)
    a, b = law.first.quantile(first) / law.first.scale, law.second.quantile(second) / law.first.scale
    share = (case.truth - law.low) / law.width
    return law.tails.many(share, np.abs((1 - share) * a - share * b)) >= 0.05


@covered.register
def _one_counted(law: OneCounted, case: Case, draws: int, noise: SimulationNoise) -> Any:
    return _counted(law.inner, case, draws, noise)


@covered.register
def _counted(law: Counted, case: Case, draws: int, noise: SimulationNoise) -> Any:
    """An end leaves the quantile out only where the noise there, or just below, is further out than 1 time in 40."""
    few = max(draws // 10, 100)
    size = law.tree.size
    noises = Laplace().quantile(noise.uniforms(few, size))
    below = law.tree.below(np.array(law.centres) / law.scale + noises)
    held = []
    for q, truth in zip(law.levels, np.atleast_1d(case.truth), strict=True):
        tick = int(truth)
        apart = below - float(q) * below[:, -1:]
        here = sums_tail(law.tree.weights(q, np.full(few, tick)), -apart[:, tick]) >= 0.025
        under = sums_tail(law.tree.weights(q, np.full(few, tick - 1)), apart[:, tick - 1]) >= 0.025
        held.append(here & (under if tick else True))
    return np.ravel(held)


@covered.register
def _moments(law: Moments, case: Case, draws: int, noise: SimulationNoise) -> Any:
    """Of a slope, whether no form is unlikely at the true means and slope: then they are in the set, and it covers."""
    if not isinstance(law.scale, PairScale):
        return covered.dispatch(Law)(law, case, draws, noise)
    true = law.scale.sums([float(part.centre) for part in law.parts])
    if not true.size or true.squares * true.size - true.first**2 < 1e-9:
        return covered.dispatch(Law)(law, case, draws // 10, noise)
    mu, c, slope = true.first / true.size, true.second / true.size, case.truth / law.scale.ratio
    t, s = law.scale.places
    squares = [square for square in SQUARE for _ in range(len(t) // len(SQUARE))]
    forms = {
        tuple(p - mu for p in t): OF_MEANS,
        tuple(q - c for q in s): OF_MEANS,
        tuple(
            (p - mu) * (q - c) - slope * (square - 2 * mu * p + mu**2)
            for p, q, square in zip(t, s, squares, strict=True)
        ): 1 - 2 * OF_MEANS,
    }
    numbers = [part.shape.quantile(row) for part, row in zip(law.parts, noise.uniforms(law.draws, draws), strict=True)]
    inside = [np.abs(np.dot(form, numbers)) <= form_width(form, 0.05 * share) for form, share in forms.items()]
    return np.logical_and.reduce(inside)


@covered.register
def _enclosed(law: Enclosed, case: Case, draws: int, noise: SimulationNoise) -> Any:
    below, above, middle = noise.uniforms(3, draws)
    (first, _), (_, last), answer = law.ends(below), law.ends(above), law.middle.quantile(middle)
    return (np.minimum(first, answer) <= case.truth) & (case.truth <= np.maximum(last, answer))


@cache
def line(draws: int) -> int:
    """Return how many of these draws a promise of 95 in 100 keeps to, but for a false alarm."""
    return int(stats.binom.ppf(FALSE_ALARM, draws, 0.95))


def cases(slug: str) -> Iterator[tuple[str, Law, Case]]:
    """Return every setting of a mechanism on every dataset."""
    for size in SIZES:
        for epsilon in EPSILONS:
            for mechanism in settings(registry[slug], epsilon, size):
                for name, column in columns(size):
                    data, truth = seen(mechanism, column)
                    yield name, mechanism.law(data), Case(mechanism, truth, Public(HUNDRED, None, 4))


def tells(slug: str) -> bool:
    """Say whether a mechanism tells an interval with an answer."""
    kind = registry[slug]
    if kind.open_only:
        return False
    for mechanism in settings(kind, 4.0, 60):
        law = mechanism.law(seen_safely(mechanism))
        answer = law.draw(SimulationNoise(0))
        if answer is not None and mechanism.interval(answer, Public(HUNDRED, None, 4)) is not None:
            return True
    return False


def seen_safely(mechanism: Mechanism) -> Any:
    """Return what a mechanism sees of even rows, where nobody knows yet what should be covered."""
    column = dict(columns(60))["even"]
    if isinstance(mechanism.view, InBlocks):
        return Blocks(0.0, 100.0, np.resize(column.values(), mechanism.k))  # type: ignore[attr-defined]
    return seen(mechanism, column)[0]


TELLING = sorted(filter(tells, registry))


def test_many_tell_an_interval() -> None:
    """Those that are checked below: every one that tells one."""
    assert {"laplace", "two-counts", "two-normal-counts", "blocks-mean", "counts-geometric"} <= set(TELLING)
    assert sum(registry[slug].spanned for slug in TELLING) == sum(kind.spanned for kind in registry.values()) >= 6
    assert len(SHAPES) >= 12


@pytest.mark.soak
@pytest.mark.parametrize("slug", TELLING)
def test_an_interval_covers_on_every_dataset(slug: str) -> None:
    """Each dataset keeps to its line, all of them together to theirs, and so do intervals as they are told."""
    noise, draws, total, inside, one_by_one = SimulationNoise(7), times(5000, 200_000), 0, 0, list[bool]()
    for name, law, case in cases(slug):
        exact = case.mechanism.forecast(case.public).exact
        plain = exact or isinstance(case.mechanism, SeveralGaussian | BlocksMean)
        held = (public_width if plain else covered)(law, case, draws, noise)
        assert held.sum() >= line(held.size), (name, case.mechanism, held.mean())
        total, inside = total + held.size, inside + int(held.sum())
        for _ in range(times(4, 40) if held.size else 0):
            span = case.mechanism.interval(law.draw(noise), case.public)
            one_by_one += _holds(span, case.truth)
    assert inside >= line(total) and total > 30_000
    assert sum(one_by_one) >= line(len(one_by_one)) and len(one_by_one) >= 200


def _holds(span: Any, truth: Any) -> list[bool]:
    """Say of an interval, or of one for each number, whether it holds the truth; a refusal has none."""
    if span is None:
        return []
    each = zip(span, truth, strict=True) if np.ndim(truth) else [(span, truth)]
    spans = ((ends, value) for ends, value in each if ends is not None and ends[0] is not None)
    return [low <= value <= high for (low, high), value in spans]


@pytest.mark.parametrize("slug", ["smooth-core-tail-interval", "two-counts", "laplace"])
def test_a_narrower_interval_falls_below_its_line(slug: str) -> None:
    """Broken twins: a noisy scale taken for the scale, 85 % for 95 %, a tenth off the width."""
    noise, failed = SimulationNoise(8), 0
    for _, law, case in cases(slug):
        if isinstance(law, Bought):
            quantile = float(law.answer.shape.quantile(0.975))
            held = covered(replace(law, times=min(law.times, quantile)), case, 20_000, noise)
        elif isinstance(law, SoftCounts):
            first, second = noise.uniforms(2, 600)
            share = (case.truth - law.low) / law.width
            off = (1 - share) * law.first.quantile(first) - share * law.second.quantile(second)
            held = law.tails.many(share, np.abs(off) / law.first.scale) >= 0.15
        else:
            narrow: Any = case.mechanism.forecast(case.public, 0.85)
            held = np.abs(law.simulate(noise.uniforms(1, 600)) - case.truth) <= narrow.half_width
        failed += held.sum() < line(held.size)
    assert failed >= 3


def test_products_are_read_number_by_number() -> None:
    "Lists of counts are laws of several values, each with its interval."
    assert any(isinstance(law, Product) for _, law, _ in cases("counts-geometric"))
