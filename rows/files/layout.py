"""Layout: what the first lines of a text suggest, which encodings there are, and which files are no tables."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from discreet.budget.errors import ParameterError, Phrase
from discreet.rows.capacity import LOOK, MIB, MOST_COLUMNS
from discreet.rows.files.format import COMMENTS, MOST_SKIPPED, SEPARATORS, accepted

# --- Encoding: the encoding and the separator that a text probably has ---
#
# Both depend on the rows, so they are offered only to the person who uploads the file and may declare them.

MOST_LINES = 50
UNFIT = "discreet.unfit"  # name of the error handler for bytes that do not fit
NO_TEXT = "\udcff"  # replaces such bytes: no encoding contains it


def _unfit(error: UnicodeError) -> tuple[str, int]:
    """Replace bytes that do not fit by a mark, and continue after them."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return NO_TEXT, error.end


codecs.register_error(UNFIT, _unfit)


def encoding_of(data: bytes, whole: bool = True) -> str:
    """Return the encoding of a text, or of its beginning."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    for encoding in ("utf-8", "gb18030"):
        if _fits(data, encoding, whole) and not (encoding == "gb18030" and _western(data[:LOOK])):
            return encoding
    windows = re.search(rb"[\x80-\x9f]", data) and _fits(data, "cp1252", whole)  # in Latin-1 these are not letters
    return "cp1252" if windows else "latin-1"


def _fits(data: bytes, encoding: str, whole: bool) -> bool:
    """Return whether bytes are text in an encoding, decoding a piece at a time."""
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for start in range(0, len(data), MIB):
            decoder.decode(data[start : start + MIB])
        decoder.decode(b"", final=whole)
    except UnicodeDecodeError:
        return False
    return True


def _western(start: bytes) -> bool:
    """Return whether most letters beyond ASCII occur singly or in pairs inside words, as accented letters do."""
    runs = list(re.finditer(rb"([A-Za-z]?)([\x80-\xff]+)", start))
    inside = sum(bool(run[1]) and len(run[2]) <= 2 for run in runs)
    return 2 * inside > len(runs)


def decoded(start: bytes, encoding: str) -> str:
    """Return the beginning of a text without a byte order mark and without an incomplete last character."""
    name = "utf-8-sig" if encoding == "utf-8" else encoding
    whole = start[: len(start) // 2 * 2] if encoding == "utf-16" else start
    return whole.decode(name, errors="ignore")


def separator_of(start: str) -> str:
    """Return the separator that splits most first lines into equally many fields."""
    lines = start.splitlines(keepends=True)[:MOST_LINES]

    def vote(separator: str) -> tuple[int, int]:
        try:
            counts = Counter(len(row) for row in csv.reader(lines, delimiter=separator) if row)
        except csv.Error:
            return 0, 0
        fields, rows = max(counts.items(), key=lambda item: item[1], default=(0, 0))
        return (rows, fields) if fields > 1 else (0, 0)

    return max(SEPARATORS, key=vote)


# --- Beginning: where the table of a text probably begins, and whether its first line names the columns ---

# each character can match in one place only: matching takes time linear in the length of a cell
NUMBER = re.compile(r"[-+]?[.,' ]*[0-9][0-9.,' ]*([eE][-+]?[0-9]+)? ?[%€$£]?")
YEAR = re.compile(r"[0-9]{4}")
PLACE = re.compile(r"[0-9]{1,9}")


class Beginning(NamedTuple):
    """How a text begins: fields of a `Layout`, by name."""

    header: bool
    skip: int
    comment: str
    row_names: bool = False


def beginning(start: str, separator: str) -> Beginning:
    """Return whether a line names the columns, how many lines precede it, and what begins a comment.

    Lines above a table have no separator. A line that contains numbers (other than years or consecutive numbers) is not
    a line of names: it is a person's row, and is not shown to anyone.
    """
    lines = start.splitlines()[:MOST_LINES]
    rows = [_cells(line, separator) for line in lines]
    sizes = Counter(len(row) for row in rows if any(row))
    width = max(sizes, key=lambda size: (sizes[size] if size > 1 else 0, size), default=0)
    head = next((at for at, row in enumerate(rows) if any(row)), None)
    comment = "" if head is None or len(rows[head]) == width else _comment(lines[head])
    body = [at for at, row in enumerate(rows) if any(row) and not (comment and lines[at].startswith(comment))]
    above = [at for at in body if width < 3 or sum(map(bool, rows[at])) > 1]
    first = above[0] if above else 0
    if any(line.count('"') % 2 for line in lines[: first + 1]):  # a name spans lines
        return Beginning(True, 0, comment)
    skip = first if any(at < first for at in body) else 0
    header = not above or names_columns(rows[first])
    below = [at for at in body if at > first]
    below = below[:-1] if len(below) > 1 else below  # the last one may be truncated
    short = _one_name_short(rows[first], [rows[at] for at in below]) if header and above else False
    return Beginning(header, skip, comment, short and _named_by_r([lines[at] for at in below], rows, below))


def _one_name_short(names: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Return whether each row has one cell more than there are names, as where R names the rows.

    A row that ends with a separator has an empty cell at its end, and no name for it.
    """
    return bool(below) and all(len(row) == len(names) + 1 and row[-1] != "" and row[0] != "" for row in below)


def _named_by_r(lines: Sequence[str], rows: Sequence[Sequence[str]], at: Sequence[int]) -> bool:
    """Return whether rows begin with R's row names: a name in quotation marks, or their number.

    Otherwise the extra cell may be at the end of each row, and no cell is moved.
    """
    if all(line.lstrip().startswith('"') for line in lines):
        return True
    first = [rows[place][0] for place in at]
    return all(cell.isdecimal() and cell.isascii() and len(cell) <= 9 for cell in first) and all(
        int(later) == int(sooner) + 1 for sooner, later in zip(first, first[1:], strict=False)
    )


def _cells(line: str, separator: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:
        return []


def _comment(line: str) -> str:
    """Return the comment sign of a first line whose width differs from the others."""
    return next((sign for sign in COMMENTS[1:4] if line.startswith(sign)), "")


def names_columns(cells: Sequence[str]) -> bool:
    """Return whether cells look like names: no numbers, except years and numbers that count columns."""
    numbers = [cell for cell in cells if NUMBER.fullmatch(cell)]
    if not numbers or all(YEAR.fullmatch(cell) for cell in numbers):
        return True
    whole = [int(cell) for cell in numbers if PLACE.fullmatch(cell)]
    return len(whole) == len(numbers) > 1 and whole == list(range(whole[0], whole[0] + len(whole)))


# --- Heading: what a text's byte order mark and line of names, which are public, state about its layout ---

DECLARED = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)  # a first line that spreadsheets write and read
COMMENT_LINE = re.compile(r"(#|%|//)\s")
MARKS = (b"\xff\xfe", b"\xfe\xff")  # of UTF-16; UTF-8 with a mark is read like UTF-8


class Heading(NamedTuple):
    """The suggestion: fields of a `Layout`, by name."""

    encoding: str
    separator: str
    header: bool
    skip: int
    columns: int


def heading(start: bytes) -> Heading:
    """Suggest how a text is read, by its lines up to the first that is neither blank nor a comment."""
    encoding = "utf-16" if start[:2] in MARKS else "utf-8"
    lines = list(io.StringIO(decoded(start, encoding), newline=""))  # split as on reading: nothing else ends one
    skip = next((at for at, line in enumerate(lines) if line.strip() and not COMMENT_LINE.match(line)), 0)
    skip = skip if skip <= MOST_SKIPPED and any(COMMENT_LINE.match(line) for line in lines[:skip]) else 0
    said = DECLARED.fullmatch(lines[skip]) if lines[skip:] else None
    if said and said[1] in SEPARATORS:
        skip, separators = skip + 1, [said[1]]
    else:
        separators = [*SEPARATORS]
    rows = {separator: _first(lines[skip:], separator) for separator in separators}
    separator = max(separators, key=lambda each: len(rows[each]))
    header = not rows[separator] or names_columns(rows[separator])
    columns = 0 if header or len(rows[separator]) > MOST_COLUMNS else len(rows[separator])  # too many are refused later
    return Heading(encoding, separator, header, skip, columns)


def _first(lines: Sequence[str], separator: str) -> list[str]:
    """Return the cells of the first line that has any."""
    try:
        row = next((row for row in csv.reader(lines, delimiter=separator, strict=True) if row), [])
    except csv.Error:
        return []
    return [cell.strip() for cell in row]


# --- Foreign files: what is no table, recognised by its first bytes, and what to do instead ---

WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
PACKED = [b"BZh%d1AY" % level for level in range(1, 10)]
UNPACK = Phrase("Unpack it first.")
EXPORT = Phrase("Export its table.")
RESAVE = Phrase("Open it in the program that created it, and save it as xlsx without a password.")
AS_XLSX = Phrase("Open it in a spreadsheet program, and save it as xlsx.")
CHOOSE = Phrase("Choose the table itself.")
OPEN = Phrase("Unlock it first.")
NAMES: dict[bytes, tuple[Phrase, Phrase]] = {
    **{b"\x80" + bytes([version]): (Phrase("a Python pickle"), EXPORT) for version in range(2, 6)},
    **{
        mark: (Phrase("a compressed file"), UNPACK)
        for mark in (
            b"\x1f\x8b",
            b"\x1f\x9d",
            b"\x04\x22M\x18",
            b"\xfd7zXZ",
            b"(\xb5/\xfd",
            b"7z\xbc\xaf",
            b"Rar!",
            *PACKED,
        )
    },
    **{mark: (Phrase("R data"), EXPORT) for mark in (b"RDX2", b"RDX3", b"RDA2", b"RDA3")},
    **{mark: (Phrase("a program"), CHOOSE) for mark in (b"\x7fELF", b"MZ")},
    **{mark: (Phrase("a picture"), CHOOSE) for mark in (b"\x89PNG", b"\xff\xd8\xff", b"GIF8")},
    b"\xd0\xcf\x11\xe0": (Phrase("an old Office file, or a locked one"), RESAVE),
    b"SQLite format 3": (Phrase("a SQLite database"), EXPORT),
    b"\x00\x01\x00\x00Standard": (Phrase("an Access database"), EXPORT),
    b"PGDMP": (Phrase("a PostgreSQL dump"), EXPORT),
    b"\x93NUMPY": (Phrase("a NumPy array"), EXPORT),
    b"\x89HDF": (Phrase("an HDF5 file"), EXPORT),
    b"MATLAB 5": (Phrase("a MATLAB file"), EXPORT),
    b"Obj\x01": (Phrase("an Avro file"), EXPORT),
    b"ORC": (Phrase("an ORC file"), EXPORT),
    b"PARE": (Phrase("a locked Parquet file"), EXPORT),
    b"FEA1": (Phrase("a version 1 Feather file"), EXPORT),
    b"\xff\xff\xff\xff": (Phrase("an Arrow stream"), EXPORT),
}
WITHIN: dict[tuple[int, bytes], tuple[Phrase, Phrase]] = {  # marks that are not at the beginning
    (257, b"ustar"): (Phrase("an archive"), UNPACK),
    (8, b"DUCK"): (Phrase("a DuckDB database"), EXPORT),
}
LONGEST_WORD = 5
LOOKED = 4096  # characters of a text that are searched for words
TAGS = frozenset(
    ("html", "head", "body", "meta", "title", "style", "script", "div", "span", "center", "form", "font", "p", "br")
    + ("h1", "h2", "h3", "table", "thead", "tbody", "tr", "th", "td")
)
TAG = re.compile(r"<(!doctype\s+html|/?[a-z][a-z0-9]*(?::[a-z]+)?)[\s/>]", re.IGNORECASE)
HTML_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
BLANK = "\ufeff \t\r\n"
OFFICE = "urn:schemas-microsoft-com:office:spreadsheet"
# texts that are no tables, by their beginning after blanks; the first match is reported
BEGINNINGS: tuple[tuple[str, Phrase, Phrase], ...] = (
    (r"%PDF-", Phrase("a PDF"), CHOOSE),
    (r"%!PS", Phrase("a printed page (PostScript)"), CHOOSE),
    (r"\{\\rtf", Phrase("a text document"), CHOOSE),
    (r"\\documentclass|\\begin\{", Phrase("a LaTeX document"), CHOOSE),
    (
        r"(?:[A-Za-z-]+: .*\n(?:[ \t].*\n)*){0,20}MIME-Version:",
        Phrase("a web page or mail in one file (MHTML)"),
        AS_XLSX,
    ),
    (
        r"c(?:copy_reg|copyreg|__builtin__|builtins|pandas|numpy|collections)[\w.]*\n|\(dp0\n|\(lp0\n",
        Phrase("a Python pickle"),
        EXPORT,
    ),
    (r"\s*(?i:@relation\s)", Phrase("a Weka file"), EXPORT),
    (r"ID;P[A-Z]*(?:;[NE])+\n[PBCF];[A-Z]", Phrase("a spreadsheet in SYLK"), AS_XLSX),
    (r"TABLE\n0,1\n", Phrase("a spreadsheet in DIF"), AS_XLSX),
    (r"version https://git-lfs\.", Phrase("a Git LFS pointer"), CHOOSE),
    (r"-----BEGIN |age-encryption\.org/|Salted__|\$ANSIBLE_VAULT", Phrase("a locked file"), OPEN),
    (r"\[InternetShortcut\]", Phrase("a link"), CHOOSE),
)
SCRIPT = re.compile(rb"\s*(?:--|/\*|CREATE |DROP |INSERT |SET |BEGIN)", re.IGNORECASE)
STATEMENT = re.compile(rb"INSERT INTO|CREATE TABLE|COPY \S+ \(", re.IGNORECASE)
LISTS = re.compile(r"\[\s*[\[\]\"0-9-]")  # JSON, but not a list of objects
# JSON in another encoding than UTF-8, or text that only looks like it
UNREAD = re.compile(r"(?:\[\s*)?\{\s*(?:'[^'\n]*'|\"[^\"\n]*\"|\w+)\s*:")


def refuse_foreign(data: bytes) -> None:
    """Raise ParameterError for a file that is no table; the message names what it is and what to do."""
    binary = b"\x00" in data[:LOOK]
    for (place, mark), words in ({(0, mark): words for mark, words in NAMES.items()} | WITHIN).items():
        word = mark.isalnum() and len(mark) <= LONGEST_WORD  # a table may begin with it
        if data[place : place + len(mark)] == mark and (binary or not word):
            raise _refused(*words)
    if SCRIPT.match(data) and STATEMENT.search(data[:LOOK]):
        raise _refused(Phrase("an SQL script"), EXPORT)
    _refuse_texts(_words(data))
    if binary and data[:2] not in WIDE:
        raise ParameterError("This is not a text file. {accepted}", accepted=accepted())


def _words(data: bytes) -> str:
    """Return the first characters after blanks, with line ends normalised."""
    encoding = "utf-16" if data[:2] in WIDE else "latin-1" if not data.startswith(codecs.BOM_UTF8) else "utf-8"
    text = data[: 2 * LOOKED].decode(encoding, "ignore").lstrip(BLANK)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _refuse_texts(words: str) -> None:
    """Raise ParameterError for texts that are no tables, by their first words."""
    for beginning, name, advice in BEGINNINGS:
        if re.match(beginning, words):
            raise _refused(name, advice)
    if any(map(_drawn, words.split("\n")[:2])):
        raise _refused(Phrase("a printed table"), EXPORT)
    _refuse_marked_up(HTML_COMMENT.sub("", words).lstrip(BLANK))
    if LISTS.match(words):
        raise ParameterError("This JSON contains no rows. Write a list of objects, one for each row.")
    if UNREAD.match(words):
        raise ParameterError("This JSON cannot be read. Write a list of objects, one for each row, in UTF-8.")


def _drawn(line: str) -> bool:
    """Return whether a line only separates a header from rows in a drawn table."""
    return "---" in line and ("|" in line or "+" in line) and not line.strip("-=:|+ ")


def _refuse_marked_up(words: str) -> None:
    """Raise ParameterError for HTML and XML; a single name in angle brackets is accepted as a column name."""
    if words.startswith("<?") and OFFICE in words:
        raise _refused(Phrase("an XML spreadsheet"), AS_XLSX)
    tag = TAG.match(words)
    name = tag[1].lower() if tag else ""
    if name.startswith("!doctype") or name.lstrip("/") in TAGS:
        raise ParameterError(
            "This is a web page, not a table. {advice} {accepted}", advice=AS_XLSX, accepted=accepted()
        )
    if words.startswith(("<?", "<!")) or (name and f"</{name}" in words.lower()):
        raise _refused(Phrase("an XML document"), EXPORT)


def _refused(name: Phrase, advice: Phrase) -> ParameterError:
    return ParameterError(
        "This is {name}, not a table. {advice} {accepted}", name=name, advice=advice, accepted=accepted()
    )
