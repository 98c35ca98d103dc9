"""Refilling: a form set to an earlier query, so that only the intended change has to be made.

A value that no widget can hold (an epsilon beyond its field) keeps the form's default.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from discreet.curator import Request
from discreet.mechanisms.base.vocabulary import Family, Topic
from discreet.office.requests.request import Inquiry
from discreet.plans.plan import MIDDLE
from discreet.queries.median import Median
from discreet.queries.quantile import Quantile
from discreet.rows import Schema
from discreet.rows.columns.bands import Bands, typed
from discreet.rows.columns.recode import Recode, written
from discreet.ui import kinds
from discreet.ui.ask import form, price
from discreet.ui.ask.form import fitting, methods, seconds, topics
from discreet.ui.ask.spending import ACTING
from discreet.ui.data.filters import bands_key, merged_key, merging_key
from discreet.ui.session.state import absent, choose, drawn, entered, settings, workspace


def refill(families: Sequence[Family], key: str) -> None:
    """Set the form of this page, once, to the query of another page, or to the request that is to be asked again."""
    space = workspace()
    wanted, space.refill = space.refill, ""
    asked = None if isinstance(wanted, Request) else _request(wanted)
    query = wanted if isinstance(wanted, Request) else next(iter(asked.request.rows)) if asked is not None else None
    if query is None:
        return
    for widget, value in settings_of(families, query, space.dataset.schema, key).items():
        choose(widget, value)
    if asked is not None:
        choose(f"{key}:purpose", asked.purpose)
    st.rerun()  # widgets with a proposed value need it before the run starts


def _request(wanted: str) -> Inquiry | None:
    """Return a request of one query by its id."""
    desk = workspace().here.desk
    asked = () if desk is None or not wanted else desk.requests
    return next((each for each in asked if each.id == wanted and len(each.request.rows) == 1), None)


def settings_of(families: Sequence[Family], request: Request, schema: Schema, key: str) -> dict[str, Any]:
    """Return the value of each widget for this query; empty if the form cannot express it."""
    kind = type(request.mechanism)
    given = request.mechanism.values()
    topic = next((each for each in topics(families, schema) if _says(each, request, schema)), None)
    if topic is None:
        return {}
    place = ":".join((key, topic.name, *request.columns))
    mark = f"{key}:column:{topic.columns}:{topic.numbers_only}:{topic.zeroless}"
    values: dict[str, Any] = {f"{key}:topic": topic}
    if kind in methods(families, topic.name):  # the mechanism may no longer be offered
        values[f"{key}:method:{topic.name}"] = kind
    values |= {f"{mark}:{at}": name for at, name in enumerate(request.columns)}
    values |= {f"{place}:{name}": value for name, value in _options(request).items()}
    values |= _rows(request, schema, key) | _price(given, key)
    by_hand = {name: given[name] for name in form.settings_of(kind) if given.get(name) is not None}
    if by_hand:
        values[f"{place}:auto:{kind.slug}"] = False
        values |= {f"{place}:{kind.slug}:{name}": value for name, value in by_hand.items()}
    return values


def _says(topic: Topic, request: Request, schema: Schema) -> bool:
    """Whether a query is about this topic, with columns that the form offers."""
    name, *others = request.columns
    here = len(request.columns) == topic.columns and name in fitting(schema, topic)
    if not here or topic.name not in _names(request):
        return False
    return not others or others[0] in seconds(schema, topic.name, name)


def _names(request: Request) -> tuple[str, ...]:
    """Return the possible topics of a query: its statistic, its estimate, or all that its mechanism answers."""
    parts = vars(request.mechanism)
    offered = type(request.mechanism).topics()
    if "query" in parts:
        return (parts["query"].name,)
    if "estimator" in parts:
        return (parts["estimator"].partition(":")[0],)
    if "q" in parts:
        return (Median.name if parts["q"] == MIDDLE else Quantile.name,)
    return tuple(topic.name for topic in offered)


def _options(request: Request) -> dict[str, Any]:
    """Return the options of a statistic, by the names of their widgets."""
    parts = vars(request.mechanism)
    query = vars(parts["query"]) if "query" in parts else parts
    options = {name: query[name] for name in ("q", "j", "cut", "resize") if query.get(name) is not None}
    _, level, text = str(parts.get("estimator", "")).partition(":")
    if level:
        options |= {"q": float(text), "cut": float(text), "at": float(text)}
    if "levels" in parts:
        options["levels"] = list(parts["levels"])
    if "queries" in parts:
        options["several"] = [each.name for each in parts["queries"]]
    return options


def _rows(request: Request, schema: Schema, key: str) -> dict[str, Any]:
    """Return which rows and groups are chosen, and whether the number of rows is public."""
    filters = [each for condition in request.where for each in condition.filters]
    names = list(dict.fromkeys(each.column for each in filters))
    values: dict[str, Any] = {f"{key}:where": names, f"{key}:by": next(iter(request.group_names), None)}
    values |= {bands_key(by.column, key): typed(by) for by in request.groups if isinstance(by, Bands)}
    values |= {merging_key(name, key): False for name in request.group_names}
    for by in request.groups:
        if isinstance(by, Recode):
            values |= {merging_key(by.column, key): True, merged_key(by.column, key): written(by)}
    values[f"{key}:any"] = any(len(condition.filters) > 1 for condition in request.where)
    for name in names:
        column = schema.columns[name]
        mine = [each for each in filters if each.column == name]
        values |= kinds.of(column).filled(name, column, mine, key)
    size = request.mechanism.neighbours.size
    return values | ({f"{key}:sized": False} if size is None else {f"{key}:sized": True, f"{key}:size": size})


def _price(given: dict[str, Any], key: str) -> dict[str, Any]:
    """Return epsilon and delta, as far as their fields allow."""
    values: dict[str, Any] = {f"{key}:set": "epsilon"}
    epsilon = float(given["epsilon"])
    if price.TYPED_LEAST <= epsilon <= price.TYPED_MOST:
        values |= price.settings_of_epsilon(f"{key}:epsilon", epsilon)
    delta = [text for text in price.DELTAS if float(text) == given.get("delta")]
    return values | {f"{key}:delta": text for text in delta}


# Resuming: a form keeps its settings across other pages, reloads and lost connections.


def resume(key: str) -> None:
    """Restore the settings of a form that was not on the screen before, except those already set."""
    left = workspace().here.forms.get(key, {})
    missing = absent(left) if entered(key) else []
    for widget in missing:
        choose(widget, left[widget])
    if missing:
        st.rerun()  # widgets with a proposed value need it before the run starts


def remember(key: str) -> None:
    """Remember the current settings of a form."""
    workspace().here.forms[key] = settings(key, ACTING)
    drawn(key)
