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
from discreet.budget.errors import ParameterError, Phrase
from discreet.budget.plugins import MECHANISMS, Registry
from discreet.mechanisms.base.view import OneColumn, View
from discreet.mechanisms.base.vocabulary import Family, Forecast, Noise, Parameter, Public, Topic, labelled, sure
from discreet.mechanisms.laws.law import Interval, Law, Measured
from discreet.queries import ADD_REMOVE, Bounds, Column, Query, Relation
from discreet.queries import registry as statistics

CONFIDENCE = 0.95  # of every interval, unless it is said otherwise
ROUND_UP = 1 + 1e-9  # towards more noise: outweighs the rounding of every formula here

registry: Registry[type[Mechanism]] = Registry(MECHANISMS)  # what can be asked
former: Registry[type[Mechanism]] = Registry()  # what could be asked before: its answers are read and shown
SAID = {"title": str, "family": Family, "noise": Noise, "after": Phrase}  # by every mechanism


@dataclass(frozen=True)
class Mechanism(ABC):
    """A map from private data to a law. It never draws, never charges, never sees a row.

    A subclass with a `slug` in a file of this folder is found by registration, and says there what
    screens and cards must know: its `family`, its `noise`, what happens `after` it, a `why` of its
    own where that of the family does not say when to take it. One that is the same as another, only
    worse, is not `compared`; one whose answer is no one number and no one choice is not `single`; one
    that draws a noisy number of rows and releases it with the answer is `sized`; one that draws an
    interval with the answer, which a forecast does not know, is `spanned`, and compared where intervals
    are. `interval_of` says what an interval is of, where that is not the value of the rows as read. One
    whose answer is made of nothing but numbers with noise of a public size `refines`: see `refining.py`.
    One that is asked no more says what to take `instead`: it is `former`, which no chooser looks at, and
    keeps what its answers and cards are read with.
    """

    slug: ClassVar[str]
    title: ClassVar[str]
    family: ClassVar[Family]
    noise: ClassVar[Noise]
    after: ClassVar[Phrase]
    why: ClassVar[Phrase | None] = None
    compared: ClassVar[bool] = True
    single: ClassVar[bool] = True
    open_only: ClassVar[bool] = False
    instead: ClassVar[Phrase | None] = None
    sized: ClassVar[bool] = False
    spanned: ClassVar[bool] = False
    interval_of: ClassVar[Phrase | None] = None
    refines: ClassVar[bool] = False
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
        """Refuse a mechanism of which a card could not say everything, when its file is read."""
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
        for name, parameter in self.parameters().items():
            parameter.check(getattr(self, name))

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """Return the declared parameters by field name."""
        return {f.name: f.metadata["parameter"] for f in fields(cls) if "parameter" in f.metadata}

    @classmethod
    def labels(cls) -> dict[str, Phrase]:
        """Return what a card calls every public field."""
        settings = {f.name: labelled(f) for f in fields(cls)}
        return {name: Phrase(said.label) for name, said in settings.items() if said is not None}

    def values(self) -> dict[str, Any]:
        """Return the declared parameters as they are set, by field name."""
        return {name: vars(self)[name] for name in self.parameters()}

    def given_away(self) -> list[tuple[Phrase, Any]]:
        """Return what an answer tells everybody of the settings: a sentence and its value."""
        settings = [(labelled(f), vars(self)[f.name]) for f in fields(self)]
        return [(s.shown, value) for s, value in settings if s and s.shown and value is not None]

    def no_interval(self) -> Phrase:
        """Say why an answer stands without an interval."""
        return Phrase("it comes with the answer.") if self.spanned else self.family.no_interval

    def refused(self) -> Phrase:
        """Say what a refusal means, as far as anybody may know."""
        return Phrase("There is no answer, and nothing else is told.")

    @classmethod
    def topics(cls) -> tuple[Topic, ...]:
        """Return what can be asked."""
        return cls.answers

    @classmethod
    def can_answer(cls, name: str) -> bool:
        """Say whether something can be asked by its name."""
        return any(topic.name == name for topic in cls.topics())

    def variants(self, stand_in: Column) -> Sequence[Mechanism]:
        """Return the settings worth trying on public stand-in data, epsilon and delta as they are.

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

        So it is where the rows of a person move a law of log-concave noise, or log-chances, by no more
        than their number times what one row does (docs/guarantees.md, section 8).
        """
        return False

    @property
    def public_rows(self) -> int | None:
        """The public number of rows that a column must have, where the law counts on one."""
        return self.neighbours.size

    @property
    def view(self) -> View:
        """What the law is made of: one number column, unless it is said otherwise."""
        return OneColumn(None, self.public_rows)

    @property
    def subject(self) -> str:
        """What is asked, in the mechanism's own words."""
        return self.title

    def parts(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the public names of the numbers of an answer that has several; else nothing."""
        return ()

    def whole(self) -> Mechanism:
        """Return what asks the same of all rows at once, where this one asks of parts of them."""
        return self

    def check(self, public: Public) -> None:  # noqa: B027  some have nothing to refuse
        """Raise a sentence where the parameters do not fit the bounds, before any charge."""

    @abstractmethod
    def cost(self) -> Cost:
        """Return what one release costs."""

    def refusal_cost(self) -> Cost:
        """Return what a refusal costs: the same, unless it is proven to be less."""
        return self.cost()

    def account(self) -> Account | None:
        """Return what the charge is under other accountings, where more than the cost is known."""
        return None

    def step(self, finer: Mechanism) -> tuple[Cost, Account, bool]:
        """Return what the same costs with more epsilon, given this answer: cost, account, of which answers.

        Laplace and geometric noise holds that of a smaller scale inside, so both answers together
        lose what the finer one alone does, and the account is of both.
        """
        return finer.cost() - self.cost(), finer.account() or generic(finer.cost()), True

    def interval(self, answer: Any, public: Public, confidence: float = CONFIDENCE) -> Any:
        """Return where the value of the rows as read lies, 19 times in 20; None where that is not known.

        Ends beyond what the statistic can be move there, which leaves no true value out. An answer of
        several numbers has one for each, one that was drawn with its interval has that. Another
        confidence needs nothing but what was released.
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
        """Return an interval at another confidence, from the one that was drawn; None where that cannot be."""
        return None

    def usual_width(self, data: Any) -> float | None:
        """Return half the width that a drawn interval has half of the time, where there is one; on public data."""
        return None

    def lead(self, public: Public) -> float:
        """Return how many times better than sure methods it must be on guessed rows to be chosen."""
        return 1.0

    def rank_error(self, public: Public, confidence: float = 0.95) -> int | tuple[int, ...] | None:
        """Return from what rank an answer is off by how many rows at most, 19 times in 20, whatever the data.

        None where an answer is no value of a rank, and one number for each part of an answer of several.
        """
        return None

    def rows_about(self, answer: Any) -> float | None:
        """Return the noisy number of rows that was drawn for an answer, where there is one."""
        return None

    def rows_at_least(self, size: float | None, miss: float) -> float | None:
        """Return how many rows there are at least, but for a chance to miss; None where nothing tells."""
        return self.public_rows

    @abstractmethod
    def law(self, data: Any) -> Law:
        """Return the law of the answer, given the private view that `view` reads."""

    @abstractmethod
    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the accuracy that public inputs alone predict."""


def known_families() -> dict[str, Family]:
    """Return the families of everything that releases, by key and in its order."""
    families = {kind.family.key: kind.family for kind in registry.values() if not kind.open_only}
    return dict(sorted(families.items()))


# Statement: a mechanism's docstring, cut into what it states and its named parts.


HEADINGS = ("Guarantee", "Claim", "Proof", "Reference", "Complexity", "Corner cases")


def parts(kind: type[Mechanism]) -> dict[str, str]:
    """Cut a docstring into its statement and its named parts."""
    text = " ".join((inspect.getdoc(kind) or "").split())
    pieces = re.split(rf"\b({'|'.join(HEADINGS)}): ", text)
    return {"Statement": pieces[0].strip()} | {
        name: section.strip() for name, section in zip(pieces[1::2], pieces[2::2], strict=True)
    }


# OneStatistic: mechanisms that take any statistic of one column, and its neighbours from there.

LARGEST_TOTAL = 2**62  # a sum of ticks fits 64 bits


def checked_sensitivity(query: Query, bounds: Bounds) -> float:
    """Return the global sensitivity, or say why noise scaled to it makes no sense."""
    size = query.size or 0
    if size * bounds.top > LARGEST_TOTAL:
        raise ParameterError(
            "{size} rows on {ticks} ticks have sums that are too large. Use a larger step.",
            size=size,
            ticks=bounds.top + 1,
        )
    sensitivity = query.global_sensitivity(bounds)
    if not math.isfinite(sensitivity):
        raise ParameterError("{label} has no finite global sensitivity. Use another way.", label=Phrase(query.label))
    if sensitivity <= 0:
        raise ParameterError("{label} is public here: it needs no noise and no budget.", label=Phrase(query.label))
    return sensitivity


@cache
def of_statistics(*names: str) -> tuple[Topic, ...]:
    """Return statistics as what can be asked."""
    return tuple(Topic(name, statistics[name].label, zeroless=statistics[name].zeroless) for name in names)


class OneStatistic(Mechanism):
    """A mechanism that takes any statistic of one column, and its neighbours and rows from there.

    A subclass declares `query` with `statistic(...)` where it belongs among its fields.
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
        """Refuse a statistic without a useful global sensitivity."""
        if public.bounds is not None:
            checked_sensitivity(self.query, public.bounds)
