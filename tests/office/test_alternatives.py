"""Alternatives: other prices and methods, from public inputs alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.offices import REGISTRATION, question

from discreet.curator import Request
from discreet.mechanisms import registry
from discreet.office.decisions.alternatives import cheaper, prices
from discreet.queries.mean import Mean
from discreet.queries.median import Median


def test_half_the_price_is_twice_the_error_of_laplace() -> None:
    """The one that is asked is marked; a quarter, half and twice of it stand beside it."""
    steps = prices(question(0.4), REGISTRATION)
    assert [step.cost.epsilon for step in steps] == pytest.approx([0.1, 0.2, 0.4, 0.8])
    assert [step.same for step in steps] == [False, False, True, False]
    widths = [step.half_width or 0.0 for step in steps]
    assert widths[0] > widths[1] > widths[2] > widths[3] > 0


def test_a_cheaper_method_reaches_the_same_error_for_less() -> None:
    """Whatever is proposed is less in epsilon, no more in delta, and no wider than what was asked."""
    wasteful: Any = registry["gaussian"]
    asked = Request(wasteful(query=Mean(), epsilon=0.5), ("age",))
    (width,) = [step.half_width for step in prices(asked, REGISTRATION) if step.same]
    others = cheaper(asked, REGISTRATION)
    assert others and width is not None
    for each in others:
        assert each.cost.epsilon < asked.cost().epsilon and each.cost.delta <= asked.cost().delta
        assert each.half_width is not None and each.half_width <= width * 1.001


def test_where_the_error_depends_on_the_rows_nothing_is_said() -> None:
    """The noise scale of smooth sensitivity is secret, for any number of people."""
    smooth: Any = next(kind for slug, kind in registry.items() if slug == "smooth-core-tail")
    asked = Request(smooth(query=Median(), epsilon=0.5), ("age",))
    for said in (REGISTRATION, replace(REGISTRATION, people=100_000)):
        assert all(step.half_width is None for step in prices(asked, said)) and cheaper(asked, said) == []


def test_every_mechanism_has_its_prices_or_none() -> None:
    """A new one breaks nothing here: each that takes a statistic is tried."""
    tried = 0
    for kind in registry.values():
        if kind.open_only or not kind.can_answer(Mean.name):
            continue
        mechanism: Any = kind
        names = {name for name in kind.__dataclass_fields__ if name == "query"}
        if names:
            asked = Request(mechanism(query=Mean()), ("age",))
            assert all(step.cost.epsilon > 0 for step in prices(asked, REGISTRATION))
            assert all(step.cost.epsilon < asked.cost().epsilon for step in cheaper(asked, REGISTRATION))
            tried += 1
    assert tried > 3
