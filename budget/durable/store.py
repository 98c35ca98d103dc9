"""Store: one SQLite file or one PostgreSQL database, opened, brought up to date, and locked.

Every write is one transaction that begins with a lock: SQLite takes its only writer's lock (after a
fair lock on a file beside it, so that nobody waits long), PostgreSQL the row of the budget. A write
inside a write is part of it, so that a request and its reservation are written together or not.
"""

from __future__ import annotations

import hmac
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from logging import getLogger
from pathlib import Path
from threading import Lock, local
from typing import Any
from uuid import uuid4

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Engine,
    ForeignKey,
    Integer,
    MetaData,
    Table,
    Text,
    create_engine,
    event,
    insert,
    select,
)
from sqlalchemy.engine import make_url

from discreet.budget.errors import ParameterError

# Files that only their owner can read, from their first moment: keys, backups, copies of rows.

PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600


def created(path: Path, content: bytes) -> None:
    """Write a new file that only its owner can read, and that is whole once it is there."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
    part = path.with_name(f"{uuid4().hex}.part")
    try:
        with open(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE), "wb") as sink:
            sink.write(content)
            sink.flush()
            os.fsync(sink.fileno())
        os.link(part, path)
    finally:
        part.unlink(missing_ok=True)


def private(path: Path) -> Any:
    """Open a new file that only its owner can read, from its first moment."""
    return open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE), "wb")


@contextmanager
def copied(names: Sequence[str], source: Path, target: Path) -> Iterator[list[str]]:
    """Copy files into a folder without others; if something goes wrong later, they go again.

    Those that the source lacks are told.
    """
    if any(Path(name).name != name for name in names):
        raise ParameterError("This file is no backup, or it is damaged.")
    if {path.name for path in target.iterdir()} - set(names):
        raise ParameterError("This folder holds other files. Restore into an empty one.")
    try:
        for name in names:
            (target / name).unlink(missing_ok=True)
            if (source / name).is_file():
                with (source / name).open("rb") as rows, private(target / name) as sink:
                    shutil.copyfileobj(rows, sink)
                    sink.flush()
                    os.fsync(sink.fileno())
        yield [name for name in names if not (target / name).exists()]
    except BaseException:
        for name in names:
            (target / name).unlink(missing_ok=True)
        raise


# Tables: budgets, the lines of their ledgers, answers, seals. Nothing changes once written.

metadata = MetaData()

budgets = Table(
    "budgets",
    metadata,
    Column("id", Text, primary_key=True),
    Column("limit_epsilon", BigInteger, nullable=False),
    Column("limit_delta", BigInteger, nullable=False),
    Column("rule", Text, nullable=False),
    Column("capacity_loss", BigInteger, nullable=False),
    Column("capacity_delta", BigInteger, nullable=False),
    Column("opened", Text, nullable=False),
    Column("hash", Text, nullable=False),
)

lines = Table(
    "lines",
    metadata,
    Column("budget", Text, ForeignKey("budgets.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("request", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("cost_epsilon", BigInteger, nullable=False),
    Column("cost_delta", BigInteger, nullable=False),
    Column("held_epsilon", BigInteger, nullable=False),
    Column("held_delta", BigInteger, nullable=False),
    Column("taken", Boolean, nullable=True),
    Column("account", Text, nullable=True),
    Column("loss", BigInteger, nullable=False),
    Column("loss_delta", BigInteger, nullable=False),
    Column("total_loss", BigInteger, nullable=False),
    Column("total_delta", BigInteger, nullable=False),
    Column("time", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
)

answers = Table(
    "answers",
    metadata,
    Column("budget", Text, ForeignKey("budgets.id"), primary_key=True),
    Column("request", Text, primary_key=True),
    Column("body", Text, nullable=False),
)

seals = Table(
    "seals",
    metadata,
    Column("chain", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("seal", Text, nullable=False),
)


# Seals: every line of a chain, signed with a key outside of the database, and told outside.

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
        self.path = key
        self.heads = heads
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

    def write(self, connection: Connection, heads: Sequence[Head]) -> None:
        """Seal lines in the transaction that writes them."""
        rows = [{"chain": chain, "seq": seq, "seal": self.of(chain, seq, digest)} for chain, seq, digest in heads]
        connection.execute(insert(seals), rows)

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
    return connection.execute(select(seals.c.seq).limit(1)).first() is not None


def seals_of(connection: Connection, chain: str, start: int = OPENING) -> dict[int, str]:
    """Return the seals of a chain by place, from one on."""
    query = select(seals.c.seq, seals.c.seal).filter_by(chain=chain).where(seals.c.seq >= start)
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


try:
    import fcntl
except ImportError:  # pragma: no cover - a system without it falls back to SQLite's own waiting
    fcntl = None  # type: ignore[assignment]

PATIENCE = 30_000  # milliseconds that SQLite waits for another writer
MIGRATIONS = Path(__file__).parent / "migrations"


class Store:
    """A database that ledgers live in."""

    def __init__(self, url: str, seal: Seal | None = None) -> None:
        """Open `sqlite:///path` or `postgresql+psycopg://...`; nothing is created yet.

        With a seal, whatever is written to a chain is sealed, and told outside once it is written.
        """
        self.seal = seal
        address = make_url(url)
        self.lite = address.get_backend_name() == "sqlite"
        self._file = Path(address.database) if self.lite and address.database else None
        self.engine = _lite(url) if self.lite else create_engine(url, pool_pre_ping=True, hide_parameters=True)
        self._looking = self.engine.execution_options(reading=True)
        if not self.lite:
            self._looking = self._looking.execution_options(isolation_level="REPEATABLE READ")
        self._mine = local()  # the transaction that this thread is in

    def prepare(self) -> Store:
        """Create the tables, or bring them up to date; safe to call from many processes."""
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
            # never open a file that is there: closing it would drop SQLite's own locks on it
            with suppress(FileExistsError):
                os.close(os.open(self._file, os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
            with suppress(OSError):  # of somebody else, or nothing can be changed there
                self._file.chmod(PRIVATE_FILE)
        with self._alone():
            with self.reading() as connection:
                revision = MigrationContext.configure(connection).get_current_revision()
            if revision != _newest():
                self.upgrade("head")
        return self

    def upgrade(self, revision: str) -> None:
        """Bring the tables to a revision."""
        config = migrations()
        with self.engine.connect() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, revision)

    @contextmanager
    def writing(self, budget: str) -> Iterator[Connection]:
        """Hold a budget for one transaction: nobody else writes to it until this one is over."""
        outer = getattr(self._mine, "connection", None)
        if outer is not None:
            self._lock(outer, budget)
            yield outer
            return
        with self._alone():
            with self.engine.begin() as connection:
                self._mine.connection = connection
                self._mine.heads = {}
                try:
                    self._lock(connection, budget)
                    yield connection
                finally:
                    self._mine.connection = None
            if self.seal is not None and self._mine.heads:
                self.seal.export(self._mine.heads.values())

    def sealing(self, connection: Connection, *heads: Head) -> None:
        """Seal new places of chains, in the transaction that writes them."""
        if self.seal is not None:
            self.seal.write(connection, heads)
            self._mine.heads |= {head[0]: head for head in heads}

    def _lock(self, connection: Connection, budget: str) -> None:
        if not self.lite:
            row = select(budgets.c.id).where(budgets.c.id == budget)
            connection.execute(row.with_for_update())

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Look without holding anybody up; all that is read is of one moment."""
        outer = getattr(self._mine, "connection", None)
        if outer is not None:
            yield outer
            return
        with self._looking.begin() as connection:
            yield connection

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Wait for one's turn beside a SQLite file; the lock falls with its process."""
        if self._file is None or fcntl is None:
            yield
            return
        with open(f"{self._file}.lock", "a", opener=_private) as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield

    def close(self) -> None:
        """Let all connections go."""
        self.engine.dispose()


def migrations() -> Config:
    """Return where Alembic finds all revisions."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


@cache
def _newest() -> str | None:
    """Return the newest revision; reading all of them takes longer than anything else that opens a database."""
    return ScriptDirectory.from_config(migrations()).get_current_head()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE_FILE)


def _lite(url: str) -> Engine:
    engine = create_engine(url, connect_args={"timeout": PATIENCE / 1000}, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def careful(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # this module says where a transaction begins
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        reading = connection.get_execution_options().get("reading", False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")

    return engine
