"""Open data: rows that everybody may see. Whatever shows rows, counts or truths takes this type."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from discreet.budget.errors import ParameterError
from discreet.rows.cells import Mask
from discreet.rows.dataset import Dataset
from discreet.rows.lots import DrawnLots

if TYPE_CHECKING:  # whoever only reads rows does without the mechanisms
    from discreet.mechanisms.noise_source import NoiseSource

Named = tuple[NDArray[np.uint64], Mask]  # the words of the persons of rows, and which rows name one
T = TypeVar("T")


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
