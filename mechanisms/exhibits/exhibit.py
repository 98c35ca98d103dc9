"""Exhibits: a textbook's constructions as printed, each with its claim and its true guarantee."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from discreet.budget import Cost
from discreet.budget.errors import Phrase
from discreet.mechanisms.base.mechanism import Mechanism
from discreet.mechanisms.base.vocabulary import LAPLACE, Forecast, Noise, Public, delta_parameter, epsilon_parameter
from discreet.mechanisms.laws.divergence import divergences
from discreet.mechanisms.laws.law import Law


@dataclass(frozen=True)
class Guarantee:
    """A privacy guarantee in numbers and in a sentence; infinity if there is none."""

    epsilon: float
    delta: float
    text: str


def largest(pairs: Iterable[tuple[Law, Law]], epsilon: float) -> float:
    """Return the largest exact divergence of some pairs of laws, in both directions."""
    return max(max(divergences(p, q, epsilon)) for p, q in pairs)


@dataclass(frozen=True)
class Exhibit(Mechanism):
    """A construction for open data: it shows what a claim is worth and never releases anything.

    Its family is the one beside which it is shown, its cost the printed claim; `true_guarantee` computes the guarantee
    that is actually valid.
    """

    open_only: ClassVar[bool] = True
    noise: ClassVar[Noise] = LAPLACE
    after: ClassVar[Phrase] = Phrase("Textbook version (not private), for public datasets only.")

    epsilon: float = epsilon_parameter()

    @property
    @abstractmethod
    def claim(self) -> Guarantee:
        """The textbook's claim."""

    @abstractmethod
    def true_guarantee(self, public: Public) -> Guarantee:
        """Return the valid guarantee, for public bounds and a public guess of the number of rows."""

    def cost(self) -> Cost:
        """Return the cost as claimed."""
        return Cost.of(self.claim.epsilon, self.claim.delta)

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no width: an exhibit is not for use."""
        return Forecast(None, "Textbook version (not private), for public datasets only.")


@dataclass(frozen=True)
class ApproximateExhibit(Exhibit):
    """An exhibit whose claim has a delta."""

    delta: float = delta_parameter()
