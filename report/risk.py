"""Risk: what epsilon and delta mean for one person, for two and for five, in plain words."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from discreet.budget import Cost, Phrase
from discreet.budget.cost import DELTA_UNITS
from discreet.curator import Request
from discreet.report.words import PERSON, ROW

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
    """Return by what factor the odds between two neighbouring datasets may change: e^eps."""
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


def relation_of(requests: Iterable[Request]) -> bool | None:
    """Return whether the number of rows is public in all of these queries (True), in none (False), or in some (None).

    Of no queries nothing is known, so that is None as well.
    """
    relations = {request.mechanism.neighbours.change_one for request in requests}
    return relations.pop() if len(relations) == 1 else None


def risk(cost: Cost, unit: Phrase, what: Phrase, change_one: bool | None = False) -> Risk:
    """Return the numbers and the plain sentences on the risk of a cost."""
    groups = tuple(Several(people, *together(cost, people)) for people in GROUPS)
    words = (*guesses(cost, unit, what, change_one), *_several(cost, unit, change_one), *_delta(cost))
    return Risk(odds_factor(cost), best_guess(cost), groups, words)


def guesses(cost: Cost, unit: Phrase, what: Phrase, change_one: bool | None = False) -> list[Phrase]:
    """Return what a guess at 50% can gain: about membership, then about the values of a known member.

    Where the number of rows is public (`change_one`), membership is not what is protected, and the values of a member
    are one change apart. Else they are two apart: the member leaves, and another one with other values joins. None
    means that the number may be public for some of the queries: membership is not what all of them protect, and values
    are at most two changes apart.
    """
    if change_one is not False:
        values = _right(OF_VALUES, OF_VALUES_NEARLY, cost, 1 if change_one else 2, unit=unit, what=what)
        membership = Phrase(
            "Queries with a public number of rows do not protect whether {unit} is in the dataset.", unit=unit
        )
        return [values] if change_one else [values, membership]
    return [
        _right(OF_MEMBERSHIP, OF_MEMBERSHIP_NEARLY, cost, 1, unit=unit, what=what),
        _right(OF_MEMBER, OF_MEMBER_NEARLY, cost, 2, unit=unit),
    ]


# each sentence twice: with a limit, and without one where it would be rounded to all cases

OF_VALUES = Phrase(
    "Suppose someone has a 50% chance of guessing the values of {unit} in the dataset. "
    "After seeing {what}, they are right in at most {times} of 100 cases."
)
OF_VALUES_NEARLY = Phrase(
    "Suppose someone has a 50% chance of guessing the values of {unit} in the dataset. "
    "After seeing {what}, they may be right in more than 99 of 100 cases."
)
OF_MEMBERSHIP = Phrase(
    "Suppose someone has a 50% chance of guessing whether {unit} is in the dataset. "
    "After seeing {what}, they are right in at most {times} of 100 cases."
)
OF_MEMBERSHIP_NEARLY = Phrase(
    "Suppose someone has a 50% chance of guessing whether {unit} is in the dataset. "
    "After seeing {what}, they may be right in more than 99 of 100 cases."
)
OF_MEMBER = Phrase(
    "If {unit} is known to be in the dataset, a 50% guess about the values is right in at most {times} of 100 cases."
)
OF_MEMBER_NEARLY = Phrase(
    "If {unit} is known to be in the dataset, a 50% guess about the values may be right in more than 99 of 100 cases."
)
OF_GROUP = Phrase("A 50% guess whether {group} are in the dataset is right in at most {times} of 100 cases.")
OF_GROUP_NEARLY = Phrase("A 50% guess whether {group} are in the dataset may be right in more than 99 of 100 cases.")
OF_GROUP_VALUES = Phrase("A 50% guess about the values of {group} is right in at most {times} of 100 cases.")
OF_GROUP_VALUES_NEARLY = Phrase("A 50% guess about the values of {group} may be right in more than 99 of 100 cases.")
ALL = 100


def _right(limited: Phrase, nearly: Phrase, cost: Cost, apart: int, **named: Phrase) -> Phrase:
    """Return how often a guess is right between datasets that are so many changes apart."""
    times = _times(cost, apart)
    if times >= ALL:
        return Phrase(nearly.template, **named)
    return Phrase(limited.template, times=times, **named)


def of_100(chance: float) -> int:
    """Return a chance in cases of 100, rounded up."""
    return math.ceil(ALL * chance)


def cases_of_100(chance: float) -> str:
    """Return a chance in cases of 100 as a table shows it: never all of them."""
    times = of_100(chance)
    return str(times) if times < ALL else "> 99"


def _times(cost: Cost, apart: int) -> int:
    """Return how often a guess between datasets that are `apart` changes apart is right, in cases of 100."""
    return of_100(_guess(*together(cost, apart)))


def _several(cost: Cost, unit: Phrase, change_one: bool | None) -> list[Phrase]:
    """Return the same limit for several people, or rows, whose data change together."""
    limited, nearly = (OF_GROUP, OF_GROUP_NEARLY) if change_one is False else (OF_GROUP_VALUES, OF_GROUP_VALUES_NEARLY)
    apart = 2 if change_one is None else 1
    return [_right(limited, nearly, cost, apart * people, group=_group(unit, people)) for people in GROUPS]


def _group(unit: Phrase, people: int) -> Phrase:
    """Return several protected units in words."""
    if unit == ROW:
        return Phrase("{people} rows together, such as those of one person,", people=people)
    if unit == PERSON:
        return Phrase("{people} people together, such as a family,", people=people)
    return Phrase("{people} units of privacy together", people=people)


def _delta(cost: Cost) -> list[Phrase]:
    """Return what delta adds to all of that, if there is any."""
    if not cost.delta_units:
        return []
    return [
        Phrase(
            "These figures include δ = {delta}: it adds at most 1 in {times:,} to the probability of any outcome.",
            delta=f"{cost.delta:g}",
            times=DELTA_UNITS // cost.delta_units,
        )
    ]
