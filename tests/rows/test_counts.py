"""Counts: every task against the same in plain Python, row by row, with the same lots."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.soak import times

from discreet.budget.errors import ParameterError
from discreet.lab.simulation import SimulationNoise
from discreet.queries import Bounds, Column
from discreet.rows import Category, Dataset, Either, Filter, LocalSource, Number, Person, Recode, Schema, persons
from discreet.rows import counting as counts
from discreet.rows.columns.bands import Bands
from discreet.rows.columns.grouping import Grouping, source_of
from discreet.rows.columns.person import Means
from discreet.rows.counting import Counts, Tally, Task
from discreet.rows.filters import Condition
from discreet.rows.kernel import Kernel
from discreet.rows.persons import DrawnLots
from discreet.rows.source import Batched

ROOT = Path(__file__).resolve().parents[2]
CELLS = ("0", "1", "2", "-1", "0.5", "99", "inf", "NaN", "", " 1 ", "x", None)
NUMBERS = (Number(0, 2, integer=True), Number(-1, 3, 2, integer=True), Number(0, 1, 0.5), Number(0, 2, missing=1))
LEVELS = (Category(("a", "b")), Category(("a",), other=True))
PERSONS = (None, Person(), Person(2), Person(3, fold=True), Person(3, reduce="first"), Person(2, reduce="mean"))
NAMES = ("p", "q", " p", "P", "\uff50", "7", "", None)


class Pieces(Batched):
    """Rows of a table, a few at a time."""

    def __init__(self, table: pa.Table, size: int) -> None:
        """Take a table, and how many rows a batch has."""
        self._table, self._size = table, size
        self.names, self.digest = table.column_names, "0"

    def map(self, kernel: Any, columns: Sequence[str], start: Any) -> Any:
        """Run a kernel once for each batch."""
        for batch in self._table.select(columns).to_batches(self._size):
            start += kernel(batch)
        return start

    def head(self, columns: Sequence[str], most: int) -> pa.Table:
        """Return the first rows."""
        return self._table.select(columns)[:most]


class Words(DrawnLots):
    """Lots whose words of rows are a list, in the order of reading."""

    def __init__(self, words: Sequence[int]) -> None:
        """Take the words."""
        super().__init__(SimulationNoise(0))
        self._words = list(words)

    def rows(self, size: int) -> Any:
        """Return the next words."""
        words, self._words = self._words[:size], self._words[size:]
        return np.array(words, dtype=np.uint32)


@dataclass
class World:
    """A declaration, rows, the word of each, and what is asked of them."""

    schema: Schema
    rows: list[tuple[Any, ...]]
    words: list[int]
    columns: tuple[str, ...]
    by: tuple[Grouping, ...]
    where: tuple[Condition, ...]

    @property
    def table(self) -> pa.Table:
        """The rows as a table of text."""
        names = ("x", "y", "g", "h", "who")
        columns = [pa.array([row[i] for row in self.rows], pa.large_string()) for i in range(5)]
        return pa.table(dict(zip(names, columns, strict=True)))


FILTERS = (
    Filter("y", ">", 0),
    Filter("g", "=", "a"),
    Filter("h", "!=", "a"),
    Filter("y", "!=", 1),
    Either((Filter("y", ">", 0), Filter("g", "=", "a"))),
)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Draw a declaration, a table and a task."""
    columns: dict[str, Any] = {name: draw(st.sampled_from(NUMBERS)) for name in "xy"}
    columns |= {name: draw(st.sampled_from(LEVELS)) for name in "gh"}
    person = draw(st.sampled_from(PERSONS))
    town = st.sampled_from(("a", "b", " a", "z", None))
    cell = st.sampled_from(CELLS)
    rows = draw(st.lists(st.tuples(cell, cell, town, town, st.sampled_from(NAMES)), max_size=25))
    return World(
        Schema(columns if person is None else columns | {"who": person}),
        rows,
        draw(st.lists(st.integers(0, 9), min_size=len(rows), max_size=len(rows))),
        draw(st.sampled_from(((), ("x",)))),
        draw(st.sampled_from(((), ("g",), ("g", "h"), ("h", "g")))),
        tuple(draw(st.lists(st.sampled_from(FILTERS), max_size=2, unique=True))),
    )


def halves(name: str, declared: Number) -> Bands:
    """Return two bands of a number column, with an edge on its grid."""
    return Bands(name, (0.5 if declared.upper == 1 else 1,))


def band(bands: Bands, schema: Schema, cell: str | None) -> str | None:
    """Return the band of one cell: a value on the edge is above it."""
    at, declared = tick(schema.number(bands.column), cell), schema.number(bands.column)  # type: ignore[arg-type]
    low, high = schema.category(bands).labels
    return None if at is None else high if declared.bounds.value(at) >= bands.edges[0] else low


def group(by: Grouping, schema: Schema, cell: str | None) -> str | None:
    """Return the group of one cell."""
    if isinstance(by, Bands):
        return band(by, schema, cell)
    named = level(schema.columns[source_of(by)], cell)  # type: ignore[arg-type]
    return named if isinstance(by, str) or named is None else dict(by.into).get(named, "other")


def tick(declared: Number, cell: str | None) -> int | None:
    """Return the tick of one cell; the coercion of cells has tests of its own."""
    ticks, there = declared.ticks(pa.array([cell], pa.large_string()))
    return int(ticks[0]) if there[0] else None


def level(declared: Category, cell: str | None) -> str | None:
    """Return the level of one cell."""
    if cell is not None and cell.strip() in declared.levels:
        return cell.strip()
    return "other" if declared.other else None


def passes(condition: Filter, schema: Schema, cell: str | None) -> bool:
    """Compare one cell."""
    declared: Any = schema.columns[condition.column]
    if condition.column in schema.categories:
        named = level(declared, cell)
        return named is not None and (named == condition.value) == (condition.comparison == "=")
    at = tick(declared, cell)
    if at is None:
        return False
    value, wanted = declared.bounds.value(at), condition.value
    if not declared.integer and declared.lower <= wanted <= declared.upper:
        wanted = declared.bounds.value(tick(declared, str(wanted)))
    return value > wanted if condition.comparison == ">" else value != wanted


def identity(person: Person, cell: str | None) -> str:
    """Return who is named; the samples have one variant of a letter."""
    name = (cell or "").strip()
    return name.replace("\uff50", "p").lower() if person.fold else name


def counting(world: World) -> Iterator[tuple[str, int, tuple[str, ...], int]]:
    """Yield person, word, levels and tick of each row that counts, in order."""
    schema, at = world.schema, dict(zip(("x", "y", "g", "h", "who"), range(5), strict=True))
    for place, (row, word) in enumerate(zip(world.rows, world.words, strict=True)):
        ticks = [tick(schema.columns[name], row[at[name]]) for name in world.columns]  # type: ignore[arg-type]
        levels = [group(by, schema, row[at[source_of(by)]]) for by in world.by]
        person = identity(schema.person[1], row[4]) if schema.person else str(place)
        if None in ticks + levels or not person:  # type: ignore[operator]
            continue
        if all(any(passes(f, schema, row[at[f.column]]) for f in condition.filters) for condition in world.where):
            yield person, word, tuple(map(str, levels)), ticks[0] or 0 if ticks else 0


def plain(world: World) -> Counter[tuple[tuple[str, ...], int]]:
    """Count as the declaration says, one row after the other."""
    own: dict[str, list[Any]] = {}
    for place, (person, *row) in enumerate(counting(world)):
        own.setdefault(person, []).append((row[0], place, row[1], row[2]))
    declared = world.schema.person[1] if world.schema.person else Person()
    total: Counter[tuple[tuple[str, ...], int]] = Counter()
    for rows in own.values():
        rows.sort()
        if declared.reduce == "mean" and world.columns:
            labels = [world.schema.category(name).labels for name in world.by]
            rows.sort(key=lambda row: (row[0], [own.index(name) for own, name in zip(labels, row[2], strict=True)]))
            here = [at for _, _, levels, at in rows if levels == rows[0][2]]
            means = Means(world.schema.number("x").bounds)
            mean = means.ticks(np.array([sum(here)]), np.array([len(here)]))
            total[rows[0][2], int(mean[0])] += 1
        else:
            for _, _, levels, at in rows[: 1 if declared.reduce else declared.rows]:
                total[levels, at] += 1
    return total


def labelled(task: Task, histogram: Counts) -> dict[tuple[tuple[str, ...], int], int]:
    """Return counts by the names of levels."""
    shape = tuple(map(len, task.levels))
    pairs = {}
    for place, rows in zip(histogram.places.tolist(), histogram.rows.tolist(), strict=True):
        cell, at = divmod(place, histogram.ticks)
        codes = np.unravel_index(cell, shape) if shape else ()
        pairs[tuple(levels[int(code)] for levels, code in zip(task.levels, codes, strict=True)), at] = rows
    return pairs


def counted(world: World, size: int) -> dict[tuple[tuple[str, ...], int], int]:
    """Count by the house's own way, in batches of so many rows."""
    source = Pieces(world.table, size)
    task = Task.of(world.schema, world.columns, world.by, world.where)
    task = Task.from_json(task.to_json())
    histogram = source.counts(task) if task.person is None else source.capped(task, Words(world.words))
    assert (np.diff(histogram.places) > 0).all() and (histogram.rows > 0).all()
    return labelled(task, histogram)


@pytest.mark.soak
@settings(max_examples=times(80, 1000))
@given(worlds(), st.integers(1, 30))
def test_counts_are_those_of_plain_python(world: World, size: int) -> None:
    """Any declaration, filters, groups, cap and batches: the very same rows of every person count."""
    assert counted(world, size) == plain(world)


@settings(max_examples=times(60, 500))
@given(worlds(), st.integers(1, 30), st.booleans())
def test_counts_by_bands_are_those_of_plain_python(world: World, size: int, crossed: bool) -> None:
    """Of each value, on the edge and beyond the bounds; no row without a value, and each person's rows as ever."""
    bands = halves("y", world.schema.columns["y"])  # type: ignore[arg-type]
    in_bands = replace(world, by=(bands, "g") if crossed else (bands,))
    assert counted(in_bands, size) == plain(in_bands)


@settings(max_examples=times(60, 500))
@given(worlds(), st.integers(1, 30), st.booleans())
def test_counts_by_merged_levels_are_those_of_plain_python(world: World, size: int, crossed: bool) -> None:
    """A level called as another one is not taken for it; what no line names is other, and no level is none."""
    merged = Recode("g", (("a", "b"),)) if len(world.schema.category("g").labels) > 1 else "g"
    recoded = replace(world, by=(merged, "h") if crossed else (merged,))
    assert counted(recoded, size) == plain(recoded)


@pytest.mark.soak
@settings(max_examples=times(50, 500))
@given(worlds(), st.integers(1, 30))
def test_pruning_and_sorting_change_nothing(world: World, size: int) -> None:
    """With no room at all every batch is pruned and every place is sorted; the same rows count."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(persons, "ROOM", 1)
        patch.setattr(persons, "WHOLE", 1)
        patch.setattr(counts, "DENSE", 0)
        patch.setattr(counts, "PENDING", 2)
        assert counted(world, size) == plain(world)
        patch.setattr(counts, "DENSE", 10**6)
        patch.setattr(counts, "FEW", 0)
        assert counted(world, size) == plain(world)


@given(st.lists(st.lists(st.integers(0, 11))), st.sampled_from([np.int64, np.uint32]))
def test_counts_of_parts_add_up(parts: list[list[int]], form: Any) -> None:
    """However rows lie in parts: added counts are the counts of all, and a tally is as well."""
    tally, total = Tally(3, 4), Counts.of_places(3, 4, np.zeros(0, np.int64))
    for part in parts:
        tally += np.array(part, dtype=form)
        total += Counts.of_places(3, 4, np.array(part, dtype=form))
    everything = Counter(place for part in parts for place in part)
    for histogram in (tally.counts(), total, pickle.loads(pickle.dumps(total))):
        assert dict(zip(histogram.places.tolist(), histogram.rows.tolist(), strict=True)) == everything
        assert histogram.places.dtype == histogram.rows.dtype == np.int64
        cells = [sum(rows for place, rows in everything.items() if place // 4 == cell) for cell in range(3)]
        assert histogram.by_cell().tolist() == cells
        bounds, ticks = (
            Bounds(0, 3, integer=True),
            [[p % 4 for p in everything.elements() if p // 4 == c] for c in range(3)],
        )
        columns, expected = histogram.columns(bounds), [Column.from_ticks(bounds, own) for own in ticks]
        assert [c.levels.tolist() for c in columns] == [c.levels.tolist() for c in expected]
        assert [c.counts.tolist() for c in columns] == [c.counts.tolist() for c in expected]


def test_a_cross_table_names_every_pair_of_levels() -> None:
    """Two categories in one look: columns for each with each, and rows of each."""
    table = pa.table({"x": [1, 2, 2, 0], "g": ["a", "b", "b", "a"], "h": ["c", "d", "d", "c"]})
    schema = Schema({"x": Number(0, 2, integer=True), "g": Category(("a", "b")), "h": Category(("c", "d"))})
    data, lots = Dataset(LocalSource(table), schema), DrawnLots(SimulationNoise(0))
    crossed = data.crossed("x", ("g", "h"), (), lots)
    assert list(crossed) == [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]
    assert [column.values().tolist() for column in crossed.values()] == [[0, 1], [], [], [2, 2]]
    assert data.table(("g", "h"), (), lots).tolist() == [[2, 0], [0, 2]]
    assert data.table((), (Filter("x", ">", 0),), lots).tolist() == 3


def test_ten_thousand_small_groups_are_one_look_at_the_rows() -> None:
    """As many groups as may be asked for, read once."""
    looks = list[int]()

    class Once(Pieces):
        def map(self, kernel: Any, columns: Sequence[str], start: Any) -> Any:
            looks.append(1)
            return super().map(kernel, columns, start)

    levels = tuple(f"t{i}" for i in range(10_000))
    ages = np.arange(50_000) % 101
    table = pa.table({"age": ages, "town": [levels[i % 10_000] for i in range(50_000)]})
    schema = Schema({"age": Number(0, 100, integer=True), "town": Category(levels)})
    groups = Dataset(Once(table, 10_000), schema).grouped("age", ("town",), (), DrawnLots(SimulationNoise(0)))
    assert list(groups) == list(levels) and len(looks) == 1
    assert groups["t7"].values().tolist() == sorted(float(ages[i]) for i in range(7, 50_000, 10_000))


def test_more_groups_than_can_be_counted_are_refused() -> None:
    """By the declaration alone."""
    many = Category(tuple(map(str, range(2_000))))
    schema = Schema({"g": many, "h": many})
    with pytest.raises(ParameterError, match="Use fewer"):
        Task.of(schema, (), ("g", "h"))
    with pytest.raises(ParameterError, match="not declared as a number"):
        Task.of(schema, ("g",))
    assert Task.of(schema, (), ("g",)).cells == 2_000


def test_rows_of_a_table_with_persons_are_counted_on_the_declared_grid() -> None:
    """Where nobody is capped, nobody is a mean: whoever reads a task for all of its rows gets their ticks."""
    schema = Schema({"x": Number(0, 2, integer=True), "who": Person(reduce="mean")})
    batch = pa.record_batch({"x": [0, 2, 2], "who": [1, 1, 2]})
    histogram = Kernel(Task.of(schema, ("x",))).counts(batch)
    assert (histogram.ticks, histogram.places.tolist(), histogram.rows.tolist()) == (3, [0, 2], [1, 2])
    assert Pieces(pa.Table.from_batches([batch]), 2).counts(Task.of(schema, ("x",))).ticks == 3


def test_a_kernel_travels_as_a_value(tmp_path: Path) -> None:
    """Another process unpacks it, counts a batch and loads nothing heavy; counts come back whole."""
    schema = Schema({"x": Number(0, 9), "g": Category(("a", "b")), "who": Person()})
    task = Task.of(schema, ("x",), ("g",), (Filter("x", ">", 1),))
    assert math.prod((task.cells, task.ticks)) == 2 * (2**20 + 1) and hash(task) == hash(Task.from_json(task.to_json()))
    batch = pa.record_batch({"x": [1.0, 2.0, 5.0], "g": ["a", "a", "b"], "who": [1, 2, 3]})
    (tmp_path / "kernel").write_bytes(pickle.dumps((Kernel(task), batch)))
    worker = (
        "import pickle, sys; import discreet; kernel, batch = pickle.load(open(sys.argv[1], 'rb'));"
        "pickle.dump(kernel.counts(batch), open(sys.argv[2], 'wb'));"
        "heavy = ('opendp', 'scipy', 'sqlalchemy', 'streamlit', 'discreet.curator', 'discreet.mechanisms');"
        "print([name for name in heavy if name in sys.modules])"
    )
    command = [sys.executable, "-c", worker, tmp_path / "kernel", tmp_path / "counts"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    back: Counts = pickle.loads((tmp_path / "counts").read_bytes())
    assert back.places.tolist() == Kernel(task).counts(batch).places.tolist() and back.rows.tolist() == [1, 1]
