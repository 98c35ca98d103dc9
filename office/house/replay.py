"""Replay: what the acts say that accounts, datasets and requests are; the tables only repeat it.

An act that changes something carries what it is `of`, the values that are `now`, and those that
`was` before. Replayed in order they give everything that the tables may contain: whatever
else is there was written by hand. Of a password, and of a second factor,
the trail contains a digest.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Select, Table, cast, func, literal, null, select

from discreet.budget.durable import Store
from discreet.budget.durable import store as durable
from discreet.budget.durable.store import OPENING, Seal
from discreet.budget.errors import ParameterError, Phrase
from discreet.office.house import acts, audit_log, tables
from discreet.office.house.acts import Act
from discreet.office.house.audit_log import FIELDS
from discreet.office.house.tables import acts as told_acts
from discreet.office.house.tables import datasets, declarations, errata, people, requests, versions
from discreet.office.house.versions import contents

KINDS: dict[str, tuple[Table, str]] = {
    "account": (people, "login"),
    "dataset": (datasets, "name"),
    "request": (requests, "number"),
    "connection": (tables.connections, "name"),
    "letterhead": (tables.letterhead, "name"),
}
# what may change after the first act; everything else is one digest, for good
FREE = {
    "account": ("name", "roles", "active", "password", "factor"),
    "dataset": ("policy", "state", "published", "content", "declarations", "versions", "errata"),
    "request": acts.DECISION,
    "connection": ("content", "officers", "state"),
    "letterhead": ("body",),
}
# tables that follow a dataset and only grow, each with what counts their lines
GROWN: dict[str, tuple[Table, str]] = {
    "declarations": (declarations, "version"),
    "versions": (versions, "version"),
    "errata": (errata, "number"),
}
GONE = "gone"  # of a withdrawn dataset without requests: the tables have no row of it any more
OTHERWISE = Phrase(
    "The database wrote something different from the request, so nothing was done. Contact the server administrator."
)
Record = dict[str, Any]
State = dict[str, Any]
# every act with its seal, empty where it has none
SEALED: Select[Any] = select(told_acts, func.coalesce(durable.seals.c.seal, "").label("seal")).outerjoin(
    durable.seals, audit_log.SEAL_OF
)


class Trail:
    """The acts as one transaction knows them: those about a matter are read once, and with them the newest of all.

    It ends with its transaction. Under the lock of `House.writing` no other transaction adds an act meanwhile, and
    the acts of this transaction are noted here.
    """

    def __init__(self, connection: Connection, seal: Seal) -> None:
        """Begin with nothing read."""
        self.connection = connection
        self.seal = seal
        self._about: dict[str, list[Record]] = {}
        self._head: Record | None = None
        self._begun = False

    def read(self, *matters: str) -> None:
        """Read the acts about several matters at once."""
        new = [matter for matter in matters if matter not in self._about]
        if not new and self._begun:
            return
        newest = told_acts.c.seq == select(func.max(told_acts.c.seq)).scalar_subquery()
        wanted = told_acts.c.about.in_(new) | newest if new else newest
        rows = self.connection.execute(SEALED.where(wanted).order_by(told_acts.c.seq)).mappings()
        lines = [dict(row) for row in rows]
        self._about |= {matter: [line for line in lines if line["about"] == matter] for matter in new}
        if not self._begun:
            self._head = lines[-1] if lines else None
            self._begun = True

    def about(self, matter: str) -> list[Record]:
        """Return the acts about a matter, oldest first, each with its seal."""
        self.read(matter)
        return self._about[matter]

    @property
    def head(self) -> Record | None:
        """The newest act; None where there is none."""
        self.read()
        return self._head

    def add(self, line: Record) -> None:
        """Note an act that this transaction has written and sealed."""
        self._head = line
        self._begun = True
        if line["about"] in self._about:
            self._about[line["about"]].append(line)


def noted(
    trail: Trail, act: Act, about: str, who: str, details: Record, meant: Mapping[str, Any]
) -> tuple[str, Record] | None:
    """Return what an act is about, and its details with the old and new values.

    The stored row must equal what was `meant`: a trigger that was added to the database
    would otherwise have its own values sealed. None means that the saved value was there
    already: nothing happened.
    """
    kind = act.of
    if act is acts.SIGNED_IN and details.get("openid"):  # a provider's word made the account
        kind = "account"
    row = _row(trail.connection, kind, about, who) if kind else None
    if row is None:
        return about, details
    assert meant, act.name
    if any(row[name] != value for name, value in meant.items()):
        raise ParameterError(OTHERWISE)
    about = called(kind, row)
    state = state_of(kind, row)
    before = said(trail, kind, about)
    now = {name: state[name] for name in act.changes or state}
    was = {name: before[name] for name in now if name in before and before[name] != now[name]}
    if act.saves and not was and before:
        return None
    more = {"was": was} if was and not act.forgets else {}
    return about, details | {"of": kind, "now": now} | more


def called(kind: str, row: Mapping[str, Any]) -> str:
    """Return what acts call something."""
    name = row[KINDS[kind][1]]
    return f"#{name}" if kind == "request" else str(name)


def state_of(kind: str, row: Mapping[str, Any]) -> State:
    """Return a row in the form that acts contain."""
    free = {name: row[name] for name in FREE[kind]}
    rest = {name: row[name] for name in sorted(row) if name not in free}
    state = free | {"digest": _digest(json.dumps(rest, default=str))}
    if kind == "account":
        state["roles"] = sorted(filter(None, row["roles"].split(",")))
        state |= {"active": bool(row["active"])}
        state |= {name: _digest(row[name]) if row[name] else "" for name in ("password", "factor")}
    if kind == "dataset":
        state |= {"policy": json.loads(row["policy"]), "published": bool(row["published"])}
        for part in GROWN:
            state[part] = [_digest(json.dumps(line, sort_keys=True)) for line in row[part]]
    if kind == "letterhead":
        state["body"] = json.loads(row["body"])
    if kind == "request":
        state |= {"checklist": json.loads(row["checklist"]), "request": row["id"]}
        state["dataset"] = row["dataset"]
    return state


def said(trail: Trail, kind: str, about: str) -> State:
    """Return what the sealed acts say that something is; empty if they do not know it."""
    state: State = {}
    for line in trail.about(about):
        details = json.loads(line["told"])
        if details.get("of") == kind and audit_log.sound(line, trail.seal):
            state = after(state, details["now"])
    return state


def after(state: State, now: State) -> State:
    """Return what something is after an act about it; a name that is free again may begin anew."""
    return {} if GONE in now else began(now) if "digest" in now else state | now


def sealed(connection: Connection, seal: Seal, act: Act) -> list[Record]:
    """Return the details of the sealed acts of a kind."""
    lines = connection.execute(SEALED.where(told_acts.c.what == act.name)).mappings()
    return [json.loads(line["told"]) for line in map(dict, lines) if audit_log.sound(line, seal)]


def began(now: State) -> State:
    """Return what an act says; where a dataset begins, nothing followed yet, and an account has no second factor."""
    if "digest" not in now:
        return now
    first: State = {part: [] for part in GROWN} if "policy" in now else {"factor": ""} if "password" in now else {}
    return first | now


def checked_places(trail: Trail, row: Mapping[str, Any]) -> list[str]:
    """Return where the rows of all versions lie that are to be deleted; the sealed acts must say the same."""
    if not same(trail, row, "content", "versions"):
        raise ParameterError(
            "The location of these rows does not match the audit log, so nothing was deleted. Verify "
            "the server, then fix the problems listed."
        )
    return contents(row)


def holds(trail: Trail, kind: str, row: Mapping[str, Any]) -> bool:
    """Return whether something is as the sealed acts about it say."""
    return said(trail, kind, called(kind, row)) == state_of(kind, row)


def stands(trail: Trail, row: Mapping[str, Any], data: Mapping[str, Any]) -> bool:
    """Return whether a request, and what was declared of its dataset, are what the sealed acts about them say.

    Of a request these are its hash, verdict and checklist.
    """
    return holds(trail, "request", row) and described(trail, data)


def described(trail: Trail, row: Mapping[str, Any]) -> bool:
    """Return whether a dataset was registered, extended and renewed as the sealed acts say."""
    return same(trail, row, "digest", *GROWN)


def same(trail: Trail, row: Mapping[str, Any], *parts: str) -> bool:
    """Return whether parts of a dataset are what the sealed acts say."""
    before = said(trail, "dataset", row["name"])
    state = state_of("dataset", row)
    return all(before.get(part) == state[part] for part in parts)


def everything(connection: Connection) -> Iterator[tuple[str, Record]]:
    """Yield the rows of the tables, in the form of acts, for objects that no act has recorded yet."""
    for kind in KINDS:
        for row in list(rows(connection, kind)):
            yield called(kind, row), {"of": kind, "now": state_of(kind, row)}


def rows(connection: Connection, kind: str, *where: Any) -> Iterator[dict[str, Any]]:
    """Yield rows of a table, a dataset with all that follows it."""
    if kind != "dataset":
        yield from map(dict, connection.execute(select(KINDS[kind][0]).where(*where)).mappings())
        return
    mine = select(datasets.c.id).where(*where)
    follow = [FOLLOWING[part].where(table.c.dataset.in_(mine)) for part, (table, _) in GROWN.items()]
    every = [dict(row) for row in connection.execute(WHOLE.where(*where).union_all(*follow)).mappings()]
    by_id = {row["id"]: _own(row, datasets) | {part: [] for part in GROWN} for row in every if row["part"] == "dataset"}
    for part, (table, order) in GROWN.items():
        lines = [_own(row, table) for row in every if row["part"] == part]
        for line in sorted(lines, key=lambda line: line[order]):
            by_id[line["dataset"]][part].append({name: value for name, value in line.items() if value is not None})
    yield from by_id.values()


def _own(row: Mapping[str, Any], table: Table) -> dict[str, Any]:
    return {column.name: row[column.name] for column in table.columns}


def _wide(part: str, table: Table) -> Select[Any]:
    """Return the question for a table with the columns of all that a dataset is, so that one statement reads it."""
    columns = {column.name: column for each, _ in GROWN.values() for column in (*datasets.columns, *each.columns)}
    return select(
        literal(part).label("part"),
        *(
            table.c[name] if name in table.c else cast(null(), column.type).label(name)
            for name, column in columns.items()
        ),
    )


WHOLE = _wide("dataset", datasets)
FOLLOWING = {part: _wide(part, table) for part, (table, _) in GROWN.items()}


def seal_heads(store: Store, connection: Connection) -> None:
    """Seal the newest line of every chain: by their hashes that seals all before it."""
    lines = durable.lines
    seals = durable.seals
    for budget, opening in connection.execute(select(durable.budgets.c.id, durable.budgets.c.hash)):
        mine = select(lines.c.seq, lines.c.hash).filter_by(budget=budget)
        last = connection.execute(mine.order_by(lines.c.seq.desc()).limit(1)).first()
        place, digest = last or (OPENING, opening)
        store.sealing((budget, place, digest))
    seq, _, digest = audit_log.head(store).partition(":")
    if int(seq) >= 0 and not connection.execute(select(seals).filter_by(chain=audit_log.CHAIN)).first():
        store.sealing((audit_log.CHAIN, int(seq), digest))


def replayed(details: Iterable[Record]) -> dict[tuple[str, str], State]:
    """Return what acts, one after the other, say that everything is."""
    states: dict[tuple[str, str], State] = {}
    for act in details:
        if act.get("of") in KINDS:
            key = act["of"], act["about"]
            states[key] = after(states.get(key, {}), act["now"])
    return {key: state for key, state in states.items() if state}


def all_hold(connection: Connection, seal: Seal, kind: str) -> bool:
    """Return whether everything of a kind is what the sealed acts say, and nothing is missing or was added."""
    mine = SEALED.where(told_acts.c.told.contains(f'"of": "{kind}"', autoescape=True)).order_by(told_acts.c.seq)
    lines = [dict(line) for line in connection.execute(mine).mappings()]
    sound = [json.loads(line["told"]) | {"about": line["about"]} for line in lines if audit_log.sound(line, seal)]
    states = {name: state for (of, name), state in replayed(sound).items() if of == kind}
    return states == {called(kind, row): state_of(kind, row) for row in rows(connection, kind)}


def _row(connection: Connection, kind: str, about: str, who: str) -> Any:
    """Find what an act is about: by its name, or, where a person acts on themselves, by who."""
    table, name = KINDS[kind]
    key = table.c[name] == (int(about[1:]) if kind == "request" else about)
    if kind == "account" and not about:
        key = table.c.id == who
    return next(rows(connection, kind, key), None)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


# Alterations: what an act changed, for people: old and new values side by side.


SECRET = ("password", "factor")
HIDDEN = (*SECRET, "content", *GROWN, "decided_by", "decided")  # on a screen: that it changed


def changed(details: Mapping[str, Any]) -> list[tuple[Phrase, str, str]]:
    """Return what an act changed, for people: a name, the old and the new value."""
    changes = []
    for name, old in details.get("was", {}).items():
        new = details["now"][name]
        if name not in FIELDS or (name in HIDDEN and name not in SECRET):
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            parts = sorted(part for part in old | new if old.get(part) != new.get(part))
            before, after = ({part: side.get(part) for part in parts} for side in (old, new))
            changes.append((FIELDS[name], _plain(before), _plain(after)))
        else:
            hidden = name in HIDDEN
            changes.append((FIELDS[name], "…" if hidden else _plain(old), "…" if hidden else _plain(new)))
    return changes


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(part)}" for name, part in value.items()) or "–"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "–"
    return str(value) if value not in (None, "") else "–"
