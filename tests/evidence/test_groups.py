"""Groups of persons with several rows: one charge covers the joint law of all groups, where rows add up."""

from __future__ import annotations

import itertools
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from support.evidence.cases import THREE as THREE_TICKS
from support.evidence.cases import Drop
from support.evidence.tables import PAIR, TWO, Leaks, World
from support.evidence.worlds import every_query
from support.soak import times

from discreet.budget.errors import ParameterError
from discreet.curator import Request
from discreet.evidence.whole_road import laws
from discreet.mechanisms import Mechanism, registry
from discreet.mechanisms.laplace import Geometric, GlobalLaplace
from discreet.mechanisms.laws.divergence import divergence, divergences
from discreet.mechanisms.laws.law import Product
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.several_gaussian import SeveralGaussian
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries import Column
from discreet.queries.count import Count
from discreet.queries.extremes import Largest
from discreet.queries.mean import Mean
from discreet.queries.sum import Sum
from discreet.rows import Bands, Category, LocalSource, Number, Recode, Schema

LEVELS = Schema(dict(PAIR.schema.columns) | {"g": Category(("a", "b", "c"))})
THREE = World(LEVELS, 2, 2, cells=(("0", "a"), ("2", "a"), ("2", "b"), ("1", "c")))
BOTH = World(
    Schema(dict(LEVELS.columns) | {"h": Number(0, 2, integer=True)}),
    2,
    2,
    cells=(("0", "a", "0"), ("2", "a", "1"), ("2", "b", "2"), ("1", "c", "0")),
)
SUMS = (Count(TWO), Sum(TWO))


def settings(kind: type[Any]) -> list[Mechanism]:
    """Return a mechanism for every statistic that it takes, where it is additive."""
    names = {f.name for f in fields(kind)}
    choices: list[dict[str, Any]] = [{"relation": TWO}] if "relation" in names else [{}]
    if "query" in names:
        choices = [{"query": query} for query in every_query(TWO)]
    if "queries" in names:
        choices = [{"queries": SUMS}, {"queries": (Mean(TWO), Sum(TWO))}]
    mechanisms = []
    for more in choices:
        try:
            mechanisms.append(kind(epsilon=1.0, **more))
        except ParameterError:
            continue
    return [mechanism for mechanism in mechanisms if mechanism.additive and mechanism.view.groups]


ADDITIVE = [m for slug in sorted(registry) if not registry[slug].open_only for m in settings(registry[slug])]


def worst(request: Request, world: World = THREE) -> float:
    """Return the largest delta above what is charged, over every pair of tables."""
    request.check(world.schema)
    leaks = Leaks(world, request)
    pairs = [leaks.between(a, b) for a, b in world.pairs(False, 7)]
    assert len(pairs) > times(15, 100)
    return max(0.0 if pair.holds else pair.delta - pair.claimed for pair in pairs)


@pytest.mark.soak
@pytest.mark.parametrize("mechanism", ADDITIVE, ids=lambda m: f"{m.slug} {getattr(m, 'query', '')}"[:40])
def test_one_charge_covers_three_groups_of_persons_with_two_rows(mechanism: Mechanism) -> None:
    """Every mechanism that says so of itself is gone through; a person's rows lie in one group or in two."""
    request = Request(mechanism, ("x", "h")[: mechanism.view.columns], by="g")
    assert request.cost() == mechanism.cost() == request.refusal_cost()
    assert request.account() == mechanism.account()
    assert worst(request, THREE if mechanism.view.columns == 1 else BOTH) == 0.0


@pytest.mark.parametrize(
    "mechanism", [Geometric(Count(TWO), 1.0), GlobalLaplace(Mean(TWO), 1.0), SmoothCoreTail(Mean(TWO), 1.0, m=16)]
)
def test_bands_and_merged_levels_are_charged_as_a_category_is(mechanism: Mechanism) -> None:
    """A person's rows lie in one band or in two, also where the column itself is asked."""
    category = Request(mechanism, ("x",), by="g")
    for by in (Bands("x", (1,)), Recode("g", (("a", "b"),))):
        asked = Request(mechanism, ("x",), by=by)
        assert (asked.cost(), asked.account(), asked.times()) == (category.cost(), category.account(), category.times())
        assert worst(asked) == 0.0


def test_bands_charged_once_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken twin: two rows of a person, in two bands, and the price of one."""
    request = Request(GlobalLaplace(Mean(TWO), 1.0), ("x",), by=Bands("x", (1,)))
    assert worst(request) == 0.0
    monkeypatch.setattr(Request, "times", lambda self: 1)
    assert worst(request) > 0.0


def test_the_sums_and_soft_counts_are_among_them() -> None:
    """What the law of is made of sums is additive, what follows the data is not."""
    slugs = {mechanism.slug for mechanism in ADDITIVE}
    assert {"geometric", "laplace", "gaussian", "two-counts", "quantile-exponential"} <= slugs
    assert not any(registry[slug].family.key in ("smooth", "ptr") for slug in slugs)
    assert Request(GlobalLaplace(Mean(TWO), 1.0), ("x",), by="g").cost().epsilon == 2.0
    mixed = SeveralGaussian((Largest(TWO), Sum(TWO)), 1.0)  # the largest moves by all it can in each of two groups
    assert Request(mixed, ("x",), by="g").cost().epsilon == 2.0


def test_several_statistics_are_charged_twice_where_one_of_them_is_not_a_sum() -> None:
    """A person's two rows in two groups move a mean in both."""
    for queries, times_charged in (((Count(TWO), Sum(TWO)), 1), ((Count(TWO), Mean(TWO)), 2)):
        request = Request(SeveralGaussian(queries=queries, epsilon=1.0, delta=1e-6), ("x",), by="g")
        assert request.cost().epsilon == times_charged, queries


@pytest.mark.soak
@pytest.mark.parametrize("mechanism", [SmoothCoreTail(Mean(TWO), 1.0, m=16), GlobalLaplace(Mean(TWO), 1.0)])
def test_a_law_that_is_not_additive_is_caught_where_it_is_charged_once(
    mechanism: Mechanism, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Broken twins: one row moves these by more than half of what two rows do."""
    request = Request(mechanism, ("x",), by="g")
    assert worst(request) == 0.0
    monkeypatch.setattr(type(mechanism), "additive", True)
    assert request.cost() == mechanism.cost()
    assert worst(request) > 0.1


def test_a_proposal_is_tested_once_in_every_group() -> None:
    """A broken twin: a row fewer in each of two groups is a step of the distance in both."""
    mechanism = ProposeTestRelease(Drop(TWO, near=1.0), epsilon=2.0, delta=1e-6, b=2.0, share=0.9)
    each = [mechanism.law(Column.from_ticks(THREE_TICKS, np.zeros(n, np.int64))) for n in range(40)]
    pairs = [(Product((more, more)), Product((less, less))) for less, more in itertools.pairwise(each)]
    for charges, holds in ((1, False), (2, True)):
        delta = max(max(divergences(*pair, 2.0 * charges)) for pair in pairs)
        assert (delta <= 2e-6) == holds


def test_noise_for_one_row_is_caught() -> None:
    """A broken twin: the groups are charged once, and the noise is that of one row a person."""
    louder = Request(Geometric(Count(TWO), 2.0), ("x",), by="g")
    tables = [THREE.table(rows) for rows in (((("0", "a"), ("2", "b")),), ((),))]
    joint = [laws(table, THREE.schema, louder, LocalSource)[0][1] for table in tables]
    assert divergence(*joint, 1.0) > 0.1 > divergence(*joint, 2.0) == 0.0


@pytest.mark.parametrize("query", SUMS, ids=lambda q: q.name)
def test_the_account_of_one_group_covers_rows_in_two(query: Any) -> None:
    """At every epsilon that is looked at the delta of a Laplace law is that of both rows in one group."""
    request = Request(GlobalLaplace(query, 1.0), ("x",), by="g")
    account = request.account()
    assert account is not None
    spread, gone = (THREE.table(rows) for rows in (((("2", "a"), ("2", "b")),), ((),)))
    joint = [laws(table, THREE.schema, request, LocalSource)[0][1] for table in (spread, gone)]
    for share in (0.1, 0.3, 0.5, 0.7, 0.9):
        least = account.distribution(1e-3).get_delta_for_epsilon(share)
        assert max(divergences(*joint, share)) <= least + 1e-9


def test_a_person_of_one_row_is_charged_as_before() -> None:
    """Nothing changes where nobody is in two groups."""
    for query in (Count(), Mean()):
        request = Request(GlobalLaplace(query, 1.0), ("x",), by="g")
        assert request.cost() == replace(request, by=None).cost()
