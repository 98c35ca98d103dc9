"""OpenAPI: the table of operations as a file that programs read; `python -m discreet.office.api.openapi` prints it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from discreet.office.api.calls import TITLES
from discreet.office.api.forms import BodyField, schemas, shapes
from discreet.office.api.operations import BASE, IDS, OPERATIONS, Operation
from discreet.office.people.tokens import SCOPES
from discreet.plans.plan import SCHEMA

Schema = dict[str, Any]
ABOUT = """Registered datasets for programs, with a personal token from the page Account. Each operation does what the
pages do, with the same checks, for the owner of the token."""
PLAN = {name: value for name, value in SCHEMA.items() if name != "$schema"}


def openapi() -> Schema:
    """Return the description of all operations."""
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        paths.setdefault(BASE + operation.path, {})[operation.method.lower()] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Discreet", "version": "1", "description": " ".join(ABOUT.split())},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {**shapes(), "Plan": PLAN, **schemas()},
        },
    }


def _described(operation: Operation) -> Schema:
    """Describe one operation."""
    names = re.findall(r"{(\w+)}", operation.path)
    places: list[Schema] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "pattern": f"^{IDS[name]}$"}}
        for name in names
    ]
    places += [
        {"name": name, "in": "query", "required": False, "schema": {"type": part.kind}, "description": part.about}
        for name, part in operation.query.items()
    ]
    whole: Schema = {
        "operationId": operation.name,
        "summary": operation.title,
        "description": f"Scope {operation.scope}: {_rest(operation.scope)}. Roles: {', '.join(operation.roles)}.",
        "parameters": places,
        "responses": {"200": _content("Done.", operation.answer)} | _refusals(operation),
    }
    return whole | ({"requestBody": _body(operation.body)} if operation.body else {})


def _rest(scope: str) -> str:
    return SCOPES[scope].partition(": ")[2]


def _body(parts: Mapping[str, BodyField]) -> Schema:
    needed = [name for name, part in parts.items() if part.needed]
    whole = {"type": "object", "required": needed, "additionalProperties": False}
    properties = {name: part.schema for name, part in parts.items()}
    return {"required": True, "content": {"application/json": {"schema": {**whole, "properties": properties}}}}


def _refusals(operation: Operation) -> Schema:
    """Return how an operation can refuse."""
    codes = [401, 403, 429, 500, 503] + ([404] if "{" in operation.path else [])
    codes += [400, 408, 409, 413, 415, 422] if operation.body else [422]
    return {str(code): _content(TITLES[code], "Problem", "application/problem+json") for code in sorted(codes)}


def _content(words: str, name: str, kind: str = "application/json") -> Schema:
    return {"description": words, "content": {kind: {"schema": {"$ref": f"#/components/schemas/{name}"}}}}


def text() -> str:
    """Write it as a file."""
    return json.dumps(openapi(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(text(), end="")
