"""Disk: a file with typed columns stays where it is, and is read as it is needed."""

from __future__ import annotations

from typing import IO

import pyarrow as pa
import pyarrow.dataset as ds

BATCH = 2**19  # rows a batch: large enough for dense counts, small enough for memory


def on_disk(file: IO[bytes], format: ds.FileFormat) -> ds.Dataset:
    """Return what reads an open file as it is needed."""
    part = format.make_fragment(pa.PythonFile(file, mode="r"))
    return ds.FileSystemDataset([part], part.physical_schema, format)
