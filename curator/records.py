"""Records: where a drawn answer becomes a released one, and how it is stored and read back.

A ledger settles the charge and stores the answer in one step: a crash leaves all of it or nothing, and the first stored
answer is final.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields
from datetime import datetime
from functools import lru_cache
from typing import Any

from discreet.budget import Cost, Ledger
from discreet.budget.errors import ParameterError
from discreet.budget.plugins import PLUGINS, name_of_kind
from discreet.curator.plan import Answers, FixedPlan
from discreet.curator.request import Request, plain
from discreet.curator.result import Release
from discreet.mechanisms import former
from discreet.mechanisms import registry as mechanisms
from discreet.mechanisms.base.refining import Behind
from discreet.queries import Relation
from discreet.queries import registry as statistics
from discreet.queries.column import Bins, HowRead
from discreet.rows.columns.grouping import DERIVED
from discreet.rows.filters import Either, Filter

KINDS = (Request, FixedPlan, Filter, Either, *DERIVED, Relation, Bins, HowRead)
Shown = Release | Answers
PLAN = '{"plan": '  # the first characters of a plan's record, and of no other record


def text_of(release: Shown) -> str:
    """Serialise a release: one answer, or all answers of a plan in one record."""
    if isinstance(release, Answers):
        rows = [text_of(row) for row in release.releases]
        cost = [release.cost.nano_epsilon, release.cost.delta_units]
        record = {"plan": plain(release.plan), "id": release.id, "identity": release.plan.identity, "rows": rows}
        record["proof"] = str(release.plan.total.proof)
        return json.dumps(record | {"entry": release.entry, "cost": cost, "at": release.at.isoformat()})
    record = {name: getattr(release, name) for name in ("id", "answer", "entry", "interval")}
    record |= {name: value for name in ("size", "refines") if (value := getattr(release, name)) is not None}
    record |= {"packages": release.packages} if release.packages else {}
    record |= {"request": plain(release.request), "identity": release.request.identity}
    cost = [release.cost.nano_epsilon, release.cost.delta_units]
    return json.dumps(record | {"cost": cost, "at": release.at.isoformat()})


def answers_of(text: str) -> Answers:
    """Parse the stored answers of a plan."""
    record = json.loads(text)
    rows = tuple(map(release_of, record["rows"]))
    plan = rebuilt(record["plan"])
    at = datetime.fromisoformat(record["at"])
    assert plan.identity == record["identity"], "a kept plan must be the one that was asked"
    return Answers(record["id"], plan, rows, Cost(*record["cost"]), record["entry"], at)


def release_of(text: str) -> Release:
    """Parse a stored release: the query and the answer are equal to the original to the last bit."""
    record = json.loads(text)
    request: Request = rebuilt(record["request"])
    assert request.identity == record["identity"], "a kept question must be the one that was asked"
    return Release(
        record["id"],
        request,
        _tuples(record["answer"]),
        Cost(*record["cost"]),
        record["entry"],
        _tuples(record["interval"]),
        _tuples(record.get("size")),
        record.get("refines"),
        tuple(record.get("packages", ())),
        datetime.fromisoformat(record["at"]),
    )


def rebuilt(plain_form: Any) -> Any:
    """Rebuild a frozen value from its plain form."""
    if isinstance(plain_form, list):
        return tuple(rebuilt(item) for item in plain_form)
    if not isinstance(plain_form, dict):
        return plain_form
    kind = _kind(plain_form["kind"])
    names = {f.name for f in fields(kind) if f.init}
    return kind(**{name: rebuilt(value) for name, value in plain_form.items() if name in names})


def askable() -> dict[str, type[Any]]:
    """Return the kinds of frozen values that a new query is made of, by their written names."""
    return _askable(len(mechanisms), len(statistics))


@lru_cache(maxsize=1)
def _askable(*_: int) -> dict[str, type[Any]]:
    return {name_of_kind(kind): kind for kind in (*KINDS, *mechanisms.values(), *statistics.values())}


def known() -> dict[str, type[Any]]:
    """Return the askable kinds and those that could be asked in earlier versions."""
    return _known(len(mechanisms), len(statistics), len(former))


@lru_cache(maxsize=1)
def _known(*_: int) -> dict[str, type[Any]]:
    return askable() | {name_of_kind(kind): kind for kind in former.values()}


def _kind(name: str) -> type[Any]:
    """Return the kind of a frozen value by its name; a kind of another package may not be loaded here."""
    kind = known().get(name)
    if kind is None and "." in name:
        raise ParameterError(
            "This query uses {kind} from a package that is not loaded. Ask the server administrator "
            "to add the package to {setting}.",
            kind=name,
            setting=PLUGINS,
        )
    if kind is None:
        raise KeyError(name)
    return kind


def _tuples(thing: Any) -> Any:
    return tuple(_tuples(part) for part in thing) if isinstance(thing, list) else thing


class Kept(str):
    """JSON text with the parsed release attached, so that a release in memory is not parsed again."""

    release: Shown

    def __new__(cls, release: Shown, behind: Behind | None = None) -> Kept:
        """Serialise a release, with what is stored behind it and not shown, and attach the release."""
        more = "" if behind is None else f', "behind": {json.dumps(vars(behind))}}}'
        text = super().__new__(cls, text_of(release).removesuffix("}" if more else "") + more)
        text.release = release
        return text


def remembered(text: str) -> Kept:
    """Parse a text that was stored by another process, once."""
    kept_text = str.__new__(Kept, text)
    kept_text.release = _read(text)
    return kept_text


def recall(ledger: Ledger, name: str) -> Any:
    """Return what was released under a name in this ledger, or None, whichever curator charged it."""
    text = ledger.answer(name)
    return None if text is None else _read(text)


def recalled(ledger: Ledger, names: Iterable[str]) -> tuple[Release, ...]:
    """Return every release under one of these names; a plan gives one for each of its rows."""
    every = (recall(ledger, name) for name in names)
    return tuple(row for released in every if released is not None for row in released.releases)


def keep(ledger: Ledger, release: Shown, taken: bool, behind: Behind | None = None) -> Any:
    """Settle the charge and store the answer; return the first answer that was stored."""
    return _read(ledger.release(release.id, taken, Kept(release, behind)))


def behind(ledger: Ledger, name: str, ground: str | None) -> Behind | None:
    """Return what is stored behind an answer, if it was made from these rows as they are read and declared now."""
    return Behind.read(json.loads(ledger.answer(name) or "{}").get("behind", {}), name, ground)


def _read(text: str) -> Shown:
    if isinstance(text, Kept):
        return text.release
    return answers_of(text) if text.startswith(PLAN) else release_of(text)
