"""Plan: several queries, fixed before any answer: one charge, one record, one total with its proof."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256

from discreet.budget import Account, Charge, Cost, Together
from discreet.budget.accounts import generic
from discreet.budget.composition import ALL, Proven, View, check_rows, proven
from discreet.budget.errors import ParameterError, Phrase, listed
from discreet.curator.request import Request, draw_of, draws, plain
from discreet.curator.result import Release
from discreet.rows.columns.grouping import in_words
from discreet.rows.schema import Schema


@dataclass(frozen=True)
class FixedPlan:
    """Queries that are answered together or not at all.

    No query is chosen after seeing the answer of another, so their losses compose as those of a plan that was fixed in
    advance, at this delta. The total is computed from the queries and never taken from the caller.
    """

    rows: tuple[Request, ...]
    delta: float = 0.0

    def __post_init__(self) -> None:
        """Accept a list as well, and raise ParameterError for a plan that cannot be accounted for."""
        object.__setattr__(self, "rows", tuple(self.rows))
        check_rows(self.rows)
        sides = {(row.mechanism.neighbours.change_one, row.mechanism.neighbours.rows) for row in self.rows}
        if len(sides) > 1:
            raise ParameterError(
                "All queries of a plan must use the same neighbour relation and the same number of rows "
                "per person. Run the others separately."
            )

    @property
    def identity(self) -> str:
        """The hash of the whole plan."""
        return sha256(json.dumps(plain(self), sort_keys=True).encode()).hexdigest()

    @property
    def draws(self) -> tuple[tuple[int, ...], ...]:
        """The places of the rows, those together that are computed from one draw."""
        return draws(self.rows)

    @property
    def charged(self) -> tuple[Request, ...]:
        """One query for each draw: all rows are computed from these draws."""
        return tuple(draw_of(self.rows, places) for places in self.draws)

    @property
    def total(self) -> Proven:
        """The least total that is proven, with its proof."""
        return _total(self.rows, self.delta)

    def cost(self) -> Cost:
        """Return the cost, which is charged once."""
        return self.total.cost

    def refusal_cost(self) -> Cost:
        """Return the full cost: a plan refunds nothing when an answer is refused."""
        return self.cost()

    def account(self) -> Account:
        """Return the privacy accounts of all rows, composed."""
        return Together(tuple(row.account() or generic(row.cost()) for row in self.charged))

    def check(self, schema: Schema) -> None:
        """Raise ParameterError with the row's number if a row does not fit the declaration."""
        for number, row in enumerate(self.rows, 1):
            try:
                row.check(schema)
            except ParameterError as error:
                raise ParameterError("Query {number} of the plan: {why}", number=number, why=error.args[0]) from None

    @property
    def sharing(self) -> tuple[Phrase, ...]:
        """One sentence for the draws from which the same several statistics are computed, with their columns."""
        alike: dict[str, list[tuple[Request, ...]]] = {}
        for places in self.draws:
            rows = tuple(self.rows[place] for place in places)
            columns = _measured(rows[0])
            key = shared_by(rows) if _added_up(rows) else (_computed(rows), columns if len(columns) > 1 else ())
            alike.setdefault(str(key), []).append(rows)
        return tuple(_shared(every) for every in alike.values() if len(every[0]) > 1)


@lru_cache(maxsize=64)
def _total(rows: tuple[Request, ...], delta: float) -> Proven:
    return total_of(rows, delta)


def total_of(rows: Sequence[Request], delta: float, views: Sequence[View] = ALL) -> Proven:
    """Return the least total of rows that were fixed in advance: each draw is charged once.

    The plain sum is that of all rows, which each would cost if it was asked by itself.
    """
    charged = [draw_of(rows, places) for places in draws(rows)]
    total = proven([Charge(row.cost(), row.account()) for row in charged], delta, views)
    return replace(total, plain=sum((row.cost() for row in rows), Cost.zero()))


def shared_by(rows: Sequence[Request]) -> Phrase:
    """Return the sentence that these rows are computed from one draw."""
    column = listed(_measured(rows[0]))
    if _added_up(rows):
        tables = (Phrase("by {groups}", groups=listed(in_words(row.groups))) for row in rows if row.groups)
        total = [Phrase("in total")] if not all(row.groups for row in rows) else []
        return Phrase(
            "Counts of {column} {tables} share one draw, charged once: coarser counts are sums of its cells.",
            column=column,
            tables=listed([*dict.fromkeys(tables), *total]),
        )
    return Phrase("{statistics} of {column} share one draw, charged once.", statistics=_computed(rows), column=column)


def _shared(every: Sequence[Sequence[Request]]) -> Phrase:
    """Return the sentence for several draws of the same statistics."""
    columns = list(dict.fromkeys(rows[0].columns[0] for rows in every))
    if len(every) == 1 or len(columns) == 1 or _added_up(every[0]):
        return shared_by(every[0])
    return Phrase(
        "{statistics} share one draw, charged once, for each of {columns}.",
        statistics=_computed(every[0]),
        columns=listed(columns),
    )


def _measured(row: Request) -> tuple[str, ...]:
    """Return the columns that a statistic is of: a weight is none of them."""
    return row.columns[:1] if row.mechanism.view.weighs else row.columns


def _added_up(rows: Sequence[Request]) -> bool:
    """Return whether some rows are sums of others."""
    return any(row.mechanism.over for row in rows)


def _computed(rows: Sequence[Request]) -> str | Phrase:
    """Return the different statistics of some rows."""
    return listed(list(dict.fromkeys(Phrase(row.mechanism.subject) for row in rows)))


@dataclass(frozen=True)
class Answers:
    """The result of a plan: the answer or refusal of every row, and the one charge for all.

    The cost of a row is what that row alone would lose, or its draw; together they cost what the plan costs.
    """

    id: str
    plan: FixedPlan
    releases: tuple[Release, ...]
    cost: Cost
    entry: int
    at: datetime = field(default_factory=lambda: datetime.now(UTC))
