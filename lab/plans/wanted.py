"""Plan: what somebody wants to publish, row by row, and how well, before anything is decided or spent."""

from __future__ import annotations

from dataclasses import dataclass, replace

from discreet.budget import Cost
from discreet.budget.errors import ParameterError
from discreet.budget.plans import check_rows
from discreet.lab.plans.subject import Subject, statistic_of
from discreet.rows.filters import Condition
from discreet.rows.fitting import grouped_by
from discreet.rows.schema import Schema

SMALL, LARGE = 1e-100, 1e100  # beyond them ratios are no floats


@dataclass(frozen=True)
class Wanted:
    """One row of a plan: a statistic of a column, of some rows, by groups; and how well it is wanted.

    A wish is an error that one can live with, 19 times in 20, in the unit of the answer. Without a
    wish the weight says how much more precise than an equal share would make it. A held epsilon
    stays as it is, and so does a method that somebody chose. A quantile may have several levels. Where an
    interval is wanted, methods are chosen among those that tell one, and its half width takes the place of
    the error.
    """

    statistic: str
    column: str
    by: str | tuple[str, ...] | None = None
    where: tuple[Condition, ...] = ()
    level: float | tuple[float, ...] | None = None
    wish: float | None = None
    weight: float = 1.0
    held: float | None = None
    method: str | None = None
    interval: bool = False

    def __post_init__(self) -> None:
        """Refuse what no share can be found for."""
        object.__setattr__(self, "where", tuple(self.where))
        for name in ("by", "level"):
            given = vars(self)[name]
            object.__setattr__(self, name, tuple(given) if isinstance(given, list) else given)
        for name in ("wish", "weight", "held"):
            value = vars(self)[name]
            if value is not None and not SMALL <= value <= LARGE:
                raise ParameterError(
                    "The {name} of a row must be a number above 0. Got {value}.", name=name, value=value
                )

    @property
    def groups(self) -> tuple[str, ...]:
        """The categories that make groups, each level with each."""
        return grouped_by(self.by)

    def subject(self, schema: Schema, people: int, shape: str) -> Subject:
        """Return all that is public of the row, which decides its method and its error."""
        return statistic_of(schema, self.statistic, self.column, self.groups, self.level, people, shape, self.interval)


@dataclass(frozen=True)
class Plan:
    """Rows, one total for all of them, a part that is kept for later, and a public guess of the people.

    It is a wish list: `planned` turns it into questions. Nothing in it comes from rows.
    """

    items: tuple[Wanted, ...]
    total: Cost
    people: int = 1000
    shape: str = "bell"
    reserve: float = 0.0

    def __post_init__(self) -> None:
        """Refuse plans that nobody can account for."""
        object.__setattr__(self, "items", tuple(self.items))
        check_rows(self.items)
        if not 0 <= self.reserve < 1:
            raise ParameterError("The reserve must be a share from 0 to below 1. Got {value}.", value=self.reserve)
        Cost.of(self.limit.epsilon)  # refuses what is too small to be shared

    @property
    def limit(self) -> Cost:
        """What the rows may cost together: the total without the reserve."""
        return Cost(int(self.total.nano_epsilon * (1 - self.reserve)), self.total.delta_units)

    def of(self, total: Cost) -> Plan:
        """Return the same rows under another total."""
        return replace(self, total=total)

    def edited(self, number: int, **changes: object) -> Plan:
        """Return the plan with one row changed; the others share the budget anew."""
        items = list(self.items)
        items[number] = replace(items[number], **changes)  # type: ignore[arg-type]
        return replace(self, items=tuple(items))

    def duplicated(self, number: int, **changes: object) -> Plan:
        """Return the plan with a row once more, changed: for another column, another group."""
        copy = replace(self.items[number], **changes)  # type: ignore[arg-type]
        return replace(self, items=(*self.items[: number + 1], copy, *self.items[number + 1 :]))

    def without(self, number: int) -> Plan:
        """Return the plan without one row."""
        return replace(self, items=self.items[:number] + self.items[number + 1 :])
