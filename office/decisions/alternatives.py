"""Alternatives: what the same question would be worth at another price, and by another method at a smaller one.

Everything is forecast from public inputs: the declaration, and the public number of people where
one is stated. Where the error depends on the rows, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Any

from discreet.budget import Cost, ParameterError, Phrase, plugins
from discreet.curator.request import Request
from discreet.mechanisms import Mechanism, registry
from discreet.mechanisms.base.tuning import epsilon_for
from discreet.office.rules.registration import Registration

STEPS = (0.25, 0.5, 1.0, 2.0)
WORTH = 0.95  # another method is suggested where it costs less than this share of the price


@dataclass(frozen=True)
class Alternative:
    """A price, the error that it buys 19 times in 20 (None: it depends on the rows), and by which method."""

    cost: Cost
    half_width: float | None
    method: Phrase
    same: bool


def prices(request: Request, said: Registration) -> list[Alternative]:
    """Return the same question at other prices, cheapest first."""
    return [_priced(request, said, request.mechanism, times) for times in STEPS if _allowed(request, times)]


def cheaper(request: Request, said: Registration) -> list[Alternative]:
    """Return other methods that reach the same error for less, cheapest first."""
    width = _width(request, said)
    if width is None:
        return []
    others = [replace(request, mechanism=other) for other in _others(request, said, width)]
    fit = [
        Alternative(other.cost(), _width(other, said), Phrase(type(other.mechanism).title), False) for other in others
    ]
    most = WORTH * request.cost().epsilon
    cheap = [each for each in fit if each.cost.epsilon < most and each.cost.delta <= request.cost().delta]
    return sorted(cheap, key=lambda each: each.cost.epsilon)


def _priced(request: Request, said: Registration, mechanism: Any, times: float) -> Alternative:
    at_price = replace(request, mechanism=replace(mechanism, epsilon=times * mechanism.epsilon))
    return Alternative(at_price.cost(), _width(at_price, said), Phrase(type(mechanism).title), times == 1)


def _allowed(request: Request, times: float) -> bool:
    """Return whether a mechanism takes such an epsilon."""
    mechanism: Any = request.mechanism
    with suppress(ParameterError):
        replace(mechanism, epsilon=times * mechanism.epsilon)
        return True
    return False


def _width(request: Request, said: Registration) -> float | None:
    """Return the error that holds for all data, where there is one."""
    forecast = request.mechanism.forecast(request.public(said.schema, said.people))
    return forecast.half_width if forecast.exact else None


def _others(request: Request, said: Registration, width: float) -> Iterator[Mechanism]:
    """Yield other methods for the same statistic, each at the price at which it reaches an error."""
    query = vars(request.mechanism).get("query")
    for kind in registry.values() if query is not None else ():
        names: set[str] = {each.name for each in fields(kind)}
        if (
            kind.open_only
            or kind.joint
            or isinstance(request.mechanism, kind)
            or "query" not in names
            or plugins.lacking(kind)
        ):
            continue
        with suppress(ParameterError):
            factory: Any = kind
            yield _at(factory(query=query), request, said, width)


def _at(mechanism: Mechanism, request: Request, said: Registration, width: float) -> Mechanism:
    """Return a method at the price of an error; it refuses where it cannot answer or reach it."""
    public = request.public(said.schema, said.people)
    mechanism.check(public)
    priced: Any = mechanism
    at_price: Mechanism = replace(priced, epsilon=float(f"{epsilon_for(mechanism, public, width) * 1.0005:.4g}"))
    return at_price
