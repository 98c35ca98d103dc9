"""Pace: what a million rows of text take of a processor fits into the public tick of their answers."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from support.soak import times

from discreet.budget import Cost
from discreet.budget.ledger import SessionLedger
from discreet.curator import Request
from discreet.curator.clock import TICK, TICK_OF_PERSONS, tick_of
from discreet.curator.release import Curator
from discreet.mechanisms import registry as mechanisms
from discreet.queries import Relation
from discreet.queries.mean import Mean
from discreet.rows import Category, Dataset, LocalSource, Number, Person, Schema
from discreet.rows.filters import Filter

ROWS, PERSONS, TRIES = 1_000_000, 300_000, 3
COLUMNS = {
    "age": Number(0, 120, integer=True),
    "pay": Number(0, 1000),
    "town": Category(("north", "south", "east", "west")),
}


@pytest.fixture(scope="module")
def source() -> LocalSource:
    """Return rows as a text file has them: texts, of which a uuid names the person."""
    draw = np.random.default_rng(20261122)
    digits = draw.integers(0, 2**32, (PERSONS, 4)).astype(">u4").tobytes().hex()
    persons = [digits[at : at + 32] for at in range(0, len(digits), 32)]
    different = {
        "age": [f"{age}" for age in range(100)],
        "pay": [f"{cents / 100:.2f}" for cents in range(100_000)],
        "town": ["north", "south", "east", "west"],
        "who": [f"{p[:8]}-{p[8:12]}-{p[12:16]}-{p[16:20]}-{p[20:]}" for p in persons],
    }
    cells = {name: pa.array(texts, pa.large_string()) for name, texts in different.items()}
    return LocalSource(
        pa.table({name: texts.take(pa.array(draw.integers(0, len(texts), ROWS))) for name, texts in cells.items()})
    )


def seconds(source: LocalSource, schema: Schema) -> float:
    """Return what the mean pay of those of age in each town takes of a processor, at best."""
    kind: Any = mechanisms["laplace"]
    relation = Relation(rows=schema.rows_per_person)
    request = Request(kind(query=Mean(relation), epsilon=1.0), ("pay",), (Filter("age", ">=", 18.0),), "town")
    taken = []
    for _ in range(TRIES):
        road = Curator(Dataset(source, schema), SessionLedger(Cost.of("50", "1e-3")), tick=0.0)
        start = time.process_time()
        assert not road.ask(request).refused
        taken.append(time.process_time() - start)
    return min(taken)


@pytest.mark.soak
@pytest.mark.skipif(not times(0, 1), reason="A speed is held on a quiet machine: make soak.")
@pytest.mark.parametrize(
    "person", [None, Person(), Person(rows=5), Person(reduce="mean"), Person(fold=True)], ids=lambda person: str(person)
)
def test_a_million_rows_of_text_fit_into_a_tick(source: LocalSource, person: Person | None) -> None:
    """Groups, a filter, a decimal column and uuids."""
    schema = Schema(COLUMNS | ({} if person is None else {"who": person}))
    tick = tick_of(Dataset(source, schema))
    assert tick == (TICK if person is None else TICK_OF_PERSONS)
    assert seconds(source, schema) < tick


def test_a_tick_follows_the_declaration_alone(source: LocalSource) -> None:
    """Ten rows wait as long as a million: the tick is known before any row is read."""
    few = LocalSource(source.head(source.names, 10))
    for schema in (Schema(COLUMNS), Schema(COLUMNS | {"who": Person()})):
        assert tick_of(Dataset(few, schema)) == tick_of(Dataset(source, schema)) > 0
