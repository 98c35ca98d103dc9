"""Sealing: bytes at rest under a key of their own, written once and read from anywhere within.

AES-256-GCM in pieces: the place of a piece is its nonce (a key seals one file only), and whether it
is the last one is sealed with it, so that no piece can be changed, moved, doubled or cut off.
"""

from __future__ import annotations

import io
import os
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from threading import local
from typing import IO, Any, Protocol, cast

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from discreet.budget.errors import ParameterError

MARK = b"DISCREET-SEALED1"
PIECE = 2**18
TAG = 16
BITS = 256


class Content(Protocol):
    """Bytes that lie somewhere."""

    def open(self) -> IO[bytes]:
        """Open them for reading, from anywhere within."""

    def sealed(self) -> bool:
        """Say whether they are sealed where they lie."""


@dataclass(frozen=True)
class Plain:
    """A file as it is."""

    path: Path

    def open(self) -> IO[bytes]:
        """Open it."""
        return self.path.open("rb")

    def sealed(self) -> bool:
        """It is not sealed."""
        return False


@dataclass(frozen=True)
class Sealed:
    """A file that is sealed under a key."""

    path: Path
    key: bytes = field(repr=False)

    def open(self) -> IO[bytes]:
        """Open it."""
        return cast(IO[bytes], Unsealed(self.path.open("rb"), self.key))

    def sealed(self) -> bool:
        """It is sealed."""
        return True


def new_key() -> bytes:
    """Return a key that seals one file."""
    return AESGCM.generate_key(BITS)


def is_sealed(path: Path) -> bool:
    """Say whether a file is sealed."""
    with path.open("rb") as file:
        return file.read(len(MARK)) == MARK


def seal(content: bytes, key: bytes) -> bytes:
    """Return bytes sealed under a new key."""
    into = io.BytesIO()
    sealer = Sealer(into, key)
    sealer.write(content)
    sealer.finish()
    return into.getvalue()


class Sealer(io.RawIOBase):
    """A file to write to: what is written is sealed."""

    def __init__(self, into: IO[bytes], key: bytes) -> None:
        """Write below; the mark says what it is."""
        self._into = into
        self._cipher = AESGCM(key)
        self._at = 0
        self._rest = bytearray()
        into.write(MARK)

    def writable(self) -> bool:
        """It is for writing."""
        return True

    def write(self, data: Any, /) -> int:
        """Seal all pieces that are whole, and keep the rest."""
        view = memoryview(data).cast("B")
        self._rest += view
        while len(self._rest) > PIECE:
            self._put(bytes(self._rest[:PIECE]), last=False)
            del self._rest[:PIECE]
        return len(view)

    def finish(self) -> None:
        """Seal what is left as the last piece."""
        self._put(bytes(self._rest), last=True)
        self._into.flush()

    def _put(self, piece: bytes, last: bool) -> None:
        self._into.write(self._cipher.encrypt(_nonce(self._at), piece, MARK + bytes([last])))
        self._at += 1


class Unsealed(io.RawIOBase):
    """What is sealed below, opened piece by piece as it is read.

    Every thread has a place of its own: Arrow goes to a place and reads there in two steps, from
    several threads at once.
    """

    def __init__(self, file: IO[bytes], key: bytes) -> None:
        """Take a sealed file."""
        self._file = file
        self._cipher = AESGCM(key)
        self._mine = local()
        sealed = file.seek(0, io.SEEK_END) - len(MARK)
        self._pieces = max(1, -(-sealed // (PIECE + TAG)))
        self._size = max(0, sealed - self._pieces * TAG)

    def readable(self) -> bool:
        """It is for reading."""
        return True

    def seekable(self) -> bool:
        """It is for reading anywhere."""
        return True

    def tell(self) -> int:
        """Say where this thread is."""
        return getattr(self._mine, "place", 0)

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Go to a place."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self.tell(), io.SEEK_END: self._size}[whence]
        self._mine.place = max(0, base + offset)
        return self.tell()

    def read(self, size: int = -1, /) -> bytes:
        """Read so many bytes, fewer at the end only."""
        start = self.tell()
        end = self._size if size < 0 else min(start + size, self._size)
        first = start // PIECE
        last = max(end - 1, 0) // PIECE
        content = b"".join(self._piece(at) for at in range(first, min(last + 1, self._pieces)))
        self._mine.place = max(start, end)
        return content[start - first * PIECE : end - first * PIECE]

    def readinto(self, buffer: Any, /) -> int:
        """Read as many bytes as fit."""
        content = self.read(len(buffer))
        buffer[: len(content)] = content
        return len(content)

    def _piece(self, at: int) -> bytes:
        last_read: tuple[int, bytes] = getattr(self._mine, "last_read", (-1, b""))
        if last_read[0] != at:
            place = len(MARK) + at * (PIECE + TAG)
            sealed = os.pread(self._file.fileno(), PIECE + TAG, place)
            try:
                last = MARK + bytes([at == self._pieces - 1])
                last_read = self._mine.last_read = at, self._cipher.decrypt(_nonce(at), sealed, last)
            except (InvalidTag, ValueError):
                raise changed() from None
        return last_read[1]

    def close(self) -> None:
        """Let the file go."""
        self._file.close()
        super().close()


def changed() -> ParameterError:
    """Say that a file is not what was written."""
    return ParameterError("The file in the vault is not the one that was registered.")


def _nonce(at: int) -> bytes:
    return at.to_bytes(12, "big")


class Spool:
    """Rows on disk for as long as somebody reads them: no name, and a key that is nowhere else."""

    def __init__(self, folder: Path | None) -> None:
        """Make a file that no name leads to."""
        self._file = TemporaryFile(dir=folder)  # noqa: SIM115 - it lives as long as its reader
        self._key = new_key()
        self.sink = Sealer(self._file, self._key)

    def reader(self) -> IO[bytes]:
        """Return what was written, for reading anywhere."""
        self.sink.finish()
        return cast(IO[bytes], Unsealed(self._file, self._key))
