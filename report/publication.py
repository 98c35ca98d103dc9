"""Publication: released answers as they are published: queries, numbers, methods, guarantee and cost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise

from discreet.budget import Cost, ParameterError, Phrase
from discreet.budget.composition import Proven, sums
from discreet.curator.result import Release
from discreet.report.adding_up import adding_up
from discreet.report.intervals import shares_of_chance
from discreet.report.numbers import Datum, counted, data
from discreet.report.risk import risk
from discreet.report.words import (
    PERSON,
    as_read,
    condition_words,
    mended,
    methods,
    no_answer,
    no_interval,
    of_others,
    off_by,
    statistic,
    told_apart,
    unit,
    written,
)
from discreet.rows.schema import Schema

EVERYTHING = Phrase("all values of this report")


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

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are queried."""
        return self.release.request.columns

    @property
    def groups(self) -> tuple[str, ...]:
        """The categories to group by."""
        return self.release.request.groups

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
        if view.edges and self.counts:
            return "bars" if told_apart(self.release.request, self.schema) is None else "line"
        if (len(self.groups) == 1 and not parted) or (self.counts and view.category):
            names = [datum.levels[0] if datum.levels else str(datum.part) for datum in self.data]
            return "line" if dated(names) else "rows" if ordered(names) else "sorted"
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
        """Whether a count was adjusted alone: it was drawn as a fraction or below 0, and is not part of a sum."""
        drawn = (datum.whole is not None and datum.whole != datum.answer for datum in self.data)
        return not self.sums and any(drawn)


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
    answers: Sequence[tuple[Release, Schema]], total: Proven | None = None, wide: Sequence[Release] = ()
) -> Publication:
    """Return a publication of released answers, each with the declaration under which it was made.

    If they were one plan, `total` is what was proven for it; without it, the plain sum is used. `wide` are the answers
    with simultaneous intervals, which are printed instead of each one's own. An answer that occurs twice counts once.
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
    promise = risk(proof.cost, PERSON, EVERYTHING).in_words
    asked = [(each.release.request, each.schema) for each in chapters]
    added = [number for number, each in enumerate(chapters, 1) if each.sums]
    packages = of_others([each.release.packages for each in chapters])
    made_so = (*methods(asked, proof, together), *packages, *mended(added, any(each.mended for each in chapters)))
    return Publication(chapters, tuple(release for release, _ in several), proof, together, made_so, promise)


def chapter(release: Release, schema: Schema) -> Chapter:
    """Return one release in the words of a table."""
    request = release.request
    every = data(release, schema)
    where = tuple(condition_words(condition) for condition in request.where)
    notes = _notes(release, schema, every)
    read = as_read(request, schema)
    return Chapter(release, schema, statistic(request), where, unit(request, schema), notes, read, every)


def _notes(release: Release, schema: Schema, every: Sequence[Datum]) -> tuple[Phrase, ...]:
    """Return notes on rank errors, and on why there is no interval or no answer."""
    request = release.request
    ranks = off_by(release.request, schema)
    notes = [] if ranks is None else [ranks]
    if any(each.interval is None and not each.refused for each in every):
        notes.append(Phrase("No interval: {why}", why=no_interval(request)))
    if any(each.refused for each in every):
        notes.append(Phrase("No result: {why}", why=no_answer(request)))
    return tuple(notes)
