"""Replay: what the acts say that accounts, datasets and requests are; the tables only repeat it.

An act that changes something carries what it is `of`, the values that are `now`, and those that
`was` before. Told one after the other they are everything that may stand in the tables: whatever
else stands there was written by hand. Of a password, and of a second factor,
the trail knows a digest of what stands there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Select, Table, select

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
GONE = "gone"  # of a dataset of which nothing was asked: nothing stands in the tables any more
OTHERWISE = Phrase("The database wrote something else than was said. Nothing was done: tell whoever keeps the server.")
Told = dict[str, Any]
State = dict[str, Any]


def noted(
    connection: Connection, seal: Seal, act: Act, about: str, who: str, details: Told, meant: Mapping[str, Any]
) -> tuple[str, Told] | None:
    """Return what an act is about, and what it tells with the old and new values.

    What stands in the row must be what was `meant`: a trigger that somebody added to the database
    would otherwise have its own values sealed. None says that somebody saved what was there
    already: nothing happened.
    """
    kind = act.of
    if act is acts.SIGNED_IN and details.get("openid"):  # a provider's word made the account
        kind = "account"
    row = _row(connection, kind, about, who) if kind else None
    if row is None:
        return about, details
    assert meant, act.name
    if any(row[name] != value for name, value in meant.items()):
        raise ParameterError(OTHERWISE)
    about = called(kind, row)
    state = state_of(kind, row)
    before = said(connection, seal, kind, about)
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
    """Return a row as acts tell it."""
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


def said(connection: Connection, seal: Seal, kind: str, about: str) -> State:
    """Return what the sealed acts say that something is; empty if they do not know it."""
    mine: Select[Any] = (
        select(told_acts, durable.seals.c.seal)
        .join(durable.seals, (durable.seals.c.seq == told_acts.c.seq) & (durable.seals.c.chain == audit_log.CHAIN))
        .where(told_acts.c.about == about)
        .order_by(told_acts.c.seq)
    )
    state: State = {}
    for line in map(dict, connection.execute(mine).mappings()):
        details = json.loads(line["told"])
        if details.get("of") == kind and audit_log.sound(line, seal):
            state = after(state, details["now"])
    return state


def after(state: State, now: State) -> State:
    """Return what something is after an act about it; a name that is free again may begin anew."""
    return {} if GONE in now else began(now) if "digest" in now else state | now


def sealed(connection: Connection, seal: Seal, act: Act) -> list[Told]:
    """Return what the sealed acts of a kind tell."""
    joined = (durable.seals.c.seq == told_acts.c.seq) & (durable.seals.c.chain == audit_log.CHAIN)
    lines = connection.execute(
        select(told_acts, durable.seals.c.seal).join(durable.seals, joined).filter_by(what=act.name)
    )
    return [json.loads(line["told"]) for line in map(dict, lines.mappings()) if audit_log.sound(line, seal)]


def began(now: State) -> State:
    """Return what an act says; where a dataset begins, nothing followed yet, and an account has no second factor."""
    if "digest" not in now:
        return now
    first: State = {part: [] for part in GROWN} if "policy" in now else {"factor": ""} if "password" in now else {}
    return first | now


def checked_places(connection: Connection, seal: Seal, row: Mapping[str, Any]) -> list[str]:
    """Return where the rows of all versions lie that are to be deleted; the sealed acts must say the same."""
    if not same(connection, seal, row, "content", "versions"):
        raise ParameterError(
            "The trail knows another place of these rows, so nothing was deleted. Verify the "
            "office, and mend what it names."
        )
    return contents(row)


def holds(connection: Connection, seal: Seal, kind: str, row: Mapping[str, Any]) -> bool:
    """Say whether something is as the sealed acts about it say."""
    return said(connection, seal, kind, called(kind, row)) == state_of(kind, row)


def stands(store: Store, request: str) -> bool:
    """Say whether a request is as the acts about it say: its hash, verdict and checklist."""
    assert store.seal is not None
    with store.reading() as connection:
        row = dict(connection.execute(select(requests).filter_by(id=request)).mappings().one())
        data = next(rows(connection, "dataset", datasets.c.id == row["dataset"]))
        return agrees(connection, store.seal, row, data)


def agrees(connection: Connection, seal: Seal, row: Mapping[str, Any], data: Mapping[str, Any]) -> bool:
    """Say whether a request, and what was declared of its dataset, are what the sealed acts about them say."""
    return holds(connection, seal, "request", row) and described(connection, seal, data)


def described(connection: Connection, seal: Seal, row: Mapping[str, Any]) -> bool:
    """Say whether a dataset was registered, extended and renewed as the sealed acts say."""
    return same(connection, seal, row, "digest", *GROWN)


def same(connection: Connection, seal: Seal, row: Mapping[str, Any], *parts: str) -> bool:
    """Say whether parts of a dataset are what the sealed acts say."""
    before = said(connection, seal, "dataset", row["name"])
    state = state_of("dataset", row)
    return all(before.get(part) == state[part] for part in parts)


def everything(connection: Connection) -> Iterator[tuple[str, Told]]:
    """Yield what stands in the tables, as acts would tell it: where no act has told it yet."""
    for kind in KINDS:
        for row in list(rows(connection, kind)):
            yield called(kind, row), {"of": kind, "now": state_of(kind, row)}


def rows(connection: Connection, kind: str, *where: Any) -> Iterator[dict[str, Any]]:
    """Yield rows of a table, a dataset with all that follows it."""
    every = [dict(row) for row in connection.execute(select(KINDS[kind][0]).where(*where)).mappings()]
    by_id = {row["id"]: row | {part: [] for part in GROWN} for row in every} if kind == "dataset" else {}
    for part, (table, order) in GROWN.items() if by_id else ():
        mine = table.c.dataset.in_(by_id) if len(by_id) > 1 else table.c.dataset == next(iter(by_id))  # cheaper
        for line in connection.execute(select(table).where(mine).order_by(table.c[order])).mappings():
            by_id[line["dataset"]][part].append({name: value for name, value in line.items() if value is not None})
    yield from by_id.values() if kind == "dataset" else every


def seal_heads(store: Store, connection: Connection) -> None:
    """Seal the newest line of every chain: by their hashes that seals all before it."""
    lines = durable.lines
    seals = durable.seals
    for budget, opening in connection.execute(select(durable.budgets.c.id, durable.budgets.c.hash)):
        mine = select(lines.c.seq, lines.c.hash).filter_by(budget=budget)
        last = connection.execute(mine.order_by(lines.c.seq.desc()).limit(1)).first()
        store.sealing(connection, budget, *(last or (OPENING, opening)))
    seq, _, digest = audit_log.head(store).partition(":")
    if int(seq) >= 0 and not connection.execute(select(seals).filter_by(chain=audit_log.CHAIN)).first():
        store.sealing(connection, audit_log.CHAIN, int(seq), digest)


def replayed(details: Iterable[Told]) -> dict[tuple[str, str], State]:
    """Return what acts, one after the other, say that everything is."""
    states: dict[tuple[str, str], State] = {}
    for act in details:
        if act.get("of") in KINDS:
            key = act["of"], act["about"]
            states[key] = after(states.get(key, {}), act["now"])
    return {key: state for key, state in states.items() if state}


def all_hold(connection: Connection, seal: Seal, kind: str) -> bool:
    """Say whether everything of a kind is what the sealed acts say, and nothing is missing or was added."""
    sealed = (durable.seals.c.seq == told_acts.c.seq) & (durable.seals.c.chain == audit_log.CHAIN)
    every: Select[Any] = select(told_acts, durable.seals.c.seal).join(durable.seals, sealed)
    mine = every.where(told_acts.c.told.contains(f'"of": "{kind}"', autoescape=True)).order_by(told_acts.c.seq)
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
