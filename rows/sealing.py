"""Sealing: files encrypted under a key of their own, written once, with random access for reading.

AES-256-GCM in pieces: the index of a piece is its nonce (a key seals one file only), and whether it is the last piece
is authenticated with it, so that no piece can be changed, moved, duplicated or truncated without detection.
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
    """Bytes that are stored somewhere."""

    def open(self) -> IO[bytes]:
        """Open the bytes for reading, with random access."""

    def sealed(self) -> bool:
        """Return whether the bytes are stored sealed."""


@dataclass(frozen=True)
class Plain:
    """An unsealed file."""

    path: Path

    def open(self) -> IO[bytes]:
        """Open the file."""
        return self.path.open("rb")

    def sealed(self) -> bool:
        """Return False."""
        return False


@dataclass(frozen=True)
class Sealed:
    """A file that is sealed under a key."""

    path: Path
    key: bytes = field(repr=False)

    def open(self) -> IO[bytes]:
        """Open the file; reading decrypts it."""
        return cast(IO[bytes], Unsealed(self.path.open("rb"), self.key))

    def sealed(self) -> bool:
        """Return True."""
        return True


def new_key() -> bytes:
    """Return a random key for sealing one file."""
    return AESGCM.generate_key(BITS)


def is_sealed(path: Path) -> bool:
    """Return whether a file begins with the mark of sealed files."""
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
    """A writable file that seals what is written."""

    def __init__(self, into: IO[bytes], key: bytes) -> None:
        """Write the mark that identifies a sealed file."""
        self._into = into
        self._cipher = AESGCM(key)
        self._at = 0
        self._rest = bytearray()
        into.write(MARK)

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: Any, /) -> int:
        """Seal all complete pieces, and buffer the rest."""
        view = memoryview(data).cast("B")
        self._rest += view
        while len(self._rest) > PIECE:
            self._put(bytes(self._rest[:PIECE]), last=False)
            del self._rest[:PIECE]
        return len(view)

    def finish(self) -> None:
        """Seal what is buffered as the last piece."""
        self._put(bytes(self._rest), last=True)
        self._into.flush()

    def _put(self, piece: bytes, last: bool) -> None:
        self._into.write(self._cipher.encrypt(_nonce(self._at), piece, MARK + bytes([last])))
        self._at += 1


class Unsealed(io.RawIOBase):
    """A readable file that decrypts a sealed file piece by piece.

    Every thread has a position of its own: Arrow seeks and reads in two steps, from several threads concurrently.
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
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def tell(self) -> int:
        """Return the position of this thread."""
        return getattr(self._mine, "place", 0)

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Move the position of this thread."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self.tell(), io.SEEK_END: self._size}[whence]
        self._mine.place = max(0, base + offset)
        return self.tell()

    def read(self, size: int = -1, /) -> bytes:
        """Read `size` bytes, fewer only at the end."""
        start = self.tell()
        end = self._size if size < 0 else min(start + size, self._size)
        first = start // PIECE
        last = max(end - 1, 0) // PIECE
        content = b"".join(self._piece(at) for at in range(first, min(last + 1, self._pieces)))
        self._mine.place = max(start, end)
        return content[start - first * PIECE : end - first * PIECE]

    def readinto(self, buffer: Any, /) -> int:
        """Read into a buffer, as many bytes as fit."""
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
        """Close the underlying file."""
        self._file.close()
        super().close()


def changed() -> ParameterError:
    """Return the error for a file that is not what was written."""
    return ParameterError("The file in the vault differs from the one that was registered.")


def _nonce(at: int) -> bytes:
    return at.to_bytes(12, "big")


class Spool:
    """Rows on disk while they are being read: a file without a name, with a key that is stored nowhere."""

    def __init__(self, folder: Path | None) -> None:
        """Create a temporary file without a name."""
        self._file = TemporaryFile(dir=folder)  # noqa: SIM115 - it lives as long as its reader
        self._key = new_key()
        self.sink = Sealer(self._file, self._key)

    def reader(self) -> IO[bytes]:
        """Return what was written, for reading with random access."""
        self.sink.finish()
        return cast(IO[bytes], Unsealed(self._file, self._key))
