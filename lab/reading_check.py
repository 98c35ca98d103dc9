"""Reading check: whether a declaration fits the rows, for a small and open price.

A wrong decimal sign, a misspelled level or a date that is no number leaves rows out, and nothing of
protected rows can be shown to notice it. So a few counts are asked like any question: of each column
how many rows could be read. What is said of them compares noisy counts and their public noise, and
nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from discreet.budget import Cost
from discreet.budget.cost import EPSILON_UNITS
from discreet.budget.phrase import Phrase
from discreet.curator import Release, Request
from discreet.mechanisms import registry
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.queries import Relation
from discreet.queries import registry as statistics
from discreet.rows.columns import Factor
from discreet.rows.filters import Condition
from discreet.rows.schema import Schema

EPSILON = 0.1  # for all columns together, before anybody says otherwise
SURE = 0.999  # how sure each comparison is
FEW, SOME = 0.5, 0.9  # of the rows of the column that could be read best

NOTHING = Phrase("Hardly any row could be read. Check how its cells are written, its kind and its levels.")
LITTLE = Phrase("More than half of the rows were left out. Check how its cells are written, its kind and its levels.")
OTHERS = Phrase("More than half of the rows are of no declared level. Check how the levels are spelled.")
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
    """Return the question that counts the rows of a column that could be read."""
    relation = Relation(None, schema.rows_per_person)
    if name in schema.categories:
        return Request(CountsGeometric(epsilon=epsilon, relation=relation), (name,), where)
    count: Any = registry["geometric"]
    return Request(count(query=statistics["count"](relation=relation), epsilon=epsilon), (name,), where)


def cost(asked: Mapping[str, Request]) -> Cost:
    """Return what all questions cost together."""
    return sum((request.cost() for request in asked.values()), Cost.zero())


@dataclass(frozen=True)
class Reading:
    """What is said of one column: about how many rows, within what, what it means, and if that is well."""

    column: str
    rows: float
    width: float
    verdict: Phrase
    good: bool = False


def readings(schema: Schema, releases: Mapping[str, Release]) -> list[Reading]:
    """Compare the columns with the one that could be read best."""
    counts = {name: width_of(schema, release) for name, release in releases.items()}
    best = max((rows - width for rows, width in counts.values()), default=0.0)
    verdicts = {name: _spelled(schema, name, _verdict(schema, name, *count, best)) for name, count in counts.items()}
    return [Reading(name, *counts[name], verdict, verdict is WHOLE) for name, verdict in verdicts.items()]


def width_of(schema: Schema, release: Release) -> tuple[float, float]:
    """Return about how many rows could be read, and how far off this may be."""
    request = release.request
    width = request.mechanism.forecast(request.public(schema), SURE).half_width or 0.0
    if not isinstance(release.answer, tuple):
        return float(release.answer or 0), width
    declared = schema.categories[request.columns[0]]
    counts = [float(count) for count in release.answer][: len(declared.declared)]
    clear = [count for count in counts if count > width]  # below it is noise, which never goes below 0
    return sum(clear), width * math.sqrt(len(counts))


def _spelled(schema: Schema, name: str, verdict: Phrase) -> Phrase:
    """Add what there is to know of how the cells of such a column are written, where many could not be read."""
    how = schema.numbers[name].spelling if name in schema.numbers else None
    unread = how is not None and verdict in (NOTHING, LITTLE)
    return Phrase("{verdict} {how}", verdict=verdict, how=how) if unread else verdict


def _verdict(schema: Schema, name: str, rows: float, width: float, best: float) -> Phrase:
    column: Factor | None = schema.categories.get(name)
    if rows + width < FEW * best:
        return OTHERS if column is not None and column.rest else NOTHING if rows - width <= 0 else LITTLE
    if best <= width:
        return UNSURE
    if rows + width < SOME * best:
        return Phrase("Some rows were left out: about {share:.0%} could be read.", share=rows / best)
    return WHOLE
