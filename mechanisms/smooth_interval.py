"""Smooth sensitivity with an interval: a part of epsilon releases how large the noise may have been."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from discreet.budget import Account, Cost, Pure
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import CONFIDENCE, OneStatistic
from discreet.mechanisms.base.scale_interval import SHARES, Bought, bought, rescaled, spread_of, times
from discreet.mechanisms.base.vocabulary import (
    CLIPPED,
    CORE_TAIL,
    LAPLACE,
    SMOOTH,
    STUDENT,
    Family,
    Forecast,
    Noise,
    Public,
    delta_parameter,
    epsilon_parameter,
    parameter,
    statistic,
)
from discreet.mechanisms.laws.law import CoreTail, Interval, Laplace, Measured, Noisy, Shape, Student
from discreet.mechanisms.smooth import M_CHOICES, SmoothCoreTail
from discreet.mechanisms.smooth_laplace import SmoothLaplace
from discreet.mechanisms.smooth_student import SmoothStudent
from discreet.queries import Column, Query
from discreet.queries.mean import Mean

Inner = SmoothCoreTail | SmoothLaplace | SmoothStudent


def share_parameter() -> Any:
    """Declare the share of the interval, in the same way for every mechanism with one."""
    return parameter(
        "Share of the interval",
        0.01,
        0.9,
        default=0.2,
        help="This share of ε is spent on the interval. The result gets the rest.",
    )


def sold(number: float) -> Forecast:
    """Return a forecast that announces an interval, and of which public number its width is a multiple."""
    text = Phrase(
        "An interval is released with the result. Its half-width is about {times:.3g} times a "
        "sensitivity of the dataset.",
        times=number,
    )
    return Forecast(None, text)


@dataclass(frozen=True)
class SmoothInterval(OneStatistic):
    """The common base of the three: an answer for a part of epsilon, its interval for the rest.

    Guarantee: that of the answer at e1 = (1 - share) epsilon, plus e2 = share epsilon.
    Proof: the answer alone has its guarantee at e1. The logarithm of its scale is that of S, the beta-smooth
    sensitivity, plus a public number, so neighbours move it by at most beta, and Laplace noise of beta / e2 costs e2.
    The two are drawn independently and their costs add up; the interval is computed from the two and from public
    numbers.
    """

    family: ClassVar[Family] = SMOOTH
    after: ClassVar[Phrase] = CLIPPED
    compared: ClassVar[bool] = False  # without an interval the error is smaller
    spanned: ClassVar[bool] = True

    query: Query = statistic(Mean)
    epsilon: float = epsilon_parameter()
    share: float = share_parameter()

    def __post_init__(self) -> None:
        """Raise what the answer alone would raise."""
        super().__post_init__()
        self._inner(self.share)

    @abstractmethod
    def _inner(self, share: float) -> Inner:
        """Return the mechanism of the answer alone, if the interval has this share."""

    @abstractmethod
    def shape(self) -> Shape:
        """Return the noise of the answer."""

    @property
    def epsilon_interval(self) -> float:
        """The part of epsilon that the interval spends."""
        return self.epsilon * self.share

    @property
    def beta(self) -> float:
        """The public smoothing parameter."""
        return self._inner(self.share).beta

    def variants(self, stand_in: Column) -> Sequence[OneStatistic]:
        """Return the variants of the answer alone, for several shares of the interval."""
        tried: list[OneStatistic] = []
        for share in SHARES:
            try:
                settings = [v.values() for v in self._inner(share).variants(stand_in)]
            except ParameterError:
                continue  # this share leaves too little for the answer
            tried += [replace(self, **(each | {"epsilon": self.epsilon, "share": share})) for each in settings]
        return tried or (self,)

    def cost(self) -> Cost:
        """Return epsilon, and the delta of the answer alone."""
        return Cost.of(self.epsilon, self._inner(self.share).cost().delta)

    def account(self) -> Account | None:
        """Return pure epsilon, if the answer alone is pure."""
        return None if self.cost().delta_units else Pure(self.epsilon)

    def law(self, data: Column) -> Bought:
        """Return the law of the answer and of its interval."""
        inner = self._inner(self.share)
        answer = inner.law(data)
        assert isinstance(answer, Noisy)
        return bought(answer, inner.beta, self.epsilon_interval)

    def usual_width(self, data: Column) -> float:
        """Return the half width where the noise on the logarithm is 0."""
        return self.law(data).usual_width

    def forecast(self, public: Public, confidence: float = CONFIDENCE) -> Forecast:
        """Return no width, but a note that an interval will be released."""
        return sold(self._times(confidence) * self._inner(self.share).kappa)

    def _times(self, confidence: float) -> float:
        return times(self.shape(), spread_of(self.beta, self.epsilon_interval), confidence)

    def widened(self, answer: Measured, public: Public, confidence: float) -> Interval | None:
        """Return another multiple of that noisy scale."""
        factor = self._times(confidence) / self._times(CONFIDENCE)
        return rescaled(answer, self.view.range(public.bounds), factor)


@dataclass(frozen=True)
class CoreTailInterval(SmoothInterval):
    """Smooth-core-tail at (1 - share) epsilon, and a noisy bound of its scale at share epsilon.

    Guarantee: epsilon-DP for every dataset, no delta. With probability at least 95%, the interval contains the value
    of the rows that were read, for every dataset.
    Proof: neighbours move the logarithm of the scale by beta at most, so its Laplace noise costs e2, and the answer
    costs e1; both are drawn independently. The error over the noisy scale has a public law, of which the half width
    takes the 95% quantile (docs/guarantees.md).
    Reference: Nissim, Raskhodnikova and Smith 2007, who note that the logarithm of a smooth bound
    moves by beta; the pivot: see docs/guarantees.md.
    Complexity: that of smooth-core-tail.
    Corner cases: ends beyond what the statistic can be move there; no rows have an interval as well.
    """

    slug: ClassVar[str] = "smooth-core-tail-interval"
    title: ClassVar[str] = "Smooth sensitivity with an interval, core-tail noise"
    noise: ClassVar[Noise] = CORE_TAIL

    m: int = parameter("Tail", choices=M_CHOICES, default=16, help="β = ε of the result / tail.")

    def _inner(self, share: float) -> SmoothCoreTail:
        return SmoothCoreTail(self.query, self.epsilon * (1 - share), self.m)

    def shape(self) -> Shape:
        """Return core-tail noise."""
        return CoreTail(self.m)


@dataclass(frozen=True)
class StudentInterval(SmoothInterval):
    """Smooth-student at (1 - share) epsilon, and a noisy bound of its scale at share epsilon.

    Guarantee: epsilon-DP, no delta, as far as smooth-student's is. With probability at least 95%, the interval
    contains the value of the rows that were read, for every dataset.
    Proof: neighbours move the logarithm of the scale by beta at most, so its Laplace noise costs e2,
    and the answer costs e1; both are drawn independently. The error over the noisy scale has a public
    law, of which the half width takes the 95% quantile (docs/guarantees.md).
    Reference: Bun and Steinke 2019 for the noise; the pivot: see docs/guarantees.md.
    Complexity: that of smooth-student.
    Corner cases: as smooth-student; ends beyond what the statistic can be move there.
    """

    slug: ClassVar[str] = "smooth-student-interval"
    title: ClassVar[str] = "Smooth sensitivity with an interval, Student-t noise"
    noise: ClassVar[Noise] = STUDENT

    nu: int = parameter(
        "Degrees of freedom",
        choices=(1, 2, 3, 4, 6, 8),
        default=3,
        help="With 3 degrees of freedom, the RMSE is finite.",
    )
    ratio: float = parameter("β / ε", 0.001, 0.95, default=0.05, help="β / ε must be below 1 / degrees of freedom.")

    def _inner(self, share: float) -> SmoothStudent:
        return SmoothStudent(self.query, self.epsilon * (1 - share), self.nu, self.ratio)

    def shape(self) -> Shape:
        """Return Student noise."""
        return Student(self.nu)


@dataclass(frozen=True)
class LaplaceInterval(SmoothInterval):
    """Smooth-laplace at (1 - share) epsilon, and a noisy bound of its scale at share epsilon.

    Guarantee: (epsilon, delta)-DP, as far as smooth-laplace's is. With probability at least 95%, the interval
    contains the value of the rows that were read, for every dataset.
    Proof: neighbours move the logarithm of the scale by beta at most, so its Laplace noise costs e2,
    and the answer costs e1; both are drawn independently. The error over the noisy scale has a public
    law, of which the half width takes the 95% quantile (docs/guarantees.md).
    Reference: Nissim, Raskhodnikova and Smith 2007; the pivot: see docs/guarantees.md.
    Complexity: that of smooth-laplace.
    Corner cases: as smooth-laplace; ends beyond what the statistic can be move there.
    """

    slug: ClassVar[str] = "smooth-laplace-interval"
    title: ClassVar[str] = "Smooth sensitivity with an interval, Laplace noise"
    noise: ClassVar[Noise] = LAPLACE

    delta: float = delta_parameter()
    ratio: float = parameter(
        "β / ε", 0.001, 0.5, default=0.02, help="Use a small value for means and a larger one for medians."
    )

    def _inner(self, share: float) -> SmoothLaplace:
        return SmoothLaplace(self.query, self.epsilon * (1 - share), self.delta, self.ratio)

    def shape(self) -> Shape:
        """Return Laplace noise."""
        return Laplace()
