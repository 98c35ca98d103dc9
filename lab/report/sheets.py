"""Sheets: releases and ledger lines as CSV that no spreadsheet executes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from discreet.budget import Entry
from discreet.curator.released import Release
from discreet.curator.request import Request
from discreet.lab.report.export import plain_answer
from discreet.lab.report.meaning import as_read
from discreet.rows.schema import Schema

WIDE = ("\uff1d", "\uff0b", "\uff0d", "\uff20")  # the same signs in full width, which some spreadsheets execute, too
STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", *WIDE)
ANSWER = ["at", "statistic", "columns", "group", "answer", "low", "high"]
RELEASE = [*ANSWER, "epsilon", "delta", "mechanism", "entry", "id", "as read"]
ENTRY = ["entry", "kind", "epsilon", "delta", "held epsilon", "held delta", "taken", "request"]


def releases_csv(releases: Iterable[Release], schema: Schema) -> str:
    """Return one line per number released under one declaration; no cell can start a formula."""
    return answers_csv((release, schema) for release in releases)


def answers_csv(answers: Iterable[tuple[Release, Schema]]) -> str:
    """Return the same of releases that were each given under a declaration of their own."""
    lines = (
        {**_release(release, schema), "group": group, **_number(answer, interval)}
        for release, schema in answers
        for group, answer, interval in numbers(release)
    )
    return _sheet(RELEASE, lines)


def _release(release: Release, schema: Schema) -> dict[str, Any]:
    """Return what is the same for every number of a release, by the name of its column."""
    return {
        "at": release.at.isoformat(timespec="seconds"),
        "statistic": topic(release.request),
        "columns": ", ".join(release.request.columns),
        "epsilon": release.cost.epsilon,
        "delta": release.cost.delta,
        "mechanism": release.request.mechanism.title,
        "entry": release.entry,
        "id": release.id,
        "as read": "; ".join(as_read(release.request, schema)),
    }


def _number(answer: Any, interval: Any) -> dict[str, Any]:
    low, high = interval or ("", "")
    return {"answer": "refused" if answer is None else answer, "low": low, "high": high}


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
    return _sheet(ENTRY, map(_entry, entries))


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "entry": entry.seq,
        "kind": entry.kind,
        "epsilon": entry.cost.epsilon,
        "delta": entry.cost.delta,
        "held epsilon": entry.held.epsilon,
        "held delta": entry.held.delta,
        "taken": "" if entry.taken is None else entry.taken,
        "request": entry.request_id,
    }


def _sheet(head: Sequence[str], lines: Iterable[Mapping[str, Any]]) -> str:
    return safe_csv(head, ([line[name] for name in head] for line in lines))


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
