"""Guesses: what somebody expects of a step before it is shown, and how far off that was.

A question is asked about one fixed case. Its true answer is computed by the lessons, when it is shown.
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
STOPS = 60  # of a point between the ends of a scale of factors
MOST_KEPT = 500  # guesses of one browser: several times what the course asks
ROUNDED = 0.01  # of a number that is worked out


@dataclass(frozen=True)
class Guess:
    """What somebody answered to a question; no value: they had it shown without a guess."""

    question: str
    kind: str
    value: Value | None


class GuessKind(ABC):
    """In which way one guesses, and how far a guess may be off to be near."""

    name: ClassVar[str]
    unit: str = ""
    factors: ClassVar[bool] = False  # a distance is told in times, not by how much

    @abstractmethod
    def near(self, value: Value, truth: Value) -> bool:
        """Say whether a guess is as good as anybody could ask."""

    @abstractmethod
    def offers(self, value: Value) -> bool:
        """Say whether this can be a guess at all: a browser may bring anything."""


@dataclass(frozen=True)
class OnScale(GuessKind):
    """A number on an even scale; the unit is a sign, no word."""

    name: ClassVar[str] = "scale"

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
    def places(self) -> tuple[float, ...]:
        """Return the numbers at which a point can be put."""
        return tuple(
            round(float(self.low + at * self.step), 9) for at in range(round((self.high - self.low) / self.step) + 1)
        )


@dataclass(frozen=True)
class OnFactors(GuessKind):
    """A number on a scale on which equal steps are equal factors; it may be typed as exactly as one likes."""

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
        """Return by how much a number is moved that is typed."""
        return float(10 ** math.floor(math.log10(self.low)))

    @property
    def places(self) -> tuple[float, ...]:
        """Return numbers of two digits at which a point can be put."""
        spread = math.log10(self.high / self.low)
        exact = (self.low * 10 ** (spread * at / STOPS) for at in range(STOPS + 1))
        return tuple(sorted({min(self.high, max(self.low, float(f"{place:.2g}"))) for place in exact}))


@dataclass(frozen=True)
class OnRungs(GuessKind):
    """One of several numbers that grow by factors."""

    name: ClassVar[str] = "rungs"
    factors: ClassVar[bool] = True

    numbers: tuple[float, ...]
    unit: str = ""

    def near(self, value: Value, truth: Value) -> bool:
        """No other rung is nearer."""
        best = min(abs(number - float(truth)) for number in self.numbers)
        return abs(float(value) - float(truth)) <= best + EXACT

    def offers(self, value: Value) -> bool:
        """One of the numbers."""
        return value in self.numbers


@dataclass(frozen=True)
class Typed(GuessKind):
    """A number that is worked out and typed."""

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
    """One of a few named things; the labels are phrases."""

    name: ClassVar[str] = "choice"

    options: Mapping[str, str]

    def near(self, value: Value, truth: Value) -> bool:
        """Only what is true."""
        return value == truth

    def offers(self, value: Value) -> bool:
        """One of the names."""
        return value in self.options


@dataclass(frozen=True)
class InOrder(GuessKind):
    """Lines of a proof to be put in order, by their letters; some do not belong to it. The lines are phrases."""

    name: ClassVar[str] = "order"

    lines: Mapping[str, str]

    def near(self, value: Value, truth: Value) -> bool:
        """Only the proof itself."""
        return value == truth

    def offers(self, value: Value) -> bool:
        """Letters of lines, in any order."""
        return isinstance(value, str) and set(value) <= set(self.lines)


@dataclass(frozen=True)
class Prediction:
    """What a step asks before it shows its figure: the question, how one answers, what is true, and why.

    An exercise may ask for a program: one that prints the truth is its solution.
    """

    ask: str
    kind: GuessKind
    truth: Callable[[], Value]
    why: str
    program: str = ""

    @cached_property
    def answer(self) -> Value:
        """The truth, computed once."""
        return self.truth()


@dataclass
class GuessBook:
    """The guesses of one browser, and whether it wants to be asked."""

    asks: bool = True
    recalled: bool = False  # the browser has said what was guessed before
    address: str = ""  # what the address said last about it
    by_question: dict[str, Guess] = field(default_factory=dict)
    waiting: frozenset[str] = frozenset()  # a class is asked these, and sees the answer together
    opened: frozenset[str] = frozenset()  # these are shown, whatever was guessed

    def note(self, guess: Guess) -> None:
        """Keep a guess; the first one counts. A browser may bring as many as it likes: not all are kept."""
        if len(self.by_question) < MOST_KEPT:
            self.by_question.setdefault(guess.question, guess)

    def of(self, question: str, kind: GuessKind) -> Guess | None:
        """Return the guess at a question; one that nobody can have chosen counts as none."""
        guess = self.by_question.get(question)
        if guess is None or guess.value is None or kind.offers(guess.value):
            return guess
        return replace(guess, value=None)

    def shows(self, question: str) -> bool:
        """Say whether the answer of a question may be seen."""
        if question in self.opened:
            return True
        return question not in self.waiting and (not self.asks or question in self.by_question)

    def forget(self, prefix: str) -> None:
        """Forget the guesses of a lesson."""
        for question in [each for each in self.by_question if each.startswith(prefix)]:
            del self.by_question[question]

    def given(self, prefix: str) -> list[Guess]:
        """Return the guesses of a lesson, without those that were only shown."""
        return [g for q, g in self.by_question.items() if q.startswith(prefix) and g.value is not None]
