"""The road in three pure steps: rows become views, views one law, a draw becomes what is shown.

The first two are all that ever sees rows. A release and an audit call the same functions: the
release with lots that are drawn, the audit with every possible one. The third step knows the drawn
answer and public things, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from discreet.budget import Cost
from discreet.curator.released import Release
from discreet.curator.request import Request
from discreet.mechanisms.composed import Product
from discreet.mechanisms.laws import Answer, Law
from discreet.mechanisms.noise_source import NoiseSource
from discreet.rows.dataset import Dataset
from discreet.rows.lots import Lots
from discreet.rows.schema import Schema

Views = list[tuple[str, Any]]
Interval = tuple[float, float] | None
WHOLE = ""  # the only group where nobody asked for groups


def views(dataset: Dataset, request: Request, lots: Lots) -> Views:
    """Read what the law is made of: one private view, or one for each declared level."""
    if request.by is not None:
        (name,) = request.columns
        return list(dataset.grouped(name, request.by, request.where, lots).items())
    return [(WHOLE, request.mechanism.view.read(dataset, request, lots))]


@dataclass(frozen=True)
class Groups(Product):
    """Independent laws, one for each declared level; the answer names the levels."""

    levels: tuple[str, ...] = field(default=())

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw every group."""
        return tuple((level, law.draw(noise)) for level, law in zip(self.levels, self.parts, strict=True))


def law(request: Request, seen: Views) -> Law:
    """Return the law of everything that is shown."""
    laws = tuple(request.mechanism.law(view) for _, view in seen)
    return laws[0] if request.by is None else Groups(laws, tuple(level for level, _ in seen))


@dataclass(frozen=True)
class Outcome:
    """One draw: an answer or a refusal, or a failure that is shown as a refusal."""

    answer: Answer
    failed: bool = False


def settled(request: Request, outcome: Outcome) -> bool:
    """Say whether the full cost is owed: a test that refuses costs less, a failure does not."""
    if request.by is not None and isinstance(outcome.answer, tuple):
        return any(value is not None for _, value in outcome.answer)
    return outcome.failed or outcome.answer is not None


def shown(name: str, request: Request, schema: Schema, outcome: Outcome, entry: int) -> Release:
    """Return what may be shown, from the draw and public things alone."""
    cost: Cost = request.cost() if settled(request, outcome) else request.refusal_cost()
    interval = _interval(request, schema, outcome.answer)
    return Release(name, request, outcome.answer, cost, entry, interval)


def _interval(request: Request, schema: Schema, answer: Answer) -> Any:
    forecast = request.mechanism.forecast(request.public(schema))
    width = forecast.half_width if forecast.exact else None
    if request.by is not None and isinstance(answer, tuple):
        return tuple((level, _around(value, width)) for level, value in answer)
    return _around(answer, width)


def _around(answer: Answer, width: float | None) -> Interval:
    if width is None or not isinstance(answer, (int, float)):
        return None
    return answer - width, answer + width
