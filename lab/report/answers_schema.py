"""Answers schema: what a file of released answers holds, as a JSON Schema."""

from __future__ import annotations

from typing import Any

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
    "by": ({"anyOf": [NOTHING_OR_TEXT, LIST_OF_TEXT]}, "the categories that make groups"),
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
