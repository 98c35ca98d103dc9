"""Store: one SQLite file or one PostgreSQL database: opening, migration and locking.

Every write is one transaction that begins with a lock: SQLite takes its only writer's lock (after a fair lock on a file
beside it, so that no writer waits long), PostgreSQL locks the row of the budget. A write inside a write joins its
transaction, so that a request and its reservation are written together or not at all.
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
    text,
)
from sqlalchemy.engine import make_url

from discreet.budget.errors import ParameterError
from discreet.budget.ledger import new_secret

# --- Files that are readable by their owner only, from creation on: keys, backups, copies of rows ---

PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600


def created(path: Path, content: bytes) -> None:
    """Write a new file, readable by its owner only, that appears under its name only when complete."""
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
    """Open a new file, readable by its owner only from creation on."""
    return open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE), "wb")


@contextmanager
def copied(names: Sequence[str], source: Path, target: Path) -> Iterator[list[str]]:
    """Copy files into an otherwise empty folder; remove the copies if the caller's block fails.

    Yields the names that the source lacks.
    """
    if any(Path(name).name != name for name in names):
        raise ParameterError("This file is not a backup, or it is damaged.")
    if {path.name for path in target.iterdir()} - set(names):
        raise ParameterError("This folder contains other files. Restore into an empty folder.")
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


# --- Tables: budgets, the lines of their ledgers, answers, seals; all append-only ---

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


# --- Seals: every line of a chain, signed with a key outside the database, and exported ---

SHORTEST = 32
OPENING = -1  # the place of a budget itself, before its first line
Head = tuple[str, int, str]  # a chain, a place in it, and the hash at that place


@dataclass(frozen=True)
class Heads:
    """The exported heads: the newest hash at each place, and the lines with an invalid seal."""

    places: Mapping[str, Mapping[int, str]]
    unsound: tuple[int, ...]


class Seal:
    """A key in a file, and the file to which heads are exported."""

    def __init__(self, key: Path, heads: Path) -> None:
        """Take the two paths; both files are created with the first line that is sealed."""
        self.path = key
        self.heads = heads
        self._key: bytes | None = None
        self._guard = Lock()

    def missing(self, connection: Connection) -> bool:
        """Return whether lines are sealed already and their key is missing."""
        return not self.path.is_file() and bool(sealed(connection))

    def of(self, chain: str, seq: int, digest: str) -> str:
        """Return the seal of one place of a chain."""
        text = f"{chain}\n{seq}\n{digest}".encode()
        return hmac.digest(self._key or self._read(), text, "sha256").hex()

    def fits(self, chain: str, seq: int, digest: str, seal: str) -> bool:
        """Return whether a seal was made with this key."""
        return hmac.compare_digest(self.of(chain, seq, digest), seal)

    def derived(self, use: str) -> bytes:
        """Return a key for another use, which reveals nothing about this one. No seal is made of such a text."""
        return hmac.digest(self._key or self._read(), f"for {use}".encode(), "sha256")

    def write(self, connection: Connection, heads: Sequence[Head]) -> None:
        """Seal lines in the transaction that writes them."""
        rows = [{"chain": chain, "seq": seq, "seal": self.of(chain, seq, digest)} for chain, seq, digest in heads]
        connection.execute(insert(seals), rows)

    def export(self, heads: Iterable[Head]) -> None:
        """Append heads to the exported file; each begins on a new line even after one that a crash truncated.

        What is committed stays committed: if the file cannot be written, the error is logged.
        """
        text = "".join(f"\n{chain} {seq}:{digest} {self.of(chain, seq, digest)}\n" for chain, seq, digest in heads)
        try:
            heads_file = os.open(self.heads, os.O_CREAT | os.O_APPEND | os.O_WRONLY, PRIVATE_FILE)
            with open(heads_file, "ab", buffering=0) as sink:
                sink.write(text.encode())
        except OSError as refused:
            getLogger("discreet").error("heads are not exported: %s", refused.strerror)

    def exported(self) -> Heads:
        """Parse the exported heads."""
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
        """Copy a key from a backup; never over a different key, and undone if the caller's block fails."""
        if self.path.is_file() and key.is_file() and self.path.read_bytes() != key.read_bytes():
            raise ParameterError(
                "The seal key here differs from the one in the backup. If {path} is not used for anything "
                "else, move it away.",
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
        """Return the key, created at its first use: if two processes create it, the first one is kept."""
        with self._guard:
            if self._key is None:
                self._key = self._found()
            return self._key

    def _found(self) -> bytes:
        try:
            with suppress(FileExistsError):
                created(self.path, new_secret().encode())
            key = self.path.read_bytes()
        except OSError as refused:
            raise ParameterError(
                "The seal key {path} cannot be read or created: {why}.", path=str(self.path), why=refused.strerror
            ) from None
        if len(key) < SHORTEST:
            raise ParameterError("The seal key {path} is damaged. Restore it from a backup.", path=str(self.path))
        return key


def sealed(connection: Connection) -> bool:
    """Return whether a database contains any seal."""
    return connection.execute(select(seals.c.seq).limit(1)).first() is not None


def seals_of(connection: Connection, chain: str) -> dict[int, str]:
    """Return the seals of a chain by place."""
    query = select(seals.c.seq, seals.c.seal).filter_by(chain=chain)
    return {int(seq): str(seal) for seq, seal in connection.execute(query)}


def unsealed(seal: Seal, chain: str, hashes: Mapping[int, str], seals: Mapping[int, str]) -> int | None:
    """Return the first place without a valid seal, or None if all are valid.

    A place older than the first seal (from a time before seals) is protected by its hash, as long as something newer is
    sealed. A seal without its line shows that a line is missing.
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
ONE_UPGRADE = text("SELECT pg_advisory_xact_lock(20261122)")  # two servers that start at once wait here


@dataclass(frozen=True)
class History:
    """Migrations of some tables: the folder of their revisions, and the table that says how far a database is."""

    revisions: Path
    table: str

    @property
    def config(self) -> Config:
        """Return where Alembic finds all revisions."""
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.set_main_option("path_separator", "newline")
        config.set_main_option("version_locations", str(self.revisions))
        config.attributes["table"] = self.table
        return config

    def context(self, connection: Connection) -> MigrationContext:
        """Return what Alembic knows of a database."""
        return MigrationContext.configure(connection, opts={"version_table": self.table})

    def upgrade(self, connection: Connection, revision: str = "head") -> None:
        """Bring the tables to a revision, in the transaction of a connection."""
        config = self.config
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


LEDGER = History(MIGRATIONS / "versions", "ledger_version")
SHARED = "alembic_version"  # of a time when the ledger's revisions and the office's were one history
OFFICE = "0003"  # the first revision of the shared history that was not of the ledger alone


class Store:
    """A database that contains ledgers."""

    def __init__(self, url: str, seal: Seal | None = None, *others: History) -> None:
        """Open `sqlite:///path` or `postgresql+psycopg://...`; nothing is created yet.

        With a seal, whatever is written to a chain is sealed, and told outside once it is written. Tables of others
        lie beside those of the ledger, and are brought up to date together with them.
        """
        self.seal = seal
        self.histories = (LEDGER, *others)
        address = make_url(url)
        self.lite = address.get_backend_name() == "sqlite"
        self._file = Path(address.database) if self.lite and address.database else None
        self.engine = _lite(url) if self.lite else create_engine(url, pool_pre_ping=True, hide_parameters=True)
        self._looking = self.engine.execution_options(reading=True)
        if not self.lite:
            self._looking = self._looking.execution_options(isolation_level="REPEATABLE READ")
        self._mine = local()  # the transaction of this thread

    def prepare(self) -> Store:
        """Create the tables, or migrate them; safe to call from many processes."""
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
            # never open a file that exists: closing it would drop SQLite's own locks on it
            with suppress(FileExistsError):
                os.close(os.open(self._file, os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
            with suppress(OSError):  # owned by another user, or read-only
                self._file.chmod(PRIVATE_FILE)
        with self._alone():
            with self.reading() as connection:
                known = [history.context(connection).get_current_revision() for history in self.histories]
            if known != [_newest(history) for history in self.histories]:
                self.upgrade()
        return self

    def upgrade(self) -> None:
        """Bring all tables up to date, in one transaction."""
        with self.engine.begin() as connection:
            if not self.lite:
                connection.execute(ONE_UPGRADE)
            _recognise(connection)
            for history in self.histories:
                history.upgrade(connection)

    @contextmanager
    def writing(self, budget: str) -> Iterator[Connection]:
        """Lock a budget for one transaction: no other writer until it ends."""
        outer = getattr(self._mine, "connection", None)
        if outer is not None:
            self._lock(outer, budget)
            yield outer
            return
        with self._alone():
            with self.engine.begin() as connection:
                self._mine.connection = connection
                self._mine.places = []
                try:
                    self._lock(connection, budget)
                    yield connection
                    places = self._mine.places
                    if self.seal is not None and places:
                        self.seal.write(connection, places)
                finally:
                    self._mine.connection = None
            if self.seal is not None and places:
                self.seal.export({place[0]: place for place in places}.values())

    def sealing(self, *places: Head) -> None:
        """Seal new places of chains at the end of the transaction of this thread, which writes them."""
        self._mine.places += places

    def _lock(self, connection: Connection, budget: str) -> None:
        if not self.lite:
            row = select(budgets.c.id).where(budgets.c.id == budget)
            connection.execute(row.with_for_update())

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Read without blocking writers; everything read is from one snapshot."""
        outer = getattr(self._mine, "connection", None)
        if outer is not None:
            yield outer
            return
        with self._looking.begin() as connection:
            yield connection

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Wait for the fair lock beside a SQLite file; it is released if the process dies."""
        if self._file is None or fcntl is None:
            yield
            return
        with open(f"{self._file}.lock", "a", opener=_private) as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


@cache
def _newest(history: History) -> str | None:
    """Return the newest revision; reading all of them takes longer than the rest of opening a database."""
    return ScriptDirectory.from_config(history.config).get_current_head()


def _recognise(connection: Connection) -> None:
    """Record the revision of the ledger where the history that was shared knew it; its table becomes the office's."""
    ledger = LEDGER.context(connection)
    shared = MigrationContext.configure(connection, opts={"version_table": SHARED}).get_current_revision()
    if shared is None or ledger.get_current_revision() is not None:
        return
    scripts = ScriptDirectory.from_config(LEDGER.config)
    ledger.stamp(scripts, max(each.revision for each in scripts.walk_revisions() if each.revision <= shared))
    if shared < OFFICE:
        connection.execute(text(f"DELETE FROM {SHARED}"))


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE_FILE)


def _lite(url: str) -> Engine:
    engine = create_engine(url, connect_args={"timeout": PATIENCE / 1000}, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def careful(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # this module decides where a transaction begins
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        reading = connection.get_execution_options().get("reading", False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")

    return engine
