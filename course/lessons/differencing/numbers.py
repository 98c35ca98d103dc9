"""Numbers of lesson 2: what two counts, one targeted count, or one repeated count reveal about a person."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from discreet.budget import BudgetExceeded, Cost, SessionLedger
from discreet.course.lessons.deidentification.numbers import survey, town
from discreet.curator.release import Curator
from discreet.curator.request import Request
from discreet.lab.experiment import simulate
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism, registry
from discreet.mechanisms.laws.anatomy import anatomy
from discreet.mechanisms.laws.law import Law
from discreet.queries import Bounds, Column
from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.count import Count
from discreet.rows.filters import Filter

ONE = Bounds(0, 1, integer=True)
REACH = 1e-6
MOST_ASKED = 400


def counting(epsilon: float) -> Mechanism:
    """Return the mechanism that counts: geometric noise, in whole numbers."""
    mechanism: Mechanism = registry["geometric"](query=Count(), epsilon=epsilon)  # type: ignore[call-arg]
    return mechanism


def law(count: int, epsilon: float) -> Law:
    """Return the distribution of one noisy count."""
    return counting(epsilon).law(Column.from_counts(ONE, np.array([0, count])))


def exact(person: str) -> tuple[int, int]:
    """Return how many smoke among all, and among all but one person."""
    people = town()
    among = int(people.smokes.sum())
    return among, among - people.has(person)


@dataclass(frozen=True)
class Told:
    """The distributions if a person smokes and if not, and how often the best guess is right."""

    answers: IntArray
    without: FloatArray
    within: FloatArray
    sure: float = 0.0  # how often a result is possible in one case only: never, if the noise is unbounded

    @property
    def right(self) -> float:
        """The probability that the best guess between two equally likely cases is right: (1 + distance) / 2."""
        return 0.5 + 0.25 * float(np.abs(self.within - self.without).sum())


def masses(count: int, epsilon: float, answers: IntArray) -> FloatArray:
    """Return the probability of every whole number, accurate in both tails."""
    parts = anatomy(law(count, epsilon))
    return np.interp(answers, parts.points, parts.masses, left=0.0, right=0.0)


def pointed(epsilon: float) -> Told:
    """Return what a count of one named person reveals: the exact result is 0 or 1."""
    reach = int(law(0, epsilon).quantile(1 - REACH)) + 1
    answers = np.arange(-reach, reach + 2)
    return Told(answers, masses(0, epsilon, answers), masses(1, epsilon, answers))


def asked(person: str, epsilon: float, times: int, seed: int) -> tuple[int, ...]:
    """Return the noisy counts of one named person, asked several times."""
    answers = simulate(law(int(town().has(person)), epsilon), times, SimulationNoise(seed))
    return tuple(int(answer) for answer in answers)


def difference(epsilon: float) -> Told:
    """Return what the difference of two noisy counts reveals: it is 0 or 1 before the noise."""
    reach = int(law(0, epsilon).quantile(1 - REACH)) + 1
    around = np.arange(-reach, reach + 1)
    noise = masses(0, epsilon, around)
    both = np.convolve(noise, noise[::-1])
    answers = np.arange(-2 * reach, 2 * reach + 2)
    return Told(answers, np.append(both, 0.0), np.append(0.0, both))


def naive() -> Told:
    """Return what the difference reveals if both counts get −1, 0 or 1 with equal probability."""
    both = np.convolve(np.full(3, 1 / 3), np.full(3, 1 / 3))
    without = np.append(both, 0.0)
    within = np.append(0.0, both)
    alone = (without > 0) != (within > 0)
    return Told(np.arange(-2, 4), without, within, float((without + within)[alone].sum() / 2))


def averages(epsilon: float, times: int, seed: int) -> FloatArray:
    """Return the average of the first 1, 2, ... results of one count asked repeatedly."""
    answers = simulate(law(exact(town().names[0])[0], epsilon), times, SimulationNoise(seed))
    return np.asarray(np.cumsum(answers) / np.arange(1, times + 1))


def spread(epsilon: float) -> float:
    """Return the standard deviation of one result."""
    answers = pointed(epsilon)
    return float(np.sqrt((answers.without * answers.answers**2).sum()))


@dataclass(frozen=True)
class UntilRefused:
    """The results that a real ledger allowed before it refused, and the text of its refusal."""

    answers: tuple[float, ...]
    refusal: BudgetExceeded


def until_refused(epsilon: float, limit: float) -> UntilRefused:
    """Ask how many smoke, repeatedly, through the curator, until the ledger refuses."""
    curator = Curator(survey(), SessionLedger(Cost.of(limit)))
    request = Request(counting(epsilon), ("one",), (Filter("smokes", "=", "yes"),))
    answers: list[float] = []
    try:
        for nonce in range(MOST_ASKED):
            answers.append(float(curator.ask(request, str(nonce)).answer))  # type: ignore[arg-type]
    except BudgetExceeded as refusal:
        return UntilRefused(tuple(answers), refusal)
    raise AssertionError("the limit of a lesson is small against its epsilon")


# Twenty: a count of each of twenty people, what an attacker guesses from it, and what luck alone gets right.

PEOPLE = 20
COIN = 0.5
MOST_DRAWS = 1000


@dataclass(frozen=True)
class Twenty:
    """Which of twenty people smoke (with probability 1/2), and the released count of each; exact without an epsilon."""

    smokes: tuple[bool, ...]
    answers: tuple[int, ...]
    epsilon: float | None

    @property
    def allowed(self) -> float:
        """The theoretical limit of the probability of being right, which the best rule reaches."""
        return 1.0 if self.epsilon is None else pointed(self.epsilon).right

    def best(self, person: int) -> bool:
        """Guess from the result alone: a count of 1 or more is more likely for a smoker."""
        return self.answers[person] >= 1

    def right(self, guesses: str) -> int:
        """Return how many guesses are right; y is the guess that a person smokes."""
        return sum((guess == "y") == smokes for guess, smokes in zip(guesses, self.smokes, strict=False))

    def rest(self, guesses: str) -> str:
        """Return all guesses, with missing ones filled in by the best rule."""
        return guesses + "".join("y" if self.best(person) else "n" for person in range(len(guesses), PEOPLE))


def twenty(epsilon: float | None, seed: int) -> Twenty:
    """Toss a coin for each of twenty people, and release a count of each."""
    noise = SimulationNoise(seed + MOST_DRAWS * round(1000 * (epsilon or 0)))  # each epsilon has other smokers
    smokes = tuple(bool(toss < COIN) for toss in noise.uniforms(1, PEOPLE)[0])
    if epsilon is None:
        return Twenty(smokes, tuple(map(int, smokes)), None)
    laws = law(0, epsilon), law(1, epsilon)
    return Twenty(smokes, tuple(int(simulate(laws[each], 1, noise)[0]) for each in smokes), epsilon)


def luck(right: int, chance: float) -> float:
    """Return the probability of at least this number of right guesses of twenty, given the probability of each."""
    return float(special.bdtrc(right - 1, PEOPLE, chance))
