"""Renewal: new rows of the same people, and dated notes; neither opens another budget.

A version is for data that come again: the next wave, a corrected file, a table that has grown. All of
its answers are charged to the one ledger of the dataset, whichever version they are of. Where each wave is
a budget of its own, a version is a new wave, or a correction that spends of what is left of the newest one.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from discreet.budget import ParameterError
from discreet.office import duties, enrolment, imprinting, likeness, overlaps, registry, versions
from discreet.office.house import House, writable
from discreet.office.registry import Registered
from discreet.office.roles import Member, present, require
from discreet.rows.files import Layout
from discreet.rows.imprints import Imprints

FEWEST, LONGEST = 10, 500


def renew(
    house: House,
    who: Member,
    dataset: str,
    content: bytes,
    why: str,
    layout: Layout | None = None,
    apart: str = "",
    *,
    correction: bool = False,
    own: str = "",
) -> Registered:
    """Take a new version of the rows into the vault; the next request on is answered from it.

    What waits is answered from the rows that it was asked of, so these stay until the data are deleted.
    Rows that are in another dataset come in only with the word why their people are others. Where each
    wave is a budget of its own, a `correction` is of the newest wave, and rows of another wave come in
    only with the word why they are this wave's `own`, too.
    """
    require(who, "officer")
    with house.store.reading() as reading:
        present(reading, who, "officer")
    said = _open(registry.find(house, dataset)).registration
    source, how, content = enrolment.opened(content, layout)
    registry.dataset_of(source, said.schema)  # all declared columns are there
    imprints = imprinting.taken(house, source, said)
    mark = house.vault.fingerprint(source.digest)
    with house.vault.keeping(content) as place, house.writing(dataset) as connection:
        present(connection, who, "officer")
        stead = duties.may_keep(house, connection, who, dataset)
        enrolment.refuse_known(house, mark)
        wave, more = _wave(house, dataset, imprints, correction, own)
        words = f"{_others(house, dataset, imprints, why, apart)} {more}"
        imprinting.keep(house, place, imprints, said)
        values = {"fingerprint": mark, "content": place, "layout": how} | wave | _said(house, who, "why", words)
        _follow(house, connection, who, dataset, values, stead)
    if house.ahead:
        enrolment.begin(house, dataset)
    return registry.find(house, dataset)


def _wave(
    house: House, dataset: str, imprints: Imprints | None, correction: bool, own: str
) -> tuple[dict[str, Any], str]:
    """Return the wave that rows belong to where it is kept, and what was said of rows that it repeats."""
    data = registry.find(house, dataset)
    wave = overlaps.wave_of(data, correction)
    return ({}, "") if wave is None else ({"wave": wave}, overlaps.check(house, data, imprints, wave, own))


def _others(house: House, dataset: str, imprints: Imprints | None, why: str, apart: str) -> str:
    """Refuse rows of another dataset until somebody says why their people are others; return all that was said."""
    others = likeness.alike_by_rows(house, imprints, dataset)
    likeness.check(others, apart)
    return f"{why} {apart}" if others else why


def _follow(
    house: House, connection: Connection, who: Member, dataset: str, values: dict[str, Any], stead: dict[str, Any]
) -> None:
    """Write down a version of data that are open still."""
    data, row = _open(registry.find(house, dataset)), registry.row_in(connection, dataset)
    lines = versions.follow(connection, row, values)
    more = {name: lines[-1][name] for name in ("version", "since", "wave") if name in lines[-1]} | stead
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


def _open(data: Registered) -> Registered:
    """Refuse closed data, and those that are read anew for every answer."""
    if data.state != "open":
        raise ParameterError("These data are closed: nothing more can be asked.")
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
