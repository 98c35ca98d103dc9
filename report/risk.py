"""Risk: what epsilon and delta mean for one person, for two and for five, in plain words."""

from __future__ import annotations

import math
from dataclasses import dataclass

from discreet.budget import Cost, Phrase
from discreet.report.words import ROW

GROUPS = (2, 5)
LARGEST = 700.0  # exp of it is a double


@dataclass(frozen=True)
class Several:
    """Epsilon and delta of so many people whose data change together."""

    together: int
    epsilon: float
    delta: float


@dataclass(frozen=True)
class Risk:
    """What a cost means, in numbers and in sentences that anybody can read."""

    odds_factor: float
    best_guess_from_half: float
    groups: tuple[Several, ...]
    in_words: tuple[Phrase, ...]


def odds_factor(cost: Cost) -> float:
    """Return by what factor the odds of any guess may change: e^eps."""
    return _raised(cost.epsilon)


def _raised(epsilon: float) -> float:
    """Return e^eps, infinity beyond the range of a double."""
    return math.exp(epsilon) if epsilon < LARGEST else math.inf


def best_guess(cost: Cost) -> float:
    """Return the largest probability of a correct guess between two cases that were equally likely.

    (e^eps + delta) / (1 + e^eps): the total variation distance of two neighbours' answers is at most delta + (1 -
    delta) (e^eps - 1) / (e^eps + 1), and the best guess is correct with half of one plus that.
    """
    return _guess(cost.epsilon, cost.delta)


def _guess(epsilon: float, delta: float) -> float:
    rest = math.exp(-epsilon)
    return (1 + delta * rest) / (1 + rest)


def together(cost: Cost, people: int) -> tuple[float, float]:
    """Return epsilon and delta for several people whose data change together.

    Delta grows by the factor (1 + e^eps + ... + e^((people - 1) eps)): one person after the other.
    """
    times = math.fsum(_raised(cost.epsilon * at) for at in range(people))
    return people * cost.epsilon, min(1.0, cost.delta * times) if cost.delta_units else 0.0


def risk(cost: Cost, unit: Phrase, what: Phrase) -> Risk:
    """Return the numbers and the plain sentences on the risk of a cost."""
    groups = tuple(Several(people, *together(cost, people)) for people in GROUPS)
    return Risk(odds_factor(cost), best_guess(cost), groups, _words(cost, unit, what))


def _words(cost: Cost, unit: Phrase, what: Phrase) -> tuple[Phrase, ...]:
    """Return the sentences: on one person, on several, and on the probability that all of it fails."""
    words = Phrase("For {people} people together, such as a family, it is at most {times} of 100 cases.")
    if unit == ROW:
        words = Phrase(
            "For {people} rows together, such as all rows of one person, it is at most {times} of 100 cases."
        )
    several = [
        Phrase(words.template, people=people, times=math.ceil(100 * _guess(*together(cost, people))))
        for people in GROUPS
    ]
    return (*_alone(cost, unit, what), *several, *_failure(cost))


def _alone(cost: Cost, unit: Phrase, what: Phrase) -> tuple[Phrase, Phrase]:
    """Return what a guess about one person can gain."""
    odds = Phrase(
        "In odds, the factor is at most {factor:.4g} for being in the dataset. For any statement "
        "about someone known to be in it, the factor is at most {square:.4g}."
    )
    if unit == ROW:
        odds = Phrase(
            "In odds, the factor is at most {factor:.4g} for being in the dataset. For any statement "
            "about a row known to be in it, the factor is at most {square:.4g}."
        )
    return (
        Phrase(
            "Suppose someone has a 50% chance of guessing whether {unit} is in the dataset. After "
            "seeing {what}, they are right in at most {times} of 100 cases.",
            unit=unit,
            what=what,
            times=math.ceil(100 * best_guess(cost)),
        ),
        Phrase(odds.template, factor=odds_factor(cost), square=odds_factor(cost) ** 2),
    )


def _failure(cost: Cost) -> list[Phrase]:
    """Return how often that may fail, if ever."""
    if not cost.delta_units:
        return []
    return [
        Phrase(
            "{delta} adds at most 1 in {times:,.0f} to the probability of any outcome.",
            delta=str(cost).partition(", ")[2],
            times=1 / cost.delta,
        )
    ]
