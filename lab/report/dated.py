"""Dated: the values of a column that is told by other words than numbers, as its dates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from discreet.curator.request import Request
from discreet.rows.columns import Quantity
from discreet.rows.schema import Schema


def told_apart(request: Request, schema: Schema) -> Quantity | None:
    """Return the declaration of a column whose values are no plain numbers; None for all others."""
    declared = schema.numbers.get(request.columns[0])
    return None if declared is None or declared.zero else declared


def place_names(request: Request, schema: Schema) -> Callable[[float], str] | None:
    """Return how the places among which an answer lies are called, where that is no number."""
    declared = told_apart(request, schema)
    return None if declared is None or not request.mechanism.view.place else declared.shown


def written(request: Request, schema: Schema, answer: Any) -> Any:
    """Return an answer, or its interval, in the words of its column where it has some.

    A place among the values becomes a date, a bin goes from one date to another; what is counted,
    or how far values lie apart, stays a number.
    """
    declared = told_apart(request, schema)
    if declared is None:
        return answer
    if isinstance(answer, (tuple, list)):
        return tuple(written(request, schema, part) for part in answer)
    if isinstance(answer, str):
        view = request.mechanism.view
        return dict(zip(view.labels(()), bins(request, declared), strict=False)).get(answer, answer)
    number = isinstance(answer, (int, float)) and not isinstance(answer, bool)
    return declared.shown(answer) if number and request.mechanism.view.place else answer


def dates(request: Request, schema: Schema, answer: Any) -> Any:
    """Return an answer, or its interval, as its dates; None where it is no date."""
    words = written(request, schema, answer)
    return None if words == answer else words


def bins(request: Request, declared: Quantity) -> tuple[str, ...]:
    """Name the bins of a question in the words of its column."""
    names = list(map(declared.shown, request.mechanism.view.edges))
    return tuple(f"{low} to {high}" for low, high in zip(names, names[1:], strict=False))
