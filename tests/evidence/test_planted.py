"""Bugs planted on the road, not in the laws: each is caught by a named layer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from support.evidence.tables import CAPPED, FEW, HERE, MEANS, PAIR, ROW, SIZED, TWO, Leaks, World

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Request, checks, road
from discreet.curator.request import Request as Asked
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.laplace import Geometric, GlobalLaplace
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.sample_aggregate import BlocksMean
from discreet.mechanisms.several_gaussian import SeveralGaussian
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.noise.source import ReleaseNoise
from discreet.queries import Bounds, Column
from discreet.queries.column import Bins, Scores
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.sum import Sum
from discreet.queries.trimmed import TrimmedMean
from discreet.rows import Bands, Category, Dataset, LocalSource, Number, OpenData, Recode, Schema, counting
from discreet.rows import dataset as reading
from discreet.rows import persons as lots
from discreet.rows.columns import Quantity
from discreet.rows.columns.banded import Banded
from discreet.rows.columns.person import Means
from discreet.rows.columns.recode import Recoded
from discreet.rows.filters import Filter
from discreet.rows.persons import MeanOfEach, Rows

MEAN, SUM = GlobalLaplace(Mean(), 1.0), Geometric(Sum(), 1.0)
LAX = replace(ROW, schema=Schema(ROW.schema.columns | {"x": Number(0, 2, missing=1.0)}))
SHARED = replace(CAPPED, names=("p", "P"), cells=CAPPED.cells[:3])
NAMELESS = replace(CAPPED, names=("", "", "r"), people=3, rows=1)
ORDERED = replace(ROW, people=5, cells=ROW.cells[:2], ordered=True)
Patch = Callable[[pytest.MonkeyPatch], None]


def unchecked(patch: pytest.MonkeyPatch) -> None:
    """Let groups and filters go with a public number of rows."""
    patch.setattr(checks, "_check_size", lambda question: None)


def as_found(patch: pytest.MonkeyPatch) -> None:
    """Leave a column as long as it is, whatever number of rows is public."""
    patch.setattr(Asked, "public_rows", None)


def only_one_query(patch: pytest.MonkeyPatch) -> None:
    """Look for the public number of rows in the one query of a mechanism, as it once was."""
    patch.setattr(SeveralGaussian, "public_rows", None)


def proportional(patch: pytest.MonkeyPatch) -> None:
    """Bring rows to a public number by repeating all of them alike."""

    def resized(column: Column, size: int, lots: Any) -> Column:
        order = column.order(1 + np.arange(size) * max(column.n, 1) // size)
        return Column.from_ticks(column.bounds, order)

    patch.setattr(reading, "resized", resized)


def padded_by_the_data(patch: pytest.MonkeyPatch) -> None:
    """Fill up with the median of the rows instead of a public value."""
    original = reading.resized

    def resized(column: Column, size: int, lots: Any) -> Column:
        if column.n >= size or not column.n:
            return original(column, size, lots)
        usual = int(column.order(np.array([(column.n + 1) // 2]))[0])
        ticks = np.repeat(column.levels, column.counts)
        return Column.from_ticks(column.bounds, np.append(ticks, [usual] * (size - column.n)))

    patch.setattr(reading, "resized", resized)


def uncapped(patch: pytest.MonkeyPatch) -> None:
    """Let all rows of a person count."""
    patch.setattr(Rows, "at_most", lambda self, m: self)


def one_too_many(patch: pytest.MonkeyPatch) -> None:
    """Let one row more of a person count than declared."""
    original = Rows.at_most
    patch.setattr(Rows, "at_most", lambda self, m: original(self, m + 1))


def capped_together(patch: pytest.MonkeyPatch) -> None:
    """Cap the rows of everybody together."""
    patch.setattr(Rows, "at_most", lambda self, m: self[:m])


def joined(patch: pytest.MonkeyPatch) -> None:
    """Join persons whose identifiers differ by case."""
    original = lots.person_words
    patch.setattr(lots, "person_words", lambda cells, key, fold: original(cells, key, True))


def nameless_are_one(patch: pytest.MonkeyPatch) -> None:
    """Count all rows without an identifier as rows of one person."""
    from discreet.evidence import whole_road

    original = whole_road.Every.persons

    def persons(self: Any, cells: Any, fold: bool) -> Any:
        words, named = original(self, cells, fold)
        return np.where(named, words, 10**6), np.ones_like(named)

    patch.setattr(whole_road.Every, "persons", persons)


def summed_persons(patch: pytest.MonkeyPatch) -> None:
    """Forget to divide by a person's rows."""
    patch.setattr(Means, "ticks", lambda self, sums, sizes: self.times * sums)


def in_every_group(patch: pytest.MonkeyPatch) -> None:
    """Give a person a mean in every group, and charge for one."""
    original = MeanOfEach.places
    patch.setattr(MeanOfEach, "places", lambda self, rows: original(self, replace(rows, persons=np.arange(len(rows)))))


def charged_once(patch: pytest.MonkeyPatch) -> None:
    """Charge groups as if a person with two rows were in one of them."""
    patch.setattr(Asked, "times", lambda self: 1)


def charged_half(patch: pytest.MonkeyPatch) -> None:
    """Charge half of what the mechanism costs."""
    original = GlobalLaplace.cost
    for name in ("cost", "refusal_cost"):
        patch.setattr(Asked, name, lambda self: Cost.of(original(self.mechanism).epsilon / 2))


def imputed(patch: pytest.MonkeyPatch) -> None:
    """Let a missing cell take the mean of the others."""
    original = Number.ticks

    def ticks(declared: Number, cells: Any) -> Any:
        values, present = original(replace(declared, missing="drop"), cells)
        usual = int(np.mean(values[present])) if present.any() else 0
        return np.where(present, values, usual), np.ones_like(present)

    patch.setattr(Number, "ticks", ticks)


def unclipped(patch: pytest.MonkeyPatch) -> None:
    """Keep a value beyond the bounds as it is."""
    patch.setattr(Bounds, "_floating", lambda self, part: np.abs(part) * 10)
    patch.setattr(Bounds, "_exact", lambda self, part: np.abs(part) * 10)


def observed_bounds(patch: pytest.MonkeyPatch) -> None:
    """Stretch the rows to the whole range, as a scaler fitted on the data would."""
    original = Dataset.column

    def column(self: Dataset, *args: Any, **more: Any) -> Column:
        unscaled = original(self, *args, **more)
        low, top = unscaled.levels.min(initial=unscaled.bounds.top), unscaled.levels.max(initial=0)
        levels = (unscaled.levels - low) * unscaled.bounds.top // max(top - low, 1)
        return Column.from_pairs(unscaled.bounds, levels, unscaled.counts)

    patch.setattr(Dataset, "column", column)


def levels_of_the_data(patch: pytest.MonkeyPatch) -> None:
    """Name only the groups that are there."""
    original = Dataset.grouped
    patch.setattr(Dataset, "grouped", lambda *a: {level: c for level, c in original(*a).items() if c.n})


def largest_group_first(patch: pytest.MonkeyPatch) -> None:
    """Order the groups by how many rows they have."""
    original = Dataset.grouped
    patch.setattr(Dataset, "grouped", lambda *a: dict(sorted(original(*a).items(), key=lambda item: -item[1].n)))


def no_empty_groups(patch: pytest.MonkeyPatch) -> None:
    """Fail where a group has no rows: that can be seen."""
    original = Dataset.grouped

    def grouped(*args: Any) -> dict[str, Column]:
        groups = original(*args)
        if any(column.n == 0 for column in groups.values()):
            raise ValueError("nobody")
        return groups

    patch.setattr(Dataset, "grouped", grouped)


def other_is_the_usual(patch: pytest.MonkeyPatch) -> None:
    """Count a level nobody declared as the level most rows have."""
    original = Category.codes

    def codes(declared: Category, cells: Any) -> Any:
        indices = original(declared, cells)
        usual = np.bincount(indices[indices >= 0], minlength=1).argmax()
        return np.where(indices < 0, usual, indices)

    patch.setattr(Category, "codes", codes)


def above_average(patch: pytest.MonkeyPatch) -> None:
    """Compare cells with the average of the cells."""

    def compared(self: Quantity, values: Any, comparison: str, number: float) -> Any:
        return np.asarray(values >= np.mean(values)) if values.size else values > 0

    patch.setattr(Quantity, "compared", compared)


def bins_of_the_data(patch: pytest.MonkeyPatch) -> None:
    """Cut bins at the median of the rows."""

    def scores(self: Bins, column: Column) -> Scores:
        half = int(column.order(np.array([column.n // 2 + 1]))[0]) if column.n else 0
        low = int(column.counts[column.levels < half].sum())
        return Scores(self.labels, np.array([low, column.n - low]))

    patch.setattr(Bins, "scores", scores)


def edges_of_the_data(patch: pytest.MonkeyPatch) -> None:
    """Cut bands at the median of the rows."""

    def codes(self: Banded, cells: Any) -> Any:
        ticks, there = self.of.ticks(cells)
        half = np.median(ticks[there]) if there.any() else 0
        return np.where(there, (ticks >= half).astype(np.int64), -1)

    patch.setattr(Banded, "codes", codes)


def in_two_bands(patch: pytest.MonkeyPatch) -> None:
    """Count a value on an edge on both sides of it."""
    original = Dataset.grouped

    def grouped(self: Dataset, name: str, by: Any, *more: Any) -> dict[str, Column]:
        low, high = original(self, name, by, *more).items()
        on_edge = high[1].levels == 1
        both = (
            np.append(old, new[on_edge])
            for old, new in ((low[1].levels, high[1].levels), (low[1].counts, high[1].counts))
        )
        return {low[0]: Column.from_pairs(low[1].bounds, *both), high[0]: high[1]}

    patch.setattr(Dataset, "grouped", grouped)


def in_no_band(patch: pytest.MonkeyPatch) -> None:
    """Fail for a value that is in no band, as where the last band was forgotten: that can be seen."""
    original = Banded.codes

    def codes(self: Banded, cells: Any) -> Any:
        found = original(self, cells)
        if (found == len(self.labels) - 1).any():
            raise ValueError("no band")
        return found

    patch.setattr(Banded, "codes", codes)


def new_levels_of_the_data(patch: pytest.MonkeyPatch) -> None:
    """Merge the levels that are rarer than others."""

    def codes(self: Recoded, cells: Any) -> Any:
        found = self.of.codes(cells)
        sizes = np.bincount(found[found >= 0], minlength=len(self.of.labels))
        return np.where(found < 0, -1, (sizes < sizes.max())[found])

    patch.setattr(Recoded, "codes", codes)


def in_two_new_levels(patch: pytest.MonkeyPatch) -> None:
    """Count a level in the new one of its line, and in other as well."""
    original = Dataset.grouped

    def grouped(self: Dataset, name: str, by: Any, *more: Any) -> dict[str, Column]:
        new, other = original(self, name, by, *more).items()
        both = (np.append(*pair) for pair in ((other[1].levels, new[1].levels), (other[1].counts, new[1].counts)))
        return {new[0]: new[1], other[0]: Column.from_pairs(other[1].bounds, *both)}

    patch.setattr(Dataset, "grouped", grouped)


def in_no_new_level(patch: pytest.MonkeyPatch) -> None:
    """Fail for a level without a line: that can be seen."""
    original = Recoded.codes

    def codes(self: Recoded, cells: Any) -> Any:
        found = original(self, cells)
        if (found == self.labels.index("other")).any():
            raise KeyError("no line")
        return found

    patch.setattr(Recoded, "codes", codes)


def blocks_in_order(patch: pytest.MonkeyPatch) -> None:
    """Deal rows into blocks in the order of the file."""
    from discreet.evidence import whole_road

    patch.setattr(whole_road.Every, "rows", lambda self, n: np.arange(n, dtype=np.uint64))


def blocks_look_at_each_other(patch: pytest.MonkeyPatch) -> None:
    """Let an empty block take the mean of the others."""
    original = Dataset.blocks

    def blocks(self: Dataset, mechanism: Any, *args: Any) -> Any:
        view = original(self, mechanism, *args)
        empty = view.estimates == mechanism.default
        usual = view.estimates[~empty].mean() if (~empty).any() else mechanism.default
        return replace(view, estimates=np.where(empty, usual, view.estimates))

    patch.setattr(Dataset, "blocks", blocks)


def fails_on_nobody(patch: pytest.MonkeyPatch) -> None:
    """Divide by the number of rows, and fail where there is none."""
    original = counting.Column.from_pairs

    def from_pairs(bounds: Bounds, levels: Any, counts: Any) -> Column:
        assert np.sum(counts) > 0
        return original(bounds, levels, counts)

    patch.setattr(counting.Column, "from_pairs", from_pairs)


def rows_not_asked(patch: pytest.MonkeyPatch) -> None:
    """Let a question count on fewer rows of one person than the declaration admits."""
    patch.setattr(Schema, "rows_per_person", 1)


@dataclass(frozen=True)
class Bug:
    """A bug, and the question and the tables that show it."""

    planted: Patch
    world: World
    request: Request


G, BANDS, MERGED = "g", Bands("x", (1,)), Recode("g", (("a", "n"),))
HALVED = replace(ROW, cells=(("0", "a"), ("1", "a"), ("2", "b")))
BUGS = [
    Bug(unchecked, ROW, Request(GlobalLaplace(Mean(SIZED), 1.0), ("x",), by=G)),
    Bug(unchecked, ROW, Request(SmoothCoreTail(Median(SIZED), 1.0), ("x",), by=G)),
    Bug(unchecked, ROW, Request(GlobalLaplace(TrimmedMean(resize=4, cut=0), 1.0), ("x",), by=G)),
    Bug(as_found, ROW, Request(GlobalLaplace(Mean(replace(SIZED, size=3)), 1.0), ("x",))),
    Bug(as_found, ROW, Request(GlobalLaplace(TrimmedMean(resize=4, cut=0), 1.0), ("x",), HERE)),
    Bug(only_one_query, ROW, Request(SeveralGaussian((TrimmedMean(resize=4, cut=0),), 1.0, 0.01), ("x",), HERE)),
    Bug(proportional, ROW, Request(GlobalLaplace(Mean(replace(SIZED, size=5)), 1.0), ("x",))),
    Bug(padded_by_the_data, ROW, Request(GlobalLaplace(Mean(replace(SIZED, size=5)), 1.0), ("x",))),
    Bug(uncapped, CAPPED, Request(SUM, ("x",))),
    Bug(one_too_many, CAPPED, Request(SUM, ("x",))),
    Bug(capped_together, CAPPED, Request(SUM, ("x",), by=G)),
    Bug(joined, SHARED, Request(SUM, ("x",), by=G)),
    Bug(nameless_are_one, NAMELESS, Request(SUM, ("x",), by=G)),
    Bug(summed_persons, MEANS, Request(GlobalLaplace(Sum(), 1.0), ("x",))),
    Bug(in_every_group, MEANS, Request(GlobalLaplace(Sum(), 1.0), ("x",), by=G)),
    Bug(
        charged_once, replace(PAIR, cells=PAIR.cells[:3]), Request(SmoothCoreTail(Median(TWO), 3.0, m=1), ("x",), by=G)
    ),
    Bug(charged_half, ROW, Request(MEAN, ("x",))),
    Bug(imputed, LAX, Request(GlobalLaplace(Sum(), 1.0), ("x",))),
    Bug(unclipped, ROW, Request(SUM, ("x",))),
    Bug(observed_bounds, ROW, Request(MEAN, ("x",))),
    Bug(levels_of_the_data, ROW, Request(MEAN, ("x",), by=G)),
    Bug(largest_group_first, ROW, Request(MEAN, ("x",), by=G)),
    Bug(no_empty_groups, ROW, Request(MEAN, ("x",), by=G)),
    Bug(
        other_is_the_usual,
        replace(ROW, cells=(("2", "a"), ("2", "b"), ("2", "z"))),
        Request(CountsGeometric(epsilon=1.0), (G,)),
    ),
    Bug(
        above_average,
        replace(ROW, people=4, cells=ROW.cells[:2]),
        Request(Geometric(Count(), 1.0), ("x",), (Filter("x", ">", 1),)),
    ),
    Bug(bins_of_the_data, ROW, Request(CountsGeometric(bins=Bins((0.0, 1.0, 2.0))), ("x",))),
    Bug(edges_of_the_data, ROW, Request(MEAN, ("x",), by=BANDS)),
    Bug(in_two_bands, HALVED, Request(Geometric(Count(), 1.0), ("x",), by=BANDS)),
    Bug(in_no_band, ROW, Request(MEAN, ("x",), by=BANDS)),
    Bug(new_levels_of_the_data, ROW, Request(MEAN, ("x",), by=MERGED)),
    Bug(in_two_new_levels, HALVED, Request(Geometric(Count(), 1.0), ("x",), by=MERGED)),
    Bug(in_no_new_level, ROW, Request(MEAN, ("x",), by=MERGED)),
    Bug(
        blocks_in_order,
        ORDERED,
        Request(BlocksMean(estimator="standard-deviation", k=2, upper=2.0, epsilon=1.0), ("x",)),
    ),
    Bug(blocks_look_at_each_other, ROW, Request(BlocksMean(k=3, upper=2.0, epsilon=1.0), ("x",))),
    Bug(fails_on_nobody, ROW, Request(ProposeTestRelease(b=0.5, epsilon=2.0, delta=0.01), ("x",))),
    Bug(rows_not_asked, FEW, Request(SUM, ("x",))),
]


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.planted.__name__)
def test_a_bug_on_the_road_is_caught_on_small_tables(bug: Bug, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some pair of neighbouring tables tells more than is charged, and without the bug none did."""
    bug.planted(monkeypatch)
    bug.request.check(bug.world.schema)
    pairs = bug.world.pairs(bug.request.mechanism.neighbours.change_one)
    leaks = Leaks(bug.world, bug.request)
    assert any(not leaks.between(*pair).holds for pair in pairs)


def curator(noise: Any = None) -> Curator:
    """Return a curator over a small table."""
    rows = ((("2", "a"), ("0", "b")), (("2", "b"),))
    data = (Dataset if noise is None else OpenData)(LocalSource(ROW.table(rows)), ROW.schema)
    return Curator(data, SessionLedger(Cost.of(40)), noise, tick=0)


def recomputed(asked: Curator, request: Request) -> bool:
    """Say whether a release is what its answer and public things make, and was paid for."""
    release = asked.ask(request)
    again = road.shown(release.id, request, ROW.schema, road.Outcome(release.answer), release.entry)
    paid = asked.ledger.spent == release.cost
    return paid and replace(again, at=release.at) == release


QUESTIONS = [MEAN, SUM, SmoothCoreTail(Mean(), 1.0), CountsGeometric(epsilon=1.0)]


def asked_of(mechanism: Any) -> Request:
    """Return a question about the column that a mechanism takes."""
    return Request(mechanism, ("g",) if mechanism.view.category else ("x",))


@pytest.mark.parametrize("mechanism", QUESTIONS, ids=lambda mechanism: mechanism.slug)
def test_a_release_is_made_of_its_answer_and_public_things(mechanism: Any) -> None:
    """Interval, cost and entry follow from the answer alone."""
    assert recomputed(curator(), asked_of(mechanism))
    if mechanism.view.groups:
        assert recomputed(curator(), Request(mechanism, ("x",), by="g"))


def test_an_interval_that_follows_the_data_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A width from the scale of the law would show a sensitivity."""
    original, seen = road.law, list[Any]()

    def law(request: Request, views: Any) -> Any:
        seen.append(original(request, views))
        return seen[-1]

    def shown(name: str, request: Request, schema: Schema, outcome: Any, *more: Any) -> Any:
        width = seen.pop().scale if seen else 0.0
        release = road.shown(name, request, schema, outcome, *more)
        return replace(release, interval=(outcome.answer - width, outcome.answer + width))

    monkeypatch.setattr("discreet.curator.road.law", law)
    monkeypatch.setattr("discreet.curator.release.shown", shown)
    assert not recomputed(curator(), Request(SmoothCoreTail(Mean(), 1.0), ("x",)))


def test_a_charge_of_half_the_cost_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the audit compares at is what the ledger took."""
    half = Cost.of("0.5")
    monkeypatch.setattr("discreet.curator.release._charge", lambda ledger, name, request: ledger.charge(name, half))
    assert not recomputed(curator(), Request(MEAN, ("x",)))


def together(asked: list[Curator]) -> float:
    """Return how far the noise of two groups moves together, over many releases."""
    request = Request(SUM, ("x",), by="g")
    drawn = [dict(custodian.ask(request, str(i)).answer) for custodian in asked for i in range(20)]
    return abs(float(np.corrcoef([d["a"] for d in drawn], [d["b"] for d in drawn])[0, 1]))


def test_groups_are_drawn_apart_and_one_noise_for_all_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """One draw for all groups would tell their exact difference (fails once in 10^9)."""
    roads = [curator(SimulationNoise(i)) for i in range(30)]
    assert together(roads) < 6.1 / np.sqrt(600)

    def draw(self: road.Groups, noise: Any) -> Any:
        first = self.parts[0].draw(noise) - self.parts[0].centre
        return tuple((level, part.centre + first) for level, part in zip(self.names, self.parts, strict=True))

    monkeypatch.setattr(road.Groups, "draw", draw)
    assert together([curator(SimulationNoise(i)) for i in range(6)]) > 0.9


def chosen_rows() -> set[int]:
    """Return which of a person's two rows counted, over forty releases of one dataset."""
    table = CAPPED.table(((("0", "a"), ("2", "b")), ()))
    data = Dataset(LocalSource(table), CAPPED.schema)
    return {int(data.column("x", (), lots.DrawnLots(ReleaseNoise())).total) for _ in range(40)}


def test_a_choice_that_is_kept_between_releases_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each release draws its rows anew; one draw for all would be one subset, seen again and again.

    By chance alone it fails once in 10^11.
    """
    assert chosen_rows() == {0, 2}
    words = lots.DrawnLots(ReleaseNoise()).rows(100)
    monkeypatch.setattr(lots.DrawnLots, "rows", lambda self, size: words[:size])
    assert len(chosen_rows()) == 1
