"""Open data: rows that everybody may see. Whatever shows rows, counts or truths takes this type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.rows.dataset import Dataset

T = TypeVar("T")


class OpenData(Dataset):
    """Rows of nobody, or of people who agreed: the only ones of which anything but answers is shown."""

    protected: ClassVar[bool] = False

    def head(self, most: int) -> pa.Table:
        """Return the first declared rows."""
        return self._source.head(list(self.schema.columns), most)

    def opened(self, key: Any, make: Callable[[], T]) -> T:
        """Keep what is made of open data: with lots that nobody keeps secret it is made once."""
        return self._cached(("opened", key), make)


def refuse_protected(dataset: object) -> None:
    """Refuse what no type checker has seen: only open data are ever shown."""
    if not isinstance(dataset, OpenData):
        raise ParameterError("Protected data are never shown. Choose a sample or open data.")
