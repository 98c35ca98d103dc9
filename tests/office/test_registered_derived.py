"""Derived columns of a registered dataset: declared by an officer, asked by programs, on the card, and kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from support.offices import APART, ON_SQLITE, PURPOSE, REGISTRATION, Office

from discreet.budget import ParameterError
from discreet.curator import Request
from discreet.curator.request import plain
from discreet.mechanisms import registry as mechanisms
from discreet.office import Policy
from discreet.office.api.service import Sent, Service
from discreet.office.cards import cards
from discreet.office.cards.review_case import snapshot
from discreet.office.datasets import changes, registering, registry
from discreet.office.people import tokens
from discreet.office.people.tokens import SCOPES
from discreet.office.requests.request import find
from discreet.queries.mean import Mean
from discreet.rows import Category, Date, Difference, Meets, Number, Ratio, Schema
from discreet.rows.files import Layout

ROWS = b"in,out,cost,town\n" + b"".join(
    b"2024-03-%02d,2024-03-%02d,%d,%s\n" % (1 + i % 9, 3 + i % 20, 100 * (i % 30), (b"north", b"south")[i % 2])
    for i in range(300)
)
COLUMNS: dict[str, Any] = {
    "in": Date("2024-01-01", "2024-12-31", origin="the year"),
    "out": Date("2024-01-01", "2025-03-31", origin="the year"),
    "cost": Number(0, 5000, integer=True, unit="euros", origin="tariff"),
    "town": Category(("north", "south"), origin="a map"),
    "stay": Difference("out", "in", 0, 30, origin="the longest contract"),
    "day": Ratio("cost", "stay", 0, 1000, 1, origin="tariff"),
    "long": Meets("stay", ">", 7),
}
SCHEMA = Schema(COLUMNS, Layout("text"))
PLAN = {"discreet_plan": 1, "epsilon": 0.4, "rows": [{"statistic": "mean", "column": "stay", "by": "town"}]}


def mean(column: str, epsilon: float) -> Request:
    """Ask for a mean."""
    kind: Any = mechanisms["laplace"]
    return Request(kind(query=Mean(), epsilon=epsilon), (column,))


@pytest.fixture
def stays(another: Callable[..., Office]) -> Office:
    """Return a house with such a dataset; up to 0.2 runs at once."""

    def prepare(office: Office) -> None:
        said = replace(REGISTRATION, name="stays", schema=SCHEMA, apart=APART)
        office.dataset = registering.register(office.house, office.who["olga"], ROWS, said, Policy()).id
        office.amend(free=0.2)

    return another(prepare)


def test_bounds_of_a_derived_column_need_a_source_as_any() -> None:
    """Those that follow from both columns have none of their own."""
    unsourced = Schema({**COLUMNS, "stay": Difference("out", "in", 0, 30)})
    with pytest.raises(ParameterError, match="'stay': enter the public source"):
        replace(REGISTRATION, schema=unsourced)
    assert replace(REGISTRATION, schema=Schema({**COLUMNS, "stay": Difference("out", "in")}))


@ON_SQLITE
def test_a_program_asks_for_a_derived_column(stays: Office) -> None:
    """Its declaration is public; a query, a forecast and a plan take it like any; the card says the rule."""
    service, token = Service(), tokens.issue(stays.house, stays.who["bob"], "a test", frozenset(SCOPES), 30)

    def call(path: str, **body: Any) -> Any:
        method, data = ("POST", json.dumps(body).encode()) if body else ("GET", b"")
        where = f"/api/v1/datasets/{stays.dataset}{path}"
        return service.answer(stays.house, Sent(method, where, {}, f"Bearer {token}", "application/json", data))

    declared = call("")["declaration"]["columns"]
    assert declared["stay"] == {"kind": "difference", **SCHEMA.columns["stay"].plain()}
    assert Schema.from_json(json.dumps(call("")["declaration"])) == SCHEMA
    assert call("/forecasts", question=plain(mean("day", 0.1)))
    assert call("/plans", plan=PLAN)
    sent = call("/requests", question=plain(mean("stay", 0.15)), purpose=PURPOSE)
    asked = find(stays.house, sent["id"])
    assert asked.release is not None and 0 <= float(str(asked.release.answer)) <= 30
    card = json.dumps(cards.card(snapshot(stays.house, asked)).to_json(), default=str)
    assert "number of whole days from in to out" in card


@ON_SQLITE
def test_the_rule_is_kept_where_more_is_declared(stays: Office) -> None:
    """A level may be added at the end; another rule, or other bounds of one, are refused."""
    wider = {**COLUMNS, "town": Category(("north", "south", "west"), origin="a map")}
    other = {**wider, "stay": Difference("out", "in", 0, 60, origin="the longest contract")}
    with pytest.raises(ParameterError, match="'stay' cannot be changed"):
        changes.extend(stays.house, stays.who["olga"], stays.dataset, Schema(other, SCHEMA.layout))
    for login in ("olga", "otto"):
        changes.extend(stays.house, stays.who[login], stays.dataset, Schema(wider, SCHEMA.layout))
    assert registry.find(stays.house, stays.dataset).registration.schema == Schema(wider, SCHEMA.layout)
