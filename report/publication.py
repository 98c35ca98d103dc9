"""Publication: released answers as they are published: queries, numbers, methods, guarantee and cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import reduce
from itertools import pairwise
from typing import Any

from discreet.budget import Cost, ParameterError, Phrase
from discreet.budget.composition import Proven, sums
from discreet.budget.errors import listed
from discreet.curator.result import Release
from discreet.report.adding_up import adding_up
from discreet.report.intervals import shares_of_chance
from discreet.report.numbers import ENGLISH, Datum, data, in_steps, spelled, value_of
from discreet.report.risk import relation_of, risk
from discreet.report.words import (
    PERSON,
    as_read,
    condition_words,
    counted,
    heading,
    mended,
    methods,
    no_answer,
    no_interval,
    number_of,
    of_others,
    off_by,
    place_names,
    statistic,
    told_apart,
    unit,
    written,
)
from discreet.rows.columns.bands import Bands
from discreet.rows.columns.grouping import Grouping, in_words, sources
from discreet.rows.schema import Schema

EVERYTHING = Phrase("all values of this report")

# --- Cover: what a publisher writes about results, and whether they still stand ---

CURRENT = ""
CORRECTED = "corrected"
WITHDRAWN = "withdrawn"
REPLACED = "replaced"
WARNINGS: Mapping[str, Phrase] = {
    CORRECTED: Phrase("Corrected. These results replace an earlier edition."),
    WITHDRAWN: Phrase("Withdrawn. Do not use these results."),
    REPLACED: Phrase("Replaced. A more precise result of this query was released later."),
}


@dataclass(frozen=True)
class Cover:
    """What a publisher writes about results: it changes no number, and costs nothing.

    `signs` is the language in which numbers are written; `status` is one of the above, for all results.
    """

    title: str = ""
    office: str = ""
    contact: str = ""
    note: str = ""
    signs: str = ENGLISH
    status: str = CURRENT


PLAIN = Cover()


DATED = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?")
FEWEST = 3  # dates that make a line
EVEN = 1.2  # the longest step between them over the shortest: months have 28 to 31 days


def dated(names: Sequence[str]) -> bool:
    """Return whether names are years, months or days at even distances, so that a line may join them."""
    found = [DATED.fullmatch(name) for name in names]
    days = [12 * 31 * int(each[1]) + 31 * int(each[2] or 1) + int(each[3] or 1) for each in found if each]
    steps = [late - early for early, late in pairwise(days)]
    return len(days) == len(names) >= FEWEST and min(steps) > 0 and max(steps) <= EVEN * min(steps)


def ordered(names: Sequence[str]) -> bool:
    """Return whether every name has a number and these ascend, as in age groups: their order is kept."""
    found = [re.search(r"\d+", name) for name in names]
    numbers = [int(each[0]) for each in found if each]
    return len(numbers) == len(names) and numbers == sorted(numbers)


@dataclass(frozen=True)
class Chapter:
    """One query in the words of a table, with all of its numbers."""

    release: Release
    schema: Schema
    statistic: Phrase
    where: tuple[Phrase, ...]
    unit: str
    notes: tuple[Phrase, ...]
    read: tuple[Phrase, ...]
    data: tuple[Datum, ...]
    sums: tuple[int | None, ...] = ()
    signs: str = ENGLISH

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are queried."""
        return self.release.request.columns

    @property
    def groups(self) -> tuple[str, ...]:
        """The columns to group by."""
        return self.release.request.group_names

    @property
    def title(self) -> Phrase:
        """The title of its table."""
        return heading(self.release.request, self.schema)

    @property
    def short(self) -> Phrase:
        """The title of its column in a table of several queries of the same groups."""
        if self.by and not self.groups:
            return number_of(self.schema)
        return heading(self.release.request, self.schema, groups=False)

    @property
    def by(self) -> tuple[Grouping, ...]:
        """The categories or bands that have one number for each group, as those of a category's counts do, or none."""
        view = self.release.request.mechanism.view
        alone = self.counts and view.category and not view.every_kind and len(self.columns) == 1
        parted = any(datum.part for datum in self.data)
        if (parted and (self.groups or not alone)) or any(datum.refused for datum in self.data):
            return ()
        return self.release.request.groups or (self.columns if alone and parted else ())

    @property
    def cost(self) -> Cost:
        """The privacy cost of the query alone."""
        return self.release.cost

    @property
    def form(self) -> str:
        """How it is drawn: map (two groups), bars (bins), line (dates), rows (in their order), sorted (largest first).

        It follows from the query and its declaration, never from the numbers: an order of the results is the exception,
        and they are released.
        """
        view = self.release.request.mechanism.view
        parted = any(datum.part for datum in self.data)
        if len(self.groups) == 2 and not parted:
            return "map"
        if view.edges and self.counts and not view.nested:
            return "bars" if told_apart(self.release.request, self.schema) is None else "line"
        if (len(self.groups) == 1 and not parted) or (self.counts and view.category):
            names = [datum.levels[0] if datum.levels else str(datum.part) for datum in self.data]
            in_order = ordered(names) or any(isinstance(by, Bands) for by in self.by)
            return "line" if dated(names) else "rows" if in_order else "sorted"
        return "rows"

    @property
    def strips(self) -> bool:
        """Whether the numbers of a group are quantiles of the same rows, in ascending order."""
        ranks = self.release.request.mechanism.rank_error(self.release.request.public(self.schema))
        return isinstance(ranks, tuple)

    @property
    def counts(self) -> bool:
        """Whether the numbers are numbers of rows."""
        return counted(self.release.request)

    @property
    def mended(self) -> bool:
        """Whether a count was adjusted alone: it was drawn below 0, and is not part of a sum."""
        drawn = (datum.whole is not None and datum.whole != round(datum.answer) for datum in self.data)
        return not self.sums and any(drawn)

    @property
    def printed(self) -> tuple[Decimal | None, ...]:
        """Each number as a table prints it: the count that adds up if there is one; None where none is printed."""
        if self.sums:
            return tuple(None if count is None else Decimal(count) for count in self.sums)
        return tuple(None if each.place is None else value_of(each.text, self.signs) for each in self.data)

    @property
    def adds(self) -> bool:
        """Whether the printed numbers count different rows each, so that their sum says something."""
        view = self.release.request.mechanism.view
        whole = self.counts and not (view.every_kind or view.nested)
        return whole and len(self.data) > 1 and None not in self.printed

    def total(self, numbers: Iterable[int]) -> str:
        """Return the sum of some printed numbers, to the last printed digit."""
        every = self.printed
        return self.written(sum((every[at] or Decimal() for at in numbers), Decimal()))

    def written(self, number: Decimal | int) -> str:
        """Write a number with all of its digits."""
        return spelled(f"{number:,f}" if isinstance(number, Decimal) else f"{number:,}", self.signs)

    def ticks(self, step: float) -> Callable[[float], str]:
        """Return how the places of an axis in such steps are written."""
        names = place_names(self.release.request, self.schema)
        return names or (lambda place: spelled(in_steps(place, step), self.signs))

    def spelled(self, signs: str) -> Chapter:
        """Return it with numbers written in the signs of a language."""
        return replace(self, data=tuple(each.spelled(signs, self.signs) for each in self.data), signs=signs)


@dataclass(frozen=True)
class Block:
    """Queries with one number for each of the same groups of the same rows, by their places: they share a table."""

    places: tuple[int, ...]
    chapters: tuple[Chapter, ...]

    @property
    def groups(self) -> tuple[str, ...]:
        """The columns to group by; empty for a query alone that has no groups."""
        return sources(self.chapters[0].by)

    @property
    def shared(self) -> bool:
        """Whether several queries stand side by side."""
        return len(self.chapters) > 1

    @property
    def title(self) -> Phrase:
        """The title of the table."""
        if not self.shared:
            return self.chapters[0].title
        names = dict.fromkeys(each.short for each in self.chapters)
        return Phrase("{what} by {groups}", what=_joined(list(names)), groups=listed(in_words(self.chapters[0].by)))

    @property
    def lines(self) -> dict[tuple[str, ...], list[int | None]]:
        """The place of the number of each query, by the names of the group; None where a query has none."""
        lines: dict[tuple[str, ...], list[int | None]] = {}
        for query, each in enumerate(self.chapters):
            for at, datum in enumerate(each.data):
                names = datum.levels or (datum.part,)
                lines.setdefault(names, [None] * len(self.chapters))[query] = at
        return lines


def _joined(names: Sequence[Phrase]) -> Phrase:
    *first, last = names
    return reduce(lambda line, name: Phrase("{first}, {last}", first=line, last=name), [*first, last])


def blocks(chapters: Sequence[Chapter]) -> list[Block]:
    """Return the tables of these queries, in the order of the first query of each."""
    alike: dict[object, list[int]] = {}
    for at, each in enumerate(chapters):
        key = (each.by, frozenset(each.where), each.schema.digest) if each.by else at
        alike.setdefault(key, []).append(at)
    return [Block(tuple(places), tuple(chapters[at] for at in places)) for places in alike.values()]


Rule = tuple[float, float]  # half the interval over the value: up to the first it is marked a, up to the second b


@dataclass(frozen=True)
class Publication:
    """Chapters, methods, the guarantee for all of them together, and the sources of that.

    `alone` are the releases with each number's own interval, even if simultaneous intervals are printed.
    """

    chapters: tuple[Chapter, ...]
    alone: tuple[Release, ...]
    total: Proven
    together: int
    methods: tuple[Phrase, ...]
    promise: tuple[Phrase, ...]
    cover: Cover = PLAIN
    replaced: frozenset[str] = frozenset()
    rule: Rule | None = None  # by which numbers have marks of their quality, if one was chosen

    @property
    def statuses(self) -> dict[str, str]:
        """The status of each release that does not stand as it is, by id."""
        of_all = self.cover.status
        every = {each.id: of_all or (REPLACED if each.id in self.replaced else CURRENT) for each in self.alone}
        return {name: status for name, status in every.items() if status}

    def covered(self, cover: Cover) -> Publication:
        """Return the same results under another cover, with numbers written in its language."""
        chapters = tuple(each.spelled(cover.signs) for each in self.chapters)
        return replace(self, cover=cover, chapters=chapters)

    def total_of(self, chapter: Chapter) -> int | None:
        """Return the number of the query whose one result is the total of a table, if there is one."""
        request = chapter.release.request
        for number, other in enumerate(self.chapters, 1):
            asked = other.release.request
            same = (asked.columns, asked.where, other.schema.digest) == (
                request.columns,
                request.where,
                chapter.schema.digest,
            )
            if same and other.counts and len(other.data) == 1 and not asked.groups:
                return number
        return None

    @property
    def own(self) -> list[tuple[Release, Schema]]:
        """Every release with each number's own interval, and its declaration."""
        return [(release, each.schema) for release, each in zip(self.alone, self.chapters, strict=True)]

    @property
    def at_once(self) -> dict[str, Release]:
        """The releases with simultaneous intervals, by id, if there are any."""
        return {each.release.id: each.release for each in self.chapters} if self.together > 1 else {}

    @property
    def numeric(self) -> bool:
        """Whether every answer is a number: no date and no name."""
        spoken = (written(each.release.request, each.schema, x.answer) for each in self.chapters for x in each.data)
        return not any(isinstance(answer, str) for answer in spoken)

    @property
    def released(self) -> tuple[datetime, datetime]:
        """When the first and the last answer were released."""
        moments = [chapter.release.at for chapter in self.chapters]
        return min(moments), max(moments)


def publication(
    answers: Sequence[tuple[Release, Schema]],
    total: Proven | None = None,
    wide: Sequence[Release] = (),
    replaced: Collection[str] = (),
) -> Publication:
    """Return a publication of released answers, each with the declaration under which it was made.

    If they were one plan, `total` is what was proven for it; without it, the plain sum is used. `wide` are the answers
    with simultaneous intervals, which are printed instead of each one's own. An answer that occurs twice counts once.
    `replaced` are the ids of releases that a more precise one has replaced; those that one of these answers replaced
    are found here.
    """
    if not answers:
        raise ParameterError("A report consists of results, and there are none yet. Release a result first.")
    several = list({release.id: (release, schema) for release, schema in answers}.values())
    at_once = {release.id: release for release in wide}
    together = shares_of_chance(wide) if wide else 1
    wholes = adding_up(several)
    chapters = tuple(
        replace(chapter(at_once.get(release.id, release), schema), sums=wholes.get(release.id, ()))
        for release, schema in several
    )
    proof = total or sums([release.cost for release, _ in several])
    relation = relation_of(release.request for release, _ in several)
    promise = risk(proof.cost, PERSON, EVERYTHING, relation).in_words
    asked = [(each.release.request, each.schema) for each in chapters]
    added = [number for number, each in enumerate(chapters, 1) if each.sums]
    packages = of_others([each.release.packages for each in chapters])
    made_so = (*methods(asked, proof, together), *packages, *mended(added, any(each.mended for each in chapters)))
    alone = tuple(release for release, _ in several)
    later = frozenset({*replaced, *(release.refines for release in alone if release.refines)})
    return Publication(chapters, alone, proof, together, made_so, promise, replaced=later)


def chapter(release: Release, schema: Schema) -> Chapter:
    """Return one release in the words of a table."""
    request = release.request
    every = data(release, schema)
    where = tuple(condition_words(condition) for condition in request.where)
    notes = _notes(release, schema, every)
    read = as_read(request, schema)
    return Chapter(release, schema, statistic(request), where, unit(request, schema), notes, read, every)


def _notes(release: Release, schema: Schema, every: Sequence[Datum]) -> tuple[Phrase, ...]:
    """Return notes on rank errors, on why there is no interval or no answer, and on loose bounds."""
    request = release.request
    ranks = off_by(release.request, schema)
    notes = [] if ranks is None else [ranks]
    if any(each.interval is None and not each.refused for each in every):
        notes.append(Phrase("No interval: {why}", why=no_interval(request)))
    if any(each.refused for each in every):
        notes.append(Phrase("No result: {why}", why=no_answer(request)))
    answer: Any = release.answer
    answers = [each for _, each in answer] if request.groups and isinstance(answer, tuple) else [answer]
    loose = None if None in answers else request.mechanism.loose(answers, request.public(schema))
    return (*notes, loose) if loose else tuple(notes)
