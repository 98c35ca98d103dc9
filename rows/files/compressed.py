"""Compressed: a gz or zip file of one table is read as that table; it is recognised by its first bytes.

The content is known only after decompression: in this process only its beginning is decompressed, all of it in the
process that has limits. A zip is trusted only as far as its own directory, which must be short.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from gzip import BadGzipFile, GzipFile
from pathlib import PurePosixPath
from typing import IO, Any, cast

from discreet.budget.errors import ParameterError
from discreet.rows.capacity import LOOK, MIB
from discreet.rows.files.format import BEYOND, TORN, Wrong, torn

GZIP = b"\x1f\x8b"
ZIP = b"PK\x03\x04"
END = b"PK\x05\x06"
ENDING = struct.Struct("<4s4H2LH")
LONGEST_END = 2**16
LONGEST_LIST = MIB  # bytes of a zip's directory
LOCKED = 1
PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
MOST_NAMED = 5
PARTS = ("[content_types].xml", "mimetype", "meta-inf/manifest.xml")  # what the files of office programs contain
BESIDE = ("readme", "licen", "copying", "changelog", "thumbs.db", "desktop.ini")  # how names of other files begin
NO_TABLES = (".md", ".pdf", ".html", ".htm", ".xml", ".doc", ".docx", ".rtf", ".png", ".jpg", ".svg", ".sha256", ".md5")
BROKEN = (zlib.error, EOFError, BadGzipFile, zipfile.BadZipFile, struct.error, ValueError, NotImplementedError)


def start_within(file: IO[bytes]) -> bytes | None:
    """Return the first bytes of the one table in a compressed file; None if a file is not compressed."""
    file.seek(0)
    mark = file.read(len(ZIP))
    file.seek(0)
    try:
        if mark[: len(GZIP)] == GZIP:
            return _first(cast(IO[bytes], GzipFile(fileobj=file)))
        packed = _listed(file) if mark == ZIP else None
        if packed is None:
            return None
        with packed.open(_table(packed)) as within:
            return _first(within)
    except ParameterError:
        raise
    except BROKEN:
        raise torn() from None


def unpacked(file: IO[bytes], most: int) -> IO[bytes]:
    """Return the content of a compressed file, at most `most` bytes, or the file itself if it is not compressed.

    This runs in the process that has limits. A zip is kept in memory as a whole, because its directory is at its end.
    """
    mark = file.peek(len(ZIP))[: len(ZIP)]  # type: ignore[attr-defined]
    if mark[: len(GZIP)] == GZIP:
        return _bounded(GzipFile(fileobj=file), most)
    if mark != ZIP:
        return file
    whole = io.BytesIO(file.read())
    try:
        packed = _listed(whole)
        whole.seek(0)
        return whole if packed is None else _bounded(packed.open(_table(packed)), most)
    except (*BROKEN, ParameterError):
        raise Wrong(TORN) from None


class Unpacked(io.RawIOBase):
    """Decompressed content up to a limit; a decompression error is reported as a torn file."""

    def __init__(self, within: Any, most: int) -> None:
        """Read from a decompressing file."""
        self._within = within
        self._left = most

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Read as many bytes as fit; raise Wrong if the content exceeds the limit."""
        try:
            piece = self._within.read(len(buffer))
        except BROKEN:
            raise Wrong(TORN) from None
        self._left -= len(piece)
        if self._left < 0:
            raise Wrong(BEYOND)
        buffer[: len(piece)] = piece
        return len(piece)


def _bounded(within: Any, most: int) -> IO[bytes]:
    return cast(IO[bytes], io.BufferedReader(Unpacked(within, most), LOOK))


def _first(within: IO[bytes]) -> bytes:
    """Return the first bytes, as far as a possibly truncated file has them."""
    start = b""
    while len(start) < LOOK:
        try:
            piece = within.read1(LOOK - len(start))  # type: ignore[attr-defined]
        except EOFError:
            break
        if not piece:
            break
        start += piece
    return start


def _listed(file: IO[bytes]) -> zipfile.ZipFile | None:
    """Return a zip of files; None for a workbook, for an incomplete zip, and for one with a long directory."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - LONGEST_END - ENDING.size))
    tail = file.read()
    at = tail.rfind(END)
    if at < 0 or len(tail) - at < ENDING.size or ENDING.unpack_from(tail, at)[5] > LONGEST_LIST:
        return None
    packed = zipfile.ZipFile(file)
    return None if any(name.lower().startswith((*PARTS, "xl/")) for name in packed.namelist()) else packed


def _table(packed: zipfile.ZipFile) -> zipfile.ZipInfo:
    """Return the one table of a zip; raise ParameterError for none, several, or an encrypted one."""
    tables = [each for each in packed.infolist() if not _beside(each.filename)]
    if not tables:
        raise ParameterError("This packed file contains no table. Pack one table, or choose the table itself.")
    if len(tables) > 1:
        raise ParameterError(
            "This packed file contains {many} files: {names}. Unpack it, and choose one of them.",
            many=len(tables),
            names=", ".join(_names(tables)),
        )
    if tables[0].flag_bits & LOCKED:
        raise ParameterError("This packed file is locked with a password. Unpack it first.")
    if tables[0].compress_type not in PLAIN:
        raise ParameterError("This file is packed in a way that is not read here. Unpack it first.")
    return tables[0]


def _names(tables: list[zipfile.ZipInfo]) -> Iterator[str]:
    yield from ("".join(c for c in each.filename if c.isprintable())[:80] for each in tables[:MOST_NAMED])
    if len(tables) > MOST_NAMED:
        yield "..."


def _beside(path: str) -> bool:
    """Return whether a file in a zip is no table: a folder, a system's leftover, or documentation."""
    name = PurePosixPath(path).name.lower()
    left = path.endswith("/") or path.startswith("__MACOSX/") or name.startswith(".")
    return left or name.startswith(BESIDE) or name.endswith(NO_TABLES)
