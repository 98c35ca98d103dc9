"""Typed: cells with a type, written as text that means one thing under every declaration; Parquet and Feather."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, Any, ClassVar

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.fs as fs
import pyarrow.parquet as pq

from discreet.budget.errors import ParameterError
from discreet.rows.capacity import MIB
from discreet.rows.files.format import BEYOND, Batches, Format, Job, Wrong


def typed(cell: Any) -> str:
    """Write a cell: 5.0 becomes 5, a truth value true or false, a date its ISO form.

    A fraction is written in scientific notation, 2.5E0: that is the same number under every declared way of writing
    numbers, whereas 1.234 would be more than a thousand under some.
    """
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 2**53 else scientific(repr(cell))
    return cell if isinstance(cell, str) else str(cell)


def scientific(number: str) -> str:
    """Return decimal text with an exponent; text without digits at its end, or with an exponent, is unchanged."""
    return number if not number[-1:].isdigit() or "e" in number.lower() else f"{number}E0"


# --- Disk: a file with typed columns stays on disk, and is read as needed ---

BATCH = 2**19  # rows per batch: large enough for dense counts, small enough for memory


def on_disk(file: IO[bytes], format: ds.FileFormat) -> ds.Dataset:
    """Return a dataset that reads an open file as needed."""
    part = format.make_fragment(pa.PythonFile(file, mode="r"))
    return ds.FileSystemDataset([part], part.physical_schema, format)


# --- Parquet: typed columns with a footer, which describes the content and is not trusted ---

if TYPE_CHECKING:
    from discreet.rows.files.format import Opened
    from discreet.rows.sealing import Content

ROWS = 2**16
HEAVIEST = 256 * MIB  # bytes that the texts and numbers of one batch may take
REPEATED = 8  # bytes per text in a file; a smaller average means a dictionary, whose texts may be long
# read as needed: buffering ahead would keep a large file in memory
AS_NEEDED = ds.ParquetFragmentScanOptions(pre_buffer=False, use_buffered_stream=True)


class Parquet(Format):
    """A file of Parquet."""

    name: ClassVar[str] = "parquet"
    titles: ClassVar[tuple[str, ...]] = ("Parquet",)
    rank: ClassVar[int] = 1
    magic: ClassVar[bytes] = b"PAR1"

    def read(self, data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
        """Read the file; content beyond the limits, according to its footer, is not decompressed."""
        file = pq.ParquetFile(io.BytesIO(data.read()))
        footer = file.metadata
        unpacked = sum(footer.row_group(i).total_byte_size for i in range(footer.num_row_groups))
        cells = footer.num_rows * footer.num_columns
        if footer.num_columns > job["columns"] or unpacked > job["unpacked"] or cells > job["cells"]:
            raise Wrong(BEYOND)
        return file.schema_arrow.remove_metadata(), file.iter_batches(ROWS, use_threads=False)  # untrusted metadata

    def on_disk(self, content: Content) -> Opened:
        """Open the file with batches that are small according to its footer."""
        try:
            with content.open() as file:
                format, most = _reading([pq.read_metadata(file)])
            opened = on_disk(content.open(), format)
        except (pa.ArrowException, OSError):
            raise self.damaged() from None
        return opened, opened.schema.names, most

    def damaged(self) -> ParameterError:
        """Return the error for a damaged file."""
        return ParameterError("This Parquet file is damaged. Write it again.")


def together(files: Sequence[str]) -> Opened:
    """Open files as one table, in their order; each is opened when it is reached."""
    try:
        footers = [pq.read_metadata(file) for file in files]
        format, most = _reading(footers)
        parts = [format.make_fragment(file, fs.LocalFileSystem()) for file in files]
        schemas = [part.physical_schema.remove_metadata() for part in parts]
    except (pa.ArrowException, OSError):
        raise ParameterError("A file in this folder is not Parquet, or is damaged. Write it again.") from None
    schema = _agreed(schemas)
    return ds.FileSystemDataset(parts, schema, format), schema.names, most


def _agreed(schemas: Sequence[pa.Schema]) -> pa.Schema:
    """Return the columns of files that agree on them; in some files a column may be empty."""
    names = schemas[0].names
    if len(set(names)) < len(names):
        return schemas[0]  # `check_header` reports the duplicate
    if any(set(schema.names) != set(names) for schema in schemas):
        raise ParameterError(
            "The files in this folder have different columns. Write all of them with the same columns."
        )
    try:
        return pa.unify_schemas(schemas)
    except (pa.ArrowTypeError, pa.ArrowInvalid):
        raise ParameterError(
            "A column has different types in the files of this folder. Write them all with one schema."
        ) from None


def _reading(footers: Sequence[pq.FileMetaData]) -> tuple[ds.ParquetFileFormat, int]:
    """Return how to read files: which columns are read as dictionaries, and how many rows at a time."""
    groups = [footer.row_group(i) for footer in footers for i in range(footer.num_row_groups)]
    chunks = [group.column(i) for group in groups for i in range(group.num_columns)]
    repeated = {
        chunk.path_in_schema
        for chunk in chunks
        if chunk.physical_type == "BYTE_ARRAY" and chunk.total_uncompressed_size <= REPEATED * chunk.num_values
    }
    if len(footers) > 1:  # a dictionary column of one file is read so from all files
        fields = [field for footer in footers for field in footer.schema.to_arrow_schema()]
        repeated |= {field.name for field in fields if pa.types.is_dictionary(field.type)}
    options = ds.ParquetReadOptions(dictionary_columns=repeated)
    heaviest = max((g.total_byte_size / max(g.num_rows, 1) for g in groups), default=0)
    rows = int(HEAVIEST / max(heaviest, 1))
    return ds.ParquetFileFormat(options, AS_NEEDED), min(max(rows, 1), BATCH)


# --- Feather: the columns of Arrow, in their memory format ---


class Feather(Format):
    """A file of Feather."""

    name: ClassVar[str] = "feather"
    titles: ClassVar[tuple[str, ...]] = ("Feather",)
    rank: ClassVar[int] = 2
    magic: ClassVar[bytes] = b"ARROW1"

    def read(self, data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
        """Read the batches of the file."""
        options = pa.ipc.IpcReadOptions(use_threads=False)
        file = pa.ipc.open_file(io.BytesIO(data.read()), options=options)
        # its metadata may contain anything
        return file.schema.remove_metadata(), (file.get_batch(i) for i in range(file.num_record_batches))

    def on_disk(self, content: Content) -> Opened:
        """Open the file where it is."""
        try:
            opened = on_disk(content.open(), ds.IpcFileFormat())
        except (pa.ArrowException, OSError):
            raise self.damaged() from None
        return opened, opened.schema.names, BATCH

    def damaged(self) -> ParameterError:
        """Return the error for a damaged file."""
        return ParameterError("This Feather file is damaged. Write it again.")
