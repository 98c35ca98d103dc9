"""Bands: groups that are derived from a declared number or date column by a public map, never computed from rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import ceil, floor
from typing import Any

import numpy as np

from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import Bounds, IntArray
from discreet.rows.cells import LONGEST_DATE

Edge = float | str  # a number, or a date as text
LARGEST, EXACT = 1e300, 2**53  # of an edge, and of those that a double has all of
YEAR, QUARTER, MONTH, WEEKDAY, HOUR = "year", "quarter", "month", "weekday", "hour"
CALENDAR = {
    YEAR: Phrase("by year"),
    QUARTER: Phrase("by quarter"),
    MONTH: Phrase("by month"),
    WEEKDAY: Phrase("by weekday"),
    HOUR: Phrase("by hour of day"),
}
NAMED = 6  # edges that a title names
MOST = 10_000  # bands that a column may have
FROM = (">=", "≥")  # before a single number from which a band begins


@dataclass(frozen=True)
class Bands:
    """The bands of a declared column, as groups of a query: part of the query, like its columns and filters.

    Either `edges` are given, the values at which a new band begins; or `every`, the width of all bands, which then
    begin at its multiples. For dates an edge is a date as text, and `every` is year, quarter, month, weekday or hour.
    Each value that the column can have, after clipping, is in exactly one band: an edge belongs to the band above it,
    and the upper bound to the last band.
    """

    column: str
    edges: tuple[Edge, ...] = ()
    every: Edge | None = None

    def __post_init__(self) -> None:
        """Write numbers in one way only; raise ParameterError for anything but edges or a width."""
        if not isinstance(self.edges, (list, tuple)):
            raise ParameterError("The edges of bands must be a list.")
        object.__setattr__(self, "edges", tuple(map(_plainly, self.edges)))
        object.__setattr__(self, "every", None if self.every is None else _plainly(self.every))
        if not isinstance(self.column, str) or bool(self.edges) == (self.every is not None):
            raise ParameterError("Bands need a column, and either edges or a width.")
        check_number(len(self.edges))

    def __str__(self) -> str:
        """Return the bands as they are typed: age:10, or age:18, 45, 65."""
        return f"{self.column}:{typed(self)}"

    @property
    def words(self) -> Phrase:
        """The column with its bands, as a title names them."""
        edges = ", ".join((*map(_short, self.edges[:NAMED]), *["…"][: len(self.edges) > NAMED]))
        if self.edges:
            return Phrase("{column} (bands from {edges})", column=self.column, edges=edges)
        if isinstance(self.every, str):
            period = CALENDAR.get(self.every, self.every)
            return Phrase("{column} ({period})", column=self.column, period=period)
        return Phrase("{column} (bands of {width:.15g})", column=self.column, width=self.every)

    def plain(self) -> dict[str, Any]:
        """Return the bands as plain values, for a file."""
        rest = {"edges": list(map(_written, self.edges))} if self.edges else {"every": _written(self.every or "")}
        return {"bands": self.column} | rest


def bands(column: str, at: Edge | Sequence[Edge]) -> Bands:
    """Return the bands of a column: of a width such as 10 or "month", or from each edge in a list on."""
    return Bands(column, tuple(at)) if isinstance(at, Sequence) and not isinstance(at, str) else Bands(column, every=at)


def _plainly(edge: Any) -> Edge:
    """Return an edge as a finite float or a text; 18 and 18.0 are one edge."""
    if isinstance(edge, str):
        if len(edge) > LONGEST_DATE:
            raise ParameterError("An edge of bands is too long. Enter a number or a date.")
        return edge.strip()
    number = isinstance(edge, (int, float, np.number)) and not isinstance(edge, bool)
    if not number or not abs(edge) < LARGEST:  # compared before it is converted: an integer can be too large for that
        raise ParameterError("An edge of bands must be a finite number or a date.")
    return float(edge) + 0.0  # minus zero is zero


# --- As typed: bands in one line of text, for fields and commands ---


def typed(bands: Bands) -> str:
    """Return edges or width as they are typed; a single number from which a band begins has a sign before it."""
    alone = len(bands.edges) == 1 and not isinstance(bands.edges[0], str)
    from_here = f"{FROM[0]} " if alone else ""
    return from_here + ", ".join(map(_short, bands.edges)) if bands.edges else _short(bands.every or "")


def _short(edge: Edge) -> str:
    return edge if isinstance(edge, str) else f"{edge:.15g}"


def _written(edge: Edge) -> Edge:
    """Return a whole number without its decimal point, as people write it."""
    return int(edge) if isinstance(edge, float) and edge.is_integer() and abs(edge) < EXACT else edge


def bands_of(column: str, text: str) -> Bands:
    """Parse what is typed: one number or word is a width; several, one date, or one number after >= are edges."""
    bare = text.strip()
    sign = next(filter(bare.startswith, FROM), "")
    parts = [_parsed(part) for part in bare.removeprefix(sign).replace(";", ",").split(",") if part.strip()]
    if not parts:
        raise ParameterError("Enter a width such as 10, or edges such as 18, 45, 65.")
    width = not sign and len(parts) == 1 and not (isinstance(parts[0], str) and any(map(str.isdigit, parts[0])))
    return Bands(column, every=parts[0]) if width else Bands(column, tuple(parts))


def _parsed(part: str) -> Edge:
    try:
        return float(part)
    except ValueError:
        return part.strip()


# --- Cuts: from a tick to its band, total and public ---


@dataclass(frozen=True)
class Cuts:
    """The names of the bands of a grid, and where they begin: the first tick of each but the first, ascending.

    A name is a phrase where readers of other languages have their own; results are stored under the English one.
    """

    names: tuple[str, ...]
    starts: tuple[int, ...]

    def __post_init__(self) -> None:
        """Raise ParameterError for bands that cannot be distinguished."""
        if len(set(self.names)) < len(self.names):
            raise ParameterError("Two bands would have the same name. Use edges that are further apart.")

    def codes(self, ticks: IntArray) -> IntArray:
        """Return the band of each tick: every tick of the grid has exactly one."""
        return np.searchsorted(np.array(self.starts, np.int64), ticks, side="right").astype(np.int64)


@dataclass(frozen=True)
class Cycle(Cuts):
    """Bands that come again and again, such as weekdays, of `length` ticks each, from a place of the cycle on."""

    first: int
    length: int

    def codes(self, ticks: IntArray) -> IntArray:
        """Return the place of each tick in the cycle; `first` is that of tick 0, in ticks."""
        return (self.first + ticks) // self.length % len(self.names)


def cuts_of(bounds: Bounds, edges: Sequence[Edge], every: Edge | None) -> Cuts:
    """Return the bands of a number column."""
    if any(isinstance(edge, str) for edge in (*edges, every)):
        raise ParameterError("Enter numbers as the edges or the width.")
    starts = _multiples(bounds, every) if every is not None else [edge for edge in edges if edge != bounds.upper]
    starts = [start for start in starts if start != bounds.lower]
    ticks = [_tick(bounds, start) for start in starts]
    check_starts(ticks)
    ends = [bounds.lower, *starts]
    if bounds.integer:
        firsts = list(map(int, ends))
        lasts = [*(first - 1 for first in firsts[1:]), int(bounds.upper)]
        return Cuts(whole_names(list(zip(firsts, lasts, strict=True))), tuple(ticks))
    names = [Phrase("{low} to under {high}", low=_short(low), high=_short(high)) for low, high in pairwise(ends)]
    return Cuts((*names, _to(_short(ends[-1]), _short(bounds.upper))), tuple(ticks))


def check_number(bands: int) -> None:
    """Raise ParameterError for too many bands, before they are made."""
    if bands > MOST:
        raise ParameterError(
            "A column may have at most {most:,} bands. Enter fewer edges, or a larger width.", most=MOST
        )


def check_starts(ticks: Sequence[int]) -> None:
    """Raise ParameterError for bands that are not in order, contain no value, or are too many."""
    check_number(len(ticks) + 1)
    if not ticks or ticks[0] < 1 or any(low >= high for low, high in pairwise(ticks)):
        raise ParameterError(
            "Edges must increase, be at least one step apart, and at least one must be inside the bounds."
        )


def _multiples(bounds: Bounds, width: Any) -> list[float]:
    """Return the multiples of a width between the bounds; the upper bound only where it is a band of its own."""
    if not width > 0:
        raise ParameterError("The width of bands must be above 0.")
    step, lower, upper = (Fraction(repr(number)) for number in (width, bounds.lower, bounds.upper))
    single = bounds.integer and width == bounds.resolution
    start = lower if bounds.integer and lower % Fraction(bounds.resolution) else Fraction(0)  # where steps begin
    first = floor((lower - start) / step) + 1
    beyond = floor((upper - start) / step) + 1 if single else ceil((upper - start) / step)
    check_number(beyond - first + 1)
    if beyond <= first:
        raise ParameterError("This width makes a single band. Enter a smaller one.")
    return [float(start + step * place) for place in range(first, beyond)]


def _tick(bounds: Bounds, edge: Any) -> int:
    """Return the first tick of the band that begins at an edge: edges are rounded to the grid as cells are."""
    if not bounds.lower <= edge <= bounds.upper:
        low, high = bounds.lower, bounds.upper
        raise ParameterError("Edges must lie between the bounds {low:.15g} and {high:.15g}.", low=low, high=high)
    if not bounds.integer:
        return int(bounds.ticks(np.array([edge]))[0])
    tick, left = divmod(int(edge) - int(bounds.lower), int(bounds.resolution))
    if edge != int(edge) or left:
        raise ParameterError(
            "Edges must be whole numbers in steps of {step} from the lower bound {low}.",
            step=bounds.resolution,
            low=bounds.lower,
        )
    return tick


def whole_names(ends: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """Return the names of bands of whole numbers, each by its first and last one."""
    dash = ends[0][0] >= 0  # before a minus sign it is hard to read
    several = ((f"{low}", f"{high}") for low, high in ends)
    return tuple(low if low == high else f"{low}–{high}" if dash else _to(low, high) for low, high in several)


def _to(low: str, high: str) -> Phrase:
    return Phrase("{low} to {high}", low=low, high=high)


def semicolons(names: Sequence[str]) -> str:
    """Return names separated by semicolons; those that are phrases stay phrases."""
    return reduce(lambda line, name: Phrase("{first}; {last}", first=line, last=name), names)


# --- Widths: what is proposed where a person chose none ---

NICE = (1, 2, 5)  # times powers of ten
USUAL = 12  # bands at most


def usual_width(bounds: Bounds) -> float:
    """Return the smallest width of few digits that makes few bands, from the declared bounds alone."""
    power = Fraction(10) ** (floor(np.log10(float(bounds.upper - bounds.lower))) - 1)
    widths = (power * 10**place * nice for place in range(3) for nice in NICE)
    width = next(width for width in widths if bounds.upper - bounds.lower <= USUAL * width)
    step = Fraction(bounds.resolution)
    return float(ceil(width / step) * step if bounds.integer else max(width, step))
