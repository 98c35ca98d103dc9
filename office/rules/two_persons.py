"""Voices: the first of two persons counts only by what they said: a sealed act of the same wish, and nothing since.

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
from discreet.budget.durable.store import Seal, seals
from discreet.office.house import acts, audit_log
from discreet.office.house.acts import Act
from discreet.office.house.failures import WEEK
from discreet.office.house.house import House
from discreet.office.house.roles import Member
from discreet.office.house.tables import acts as told_acts
from discreet.office.house.tables import approvals, datasets, people, proposals, requests

VOICE = "voice"  # on the trail: the digest of what is wanted, by whom and in whose stead
EVERY = acts.EVERY.values()
# by kind of what is wanted: the acts with which somebody wants it, and the one that fulfils it
SAID: Mapping[str, tuple[str, ...]] = {
    kind: tuple(act.name for act in EVERY if act.wants == kind)
    for kind in dict.fromkeys(act.wants for act in EVERY if act.wants)
}
DONE: Mapping[str, str] = {act.fulfils: act.name for act in EVERY if act.fulfils}
KIND_OF = {act.name: kind for act in EVERY if (kind := act.wants or act.fulfils or act.ends)}
LET_GO = acts.those(lambda act: act is acts.DROPPED or act.ends == "approval")
Line = Mapping[str, Any]


@dataclass(frozen=True)
class Motion:
    """What one person wants, and a second one has to want as well."""

    id: str
    kind: str
    about: str
    body: str
    by: str
    stead: str = ""

    @property
    def voices(self) -> frozenset[str]:
        """Whose voices it has already: that of whoever wants it, and of whoever they stand in for."""
        return frozenset({self.by, self.stead} - {""})

    @property
    def wanted(self) -> Any:
        """What is wanted, in parts."""
        return json.loads(self.body)

    @property
    def voice(self) -> str:
        """The digest by which its act tells it."""
        return voice(vars(self))


def body_of(wanted: Any) -> str:
    """Write down what is wanted: the same is the same text."""
    return json.dumps(wanted, sort_keys=True)


def write(
    house: House,
    connection: Connection,
    who: Member,
    stead: Member | None,
    wish: tuple[str, str, str],
    act: tuple[Act, str],
    details: Line,
) -> None:
    """Write down a wish, in the place of the one before, with its act: without that it counts for nothing.

    A wish is its kind, what it is about, and its body; `act` is how the trail calls it, and what it is about there.
    """
    kind, about, body = wish
    forget(connection, kind, about)
    row = {"id": uuid4().hex, "kind": kind, "about": about, "body": body, "by": who.id}
    row["stead"] = "" if stead is None else stead.id
    connection.execute(insert(proposals).values(**row, until=house.clock() + WEEK))
    what, name = act
    more = {**details, **({} if stead is None else {"for": stead.login}), VOICE: voice(row)}
    house.act(connection, who.id, what, name, None, **more)


def forget(connection: Connection, kind: str, about: str) -> None:
    """Let what was proposed go: something else holds now."""
    connection.execute(delete(proposals).filter_by(kind=kind, about=about))


def standing(house: House, connection: Connection, kind: str, about: str) -> Motion | None:
    """Return what waits for a second person; what is older than a week, or is not known to be said, is nothing."""
    same = select(proposals).filter_by(kind=kind, about=about)
    row = connection.execute(same.where(proposals.c.until > house.clock())).mappings().first()
    if row is None or not heard(connection, house.seal, dict(row), house.clock() - WEEK):
        return None
    return Motion(row["id"], row["kind"], row["about"], row["body"], row["by"], row["stead"])


def voice(row: Line) -> str:
    """Return the digest of a wish, as its act tells it."""
    parts = [row[part] for part in ("kind", "about", "body", "by", "stead")]
    return sha256(json.dumps(parts).encode()).hexdigest()


def heard(connection: Connection, seal: Seal, row: Line, since: float) -> bool:
    """Say whether a wish is what its person said last about its matter, and not before a time, as sealed acts say."""
    kind = row["kind"]
    about = _names(connection, kind).get(row["about"], "") if kind in SAID else ""
    for line in _newest(connection, about, kind):
        told = json.loads(line["told"])
        if line["what"] == acts.DROPPED.name and told.get("kind", kind) != kind:
            continue
        late = audit_log.moment(line["time"]) <= since
        return not late and _says(connection, line, row) and audit_log.sound(line, seal)
    return False


def approved(connection: Connection, seal: Seal, row: Line) -> bool:
    """Say whether a first approval is the one that its officer gave, as the sealed trail knows it."""
    number = connection.execute(select(requests.c.number).filter_by(id=row["request"])).scalar_one_or_none()
    line = next(_newest(connection, f"#{number}", "approval"), None)
    return line is not None and _approves(connection, line, row) and audit_log.sound(line, seal)


def strange(connection: Connection, trail: Iterable[Line]) -> Iterator[Phrase]:
    """Yield what nobody is known to have said: a first of two on the trail, and what waits for a second."""
    lines = [line for line in trail if line["what"] in KIND_OF]
    ids = {login: person for person, login in _names(connection, "roles").items()}
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
                "Act {number} names {name} as the first of two, and the trail knows no such word before it.",
                number=line["seq"],
                name=told["first"],
            )
    yield from _rows(connection, lines)


def _second(before: Line | None, line: Line, told: Line, ids: Mapping[str, str]) -> bool:
    """Say whether an act follows the word of whom it names, about the same, and is of somebody else."""
    if before is None or before["who"] != ids.get(told["first"]) or line["who"] == before["who"]:
        return False
    said = json.loads(before["told"])
    if before["what"] == acts.APPROVED_FIRST.name:
        return bool((said["request"], said["checklist"]) == (told["request"], told["first_checklist"]))
    return VOICE not in said or bool(said[VOICE] == told.get(VOICE))


def _rows(connection: Connection, lines: list[Line]) -> Iterator[Phrase]:
    """Yield what waits for a second person, and no act tells of."""
    for row in map(dict, connection.execute(select(proposals)).mappings()):
        name = _names(connection, row["kind"]).get(row["about"], row["about"])
        if not any(line["about"] == name and _says(connection, line, row) for line in lines):
            yield Phrase(
                "Something about {name} waits for a second person, and the trail does not know who wanted it.",
                name=name,
            )
    numbers = {row.id: row.number for row in connection.execute(select(requests.c.id, requests.c.number))}
    for row in map(dict, connection.execute(select(approvals)).mappings()):
        number = numbers.get(row["request"], "")
        mine = [line for line in lines if line["about"] == f"#{number}" and line["what"] == acts.APPROVED_FIRST.name]
        if not any(_approves(connection, line, row) for line in mine):
            yield Phrase("The trail does not know the first of two approvals of request #{number}.", number=number)


def _newest(connection: Connection, about: str, kind: str) -> Iterator[Line]:
    """Yield the acts that say the last word about a matter, newest first, each with its seal."""
    words = (*SAID.get(kind, ()), *([DONE[kind]] if kind in DONE else []), *LET_GO)
    sealed = (seals.c.seq == told_acts.c.seq) & (seals.c.chain == audit_log.CHAIN)
    mine = select(told_acts, seals.c.seal).join(seals, sealed)
    mine = mine.where(told_acts.c.about == about, told_acts.c.what.in_(words)).order_by(told_acts.c.seq.desc())
    yield from map(dict, connection.execute(mine).mappings())


def _says(connection: Connection, line: Line, row: Line) -> bool:
    """Say whether an act tells of a wish; what an earlier version told of it had no digest yet, and often no words."""
    told = json.loads(line["told"])
    if line["what"] not in SAID.get(row["kind"], ()) or line["who"] != row["by"]:
        return False
    if VOICE in told:
        return bool(told[VOICE] == voice(row))
    wanted = {"policy": told.get("policy")}
    body = json.loads(row["body"])
    wanted["roles"] = {"roles": told.get("roles"), "active": told.get("active", True)}
    stead = _names(connection, "roles").get(row["stead"], "")
    return bool(told.get("for", "") == stead and wanted.get(row["kind"], body) == body)


def _approves(connection: Connection, line: Line, row: Line) -> bool:
    told = json.loads(line["told"])
    stead = _names(connection, "roles").get(row["stead"], "")
    said = (line["what"], line["who"], told.get("request"), told.get("checklist"), told.get("for", ""))
    return bool(said == (acts.APPROVED_FIRST.name, row["by"], row["request"], json.loads(row["checklist"]), stead))


def _names(connection: Connection, kind: str) -> dict[str, str]:
    """Return what acts call the matters of a kind, by their ids."""
    if kind == "roles":
        rows = connection.execute(select(people.c.id, people.c.login))
        return {row.id: row.login for row in rows}
    return {row.id: row.name for row in connection.execute(select(datasets.c.id, datasets.c.name))}
