"""Derivation: a column that a public map derives from other declared columns of the same row."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from math import gcd, lcm
from typing import Any, ClassVar, Self, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from discreet.budget.cost import take_numbers
from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import DEFAULT_CELLS, LARGEST_INTEGER, Bounds, IntArray
from discreet.rows.cells import Mask
from discreet.rows.columns.kind import Kind
from discreet.rows.columns.quantity import Bounded, Quantity


@dataclass(frozen=True)
class Derivation(Kind):
    """A column that is in no file: its value in a row follows from the values of other columns in that row.

    `sources` are the declarations of these columns; a schema adds them, and they are not written to its file. The cells
    of such a column are a struct with the cells of its sources.
    """

    sources: tuple[Kind, ...] = field(default=(), repr=False, kw_only=True)

    @property
    @abstractmethod
    def derived_from(self) -> tuple[str, ...]:
        """The names of the columns that it is derived from."""

    @abstractmethod
    def check_sources(self) -> None:
        """Raise ParameterError for columns that it cannot be derived from."""

    def joined(self, columns: Mapping[str, Kind]) -> Self:
        """Return the column with the declarations of its sources."""
        joined = replace(self, sources=tuple(columns[name] for name in self.derived_from))
        joined.check_sources()
        return joined

    def plain(self) -> dict[str, Any]:
        """Return the declaration as plain values; what is not set is omitted."""
        return {name: value for name, value in super().plain().items() if name != "sources" and value not in (None, "")}

    def continues(self, before: Kind) -> bool:
        """Return whether the rule is the same; what its sources may become is their own matter."""
        alone: Any = before
        return bool(before.derived_from) and replace(self, sources=()) == replace(alone, sources=())

    @classmethod
    def from_plain(cls, column: str, values: dict[str, Any]) -> Self:
        """Build the declaration from plain values; the declarations of its sources are not among them."""
        names = sorted({field.name for field in fields(cls)} - {"sources"})
        if not set(values) <= set(names):
            choices = ", ".join(names)
            raise ParameterError("Column {name!r}: only {choices} can be set.", name=column, choices=choices)
        return super().from_plain(column, values)


def cells_of(batch: pa.RecordBatch, columns: Mapping[str, Kind], name: str) -> Any:
    """Return the cells of a column of a batch; of a derived one a struct with those of its sources."""
    names = columns[name].derived_from
    if not names:
        return batch.column(name)
    return pa.StructArray.from_arrays([cells_of(batch, columns, each) for each in names], names=list(names))


def with_derived(batch: pa.RecordBatch, columns: Mapping[str, Kind]) -> pa.RecordBatch:
    """Return a batch with the cells of all derived columns beside those that were read."""
    for name, declared in columns.items():
        if declared.derived_from:
            batch = batch.append_column(name, cells_of(batch, columns, name))
    return batch


def joined(columns: Mapping[str, Kind]) -> dict[str, Kind]:
    """Return all declarations, each derived one with those of its sources; raise ParameterError where one is none."""
    done = {name: declared for name, declared in columns.items() if not declared.derived_from}
    waiting = {name: declared for name, declared in columns.items() if isinstance(declared, Derivation)}
    while waiting:
        ready = [name for name, declared in waiting.items() if set(declared.derived_from) <= set(done)]
        if not ready:
            name, first = next(iter(waiting.items()))
            if set(first.derived_from) <= set(columns):
                raise ParameterError("Column {name!r} cannot be derived from itself.", name=name)
            raise ParameterError(
                "Column {name!r} is derived from {source!r}, which is not declared. Declare it first.",
                name=name,
                source=next(each for each in first.derived_from if each not in columns),
            )
        for name in ready:
            try:
                done[name] = waiting.pop(name).joined(done)
            except ParameterError as error:
                raise ParameterError("Column {name!r}: {error}", name=name, error=error.args[0]) from None
    return {name: done[name] for name in columns}


# --- Numbers of two columns: from their ticks to the tick of a grid of its own, in integers ---


@dataclass(frozen=True)
class OfTwo(Derivation, Bounded):
    """A number that follows from two columns of the row. A row without one of them, or without a result, has none."""

    second: ClassVar[str]  # the field that names the other column

    of: str

    def __post_init__(self) -> None:
        """Raise ParameterError for names that are none; bounds are checked once the sources are known."""
        take_numbers(self)
        if not all(isinstance(name, str) and name for name in self.derived_from):
            raise ParameterError("A derived column needs two other columns.")
        if len(set(self.derived_from)) < 2:
            raise ParameterError("A derived column needs two different columns.")

    @property
    def derived_from(self) -> tuple[str, ...]:
        """Both columns, in order."""
        return self.of, getattr(self, self.second)

    @property
    def numeric(self) -> bool:
        """False: no cell is written."""
        return False

    def ticks(self, cells: Any) -> tuple[IntArray, Mask]:
        """Return the tick of each row, and which rows have one: those with both values and a result."""
        read = [source.placed(cells.field(at)) for at, source in enumerate(self.sources)]
        (first, second), (here, there) = zip(*read, strict=True)
        ticks, results = self.combined(first, second)
        return np.clip(ticks, 0, self.bounds.top).astype(np.int64), here & there & results

    @abstractmethod
    def combined(self, first: IntArray, second: IntArray) -> tuple[NDArray[Any], Any]:
        """Return the tick of each pair of ticks, on the grid without its ends, and which pairs have a result."""

    @property
    def grids(self) -> tuple[Bounds, Bounds]:
        """The grids of both columns."""
        first, second = (cast(Quantity, source).bounds for source in self.sources)
        return first, second

    def check_sources(self) -> None:
        """Raise ParameterError for columns that are no numbers, and for bounds that are none."""
        if not all(source.amounts for source in self.sources):
            raise ParameterError("It must be derived from two declared columns of numbers or dates.")
        assert self.bounds

    def as_read(self, column: str) -> tuple[Phrase, ...]:
        """Describe how both columns are read, and what becomes of a row's values."""
        moved, _ = super().as_read(column)
        first, second = self.derived_from
        each = [
            part for name, source in zip(self.derived_from, self.sources, strict=True) for part in source.as_read(name)
        ]
        return *each, self.meaning(column, first, second), moved

    @abstractmethod
    def meaning(self, column: str, first: str, second: str) -> Phrase:
        """Say what the column is of both."""


@dataclass(frozen=True)
class Exact:
    """The exact value of each tick of a grid: (start + each · tick) / parts, in integers.

    Bounds and steps are the decimal numbers that were declared: a step of 0.1 is a tenth. A step that was not declared
    is its exact part of the range, so that the integers stay short.
    """

    start: int
    each: int
    parts: int
    top: int

    @classmethod
    def of(cls, bounds: Bounds) -> Exact:
        """Return the values of a declared grid."""
        lower, upper, step = (Fraction(str(end)) for end in (bounds.lower, bounds.upper, bounds.resolution))
        if bounds == Bounds(bounds.lower, bounds.upper, None, bounds.integer) and not bounds.integer:
            step = (upper - lower) / DEFAULT_CELLS
        parts = lcm(lower.denominator, step.denominator)
        return cls(int(lower * parts), int(step * parts), parts, bounds.top)

    @property
    def largest(self) -> int:
        """The largest absolute value of start + each · tick."""
        return max(abs(self.start), abs(self.start + self.each * self.top))

    def values(self, ticks: IntArray, form: Any) -> NDArray[Any]:
        """Return start + each · tick for some ticks."""
        values: NDArray[Any] = ticks.astype(form) * self.each + self.start
        return values


def floored(above: NDArray[Any], below: Any, halves: int) -> NDArray[Any]:
    """Return the quotient of integers, rounded down, or with `halves` 1 to the nearest, up from the middle."""
    quotient: NDArray[Any] = (2 * above + halves * below) // (2 * below)
    return quotient


def form_of(largest: int) -> Any:
    """Return the type in which integers up to this size are exact: whatever is public decides, never a row."""
    return np.int64 if largest <= LARGEST_INTEGER else object


def reduced(*factors: int) -> tuple[int, ...]:
    """Return public factors without what they have in common."""
    common = gcd(*factors)
    return tuple(factor // common for factor in factors)
