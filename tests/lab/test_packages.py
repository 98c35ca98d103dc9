"""What another package brings is held to the layers of evidence: each mistake is named, what is right passes."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from discreet.budget import Cost
from discreet.evidence import packages
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.laws.law import Law
from discreet.queries import Bounds, Column, Query
from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.mean import Mean


@dataclass(frozen=True)
class Plain(Mean):
    """A mean that says in plain Python what it is."""

    def brute(self, values: list[float], bounds: Bounds) -> float:
        """Return it."""
        return statistics.fmean(values)


@dataclass(frozen=True)
class Otherwise(Plain):
    """A mean that says in plain Python that it is a median."""

    def brute(self, values: list[float], bounds: Bounds) -> float:
        """Return a median."""
        return statistics.median(values)


@dataclass(frozen=True)
class Low(Plain):
    """A mean with rungs that are half as high as they must be."""

    def row_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Return half of the ladder."""
        return 0.5 * super().row_ladder(column, k)


@dataclass(frozen=True)
class Narrow(Plain):
    """A mean of which one person moves more with two rows than it says."""

    def global_sensitivity(self, bounds: Bounds) -> float:
        """Return that of one row."""
        return self.row_sensitivity(bounds)


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (Mean, "no value in plain Python"),
        (Otherwise, "differs from the one in plain Python"),
        (Low, "Largest change caused by one person: the claim FAILS"),
        (Narrow, "Largest change caused by one person: the claim FAILS"),
    ],
)
def test_a_statistic_with_a_mistake_is_told_which(kind: type[Query], why: str) -> None:
    """Before any law around it is looked at."""
    assert why in str(packages._of_statistic(kind))


@pytest.mark.soak_alone
def test_a_right_statistic_passes() -> None:
    """Under every family of mechanisms; in `make test` tests/test_plugins.py holds the same of another one."""
    assert packages._of_statistic(Plain) is None


@dataclass(frozen=True)
class Cheap(GlobalLaplace):
    """Laplace noise at half of its price, beyond the usual epsilon."""

    def cost(self) -> Cost:
        """Return the price, or half of it."""
        return Cost.of(self.epsilon if self.epsilon < 2 else self.epsilon / 2)


class Opaque(Law):
    """A law that does not come apart."""

    def __getattr__(self, name: str) -> Any:
        """Have nothing."""
        raise AttributeError(name)


Opaque.__abstractmethods__ = frozenset()


@dataclass(frozen=True)
class Hidden(GlobalLaplace):
    """A mechanism whose law cannot be compared."""

    def law(self, data: Column) -> Law:
        """Return a law that does not come apart."""
        return Opaque()


@dataclass(frozen=True)
class Deaf(GlobalLaplace):
    """Noise that no epsilon changes: what is broken on purpose is not broken."""

    title: ClassVar[str] = "Deaf"

    def law(self, data: Column) -> Law:
        """Return the law of a very small epsilon."""
        return GlobalLaplace(self.query, 1e-3).law(data)


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (Cheap, "the claim FAILS"),
        (Hidden, "it stopped with an error"),
        (Deaf, "no privacy test detects the broken control"),
    ],
)
def test_a_mechanism_with_a_mistake_is_told_which(kind: type[GlobalLaplace], why: str) -> None:
    """One that is cheap at another epsilon only, one that cannot be looked into, one whose twin is no worse."""
    assert why in str(packages._of_mechanism(kind))


def test_what_is_compared_with_plain_python_is_every_dataset_of_few_rows() -> None:
    """None of them, too: its value is a public constant."""

    @dataclass(frozen=True)
    class Shifted(Plain):
        """Another value on no rows than it says."""

        def value(self, column: Column) -> float:
            """Return one more on no rows."""
            return super().value(column) + (column.n == 0)

    assert packages._computes(Plain()) and not packages._computes(Shifted())
