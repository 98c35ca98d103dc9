"""Calendar: days and times of cells as whole seconds of the clock on the wall, each cell by itself."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.queries.bounds import IntArray
from discreet.rows import named_days
from discreet.rows.cells import Mask, text
from discreet.rows.lengths import LONGEST_DATE
from discreet.rows.named_days import number

DAY = 86_400  # seconds
FIRST, LAST = -719_162 * DAY, 2_932_896 * DAY  # from year 1 to year 9999
HALF = r"(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?"
ZONE = r"(?: ?(?P<zone>Z|[+-][0-9]{2}(?::?[0-9]{2})?))?"
CLOCK = r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.,][0-9]{1,9})?)?"
TIME = rf"(?:(?:T| |, ){CLOCK}{HALF}{ZONE})?"
YEAR, MONTH, DATE = r"(?P<year>[0-9]{4})", r"(?P<month>[0-9]{1,2})", r"(?P<day>[0-9]{1,2})"
ISO = "year-month-day"
ORDERS = {ISO: (YEAR, MONTH, DATE), "day-month-year": (DATE, MONTH, YEAR), "month-day-year": (MONTH, DATE, YEAR)}
PARTS = ("year", "month", "day", "hour", "minute", "second")
UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def forms(order: str) -> list[str]:
    """Return how days and times are written: in an order, and as every program writes them.

    The same sign stands between all parts. A year of four digits in front is never a day.
    """
    first, second, third = ORDERS[order]
    between = (YEAR, MONTH) if order == ISO else (MONTH, YEAR)
    own = f"{first}(?P<sign>[-/.]){second}(?P<again>[-/.]){third}{TIME}"
    iso = [] if order == ISO else [f"{YEAR}-{MONTH}-{DATE}{TIME}", f"{YEAR}-{MONTH}"]
    packed = YEAR + r"(?P<month>[0-9]{2})(?P<day>[0-9]{2})" + TIME
    return [f"^{form}$" for form in (own, *iso, packed, "[-/.]".join(between), YEAR)]


def seconds(cells: pa.Array, order: str, zone: str, grain: int) -> tuple[IntArray, Mask]:
    """Return whole seconds since 1970 on a wall of a time zone, and which cells name a day or time.

    `grain` says how many parts a cell must name: 1 for a year, 2 for a month, 3 for a day or a time.
    Typed days and times are what they are; all else is read by its text, in the declared order.
    """
    form = cells.type
    if pa.types.is_date(form) or pa.types.is_timestamp(form):
        instants, there = _typed(cells), ~np.asarray(cells.is_null())
        if pa.types.is_timestamp(form) and form.tz is not None:
            instants = on_the_wall(instants, zone)
    else:
        instants, there = _read(text(cells, LONGEST_DATE), order, zone, grain)
    return np.clip(instants, FIRST, LAST), there


def _typed(cells: pa.Array) -> IntArray:
    """Return whole seconds of typed cells, downwards."""
    if pa.types.is_date32(cells.type):
        return np.asarray(cells.cast(pa.int32()).fill_null(0)).astype(np.int64) * DAY
    unit = "ms" if pa.types.is_date64(cells.type) else cells.type.unit
    return np.asarray(cells.cast(pa.int64()).fill_null(0)) // UNITS[unit]


def on_the_wall(instants: IntArray, zone: str) -> IntArray:
    """Return what a clock on a wall of a time zone shows at instants of the world's clock."""
    near = np.clip(instants, FIRST + DAY, LAST - DAY)
    local = pc.local_timestamp(pa.array(near, pa.timestamp("s", zone)))
    return np.where(near == instants, np.asarray(local.cast(pa.int64())), instants)


def _read(cells: pa.Array, order: str, zone: str, grain: int) -> tuple[IntArray, Mask]:
    """Read texts in an order; those that name a month or a week mean the same in every order."""
    values, there = _ordered(cells, order, zone, grain)
    if not there.all():
        left = np.flatnonzero(~there)
        values[left], there[left] = _ordered(named_days.plain(cells.take(pa.array(left))), ISO, zone, grain)
    return values, there


def _ordered(cells: pa.Array, order: str, zone: str, grain: int) -> tuple[IntArray, Mask]:
    values, there = np.zeros(len(cells), np.int64), np.zeros(len(cells), bool)
    for form in forms(order):
        names = re.findall(r"\?P<(\w+)>", form)
        if len({"year", "month", "day"} & set(names)) >= grain:
            pieces = pc.extract_regex(cells, pattern=form)
            read, real = _instants({name: pieces.field(at) for at, name in enumerate(names)}, zone)
            fits = real & ~np.asarray(pieces.is_null())
            values, there = np.where(fits, read, values), there | fits
    return values, there


def _instants(pieces: dict[str, pa.Array], zone: str) -> tuple[IntArray, Mask]:
    """Return what a clock on a wall shows at written times, and which of them there are."""
    numbers = {name: number(pieces[name]) for name in PARTS if name in pieces}
    real = np.ones(len(pieces["year"]), bool)
    if "sign" in pieces:
        real &= np.asarray(pc.fill_null(pc.equal(pieces["sign"], pieces["again"]), False))
    if "half" in pieces:
        half = pc.utf8_lower(pc.fill_null(pieces["half"], ""))
        halved, late = np.asarray(pc.not_equal(half, "")), np.asarray(pc.equal(half, "p"))
        real &= ~halved | ((numbers["hour"] >= 1) & (numbers["hour"] <= 12))
        numbers["hour"] = np.where(halved, numbers["hour"] % 12 + 12 * late, numbers["hour"])
    local, there = _local(numbers, len(real))
    if "zone" in pieces:
        instants, zoned = _shifted(local, pieces["zone"])
        local = np.where(zoned, on_the_wall(instants, zone), local)
    return local, real & there


def _local(numbers: dict[str, IntArray], size: int) -> tuple[IntArray, Mask]:
    """Return seconds since 1970, and which parts make a day and a time that there are."""
    first = dict.fromkeys(PARTS, 0) | {"month": 1, "day": 1}
    year, month, day, hour, minute, second = (numbers.get(name, np.full(size, first[name])) for name in PARTS)
    months = np.clip(year, 1, 9999) * 12 + np.clip(month, 1, 12) - 1 - 1970 * 12
    starts = months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
    ends = (months + 1).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
    real = (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= ends - starts)
    real &= (hour < 24) & (minute < 60) & (second < 61)
    return (starts + day - 1) * DAY + hour * 3600 + minute * 60 + np.minimum(second, 59), real


def _shifted(local: IntArray, zones: pa.Array) -> tuple[IntArray, Mask]:
    """Return instants of the world's clock where a cell names its own offset from it, and where it does."""
    names = pc.fill_null(zones, "")
    digits = pc.replace_substring_regex(names, pattern="[^0-9]", replacement="")
    hours = number(pc.utf8_slice_codeunits(digits, 0, 2)) * 3600 + number(pc.utf8_slice_codeunits(digits, 2, 4)) * 60
    east = np.where(np.asarray(pc.starts_with(names, "-")), -hours, hours)
    zoned = np.asarray(pc.not_equal(names, ""))
    return np.where(zoned, local - east, local), zoned


def counted(instants: IntArray, grain: str) -> IntArray:
    """Return in which second, minute, hour, day, month or year since 1970 seconds lie."""
    if grain in LENGTHS:
        return instants // LENGTHS[grain]
    days: NDArray[np.datetime64] = np.clip(instants // DAY, FIRST // DAY, LAST // DAY).astype("datetime64[D]")
    return days.astype(f"datetime64[{grain[0].upper()}]").astype(np.int64)


LENGTHS = {"second": 1, "minute": 60, "hour": 3600, "day": DAY}
GRAINS = (*LENGTHS, "month", "year")
