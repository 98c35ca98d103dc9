"""RankTree: the joint law of several quantiles, the middle one first, then those on each of its sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from discreet.mechanisms.anatomy import Anatomy, anatomy
from discreet.mechanisms.laws import Answer, Law, Whole
from discreet.mechanisms.noise_source import NoiseSource
from discreet.mechanisms.rank_draws import Parts, RankDraws
from discreet.mechanisms.ranks import Aim, Part, runs_near
from discreet.mechanisms.runs import Runs
from discreet.queries import Column
from discreet.queries.bounds import FloatArray, IntArray

MOST_SEEN, FEWEST_SEEN = 600, 50  # numbers from which widths are read
LARGEST = 2**22  # answers that an audit goes through
Ticks = tuple[int, ...]


@dataclass(frozen=True)
class Stretch:
    """Neighbouring levels between two cuts, of which the middle one is drawn next."""

    levels: tuple[Fraction, ...]
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)

    @property
    def middle(self) -> int:
        """The place of the level that is drawn."""
        return len(self.levels) // 2

    @cached_property
    def aim(self) -> Aim:
        """The rank that is looked for among the rows between the cuts."""
        return Aim((self.levels[self.middle] - self.low) / (self.high - self.low))

    @cached_property
    def sides(self) -> tuple[Stretch, Stretch]:
        """What is left to be drawn on each side."""
        at = self.middle
        cut = self.levels[at]
        return Stretch(self.levels[:at], self.low, cut), Stretch(self.levels[at + 1 :], cut, self.high)

    @property
    def depth(self) -> int:
        """How many draws come one after the other."""
        return len(self.levels).bit_length()


@dataclass(frozen=True, eq=False)
class RankTree(Law):
    """Ticks of ascending levels, each drawn among the ticks and the rows between two drawn before.

    `rate` is what one row is worth in an exponent; rows that stand on a cut are divided by a noisy number,
    of the scale `scale`, so that the sides have the share of rows that the level says.
    """

    column: Column = field(repr=False)
    levels: tuple[Fraction, ...]
    rate: float
    scale: float

    @cached_property
    def span(self) -> Stretch:
        """All levels."""
        return Stretch(self.levels)

    def runs(self, span: Stretch, part: Part) -> Runs:
        """Return the law of the middle level of a span, given its part of the rows."""
        return runs_near(self.column, span.aim, self.rate / span.aim.spread, part)

    def standing(self, part: Part, tick: int) -> tuple[int, int]:
        """Return how many rows of a part stand below a tick, and how many on it."""
        ends = np.searchsorted(self.column.levels, (tick, tick + 1))
        rows = [int(self.column.ends[end - 1]) if end else 0 for end in ends]
        below, upto = (min(max(row, part.first), part.last) - part.first for row in rows)
        return below, upto - below

    def division(self, span: Stretch, part: Part, tick: int) -> tuple[Whole, int]:
        """Return the noisy number of rows on the cut that go to the lower side, and how many there are.

        Without noise and without an end it is what the lower side lacks of its share of the rows.
        """
        below, on = self.standing(part, tick)
        low, _ = span.aim.targets(part.n)
        return Whole(low // span.aim.unit - below, self.scale), on

    def split(self, part: Part, tick: int, lower: int) -> tuple[Part, Part]:
        """Return the two sides of a cut, of whose rows so many go to the lower one."""
        below, on = self.standing(part, tick)
        cut = part.first + below + min(max(lower, 0), on)
        return Part(part.first, cut, part.low, tick), Part(cut, part.last, tick, part.high)

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw every level."""
        ticks = self._drawn(noise, self.span, Part.whole(self.column))
        return tuple(float(value) for value in self.column.bounds.value(np.array(ticks)))

    def _drawn(self, noise: NoiseSource, span: Stretch, part: Part) -> Ticks:
        if not span.levels:
            return ()
        tick = self.runs(span, part).pick(noise)
        if len(span.levels) == 1:
            return (tick,)
        whole, _ = self.division(span, part, tick)
        sides = zip(span.sides, self.split(part, tick, noise.geometric(whole.centre, whole.scale)), strict=True)
        lower, upper = (self._drawn(noise, *side) for side in sides)
        return (*lower, tick, *upper)

    @property
    def draws(self) -> int:
        """A uniform for each level, and one for each division."""
        return 2 * len(self.levels)

    def simulate(self, uniforms: FloatArray) -> FloatArray:
        """Return one row of answers per level, all answers of a level at once."""
        each = uniforms.reshape(len(self.levels), 2, -1)
        ticks = np.empty((len(self.levels), each.shape[-1]), dtype=np.int64)
        self._simulate(each, ticks, self.span, Parts.alike(Part.whole(self.column), each.shape[-1]))
        return np.asarray(self.column.bounds.value(ticks), dtype=np.float64)

    def _simulate(self, uniforms: FloatArray, ticks: IntArray, span: Stretch, parts: Parts) -> None:
        """Fill in the ticks of a span, one row per level."""
        at, aim = span.middle, span.aim
        ticks[at] = RankDraws.near(self.column, aim, self.rate / aim.spread, parts).ticks(parts, uniforms[at, 0])
        below, on = parts.standing(self.column, ticks[at])
        centres = np.asarray(aim.targets(parts.n)[0] // aim.unit - below)
        lower = np.clip(centres + Whole(0, self.scale).quantile(uniforms[at, 1]), 0, on).astype(np.int64)
        places = (slice(at), slice(at + 1, None))
        for place, side, part in zip(places, span.sides, parts.split(ticks[at], below, lower), strict=True):
            if side.levels:
                self._simulate(uniforms[place], ticks[place], side, part)

    @cached_property
    def seen(self) -> FloatArray:
        """Answers spread evenly over the law: it has no short form, and widths need no more."""
        number = max(FEWEST_SEEN, MOST_SEEN // len(self.levels))
        root = 2.0
        for _ in range(60):
            root = (1 + root) ** (1 / (self.draws + 1))
        steps = root ** -np.arange(1.0, self.draws + 1)
        return self.simulate((0.5 + np.outer(steps, np.arange(1, number + 1))) % 1.0)

    def cdf(self, y: Any) -> FloatArray:
        """Return each component's P(answer <= y), as good as evenly spread answers tell; one row per component."""
        y = np.asarray(y, dtype=np.float64)
        return np.stack(
            [np.mean(own[:, None] <= at, axis=0) for own, at in zip(self.seen, np.atleast_2d(y), strict=True)]
        )

    def quantile(self, p: Any) -> FloatArray:
        """Return each component's p-quantile, as good as evenly spread answers tell."""
        return np.asarray(np.quantile(self.seen, p, axis=1, method="inverted_cdf")).T

    def joint(self) -> dict[Ticks, float]:
        """Return the exact chance of every answer."""
        if (self.column.bounds.top + 1) ** len(self.levels) > LARGEST:
            raise ValueError("Too many answers to go through them all.")
        return self._joint(self.span, Part.whole(self.column))

    @cached_property
    def _seen_sides(self) -> dict[tuple[Stretch, Part], dict[Ticks, float]]:
        """The laws of sides that many cuts share."""
        return {}

    def _joint(self, span: Stretch, part: Part) -> dict[Ticks, float]:
        if not span.levels:
            return {(): 1.0}
        side = (span, part)
        if side not in self._seen_sides:
            self._seen_sides[side] = self._cut(span, part)
        return self._seen_sides[side]

    def _cut(self, span: Stretch, part: Part) -> dict[Ticks, float]:
        runs, chances = self.runs(span, part), dict[Ticks, float]()
        each = np.repeat(runs.probabilities / runs.widths, runs.widths).tolist()
        if len(span.levels) == 1:  # nothing is left on either side
            return {(tick,): chance for tick, chance in enumerate(each, part.low)}
        for tick, chance in zip(range(part.low, part.high + 1), each, strict=True):
            for sides, weight in self._divided(span, part, tick):
                below, above = (self._joint(*side) for side in zip(span.sides, sides, strict=True))
                for (lower, p), (upper, q) in product(below.items(), above.items()):
                    ticks = (*lower, tick, *upper)
                    chances[ticks] = chances.get(ticks, 0.0) + chance * weight * p * q
        return chances

    def _divided(self, span: Stretch, part: Part, tick: int) -> Iterator[tuple[tuple[Part, Part], float]]:
        """Go through the divisions of the rows on a cut, each with its chance."""
        whole, on = self.division(span, part, tick)
        below = whole.cdf(np.arange(on)) if len(span.levels) > 1 else np.ones(on)
        weights = np.append(below, 1.0) - np.append(0.0, below)
        for lower, weight in enumerate(weights.tolist()):
            if weight > 0:
                yield self.split(part, tick, lower), weight


@anatomy.register
def tree(law: RankTree) -> Anatomy:
    """Take apart several quantiles, each combination as one atom."""
    ticks, size = law.joint(), law.column.bounds.top + 1
    places = np.array([sum(tick * size**at for at, tick in enumerate(each)) for each in ticks], dtype=np.float64)
    order = np.argsort(places)
    return Anatomy(points=places[order], masses=np.array(list(ticks.values()))[order])
