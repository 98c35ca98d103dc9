"""HTML tables: the numbers of a question, each with its interval; two crossed groups as a heat map with numbers."""

from __future__ import annotations

from collections.abc import Iterator

from discreet.lab.report.datum import Datum
from discreet.lab.report.fitting_digits import unsure
from discreet.lab.report.markup import Markup, joined, tag
from discreet.lab.report.publication import Chapter
from discreet.lab.report.report_style import SHADES
from discreet.lab.report.svg_figures import Say, number, part_name


def scrolled(table: Markup, words: str) -> Markup:
    """Let a table that is wider than a phone be moved by itself, by keys too."""
    return tag("div", table, class_="wide", role="region", aria_label=words, tabindex=0)


def listing(chapter: Chapter, say: Say) -> Markup:
    """Return all numbers of a question, one in a line."""
    heads = list(_heads(chapter, say))
    head = tag("tr", *(tag("th", name, scope="col", class_=kind) for name, kind in heads))
    wholes = chapter.sums or [datum.whole if chapter.mended else None for datum in chapter.data]
    lines = [_line(chapter, datum, whole, say) for datum, whole in zip(chapter.data, wholes, strict=True)]
    return tag("table", tag("thead", head), tag("tbody", *lines))


def _heads(chapter: Chapter, say: Say) -> Iterator[tuple[str, str | None]]:
    """Yield the names of the columns, and which of them hold figures."""
    yield from ((name, None) for name in chapter.groups)
    if _parts(chapter) or not chapter.groups:
        yield say("Part") if _parts(chapter) else say("Which rows"), None
    yield say("Answer"), "figures"
    yield say("Interval"), "figures"
    if _ranks(chapter):
        yield say("Rows off its rank, at most"), "figures"
    if _sizes(chapter):
        yield say("Rows, about"), "figures"
    if chapter.sums or chapter.mended:
        yield say("Whole, adding up") if chapter.sums else say("Whole and not below 0"), "figures"


def says_more(chapter: Chapter) -> bool:
    """Say whether a list has more of the numbers than a heat map."""
    return _ranks(chapter) or _sizes(chapter) or chapter.mended or bool(chapter.sums)


def _parts(chapter: Chapter) -> bool:
    return any(datum.part for datum in chapter.data)


def _ranks(chapter: Chapter) -> bool:
    return any(datum.rank is not None for datum in chapter.data)


def _sizes(chapter: Chapter) -> bool:
    return any(datum.size is not None for datum in chapter.data)


def _line(chapter: Chapter, datum: Datum, whole: int | None, say: Say) -> Markup:
    names = [*datum.levels, *([part_name(datum, say)] if _parts(chapter) else [])] or [say("All that were asked for")]
    cells = [number(datum, say), " – ".join(datum.ends) if datum.ends else "–"]
    cells += ["–" if datum.rank is None else f"{datum.rank:,}"] if _ranks(chapter) else []
    cells += ["–" if datum.size is None else unsure(float(datum.rows))] if _sizes(chapter) else []
    cells += ["–" if whole is None else f"{whole:,}"] if chapter.sums or chapter.mended else []
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
    """Return two crossed groups as a table whose cells are darker the larger their number; None for others."""
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
