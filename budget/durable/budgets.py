"""Opening: a durable budget is opened once and for good, or found."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress

from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError

from discreet.budget.allowance import Allowance
from discreet.budget.cost import Cost
from discreet.budget.durable import tables
from discreet.budget.durable.chain import budget_hash
from discreet.budget.durable.ledger import DurableLedger, now
from discreet.budget.durable.periods import meter_of
from discreet.budget.durable.seals import OPENING
from discreet.budget.durable.store import Store
from discreet.budget.durable.written import Told, budget_of, total_of
from discreet.budget.errors import ParameterError
from discreet.budget.rules import BASIC, Amount, Rule, rule_of
from discreet.budget.rules.rule import BESIDE


def open_budget(
    store: Store,
    name: str,
    limit: Cost,
    rule: Rule = BASIC,
    allowance: Allowance | None = None,
    clock: Callable[[], str] = now,
) -> DurableLedger:
    """Open a budget once and for good, or find it; another limit, rule or allowance is refused."""
    rule = rule.opened(limit)
    capacity = rule.capacity(limit)
    written = rule.written if allowance is None else f"{rule.written}{BESIDE}{_within(limit, rule, allowance).written}"
    wish: Told = {"limit_epsilon": limit.nano_epsilon, "limit_delta": limit.delta_units, "rule": written}
    budget = wish | {"id": name, "capacity_loss": capacity.loss, "capacity_delta": capacity.delta_units}
    with suppress(IntegrityError), store.writing(name) as connection:  # another process was faster
        if budget_of(connection, name) is None:
            budget |= {"opened": clock()}
            budget["hash"] = budget_hash(budget)
            connection.execute(insert(tables.budgets).values(**budget))
            store.sealing(connection, name, OPENING, budget["hash"])
    with store.reading() as connection:
        stored = budget_of(connection, name)
    assert stored is not None
    if any(stored[key] != value for key, value in wish.items()):
        raise ParameterError("This budget is open with another limit or rule. Nothing was changed.")
    return DurableLedger(store, name, clock)


def left_of_each(store: Store, names: Collection[str]) -> dict[str, Cost]:
    """Return what still fits in each of several budgets; those with periods are left out, as they have a clock."""
    lines = tables.lines
    ends = select(lines.c.budget, func.max(lines.c.seq).label("seq")).where(lines.c.budget.in_(names))
    newest = ends.group_by(lines.c.budget).subquery()
    last = select(lines).join(newest, (lines.c.budget == newest.c.budget) & (lines.c.seq == newest.c.seq))
    with store.reading() as connection:
        budgets = [
            dict(row)
            for row in connection.execute(select(tables.budgets).where(tables.budgets.c.id.in_(names))).mappings()
        ]
        ended = {line["budget"]: dict(line) for line in connection.execute(last).mappings()}
    return {each["id"]: _left(each, ended.get(each["id"])) for each in budgets if meter_of(each) is None}


def _left(budget: Told, last: Told | None) -> Cost:
    capacity = Amount(budget["capacity_loss"], budget["capacity_delta"])
    return rule_of(budget["rule"]).left(capacity - total_of(last))


def _within(limit: Cost, rule: Rule, allowance: Allowance) -> Allowance:
    """Refuse an allowance above the whole budget, of which the rule makes nothing, or with a budget for each wave."""
    if allowance.apart:
        raise ParameterError("A wave is no budget of its own any more. Open one budget for all of them.")
    if not allowance.each.fits_in(limit):
        raise ParameterError("A period cannot hold more than the whole budget.")
    if not rule.capacity(allowance.each).loss:
        raise ParameterError("Under this rule of accounting a period of this size holds nothing. Raise it.")
    return allowance
