"""Draws and intervals of every registered mechanism with settings other than its defaults, at several confidences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats
from support.evidence.interval_cases import HUNDRED, columns, seen
from support.evidence.varied import varied
from support.soak import times

from discreet.curator import ReleaseNoise
from discreet.evidence.attacks import leaves
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism, Public, registry
from discreet.mechanisms.base.sparse_vector import Crossings
from discreet.mechanisms.base.view import InBlocks, Levels
from discreet.mechanisms.counts_above import Named
from discreet.mechanisms.laws.law import Gated, Picked
from discreet.queries import Relation
from discreet.queries.column import Blocks, Scores

CORRECT = sorted(slug for slug, kind in registry.items() if not kind.open_only)
CONFIDENCES, FALSE_ALARM = (0.6, 0.9, 0.95, 0.995), 1e-9
SHAPES = ("one row", "all at the upper end", "half and half", "even", "two hills")
DRAWS, SIMULATED = times(60, 2000), times(2000, 20_000)


def views(mechanism: Mechanism) -> list[tuple[Any, Any]]:
    """Return what a mechanism sees of some datasets, and what its interval should hold, where that is known."""
    sizes, every = (mechanism.neighbours.size,) if mechanism.neighbours.size else (40,), []
    for name, column in (pair for size in sizes for pair in columns(size) if pair[0] in SHAPES):
        if mechanism.neighbours.size in (None, column.n):
            if isinstance(mechanism.view, InBlocks):
                low, high = mechanism.view.lower, mechanism.view.upper
                places = np.resize(column.values() / 100, mechanism.view.k)
                every.append((Blocks(low, high, low + (high - low) * places), None))
            elif name:
                every.append(seen(mechanism, column))
    return every


def line_of(draws: int) -> float:
    """Return how far so many draws are from their law at most, but for a false alarm (Massart 1990)."""
    return math.sqrt(math.log(2 / FALSE_ALARM) / (2 * draws))


def numbers(answer: Any) -> list[float] | None:
    """Return an answer as numbers; None where it is none."""
    parts = answer if isinstance(answer, tuple) else (answer,)
    plain = all(isinstance(part, (int, float)) and not isinstance(part, bool) for part in parts)
    return [float(part) for part in parts] if plain else None


def apart(law: Any, answers: list[Any]) -> float:
    """Return how far draws are from the cdf of their law, each number by itself; 0 where it has none."""
    given = [each for each in map(numbers, answers) if each is not None]
    parts, passed = list(leaves(law)), float(law.test.chance) if isinstance(law, Gated) else 1.0
    if any(len(each) != len(parts) for each in given) or not given:
        return 0.0
    worst = 0.0
    for part, row in zip(parts, np.sort(np.array(given).T, axis=1), strict=True):
        try:
            upto, below = part.cdf(row), part.cdf(np.nextafter(row, -np.inf))
        except (NotImplementedError, TypeError):
            continue
        share = len(given) / len(answers)
        left, right = (np.searchsorted(row, row, side=side) / row.size * share for side in ("left", "right"))
        worst = max(worst, float((below * passed - right).max()), float((left - upto * passed).max()))
    return worst


def from_simulated(law: Any, answers: list[Any], noise: SimulationNoise) -> float:
    """Return how far draws are from answers that the law simulates: of those whose cdf is no more than an outline."""
    given = [each for each in map(numbers, answers) if each is not None]
    worst, many = 0.0, np.atleast_2d(law.simulate(noise.uniforms(law.draws, SIMULATED)))
    for row, other in zip(np.array(given).T, many, strict=True):
        places = np.union1d(row, other)
        each = (np.searchsorted(np.sort(of), places, side="right") / of.size for of in (row, other))
        worst = max(worst, float(np.abs(np.subtract(*each)).max()))
    return worst


@pytest.mark.soak
@pytest.mark.parametrize("slug", CORRECT)
def test_draws_follow_the_law_and_intervals_hold(slug: str) -> None:
    """Of each setting and dataset the draws keep to the cdf; of all of them together the intervals to each promise."""
    noise, line = SimulationNoise(3), line_of(DRAWS)
    inside, asked = dict.fromkeys(CONFIDENCES, 0), dict.fromkeys(CONFIDENCES, 0)
    public = Public(HUNDRED, None, 4)
    for mechanism in varied(registry[slug], 1):
        for view, truth in views(mechanism)[: times(2, 5)]:
            with np.errstate(over="ignore"):
                law = mechanism.law(view)
            answers = [law.draw(noise) for _ in range(DRAWS)]
            if hasattr(law, "seen"):
                assert from_simulated(law, answers, noise) <= line + line_of(SIMULATED), mechanism
            else:
                assert apart(law, answers) <= line, mechanism
            for confidence in CONFIDENCES if truth is not None else ():
                for answer in answers[: DRAWS // 4]:
                    held = holds(mechanism.interval(answer, public, confidence), truth)
                    asked[confidence] += len(held)
                    inside[confidence] += sum(held)
    for confidence, number in asked.items():
        assert inside[confidence] >= stats.binom.ppf(FALSE_ALARM, number, confidence), (confidence, inside, asked)


def holds(span: Any, truth: Any) -> list[bool]:
    """Say of an interval, or of one for each number, whether it holds the truth; a refusal has none."""
    if span is None:
        return []
    each = zip(span, truth, strict=True) if np.ndim(truth) else [(span, truth)]
    spans = ((ends, value) for ends, value in each if ends is not None and ends[0] is not None)
    return [low - 1e-9 <= value <= high + 1e-9 for (low, high), value in spans]


@singledispatch
def outcomes(law: Any) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield every answer of names with its chance."""
    raise TypeError(f"{type(law).__name__} names something: say here with what chances.")


@outcomes.register
def _one(law: Picked) -> Iterator[tuple[tuple[str, ...], float]]:
    yield from (((name,), float(chance)) for name, chance in zip(law.candidates, law.probabilities, strict=True))


@outcomes.register
def _first(law: Crossings) -> Iterator[tuple[tuple[str, ...], float]]:
    yield from ((tuple(law.candidates[at] for at in which), law.chance(which)) for which in law.outcomes())


@outcomes.register
def _every(law: Named) -> Iterator[tuple[tuple[str, ...], float]]:
    chances = np.array([part.chances for part in law.parts])
    for which in product((0, 1), repeat=len(chances)):
        chance = float(chances[np.arange(len(chances)), which].prod())
        yield tuple(name for name, said in zip(law.names, which, strict=True) if said), chance


def together(answers: Iterable[tuple[str, ...]], labels: Sequence[str], weights: Any) -> Any:
    """Return how much of a weight has each two of the labels named, on the diagonal each one."""
    said = np.array([[label in answer for label in labels] for answer in answers], dtype=float)
    return said.T @ (said * np.asarray(weights)[:, None])


def near(mechanism: Any, size: int, rng: np.random.Generator) -> Scores:
    """Return counts of so many candidates of which none is sure, some of nobody among them."""
    scale = getattr(mechanism, "scale", None) or getattr(mechanism, "scales", None) or 2 / mechanism.epsilon
    wide = getattr(scale, "query", scale)
    counts = np.rint(getattr(mechanism, "threshold", 5 * wide) + wide * rng.uniform(-2, 1, size)).astype(np.int64)
    counts[rng.random(size) < 0.3] = 0
    return Scores(tuple(f"c{at}" for at in range(size)), np.maximum(counts, 0))


def names(slug: str) -> bool:
    """Say whether a mechanism answers with names."""
    kind, noise = registry[slug], SimulationNoise(3)
    if not isinstance(kind().view, Levels):
        return False
    answer = kind().law(Scores(("a", "b"), np.array([1000, 1000]))).draw(noise)
    return isinstance(answer, str) or (isinstance(answer, tuple) and bool(answer) and isinstance(answer[0], str))


NAMING = [slug for slug in CORRECT if names(slug)]


@pytest.mark.soak
@pytest.mark.parametrize("slug", NAMING)
def test_names_are_drawn_alone_and_together_as_the_law_says(slug: str) -> None:
    """Of a few candidates and of more than are drawn at a time each one, and each two, as often as they should be."""
    rng, noise, draws = np.random.default_rng(9), ReleaseNoise(), times(500, 5000)
    for mechanism in (each for seed in range(times(1, 5)) for each in varied(registry[slug], seed)):
        for size in (3, 10):
            law = mechanism.law(near(mechanism, size, rng))
            each, chances = zip(*outcomes(law), strict=True)
            assert math.isclose(sum(chances), 1, abs_tol=1e-9), mechanism
            labels = [f"c{at}" for at in range(size)]
            hoped = np.clip(together(each, labels, chances), 0, 1)
            drawn = [answer if isinstance(answer, tuple) else (answer,) for answer in map(law.draw, [noise] * draws)]
            seen = together(drawn, labels, np.ones(draws))
            tails = np.minimum(stats.binom.cdf(seen, draws, hoped), stats.binom.sf(seen - 1, draws, hoped))
            assert tails.min() > FALSE_ALARM / size**2, (mechanism, law, hoped * draws, seen)


def test_relations_are_among_the_settings() -> None:
    """Persons of several rows, and public sizes."""
    relations = {mechanism.neighbours for mechanism in varied(registry["laplace"], 1)}
    assert Relation(rows=3) in relations and any(each.change_one for each in relations)
