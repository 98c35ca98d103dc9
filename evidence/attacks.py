"""Attacks: on drawn answers, on their floating-point form, and on the whole road of generated tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
from scipy import special

from discreet.budget import Cost
from discreet.curator import ReleaseNoise
from discreet.curator.request import Request
from discreet.evidence.audit import Event, Finding, Worst, black_box
from discreet.evidence.layers import Layer, Twin, worst_of
from discreet.evidence.whole_road import between, laws
from discreet.lab.experiment import simulate
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.base.view import InBlocks
from discreet.mechanisms.laws.divergence import Weighted
from discreet.mechanisms.laws.law import Gated, Laplace, Law, Noisy, Product, Shape
from discreet.noise.protocol import NoiseSource
from discreet.rows.columns import Quantity
from discreet.rows.filters import comparisons
from discreet.rows.schema import Schema
from discreet.rows.source import LocalSource

# --- The floating-point attack: does the double that was drawn reveal the exact answer? (Mironov 2012) ---
#
# Adding noise to a number in floating point can reach some doubles from one exact answer and not from another: one
# release reveals which it was. The two answers are a thousandth of a scale apart, so an honest release reveals
# almost nothing.

RELEASES = 2_000
FALSE_ALARM = 1e-6  # probability that a sound source is called broken
ANSWERS = (0.25, 0.251)
LATTICE = 2.0**-53  # uniforms of NumPy's generator are multiples of this
NEAR = np.arange(-24, 25)
Draw = Callable[[float], float]
Reach = Callable[[float, float], bool]


def laplace_reach(release: float, centre: float) -> bool:
    """Return whether centre -+ log(2U), U on the lattice, can be this release."""
    k = round(math.exp(-abs(release - centre)) / 2 / LATTICE)
    near = ((k + d) * LATTICE for d in range(-4, 5))
    noises = [math.log(u + u) for u in near if 0 < u <= 0.5]
    return any(release in (centre + noise, centre - noise) for noise in noises)


def quantile_reach(shape: Shape, scale: float = 1.0) -> Reach:
    """Return the function that answers this for centre + scale quantile(U)."""

    def reach(release: float, centre: float) -> bool:
        k = np.round(shape.cdf((release - centre) / scale) / LATTICE) + NEAR
        uniforms = np.clip(k, 1, 2**53 - 1) * LATTICE + LATTICE / 2
        return bool(np.any(centre + scale * shape.quantile(uniforms) == release))

    return reach


def attributed(reach: Reach, draw: Draw, answers: tuple[float, float] = ANSWERS) -> int:
    """Return how many releases are attributed correctly; if both or neither answer is possible, toss a coin."""
    coins = SimulationNoise(1).uniforms(1, RELEASES)[0] < 0.5
    right = 0
    for i in range(RELEASES):
        truth = i % 2
        release = draw(answers[truth])
        first, second = (reach(release, answer) for answer in answers)
        right += int((coins[i] if first == second else int(second)) == truth)
    return right


def broken(reach: Reach, draw: Draw, answers: tuple[float, float] = ANSWERS) -> bool:
    """Return whether the attack beats a coin with statistical significance."""
    by_luck = special.bdtrc(attributed(reach, draw, answers) - 1, RELEASES, 0.5)  # the probability of as many or more
    return bool(by_luck < FALSE_ALARM)


def naive(shape: Shape, scale: float = 1.0) -> Draw:
    """Return a sampler that adds a float quantile to a float."""
    noise = SimulationNoise(0)
    return lambda centre: float(centre + scale * shape.quantile(noise.uniforms(1, 1)[0, 0]))


def falls(law: Noisy, noise: NoiseSource) -> bool:
    """Return whether answers of a law, drawn by a source at the law's own scale, fall to the attack."""
    attacks = [quantile_reach(law.shape, law.scale)]
    if law.shape == Laplace() and law.scale == 1:
        attacks.append(laplace_reach)
    return any(
        broken(reach, lambda centre: law.shape.draw(noise, centre, law.scale), _answers(law)) for reach in attacks
    )


def falls_naively(law: Noisy) -> bool:
    """Return whether the sum of two doubles falls to the attack: the twin, which must fall."""
    return broken(quantile_reach(law.shape, law.scale), naive(law.shape, law.scale), _answers(law))


def _answers(law: Noisy) -> tuple[float, float]:
    """Return two exact answers that are a thousandth of a scale apart, neither of them 0."""
    return law.scale * ANSWERS[0], law.scale * ANSWERS[1]


# --- Drawing: attacks on drawn answers, by simulation and by the noise of releases ---

SAMPLES = 40_000
DRAWS = 1_000
SEED = 20261123
MISTAKEN = 1e-6  # probability that a true claim is refuted, or a correct sampler is rejected
APART = math.sqrt(math.log(2 / MISTAKEN) / (2 * DRAWS))  # of a cdf from that of this many draws (Massart 1990)


def attack(request: Request, schema: Schema) -> Layer:
    """Try to refute the claim, and that of the twin, from simulated answers on the worst pair."""
    mechanism = request.mechanism
    twin = Twin(request.mechanism)
    own, loud, views = worst_of(request, schema)
    cost = mechanism.cost()
    claim = twin.cost()
    here = own.pair or views[0]
    result = _refuted(mechanism.law(here[0]), mechanism.law(here[1]), cost.epsilon, cost.delta)
    there = loud.pair or views[0]
    broken = _refuted(twin.law(there[0]), twin.law(there[1]), claim.epsilon, claim.delta)
    numbers = {"samples": 2 * SAMPLES, "epsilon": cost.epsilon, "least_epsilon": result.epsilon}
    return Layer("black_box", not result.refuted, broken.refuted, numbers | {"twin_least_epsilon": broken.epsilon})


def _refuted(first: Law, second: Law, epsilon: float, delta: float) -> Finding:
    """Attack each number of an answer separately; the largest proven loss counts."""
    noise = SimulationNoise(SEED)
    samples = [np.atleast_2d(simulate(law, SAMPLES, noise)) for law in (first, second)]
    parts = [pair for pair in zip(*samples, strict=True) if not np.array_equal(pair[0], pair[1])]
    sure = 1 - MISTAKEN / max(len(parts), 1)
    results = [black_box(p, q, epsilon, delta, sure) for p, q in parts]
    return max(results, key=lambda each: (each.refuted, each.epsilon), default=Finding(0.0, 0.0, Event(), False))


def sampler(request: Request, schema: Schema) -> Layer:
    """Draw as a release does: the draws follow the compared law, and their last digits reveal nothing."""
    twin = Twin(request.mechanism)
    noise = ReleaseNoise()
    own, loud, views = worst_of(request, schema)
    numbers: dict[str, Any] = {"draws": DRAWS, "allowed_gap": APART}
    parts = list[tuple[bool, bool]]()
    for view in loud.pair or own.pair or views[0]:
        law = request.mechanism.law(view)
        broken = twin.law(view)
        answers = [_numbers(law.draw(noise)) for _ in range(DRAWS)]
        gaps = _gap(law, answers), _gap(broken, answers)
        if gaps[0] is not None and gaps[1] is not None:
            numbers["gap"] = max(gaps[0], numbers.get("gap", 0.0))
            parts.append((gaps[0] <= APART, gaps[1] > APART))
    floats = next((leaf for leaf in leaves(law) if isinstance(leaf, Noisy)), None)
    if floats is not None:
        numbers["float_attack"] = falls(floats, noise)
        parts.append((not numbers["float_attack"], falls_naively(floats)))
    if not parts:
        return Layer("sampler", None, None)
    return Layer("sampler", all(holds for holds, _ in parts), any(caught for _, caught in parts), numbers)


def leaves(law: Law) -> Iterator[Law]:
    """Yield the laws of single numbers inside a law."""
    if isinstance(law, Product):
        for part in law.parts:
            yield from leaves(part)
    elif isinstance(law, Gated):
        yield from leaves(law.inner)
    else:
        yield law


def _numbers(answer: Any) -> list[float] | None:
    """Return an answer as numbers; None if it is a refusal, or not numeric."""
    parts = answer if isinstance(answer, tuple) else (answer,)
    if not all(isinstance(part, (int, float)) and not isinstance(part, bool) for part in parts):
        return None
    return [float(part) for part in parts]


def _gap(law: Law, answers: list[list[float] | None]) -> float | None:
    """Return the largest distance of the draws from the law; None if they are not numbers or have no cdf."""
    given = [answer for answer in answers if answer is not None]
    parts = list(leaves(law))
    if not given or any(len(answer) != len(parts) for answer in given):
        return None
    sample = np.sort(np.array(given).T, axis=1)
    try:
        ideal = np.stack([part.cdf(row) * _answered(law) for part, row in zip(parts, sample, strict=True)])
    except (NotImplementedError, TypeError, ValueError):
        return None
    # at a number that was drawn several times, the share at or below it counts
    shares = np.stack([np.searchsorted(row, row, side="right") for row in sample]) / len(answers)
    return float(np.abs(shares - ideal).max())


def _answered(law: Law) -> float:
    """Return the probability that the test in front of an answer passes, which the inner law does not include."""
    return float(law.test.chance) if isinstance(law, Gated) else 1.0


# --- Generated tables: tables of a few simulated persons with the declared columns, and their neighbours ---

PEOPLE, ROWS = 3, 2  # persons of a table, and rows of one of them at most
MOST = 24
NAMES = ("p", "q", "r", "s")
Row = tuple[int, ...]  # the index of each cell among those of its column
Rows = tuple[tuple[Row, ...], ...]  # of each person


@dataclass(frozen=True)
class Generated:
    """The columns of the data that a query reads, and the cells that they may have."""

    schema: Schema
    names: tuple[str, ...]

    @classmethod
    def of(cls, request: Request, schema: Schema) -> Generated:
        """Take the columns that a query names: what it asks, groups by and filters by."""
        filtered = [each.column for each in comparisons(request.where)]
        named = [*request.columns, *request.group_names, *filtered]
        every = (each for name in named for each in (name, *schema.sources(name)))
        return cls(schema, tuple(name for name in dict.fromkeys(every) if name not in schema.derived))

    def cells(self, name: str) -> list[Any]:
        """Return cells of a column: both ends, the middle, and a missing one."""
        if name in self.schema.numbers:
            return _written(self.schema.numbers[name])
        levels = self.schema.categories[name].declared
        return [levels[0], levels[-1], None]

    def table(self, people: Rows) -> pa.Table:
        """Build a table; it has a person column if one was declared."""
        rows = [(row, name) for name, own in zip(NAMES, people, strict=False) for row in own]
        columns = {}
        for at, column in enumerate(self.names):
            cells = self.cells(column)
            values = [cells[row[at]] for row, _ in rows]
            form = pa.float64() if any(isinstance(cell, float) for cell in cells) else pa.large_string()
            columns[column] = pa.array(values, form)
        if self.schema.person is not None:
            columns[self.schema.person[0]] = pa.array([name for _, name in rows], pa.large_string())
        rest = [name for name in self.schema.used if name not in columns]
        return pa.table(columns | {name: pa.array([None] * len(rows), pa.large_string()) for name in rest})

    def pairs(self, change: bool, persons: int) -> Iterator[tuple[Rows, Rows]]:
        """Yield pairs of tables: with one person less, or with other rows of one person."""
        return islice(self._pairs(change, persons), MOST)

    def _pairs(self, change: bool, persons: int) -> Iterator[tuple[Rows, Rows]]:
        own = self._rows()
        for at in range(len(own) * PEOPLE):
            people = tuple(own[(at * (person + 1) + person) % len(own)] for person in range(persons))
            mine = people[-1]
            others = [own[(at + 1) % len(own)], own[(at + 3) % len(own)]] if change else [()] if mine else []
            yield from ((people, (*people[:-1], new)) for new in others if new != mine)

    def _rows(self) -> list[tuple[Row, ...]]:
        """Return the possible rows of one person: a single row, or several if several may count."""
        sizes = [len(self.cells(name)) for name in self.names]
        single = [tuple((at + place) % size for place, size in enumerate(sizes)) for at in range(max(sizes))]
        single += [tuple(at % size for size in sizes) for at in range(max(sizes))]
        rows: list[tuple[Row, ...]] = [(row,) for row in dict.fromkeys(single)]
        if self.schema.person is None:
            return rows
        more = [tuple(sorted(pair)) for pair in zip(single, [*single[1:], single[0]], strict=True)]
        return list(dict.fromkeys([*rows, *more]))


def _written(declared: Quantity) -> list[Any]:
    """Return both ends of a range and its middle, as cells; and a missing one."""
    bounds = declared.bounds
    values: Sequence[float] = [float(bounds.value(tick)) for tick in (0, bounds.top, bounds.top // 2)]
    return [*(values if declared.numeric else [declared.shown(value) for value in values]), None]


# --- Roads: a query on generated tables, from their cells to all that is shown, over every secret choice ---

FEW = 2  # blocks and persons for which every assignment is enumerated


class _Charged:
    """A query that claims another cost."""

    def __init__(self, cost: Cost) -> None:
        self._cost = cost

    def cost(self) -> Cost:
        """Return the claimed cost."""
        return self._cost


def whole_road(request: Request, schema: Schema) -> Layer:
    """Compare everything that is shown of two tables, for every pair, at the cost that the ledger is charged."""
    small = _in_few_blocks(request)
    generated = Generated.of(small, schema)
    blocks = isinstance(small.mechanism.view, InBlocks)
    change = small.mechanism.neighbours.change_one
    pairs = list(generated.pairs(change, FEW if blocks else PEOPLE))
    own = _largest(small, small, generated, pairs)
    twin = Twin(small.mechanism, small.cost())
    loud = _largest(replace(small, mechanism=twin.loud), _Charged(twin.cost()), generated, pairs)
    numbers: dict[str, Any] = {"pairs": len(pairs), "largest_delta": own.delta, "claimed_delta": own.claimed}
    numbers |= {"twin_delta": loud.delta} | ({"blocks": FEW} if blocks else {})
    return Layer("whole_road", own.holds, not loud.holds, numbers)


def _in_few_blocks(request: Request) -> Request:
    """Return the query with few blocks: with more of them there are too many assignments to enumerate."""
    if not isinstance(request.mechanism.view, InBlocks):
        return request
    thing: Any = request.mechanism
    return replace(request, mechanism=replace(thing, k=min(FEW, request.mechanism.view.k)))


def _largest(request: Request, charged: Any, generated: Generated, pairs: list[tuple[Rows, Rows]]) -> Worst:
    """Return the pair that the charge covers least; the laws of a table are computed once."""
    seen: dict[Rows, Weighted] = {}
    largest = Worst(0.0, charged.cost().delta, None)
    for pair in pairs:
        for people in pair:
            if people not in seen:
                seen[people] = laws(generated.table(people), generated.schema, request, LocalSource)
        here = between(charged, *(seen[people] for people in pair))
        largest = max(largest, here, key=lambda worst: worst.delta)
    return largest
