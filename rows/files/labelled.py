"""Labelled: files of SPSS, Stata and SAS, whose columns and codes have labels."""

from __future__ import annotations

import io
from typing import IO, Any, ClassVar

import pyarrow as pa

from discreet.budget.errors import ParameterError
from discreet.rows.files.format import BEYOND, DAMAGED, Batches, Format, Job, Wrong, noted
from discreet.rows.files.typed import typed

OLD_STATA = range(104, 116)  # versions whose number is the first byte
LOOKED = 512


class Labelled(Format):
    """A file that ReadStat reads: numbers, texts and dates with their types; codes stay codes, labels become notes."""

    reader: ClassVar[str]
    program: ClassVar[str]

    def read(self, data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
        """Read all columns; only this process loads the library, which parses in C."""
        import pyreadstat

        read = getattr(pyreadstat, self.reader)
        try:
            columns, about = read(io.BytesIO(data.read()), output_format="dict")
        except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, OverflowError):
            raise Wrong(DAMAGED) from None
        kinds = about.readstat_variable_types
        arrays = [_cells(cells, kinds.get(name, "")) for name, cells in columns.items()]
        if len(arrays) > job["columns"] or sum(map(len, arrays)) > job["cells"]:
            raise Wrong(BEYOND)
        schema = pa.schema([(name, array.type) for name, array in zip(columns, arrays, strict=True)])
        return noted(schema, labels=_labels(about)), [pa.record_batch(arrays, schema=schema)] if arrays else ()

    def damaged(self) -> ParameterError:
        """Return the error for a file that cannot be read."""
        return ParameterError("This {program} file cannot be read. Save it again, or as CSV.", program=self.program)


def _cells(cells: list[Any], kind: str) -> pa.Array:
    """Return a column of texts, or of numbers, dates or times with the types of the file."""
    if kind == "string":
        return pa.array(cells, pa.large_string())
    try:
        array = pa.array(cells, from_pandas=True)
        return array.cast(pa.float64()) if pa.types.is_null(array.type) else array
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([None if cell is None else typed(cell) for cell in cells], pa.large_string())


def _labels(about: Any) -> dict[str, dict[str, Any]]:
    """Return the labels of columns and of their codes."""
    columns = {name: {"label": label} for name, label in about.column_names_to_labels.items() if label}
    for name, codes in about.variable_value_labels.items():
        columns[name] = columns.get(name, {}) | {"values": {typed(code): str(label) for code, label in codes.items()}}
    return columns


class Spss(Labelled):
    """A file of SPSS, compressed or not."""

    name: ClassVar[str] = "spss"
    titles: ClassVar[tuple[str, ...]] = ("SPSS",)
    rank: ClassVar[int] = 5
    reader: ClassVar[str] = "read_sav"
    program: ClassVar[str] = "SPSS"

    def recognises(self, start: bytes) -> bool:
        """Return whether the file begins with one of the two marks."""
        return start.startswith((b"$FL2", b"$FL3"))


class Portable(Labelled):
    """A portable file of SPSS."""

    name: ClassVar[str] = "spss-portable"
    titles: ClassVar[tuple[str, ...]] = ()
    rank: ClassVar[int] = 6
    reader: ClassVar[str] = "read_por"
    program: ClassVar[str] = "SPSS"

    def recognises(self, start: bytes) -> bool:
        """Return whether the mark follows the splash lines, which may be wrapped anywhere."""
        return b"SPSSPORT" in start[:LOOKED].replace(b"\r", b"").replace(b"\n", b"")


class Stata(Labelled):
    """A file of Stata, of any version."""

    name: ClassVar[str] = "stata"
    titles: ClassVar[tuple[str, ...]] = ("Stata",)
    rank: ClassVar[int] = 7
    reader: ClassVar[str] = "read_dta"
    program: ClassVar[str] = "Stata"

    def recognises(self, start: bytes) -> bool:
        """Return whether the file begins with the first tag, or with version, byte order and type of older ones."""
        old = len(start) > 3 and start[0] in OLD_STATA and start[1] in (1, 2) and start[2] == 1
        return old or start.startswith(b"<stata_dta>")


class Sas(Labelled):
    """A data set of SAS."""

    name: ClassVar[str] = "sas"
    titles: ClassVar[tuple[str, ...]] = ("SAS",)
    rank: ClassVar[int] = 8
    magic: ClassVar[bytes] = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
    reader: ClassVar[str] = "read_sas7bdat"
    program: ClassVar[str] = "SAS"


class Transport(Labelled):
    """A transport file of SAS."""

    name: ClassVar[str] = "sas-transport"
    titles: ClassVar[tuple[str, ...]] = ()
    rank: ClassVar[int] = 9
    magic: ClassVar[bytes] = b"HEADER RECORD*******LIB"
    reader: ClassVar[str] = "read_xport"
    program: ClassVar[str] = "SAS"
