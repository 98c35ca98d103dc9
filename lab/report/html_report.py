"""HTML report: a publication as one file that needs nothing: no script, no network, no font."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.lab.report.html_tables import heat_map, listing, says_more, scrolled
from discreet.lab.report.markup import Markup, joined, tag
from discreet.lab.report.publication import Chapter, Publication
from discreet.lab.report.report_style import PRINT, STYLE
from discreet.lab.report.svg_figures import MOST_DRAWN, Say, figure

POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def english(text: str, **values: object) -> str:
    """Return a sentence as it is written in the code, with its values filled in."""
    return str(Phrase(text, **values))


def html_report(publication: Publication, say: Say = english, language: str = "en") -> str:
    """Return the whole page; `say` puts sentences into the language that is named."""
    head = tag(
        "head",
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
        tag("title", say("Released statistics")),
        tag("style", Markup(STYLE + PRINT)),
    )
    chapters = [_chapter(number, each, say) for number, each in enumerate(publication.chapters, 1)]
    main = tag("main", _top(publication, say), *chapters, _made(publication, say), _promise(publication, say))
    return f"<!doctype html>\n{tag('html', head, tag('body', main), lang=language)}\n"


def _top(publication: Publication, say: Say) -> Markup:
    """Return the title, what it cost, and when it was released."""
    numbers = sum(len(chapter.data) for chapter in publication.chapters)
    first, last = (f"{moment:%Y-%m-%d}" for moment in publication.released)
    return joined(
        tag("h1", say("Released statistics")),
        tag(
            "p",
            say(
                "{numbers} numbers of {questions} questions, protected with {cost} in all.",
                numbers=numbers,
                questions=len(publication.chapters),
                cost=str(publication.total.cost),
            ),
        ),
        tag("p", _sure(publication, say)),
        tag("p", say("Released {days}.", days=first if first == last else f"{first} – {last}"), class_="quiet"),
    )


def _sure(publication: Publication, say: Say) -> str:
    """Say how often intervals hold."""
    if publication.together == 1:
        return say("Each interval holds the value of the rows as they were read 19 times in 20.")
    return say("All {number} intervals hold at once 19 times in 20.", number=publication.together)


def _chapter(number: int, chapter: Chapter, say: Say) -> Markup:
    """Return one question: its words, its figure, its numbers, and of which rows they are."""
    title = f"{number}. {say(chapter.statistic)}: {', '.join(chapter.columns)}"
    return tag(
        "section",
        tag("h2", title, id=f"question-{number}"),
        tag("p", question(chapter, say)),
        _numbers(chapter, title, say),
        tag("ul", *(tag("li", say(note)) for note in chapter.notes)) if chapter.notes else None,
        tag("p", _read(chapter, say), class_="quiet"),
        tag("p", say("This question alone: {cost}", cost=str(chapter.cost)), class_="quiet"),
        aria_labelledby=f"question-{number}",
    )


def _numbers(chapter: Chapter, title: str, say: Say) -> Markup:
    """Return the numbers of a question: two crossed groups as a map, others as a figure and a list."""
    heat = heat_map(chapter, say)
    each = scrolled(listing(chapter, say), say("Numbers of: {title}", title=title))
    if heat is not None:
        words = tag(
            "p", say("The stronger the colour, the more. Below each number stands its interval."), class_="quiet"
        )
        drawn = scrolled(heat, say("Heat map of: {title}", title=title))
        return joined(words, drawn, each if says_more(chapter) else None)
    picture = figure(chapter, say)
    few = picture is not None and len(chapter.data) > MOST_DRAWN
    more = tag("p", say("The first {most} are drawn; the table has all.", most=MOST_DRAWN), class_="quiet")
    return joined(picture, more if few else None, each)


def question(chapter: Chapter, say: Say) -> str:
    """Say for whom and in what unit, as below the title of a table."""
    parts = [say("For each {by}", by=", ".join(chapter.groups))] if chapter.groups else []
    parts += [say("Only where {condition}", condition=say(each)) for each in chapter.where]
    parts += [say("In {unit}", unit=say(chapter.unit))] if chapter.unit else []
    return " · ".join(parts)


def _read(chapter: Chapter, say: Say) -> str:
    return say("As read: {how}.", how="; ".join(map(say, chapter.read)))


def _made(publication: Publication, say: Say) -> Markup:
    sentences = " ".join(map(say, publication.methods))
    return tag(
        "section",
        tag("h2", say("How these numbers were made"), id="methods"),
        tag("p", sentences),
        aria_labelledby="methods",
    )


def _promise(publication: Publication, say: Say) -> Markup:
    points = (tag("li", say(each)) for each in publication.promise)
    title = say("What is promised to everybody in the data")
    return tag("section", tag("h2", title, id="promise"), tag("ul", *points), aria_labelledby="promise")
