"""Reading check: whether a declaration fits the rows, for a small, stated price.

A wrong decimal separator, a misspelled level or an unparsable date leaves rows out, and protected rows cannot be shown
to detect that. So for each column an ordinary query counts how many cells are parsed, are parsed but ambiguous, are not
parsed, and are missing: each row is in one of these counts, so one epsilon pays for all of them. What is reported about
the answers depends on them and their public noise, and on nothing else.

All intervals are valid together except with probability 1 - SURE: each of the counts of each column gets an equal part
of it. The noisy counts of what is parsed are added. Clipping at 0 moves a count by no more than the noise did, so the
error of the sum is at most the sum of the noises above 0, and of those below 0. Geometric noise is above t with
probability at most exp(-t / scale), so the sum of m of them is above t with at most the probability of a gamma variable
of shape m.
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

EPSILON = 0.1  # for all columns together, by default
SURE = 0.99  # the confidence of all intervals together
HALF, SOME, SMALL = 0.5, 0.1, 0.02  # of the cells: most of them, too many not to be reported, and hardly any

NOTHING = Phrase(
    "Almost no cell was read. Check the format of the cells, the kind of the column and its allowed values."
)
LITTLE = Phrase(
    "More than half of the cells were not read. Check their format, the kind of the column and its allowed values."
)
OTHERS = Phrase(
    "More than half of the rows have a value that is not on the list. Check the spelling of the allowed values."
)
EMPTY = Phrase("More than half of the cells are empty.")
WHOLE = Phrase("Read.")
UNSURE = Phrase("Inconclusive: there are too few rows for this much noise.")


def requests(schema: Schema, epsilon: float) -> dict[str, Request]:
    """Return the query for each column; all of them together cost epsilon."""
    each = shares(epsilon, len(schema.checkable))
    return {name: counting(schema, name, part) for name, part in zip(schema.checkable, each, strict=False)}


def shares(epsilon: float, parts: int) -> list[float]:
    """Split epsilon among `parts` queries; empty if it is too small."""
    each, rest = divmod(Cost.of(epsilon).nano_epsilon, max(parts, 1))
    return [(each + (at < rest)) / EPSILON_UNITS for at in range(parts)] if each else []


def counting(schema: Schema, name: str, epsilon: float, where: tuple[Condition, ...] = ()) -> Request:
    """Return the query that counts the rows of a column by how its cells are read."""
    relation = Relation(None, schema.rows_per_person)
    return Request(CountsGeometric(epsilon=epsilon, bins=HowRead(), relation=relation), (name,), where)


def cost(asked: Mapping[str, Request]) -> Cost:
    """Return the total cost of the queries."""
    return sum((request.cost() for request in asked.values()), Cost.zero())


@dataclass(frozen=True)
class AboutRows:
    """An approximate number of rows, with its error bound."""

    rows: float
    width: float

    @property
    def low(self) -> float:
        """The lower bound."""
        return max(self.rows - self.width, 0.0)

    @property
    def high(self) -> float:
        """The upper bound."""
        return self.rows + self.width


@dataclass(frozen=True)
class Reading:
    """The result for one column: about how many rows are parsed, what that means, and whether it is good.

    It is `unsure` if the noise hides too much; if it hides less, `hidden` is the largest fraction of the cells that
    may not be parsed. `unread` and `missing` are the other rows, if they are distinguished.
    `perhaps` is an example of how numbers are probably written, if that is the likely cause.
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
    hidden: float = 0.0


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
        """The approximate number of cells that are not empty."""
        return max(self.read.rows + self.unread.rows, 1.0)

    def share(self, part: AboutRows) -> float:
        """Return the approximate fraction of these cells."""
        return min(1.0, part.rows / self.cells)


def counted(schema: Schema, release: Release) -> Counted:
    """Return the counts of a column, each with its error bound."""
    request: Any = release.request
    counts: Any = release.answer
    miss = (1 - SURE) / (len(counts) * max(len(schema.checkable), 1))
    width = float(request.mechanism.forecast(request.public(schema), 1 - miss).half_width)
    parts = schema.columns[request.columns[0]].readable
    wide = width if len(parts) == 1 else math.ceil(gammainccinv(len(parts), miss / 2) * request.mechanism.scale)
    single = [AboutRows(float(counts[at]), width) for at in (DOUBTFUL, GROUPED, UNREAD, MISSING)]
    return Counted(AboutRows(float(sum(counts[at] for at in parts)), wide), *single)


def readings(schema: Schema, releases: Mapping[str, Release]) -> list[Reading]:
    """Return, for each column, how its cells are read."""
    return [reading(schema, name, counted(schema, release)) for name, release in releases.items()]


def reading(schema: Schema, name: str, seen: Counted) -> Reading:
    """Return what the counts of a column mean."""
    fault = _unread(seen) or _doubtful(schema, name, seen) or _empty(seen)
    hidden = _hidden(seen)
    unsure = UNSURE if fault is None and hidden > HALF else None
    way = schema.columns[name].numerals
    verdict = fault or unsure
    likely = way is not None and (verdict in (NOTHING, LITTLE) or seen.doubtful.low > SMALL * seen.cells)
    return Reading(
        name,
        seen.read.rows,
        seen.read.width,
        _whole(schema, name, seen, hidden) if verdict is None else _spelled(schema, name, verdict),
        verdict is None,
        seen.unread,
        seen.missing,
        way.other if way is not None and likely else "",
        unsure is not None,
        hidden if verdict is None and hidden > SOME else 0.0,
    )


def _unread(seen: Counted) -> Phrase | None:
    """Return how many cells are not parsed, if that is certainly more than hardly any."""
    if seen.unread.low <= SMALL * seen.cells:
        return None
    if seen.read.low == 0 and seen.share(seen.unread) > HALF:
        return NOTHING
    if seen.share(seen.unread) > HALF:
        return LITTLE
    return Phrase(
        "About {share:.0%} of the non-empty cells were not read. Check the format of the values.",
        share=seen.share(seen.unread),
    )


def _doubtful(schema: Schema, name: str, seen: Counted) -> Phrase | None:
    """Return that cells are parsed, but maybe not as they are meant, or None."""
    way = schema.columns[name].numerals
    if way is None:
        return OTHERS if seen.doubtful.low > HALF * seen.cells else None
    if seen.doubtful.low <= SMALL * seen.cells:
        return None
    return Phrase(
        "About {share:.0%} of the numbers have exactly three digits after the decimal sign, like "
        "{example}. The sign may be a thousands separator.",
        share=seen.share(seen.doubtful),
        example=f"1{way.decimal}234",
    )


def _empty(seen: Counted) -> Phrase | None:
    """Return that more than half of the rows are empty, or None."""
    return EMPTY if seen.missing.low > HALF * (seen.cells + seen.missing.rows) else None


def _hidden(seen: Counted) -> float:
    """Return the largest fraction of the cells that may not be parsed, for all that the noise hides."""
    return seen.unread.high / (seen.read.low + seen.unread.high) if seen.read.low else 1.0


def _whole(schema: Schema, name: str, seen: Counted, hidden: float) -> Phrase:
    """Return what else is known about a column in which no fault was found."""
    if hidden > SOME:
        return Phrase("Read, except for at most {most:.0%} of the cells.", most=hidden)
    way = schema.columns[name].numerals
    every = seen.cells + seen.missing.rows
    if seen.missing.low > SMALL * every:
        return Phrase("Read. About {share:.0%} of the cells are empty.", share=seen.missing.rows / every)
    if way is not None and seen.grouped.low > SMALL * seen.cells:
        return Phrase(
            "Read. About {share:.0%} of the numbers look like {example}. They are read as {number}.",
            share=seen.share(seen.grouped),
            example=f"1{way.thousands}234",
            number="1234",
        )
    return WHOLE


def width_of(schema: Schema, release: Release) -> tuple[float, float]:
    """Return about how many rows are parsed, and the error bound."""
    read = counted(schema, release).read
    return read.rows, read.width


def _spelled(schema: Schema, name: str, verdict: Phrase) -> Phrase:
    """Append how the cells of such a column must be written, if many could not be parsed."""
    how = schema.numbers[name].spelling if name in schema.numbers else None
    unread = how is not None and verdict in (NOTHING, LITTLE)
    return Phrase("{verdict} {how}", verdict=verdict, how=how) if unread else verdict


# --- Left out: whether a limit of rows per person, or a filter, leaves many rows out, by released counts ---

MOST = 10_000  # rows of a person, as declarations allow
SMALL_SHARE = 0.02  # of the rows: what hardly matters, and hardly any
LIMIT = Phrase("Limit of rows per person")
FILTER = Phrase("Filter")
NOT_A_COLUMN = ""  # key of their queries among those of columns: no column has it

WITHIN = Phrase("The limit drops almost no rows.")
NOBODY_LEFT_OUT = Phrase("Almost no rows pass the filter. Check the spelling of the value and of the column.")


def wider(schema: Schema) -> Schema | None:
    """Return the declaration with twice the rows per person; None if no limit leaves rows out."""
    person = schema.person
    if person is None or person[1].reduce is not None or 2 * person[1].rows > MOST or not schema.checkable:
        return None
    name, declared = person
    return Schema({**schema.columns, name: replace(declared, rows=2 * declared.rows)})


def limited(schema: Schema, epsilon: float) -> Request:
    """Return the query that counts the first column; `schema` is a declaration made by `wider`."""
    return counting(schema, schema.checkable[0], epsilon)


def filtered(schema: Schema, column: str, where: Sequence[Condition], epsilon: float) -> Request:
    """Return the query that counts the rows of a column that pass a filter."""
    return counting(schema, column, epsilon, tuple(where))


def of_limit(schema: Schema, counted: Release, doubled: Release) -> Reading:
    """Compare what counts as declared with what would count with twice the limit."""
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
    """Return about which fraction of the rows a filter lets pass."""
    rows, width = width_of(schema, counted)
    some, within = width_of(schema, passed)
    if rows <= width or within > rows / 4:
        return Reading(FILTER, some, within, UNSURE, unsure=True)
    if some + within < SMALL_SHARE * rows:
        return Reading(FILTER, some, within, NOBODY_LEFT_OUT)
    return Reading(FILTER, some, within, _passing(min(1.0, some / rows)), good=True)


def _beyond(most: int, share: float) -> Phrase:
    return Phrase(
        "Some people have more than {most} rows. Doubling the limit would keep about {share:.0%} more rows.",
        most=most,
        share=share,
    )


def _passing(share: float) -> Phrase:
    return Phrase(
        "About {share:.0%} of the rows pass the filter. The others are dropped. Rows with an "
        "unreadable cell in the filter column are dropped, too.",
        share=share,
    )


# --- Reading report: how open data are read, cell by cell and at no cost. Protected data are refused. ---

FIRST, LONGEST = 3, 40  # cells of a column that are shown, and characters of a cell


@dataclass(frozen=True)
class Reported:
    """How the cells of a column are read, how many there are, and the first ones that are not parsed."""

    reading: Reading
    cells: int
    unread: tuple[str, ...]


def report(dataset: OpenData) -> list[Reported]:
    """Return how each column is read."""
    refuse_protected(dataset)
    return dataset.opened(("read",), lambda: [_reported(dataset, name) for name in dataset.schema.checkable])


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
    """Return the way of writing numbers by which most cells are unambiguous, if that is more than now."""

    def clear(counts: Sequence[int]) -> int:
        return counts[READ] + counts[GROUPED]

    column = dataset.schema.columns[name]
    ways = {way: clear(dataset.cells_read(name, column.written(Numerals.like(way))).counts.tolist()) for way in WAYS}
    best = max(ways, key=ways.__getitem__)
    return best if ways[best] > clear(counts) else ""


def shown(cell: str) -> str:
    """Return a cell as it may be shown: truncated, and without control and direction characters."""
    plain = "".join("\u00b7" if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") else c for c in cell)
    return plain if len(plain) <= LONGEST else f"{plain[:LONGEST]}\u2026"
