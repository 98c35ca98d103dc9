"""Calendar: dates and times of cells as whole seconds of local wall-clock time, cell by cell."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.queries.bounds import IntArray
from discreet.rows.cells import LONGEST_DATE, Mask, text

# --- Named days: English month names, Chinese dates, and days of ISO weeks, as plain dates ---

MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
NUMBERS = {name: at for at, month in enumerate(MONTHS, 1) for name in (month, month[:3])} | {"sept": 9}
NAME = r"(?P<name>[A-Za-z]{3,9})\.?"
NAMED_YEAR = r"(?P<year>[0-9]{4})"
NAMED_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
REST = r"(?P<rest>(?:[T ,].*)?)"
NAMED = (
    rf"^{NAMED_DAY}\.?[-/ ]?{NAME}[-/ ]?{NAMED_YEAR}{REST}$",
    rf"^{NAME}[-/ ]?{NAMED_DAY},?[-/ ]{NAMED_YEAR}{REST}$",
    rf"^{NAMED_YEAR}[-/ ]{NAME}[-/ ]{NAMED_DAY}{REST}$",
    rf"^{NAME}[-/ ]{NAMED_YEAR}$",
)
CHINESE = rf"^{NAMED_YEAR} ?年 ?(?P<month>[0-9]{{1,2}}) ?月 ?(?:(?P<day>[0-9]{{1,2}}) ?[日号])?(?P<rest>(?: .*)?)$"
WEEK = rf"^{NAMED_YEAR}-?W(?P<week>[0-9]{{2}})-?(?P<weekday>[1-7])$"


def plain(cells: pa.Array) -> pa.Array:
    """Return texts as dates with the year first; null where a text has another form."""
    cells = cells.cast(pa.large_string())
    texts = [*(_named(cells, form) for form in NAMED), _chinese(cells), _week(cells)]
    return pc.coalesce(*texts)


def _named(cells: pa.Array, form: str) -> pa.Array:
    pieces = pc.extract_regex(cells, pattern=form)
    at = pc.index_in(pc.utf8_lower(pieces.field(_place(form, "name"))), pa.array(list(NUMBERS), pa.large_string()))
    months = pa.array([f"{number:02}" for number in NUMBERS.values()], pa.large_string()).take(at)
    parts = [pieces.field(_place(form, "year")), months]
    if "<day>" not in form:
        return _joined(pieces, parts, None)
    return _joined(pieces, [*parts, pieces.field(_place(form, "day"))], pieces.field(_place(form, "rest")))


def _chinese(cells: pa.Array) -> pa.Array:
    pieces = pc.extract_regex(cells, pattern=CHINESE)
    year, month, day, rest = (pieces.field(at) for at in range(4))
    whole = _joined(pieces, [year, month, day], rest)
    return pc.if_else(pc.equal(day, ""), _joined(pieces, [year, month], rest), whole)


def _week(cells: pa.Array) -> pa.Array:
    """Return the days of ISO weeks: they begin on Monday, and the first one contains the year's first Thursday."""
    pieces = pc.extract_regex(cells, pattern=WEEK)
    year, week, weekday = (number(pieces.field(at)) for at in range(3))
    years = np.clip(year, 1, 9998)
    fourth = (years - 1970).astype("datetime64[Y]").astype("datetime64[D]") + _days(3)
    monday = fourth + _days(7 * (week - 1) - (fourth.astype(np.int64) + 3) % 7)
    thursday = (monday + _days(3)).astype("datetime64[Y]").astype(np.int64) + 1970
    real: Mask = (week >= 1) & (thursday == years) & (year == years)
    days = pa.array(np.datetime_as_string(monday + _days(weekday - 1)), pa.large_string())
    return pc.if_else(pc.and_(pa.array(real), pieces.is_valid()), days, _sign(None))


def _days(number: Any) -> Any:
    """Return a number of days as timedelta: NumPy no longer adds numbers without a unit to days."""
    return np.asarray(number).astype("timedelta64[D]")


def _joined(pieces: pa.Array, parts: list[pa.Array], rest: pa.Array | None) -> pa.Array:
    date = pc.binary_join_element_wise(*parts, _sign("-"))
    whole = date if rest is None else pc.binary_join_element_wise(date, rest, _sign(""))
    return pc.if_else(pieces.is_valid(), whole, _sign(None))


def number(digits: pa.Array) -> IntArray:
    """Return texts of digits as integers; an empty text is zero."""
    filled = pc.utf8_lpad(pc.fill_null(digits, ""), 1, "0")
    return np.asarray(filled.cast(pa.int64()))


def _sign(sign: str | None) -> pa.Scalar:
    return pa.scalar(sign, pa.large_string())


def _place(form: str, name: str) -> int:
    """Return the index of the group with this name in a pattern."""
    return form[: form.index(f"?P<{name}>")].count("?P<")


DAY = 86_400  # seconds
FIRST, LAST = -719_162 * DAY, 2_932_896 * DAY  # from year 1 to year 9999
HALF = r"(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?"
ZONE = r"(?: ?(?P<zone>Z|[+-][0-9]{2}(?::?[0-9]{2})?))?"
CLOCK = r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.,][0-9]{1,9})?)?"
TIME = rf"(?:(?:T| |, ){CLOCK}{HALF}{ZONE})?"
YEAR = r"(?P<year>[0-9]{4})"
MONTH = r"(?P<month>[0-9]{1,2})"
DATE = r"(?P<day>[0-9]{1,2})"
ISO = "year-month-day"
ORDERS = {ISO: (YEAR, MONTH, DATE), "day-month-year": (DATE, MONTH, YEAR), "month-day-year": (MONTH, DATE, YEAR)}
PARTS = ("year", "month", "day", "hour", "minute", "second")
UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def forms(order: str) -> list[str]:
    """Return the patterns of dates and times: in the declared order, and as programs write them.

    All parts are separated by one and the same character. A leading number of four digits is never a day.
    """
    first, second, third = ORDERS[order]
    between = (YEAR, MONTH) if order == ISO else (MONTH, YEAR)
    own = f"{first}(?P<sign>[-/.]){second}(?P<again>[-/.]){third}{TIME}"
    iso = [] if order == ISO else [f"{YEAR}-{MONTH}-{DATE}{TIME}", f"{YEAR}-{MONTH}"]
    packed = YEAR + r"(?P<month>[0-9]{2})(?P<day>[0-9]{2})" + TIME
    return [f"^{form}$" for form in (own, *iso, packed, "[-/.]".join(between), YEAR)]


def seconds(cells: pa.Array, order: str, zone: str, grain: int) -> tuple[IntArray, Mask]:
    """Return whole seconds since 1970 of wall-clock time in a time zone, and which cells name a date or time.

    `grain` is how many parts a cell must name: 1 for a year, 2 for a month, 3 for a day or a time. Typed dates and
    times are converted directly; all other cells are parsed as text, in the declared order.
    """
    form = cells.type
    if pa.types.is_date(form) or pa.types.is_timestamp(form):
        instants = _typed(cells)
        there = ~np.asarray(cells.is_null())
        if pa.types.is_timestamp(form) and form.tz is not None:
            instants = on_the_wall(instants, zone)
    else:
        instants, there = _read(text(cells, LONGEST_DATE), order, zone, grain)
    return np.clip(instants, FIRST, LAST), there


def _typed(cells: pa.Array) -> IntArray:
    """Return whole seconds of typed cells, rounded down."""
    if pa.types.is_date32(cells.type):
        return np.asarray(cells.cast(pa.int32()).fill_null(0)).astype(np.int64) * DAY
    unit = "ms" if pa.types.is_date64(cells.type) else cells.type.unit
    return np.asarray(cells.cast(pa.int64()).fill_null(0)) // UNITS[unit]


def on_the_wall(instants: IntArray, zone: str) -> IntArray:
    """Return the wall-clock time in a time zone at instants in UTC."""
    near = np.clip(instants, FIRST + DAY, LAST - DAY)
    local = pc.local_timestamp(pa.array(near, pa.timestamp("s", zone)))
    return np.where(near == instants, np.asarray(local.cast(pa.int64())), instants)


def _read(cells: pa.Array, order: str, zone: str, grain: int) -> tuple[IntArray, Mask]:
    """Parse texts in an order; dates that name a month or a week are parsed identically in every order."""
    values, there = _ordered(cells, order, zone, grain)
    if not there.all():
        left = np.flatnonzero(~there)
        values[left], there[left] = _ordered(plain(cells.take(pa.array(left))), ISO, zone, grain)
    return values, there


def _ordered(cells: pa.Array, order: str, zone: str, grain: int) -> tuple[IntArray, Mask]:
    values = np.zeros(len(cells), np.int64)
    there = np.zeros(len(cells), bool)
    for form in forms(order):
        names = re.findall(r"\?P<(\w+)>", form)
        if len({"year", "month", "day"} & set(names)) >= grain:
            pieces = pc.extract_regex(cells, pattern=form)
            read, real = _instants({name: pieces.field(at) for at, name in enumerate(names)}, zone)
            fits = real & ~np.asarray(pieces.is_null())
            values, there = np.where(fits, read, values), there | fits
    return values, there


def _instants(pieces: dict[str, pa.Array], zone: str) -> tuple[IntArray, Mask]:
    """Return the wall-clock time of parsed dates, and which of them exist."""
    numbers = {name: number(pieces[name]) for name in PARTS if name in pieces}
    real = np.ones(len(pieces["year"]), bool)
    if "sign" in pieces:
        real &= np.asarray(pc.fill_null(pc.equal(pieces["sign"], pieces["again"]), False))
    if "half" in pieces:
        half = pc.utf8_lower(pc.fill_null(pieces["half"], ""))
        halved = np.asarray(pc.not_equal(half, ""))
        late = np.asarray(pc.equal(half, "p"))
        real &= ~halved | ((numbers["hour"] >= 1) & (numbers["hour"] <= 12))
        numbers["hour"] = np.where(halved, numbers["hour"] % 12 + 12 * late, numbers["hour"])
    local, there = _local(numbers, len(real))
    if "zone" in pieces:
        instants, zoned = _shifted(local, pieces["zone"])
        local = np.where(zoned, on_the_wall(instants, zone), local)
    return local, real & there


def _local(numbers: dict[str, IntArray], size: int) -> tuple[IntArray, Mask]:
    """Return seconds since 1970, and which parts form an existing date and time."""
    first = dict.fromkeys(PARTS, 0) | {"month": 1, "day": 1}
    year, month, day, hour, minute, second = (numbers.get(name, np.full(size, first[name])) for name in PARTS)
    months = np.clip(year, 1, 9999) * 12 + np.clip(month, 1, 12) - 1 - 1970 * 12
    starts = months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
    ends = (months + 1).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
    real = (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= ends - starts)
    real &= (hour < 24) & (minute < 60) & (second < 61)
    return (starts + day - 1) * DAY + hour * 3600 + minute * 60 + np.minimum(second, 59), real


def _shifted(local: IntArray, zones: pa.Array) -> tuple[IntArray, Mask]:
    """Return instants in UTC where a cell contains its own offset, and which cells do."""
    names = pc.fill_null(zones, "")
    digits = pc.replace_substring_regex(names, pattern="[^0-9]", replacement="")
    hours = number(pc.utf8_slice_codeunits(digits, 0, 2)) * 3600 + number(pc.utf8_slice_codeunits(digits, 2, 4)) * 60
    east = np.where(np.asarray(pc.starts_with(names, "-")), -hours, hours)
    zoned = np.asarray(pc.not_equal(names, ""))
    return np.where(zoned, local - east, local), zoned


def counted(instants: IntArray, grain: str) -> IntArray:
    """Return the number of the second, minute, hour, day, month or year since 1970 that contains each instant."""
    if grain in LENGTHS:
        return instants // LENGTHS[grain]
    days: NDArray[np.datetime64] = np.clip(instants // DAY, FIRST // DAY, LAST // DAY).astype("datetime64[D]")
    return days.astype(f"datetime64[{grain[0].upper()}]").astype(np.int64)


LENGTHS = {"second": 1, "minute": 60, "hour": 3600, "day": DAY}
GRAINS = (*LENGTHS, "month", "year")
