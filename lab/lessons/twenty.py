"""Twenty: a count of each of twenty people, what somebody guesses from it, and what luck alone gets right."""

from __future__ import annotations

from dataclasses import dataclass

from scipy import special

from discreet.lab.experiment import simulate
from discreet.lab.lessons.differencing import law, pointed
from discreet.lab.simulation import SimulationNoise

PEOPLE = 20
COIN = 0.5
MOST_DRAWS = 1000


@dataclass(frozen=True)
class Twenty:
    """Who of twenty smokes (as likely as not), and the released count of each; without an epsilon it is exact."""

    smokes: tuple[bool, ...]
    answers: tuple[int, ...]
    epsilon: float | None

    @property
    def allowed(self) -> float:
        """The chance of being right that the law allows: nobody can do better, and the best rule does as well."""
        return 1.0 if self.epsilon is None else pointed(self.epsilon).right

    def best(self, person: int) -> bool:
        """Guess by the answer alone: a count of 1 or more is likelier from somebody who smokes."""
        return self.answers[person] >= 1

    def right(self, guesses: str) -> int:
        """Return how many guesses are right; y says that somebody smokes."""
        return sum((guess == "y") == smokes for guess, smokes in zip(guesses, self.smokes, strict=False))

    def rest(self, guesses: str) -> str:
        """Return all guesses, those that are missing by the best rule."""
        return guesses + "".join("y" if self.best(person) else "n" for person in range(len(guesses), PEOPLE))


def twenty(epsilon: float | None, seed: int) -> Twenty:
    """Toss a coin for each of twenty people, and release a count of each."""
    noise = SimulationNoise(seed + MOST_DRAWS * round(1000 * (epsilon or 0)))  # who has played one knows no other
    smokes = tuple(bool(toss < COIN) for toss in noise.uniforms(1, PEOPLE)[0])
    if epsilon is None:
        return Twenty(smokes, tuple(map(int, smokes)), None)
    laws = law(0, epsilon), law(1, epsilon)
    return Twenty(smokes, tuple(int(simulate(laws[each], 1, noise)[0]) for each in smokes), epsilon)


def luck(right: int, chance: float) -> float:
    """Return how likely so many right guesses of twenty, or more, are at a chance of each."""
    return float(special.bdtrc(right - 1, PEOPLE, chance))
