"""Open data: rows that everybody may see. Whatever shows rows, counts or truths takes this type."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.budget.errors import ParameterError
from discreet.queries.scores import UNREAD, HowRead, Scores
from discreet.rows.cells import Mask, flat
from discreet.rows.columns import Kind
from discreet.rows.dataset import Dataset
from discreet.rows.kernel import Kernel
from discreet.rows.lots import DrawnLots
from discreet.rows.schema import Schema
from discreet.rows.source import Batched
from discreet.rows.task import Task

if TYPE_CHECKING:  # whoever only reads rows does without the mechanisms
    from discreet.mechanisms.noise_source import NoiseSource

Named = tuple[NDArray[np.uint64], Mask]  # the words of the persons of rows, and which rows name one
T = TypeVar("T")
LOOKED = 10_000  # rows of a cluster among which cells are looked for


class OpenLots(DrawnLots):
    """Lots of open data: the words of persons, which hashing makes, are made once and kept.

    They are kept by the place of the batch in which they are read. A source that cuts its rows otherwise
    for other columns is noticed by the first batch of another length, and its persons are hashed anew.
    """

    def __init__(self, noise: NoiseSource, words: dict[int, Named]) -> None:
        """Go on with what is kept."""
        super().__init__(noise)
        self._words, self._at, self._same = words, 0, True

    def persons(self, cells: Any, fold: bool) -> Named:
        """Return the same word for equal persons."""
        named = self._words.get(self._at)
        self._same = self._same and (named is None or named[0].size == len(cells))
        if named is None or not self._same:
            named = super().persons(cells, fold)
            if self._same:
                self._words[self._at] = named
        self._at += 1
        return named


class OpenData(Dataset):
    """Rows of nobody, or of people who agreed: the only ones of which anything but answers is shown."""

    protected: ClassVar[bool] = False

    def head(self, most: int) -> pa.Table:
        """Return the first declared rows."""
        return self._source.head(list(self.schema.columns), most)

    def cells_read(self, name: str, declared: Kind | None = None) -> Scores:
        """Return how many cells of a column are read, are not, or have nothing there: of all rows of everybody.

        Another declaration says how they would be.
        """
        return Scores(HowRead().labels, self._source.counts(self._reading(name, declared)).by_cell())

    def unread(self, name: str, most: int) -> list[str]:
        """Return the first different cells of a column that are not read, as text."""
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
        """Return lots that nobody keeps secret, the same every time that the noise is."""
        words: dict[int, Named] = self.opened(("persons", noise.words(4).tobytes()), dict)
        return OpenLots(noise, words)

    def opened(self, key: Any, make: Callable[[], T]) -> T:
        """Keep what is made of open data: with lots that nobody keeps secret it is made once."""
        return self._cached(("opened", key), make)


def refuse_protected(dataset: object) -> None:
    """Refuse what no type checker has seen: only open data are ever shown."""
    if not isinstance(dataset, OpenData):
        raise ParameterError("Protected data are never shown. Choose a sample or open data.")
