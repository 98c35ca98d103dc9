"""Reading check: whether a declaration fits the rows, for a small and open price.

A wrong decimal sign, a misspelled level or a date that is no number leaves rows out, and nothing of
protected rows can be shown to notice it. So of each column it is asked, like any question, how many
cells are read, are read and may be meant otherwise, are not read, and have nothing in them: each row
is in one of these counts, so one epsilon pays for all of them. What is said of the answers follows
from them and their public noise, and nothing else.

All intervals hold together but for the chance 1 - SURE: each of the counts of each column is given an
equal part of it. The noisy counts of what is read are added. Clipping at 0 moves a count by no more
than the noise did, so the sum is off by the noises above 0 at most, and by those below 0. A geometric
noise of a scale is above t with a chance of at most exp(-t / scale), so the sum of m of them is above
t with that of a gamma variable of shape m.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scipy.special import gammainccinv

from discreet.budget import Cost
from discreet.budget.cost import EPSILON_UNITS
from discreet.budget.errors import Phrase
from discreet.curator import Release, Request
from discreet.lab.experiment import NOBODY
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.queries import Relation
from discreet.queries.column import DOUBTFUL, GROUPED, MISSING, READ, UNREAD, HowRead
from discreet.rows.dataset import OpenData, refuse_protected
from discreet.rows.filters import Condition
from discreet.rows.numerals import EXAMPLES as WAYS
from discreet.rows.numerals import Numerals
from discreet.rows.schema import Schema

EPSILON = 0.1  # for all columns together, before anybody says otherwise
SURE = 0.99  # how sure all intervals are together
HALF, SOME, SMALL = 0.5, 0.1, 0.02  # of the cells: most of them, too many not to be told, and hardly any

NOTHING = Phrase("Hardly any cell is read. Check how its cells are written, its kind and its levels.")
LITTLE = Phrase("More than half of the cells are not read. Check how they are written, its kind and its levels.")
OTHERS = Phrase("More than half of the rows are of no declared level. Check how the levels are spelled.")
EMPTY = Phrase("More than half of the cells are empty.")
WHOLE = Phrase("Read.")
UNSURE = Phrase("Cannot tell: the noise is too large for so few rows. A larger epsilon tells more.")


def requests(schema: Schema, epsilon: float) -> dict[str, Request]:
    """Return the question for each column; all of them together cost epsilon."""
    each = shares(epsilon, len(schema.askable))
    return {name: counting(schema, name, part) for name, part in zip(schema.askable, each, strict=False)}


def shares(epsilon: float, parts: int) -> list[float]:
    """Return what each of so many questions may cost, all of epsilon together; nothing where it is too little."""
    each, rest = divmod(Cost.of(epsilon).nano_epsilon, max(parts, 1))
    return [(each + (at < rest)) / EPSILON_UNITS for at in range(parts)] if each else []


def counting(schema: Schema, name: str, epsilon: float, where: tuple[Condition, ...] = ()) -> Request:
    """Return the question that counts the rows of a column by how its cells are read."""
    relation = Relation(None, schema.rows_per_person)
    return Request(CountsGeometric(epsilon=epsilon, bins=HowRead(), relation=relation), (name,), where)


def cost(asked: Mapping[str, Request]) -> Cost:
    """Return what all questions cost together."""
    return sum((request.cost() for request in asked.values()), Cost.zero())


@dataclass(frozen=True)
class AboutRows:
    """About how many rows, and how far off this may be."""

    rows: float
    width: float

    @property
    def low(self) -> float:
        """How many there are at least."""
        return max(self.rows - self.width, 0.0)

    @property
    def high(self) -> float:
        """How many there are at most."""
        return self.rows + self.width


@dataclass(frozen=True)
class Reading:
    """What is said of one column: about how many rows are read, what it means, and if that is well.

    It is `unsure` where the noise hides too much. `unread` and `missing` are the rows beside them, where they
    are told apart. `perhaps` is how the numbers are written otherwise, by an example, where that is the likely cause.
    """

    column: str
    rows: float
    width: float
    verdict: Phrase
    good: bool = False
    unread: AboutRows | None = None
    missing: AboutRows | None = None
    perhaps: str = ""
    unsure: bool = False


@dataclass(frozen=True)
class Counted:
    """The noisy counts of one column."""

    read: AboutRows
    doubtful: AboutRows
    grouped: AboutRows
    unread: AboutRows
    missing: AboutRows

    @property
    def cells(self) -> float:
        """About how many cells have something in them."""
        return max(self.read.rows + self.unread.rows, 1.0)

    def share(self, part: AboutRows) -> float:
        """Return about which part of these cells it is."""
        return min(1.0, part.rows / self.cells)


def counted(schema: Schema, release: Release) -> Counted:
    """Return the counts of a column, each with how far off it may be."""
    request: Any = release.request
    counts: Any = release.answer
    miss = (1 - SURE) / (len(counts) * max(len(schema.askable), 1))
    width = float(request.mechanism.forecast(request.public(schema), 1 - miss).half_width)
    parts = schema.columns[request.columns[0]].readable
    wide = width if len(parts) == 1 else math.ceil(gammainccinv(len(parts), miss / 2) * request.mechanism.scale)
    single = [AboutRows(float(counts[at]), width) for at in (DOUBTFUL, GROUPED, UNREAD, MISSING)]
    return Counted(AboutRows(float(sum(counts[at] for at in parts)), wide), *single)


def readings(schema: Schema, releases: Mapping[str, Release]) -> list[Reading]:
    """Say of each column how its cells are read."""
    return [reading(schema, name, counted(schema, release)) for name, release in releases.items()]


def reading(schema: Schema, name: str, seen: Counted) -> Reading:
    """Say what the counts of a column mean."""
    fault = _unread(seen) or _doubtful(schema, name, seen) or _empty(seen)
    unsure = _unsure(seen)
    way = schema.columns[name].numerals
    verdict = fault or unsure
    likely = way is not None and (verdict in (NOTHING, LITTLE) or seen.doubtful.low > SMALL * seen.cells)
    return Reading(
        name,
        seen.read.rows,
        seen.read.width,
        _whole(schema, name, seen) if verdict is None else _spelled(schema, name, verdict),
        verdict is None,
        seen.unread,
        seen.missing,
        way.other if way is not None and likely else "",
        fault is None and unsure is not None,
    )


def _unread(seen: Counted) -> Phrase | None:
    """Say how many cells are not read, where that is surely more than hardly any."""
    if seen.unread.low <= SMALL * seen.cells:
        return None
    if seen.read.low == 0 and seen.share(seen.unread) > HALF:
        return NOTHING
    if seen.share(seen.unread) > HALF:
        return LITTLE
    return Phrase(
        "About {share:.0%} of the cells that are not empty are not read. Check how they are written.",
        share=seen.share(seen.unread),
    )


def _doubtful(schema: Schema, name: str, seen: Counted) -> Phrase | None:
    """Say that cells are read, and perhaps not as they are meant."""
    way = schema.columns[name].numerals
    if way is None:
        return OTHERS if seen.doubtful.low > HALF * seen.cells else None
    if seen.doubtful.low <= SMALL * seen.cells:
        return None
    return Phrase(
        "About {share:.0%} of the numbers have exactly three digits after the decimal sign, like {example}. Perhaps "
        "they are thousands.",
        share=seen.share(seen.doubtful),
        example=f"1{way.decimal}234",
    )


def _empty(seen: Counted) -> Phrase | None:
    """Say that hardly half of the rows have anything there."""
    return EMPTY if seen.missing.low > HALF * (seen.cells + seen.missing.rows) else None


def _unsure(seen: Counted) -> Phrase | None:
    """Say that the noise may hide cells that are not read."""
    most = seen.unread.high / (seen.read.low + seen.unread.high) if seen.read.low else 1.0
    if most > HALF:
        return UNSURE
    if most > SOME:
        return Phrase("Read, but for at most {most:.0%} of the cells. A larger epsilon tells more.", most=most)
    return None


def _whole(schema: Schema, name: str, seen: Counted) -> Phrase:
    """Say what else there is to know of a column that is read."""
    way = schema.columns[name].numerals
    every = seen.cells + seen.missing.rows
    if seen.missing.low > SMALL * every:
        return Phrase("Read. About {share:.0%} of the cells are empty.", share=seen.missing.rows / every)
    if way is not None and seen.grouped.low > SMALL * seen.cells:
        return Phrase(
            "Read. About {share:.0%} of the numbers are like {example}, and are read as {number}.",
            share=seen.share(seen.grouped),
            example=f"1{way.thousands}234",
            number="1234",
        )
    return WHOLE


def width_of(schema: Schema, release: Release) -> tuple[float, float]:
    """Return about how many rows are read, and how far off this may be."""
    read = counted(schema, release).read
    return read.rows, read.width


def _spelled(schema: Schema, name: str, verdict: Phrase) -> Phrase:
    """Add what there is to know of how the cells of such a column are written, where many could not be read."""
    how = schema.numbers[name].spelling if name in schema.numbers else None
    unread = how is not None and verdict in (NOTHING, LITTLE)
    return Phrase("{verdict} {how}", verdict=verdict, how=how) if unread else verdict


# Left out: whether a limit of rows a person, or a filter, leaves many rows out, by released counts.

MOST = 10_000  # rows of a person, as declarations allow
SMALL_SHARE = 0.02  # of the rows: what hardly matters, and hardly any
LIMIT = Phrase("The limit of rows a person")
FILTER = Phrase("The filter")
NOT_A_COLUMN = ""  # what their questions are called among those of columns: no column can be

WITHIN = Phrase("Hardly any rows of people who have more are left out.")
NOBODY_LEFT_OUT = Phrase("Hardly any row passes. Check how the filter and its column are spelled.")


def wider(schema: Schema) -> Schema | None:
    """Return the declaration with twice the rows a person; None where no limit leaves rows out."""
    person = schema.person
    if person is None or person[1].reduce is not None or 2 * person[1].rows > MOST or not schema.askable:
        return None
    name, declared = person
    return Schema({**schema.columns, name: replace(declared, rows=2 * declared.rows)})


def limited(schema: Schema, epsilon: float) -> Request:
    """Return the question that counts the first column under a declaration with twice the limit."""
    return counting(schema, schema.askable[0], epsilon)


def filtered(schema: Schema, column: str, where: Sequence[Condition], epsilon: float) -> Request:
    """Return the question that counts the rows of a column that pass a filter."""
    return counting(schema, column, epsilon, tuple(where))


def of_limit(schema: Schema, counted: Release, doubled: Release) -> Reading:
    """Compare what counts as declared with what would count under twice the limit."""
    rows, width = width_of(schema, counted)
    twice, wide = width_of(schema, doubled)
    more = twice - rows
    within = width + wide
    person = schema.person
    most = 1 if person is None else person[1].rows
    if more - within > SMALL_SHARE * max(rows, 1.0):
        return Reading(LIMIT, more, within, _beyond(most, more / max(rows, 1.0)))
    unsure = within > rows / 4 or rows <= width
    return Reading(LIMIT, max(more, 0.0), within, UNSURE if unsure else WITHIN, good=not unsure, unsure=unsure)


def of_filter(schema: Schema, counted: Release, passed: Release) -> Reading:
    """Say about which share of the rows a filter lets pass."""
    rows, width = width_of(schema, counted)
    some, within = width_of(schema, passed)
    if rows <= width or within > rows / 4:
        return Reading(FILTER, some, within, UNSURE, unsure=True)
    if some + within < SMALL_SHARE * rows:
        return Reading(FILTER, some, within, NOBODY_LEFT_OUT)
    return Reading(FILTER, some, within, _passing(min(1.0, some / rows)), good=True)


def _beyond(most: int, share: float) -> Phrase:
    return Phrase(
        "Some people have more rows than the limit of {most}: with twice the limit about {share:.0%} more rows would "
        "count.",
        most=most,
        share=share,
    )


def _passing(share: float) -> Phrase:
    return Phrase(
        "About {share:.0%} of the rows pass. The rest is left out, and so are rows whose cells there cannot be read.",
        share=share,
    )


# Reading report: what is read of open data, cell by cell and for nothing. Protected data are refused.

FIRST, LONGEST = 3, 40  # cells of a column that are shown, and signs of a cell


@dataclass(frozen=True)
class Reported:
    """How the cells of a column are read, how many there are, and the first ones that are not read."""

    reading: Reading
    cells: int
    unread: tuple[str, ...]


def report(dataset: OpenData) -> list[Reported]:
    """Return how each column is read."""
    refuse_protected(dataset)
    return dataset.opened(("read",), lambda: [_reported(dataset, name) for name in dataset.schema.askable])


def _reported(dataset: OpenData, name: str) -> Reported:
    counts = dataset.cells_read(name).counts.tolist()
    read = sum(counts) - counts[UNREAD] - counts[MISSING]
    single = [AboutRows(float(counts[at]), 0.0) for at in (DOUBTFUL, GROUPED, UNREAD, MISSING)]
    line = reading(dataset.schema, name, Counted(AboutRows(float(read), 0.0), *single))
    line = replace(line, perhaps=_better(dataset, name, counts) if line.perhaps else "")
    if not read:
        line = replace(line, verdict=NOBODY, good=False)
    examples = dataset.unread(name, FIRST) if counts[UNREAD] else []
    return Reported(line, sum(counts), tuple(map(shown, examples)))


def _better(dataset: OpenData, name: str, counts: Sequence[int]) -> str:
    """Return the way to write numbers by which most cells are read without a doubt, where that is more than now."""

    def clear(counts: Sequence[int]) -> int:
        return counts[READ] + counts[GROUPED]

    column = dataset.schema.columns[name]
    ways = {way: clear(dataset.cells_read(name, column.written(Numerals.like(way))).counts.tolist()) for way in WAYS}
    best = max(ways, key=ways.__getitem__)
    return best if ways[best] > clear(counts) else ""


def shown(cell: str) -> str:
    """Return a cell as it may be shown: cut, and without what turns text around or steers a screen."""
    plain = "".join("\u00b7" if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") else c for c in cell)
    return plain if len(plain) <= LONGEST else f"{plain[:LONGEST]}\u2026"
