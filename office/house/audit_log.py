"""Audit log: who did what, and when; append-only and chained, without any row's content."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import ColumnElement, Connection, cast, exists, insert, null, select

from discreet.budget.durable import Store
from discreet.budget.durable.store import OPENING, Seal, seals, unsealed
from discreet.budget.errors import Phrase
from discreet.office.house import acts
from discreet.office.house.acts import Act
from discreet.office.house.tables import acts as told_acts

# Parts: what the parts of accounts, datasets, requests and settings are called that may change later.

FIELDS = {
    "name": Phrase("name"),
    "roles": Phrase("roles"),
    "active": Phrase("access"),
    "password": Phrase("password"),
    "factor": Phrase("two-factor authentication"),
    "policy": Phrase("policy"),
    "state": Phrase("state"),
    "published": Phrase("published"),
    "content": Phrase("location of the rows"),
    "declarations": Phrase("schema"),
    "versions": Phrase("versions of the rows"),
    "errata": Phrase("notes"),
    "decided_by": Phrase("decided by"),
    "decided": Phrase("decided"),
    "reason": Phrase("reason"),
    "checklist": Phrase("checklist"),
    "officers": Phrase("officers"),
    "body": Phrase("text"),
}

START = "0" * 64
CHAIN = "trail"  # what seals call it
SEAL_OF = (seals.c.seq == told_acts.c.seq) & (seals.c.chain == CHAIN)  # joins an act with its seal
WORDS = {act.name: act.words for act in acts.EVERY.values()}
VERIFYING = acts.those(lambda act: act.checks)
COMING = acts.those(lambda act: act.routine)
HASHED = tuple(column.name for column in told_acts.columns if column.name != "hash")
SERVER = Phrase("the server")
SOMEBODY = Phrase("someone")


@dataclass(frozen=True)
class Entry:
    """One line of the trail."""

    seq: int
    time: datetime
    who: str
    what: str
    about: str
    details: dict[str, Any]

    @property
    def words(self) -> Phrase:
        """What was done, for people."""
        return acts.EVERY[self.what].words

    @property
    def nobody(self) -> Phrase | None:
        """The actor of an act without an account: the server, or an unknown person."""
        return None if self.who else nobody(self.what)


def nobody(what: str) -> Phrase:
    """Say who acted, where no account did."""
    return SOMEBODY if acts.EVERY[what].outsider else SERVER


Line = Mapping[str, Any]


def newest(connection: Connection) -> Line | None:
    """Return the newest line; None where there is none."""
    line = connection.execute(select(told_acts).order_by(told_acts.c.seq.desc()).limit(1)).mappings().first()
    return None if line is None else dict(line)


def write(
    connection: Connection, last: Line | None, time: datetime, who: str, act: Act, about: str = "", /, **details: Any
) -> dict[str, Any]:
    """Add a line after the last one in the transaction of the change that it records: both are written, or neither."""
    line = {
        "seq": last["seq"] + 1 if last else 0,
        "time": time.isoformat(timespec="microseconds"),
        "who": who,
        "what": act.name,
        "about": about,
        "told": json.dumps(details, sort_keys=True),
        "previous": last["hash"] if last else START,
    }
    line["hash"] = hash_of(line)
    connection.execute(insert(told_acts).values(**line))
    return line


def recorded(connection: Connection, act: Act, about: str) -> bool:
    """Return whether this is on the trail already."""
    same = select(told_acts.c.seq).filter_by(what=act.name, about=about).limit(1)
    return connection.execute(same).first() is not None


def moment(time: str) -> float:
    """Return when something was written, in seconds."""
    return datetime.fromisoformat(time).timestamp()


@dataclass(frozen=True)
class Excerpt:
    """A filter for acts: by object, kind and day; routine acts only on request."""

    about: str = ""
    what: tuple[str, ...] = ()
    first: str = ""
    last: str = ""
    routine: bool = True

    @property
    def clauses(self) -> list[ColumnElement[bool]]:
        """What must hold of an act, for the database."""
        clauses = [told_acts.c.about == self.about] if self.about else []
        clauses += [told_acts.c.what.in_(self.what)] if self.what else []
        clauses += [told_acts.c.time >= self.first] if self.first else []
        clauses += [told_acts.c.time < f"{self.last}U"] if self.last else []  # after every time of that day
        well = told_acts.c.what.in_(VERIFYING) & told_acts.c.told.contains('"holds": true')
        return clauses if self.routine or self.what else [*clauses, ~well, told_acts.c.what.not_in(COMING)]


EVERY = Excerpt()


def trail(store: Store, newest: int | None = None, sieve: Excerpt = EVERY, *mine: ColumnElement[bool]) -> list[Entry]:
    """Return the acts, newest first; a screen asks `disclosure` for those that its reader may see."""
    newer = select(told_acts).where(*sieve.clauses, *mine).order_by(told_acts.c.seq.desc()).limit(newest)
    with store.reading() as connection:
        return [entry_of(dict(line)) for line in connection.execute(newer).mappings()]


def entry_of(line: Line) -> Entry:
    """Return the act of a line."""
    return Entry(
        line["seq"],
        datetime.fromisoformat(line["time"]),
        line["who"],
        line["what"],
        line["about"],
        json.loads(line["told"]),
    )


def head(store: Store) -> str:
    """Return the newest act as LINE:HASH: kept elsewhere, it finds a trail that was cut off."""
    with store.reading() as connection:
        line = newest(connection)
    return f"{line['seq']}:{line['hash']}" if line else f"-1:{START}"


def on_trail(store: Store, head: str) -> bool:
    """Return whether an act, as LINE:HASH, is on the trail."""
    seq, _, digest = head.partition(":")
    if not (seq.isascii() and seq.isdigit()):
        return False
    with store.reading() as connection:
        same = select(told_acts.c.hash).filter_by(seq=int(seq))
        return bool(connection.execute(same).scalar_one_or_none() == digest)


def wrong_at(store: Store) -> int | None:
    """Return the first act that does not fit the chain, or that no key has sealed; None if all do.

    A seal without its act says that the newest acts were cut off.
    """
    with store.reading() as connection:
        return first_wrong(*chain(connection), store.seal)


def chain(connection: Connection, start: int = OPENING) -> tuple[list[dict[str, Any]], dict[int, str]]:
    """Return all acts from one on, oldest first, and all seals from there on, also those without their act."""
    acts, sealed = told_acts.c, seals.c
    gone = select(sealed.seq, *(cast(null(), column.type) for column in list(acts)[1:]), sealed.seal).where(
        sealed.chain == CHAIN, sealed.seq >= start, ~exists().where(acts.seq == sealed.seq)
    )
    query = select(*acts, sealed.seal).outerjoin(seals, SEAL_OF).where(acts.seq >= start).union_all(gone)
    rows = [dict(row) for row in connection.execute(query).mappings()]
    found = {row["seq"]: row.pop("seal") for row in rows}
    lines = sorted((row for row in rows if row["hash"] is not None), key=lambda row: row["seq"])
    return lines, {seq: seal for seq, seal in found.items() if seal is not None}


def first_wrong(lines: Sequence[Line], seals: Mapping[int, str], seal: Seal | None, start: int = 0) -> int | None:
    """Return the first that does not fit of all lines from one on, oldest first.

    The first of them is taken to follow what was verified before it.
    """
    previous = lines[0]["previous"] if start and lines else START
    for at, line in enumerate(lines, start):
        fits = line["seq"] == at and line["previous"] == previous
        if not fits or hash_of(line) != line["hash"]:
            return at
        previous = line["hash"]
    if seal is None:
        return None
    return unsealed(seal, CHAIN, {line["seq"]: line["hash"] for line in lines}, seals)


def sound(line: Mapping[str, Any], seal: Seal) -> bool:
    """Return whether a line, read with its seal, is what was sealed."""
    return hash_of(line) == line["hash"] and seal.fits(CHAIN, line["seq"], line["hash"], line["seal"])


def hash_of(line: Mapping[str, Any]) -> str:
    """Return the hash of an act, with that of the act before inside."""
    return sha256(json.dumps([line[name] for name in HASHED]).encode()).hexdigest()
