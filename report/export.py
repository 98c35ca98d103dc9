"""Export: releases as JSON, and the names of files."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from discreet.curator.request import plain
from discreet.curator.result import Release
from discreet.mechanisms.base.mechanism import CONFIDENCE
from discreet.report.intervals import ASSUMED, population, shared
from discreet.report.numbers import data
from discreet.report.words import as_read, dates, rank_error, written
from discreet.rows.schema import Schema

STANDING: Mapping[str, str] = MappingProxyType({})


def release_record(release: Release, schema: Schema, together: int = 1) -> dict[str, Any]:
    """Return everything that may be shared about a release, as plain JSON.

    `together` is the number of intervals that are promised to be valid simultaneously.
    """
    request = release.request
    names = request.group_names
    return {
        "id": release.id,
        "question": plain(request),
        "mechanism": request.mechanism.title,
        "columns": list(request.columns),
        "by": None if not names else names[0] if len(names) == 1 else list(names),
        "where": [condition.plain() for condition in request.where],
        "answer": plain_answer(release.answer),
        "refused": release.refused,
        "interval": plain_answer(release.interval),
        "rank_error": plain_answer(rank_error(request, schema)),
        "size": plain_answer(release.size),
        "as_read": list(as_read(request, schema)),
        "cost": release.cost.numbers,
        "ledger_entry": release.entry,
        "refines": release.refines,
        "packages": list(release.packages),
        "at": release.at.isoformat(timespec="seconds"),
    } | _how_sure(release, schema, together)


def _how_sure(release: Release, schema: Schema, together: int) -> dict[str, Any]:
    """Return both as dates, the confidence of intervals, how many are simultaneous, and the population's interval."""
    request = release.request
    sampled = population(release, schema) if together == 1 else None
    return {
        "answer_dated": plain_answer(dates(request, schema, release.answer)),
        "interval_dated": plain_answer(dates(request, schema, release.interval)),
        "confidence": CONFIDENCE,
        "holding_together": together,
        "population_interval": plain_answer(sampled),
        "population_of": None if sampled is None else "shares" if shared(request) else "mean",
        "population_if": None if sampled is None else str(ASSUMED),
    }


def plain_answer(answer: Any) -> Any:
    """Turn an answer into plain JSON."""
    return [plain_answer(a) for a in answer] if isinstance(answer, tuple) else answer


def releases_json(releases: Iterable[Release], schema: Schema) -> str:
    """Return releases of one declaration as JSON text."""
    return answers_json((release, schema) for release in releases)


def answers_json(
    answers: Iterable[tuple[Release, Schema]], together: int = 1, statuses: Mapping[str, str] = STANDING
) -> str:
    """Return releases as JSON text, each with the declaration under which it was made, and with its status."""
    records = [
        release_record(release, schema, together)
        | {"values": _values(release, schema), "status": statuses.get(release.id, "")}
        for release, schema in answers
    ]
    return json.dumps({"discreet_releases": 1, "releases": records}, indent=1, ensure_ascii=False)


def _values(release: Release, schema: Schema) -> list[dict[str, Any]]:
    """Return each number with the level of each grouping variable."""
    spoken = partial(written, release.request, schema)
    return [
        {
            "groups": dict(zip(release.request.group_names, datum.levels, strict=False)),
            "part": str(datum.part),
            "answer": plain_answer(spoken(datum.answer)),
            "interval": plain_answer(spoken(datum.interval)),
        }
        for datum in data(release, schema)
    ]


# --- Names of files: of what they are, and of which day ---

LONGEST_PART = 80  # bytes: two of them, a day and an ending fit into the 255 of a file system


def file_name(*parts: str, ending: str) -> str:
    """Return a name of letters and digits, in any alphabet, that every file system takes."""
    plain = (re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", part)).strip("-") for part in parts)
    short = (part.encode()[:LONGEST_PART].decode(errors="ignore").strip("-") for part in plain)
    return "-".join(filter(None, short)) + f".{ending}"


# --- Answers schema: the content of a file of released answers, as a JSON Schema ---

TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "number"}
ANY: dict[str, Any] = {}
NOTHING_OR_TEXT: dict[str, Any] = {"type": ["string", "null"]}
LIST_OF_TEXT: dict[str, Any] = {"type": "array", "items": TEXT}
WHAT: dict[str, tuple[dict[str, Any], str]] = {
    "id": (TEXT, "the name of the release"),
    "question": ({"type": "object"}, "mechanism, columns, filters and groups, from which it can be asked again"),
    "mechanism": (TEXT, "the title of the mechanism"),
    "columns": (LIST_OF_TEXT, "the columns that were asked"),
    "by": ({"anyOf": [NOTHING_OR_TEXT, LIST_OF_TEXT]}, "the columns that make groups; the question has their bands"),
    "where": ({"type": "array"}, "comparisons that all hold"),
    "answer": (ANY, "a number, a choice, null for a refusal, a list of them, or pairs of a group and one of these"),
    "answer_dated": (ANY, "the same as dates, where the column has dates"),
    "refused": ({"type": "boolean"}, "whether there is no answer at all"),
    "interval": (ANY, "a lower and an upper end, of each number; null where there is none"),
    "interval_dated": (ANY, "the same as dates"),
    "confidence": ({"type": "number", "minimum": 0, "maximum": 1}, "of the intervals"),
    "holding_together": ({"type": "integer", "minimum": 1}, "of how many intervals that is promised at once"),
    "rank_error": (ANY, "how many rows a quantile is off its rank at most, 19 times in 20"),
    "population_interval": (ANY, "where the mean or the shares of the population lie, if there is one"),
    "population_of": (NOTHING_OR_TEXT, "what that interval is of"),
    "population_if": (NOTHING_OR_TEXT, "what has to be assumed for it"),
    "size": (ANY, "a released noisy number of rows, where one was drawn with the answer"),
    "values": (
        {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["groups", "part", "answer", "interval"],
                "properties": {
                    "groups": {"type": "object", "additionalProperties": TEXT},
                    "part": TEXT,
                    "answer": ANY,
                    "interval": ANY,
                },
                "additionalProperties": False,
            },
        },
        "each number alone, with the level of each grouping variable; dates as text",
    ),
    "status": (
        {"enum": ["", "corrected", "withdrawn", "replaced"]},
        "empty if the answer stands; else withdrawn, corrected, or replaced by a more precise one",
    ),
    "as_read": (LIST_OF_TEXT, "of which rows the answer is, and as what they count"),
    "cost": (
        {
            "type": "object",
            "required": ["epsilon", "delta"],
            "properties": {"epsilon": NUMBER, "delta": NUMBER},
            "additionalProperties": False,
        },
        "what the question alone lets anybody learn",
    ),
    "ledger_entry": (
        {"type": "integer", "minimum": 0},
        "the entry of the ledger that paid for it, counted from 0; screens count from 1",
    ),
    "refines": (NOTHING_OR_TEXT, "the release of which this is a finer answer"),
    "packages": (LIST_OF_TEXT, "the packages beside Discreet, with their versions, that were used for it"),
    "at": ({"type": "string", "format": "date-time"}, "when it was released"),
}
ANSWERS_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Released answers",
    "type": "object",
    "required": ["discreet_releases", "releases"],
    "properties": {
        "discreet_releases": {"const": 1},
        "releases": {
            "type": "array",
            "items": {
                "type": "object",
                "required": list(WHAT),
                "properties": {name: {**kind, "description": about} for name, (kind, about) in WHAT.items()},
                "additionalProperties": False,
            },
        },
    },
}
