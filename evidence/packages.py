"""Packages: the layers of evidence for third-party kinds, run before these are used on protected rows.

A mechanism is run with its default settings, and compared at further epsilons. A statistic is run under one mechanism
of each family that takes any statistic, and compared with its implementation in plain Python. No protected row is read
here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from threading import Lock
from typing import Any

import numpy as np

from discreet.budget import Phrase, plugins
from discreet.budget.errors import ParameterError
from discreet.curator.release import Question
from discreet.curator.request import Request, kinds
from discreet.evidence.layers import LAYERS, Layer, places
from discreet.evidence.question import RUNS, run
from discreet.evidence.worlds import multisets
from discreet.mechanisms import Mechanism
from discreet.mechanisms import registry as mechanisms
from discreet.mechanisms.base.mechanism import OneStatistic
from discreet.queries import ADD_REMOVE, Column, Query, Relation
from discreet.queries import registry as statistics
from discreet.rows.columns import Category, Number
from discreet.rows.schema import Schema

SCHEMA = Schema({"x": Number(0, 12, integer=True), "y": Number(0, 1), "g": Category(("a", "b", "c"))})
NEEDED = ("divergence", "black_box", "whole_road")  # these apply to every law
EPSILONS = (0.1, 4.0)
RELATIONS = (ADD_REMOVE, Relation(rows=2), Relation(size=3))
MOST_ROWS = 5  # of datasets on which the value is compared with plain Python
CLOSE = 1e-9
_GUARD = Lock()


def check(question: Question) -> None:
    """Raise ParameterError for a query of protected rows that uses a third-party kind without valid evidence."""
    plugins.check_evidence(kinds(question))


def brought() -> list[type]:
    """Return the statistics and mechanisms of other packages."""
    return [kind for kind in (*statistics.values(), *mechanisms.values()) if plugins.package_of(kind) is not None]


def ready() -> None:
    """Run in advance what a first query would wait for."""
    for kind in brought():
        lacking(kind)


def lacking(kind: type) -> Phrase | None:
    """Return what evidence is missing for a statistic or mechanism; None if all is valid. The result is cached."""
    with _GUARD:
        return _lacking(kind)


@cache
def _lacking(kind: type) -> Phrase | None:
    try:
        if issubclass(kind, Query):
            return _of_statistic(kind)
        return (
            _of_mechanism(kind) if issubclass(kind, Mechanism) else Phrase("it is neither a statistic nor a mechanism")
        )
    except Exception as wrong:  # any error means that the claim is not confirmed
        return Phrase("it cannot be examined ({why})", why=type(wrong).__name__)


def _of_statistic(kind: type[Query]) -> Phrase | None:
    """Check its value, how far one person moves it under several relations, and the laws around it."""
    query = kind()
    if query.brute([0.0], SCHEMA.bounds("x")) is None:
        return Phrase("it has no value in plain Python to compare with")
    if not _computes(query):
        return Phrase("its value differs from the one in plain Python")
    asked = [Request(mechanism, ("x",)) for mechanism in _around(query)]
    if not asked:
        return Phrase("no mechanism accepts it")
    related = [replace(asked[0], mechanism=each) for each in _related(asked[0].mechanism)]
    wrong = (_wrong(run("certificates", each, SCHEMA)) for each in related)
    return next(filter(None, wrong), None) or _missing(asked)


def _of_mechanism(kind: type[Mechanism]) -> Phrase | None:
    """Check it with its default settings, and its law for a smaller and a larger epsilon."""
    mechanism = kind()
    view = mechanism.view
    asked = Request(mechanism, ("g",) if view.category else ("x", "y")[: view.columns])
    others = (_wrong(run("divergence", replace(asked, mechanism=each), SCHEMA)) for each in _louder(mechanism))
    return _missing([asked]) or next(filter(None, others), None)


def _missing(asked: list[Request]) -> Phrase | None:
    """Return what the layers miss for queries; None if all are valid and a needed one detects the broken twin."""
    layers = [run(name, each, SCHEMA) for each in asked for name in RUNS]
    wrong = next(filter(None, map(_wrong, layers)), None)
    if wrong is None and not any(layer.caught for layer in layers if layer.name in NEEDED):
        return Phrase("no privacy test detects the broken control")
    return wrong


def _wrong(layer: Layer) -> Phrase | None:
    """Return what is wrong according to one layer, or None."""
    name = LAYERS[layer.name]
    if layer.holds is False:
        return Phrase("{layer}: the claim FAILS", layer=name)
    if "broke_off" in layer.numbers:
        return Phrase("{layer}: it stopped with an error ({why})", layer=name, why=layer.numbers["broke_off"])
    if layer.holds is None and layer.name in NEEDED:
        return Phrase("{layer}: it does not apply", layer=name)
    return None


def _around(query: Query) -> Iterator[Mechanism]:
    """Yield, for each family, the first mechanism that takes any statistic, with this statistic."""
    families = set[str]()
    for kind in mechanisms.values():
        if not issubclass(kind, OneStatistic) or kind.open_only or not plugins.is_ours(kind):
            continue
        thing: Any = kind
        with suppress(ParameterError):
            if kind.family.key not in families:
                yield thing(query=query)
                families.add(kind.family.key)


def _related(mechanism: Mechanism) -> Iterator[Mechanism]:
    """Yield it for other neighbour relations, as far as its statistic supports them."""
    thing: Any = mechanism
    for relation in RELATIONS[1:]:
        try:
            yield replace(thing, query=replace(thing.query, relation=relation))
        except (ParameterError, TypeError):
            continue


def _louder(mechanism: Mechanism) -> Iterator[Mechanism]:
    """Yield it with other epsilons, as far as it accepts them."""
    thing: Any = mechanism
    for epsilon in EPSILONS if "epsilon" in mechanism.parameters() else ():
        try:
            yield replace(thing, epsilon=epsilon)
        except ParameterError:
            continue


def _computes(query: Query) -> bool:
    """Compare its value with that in plain Python, on every dataset of few rows."""
    bounds = SCHEMA.bounds("x")
    ticks = places(bounds)
    for rows in multisets(len(ticks), range(MOST_ROWS + 1)):
        column = Column.from_ticks(bounds, np.array([ticks[row] for row in rows], np.int64))
        values = [float(bounds.value(ticks[row])) for row in rows]
        plainly = query.brute(values, bounds) if rows else query.empty(bounds)
        if plainly is None or not math.isclose(query.value(column), plainly, rel_tol=CLOSE, abs_tol=CLOSE):
            return False
    return True
