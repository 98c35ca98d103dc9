"""Questions: queries read from the JSON that the app exports with an answer, or that `plain(request)` gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from discreet.budget.errors import ParameterError
from discreet.curator.records import rebuilt
from discreet.curator.request import Request
from discreet.rows.schema import Schema


def read(path: str, number: int | None = None) -> Request:
    """Return the query of a file; if it has several, the one with this number, from 1."""
    try:
        held = _held(json.loads(Path(path).read_text(encoding="utf-8")))
    except ValueError:
        raise ParameterError("This file is not valid JSON. Export a result to get a file with its query.") from None
    if number is None and len(held) != 1:
        raise ParameterError("This file contains {count} queries. Choose one with --number.", count=len(held))
    if not 1 <= (number or 1) <= len(held):
        raise ParameterError("No query has this number. The file contains {count}.", count=len(held))
    return _request(held[(number or 1) - 1])


def declaration(path: str) -> Schema:
    """Return the declaration in a file that the app exports."""
    try:
        return Schema.from_json(Path(path).read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise ParameterError("This file is not a schema file: it is not text.") from None


def _held(record: Any) -> list[Any]:
    """Return the queries of an export of answers, of one answer, or of a single query."""
    if isinstance(record, dict) and isinstance(record.get("releases"), list):
        return [item for answer in record["releases"] for item in _held(answer)]
    return [record["question"]] if isinstance(record, dict) and "question" in record else [record]


def _request(record: Any) -> Request:
    try:
        request = rebuilt(record)
    except ParameterError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        request = None
    if not isinstance(request, Request):
        raise ParameterError("This file has no query of this version. Export a result to get a file with its query.")
    return request
