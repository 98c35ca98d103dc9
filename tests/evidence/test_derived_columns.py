"""Derived columns on the whole road: from a file's bytes to the joint law of what is shown, and to its record."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.evidence.grammar import text
from support.evidence.tables import TWO, Leaks, World
from support.soak import times

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Request
from discreet.evidence.attacks import whole_road as generated_road
from discreet.evidence.layers import divergence
from discreet.evidence.whole_road import laws
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.laplace import Geometric, GlobalLaplace
from discreet.mechanisms.sample_aggregate import BlocksMean
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.office.cards.records import record_of
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.sum import Sum
from discreet.rows import (
    Bands,
    Dataset,
    Difference,
    Filter,
    LocalSource,
    Meets,
    Number,
    OpenData,
    Person,
    Ratio,
    Schema,
)

COLUMNS: dict[str, Any] = {
    "x": Number(0, 2, integer=True),
    "g": Number(0, 2, integer=True),
    "d": Difference("x", "g", -1, 2, origin="public"),
    "r": Ratio("x", "g", 0, 2, 0.5, origin="public"),
    "m": Meets("d", ">=", 1),
}
CELLS = (("0", "1"), ("2", "1"), ("2", "0"), ("1", ""))
ROW = World(Schema(COLUMNS), 3, cells=CELLS)
CAPPED = World(Schema(COLUMNS | {"who": Person()}), 2, 2, CELLS)
PAIR = World(Schema(COLUMNS | {"who": Person(rows=2)}), 2, 2, CELLS)
MEANS = World(Schema(COLUMNS | {"who": Person(reduce="mean")}), 2, 2, CELLS)
GRID: list[tuple[str, World, Request]] = [
    ("mean of a difference", ROW, Request(GlobalLaplace(Mean(), 1.0), ("d",))),
    ("two counts of a ratio", ROW, Request(TwoCounts(epsilon=1.0), ("r",))),
    ("median of a ratio", CAPPED, Request(SmoothCoreTail(Median(), 1.0), ("r",))),
    ("sum by a condition", PAIR, Request(Geometric(Sum(TWO), 1.0), ("d",), by=Bands("m", every=1))),
    ("share of rows that meet a condition", PAIR, Request(GlobalLaplace(Mean(TWO), 1.0), ("m",))),
    ("filtered by a difference", CAPPED, Request(Geometric(Sum(), 1.0), ("x",), (Filter("d", ">", 0),))),
    ("means of ratios", MEANS, Request(GlobalLaplace(Sum(), 1.0), ("r",))),
    ("blocks of a ratio", ROW, Request(BlocksMean(k=2, upper=2.0, epsilon=1.0), ("r",))),
]


def holds(world: World, request: Request) -> bool:
    """Return whether what is charged covers every pair of small tables."""
    request.check(world.schema)
    leaks = Leaks(world, request)
    pairs = [leaks.between(a, b).holds for a, b in world.pairs(request.mechanism.neighbours.change_one, 4)]
    assert len(pairs) > times(10, 40)
    return all(pairs)


@pytest.mark.parametrize(("world", "request_"), [case[1:] for case in GRID], ids=[case[0] for case in GRID])
def test_every_pair_of_small_tables_is_covered_by_what_is_charged(world: World, request_: Request) -> None:
    """From cells through the map to the joint law, at the price of any declared column."""
    assert holds(world, request_)


def test_a_map_that_looks_at_the_other_rows_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A twin whose differences are counted from the least one in the table: one person moves all others."""
    honest = Difference.combined

    def twin(self: Difference, first: Any, second: Any) -> Any:
        ticks, there = honest(self, first, second)
        return (ticks - ticks.min() if ticks.size else ticks), there

    assert holds(ROW, GRID[0][2])
    monkeypatch.setattr(Difference, "combined", twin)
    assert not holds(ROW, Request(Geometric(Sum(), 1.0), ("d",)))


@pytest.mark.parametrize(("world", "request_"), [case[1:] for case in GRID[:6]], ids=[case[0] for case in GRID[:6]])
def test_the_bytes_of_a_file_have_the_law_of_the_table(world: World, request_: Request) -> None:
    """Weights and laws, of a table of every cell."""
    table = world.table(tuple((cell,) for cell in CELLS[: world.people]))
    here = laws(table, world.schema, request_, LocalSource)
    there = laws(table, world.schema, request_, lambda rows: text(rows, ","))
    assert [weight for weight, _ in here] == [weight for weight, _ in there]
    assert [repr(law) for _, law in here] == [repr(law) for _, law in there]


def test_a_result_and_its_record_name_the_map() -> None:
    """From the bytes of a file: the answer of a table that hides nothing, and the declaration beside it."""
    rows = b"x,g\n" + b"2,1\n" * 3000 + b"1,2\n" * 1000 + b"2,0\n" * 500 + b",1\n" * 500
    schema = Schema(COLUMNS)
    data = OpenData(LocalSource(rows), schema)
    curator = Curator(data, SessionLedger(Cost.of(50)), SimulationNoise(1), tick=0)
    release = curator.ask(Request(TwoCounts(epsilon=10.0), ("r",)))
    assert release.answer == pytest.approx((3000 * 2 + 1000 * 0.5) / 4000, abs=0.01)  # rows without a divisor left out
    record = record_of(release, schema)
    said = str(record)
    assert "r is x divided by g; rows in which g is 0 dropped" in said
    share = curator.ask(Request(TwoCounts(epsilon=10.0), ("m",)))
    assert share.answer == pytest.approx(3500 / 4500, abs=0.01)


def test_a_certificate_examines_a_derived_column_on_its_own_road() -> None:
    """Tables are generated of the columns that it is derived from; the twin is caught there too."""
    request = Request(GlobalLaplace(Mean(), 1.0), ("r",), by=Bands("m", every=1))
    for layer in (generated_road(request, CAPPED.schema), divergence(replace(request, by=None), ROW.schema)):
        assert layer.holds and layer.caught, layer


def test_no_budget_is_spent_by_a_schema() -> None:
    """A derived column costs nothing until it is asked, and then what any column costs."""
    plain = Request(GlobalLaplace(Mean(), 1.0), ("x",))
    assert plain.cost() == replace(plain, columns=("d",)).cost()
    assert Dataset(LocalSource(b"x,g\n1,2\n"), Schema(COLUMNS)).schema.used == ["x", "g"]
