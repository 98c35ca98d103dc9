"""Format: the base class of file formats, from recognising the first bytes to the error messages."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import IO, TYPE_CHECKING, Any, ClassVar

import pyarrow as pa

from discreet.budget.errors import ParameterError, Phrase
from discreet.budget.plugins import FORMATS, Registry
from discreet.rows.capacity import LARGEST_UNPACKED, LOOK, MIB, MOST_CELLS, MOST_COLUMNS

if TYPE_CHECKING:  # the process that reads files does not load datasets and seals
    from pyarrow import dataset

    from discreet.rows.sealing import Content

    Opened = tuple[dataset.Dataset, Sequence[str], int]  # rows, the names of all columns, rows to read at a time

SEPARATORS = (",", ";", "\t", "|")
SEPARATOR_NAMES = {",": Phrase("comma"), ";": Phrase("semicolon"), "\t": Phrase("tab"), "|": Phrase("bar")}
COMMENTS = ("", "#", "%", "//", ";")  # signs that may begin a comment line
MOST_SKIPPED = 10_000
LONGEST_SHEET = 100
ENCODINGS = ("utf-8", "utf-16", "latin-1", "cp1252", "gb18030")
DAMAGED, BEYOND, ENCODING, TORN = "damaged", "beyond", "encoding", "torn"  # reasons that every format may have
READ, REFUSED = b"+", b"-"  # first byte of the answer for a small file
Batches = Iterable[pa.RecordBatch]
Job = dict[str, Any]
formats: Registry[Format] = Registry(FORMATS)


class Wrong(Exception):
    """A file that is refused while it is read: the reason, and the line of a text."""

    def __init__(self, reason: str, line: int = 0) -> None:
        """Take reason and line."""
        super().__init__()
        self.reason = reason
        self.line = line


@dataclass(frozen=True)
class Layout:
    """How to read a file: part of the declaration, never guessed from its rows.

    `skip` lines precede the table. If there is a `header`, its first line names the columns, otherwise there are
    `columns` columns (0: as many as the first line has cells). Lines that begin with the `comment` sign are ignored.
    `sheet` is the sheet of a workbook, by default its first. With `row_names` the line of names has no name for the
    first column, as R writes it. A text with a line that cannot be parsed is refused; in a `lenient` one each line is a
    row by itself, and what cannot be parsed is missing: a line, or the cell in which a byte does not fit the encoding.
    """

    format: str
    encoding: str = "utf-8"
    separator: str = ","
    header: bool = True
    skip: int = 0
    comment: str = ""
    sheet: str = ""
    row_names: bool = False
    columns: int = 0
    lenient: bool = False

    def __post_init__(self) -> None:
        """Raise ParameterError for a layout that cannot be read."""
        if self.format not in formats:
            raise ParameterError("This format cannot be read. {accepted}", accepted=accepted())
        if self.encoding not in ENCODINGS:
            raise ParameterError("Encoding must be one of {choices}.", choices=", ".join(ENCODINGS))
        if self.separator not in SEPARATORS:
            raise ParameterError("Separator must be a comma, a semicolon, a tab or a bar.")
        if self.comment not in COMMENTS:
            raise ParameterError("A comment marker must be one of {choices}.", choices=", ".join(COMMENTS[1:]))
        if not 0 <= self.skip <= MOST_SKIPPED or len(self.sheet) > LONGEST_SHEET:
            raise ParameterError("At most {most:,} lines above a table can be skipped.", most=MOST_SKIPPED)
        if not 0 <= self.columns <= MOST_COLUMNS:
            raise ParameterError(
                "The file has more than {most_columns} columns. Keep those you need.", most_columns=MOST_COLUMNS
            )

    @property
    def plain(self) -> dict[str, Any]:
        """Return the layout as plain values: the format, and what differs from its defaults."""
        usual = Layout(self.format)
        return {name: value for name, value in vars(self).items() if name == "format" or value != vars(usual)[name]}

    def as_read(self) -> list[Phrase]:
        """Describe how the file is read, as far as its format leaves a choice."""
        said = formats[self.format].adjustable
        words = []
        if "encoding" in said:
            name = SEPARATOR_NAMES[self.separator]
            words.append(
                Phrase("a text in {encoding} with a {separator} between cells", encoding=self.encoding, separator=name)
            )
        if "sheet" in said and self.sheet:
            words.append(Phrase("sheet {sheet}", sheet=self.sheet))
        if not self.header:
            words.append(Phrase("{columns} columns, numbered", columns=self.columns))
        more = (
            (self.row_names, Phrase("the first column without a header")),
            (self.skip, Phrase("{skip} lines above the table skipped", skip=self.skip)),
            (self.comment, Phrase("lines that start with {comment} skipped", comment=self.comment)),
            (self.lenient, Phrase("what cannot be read counts as missing")),
        )
        return [*words, *(phrase for there, phrase in more if there)]


class Format(ABC):
    """A file format. A subclass with a `name` in a file of this folder is registered automatically.

    Registered rows are stored with that name, so it never changes. Messages name the format as in `titles`, in the
    order of `rank`. A person may change the fields of its layout that are `adjustable`. A large file that is `streamed`
    is never in memory as a whole. If rows name their own cells the format is `keyed`: no row affects which declared
    columns exist.
    """

    name: ClassVar[str]
    titles: ClassVar[tuple[str, ...]]
    rank: ClassVar[int] = 100
    magic: ClassVar[bytes] = b""
    adjustable: ClassVar[tuple[str, ...]] = ()
    streamed: ClassVar[bool] = False
    keyed: ClassVar[bool] = False
    overfull: ClassVar[str] = BEYOND  # the reason for refusing a file with too many cells

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Register every format under its name, so that there is no list to edit."""
        super().__init_subclass__(**kwargs)
        if "name" in cls.__dict__:
            formats.add(cls.name, cls())

    def recognises(self, start: bytes) -> bool:
        """Return whether a file has this format, by its first bytes. The file's name is ignored."""
        return bool(self.magic) and start.startswith(self.magic)

    def layout(self, start: bytes) -> Layout:
        """Suggest how to read a file by its first bytes: by what is public in them, and by no row."""
        return Layout(self.name)

    def likely(self, data: bytes) -> Layout:
        """Return the likely layout of a file, judged by its rows: a suggestion to the person who uploads it."""
        return self.layout(data[:LOOK])

    def on_disk(self, content: Content) -> Opened | None:
        """Open a file that stays on disk and is read as needed; None if it must be parsed."""
        return None

    def room(self, job: Job) -> int:
        """Return how many bytes the process that reads a file may use."""
        return int(job["unpacked"] + 2 * job["size"])

    @abstractmethod
    def read(self, data: IO[bytes], job: Job) -> tuple[pa.Schema, Batches]:
        """Read columns and batches, in the process that has limits: files are parsed nowhere else."""

    def refusal(self, reason: str, line: int) -> ParameterError:
        """Return the error for a reason to refuse a file."""
        if reason == TORN:
            return torn()
        return beyond() if reason == BEYOND else self.damaged()

    def refused(self, notes: dict[str, Any]) -> ParameterError:
        """Return the error for a file from which no column was read, given its notes."""
        return self.no_columns()

    def settled(self, layout: Layout, notes: dict[str, Any]) -> Layout:
        """Return the layout completed by what was found only in the file."""
        return layout

    @abstractmethod
    def damaged(self) -> ParameterError:
        """Return the error for a file that cannot be read."""

    def no_columns(self) -> ParameterError:
        """Return the error for a file that names no columns."""
        return ParameterError("The file has no columns. The first line must name them.")

    def no_rows(self) -> ParameterError:
        """Return the error for a file without rows."""
        return ParameterError("The file has a header but no rows. Choose a file with rows.")


def every() -> list[Format]:
    """Return all formats, in the order in which messages name them."""
    return sorted(formats.values(), key=attrgetter("rank"))


def titles() -> Phrase:
    """Return the names of all formats as a phrase."""
    *first, last = (title for form in every() for title in form.titles)
    return Phrase("{first} or {last}", first=", ".join(first), last=last)


def accepted() -> Phrase:
    """Return a phrase that names the accepted formats."""
    return Phrase("Use {formats}.", formats=titles())


def torn() -> ParameterError:
    """Return the error for a compressed file that cannot be decompressed."""
    return ParameterError("This packed file is damaged or was not copied completely. Pack it again.")


def beyond() -> ParameterError:
    """Return the error for a file that grows too large."""
    return ParameterError(
        "This file exceeds the limits when unpacked ({most_columns} columns, {most_cells:,} "
        "cells, {largest_unpacked} MiB). Split it.",
        most_columns=MOST_COLUMNS,
        most_cells=MOST_CELLS,
        largest_unpacked=LARGEST_UNPACKED // MIB,
    )


# --- Naming: columns without a name in the header, or with a name that occurs several times ---

NOTE = b"discreet."  # prefix of a reader's notes on a file, beside its columns
HEAVIEST = 2**22  # bytes of all notes


def fields(header: Sequence[str] | int, form: pa.DataType, first: int = 1, **notes: Any) -> pa.Schema:
    """Return columns named by a header, or numbered from `first` on; notes state which names were generated."""
    counted = isinstance(header, int)
    header = [""] * header if isinstance(header, int) else header
    cells = list(map(cleaned, header))
    names = [name or f"column {place}" for place, name in enumerate(cells, first)]
    taken = set[str]()
    last = dict[str, int]()
    unique = list[str]()
    for name in names:
        unique.append(_free(name, taken, last))
        taken.add(unique[-1])
    unnamed = [name for name, cell in zip(unique, cells, strict=True) if not cell and not counted]
    doubled = [name for name, cell in zip(unique, cells, strict=True) if cell and name != cell]
    return noted(pa.schema([(name, form) for name in unique]), unnamed=unnamed, doubled=doubled, **notes)


def cleaned(name: str) -> str:
    """Return a header's name as a column name: on one line, without outer blanks."""
    return re.sub(r"[\r\n\t]+", " ", name).strip()


def _free(name: str, taken: set[str], last: dict[str, int]) -> str:
    """Return a name, followed by a number if it is taken: one more than the number it had last."""
    free = name
    while free in taken:
        last[name] = last.get(name, 1) + 1
        free = f"{name} ({last[name]})"
    return free


def noted(schema: pa.Schema, **notes: Any) -> pa.Schema:
    """Return columns with notes attached to them, as plain JSON."""
    written = {NOTE + name.encode(): json.dumps(note).encode() for name, note in notes.items() if note}
    return schema.with_metadata({**(schema.metadata or {}), **written})


def carried(metadata: Mapping[bytes, bytes] | None) -> dict[bytes, bytes]:
    """Return the notes among a file's metadata, or none if they are too large."""
    notes = {name: note for name, note in (metadata or {}).items() if name.startswith(NOTE)}
    return notes if sum(map(len, notes.values())) <= HEAVIEST else {}


def notes_of(schema: pa.Schema) -> dict[str, Any]:
    """Return the notes of a file, which are attached to its columns."""
    return {name.removeprefix(NOTE).decode(): json.loads(note) for name, note in carried(schema.metadata).items()}


def nested(form: pa.DataType) -> bool:
    """Return whether cells of a type are lists or objects, which are not read."""
    return bool(pa.types.is_nested(form.storage_type if isinstance(form, pa.BaseExtensionType) else form))


def nested_in(schema: pa.Schema) -> list[str]:
    """Return the columns whose cells are lists or objects, by their type or by the notes."""
    return [*dict.fromkeys([*notes_of(schema).get("nested", []), *(f.name for f in schema if nested(f.type))])]
