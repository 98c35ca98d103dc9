"""Two persons: the first of two counts only by what they said: a sealed act of the same wish, and nothing since.

What waits for a second person is a row that the database's own role can write. So it is compared with the trail
whenever it is looked at, and a verification looks for the act behind every first of two, and behind every row.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, delete, insert, select

from discreet.budget import Phrase
from discreet.office.house import acts, audit_log
from discreet.office.house.acts import Act
from discreet.office.house.failures import WEEK
from discreet.office.house.roles import ADMINISTRATOR, OFFICER, Member
from discreet.office.house.tables import datasets, motions, people, requests
from discreet.office.rules.visit import Visit

POLICY = "policy"
ROLE_CHANGE = "roles"
APPROVAL = "approval"  # of a request: each officer has a checklist of their own, and it waits as long as the request
VOICE = "voice"  # on the trail: the digest of the wish, its person and the officer they substitute for
EVERY = acts.EVERY.values()
# by kind of wish: the acts that state it, and the one that fulfils it
SAID: Mapping[str, tuple[str, ...]] = {
    kind: tuple(act.name for act in EVERY if act.wants == kind)
    for kind in dict.fromkeys(act.wants for act in EVERY if act.wants)
}
DONE: Mapping[str, str] = {act.fulfils: act.name for act in EVERY if act.fulfils}
KIND_OF = {act.name: kind for act in EVERY if (kind := act.wants or act.fulfils or act.ends)}
LET_GO = acts.those(lambda act: act is acts.DROPPED or act.ends == APPROVAL)
Line = Mapping[str, Any]


@dataclass(frozen=True)
class Wish:
    """A change that takes two people: its kind, its object, and the wanted value."""

    kind: str
    about: str
    wanted: Any

    @property
    def role(self) -> str:
        """The role of both who have to want it."""
        return ADMINISTRATOR if self.kind == ROLE_CHANGE else OFFICER

    def agrees(self, motion: Motion) -> bool:
        """Return whether the other person wants exactly the same; approvals are of one request, which never changes."""
        return self.kind == APPROVAL or motion.body == body_of(self.wanted)


@dataclass(frozen=True)
class Motion:
    """What one person wants, and a second one has to want as well."""

    id: str
    kind: str
    about: str
    body: str
    by: str
    stead: str = ""
    until: float | None = None  # an approval has no end of its own

    @property
    def voices(self) -> frozenset[str]:
        """The voices it has already: its author's, and that of the officer they substitute for."""
        return frozenset({self.by, self.stead} - {""})

    @property
    def wanted(self) -> Any:
        """What is wanted, in parts."""
        return json.loads(self.body)

    @property
    def voice(self) -> str:
        """The digest that its act contains."""
        return voice(vars(self))

    def told(self, first: str) -> dict[str, Any]:
        """Return what the trail says of it once a second person wants it, too."""
        return {"first": first} | ({"first_checklist": self.wanted} if self.kind == APPROVAL else {VOICE: self.voice})


def body_of(wanted: Any) -> str:
    """Write down what is wanted: the same is the same text."""
    return json.dumps(wanted, sort_keys=True)


def on_trail(stead: Member | None) -> dict[str, Any]:
    """Return how the audit log names the officer for whom a substitute acts."""
    return {} if stead is None else {"for": stead.login}


def write(visit: Visit, stead: Member | None, wish: Wish, act: tuple[Act, str], details: Line) -> None:
    """Write down a wish, in the place of the one before, with its act: without that it counts for nothing.

    `act` is how the trail calls it, and what it is about there.
    """
    forget(visit, wish)
    row = {"id": uuid4().hex, "kind": wish.kind, "about": wish.about, "body": body_of(wish.wanted)}
    row |= {"by": visit.who.id, "stead": "" if stead is None else stead.id}
    until = None if wish.kind == APPROVAL else visit.house.clock() + WEEK
    visit.connection.execute(insert(motions).values(**row, until=until))
    done, name = act
    more = {} if wish.kind == APPROVAL else {VOICE: voice(row)}
    visit.act(done, name, None, **details, **on_trail(stead), **more)


def forget(visit: Visit, wish: Wish) -> None:
    """Let what was proposed go: something else holds now."""
    visit.connection.execute(delete(motions).filter_by(kind=wish.kind, about=wish.about))
    visit.motions.pop((wish.kind, wish.about), None)


def standing(visit: Visit, kind: str, about: str) -> Motion | None:
    """Return what waits for a second person; what is older than a week, or is not known to be said, is nothing."""
    if (kind, about) not in visit.motions:
        visit.motions[kind, about] = _standing(visit, kind, about)
    motion: Motion | None = visit.motions[kind, about]
    return motion


def _standing(visit: Visit, kind: str, about: str) -> Motion | None:
    same = select(motions).filter_by(kind=kind, about=about)
    row = dict(visit.connection.execute(same).mappings().first() or {})
    if not row or _late(row, row["until"], visit.house.clock()) or not heard(visit, row):
        return None
    return Motion(**row)


def _late(row: Line, end: float | None, now: float) -> bool:
    """Return whether a wish has ended; an approval waits as long as its request."""
    return row["kind"] != APPROVAL and (end is None or end <= now)


def voice(row: Line) -> str:
    """Return the digest of a wish, as its act contains it."""
    parts = [row[part] for part in ("kind", "about", "body", "by", "stead")]
    return sha256(json.dumps(parts).encode()).hexdigest()


def heard(visit: Visit, row: Line) -> bool:
    """Return whether a wish is what its person said last about its matter, in the last week, as sealed acts say."""
    kind = row["kind"]
    last_words = (*SAID.get(kind, ()), *([DONE[kind]] if kind in DONE else []), *LET_GO)
    about = _called(visit.connection, kind, row["about"])
    for line in reversed(visit.trail.about(about) if about else ()):
        told = json.loads(line["told"])
        other = line["what"] == acts.DROPPED.name and told.get("kind", kind) != kind
        if other or line["what"] not in last_words or not line["seal"]:
            continue
        late = _late(row, audit_log.moment(line["time"]) + WEEK, visit.house.clock())
        return not late and _says(visit.connection, line, row) and audit_log.sound(line, visit.house.seal)
    return False


def strange(connection: Connection, trail: Iterable[Line]) -> Iterator[Phrase]:
    """Yield wishes without an act that states them: of a first of two on the trail, and of what waits for a second."""
    lines = [line for line in trail if line["what"] in KIND_OF]
    ids = {row.login: row.id for row in connection.execute(select(people.c.id, people.c.login))}
    last: dict[tuple[str, str], Line] = {}
    for line in lines:
        place = (KIND_OF[line["what"]], line["about"])
        told = json.loads(line["told"])
        if line["what"] in SAID[place[0]]:
            last[place] = line
            continue
        before = last.pop(place, None)
        if "first" in told and not _second(before, line, told, ids):
            yield Phrase(
                "Entry {number} names {name} as the first of two people, but no earlier entry records their consent.",
                number=line["seq"],
                name=told["first"],
            )
    yield from _rows(connection, lines)


def _second(before: Line | None, line: Line, told: Line, ids: Mapping[str, str]) -> bool:
    """Return whether an act follows that of its named first person, about the same, and is another person's."""
    if before is None or before["who"] != ids.get(told["first"]) or line["who"] == before["who"]:
        return False
    said = json.loads(before["told"])
    if before["what"] == acts.APPROVED_FIRST.name:
        return bool((said["request"], said["checklist"]) == (told["request"], told["first_checklist"]))
    return VOICE not in said or bool(said[VOICE] == told.get(VOICE))


def _rows(connection: Connection, lines: list[Line]) -> Iterator[Phrase]:
    """Yield what waits for a second person without an act that states it."""
    for row in map(dict, connection.execute(select(motions)).mappings()):
        name = _called(connection, row["kind"], row["about"])
        if any(line["about"] == name and _says(connection, line, row) for line in lines):
            continue
        if row["kind"] == APPROVAL:
            number = name.removeprefix("#")
            yield Phrase(
                "The audit log does not contain the first of two approvals of request #{number}.", number=number
            )
        else:
            yield Phrase(
                "A change to {name} is waiting for a second person, but the audit log does not show who proposed it.",
                name=name or row["about"],
            )


def _says(connection: Connection, line: Line, row: Line) -> bool:
    """Return whether an act states a wish; in earlier versions it has no digest yet, and often no details."""
    told = json.loads(line["told"])
    if line["what"] not in SAID.get(row["kind"], ()) or line["who"] != row["by"]:
        return False
    if VOICE in told:
        return bool(told[VOICE] == voice(row))
    body = json.loads(row["body"])
    wanted = {POLICY: told.get("policy"), ROLE_CHANGE: {"roles": told.get("roles"), "active": told.get("active", True)}}
    if row["kind"] == APPROVAL:
        wanted[APPROVAL] = told.get("checklist")
        if told.get("request") != row["about"]:
            return False
    stead = _called(connection, ROLE_CHANGE, row["stead"]) if row["stead"] else ""
    return bool(told.get("for", "") == stead and wanted.get(row["kind"], body) == body)


def _called(connection: Connection, kind: str, matter: str) -> str:
    """Return what acts call a matter of a kind, by its id; nothing where it is not there."""
    columns = {APPROVAL: (requests.c.id, requests.c.number), ROLE_CHANGE: (people.c.id, people.c.login)}
    key, name = columns.get(kind, (datasets.c.id, datasets.c.name))
    value = connection.execute(select(name).where(key == matter)).scalar_one_or_none()
    if value is None:
        return ""
    return f"#{value}" if kind == APPROVAL else str(value)
