"""Seals: every line of a chain, signed with a key outside of the database, and told outside.

A hash inside a chain finds a line that was changed. Whoever writes to the database can compute
hashes as well, and can cut a chain: a line that they add has no seal, and the heads that were
exported at each write are a record, outside of the database, of how far every chain had come.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from logging import getLogger
from pathlib import Path
from threading import Lock
from uuid import uuid4

from sqlalchemy import Connection, insert, select

from discreet.budget.durable import tables
from discreet.budget.durable.files import PRIVATE_FILE, created
from discreet.budget.errors import ParameterError

SHORTEST = 32
OPENING = -1  # the place of a budget itself, before its first line
Head = tuple[str, int, str]  # a chain, a place on it, and the hash that stands there


@dataclass(frozen=True)
class Heads:
    """What was exported: the newest hash at each place, and the lines that no key has sealed."""

    places: Mapping[str, Mapping[int, str]]
    unsound: tuple[int, ...]


class Seal:
    """A key in a file, and the file to which heads are exported."""

    def __init__(self, key: Path, heads: Path) -> None:
        """Say where they are; both begin with the first line that is sealed."""
        self.path, self.heads = key, heads
        self._key: bytes | None = None
        self._guard = Lock()

    def missing(self, connection: Connection) -> bool:
        """Say whether lines are sealed already, and the key with which that was done is gone."""
        return not self.path.is_file() and bool(sealed(connection))

    def of(self, chain: str, seq: int, digest: str) -> str:
        """Return the seal of one place of a chain."""
        text = f"{chain}\n{seq}\n{digest}".encode()
        return hmac.digest(self._key or self._read(), text, "sha256").hex()

    def fits(self, chain: str, seq: int, digest: str, seal: str) -> bool:
        """Say whether a seal was made with this key."""
        return hmac.compare_digest(self.of(chain, seq, digest), seal)

    def derived(self, use: str) -> bytes:
        """Return a key for another use: whoever knows it knows nothing of this one. No seal is made of such a text."""
        return hmac.digest(self._key or self._read(), f"for {use}".encode(), "sha256")

    def write(self, connection: Connection, head: Head) -> None:
        """Seal a line in the transaction that writes it."""
        row = dict(zip(("chain", "seq", "seal"), (*head[:2], self.of(*head)), strict=True))
        connection.execute(insert(tables.seals).values(**row))

    def export(self, heads: Iterable[Head]) -> None:
        """Add heads to the file outside; a line of its own even after one that a crash cut off.

        What is committed stays committed: a file that cannot be written is told to the log.
        """
        text = "".join(f"\n{chain} {seq}:{digest} {self.of(chain, seq, digest)}\n" for chain, seq, digest in heads)
        try:
            heads_file = os.open(self.heads, os.O_CREAT | os.O_APPEND | os.O_WRONLY, PRIVATE_FILE)
            with open(heads_file, "ab", buffering=0) as sink:
                sink.write(text.encode())
        except OSError as refused:
            getLogger("discreet").error("heads are not exported: %s", refused.strerror)

    def exported(self) -> Heads:
        """Read the heads back."""
        heads: dict[str, dict[int, str]] = {}
        unsound = []
        text = self.heads.read_text("utf-8", "replace") if self.heads.is_file() else ""
        for number, line in enumerate(text.split("\n"), start=1):
            if not line:
                continue
            chain, _, rest = line.partition(" ")
            place, _, seal = rest.partition(" ")
            seq, _, digest = place.partition(":")
            if not _whole(seq) or not self.fits(chain, int(seq), digest, seal):
                unsound.append(number)
            else:
                heads.setdefault(chain, {})[int(seq)] = digest
        return Heads(heads, tuple(unsound))

    @contextmanager
    def brought(self, key: Path) -> Iterator[None]:
        """Bring a key from a backup: never in the place of another, not for good if this fails."""
        if self.path.is_file() and key.is_file() and self.path.read_bytes() != key.read_bytes():
            raise ParameterError(
                "The key of the seals here is another one than in the backup. Move {path} away, if "
                "it belongs to nothing else.",
                path=str(self.path),
            )
        new = key.is_file() and not self.path.is_file()
        if new:
            created(self.path, key.read_bytes())
        try:
            yield
        except BaseException:
            if new:
                self.path.unlink()
                self._key = None
            raise

    def _read(self) -> bytes:
        """Return the key, made at its first use: of two that make it, one is the first."""
        with self._guard:
            if self._key is None:
                self._key = self._found()
            return self._key

    def _found(self) -> bytes:
        try:
            with suppress(FileExistsError):
                created(self.path, (uuid4().hex + uuid4().hex).encode())
            key = self.path.read_bytes()
        except OSError as refused:
            raise ParameterError(
                "The key of the seals cannot be read or made, as {path}: {why}.",
                path=str(self.path),
                why=refused.strerror,
            ) from None
        if len(key) < SHORTEST:
            raise ParameterError("The key {path} is damaged. Put it back from a backup.", path=str(self.path))
        return key


def sealed(connection: Connection) -> bool:
    """Say whether anything in a database is sealed."""
    return connection.execute(select(tables.seals.c.seq).limit(1)).first() is not None


def seals_of(connection: Connection, chain: str, start: int = OPENING) -> dict[int, str]:
    """Return the seals of a chain by place, from one on."""
    query = select(tables.seals.c.seq, tables.seals.c.seal).filter_by(chain=chain).where(tables.seals.c.seq >= start)
    return {int(seq): str(seal) for seq, seal in connection.execute(query)}


def unsealed(seal: Seal, chain: str, hashes: Mapping[int, str], seals: Mapping[int, str]) -> int | None:
    """Return the first place that no key has sealed; None if all hold.

    What is older than the first seal (of a time before there were any) is held by its hash, as long
    as something newer is sealed. A seal without its line says that a line is gone.
    """
    gone = set(seals) - set(hashes)
    if gone:
        return min(gone)
    first = min((seq for seq in hashes if seq in seals), default=max(hashes, default=0))
    for seq in sorted(hashes):
        if seq >= first and not seal.fits(chain, seq, hashes[seq], seals.get(seq, "")):
            return seq
    return None


def _whole(text: str) -> bool:
    return text.isascii() and text.removeprefix("-").isdigit()
