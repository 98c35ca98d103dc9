"""SeveralQuantiles: the common base of mechanisms that answer several levels of one column."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

from discreet.budget import Cost
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import Mechanism
from discreet.mechanisms.base.view import OneColumn, View
from discreet.mechanisms.base.vocabulary import (
    AS_DRAWN,
    EXPONENTIAL,
    SELECTION,
    Family,
    Forecast,
    Noise,
    Public,
    Topic,
    epsilon_parameter,
    own_relation,
    setting,
)
from discreet.mechanisms.quantile_exponential import FINEST
from discreet.queries import Relation
from discreet.queries.quantile import Quantile

QUARTILES = (0.25, 0.5, 0.75)
MOST_LEVELS = 100
QUANTILES = Topic("quantiles", Phrase("Several quantiles"), zeroless=True)


def is_level(level: object) -> bool:
    """Return whether a value is a level: between 0 and 1, with few decimals."""
    number = isinstance(level, (int, float)) and not isinstance(level, bool) and 0 <= level <= 1
    return number and Fraction(str(level)).denominator <= FINEST


@lru_cache(maxsize=256)
def fractions(levels: tuple[float, ...]) -> tuple[Fraction, ...]:
    """Parse levels from their decimal text; cached, because every rank and every rate needs them."""
    return tuple(Fraction(str(level)) for level in levels)


def check_levels(levels: Sequence[float]) -> None:
    """Raise ParameterError for levels that are too few, too many, repeated, unsorted or invalid."""
    right = 2 <= len(levels) <= MOST_LEVELS and all(map(is_level, levels))
    if not right or sorted(set(levels)) != list(levels):
        raise ParameterError(
            "Quantiles must be 2 to {most} ascending numbers between 0 and 1 with at most 6 decimals. Got {levels}.",
            most=MOST_LEVELS,
            levels=", ".join(map(str, levels[:MOST_LEVELS])),
        )


@dataclass(frozen=True)
class SeveralQuantiles(Mechanism):
    """Several quantiles of one column, each a tick of the declared grid."""

    family: ClassVar[Family] = SELECTION
    answers: ClassVar[tuple[Topic, ...]] = (QUANTILES,)
    single: ClassVar[bool] = False
    noise: ClassVar[Noise] = EXPONENTIAL
    after: ClassVar[Phrase] = AS_DRAWN

    levels: tuple[float, ...] = setting(Phrase("Quantiles"), QUARTILES)
    epsilon: float = epsilon_parameter()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it

    def __post_init__(self) -> None:
        """Accept a list; raise ParameterError for invalid levels."""
        super().__post_init__()
        object.__setattr__(self, "levels", tuple(self.levels))
        check_levels(self.levels)

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """The levels as exact fractions, parsed from their decimal text."""
        return fractions(self.levels)

    @property
    def view(self) -> View:
        """The column of the quantiles."""
        return OneColumn(Quantile(self.relation), self.public_rows)

    def parts(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the levels as texts."""
        return tuple(f"{level:g}" for level in self.levels)

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    @abstractmethod
    def off(self, ticks: int, confidence: float) -> tuple[int, ...]:
        """Return by how many rows each may be off, whatever the data, on a grid of `ticks` ticks."""

    def rank_error(self, public: Public, confidence: float = 0.95) -> tuple[int, ...] | None:
        """Return by how many rows each may be off, whatever the data; separately for each."""
        return None if public.bounds is None else self.off(public.bounds.top + 1, confidence)

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no width, but by how many rows each answer may be off, whatever the data."""
        rows = self.rank_error(public, confidence)
        if rows is None:
            return Forecast(None, "The bounds of the column determine how many rows the result may be off.")
        return Forecast(
            None,
            Phrase(
                "With {sure:.4g}% confidence, each quantile is within this number of rows: {rows}.",
                sure=100 * confidence,
                rows=", ".join(map(str, rows)),
            ),
        )
