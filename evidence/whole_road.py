"""Whole road: the audit of a query from two tables to the joint law of everything shown, exactly.

A release draws its secret choices; here all of them are enumerated, each with its probability, by the two steps that
release. The result is a mixture of laws, and two neighbouring tables are compared as two mixtures, at the cost that the
ledger would be charged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from discreet.budget import Cost
from discreet.curator import road
from discreet.curator.plan import FixedPlan
from discreet.curator.request import Request, draw_of, draws
from discreet.evidence.audit import Worst
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.base.view import InBlocks
from discreet.mechanisms.laws.divergence import Failed, Weighted, apart
from discreet.mechanisms.laws.law import Law, Product
from discreet.queries.bounds import IntArray
from discreet.rows.cells import Mask
from discreet.rows.columns import Person
from discreet.rows.dataset import Dataset
from discreet.rows.persons import DrawnLots
from discreet.rows.schema import Schema
from discreet.rows.source import LocalSource, Source

Opener = Callable[[pa.Table], Source]
Shown = Callable[[Request, road.Views], Law]


class Charged(Protocol):
    """The part of a query that determines its charge."""

    def cost(self) -> Cost:
        """Return what the ledger is charged."""


class Every(DrawnLots):
    """Lots that were chosen in advance: a word for every row, a block for every person."""

    def __init__(self, words: Sequence[int], marks: dict[int, int], blocks: int, choices: Sequence[int]) -> None:
        """Take the words of all rows in order, and the choices of rows to keep."""
        super().__init__(SimulationNoise(0))
        self._key = bytes(32)
        self._words = list(words)
        self._marks = marks
        self._blocks = blocks
        self._choices = list(choices)
        self.asked = list[int]()

    def rows(self, size: int) -> NDArray[np.uint32]:
        """Return the words of the next rows."""
        words, self._words = self._words[:size], self._words[size:]
        return np.array(words, dtype=np.uint32)

    def persons(self, cells: Any, fold: bool) -> tuple[NDArray[np.uint64], Mask]:
        """Return a word that is unique to the person and in the person's block."""
        words, named = super().persons(cells, fold)
        places = list(self._marks)
        own = [places.index(w) * self._blocks + self._marks[w] if w in self._marks else 0 for w in words.tolist()]
        return np.array(own, dtype=np.uint64), named

    def chosen(self, rows: int, size: int) -> IntArray:
        """Return the chosen rows, by default the first choice; record how many choices there are."""
        at = self._choices[len(self.asked)] if len(self.asked) < len(self._choices) else 0
        self.asked.append(math.comb(rows, size))
        for place, subset in enumerate(combinations(range(rows), size)):
            if place == at:
                return np.array(subset, dtype=np.int64)
        raise AssertionError("a choice beyond the last one")


def _law(request: Request, views: road.Views) -> Law:
    return road.law(request, views).everything


def laws(table: pa.Table, schema: Schema, question: Request | FixedPlan, opened: Opener, of: Shown = _law) -> Weighted:
    """Return the law of everything shown, as laws given each secret choice, with its probability.

    Every draw of a plan makes its own choices, so the laws of a plan are the products of its draws' laws. Rows
    that share a draw are computed from it and public values.
    """
    rows = [_laws(table, schema, draw_of(question.rows, places), opened, of) for places in draws(question.rows)]
    if isinstance(question, Request):
        return rows[0]
    joint = product(*rows)
    return [(math.prod(weight for weight, _ in each), Product(tuple(law for _, law in each))) for each in joint]


def _laws(table: pa.Table, schema: Schema, request: Request, opened: Opener, of: Shown) -> Weighted:
    """Return the laws of one query."""
    weights: dict[Any, Fraction] = {}  # exact: a certain outcome is one law, not a mixture
    source = opened(table)
    arranged = list(_arranged(table, schema, request))
    for words, marks, blocks in arranged:
        todo = [(tuple[int, ...](), Fraction(1, len(arranged)))]
        while todo:
            choices, weight = todo.pop()
            lots = Every(words, marks, blocks, choices)
            views = _Views(_read(Dataset(source, schema), request, lots))
            if len(lots.asked) > len(choices):
                ways = lots.asked[len(choices)]
                todo += [((*choices, way), weight / ways) for way in range(ways)]
            else:
                weights[views] = weights.get(views, Fraction(0)) + weight
    return [(float(weight), _given(of, request, views.groups)) for views, weight in weights.items()]


class _Views:
    """Views that are equal if every group and number in them is."""

    def __init__(self, seen: road.Views | None) -> None:
        """Take the result of reading; None if it failed."""
        self.groups = seen
        self._mark = (
            None
            if seen is None
            else tuple(
                (level, *(a.tobytes() for a in vars(view).values() if isinstance(a, np.ndarray)))
                for level, view in seen
            )
        )

    def __hash__(self) -> int:
        """Return a hash of all numbers."""
        return hash(self._mark)

    def __eq__(self, other: object) -> bool:
        """Return whether all numbers are equal."""
        return isinstance(other, _Views) and other._mark == self._mark


def _read(dataset: Dataset, request: Request, lots: Every) -> road.Views | None:
    try:
        return road.views(dataset, request, lots)
    except Exception:
        return None


def _given(of: Shown, request: Request, views: road.Views | None) -> Law:
    try:
        return Failed() if views is None else of(request, views)
    except Exception:
        return Failed()


def _arranged(table: pa.Table, schema: Schema, request: Request) -> Iterator[tuple[list[int], dict[int, int], int]]:
    """Yield the words of rows and the blocks of persons that can make a difference."""
    person = schema.person
    rows = table.num_rows
    view = request.mechanism.view
    blocks = view.k if isinstance(view, InBlocks) else 1
    if person is None:
        for words in product(range(blocks), repeat=rows):
            yield list(words), {}, blocks
        return
    reader = Every([], {}, 1, ())
    cells = table.column(person[0]).combine_chunks()
    drawn, named = DrawnLots.persons(reader, cells, person[1].fold)
    owners = [int(w) if named_ else -1 for w, named_ in zip(drawn, named, strict=True)]
    people = sorted(set(owners) - {-1})
    mine = [[row for row in range(rows) if owners[row] == person_] for person_ in people]
    if blocks > 1:
        for marks in product(range(blocks), repeat=len(people)):
            yield [0] * rows, dict(zip(people, marks, strict=True)), blocks
        return
    for ranks in _ranks(person[1], mine, rows):
        yield ranks, dict.fromkeys(people, 0), 1


def _ranks(person: Person, mine: Sequence[Sequence[int]], rows: int) -> Iterator[list[int]]:
    """Yield the orders in which persons' rows may be ranked."""
    orders = [list(permutations(range(len(own)))) if _matters(person, own) else [range(len(own))] for own in mine]
    for chosen in product(*orders):
        ranks = [0] * rows
        for own, order in zip(mine, chosen, strict=True):
            for row, place in zip(own, order, strict=True):
                ranks[row] = place
        yield ranks


def _matters(person: Person, rows: Sequence[int]) -> bool:
    """Return whether the order of a person's rows makes a difference."""
    return len(rows) > 1 and (person.reduce is not None or len(rows) > person.rows)


def leak(
    request: Request | FixedPlan, schema: Schema, this: pa.Table, other: pa.Table, opened: Opener = LocalSource
) -> Worst:
    """Compare everything that is shown of two tables, in both directions, at the cost that the ledger is charged."""
    return between(request, *(laws(table, schema, request, opened) for table in (this, other)))


def between(request: Charged, first: Weighted, second: Weighted) -> Worst:
    """Compare the laws of what is shown of two tables, in both directions."""
    cost = request.cost()
    epsilon = cost.epsilon
    delta = max(apart(first, second, epsilon))
    return Worst(delta, cost.delta, (first, second))
