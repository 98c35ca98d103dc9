"""Named days: the name of a month in English, days in Chinese, and days of ISO weeks, as plain dates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.queries.bounds import IntArray
from discreet.rows.cells import Mask

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
YEAR, DAY, REST = r"(?P<year>[0-9]{4})", r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?", r"(?P<rest>(?:[T ,].*)?)"
NAMED = (
    rf"^{DAY}\.?[-/ ]?{NAME}[-/ ]?{YEAR}{REST}$",
    rf"^{NAME}[-/ ]?{DAY},?[-/ ]{YEAR}{REST}$",
    rf"^{YEAR}[-/ ]{NAME}[-/ ]{DAY}{REST}$",
    rf"^{NAME}[-/ ]{YEAR}$",
)
CHINESE = rf"^{YEAR} ?年 ?(?P<month>[0-9]{{1,2}}) ?月 ?(?:(?P<day>[0-9]{{1,2}}) ?[日号])?(?P<rest>(?: .*)?)$"
WEEK = rf"^{YEAR}-?W(?P<week>[0-9]{{2}})-?(?P<weekday>[1-7])$"


def plain(cells: pa.Array) -> pa.Array:
    """Return texts as dates with the year in front; what is written otherwise is nothing."""
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
    """Return the days of weeks that begin on Monday, of which the first has the year's first Thursday."""
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
    """Return so many days: numbers without a unit are not added to days any more."""
    return np.asarray(number).astype("timedelta64[D]")


def _joined(pieces: pa.Array, parts: list[pa.Array], rest: pa.Array | None) -> pa.Array:
    date = pc.binary_join_element_wise(*parts, _sign("-"))
    whole = date if rest is None else pc.binary_join_element_wise(date, rest, _sign(""))
    return pc.if_else(pieces.is_valid(), whole, _sign(None))


def number(digits: pa.Array) -> IntArray:
    """Return texts of digits as whole numbers; no digits are zero."""
    filled = pc.utf8_lpad(pc.fill_null(digits, ""), 1, "0")
    return np.asarray(filled.cast(pa.int64()))


def _sign(sign: str | None) -> pa.Scalar:
    return pa.scalar(sign, pa.large_string())


def _place(form: str, name: str) -> int:
    """Return which group of a form has a name."""
    return form[: form.index(f"?P<{name}>")].count("?P<")
