"""Refined road: the audit of an answer and its finer one, from two tables to the joint law of both, exactly.

The noisy numbers behind both answers are compared, from which everything shown is computed, by the steps that release.
The choices among rows are those of the first answer, each with its probability.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, cast

import numpy as np
import pyarrow as pa

from discreet.budget import Cost, Number
from discreet.curator import road
from discreet.curator.request import Request
from discreet.evidence import whole_road
from discreet.mechanisms import Mechanism
from discreet.mechanisms.base.refining import Difference, finer
from discreet.mechanisms.laws.anatomy import Anatomy, anatomy
from discreet.mechanisms.laws.divergence import Weighted
from discreet.mechanisms.laws.law import Answer, Gaussian, Law, Noisy, Product, Whole
from discreet.noise.protocol import NoiseSource
from discreet.noise.samplers import less_chances
from discreet.queries.bounds import FloatArray
from discreet.rows.schema import Schema
from discreet.rows.source import LocalSource

CELLS = 4  # per unit of Laplace noise, instead of 2^53 per scale: the law on cells is equal, and the table is finite
LARGEST = 800  # numbers on each side of a table at most
REACH = 24  # scales around 0 that are covered; the rest adds nothing to a divergence


_shares = lru_cache(maxsize=4 * LARGEST)(less_chances)  # equal for every centre and on both sides of it


@dataclass(frozen=True)
class OldAndNew(Law):
    """A number with geometric noise, and one with less noise drawn given the first: both are shown."""

    centre: int
    old: Fraction
    new: Fraction

    @property
    def reach(self) -> int:
        """How far the table extends, whatever the centre."""
        return int(REACH * self.old) + 8

    @property
    def chances(self) -> FloatArray:
        """The probability of each pair in the table, with the old number in rows."""
        near = np.arange(-self.reach, self.reach + 1) - self.centre
        ratio = np.exp(-1 / float(self.old))
        first = (1 - ratio) / (1 + ratio) * ratio ** np.abs(near)
        return np.stack([chance * self.given(int(noise), near) for chance, noise in zip(first, near, strict=True)])

    def given(self, noise: int, near: Any) -> FloatArray:
        """Return the probabilities of smaller noise, given the noise of the first number: see `less_noise`."""
        size = abs(noise)
        z = near if noise >= 0 else -near
        atom, left, middle, right = _shares(size, self.old, self.new)
        rates = float(1 / self.old), float(1 / self.new)
        outer = np.exp(-sum(rates))
        inner = np.exp(rates[0] - rates[1])
        below = left * (1 - outer) * outer ** np.maximum(-z - 1, 0)
        above = right * (1 - outer) * outer ** np.maximum(z - size - 1, 0)
        between = middle * inner ** np.clip(z, 0, size) * (1 - inner) / (1 - inner ** (size + 1))
        return np.asarray(np.where(z < 0, below, np.where(z > size, above, between)) + atom * (z == size))

    def cdf(self, y: Any) -> FloatArray:
        """Raise NotImplementedError: an audit compares laws."""
        raise NotImplementedError

    def quantile(self, p: Any) -> FloatArray:
        """Raise NotImplementedError: an audit compares laws."""
        raise NotImplementedError

    def draw(self, noise: NoiseSource) -> Answer:
        """Raise NotImplementedError: an audit compares laws and draws nothing."""
        raise NotImplementedError


@anatomy.register
@lru_cache(maxsize=256)
def old_and_new(law: OldAndNew) -> Anatomy:
    """Decompose the law: each pair is one atom."""
    masses = law.chances.ravel()
    return Anatomy(points=np.arange(masses.size, dtype=np.float64), masses=masses)


class Notes:
    """A source that draws nothing, and records the laws of the noisy numbers of an answer."""

    def __init__(self) -> None:
        """Start with none."""
        self.laws: list[Law] = []

    def laplaces(self, centres: Any, scale: float) -> list[float]:
        """Record Laplace noise, as geometric noise on cells."""
        cells = [Fraction(centre) * CELLS for centre in centres]
        if any(cell.denominator != 1 for cell in cells):
            raise ValueError("A number lies between two cells.")
        self.laws += [Whole(int(cell), scale * CELLS) for cell in cells]
        return [float(centre) for centre in centres]

    def gaussian(self, centre: Any, scale: float) -> float:
        """Record normal noise."""
        self.laws.append(Noisy(centre, scale, Gaussian()))
        return float(centre)

    def geometric(self, centre: int, scale: float) -> int:
        """Record geometric noise."""
        return self.geometrics([centre], scale)[0]

    def geometrics(self, centres: Any, scale: float) -> list[int]:
        """Record geometric noise for several centres."""
        self.laws += [Whole(centre, scale) for centre in centres]
        return list(centres)


@dataclass(frozen=True)
class AskedTwice:
    """A query asked twice, the second time with more epsilon: the cost and the joint law of both."""

    request: Request
    epsilon: Number

    @property
    def more(self) -> Mechanism:
        """The mechanism of the finer answer."""
        return finer(self.request.mechanism, self.epsilon)

    def cost(self) -> Cost:
        """Return what the ledger is charged: the first answer, and the difference."""
        step = Difference.between("", self.request.mechanism, self.more, self.request.times())
        return self.request.cost() + step.price

    def law(self, request: Request, views: road.Views) -> Law:
        """Return the joint law, number by number, given the choices among rows."""
        sides = [_numbers(each, views) for each in (request, replace(request, mechanism=self.more))]
        return Product(tuple(self.pair(*each) for each in zip(*sides, strict=True)))

    def pair(self, old: Any, new: Any) -> Law:
        """Return the law of one number, first with more noise and then with less."""
        if isinstance(old, Whole):
            both = OldAndNew(old.centre, Fraction(old.scale), Fraction(new.scale))
            if both.reach > LARGEST:
                raise ValueError("Too many pairs to go through them all.")
            return both
        fresh = new.scale / np.sqrt(1 - (new.scale / old.scale) ** 2)  # the average is determined by both
        return Product((old, replace(new, scale=float(fresh))))


def _numbers(request: Request, views: road.Views) -> list[Law]:
    notes = Notes()
    road.drawn(request, views, cast(NoiseSource, notes))
    return notes.laws


def laws(table: pa.Table, schema: Schema, asked: AskedTwice) -> Weighted:
    """Return the laws of both answers given each secret choice, with its probability."""
    return whole_road.laws(table, schema, asked.request, LocalSource, asked.law)
