"""Feather: the columns of Arrow, as they lie in memory."""

from __future__ import annotations

import io
from typing import IO, TYPE_CHECKING, ClassVar

import pyarrow as pa
import pyarrow.dataset as ds

from discreet.budget.errors import ParameterError
from discreet.rows.files.disk import BATCH, on_disk
from discreet.rows.files.format import Batches, Format, Job

if TYPE_CHECKING:
    from discreet.rows.files.format import Opened
    from discreet.rows.sealing import Content


class Feather(Format):
    """A file of Feather."""

    name: ClassVar[str] = "feather"
    titles: ClassVar[tuple[str, ...]] = ("Feather",)
    rank: ClassVar[int] = 2
    magic: ClassVar[bytes] = b"ARROW1"

    def read(self, data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
        """Read its batches."""
        options = pa.ipc.IpcReadOptions(use_threads=False)
        file = pa.ipc.open_file(io.BytesIO(data.read()), options=options)
        # what is written beside columns may be anything
        return file.schema.remove_metadata(), (file.get_batch(i) for i in range(file.num_record_batches))

    def on_disk(self, content: Content) -> Opened:
        """Open it where it is."""
        try:
            opened = on_disk(content.open(), ds.IpcFileFormat())
        except (pa.ArrowException, OSError):
            raise self.damaged() from None
        return opened, opened.schema.names, BATCH

    def damaged(self) -> ParameterError:
        """Say that it cannot be read."""
        return ParameterError("This Feather file is damaged. Write it again.")
