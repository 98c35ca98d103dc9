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
    record = {name: getattr(release, name) for name in ("id", "answer", "entry", "interval")}
    record |= {"request": plain(release.request), "identity": release.request.identity}
    cost = [release.cost.nano_epsilon, release.cost.delta_units]
    return json.dumps(record | {"cost": cost, "at": release.at.isoformat()})


def release_of(text: str) -> Release:
    """Read it back: the same question and the same answer, to the last bit."""
    record = json.loads(text)
    request: Request = made(record["request"])
    assert request.identity == record["identity"], "a kept question must be the one that was asked"
    return Release(
        record["id"],
        request,
        _tuples(record["answer"]),
        Cost(*record["cost"]),
        record["entry"],
        _tuples(record["interval"]),
        datetime.fromisoformat(record["at"]),
    )


def made(plain_form: Any) -> Any:
    """Make a frozen value again from its plain form."""
    if isinstance(plain_form, list):
        return tuple(made(item) for item in plain_form)
    if not isinstance(plain_form, dict):
        return plain_form
    kind = KNOWN[plain_form["kind"]]
    names = {f.name for f in fields(kind) if f.init}
    return kind(**{name: made(value) for name, value in plain_form.items() if name in names})


def _tuples(thing: Any) -> Any:
    return tuple(_tuples(part) for part in thing) if isinstance(thing, list) else thing


class Kept(str):
    """A release as text that still knows the release: what stays in memory is not read again."""

    release: Release

    def __new__(cls, release: Release) -> Kept:
        """Write a release as text, and remember it."""
        text = super().__new__(cls, text_of(release))
        text.release = release
        return text


def recall(ledger: Ledger, name: str) -> Release | None:
    """Return what was released under a name, by whoever charged it to this ledger."""
    text = ledger.answer(name)
    return None if text is None else _read(text)


def keep(ledger: Ledger, release: Release, taken: bool) -> Release:
    """Settle and keep the answer; the first answer kept is the answer."""
    return _read(ledger.release(release.id, taken, Kept(release)))


def _read(text: str) -> Release:
    return text.release if isinstance(text, Kept) else release_of(text)
