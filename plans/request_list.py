"""Request list: a plan from a list of requests in the format of INSEE's app, one JSON object of named requests.

Each has a type, a variable, bounds, groups (`by`), levels of quantiles (`alpha`) and a filter (`filtre`), which is
written as a comparison, or as several with & and |. The filter is parsed into conditions, never evaluated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from discreet.budget import Cost
from discreet.budget.composition import check_rows
from discreet.budget.errors import ParameterError, Phrase
from discreet.plans.plan import LARGE, Plan, Wanted, plan_from, plan_text
from discreet.rows.capacity import MIB
from discreet.rows.filters import MOST_CONDITIONS, Condition, Filter, any_of, comparisons
from discreet.rows.intake.small_files import read_aside
from discreet.rows.schema import Schema

TYPES = ("count", "mean", "sum", "quantile")
PARTS = ("type", "variable", "bounds", "by", "alpha", "filtre")
COMPARED = {"==": "=", "!=": "!=", "<=": "<=", ">=": ">=", "<": "<", ">": ">"}
LONGEST = 10_000  # characters of a filter
OPERATOR = re.compile(r"\s*(==|!=|<=|>=|<|>)\s*")
QUOTED = re.compile(r"'(.*?)'\s*(?=$|[|&])", re.DOTALL)  # an apostrophe inside does not end it
BARE = re.compile(r"[^|&]+")


@dataclass(frozen=True)
class OpenedList:
    """The plan of a list, and notes on what the list means differently from a plan."""

    plan: Plan
    notes: tuple[Phrase, ...]


def is_request_list(text: str) -> bool:
    """Return whether a text is a list of named requests."""
    try:
        whole = json.loads(text)
        json.dumps(whole, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return False
    return isinstance(whole, dict) and bool(whole) and all(isinstance(r, dict) and "type" in r for r in whole.values())


def opened(text: str, schema: Schema, total: Cost) -> OpenedList:
    """Parse a list of requests, with the caller's declaration and total: the list has neither."""
    requests: Mapping[str, Any] = json.loads(text)
    check_rows(requests)
    for name, request in requests.items():
        _check(name, request, schema)
    items = [item for request in requests.values() for item in _items(request, schema)]
    notes = [note for name, request in requests.items() for note in _notes(name, request, schema)]
    return OpenedList(Plan(tuple(items), total), tuple(notes))


def _check(name: str, request: Mapping[str, Any], schema: Schema) -> None:
    """Raise ParameterError for a request of another form, with its name."""
    if request["type"] not in TYPES or not set(request) <= set(PARTS) or not _shaped(request):
        raise ParameterError(
            "Query {name!r} of the list may have only a type ({types}), a variable, bounds, by, alpha "
            "and filtre. Correct it.",
            name=name,
            types=", ".join(TYPES),
        )
    variable = request.get("variable") or None
    if variable is None and (request["type"] != "count" or not schema.numbers):
        raise ParameterError("Query {name!r} of the list needs a variable that is declared as a number.", name=name)
    for column in [*(request.get("by") or []), *([variable] if variable else [])]:
        if column not in schema.columns:
            raise ParameterError("Column {name!r} is not declared. Declare it first.", name=column)


def _shaped(request: Mapping[str, Any]) -> bool:
    """Return whether all parts have the right types."""
    by = request.get("by")
    bounds = request.get("bounds")
    named = by is None or (isinstance(by, list) and all(isinstance(each, str) for each in by))
    paired = bounds is None or (isinstance(bounds, list) and len(bounds) == 2 and all(map(_number, bounds)))
    texts = all(isinstance(request.get(part), (str, type(None))) for part in ("variable", "filtre"))
    return named and paired and texts and all(map(_number, _levels(request)))


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -LARGE <= value <= LARGE


def _levels(request: Mapping[str, Any]) -> list[Any]:
    alpha = request.get("alpha")
    return [] if alpha is None else alpha if isinstance(alpha, list) else [alpha]


def _items(request: Mapping[str, Any], schema: Schema) -> Iterator[Wanted]:
    """Yield the rows of a request."""
    where = conditions(request.get("filtre") or "", schema)
    by = tuple(request.get("by") or ())
    if request["type"] == "quantile":
        levels = sorted(set(_levels(request) or [0.5]))
        level = tuple(levels) if len(levels) > 1 else levels[0]
        yield Wanted("quantile", request["variable"], by or None, where, level)
    elif request["type"] == "count" and len(by) == 1 and request.get("variable") is None:
        yield Wanted("counts", by[0], None, where)
    else:
        yield Wanted(request["type"], _counted(request, schema), by or None, where)


def _counted(request: Mapping[str, Any], schema: Schema) -> str:
    """Return the variable; rows are counted by a number that no row lacks, if there is one."""
    constant = (name for name, column in schema.numbers.items() if column.complete)
    return request.get("variable") or next(constant, next(iter(schema.numbers)))


def _notes(name: str, request: Mapping[str, Any], schema: Schema) -> Iterator[Phrase]:
    """Yield notes on what is interpreted differently."""
    variable = request.get("variable")
    bounds = request.get("bounds")
    if variable is None and len(request.get("by") or ()) != 1:
        yield Phrase(
            "{name}: only rows with a value of {column} are counted.", name=name, column=_counted(request, schema)
        )
    if bounds and variable in schema.numbers:
        declared = schema.bounds(variable)
        if (declared.lower, declared.upper) != tuple(bounds):
            yield Phrase(
                "{name}: the declared bounds {low:.15g} to {high:.15g} apply, not {first:.15g} to {last:.15g}.",
                name=name,
                low=declared.lower,
                high=declared.upper,
                first=bounds[0],
                last=bounds[1],
            )


def conditions(text: str, schema: Schema) -> tuple[Condition, ...]:
    """Parse comparisons that are joined by & and |, where & binds more tightly."""
    if not text.strip():
        return ()
    if len(text) > LONGEST:
        raise ParameterError("A filter may have at most {most:,} characters. Shorten it.", most=LONGEST)
    ways: list[list[Filter]] = [[]]
    at = 0
    joined = "&"
    while joined:
        if joined == "|":
            ways.append([])
        if sum(map(len, ways)) == MOST_CONDITIONS:
            raise _too_many()
        condition, at = _comparison(text, at, schema)
        ways[-1].append(condition)
        joined, at = text[at : at + 1], at + 1
    where = any_of(ways)
    if sum(1 for _ in comparisons(where)) > MOST_CONDITIONS:
        raise _too_many()
    return where


def _too_many() -> ParameterError:
    return ParameterError("A query may have at most {most} conditions. Use fewer.", most=MOST_CONDITIONS)


def _comparison(text: str, start: int, schema: Schema) -> tuple[Filter, int]:
    """Parse one comparison; return it and its end: at a joining sign, or at the end of the text."""
    at = start + len(text[start:]) - len(text[start:].lstrip())
    named = sorted((name for name in schema.columns if text.startswith(name, at)), key=len, reverse=True)
    for name in named:
        operator = OPERATOR.match(text, at + len(name))
        value = operator and (QUOTED.match(text, operator.end()) or BARE.match(text, operator.end()))
        if operator and value:
            quoted = value.re is QUOTED
            words = value.group(1) if quoted else value.group().strip()
            return Filter(name, COMPARED[operator.group(1)], _value(words, quoted, name, schema)), value.end()
    raise ParameterError(
        "The filter cannot be read at {place!r}. Write declared column, comparison and value, joined by & or |.",
        place=text[at : at + 40],
    )


def _value(words: str, quoted: bool, name: str, schema: Schema) -> str | float:
    """Return a number if a number was written for a number column, else the text."""
    if quoted or name in schema.categories:
        return words
    try:
        return float(words)
    except ValueError:
        return words


# --- Uploaded plans: a plan, or a list of requests, in a file that a user uploads to a server ---

LARGEST = MIB


def brought_plan(data: bytes, schema: Schema, total: Cost) -> Plan:
    """Parse it in the process that has limits; a list of requests gets the caller's declaration and total."""
    if len(data) > LARGEST:
        raise ParameterError("A plan file may have at most {most} MiB.", most=LARGEST // MIB)
    beside = {"schema": schema.to_json(), "total": [total.nano_epsilon, total.delta_units]}
    return plan_from(read_aside(in_our_form, data, beside).decode())


def in_our_form(data: bytes, beside: Mapping[str, Any]) -> bytes:
    """Return a file in the format of saved plans."""
    text = data.decode("utf-8-sig", "replace")
    if not is_request_list(text):
        return plan_text(plan_from(text)).encode()
    schema = Schema.from_json(beside["schema"])
    total = Cost(*beside["total"])
    return plan_text(opened(text, schema, total).plan).encode()
