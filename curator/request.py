"""Request: a frozen question with its mechanism, and the hash that names it."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Any

from discreet.budget import Account, Cost, Together
from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.mechanisms import Mechanism, Public
from discreet.rows.filters import Filter
from discreet.rows.schema import Schema
from discreet.rows.work import check_work


def plain(thing: Any) -> Any:
    """Turn a frozen value into plain JSON: its kind and its public fields."""
    if is_dataclass(thing) and not isinstance(thing, type):
        values = {f.name: plain(getattr(thing, f.name)) for f in fields(thing)}
        return {"kind": type(thing).__name__, **values}
    if isinstance(thing, (tuple, list)):
        return [plain(item) for item in thing]
    if thing is None or isinstance(thing, (str, int, float, bool)):
        return thing
    if isinstance(thing, Fraction):
        return f"{thing.numerator}/{thing.denominator}"
    raise ParameterError("A request can hold numbers, texts and lists. Got {kind}.", kind=type(thing).__name__)


@dataclass(frozen=True)
class Request:
    """What is asked: a mechanism over declared columns, on filtered rows, per declared category."""

    mechanism: Mechanism
    columns: tuple[str, ...]
    where: tuple[Filter, ...] = ()
    by: str | None = None

    def __post_init__(self) -> None:
        """Accept lists as well, and freeze them."""
        object.__setattr__(self, "columns", tuple(self.columns))
        object.__setattr__(self, "where", tuple(self.where))

    @property
    def identity(self) -> str:
        """The hash of the whole question."""
        return sha256(json.dumps(plain(self), sort_keys=True).encode()).hexdigest()

    @property
    def public_rows(self) -> int | None:
        """The public number of rows to which the column is brought, where there is one."""
        return self.mechanism.view.public_rows

    def _times(self) -> int:
        """Count the groups one person can touch: as many as they may have rows."""
        return 1 if self.by is None else self.mechanism.neighbours.rows

    def cost(self) -> Cost:
        """Return what the release costs; groups by a declared category cost one."""
        return sum([self.mechanism.cost()] * self._times(), Cost.zero())

    def refusal_cost(self) -> Cost:
        """Return what is charged at once, before it is known whether there will be an answer."""
        return sum([self.mechanism.refusal_cost()] * self._times(), Cost.zero())

    def account(self) -> Account | None:
        """Return what the release is under other accountings: once for each group touched."""
        account, times = self.mechanism.account(), self._times()
        return account if account is None or times == 1 else Together((account,) * times)

    def public(self, schema: Schema, size_guess: int | None = None) -> Public:
        """Return what forecasts may use: the declared bounds or the number of declared labels."""
        name = self.columns[0]
        if name in schema.numbers:
            return Public(schema.bounds(name), size_guess)
        labels = len(schema.categories[name].labels) if name in schema.categories else None
        return Public(None, size_guess, labels)

    def check(self, schema: Schema) -> None:
        """Raise a sentence that says what to do where the question does not fit the declaration."""
        for name in (*self.columns, *([self.by] if self.by else []), *(f.column for f in self.where)):
            if name not in schema.columns:
                raise ParameterError("Column {name!r} is not declared. Declare it first.", name=name)
        self._check_columns(schema)
        for condition in self.where:
            condition.check(schema)
        if self.by is not None and self.by not in schema.categories:
            raise ParameterError("Groups need a declared category. {by!r} is none.", by=self.by)
        if self.by is not None and not self.mechanism.view.groups:
            raise ParameterError("Groups work for statistics of one number column only.")
        self._check_size()
        self._check_people(schema)
        check_work(self, schema)
        self.mechanism.check(self.public(schema))

    def _check_people(self, schema: Schema) -> None:
        """Refuse a question that counts on fewer rows of a person than there may be."""
        rows = schema.rows_per_person
        if self.mechanism.neighbours.rows < rows:
            raise ParameterError(
                "One person may have up to {rows} rows here, so the question must count on "
                "{rows} rows per person. Got {given}.",
                rows=rows,
                given=self.mechanism.neighbours.rows,
            )

    def _check_size(self) -> None:
        """Refuse a public number of rows where the rows that count are a private number."""
        if self.public_rows is None:
            return
        if self.by is not None:
            raise ParameterError(
                "How many rows a group has is private, so groups cannot count on a public number "
                "of rows. Ask for groups under add or remove, and not for a trimmed mean."
            )
        if self.where and self.mechanism.neighbours.change_one:
            raise ParameterError(
                "How many rows pass a filter is private, so a filter cannot go with a public "
                "number of rows. Leave out the filter, or the public number."
            )

    def _check_columns(self, schema: Schema) -> None:
        view = self.mechanism.view
        fitting = schema.categories if view.category else schema.numbers
        if len(self.columns) != view.columns:
            raise ParameterError(
                "This question needs {wanted} column(s). Got {number}.", wanted=view.columns, number=len(self.columns)
            )
        for name in self.columns:
            if name not in fitting:
                wish = Phrase("a category") if view.category else Phrase("a number")
                raise ParameterError(
                    "Column {name!r} must be declared as {wish} for this question.", name=name, wish=wish
                )
