"""Forms: what a program sends is read by its fields; what it gets has a JSON Schema."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from fractions import Fraction
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, NoReturn, Union, get_args, get_origin, get_type_hints

from discreet.budget import ParameterError
from discreet.curator.plan import FixedPlan
from discreet.curator.records import askable, known
from discreet.curator.release import Question
from discreet.curator.request import Request

# Intake: what a program sends, read by the fields that an operation takes.

LARGEST = 256 * 1024  # bytes of a body
KINDS: Mapping[str, type] = {"string": str, "integer": int, "object": dict}


@dataclass(frozen=True)
class BodyField:
    """One field of a body: its kind, what it is, and its schema where that says more."""

    kind: str
    about: str
    needed: bool = False
    ref: str = ""
    texts: bool = False  # an object with texts as values

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of it."""
        if self.ref:
            refs = [{"$ref": f"#/components/schemas/{name}"} for name in self.ref.split()]
            return (refs[0] if len(refs) == 1 else {"anyOf": refs}) | {"description": self.about}
        more = {"additionalProperties": {"type": "string"}} if self.texts else {}
        return {"type": self.kind, "description": self.about} | more


def parsed(content: bytes) -> dict[str, Any]:
    """Return the object of a body; refuse what is none."""
    try:
        thing = json.loads(content.decode("utf-8"), parse_constant=_no_number)
        json.dumps(thing, ensure_ascii=False).encode()  # a lone surrogate cannot be encoded
    except (ValueError, RecursionError):
        raise ParameterError("The request body is not valid JSON in UTF-8.") from None
    if not isinstance(thing, dict):
        raise ParameterError("The request body must be a JSON object.")
    return thing


def checked(body: Mapping[str, Any], parts: Mapping[str, BodyField]) -> Mapping[str, Any]:
    """Return a body with fields of the right types; refuse unknown and missing fields."""
    for name in body:
        if name not in parts:
            raise ParameterError("This operation accepts only these fields: {known}.", known=", ".join(parts) or "none")
    for name, part in parts.items():
        if name not in body:
            if part.needed:
                raise ParameterError("The request body has no field {name}.", name=name)
        elif type(body[name]) is not KINDS[part.kind] or (part.texts and not _all_texts(body[name])):
            raise ParameterError("The field {name} has the wrong type. It must be {kind}.", name=name, kind=part.kind)
    return body


def _all_texts(thing: Mapping[str, Any]) -> bool:
    return all(isinstance(value, str) for value in thing.values())


def _no_number(_: str) -> NoReturn:
    raise ValueError


# Plain form: questions and plans as programs send them, read by the types of their fields and nothing else.

Schema = dict[str, Any]
PLAINLY = {float: "number", int: "integer", str: "string", bool: "boolean", NoneType: "null"}
WRONG = (TypeError, ValueError, KeyError, AttributeError, ArithmeticError, RecursionError)


class Misfit(ValueError):
    """A value is of another kind than its field."""


def question_of(thing: Any) -> Question:
    """Return the question or plan of a plain form; refuse what is none."""
    try:
        question = _read(thing, Request | FixedPlan)
        question.identity  # noqa: B018  raises where a value cannot be serialized
    except ParameterError:
        raise
    except WRONG:
        raise ParameterError(
            "This version cannot read the query. Use the query from a result exported as JSON, or the "
            "schemas Request and FixedPlan in the OpenAPI file."
        ) from None
    return question  # type: ignore[no-any-return]


def _read(thing: Any, hint: Any) -> Any:
    """Return a value of the kind that a field takes."""
    kinds = get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        return _first(thing, kinds)
    if get_origin(hint) is tuple:
        if not isinstance(thing, list):
            raise Misfit
        return tuple(_read(each, kinds[0]) for each in thing)
    if hint is float and type(thing) in (int, float) and math.isfinite(thing):
        return float(thing)
    if hint in PLAINLY and hint is not float and type(thing) is hint:
        return thing
    return _value(thing, hint)


def _first(thing: Any, kinds: tuple[Any, ...]) -> Any:
    """Return a value of the first kind that it fits; what it says of its own range is said."""
    for kind in kinds:
        try:
            return _read(thing, kind)
        except Misfit:
            continue
    raise Misfit


def _value(thing: Any, hint: Any) -> Any:
    """Return a frozen value of a kind that is known by its name."""
    name = thing.get("kind") if isinstance(thing, Mapping) else None
    kind: Any = known().get(name) if isinstance(name, str) else None
    if kind is None or not isinstance(hint, type) or not issubclass(kind, hint):
        raise Misfit
    hints = _hints(kind)
    given = {name: value for name, value in thing.items() if name != "kind"}
    computed = {field.name for field in fields(kind) if not field.init}
    if set(given) - set(hints) - computed:
        raise Misfit
    return kind(**{name: _read(value, hints[name]) for name, value in given.items() if name in hints})


@lru_cache(maxsize=256)
def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of the fields that are given."""
    every = get_type_hints(kind)
    return {field.name: every[field.name] for field in fields(kind) if field.init}


def schemas() -> dict[str, Schema]:
    """Return the JSON Schema of every kind that can be asked, by its name."""
    return {name: _schema_of_kind(name, kind) for name, kind in askable().items()}


def _schema_of_kind(name: str, kind: Any) -> Schema:
    hints = _hints(kind)
    needed = [f.name for f in fields(kind) if f.init and f.default is MISSING and f.default_factory is MISSING]
    parts: Schema = {"kind": {"const": name}} | {field: _schema(hint) for field, hint in hints.items()}
    return {"type": "object", "required": ["kind", *needed], "properties": parts}


def _schema(hint: Any) -> Schema:
    """Return the JSON Schema of the type of a field."""
    kinds = get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        return {"anyOf": [_schema(kind) for kind in kinds if kind is not Fraction]}
    if get_origin(hint) is tuple:
        return {"type": "array", "items": _schema(kinds[0])}
    if hint in PLAINLY:
        return {"type": PLAINLY[hint]}
    names = [name for name, kind in askable().items() if issubclass(kind, hint)]
    refs = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    return refs[0] if len(refs) == 1 else {"anyOf": refs}


# Answer shapes: what an answer of the interface has in it, as JSON Schemas.

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
