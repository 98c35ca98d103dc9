"""Project file: one SQLite file with budgets, answers and what was worked on, open in one server at a time.

No row is ever in it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from threading import Lock
from typing import IO, Any

from sqlalchemy import Column, MetaData, Table, Text, delete, insert, select
from sqlalchemy.exc import SQLAlchemyError

from discreet.budget.durable import verify
from discreet.budget.durable.files import PRIVATE
from discreet.budget.durable.purse import store_of
from discreet.budget.errors import ParameterError
from discreet.ui.project.generations import Generations

try:
    import fcntl
except ImportError:  # pragma: no cover - a system without it lets two servers open one file
    fcntl = None  # type: ignore[assignment]

metadata = MetaData()
WORK = Table("work", metadata, Column("name", Text, primary_key=True), Column("text", Text, nullable=False))
ASKED = Table("asked", metadata, Column("declared", Text, primary_key=True), Column("request", Text, primary_key=True))
STATE, VERSION = "state", 1


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
        """Open a file, or begin it; refuse one that is open elsewhere, damaged, or something else."""
        self.path = path
        self._held = _alone(path)
        try:
            self.store = store_of(path).prepare()
            with self.store.writing("") as connection:
                metadata.create_all(connection)
            self.ledgers = Generations(self.store)
            self._text = self._read()
            wrong = [name for name in self.ledgers.names if not verify(self.store, name).holds]
        except (SQLAlchemyError, ValueError) as damaged:
            raise _unreadable(path) from damaged
        if wrong:
            raise _unreadable(path)
        self._asked: dict[str, AskedHere] = {}
        self._lock = Lock()

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
        text = json.dumps({"version": VERSION} | state, ensure_ascii=False)
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
        """Delete a file that was begun in vain."""
        self.close()
        for ending in ("", "-wal", "-shm", ".lock", ".open"):
            Path(f"{self.path}{ending}").unlink(missing_ok=True)


def _alone(path: Path) -> IO[str]:
    """Hold a file for this server; the hold falls with its process."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    held = os.fdopen(os.open(f"{path}.open", os.O_CREAT | os.O_WRONLY, PRIVATE), "w")
    try:
        if fcntl is not None:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        held.close()
        raise ParameterError(
            "The kept work in {path} is open in another server. Stop that one, or name another file with {name}.",
            path=str(path),
            name="DISCREET_PROJECT",
        ) from None
    return held


def _unreadable(path: Path) -> ParameterError:
    return ParameterError(
        "The kept work in {path} is damaged, or something else. Put a copy there, or move it away to begin anew.",
        path=str(path),
    )
