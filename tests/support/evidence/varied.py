"""Varied: every registered mechanism with non-default settings, generated from its fields; data of any size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from itertools import product
from typing import Any

import numpy as np

from discreet.budget.errors import ParameterError
from discreet.mechanisms import Mechanism, Public
from discreet.mechanisms.base.view import InBlocks, Levels, TwoColumns
from discreet.mechanisms.base.vocabulary import Parameter
from discreet.queries import Bounds, Column, Query, Relation
from discreet.queries import registry as statistics
from discreet.queries.column import Bins, Scores
from support.evidence.cases import NARROWER, OF_TWO, block_pairs, score_moves, two_column_pairs
from support.evidence.worlds import variants

Pair = tuple[Any, Any]
RELATIONS = (
    Relation(),
    Relation(rows=2),
    Relation(rows=3),
    Relation(size=1),
    Relation(size=16),
    Relation(size=5, rows=2),
    Relation(size=300),
)
SHARES = (0.05, 0.25, 0.75)  # within a range from 0 to 1
WHOLES, REALS = (1, 2, 3, 7), (-3.0, 0.5, 1.0, 2.5, 17.0, 101.0)  # within wider ranges
GIVEN: dict[str, tuple[Any, ...]] = {  # of fields that declare no range
    "epsilon": (0.3, 1.0, 2.5),
    "delta": (1e-6, 1e-3, 0.2),
    "levels": ((0.25, 0.75), (0.0, 1.0), (0.1, 0.5, 0.9), (0.0, 0.5), (0.3, 1.0)),
    "bins": (None, Bins((0.0, 1.0, 2.0))),
    "lower": (0.0, -2.0),
    "upper": (1.0, 3.0),
    "queries": ("one", "twice", "two", "three"),
}
GRIDS = (
    Bounds(-1, 5, step=3, integer=True),
    Bounds(-7, -1, step=2, integer=True),
    Bounds(0, 2**20 - 1, integer=True),
    Bounds(-0.5, 0.25),
)
FEW_TICKS = (Bounds(-1, 5, step=3, integer=True), Bounds(-3, -1, integer=True))
SIZES = (0, 1, 2, 7, 16, 99, 299, 999, 9999)
# values of the rows (none: everywhere), and the share of rows at the other end
PLACES = ((0, 0), (0, 0), (1, 0), (1, 0), (0.5, 0), (0, 0.1), (0, 0.5), (None, 0))
SHORT = SIZES[:5]  # where every possible result is enumerated
COUNTS = (0, 1, 2, 3, 16, 17, 18, 99, 100, 101, 102, 1000)
TRIES = 30


def values_of(parameter: Parameter, preset: Any) -> list[Any]:
    """Return values of a declared parameter, its ends and some between, from its range alone."""
    if parameter.choices:
        return list(parameter.choices)
    if parameter.high - parameter.low <= 1:
        return sorted({parameter.low, *(s for s in SHARES if parameter.low < s < parameter.high), parameter.high})
    few = WHOLES if isinstance(preset, int) else REALS
    return [None] * (preset is None) + [value for value in few if parameter.low <= value <= parameter.high]


def choices(kind: type[Any]) -> dict[str, list[Any]]:
    """Return the possible values of each field of a mechanism."""
    values: dict[str, list[Any]] = {"relation": list(RELATIONS)}
    for each in fields(kind):
        if each.name in GIVEN:
            values[each.name] = list(GIVEN[each.name])
        elif each.name == "estimator" and kind in OF_TWO:
            values["estimator"] = list(OF_TWO[kind])
        elif each.name == "query":
            values["query"] = sorted(statistics)
        elif "parameter" in each.metadata:
            values[each.name] = values_of(each.metadata["parameter"], each.default)
    return values


def drawn_query(relation: Relation, rng: np.random.Generator, name: str | None = None) -> Query:
    """Generate a statistic that rows can move, with its parameters."""
    names = sorted(statistics) if name is None else [name]
    every = [q for each in names for q in variants(statistics[each], relation) if q.global_sensitivity(GRIDS[0]) > 0]
    if not every:
        raise ParameterError("No such statistic under this relation.")
    return every[rng.integers(len(every))]


def built(kind: type[Any], given: dict[str, Any], rng: np.random.Generator) -> Mechanism:
    """Return mechanisms with some choices, or raise if they are not compatible."""
    given = dict(given)
    relation = given.pop("relation")
    names = {each.name for each in fields(kind)}
    if "query" in names:
        given["query"] = drawn_query(relation, rng, given["query"])
    elif "queries" in names:
        first, second = drawn_query(relation, rng), drawn_query(relation, rng)
        given["queries"] = {
            "one": (first,),
            "twice": (first, first),
            "two": (first, second),
            "three": (first, second, first),
        }[given["queries"]]
    elif "relation" in names:
        given["relation"] = relation
    elif relation != Relation():
        raise ParameterError("It has no neighbours to declare.")
    mechanism: Mechanism = kind(**given)
    return mechanism


def varied(kind: type[Any], seed: int) -> list[Mechanism]:
    """Return mechanisms in which each value of each field occurs at least once, if it is compatible with any other."""
    rng = np.random.default_rng(seed)
    values, every = choices(kind), list[Mechanism]()
    unmet = [(name, at) for name, of in values.items() for at in range(len(of))]
    rng.shuffle(unmet)
    unmet = [(str(name), int(at)) for name, at in unmet]
    while unmet:
        name, at = unmet.pop()
        for _ in range(TRIES):
            places = {each: int(rng.integers(len(of))) for each, of in values.items()} | {name: at}
            try:
                every.append(built(kind, {each: of[places[each]] for each, of in values.items()}, rng))
            except ParameterError:
                continue
            unmet = [each for each in unmet if places[each[0]] != each[1]]
            break
    return every


def pairs_of(mechanism: Mechanism, most: int, rng: np.random.Generator) -> list[Pair]:
    """Return a random sample of neighbouring views of the kind that a mechanism uses."""
    view = mechanism.view
    if isinstance(view, InBlocks | TwoColumns):
        every: list[Any] = list((block_pairs if isinstance(view, InBlocks) else two_column_pairs)(mechanism))
        return [every[at] for at in rng.permutation(len(every))[:most]]
    if isinstance(view, Levels):
        return list(_scores(mechanism.neighbours, most, rng))
    query = getattr(mechanism, "query", None)
    relation = Relation(getattr(query, "resize", None) or mechanism.neighbours.size, mechanism.neighbours.rows)
    grids = [grid for grid in (FEW_TICKS if mechanism.slug in NARROWER else GRIDS) if _takes(mechanism, grid)]
    ways = list(_columns(relation, grids, SHORT if mechanism.slug in NARROWER else SIZES, most, rng))
    return [pair[:: (1, -1)[rng.integers(2)]] for pair in ways]


def _takes(mechanism: Mechanism, bounds: Bounds) -> bool:
    try:
        mechanism.check(Public(bounds))
    except ParameterError:
        return False
    return True


def _columns(
    relation: Relation, grids: Sequence[Bounds], sizes: Sequence[int], most: int, rng: np.random.Generator
) -> Iterator[Pair]:
    """Yield rows at one or two values, or everywhere, and their neighbours by one person."""
    sizes = sizes if relation.size is None else (relation.size,)
    every = list(product(grids, PLACES, (0, 0.001, 0.25, 1), (0, 1)))
    for turn, at in enumerate(rng.integers(len(every), size=most)):
        bounds, (where, mixed), new, split = every[at]
        n = sizes[turn % len(sizes)]
        rows = _spread(bounds, n) if where is None else np.full(n, round(where * bounds.top), np.int64)
        rows[: round(n * mixed)] = bounds.top - rows[: round(n * mixed)]
        more = np.full(relation.rows, round(new * bounds.top), np.int64)
        more[0] = bounds.top - more[0] if split else more[0]
        less = rows if relation.size is None else rows[min(relation.rows, n) :]
        other = np.append(less, more[: n - less.size] if relation.size else more)
        yield Column.from_ticks(bounds, rows), Column.from_ticks(bounds, other)


def _spread(bounds: Bounds, n: int) -> Any:
    """Return rows of all sizes: as many below a tick as between it and its double."""
    return np.floor((bounds.top + 1.0) ** (np.arange(n) / max(n, 1))).astype(np.int64)


def _scores(relation: Relation, most: int, rng: np.random.Generator) -> Iterator[Pair]:
    """Yield counts of three candidates or four, and how one person moves three of them."""
    moves = sorted(score_moves(relation))
    while most:
        size = (3, 4)[rng.integers(2)]
        counts = np.resize(rng.choice(COUNTS, 3), size)
        other = counts.copy()
        other[:3] += moves[rng.integers(len(moves))]
        if other.min() >= 0:
            most -= 1
            labels = tuple("abcd"[:size])
            yield Scores(labels, counts), Scores(labels, other)
