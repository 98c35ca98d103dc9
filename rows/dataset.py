"""Dataset: a source with its declaration, and the three views that mechanisms need."""

from __future__ import annotations

import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, product
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.budget.errors import ParameterError
from discreet.queries import Column
from discreet.queries.bounds import IntArray
from discreet.queries.column import UNREAD, Blocks, HowRead, Pairs, Scores
from discreet.queries.estimators import registry as estimators
from discreet.rows.capacity import MIB, share
from discreet.rows.cells import Mask, flat
from discreet.rows.columns import Kind
from discreet.rows.columns.grouping import Grouping
from discreet.rows.counting import Counts, Task
from discreet.rows.engines.folder import Rows, source_of
from discreet.rows.filters import Condition
from discreet.rows.kernel import Kernel, estimate_of
from discreet.rows.persons import DrawnLots, Lots
from discreet.rows.schema import Schema, schema_of
from discreet.rows.source import Batched, LocalSource, Source

# --- Cache: views that involve no secret choice, for all datasets of a process together ---

ROOM = share(16, 512 * MIB)
MOST = 1024
SMALL = 64
LISTED = 1000
T = TypeVar("T")


def weight(thing: Any) -> int:
    """Return the approximate bytes of a view, including what was cached on it since."""
    if isinstance(thing, np.ndarray):
        return SMALL + int(thing.nbytes)
    if isinstance(thing, (list, tuple)) and len(thing) > LISTED:
        return SMALL * len(thing)
    if isinstance(thing, (list, tuple)):
        return SMALL + sum(map(weight, thing))
    inner = thing if isinstance(thing, dict) else getattr(thing, "__dict__", {})
    return SMALL + sum(map(weight, list(inner.values())))  # copied first: another query may add something meanwhile


class Shelf:
    """A cache of things of several owners, limited by their bytes."""

    def __init__(self, room: int = ROOM) -> None:
        """Start empty."""
        self._room = room
        self._lock = Lock()
        self._numbers = count()
        self._things: OrderedDict[tuple[int, Any], Any] = OrderedDict()
        self._gone: deque[int] = deque()

    def number(self, owner: object) -> int:
        """Return a unique number for an owner; its entries are dropped when the owner is garbage-collected."""
        number = next(self._numbers)
        weakref.finalize(owner, self._leave, number)
        return number

    def take(self, number: int, key: Any, make: Callable[[], T]) -> T:
        """Get from the cache, or compute and store."""
        place = number, key
        with self._lock:
            if place in self._things:
                self._things.move_to_end(place)
                thing: T = self._things[place]
                return thing
        thing = make()
        with self._lock:
            self._things[place] = thing
            self._tidy()
        return thing

    @property
    def weight(self) -> int:
        """The bytes of all entries."""
        with self._lock:
            return sum(map(weight, self._things.values()))

    def _leave(self, number: int) -> None:
        """Mark an owner as gone; called by the garbage collector at any moment, even while the lock is held."""
        self._gone.append(number)
        if self._lock.acquire(blocking=False):
            try:
                self._clear()
            finally:
                self._lock.release()

    def _clear(self) -> None:
        gone = {self._gone.popleft() for _ in range(len(self._gone))}
        for place in [place for place in self._things if place[0] in gone]:
            del self._things[place]

    def _tidy(self) -> None:
        """Evict entries of owners that are gone, then the least recently used ones until the rest fits."""
        self._clear()
        weights = [weight(thing) for thing in self._things.values()]
        left = sum(weights)
        many = len(weights)
        for place, heavy in zip(list(self._things), weights, strict=True):
            if left <= self._room and many <= MOST:
                return
            del self._things[place]
            left, many = left - heavy, many - 1


SHELF = Shelf()


# --- Resizing: a column is brought to a public number of rows by secret random choice ---


def resized(column: Column, size: int, lots: Lots) -> Column:
    """Keep a secret random choice of the rows, or pad with the middle of the bounds.

    One row more or less changes at most one row of the result. Counts stay counts, so the cost of this does not depend
    on the public number of rows.
    """
    levels = column.levels
    counts = column.counts
    missing = max(0, size - column.n)
    if column.n > size:
        places = np.searchsorted(column.ends, lots.chosen(column.n, size), side="right")
        counts = np.bincount(places, minlength=levels.size)
    padded = np.append(levels, column.bounds.top // 2), np.append(counts, missing)
    return Column.from_pairs(column.bounds, *padded)


# --- Declared: what may be known of a dataset before any query: the declaration, and no rows ---


@dataclass(frozen=True)
class Declared:
    """A declaration, the name of its budget, and whether its rows are protected."""

    schema: Schema
    digest: str
    protected: bool = True


if TYPE_CHECKING:  # code that only reads rows does not load the mechanisms
    from discreet.mechanisms.base.view import Estimates
    from discreet.noise.protocol import NoiseSource

Where = Sequence[Condition]


class Dataset:
    """Rows behind a declaration, protected: they are never shown. See `OpenData`."""

    protected: ClassVar[bool] = True

    def __init__(self, source: Source | Rows, schema: Schema | Mapping[str, Any]) -> None:
        """Join rows with their declaration; raise ParameterError if a column that is read is missing.

        A path, bytes or a frame may stand for its source, and a mapping for a schema.
        """
        source = source_of(source)
        schema = schema_of(schema)
        missing = [name for name in schema.used if name not in source.names]
        if missing:
            raise ParameterError("The dataset has no column {column!r}. Correct the schema.", column=missing[0])
        taken = [name for name in schema.derived if name in source.names]
        if taken:
            raise ParameterError(
                "The data already have a column {column!r}. Give the derived column another name.", column=taken[0]
            )
        if isinstance(source, LocalSource) and source.is_file and schema.layout not in (None, source.layout):
            raise ParameterError(
                "The file was not read as its schema requires. Read it that way, or change the schema."
            )
        nested = [name for name in schema.used if name in getattr(source, "unusable", ())]
        if nested:
            raise ParameterError(
                "Column {column!r} cannot be used: it contains lists or objects. Put each part in its own column.",
                column=nested[0],
            )
        self._source = source
        self.schema = schema
        self._number = SHELF.number(self)

    def __repr__(self) -> str:
        """Show the declaration only."""
        kind = "protected" if self.protected else "open"
        return f"Dataset({kind}, columns={list(self.schema.columns)})"

    def under(self, schema: Schema) -> Dataset:
        """Return these rows under another declaration."""
        return type(self)(self._source, schema)

    @property
    def digest(self) -> str:
        """A hash of the content, which owns the session budget. Not to be shown."""
        return self._source.digest

    @property
    def read_by(self) -> tuple[type, ...]:
        """The kinds that read these rows: source, address, and the format of a file."""
        source = self._source
        form = source.format if isinstance(source, LocalSource) else None
        return tuple(type(thing) for thing in (source, getattr(source, "where", None), form) if thing is not None)

    @property
    def ground(self) -> str | None:
        """What exact answers depend on: a hash of content and declaration; None if rows may change."""
        rows = self._source.ground
        return None if rows is None else f"{rows}:{self.schema.digest}"

    def column(self, name: str, where: Where, lots: Lots, size: int | None = None) -> Column:
        """Return one number column, resized to a public number of rows if `size` is given."""
        task = Task.of(self.schema, (name,), (), where)
        if task.person is None:
            column = self._cached(task, lambda: self._columns(task, lots)[0])
        else:
            (column,) = self._columns(task, lots)
        return column if size is None else resized(column, size, lots)

    def grouped(self, name: str, by: Sequence[Grouping], where: Where, lots: Lots) -> dict[str, Column]:
        """Return one number column per declared level, or combination of levels, including levels without rows."""
        crossed = self.crossed(name, by, where, lots)
        return dict(zip(self.schema.crossed(by), crossed.values(), strict=True))

    def crossed(self, name: str, by: Sequence[Grouping], where: Where, lots: Lots) -> dict[tuple[str, ...], Column]:
        """Return one number column for each combination of levels of several categories, in one pass over the rows."""
        task = Task.of(self.schema, (name,), by, where)
        return dict(zip(product(*task.levels), self._columns(task, lots), strict=True))

    def pairs(self, names: Sequence[str], where: Where, lots: Lots) -> Pairs:
        """Return two number columns of the same rows."""
        (pairs,) = self.paired(names, (), where, lots).values()
        return pairs

    def paired(
        self, names: Sequence[str], by: Sequence[Grouping], where: Where, lots: Lots
    ) -> dict[tuple[str, ...], Pairs]:
        """Return two number columns of the same rows for each combination of levels of several categories.

        The first may be one of yes and no: the second is counted for either.
        """
        if names[0] in self.schema.answers:
            answer, name = names
            each = iter(self.crossed(name, (*by, answer), where, lots).values())
            groups = product(*Task.of(self.schema, (name,), by, where).levels)
            return {group: Pairs.answered(no, yes) for group, no, yes in zip(groups, each, each, strict=True)}
        task = Task.of(self.schema, names, by, where)
        first, second = map(self.schema.bounds, names)
        return dict(zip(product(*task.levels), self._counts(task, lots).pairs(first, second), strict=True))

    def scores(self, name: str, where: Where, lots: Lots) -> Scores:
        """Return the number of rows of each declared level."""
        return Scores(self.schema.category(name).labels, self.table((name,), where, lots))

    def how_read(self, name: str, where: Where, lots: Lots) -> Scores:
        """Return how many rows of a column are parsed, are not, or are missing."""
        task = Task.of(self.schema, (), (name,), where, how_read=True)
        return Scores(HowRead().labels, self._counts(task, lots).by_cell())

    def table(self, by: Sequence[Grouping], where: Where, lots: Lots) -> IntArray:
        """Return the number of rows of each combination of levels, with one axis for each category."""
        task = Task.of(self.schema, (), by, where)
        return self._counts(task, lots).by_cell().reshape(tuple(map(len, task.levels)))

    def blocks(self, asked: Estimates, names: Sequence[str], where: Where, lots: Lots) -> Blocks:
        """Return one estimate per secret random block of persons, each clipped and finite."""
        task = Task.of(self.schema, names, (), where)
        estimate = estimate_of(estimators[asked.estimator], asked.default)
        estimates = self._source.group(estimate, task, lots, asked.k)
        clipped = np.clip(np.array(estimates, dtype=np.float64), asked.lower, asked.upper)
        return Blocks(float(asked.lower), float(asked.upper), clipped)

    def _counts(self, task: Task, lots: Lots) -> Counts:
        """Count all rows, or at most the declared number of rows of each person."""
        return self._source.counts(task) if task.person is None else self._source.capped(task, lots)

    def _columns(self, task: Task, lots: Lots) -> list[Column]:
        """Return the column of every cell."""
        return self._counts(task, lots).columns(self.schema.bounds(task.columns[0]))

    def _cached(self, key: Any, make: Callable[[], T]) -> T:
        """Cache what involves no secret choice, while there is room for it."""
        return SHELF.take(self._number, key, make)


def without_rows(schema: Schema) -> Dataset:
    """Return a dataset with this declaration and no rows."""
    none = {name: pa.array([], pa.large_string()) for name in schema.in_data}
    return Dataset(LocalSource(pa.table(none)), schema)


# --- Open data: rows that may be shown. Code that shows rows, counts or true values takes this type. ---

Named = tuple[NDArray[np.uint64], Mask]  # the words of the persons of rows, and which rows name one
LOOKED = 10_000  # rows of a cluster that are searched for cells


class OpenLots(DrawnLots):
    """Lots of open data: the persons' words, which are expensive hashes, are computed once and kept.

    They are kept by the index of the batch. If a source cuts its rows into other batches for other columns, the first
    batch of another length is noticed, and its persons are hashed again.
    """

    def __init__(self, noise: NoiseSource, words: dict[int, Named]) -> None:
        """Continue with the words that are kept."""
        super().__init__(noise)
        self._words = words
        self._at = 0
        self._same = True

    def persons(self, cells: Any, fold: bool) -> Named:
        """Return equal words for equal persons."""
        named = self._words.get(self._at)
        self._same = self._same and (named is None or named[0].size == len(cells))
        if named is None or not self._same:
            named = super().persons(cells, fold)
            if self._same:
                self._words[self._at] = named
        self._at += 1
        return named


class OpenData(Dataset):
    """Rows of no real people, or of people who agreed: the only data of which more than answers is shown."""

    protected: ClassVar[bool] = False

    def head(self, most: int) -> pa.Table:
        """Return the first declared rows."""
        return self._source.head(self.schema.in_data, most)

    def cells_read(self, name: str, declared: Kind | None = None) -> Scores:
        """Return how many cells of a column are parsed, are not, or are missing, over all rows.

        `declared` counts them under another declaration of the column.
        """
        return Scores(HowRead().labels, self._source.counts(self._reading(name, declared)).by_cell())

    def unread(self, name: str, most: int) -> list[str]:
        """Return the first distinct cells of a column that are not parsed, as text."""
        kernel = Kernel(self._reading(name))

        def first(batch: pa.RecordBatch) -> list[str]:
            places = np.flatnonzero(kernel.places(batch) == UNREAD)
            cells = pc.unique(flat(batch.column(name)).take(pa.array(places)))
            return [str(cell) for cell in cells[:most].to_pylist()]

        if isinstance(self._source, Batched):
            return list(dict.fromkeys(self._source.map(first, [name], list[str]())))[:most]
        return first(self._source.head([name], LOOKED).combine_chunks().to_batches()[0])

    def _reading(self, name: str, declared: Kind | None = None) -> Task:
        column = Schema({name: declared or self.schema.columns[name]})
        return Task.of(column, (), (name,), (), how_read=True)

    def lots(self, noise: NoiseSource) -> OpenLots:
        """Return lots that are not secret, and equal for equal noise."""
        words: dict[int, Named] = self.opened(("persons", noise.words(4).tobytes()), dict)
        return OpenLots(noise, words)

    def opened(self, key: Any, make: Callable[[], T]) -> T:
        """Cache what is computed from open data: lots that are not secret are drawn once."""
        return self._cached(("opened", key), make)


def refuse_protected(dataset: object) -> None:
    """Raise ParameterError for anything but open data, where no type checker has seen the call."""
    if not isinstance(dataset, OpenData):
        raise ParameterError("Protected datasets are never shown. Choose a sample or a public dataset.")
