"""Request: a frozen query with its mechanism, and the hash that names it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from hashlib import sha256
from typing import Any

from discreet.budget import Account, Cost, Together, plugins
from discreet.budget.errors import ParameterError, kind_of
from discreet.curator.checks import check_fit, check_sums, check_work, grouped_by
from discreet.mechanisms import Mechanism, Public
from discreet.mechanisms.base.refining import Difference
from discreet.rows.columns.grouping import Grouping, sources
from discreet.rows.filters import Condition, conditions_of
from discreet.rows.schema import Schema


def plain(thing: Any) -> Any:
    """Turn a frozen value into plain JSON: its kind and its public fields."""
    if is_dataclass(thing) and not isinstance(thing, type):
        values = {f.name: plain(getattr(thing, f.name)) for f in fields(thing)}
        return {"kind": plugins.name_of_kind(type(thing)), **values}
    if isinstance(thing, (tuple, list)):
        return [plain(item) for item in thing]
    if thing is None or isinstance(thing, (str, int, float, bool)):
        return thing
    if isinstance(thing, Fraction):
        return f"{thing.numerator}/{thing.denominator}"
    raise ParameterError("A request can contain numbers, texts and lists. Got {kind}.", kind=type(thing).__name__)


def kinds(thing: Any) -> Iterator[type]:
    """Yield the kind of a frozen value, and of every value it contains."""
    if is_dataclass(thing) and not isinstance(thing, type):
        yield type(thing)
        thing = tuple(vars(thing).values())
    if isinstance(thing, tuple):
        for part in thing:
            yield from kinds(part)


@dataclass(frozen=True)
class Request:
    """A query: a mechanism over declared columns, on filtered rows, optionally per declared category or band.

    Several groupings are crossed (every combination of levels is a group); a single one is stored as its name.
    """

    mechanism: Mechanism
    columns: tuple[str, ...]
    where: tuple[Condition, ...] = ()
    by: Grouping | tuple[Grouping, ...] | None = None

    def __post_init__(self) -> None:
        """Accept lists and single ones as well, and freeze them."""
        if not isinstance(self.mechanism, Mechanism):
            raise ParameterError(
                "A query needs a mechanism, with its parameters in brackets. Got {kind}.", kind=kind_of(self.mechanism)
            )
        object.__setattr__(self, "columns", (self.columns,) if isinstance(self.columns, str) else tuple(self.columns))
        object.__setattr__(self, "where", conditions_of(self.where))
        by = grouped_by(self.by)
        object.__setattr__(self, "by", by if len(by) > 1 else next(iter(by), None))

    @property
    def identity(self) -> str:
        """The hash of the whole query."""
        return sha256(json.dumps(plain(self), sort_keys=True).encode()).hexdigest()

    @property
    def public_rows(self) -> int | None:
        """The public number of rows to which the column is sampled or padded, or None."""
        return self.mechanism.view.public_rows

    @property
    def groups(self) -> tuple[Grouping, ...]:
        """The categories or bands to group by; each combination of their levels has its own answer."""
        return grouped_by(self.by)

    @property
    def cells(self) -> tuple[Grouping, ...]:
        """The groups in which it is drawn: its own, and those over which its numbers are added up."""
        return (*self.groups, *(self.mechanism.over or ()))

    @property
    def group_names(self) -> tuple[str, ...]:
        """The columns to group by: the names of the groups in tables and files."""
        return sources(self.groups)

    def times(self) -> int:
        """Return how often a person may pay the mechanism's loss: once per group of theirs, once if rows add up."""
        return 1 if self.by is None or self.mechanism.additive else self.mechanism.neighbours.rows

    def cost(self) -> Cost:
        """Return the cost of the release; disjoint groups are charged as many times as one person may be in them."""
        return sum([self.mechanism.cost()] * self.times(), Cost.zero())

    def refusal_cost(self) -> Cost:
        """Return what is charged immediately, before it is known whether there will be an answer."""
        return sum([self.mechanism.refusal_cost()] * self.times(), Cost.zero())

    def account(self) -> Account | None:
        """Return the account of the release under other accountings: once for each group touched."""
        account = self.mechanism.account()
        times = self.times()
        return account if account is None or times == 1 else Together((account,) * times)

    def public(self, schema: Schema, size_guess: int | None = None) -> Public:
        """Return the public values that forecasts may use: the declared bounds or the number of declared labels."""
        name, *others = self.columns
        if name in schema.numbers or self.mechanism.view.answers:
            second = next((schema.bounds(other) for other in others if other in schema.numbers), None)
            return Public(schema.grid(name), size_guess, second=second)
        labels = len(schema.categories[name].labels) if name in schema.categories else None
        return Public(None, size_guess, labels)

    @property
    def rows(self) -> tuple[Request, ...]:
        """The request itself: a single query is a plan of one row."""
        return (self,)

    def check(self, schema: Schema) -> None:
        """Raise ParameterError, with what to do about it, if the query does not fit the declaration."""
        if self.mechanism.instead is not None:
            raise ParameterError("{why}", why=self.mechanism.instead)
        check_fit(self, schema)
        check_work(self, schema)
        if self.mechanism.over:
            check_sums(self, schema)
            draw_of(self.rows, (0,)).check(schema)
        self.mechanism.check(self.public(schema))
        self.mechanism.forecast(self.public(schema))  # an interval is made of it: what cannot be shown is not charged


def draws(rows: Sequence[Request]) -> tuple[tuple[int, ...], ...]:
    """Return the places of the rows of a plan, those together that are computed from one draw.

    A draw is of the same rows of the dataset: same column, groups and conditions. It is charged once and drawn once. A
    row whose numbers are added up over some groups is computed from the draw that has these groups as well.
    """
    together: dict[object, list[int]] = {}
    for place, row in enumerate(rows):
        shared = row.mechanism.shared
        groups = row.by if row.mechanism.over is None else frozenset(row.cells)
        same = place if shared is None else (shared, row.columns, row.where, groups)
        together.setdefault(same, []).append(place)
    return tuple(map(tuple, together.values()))


def draw_of(rows: Sequence[Request], places: Sequence[int]) -> Request:
    """Return what is drawn and charged for rows that are computed from one draw: the row itself, if it is alone.

    It has the groups of the finest row, and those over which that adds up.
    """
    finest = max((rows[place] for place in places), key=lambda row: len(row.groups))
    shared = finest.mechanism.shared
    alone = len(places) == 1 and not finest.mechanism.over
    return finest if shared is None or alone else replace(finest, mechanism=shared, by=finest.cells)


@dataclass(frozen=True)
class Finer:
    """The query of an earlier answer with less noise; it costs the difference."""

    request: Request
    difference: Difference

    @property
    def rows(self) -> tuple[Request, ...]:
        """The query that is answered."""
        return (self.request,)

    def cost(self) -> Cost:
        """Return the difference."""
        return self.difference.price

    def refusal_cost(self) -> Cost:
        """Return the difference: a finer answer is never refused after its charge."""
        return self.difference.price

    def account(self) -> Account:
        """Return what the ledger writes: it names the earlier answer."""
        return self.difference.refined

    def check(self, schema: Schema) -> None:
        """Raise ParameterError where the question does not fit the declaration."""
        self.request.check(schema)
