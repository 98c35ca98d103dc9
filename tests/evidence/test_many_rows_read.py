"""Reading against brute force: every cell, every person, whatever the batches and parts, wherever rows lie."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from support.soak import some, times

from discreet.mechanisms.base.view import InBlocks
from discreet.queries import bounds as grids
from discreet.rows import (
    ArrowSource,
    Category,
    Dataset,
    Filter,
    FolderSource,
    LocalSource,
    Number,
    Person,
    Schema,
    YesNo,
    counting,
    identifiers,
    persons,
)
from discreet.rows.files.typed import BATCH
from discreet.rows.persons import WORD, DrawnLots
from discreet.rows.source import Source

X = {
    "few": Number(-2, 4, integer=True),
    "halves": Number(-1, 2, step=0.5),
    "wide": Number(-3, 2**31 - 5, integer=True),  # in several groups more than 32 bits
    "missing": Number(-2, 4, integer=True, missing=3),
}
PERSONS = (None, Person(), Person(rows=2), Person(rows=5), Person(rows=5, reduce="first"), Person(reduce="mean"))
G, H = Category(("a", "b", "c")), Category(("u",), other=True)
WHERE = ((), (Filter("h", "=", "u"),), (Filter("x", ">", 0), Filter("g", "!=", "c")))
GROUPS = ((), ("g",), ("g", "h"), ("h", "g"))
EVERY = [  # a mean on a wide grid lies on whole ticks
    (declared, person, by, where)
    for declared, person, by, where in product(X.values(), PERSONS, GROUPS, WHERE)
    if declared is not X["wide"] or person is None or person.reduce != "mean"
]


class Stream:
    """Words one after another, whoever asks for how many of them; those of an odd seed are often the same."""

    def __init__(self, seed: int) -> None:
        """Begin anew."""
        self._rng, self._few = np.random.default_rng(seed), seed % 2

    def words(self, size: int) -> Any:
        """Return the next ones."""
        drawn = self._rng.integers(WORD, size=size, dtype=np.uint64)
        return drawn & np.uint64(3 << 32 | 3) if self._few else drawn


@dataclass
class Rows:
    """Rows that are known: numbers, levels, and whose they are, where anybody's."""

    x: Any
    g: Any
    h: Any
    who: Any
    words: Any

    @classmethod
    def drawn(cls, size: int, people: int, seed: int, top: int = 9) -> Rows:
        """Draw rows of persons who have few or many, in any order; some have no value, level or name."""
        rng = np.random.default_rng(seed)
        who = np.where(rng.random(size) < 0.03, -1, (people * rng.random(size) ** 2).astype(np.int64))
        x = np.where(rng.random(size) < 0.05, -99, rng.integers(-4, top, size))
        words = DrawnLots(Stream(seed)).rows(size).astype(np.int64)
        return cls(x, rng.integers(0, 4, size), rng.integers(0, 3, size), who, words)

    def table(self) -> pa.Table:
        """Write them down; -99 is no value, and nobody has the name -1."""
        level = pa.DictionaryArray.from_arrays(pa.array(self.g), pa.array(["a", "b", "c", "z"]))
        other = pa.DictionaryArray.from_arrays(pa.array(self.h, mask=self.h == 2), pa.array(["u", "v"]))
        x, who = pa.array(self.x, mask=self.x == -99), pa.array(self.who, mask=self.who < 0)
        return pa.table({"x": x, "g": level.cast(pa.string()), "h": other.cast(pa.string()), "who": who})

    def ticks(self, declared: Number) -> tuple[Any, Any]:
        """Return the tick of each row, and which rows have one."""
        bounds = declared.bounds
        there = self.x != -99
        values = self.x.astype(float)
        if declared.missing != "drop":
            values, there = np.where(there, values, declared.missing), np.ones_like(there)
        low, step = float(bounds.lower), float(bounds.resolution)
        return np.clip(np.floor((values - low) / step + 1e-9), 0, bounds.top).astype(np.int64), there

    def level(self, name: str) -> Any:
        """Return the place of each row's level, -1 where none is declared for it; no cell is another level as well."""
        return np.where(self.g < 3, self.g, -1) if name == "g" else np.minimum(self.h, 1)

    def passing(self, where: Any, declared: Number) -> Any:
        """Return which rows pass all filters: a number that is missing is what is declared for it."""
        passed, x = np.ones(self.x.size, bool), self.x
        if declared.missing != "drop":
            x = np.where(x == -99, declared.missing, x)
        for each in where:
            passed &= {"h": self.h == 0, "x": (x != -99) & (x > 0), "g": self.g < 2}[each.column]
        return passed


def brute(rows: Rows, declared: Number, person: Person | None, by: tuple[str, ...], where: Any) -> dict[Any, int]:
    """Count rows by cell and by value, each person's by the smallest of their words."""
    ticks, counts = rows.ticks(declared)
    counts = counts & rows.passing(where, declared)
    cell = np.zeros(rows.x.size, np.int64)
    for name in by:
        level = rows.level(name)
        counts &= level >= 0
        cell = cell * {"g": 3, "h": 2}[name] + level
    at = np.flatnonzero(counts & (rows.who >= 0 if person else True))
    if person is None:
        return tally(cell[at], ticks[at])
    first = cell[at] if person.reduce == "mean" else at  # of rows with the same word
    at = at[np.lexsort((first, rows.words[at], rows.who[at]))]
    new = np.flatnonzero(np.append(True, np.diff(rows.who[at]) != 0)) if at.size else at
    sizes = np.diff(np.append(new, at.size))
    if person.reduce == "mean":
        own = np.repeat(cell[at][new], sizes)
        same = cell[at] == own
        whose = np.repeat(np.arange(new.size), sizes)
        totals, many = (np.bincount(whose, of, new.size) for of in (ticks[at] * same, same))
        return tally(cell[at][new], np.rint(totals / np.maximum(many, 1) * 1e4).astype(np.int64))
    rank = np.arange(at.size) - np.repeat(new, sizes)
    chosen = at[rank < (1 if person.reduce else person.rows)]
    return tally(cell[chosen], ticks[chosen])


def tally(cells: Any, ticks: Any) -> dict[Any, int]:
    """Count pairs."""
    pairs, counts = np.unique(np.stack([cells, ticks]), axis=1, return_counts=True)
    return {(int(cell), int(tick)): int(count) for cell, tick, count in zip(*pairs, counts, strict=True)}


def read(source: Source, declared: Number, person: Person | None, by: Any, where: Any, seed: int) -> dict[Any, int]:
    """Read the same through the product, with the same secret words."""
    schema = Schema({"x": declared, "g": G, "h": H} | ({} if person is None else {"who": person}))
    dataset, lots = Dataset(source, schema), DrawnLots(Stream(seed))
    columns = list(dataset.grouped("x", by, where, lots).values()) if by else [dataset.column("x", where, lots)]
    counted: dict[Any, int] = {}
    for cell, column in enumerate(columns):
        levels = column.levels
        if person is not None and person.reduce == "mean":  # of a tick, as what is declared
            part = float(declared.bounds.resolution)
            levels = np.rint((column.bounds.value(levels) - float(declared.bounds.lower)) / part * 1e4).astype(np.int64)
        assert column.n == column.counts.sum()
        for level, count in zip(levels.tolist(), column.counts.tolist(), strict=True):
            counted[cell, level] = counted.get((cell, level), 0) + count
    return counted


def near(counted: dict[Any, int], wanted: dict[Any, int]) -> bool:
    """Say whether two counts are the same, but for the last digit of a mean."""
    if counted == wanted:
        return True
    each = [sorted((key, count) for key, count in of.items()) for of in (counted, wanted)]
    flat = [np.array([(*key, 1) for key, count in of for _ in range(count)]) for of in each]
    return flat[0].shape == flat[1].shape and bool(np.abs(flat[0] - flat[1]).max(initial=0) <= 1)


def small(patch: pytest.MonkeyPatch) -> None:
    """Make every part small of which many rows have several."""
    for module, name, size in (
        (persons, "WHOLE", 40),
        (persons, "ROOM", 4),
        (counting, "PENDING", 16),
        (counting, "FEW", 1),
        (identifiers, "CHUNK", 8),
        (grids, "CHUNK", 8),
    ):
        patch.setattr(module, name, size)


def in_memory(table: pa.Table, folder: Path) -> Source:
    """Keep it, read a few rows at a time."""
    source = LocalSource(table)
    source._most = 17
    return source


def as_text(table: pa.Table, folder: Path) -> Source:
    """Write it as text."""
    out = io.BytesIO()
    pc.write_csv(table, out)
    source = LocalSource(out.getvalue())
    source._most = 23
    return source


def in_file(table: pa.Table, folder: Path) -> Source:
    """Write it as Parquet in small groups of rows."""
    pq.write_table(table, folder / "x.parquet", row_group_size=29)
    source = LocalSource(folder / "x.parquet")
    source._most = 11
    return source


def in_feather(table: pa.Table, folder: Path) -> Source:
    """Write it as Feather."""
    feather.write_feather(table, folder / "x.feather", chunksize=31)
    return LocalSource(folder / "x.feather")


def in_folder(table: pa.Table, folder: Path) -> Source:
    """Write four files."""
    parts = -(-table.num_rows // 4)
    for at in range(4):
        pq.write_table(table.slice(at * parts, parts), folder / f"{at}.parquet")
    return FolderSource(folder)


def in_stream(table: pa.Table, folder: Path) -> Source:
    """Hand it over a few rows at a time."""
    return ArrowSource(pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=19)))


WAYS: list[Callable[[pa.Table, Path], Source]] = [in_memory, as_text, in_file, in_feather, in_folder, in_stream]


@pytest.mark.soak
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_every_count_is_that_of_brute_force(
    way: Callable[[pa.Table, Path], Source], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In parts of a few rows: every person, group, filter and grid, row by row, with the same secret words."""
    small(monkeypatch)
    for seed in range(times(2, 3)):
        rows = Rows.drawn(260, 60, seed)
        source = way(rows.table(), tmp_path)
        for declared, person, by, where in some(EVERY[seed:], 17 if way is in_memory else 41):
            counted = read(source, declared, person, by, where, seed)
            wanted = brute(rows, declared, person, by, where)
            assert wanted and near(counted, wanted), (declared, person, by, where)


@pytest.mark.parametrize("person", [None, Person(rows=2)], ids=str)
def test_a_public_number_of_rows_is_kept_or_filled_with_the_middle(person: Person | None) -> None:
    """However many there are: no row comes twice, and whoever is missing is in the middle."""
    rows = Rows.drawn(400, 90, 8)
    schema = Schema({"x": X["few"]} | ({} if person is None else {"who": person}))
    dataset = Dataset(LocalSource(rows.table()), schema)
    whole = dataset.column("x", (), DrawnLots(Stream(8)))
    for size in (1, 2, whole.n - 1, whole.n, whole.n + 1, 701, 5000):
        column = dataset.column("x", (), DrawnLots(Stream(8)), size)
        more = np.zeros(column.bounds.top + 1, np.int64)
        more[column.levels], middle = column.counts, column.bounds.top // 2
        more[whole.levels] -= whole.counts
        assert column.n == size
        assert (more <= 0).all() if size <= whole.n else not np.delete(more, middle).any()


FIVE = Number(0, 4, integer=True)


@pytest.mark.parametrize("person", PERSONS, ids=str)
def test_two_columns_are_those_of_brute_force(person: Person | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows with a value in both, each person's by the smallest of their words: each pair by cell, and so its means."""
    small(monkeypatch)
    for seed, by, where in product(range(times(1, 3)), GROUPS, WHERE[:2]):
        rows = Rows.drawn(400, 90, seed)
        y = np.where(np.arange(400) % 13 == 5, -99, (rows.x * 7 + rows.g) % 5)
        ticks, there = rows.ticks(X["few"])
        both = there & (y != -99)
        table = rows.table().append_column("y", pa.array(y, mask=y == -99))
        columns = {"x": X["few"], "y": FIVE, "g": G, "h": H} | ({} if person is None else {"who": person})
        dataset, lots = Dataset(in_memory(table, Path()), Schema(columns)), DrawnLots(Stream(seed))
        if by:
            read = list(dataset.paired(("x", "y"), by, where, lots).values())
        else:
            read = [dataset.pairs(("x", "y"), where, lots)]
        if person is None or person.reduce != "mean":
            coded = replace(rows, x=np.where(both, ticks * 5 + y, -99))
            counted = {
                (cell, a * 5 + b): n
                for cell, pairs in enumerate(read)
                for a, b, n in zip(pairs.left.tolist(), pairs.right.tolist(), pairs.counts.tolist(), strict=True)
            }
            assert counted == brute(coded, Number(0, 34, integer=True), person, by, where)
            continue
        for side, values, declared in (("left", ticks - 2, X["few"]), ("right", y, FIVE)):
            wanted = brute(replace(rows, x=np.where(both, values, -99)), declared, person, by, where)
            assert near(means_of(read, side, declared), wanted)
        if not by:
            each = [both & rows.passing(where, X["few"]) & (rows.who == name) for name in range(90)]
            products = [ticks[at].mean() * y[at].mean() for at in each if at.any()]
            (pairs,) = read
            left, right = (
                bounds.value(side) for bounds, side in ((pairs.first, pairs.left), (pairs.second, pairs.right))
            )
            assert np.dot((left + 2) * right, pairs.counts) == pytest.approx(sum(products), abs=1e-3)


@pytest.mark.parametrize("person", PERSONS, ids=str)
def test_yes_and_no_beside_a_number_are_those_of_brute_force(
    person: Person | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same as grouping by the answer: a person's rows are chosen, or reduced, before they are grouped."""
    small(monkeypatch)
    rows = Rows.drawn(400, 90, 5)
    said = pa.array(np.where(np.minimum(rows.h, 1), "yes", "no"))
    columns = {"x": X["few"], "a": YesNo(), "g": G, "h": H} | ({} if person is None else {"who": person})
    dataset = Dataset(in_memory(rows.table().append_column("a", said), Path()), Schema(columns))
    bounds = X["few"].bounds
    part = float(bounds.resolution) * (1e-4 if person and person.reduce == "mean" else 1)
    for by, where in product(((), ("g",)), WHERE):
        lots = DrawnLots(Stream(5))
        every = dataset.paired(("a", "x"), by, where, lots) if by else {(): dataset.pairs(("a", "x"), where, lots)}
        assert len(every) == (3 if by else 1) and all(not by or group[0] in "abc" for group in every)
        counted: dict[Any, int] = {}
        for cell, pairs in enumerate(every.values()):
            ticks = np.rint((pairs.second.value(pairs.right) - float(bounds.lower)) / part).astype(np.int64).tolist()
            for yes, tick, n in zip(pairs.left.tolist(), ticks, pairs.counts.tolist(), strict=True):
                counted[cell * 2 + yes, tick] = counted.get((cell * 2 + yes, tick), 0) + n
        assert near(counted, brute(rows, X["few"], person, (*by, "h"), where))


def means_of(read: list[Any], side: str, declared: Number) -> dict[Any, int]:
    """Return how many persons have each mean of one of two columns, as brute force says it."""
    counted: dict[Any, int] = {}
    for cell, pairs in enumerate(read):
        bounds = pairs.first if side == "left" else pairs.second
        means = np.rint((bounds.value(vars(pairs)[side]) - float(declared.bounds.lower)) * 1e4).astype(np.int64)
        for mean, count in zip(means.tolist(), pairs.counts.tolist(), strict=True):
            counted[cell, mean] = counted.get((cell, mean), 0) + count
    return counted


ESTIMATES: dict[str, Callable[..., Any]] = {
    "mean": np.mean,
    "median": np.median,
    "standard-deviation": lambda x: np.std(x, ddof=1) if x.size > 1 else np.nan,
    "quantile:0.9": lambda x: np.sort(x)[max(0, int(np.ceil(0.9 * x.size - 1e-9)) - 1)],
    "correlation": lambda x, y: np.corrcoef(x, y)[0, 1] if x.size > 1 else np.nan,
    "slope": lambda x, y: np.polyfit(x, y, 1)[0] if np.ptp(x) else np.nan,
}


@pytest.mark.parametrize("person", [None, Person(), Person(rows=3)], ids=str)
def test_blocks_are_those_of_brute_force(person: Person | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """All rows of a person in one block, each estimate within its range, and what there is none of as declared."""
    small(monkeypatch)
    rows = Rows.drawn(300, 80, 6)
    table = rows.table().append_column("y", pa.array((rows.x * 7 + rows.g) % 5))
    schema = Schema({"x": X["few"], "y": Number(0, 4), "h": H} | ({} if person is None else {"who": person}))
    x, there = rows.ticks(X["few"])
    for (name, estimate), k, where in product(ESTIMATES.items(), (1, 4, 150), WHERE[:2]):
        two = name in ("correlation", "slope")
        view = InBlocks(name, k, -0.5, 1.5, 0.25)
        lots = DrawnLots(Stream(6))
        blocks = Dataset(in_memory(table, Path()), schema).blocks(view, ("x", "y") if two else ("x",), where, lots)
        counts = there & rows.passing(where, X["few"]) & (rows.who >= 0 if person else True)
        words = rows.words.astype(np.uint64) if person is None else _words(table, person)
        wanted = np.full(k, 0.25)
        for block in range(k):
            at = counts & (words % np.uint64(k) == block)
            values = [x[at] - 2.0] + [np.asarray(table["y"])[at].astype(float)] * two
            with np.errstate(all="ignore"):
                number = estimate(*values) if at.any() else np.nan
            wanted[block] = number if np.isfinite(number) else 0.25
        assert np.allclose(blocks.estimates, np.clip(wanted, -0.5, 1.5), atol=1e-5), (name, k, where)


def _words(table: pa.Table, person: Person) -> Any:
    """Return the secret word of each row's person."""
    return DrawnLots(Stream(6)).persons(table["who"].combine_chunks(), person.fold)[0]


@pytest.mark.soak
@pytest.mark.parametrize("person", some([Person(rows=2), Person(reduce="mean")], 2), ids=lambda p: str(p.reduce))
def test_more_rows_than_one_part_holds_are_capped_together(person: Person) -> None:
    """A million rows and more, as they are read: every person's, though they lie in four batches and all parts."""
    rows = Rows.drawn(3 * BATCH + 100_000, 900_000, 4)
    assert BATCH < persons.WHOLE < 3 * BATCH * 0.9
    counted = read(LocalSource(rows.table()), X["few"], person, (), (), 4)
    wanted = brute(rows, X["few"], person, (), ())
    assert near(counted, wanted) if person.reduce is None else near_totals(counted, wanted)


def near_totals(counted: dict[Any, int], wanted: dict[Any, int]) -> bool:
    """Say whether counts of many rows are the same, but for how the last digit of a mean is rounded."""
    sums = [sum(tick * many for (_, tick), many in of.items()) for of in (counted, wanted)]
    return sum(counted.values()) == sum(wanted.values()) and abs(sums[0] - sums[1]) <= 1e-6 * sums[1]
