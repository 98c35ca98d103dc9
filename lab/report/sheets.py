"""Sheets: releases and ledger lines as CSV that no spreadsheet executes."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from discreet.budget import Entry
from discreet.curator.released import Release
from discreet.lab.report.adding_up import Wholes, adding_up
from discreet.lab.report.dated import written
from discreet.lab.report.datum import Datum, data
from discreet.lab.report.export import plain_answer
from discreet.lab.report.meaning import as_read, condition_words
from discreet.lab.report.titles import statistic, unit
from discreet.rows.schema import BETWEEN, Schema

WIDE = ("\uff1d", "\uff0b", "\uff0d", "\uff20")  # the same signs in full width, which some spreadsheets execute, too
STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", *WIDE)
# where a spreadsheet of another country, or of another opinion, lets a cell begin in the middle of ours
INSIDE = re.compile(rf"([;|\t\r\n][\s\"]*)(?=[=+\-@{''.join(WIDE)}])")
ASKED = ["at", "statistic", "columns", "by", "group", "part", "where"]
ANSWER = [
    "answer",
    "low",
    "high",
    "low at once",
    "high at once",
    "unit",
    "note",
    "whole",
    "adding up",
    "rank error",
    "size",
]
RELEASE = [*ASKED, *ANSWER, "epsilon", "delta", "mechanism", "entry", "id", "as read"]
NOTHING: Mapping[str, Release] = MappingProxyType({})
REFUSED, TOO_FEW = "refused", "too few to tell"
ENTRY = ["entry", "kind", "epsilon", "delta", "held epsilon", "held delta", "taken", "request"]


def releases_csv(releases: Iterable[Release], schema: Schema) -> str:
    """Return one line per number released under one declaration; no cell can start a formula."""
    return answers_csv((release, schema) for release in releases)


def answers_csv(answers: Iterable[tuple[Release, Schema]], at_once: Mapping[str, Release] = NOTHING) -> str:
    """Return the same of releases that were each given under a declaration of their own.

    `at_once` has those whose intervals all hold at once, by their ids: they stand beside each number's own.
    """
    return _sheet(RELEASE, lines_of(answers, at_once))


def lines_of(
    answers: Iterable[tuple[Release, Schema]], at_once: Mapping[str, Release] = NOTHING
) -> Iterator[dict[str, Any]]:
    """Yield one line per number released, its cells by the names of their columns."""
    every = list(answers)
    wholes = adding_up(every)
    for release, schema in every:
        beside = zip(_beside(release, schema, at_once.get(release.id)), _sums(release, schema, wholes), strict=True)
        for (datum, other), whole in beside:
            number = _number(release, schema, datum) | {"adding up": whole}
            yield {**_release(release, schema), **number, **_at_once(release, schema, other)}


def _sums(release: Release, schema: Schema, wholes: Wholes) -> Sequence[int | None]:
    """Return each count as it adds up with those of others; nothing where there are none."""
    return wholes.get(release.id) or [None] * len(data(release, schema))


def _beside(release: Release, schema: Schema, wide: Release | None) -> Iterator[tuple[Datum, Datum | None]]:
    """Yield each number of a release, with the same one whose interval is wider."""
    every = data(release, schema)
    yield from zip(every, [None] * len(every) if wide is None else data(wide, schema), strict=True)


def _at_once(release: Release, schema: Schema, wide: Datum | None) -> dict[str, Any]:
    """Return the interval of a number that holds together with all others, where there is one."""
    ends = None if wide is None else written(release.request, schema, wide.interval)
    low, high = ends or (None, None)
    return {"low at once": low, "high at once": high}


def _release(release: Release, schema: Schema) -> dict[str, Any]:
    """Return what is the same for every number of a release, by the name of its column."""
    request = release.request
    return {
        "at": release.at.isoformat(timespec="seconds"),
        "statistic": statistic(request),
        "columns": ", ".join(request.columns),
        "by": ", ".join(request.groups),
        "where": " and ".join(condition_words(condition) for condition in request.where),
        "unit": unit(request, schema),
        "epsilon": release.cost.epsilon,
        "delta": release.cost.delta,
        "mechanism": request.mechanism.title,
        "entry": release.entry,
        "id": release.id,
        "as read": "; ".join(as_read(request, schema)),
    }


def _number(release: Release, schema: Schema, datum: Datum) -> dict[str, Any]:
    """Return a number as it was released, in the words of its column where it has some."""
    answer, interval = written(release.request, schema, (datum.answer, datum.interval))
    low, high = interval or (None, None)
    return {
        "group": BETWEEN.join(datum.levels),
        "part": datum.part,
        "answer": REFUSED if datum.refused else answer,
        "low": low,
        "high": high,
        "note": TOO_FEW if datum.vague else "",
        "whole": datum.whole,
        "rank error": datum.rank,
        "size": datum.size,
    }


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
    if isinstance(cell, str):
        inside = INSIDE.sub(r"\1'", cell)
        return f"'{inside}" if cell.startswith(STARTS) else inside
    return json.dumps(plain_answer(cell)) if isinstance(cell, tuple) else cell
