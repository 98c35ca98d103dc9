"""Foreign: what is no table, told by its first bytes, and what to do instead."""

from __future__ import annotations

import codecs
import re

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.rows.capacity import LOOK
from discreet.rows.files.format import accepted

WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
PACKED = [b"BZh%d1AY" % level for level in range(1, 10)]
UNPACK = Phrase("Unpack it first.")
EXPORT = Phrase("Export its table.")
RESAVE = Phrase("Open it where it was made, and save it as xlsx, without a password.")
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
    **{mark: (Phrase("data of R"), EXPORT) for mark in (b"RDX2", b"RDX3", b"RDA2", b"RDA3")},
    **{mark: (Phrase("a program"), CHOOSE) for mark in (b"\x7fELF", b"MZ")},
    **{mark: (Phrase("a picture"), CHOOSE) for mark in (b"\x89PNG", b"\xff\xd8\xff", b"GIF8")},
    b"\xd0\xcf\x11\xe0": (Phrase("an old Office file, or a locked one"), RESAVE),
    b"SQLite format 3": (Phrase("a database of SQLite"), EXPORT),
    b"\x00\x01\x00\x00Standard": (Phrase("a database of Access"), EXPORT),
    b"PGDMP": (Phrase("a dump of PostgreSQL"), EXPORT),
    b"\x93NUMPY": (Phrase("an array of NumPy"), EXPORT),
    b"\x89HDF": (Phrase("a file of HDF5"), EXPORT),
    b"MATLAB 5": (Phrase("a file of MATLAB"), EXPORT),
    b"Obj\x01": (Phrase("a file of Avro"), EXPORT),
    b"ORC": (Phrase("a file of ORC"), EXPORT),
    b"PARE": (Phrase("a locked Parquet file"), EXPORT),
    b"FEA1": (Phrase("a Feather file of version 1"), EXPORT),
    b"\xff\xff\xff\xff": (Phrase("a stream of Arrow"), EXPORT),
}
WITHIN: dict[tuple[int, bytes], tuple[Phrase, Phrase]] = {  # marks that do not stand first
    (257, b"ustar"): (Phrase("an archive"), UNPACK),
    (8, b"DUCK"): (Phrase("a database of DuckDB"), EXPORT),
}
LONGEST_WORD = 5
LOOKED = 4096  # characters in which words of a text are looked for
TAGS = frozenset(
    ("html", "head", "body", "meta", "title", "style", "script", "div", "span", "center", "form", "font", "p", "br")
    + ("h1", "h2", "h3", "table", "thead", "tbody", "tr", "th", "td")
)
TAG = re.compile(r"<(!doctype\s+html|/?[a-z][a-z0-9]*(?::[a-z]+)?)[\s/>]", re.IGNORECASE)
COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
BLANK = "\ufeff \t\r\n"
OFFICE = "urn:schemas-microsoft-com:office:spreadsheet"
# texts that are no tables, by how they begin below blanks; the first that fits is told
BEGINNINGS: tuple[tuple[str, Phrase, Phrase], ...] = (
    (r"%PDF-", Phrase("a PDF"), CHOOSE),
    (r"%!PS", Phrase("a printed page (PostScript)"), CHOOSE),
    (r"\{\\rtf", Phrase("a text document"), CHOOSE),
    (r"\\documentclass|\\begin\{", Phrase("a document of LaTeX"), CHOOSE),
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
    (r"\s*(?i:@relation\s)", Phrase("a file of Weka"), EXPORT),
    (r"ID;P[A-Z]*(?:;[NE])+\n[PBCF];[A-Z]", Phrase("a spreadsheet in SYLK"), AS_XLSX),
    (r"TABLE\n0,1\n", Phrase("a spreadsheet in DIF"), AS_XLSX),
    (r"version https://git-lfs\.", Phrase("a note of Git LFS on where a file is"), CHOOSE),
    (r"-----BEGIN |age-encryption\.org/|Salted__|\$ANSIBLE_VAULT", Phrase("a locked file"), OPEN),
    (r"\[InternetShortcut\]", Phrase("a link"), CHOOSE),
)
SCRIPT = re.compile(rb"\s*(?:--|/\*|CREATE |DROP |INSERT |SET |BEGIN)", re.IGNORECASE)
STATEMENT = re.compile(rb"INSERT INTO|CREATE TABLE|COPY \S+ \(", re.IGNORECASE)
LISTS = re.compile(r"\[\s*[\[\]\"0-9-]")  # JSON, but no list of objects
# JSON in another encoding than its own, or what only looks like it
UNREAD = re.compile(r"(?:\[\s*)?\{\s*(?:'[^'\n]*'|\"[^\"\n]*\"|\w+)\s*:")


def refuse_foreign(data: bytes) -> None:
    """Refuse what somebody took for a table; call it what it is, and say what to do."""
    binary = b"\x00" in data[:LOOK]
    for (place, mark), words in ({(0, mark): words for mark, words in NAMES.items()} | WITHIN).items():
        word = mark.isalnum() and len(mark) <= LONGEST_WORD  # a table may begin with it
        if data[place : place + len(mark)] == mark and (binary or not word):
            raise _refused(*words)
    if SCRIPT.match(data) and STATEMENT.search(data[:LOOK]):
        raise _refused(Phrase("a script of SQL"), EXPORT)
    _refuse_texts(_words(data))
    if binary and data[:2] not in WIDE:
        raise ParameterError("This is not a text file. {accepted}", accepted=accepted())


def _words(data: bytes) -> str:
    """Return the first characters below blanks, ends of lines as one sign."""
    encoding = "utf-16" if data[:2] in WIDE else "latin-1" if not data.startswith(codecs.BOM_UTF8) else "utf-8"
    text = data[: 2 * LOOKED].decode(encoding, "ignore").lstrip(BLANK)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _refuse_texts(words: str) -> None:
    """Refuse texts that are no tables, by their first words."""
    for beginning, name, advice in BEGINNINGS:
        if re.match(beginning, words):
            raise _refused(name, advice)
    if any(map(_drawn, words.split("\n")[:2])):
        raise _refused(Phrase("a printed table"), EXPORT)
    _refuse_marked_up(COMMENT.sub("", words).lstrip(BLANK))
    if LISTS.match(words):
        raise ParameterError("This JSON holds no rows. Write a list of objects, one for each row.")
    if UNREAD.match(words):
        raise ParameterError("This JSON cannot be read. Write a list of objects, one for each row, in UTF-8.")


def _drawn(line: str) -> bool:
    """Say whether a line only parts a header from rows on a screen."""
    return "---" in line and ("|" in line or "+" in line) and not line.strip("-=:|+ ")


def _refuse_marked_up(words: str) -> None:
    """Refuse pages and XML, whatever the file is called; a name between such signs alone is the name of a column."""
    if words.startswith("<?") and OFFICE in words:
        raise _refused(Phrase("a spreadsheet in XML"), AS_XLSX)
    tag = TAG.match(words)
    name = tag[1].lower() if tag else ""
    if name.startswith("!doctype") or name.lstrip("/") in TAGS:
        raise ParameterError(
            "This is a web page, not a table. {advice} {accepted}", advice=AS_XLSX, accepted=accepted()
        )
    if words.startswith(("<?", "<!")) or (name and f"</{name}" in words.lower()):
        raise _refused(Phrase("a document in XML"), EXPORT)


def _refused(name: Phrase, advice: Phrase) -> ParameterError:
    return ParameterError(
        "This is {name}, not a table. {advice} {accepted}", name=name, advice=advice, accepted=accepted()
    )
