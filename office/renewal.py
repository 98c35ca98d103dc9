"""Renewal: new rows of the same people, and dated notes; neither opens another budget.

A version is for data that come again: the next wave, a corrected file, a table that has grown. All of
its answers are charged to the one ledger of the dataset, whichever version they are of.
Where the policy wants two officers for a version, the second one brings the same file: no rows are kept of
what one officer proposes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from discreet.budget import ParameterError
from discreet.office import declarations, duties, enrolment, imprinting, likeness, registry, versions
from discreet.office.acts import Excerpt, trail
from discreet.office.house import House, writable
from discreet.office.later_bounds import NONE, Later, grown
from discreet.office.registration import VERSION
from discreet.office.registry import Registered
from discreet.office.roles import Member, present, require
from discreet.office.voices import Motion
from discreet.rows.capacity import LOOK
from discreet.rows.files import Layout, recognised
from discreet.rows.imprints import Imprints
from discreet.rows.scanned import Keeping
from discreet.rows.source import LocalSource

FEWEST, LONGEST = 10, 500
PROPOSED = "version proposed"  # on the trail


@dataclass(frozen=True)
class Testimony:
    """What an officer says of rows: what is new, why their people are others; and how they are read.

    `read` is that in the words of whoever proposed them.
    """

    why: str
    apart: str
    read: str
    later: Later


def renew(
    house: House,
    who: Member,
    dataset: str,
    content: bytes,
    why: str,
    layout: Layout | None = None,
    apart: str = "",
    *,
    later: Later = NONE,
) -> Registered | None:
    """Take a new version of the rows into the vault; the next request on is answered from it.

    Return None where it waits for a second officer who brings the same rows, as the policy wants.

    What waits is answered from the rows that it was asked of, so these stay until the data are deleted.
    Rows that are in another dataset come in only with the word why their people are others. Bounds that are
    `later` hold from it on; they take two officers, as whatever is declared later does.
    """
    require(who, "officer")
    with house.store.reading() as reading:
        present(reading, who, "officer")
    data = _open(registry.find(house, dataset))
    source, how, content = enrolment.opened(content, layout or _as_before(data, content))
    registry.dataset_of(source, grown(data.registration.schema, later))  # all declared columns are there
    imprints = imprinting.taken(house, who, source, data.registration)
    mark = house.vault.fingerprint(source.digest)
    read = _as_proposed(duties.pending(house, VERSION, dataset), mark, how, content)
    words = Testimony(why, apart, read, later)
    with house.vault.keeping(content) as place:
        imprinting.keep(house, place, imprints, data.registration)
        rows = {"fingerprint": mark, "content": place, "layout": how}
        if not _brought(house, who, dataset, rows, imprints, words):
            house.vault.delete(place)
            return None
    if house.ahead:
        enrolment.begin(house, dataset)
    return registry.find(house, dataset)


def _brought(
    house: House, who: Member, dataset: str, rows: dict[str, str], imprints: Imprints | None, words: Testimony
) -> bool:
    """Write a version down, or that one officer wants it; return whether it holds."""
    with house.writing(dataset) as connection:
        present(connection, who, "officer")
        stead = duties.may_keep(house, connection, who, dataset)
        enrolment.refuse_known(house, rows["fingerprint"])
        others = likeness.alike_by_rows(house, imprints, dataset)
        likeness.check_word(house, connection, who, others, words.apart)
        why = _said(house, who, "why", " ".join([words.why, *([words.apart] if others else [])]))
        data = _open(registry.find(house, dataset))
        same = {name: rows[name] for name in ("fingerprint", "layout")} | {"after": len(data.versions)}
        wanted = same | {"layout": words.read, "correction": False} | words.later.wanted  # as earlier versions say it
        consent = _agreed(house, connection, who, dataset, wanted, words.later)
        if consent is None:
            act, bounds = (PROPOSED, data.name), words.later.wanted
            duties.propose(house, connection, who, (VERSION, dataset, wanted), act, why=why["why"], **bounds)
            return False
        _follow(house, connection, who, data, rows | why, stead | consent)
        if words.later.ends:
            _go_further(house, connection, who, data, words.later, stead)
    return True


def _agreed(
    house: House, connection: Connection, who: Member, dataset: str, wanted: dict[str, Any], later: Later
) -> dict[str, Any] | None:
    """Return what the trail says of a version that holds now; None where a second officer has to want the same."""
    if later.ends:
        return duties.agreed(house, connection, who, "officer", (VERSION, dataset, wanted))
    return duties.agreed_act(house, connection, who, dataset, VERSION, wanted)


def _go_further(
    house: House, connection: Connection, who: Member, data: Registered, later: Later, more: dict[str, Any]
) -> None:
    """Write down the bounds that hold from the new version on, as an extension of the declaration."""
    said = replace(data.registration, schema=grown(data.registration.schema, later))
    values = {"body": said.schema.to_json(), "by": who.id, "at": house.now.isoformat(timespec="seconds")}
    before = registry.row_in(connection, data.id)["declarations"]
    lines = declarations.follow(connection, before, data.id, values)
    frozen = sha256(said.to_json().encode()).hexdigest()
    more = {"registration": frozen, "since": lines[-1]["since"]} | later.wanted | more
    house.act(connection, who.id, "extended", data.name, {"declarations": lines}, **more)


def _as_before(data: Registered, content: bytes) -> Layout | None:
    """Return how a file is read where nobody says it: as the rows before it, if it is a file of the same kind."""
    before = data.registration.schema.layout or data.versions[-1].layout
    return before if before is not None and before.format == recognised(content[:LOOK]).name else None


def _as_proposed(motion: Motion | None, mark: str, how: str, content: bytes) -> str:
    """Return how a file is read in the words of who proposed it, if these say the same of this file.

    Earlier versions of this program said less: no number of columns, and not which sheet was read.
    """
    before = motion.wanted if motion is not None else {}
    if before.get("fingerprint") != mark or before["layout"] == how:
        return how
    said = Layout(**json.loads(before["layout"]))
    read = LocalSource(content, said, keeping=Keeping(again=True)).layout or said
    return str(before["layout"]) if enrolment.written(read) == how else how


def _follow(
    house: House, connection: Connection, who: Member, data: Registered, values: dict[str, Any], agreed: dict[str, Any]
) -> None:
    """Write down a version of data that are open still."""
    row = registry.row_in(connection, data.id)
    lines = versions.follow(connection, row, values)
    more = {name: lines[-1][name] for name in ("version", "since")} | agreed
    house.act(connection, who.id, "renewed rows", data.name, {"versions": lines}, **more)


def note(house: House, who: Member, dataset: str, text: str) -> None:
    """Add a dated note to what was said of a dataset: every card shows it from now on."""
    require(who, "officer")
    with house.writing(dataset) as connection:
        present(connection, who, "officer")
        stead = duties.may_keep(house, connection, who, dataset)
        data, row = registry.find(house, dataset), registry.row_in(connection, dataset)
        lines = versions.note(connection, row, _said(house, who, "text", text))
        house.act(connection, who.id, "noted", data.name, {"errata": lines}, **stead)


def proposed(house: House, data: Registered) -> str:
    """Return what was said of the version that an officer proposed last."""
    sieve = Excerpt(about=data.name, what=(PROPOSED,))
    return next((str(act.details["why"]) for act in trail(house.store, 1, sieve)), "")


def _open(data: Registered) -> Registered:
    """Refuse closed data, and those that are read anew for every answer."""
    data.check_open()
    if data.remote:
        raise ParameterError(
            "These rows are read where they are for every answer, as they are then. They need no versions."
        )
    return data


def _said(house: House, who: Member, field: str, text: str) -> dict[str, str]:
    """Return what an officer writes about a dataset, by whom and when."""
    words = " ".join(writable(text).split())
    if not FEWEST <= len(words) <= LONGEST:
        raise ParameterError("Say what is new in {fewest} to {most} characters.", fewest=FEWEST, most=LONGEST)
    return {field: words, "by": who.id, "at": house.now.isoformat(timespec="seconds")}
