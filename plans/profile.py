"""Profile: a plan of all declared columns, from the declaration alone, and what is coarser or left out in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.counts import COUNTS
from discreet.mechanisms.counts_detail import DETAIL
from discreet.mechanisms.laws.law import VAGUE
from discreet.plans.methods import HOW_READ
from discreet.plans.plan import Plan, Wanted
from discreet.plans.planning import PlannedRow, misfit, planned
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.variance import StandardDeviation
from discreet.rows.columns import Quantity
from discreet.rows.columns.bands import MONTH, QUARTER, YEAR, Bands
from discreet.rows.schema import Schema

BINS = (10, 5)  # of a histogram; each further number is for fewer people
SUMMARY = (Count.name, Mean.name, StandardDeviation.name)  # one draw answers all of them
PERIODS, MOST_PERIODS = (MONTH, QUARTER, YEAR), 24
ROUNDS = (5, 10, 20, 50)  # years in a band
USUAL = 0.5  # a margin of error of so much of a count of usual size says next to nothing
WORTH_IT = 4  # margins of error that a count of a table should have
COARSER = Phrase("{queries}: coarser than usual, because the margin of error would be half of a usual count or more.")
OUT = Phrase("{queries}: left out, because the margin of error would say next to nothing.")
NOT_ASKED = Phrase("Left out: {columns}. Such columns take no statistics.")
Rows = tuple[Wanted, ...]


@dataclass(frozen=True)
class Note:
    """What a profile asks in another way than usual: the usual rows, those in their place, and why."""

    why: Phrase
    usual: Rows
    instead: Rows


@dataclass(frozen=True)
class Profile:
    """A plan of all columns that can be asked, the notes on it, and the columns that cannot."""

    plan: Plan
    notes: tuple[Note, ...]
    left: tuple[str, ...]


def profile(schema: Schema, plan: Callable[[Rows], Plan]) -> Profile:
    """Return the profile of a declaration; `plan` makes a plan of rows, on its terms. Raise ParameterError for none.

    A row is coarsened or left out where its forecast says next to nothing. This is public: it is from the declaration
    and the guesses of the plan alone.
    """
    ladders = [
        fit for name in schema.askable for ladder in _ladders(schema, name) if (fit := _fitting(ladder, plan, schema))
    ]
    usual = [ladder[0] for ladder in ladders]
    while items := tuple(item for ladder in ladders for item in ladder[0]):
        way = planned(plan(items), schema, sure=True)
        noise = {row.item: _noise(row) for row in way.rows}
        vague = [at for at, ladder in enumerate(ladders) if max((noise[row] for row in ladder[0]), default=0) >= 1]
        if not vague:
            break
        vague.sort(key=lambda at: max(noise[row] for row in ladders[at][0]))
        for at in vague[len(vague) // 2 :]:  # the others may do with the budget that these leave
            ladders[at] = ladders[at][1:]
    if not items:
        raise ParameterError("A profile of so few people would only be noise. Raise the total ε, or choose queries.")
    pairs = zip(usual, (ladder[0] for ladder in ladders), strict=True)
    notes = tuple(_note(before, now) for before, now in pairs if before != now)
    left = tuple(name for name in schema.columns if name not in schema.askable)
    return Profile(plan(items), notes, left)


def _note(usual: Rows, instead: Rows) -> Note:
    without = tuple(row for row in usual if row not in instead)
    new = tuple(row for row in instead if row not in usual)
    return Note(COARSER if new else OUT, without, new)


def _noise(row: PlannedRow) -> float:
    """Return the margin of error of a row, as a part of that at which it says next to nothing.

    A count says nothing beside one of usual size; any other result says nothing beside its possible range.
    """
    if row.item.statistic == HOW_READ.name:
        return row.error / (USUAL * row.subject.people)
    if row.item.statistic in (Count.name, COUNTS.name):
        return row.error / (USUAL * row.subject.people / (row.subject.labels or 1))
    return row.error / (row.subject.range * VAGUE)


def _fitting(ladder: Iterable[Rows], plan: Callable[[Rows], Plan], schema: Schema) -> list[Rows]:
    """Return the steps of a ladder without the rows that no mechanism can answer, and a last step without rows."""
    steps = [tuple(row for row in step if misfit(row, plan(step), schema) is None) for step in ladder]
    kept = list(dict.fromkeys(step for step in steps if step))
    return [*kept, ()] if kept else []


def _ladders(schema: Schema, name: str) -> Iterator[Iterable[Rows]]:
    """Yield what is asked of a column, each as a ladder: the usual rows first, then what fewer people allow."""

    def row(statistic: str, by: Bands | None = None, bins: int | None = None) -> Wanted:
        return Wanted(statistic, name, by and (by,), interval=True, bins=bins)

    declared = schema.numbers.get(name)
    if declared is None:
        yield [(row(COUNTS.name),)]
    elif declared.zero:
        rows = tuple(map(row, SUMMARY))
        yield [rows[:most] for most in range(len(rows), 0, -1)]
        values = declared.bounds.top + 1
        yield [(row(COUNTS.name, bins=min(bins, values)),) for bins in BINS]
    else:
        yield [(row(Count.name, by),) for by in _bands(schema, name, declared)]
    yield [(row(HOW_READ.name),)]


def coarser(item: Wanted, schema: Schema) -> Wanted | None:
    """Return a row with bands or bins twice as wide, or of the next longer period; None if it has none to widen."""
    if item.bins is not None:
        return replace(item, bins=item.bins // 2) if item.bins >= 4 else None
    wider = tuple(_wider(by, schema) if isinstance(by, Bands) else by for by in item.groups)
    return replace(item, by=wider) if wider != item.groups else None


def joined(row: PlannedRow, plan: Plan, schema: Schema) -> Wanted | None:
    """Return a table of counts by bands and other groups with bands that are wider where there are few people.

    None where at least half of the counts are expected to be four times their margin of error, or where no bands can be
    joined.
    """
    item, subject = row.item, row.subject
    own = [by for by in item.groups if isinstance(by, Bands) and by.column in schema.numbers]
    if item.statistic != Count.name or len(item.groups) < 2 or not own:
        return None
    people = subject.groups or (subject.people,)
    if 2 * sum(each < WORTH_IT * row.error for each in people) <= len(people):
        return None
    most = max(own, key=lambda by: len(schema.category(by).labels))
    other = replace(item, statistic=DETAIL.name, column=most.column, method=None)
    return other if misfit(other, plan, schema) is None else None


def _wider(by: Bands, schema: Schema) -> Bands:
    """Return bands with every second edge, or twice the width, or of the next period; the same if there are none."""
    later = dict(pairwise(PERIODS)).get(by.every) if isinstance(by.every, str) else 2 * (by.every or 0)
    wide = Bands(by.column, by.edges[1::2]) if len(by.edges) > 1 else Bands(by.column, every=later) if later else by
    try:
        schema.category(wide)
    except ParameterError:
        return by
    return wide


def _bands(schema: Schema, name: str, dates: Quantity) -> Iterator[Bands]:
    """Yield bands of dates, finer ones first: months, quarters, years and rounds of years; else the usual ones."""
    bands = [Bands(name, every=period) for period in PERIODS if dates.has_bands(period)]
    if dates.has_bands(YEAR):
        years = schema.category(Bands(name, every=YEAR)).labels[1:]
        edges = [tuple(f"{year}-01-01" for year in years if int(year) % round == 0) for round in ROUNDS]
        bands += [Bands(name, each) for each in dict.fromkeys(edges) if each]
    few = [each for each in bands if len(schema.category(each).labels) <= MOST_PERIODS]
    yield from few or ([] if dates.usual is None else [Bands(name, every=dates.usual)])
