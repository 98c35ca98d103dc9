"""Composed laws: an answer behind a test, and several independent answers at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from discreet.mechanisms.laws import REFUSED, Answer, Law
from discreet.mechanisms.noise_source import NoiseSource
from discreet.queries.bounds import FloatArray


class Hurdle(Protocol):
    """A private yes or no: its chance of yes, and one draw."""

    @property
    def chance(self) -> float:
        """The probability of yes."""

    def draw(self, noise: NoiseSource) -> bool:
        """Draw once."""


@dataclass(frozen=True)
class Gated(Law):
    """An inner law behind a test: an answer if it passes, else a refusal."""

    test: Hurdle
    inner: Law

    @property
    def draws(self) -> int:
        """One more uniform than the inner law, for the test."""
        return 1 + self.inner.draws

    @property
    def refusal(self) -> float:
        """The probability that the test fails."""
        return 1.0 - self.test.chance

    def cdf(self, y: Any) -> FloatArray:
        """Return P(passed and answer <= y)."""
        return np.asarray(self.test.chance * self.inner.cdf(y))

    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile of the answers that are given."""
        return self.inner.quantile(p)

    def simulate(self, uniforms: FloatArray) -> FloatArray:
        """Return answers, NaN where refused."""
        answers = np.array(self.inner.simulate(uniforms[1:]), dtype=np.float64)
        answers[uniforms[0] >= self.test.chance] = np.nan
        return answers

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw the test, and the answer only if it passes."""
        return self.inner.draw(noise) if self.test.draw(noise) else REFUSED


@dataclass(frozen=True)
class Product(Law):
    """Several independent laws at once: a vector answer. cdf and quantile are per component."""

    parts: tuple[Law, ...] = field(repr=False)

    @property
    def everything(self) -> Law:
        """All that is shown of all parts."""
        shown = tuple(part.everything for part in self.parts)
        return self if all(a is b for a, b in zip(shown, self.parts, strict=True)) else Product(shown)

    @property
    def draws(self) -> int:
        """The uniforms of all parts."""
        return sum(part.draws for part in self.parts)

    def cdf(self, y: Any) -> FloatArray:
        """Return each component's P(answer <= y); y has one row per component."""
        return np.stack([part.cdf(v) for part, v in zip(self.parts, y, strict=True)])

    def quantile(self, p: Any) -> FloatArray:
        """Return each component's p-quantile, one row per component."""
        return np.stack([part.quantile(p) for part in self.parts])

    def simulate(self, uniforms: FloatArray) -> FloatArray:
        """Return one row of answers per component."""
        splits = np.cumsum([part.draws for part in self.parts])[:-1]
        pieces = np.split(uniforms, splits)
        return np.stack([p.simulate(u) for p, u in zip(self.parts, pieces, strict=True)])

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw every component."""
        return tuple(part.draw(noise) for part in self.parts)
