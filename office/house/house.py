"""House: one folder and one database, opened; what the verbs of the office share."""

from __future__ import annotations

import fcntl
import os
import re
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, text

from discreet.budget.durable import Store
from discreet.budget.durable.store import PRIVATE_FILE, PRIVATE_FOLDER, Seal
from discreet.budget.errors import ParameterError
from discreet.office.house import acts, audit_log, replay
from discreet.office.house.acts import Act
from discreet.office.house.failures import MISSPELT, NO_ADDRESS
from discreet.office.house.roles import TERMINAL
from discreet.office.house.tables import HISTORY
from discreet.office.house.vault import Vault

# Preparing: rows are opened before anybody waits for them, and a try that died is not repeated.

if TYPE_CHECKING:  # a command that opens no rows waits for nothing that answers
    from discreet.office.house.curators import Answerers

TICK = 1.0


class Preparing:
    """Rows that are being opened."""

    def __init__(self, make: Callable[[], Answerers]) -> None:
        """Begin."""
        self._make = make
        self._begun = time.monotonic()
        self._made: Answerers | None = None
        self._wrong: Exception | None = None
        self._ready = float("inf")
        self.thread = Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self._made = self._make()
        except Exception as wrong:
            self._wrong = wrong
        end = self._begun + TICK
        while end < time.monotonic():
            end += end - self._begun
        self._ready = end

    @property
    def over(self) -> bool:
        """Return whether the end of this work may be announced."""
        return time.monotonic() >= self._ready

    def result(self) -> Answerers:
        """Return who answers, or raise the reason why no process can."""
        if self._made is None:
            raise self._wrong or early()
        return self._made


def early() -> ParameterError:
    """Say that rows are not open yet; nothing was charged."""
    return ParameterError("This dataset is being prepared. Try again in a moment.")


@contextmanager
def trying(folder: Path, name: str) -> Iterator[int | None]:
    """Mark work as running until it ends in any way; a mark that stays shows that its process ended.

    Yields how many earlier tries ended with their process; None while another process does it.
    """
    folder.mkdir(exist_ok=True, mode=PRIVATE_FOLDER)
    path = folder / name
    with open(path, "ab", opener=_private) as mark:
        try:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
            return
        if not path.exists() or not os.path.samestat(os.fstat(mark.fileno()), path.stat()):
            yield None  # the work ended just now: the locked mark is no longer the current one
            return
        died = os.fstat(mark.fileno()).st_size
        mark.write(b"x")
        mark.flush()
        os.fsync(mark.fileno())
        try:
            yield died
        finally:
            path.unlink(missing_ok=True)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE_FILE)


# Bookmark: up to which act this process has verified the trail, so that a page reads what is new.


class Bookmark:
    """The newest act that was verified together with all before it."""

    def __init__(self) -> None:
        """Begin before the first act."""
        self._head: tuple[int, str] = 0, ""

    def wrong_at(self, connection: Connection, seal: Seal | None, whole: bool = False) -> int | None:
        """Return the first act that does not fit; None if all do, those before the bookmark as they once did.

        Where the act of the bookmark is another one now, the trail was set back or rebuilt, however
        well it fits.
        """
        seq, digest = head = self._head
        start = 0 if whole else seq
        lines, seals = audit_log.chain(connection, start)
        if start and [line["hash"] for line in lines[:1]] != [digest]:
            wrong = self._verify(*audit_log.chain(connection, 0), seal, 0)
            self._head = head
            return seq if wrong is None else wrong
        return self._verify(lines, seals, seal, start)

    def _verify(
        self, lines: list[dict[str, Any]], seals: Mapping[int, str], seal: Seal | None, start: int
    ) -> int | None:
        """Verify acts from one on, and move to the newest if all fit."""
        wrong = audit_log.first_wrong(lines, seals, seal, start)
        if wrong is None and lines:
            self._head = lines[-1]["seq"], lines[-1]["hash"]
        return wrong


# Through: the session or token of the current person; each of their acts on the trail contains a mark of it.

SESSION = "session"
TOKEN = "token"
LENGTH = 8
_CAME: ContextVar[tuple[str, str]] = ContextVar("came", default=("", ""))


def came(person: str, way: str, secret: str) -> None:
    """Set the session or token under which this thread acts next."""
    _CAME.set((person, f"{way} {sha256(f'{way}:{secret}'.encode()).hexdigest()[:LENGTH]}"))


def mark(person: str) -> dict[str, str]:
    """Return what the trail says of how a person came in; nothing where that is not known."""
    who, way = _CAME.get()
    return {"through": way} if way and who == person else {}


ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(20261121)")
HOME = "DISCREET_HOME"
DATABASE = "DISCREET_DATABASE"
KEYS = "DISCREET_KEYS"
SEAL = "DISCREET_SEAL"
HEADS = "DISCREET_HEADS"
DATABASES, FOLDERS, CLUSTERS = "DISCREET_DATABASES", "DISCREET_FOLDERS", "DISCREET_CLUSTERS"  # see places
SOURCES = "DISCREET_SOURCES"
OTHERS = stat.S_IWGRP | stat.S_IWOTH
UNWRITABLE = re.compile(r"[\x00\ud800-\udfff]")  # what PostgreSQL takes in no text


class House:
    """The folder, the database, the clock, and the curators of registered datasets."""

    def __init__(
        self,
        home: Path,
        url: str,
        clock: Callable[[], float] = time.time,
        key: Path | None = None,
        heads: Path | None = None,
        keys: Path | None = None,
    ) -> None:
        """Open the folder and the database, and bring both up to date.

        `key` seals what is written, `heads` is the file outside of the database that keeps their digests, `keys`
        is a folder for the keys of registered files.
        """
        home.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
        _tighten(home)
        self.vault = Vault(home / "vault", keys)
        self.tried = home / "tried"
        self.bookmark = Bookmark()
        self.ahead = False  # a server opens rows before anybody waits for them
        self.seal = Seal(key or home / "seal.key", heads or home / "heads.txt")
        self.store = Store(url, self.seal, HISTORY).prepare()
        self.clock = clock
        self._curators: dict[str, tuple[str, Answerers]] = {}
        self._preparing: dict[tuple[str, str], Preparing] = {}
        self._guard = Lock()
        self.begin_seals()

    def begin_seals(self) -> None:
        """Refuse to go on without the key; seal what was written before there were seals."""
        with self.store.reading() as connection:
            if self.seal.missing(connection):
                raise ParameterError("The seal key is missing. Restore it as {path}.", path=str(self.seal.path))
        if not self.seal.path.is_file() and audit_log.trail(self.store, 1):
            with self.writing() as connection:
                replay.seal_heads(self.store, connection)
                trail = replay.Trail(connection, self.seal)
                for name, details in replay.everything(connection):
                    self._write(trail, TERMINAL.id, acts.FOUND, name, details)

    @property
    def now(self) -> datetime:
        """The time, for display and for what expires."""
        return datetime.fromtimestamp(self.clock(), UTC)

    @contextmanager
    def writing(self, budget: str = "") -> Iterator[Connection]:
        """Write in one transaction, one after the other; a dataset's budget is held if named."""
        with self.store.writing(budget) as connection:
            if not self.store.lite:
                connection.execute(ONE_AT_A_TIME)
            yield connection

    def act(
        self,
        connection: Connection,
        who: str,
        act: Act,
        about: str = "",
        meant: Mapping[str, Any] | None = None,
        *,
        trail: replay.Trail | None = None,
        **details: Any,
    ) -> None:
        """Put an act on the trail, with old and new values, in the transaction that writes them.

        `meant` is what the verb wrote: only that is sealed. Saving an unchanged value
        writes no act. `trail` is what this transaction has read of it.
        """
        assert isinstance(act, Act), act
        details |= mark(who)
        trail = trail or replay.Trail(connection, self.seal)
        noted = replay.noted(trail, act, about, who, details, meant or {})
        if noted is not None:
            self._write(trail, who, act, *noted)

    def _write(self, trail: replay.Trail, who: str, act: Act, about: str, details: dict[str, Any]) -> None:
        if details.get("of") == "dataset" and "digest" in details["now"]:
            details["vault"] = self.vault.fingerprint("")  # with another key no rows would be known
        line = audit_log.write(trail.connection, trail.head, self.now, who, act, about, **details)
        place = audit_log.CHAIN, line["seq"], line["hash"]
        self.store.sealing(place)
        trail.add(line | {"seal": self.seal.of(*place)})

    def wrong_act(self, whole: bool = False) -> int | None:
        """Return the first act that does not fit, of those that are new to this process or of all."""
        with self.store.reading() as connection:
            return self.bookmark.wrong_at(connection, self.seal, whole)

    def answering(self, rows: str, content: str, make: Callable[[], Answerers], ahead: bool = False) -> Answerers:
        """Return who answers for rows (DATASET/VERSION), as long as they are reached and declared in the same way."""
        with self._guard:
            entry = self._curators.get(rows)
            if entry is None or entry[0] != content:
                opened = self._prepared(rows, content, make) if ahead else make()
                entry = self._curators[rows] = content, opened
            return entry[1]

    def _prepared(self, rows: str, content: str, make: Callable[[], Answerers]) -> Answerers:
        """Return what was opened ahead; begin to open it, or say that it is not open yet."""
        opening = self._preparing.get((rows, content))
        if opening is None:
            opening = self._preparing[rows, content] = Preparing(make)
        if not opening.over:
            raise early()
        del self._preparing[rows, content]
        return opening.result()

    def preparing(self) -> list[Preparing]:
        """Return what is being opened."""
        with self._guard:
            return list(self._preparing.values())

    def opened(self) -> list[str]:
        """Return the datasets with rows that are open or being opened."""
        with self._guard:
            open_ = [*self._curators, *(rows for rows, _ in self._preparing)]
            return sorted({rows.partition("/")[0] for rows in open_})

    def forget(self, dataset: str) -> None:
        """Let the rows of a dataset go."""
        with self._guard:
            for rows in [rows for rows in self._curators if rows.partition("/")[0] == dataset]:
                del self._curators[rows]
            for key in [key for key in self._preparing if key[0].partition("/")[0] == dataset]:
                del self._preparing[key]


def _tighten(home: Path) -> None:
    """Remove write permission of other users on a folder of private files; a folder with the sticky bit stays."""
    mode = home.stat().st_mode
    if mode & OTHERS and not mode & stat.S_ISVTX:
        with suppress(PermissionError):
            home.chmod(stat.S_IMODE(mode) & ~OTHERS)


def writable(text: str) -> str:
    """Return a text without what a database cannot write."""
    return UNWRITABLE.sub("", text)


def home(environment: Mapping[str, str]) -> Path:
    """Return the folder that the environment names: by default a private one of the user."""
    return Path(environment.get(HOME) or Path.home() / ".discreet")


def open_house(environment: Mapping[str, str] = os.environ) -> House:
    """Open the house that the environment names."""
    folder = home(environment)
    places = (environment.get(name) for name in (SEAL, HEADS, KEYS))
    key, heads, keys = (Path(place) if place else None for place in places)
    try:
        url = environment.get(DATABASE) or f"sqlite:///{folder / 'ledger.db'}"
        return House(folder, url, key=key, heads=heads, keys=keys)
    except MISSPELT:
        raise ParameterError(NO_ADDRESS) from None


def same(home: str, other: str) -> bool:
    """Return whether two names are of the same folder."""
    return home == other or bool(home and other) and Path(home).resolve() == Path(other).resolve()
