"""Plain form: questions and plans as programs send them, read by the types of their fields and nothing else.

An answer as JSON has its question in this form, and the OpenAPI file has a schema of every kind.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING, fields
from fractions import Fraction
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from discreet.budget import ParameterError
from discreet.curator.fixed import FixedPlan
from discreet.curator.records import askable, known
from discreet.curator.release import Question
from discreet.curator.request import Request

Schema = dict[str, Any]
PLAINLY = {float: "number", int: "integer", str: "string", bool: "boolean", NoneType: "null"}
WRONG = (TypeError, ValueError, KeyError, AttributeError, ArithmeticError, RecursionError)


class Misfit(ValueError):
    """A value is of another kind than its field."""


def question_of(thing: Any) -> Question:
    """Return the question or plan of a plain form; refuse what is none."""
    try:
        question = _read(thing, Request | FixedPlan)
        question.identity  # noqa: B018  what cannot be written down is no question
    except ParameterError:
        raise
    except WRONG:
        raise ParameterError(
            "This is no question of this version. Take the question of an answer as JSON, or the schemas Request "
            "and FixedPlan of the OpenAPI file."
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
    hints, given = _hints(kind), {name: value for name, value in thing.items() if name != "kind"}
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
