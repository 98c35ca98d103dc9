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
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scipy.special import gammainccinv

from discreet.budget import Cost
from discreet.budget.cost import EPSILON_UNITS
from discreet.budget.phrase import Phrase
from discreet.curator import Release, Request
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.queries import Relation
from discreet.queries.scores import DOUBTFUL, GROUPED, MISSING, UNREAD, HowRead
from discreet.rows.filters import Condition
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
    fault, unsure, way = (
        _unread(seen) or _doubtful(schema, name, seen) or _empty(seen),
        _unsure(seen),
        schema.columns[name].numerals,
    )
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
    way, every = schema.columns[name].numerals, seen.cells + seen.missing.rows
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
