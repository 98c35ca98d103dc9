"""Refining: an answer again with less noise, drawn given the noisy numbers of the first one.

The old answer and the new one together reveal no more than the new one alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from typing import Any

from discreet.budget import Cost, Number, ParameterError, Refined, Together
from discreet.mechanisms.base.mechanism import Mechanism
from discreet.noise.protocol import NoiseSource
from discreet.noise.protocol import Number as Centre
from discreet.noise.samplers import less_noise, multiple, nearest, rounded

CELL_BITS = 53  # Laplace noise is a multiple of a cell of 2^-53 to 2^-52 scales
LEAST = Cost.of("0.0001")  # from here on a cell of the first answer's noise is small compared with all finer noise
Drawn = tuple[Any, ...]  # a noisy number: its cells, the exponent of a cell, and the public scale of its noise


@dataclass(frozen=True)
class Behind:
    """What a finer answer is drawn from, and what is never shown: the noisy numbers and lots of an answer.

    `ground` is a hash, different for each answer, of what the answer is about: the rows, and how they are declared.
    """

    numbers: tuple[Drawn, ...]
    seed: int
    ground: str

    @classmethod
    def of(cls, name: str, numbers: Iterable[Any], seed: int, ground: str) -> Behind:
        """Return what is behind an answer of this name and ground."""
        return cls(tuple(map(tuple, numbers)), seed, sha256(f"{name}:{ground}".encode()).hexdigest())

    @classmethod
    def read(cls, record: dict[str, Any], name: str, ground: str | None) -> Behind | None:
        """Parse a stored record; return None if it is not of this ground."""
        behind = cls.of(name, record.get("numbers", ()), record.get("seed", 0), str(ground))
        return behind if record.get("ground") == behind.ground else None


@dataclass(frozen=True)
class Difference:
    """The way from an answer to a finer one: which answer, and what it costs."""

    earlier: str
    price: Cost
    refined: Refined

    @classmethod
    def between(cls, earlier: str, old: Mechanism, finer: Mechanism, times: int = 1) -> Difference:
        """Return the step from the mechanism that answered to the same with more epsilon, in so many groups."""
        check_refines(old)
        price, account, instead = old.step(finer)
        all_ = account if times == 1 else Together((account,) * times)
        return cls(earlier, sum([price] * times, Cost.zero()), Refined(earlier, all_, instead))


def finer(mechanism: Mechanism, epsilon: Number) -> Mechanism:
    """Return the mechanism with more epsilon and otherwise unchanged parameters."""
    check_refines(mechanism)
    more = Cost.of(epsilon).nano_epsilon
    if more <= mechanism.cost().nano_epsilon:
        raise ParameterError("Enter an ε above {epsilon}.", epsilon=mechanism.cost().epsilon)
    thing: Any = mechanism
    return replace(thing, epsilon=float(epsilon))  # type: ignore[no-any-return]


def check_refines(mechanism: Mechanism) -> None:
    """Raise ParameterError for a mechanism without noise of a public size that contains smaller noise."""
    if not mechanism.refines:
        raise ParameterError("The precision of such a result cannot be improved: {why}", why=mechanism.family.rigid)
    if mechanism.cost().nano_epsilon < LEAST.nano_epsilon:
        raise ParameterError("A result with ε below {least} is too imprecise to be improved.", least=LEAST.epsilon)


class Traced:
    """A source of noise that records each noisy number, or draws it given an earlier one.

    It has the methods that laws of refining mechanisms use: Laplace, Gaussian and geometric, and no others. The
    recorded numbers are what was paid for, before any post-processing.
    """

    def __init__(self, noise: NoiseSource, earlier: Sequence[Drawn] = ()) -> None:
        """Take the source, and the numbers of an earlier draw of this law with more noise."""
        self._noise = noise
        self._earlier = iter(earlier)
        self._given = bool(earlier)
        self.numbers: list[Drawn] = []

    def laplace(self, centre: Centre, scale: float) -> float:
        """Draw the double nearest to centre + Laplace(scale); a finer one uses the cells of the first."""
        exponent = math.frexp(scale)[1] - CELL_BITS
        if self._given:
            cells, exponent, old = next(self._earlier)
            cells = self._less(multiple(centre, exponent), cells, _in_cells(old, exponent), _in_cells(scale, exponent))
        else:
            cells = multiple(self._noise.laplaces([centre], scale)[0], exponent)
        self.numbers.append((cells, exponent, float(scale)))
        return rounded([cells], exponent)[0]

    def geometric(self, centre: int, scale: float) -> int:
        """Draw centre + geometric noise."""
        if self._given:
            return self.geometrics([centre], scale)[0]
        cell = self._noise.geometric(centre, scale)
        self.numbers.append((cell, 0, float(scale)))
        return cell

    def geometrics(self, centres: Sequence[int], scale: float) -> list[int]:
        """Draw every centre + independent geometric noise."""
        if self._given:
            earlier = [next(self._earlier) for _ in centres]
            pairs = zip(centres, earlier, strict=True)
            cells = [self._less(centre, old[0], Fraction(old[2]), Fraction(scale)) for centre, old in pairs]
        else:
            cells = self._noise.geometrics(centres, scale)
        self.numbers += [(cell, 0, float(scale)) for cell in cells]
        return cells

    def gaussian(self, centre: Centre, scale: float) -> float:
        """Draw centre + Normal(0, scale), or the mean of the earlier number and a new one, weighted by precision."""
        if not self._given:
            value = self._noise.gaussian(centre, scale)
        else:
            cells, exponent, old = next(self._earlier)
            share = (scale / old) ** 2
            fresh = self._noise.gaussian(centre, scale / math.sqrt(1 - share))
            value = (
                share * nearest(*(Fraction(cells) * Fraction(2) ** exponent).as_integer_ratio()) + (1 - share) * fresh
            )
        numerator, denominator = value.as_integer_ratio()
        self.numbers.append((numerator, 1 - denominator.bit_length(), float(scale)))
        return value

    def _less(self, centre: int, noisy: int, old: Fraction, new: Fraction) -> int:
        """Draw centre + noise of the new scale, given centre + noise of the old one."""
        if not 0 < new < old:
            raise ParameterError("Noise can only be reduced to a smaller scale.")
        return centre + less_noise(self._noise.bits, noisy - centre, old, new)


def _in_cells(scale: float, exponent: int) -> Fraction:
    return Fraction(scale) / Fraction(2) ** exponent
