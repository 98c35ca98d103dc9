"""Numbers: one released number with its interval, with as many digits as its error allows, group by group."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext
from itertools import product
from types import MappingProxyType
from typing import Any

from discreet.curator.request import Request
from discreet.curator.result import Release
from discreet.mechanisms.laws.law import Interval, is_vague
from discreet.report.words import counted, numbers_of, rank_error, told_apart, written
from discreet.rows.schema import Schema

# --- By group: the answer of each group of a release, with its interval ---


def numbers(release: Release) -> list[tuple[str, Any, Any]]:
    """Return (group, answer, interval) for every group, one without a name if there are none."""
    if not release.request.groups or not isinstance(release.answer, tuple):
        return [("", release.answer, release.interval)]
    intervals = dict(release.interval or ())
    return [(level, answer, intervals.get(level)) for level, answer in release.answer]


# --- Digits: a number is printed with as many digits as its error allows, and its interval never narrower ---

DIGITS = 2  # of the error; its last digit is the last one of the number
UNSURE = 4  # digits of a number with unknown error
FINEST = 15  # digits of a number at most: those of a double
LARGE = 1e15  # from here on powers of ten are printed


def last_place(value: float, error: float) -> int:
    """Return the power of ten of the last digit that a number with this error is printed with."""
    return max(_power(error) - DIGITS + 1, _power(value) - FINEST + 1)


def _place(value: float, error: float, *ends: float, whole: bool = False) -> int:
    """Return `last_place`, but without decimals if everything printed is integer: years, rows, ages."""
    place = last_place(value, error)
    return max(place, 0) if whole or all(end == round(end) for end in ends if math.isfinite(end)) else place


def fitted(value: float, error: float, whole: bool = False, ends: Interval | None = None) -> str:
    """Print a number whose interval has half width `error`; one without error gets all of its digits.

    A `whole` one is a count: it has no decimals, whatever its noise. Beside its `ends` it has as many as they have.
    """
    if error > 0:
        return _printed(value, _place(value, error, value, *(ends or (2 * error,)), whole=whole), ROUND_HALF_EVEN)
    return _printed(value, 0, ROUND_HALF_EVEN) if whole else f"{value:,.{FINEST}g}"


def outward(low: float, high: float, whole: bool = False, beside: float = 0.0) -> tuple[str, str]:
    """Print the ends of an interval; rounding moves them outwards, so that it remains valid.

    They have decimals if the number `beside` them has.
    """
    if low == high and not whole:
        return fitted(low, 0), fitted(high, 0)
    place = _place(max(abs(low), abs(high)), (high - low) / 2, low, high, beside, whole=whole)
    return _printed(low, place, ROUND_FLOOR), _printed(high, place, ROUND_CEILING)


def unsure(value: float) -> str:
    """Print a number without an interval: integers with all digits, others with four digits or no decimals."""
    whole = abs(value) < LARGE and value == round(value)
    return _printed(value, 0 if whole else min(_power(value) - UNSURE + 1, 0), ROUND_HALF_EVEN)


def in_steps(value: float, step: float) -> str:
    """Print a tick of an axis with the digits of its steps."""
    return _printed(value, min(_power(step), 0), ROUND_HALF_EVEN)


def _power(value: float) -> int:
    """Return the power of ten of the first digit."""
    return math.floor(math.log10(abs(value))) if value and math.isfinite(value) else 0


def _printed(value: float, place: int, rounding: str) -> str:
    if not math.isfinite(value):
        return str(value)
    with localcontext(prec=400):
        digits = Decimal(value).quantize(Decimal(1).scaleb(place), rounding) + 0  # no minus before a zero
        return f"{digits:E}" if place < -FINEST or abs(value) >= LARGE else f"{digits:,f}"


# --- Signs: how a language writes a printed number, and back ---

ENGLISH = "en"
SIGNS: Mapping[str, tuple[str, str]] = MappingProxyType(  # between thousands, and before decimals
    {ENGLISH: (",", "."), "de": (".", ","), "fr": ("\u202f", ",")}
)
NUMBER = re.compile(r"-?\d[\d,]*(\.\d+)?(E[+-]?\d+)?")


def spelled(text: str, signs: str, before: str = ENGLISH) -> str:
    """Write a printed number with the signs of another language; other texts stay."""
    english = _translated(text, before, ENGLISH)
    return _translated(english, ENGLISH, signs) if NUMBER.fullmatch(english) else text


def value_of(text: str, signs: str) -> Decimal | None:
    """Read a printed number, to its last printed digit; None if it is a date or a name."""
    english = _translated(text, signs, ENGLISH)
    return Decimal(english.replace(",", "")) if NUMBER.fullmatch(english) else None


def _translated(text: str, before: str, after: str) -> str:
    return text.translate(dict(zip(map(ord, SIGNS[before]), SIGNS[after], strict=True)))


# --- Datum: one released number as a publication prints it, with its interval and notes ---


@dataclass(frozen=True)
class Datum:
    """A number, a date or a name, or a refusal, of one group and one part of a query.

    `answer` and `interval` are as released; `text` and `ends` are as printed: as dates if the column has dates, with
    the digits that the interval allows. If the margin of error is at least the share of the range that a plan warns
    of, the datum is `vague` and not printed. `whole` is a count rounded to a non-negative integer afterwards.
    """

    levels: tuple[str, ...]
    part: str
    answer: Any
    interval: Interval | None
    text: str
    ends: tuple[str, str] | None
    rank: int | None = None
    size: float | None = None
    vague: bool = False
    whole: int | None = None

    @property
    def refused(self) -> bool:
        """Whether there is no answer."""
        return self.answer is None

    @property
    def rows(self) -> int:
        """The printed number of rows behind it: an integer, and not below 0."""
        return max(0, round(self.size or 0.0))

    @property
    def place(self) -> float | None:
        """The position on an axis, if it is printed and is a number."""
        shown = not self.vague and isinstance(self.answer, (int, float)) and not isinstance(self.answer, bool)
        return float(self.answer) if shown and math.isfinite(self.answer) else None

    def spelled(self, signs: str, before: str) -> Datum:
        """Return it with its number written in the signs of a language; a date or a name stays as it is."""
        if isinstance(self.answer, str):
            return self
        low, high = (spelled(end, signs, before) for end in self.ends or ("", ""))
        return replace(self, text=spelled(self.text, signs, before), ends=self.ends and (low, high))


def data(release: Release, schema: Schema) -> tuple[Datum, ...]:
    """Return every number of a release: of each group, and of each part of an answer with several."""
    request = release.request
    sizes = _sizes(release)
    names = numbers_of(request, schema)
    levels = _levels(request, schema)
    ranks = rank_error(request, schema)
    every = []
    for group, answer, interval in numbers(release):
        place = levels.get(group, (group,) if group else ())
        if not isinstance(answer, tuple):
            every.append(_datum(request, schema, (place, ""), (answer, interval), ranks, sizes.get(group)))
            continue
        for at, value in enumerate(answer):
            if value is None:
                continue  # a band that is narrower than those of its group
            name = names[at] if at < len(names) else str(at + 1)
            span = interval[at] if interval else None
            rank = ranks[at] if isinstance(ranks, tuple) else ranks
            every.append(_datum(request, schema, (place, name), (value, span), rank))
    return tuple(every)


def rows_behind(release: Release, schema: Schema) -> int | None:
    """Return the number of rows that a result is about, where it released this number; None where it did not."""
    every = data(release, schema)
    if every and release.request.mechanism.view.nested:
        every = tuple(datum for datum in every if datum.part == every[0].part)  # the widest: all rows of a group
    sizes = [datum.place if counted(release.request) else datum.size for datum in every]
    known = [size for size in sizes if size is not None]
    return max(0, round(sum(known))) if every and len(known) == len(every) else None


def _sizes(release: Release) -> dict[str, Any]:
    return dict(release.size or ()) if release.request.groups else {"": release.size}


def _levels(request: Request, schema: Schema) -> dict[str, tuple[str, ...]]:
    """Return the levels of each crossed group by its name."""
    crossed = product(*(schema.category(name).labels for name in request.groups))
    return dict(zip(schema.crossed(request.groups), crossed, strict=True)) if request.groups else {}


def _datum(
    request: Request,
    schema: Schema,
    name: tuple[tuple[str, ...], str],
    drawn: tuple[Any, Any],
    rank: int | None,
    size: float | None = None,
) -> Datum:
    answer, interval = drawn
    ends = None if interval is None else _ends(request, schema, answer, interval)
    text = "" if answer is None else _text(request, schema, answer, interval)
    vague = answer is not None and interval is not None and too_noisy(request, schema, (interval[1] - interval[0]) / 2)
    count = counted(request) and isinstance(answer, (int, float))
    whole = max(0, round(answer)) if count and math.isfinite(answer) else None
    return Datum(*name, answer, interval, text, ends, rank, size, vague, whole)


def _text(request: Request, schema: Schema, answer: Any, interval: Any) -> str:
    words = written(request, schema, answer)
    if isinstance(words, str):
        return words
    count = counted(request)
    if interval is None:
        return unsure(round(words) if count and math.isfinite(words) else words)
    return fitted(words, (interval[1] - interval[0]) / 2, count, interval)


def _ends(request: Request, schema: Schema, answer: Any, interval: Interval) -> tuple[str, str]:
    if told_apart(request, schema) is not None and request.mechanism.view.place:
        low, high = written(request, schema, tuple(interval))
        return low, high
    beside = answer if isinstance(answer, (int, float)) else 0.0
    return outward(*interval, whole=counted(request), beside=beside)


def too_noisy(request: Request, schema: Schema, margin: float) -> bool:
    """Return whether a margin is as large a part of the declared range of an answer as a plan warns of."""
    low, high = request.mechanism.view.range(request.public(schema).bounds)
    return is_vague(margin, high - low)
