"""Counts of the cells of one table, from which the counts of coarser tables are added up."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scipy import special

from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import ROUND_UP, Mechanism, of_statistics
from discreet.mechanisms.base.vocabulary import (
    GAUSSIAN,
    LAPLACE,
    Forecast,
    Noise,
    Public,
    Topic,
    delta_parameter,
    epsilon_parameter,
    setting,
    statistic,
)
from discreet.mechanisms.gaussian import AnalyticGaussian
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.laws.law import Gaussian, Laplace, Law, Noisy
from discreet.mechanisms.laws.moments import Laplaces, equal_width
from discreet.queries import Column, Query
from discreet.queries.count import Count

ADDED = Phrase("The numbers are shown as drawn, even if they are negative, so that they add up.")


def over_setting() -> Any:
    """Declare the groups over which counts are added up."""
    return setting(Phrase("Added up over"), ())


def cells_setting() -> Any:
    """Declare the number of cells of which each count is the sum."""
    return setting(Phrase("Cells in each sum"), 1)


class CellCounts(Mechanism):
    """The common base of both draws: the count of every cell gets noise, and a coarser count is the sum of its cells.

    Rows of a plan that count the same rows by some of the groups of a finer row share its draw: it is charged and drawn
    once. `over` are the groups of the draw that a row does not have, and `cells` is how many cells these make.
    """

    after: ClassVar[Phrase] = ADDED
    why: ClassVar[Phrase | None] = Phrase("coarser counts are sums of the cells of one draw")
    compared: ClassVar[bool] = False
    joint: ClassVar[bool] = True
    refines: ClassVar[bool] = False

    query: Query
    over: tuple[Any, ...]  # type: ignore[misc]  # no other mechanism adds up
    cells: int  # type: ignore[misc]

    def __post_init__(self) -> None:
        """Raise ParameterError for a statistic that is not the sum of those of its cells, and for a public size."""
        super().__post_init__()
        object.__setattr__(self, "over", tuple(self.over))
        if not isinstance(self.query, Count):
            raise ParameterError("{label} cannot share this draw.", label=Phrase(self.query.label))
        if type(self.cells) is not int or self.cells < 1 or (not self.over and self.cells > 1):
            raise ParameterError("A sum has 1 or more cells. Got {cells}.", cells=str(self.cells))

    @classmethod
    def topics(cls) -> tuple[Topic, ...]:
        """Return the count."""
        return of_statistics(Count.name)

    @property
    def shared(self) -> Mechanism:
        """The draw itself: the count of each cell."""
        draw: Any = self
        return replace(draw, over=(), cells=1)  # type: ignore[no-any-return]

    def measured(self, numbers: Any, public: Public) -> float:
        """Return the sum of the noisy counts of some cells."""
        return math.fsum(numbers)


@dataclass(frozen=True)
class LaplaceCells(CellCounts, GlobalLaplace):
    """Counts of all cells of one table with Laplace noise; counts of coarser tables are sums of them.

    Guarantee: epsilon-DP, no delta, for all tables of a draw together.
    Proof: each of the m rows of a person is in one cell of the finest table, so a person moves its counts by m in L1 at
    most, and Laplace noise of scale m/epsilon on each loses at most epsilon on that. A coarser count is the sum of the
    noisy counts of its cells: post-processing, which is charged once with them.
    Reference: Dwork, McSherry, Nissim and Smith 2006; sums of Laplace noise in Kotz, Kozubowski and Podgorski 2001.
    Complexity: O(rows) once, then O(cells).
    Corner cases: no rows give noise around 0; groups over which is added up must leave out no row, which is checked
    before a charge; a public size is refused.
    """

    slug: ClassVar[str] = "cell-counts"
    title: ClassVar[str] = "Counts of one table, one draw"
    noise: ClassVar[Noise] = LAPLACE

    query: Query = statistic(Count)
    epsilon: float = epsilon_parameter()
    over: tuple[Any, ...] = over_setting()  # type: ignore[misc]
    cells: int = cells_setting()  # type: ignore[misc]

    def law(self, data: Column) -> Law:
        """Return the law of the sum of the noisy counts of all cells of these rows."""
        shape = Laplace() if self.cells == 1 else Laplaces(self.cells)
        return Noisy(self.query.exact(data), self.scale(data.bounds), shape)

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the exact half width: the scale and the number of cells are public."""
        if public.bounds is None:
            return Forecast(None, "The bounds are not declared yet.")
        width = self.scale(public.bounds) * (equal_width(self.cells, 1 - confidence) * ROUND_UP)
        return Forecast(width, "The noise scale is public.", exact=True)


@dataclass(frozen=True)
class NormalCells(CellCounts, AnalyticGaussian):
    """Counts of all cells of one table with Gaussian noise; counts of coarser tables are sums of them.

    Guarantee: (epsilon, delta)-DP, and rho-zCDP with rho = (m/sigma)^2 / 2, for all tables of a draw together.
    Proof: each of the m rows of a person is in one cell of the finest table, so a person moves its counts by m in L2 at
    most: by m if all are in the same cell. Normal noise is the same in all directions, and sigma is the exact one for
    that shift (see gaussian). A coarser count is the sum of the noisy counts of its cells: post-processing, which is
    charged once with them.
    Reference: Balle and Wang 2018 for sigma.
    Complexity: O(rows) once, then O(cells).
    Corner cases: as those of cell-counts.
    """

    slug: ClassVar[str] = "normal-cell-counts"
    title: ClassVar[str] = "Counts of one table, one draw, Gaussian noise"
    noise: ClassVar[Noise] = GAUSSIAN

    query: Query = statistic(Count)
    epsilon: float = epsilon_parameter()
    delta: float = delta_parameter()
    over: tuple[Any, ...] = over_setting()  # type: ignore[misc]
    cells: int = cells_setting()  # type: ignore[misc]

    def law(self, data: Column) -> Law:
        """Return the law of the sum of the noisy counts of all cells of these rows."""
        return Noisy(self.query.exact(data), self.scale(data.bounds) * math.sqrt(self.cells), Gaussian())

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the exact half width: sigma and the number of cells are public."""
        if public.bounds is None:
            return Forecast(None, "The bounds are not declared yet.")
        width = self.scale(public.bounds) * math.sqrt(self.cells) * float(special.ndtri((1 + confidence) / 2))
        return Forecast(width, "σ is public.", exact=True)
