"""FixedPlan: several queries, fixed before any answer: one charge, one record, one total with its proof."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256

from discreet.budget import Account, Charge, Cost, Together
from discreet.budget.accounts import generic
from discreet.budget.composition import Proven, check_rows, proven
from discreet.budget.errors import ParameterError
from discreet.curator.request import Request, plain
from discreet.curator.result import Release
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
    def total(self) -> Proven:
        """The least total that is proven, with its proof."""
        return _total(tuple(Charge(row.cost(), row.account()) for row in self.rows), self.delta)

    def cost(self) -> Cost:
        """Return the cost, which is charged once."""
        return self.total.cost

    def refusal_cost(self) -> Cost:
        """Return the full cost: a plan refunds nothing when an answer is refused."""
        return self.cost()

    def account(self) -> Account:
        """Return the privacy accounts of all rows, composed."""
        return Together(tuple(row.account() or generic(row.cost()) for row in self.rows))

    def check(self, schema: Schema) -> None:
        """Raise ParameterError with the row's number if a row does not fit the declaration."""
        for number, row in enumerate(self.rows, 1):
            try:
                row.check(schema)
            except ParameterError as error:
                raise ParameterError("Query {number} of the plan: {why}", number=number, why=error.args[0]) from None


@lru_cache(maxsize=64)
def _total(charges: tuple[Charge, ...], delta: float) -> Proven:
    return proven(charges, delta)


@dataclass(frozen=True)
class Answers:
    """The result of a plan: the answer or refusal of every row, and the one charge for all.

    The cost of a row is what that row alone would lose; together they cost what the plan costs.
    """

    id: str
    plan: FixedPlan
    releases: tuple[Release, ...]
    cost: Cost
    entry: int
    at: datetime = field(default_factory=lambda: datetime.now(UTC))
