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

from discreet.budget import AlreadyCharged, BudgetExceeded, Cost, Entry, Rule, SessionLedger
from discreet.budget.accounts import Account
from discreet.budget.durable import DurableLedger, Store, open_budget, verify
from discreet.budget.durable import store as tables
from discreet.budget.durable.budget_file import store_of
from discreet.budget.durable.lines import Told
from discreet.budget.durable.store import PRIVATE_FILE, PRIVATE_FOLDER
from discreet.budget.errors import ParameterError, Phrase
from discreet.budget.ledger import NOTHING
from discreet.budget.rules import BASIC
from discreet.curator.records import Kept, remembered
from discreet.office.house.failures import CLOSED, FULL, sentence
from discreet.office.running.settings import PROJECT as SETTING

# Generations: the budgets of a content in a project's file, one after another.


class Generation(DurableLedger):
    """One of the budgets of a content; it knows the answers of those before it."""

    def __init__(self, store: Store, name: str, former: Generation | None = None) -> None:
        """Look at a budget that is open; what it answered is read once, and all of it at once."""
        super().__init__(store, name)
        self.former = former
        self.closed = False
        query = select(tables.answers.c.request, tables.answers.c.body).filter_by(budget=name)
        with store.reading() as connection:
            self._texts: dict[str, str] = {request: str(body) for request, body in connection.execute(query)}

    def _decide(self, kind: str, request_id: str, cost: Cost, held: Cost, account: Account | None) -> Told:
        """Write a charge if it fits: never, once this budget was replaced."""
        if self.closed:
            raise BudgetExceeded(cost + held, NOTHING)
        return super()._decide(kind, request_id, cost, held, account)

    def answer(self, request_id: str) -> str | None:
        """Return the answer of a request, if it was released, by this or by a former budget."""
        owner = next((each for each in reversed(self.lineage) if request_id in each._texts), None)
        if owner is None:
            return None
        text = owner._texts[request_id]
        if not isinstance(text, Kept):
            text = owner._texts[request_id] = remembered(text)
        return text

    def release(self, request_id: str, taken: bool, body: str) -> str:
        """Settle a charge and keep its answer; what stays in memory is not read again."""
        first = super().release(request_id, taken, body)
        self._texts[request_id] = body if first == body and isinstance(body, Kept) else remembered(first)
        return self._texts[request_id]

    def copy(self, ledger: SessionLedger) -> Generation:
        """Write down the lines of a ledger in memory, in their order: their charges were made there."""
        for entry in ledger.entries:
            with suppress(AlreadyCharged):
                self._copy(entry, ledger.answer(entry.request_id))
        return self

    def _copy(self, entry: Entry, answer: str | None) -> None:
        if entry.kind == "charge":
            self._decide("charge", entry.request_id, entry.cost, entry.held, entry.account)
        elif answer is not None:
            self.release(entry.request_id, bool(entry.taken), _at(answer, self.entry(entry.request_id).seq))
        else:
            self.settle(entry.request_id, bool(entry.taken))

    @property
    def lineage(self) -> tuple[Generation, ...]:
        """This budget and those it replaced, oldest first."""
        every = [self]
        while (former := every[-1].former) is not None:
            every.append(former)
        return tuple(reversed(every))


def _at(answer: str, entry: int) -> str:
    """Write an answer, or all of a plan, with the entry of the charge that paid for it here."""
    record = json.loads(answer)
    if "rows" in record:
        record["rows"] = [_at(row, entry) for row in record["rows"]]
    return json.dumps(record | {"entry": entry})


class Generations:
    """All budgets in a file, by whom they belong to."""

    def __init__(self, store: Store) -> None:
        """Look at a file; a budget is opened when somebody asks for it."""
        self._store = store
        self._lock = Lock()
        self._latest: dict[str, Generation] = {}

    def open(self, owner: str, limit: Cost, rule: Rule = BASIC) -> Generation:
        """Return the latest budget of an owner; limit and rule count only where there is none yet."""
        with self._lock:
            latest = self._known(owner)
            return self._next(owner, limit, rule) if latest is None else latest

    def before(self, owner: str) -> tuple[Cost, ...]:
        """Return what was spent of each budget that an owner's was put in the place of."""
        with self._lock:
            latest = self._known(owner)
        return () if latest is None else tuple(former.spent for former in latest.lineage[:-1])

    def replace(self, owner: str, limit: Cost, rule: Rule = BASIC) -> Generation:
        """Give an owner a new budget, knowing what that means, and close the one before."""
        with self._lock:
            self._known(owner)
            return self._next(owner, limit, rule)

    def take(self, owner: str, ledger: SessionLedger) -> Generation:
        """Write down what a ledger in memory has charged and answered, and the ledgers before it."""
        with self._lock:
            every = [self._next(owner, each.limit, each.rule).copy(each) for each in ledger.lineage]
            return every[-1]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all budgets in the file."""
        with self._store.reading() as connection:
            return tuple(connection.execute(select(tables.budgets.c.id)).scalars())

    def _known(self, owner: str) -> Generation | None:
        if owner not in self._latest:
            written = set(self.names)
            number = 1
            while _name(owner, number) in written:
                self._stand(owner, Generation(self._store, _name(owner, number), self._latest.get(owner)))
                number += 1
        return self._latest.get(owner)

    def _next(self, owner: str, limit: Cost, rule: Rule) -> Generation:
        latest = self._latest.get(owner)
        name = _name(owner, 1 if latest is None else len(latest.lineage) + 1)
        open_budget(self._store, name, limit, rule)
        return self._stand(owner, Generation(self._store, name, latest))

    def _stand(self, owner: str, latest: Generation) -> Generation:
        if latest.former is not None:
            latest.former.closed = True
        self._latest[owner] = latest
        return latest


def _name(owner: str, number: int) -> str:
    return f"{owner}#{number}"


try:
    import fcntl
except ImportError:  # pragma: no cover - a system without it lets two servers open one file
    fcntl = None  # type: ignore[assignment]

metadata = MetaData()
WORK = Table("work", metadata, Column("name", Text, primary_key=True), Column("text", Text, nullable=False))
ASKED = Table("asked", metadata, Column("declared", Text, primary_key=True), Column("request", Text, primary_key=True))
STATE = "state"
VERSION = 1
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
        self._file = file
        self._declared = declared

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
