"""Request lists: what other software keeps opens as a plan, and its filters are read and never evaluated."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from discreet.budget import Cost
from discreet.budget.errors import ParameterError
from discreet.plans import planned
from discreet.plans.request_list import conditions, is_request_list, opened
from discreet.rows import Category, Either, Filter, Number, Schema

SCHEMA = Schema(
    {
        "age": Number(0, 100, integer=True),
        "pay": Number(0, 9000, step=10),
        "sex": Category(("m", "f")),
        "type d'emploi": Category(("CDI", "l'autre", "a & b")),
        "type d'emploi 2": Category(("x", "y")),
    }
)


def request(kind: str, variable: str | None = None, **more: Any) -> dict[str, Any]:
    """Return one request with all parts that a list has."""
    return {"type": kind, "variable": variable, "bounds": None, "by": None, "alpha": None, "filtre": None} | more


LIST = {
    "all": request("count"),
    "of each": request("count", by=["sex"], filtre="pay > 1000"),
    "filtered": request("mean", "age", bounds=[0, 100], filtre="sex == 'f'"),
    "crossed": request("mean", "pay", bounds=[0, 8000], by=["sex", "type d'emploi"], filtre="sex != 'm'"),
    "either": request("sum", "pay", filtre="age < 30 | type d'emploi == 'l'autre'"),
    "grouped": request("sum", "pay", by=["sex"]),
    "one": request("quantile", "age", by=["sex"], alpha=0.5),
    "three": request("quantile", "age", alpha=[0.25, 0.5, 0.75]),
}


def test_a_list_of_eight_requests_opens_as_a_plan_that_can_be_run() -> None:
    """Counts, means, sums and quantiles, by none, one or two groups, under every kind of filter."""
    text = json.dumps(LIST)
    assert is_request_list(text)
    result = opened(text, SCHEMA, Cost.of(4, "1e-6"))
    rows = [(item.statistic, item.column, item.groups, item.level) for item in result.plan.items]
    assert rows == [
        ("count", "age", (), None),
        ("counts", "sex", (), None),
        ("mean", "age", (), None),
        ("mean", "pay", ("sex", "type d'emploi"), None),
        ("sum", "pay", (), None),
        ("sum", "pay", ("sex",), None),
        ("quantile", "age", ("sex",), 0.5),
        ("quantile", "age", (), (0.25, 0.5, 0.75)),
    ]
    assert result.plan.items[4].where == (Either((Filter("age", "<", 30.0), Filter("type d'emploi", "=", "l'autre"))),)
    assert [note.values["name"] for note in result.notes] == ["all", "crossed"]
    assert "0 to 9000 apply, not 0 to 8000" in result.notes[1]
    planned(result.plan, SCHEMA).fixed.check(SCHEMA)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        ("age >= 18", (Filter("age", ">=", 18.0),)),
        (" age>=18&sex=='f' ", (Filter("age", ">=", 18.0), Filter("sex", "=", "f"))),
        ("sex == f | age < 3", (Either((Filter("sex", "=", "f"), Filter("age", "<", 3.0))),)),
        ("type d'emploi == 'a & b'", (Filter("type d'emploi", "=", "a & b"),)),
        ("type d'emploi 2 != 'x'", (Filter("type d'emploi 2", "!=", "x"),)),
        (
            "age < 3 & sex == 'f' | pay > 10",
            (
                Either((Filter("age", "<", 3.0), Filter("pay", ">", 10.0))),
                Either((Filter("sex", "=", "f"), Filter("pay", ">", 10.0))),
            ),
        ),
    ],
)
def test_filters_are_read_as_they_are_written(text: str, expected: Any) -> None:
    """Names with blanks and apostrophes, texts that hold a sign, and `&` before `|`."""
    assert conditions(text, SCHEMA) == expected


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "age",
        "age >",
        "age > 3 &",
        "age = 3",
        "height > 3",
        "(age > 3)",
        "age > 3 | | sex == 'f'",
        "sex == 'f' sex == 'm'",
    ],
)
def test_a_filter_that_cannot_be_read_is_refused_at_its_place(text: str) -> None:
    """Nothing is guessed and nothing is run."""
    with pytest.raises(ParameterError, match="cannot be read at|can be compared only with"):
        for condition in conditions(text, SCHEMA):
            condition.check(SCHEMA)


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        (request("variance", "age"), "of the list may have only a type"),
        (request("mean"), "needs a variable"),
        (request("mean", "height"), "not declared"),
        (request("mean", "age", by="sex"), "of the list may have only a type"),
        (request("mean", "age", bounds=[0]), "of the list may have only a type"),
        (request("quantile", "age", alpha=["a"]), "of the list may have only a type"),
        (request("mean", "age", weight=3), "of the list may have only a type"),
        (request("count", by=[["sex"]]), "of the list may have only a type"),
        (request("quantile", variable=[]), "of the list may have only a type"),  # type: ignore[arg-type]
        (request("mean", ""), "needs a variable"),
        (request("mean", "age", bounds=[0, 10**400]), "of the list may have only a type"),
        (request("quantile", "age", alpha=[math.nan]), "of the list may have only a type"),
    ],
)
def test_a_request_of_another_shape_is_refused_by_its_name(broken: dict[str, Any], sentence: str) -> None:
    """Whoever corrects a list must know where."""
    with pytest.raises(ParameterError, match=sentence):
        opened(json.dumps({"first": broken}), SCHEMA, Cost.of(1))


def test_a_list_that_is_too_long_is_refused_before_one_of_it_is_read() -> None:
    """Its filters alone would take a server as long as it takes to read them all."""
    with pytest.raises(ParameterError, match="between 1 and 1,000 queries. Got 1001"):
        opened(json.dumps({str(at): request("variance", "age") for at in range(1001)}), SCHEMA, Cost.of(1))


@pytest.mark.parametrize("text", ["", "[]", "{}", "[" * 10**5, '{"discreet_plan": 1}', '{"a": {"b": 1}}'])
def test_what_is_no_list_of_requests_is_not_taken_for_one(text: str) -> None:
    """Plans of this project among them."""
    assert not is_request_list(text)
