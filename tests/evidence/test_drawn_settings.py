"""Draws and intervals of every registered mechanism with settings other than its defaults, at several confidences."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from evidence.test_intervals import HUNDRED, columns, seen
from evidence.varied import varied
from scipy import stats
from soak import times

from discreet.lab.proving.drawing import leaves
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism, Public, registry
from discreet.mechanisms.composed import Gated
from discreet.mechanisms.in_blocks import InBlocks
from discreet.queries import Relation
from discreet.queries.blocks import Blocks

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
    return [low - 1e-9 <= value <= high + 1e-9 for (low, high), value in each if low is not None]


def test_relations_are_among_the_settings() -> None:
    """Persons of several rows, and public sizes."""
    relations = {mechanism.neighbours for mechanism in varied(registry["laplace"], 1)}
    assert Relation(rows=3) in relations and any(each.change_one for each in relations)
