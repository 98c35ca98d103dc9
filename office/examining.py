"""Examining: the five layers of evidence are run for a request as it was asked; what they say is sealed on the trail.

No protected row is read and nothing is charged: what is run knows the declaration and the question, and
tables that are generated from them. It takes seconds to minutes, beside the screens, once at a time for a request.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from logging import getLogger
from threading import Lock, Thread
from typing import Any

from sqlalchemy import Connection, select

from discreet.budget.durable import tables as durable
from discreet.budget.durable.seals import Seal
from discreet.lab.program import program
from discreet.lab.proving.question import prove
from discreet.lab.sweeps import Compute, at_once
from discreet.office import acts, proof, registry
from discreet.office.asked import Inquiry, seen_by
from discreet.office.causes import cause
from discreet.office.house import House
from discreet.office.proof import Examination
from discreet.office.relations import acts as trail
from discreet.office.roles import Member, present, require
from discreet.rows.reading import silent
from discreet.rows.turns import Report

ACT = "examined"


def examine(
    house: House, who: Member | None, request: str, report: Report = silent, compute: Compute = at_once
) -> Examination:
    """Run all layers for a request, and put what they say on the trail."""
    require(who, "officer")
    with house.store.reading() as reading:
        present(reading, who, "officer")  # before anything is computed, and again when it is written
    asked = seen_by(house, who, request)
    schema = registry.find(house, asked.dataset, asked.number).registration.schema
    rows = prove(asked.request, schema, report, compute)
    with house.writing() as connection:
        who = present(connection, who, "officer")
        said: dict[str, Any] = {
            "program": program(),
            "code": proof.code(),
            "identity": asked.request.identity,
            "rows": rows,
        }
        house.act(connection, who.id, ACT, f"#{asked.number}", None, **said)
    examination = latest(house, asked)
    assert examination is not None
    return examination


def latest(house: House, asked: Inquiry) -> Examination | None:
    """Return what was last found out about a request; None where nothing was."""
    with house.store.reading() as connection:
        return read(connection, house.seal, asked)


def read(connection: Connection, seal: Seal, asked: Inquiry) -> Examination | None:
    """Return the same in a transaction that is under way: only what was sealed, and is of this very question."""
    sealed = (durable.seals.c.seq == trail.c.seq) & (durable.seals.c.chain == acts.CHAIN)
    mine = select(trail, durable.seals.c.seal).join(durable.seals, sealed)
    lines = connection.execute(mine.filter_by(what=ACT, about=f"#{asked.number}").order_by(trail.c.seq.desc()))
    sound = (line for line in map(dict, lines.mappings()) if acts.sound(line, seal))
    each = (_examination(line) for line in sound)
    return next((examination for examination in each if examination.identity == asked.request.identity), None)


def _examination(line: Mapping[str, Any]) -> Examination:
    said = json.loads(line["told"])
    at = datetime.fromisoformat(line["time"])
    return Examination(at, line["who"], said["program"], said["code"], said["identity"], said["rows"])


class Running:
    """An examination that is under way beside the screens."""

    def __init__(self, work: Callable[[Report], object]) -> None:
        """Begin."""
        self.share, self.failed = 0.0, False
        self._work = work
        self.thread = Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self._work(self._report)
        except Exception as wrong:
            self.failed = True
            getLogger("discreet").error("evidence: %s", cause(wrong))

    def _report(self, share: float) -> None:
        self.share = share


_RUNS: dict[str, Running] = {}
_GUARD = Lock()


def begin(house: House, who: Member | None, request: str, compute: Compute = at_once) -> Running:
    """Run all layers beside the screens; one that is under way goes on."""
    require(who, "officer")
    seen_by(house, who, request)
    with house.store.reading() as connection:
        present(connection, who, "officer")
    with _GUARD:
        run = _RUNS.get(request)
        if run is None or not run.thread.is_alive():
            run = _RUNS[request] = Running(lambda report: examine(house, who, request, report, compute))
        return run


def under_way(request: str) -> Running | None:
    """Return what runs for a request, or was the last that ran in this process."""
    return _RUNS.get(request)
