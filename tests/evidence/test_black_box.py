"""Layer 3: attacks from samples alone refute broken mechanisms and never accuse correct ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from discreet.curator import ReleaseNoise
from discreet.evidence.audit import black_box
from discreet.lab.experiment import simulate
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism
from discreet.mechanisms.exhibits.chunks import TextbookChunks
from discreet.mechanisms.exhibits.ptr import TextbookPTR
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.laplace import Geometric, GlobalLaplace
from discreet.mechanisms.laws.law import Laplace, Law, Noisy
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.mechanisms.selection import ExponentialMechanism, PermuteAndFlip
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.mechanisms.smooth_laplace import SmoothLaplace
from discreet.queries import Bounds, Column, Relation
from discreet.queries.column import Scores
from discreet.queries.mean import Mean
from discreet.queries.median import Median

SAMPLES = 40_000
CONFIDENCE = 1 - 1e-6  # a right claim is refuted with a chance of one in a million
NINE = Bounds(0, 9, integer=True)
JUMP = Bounds(0, 10**6, integer=True)


def column(*rows: int, bounds: Bounds = NINE) -> Column:
    """Return a small column."""
    return Column.from_values(bounds, np.array(rows, dtype=int))


def votes(*counts: int) -> Scores:
    """Return counts of candidates."""
    return Scores(tuple("abcdef"[: len(counts)]), np.array(counts, dtype=np.int64))


def refuted(p: Law, q: Law, epsilon: float, delta: float = 0.0) -> bool:
    """Attack two laws with simulated answers."""
    noise = SimulationNoise(11)
    samples = [simulate(law, SAMPLES, noise) for law in (p, q)]
    return black_box(*samples, epsilon, delta, CONFIDENCE).refuted


RIGHT: dict[str, tuple[Mechanism, object, object]] = {
    "Laplace": (GlobalLaplace(Mean(), 1.0), column(), column(9)),
    "geometric": (Geometric(epsilon=1.0), column(1, 2), column(1, 2, 3)),
    "two counts": (TwoCounts(epsilon=1.0), column(), column(0)),
    "core-tail median": (SmoothCoreTail(Median(), 1.0), column(0, 0, 9), column(0, 0, 9, 9)),
    "smooth Laplace": (SmoothLaplace(Mean(), 1.0), column(0, 0, 0, 9), column(0, 0, 0)),
    "propose-test-release": (
        ProposeTestRelease(Mean(), 1.0, 1e-3, b=0.001),
        column(0, bounds=JUMP),
        column(0, 10**6, bounds=JUMP),
    ),
    "exponential quantile": (QuantileExponential(epsilon=1.0), column(2, 5), column(2, 5, 5)),
    "permute-and-flip": (PermuteAndFlip(epsilon=1.0), votes(3, 3), votes(4, 3)),
    "exponential": (ExponentialMechanism(epsilon=1.0), votes(3, 3, 3), votes(4, 3, 3)),
}


@pytest.mark.parametrize("name", RIGHT)
def test_no_correct_mechanism_is_accused(name: str) -> None:
    """Both directions, every kind of event: the claim stands."""
    mechanism, first, second = RIGHT[name]
    cost = mechanism.cost()
    assert not refuted(mechanism.law(first), mechanism.law(second), cost.epsilon, cost.delta)


def half_laplace() -> tuple[Law, Law]:
    """Return Laplace noise of half the scale."""
    return Noisy(0.0, 4.5, Laplace()), Noisy(9.0, 4.5, Laplace())


def textbook_ptr() -> tuple[Law, Law]:
    """Return the textbook's test at distance 0."""
    exhibit = TextbookPTR(query=Mean(), epsilon=1.0, delta=1e-3, b=0.001)
    return exhibit.law(column(0, bounds=JUMP)), exhibit.law(column(0, 10**6, bounds=JUMP))


def consecutive_chunks() -> tuple[Law, Law]:
    """Return consecutive chunks of a file, and of the same file without its first row."""
    exhibit = TextbookChunks(epsilon=1.0, k=60, lower=0.0, upper=100.0, estimator="standard-deviation")
    rows = np.array([0.0, 0.0, 100.0, 100.0] * 30)
    return exhibit.law(rows), exhibit.law(rows[1:])


def raw_local_sensitivity() -> tuple[Law, Law]:
    """Return the median with noise of its local sensitivity."""
    pair = column(2, 2, 5, 9), column(2, 2, 5, 9, 9)
    laws = [Noisy(Median().value(c), float(Median().ladder(c, np.array([0]))[0]), Laplace()) for c in pair]
    return laws[0], laws[1]


def lost_factor_two() -> tuple[Law, Law]:
    """Return the monotone form where a vote can move from one candidate to another."""
    return (ExponentialMechanism(epsilon=1.0).law(votes(5, 7)), ExponentialMechanism(epsilon=1.0).law(votes(4, 8)))


def public_seed() -> tuple[Law, Law]:
    """Return noise that is nearly none."""
    return Noisy(0.0, 1e-6, Laplace()), Noisy(9.0, 1e-6, Laplace())


@pytest.mark.parametrize(
    ("twin", "delta"),
    [
        (half_laplace, 0.0),
        (textbook_ptr, 1e-3),
        (consecutive_chunks, 0.0),
        (raw_local_sensitivity, 0.0),
        (lost_factor_two, 0.0),
        (public_seed, 0.0),
    ],
)
def test_broken_twins_are_refuted(twin: Callable[[], tuple[Law, Law]], delta: float) -> None:
    """From samples alone, without knowing what is broken."""
    assert refuted(*twin(), 1.0, delta)


def test_the_general_form_survives_the_same_attack() -> None:
    """Where a vote may move, the general form is what holds."""
    form = ExponentialMechanism(epsilon=1.0, relation=Relation(size=12))
    assert not refuted(form.law(votes(5, 7)), form.law(votes(4, 8)), 1.0)


def test_answers_of_the_release_source_are_attacked_as_well() -> None:
    """Real draws: the right scale stands, half of it falls."""
    noise = ReleaseNoise()

    def drawn(centre: float, scale: float) -> np.ndarray:
        return np.array([noise.laplace(centre, scale) for _ in range(4000)])

    assert not black_box(drawn(0, 9.0), drawn(9, 9.0), 1.0, 0.0, CONFIDENCE).refuted
    assert black_box(drawn(0, 4.5), drawn(9, 4.5), 1.0, 0.0, CONFIDENCE).refuted
