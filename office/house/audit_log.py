"""Acts: the trail of who did what, and when; append-only and chained, without any row's content."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import ColumnElement, Connection, insert, select

from discreet.budget.durable import Store
from discreet.budget.durable.store import Seal, seals_of, unsealed
from discreet.budget.errors import Phrase
from discreet.office.house.tables import acts

# Parts: what the parts of accounts, datasets, requests and settings are called that may change later.

FIELDS = {
    "name": Phrase("name"),
    "roles": Phrase("roles"),
    "active": Phrase("access"),
    "password": Phrase("password"),
    "factor": Phrase("second factor"),
    "policy": Phrase("policy"),
    "state": Phrase("state"),
    "published": Phrase("published"),
    "content": Phrase("place of the rows"),
    "declarations": Phrase("declaration"),
    "versions": Phrase("versions of the rows"),
    "errata": Phrase("notes"),
    "decided_by": Phrase("decided by"),
    "decided": Phrase("decided"),
    "reason": Phrase("reason"),
    "checklist": Phrase("checklist"),
    "officers": Phrase("officers"),
    "body": Phrase("what it says"),
}

START = "0" * 64
CHAIN = "trail"  # what seals call it
WORDS = {
    "set up": Phrase("set up the house"),
    "invited": Phrase("invited"),
    "renewed": Phrase("made a new password link for"),
    "joined": Phrase("chose a password"),
    "signed in": Phrase("signed in"),
    "signed out": Phrase("signed out"),
    "ended": Phrase("ended all sessions of"),
    "token": Phrase("made the token"),
    "token revoked": Phrase("revoked the token"),
    "was refused": Phrase("failed to sign in"),
    "factor": Phrase("set up the second factor of"),
    "factor removed": Phrase("took away the second factor of"),
    "recovery code": Phrase("used a recovery code of"),
    "wrong code": Phrase("gave a wrong code for the second factor of"),
    "roles": Phrase("changed the roles of"),
    "name erased": Phrase("erased the name and mail address of"),
    "roles proposed": Phrase("proposed other roles for"),
    "substitute": Phrase("named as substitute"),
    "substitute ended": Phrase("ended the substitution by"),
    "mailbox": Phrase("changed the mail address of"),
    "unsent": Phrase("could not send messages by"),
    "registered": Phrase("registered the dataset"),
    "policy": Phrase("changed the policy of"),
    "policy proposed": Phrase("proposed another policy for"),
    "publication proposed": Phrase("proposed to publish the list of"),
    "deletion proposed": Phrase("proposed to delete the rows of"),
    "dropped": Phrase("dropped what was proposed for"),
    "reconnected": Phrase("changed the connection of"),
    "extended": Phrase("extended the declaration of"),
    "extension proposed": Phrase("proposed to extend the declaration of"),
    "renewed rows": Phrase("added a version of the rows of"),
    "version proposed": Phrase("proposed a version of the rows of"),
    "apart proposed": Phrase("wants to bring rows like those of"),
    "apart agreed": Phrase("agreed to other people than those of"),
    "noted": Phrase("added a note to"),
    "registration withdrawn": Phrase("withdrew the registration of"),
    "withdrawal proposed": Phrase("proposed to withdraw the registration of"),
    "closed": Phrase("closed the dataset"),
    "deleted": Phrase("deleted the rows of"),
    "published": Phrase("published the list of"),
    "unpublished": Phrase("withdrew the list of"),
    "asked": Phrase("asked"),
    "answered": Phrase("released the answer of"),
    "approved": Phrase("approved"),
    "approved first": Phrase("approved, as the first of two officers,"),
    "approval taken back": Phrase("took back the first approval of"),
    "denied": Phrase("denied"),
    "changes": Phrase("asked for changes of"),
    "withdrawn": Phrase("withdrew"),
    "expired": Phrase("let expire"),
    "remarked": Phrase("commented on"),
    "reminded": Phrase("told that it expires soon:"),
    "alarmed": Phrase("told that something is wrong with"),
    "examined": Phrase("ran the evidence for"),
    "verified": Phrase("verified the ledger of"),
    "audited": Phrase("verified all ledgers, the trail and the vault"),
    "bundled": Phrase("made the auditor's file of"),
    "backup": Phrase("made a backup"),
    "found": Phrase("took into the sealed trail"),
    "letterhead": Phrase("changed what every registration begins with:"),
    "connection": Phrase("set up the connection"),
    "connection removed": Phrase("removed the connection"),
}
VERIFYING, COMING = ("verified", "audited", "backup"), ("signed in", "signed out")  # every day, and no decision
REFUSED = ("was refused", "wrong code")  # acts of whoever is not signed in
HASHED = tuple(column.name for column in acts.columns if column.name != "hash")
SERVER = Phrase("the server")
SOMEBODY = Phrase("somebody")


@dataclass(frozen=True)
class Act:
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
        return WORDS[self.what]

    @property
    def nobody(self) -> Phrase | None:
        """Who acted, where no account did: the server by itself, or somebody who is not known."""
        return None if self.who else nobody(self.what)


def nobody(what: str) -> Phrase:
    """Say who acted, where no account did."""
    return SOMEBODY if what in REFUSED else SERVER


Line = Mapping[str, Any]


def newest(connection: Connection) -> Line | None:
    """Return the newest line; None where there is none."""
    line = connection.execute(select(acts).order_by(acts.c.seq.desc()).limit(1)).mappings().first()
    return None if line is None else dict(line)


def write(
    connection: Connection, last: Line | None, time: datetime, who: str, what: str, about: str = "", /, **details: Any
) -> dict[str, Any]:
    """Add a line after the last one in the transaction of what it tells about: both are written, or neither."""
    assert what in WORDS, what
    line = {
        "seq": last["seq"] + 1 if last else 0,
        "time": time.isoformat(timespec="microseconds"),
        "who": who,
        "what": what,
        "about": about,
        "told": json.dumps(details, sort_keys=True),
        "previous": last["hash"] if last else START,
    }
    line["hash"] = hash_of(line)
    connection.execute(insert(acts).values(**line))
    return line


def recorded(connection: Connection, what: str, about: str) -> bool:
    """Say whether this is on the trail already."""
    same = select(acts.c.seq).filter_by(what=what, about=about).limit(1)
    return connection.execute(same).first() is not None


def moment(time: str) -> float:
    """Return when something was written, in seconds."""
    return datetime.fromisoformat(time).timestamp()


@dataclass(frozen=True)
class Excerpt:
    """Which acts are looked at: about what, of which kinds, of which days; routine ones only where they are wanted."""

    about: str = ""
    what: tuple[str, ...] = ()
    first: str = ""
    last: str = ""
    routine: bool = True

    @property
    def clauses(self) -> list[ColumnElement[bool]]:
        """What must hold of an act, for the database."""
        clauses = [acts.c.about == self.about] if self.about else []
        clauses += [acts.c.what.in_(self.what)] if self.what else []
        clauses += [acts.c.time >= self.first] if self.first else []
        clauses += [acts.c.time < f"{self.last}U"] if self.last else []  # after every time of that day
        well = acts.c.what.in_(VERIFYING) & acts.c.told.contains('"holds": true')
        return clauses if self.routine or self.what else [*clauses, ~well, acts.c.what.not_in(COMING)]


EVERY = Excerpt()


def trail(store: Store, newest: int | None = None, sieve: Excerpt = EVERY, *mine: ColumnElement[bool]) -> list[Act]:
    """Return the acts, newest first; a screen asks `disclosure` for those that its reader may see."""
    newer = select(acts).where(*sieve.clauses, *mine).order_by(acts.c.seq.desc()).limit(newest)
    with store.reading() as connection:
        return [act_of(dict(line)) for line in connection.execute(newer).mappings()]


def act_of(line: Line) -> Act:
    """Return the act of a line."""
    return Act(
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
    """Say whether an act, as LINE:HASH, is on the trail."""
    seq, _, digest = head.partition(":")
    if not (seq.isascii() and seq.isdigit()):
        return False
    with store.reading() as connection:
        same = select(acts.c.hash).filter_by(seq=int(seq))
        return bool(connection.execute(same).scalar_one_or_none() == digest)


def wrong_at(store: Store) -> int | None:
    """Return the first act that does not fit the chain, or that no key has sealed; None if all do.

    A seal without its act says that the newest acts were cut off.
    """
    with store.reading() as connection:
        lines = [dict(line) for line in connection.execute(select(acts).order_by(acts.c.seq)).mappings()]
        return first_wrong(lines, seals_of(connection, CHAIN), store.seal)


def first_wrong(lines: list[dict[str, Any]], seals: Mapping[int, str], seal: Seal | None, start: int = 0) -> int | None:
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
    """Say whether a line, read with its seal, is what was sealed."""
    return hash_of(line) == line["hash"] and seal.fits(CHAIN, line["seq"], line["hash"], line["seal"])


def hash_of(line: Mapping[str, Any]) -> str:
    """Return the hash of an act, with that of the act before inside."""
    return sha256(json.dumps([line[name] for name in HASHED]).encode()).hexdigest()
