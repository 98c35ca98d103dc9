"""Layer 2 once more: every registered mechanism with settings other than its defaults, on short and long data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from support.evidence.varied import SIZES, pairs_of, varied
from support.soak import times

from discreet.budget import Account, Cost
from discreet.evidence.audit import ROUNDING, divergences, loss
from discreet.mechanisms import Mechanism, registry
from discreet.mechanisms.base.view import OneColumn
from discreet.mechanisms.laws.law import Law, Product
from discreet.queries.column import Scores

CORRECT = sorted(slug for slug, kind in registry.items() if not kind.open_only)
STEP, SLACK = 1e-2, 1 + 1e-6
DEAR = ("propose-grid", "quantile-tree", "quartile-range")  # of which each pair takes long
RATIOS = ("sum-over-count", "textbook-mean")  # whose unlikely answers are known to no digit
Laws = tuple[Law, Law]


def claimed(laws: Laws, cost: Cost, exact: bool = True) -> str:
    """Say what is wrong where two laws are further apart than a cost says, of unlikely answers as well."""
    if exact and not cost.delta_units:
        apart = loss(*laws)
        return "" if apart <= cost.epsilon * SLACK + ROUNDING else f"loses {apart} of {cost}"
    delta = max(divergences(*laws, cost.epsilon))
    return "" if delta <= cost.delta * SLACK + ROUNDING else f"delta is {delta} at {cost}"


def accounted(laws: Laws, account: Account | None) -> str:
    """Say what is wrong where an account promises less than two laws are apart, at half of its epsilon."""
    if account is None or len(account.parts) != 1:
        return ""
    epsilon = account.parts[0].loss / 2
    delta, covered = (
        max(divergences(*laws, epsilon)),
        account.parts[0].distribution(STEP).get_delta_for_epsilon(epsilon),
    )
    return "" if delta <= covered + 1e-9 else f"delta is {delta}, the account says {covered} at {epsilon}"


def by_parts(laws: Laws, account: Account | None) -> Iterator[str]:
    """Look at each draw by itself where an account has one member for each."""
    parts = [law.parts if isinstance(law, Product) else () for law in laws]
    members = () if account is None else account.parts
    if 1 < len(members) == len(parts[0]):
        for first, second, member in zip(*parts, members, strict=True):
            yield claimed((first, second), Cost.of(member.loss)) or accounted((first, second), member)


def refused(laws: Laws, mechanism: Mechanism) -> str:
    """Say what is wrong where a refusal tells more than is charged for it."""
    chances = [float(getattr(law, "refusal", 0.0)) for law in laws]
    cost, most, least = mechanism.refusal_cost(), max(chances), min(chances)
    fits = most <= np.exp(cost.epsilon) * least + cost.delta + ROUNDING
    return "" if fits else f"a refusal has chances {chances} at {cost}"


def faults(mechanism: Mechanism, pair: tuple[Any, Any]) -> list[str]:
    """Return all that is wrong with a mechanism on a pair of neighbours."""
    with np.errstate(over="ignore"):
        first, second = (mechanism.law(view) for view in pair)
    whole, account = (first.everything, second.everything), mechanism.account()
    exact = mechanism.slug not in RATIOS
    wrong = [claimed(whole, mechanism.cost(), exact), accounted(whole, account), refused((first, second), mechanism)]
    return [each for each in (*wrong, *by_parts(whole, account)) if each]


@pytest.mark.soak
@pytest.mark.parametrize("slug", CORRECT)
def test_every_value_of_every_setting_keeps_the_promise(slug: str) -> None:
    """What is charged is what was asked, and covers neighbours of few rows and of thousands."""
    rng = np.random.default_rng(20261126)
    few = times(4 if slug in DEAR or not isinstance(registry[slug]().view, OneColumn) else len(SIZES), 27)
    for mechanism in (each for seed in range(times(1, 5)) for each in varied(registry[slug], seed)):
        given = vars(mechanism)
        assert mechanism.cost() == Cost.of(given["epsilon"], given.get("delta", 0)), mechanism
        for pair in pairs_of(mechanism, few, rng):
            assert not faults(mechanism, pair), (mechanism, pair, faults(mechanism, pair))


@pytest.mark.parametrize("slug", [slug for slug in CORRECT if "least" in registry[slug].parameters()])
def test_the_least_common_is_the_most_common_of_what_is_missing(slug: str) -> None:
    """Chances are those of the most common where each count is what it falls short of a number."""
    kind: Any = registry[slug]
    for counts in ((3, 5, 9), (0, 0, 7), (100, 101, 102)):
        laws = [
            kind(epsilon=1.0, least=least).law(Scores(("a", "b", "c"), np.array(each)))
            for least, each in ((True, counts), (False, tuple(200 - count for count in counts)))
        ]
        assert loss(*laws) <= 1e-9 >= loss(*laws[::-1])
