"""SVG figures: dots and bars with their intervals and strips of quantiles, drawn for a report that needs no program."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby

from discreet.budget import Phrase
from discreet.lab.report.axis import Axis, axis
from discreet.lab.report.dated import place_names
from discreet.lab.report.datum import Datum
from discreet.lab.report.fitting_digits import in_steps
from discreet.lab.report.markup import Markup, joined, tag
from discreet.lab.report.publication import Chapter
from discreet.rows.schema import BETWEEN

WIDTH, EDGE, MARGIN, LINE, LETTER = 400, 14, 4, 40, 7  # of a drawing, its axis, its words, a line, and a letter
MOST_DRAWN = 60
Say = Callable[..., str]


def figure(chapter: Chapter, say: Say) -> Markup | None:
    """Draw the numbers of a question; None where there is nothing to compare or nothing on an axis."""
    lines = lines_of(chapter)[:MOST_DRAWN]
    values = [place for line in lines for datum in line for place in _reach(datum)]
    scale = axis(values, zero=chapter.counts)
    if scale is None or sum(datum.place is not None for line in lines for datum in line) < 2:
        return None
    drawn = [_line(chapter, line, at, scale, say) for at, line in enumerate(lines)]
    height = LINE * len(lines) + 34
    box = {"viewBox": f"0 0 {WIDTH} {height}", "role": "img", "aria_label": _words(chapter, lines, say)}
    return tag("svg", _grid(chapter, scale, height), *drawn, class_="figure", **box)


def lines_of(chapter: Chapter) -> list[tuple[Datum, ...]]:
    """Return what is drawn in one line: the quantiles of a group, else each number by itself."""
    if not chapter.strips:
        return [(datum,) for datum in chapter.data]
    return [tuple(group) for _, group in groupby(chapter.data, key=lambda datum: datum.levels)]


def _reach(datum: Datum) -> list[float]:
    if datum.place is None:
        return []
    return [datum.place, *(datum.interval or ())]


def _words(chapter: Chapter, lines: Sequence[tuple[Datum, ...]], say: Say) -> str:
    return say(
        "{what}: {number} numbers with their intervals.", what=say(chapter.statistic), number=sum(map(len, lines))
    )


def _grid(chapter: Chapter, scale: Axis, height: int) -> Markup:
    """Draw the places of the axis, with their names below."""
    shown = place_names(chapter.release.request, chapter.schema) or partial(in_steps, step=scale.step)
    every, room = [], (WIDTH - 2 * EDGE) / len(scale.places)
    apart = max(1, math.ceil(1.6 * max(_width(shown(place)) for place in scale.places) / room))
    for place in scale.places[::apart]:
        x = _x(scale, place)
        every.append(tag("line", x1=x, x2=x, y1=4, y2=height - 26, class_="grid"))
        every.append(tag("text", shown(place), x=x, y=height - 10, class_="place", text_anchor=_anchor(scale, place)))
    return joined(*every)


def _anchor(scale: Axis, place: float) -> str:
    """Return how a name stands to its place, so that none is cut at an end."""
    share = scale.at(place)
    return "start" if share < 0.05 else "end" if share > 0.95 else "middle"


def _x(scale: Axis, value: float) -> float:
    return round(EDGE + scale.at(value) * (WIDTH - 2 * EDGE), 1)


def _line(chapter: Chapter, line: tuple[Datum, ...], at: int, scale: Axis, say: Say) -> Markup:
    """Draw one line: its name and its number above, and where that lies below."""
    top = LINE * at
    text = number(line[0], say) if len(line) == 1 else " – ".join(datum.text for datum in (line[0], line[-1]))
    name = _elided(name_of(line, say), WIDTH - 2 * MARGIN - _width(text) - 12)
    words = [
        tag("text", name, x=MARGIN, y=top + 17, class_="name"),
        tag("text", text, x=WIDTH - MARGIN, y=top + 17, class_="number", text_anchor="end"),
    ]
    return tag("g", *words, *(_mark(chapter, datum, top + 29, scale) for datum in line), _strip(line, top + 29, scale))


def number(datum: Datum, say: Say) -> str:
    """Say a number, or why none is printed."""
    if datum.refused:
        return say("refused")
    return say("too few to tell") if datum.vague else datum.text


def name_of(line: tuple[Datum, ...], say: Say) -> str:
    """Name a line by its group, and by its part where it has but one."""
    part = (part_name(line[0], say),) if len(line) == 1 and line[0].part else ()
    return BETWEEN.join((*line[0].levels, *part))


def part_name(datum: Datum, say: Say) -> str:
    """Name a part: a statistic in the language of the reader, a level as somebody declared it."""
    return say(datum.part) if isinstance(datum.part, Phrase) else datum.part


def _mark(chapter: Chapter, datum: Datum, y: int, scale: Axis) -> Markup:
    """Draw a number with its interval: from 0 on where it counts rows."""
    if datum.place is None:
        return Markup()
    x, marks = _x(scale, datum.place), []
    if chapter.counts:
        start = _x(scale, 0.0)
        marks.append(tag("rect", x=min(start, x), y=y - 5, width=round(abs(x - start), 1), height=10, class_="bar"))
    if datum.interval is not None:
        low, high = (_x(scale, end) for end in datum.interval)
        marks.append(tag("path", d=f"M{low} {y}H{high}M{low} {y - 5}V{y + 5}M{high} {y - 5}V{y + 5}", class_="reach"))
    return joined(*marks, tag("circle", cx=x, cy=y, r=4, class_="dot"))


def _strip(line: tuple[Datum, ...], y: int, scale: Axis) -> Markup:
    """Draw from the first to the last quantile of a line."""
    places = [datum.place for datum in line if datum.place is not None]
    if len(places) < 2:
        return Markup()
    return tag("path", d=f"M{_x(scale, min(places))} {y}H{_x(scale, max(places))}", class_="strip")


def _width(text: str) -> int:
    return LETTER * sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)


def _elided(text: str, room: int) -> str:
    """Cut a name that is too long; the table has the whole of it."""
    if _width(text) <= room:
        return text
    while text and _width(text) > room - LETTER:
        text = text[:-1]
    return f"{text}…"
