"""Layer 2: the exact hockey-stick divergence of every mechanism on every pair of small worlds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from evidence.cases import EPSILONS, Pair, audits, name, pairs, settings

from discreet.budget import Cost
from discreet.lab.audit import Worst, divergence, worst
from discreet.mechanisms import Mechanism, registry
from discreet.mechanisms.composed import Gated, Product
from discreet.mechanisms.laws import Law, Noisy, Whole
from discreet.mechanisms.not_negative import NotNegative
from discreet.mechanisms.ptr_grid import Staircase

CORRECT = sorted(slug for slug, kind in registry.items() if not kind.open_only)
LESS_NOISE = 1.01  # noise that is one per cent too small
LOOSE: dict[str, float] = {  # needs more: what a person can move here is less than what the noise covers
    "above-threshold": 2.1,  # one vote moves one count of a stream in which all could move
    "propose-grid": 2.1,  # one distance moves where all of the grid could
    "several-gaussian": 3.1,  # noise wider than the range is clipped away
    "textbook-mean": 1.4,  # no row moves sum and count against each other as far as both may
    "blocks-smooth-median": 1.05,  # k small numbers hardly change the scale while they shift
}


def thinner(law: Law, factor: float) -> Law | None:
    """Return a law with its noise divided by a factor, or nothing where there is no noise."""
    if isinstance(law, Noisy | Whole):
        return replace(law, scale=law.scale / factor)
    if isinstance(law, Product):
        parts = [thinner(part, factor) for part in law.parts]
        return Product(tuple(part for part in parts if part is not None))
    if isinstance(law, Staircase):
        laws = tuple(replace(part, scale=part.scale / factor) for part in law.laws)
        return replace(law, laws=laws)
    if isinstance(law, Gated | NotNegative):
        inner = thinner(law.inner, factor)
        return None if inner is None else replace(law, inner=inner)
    return None


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("slug", CORRECT)
def test_every_mechanism_keeps_its_promise_on_every_pair(slug: str, epsilon: float) -> None:
    """A registered mechanism has an audit case, and delta never exceeds what its cost says."""
    cases = audits(registry[slug], epsilon)
    assert cases and all(views for _, views in cases), f"{slug} has no audit case"
    for mechanism, views in cases:
        found = worst(mechanism, views)
        assert found.holds, (name(mechanism), found.delta, found.claimed, found.pair)


@pytest.mark.parametrize("slug", CORRECT)
def test_noise_that_is_one_per_cent_too_small_is_caught(slug: str) -> None:
    """The same pairs refute a mechanism that draws from 0.99 of its noise, and say so exactly."""
    factor = LOOSE.get(slug, LESS_NOISE)
    cases = audits(registry[slug], 1.0)
    assert any(not bold(mechanism, views, factor).holds for mechanism, views in cases)


def bold(mechanism: Any, views: list[Pair], factor: float) -> Worst:
    """Return the worst pair of the mechanism with less noise under the same cost."""
    return worst(Understated(mechanism, factor), views)


class Understated(Mechanism):
    """A mechanism with less noise than its cost needs.

    Noise around a centre is scaled; where there is none the mechanism is given a larger epsilon.
    """

    def __init__(self, inner: Any, factor: float) -> None:
        """Take the mechanism and the factor by which its noise is too small."""
        object.__setattr__(self, "inner", inner)
        object.__setattr__(self, "factor", factor)
        object.__setattr__(self, "louder", replace(inner, epsilon=factor * inner.epsilon))

    def cost(self) -> Cost:
        """Say the same."""
        return self.inner.cost()  # type: ignore[attr-defined]

    def law(self, data: Any) -> Any:
        """Return the law with less noise."""
        law = self.inner.law(data)  # type: ignore[attr-defined]
        return thinner(law, self.factor) or self.louder.law(data)  # type: ignore[attr-defined]

    def forecast(self, public: Any, confidence: float = 0.95) -> Any:
        """Return the forecast of the inner mechanism."""
        return self.inner.forecast(public, confidence)  # type: ignore[attr-defined]


def test_a_mechanism_without_neighbours_would_be_noticed() -> None:
    """The audit is not silent where there is nothing to audit: no pairs give no worst pair."""
    mechanism = next(iter(settings(registry["smooth-core-tail"], 1.0)))
    assert worst(mechanism, []).pair is None
    assert (
        worst(mechanism, pairs(mechanism)).pair is not None
        or divergence(*(mechanism.law(view) for view in next(iter(pairs(mechanism)))), 0.0) > 0
    )


def test_the_small_worlds_move_answers_by_about_the_noise() -> None:
    """Power: without any slack in epsilon some pair is worth the whole claim."""
    mechanism = next(iter(settings(registry["smooth-core-tail"], 1.0)))
    losses = [divergence(mechanism.law(one), mechanism.law(other), 0.5) for one, other in pairs(mechanism)]
    assert np.max(losses) > 0.1
