"""HTML: a publication as one file without scripts, with its style, figures and tables."""

from __future__ import annotations

import html
import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from discreet.budget import Cost, Phrase
from discreet.report.numbers import Datum, spelled, unsure
from discreet.report.publication import WARNINGS, Chapter, Publication
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

SHADES = 7  # of a heat map: text is readable on every one of them in both themes

STYLE = """
:root{color-scheme:light dark;--ink:#0e1216;--soft:#4b555e;--paper:#ffffff;--line:#c9d1d8;--mark:#0b6e66;
--warn:#b3261e;--heat:11,110,102}
@media (prefers-color-scheme:dark){:root{--ink:#f0f2f4;--soft:#b3bcc5;--paper:#0e1216;--line:#3b454e;--mark:#4fc3b7;
--warn:#f28b82;--heat:79,195,183}}
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
svg.figure{display:block;width:100%;max-width:34rem;height:auto;margin:.8rem 0;font:12px system-ui,sans-serif}
svg text{fill:var(--ink);paint-order:stroke;stroke:var(--paper);stroke-width:4px}
svg .place{fill:var(--soft);font-size:11px}
svg .number{font-variant-numeric:tabular-nums}
svg .grid{stroke:var(--line);stroke-width:1}
svg .bar{fill:var(--mark);fill-opacity:.3}
svg .reach,svg .strip{stroke:var(--mark);stroke-width:1.6;fill:none}
svg .strip{stroke-width:4;stroke-opacity:.35}
svg .dot{fill:var(--mark)}
""" + "".join(f".heat{at}{{background:rgba(var(--heat),{at * 0.05:.2f})}}\n" for at in range(SHADES))

PRINT = """
@page{size:A4;margin:20mm 18mm;@top-left{font:9pt system-ui,sans-serif;color:#333}
@top-right{font:9pt system-ui,sans-serif;color:#333}@bottom-right{font:9pt system-ui,sans-serif;color:#333}}
@media print{:root{color-scheme:light;--ink:#000;--soft:#333;--paper:#fff;--line:#999;--mark:#0b6e66;
--warn:#b3261e;--heat:11,110,102}
body{font-size:10.5pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}
main{max-width:none;padding:0}
.wide{overflow:visible}
svg.figure,tr{break-inside:avoid}
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


# --- SVG figures: dots and bars with their intervals, and strips of quantiles, for a report without scripts ---

WIDTH, EDGE, MARGIN, LINE, LETTER = 400, 14, 4, 40, 7  # of a drawing, its axis, its labels, a line, and a letter
MOST_DRAWN = 60
Say = Callable[..., str]


def figure(chapter: Chapter, say: Say) -> Markup | None:
    """Draw the numbers of a query; None if there is nothing to compare or nothing on an axis."""
    lines = lines_of(chapter)[:MOST_DRAWN]
    values = [place for line in lines for datum in line for place in _reach(datum)]
    scale = axis(values, zero=chapter.counts)
    if scale is None or sum(datum.place is not None for line in lines for datum in line) < 2:
        return None
    drawn = [_svg_line(chapter, line, at, scale, say) for at, line in enumerate(lines)]
    height = LINE * len(lines) + 34
    box = {"viewBox": f"0 0 {WIDTH} {height}", "role": "img", "aria_label": _words(chapter, lines, say)}
    return tag("svg", _grid(chapter, scale, height), *drawn, class_="figure", **box)


def lines_of(chapter: Chapter) -> list[tuple[Datum, ...]]:
    """Return what is drawn on each line: the quantiles of a group, or a single number."""
    if not chapter.strips:
        return [(datum,) for datum in chapter.data]
    return [tuple(group) for _, group in groupby(chapter.data, key=lambda datum: datum.levels)]


def _reach(datum: Datum) -> list[float]:
    if datum.place is None:
        return []
    return [datum.place, *(datum.interval or ())]


def _words(chapter: Chapter, lines: Sequence[tuple[Datum, ...]], say: Say) -> str:
    return say(
        "{what}: {number} values with their intervals.", what=say(chapter.statistic), number=sum(map(len, lines))
    )


def _grid(chapter: Chapter, scale: Axis, height: int) -> Markup:
    """Draw the ticks of the axis, with their labels below."""
    shown = chapter.ticks(scale.step)
    every = []
    room = (WIDTH - 2 * EDGE) / len(scale.places)
    apart = max(1, math.ceil(1.6 * max(_width(shown(place)) for place in scale.places) / room))
    for place in scale.places[::apart]:
        x = _x(scale, place)
        every.append(tag("line", x1=x, x2=x, y1=4, y2=height - 26, class_="grid"))
        every.append(tag("text", shown(place), x=x, y=height - 10, class_="place", text_anchor=_anchor(scale, place)))
    return joined(*every)


def _anchor(scale: Axis, place: float) -> str:
    """Return the text anchor of a tick's label, so that none is cut off at an end."""
    share = scale.at(place)
    return "start" if share < 0.05 else "end" if share > 0.95 else "middle"


def _x(scale: Axis, value: float) -> float:
    return round(EDGE + scale.at(value) * (WIDTH - 2 * EDGE), 1)


def _svg_line(chapter: Chapter, line: tuple[Datum, ...], at: int, scale: Axis, say: Say) -> Markup:
    """Draw one line: its name and its number above, and its position below."""
    top = LINE * at
    text = number(line[0], say) if len(line) == 1 else " – ".join(datum.text for datum in (line[0], line[-1]))
    name = _elided(name_of(line, say), WIDTH - 2 * MARGIN - _width(text) - 12)
    words = [
        tag("text", name, x=MARGIN, y=top + 17, class_="name"),
        tag("text", text, x=WIDTH - MARGIN, y=top + 17, class_="number", text_anchor="end"),
    ]
    return tag("g", *words, *(_mark(chapter, datum, top + 29, scale) for datum in line), _strip(line, top + 29, scale))


def number(datum: Datum, say: Say) -> str:
    """Return the text of a number, or why it is not printed."""
    if datum.refused:
        return say("no result")
    return say("not shown (too noisy)") if datum.vague else datum.text


def name_of(line: tuple[Datum, ...], say: Say) -> str:
    """Return the name of a line: its group, and its part if it has only one."""
    part = (part_name(line[0], say),) if len(line) == 1 and line[0].part else ()
    return BETWEEN.join((*line[0].levels, *part))


def part_name(datum: Datum, say: Say) -> str:
    """Return the name of a part: a statistic in the reader's language, a level as it was declared."""
    return say(datum.part) if isinstance(datum.part, Phrase) else datum.part


def _mark(chapter: Chapter, datum: Datum, y: int, scale: Axis) -> Markup:
    """Draw a number with its interval; a bar from 0 if it counts rows."""
    if datum.place is None:
        return Markup()
    x = _x(scale, datum.place)
    marks = []
    if chapter.counts:
        start = _x(scale, 0.0)
        marks.append(tag("rect", x=min(start, x), y=y - 5, width=round(abs(x - start), 1), height=10, class_="bar"))
    if datum.interval is not None:
        low, high = (_x(scale, end) for end in datum.interval)
        marks.append(tag("path", d=f"M{low} {y}H{high}M{low} {y - 5}V{y + 5}M{high} {y - 5}V{y + 5}", class_="reach"))
    return joined(*marks, tag("circle", cx=x, cy=y, r=4, class_="dot"))


def _strip(line: tuple[Datum, ...], y: int, scale: Axis) -> Markup:
    """Draw a strip from the first to the last quantile of a line."""
    places = [datum.place for datum in line if datum.place is not None]
    if len(places) < 2:
        return Markup()
    return tag("path", d=f"M{_x(scale, min(places))} {y}H{_x(scale, max(places))}", class_="strip")


def _width(text: str) -> int:
    return LETTER * sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)


def _elided(text: str, room: int) -> str:
    """Shorten a name that is too long; the table has the full name."""
    if _width(text) <= room:
        return text
    while text and _width(text) > room - LETTER:
        text = text[:-1]
    return f"{text}…"


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
        yield say("Part") if _parts(chapter) else say("Filter"), None
    yield say("Result"), "figures"
    yield say("Interval"), "figures"
    if _ranks(chapter):
        yield say("Rank error (rows, at most)"), "figures"
    if _sizes(chapter):
        yield say("Rows (approximate)"), "figures"
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
    names = [*datum.levels, *([part_name(datum, say)] if _parts(chapter) else [])] or [say("All queried rows")]
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


def heat_map(chapter: Chapter, say: Say) -> Markup | None:
    """Return two crossed groups as a table whose cells are darker for larger numbers; None for others."""
    rows = by_two(chapter)
    if rows is None:
        return None
    above = list(dict.fromkeys(datum.levels[1] for datum in chapter.data))
    corner = tag("th", f"{chapter.groups[0]} \\ {chapter.groups[1]}", scope="col")
    head = tag("tr", corner, *(tag("th", name, scope="col", class_="figures") for name in above))
    ends = _ends(chapter)
    lines = [
        tag("tr", tag("th", name, scope="row"), *(_cell(datum, ends, say) for datum in line))
        for name, line in rows.items()
    ]
    return tag("table", tag("thead", head), tag("tbody", *lines))


def _ends(chapter: Chapter) -> tuple[float, float]:
    places = [datum.place for datum in chapter.data if datum.place is not None] or [0.0]
    return min(places), max(places)


def _cell(datum: Datum, ends: tuple[float, float], say: Say) -> Markup:
    low, high = ends
    share = 0.0 if datum.place is None or high <= low else (datum.place - low) / (high - low)
    span = tag("small", " – ".join(datum.ends)) if datum.ends else None
    shade = round(share * (SHADES - 1))
    return tag("td", joined(number(datum, say), span), class_=f"figures heat{shade}")


def cross_table(chapter: Chapter, rows: Mapping[str, Sequence[Datum]], say: Say) -> Markup:
    """Return the counts of two crossed groups as such a table, with their sums to the right and below."""
    above = list(dict.fromkeys(datum.levels[1] for datum in chapter.data))
    corner = tag("th", f"{chapter.groups[0]} \\ {chapter.groups[1]}", scope="col")
    head = tag("tr", corner, *(tag("th", name, scope="col", class_="figures") for name in [*above, say("Sum")]))
    every = range(len(chapter.data))
    wide = len(above)
    lines = []
    for at, name in enumerate(rows):
        places = every[wide * at : wide * (at + 1)]
        lines.append(tag("tr", tag("th", name, scope="row"), *_counts(chapter, places, say), _total(chapter, places)))
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
        tag("style", Markup(STYLE + PRINT + _margins(publication, say))),
    )
    chapters = [_chapter(publication, number, each, say) for number, each in enumerate(publication.chapters, 1)]
    main = tag("main", _top(publication, say), *chapters, _made(publication, say), _promise(publication, say))
    return f"<!doctype html>\n{tag('html', head, tag('body', main), lang=language)}\n"


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


def _chapter(publication: Publication, number: int, chapter: Chapter, say: Say) -> Markup:
    """Return one query: its title, its figure, its numbers, and which rows they are of."""
    status = publication.statuses.get(chapter.release.id, "")
    sums = about_sums(publication, chapter, say)
    title = f"{number}. {say(chapter.statistic)}: {', '.join(chapter.columns)}"
    return tag(
        "section",
        tag("h2", title, id=f"question-{number}"),
        None if publication.cover.status else _status(status, say),
        tag("p", question(chapter, say)),
        _numbers(chapter, title, say),
        tag("p", " ".join(sums), class_="quiet") if sums else None,
        tag("ul", *(tag("li", say(note)) for note in chapter.notes)) if chapter.notes else None,
        folded(
            say("Technical details"),
            tag("p", _read(chapter, say), class_="quiet"),
            tag("p", say("This query alone: {cost}", cost=_cost(chapter.cost, chapter.signs)), class_="quiet"),
        ),
        aria_labelledby=f"question-{number}",
    )


def _numbers(chapter: Chapter, title: str, say: Say) -> Markup:
    """Return the numbers of a query: two crossed groups as a heat map, others as a figure and a list."""
    rows = by_two(chapter)
    heat = cross_table(chapter, rows, say) if rows and chapter.adds else heat_map(chapter, say)
    each = scrolled(listing(chapter, say), say("Values of: {title}", title=title))
    if heat is not None:
        words = tag(
            "p", say("A stronger colour means a larger value. The interval is below each value."), class_="quiet"
        )
        drawn = scrolled(heat, say("Heat map of: {title}", title=title))
        return joined(words, drawn, folded(say("Values as a list"), each, kind="again") if says_more(chapter) else None)
    picture = figure(chapter, say)
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
    """Return groups, filters and unit, as a subtitle of a table."""
    parts = [say("For each {by}", by=", ".join(chapter.groups))] if chapter.groups else []
    parts += [say("Only where {condition}", condition=say(each)) for each in chapter.where]
    parts += [say("In {unit}", unit=say(chapter.unit))] if chapter.unit else []
    return " · ".join(parts)


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
