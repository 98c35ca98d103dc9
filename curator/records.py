"""Records: the one moment in which a drawn answer becomes a released one, and where it is kept.

A ledger settles and keeps the answer in one step: a crash leaves all of it or nothing, and the
first answer is the answer.
"""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import datetime
from typing import Any

from discreet.budget import Cost, Ledger
from discreet.curator.released import Release
from discreet.curator.request import Request, plain
from discreet.mechanisms import registry as mechanisms
from discreet.queries import Relation
from discreet.queries import registry as statistics
from discreet.queries.scores import Bins
from discreet.rows.filters import Filter

KNOWN: dict[str, type[Any]] = {
    kind.__name__: kind for kind in (Request, Filter, Relation, Bins, *mechanisms.values(), *statistics.values())
}


def text_of(release: Release) -> str:
    """Write a release as text."""
    told = {name: getattr(release, name) for name in ("id", "answer", "entry", "interval")}
    told |= {"request": plain(release.request), "identity": release.request.identity}
    cost = [release.cost.nano_epsilon, release.cost.delta_units]
    return json.dumps(told | {"cost": cost, "at": release.at.isoformat()})


def release_of(text: str) -> Release:
    """Read it back: the same question and the same answer, to the last bit."""
    told = json.loads(text)
    request: Request = made(told["request"])
    assert request.identity == told["identity"], "a kept question must be the one that was asked"
    return Release(
        told["id"],
        request,
        _tuples(told["answer"]),
        Cost(*told["cost"]),
        told["entry"],
        _tuples(told["interval"]),
        datetime.fromisoformat(told["at"]),
    )


def made(told: Any) -> Any:
    """Make a frozen value again from its plain form."""
    if isinstance(told, list):
        return tuple(made(item) for item in told)
    if not isinstance(told, dict):
        return told
    kind = KNOWN[told["kind"]]
    names = {f.name for f in fields(kind) if f.init}
    return kind(**{name: made(value) for name, value in told.items() if name in names})


def _tuples(thing: Any) -> Any:
    return tuple(_tuples(part) for part in thing) if isinstance(thing, list) else thing


class Kept(str):
    """A release as text that still knows the release: what stays in memory is not read again."""

    release: Release

    def __new__(cls, release: Release) -> Kept:
        """Write a release as text, and remember it."""
        kept = super().__new__(cls, text_of(release))
        kept.release = release
        return kept


def recall(ledger: Ledger, name: str) -> Release | None:
    """Return what was released under a name, by whoever charged it to this ledger."""
    found = ledger.answer(name)
    return None if found is None else _read(found)


def keep(ledger: Ledger, release: Release, taken: bool) -> Release:
    """Settle and keep the answer; the first answer kept is the answer."""
    return _read(ledger.release(release.id, taken, Kept(release)))


def _read(text: str) -> Release:
    return text.release if isinstance(text, Kept) else release_of(text)
