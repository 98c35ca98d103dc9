"""Answer shapes: what an answer of the interface has in it, as JSON Schemas."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]
TYPES: dict[str, Any] = {
    "text": {"type": "string"},
    "text?": {"type": ["string", "null"]},
    "whole": {"type": "integer"},
    "whole?": {"type": ["integer", "null"]},
    "number": {"type": "number"},
    "number?": {"type": ["number", "null"]},
    "yes": {"type": "boolean"},
    "yes?": {"type": ["boolean", "null"]},
    "texts": {"type": "array", "items": {"type": "string"}},
    "object": {"type": "object"},
    "objects": {"type": "array", "items": {"type": "object"}},
}
# each answer: its parts by their types; a capital letter begins the name of another shape
SHAPES: dict[str, dict[str, str]] = {
    "Cost": {"number": "epsilon delta"},
    "Me": {"text": "login name token until", "texts": "roles scopes"},
    "Datasets": {"[DatasetLine]": "datasets"},
    "DatasetLine": {"text": "id name state"},
    "Dataset": {
        "text": "id name state source basis unit keep_until rule",
        "yes": "published live",
        "whole?": "people",
        "whole": "version",
        "[Note]": "notes",
        "object": "declaration policy",
        "Cost": "limit spent left",
        "Cost?": "left_of_period",
    },
    "Note": {"text": "at text"},
    "Forecast": {
        "text": "title outcome",
        "Cost": "cost left",
        "text?": "why",
        "number": "confidence",
        "[Error]": "errors",
        "whole": "round",
    },
    "Error": {"number?": "half_width", "text": "note"},
    "Releases": {
        "whole": "discreet_releases",
        "object": "dataset total spent",
        "text": "rule head unit",
        "objects": "releases",
    },
    "Inquiries": {"[InquiryLine]": "requests", "yes": "more"},
    "InquiryLine": {"text": "id dataset status title asked", "whole": "number", "Cost": "cost"},
    "Inquiry": {
        "text": "id dataset status title asked purpose analyst until reason",
        "whole": "number round",
        "Cost": "cost",
        "object": "question",
        "text?": "waits_because decided_by decided",
        "object?": "release",
    },
    "Checklist": {"[Point]": "points", "text": "seen"},
    "Point": {"text": "name question note", "yes?": "verified", "yes": "to_answer"},
    "Problem": {"text": "title detail", "whole": "status"},
}
SHAPES["PlanForecast"] = SHAPES["Forecast"] | {"object": "plan question"}


def shape(name: str) -> Schema:
    """Return the JSON Schema of an answer: all of its parts, and no other."""
    parts = {part: _type(kind) for kind, listed in SHAPES[name].items() for part in listed.split()}
    return {"type": "object", "required": sorted(parts), "properties": parts, "additionalProperties": False}


def shapes() -> dict[str, Schema]:
    """Return the schemas of all answers; a card says itself which sections it has."""
    return {name: shape(name) for name in SHAPES} | {"Card": {"type": "object", "required": ["discreet_card"]}}


def _type(kind: str) -> Schema:
    if kind == "object?":
        return {"type": ["object", "null"]}
    if kind in TYPES:
        return dict(TYPES[kind])
    if kind.startswith("["):
        return {"type": "array", "items": _ref(kind[1:-1])}
    return {"anyOf": [_ref(kind[:-1]), {"type": "null"}]} if kind.endswith("?") else _ref(kind)


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}
