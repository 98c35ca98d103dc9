"""Layer 2: the exact hockey-stick divergence of every mechanism on every pair of small worlds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, reduce
from typing import Any, ClassVar

import numpy as np
import pytest
from support.evidence.cases import CHANGED, EPSILONS, Pair, audits, name, pairs, settings
from support.soak import SOAKS, some, times

from discreet.budget import Cost, LaplaceAccount, Pure
from discreet.budget.errors import Phrase
from discreet.evidence.audit import divergence, worst
from discreet.mechanisms import Mechanism, registry
from discreet.mechanisms.base.counts import NotNegative
from discreet.mechanisms.base.view import Levels
from discreet.mechanisms.base.vocabulary import setting
from discreet.mechanisms.counts_above import Reached
from discreet.mechanisms.laws.law import Gated, Law, Noisy, Product, Whole
from discreet.mechanisms.ptr_grid import Staircase

pytestmark = pytest.mark.long

CORRECT = sorted(slug for slug, kind in registry.items() if not kind.open_only)
SAME = {"quartile-range"}  # as another: tests/mechanisms/test_quartile_range.py holds that its law is quantile-tree's
PART, FEW = 64, 4  # pairs that are looked at together until one refutes, and the first of them
Case = tuple[Mechanism, list[Pair]]
LESS_NOISE = 1.01  # noise that is one per cent too small
LOOSE: dict[str, float] = {  # needs more: what a person can move here is less than what the noise covers
    "above-threshold": 2.1,  # one vote moves one count of a stream in which all could move
    "quantile-tree": 2.6,  # no row moves all draws and divisions as far as each may be
    "quartile-range": 2.6,  # of which it is made
    "quantile-permute-and-flip": 1.2,  # on few rows no tick is so far off that it is never accepted
    "quantile-interval": 2.1,  # its ends lie beyond all rows of small pairs
    "blocks-median-interval": 2.6,  # one of k estimates does not move all three draws as far as each may be
    "quantiles-apart": 2.1,  # nor all draws: what is low for one level is high for another
    "propose-grid": 2.1,  # one distance moves where all of the grid could
    "several-gaussian": 3.1,  # noise wider than the range is clipped away
    "textbook-mean": 1.4,  # no row moves sum and count against each other as far as both may
    "blocks-smooth-median": 1.05,  # k small numbers hardly change the scale while they shift
    "blocks-smooth-interval": 1.3,  # nor does the logarithm of it move by all of beta
    "smooth-laplace-interval": 1.1,  # both losses must be far out at once before more than delta is seen
}


def thinner(law: Law, factor: float) -> Law | None:
    """Return a law with its noise divided by a factor, or nothing where there is no noise."""
    if isinstance(law, Noisy | Whole):
        return replace(law, scale=law.scale / factor)
    if isinstance(law, Product):
        parts = [thinner(part, factor) for part in law.parts]
        thin = tuple(part for part in parts if part is not None)
        return Product(thin) if len(thin) == len(parts) else None
    if isinstance(law, Staircase):
        laws = tuple(replace(part, scale=part.scale / factor) for part in law.laws)
        return replace(law, laws=laws)
    if isinstance(law, Gated | NotNegative | Reached):
        inner = thinner(law.inner, factor)
        return None if inner is None else replace(law, inner=inner)
    return None


def once(cases: list[Case]) -> list[Case]:
    """Leave out what `make soak` looks at again: counts of candidates move alike, whatever number of rows is public."""
    again = [isinstance(mechanism.view, Levels) and mechanism.neighbours.size == CHANGED[1] for mechanism, _ in cases]
    return [case for case, left in zip(cases, again, strict=True) if SOAKS or not left]


def arm(slug: str, *more: float) -> Any:
    """Return a case of a test; what is made of another mechanism's draws is left to `make soak`."""
    return pytest.param(slug, *more, marks=pytest.mark.soak_alone if slug in SAME else ())


@pytest.mark.soak
@pytest.mark.parametrize(
    "slug, epsilon", [arm(slug, at) for at in EPSILONS for slug in some(CORRECT, 1 if at == 1 else 3)]
)
def test_every_mechanism_keeps_its_promise_on_every_pair(slug: str, epsilon: float) -> None:
    """A registered mechanism has an audit case, and delta never exceeds what its cost says.

    In `make test` every mechanism at an epsilon of 1, with every second of its settings, and every third one at 8.
    In `make test` tests/mechanisms/test_quartile_range.py holds the same of a range: its law is that of quantile-tree.
    """
    # what epsilon changes, it changes for every statistic and on many pairs
    cases = audits(registry[slug], epsilon, times(10, 1))
    assert cases and all(views for _, views in cases), f"{slug} has no audit case"
    for mechanism, views in some(once(cases), 2) if epsilon == 1 else some(cases[::-1], 3):
        loss = worst(mechanism, views if epsilon == 1 else some(views[::-1], 3))
        assert loss.holds, (name(mechanism), loss.delta, loss.claimed, loss.pair)


@pytest.mark.parametrize("slug", CORRECT)
def test_noise_that_is_one_per_cent_too_small_is_caught(slug: str) -> None:
    """The same pairs refute a mechanism that draws from 0.99 of its noise, and say so exactly."""
    factor = LOOSE.get(slug, LESS_NOISE)
    cases = audits(registry[slug], 1.0)[::-1]  # the steepest stand last, and say so at once
    assert any(not worst(Understated(mechanism, factor), part).holds for mechanism, part in parts(cases))


def parts(cases: list[Case]) -> Iterator[Case]:
    """Yield some pairs of every setting, then some more: the first ones of the first setting refute most mechanisms."""
    for start in range(0, max(len(views) for _, views in cases), PART):
        for mechanism, views in cases:
            part = views[start : start + PART]
            yield from ((mechanism, each) for each in (part[:FEW], part[FEW:]) if each)


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


SHAPED = [slug for slug in CORRECT if type(registry[slug]().account()) not in (type(None), Pure)]


@cache
def spending(account: Any) -> Any:
    """Return the privacy losses of an account, which many statistics share."""
    return reduce(lambda joint, more: joint.compose(more), (part.distribution(1e-3) for part in account.parts))


@dataclass(frozen=True)
class Accounted(Mechanism):
    """A mechanism that claims what its account says of a smaller epsilon."""

    title: ClassVar[str] = "Accounted"
    inner: Any = setting(Phrase("Inner"), None)
    account_: Any = setting(Phrase("Account"), None)
    epsilon: float = 0.0
    laws: Any = setting(Phrase("Laws"), None)

    def cost(self) -> Cost:
        """Return the smaller epsilon, and the delta that goes with it."""
        delta = spending(self.account_).get_delta_for_epsilon(self.epsilon)
        return Cost.of(f"{self.epsilon:.9f}", f"{delta:.15f}")

    def law(self, data: Any) -> Any:
        """Return its law, the same at every epsilon."""
        if id(data) not in self.laws:
            self.laws[id(data)] = self.inner.law(data)
        return self.laws[id(data)]

    def forecast(self, public: Any, confidence: float = 0.95) -> Any:
        """Return its forecast."""
        return self.inner.forecast(public, confidence)


def accounted(slug: str, account: Any, epsilon: float = 1.0) -> bool:
    """Say whether an account covers every pair at every epsilon that is looked at."""
    cases = once(audits(registry[slug], epsilon, times(16, 1)))
    return all(
        worst(Accounted(mechanism, account or mechanism.account(), share * epsilon, laws), views).holds
        for mechanism, views in cases
        for laws in [dict[int, Law]()]
        for share in some((0.25, 0.5, 0.75), 2)
    )


@pytest.mark.soak
@pytest.mark.parametrize("slug", [arm(slug) for slug in SHAPED])
def test_an_account_covers_every_pair_below_epsilon_too(slug: str) -> None:
    """A plan composes accounts: each must hold at every epsilon, not at its own alone.

    In `make test` tests/mechanisms/test_quartile_range.py holds the same of a range, whose law and account are others'.
    """
    assert accounted(slug, None)


def test_geometric_noise_is_not_laplace_noise_to_an_account() -> None:
    """A planted account, once a real one: of a count geometric noise loses epsilon more often."""
    assert {"laplace", "gaussian"} <= set(SHAPED)
    assert not accounted("geometric", LaplaceAccount(1.0)) and accounted("geometric", Pure(1.0))


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
    losses = [divergence(mechanism.law(view), mechanism.law(other), 0.5) for view, other in pairs(mechanism)]
    assert np.max(losses) > 0.1
