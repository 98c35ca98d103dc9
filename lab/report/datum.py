"""Datum: one released number as a publication prints it, with its interval and what may be said of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import Any

from discreet.curator.released import Release
from discreet.curator.request import Request
from discreet.lab.report.by_group import numbers
from discreet.lab.report.dated import told_apart, written
from discreet.lab.report.fitting_digits import fitted, outward, unsure
from discreet.lab.report.meaning import numbers_of, rank_error
from discreet.mechanisms.measured import Interval
from discreet.rows.schema import Schema

NEARLY = 0.9  # of all that an answer can be, by what is declared: an interval that wide tells too little


@dataclass(frozen=True)
class Datum:
    """A number, a date or a name, or a refusal, of one group and one part of a question.

    `answer` and `interval` are as they were released; `text` and `ends` are how they are printed, as dates
    where the column has dates, with the digits that the interval allows. `vague` is one whose interval leaves
    nearly nothing out: it is not printed. `whole` is a count made whole and not negative afterwards.
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
        """About how many rows it is of, as it is printed: whole, and not below 0."""
        return max(0, round(self.size or 0.0))

    @property
    def place(self) -> float | None:
        """Where it lies on an axis, if it is printed and is a number."""
        shown = not self.vague and isinstance(self.answer, (int, float)) and not isinstance(self.answer, bool)
        return float(self.answer) if shown and math.isfinite(self.answer) else None


def data(release: Release, schema: Schema) -> tuple[Datum, ...]:
    """Return every number of a release: of each group, and of each part of an answer of several."""
    request, sizes = release.request, _sizes(release)
    names, levels = numbers_of(request, schema), _levels(request, schema)
    ranks = rank_error(request, schema)
    every = []
    for group, answer, interval in numbers(release):
        place = levels.get(group, (group,) if group else ())
        if not isinstance(answer, tuple):
            every.append(_datum(request, schema, (place, ""), (answer, interval), ranks, sizes.get(group)))
            continue
        for at, value in enumerate(answer):
            name = names[at] if at < len(names) else str(at + 1)
            span = interval[at] if interval else None
            rank = ranks[at] if isinstance(ranks, tuple) else ranks
            every.append(_datum(request, schema, (place, name), (value, span), rank))
    return tuple(every)


def counted(request: Request) -> bool:
    """Say whether the numbers of an answer are numbers of rows."""
    return bool(request.mechanism.view.unit("") == "rows")


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
    ends = None if interval is None else _ends(request, schema, interval)
    text = "" if answer is None else _text(request, schema, answer, interval)
    vague = answer is not None and interval is not None and _vague(request, schema, interval)
    count = counted(request) and isinstance(answer, (int, float))
    whole = max(0, round(answer)) if count and math.isfinite(answer) else None
    return Datum(*name, answer, interval, text, ends, rank, size, vague, whole)


def _text(request: Request, schema: Schema, answer: Any, interval: Any) -> str:
    words = written(request, schema, answer)
    if isinstance(words, str):
        return words
    return unsure(words) if interval is None else fitted(words, (interval[1] - interval[0]) / 2)


def _ends(request: Request, schema: Schema, interval: Interval) -> tuple[str, str]:
    if told_apart(request, schema) is not None and request.mechanism.view.place:
        low, high = written(request, schema, tuple(interval))
        return low, high
    return outward(*interval)


def _vague(request: Request, schema: Schema, interval: Interval) -> bool:
    """Say whether an interval leaves less than a tenth out of what an answer can be, by what is declared."""
    low, high = request.mechanism.view.range(request.public(schema).bounds)
    return math.isfinite(high - low) and interval[1] - interval[0] >= NEARLY * (high - low)
