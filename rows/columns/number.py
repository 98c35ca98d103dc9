"""Number: a column of numbers between public bounds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import pyarrow as pa

from discreet.budget.cost import as_number, take_numbers
from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import Bounds, IntArray
from discreet.queries.column import DOUBTFUL, GROUPED, READ
from discreet.rows.cells import Mask, counted, decimals, flat, floats, whole
from discreet.rows.columns.quantity import Bounded
from discreet.rows.numerals import DECIMALS, POINT, Numerals

DROP = "drop"


@dataclass(frozen=True)
class Number(Bounded):
    """A number with public bounds and a rule for missing values: leave the row out, or use a constant.

    `origin` is the source of the bounds, for the officer: public knowledge, never the file. `unit` is the unit of
    values, for cards and forecasts. The last fields declare how numbers are written in text; typed cells are used
    directly.
    """

    name: ClassVar[str] = "number"

    lower: float
    upper: float
    step: float | None = None
    integer: bool = False
    missing: str | float = DROP
    origin: str = ""
    unit: str = ""
    decimal: str = POINT
    thousands: str = ""
    affixes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check how numbers are written, the bounds, and that a constant is inside them."""
        take_numbers(self)
        object.__setattr__(self, "affixes", tuple(self.affixes))
        bounds = self.bounds
        _ = self.numerals
        if self.missing == DROP:
            return
        number = isinstance(self.missing, (int, float)) and not isinstance(self.missing, bool)
        if not number or not bounds.lower <= float(self.missing) <= bounds.upper:
            raise ParameterError(
                "Missing must be empty (in a file: 'drop') or a number between {lower} and {upper}. Got {missing!r}.",
                lower=bounds.lower,
                upper=bounds.upper,
                missing=self.missing,
            )

    @classmethod
    def short(cls, given: Any) -> Self | None:
        """Return the number with a pair of bounds; it may have decimals."""
        pair = isinstance(given, tuple) and len(given) == 2
        numbers = pair and all(isinstance(as_number(end), (int, float)) for end in given)
        return cls(*given) if numbers else None

    @cached_property
    def bounds(self) -> Bounds:
        """The grid of ticks of this column."""
        return Bounds(self.lower, self.upper, self.step, self.integer)

    @property
    def end(self) -> str:
        """The upper bound."""
        return repr(self.bounds.upper)

    def until(self, end: str, origin: str) -> Self:
        """Return the declaration with a higher upper bound."""
        try:
            upper = int(end) if self.integer else float(end)
        except ValueError:
            raise ParameterError("Enter a number such as 120 or 0.5. Got {given!r}.", given=end) from None
        later = replace(self, upper=upper, origin=origin)
        if later.bounds.upper <= self.bounds.upper:
            raise ParameterError("The upper bound must be higher than {upper}.", upper=self.upper)
        return later

    @property
    def grid(self) -> Bounds:
        """The grid of ticks."""
        return self.bounds

    @property
    def complete(self) -> bool:
        """Whether a constant takes the place of a missing value."""
        return self.missing != DROP

    @cached_property
    def numerals(self) -> Numerals:
        """How the numbers of this column are written in text."""
        return Numerals(self.decimal, self.thousands, self.affixes)

    def plain(self) -> dict[str, Any]:
        """Return the declaration as plain values; the usual way of writing numbers is omitted, to keep old hashes."""
        values = super().plain()
        left_out = ("decimal", "thousands", "affixes") if self.numerals.usual else ()
        return {name: value for name, value in values.items() if name not in left_out}

    @property
    def numeric(self) -> bool:
        """True."""
        return True

    def ticks(self, cells: Any) -> tuple[IntArray, Mask]:
        """Return the tick of each cell and which rows have one, by the declared rule for missing values."""
        ticks, there = self._read(flat(cells))
        if self.missing == DROP or there.all():
            return ticks, there
        constant = self.bounds.ticks(np.array([self.missing]))[0]
        return np.where(there, ticks, constant), np.ones_like(there)

    def written(self, like: Numerals) -> Self:
        """Return the declaration with another way of writing numbers."""
        return replace(self, decimal=like.decimal, thousands=like.thousands)

    @property
    def readable(self) -> tuple[int, ...]:
        """Read, and read with a separator that might be meant as decimals or as thousands."""
        return (READ, DOUBTFUL, GROUPED) if self.thousands in DECIMALS else (READ, DOUBTFUL)

    def readings(self, cells: Any) -> IntArray:
        """Return how each cell is read; text with exactly three digits after one separator is ambiguous."""
        array = flat(cells)
        way = self.numerals
        codes = np.where(self._read(array)[1], READ, -1)
        if pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
            for code, sign in ((DOUBTFUL, way.decimal), (GROUPED, way.thousands)):
                if sign in DECIMALS:
                    codes = np.where((codes == READ) & np.asarray(way.three(array, sign)), code, codes)
        return codes

    def _read(self, array: pa.Array) -> tuple[IntArray, Mask]:
        """Read typed cells directly, and all others by their text."""
        bounds = self.bounds
        form = array.type
        if pa.types.is_integer(form) or pa.types.is_boolean(form):
            numbers = array if pa.types.is_integer(form) else array.cast(pa.int8())
            return bounds.ticks(np.asarray(numbers.fill_null(0))), ~np.asarray(array.is_null())
        if pa.types.is_floating(form) or (pa.types.is_decimal(form) and not bounds.integer):
            values, there = floats(array)
            return bounds.ticks(values if there.all() else np.where(there, values, bounds.lower)), there
        return self._parsed(array)

    def _parsed(self, array: pa.Array) -> tuple[IntArray, Mask]:
        """Parse text; integers exactly, beyond what a double can represent."""
        bounds = self.bounds
        if not pa.types.is_decimal(array.type):  # typed: used directly
            array = self.numerals.plain(array)
            if (digits := counted(array)) is not None:
                return self._read(digits)
        values, there = decimals(array)
        ticks = bounds.ticks(np.where(there, values, bounds.lower))
        if bounds.integer:
            numbers, exact = whole(array)
            ticks = np.where(exact, bounds.ticks(numbers), ticks)
        return ticks, there

    def missing_as_read(self, column: str) -> Phrase:
        """Describe what happens to rows without a number."""
        if self.missing == DROP:
            return super().missing_as_read(column)
        return Phrase("{column} counts as {constant:.15g} where it is missing", column=column, constant=self.missing)
