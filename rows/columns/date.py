"""Date: a column of dates or times between a public first and last one, counted in whole units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any, ClassVar, Self
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa

from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import Bounds, IntArray
from discreet.rows import calendar
from discreet.rows.calendar import GRAINS, ISO, ORDERS
from discreet.rows.cells import Mask, flat
from discreet.rows.columns.bands import HOUR, MONTH, QUARTER, WEEKDAY, YEAR, Cuts, Cycle, Edge, check_starts
from discreet.rows.columns.kind import DATES, Value
from discreet.rows.columns.quantity import Bounded

UNITS = {
    "second": Phrase("seconds"),
    "minute": Phrase("minutes"),
    "hour": Phrase("hours"),
    "day": Phrase("days"),
    "month": Phrase("months"),
    "year": Phrase("years"),
}
LETTERS = {"second": "s", "minute": "m", "hour": "h", "day": "D", "month": "M", "year": "Y"}
PERIODS = {  # bands by the calendar, and the coarsest unit that has them; the usual one first
    YEAR: "year",
    MONTH: "month",
    QUARTER: "month",
    WEEKDAY: "day",
    HOUR: "hour",
}
MONTHS = {YEAR: 12, QUARTER: 3, MONTH: 1}  # of a period
DAYS = (
    Phrase("Monday"),
    Phrase("Tuesday"),
    Phrase("Wednesday"),
    Phrase("Thursday"),
    Phrase("Friday"),
    Phrase("Saturday"),
    Phrase("Sunday"),
)
HOURS = tuple(f"{hour:02}:00" for hour in range(24))
THURSDAY = 3  # its place among them: that of 1 January 1970
PARTS = {"year": 1, "month": 2}  # number of parts that a cell must name; otherwise a day


@dataclass(frozen=True)
class Date(Bounded):
    """A date or a time: the value is the number of whole `grain` units after the first one.

    Dates before the first or after the last count as these; a cell that is not a date is left out. Text is parsed in
    the declared `order`, or with the year first as programs write it. Times with a UTC offset are converted to the
    wall-clock time of `zone`; all others are taken as that wall-clock time. `origin` is the source from which first and
    last are known.
    """

    name: ClassVar[str] = "date"
    zero: ClassVar[bool] = False
    amounts: ClassVar[str] = DATES
    spelling: ClassVar[Phrase | None] = Phrase(
        "Check the dates: choose the order of day, month and year. Years need four digits, ISO "
        "weeks a weekday (2024-W05-3), months a number or an English name. Reformat other dates "
        "and upload the file again."
    )

    first: str
    last: str
    grain: str = "day"
    order: str = ISO
    zone: str = "UTC"
    origin: str = ""

    def __post_init__(self) -> None:
        """Raise ParameterError for invalid dates, orders, units or zones."""
        if self.grain not in GRAINS:
            raise ParameterError("The unit of dates must be one of {choices}.", choices=", ".join(GRAINS))
        if self.order not in ORDERS:
            raise ParameterError("The order of a date must be one of {choices}.", choices=", ".join(ORDERS))
        try:
            ZoneInfo(self.zone)
            calendar.on_the_wall(np.zeros(1, np.int64), self.zone)
        except (KeyError, ValueError, OSError, TypeError):
            raise ParameterError(
                "Unknown time zone {zone!r}. Use a name such as Europe/Paris.", zone=self.zone
            ) from None
        ends = [self._counted(end) for end in (self.first, self.last)]
        if None in ends:
            raise ParameterError("Enter the first and last day as 2020-01-31, or as 2020-01-31 18:30.")
        if ends[0] >= ends[1]:  # type: ignore[operator]
            raise ParameterError("The last day must be at least one unit later than the first day.")
        assert self.bounds

    @classmethod
    def short(cls, given: Any) -> Self | None:
        """Return the date with a pair of days, as dates or as texts such as 2020-01-31."""
        pair = given if isinstance(given, tuple) and len(given) == 2 else ()
        days = [day.isoformat() if isinstance(day, date) else day for day in pair]
        return cls(*days) if days and all(isinstance(day, str) and day[:4].isdecimal() for day in days) else None

    def _counted(self, day: object) -> int | None:
        """Return the number of the unit since 1970 that contains a date given as text."""
        cells = pa.array([day if isinstance(day, str) else None], pa.large_string())
        instants, there = calendar.seconds(cells, ISO, self.zone, PARTS.get(self.grain, 3))
        return int(calendar.counted(instants, self.grain)[0]) if there[0] else None

    @cached_property
    def _start(self) -> int:
        return self._counted(self.first) or 0

    @cached_property
    def bounds(self) -> Bounds:
        """Whole units, counted from the first date."""
        return Bounds(0, (self._counted(self.last) or 0) - self._start, integer=True)

    @property
    def end(self) -> str:
        """The last day."""
        return self.last

    def until(self, end: str, origin: str) -> Self:
        """Return the declaration with a later last date."""
        later = replace(self, last=end, origin=origin)
        if later.bounds.top <= self.bounds.top:
            raise ParameterError("The last day must be later than {last}.", last=self.last)
        return later

    @property
    def unit(self) -> str:
        """The name of the unit, for differences between dates."""
        return UNITS[self.grain]

    def ticks(self, cells: Any) -> tuple[IntArray, Mask]:
        """Return how many units after the first date each cell is, and which cells are dates."""
        instants, there = calendar.seconds(flat(cells), self.order, self.zone, PARTS.get(self.grain, 3))
        after = calendar.counted(instants, self.grain) - self._start
        return np.clip(after, 0, self.bounds.top), there

    def places(self, ticks: IntArray) -> IntArray:
        """Return the number of the unit since 1970 of each tick."""
        return self._start + ticks

    def cuts(self, edges: Sequence[Edge], every: Edge | None) -> Cuts:
        """Return the bands that first days, or a part of the calendar, make."""
        if every is None:
            return self._between(edges)
        if every not in PERIODS:
            raise ParameterError("Bands of dates are by {choices}, or begin on dates.", choices=", ".join(PERIODS))
        units = list(UNITS)
        if units.index(self.grain) > units.index(PERIODS[str(every)]):
            raise ParameterError("These dates are counted in {unit}, which are too long for this.", unit=self.unit)
        if every == WEEKDAY:
            return self._cycle(DAYS, "day", THURSDAY)
        return self._cycle(HOURS, "hour", 0) if every == HOUR else self._periods(str(every))

    def _cycle(self, names: tuple[str, ...], part: str, origin: int) -> Cuts:
        """Return parts of the calendar that come again; `origin` is the place of the part in which 1970 began."""
        length = calendar.LENGTHS[part] // calendar.LENGTHS[self.grain]
        return Cycle(names, (), first=(self._start + origin * length) % (len(names) * length), length=length)

    def _periods(self, every: str) -> Cuts:
        """Return the years, quarters or months between the bounds, which may cut off the first and the last one."""
        form = "datetime64[M]"
        first, last = (int(self._moment(tick).astype(form).astype(np.int64)) for tick in (0, self.bounds.top))
        length = MONTHS[every]
        months = np.arange(first // length, last // length + 1) * length
        begins = months.astype(form)
        starts = begins[1:].astype(f"datetime64[{LETTERS[self.grain]}]").astype(np.int64) - self._start
        check_starts(starts.tolist())
        return Cuts(tuple(_period(str(month), every) for month in begins), tuple(starts.tolist()))

    def _between(self, edges: Sequence[Edge]) -> Cuts:
        """Return the bands that begin on given dates, and the first one."""
        places = [self.number(edge if isinstance(edge, str) else f"{edge:.15g}") for edge in edges]
        if not all(place is not None and 0 <= place <= self.bounds.top for place in places):
            raise ParameterError("Edges must be dates from {first} to {last}.", first=self.first, last=self.last)
        starts = [int(place) for place in places if place is not None and 0 < place < self.bounds.top]
        check_starts(starts)
        lasts = [*(start - 1 for start in starts), self.bounds.top]
        names = (_from_to(self.shown(low), self.shown(high)) for low, high in zip([0, *starts], lasts, strict=True))
        return Cuts(tuple(names), tuple(starts))

    def _moment(self, tick: int) -> Any:
        return np.int64(self._start + tick).astype(f"datetime64[{LETTERS[self.grain]}]")

    @property
    def usual(self) -> Edge | None:
        """Years, or months where there is one year, or weekdays where there is one month; None if there is none."""
        return next(filter(self.has_bands, PERIODS), None)

    def number(self, value: Value) -> float | None:
        """Return how many units after the first date a given date is; it is written like first and last."""
        place = self._counted(value)
        return None if place is None else place - self._start

    def shown(self, value: float) -> str:
        """Return the date nearest to a number of units after the first one."""
        form = f"datetime64[{LETTERS[self.grain]}]"
        earliest, latest = (np.datetime64(day).astype(form).astype(np.int64) for day in ("0001-01-01", "9999-12-31"))
        place = self._start + round(value) if math.isfinite(value) else math.inf
        if not earliest <= place <= latest:
            return f"{self.first} {value:+.6g} {self.unit}"
        moment = np.int64(place).astype(form)
        return str(moment.astype("datetime64[m]") if self.grain == "hour" else moment).replace("T", " ")

    def as_read(self, column: str) -> tuple[Phrase, ...]:
        """Describe the range into which dates are moved, and the unit."""
        moved = Phrase(
            "{column} clipped to {first} to {last}, in {unit} since the first day",
            column=column,
            first=self.first,
            last=self.last,
            unit=self.unit,
        )
        return moved, self.missing_as_read(column)

    def check(self, column: str, comparison: str, value: Value) -> None:
        """Raise ParameterError for a value that is not a date."""
        if self.number(value) is None:
            raise ParameterError(
                "Column {column!r} can be compared only with a date such as 2020-01-31.", column=column
            )
        super().check(column, comparison, value)


def _from_to(first: str, last: str) -> str:
    return first if first == last else Phrase("{first} to {last}", first=first, last=last)


def _period(month: str, every: str) -> str:
    """Return the name of the period that begins with a month: 2020, 2020-Q3 or 2020-07."""
    year, _, number = month.rpartition("-")
    return {YEAR: year, QUARTER: f"{year}-Q{int(number) // 3 + 1}", MONTH: month}[every]
