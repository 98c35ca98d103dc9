"""Guesses: what a learner expects of a step before it is shown, and how far off the guess was.

A question is about one fixed case. The lessons compute its true answer when it is shown.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

Value = float | str
EXACT = 1e-9
NEAR = 0.05  # of a scale
STOPS = 60  # positions of a point between the ends of a scale of factors
MOST_KEPT = 500  # guesses of one browser: several times what the course asks
ROUNDED = 0.01  # relative tolerance of a computed number


@dataclass(frozen=True)
class Guess:
    """A learner's guess; no value means that the answer was shown without a guess."""

    question: str
    kind: str
    value: Value | None


class GuessKind(ABC):
    """The way in which a question is guessed, and how far off a guess may be to count as near."""

    name: ClassVar[str]
    unit: str = ""
    factors: ClassVar[bool] = False  # whether a distance is expressed as a factor instead of a difference
    rests: ClassVar[bool] = False  # whether its slider stands on a value before it is moved

    @property
    def whole(self) -> bool:
        """Whether it is guessed in whole numbers only."""
        return False

    @abstractmethod
    def near(self, value: Value, truth: Value) -> bool:
        """Whether a guess is as good as can be expected."""

    @abstractmethod
    def offers(self, value: Value) -> bool:
        """Whether this can be a guess at all: a browser may send anything."""


@dataclass(frozen=True)
class OnScale(GuessKind):
    """A number on a linear scale; the unit is a symbol, not a word."""

    name: ClassVar[str] = "scale"
    rests: ClassVar[bool] = True

    low: float
    high: float
    step: float
    unit: str = ""

    def near(self, value: Value, truth: Value) -> bool:
        """Within a twentieth of the scale, or the nearest step."""
        return abs(float(value) - float(truth)) <= max(NEAR * (self.high - self.low), self.step / 2) + EXACT

    def offers(self, value: Value) -> bool:
        """A number on the scale."""
        return not isinstance(value, str) and self.low <= value <= self.high

    @property
    def whole(self) -> bool:
        """Whether its steps are whole numbers."""
        return float(self.step).is_integer()

    @property
    def places(self) -> tuple[float, ...]:
        """Return the numbers at which a point can be placed."""
        return tuple(
            round(float(self.low + at * self.step), 9) for at in range(round((self.high - self.low) / self.step) + 1)
        )


@dataclass(frozen=True)
class OnFactors(GuessKind):
    """A number on a logarithmic scale; it may also be typed with any precision."""

    name: ClassVar[str] = "factors"
    factors: ClassVar[bool] = True

    low: float
    high: float
    unit: str = ""

    def near(self, value: Value, truth: Value) -> bool:
        """Within a twentieth of the scale."""
        apart = abs(math.log(float(value) / float(truth)))
        return apart <= NEAR * math.log(self.high / self.low) + EXACT

    def offers(self, value: Value) -> bool:
        """A number on the scale."""
        return not isinstance(value, str) and self.low <= value <= self.high

    @property
    def step(self) -> float:
        """Return the step of the number field."""
        return float(10 ** math.floor(math.log10(self.low)))

    @property
    def places(self) -> tuple[float, ...]:
        """Return the numbers with two digits at which a point can be placed."""
        spread = math.log10(self.high / self.low)
        exact = (self.low * 10 ** (spread * at / STOPS) for at in range(STOPS + 1))
        return tuple(sorted({min(self.high, max(self.low, float(f"{place:.2g}"))) for place in exact}))


@dataclass(frozen=True)
class OnRungs(GuessKind):
    """One of several numbers that grow by factors."""

    name: ClassVar[str] = "rungs"
    factors: ClassVar[bool] = True
    rests: ClassVar[bool] = True

    numbers: tuple[float, ...]
    unit: str = ""

    def near(self, value: Value, truth: Value) -> bool:
        """The nearest of the numbers."""
        best = min(abs(number - float(truth)) for number in self.numbers)
        return abs(float(value) - float(truth)) <= best + EXACT

    def offers(self, value: Value) -> bool:
        """One of the numbers."""
        return value in self.numbers


@dataclass(frozen=True)
class Typed(GuessKind):
    """A number that the learner computes and types."""

    name: ClassVar[str] = "number"

    unit: str = ""

    def near(self, value: Value, truth: Value) -> bool:
        """Within a hundredth of the truth."""
        return abs(float(value) - float(truth)) <= ROUNDED * abs(float(truth)) + EXACT

    def offers(self, value: Value) -> bool:
        """Any number."""
        return not isinstance(value, str)


@dataclass(frozen=True)
class OneOf(GuessKind):
    """One of a few named options; the labels are phrases."""

    name: ClassVar[str] = "choice"

    options: Mapping[str, str]

    def near(self, value: Value, truth: Value) -> bool:
        """Only the true one."""
        return value == truth

    def offers(self, value: Value) -> bool:
        """One of the names."""
        return value in self.options


@dataclass(frozen=True)
class InOrder(GuessKind):
    """Lines of a proof to put in order, by their letters; some do not belong to it. The lines are phrases.

    Lines that do not use each other may stand in other orders, too.
    """

    name: ClassVar[str] = "order"

    lines: Mapping[str, str]
    also: tuple[str, ...] = ()

    def near(self, value: Value, truth: Value) -> bool:
        """Only a proof."""
        return value == truth or value in self.also

    def offers(self, value: Value) -> bool:
        """Letters of lines, in any order."""
        return isinstance(value, str) and set(value) <= set(self.lines)


@dataclass(frozen=True)
class Prediction:
    """A question asked before a figure is shown: its kind of guess, its true answer, and why it is true.

    An exercise may ask for a program: one that prints the true answer solves it.
    """

    ask: str
    kind: GuessKind
    truth: Callable[[], Value]
    why: str
    program: str = ""

    @cached_property
    def answer(self) -> Value:
        """The true answer, computed once."""
        return self.truth()

    def counted(self, value: Value) -> Value:
        """Return a guess, rounded if a number of people, steps or rows was asked: 4.8 of them is no guess."""
        kind = self.kind
        if isinstance(value, str) or not kind.whole or not float(self.answer).is_integer():
            return value
        return float(round(value))


@dataclass
class GuessBook:
    """The guesses of one browser, and whether it wants to be asked."""

    asks: bool = True
    recalled: bool = False  # whether the browser has sent its earlier guesses
    address: str = ""  # the latest value of the choice in the address
    by_question: dict[str, Guess] = field(default_factory=dict)
    waiting: frozenset[str] = frozenset()  # questions asked in a class, which sees the answer together
    opened: frozenset[str] = frozenset()  # questions whose answers are shown in any case
    moved: set[str] = field(default_factory=set)  # sliders that were moved: one at rest holds no guess
    seen: set[str] = field(default_factory=set)  # steps whose figures were shown on the path of ten minutes

    def note(self, guess: Guess) -> None:
        """Keep a guess; only the first one counts. Browsers may send any number, so the number kept is limited."""
        if len(self.by_question) < MOST_KEPT:
            self.by_question.setdefault(guess.question, guess)

    def of(self, question: str, kind: GuessKind) -> Guess | None:
        """Return the guess at a question; an impossible guess counts as none."""
        guess = self.by_question.get(question)
        if guess is None or guess.value is None or kind.offers(guess.value):
            return guess
        return replace(guess, value=None)

    def shows(self, question: str) -> bool:
        """Whether the answer to a question may be shown."""
        if question in self.opened:
            return True
        return question not in self.waiting and (not self.asks or question in self.by_question)

    def forget(self, prefix: str) -> None:
        """Forget the guesses of a lesson."""
        for question in [each for each in self.by_question if each.startswith(prefix)]:
            del self.by_question[question]
        self.moved = {slider for slider in self.moved if not slider.startswith(prefix)}
        self.seen = {step for step in self.seen if not step.startswith(prefix)}

    def given(self, prefix: str) -> list[Guess]:
        """Return the guesses of a lesson, without the answers shown unguessed."""
        return [g for q, g in self.by_question.items() if q.startswith(prefix) and g.value is not None]
