"""Mechanism: a frozen value with public parameters, a cost known before data, and a law."""

from __future__ import annotations

import inspect
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, ClassVar

from discreet.budget import Account, Cost
from discreet.budget.accounts import generic
from discreet.budget.cost import take_numbers
from discreet.budget.errors import ParameterError, Phrase
from discreet.budget.plugins import MECHANISMS, Registry
from discreet.mechanisms.base.view import OneColumn, View
from discreet.mechanisms.base.vocabulary import Family, Forecast, Noise, Parameter, Public, Topic, labelled, sure
from discreet.mechanisms.laws.law import Interval, Law, Measured
from discreet.queries import ADD_REMOVE, Bounds, Column, Query, Relation
from discreet.queries import registry as statistics

CONFIDENCE = 0.95  # of every interval, by default
ROUND_UP = 1 + 1e-9  # towards more noise: outweighs the rounding of every formula here

registry: Registry[type[Mechanism]] = Registry(MECHANISMS)  # mechanisms that can be used
former: Registry[type[Mechanism]] = Registry()  # mechanisms that could be used before: their answers are read and shown
SAID = {"title": str, "family": Family, "noise": Noise, "after": Phrase}  # what every mechanism must declare


@dataclass(frozen=True)
class Mechanism(ABC):
    """A map from private data to a law. It never draws, never charges, never sees a row.

    A subclass with a `slug` in a file of this folder is registered automatically, and declares what screens and cards
    must know: its `family`, its `noise`, what happens `after` it, and a `why` of its own if that of the family does
    not state when to use it. These class variables describe its answers. A mechanism that is like another one, only
    worse, is not `compared`; one that is never less accurate than another one where it can answer names that in
    `beats`. One whose answer is not one number or one choice is not `single`. One that draws a noisy number of rows
    and releases it with the answer is `sized`. One that draws an interval with the answer, which a forecast does not
    know, is `spanned`, and is compared where intervals are. `interval_of` states what an interval is about if not the
    value of the rows as read. One that is only used where rows of a plan share its draw is `joint`; if its numbers may
    be added up, `over` are the groups over which a row does so, and `cells` are in each sum. One whose answer is
    computed from nothing but numbers with noise of a public size `refines`: see `refining.py`. One that can no longer
    be used names its replacement in `instead`: it is `former`, is offered nowhere, and is kept so that its answers and
    cards can be read.
    """

    slug: ClassVar[str]
    title: ClassVar[str]
    family: ClassVar[Family]
    noise: ClassVar[Noise]
    after: ClassVar[Phrase]
    why: ClassVar[Phrase | None] = None
    compared: ClassVar[bool] = True
    beats: ClassVar[str] = ""
    single: ClassVar[bool] = True
    open_only: ClassVar[bool] = False
    instead: ClassVar[Phrase | None] = None
    sized: ClassVar[bool] = False
    spanned: ClassVar[bool] = False
    joint: ClassVar[bool] = False
    interval_of: ClassVar[Phrase | None] = None
    refines: ClassVar[bool] = False
    over: ClassVar[tuple[Any, ...] | None] = None
    cells: ClassVar[int] = 1
    relation: ClassVar[Relation] = ADD_REMOVE
    answers: ClassVar[tuple[Topic, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Register every mechanism under its slug, so that there is no list to edit."""
        super().__init_subclass__(**kwargs)
        if "forecast" in cls.__dict__:
            cls.forecast = sure(cls.forecast)  # type: ignore[method-assign]
        if "slug" in cls.__dict__:
            cls._check_words()
            (registry if cls.instead is None else former).add(cls.slug, cls)

    @classmethod
    def _check_words(cls) -> None:
        """Raise an error, when its file is imported, for a mechanism that lacks something a card needs."""
        said = {name: value for kind in reversed(cls.__mro__) for name, value in vars(kind).items()}
        missing = [name for name, kind in SAID.items() if not isinstance(said.get(name), kind)]
        if not cls.open_only and not cls.topics():
            missing.append("answers (or derive from OneStatistic)")
        if missing:
            raise TypeError(f"{cls.__name__} must say {', '.join(missing)}: a card and every figure need it.")
        labels = cls.labels()
        own = (name for name, kind in cls.__annotations__.items() if "ClassVar" not in str(kind))
        bare = [name for name in own if name not in labels and not labelled(vars(cls).get(name))]
        if bare:
            raise TypeError(f"{cls.__name__} must label {', '.join(bare)}: use parameter() or setting().")

    def __post_init__(self) -> None:
        """Check every declared parameter before anything else can happen."""
        take_numbers(self)
        for field in fields(self):
            if isinstance(kind := getattr(self, field.name), type):
                raise ParameterError(
                    "{name} must be a value, not a class. Write {kind}().", name=field.name, kind=kind.__name__
                )
        for name, parameter in self.parameters().items():
            parameter.check(getattr(self, name))

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """Return the declared parameters by field name."""
        return {f.name: f.metadata["parameter"] for f in fields(cls) if "parameter" in f.metadata}

    @classmethod
    def labels(cls) -> dict[str, Phrase]:
        """Return the label of every public field on cards."""
        settings = {f.name: labelled(f) for f in fields(cls)}
        return {name: Phrase(said.label) for name, said in settings.items() if said is not None}

    def values(self) -> dict[str, Any]:
        """Return the values of the declared parameters by field name."""
        return {name: vars(self)[name] for name in self.parameters()}

    def given_away(self) -> list[tuple[Phrase, Any]]:
        """Return what an answer reveals of the settings: pairs of a sentence and its value."""
        settings = [(labelled(f), vars(self)[f.name]) for f in fields(self)]
        return [(s.shown, value) for s, value in settings if s and s.shown and value is not None]

    def no_interval(self) -> Phrase:
        """Return why an answer has no interval."""
        return Phrase("it is released with the result.") if self.spanned else self.family.no_interval

    def refused(self) -> Phrase:
        """Return what a refusal means, as far as it may be known."""
        return Phrase("No result is released, and nothing else is revealed.")

    @classmethod
    def topics(cls) -> tuple[Topic, ...]:
        """Return what can be asked."""
        return cls.answers

    @classmethod
    def can_answer(cls, name: str) -> bool:
        """Return whether a topic can be asked, by its name."""
        return any(topic.name == name for topic in cls.topics())

    def variants(self, stand_in: Column) -> Sequence[Mechanism]:
        """Return the settings worth trying on public stand-in data, with unchanged epsilon and delta.

        A mechanism with nothing to tune is its only variant.
        """
        return (self,)

    @property
    def neighbours(self) -> Relation:
        """The neighbour relation."""
        return self.relation

    @property
    def additive(self) -> bool:
        """Whether m rows of a person in several groups lose no more together than m rows in one group.

        This is the case if the rows of a person move a law of log-concave noise, or log-probabilities, by no more than
        their number times the effect of one row (docs/guarantees.md, section 8).
        """
        return False

    @property
    def shared(self) -> Mechanism | None:
        """The draw from which its answer is computed, if a plan charges and draws it once for several rows."""
        return None

    def measured(self, numbers: Any, public: Public) -> Any:
        """Return the answer that a draw gives, from its numbers and public values alone."""
        raise NotImplementedError

    @property
    def public_rows(self) -> int | None:
        """The public number of rows that a column must have, if the law requires one."""
        return self.neighbours.size

    @property
    def view(self) -> View:
        """The view that the law is computed from; by default one number column."""
        return OneColumn(None, self.public_rows)

    @property
    def subject(self) -> str:
        """What is asked, in the mechanism's own words."""
        return self.title

    def parts(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the public names of the numbers of an answer that has several; else an empty tuple."""
        return ()

    def whole(self) -> Mechanism:
        """Return the mechanism for all rows at once, if this one asks about parts of them; else itself."""
        return self

    def check(self, public: Public) -> None:  # noqa: B027  some have nothing to refuse
        """Raise ParameterError, before any charge, if the parameters do not fit the bounds."""

    @abstractmethod
    def cost(self) -> Cost:
        """Return the cost of one release."""

    def refusal_cost(self) -> Cost:
        """Return the cost of a refusal: the full cost, unless a subclass proves less."""
        return self.cost()

    def account(self) -> Account | None:
        """Return the charge under other accountings, if more than the cost is known."""
        return None

    def step(self, finer: Mechanism) -> tuple[Cost, Account, bool]:
        """Return cost and account of the step to an answer with more epsilon, and whether the account covers both.

        Laplace and geometric noise contains that of a smaller scale, so both answers together lose what the finer one
        alone loses, and the account is of both.
        """
        return finer.cost() - self.cost(), finer.account() or generic(finer.cost()), True

    def interval(self, answer: Any, public: Public, confidence: float = CONFIDENCE) -> Any:
        """Return an interval for the value of the rows as read, 95 % by default; None if it is not known.

        Ends beyond the range of the statistic are moved to it, which excludes no true value. An answer of several
        numbers has one interval for each; one that was drawn with its interval has that one. Another confidence needs
        nothing but what was released.
        """
        forecast = self.forecast(public, confidence)
        if not forecast.exact or forecast.half_width is None:
            if not isinstance(answer, Measured):
                return None
            return answer.interval if confidence == CONFIDENCE else self.widened(answer, public, confidence)
        if isinstance(answer, tuple):
            return tuple(self.view.within(public.bounds, part, forecast.half_width) for part in answer)
        return self.view.within(public.bounds, answer, forecast.half_width)

    def widened(self, answer: Measured, public: Public, confidence: float) -> Interval | None:
        """Return an interval at another confidence, from the one that was drawn, or None if that is impossible."""
        return None

    def usual_width(self, data: Any) -> float | None:
        """Return the median of half the width of a drawn interval, on public data; None if no interval is drawn."""
        return None

    def lead(self, public: Public) -> float:
        """Return by what factor it must beat methods with known error on guessed rows to be chosen."""
        return 1.0

    def rank_error(self, public: Public, confidence: float = 0.95) -> int | tuple[int, ...] | None:
        """Return the largest error in ranks, 95 % by default, for every dataset.

        None if an answer is not a value of a rank; one number for each part of an answer of several.
        """
        return None

    def rows_about(self, answer: Any) -> float | None:
        """Return the noisy number of rows that was drawn for an answer, or None."""
        return None

    def loose(self, answers: Sequence[Any], public: Public) -> Phrase | None:
        """Return that the declared bounds are far too wide, if the answers (of all groups) show it; else None."""
        return None

    def rows_at_least(self, size: float | None, miss: float) -> float | None:
        """Return a lower bound of the number of rows, except with probability `miss`; None if there is none."""
        return self.public_rows

    @abstractmethod
    def law(self, data: Any) -> Law:
        """Return the law of the answer, given the private view that `view` reads."""

    @abstractmethod
    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the accuracy that public inputs alone predict."""


def known_families() -> dict[str, Family]:
    """Return the families of all mechanisms that release, by key and in the order of keys."""
    families = {kind.family.key: kind.family for kind in registry.values() if not kind.open_only}
    return dict(sorted(families.items()))


# --- Statement: a mechanism's docstring, split into its statement and its named parts ---


HEADINGS = ("Guarantee", "Claim", "Proof", "Reference", "Complexity", "Corner cases")


def parts(kind: type[Mechanism]) -> dict[str, str]:
    """Split a docstring into its statement and its named parts."""
    text = " ".join((inspect.getdoc(kind) or "").split())
    pieces = re.split(rf"\b({'|'.join(HEADINGS)}): ", text)
    return {"Statement": pieces[0].strip()} | {
        name: section.strip() for name, section in zip(pieces[1::2], pieces[2::2], strict=True)
    }


# --- OneStatistic: mechanisms that take any statistic of one column, and its neighbour relation ---

LARGEST_TOTAL = 2**62  # a sum of ticks fits 64 bits


def checked_sensitivity(query: Query, bounds: Bounds) -> float:
    """Return the global sensitivity; raise ParameterError if noise scaled to it makes no sense."""
    size = query.size or 0
    if size * bounds.top > LARGEST_TOTAL:
        raise ParameterError(
            "The sum of {size} rows on {ticks} steps would be too large. Use a larger step.",
            size=size,
            ticks=bounds.top + 1,
        )
    sensitivity = query.global_sensitivity(bounds)
    if not math.isfinite(sensitivity):
        raise ParameterError(
            "{label} has no finite global sensitivity. Choose another mechanism.", label=Phrase(query.label)
        )
    if sensitivity <= 0:
        raise ParameterError("{label} is public here, so it needs neither noise nor budget.", label=Phrase(query.label))
    return sensitivity


@cache
def of_statistics(*names: str) -> tuple[Topic, ...]:
    """Return topics for statistics."""
    return tuple(Topic(name, statistics[name].label, zeroless=statistics[name].zeroless) for name in names)


class OneStatistic(Mechanism):
    """A mechanism that takes any statistic of one column, with its neighbour relation and number of rows.

    A subclass declares `query` with `statistic(...)` at its place among the fields.
    """

    query: Query

    @classmethod
    def topics(cls) -> tuple[Topic, ...]:
        """Return every statistic."""
        return of_statistics(*statistics)

    @property
    def neighbours(self) -> Relation:
        """The neighbour relation of the statistic."""
        return self.query.relation

    @property
    def public_rows(self) -> int | None:
        """The public number of rows that the statistic counts on."""
        return self.query.size

    @property
    def view(self) -> View:
        """The column of the statistic."""
        return OneColumn(self.query, self.public_rows)

    @property
    def subject(self) -> str:
        """The statistic."""
        return self.query.label

    def check(self, public: Public) -> None:
        """Raise ParameterError for a statistic without a useful global sensitivity."""
        if public.bounds is not None:
            checked_sensitivity(self.query, public.bounds)
