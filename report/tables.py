"""Tables: releases as CSV with metadata, and all of a publication as one archive."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from discreet.budget import Entry
from discreet.budget.errors import commas
from discreet.curator.result import Release
from discreet.report.adding_up import Wholes, adding_up
from discreet.report.export import ANSWERS_SCHEMA, STANDING, answers_json, plain_answer
from discreet.report.html import Say, english, html_report
from discreet.report.numbers import Datum, data
from discreet.report.publication import Publication
from discreet.report.words import as_read, condition_words, statistic, unit, written
from discreet.rows.columns.grouping import in_words
from discreet.rows.schema import BETWEEN, Schema

# --- Sheets: releases and ledger lines as CSV that no spreadsheet executes ---

WIDE_COLUMN = (
    "\uff1d",
    "\uff0b",
    "\uff0d",
    "\uff20",
)  # full-width forms of these signs, which some spreadsheets execute, too
STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", *WIDE_COLUMN)
# where a spreadsheet with another separator or parser begins a cell in the middle of ours
INSIDE = re.compile(rf"([;|\t\r\n][\s\"]*)(?=[=+\-@{''.join(WIDE_COLUMN)}])")
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
RELEASE = [*ASKED, *ANSWER, "epsilon", "delta", "mechanism", "entry", "id", "as read", "status"]
NOTHING: Mapping[str, Release] = MappingProxyType({})
REFUSED = "refused"
TOO_FEW = "not shown (too noisy)"
ENTRY = ["entry", "kind", "epsilon", "delta", "held epsilon", "held delta", "taken", "request"]


def releases_csv(releases: Iterable[Release], schema: Schema) -> str:
    """Return one line for each number released under one declaration; no cell can start a formula."""
    return answers_csv((release, schema) for release in releases)


def answers_csv(
    answers: Iterable[tuple[Release, Schema]],
    at_once: Mapping[str, Release] = NOTHING,
    statuses: Mapping[str, str] = STANDING,
) -> str:
    """Return such lines for releases that were made under different declarations, with a column for each group.

    `at_once` maps release ids to releases with simultaneous intervals, which are shown beside each number's own;
    `statuses` maps them to what is said of a release that does not stand as it is.
    """
    every = list(answers)
    return _sheet([*RELEASE, *grouping(every).values()], lines_of(every, at_once, statuses))


def grouping(answers: Iterable[tuple[Release, Schema]]) -> dict[str, str]:
    """Return the column for the levels of each grouping variable; it has the variable's name unless that is taken."""
    columns: dict[str, str] = {}
    for name in dict.fromkeys(name for release, _ in answers for name in release.request.group_names):
        free = name
        while free in RELEASE or free in columns.values():
            free += " (group)"
        columns[name] = free
    return columns


def lines_of(
    answers: Iterable[tuple[Release, Schema]],
    at_once: Mapping[str, Release] = NOTHING,
    statuses: Mapping[str, str] = STANDING,
) -> Iterator[dict[str, Any]]:
    """Yield one line for each released number, as cells by column name."""
    every = list(answers)
    wholes = adding_up(every)
    groups = grouping(every)
    for release, schema in every:
        mark = {"status": statuses.get(release.id, "")}
        beside = zip(_beside(release, schema, at_once.get(release.id)), _sums(release, schema, wholes), strict=True)
        for (datum, other), whole in beside:
            number = _number(release, schema, datum) | {"adding up": whole}
            levels = dict(zip(release.request.group_names, datum.levels, strict=False))
            own = {column: levels.get(name, "") for name, column in groups.items()}
            yield {**_release(release, schema), **number, **_at_once(release, schema, other), **mark, **own}


def _sums(release: Release, schema: Schema, wholes: Wholes) -> Sequence[int | None]:
    """Return each count adjusted to add up with those of other queries, or None."""
    return wholes.get(release.id) or [None] * len(data(release, schema))


def _beside(release: Release, schema: Schema, wide: Release | None) -> Iterator[tuple[Datum, Datum | None]]:
    """Yield each number of a release, paired with its version with a wider interval, or None."""
    every = data(release, schema)
    yield from zip(every, [None] * len(every) if wide is None else data(wide, schema), strict=True)


def _at_once(release: Release, schema: Schema, wide: Datum | None) -> dict[str, Any]:
    """Return the simultaneous interval of a number, if there is one."""
    ends = None if wide is None else written(release.request, schema, wide.interval)
    low, high = ends or (None, None)
    return {"low at once": low, "high at once": high}


def _release(release: Release, schema: Schema) -> dict[str, Any]:
    """Return the cells that are common to all numbers of a release, by column name."""
    request = release.request
    return {
        "at": release.at.isoformat(timespec="seconds"),
        "statistic": statistic(request),
        "columns": ", ".join(request.columns),
        "by": commas(in_words(request.groups)),
        "where": " and ".join(condition_words(condition) for condition in request.where),
        "unit": unit(request, schema),
        "epsilon": release.cost.epsilon,
        "delta": release.cost.delta,
        "mechanism": request.mechanism.title,
        "entry": release.entry + 1,
        "id": release.id,
        "as read": "; ".join(as_read(request, schema)),
    }


def _number(release: Release, schema: Schema, datum: Datum) -> dict[str, Any]:
    """Return a number as it was released, in the words of its column if it has some."""
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
        "entry": entry.seq + 1,
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
    """Write CSV; a text that a spreadsheet would execute is prefixed with an apostrophe."""
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


# --- Table metadata: the columns of a table of answers, for CSVW and for Data Package ---


CONTEXT = "http://www.w3.org/ns/csvw"
NUMBERS = {"epsilon", "delta", "size"}
ENDS = {"answer", "low", "high", "low at once", "high at once"}
WHOLE = {"whole", "adding up", "entry", "rank error"}
TIMES = {"at"}
MEANING = {
    "at": "When it was released.",
    "statistic": "What was asked.",
    "columns": "Of which columns.",
    "by": "The declared categories that make groups.",
    "group": "The levels of the group, empty where all rows are one.",
    "part": "Which of several numbers of an answer.",
    "where": "Which rows were asked for, empty for all.",
    "answer": f"The released number, date or name, to the last digit; {REFUSED} where there is none.",
    "low": "The lower end of an interval that holds the value of the rows as read 19 times in 20.",
    "high": "Its upper end.",
    "low at once": "The lower end of a wider interval: all that stand in this column hold at once 19 times in 20.",
    "high at once": "Its upper end.",
    "unit": "What the number is counted in.",
    "note": f"“{TOO_FEW}” where the margin of error is at least a quarter of what the answer can be.",
    "whole": "A count made whole and not negative: post-processing of the answer beside it.",
    "adding up": "The same so that counts of several questions add up: sums of one table, nearest to all of them.",
    "rank error": "How many rows it is off its rank at most, 19 times in 20.",
    "size": "About how many rows there are: a released noisy number.",
    "epsilon": "The privacy loss of the whole question.",
    "delta": "The chance that this fails.",
    "mechanism": "The mechanism that answered.",
    "entry": "The entry of the ledger that paid for it, counted from 1 as on screens.",
    "id": "The name of the release.",
    "as read": "Of which rows the answer is, and as what they count.",
    "status": "Empty if the answer stands; withdrawn, corrected, or replaced by a more precise one.",
}


GROUPING = "The level of this grouping variable, empty for queries that do not group by it."


def csvw(table: str, numeric: bool, groups: Iterable[str] = ()) -> str:
    """Return CSVW metadata of a table with columns for groups; `numeric` states whether every answer is a number."""
    columns = [
        {
            "name": name.replace(" ", "_"),
            "titles": name,
            "datatype": {"number": "double", "datetime": "dateTime"}.get(_kind(name, numeric), _kind(name, numeric)),
            "dc:description": MEANING[name],
            "null": ["", REFUSED] if name == "answer" else [""],
        }
        for name in RELEASE
    ]
    columns += [
        {
            "name": f"group_{number}",
            "titles": _safe(name),
            "datatype": "string",
            "dc:description": GROUPING,
            "null": [""],
        }
        for number, name in enumerate(groups, 1)
    ]
    dialect = {"encoding": "utf-8", "lineTerminators": ["\r\n"], "header": True}
    return _written({"@context": CONTEXT, "url": table, "dialect": dialect, "tableSchema": {"columns": columns}})


def data_package(table: str, numeric: bool, files: tuple[str, ...], groups: Iterable[str] = ()) -> str:
    """Return a Data Package of a table with columns for groups, and of the other files beside it."""
    fields = [
        {"name": name, "type": _kind(name, numeric), "description": MEANING[name]}
        | ({"missingValues": ["", REFUSED]} if name == "answer" else {})
        for name in RELEASE
    ]
    fields += [{"name": _safe(name), "type": "string", "description": GROUPING} for name in groups]
    schema = {"fields": fields, "missingValues": [""]}
    sheet = {"name": "answers", "path": table, "format": "csv", "mediatype": "text/csv", "encoding": "utf-8"}
    others = [{"name": name.lower().replace(".", "-"), "path": name} for name in files]
    package = {"name": "released-statistics", "profile": "data-package"}
    return _written(package | {"resources": [sheet | {"profile": "tabular-data-resource", "schema": schema}, *others]})


def _kind(name: str, numeric: bool) -> str:
    """Return the type of a column's cells."""
    if name in ENDS:
        return "number" if numeric else "string"
    kinds = {"number": NUMBERS, "integer": WHOLE, "datetime": TIMES}
    return next((kind for kind, names in kinds.items() if name in names), "string")


def _written(record: dict[str, Any]) -> str:
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"


# --- Bundle: a publication as one archive: the report, the table with its metadata, and the answers ---

REPORT = "report.html"
TABLE = "data.csv"
RECORDS = "answers.json"
RULES = "answers.schema.json"
READABLE = 0o644
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # equal answers give equal bytes


def files(publication: Publication, say: Say = english, language: str = "en") -> dict[str, str]:
    """Return every file of a publication by its name."""
    answers: Sequence[tuple[Release, Schema]] = [(each.release, each.schema) for each in publication.chapters]
    groups = list(grouping(answers).values())
    return {
        REPORT: html_report(publication, say, language),
        TABLE: answers_csv(publication.own, publication.at_once, publication.statuses),
        f"{TABLE}-metadata.json": csvw(TABLE, publication.numeric, groups),
        "datapackage.json": data_package(TABLE, publication.numeric, (REPORT, RECORDS, RULES), groups),
        RECORDS: answers_json(answers, publication.together, publication.statuses),
        RULES: json.dumps(ANSWERS_SCHEMA, indent=1) + "\n",
    }


def bundle(publication: Publication, say: Say = english, language: str = "en") -> bytes:
    """Return all files as one archive."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files(publication, say, language).items():
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.external_attr = READABLE << 16
            archive.writestr(entry, text, zipfile.ZIP_DEFLATED)
    return sink.getvalue()
