"""The release in three pure steps: rows become views, views become a law, a draw becomes what is shown.

Only the first two steps see rows. A release and an audit call the same functions: the release with lots that are drawn,
the audit with every possible lot. The third step knows the drawn answer and public values, and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from discreet.budget import Cost, plugins
from discreet.curator.request import Request, kinds
from discreet.curator.result import Release
from discreet.mechanisms.base.refining import Behind, Drawn, Traced
from discreet.mechanisms.laws.law import Answer, Law, Product, plainly
from discreet.noise.protocol import NoiseSource
from discreet.rows.dataset import Dataset
from discreet.rows.persons import Lots
from discreet.rows.schema import Schema

Views = list[tuple[str, Any]]
WHOLE = ""  # the only group of a query without groups


def views(dataset: Dataset, request: Request, lots: Lots) -> Views:
    """Read the views of a query: one private view, or one for each declared level."""
    if request.groups and len(request.columns) > 1:
        each = dataset.paired(request.columns, request.groups, request.where, lots)
        return list(zip(dataset.schema.crossed(request.groups), each.values(), strict=True))
    if request.groups:
        (name,) = request.columns
        return list(dataset.grouped(name, request.groups, request.where, lots).items())
    return [(WHOLE, request.mechanism.view.read(dataset, request, lots))]


@dataclass(frozen=True)
class Groups(Product):
    """Independent laws, one for each declared level; the answer names the levels."""

    names: tuple[str, ...] = field(default=())

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw every group."""
        return tuple((level, law.draw(noise)) for level, law in zip(self.names, self.parts, strict=True))


def law(request: Request, seen: Views) -> Law:
    """Return the joint law of everything that is shown."""
    laws = tuple(request.mechanism.law(view) for _, view in seen)
    return laws[0] if not request.groups else Groups(laws, tuple(level for level, _ in seen))


@dataclass(frozen=True)
class Outcome:
    """One draw: an answer or a refusal, or a failure that is shown as a refusal; and the numbers drawn for it."""

    answer: Answer
    failed: bool = False
    numbers: tuple[Drawn, ...] = ()


def drawn(request: Request, seen: Views, noise: NoiseSource, behind: Behind | None = None) -> Outcome:
    """Draw once, given the numbers of an earlier draw from these views if there was one."""
    if not request.mechanism.refines:
        return Outcome(law(request, seen).draw(noise))
    traced = Traced(noise, () if behind is None else behind.numbers)
    return Outcome(law(request, seen).draw(cast(NoiseSource, traced)), numbers=tuple(traced.numbers))


def drawn_together(
    draw: Request, requests: Sequence[Request], schema: Schema, seen: Views, noise: NoiseSource
) -> list[Outcome]:
    """Draw once, and compute the answer of each of these rows of a plan from the draw and public values alone."""
    numbers = [draw.mechanism.law(view).everything.draw(noise) for _, view in seen]
    return [Outcome(computed(draw, request, schema, numbers)) for request in requests]


def computed(draw: Request, request: Request, schema: Schema, numbers: Sequence[Any]) -> Answer:
    """Return the answer of a row, computed from what was drawn for each group of a draw, and from public values."""
    given = numbers
    if request.mechanism.over is not None:
        given = [[numbers[place] for place in places] for places in cells_of(draw, request, schema)]
    public = request.public(schema)
    answers = [request.mechanism.measured(each, public) for each in given]
    return tuple(zip(schema.crossed(request.groups), answers, strict=True)) if request.groups else answers[0]


def cells_of(draw: Request, request: Request, schema: Schema) -> list[list[int]]:
    """Return the places of the groups of a draw of which each group of a coarser row consists."""
    sizes = [len(schema.category(by).labels) for by in draw.groups]
    kept = [draw.groups.index(by) for by in request.groups]
    rest = [at for at in range(len(sizes)) if at not in kept]
    places = np.arange(math.prod(sizes)).reshape(sizes).transpose(kept + rest)
    lines: list[list[int]] = places.reshape(math.prod(sizes[at] for at in kept), -1).tolist()
    return lines


def settled(request: Request, outcome: Outcome) -> bool:
    """Return whether the full cost is owed: a test that refuses costs less, a failure does not."""
    if request.groups and isinstance(outcome.answer, tuple):
        return any(value is not None for _, value in outcome.answer)
    return outcome.failed or outcome.answer is not None


def shown(
    name: str, request: Request, schema: Schema, outcome: Outcome, entry: int, read_by: Iterable[type] = ()
) -> Release:
    """Return the release, computed from the draw and public values alone."""
    cost: Cost = request.cost() if settled(request, outcome) else request.refusal_cost()
    mechanism = request.mechanism
    public = request.public(schema)
    drawn = outcome.answer
    interval = _each(request, drawn, lambda value: mechanism.interval(value, public))
    size = _each(request, drawn, mechanism.rows_about) if mechanism.sized else None
    packages = plugins.named_with((*kinds(request), *read_by))
    return Release(name, request, _each(request, drawn, plainly), cost, entry, interval, size, packages=packages)


def _each(request: Request, answer: Answer, of: Callable[[Any], Any]) -> Any:
    """Apply a function to an answer, or to the answer of every group."""
    if request.groups and isinstance(answer, tuple):
        return tuple((level, of(value)) for level, value in answer)
    return of(answer)
