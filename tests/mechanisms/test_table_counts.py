"""Counts of one table drawn once: the law of a sum of equal noises, its interval, and the cells that are added up."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations, product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy import signal, special

from discreet.budget import Cost, SessionLedger
from discreet.budget.errors import ParameterError
from discreet.curator import Curator, FixedPlan, Request, release, road
from discreet.curator.records import answers_of, text_of
from discreet.curator.request import draw_of
from discreet.lab.contest import enters
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.laws.law import Gaussian, Laplace, Noisy
from discreet.mechanisms.laws.moments import Laplaces, equal_width
from discreet.mechanisms.table_counts import CellCounts, LaplaceCells, NormalCells
from discreet.noise.source import ReleaseNoise
from discreet.queries import Bounds, Column, Relation
from discreet.queries.mean import Mean
from discreet.report.words import as_read
from discreet.rows import Bands, Category, Dataset, LocalSource, Number, OpenData, Recode, Schema

KINDS = (LaplaceCells, NormalCells)
SIZE = Bounds(0, 9, integer=True)
STEP = 1 / 512
SCHEMA = Schema(
    {
        "a": Category(("x", "y"), other=True),
        "o": Category(("k", "l", "m"), other=True),
        "e": Category(("u",), other=True),
        "few": Category(("k", "l")),
        "v": Number(0, 9, integer=True),
        "w": Number(0, 9, integer=True, missing=3),
    }
)
HALVES = Bands("v", (5,))


def convolved(many: int) -> tuple[Any, Any]:
    """Return places and the density of a sum of Laplace noises there: convolved by brute force on a fine grid."""
    places = np.arange(-40, 40 + STEP / 2, STEP)
    single = np.exp(-np.abs(places)) / 2
    single /= single.sum() * STEP  # the grid's own sum: otherwise each convolution adds its rounding
    density = single
    for _ in range(many - 1):
        density = signal.fftconvolve(density, single, mode="same") * STEP
    return places, density


@pytest.mark.parametrize("many", [1, 2, 3, 7])
def test_the_law_of_a_sum_is_that_of_the_convolved_density(many: int) -> None:
    """Density, distribution, quantiles and the half width of the interval, against a convolution."""
    places, density = convolved(many)
    shape = Laplaces(many)
    some = slice(0, None, 1000)
    assert np.exp(shape.log_density(places[some])) == pytest.approx(density[some], abs=2e-6)
    below = np.cumsum(density) * STEP - density * STEP / 2
    assert shape.cdf(places[some]) == pytest.approx(below[some], abs=2e-6)
    shares = np.array([1e-6, 0.025, 0.3, 0.5, 0.8, 0.999])
    assert shape.cdf(shape.quantile(shares)) == pytest.approx(shares, rel=1e-9)
    width = equal_width(many, 0.05)
    assert density[np.abs(places) > width].sum() * STEP == pytest.approx(0.05, abs=2e-3)
    assert 2 * (1 - shape.cdf(width)) == pytest.approx(0.05, rel=1e-9)


def test_many_cells_are_nearly_normal() -> None:
    """The exact tail of a thousand noises lies near the normal one, and that of ten thousand is still a number."""
    for many, off in ((1000, 2e-3), (10_000, 5e-4)):
        assert equal_width(many, 0.05) / math.sqrt(2 * many) == pytest.approx(float(special.ndtri(0.975)), rel=off)


def test_a_draw_adds_all_of_its_noises() -> None:
    """The spread of drawn sums, by each of two ways, is that of so many noises."""
    noise = SimulationNoise(4)
    drawn = np.array([Laplaces(5).draw(noise, 100, 2.0) for _ in range(20_000)])
    assert drawn.mean() == pytest.approx(100, abs=0.3) and drawn.std() == pytest.approx(2 * math.sqrt(10), rel=0.03)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [1, 3])
def test_an_interval_misses_five_in_a_hundred(kind: type[Any], rows: int) -> None:
    """The law of a sum lies outside of its half width with 5 %, exactly, for one cell and for many."""
    data = Column.from_ticks(SIZE, np.arange(10))
    for cells in (1, 2, 14, 200):
        over = ("o",) if cells > 1 else ()
        mechanism = kind(query=replace(kind().query, relation=Relation(rows=rows)), over=over, cells=cells)
        law = mechanism.law(data)
        half = mechanism.forecast(Public(SIZE)).half_width
        assert law.cdf(10 - half) + 1 - law.cdf(10 + half) == pytest.approx(0.05, rel=1e-6)
        assert isinstance(law, Noisy) and law.scale == pytest.approx(
            mechanism.scale(SIZE) * (math.sqrt(cells) if kind is NormalCells else 1)
        )
        low, high = mechanism.interval(3.0, Public(SIZE))
        assert (low, high) == (max(0.0, 3 - half), 3 + half)


@pytest.mark.parametrize("kind", KINDS)
def test_one_cell_is_a_count_with_the_usual_noise(kind: type[Any]) -> None:
    """Its cost, account and scale are those of the mechanism for one count, without a limit at 0."""
    plain, own = kind.__mro__[2](query=kind().query), kind()
    assert (own.cost(), own.account(), own.scale(SIZE)) == (plain.cost(), plain.account(), plain.scale(SIZE))
    law = own.law(Column.from_ticks(SIZE, np.arange(0)))
    assert law.shape == (Laplace() if kind is LaplaceCells else Gaussian()) and law.low == -math.inf
    assert not own.refines and not enters(kind, True) and own.additive


def test_sums_that_would_count_other_rows_are_refused() -> None:
    """Groups that leave out rows, another number of cells, what is no group, another statistic."""

    def misfit(over: Any, cells: int, by: Any = "a", column: str = "v") -> str:
        with pytest.raises(ParameterError) as caught:
            Request(LaplaceCells(over=over, cells=cells), (column,), by=by).check(SCHEMA)
        return str(caught.value)

    Request(LaplaceCells(over=("o", "e"), cells=8), ("v",), by="a").check(SCHEMA)
    Request(LaplaceCells(over=(HALVES,), cells=2), ("v",)).check(SCHEMA)  # every row that is counted has a v
    Request(LaplaceCells(over=(Bands("w", (5,)),), cells=2), ("v",)).check(SCHEMA)  # a constant where it is missing
    assert "leave out rows" in misfit(("few",), 2)
    assert "leave out rows" in misfit((HALVES,), 2, column="w")
    assert "leave out rows" in misfit((Recode("few", (("k", "n"), ("l", "p"))),), 2)
    assert "another number of cells" in misfit(("o",), 3)
    assert "not declared" in misfit(("nothing",), 2) and "not declared" in misfit((7,), 2)
    assert "already used" in misfit(("a",), 3)
    for wrong in ({"query": Mean()}, {"cells": 2}, {"cells": 0}, {"over": ("o",), "cells": 2.0}):
        with pytest.raises(ParameterError):
            LaplaceCells(**wrong)  # type: ignore[arg-type]


# --- The road: cells are drawn once, and each coarser count is the sum of its own ---

GROUPS = ("a", "o", "e")
SIZES = {"a": 3, "o": 4, "e": 2}


def asked(by: tuple[str, ...], finest: tuple[str, ...] = GROUPS, kind: type[Any] = LaplaceCells, **more: Any) -> Any:
    """Return the row of a plan with these groups."""
    over = tuple(name for name in finest if name not in by)
    return Request(kind(over=over, cells=math.prod(SIZES[name] for name in over), **more), ("v",), by=by or None)


def table(rows: int) -> pa.Table:
    """Return rows with declared and other values, and without."""
    random = np.random.default_rng(rows)
    cells = {"a": ["x", "y", "z", None], "o": ["k", "l", "m", "n"], "e": ["u", "", "q"], "v": ["1", "8", "", "x"]}
    columns = {name: random.choice(np.array(values, object), rows) for name, values in cells.items()}
    return pa.table(
        {name: pa.array(values, pa.large_string()) for name, values in columns.items()}
        | {"few": ["k"] * rows, "w": ["2"] * rows}
    )


EVERY = tuple(by for size in range(4) for by in permutations(GROUPS, size))


def test_every_coarser_count_is_the_sum_of_its_cells_in_whatever_order() -> None:
    """Places in the finest table, against levels compared one by one; and noise-free sums against counting rows."""
    finest = asked(("o", "a", "e"))
    names = list(product(*(SCHEMA.category(by).labels for by in finest.groups)))
    for by in EVERY:
        request = asked(by)
        levels = list(product(*(SCHEMA.category(name).labels for name in by)))
        for level, places in zip(levels, road.cells_of(finest, request, SCHEMA), strict=True):
            own = [names[place] for place in places]
            assert len(own) == request.mechanism.cells
            assert {tuple(cell[finest.groups.index(name)] for name in by) for cell in own} == {level}
    rows = OpenData(LocalSource(table(500)), SCHEMA)
    lots = rows.lots(SimulationNoise(0))
    exact = [view.n for _, view in road.views(rows, finest, lots)]
    for by in EVERY:
        answer: Any = road.computed(finest, asked(by), SCHEMA, exact)
        own = [(level, view.n) for level, view in road.views(rows, asked(by), lots)]
        assert (answer == own[0][1]) if not by else (list(answer) == own)


def one_draw(rows: tuple[Request, ...], curator: Curator) -> bool:
    """Return whether all counts of a plan are sums of those of its first row, as they were drawn."""
    finest, *others = curator.run(FixedPlan(rows), nonce=str(len(curator.ledger.entries))).releases
    numbers = [value for _, value in finest.answer]  # type: ignore[union-attr]
    return all(each.answer == road.computed(finest.request, each.request, SCHEMA, numbers) for each in others)


def test_a_plan_is_charged_once_and_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many noises as cells, one epsilon in the ledger, answers that are read back, and broken twins."""
    drawn = list[float]()
    laplace = ReleaseNoise.laplace

    def counted(self: ReleaseNoise, centre: Any, scale: float) -> float:
        drawn.append(laplace(self, centre, scale))
        return drawn[-1]

    monkeypatch.setattr(ReleaseNoise, "laplace", counted)
    curator = Curator(Dataset(LocalSource(table(300)), SCHEMA), SessionLedger(Cost.of(50)), tick=0)
    plan = FixedPlan(tuple(map(asked, (GROUPS, ("a",), ("e", "o"), ()))))
    answers = curator.run(plan)
    assert len(drawn) == 24 and curator.ledger.spent == Cost.of(1) == plan.cost()
    assert plan.total.plain == Cost.of(4) and len(plan.draws) == 1
    assert answers_of(text_of(answers)) == answers
    assert str(plan.sharing[0]) == (
        "Counts of v by a, o and e, by a, by e and o and in total share one draw, charged once: coarser counts are "
        "sums of its cells."
    )
    assert str(as_read(plan.rows[1], SCHEMA)[-1]) == "each number is a sum of noisy counts by a, o and e"
    assert one_draw(plan.rows, curator)

    def from_rows(draw: Request, requests: Any, schema: Schema, seen: Any, noise: Any) -> Any:
        """Compute a coarser count from the true counts of its cells."""
        exact = [float(view.n) for _, view in seen]
        noisy = [value + noise.laplace(0, 1.0) for value in exact]
        return [
            road.Outcome(road.computed(draw, each, schema, exact if each.mechanism.over else noisy))
            for each in requests
        ]

    monkeypatch.setattr(release, "drawn_together", from_rows)
    assert not one_draw(plan.rows, curator)
    monkeypatch.setattr(release, "drawn_together", road.drawn_together)
    monkeypatch.setattr(release, "draws", lambda rows: tuple((at,) for at in range(len(rows))))
    assert not one_draw(plan.rows, curator), "each row has noise of its own, and one of them is charged"


def test_rows_of_other_cells_draw_by_themselves() -> None:
    """Another epsilon, column, filter or table; a coarser row alone draws its cells as well."""
    alone = asked(("a",), ("a", "o"))
    cells = draw_of((alone,), (0,))
    assert cells.groups == ("a", "o") and cells.mechanism == LaplaceCells() and cells.cost() == alone.cost()
    others = (
        asked(("a",), epsilon=2.0),
        asked(("o",), ("a", "o")),
        replace(asked(("o",)), columns=("w",)),
        asked(("o",), kind=NormalCells),
        Request(GlobalLaplace(query=alone.mechanism.query), ("v",), by="e"),
    )
    assert len(FixedPlan((asked(GROUPS), *others), 0.01).draws) == 6
    curator = Curator(Dataset(LocalSource(table(100)), SCHEMA), SessionLedger(Cost.of(3)), tick=0)
    released = curator.ask(alone)
    assert [level for level, _ in released.answer] == ["x", "y", "other"]  # type: ignore[union-attr]
    assert curator.ledger.spent == Cost.of(1)


@pytest.mark.parametrize("kind", KINDS)
def test_released_intervals_hold_the_true_counts(kind: type[CellCounts]) -> None:
    """Of 40 plans of 4 tables, about 5 % of the counts lie outside of their interval."""
    rows = OpenData(LocalSource(table(400)), SCHEMA)
    plan = FixedPlan(tuple(asked(by, kind=kind) for by in (GROUPS, ("a",), ("e", "o"), ())), 0.01)
    lots, public = rows.lots(SimulationNoise(0)), plan.rows[0].public(SCHEMA)
    seen = road.views(rows, draw_of(plan.rows, range(4)), lots)
    missed = many = 0
    for seed in range(40):
        outcomes = road.drawn_together(draw_of(plan.rows, range(4)), plan.rows, SCHEMA, seen, SimulationNoise(seed))
        for row, outcome in zip(plan.rows, outcomes, strict=True):
            exact = [view.n for _, view in road.views(rows, row, lots)]
            answer: Any = outcome.answer if row.groups else (("", outcome.answer),)
            for true, (_, value) in zip(exact, answer, strict=True):
                low, high = row.mechanism.interval(value, public)
                missed += not low <= true <= high
                many += 1
    assert many == 40 * (24 + 3 + 8 + 1) and 0.03 < missed / many < 0.07
