"""Mechanism: a frozen value with public parameters, a cost known before data, and a law."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal

from budget import Account, Cost
from budget.errors import ParameterError
from budget.phrase import Phrase
from mechanisms.laws import Law
from queries import ADD_REMOVE, Bounds, Column, Query, Relation
from queries import registry as statistics

ROUND_UP = 1 + 1e-9  # towards more noise: outweighs the rounding of every formula here
LARGEST_TOTAL = 2**62  # a sum of ticks fits 64 bits
View = Literal["column", "scores", "blocks"]


@dataclass(frozen=True)
class Parameter:
    """What a form, a validator, a card and an export all need to know about a public parameter."""

    label: str
    low: float
    high: float
    help: str
    unit: str = ""
    choices: tuple[Any, ...] = ()

    def check(self, value: Any) -> None:
        """Raise a sentence that names the range."""
        if self.choices:
            if value not in self.choices:
                allowed = ", ".join(map(str, self.choices))
                raise ParameterError(
                    "{label} must be one of {allowed}. Got {value!r}.",
                    label=Phrase(self.label),
                    allowed=allowed,
                    value=value,
                )
            return
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or not self.low <= value <= self.high:
            raise ParameterError(
                "{label} must be between {low:.15g} and {high:.15g}. Got {value!r}.",
                label=Phrase(self.label),
                low=self.low,
                high=self.high,
                value=value,
            )


def parameter(
    label: str,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    help: str,
    default: Any = None,
    unit: str = "",
    choices: tuple[Any, ...] = (),
) -> Any:
    """Declare a field of a mechanism together with its label, range and help."""
    told = {"parameter": Parameter(label, low, high, help, unit, choices)}
    return field(default=default, metadata=told)


def epsilon_parameter() -> Any:
    """Declare epsilon, the same way for every mechanism."""
    return parameter(
        "Epsilon", 1e-6, 50, default=1.0, help="Privacy loss: smaller is more private."
    )


def delta_parameter() -> Any:
    """Declare delta, the same way for every mechanism that needs one."""
    return parameter(
        "Delta", 1e-15, 0.49, default=1e-6, help="Chance that the guarantee of epsilon fails."
    )


@dataclass(frozen=True)
class Public:
    """What may be known before anything is spent: bounds, a public guess of n, a list of labels."""

    bounds: Bounds | None = None
    size_guess: int | None = None
    labels: int | None = None


@dataclass(frozen=True)
class Forecast:
    """Accuracy predicted from public inputs: a half width, or the reason why there is none.

    `exact` says that the width holds for every dataset, so that the released answer plus and minus
    the half width is a valid interval.
    """

    half_width: float | None
    note: str
    exact: bool = False


def checked_sensitivity(query: Query, bounds: Bounds) -> float:
    """Return the global sensitivity, or say why noise scaled to it makes no sense."""
    size = getattr(query, "resize", None) or query.relation.size or 0
    if size * bounds.top > LARGEST_TOTAL:
        raise ParameterError(
            "{size} rows on {ticks} ticks have sums that are too large. Use a larger step.",
            size=size,
            ticks=bounds.top + 1,
        )
    sensitivity = query.global_sensitivity(bounds)
    if not math.isfinite(sensitivity):
        raise ParameterError(
            "{label} has no finite global sensitivity. Use another way.", label=Phrase(query.label)
        )
    if sensitivity <= 0:
        raise ParameterError(
            "{label} is public here: it needs no noise and no budget.", label=Phrase(query.label)
        )
    return sensitivity


registry: dict[str, type[Mechanism]] = {}


@dataclass(frozen=True)
class Mechanism(ABC):
    """A map from private data to a law. It never draws, never charges, never sees a row.

    A subclass with a `slug` in a file of this folder is found by registration.
    """

    slug: ClassVar[str]
    title: ClassVar[str]
    family: ClassVar[str]
    view: ClassVar[View] = "column"
    open_only: ClassVar[bool] = False
    relation: ClassVar[Relation] = ADD_REMOVE
    answers: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Register every mechanism under its slug, so that there is no list to edit."""
        super().__init_subclass__(**kwargs)
        if "slug" in cls.__dict__:
            registry[cls.slug] = cls

    def __post_init__(self) -> None:
        """Check every declared parameter before anything else can happen."""
        for name, told in self.parameters().items():
            told.check(getattr(self, name))

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """Return the declared parameters by field name."""
        return {f.name: f.metadata["parameter"] for f in fields(cls) if "parameter" in f.metadata}

    @classmethod
    def topics(cls) -> tuple[str, ...]:
        """Return what can be asked: every statistic where there is a query, else `answers`."""
        takes_query = any(f.name == "query" for f in fields(cls))
        return tuple(statistics) if takes_query else cls.answers

    def variants(self, stand_in: Column) -> Sequence[Mechanism]:
        """Return the settings worth trying on public stand-in data, epsilon and delta as they are.

        A mechanism with nothing to tune is its only variant.
        """
        return (self,)

    @property
    def neighbours(self) -> Relation:
        """The neighbour relation: the query's, or this mechanism's own."""
        query = getattr(self, "query", None)
        found: Relation = self.relation if query is None else query.relation
        return found

    @property
    def public_rows(self) -> int | None:
        """The public number of rows that a column must have, where the law counts on one."""
        query: Query | None = getattr(self, "query", None)
        return self.neighbours.size if query is None else query.size

    def check(self, public: Public) -> None:
        """Raise a sentence where the parameters do not fit the bounds, before any charge."""
        query = getattr(self, "query", None)
        if query is not None and public.bounds is not None:
            checked_sensitivity(query, public.bounds)

    @abstractmethod
    def cost(self) -> Cost:
        """Return what one release costs."""

    def refusal_cost(self) -> Cost:
        """Return what a refusal costs: the same, unless it is proven to be less."""
        return self.cost()

    def account(self) -> Account | None:
        """Return what the charge is under other accountings, where more than the cost is known."""
        return None

    @abstractmethod
    def law(self, data: Any) -> Law:
        """Return the law of the answer, given the private view that `view` names."""

    @abstractmethod
    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the accuracy that public inputs alone predict."""
