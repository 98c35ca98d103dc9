"""Account: what a charge is under other accountings: its Rényi curve, its rho, its own delta."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.budget.errors import ParameterError

if TYPE_CHECKING:  # the accounting library is for those who compose; it takes a second to import
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

Floats = NDArray[np.float64]


class Account(ABC):
    """A frozen statement about one charge that holds beside its cost.

    With D_α the Rényi divergence of order α in nats (Mironov 2017, "Rényi differential privacy"):
    except on an event of probability `delta`, D_α ≤ rdp(α) for every α > 1 and every pair of
    neighbours, and rdp(α) ≤ rho·α (Bun and Steinke 2016, "Concentrated differential privacy").
    """

    @property
    @abstractmethod
    def rho(self) -> float:
        """The rho of zero-concentrated differential privacy."""

    @property
    @abstractmethod
    def delta_units(self) -> int:
        """The part of delta that adds up separately, in whole units of 1e-15."""

    @property
    @abstractmethod
    def parts(self) -> tuple[Single, ...]:
        """The single accounts that this one is made of."""

    def rdp(self, alpha: ArrayLike) -> Floats:
        """Return the Rényi curve at one or many α > 1."""
        return total_rdp([self], alpha)


class Single(Account):
    """An account with one curve, given by one number, so that thousands are drawn at once.

    `rounded` says that its few losses are moved up to a grid; those of others are cut along it.
    """

    rounded: ClassVar[bool] = False

    @property
    @abstractmethod
    def size(self) -> float:
        """The number that gives the curve."""

    @staticmethod
    @abstractmethod
    def curve(size: Floats, alpha: Floats) -> Floats:
        """Return the Rényi curve for arrays of sizes and of α that broadcast together."""

    @property
    @abstractmethod
    def loss(self) -> float:
        """An amount of loss that is larger the less is protected: what a grid is made for."""

    @classmethod
    def merged(cls, parts: Counter[Single]) -> Single | None:
        """Return one account that says the same as several of this kind, if there is one."""
        return None

    @classmethod
    def worst(cls, parts: Sequence[Single]) -> Single:
        """Return one account that covers each of several of this kind."""
        return max(parts, key=lambda part: part.loss)

    @abstractmethod
    def distribution(self, step: float) -> PrivacyLossDistribution:
        """Return the privacy loss distribution of a pair that covers all, on a grid, rounded up."""

    @property
    def delta_units(self) -> int:
        """Nothing, unless the account says otherwise."""
        return 0

    @property
    def parts(self) -> tuple[Single, ...]:
        """Itself alone."""
        return (self,)

    def __post_init__(self) -> None:
        """Refuse a size that is no finite number from 0 up, before any curve is drawn."""
        if not 0 <= self.size <= 1e6:
            raise ParameterError(
                "{kind} must be given a number from 0 to 1000000. Got {size}.", kind=type(self).__name__, size=self.size
            )


@dataclass(frozen=True)
class Together(Account):
    """Several accounts inside one release, each adaptive to the ones before: all adds up."""

    members: tuple[Account, ...]

    @property
    def rho(self) -> float:
        """The sum of the members'."""
        return math.fsum(member.rho for member in self.members)

    @property
    def delta_units(self) -> int:
        """The sum of the members'."""
        return sum(member.delta_units for member in self.members)

    @property
    def parts(self) -> tuple[Single, ...]:
        """All parts of all members."""
        return tuple(part for member in self.members for part in member.parts)


def total_rdp(accounts: Iterable[Account], alpha: ArrayLike) -> Floats:
    """Return the sum of many Rényi curves: their composition (Mironov 2017, prop. 1)."""
    orders = np.asarray(alpha, dtype=np.float64)
    if not (np.isfinite(orders) & (orders > 1)).all():
        raise ParameterError("The order alpha must be a finite number above 1.")
    sizes: dict[type[Single], Counter[float]] = {}
    for account in accounts:
        for part in account.parts:
            sizes.setdefault(type(part), Counter())[part.size] += 1
    total = np.zeros_like(orders)
    for kind, counted in sizes.items():
        size = np.array(list(counted), dtype=np.float64).reshape(-1, *[1] * orders.ndim)
        times = np.array(list(counted.values()), dtype=np.float64)
        total += np.tensordot(times, kind.curve(size, orders), 1)
    return total
