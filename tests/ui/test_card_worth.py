"""What a card says of how exact its answer is: no sentence that the interval above it contradicts."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest


def worth(interval: tuple[float, float] | None, width: float | None) -> None:
    """Draw the lines of a card, as it is for a mean of two counts."""
    from types import SimpleNamespace
    from typing import Any

    from discreet.mechanisms.global_mean import TwoCounts
    from discreet.ui.office.requests.card import _worth

    row: Any = SimpleNamespace(
        accuracy=SimpleNamespace(warning=None, half_width=width),
        release=SimpleNamespace(interval=interval, no_interval=TwoCounts().no_interval()),
    )
    _worth(row)


@pytest.mark.parametrize(
    ("interval", "width", "lines"),
    [
        ((3.0, 4.0), None, []),
        (None, None, ["No interval: it is released with the result."]),
        ((3.0, 4.0), 0.5, ["With 95% probability, the result is within 0.5 of the value of the rows that were read."]),
    ],
    ids=str,
)
def test_a_card_with_an_interval_does_not_say_that_there_is_none(
    interval: tuple[float, float] | None, width: float | None, lines: list[str]
) -> None:
    """A mean of two counts, and a quantile with an interval, draw theirs with the answer."""
    app = AppTest.from_function(worth, args=(interval, width), default_timeout=60).run()
    assert not app.exception
    assert [line.value.replace("\\", "") for line in app.caption] == lines


def marked(epsilon: float) -> None:
    """Draw the margin of a median in the table of a card, and whether a plan of the same query warns of it."""
    from types import SimpleNamespace
    from typing import Any

    import streamlit as st

    from discreet.budget import Cost
    from discreet.curator import Request
    from discreet.mechanisms.laplace import GlobalLaplace
    from discreet.plans import Plan, Wanted, planned
    from discreet.queries.median import Median
    from discreet.rows import Number, Schema
    from discreet.ui.office.requests.card import _line

    schema = Schema({"age": Number(0, 100)})
    request = Request(GlobalLaplace(query=Median(), epsilon=epsilon), ("age",))
    width = request.mechanism.forecast(request.public(schema)).half_width
    row: Any = SimpleNamespace(
        accuracy=SimpleNamespace(warning=None, half_width=width),
        guarantee=SimpleNamespace(epsilon=epsilon),
        mechanism=SimpleNamespace(name="Laplace"),
    )
    item = Wanted("median", "age", method="laplace", held=epsilon)
    st.text(_line(1, request, row, schema)["Margin of error (95%)"])
    st.text(str(planned(Plan((item,), Cost.of(50)), schema).rows[0].vague))


@pytest.mark.parametrize(("epsilon", "noisy"), [(5.5, True), (6.5, False)])  # a quarter of the range is at 5.99
def test_a_card_marks_a_margin_where_the_plan_of_an_analyst_does(epsilon: float, noisy: bool) -> None:
    """By one rule, at a quarter of what the answer can be."""
    app = AppTest.from_function(marked, args=(epsilon,), default_timeout=60).run()
    assert not app.exception
    margin, vague = (line.value for line in app.text)
    assert margin.endswith("⚠ too noisy") == noisy == (vague == "True")
