"""Plans of every registered mechanism under every rule: what is charged, and how many fit, by an account of its own."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pyarrow as pa
import pytest
from support.evidence.composing import Together, divergence

from discreet.budget import BoundedRange, BudgetExceeded, Cost, GaussianAccount, LaplaceAccount, Pure, SessionLedger
from discreet.budget.accounts import Approximate
from discreet.budget.errors import ParameterError
from discreet.budget.rules import RULES
from discreet.curator import Curator, FixedPlan, Request
from discreet.mechanisms import registry
from discreet.mechanisms.laplace import Geometric
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.queries import Relation
from discreet.queries.count import Count
from discreet.queries.median import Median
from discreet.rows import Category, Dataset, LocalSource, Number, Person, Schema

CORRECT = sorted(slug for slug, kind in registry.items() if not kind.open_only)
TWO = Relation(rows=2)
TABLE = pa.table(
    {
        "x": ["1", "9", "3"] * 4,
        "y": ["0", "3"] * 6,
        "g": ["a", "b"] * 6,
        "h": ["u", "v", "v"] * 4,
        "who": list("pqrs") * 3,
    }
)
COLUMNS = {
    "x": Number(-10, 10, integer=True),
    "y": Number(0, 3, integer=True),
    "g": Category(("a", "b")),
    "h": Category(("u", "v")),
}
SCHEMA = Schema(COLUMNS | {"who": Person(rows=2)})
LIMIT, DELTA = Cost.of(24, "1e-2"), 1e-4
RHO: dict[type[Any], Any] = {
    Pure: lambda part: part.epsilon**2 / 2,
    LaplaceAccount: lambda part: part.epsilon**2 / 2,
    BoundedRange: lambda part: part.epsilon**2 / 8,
    Approximate: lambda part: part.cost.epsilon**2 / 2,
    GaussianAccount: lambda part: 0.5 / part.sigma**2,
}
LOSSES: dict[str, Any] = {  # of one part under a rule: no more than what is charged, and no less than nearly that
    "zCDP": lambda rule, part: RHO[type(part)](part),
    "Rényi": lambda rule, part: min(divergence(_narrow(part), rule.order), RHO[type(part)](part) * rule.order),
}


def _narrow(part: Any) -> Any:
    return Pure(part.epsilon / 2) if isinstance(part, BoundedRange) else part


def rows(slug: str) -> Iterator[Request]:
    """Return a question with a mechanism: of all rows, of groups by one column and by two."""
    kind: type[Any] = registry[slug]
    names = {each.name for each in fields(kind)}
    given: dict[str, Any] = {"epsilon": 0.9} | ({"delta": 1e-7} if "delta" in names else {})
    given |= {"relation": TWO} if "relation" in names else {}
    given |= {"queries": (Count(TWO), Median(TWO), Count(TWO))} if "queries" in names else {}
    for query in (Median(TWO), Count(TWO)) if "query" in names else (None,):
        try:
            mechanism = kind(**given, **({} if query is None else {"query": query}))
            column = "g" if mechanism.view.category else "x"
            for by in (None, "g", ("h", "g")) if mechanism.view.groups else (None,):
                request = Request(mechanism, (column, "y")[: mechanism.view.columns], by=by)
                request.check(SCHEMA)
                yield request
        except ParameterError:
            continue


SHARED = (
    *("cell-counts", "normal-cell-counts"),
    *("soft-counts", "soft-moments", "soft-weighted-counts", "soft-weighted-moments"),
    *("normal-soft-counts", "normal-soft-moments"),
    *("soft-slopes", "soft-correlations"),
)


def drawn(plan: FixedPlan) -> Iterator[Request]:
    """Return a row for each draw: cells, soft counts and moments of the same rows are drawn once."""
    seen = set()
    for row in plan.rows:
        draw = (row.mechanism.slug, row.mechanism.cost(), row.columns, row.where, row.by)
        if row.mechanism.slug not in SHARED or draw not in seen:
            yield row
        seen.add(draw)


def parts(plan: FixedPlan) -> list[Any]:
    """Return what a person loses of each draw, once for each group that their rows may be in."""
    every: list[Any] = []
    for row in drawn(plan):
        cost, account = row.mechanism.cost(), row.mechanism.account()
        own = account.parts if account else (Approximate(cost) if cost.delta_units else Pure(cost.epsilon),)
        every += own * (2 if row.groups and not row.mechanism.additive else 1)
    return every


def counted(plan: FixedPlan) -> list[Any]:
    """Return the same where a filter counts it: of what has no account, a row's whole cost, which is more."""
    every: list[Any] = []
    for row in drawn(plan):
        cost = row.cost()
        alone = [Approximate(cost) if cost.delta_units else Pure(cost.epsilon)]
        every += alone if row.mechanism.account() is None else parts(replace(plan, rows=(row,)))
    return every


def plans(slug: str) -> list[FixedPlan]:
    """Return plans with a mechanism: alone, thrice, and beside others of other families."""
    count = Request(Geometric(Count(TWO), 0.3), ("x",))
    tested = Request(ProposeTestRelease(Median(TWO), 0.7, 1e-8, 0.5), ("x",), by="g")
    asked = list(rows(slug))
    return [
        *(FixedPlan((row, row, replace(row, by=None)), DELTA) for row in asked[1:2]),
        FixedPlan((*asked, count, tested), DELTA),
        FixedPlan((tested, *asked[-1:], tested, count)),
    ]


@pytest.mark.parametrize("name", sorted(RULES))
@pytest.mark.parametrize("slug", CORRECT)
def test_a_plan_is_charged_what_its_rows_lose_under_every_rule(slug: str, name: str) -> None:
    """The line on the ledger, in its own units, is that of all parts; a budget holds no more of them."""
    assert list(rows(slug)), f"{slug} answers nothing here"
    for plan in plans(slug):
        ledger = SessionLedger(LIMIT, RULES[name])
        if len(plan.rows) < 5:
            Curator(Dataset(LocalSource(TABLE), SCHEMA), ledger, tick=0).run(plan)
        else:
            ledger.charge("all", plan.cost(), account=plan.account())
        amount, capacity = ledger.entries[0].amount, ledger.rule.capacity(LIMIT)
        assert amount is not None and ledger.entries[-1].total == amount  # nothing comes back
        if name not in LOSSES:
            assert (amount.loss, amount.delta_units) == (plan.cost().nano_epsilon, plan.cost().delta_units)
            continue
        every = counted(plan)
        loss = math.fsum(LOSSES[name](ledger.rule, part) for part in every) * 10**15
        assert loss * (1 - 1e-6) <= amount.loss
        assert amount.loss <= (1 + 1e-3) * loss + 1e6 or BoundedRange in map(type, every)
        assert amount.delta_units == sum(part.delta_units for part in every)
        more = 0
        while ledger.rule.amount(plan.cost(), plan.account(), capacity - ledger.entries[-1].total) == amount:
            ledger.charge(f"{(more := more + 1)}", plan.cost(), account=plan.account())
        assert ledger.entries[-1].total.loss == (more + 1) * amount.loss <= capacity.loss
        assert (more + 2) * amount.loss > capacity.loss or (more + 2) * amount.delta_units > capacity.delta_units


@pytest.mark.parametrize("slug", CORRECT)
def test_the_one_total_of_a_plan_is_no_less_than_its_rows_lose_together(slug: str) -> None:
    """The epsilon that is charged, at the delta of the plan, against a convolution of all parts."""
    for plan in plans(slug):
        every, cost = parts(plan), plan.cost()
        narrow = [_narrow(part) for part in every]
        assert Together(narrow).epsilon(max(cost.delta, 1e-9)) <= cost.epsilon * (1 + 1e-6)
        plain = sum((row.cost() for row in plan.rows), Cost.zero())
        assert cost.fits_in(Cost(plain.nano_epsilon, max(plain.delta_units, Cost.of(1, DELTA).delta_units)))
        for row in plan.rows:
            touched = 2 if row.groups and not row.mechanism.additive else 1
            assert row.cost() == sum([row.mechanism.cost()] * touched, Cost.zero())
            assert row.refusal_cost() == sum([row.mechanism.refusal_cost()] * touched, Cost.zero())
            account = row.account()
            assert account is None or len(account.parts) == touched * len(row.mechanism.account().parts)  # type: ignore[union-attr]


@pytest.mark.parametrize("name", sorted(RULES))
def test_a_refusal_gives_back_the_answer_and_keeps_the_test(name: str) -> None:
    """Under each rule what stays charged is no less than what the test loses, in each group that a person touches."""
    for by in (None, "g", ("g", "h")):
        for test in ("pure", "best"):
            mechanism = ProposeTestRelease(Median(TWO), 1.0, 1e-12, 1e-9, share=0.4, test=test)
            ledger = SessionLedger(LIMIT, RULES[name])
            release = Curator(Dataset(LocalSource(TABLE), SCHEMA), ledger, tick=0).ask(
                Request(mechanism, ("x",), by=by)
            )
            assert release.refused
            stays, touched = mechanism.refusal_cost(), 1 if by is None else 2
            assert release.cost == sum([stays] * touched, Cost.zero())
            total = ledger.entries[-1].total
            own = Approximate(stays) if stays.delta_units else Pure(stays.epsilon)
            least = stays.nano_epsilon * touched
            if name in LOSSES:
                least = int(touched * LOSSES[name](ledger.rule, own) * 10**15 * (1 - 1e-6))
            assert total.loss >= least and total.delta_units >= touched * stays.delta_units
            if test == "pure":
                assert total.loss < ledger.entries[0].total.loss


@pytest.mark.parametrize("name", sorted(RULES))
@pytest.mark.parametrize("by", ["g", ("g", "h"), ("h", "g")])
def test_an_answer_in_some_groups_alone_is_paid_in_full(name: str, by: Any) -> None:
    """One group passes the test, the others, of which there is nobody, do not: nothing comes back."""
    table = pa.table(
        {"x": ["3"] * 400, "y": ["3"] * 400, "g": ["b"] * 400, "h": ["v"] * 400, "who": [f"{at}" for at in range(400)]}
    )
    mechanism = ProposeTestRelease(Median(TWO), 3.0, 1e-9, 1e-3)
    ledger = SessionLedger(Cost.of(50, "1e-2"), RULES[name])
    release = Curator(Dataset(LocalSource(table), SCHEMA), ledger, tick=0).ask(Request(mechanism, ("x",), by=by))
    answers = [answer for _, answer in release.answer]  # type: ignore[union-attr]
    assert answers.count(None) == len(answers) - 1 and not release.refused
    assert release.cost == release.request.cost() and ledger.entries[-1].total == ledger.entries[0].amount


def test_a_budget_takes_no_plan_that_it_does_not_hold() -> None:
    """Plans of which nothing but the cost is known, under every rule."""
    plan = FixedPlan((Request(ProposeTestRelease(Median(TWO), 1.0, 1e-6, 1.0), ("x",)),) * 3, DELTA)
    for rule in RULES.values():
        with pytest.raises(BudgetExceeded):
            SessionLedger(Cost.of("1.7", "1e-4"), rule).charge("plan", plan.cost(), account=plan.account())
