"""Project file: one SQLite file with budgets, answers and what was worked on, open in one server at a time.

No row is ever in it.
"""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from threading import Lock
from typing import IO, Any

from sqlalchemy import Column, MetaData, Table, Text, delete, insert, select

from discreet.budget.durable import verify
from discreet.budget.durable.files import PRIVATE_FILE, PRIVATE_FOLDER
from discreet.budget.durable.purse import store_of
from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.office.causes import CLOSED, FULL, sentence
from discreet.office.settings import PROJECT as SETTING
from discreet.ui.project.generations import Generations

try:
    import fcntl
except ImportError:  # pragma: no cover - a system without it lets two servers open one file
    fcntl = None  # type: ignore[assignment]

metadata = MetaData()
WORK = Table("work", metadata, Column("name", Text, primary_key=True), Column("text", Text, nullable=False))
ASKED = Table("asked", metadata, Column("declared", Text, primary_key=True), Column("request", Text, primary_key=True))
STATE, VERSION = "state", 1
HOLD = os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK  # no link to elsewhere, no pipe that nobody reads
OTHER = Phrase("The file {path} is something else than kept work, and stays as it is. Name another one with {name}.")
ODD = Phrase("Its file system refuses: look for folders or links of these names beside it.")


class AskedHere(dict[str, None]):
    """What was asked under one declaration, oldest first: written down before it is answered."""

    def __init__(self, file: ProjectFile, declared: str) -> None:
        """Read what was asked before."""
        query = select(ASKED.c.request).filter_by(declared=declared).order_by(Column("rowid"))
        with file.store.reading() as connection:
            super().__init__(dict.fromkeys(connection.execute(query).scalars()))
        self._file, self._declared = file, declared

    def setdefault(self, key: str, default: None = None) -> None:
        """Write down what is asked."""
        if key not in self:
            with self._file.store.writing(self._declared) as connection:
                connection.execute(insert(ASKED).values(declared=self._declared, request=key))
            super().setdefault(key)


class ProjectFile:
    """A file that one server keeps somebody's work in."""

    def __init__(self, path: Path) -> None:
        """Open a file, or begin it; refuse one that is open elsewhere, damaged, or something else.

        Under each of its names it is the same file, and held once.
        """
        self.path = path.resolve()
        self._held = _alone(self.path)
        self.fresh = not self.path.exists()
        self._asked: dict[str, AskedHere] = {}
        self._lock = Lock()
        self.store = store_of(self.path)
        try:
            self._open()
        except ParameterError:
            self.discard()
            raise
        except Exception as wrong:
            self.discard()
            raise unreadable(self.path, wrong) from wrong

    def _open(self) -> None:
        """Read what is there; nothing is written into a file that was begun for something else."""
        if not self.fresh and not _ours(self.path):
            raise ParameterError(OTHER, path=str(self.path), name=SETTING)
        self.store.prepare()
        with self.store.writing("") as connection:
            metadata.create_all(connection)
        self.ledgers = Generations(self.store)
        self._text = self._read()
        if not all(verify(self.store, name).holds for name in self.ledgers.names):
            raise ValueError("a damaged chain")

    def asked(self, declared: str) -> AskedHere:
        """Return what was asked under a declaration."""
        with self._lock:
            if declared not in self._asked:
                self._asked[declared] = AskedHere(self, declared)
            return self._asked[declared]

    def _read(self) -> str:
        query = select(WORK.c.text).filter_by(name=STATE)
        with self.store.reading() as connection:
            text = str(connection.execute(query).scalar_one_or_none() or json.dumps({"version": VERSION}))
        if json.loads(text)["version"] != VERSION:
            raise ValueError("another version")
        return text

    @property
    def state(self) -> dict[str, Any]:
        """What was worked on."""
        state: dict[str, Any] = json.loads(self._text)
        return state

    def write(self, state: dict[str, Any]) -> None:
        """Write down what is worked on, where it is something else than before."""
        text = json.dumps({"version": VERSION} | state)
        with self._lock:
            if text == self._text:
                return
            with self.store.writing("") as connection:
                connection.execute(delete(WORK).filter_by(name=STATE))
                connection.execute(insert(WORK).values(name=STATE, text=text))
            self._text = text

    def close(self) -> None:
        """Let another server open it."""
        self.store.close()
        self._held.close()

    def discard(self) -> None:
        """Delete a file that was begun in vain; one that was there before stays."""
        endings = ("", "-wal", "-shm", ".lock", ".open") if self.fresh else ()
        self.store.close()
        for ending in endings:
            with suppress(OSError):
                Path(f"{self.path}{ending}").unlink(missing_ok=True)
        self._held.close()


def _alone(path: Path) -> IO[str]:
    """Hold a file for this server; the hold falls with its process."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
        with ExitStack() as refused:
            held = refused.enter_context(os.fdopen(os.open(f"{path}.open", HOLD, PRIVATE_FILE), "w"))
            if fcntl is not None:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            refused.pop_all()
            return held
    except BlockingIOError:
        raise ParameterError(
            "The kept work in {path} is open in another server. Stop that one, or name another file with {name}.",
            path=str(path),
            name=SETTING,
        ) from None
    except OSError as wrong:
        raise unreadable(path, wrong) from None


def _ours(path: Path) -> bool:
    """Say whether a file is empty, or one of work that is kept: nothing is written to find out."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    return not names or {WORK.name, ASKED.name} <= names


def unreadable(path: Path, wrong: Exception) -> ParameterError:
    """Return why a file cannot be opened: nobody is to move one away that is whole."""
    why = sentence(wrong)
    if isinstance(wrong, OSError) or why in (FULL, CLOSED):
        return ParameterError("The kept work in {path} cannot be opened now. {why}", path=str(path), why=why or ODD)
    return ParameterError(
        "The kept work in {path} is damaged, or something else. Put a copy there, or move it away to begin anew.",
        path=str(path),
    )
