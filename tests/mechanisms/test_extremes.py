"""Whether an answer is refused never depends on rows: what is accepted is answered for any data."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import fields
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from support.for_each import for_each

from discreet.budget import Cost, SessionLedger
from discreet.budget.errors import ParameterError
from discreet.curator import Curator, ReleaseNoise, Request
from discreet.mechanisms import Mechanism, registry
from discreet.mechanisms.base.view import Levels, OneColumn, TwoColumns
from discreet.mechanisms.base.vocabulary import Forecast, Public
from discreet.mechanisms.histogram_bounds import HistogramBounds
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.queries import ADD_REMOVE, Bounds, Column, Relation
from discreet.queries import registry as statistics
from discreet.queries.column import Blocks, Pairs, Scores
from discreet.queries.mean import Mean
from discreet.queries.trimmed import TrimmedMean
from discreet.rows import Category, Dataset, LocalSource, Number, Schema

NUMBER = 12
SETTINGS = 6  # of each mechanism
EPSILONS = (0.01, 1.0, 8.0)
RELATIONS = (ADD_REMOVE, Relation(rows=10_000), Relation(size=NUMBER), Relation(NUMBER, rows=2))
ENDS = [
    (0.0, 1e-250),
    (-1e-250, 1e-250),
    (0.0, 1e250),
    (-5e249, 5e249),
    (1e249, 1e250),
    (0.0, 1e-119),
    (1e15, 1e15 + 1),
    (-1e119, 0.0),
    (1.0, 1.0 + 2.0**-30),
    (-1e260, -1e260 + 1e246),
]
WHOLE = [(2**62 - 2, 2**62 - 1, 1), (-(2**62) + 1, 2**62 - 1, 2**33), (0, 2**31 - 1, 1), (0, 1, 1)]


def grids() -> list[Bounds]:
    """Return bounds at the ends of what may be declared: far, wide, narrow, coarse and fine."""
    bounds = [Bounds(low, high, step, integer=True) for low, high, step in WHOLE]
    for low, high in ENDS:
        bounds += [Bounds(low, high, (high - low) / cells) for cells in (2, 2**20)]
    return bounds


GRIDS = grids()


@cache
def columns(bounds: Bounds, size: int | None) -> list[Column]:
    """Return no rows, one, equal rows, rows on both ends, and rows that spread: the same ones to all."""
    top, each = bounds.top, list[Column]()
    rng = np.random.default_rng(1)
    for n in [size] if size else [0, 1, NUMBER, 400]:
        for ticks in ([0] * n, [top] * n, [0, top] * n, rng.integers(0, top + 1, n)):
            each.append(Column.from_ticks(bounds, np.asarray(ticks[:n], dtype=np.int64)))
    return each


def two_columns(mechanism: Mechanism, first: Bounds, second: Bounds) -> list[Pairs]:
    """Return rows of two columns at their ends and between, where a slope between these units is a number."""
    try:
        mechanism.check(Public(first, second=second))
        mechanism.forecast(Public(first, NUMBER, second=second))
    except ParameterError:
        return []
    rng, ends = np.random.default_rng(1), ([], [0], [0, 1], [1, 1, 1])
    rows = [[np.array(side, np.int64) * bounds.top for bounds in (first, second)] for side in ends]
    rows.append([rng.integers(0, bounds.top + 1, 400) for bounds in (first, second)])
    return [Pairs.from_ticks(first, second, left, right) for left, right in rows]


def views(mechanism: Mechanism, bounds: Bounds) -> list[Any]:
    """Return what the law is made of, at its extremes."""
    if isinstance(mechanism.view, OneColumn):
        return columns(bounds, mechanism.neighbours.size)
    if isinstance(mechanism.view, Levels):
        labels = ("a", "b", "c")
        return [Scores(labels, np.array(c)) for c in ([0, 0, 0], [10**12, 0, 10**12], [1, 2, 9])]
    if isinstance(mechanism.view, TwoColumns):
        return [pair for other in GRIDS[::5] for pair in two_columns(mechanism, bounds, other)]
    low, high = mechanism.lower, mechanism.upper  # type: ignore[attr-defined]
    numbers = ([low] * 5, [high] * 5, [low, high, np.nan, np.inf, low])
    return [Blocks(low, high, np.array(some)) for some in numbers]


def setting(kind: type[Mechanism], dice: random.Random) -> tuple[Mechanism, Bounds]:
    """Return a random mechanism at the ends of its parameters, with random bounds."""
    bounds, relation = dice.choice(GRIDS), dice.choice(RELATIONS)
    names = {f.name for f in fields(kind)}
    chosen: dict[str, Any] = {"epsilon": dice.choice(EPSILONS)}
    if "query" in names:
        query = statistics[dice.choice(sorted(topic.name for topic in kind.topics()))]
        chosen["query"] = query(resize=NUMBER) if query.name == "trimmed-mean" else query(relation)  # type: ignore[call-arg]
    elif "queries" in names:
        chosen["queries"] = tuple(statistics[name](relation) for name in ("mean", "median", "sum"))
    else:
        chosen["relation"] = relation
    if "k" in names:
        chosen |= {"k": 5, "lower": bounds.lower, "upper": bounds.upper}
    for name, parameter in kind.parameters().items():
        if name not in chosen and dice.random() < 0.5 and np.isfinite([parameter.low, parameter.high]).all():
            low, high = parameter.low, parameter.high
            drawn = dice.choice(parameter.choices or (low, high, min(max(1e-9, low), high)))
            chosen[name] = int(drawn) if name in ("size", "people", "most") else drawn
    return kind(**chosen), bounds


def answered(slug: str, seed: int, number: int) -> tuple[int, int]:
    """Draw from every law of so many settings; return how many were accepted and answered."""
    dice, noise, accepted, drawn = random.Random(f"{slug} {seed}"), ReleaseNoise(), 0, 0
    for _ in range(number):
        try:
            mechanism, bounds = setting(registry[slug], dice)
            mechanism.check(Public(bounds, size_guess=NUMBER, labels=3))
            mechanism.forecast(Public(bounds, size_guess=NUMBER, labels=3))
        except ParameterError:
            continue  # refused before a charge, from public inputs
        accepted += 1
        for view in views(mechanism, bounds):
            try:
                mechanism.law(view).draw(noise)
            except Exception as error:
                raise AssertionError((mechanism, bounds, view)) from error
            drawn += 1
    return accepted, drawn


@pytest.mark.parametrize("slug", sorted(s for s, kind in registry.items() if not kind.open_only))
def test_whatever_is_accepted_is_answered_for_any_data(slug: str) -> None:
    """Extreme bounds, parameters and rows: a law and a draw, or a refusal before any rows."""
    accepted, drawn = answered(slug, 1, SETTINGS)
    assert accepted and drawn


def test_public_sizes_whose_sums_do_not_fit_are_refused_before_any_rows() -> None:
    """2^40 rows are served on the preset grid and refused on the finest one, with a way out."""
    most = Relation(size=2**40)
    GlobalLaplace(Mean(most)).check(Public(Bounds(0, 1)))
    with pytest.raises(ParameterError, match="larger step"):
        GlobalLaplace(Mean(most)).check(Public(Bounds(0, 2**31 - 1, integer=True)))
    with pytest.raises(ParameterError, match="larger step"):
        GlobalLaplace(TrimmedMean(resize=2**32)).check(Public(Bounds(0, 2**31 - 1, integer=True)))


def test_bounds_by_histogram_need_room_for_an_edge() -> None:
    """Two neighbouring integers of 19 digits are one double: refused with a sentence, no charge."""
    close = Bounds(2**62 - 2, 2**62 - 1, integer=True)
    with pytest.raises(ParameterError, match="too close"):
        HistogramBounds().check(Public(close))
    HistogramBounds().check(Public(Bounds(0, 1, integer=True)))


ROWS = pa.table({"x": [1, 2, 3, 4] * 8, "g": ["a", "b"] * 16})
DECLARED = Schema({"x": Number(0, 10, integer=True), "g": Category(("a", "b"))})


@pytest.mark.parametrize("slug", sorted(slug for slug, kind in registry.items() if not kind.open_only))
@pytest.mark.parametrize("epsilon", [1e-6, 50.0])
def test_what_is_charged_is_shown_at_the_smallest_and_the_largest_epsilon(slug: str, epsilon: float) -> None:
    """A part of epsilon may be too small for what a part of the answer is made of: that is said before a charge."""
    ledger = SessionLedger(Cost.of(50, "1e-3"))
    try:
        mechanism = registry[slug](epsilon=epsilon)  # type: ignore[call-arg]
        name = "g" if mechanism.view.category else "x"
        release = Curator(Dataset(LocalSource(ROWS), DECLARED), ledger, tick=0).ask(Request(mechanism, (name,)))
    except ParameterError:
        assert ledger.spent == Cost.zero()
    else:
        assert ledger.spent == release.cost


CONFIDENCES = (1e-12, 1e-9, 1e-3, 0.25, 0.5, 0.500001, 0.75, 0.95, 1 - 1e-6, 1 - 1e-9, 1 - 1e-12)


@for_each(sorted(registry))
def test_a_forecast_is_a_number_at_every_confidence(slug: str) -> None:
    """Bought intervals ended in a math error at one of a half or less; more confidence is never less width."""
    mechanism, forecasts = registry[slug](), list[Forecast]()
    for bounds in (Bounds(0, 100, integer=True), Bounds(0, 5000.0)):
        public = Public(bounds, size_guess=1000, labels=10_000)
        forecasts = [mechanism.forecast(public, confidence) for confidence in CONFIDENCES]
        widths = [forecast.half_width for forecast in forecasts if forecast.half_width is not None]
        assert len(widths) in (0, len(CONFIDENCES)) and np.isfinite(widths).all()
        assert all(0 <= less <= more for less, more in itertools.pairwise(widths))
        for never in (0.0, 1.0, -0.1, 2.0, math.nan):
            with pytest.raises(ParameterError, match="confidence must be above 0 and below 1"):
                mechanism.forecast(public, never)
