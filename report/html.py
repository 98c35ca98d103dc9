"""HTML: a publication as one file without scripts, with its style, figures and tables."""

from __future__ import annotations

import html
import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from discreet.budget import Cost, Phrase
from discreet.report.numbers import Datum, in_steps, spelled, unsure
from discreet.report.publication import WARNINGS, Block, Chapter, Publication, Rule, blocks
from discreet.report.words import place_names, size_label
from discreet.rows.schema import BETWEEN

# --- Markup: HTML and SVG built from tags, so that no user's text becomes a tag ---


class Markup(str):
    """Text that is already markup, because `tag` or `joined` made it."""


def tag(name: str, *inner: str | None, **attributes: object) -> Markup:
    """Return an element; content that is not markup is escaped, and attributes are quoted.

    A trailing `_` of an attribute's name is removed (for Python keywords), other `_` become hyphens; None omits the
    attribute.
    """
    written = (
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{''.join(written)}>{joined(*inner)}</{name}>")


def joined(*inner: str | None) -> Markup:
    """Concatenate pieces; content that is not markup is escaped."""
    return Markup("".join(each if isinstance(each, Markup) else html.escape(each) for each in inner if each))


# --- Report style: how a report looks in light, in dark, on a phone and on A4; it refers to no other file ---

STYLE = """
:root{color-scheme:light dark;--ink:#0e1216;--soft:#4b555e;--paper:#ffffff;--line:#c9d1d8;--mark:#0b6e66;
--warn:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#f0f2f4;--soft:#b3bcc5;--paper:#0e1216;--line:#3b454e;--mark:#4fc3b7;
--warn:#f28b82}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:52rem;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.2rem;line-height:1.3;margin:2.2rem 0 .3rem;border-top:1px solid var(--line);padding-top:1rem}
p{margin:.4rem 0}
.quiet{color:var(--soft);font-size:.9rem}
ul{margin:.4rem 0;padding-left:1.2rem}
.wide{overflow-x:auto;margin:.8rem 0}
table{border-collapse:collapse;width:100%;font-size:.92rem;overflow-wrap:normal}
th,td{padding:.3rem .55rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
td.figures{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
th.figures{text-align:right}
td small{display:block;color:var(--ink)}
tfoot th,tfoot td{border-top:2px solid var(--line);font-weight:600}
details{margin:.4rem 0}
summary{cursor:pointer;color:var(--mark)}
.status{border:2px solid var(--warn);border-radius:8px;padding:.5rem .8rem;color:var(--warn)}
"""

PRINT = """
@page{size:A4;margin:20mm 18mm;@top-left{font:9pt system-ui,sans-serif;color:#333}
@top-right{font:9pt system-ui,sans-serif;color:#333}@bottom-right{font:9pt system-ui,sans-serif;color:#333}}
@media print{:root{color-scheme:light;--ink:#000;--soft:#333;--paper:#fff;--line:#999;--mark:#0b6e66;
--warn:#b3261e}
body{font-size:10.5pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}
main{max-width:none;padding:0}
.wide{overflow:visible}
.fig,tr{break-inside:avoid}
h1,h2,summary{break-after:avoid}
details::details-content{content-visibility:visible;block-size:auto}
summary{list-style:none}
details.again:not([open]){display:none}
thead{display:table-header-group}
tfoot{display:table-row-group}}
"""
LONGEST_HEAD = 70  # characters of a line at the edge of a printed page


# --- Axis: a range of numbers, its ticks, and the position of a number on it ---

STEPS = (1, 2, 5, 10)
MOST = 5  # intervals between ticks


@dataclass(frozen=True)
class Axis:
    """An axis from one round number to another."""

    low: float
    high: float
    step: float

    def at(self, value: float) -> float:
        """Return the position of a number, from 0 to 1; numbers beyond an end are at that end."""
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)

    @property
    def places(self) -> list[float]:
        """The round numbers."""
        count = round((self.high - self.low) / self.step)
        return [self.low + self.step * at for at in range(count + 1)]


def axis(values: Iterable[float], zero: bool) -> Axis | None:
    """Return an axis that covers all numbers, and 0 if `zero`; None without numbers."""
    numbers = [*values, *([0.0] if zero else [])]
    if not numbers or not all(map(math.isfinite, numbers)) or len(numbers) == zero:
        return None
    low = min(numbers)
    high = max(numbers)
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        low, high = (low - 1, high + 1) if not low else (low - abs(low) / 10, high + abs(high) / 10)
    step = round_step((high - low) / MOST)
    return Axis(math.floor(low / step) * step, math.ceil(high / step) * step, step)


def round_step(least: float) -> float:
    """Return the smallest 1, 2 or 5 times a power of ten that is at least `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * step for step in STEPS if power * step >= least * (1 - 1e-9))


# --- Figures: elements placed in percent, as wide as a page, a card or a phone, with text that is never scaled ---

MOST_DRAWN = 60
FEW = 3  # numbers of a line that are all written
WIDE = 24  # characters of numbers that stand side by side
SHADES = 7  # of a heat map, each with 8% more of the result's colour: text is readable on all of them
Say = Callable[..., str]
FIGURES = """
.fig{container-type:inline-size;margin:.6rem 0;font-size:.875rem;line-height:1.3;color:var(--ink);
font-variant-numeric:tabular-nums}
.fig figcaption,.fig .tick{color:var(--soft);font-size:.8125rem}
.fig i{position:absolute;display:block}
.fig strong{font-weight:600}
.fig .rows{display:grid;grid-template-columns:fit-content(40%) minmax(4rem,1fr) max-content;column-gap:.6rem;
align-items:center}
.fig .name{text-align:right;overflow-wrap:anywhere}
.fig .name small{display:block;color:var(--soft);font-size:.8125rem}
.fig .number{text-align:right}
.fig .number small{display:block;font-weight:400;font-size:.8125rem}
.fig .each{display:block}
.fig .number.none{font-weight:400;color:var(--soft);max-width:6rem}
.fig .track{position:relative;min-height:1.75rem;align-self:stretch;
background:linear-gradient(var(--line),var(--line)) center/100% 1px no-repeat}
.fig .ticks{position:relative;height:1.3rem;margin-top:.15rem}
.fig .ticks .tick{position:absolute;transform:translateX(-50%);white-space:nowrap}
.fig .ticks .first{transform:none}
.fig .ticks .last{transform:translateX(-100%)}
.fig .rows .ticks .last{transform:translateX(-50%)}
.fig .below{text-align:center}
.fig .band{top:calc(50% - .5rem);height:1rem;border-inline:1.5px solid var(--mark);
background:color-mix(in srgb,var(--mark) 28%,transparent)}
.fig .strip{top:calc(50% - 1.5px);height:3px;background:var(--mark)}
.fig .dot{width:9px;height:9px;margin:-4.5px 0 0 -4.5px;top:50%;border-radius:50%;background:var(--mark)}
.fig .plot{display:grid;grid-template-columns:max-content minmax(0,1fr);column-gap:.5rem;margin-top:1.7rem}
.fig .scale{position:relative;text-align:right}
.fig .scale .tick{position:absolute;right:0;transform:translateY(50%);white-space:nowrap}
.fig .scale .tick.room{position:static;visibility:hidden}
.fig .canvas{position:relative;height:11rem}
.fig .grid{left:0;right:0;border-top:1px solid var(--line)}
.fig .bar{bottom:0;border-top:2px solid var(--mark);background:color-mix(in srgb,var(--mark) 45%,var(--paper))}
.fig .reach{width:9px;margin-left:-4.5px;border-block:1.5px solid var(--mark);
background:linear-gradient(var(--mark),var(--mark)) center/1.5px 100% no-repeat}
.fig .canvas .number{position:absolute;transform:translate(-50%,-3px);padding:0 2px;background:var(--paper);
white-space:nowrap}
.fig .ended{grid-template-columns:max-content minmax(0,1fr) max-content}
.fig .end{position:relative}
.fig .end strong{position:absolute;left:0;transform:translateY(50%)}
.fig .end .room{position:static;visibility:hidden}
.fig .area{inset:0;background:color-mix(in srgb,var(--mark) 28%,transparent)}
.fig .line{inset:0;background:var(--mark)}
.fig table{border-collapse:separate;border-spacing:2px;width:100%;font-size:.875rem}
.fig .wide{overflow-x:auto;margin:0}
.fig :is(th,td){padding:.3rem .5rem;border:0;text-align:left;font-weight:400;white-space:nowrap}
.fig :is(th,td).figures{text-align:right}
.fig td small{display:block;font-size:.75rem}
@container (max-width:30rem){.fig :is(.over30,.over44){display:none}}
@container (max-width:44rem){.fig .over44{display:none}}
""" + "".join(f".heat{at}{{background:color-mix(in srgb,var(--mark) {at * 8}%,transparent)}}\n" for at in range(SHADES))


def number(datum: Datum, say: Say) -> str:
    """Return the text of a number, or why it is not printed."""
    if datum.refused:
        return say("no result")
    return say("not shown (too noisy)") if datum.vague else datum.text


Marks = Callable[[Datum, Say], str]  # how a number is written: with a mark of its quality, if a rule was chosen
Shown = Callable[[float], str]
NO_MARKS: Marks = number


POOR = "( )"  # the mark of a number that is in brackets


def quality(datum: Datum, rule: Rule) -> str:
    """Return the mark of a number's quality, as official tables have it.

    Half the interval over the value is at most the first number of the rule: a; at most the second: b; else it is in
    brackets. A number without an interval, or without a plain place on an axis, has no mark.
    """
    if datum.place is None or datum.interval is None:
        return ""
    half = (datum.interval[1] - datum.interval[0]) / 2
    good, fair = (share * abs(datum.place) for share in rule)
    return "a" if half <= good else "b" if half <= fair else POOR


def marked(datum: Datum, say: Say, rule: Rule) -> str:
    """Return the text of a number with the mark of its quality."""
    text = number(datum, say)
    mark = quality(datum, rule)
    return f"({text})" if mark == POOR else f"{text} {mark}".rstrip()


def rule_words(rule: Rule) -> Phrase:
    """Return what the marks of a rule mean."""
    good, fair = (f"{100 * share:g}" for share in rule)
    return Phrase("a: up to {good}%, b: up to {fair}%, in brackets: more", good=good, fair=fair)


def marks_of(chapter: Chapter, rule: Rule | None) -> list[str]:
    """Return the marks of all numbers of a query: none without a rule, and none of a date, which has no size."""
    dated = place_names(chapter.release.request, chapter.schema) is not None
    return ["" if rule is None or dated else quality(each, rule) for each in chapter.data]


def figure(chapter: Chapter, say: Say, marks: Marks = NO_MARKS) -> Markup | None:
    """Draw the numbers of a query in the form that fits them; None if nothing is on an axis.

    The element has no size of its own, so it is the same on a screen, on a phone and on paper. Its description stands
    for all of it: the numbers themselves are in the table beside it.
    """
    if not any(datum.place is not None for datum in chapter.data):
        return None
    if place_names(chapter.release.request, chapter.schema) is not None:
        marks = NO_MARKS  # a date has no size
    drawn = {"map": _map, "bars": _bars, "line": _line}.get(chapter.form, _rows)(chapter, say, marks)
    words = say("{what}: {number} values with their intervals.", what=say(chapter.statistic), number=len(chapter.data))
    if len(chapter.data) == 1:
        words = say("{what}: one value with its interval.", what=say(chapter.statistic))
    read = None if chapter.form == "map" else "img"  # a table is read cell by cell
    return tag("figure", drawn, class_="fig", role=read, aria_label=words)


def _map(chapter: Chapter, say: Say, marks: Marks) -> Markup:
    heat = heat_map(chapter, say, marks)
    return scrolled(heat, say("Heat map of: {title}", title=axis_title(chapter, say)))


def axis_title(chapter: Chapter, say: Say) -> str:
    """Return what an axis counts: the statistic and its columns, with the unit."""
    if chapter.counts:
        return say(chapter.unit)
    return say(chapter.short)


def lines_of(chapter: Chapter) -> list[tuple[Datum, ...]]:
    """Return what is drawn on each line: the quantiles of a group, or a single number; the largest first, if sorted."""
    if chapter.strips:
        return [tuple(group) for _, group in groupby(chapter.data, key=lambda datum: datum.levels)]
    every = list(chapter.data)
    if chapter.form == "sorted":
        every.sort(key=lambda datum: -math.inf if datum.place is None else datum.place, reverse=True)
    return [(datum,) for datum in every]


def rows(lines: Sequence[tuple[Sequence[str], Sequence[Datum], str]], scale: Axis, shown: Shown, title: str) -> Markup:
    """Draw lines: their names, their dots on their intervals, and their numbers in a column of their own.

    A name has one part or more, each on a line of its own; several dots of a line are joined.
    """
    cells = []
    for name, every, text in lines:
        first, *more = name or ("",)
        places = [datum.place for datum in every if datum.place is not None]
        bands = [_band(datum.interval, scale) for datum in every if datum.place is not None and datum.interval]
        joint = _across("strip", min(places), max(places), scale) if len(places) > 1 else None
        dots = (tag("i", class_="dot", style=f"left:{_percent(scale, place)}") for place in places)
        cells.append(tag("span", first, *(tag("small", each) for each in more), class_="name"))
        cells.append(tag("span", *bands, joint, *dots, class_="track"))
        cells.append(tag("strong", text, class_="number" if places else "number none"))
    below = tag("span", *_ticks(scale, shown, "left"), class_="ticks")
    empty = tag("span")
    return joined(tag("div", *cells, empty, below, empty, class_="rows"), tag("figcaption", title, class_="below"))


def _rows(chapter: Chapter, say: Say, marks: Marks) -> Markup:
    lines = lines_of(chapter)[:MOST_DRAWN]
    values = [place for line in lines for datum in line for place in _reach(datum)]
    scale = _axis(values, chapter.counts)
    drawn = []
    for line in lines:
        texts = [marks(datum, say) for datum in line]
        ends = texts if len(texts) <= FEW else [texts[0], "…", texts[-1]]
        text = " · ".join(ends)
        if len(ends) > 1 and len(text) > WIDE:  # one below the other: on a phone the dots need their room
            text = joined(*(tag("span", each, class_="each") for each in ends))
        drawn.append(((name_of(line, say),), line, text))
    if len(drawn) == 1 and len(lines[0]) == 1 and lines[0][0].ends:
        name, line, text = drawn[0]
        drawn = [(name, line, joined(text, tag("small", " – ".join(lines[0][0].ends))))]
    return rows(drawn, scale, _names(chapter, scale), axis_title(chapter, say))


def _names(chapter: Chapter, scale: Axis) -> Shown:
    """Return how the places of an axis of results are written."""
    return chapter.ticks(scale.step)


def _axis(values: Sequence[float], zero: bool) -> Axis:
    scale = axis(values, zero)
    assert scale is not None  # `figure` draws only what has a place
    return scale


def _reach(datum: Datum) -> list[float]:
    if datum.place is None:
        return []
    return [datum.place, *(end for end in datum.interval or () if math.isfinite(end))]


def _percent(scale: Axis, value: float) -> str:
    return f"{100 * scale.at(value):.2f}%"


def _across(kind: str, low: float, high: float, scale: Axis) -> Markup:
    """Draw something from one place of a horizontal axis to another."""
    width = 100 * (scale.at(high) - scale.at(low))
    return tag("i", class_=kind, style=f"left:{_percent(scale, low)};width:{width:.2f}%")


def _band(interval: Sequence[float], scale: Axis) -> Markup:
    return _across("band", interval[0], interval[1], scale)


PHONE, CARD = 150, 300  # pixels that an axis has at least: on a phone, and on a wider screen
LETTER = 8
LONG = 5  # characters of a label that would be cut at an end of an axis


def _ticks(scale: Axis, shown: Shown, side: str) -> Iterator[Markup]:
    """Yield the labels of an axis; those for which a phone has no room are marked."""
    names = [shown(place) for place in scale.places]
    if side == "bottom":
        yield tag("span", max(names, key=_width), class_="tick room")
        narrow = wide = 1
    else:
        narrow, wide = thinned(names, PHONE, CARD, least=3)
    for at, (place, name) in enumerate(zip(scale.places, names, strict=True)):
        if at % wide == 0:
            kind = "tick" if at % narrow == 0 else "tick over30"
            long = side == "left" and len(name) >= LONG
            end = "" if not long or 0.1 < scale.at(place) < 0.9 else " first" if scale.at(place) < 0.5 else " last"
            yield tag("span", name, class_=kind + end, style=f"{side}:{_percent(scale, place)}")


def thinned(names: Sequence[str], phone: int, card: int, least: int = 2) -> tuple[int, int]:
    """Return that every n-th label is written on a phone and on a card: evenly on both, and `least` if there are more.

    Four labels may be thinned to two.
    """
    gaps = len(names) - 1
    most = gaps if len(names) == least + 1 else max(1, gaps // (least - 1))
    wide = min(apart(names, card), most)
    steps = math.ceil(min(apart(names, phone), most) / wide)
    return wide * min(steps, max(1, most // wide)), wide


def apart(names: Sequence[str], room: int) -> int:
    """Return that every n-th of these labels has room beside the others."""
    return max(1, math.ceil(len(names) * (max(map(_width, names)) + 2 * LETTER) / room))


def _width(text: str) -> int:
    return LETTER * sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)


# Upright figures: bars of bins, and a line of dates; the values are on the vertical axis.


def _upright(
    chapter: Chapter, say: Say, scale: Axis, drawn: Iterable[Markup], names: Sequence[Markup], end: Markup | None = None
) -> Markup:
    """Put the scale to the left of what is drawn, the names below it, and the last number to the right of it."""
    grid = (tag("i", class_="grid", style=f"bottom:{_percent(scale, place)}") for place in scale.places)
    title = tag("figcaption", ", ".join(chapter.groups or chapter.columns), class_="below")
    rest = () if end is None else (tag("span"),)
    cells = [
        tag("span", *_ticks(scale, _names(chapter, scale), "bottom"), class_="scale"),
        tag("div", *grid, *drawn, class_="canvas"),
        *(() if end is None else (end,)),
        *(tag("span"), tag("span", *names, class_="ticks"), *rest),
        *(tag("span"), title, *rest),
    ]
    plot = tag("div", *cells, class_="plot" if end is None else "plot ended")
    return joined(tag("figcaption", axis_title(chapter, say)), plot)


def _bars(chapter: Chapter, say: Say, marks: Marks) -> Markup:
    """Draw the bins of a column side by side, with their edges below and their intervals on the bars."""
    every = chapter.data
    scale = _axis([place for datum in every for place in _reach(datum)], zero=True)
    wide = 100 / len(every)
    texts = [marks(datum, say) for datum in every]
    kind = crowded(texts)
    drawn = []
    for at, (datum, text) in enumerate(zip(every, texts, strict=True)):
        if datum.place is None:
            continue
        middle = f"left:{(at + 0.5) * wide:.2f}%"
        sides = f"left:{(at + 0.08) * wide:.2f}%;width:{0.84 * wide:.2f}%"
        drawn.append(tag("i", class_="bar", style=f"{sides};height:{_percent(scale, datum.place)}"))
        if datum.interval:
            drawn.append(_whisker(datum.interval, scale, middle))
        top = 100 * (1 - scale.at(max(_reach(datum))))
        if kind is not None:
            drawn.append(tag("span", text, class_=f"number {kind}", style=f"{middle};bottom:{100 - top:.2f}%"))
    edges = chapter.release.request.mechanism.view.edges
    step = min(high - low for low, high in pairwise(edges))
    names = [spelled(in_steps(edge, step), chapter.signs) for edge in edges]
    return _upright(chapter, say, scale, drawn, _below(names, between=True))


def crowded(texts: Sequence[str]) -> str | None:
    """Return from which width on these texts have room side by side, as a class of style; None if they never have."""
    need = len(texts) * (max(map(_width, texts)) + LETTER)
    sizes = {220: "", 440: "over30", 640: "over44"}
    return next((kind for room, kind in sizes.items() if need <= room), None)


def _whisker(interval: Sequence[float], scale: Axis, place: str) -> Markup:
    low, high = (100 * scale.at(end) for end in interval)
    return tag("i", class_="reach", style=f"{place};bottom:{low:.2f}%;height:{high - low:.2f}%")


def _below(names: Sequence[str], between: bool) -> list[Markup]:
    """Write names below an upright figure: under its columns, or under the edges between them."""
    narrow, wide = thinned(names, 240, 400)
    parts = len(names) - between
    every = []
    for at, name in enumerate(names):
        if at % wide == 0:
            kind = "tick" if at % narrow == 0 else "tick over30"
            place = 100 * (at + (0 if between else 0.5)) / parts
            every.append(tag("span", name, class_=kind, style=f"left:{place:.2f}%"))
    return every


def _line(chapter: Chapter, say: Say, marks: Marks) -> Markup:
    """Draw values in the order of their dates: a line, the band of its intervals, and the last number at its end."""
    every = chapter.data
    scale = _axis([place for datum in every for place in _reach(datum)], zero=chapter.counts)
    spots = [(100 * (at + 0.5) / len(every), datum) for at, datum in enumerate(every)]
    drawn = []
    for run in _unbroken(spots):
        points = [(x, 100 * (1 - scale.at(datum.place or 0.0))) for x, datum in run]
        if all(datum.interval for _, datum in run):
            ends = [(x, [100 * (1 - scale.at(end)) for end in datum.interval or ()]) for x, datum in run]
            drawn.append(_shape("area", [(x, f"{y[0]:.2f}%", f"{y[1]:.2f}%") for x, y in ends]))
        drawn.append(_shape("line", [(x, f"calc({y:.2f}% + 1.5px)", f"calc({y:.2f}% - 1.5px)") for x, y in points]))
        drawn += [tag("i", class_="dot", style=f"left:{x:.2f}%;top:{y:.2f}%") for x, y in points]
    last = next(datum for datum in reversed(every) if datum.place is not None)
    text = marks(last, say)
    at = tag("strong", text, style=f"bottom:{_percent(scale, last.place or 0.0)}")
    end = tag("span", at, tag("strong", text, class_="room"), class_="end")
    names = [_short(name_of((datum,), say)) for datum in every]
    return _upright(chapter, say, scale, drawn, _below(names, between=False), end)


def _short(name: str) -> str:
    """Return where a bin begins: the names of the next ones say where it ends."""
    return name.partition(" to ")[0]


def _unbroken(spots: Sequence[tuple[float, Datum]]) -> list[list[tuple[float, Datum]]]:
    """Return the runs of neighbouring values; a value that is not shown interrupts the line."""
    runs = groupby(spots, key=lambda spot: spot[1].place is not None)
    return [list(run) for there, run in runs if there]


def _shape(kind: str, points: Sequence[tuple[float, str, str]]) -> Markup:
    """Fill what is between a lower and an upper line."""
    lower = [f"{x:.2f}% {low}" for x, low, _ in points]
    upper = [f"{x:.2f}% {high}" for x, _, high in reversed(points)]
    return tag("i", class_=kind, style=f"clip-path:polygon({','.join(lower + upper)})")


def name_of(line: tuple[Datum, ...], say: Say) -> str:
    """Return the name of a line: its group, and its part if it has only one."""
    part = (part_name(line[0], say),) if len(line) == 1 and line[0].part else ()
    return BETWEEN.join((*level_names(line[0], say), *part))


def part_name(datum: Datum, say: Say) -> str:
    """Return the name of a part: a statistic in the reader's language, a level as it was declared."""
    return label_name(datum.part, say)


def level_names(datum: Datum, say: Say) -> tuple[str, ...]:
    """Return the names of the groups of a number."""
    return tuple(label_name(level, say) for level in datum.levels)


def label_name(name: str, say: Say) -> str:
    """Return a name in the reader's language if it is a phrase, such as a weekday; a declared one stays."""
    return say(name) if isinstance(name, Phrase) else name


# --- HTML tables: the numbers of a query with their intervals; two crossed groups as a heat map ---


def scrolled(table: Markup, words: str) -> Markup:
    """Make a table that is wider than a phone scroll separately, by keyboard too."""
    return tag("div", table, class_="wide", role="region", aria_label=words, tabindex=0)


def listing(chapter: Chapter, say: Say) -> Markup:
    """Return all numbers of a query, one on each line."""
    heads = list(_heads(chapter, say))
    head = tag("tr", *(tag("th", name, scope="col", class_=kind) for name, kind in heads))
    wholes = chapter.sums or [datum.whole if chapter.mended else None for datum in chapter.data]
    lines = [_table_row(chapter, datum, whole, say) for datum, whole in zip(chapter.data, wholes, strict=True)]
    foot = tag("tfoot", _sum_row(chapter, heads, say)) if chapter.adds and by_two(chapter) is None else None
    return tag("table", tag("thead", head), tag("tbody", *lines), foot)


def _sum_row(chapter: Chapter, heads: Sequence[tuple[str, str | None]], say: Say) -> Markup:
    """Return the last line of a list of counts: the sum of its column that adds up, or of the results."""
    names = [name for name, kind in heads if kind is None]
    figures = [name for name, kind in heads if kind is not None]
    summed = figures[-1 if chapter.sums else 0]
    cells = (chapter.total(range(len(chapter.data))) if name == summed else "" for name in figures)
    head = tag("th", say("Sum"), scope="row", colspan=len(names))
    return tag("tr", head, *(tag("td", cell, class_="figures") for cell in cells))


def _heads(chapter: Chapter, say: Say) -> Iterator[tuple[str, str | None]]:
    """Yield the names of the columns, and which of them contain figures."""
    yield from ((name, None) for name in chapter.groups)
    if _parts(chapter) or not chapter.groups:
        yield say("Part") if _parts(chapter) else say("Rows"), None
    yield say("Result"), "figures"
    yield say("Interval"), "figures"
    if _ranks(chapter):
        yield say("Rank error (rows, at most)"), "figures"
    if _sizes(chapter):
        yield say(size_label(chapter.schema)), "figures"
    if chapter.sums or chapter.mended:
        yield say("Rounded, adding up") if chapter.sums else say("Rounded, at least 0"), "figures"


def says_more(chapter: Chapter) -> bool:
    """Return whether a list shows more about the numbers than a heat map."""
    return _ranks(chapter) or _sizes(chapter) or chapter.mended or bool(chapter.sums)


def _parts(chapter: Chapter) -> bool:
    return any(datum.part for datum in chapter.data)


def _ranks(chapter: Chapter) -> bool:
    return any(datum.rank is not None for datum in chapter.data)


def _sizes(chapter: Chapter) -> bool:
    return any(datum.size is not None for datum in chapter.data)


def _table_row(chapter: Chapter, datum: Datum, whole: int | None, say: Say) -> Markup:
    names = [*level_names(datum, say), *([part_name(datum, say)] if _parts(chapter) else [])] or [
        say("All queried rows")
    ]
    cells = [number(datum, say), " – ".join(datum.ends) if datum.ends else "–"]
    cells += ["–" if datum.rank is None else chapter.written(datum.rank)] if _ranks(chapter) else []
    cells += (
        ["–" if datum.size is None else spelled(unsure(float(datum.rows)), chapter.signs)] if _sizes(chapter) else []
    )
    cells += ["–" if whole is None else chapter.written(whole)] if chapter.sums or chapter.mended else []
    heads = (tag("th", name, scope="row") for name in names)
    return tag("tr", *heads, *(tag("td", cell, class_="figures") for cell in cells))


def by_two(chapter: Chapter) -> dict[str, list[Datum]] | None:
    """Return the numbers of two crossed groups, a line for each level of the first; None for others."""
    if len(chapter.groups) != 2 or _parts(chapter):
        return None
    rows: dict[str, list[Datum]] = {}
    for datum in chapter.data:
        rows.setdefault(datum.levels[0], []).append(datum)
    return rows


def heat_map(chapter: Chapter, say: Say, marks: Marks = NO_MARKS) -> Markup:
    """Return two crossed groups as a table whose cells are darker for larger numbers.

    The group with more levels goes down, so that the table is as narrow as it can be.
    """
    outer, inner = (list(dict.fromkeys(datum.levels[at] for datum in chapter.data)) for at in (0, 1))
    down, across = (0, 1) if len(outer) >= len(inner) else (1, 0)
    lines: dict[str, list[Datum]] = {}
    for datum in chapter.data:
        lines.setdefault(datum.levels[down], []).append(datum)
    corner = tag("th", f"{chapter.groups[down]} \\ {chapter.groups[across]}", scope="col")
    above = inner if down == 0 else outer
    head = tag("tr", corner, *(tag("th", label_name(name, say), scope="col", class_="figures") for name in above))
    ends = _ends(chapter)
    body = [
        tag(
            "tr",
            tag("th", label_name(name, say), scope="row"),
            *(_cell(datum, ends, marks(datum, say)) for datum in line),
        )
        for name, line in lines.items()
    ]
    return tag("table", tag("thead", head), tag("tbody", *body))


def _ends(chapter: Chapter) -> tuple[float, float]:
    places = [datum.place for datum in chapter.data if datum.place is not None] or [0.0]
    return min(places), max(places)


def _cell(datum: Datum, ends: tuple[float, float], text: str) -> Markup:
    low, high = ends
    share = 0.0 if datum.place is None or high <= low else (datum.place - low) / (high - low)
    span = tag("small", " – ".join(datum.ends)) if datum.ends else None
    shade = round(share * (SHADES - 1))
    return tag("td", text, span, class_=f"figures heat{shade}")


def cross_table(chapter: Chapter, rows: Mapping[str, Sequence[Datum]], say: Say) -> Markup:
    """Return the counts of two crossed groups as such a table, with their sums to the right and below."""
    above = list(dict.fromkeys(datum.levels[1] for datum in chapter.data))
    corner = tag("th", f"{chapter.groups[0]} \\ {chapter.groups[1]}", scope="col")
    across = [*(label_name(name, say) for name in above), say("Sum")]
    head = tag("tr", corner, *(tag("th", name, scope="col", class_="figures") for name in across))
    every = range(len(chapter.data))
    wide = len(above)
    lines = []
    for at, name in enumerate(rows):
        places = every[wide * at : wide * (at + 1)]
        lines.append(
            tag(
                "tr",
                tag("th", label_name(name, say), scope="row"),
                *_counts(chapter, places, say),
                _total(chapter, places),
            )
        )
    below = (_total(chapter, every[at::wide]) for at in range(wide))
    foot = tag("tr", tag("th", say("Sum"), scope="row"), *below, _total(chapter, every))
    return tag("table", tag("thead", head), tag("tbody", *lines), tag("tfoot", foot))


def _total(chapter: Chapter, places: Iterable[int]) -> Markup:
    return tag("td", chapter.total(places), class_="figures")


def _counts(chapter: Chapter, places: Iterable[int], say: Say) -> Iterator[Markup]:
    """Yield counts with their intervals below; one that adds up has the released number below, too."""
    low, high = _ends(chapter)
    for at in places:
        datum = chapter.data[at]
        text = datum.text
        drawn = None
        if chapter.sums:
            text = chapter.written(chapter.printed[at] or 0)
            drawn = tag("small", say("released: {value}", value=datum.text))
        span = tag("small", " – ".join(datum.ends)) if datum.ends else None
        share = ((datum.place or 0.0) - low) / (high - low) if high > low else 0.0
        yield tag("td", joined(text, drawn, span), class_=f"figures heat{round(share * (SHADES - 1))}")


# --- HTML report: a publication as one self-contained file: no script, no network, no font ---


POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def english(text: str, **values: object) -> str:
    """Return a sentence in the language of the code, with its values filled in."""
    return str(Phrase(text, **values))


def html_report(publication: Publication, say: Say = english, language: str = "en") -> str:
    """Return the whole page; `say` translates sentences to the language named."""
    head = tag(
        "head",
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
        tag("title", _title(publication, say)),
        tag("style", Markup(STYLE + FIGURES + PRINT + _margins(publication, say))),
    )
    chapters = [part for block in blocks(publication.chapters) for part in _block(publication, block, say)]
    main = tag("main", _top(publication, say), *chapters, _made(publication, say), _promise(publication, say))
    return f"<!doctype html>\n{tag('html', head, tag('body', main), lang=language)}\n"


NOTEBOOK = """
.discreet{--ink:currentColor;--soft:currentColor;--paper:transparent;--line:#8888;
--mark:color-mix(in srgb,#0b6e66 75%,currentColor)}
.discreet :is(td,th){padding:.2rem .6rem;text-align:left;vertical-align:top}
.discreet :is(td,th).figures{text-align:right}
.discreet td small{display:block}
"""  # the colours of any theme, of which a notebook states none


def fragment(parts: Sequence[Chapter | Markup], words: Iterable[str], say: Say = english) -> Markup:
    """Return queries with their figures and lists, and some lines below, as a part of another page."""
    shown = (each if isinstance(each, Markup) else _shown(each, say) for each in parts)
    style = tag("style", Markup(NOTEBOOK + FIGURES))
    return tag("div", style, *shown, *(tag("p", line) for line in words), class_="discreet")


def _shown(chapter: Chapter, say: Say) -> Markup:
    title = say(chapter.title)
    subtitle = question(chapter, say)
    head = tag("p", tag("strong", title), f" · {subtitle}" if subtitle else None)
    return joined(head, _numbers(chapter, title, say))


class Inline(str):
    """A page that a notebook shows below its cell, in a frame of its own."""

    def _repr_html_(self) -> str:
        return str(tag("iframe", srcdoc=str(self), style="width:100%;height:40rem;border:0", sandbox=""))


def _title(publication: Publication, say: Say) -> str:
    return publication.cover.title or say("Released statistics")


def _margins(publication: Publication, say: Say) -> str:
    """Return the rules for the edges of a printed page: title, office or status above, number of the page below."""
    cover = publication.cover
    right = say(WARNINGS[cover.status]) if cover.status else cover.office
    return (
        f"@page{{@top-left{{content:{_css_text(_title(publication, say))}}}@top-right{{content:{_css_text(right)}}}"
        '@bottom-right{content:counter(page) " / " counter(pages)}}\n'
    )


def _css_text(text: str) -> str:
    """Return a text as a string of CSS: everything but letters and digits is written as a number."""
    short = text if len(text) <= LONGEST_HEAD else f"{text[:LONGEST_HEAD]}…"
    return '"' + "".join(each if each.isalnum() else f"\\{ord(each):x} " for each in short) + '"'


def _status(status: str, say: Say) -> Markup | None:
    """Return in words that results do not stand as they are."""
    return tag("p", tag("strong", say(WARNINGS[status])), class_="status", role="note") if status else None


def _top(publication: Publication, say: Say) -> Markup:
    """Return the status, the title, who publishes, the note, the cost, and the dates of release."""
    cover = publication.cover
    by = " · ".join(filter(None, (cover.office, cover.contact)))
    numbers = sum(len(chapter.data) for chapter in publication.chapters)
    first, last = (f"{moment:%Y-%m-%d}" for moment in publication.released)
    return joined(
        _status(cover.status, say),
        tag("h1", _title(publication, say)),
        tag("p", by, class_="quiet") if by else None,
        *(tag("p", line) for line in cover.note.splitlines() if line.strip()),
        tag(
            "p",
            say(
                "{numbers} values from {questions} queries, released with a total of {cost}.",
                numbers=numbers,
                questions=len(publication.chapters),
                cost=_cost(publication.total.cost, cover.signs),
            ),
        ),
        tag("p", _sure(publication, say)),
        tag("p", say("Released {days}.", days=first if first == last else f"{first} – {last}"), class_="quiet"),
    )


def _sure(publication: Publication, say: Say) -> str:
    """Return how often intervals are valid."""
    if publication.together == 1:
        return say("Intervals are 95% intervals for the noise added. They do not include sampling error.")
    return say("With 95% confidence, all {number} intervals are correct at the same time.", number=publication.together)


def _cost(cost: Cost, signs: str) -> str:
    """Write a cost with the decimal sign of a language."""
    return " ".join(spelled(word.rstrip(","), signs) + "," * word.endswith(",") for word in str(cost).split(" "))


def folded(summary: str, *inner: str | None, kind: str | None = None) -> Markup:
    """Return what is closed on a screen until it is wanted, and open on paper."""
    return tag("details", tag("summary", summary), *inner, class_=kind)


def _block(publication: Publication, block: Block, say: Say) -> Iterator[Markup]:
    """Yield the table of queries of the same groups, if they are several, and then each query."""
    if block.shared:
        first = block.places[0] + 1
        yield tag(
            "section",
            tag("h2", say(block.title), id=f"table-{first}"),
            tag("p", conditions(block.chapters[0], say)),
            scrolled(together(block, say), say("Values of: {title}", title=say(block.title))),
            aria_labelledby=f"table-{first}",
        )
    for place, each in zip(block.places, block.chapters, strict=True):
        yield _chapter(publication, place + 1, each, say, block.shared)


def together(block: Block, say: Say, marks: Marks = NO_MARKS) -> Markup:
    """Return queries of the same groups as one table: a line for each group, and a value with its interval for each."""
    heads = [tag("th", name, scope="col") for name in block.groups]
    heads += [tag("th", say(each.short), scope="col", class_="figures") for each in block.chapters]
    lines = []
    for names, places in block.lines.items():
        cells = [_value(each, at, say, marks) for each, at in zip(block.chapters, places, strict=True)]
        lines.append(tag("tr", *(tag("th", label_name(name, say), scope="row") for name in names), *cells))
    return tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *lines))


def _value(chapter: Chapter, at: int | None, say: Say, marks: Marks) -> Markup:
    """Return a cell with a value, as it adds up with others if it does, and its interval below."""
    if at is None:
        return tag("td", "–", class_="figures")
    datum = chapter.data[at]
    count = chapter.sums[at] if chapter.sums else None
    text = marks(datum, say) if count is None else chapter.written(count)
    return tag("td", text, tag("small", " – ".join(datum.ends)) if datum.ends else None, class_="figures")


def _chapter(publication: Publication, number: int, chapter: Chapter, say: Say, again: bool = False) -> Markup:
    """Return one query: its title, its figure, its numbers, and which rows they are of.

    `again` states that a table above has its numbers: its list is then folded.
    """
    status = publication.statuses.get(chapter.release.id, "")
    sums = about_sums(publication, chapter, say)
    title = f"{number}. {say(chapter.title)}"
    return tag(
        "section",
        tag("h2", title, id=f"question-{number}"),
        None if publication.cover.status else _status(status, say),
        tag("p", question(chapter, say)),
        _numbers(chapter, title, say, again),
        tag("p", " ".join(sums), class_="quiet") if sums else None,
        tag("ul", *(tag("li", say(note)) for note in chapter.notes)) if chapter.notes else None,
        folded(
            say("Technical details"),
            tag("p", _read(chapter, say), class_="quiet"),
            tag("p", say("This query alone: {cost}", cost=_cost(chapter.cost, chapter.signs)), class_="quiet"),
        ),
        aria_labelledby=f"question-{number}",
    )


def _numbers(chapter: Chapter, title: str, say: Say, folds: bool = False) -> Markup:
    """Return the numbers of a query as a figure and a list; a map of two groups is a list already."""
    each = scrolled(listing(chapter, say), say("Values of: {title}", title=title))
    if folds:
        each = folded(say("Values as a list"), each, kind="again")
    picture = figure(chapter, say)
    if chapter.form == "map" and picture is not None:
        words = tag(
            "p", say("A stronger colour means a larger value. The interval is below each value."), class_="quiet"
        )
        rows = by_two(chapter)
        if rows and chapter.adds:
            picture = scrolled(cross_table(chapter, rows, say), say("Heat map of: {title}", title=title))
        again = each if folds else folded(say("Values as a list"), each, kind="again")
        return joined(words, picture, again if says_more(chapter) else None)
    few = picture is not None and len(chapter.data) > MOST_DRAWN
    more = tag(
        "p", say("The figure shows the first {most}. The table has all of them.", most=MOST_DRAWN), class_="quiet"
    )
    return joined(picture, more if few else None, each)


def about_sums(publication: Publication, chapter: Chapter, say: Say) -> list[str]:
    """Return what the sums of a table are, and where the total is a result of its own."""
    if not chapter.adds:
        return []
    whole = say("Counts are rounded so that they add up. Intervals are those of the released values.")
    what = say("Sums are of the values printed here. They are not released results and have no interval.")
    own = publication.total_of(chapter)
    every = [whole, what] if chapter.sums else [what]
    if own is None:
        return every
    return [*every, say("The total of all rows is a separate result, which may differ: query {number}.", number=own)]


def question(chapter: Chapter, say: Say) -> str:
    """Return filters, and the unit where the title does not name it, as a subtitle of a table."""
    parts = [conditions(chapter, say)] if chapter.where else []
    parts += [say("In {unit}", unit=say(chapter.unit))] if chapter.unit and chapter.unit not in chapter.title else []
    return " · ".join(parts)


def conditions(chapter: Chapter, say: Say) -> str:
    """Return the filters of a query."""
    return " · ".join(say("Only where {condition}", condition=say(each)) for each in chapter.where)


def _read(chapter: Chapter, say: Say) -> str:
    return say("Data handling: {how}.", how="; ".join(map(say, chapter.read)))


def _made(publication: Publication, say: Say) -> Markup:
    sentences = (tag("p", say(each)) for each in publication.methods)
    how = folded(say("How these results were made"), *sentences)
    return tag("section", tag("h2", say("Methods"), id="methods"), how, aria_labelledby="methods")


def _promise(publication: Publication, say: Say) -> Markup:
    first, *others = (say(each) for each in publication.promise)
    title = say("Privacy guarantee for everyone in the dataset")
    more = folded(say("More about the guarantee"), tag("ul", *(tag("li", each) for each in others)))
    inner = (tag("p", first), more if others else None)
    return tag("section", tag("h2", title, id="promise"), *inner, aria_labelledby="promise")
