"""Building: from what was chosen to a mechanism that still lacks its price."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from discreet.budget import ParameterError
from discreet.mechanisms import Mechanism, Public
from discreet.mechanisms.topic import Topic
from discreet.queries import Query, Relation
from discreet.queries import registry as statistics
from discreet.queries.estimators import registry as estimators
from discreet.rows import Schema


def built(
    kind: type[Any], topic: Topic, options: dict[str, Any], relation: Relation, schema: Schema, column: str
) -> Mechanism:
    """Return a mechanism with its statistic and options, at its preset price."""
    names = {field.name for field in fields(kind)}
    given: dict[str, Any] = {}
    if "query" in names:
        given["query"] = _query(topic.name, options, relation)
    elif "queries" in names:
        given["queries"] = tuple(statistics[name](relation=relation) for name in options["several"])
    else:
        given["relation"] = relation
    if "q" in names:
        given["q"] = options.get("q", 0.5)
    if "levels" in names:
        given["levels"] = options["levels"]
    if "bins" in options and "bins" in names:
        given["bins"] = options["bins"]
    if "estimator" in names:
        given |= _estimated(topic.name, options, schema, column)
    mechanism: Mechanism = kind(**given)
    return mechanism


def serves(kind: type[Mechanism], topic: Topic, schema: Schema, column: str) -> bool:
    """Say whether a method can answer the question of a column, as far as its grid decides."""
    if topic.name not in statistics or column not in schema.numbers:
        return True
    try:
        built(kind, topic, {}, Relation(), schema, column).check(Public(schema.bounds(column)))
    except ParameterError:
        return False
    return True


def _query(name: str, options: dict[str, Any], relation: Relation) -> Query:
    names = {field.name for field in fields(statistics[name])}
    given = {key: value for key, value in options.items() if key in names}
    if relation.size is not None:
        given.pop("resize", None)
    return statistics[name](relation=relation, **given)


def _estimated(name: str, options: dict[str, Any], schema: Schema, column: str) -> dict[str, Any]:
    """Preset the public range of an estimate: the column's for places, a usual one else."""
    bounds = schema.number(column).bounds
    lowest, highest = float(bounds.lower), float(bounds.upper)
    lower, upper = estimators[name].usual(lowest, highest)
    level = options.get("q", options.get("cut"))
    return {"estimator": name if level is None else f"{name}:{level}", "lower": lower, "upper": upper}
