"""Intake: what a program sends, read by the fields that an operation takes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from discreet.budget import ParameterError

LARGEST = 256 * 1024  # bytes of a body
KINDS: Mapping[str, type] = {"string": str, "integer": int, "object": dict}


@dataclass(frozen=True)
class BodyField:
    """One field of a body: its kind, what it is, and its schema where that says more."""

    kind: str
    about: str
    needed: bool = False
    ref: str = ""
    texts: bool = False  # an object whose values are texts

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
        json.dumps(thing, ensure_ascii=False).encode()  # half a character is no text
    except (ValueError, RecursionError):
        raise ParameterError("The body is no JSON in UTF-8.") from None
    if not isinstance(thing, dict):
        raise ParameterError("The body must be a JSON object.")
    return thing


def checked(body: Mapping[str, Any], parts: Mapping[str, BodyField]) -> Mapping[str, Any]:
    """Return a body whose fields are of their kinds; refuse one that has others, or lacks some."""
    for name in body:
        if name not in parts:
            raise ParameterError("This operation takes {known}, and no other fields.", known=", ".join(parts) or "none")
    for name, part in parts.items():
        if name not in body:
            if part.needed:
                raise ParameterError("The body lacks the field {name}.", name=name)
        elif type(body[name]) is not KINDS[part.kind] or (part.texts and not _all_texts(body[name])):
            raise ParameterError(
                "The field {name} is of another kind than it needs: {kind}.", name=name, kind=part.kind
            )
    return body


def _all_texts(thing: Mapping[str, Any]) -> bool:
    return all(isinstance(value, str) for value in thing.values())


def _no_number(_: str) -> NoReturn:
    raise ValueError
