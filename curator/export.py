"""Export: releases and ledger lines as JSON, as CSV that no spreadsheet executes, as a script."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Any

from discreet.budget import Cost, Entry
from discreet.curator.meaning import as_read
from discreet.curator.released import Release
from discreet.curator.request import Request, plain
from discreet.rows.schema import Schema

PUBLIC = (
    "Cost",
    "Curator",
    "Dataset",
    "Filter",
    "LocalSource",
    "Relation",
    "Request",
    "Schema",
    "SessionLedger",
)  # what a script imports from the package itself
STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def release_record(release: Release, schema: Schema) -> dict[str, Any]:
    """Return everything that may be shared about a release, as plain JSON."""
    request = release.request
    return {
        "id": release.id,
        "question": plain(request),
        "mechanism": request.mechanism.title,
        "columns": list(request.columns),
        "by": request.by,
        "where": [[f.column, f.comparison, plain(f.value)] for f in request.where],
        "answer": plain_answer(release.answer),
        "refused": release.refused,
        "interval": plain_answer(release.interval),
        "as_read": list(as_read(request, schema)),
        "cost": _cost(release.cost),
        "ledger_entry": release.entry,
        "at": release.at.isoformat(timespec="seconds"),
    }


def plain_answer(answer: Any) -> Any:
    """Turn an answer into plain JSON."""
    return [plain_answer(a) for a in answer] if isinstance(answer, tuple) else answer


def _cost(cost: Cost) -> dict[str, float]:
    return {"epsilon": cost.epsilon, "delta": cost.delta}


def releases_json(releases: Iterable[Release], schema: Schema) -> str:
    """Return releases as JSON text."""
    told = [release_record(release, schema) for release in releases]
    return json.dumps({"discreet_releases": 1, "releases": told}, indent=1, ensure_ascii=False)


def releases_csv(releases: Iterable[Release], schema: Schema) -> str:
    """Return one line per number released; no cell can start a formula."""
    head = [
        "at",
        "statistic",
        "columns",
        "group",
        "answer",
        "low",
        "high",
        "epsilon",
        "delta",
        "mechanism",
        "entry",
        "id",
        "as read",
    ]
    lines = []
    for release in releases:
        for group, answer, interval in numbers(release):
            low, high = interval or ("", "")
            lines.append(
                [
                    release.at.isoformat(timespec="seconds"),
                    topic(release.request),
                    ", ".join(release.request.columns),
                    group,
                    "refused" if answer is None else answer,
                    low,
                    high,
                    release.cost.epsilon,
                    release.cost.delta,
                    release.request.mechanism.title,
                    release.entry,
                    release.id,
                    "; ".join(as_read(release.request, schema)),
                ]
            )
    return safe_csv(head, lines)


def numbers(release: Release) -> list[tuple[str, Any, Any]]:
    """Return (group, answer, interval) for every group, one without a name if there are none."""
    if release.request.by is None or not isinstance(release.answer, tuple):
        return [("", release.answer, release.interval)]
    intervals = dict(release.interval or ())
    return [(level, answer, intervals.get(level)) for level, answer in release.answer]


def topic(request: Request) -> str:
    """Return what is asked for, in the mechanism's own words."""
    return request.mechanism.subject


def ledger_csv(entries: Iterable[Entry]) -> str:
    """Return the ledger, one line per entry."""
    head = ["entry", "kind", "epsilon", "delta", "held epsilon", "held delta", "taken", "request"]
    lines = [
        [
            e.seq,
            e.kind,
            e.cost.epsilon,
            e.cost.delta,
            e.held.epsilon,
            e.held.delta,
            "" if e.taken is None else e.taken,
            e.request_id,
        ]
        for e in entries
    ]
    return safe_csv(head, lines)


def safe_csv(head: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    """Write CSV; a text that a spreadsheet would execute gets an apostrophe in front."""
    sink = io.StringIO()
    writer = csv.writer(sink)
    writer.writerow([_safe(cell) for cell in head])
    writer.writerows([_safe(cell) for cell in line] for line in lines)
    return sink.getvalue()


def _safe(cell: Any) -> Any:
    if isinstance(cell, str) and cell.startswith(STARTS):
        return f"'{cell}"
    return json.dumps(plain_answer(cell)) if isinstance(cell, tuple) else cell


def script(request: Request, schema: Schema, limit: Cost) -> str:
    """Return a Python script that asks the same question of the core, of a file one names."""
    needed = ("Cost", "Curator", "Dataset", "LocalSource", "Schema", "SessionLedger")
    imports = {("discreet", name) for name in needed}
    question = _code(request, imports)
    told = "\n".join(
        f"from {module} import {', '.join(name for _, name in names)}"
        for module, names in groupby(sorted(imports), itemgetter(0))
    )
    delta = f", {str(limit.delta)!r}" if limit.delta_units else ""
    read = "; ".join(as_read(request, schema))
    return f'''"""Ask one question of a file: python ask.py people.csv"""

import sys

{told}

SCHEMA = {schema.to_json()!r}

dataset = Dataset(LocalSource(sys.argv[1]), Schema.from_json(SCHEMA))
curator = Curator(dataset, SessionLedger(Cost.of({str(limit.epsilon)!r}{delta})))
request = {question}
release = curator.ask(request)
print(release.answer, release.interval, release.cost)
print({f"As read: {read}."!r})
'''


def _code(thing: Any, imports: set[tuple[str, str]]) -> str:
    """Write a frozen value as the expression that makes it."""
    if isinstance(thing, Fraction):
        imports.add(("fractions", "Fraction"))
        return f"Fraction({thing.numerator}, {thing.denominator})"
    if isinstance(thing, tuple):
        inner = ", ".join(_code(item, imports) for item in thing)
        return f"({inner},)" if thing else "()"
    if is_dataclass(thing) and not isinstance(thing, type):
        kind = type(thing)
        public = kind.__name__ in PUBLIC
        imports.add(("discreet" if public else kind.__module__, kind.__name__))
        told = ", ".join(f"{f.name}={_code(getattr(thing, f.name), imports)}" for f in fields(thing) if f.init)
        return f"{kind.__name__}({told})"
    return repr(thing)
