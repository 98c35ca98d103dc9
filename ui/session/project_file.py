"""Project file: one SQLite file with budgets, results and the state of the work, open in one server at a time.

It never contains a row.
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
from discreet.budget.durable.lines import Line
from discreet.budget.durable.store import PRIVATE_FILE, PRIVATE_FOLDER
from discreet.budget.errors import ParameterError, Phrase
from discreet.budget.ledger import NOTHING
from discreet.budget.rules import BASIC
from discreet.curator.records import Kept, remembered
from discreet.office.house.failures import CLOSED, FULL, sentence
from discreet.office.running.settings import PROJECT as SETTING

# Generations: the successive budgets of a dataset in a project file.


class Generation(DurableLedger):
    """One of the budgets of a dataset; it also returns results of the earlier ones."""

    def __init__(self, store: Store, name: str, former: Generation | None = None) -> None:
        """Open a budget; its results are read once, all together."""
        super().__init__(store, name)
        self.former = former
        self.closed = False
        query = select(tables.answers.c.request, tables.answers.c.body).filter_by(budget=name)
        with store.reading() as connection:
            self._texts: dict[str, str] = {request: str(body) for request, body in connection.execute(query)}

    def _decide(self, kind: str, request_id: str, cost: Cost, held: Cost, account: Account | None) -> Line:
        """Record a charge if it fits; never after this budget was replaced."""
        if self.closed:
            raise BudgetExceeded(cost + held, NOTHING)
        return super()._decide(kind, request_id, cost, held, account)

    def answer(self, request_id: str) -> str | None:
        """Return the result of a request if it was released by this or an earlier budget."""
        owner = next((each for each in reversed(self.lineage) if request_id in each._texts), None)
        if owner is None:
            return None
        text = owner._texts[request_id]
        if not isinstance(text, Kept):
            text = owner._texts[request_id] = remembered(text)
        return text

    def release(self, request_id: str, taken: bool, body: str) -> str:
        """Settle a charge and keep its result, which is then in memory and not read again."""
        first = super().release(request_id, taken, body)
        self._texts[request_id] = body if first == body and isinstance(body, Kept) else remembered(first)
        return self._texts[request_id]

    def copy(self, ledger: SessionLedger) -> Generation:
        """Copy the entries of a session ledger in their order: their charges were decided there."""
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
    """Return a result, or all results of a plan, with the ledger entry of the charge that paid for it here."""
    record = json.loads(answer)
    if "rows" in record:
        record["rows"] = [_at(row, entry) for row in record["rows"]]
    return json.dumps(record | {"entry": entry})


class Generations:
    """All budgets in a file, by owner."""

    def __init__(self, store: Store) -> None:
        """Open the store; a budget is opened when it is first needed."""
        self._store = store
        self._lock = Lock()
        self._latest: dict[str, Generation] = {}

    def open(self, owner: str, limit: Cost, rule: Rule = BASIC) -> Generation:
        """Return the latest budget of an owner; limit and rule only apply if there is none yet."""
        with self._lock:
            latest = self._known(owner)
            return self._next(owner, limit, rule) if latest is None else latest

    def before(self, owner: str) -> tuple[Cost, ...]:
        """Return what was spent of each earlier budget of an owner."""
        with self._lock:
            latest = self._known(owner)
        return () if latest is None else tuple(former.spent for former in latest.lineage[:-1])

    def replace(self, owner: str, limit: Cost, rule: Rule = BASIC) -> Generation:
        """Replace the budget of an owner, which the person has confirmed, and close the earlier one."""
        with self._lock:
            self._known(owner)
            return self._next(owner, limit, rule)

    def take(self, owner: str, ledger: SessionLedger) -> Generation:
        """Copy into the file what a session ledger and those before it have charged and answered."""
        with self._lock:
            every = [self._next(owner, each.limit, each.rule).copy(each) for each in ledger.lineage]
            return every[-1]

    @property
    def names(self) -> tuple[str, ...]:
        """The owners of all budgets in the file."""
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
except ImportError:  # pragma: no cover - without it, two servers can open one file
    fcntl = None  # type: ignore[assignment]

metadata = MetaData()
WORK = Table("work", metadata, Column("name", Text, primary_key=True), Column("text", Text, nullable=False))
ASKED = Table("asked", metadata, Column("declared", Text, primary_key=True), Column("request", Text, primary_key=True))
STATE = "state"
VERSION = 1
HOLD = os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK  # no symbolic link, no pipe without a reader
OTHER = Phrase("{path} is not a Discreet project file and was left unchanged. Choose another file with {name}.")
ODD = Phrase("The file system refused access. Check for folders or links with these names beside the file.")


class AskedHere(dict[str, None]):
    """The queries asked under one schema, oldest first, each recorded before it is answered."""

    def __init__(self, file: ProjectFile, declared: str) -> None:
        """Read the queries recorded so far."""
        query = select(ASKED.c.request).filter_by(declared=declared).order_by(Column("rowid"))
        with file.store.reading() as connection:
            super().__init__(dict.fromkeys(connection.execute(query).scalars()))
        self._file = file
        self._declared = declared

    def setdefault(self, key: str, default: None = None) -> None:
        """Record a query."""
        if key not in self:
            with self._file.store.writing(self._declared) as connection:
                connection.execute(insert(ASKED).values(declared=self._declared, request=key))
            super().setdefault(key)


class ProjectFile:
    """A file in which one server keeps a person's work."""

    def __init__(self, path: Path) -> None:
        """Open a file, or create it; refuse one that is open elsewhere, damaged, or of another kind.

        A file with several names (links) is locked once, as the file it is.
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
        """Read the file; write nothing into a file made for another purpose."""
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
        """Return the queries asked under a schema."""
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
        """The saved state of the work."""
        state: dict[str, Any] = json.loads(self._text)
        return state

    def write(self, state: dict[str, Any]) -> None:
        """Save the state of the work if it has changed."""
        text = json.dumps({"version": VERSION} | state)
        with self._lock:
            if text == self._text:
                return
            with self.store.writing("") as connection:
                connection.execute(delete(WORK).filter_by(name=STATE))
                connection.execute(insert(WORK).values(name=STATE, text=text))
            self._text = text

    def close(self) -> None:
        """Close the file, so that another server can open it."""
        self.store.close()
        self._held.close()

    def discard(self) -> None:
        """Delete a file that was created but not used; an existing file stays."""
        endings = ("", "-wal", "-shm", ".lock", ".open") if self.fresh else ()
        self.store.close()
        for ending in endings:
            with suppress(OSError):
                Path(f"{self.path}{ending}").unlink(missing_ok=True)
        self._held.close()


def _alone(path: Path) -> IO[str]:
    """Lock a file for this server; the lock ends with the process."""
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
            "The project in {path} is open in another server. Stop that server, or choose another file with {name}.",
            path=str(path),
            name=SETTING,
        ) from None
    except OSError as wrong:
        raise unreadable(path, wrong) from None


def _ours(path: Path) -> bool:
    """Whether a file is empty or a project file; nothing is written to find out."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    return not names or {WORK.name, ASKED.name} <= names


def unreadable(path: Path, wrong: Exception) -> ParameterError:
    """Return why a file cannot be opened, worded so that an intact file is not moved away."""
    why = sentence(wrong)
    if isinstance(wrong, OSError) or why in (FULL, CLOSED):
        return ParameterError("The project in {path} cannot be opened now. {why}", path=str(path), why=why or ODD)
    return ParameterError(
        "The file {path} is damaged or not a project file. Replace it with a backup copy, or move it away "
        "to start a new project.",
        path=str(path),
    )
