"""Plan: what is to be published, row by row, and the file format of plans."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import NoneType
from typing import Any

import numpy as np

from discreet.budget import Cost
from discreet.budget.composition import MOST_ROWS, check_rows
from discreet.budget.cost import cost_of, take_numbers
from discreet.budget.errors import ParameterError
from discreet.curator.checks import grouped_by
from discreet.lab.contest import MOST_PEOPLE, SHAPES
from discreet.mechanisms.counts_detail import DETAIL
from discreet.plans.methods import BINNED, Subject, outer, statistic_of
from discreet.queries.median import Median
from discreet.queries.quantile import Quantile
from discreet.rows.columns.grouping import Grouping, grouping_of, plain_groups, source_of
from discreet.rows.columns.recode import EQUALS
from discreet.rows.filters import COMPARISONS, MOST_CONDITIONS, Condition, condition_of, conditions_of, even_share
from discreet.rows.schema import Schema

# --- Sizes of groups: a public guess, so that a forecast knows the smallest group ---

SMALL, LARGE = 1e-100, 1e100  # beyond them ratios overflow
QUOTED = 40  # characters of a line in an error


@dataclass(frozen=True)
class Sizes:
    """A public guess of how large the groups are, relative to each other; those without a number are taken as average.

    It is no part of any query: it determines forecasts, and with them mechanisms and shares.
    """

    by: Grouping
    people: tuple[tuple[str, float], ...]

    def __post_init__(self) -> None:
        """Accept lists and mappings as well; raise ParameterError for what are no sizes."""
        given = list(self.people.items()) if isinstance(self.people, Mapping) else self.people
        fit = isinstance(given, (list, tuple)) and all(
            isinstance(pair, (list, tuple)) and len(pair) == 2 and isinstance(pair[0], str) and _number(pair[1])
            for pair in given
        )
        if not fit or not all(people >= 0 for _, people in given) or not any(people for _, people in given):
            raise ParameterError("Sizes of groups need a value and a number, 0 or more, for each; one must be above 0.")
        object.__setattr__(self, "people", tuple((str(label), float(people)) for label, people in given))
        if len(dict(self.people)) < len(self.people):
            raise ParameterError("A group has two sizes. Keep one of them.")

    def plain(self) -> dict[str, Any]:
        """Return the sizes as plain values, for a file."""
        return {"by": plain_groups(self.by), "people": dict(self.people)}

    def check(self, schema: Schema) -> None:
        """Raise ParameterError for a group that does not exist."""
        labels = set(schema.category(self.by).labels)
        for label, _ in self.people:
            if label not in labels:
                raise ParameterError(
                    "{value!r} is not a group of {column}. Correct the sizes of groups.",
                    value=label[:QUOTED],
                    column=source_of(self.by),
                )

    def parts(self, labels: Sequence[str]) -> tuple[float, ...]:
        """Return which part of all people is in each group."""
        given = dict(self.people)
        usual = math.fsum(given.values()) / len(given)
        sizes = [given.get(label, usual) for label in labels]
        total = math.fsum(sizes)
        return tuple(size / total for size in sizes) if total else (1 / len(sizes),) * len(sizes)


def written(sizes: Sizes | None, labels: Sequence[str]) -> str:
    """Return sizes as they are typed, one group a line; all are 1 where none were given."""
    return "\n".join(
        f"{label}{EQUALS}{size:.15g}" for label, size in (sizes.people if sizes else [(each, 1) for each in labels])
    )


def sizes_of(by: Grouping, text: str, labels: Sequence[str]) -> Sizes | None:
    """Parse lines such as "level = number", two cells of a spreadsheet, or a CSV file; None for equal sizes.

    A first line that names no group is taken as the heading of a table.
    """
    lines = [_split(line) for line in text.splitlines() if line.strip()]
    if lines and lines[0][0] not in ("", *labels) and _read(lines[0][1]) is None:
        lines = lines[1:]
    pairs = []
    for label, number in lines:
        size = _read(number)
        if size is None:
            raise ParameterError(
                "Each line needs a group, an equals sign and a number. {line!r} has none.",
                line=(label or number)[:QUOTED],
            )
        pairs.append((label, size))
    if len({size for _, size in pairs}) < 2:
        return None
    return Sizes(by, tuple(pairs))


def _split(line: str) -> tuple[str, str]:
    """Split a line at its last sign, the one before a number if there is one; a label in quotes is without them."""
    ways = [line.rpartition(sign) for sign in ("\t", EQUALS, ";", ",", "=") if sign in line] or [("", "", line)]
    cells = [(label.strip().strip('"'), number.strip().strip('"')) for label, _, number in ways]
    return next((pair for pair in cells if _read(pair[1]) is not None), cells[0])


def _read(number: str) -> float | None:
    try:
        size = float(number)
    except ValueError:
        return None
    return size if math.isfinite(size) else None


# --- Plan: what is to be published, row by row, and how accurately, before any decision or charge ---

MOST_BINS, LONGEST_NAME = 60, 100
MIDDLE = 0.5  # the quantile that is the median


@dataclass(frozen=True)
class Wanted:
    """One row of a plan: a statistic of a column, of some rows, by groups; and how accurate it should be.

    A wish is an acceptable 95 % error, in the unit of the answer. Without a wish, the weight is the factor by which the
    row should be more accurate than with an equal share. A held epsilon is not changed, and neither is a method that
    the user chose. A quantile may have several levels; counts of a number column need a number of equal bins. If an
    interval is wanted, the method is chosen among those that release one, and half its width replaces the error.
    `passing` is a public guess of the part of all people that pass the conditions; it is no part of the query.
    `second` is the second column of a correlation, or of a slope: that of the second on the first.
    """

    statistic: str
    column: str
    by: Grouping | tuple[Grouping, ...] | None = None
    where: tuple[Condition, ...] = ()
    level: float | tuple[float, ...] | None = None
    wish: float | None = None
    weight: float = 1.0
    held: float | None = None
    method: str | None = None
    interval: bool = False
    bins: int | None = None
    passing: float | None = None
    second: str | None = None

    def __post_init__(self) -> None:
        """Raise ParameterError for rows for which no share can be found."""
        take_numbers(self)
        object.__setattr__(self, "where", conditions_of(self.where))
        for name in ("by", "level"):
            given = vars(self)[name]
            object.__setattr__(self, name, tuple(given) if isinstance(given, list) else given)
        for name in ("wish", "weight", "held"):
            value = vars(self)[name]
            if value is not None and not SMALL <= value <= LARGE:
                raise ParameterError(
                    "The {name} of a query must be a number above 0. Got {value}.", name=name, value=value
                )
        if self.bins is not None and not (self.statistic in BINNED and 2 <= self.bins <= MOST_BINS):
            raise ParameterError("Only counts have bins, from 2 to {most} of them.", most=MOST_BINS)
        if not self.where:
            object.__setattr__(self, "passing", None)
        if self.passing is not None and not SMALL <= self.passing <= 1:
            raise ParameterError(
                "The part that passes a filter must be above 0 and at most 1. Got {value}.", value=self.passing
            )

    @property
    def query(self) -> tuple[object, ...]:
        """What is asked and how, without the accuracy wanted: rows with equal queries give the same result twice."""
        middle = self.statistic == Quantile.name and self.level == MIDDLE
        statistic, level = (Median.name, None) if middle else (self.statistic, self.level)
        where = frozenset(map(str, self.where))
        return statistic, level, self.columns, self.groups, where, self.bins, self.method, self.interval

    @property
    def columns(self) -> tuple[str, ...]:
        """The column, or both."""
        return (self.column,) if self.second is None else (self.column, self.second)

    @property
    def groups(self) -> tuple[Grouping, ...]:
        """The categories or bands to group by; each combination of their levels is a group."""
        return grouped_by(self.by)

    @property
    def outer(self) -> Grouping | tuple[Grouping, ...] | None:
        """The groups of the query itself: without the bands of its own column, if it is these that are joined."""
        return self.by if self.statistic != DETAIL.name else outer(self.column, self.groups) or None

    def part(self, schema: Schema, sizes: Sequence[Sizes] = ()) -> float:
        """Return which part of all people is guessed to pass the conditions: all if they do not fit the declaration.

        Where it is not given, levels are as frequent as their sizes say, and all other declared values equally often.
        """
        if self.passing is not None:
            return self.passing
        try:
            for condition in self.where:
                condition.check(schema)
        except ParameterError:
            return 1.0
        known = {each.by: each.parts(schema.category(each.by).labels) for each in sizes if each.by in schema.categories}
        return even_share(self.where, schema, known)

    def subject(self, schema: Schema, people: int, shape: str, sizes: Sequence[Sizes] = ()) -> Subject:
        """Return the public information on the row, which determines its method and its error.

        It is about a group of middle size: half of the groups are as large or larger.
        """
        asked = self.statistic, self.column, self.groups, self.level
        subject = statistic_of(schema, *asked, people, shape, self.interval, self.bins, self.second)
        part = self.part(schema, sizes)
        known = {each.by: each for each in sizes}
        parts = np.ones(1)
        for by in grouped_by(self.outer):
            labels = schema.category(by).labels
            each = known[by].parts(labels) if by in known else (1 / len(labels),) * len(labels)
            parts = np.multiply.outer(parts, each).ravel()
        numbers = np.clip((part * people * parts + 1e-6).astype(np.int64), 1, MOST_PEOPLE)  # rounding is no person less
        groups = tuple(numbers.tolist()) if any(by in known for by in grouped_by(self.outer)) else ()
        middle = int(np.sort(numbers)[numbers.size // 2])
        return replace(subject, people=middle, part=part, groups=groups)


@dataclass(frozen=True)
class Plan:
    """Rows, one total for all of them, a part reserved for later, and a public guess of the number of people.

    It is a list of wishes: `planned` turns it into queries. It contains nothing from rows.
    """

    items: tuple[Wanted, ...]
    total: Cost
    people: int = 1000
    shape: str = "bell"
    reserve: float = 0.0
    name: str = ""
    sizes: tuple[Sizes, ...] = ()

    def __post_init__(self) -> None:
        """Raise ParameterError for plans that cannot be accounted for."""
        take_numbers(self)
        object.__setattr__(self, "items", tuple(self.items))
        object.__setattr__(self, "total", cost_of(self.total))
        object.__setattr__(self, "sizes", tuple(self.sizes))
        if len({each.by for each in self.sizes}) < len(self.sizes):
            raise ParameterError("These groups have two lists of sizes. Keep one of them.")
        object.__setattr__(self, "name", " ".join(self.name.split())[:LONGEST_NAME])
        check_rows(self.items)
        if not 0 <= self.reserve < 1:
            raise ParameterError("The reserve must be a share from 0 to below 1. Got {value}.", value=self.reserve)
        Cost.of(self.limit.epsilon)  # raises if it is too small to be shared

    @property
    def limit(self) -> Cost:
        """What the rows may cost together: the total without the reserve."""
        return Cost(int(self.total.nano_epsilon * (1 - self.reserve)), self.total.delta_units)

    def of(self, total: Cost) -> Plan:
        """Return the plan with another total."""
        return replace(self, total=total)

    def edited(self, number: int, **changes: object) -> Plan:
        """Return the plan with one row changed; the others share the budget again."""
        items = list(self.items)
        items[number] = replace(items[number], **changes)  # type: ignore[arg-type]
        return replace(self, items=tuple(items))

    def duplicated(self, number: int, **changes: object) -> Plan:
        """Return the plan with a changed copy of a row: for another column or another group."""
        copy = replace(self.items[number], **changes)  # type: ignore[arg-type]
        return replace(self, items=(*self.items[: number + 1], copy, *self.items[number + 1 :]))

    def without(self, number: int) -> Plan:
        """Return the plan without one row."""
        return replace(self, items=self.items[:number] + self.items[number + 1 :])


# --- Plan file: plans as JSON that people keep and pass on, with a JSON Schema ---

VERSION = 1
POSITIVE: dict[str, Any] = {"type": "number", "exclusiveMinimum": 0}
LEVEL = {"type": "number", "minimum": 0, "maximum": 1}
CELL = {"type": ["string", "number", "boolean"]}
EDGE = {"type": ["string", "number"]}
BANDS = {
    "type": "object",
    "required": ["bands"],
    "additionalProperties": False,
    "properties": {
        "bands": {"type": "string", "description": "a column of numbers or dates"},
        "edges": {"type": "array", "minItems": 1, "items": EDGE, "description": "where a new band begins, ascending"},
        "every": {
            **EDGE,
            "description": "instead of edges: the width of all bands; of dates year, quarter, month, weekday or hour",
        },
    },
}
PAIR = {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}
RECODE = {
    "type": "object",
    "required": ["recode", "into"],
    "additionalProperties": False,
    "properties": {
        "recode": {"type": "string", "description": "a declared category"},
        "into": {
            "anyOf": [
                {"type": "array", "minItems": 1, "items": PAIR},
                {"type": "object", "minProperties": 1, "additionalProperties": {"type": "string"}},
            ],
            "description": "each value with its new value; those without one become other",
        },
    },
}
GROUPING = {"anyOf": [{"type": "string"}, BANDS, RECODE]}
SIZES = {
    "type": "object",
    "required": ["by", "people"],
    "additionalProperties": False,
    "properties": {
        "by": GROUPING,
        "people": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {"type": "number", "minimum": 0},
            "description": "the size of each group relative to the others; without a number it is average",
        },
    },
}
COMPARISON = {
    "type": "array",
    "prefixItems": [
        {"type": "string"},
        {"enum": list(COMPARISONS)},
        {"anyOf": [CELL, {"type": "array", "items": CELL}]},
    ],
    "minItems": 3,
    "maxItems": 3,
}
ROW: dict[str, Any] = {
    "type": "object",
    "required": ["statistic", "column"],
    "additionalProperties": False,
    "properties": {
        "statistic": {"type": "string", "description": "mean, median, quantile, sum, count, counts, ..."},
        "column": {"type": "string"},
        "by": {
            "anyOf": [{"type": "null"}, *GROUPING["anyOf"], {"type": "array", "items": GROUPING}],
            "description": "a declared category, its values merged, or bands of a number or date; or several, crossed",
        },
        "where": {
            "type": "array",
            "items": {"anyOf": [COMPARISON, {"type": "array", "minItems": 1, "items": COMPARISON}]},
            "description": f"comparisons that all hold, {MOST_CONDITIONS} at most; of a list in one place, one does",
        },
        "level": {
            "anyOf": [{"type": "number"}, {"type": "array", "items": LEVEL, "minItems": 2}, {"type": "null"}],
            "description": "of a quantile from 0 to 1, or a list, ascending; of a prediction a value of the column",
        },
        "wish": {**POSITIVE, "description": "an error one can live with, 19 times in 20"},
        "weight": POSITIVE,
        "held": {**POSITIVE, "description": "an epsilon that stays"},
        "method": {"type": ["string", "null"], "description": "a mechanism by its name, chosen by a person"},
        "interval": {"type": "boolean", "description": "a method that tells an interval; its half width is the error"},
        "bins": {
            "type": ["integer", "null"],
            "minimum": 2,
            "maximum": MOST_BINS,
            "description": "of equal width, for the counts of a number column",
        },
        "passing": {
            **POSITIVE,
            "maximum": 1,
            "description": "a public guess of the part of all people that pass the filter",
        },
        "second": {"type": ["string", "null"], "description": "the second column of a slope, a correlation, ..."},
    },
}
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A plan of releases",
    "type": "object",
    "required": ["discreet_plan", "epsilon", "rows"],
    "additionalProperties": False,
    "properties": {
        "discreet_plan": {"const": VERSION},
        "epsilon": {**POSITIVE, "description": "for all rows together"},
        "delta": {"type": "number", "minimum": 0, "exclusiveMaximum": 0.5},
        "people": {"type": "integer", "minimum": 1, "maximum": MOST_PEOPLE, "description": "a public guess"},
        "shape": {"enum": list(SHAPES)},
        "reserve": {"type": "number", "minimum": 0, "exclusiveMaximum": 1},
        "name": {"type": "string", "maxLength": LONGEST_NAME},
        "sizes": {"type": "array", "items": SIZES, "description": "public guesses of how large groups are"},
        "rows": {"type": "array", "minItems": 1, "maxItems": MOST_ROWS, "items": ROW},
    },
}
PARTS = ("by", "level", "wish", "weight", "held", "method", "interval", "bins", "passing", "second")


def plan_text(plan: Plan) -> str:
    """Serialise a plan as JSON."""
    whole: dict[str, Any] = {"discreet_plan": VERSION, "epsilon": plan.total.epsilon, "delta": plan.total.delta}
    whole = whole | {"people": plan.people, "shape": plan.shape, "reserve": plan.reserve}
    whole = whole | ({"name": plan.name} if plan.name else {})
    whole = whole | ({"sizes": [each.plain() for each in plan.sizes]} if plan.sizes else {})
    return json.dumps(whole | {"rows": [_row(item) for item in plan.items]}, indent=1, ensure_ascii=False) + "\n"


def _row(item: Wanted) -> dict[str, Any]:
    """Serialise a row without the parts that have their default."""
    row: dict[str, Any] = {"statistic": item.statistic, "column": item.column}
    row |= {name: vars(item)[name] for name in PARTS if vars(item)[name] != vars(Wanted)[name]}
    if item.groups:
        row["by"] = plain_groups(item.by)
    if item.where:
        row["where"] = [condition.plain() for condition in item.where]
    return row


def plan_from(text: str) -> Plan:
    """Parse a plan; errors state what is wrong and where."""
    try:
        whole = json.loads(text)
        json.dumps(whole, ensure_ascii=False).encode()  # half a surrogate pair is an error here, and not on a screen
    except (ValueError, RecursionError):
        raise ParameterError("This is not a plan file: it is not valid JSON.") from None
    if not isinstance(whole, dict) or whole.get("discreet_plan") != VERSION:
        raise ParameterError('This is not a plan file: "discreet_plan": {version} is missing.', version=VERSION)
    _only(whole, SCHEMA["properties"], "the plan")
    rows = whole.get("rows")
    if not isinstance(rows, list) or not rows:
        raise ParameterError("A plan needs a list of queries in the field rows.")
    check_rows(rows)  # before any of them is parsed
    items = tuple(_item(number, row) for number, row in enumerate(rows, 1))
    total = Cost.of(whole.get("epsilon", ""), whole.get("delta", 0))
    settings = {name: whole[name] for name in ("people", "shape", "reserve", "name") if name in whole}
    _check_settings(settings)
    return Plan(items, total, **settings, sizes=tuple(_sizes(whole.get("sizes", []))))


def _sizes(plain: Any) -> list[Sizes]:
    """Parse the sizes of groups."""
    if not isinstance(plain, list) or not all(
        isinstance(each, dict) and set(each) == {"by", "people"} for each in plain
    ):
        raise ParameterError("The sizes of a plan must be a list, each of them with by and people.")
    return [Sizes(grouping_of(each["by"]), each["people"]) for each in plain]


def _check_settings(settings: Mapping[str, Any]) -> None:
    """Raise ParameterError for values of another type than in the schema."""
    people = settings.get("people", 1)
    shape = settings.get("shape", "bell")
    reserve = settings.get("reserve", 0)
    people_fit = type(people) is int and 1 <= people <= MOST_PEOPLE
    if not people_fit or not isinstance(shape, str) or shape not in SHAPES or not _number(reserve):
        raise ParameterError(
            "A plan must guess between 1 and {most:,} people, use one of the distributions {shapes}, "
            "and reserve a share.",
            most=MOST_PEOPLE,
            shapes=", ".join(SHAPES),
        )
    if not isinstance(settings.get("name", ""), str):
        raise ParameterError("The name of a plan must be a text.")


def _item(number: int, row: Any) -> Wanted:
    """Parse one row."""
    if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in ("statistic", "column")):
        raise ParameterError("Query {number} of the plan needs a statistic and a column.", number=number)
    _only(row, ROW["properties"], f"query {number}")
    levels = row["level"] if isinstance(row.get("level"), list) else [row.get("level")]
    given = (*levels, *(row.get(name) for name in ("wish", "weight", "held", "passing")))
    numbers = [each for each in given if each is not None]
    by = row["by"] if isinstance(row.get("by"), list) else [row.get("by")]
    grouped = all(isinstance(each, (str, dict, NoneType)) for each in by)
    fit = all(map(_number, numbers)) and grouped and isinstance(row.get("method"), (str, NoneType))
    counted = row.get("bins") is None or type(row["bins"]) is int
    fit = fit and isinstance(row.get("second"), (str, NoneType))
    if not fit or not counted or not isinstance(row.get("interval", False), bool):
        raise ParameterError("Query {number} of the plan has a value of the wrong type.", number=number)
    where = row.get("where") or []
    if not isinstance(where, list) or not all(_condition(each) or _alternatives(each) for each in where):
        raise ParameterError(
            "The conditions of query {number} of the plan must be lists of column, comparison and value.", number=number
        )
    if sum(len(each) if _alternatives(each) else 1 for each in where) > MOST_CONDITIONS:  # before any of them is built
        raise ParameterError(
            "Query {number} of the plan has more than {most} conditions. Use fewer.",
            number=number,
            most=MOST_CONDITIONS,
        )
    settings = {name: row[name] for name in PARTS if row.get(name) is not None}
    if "by" in settings:
        settings["by"] = _grouped(number, settings["by"])
    return Wanted(row["statistic"], row["column"], where=tuple(map(condition_of, where)), **settings)


def _grouped(number: int, plain: Any) -> Grouping | tuple[Grouping, ...]:
    """Parse the groups of a row."""
    try:
        return tuple(map(grouping_of, plain)) if isinstance(plain, list) else grouping_of(plain)
    except ParameterError as error:
        raise ParameterError("Query {number} of the plan: {why}", number=number, why=error.args[0]) from None


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -LARGE <= value <= LARGE


def _condition(each: Any) -> bool:
    if not isinstance(each, list) or len(each) != 3 or not isinstance(each[0], str):
        return False
    cells = each[2] if isinstance(each[2], list) else [each[2]]
    return all(isinstance(cell, (str, bool)) or _number(cell) for cell in cells)


def _alternatives(each: Any) -> bool:
    return isinstance(each, list) and bool(each) and all(map(_condition, each))


def _only(given: Mapping[str, Any], allowed: Any, place: str) -> None:
    """Raise ParameterError for an unknown name, so that no misspelt wish is ignored."""
    for name in given:
        if name not in allowed:
            raise ParameterError("Unknown name {name!r} in {place}. Correct or remove it.", name=name, place=place)
