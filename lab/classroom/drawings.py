"""Drawings: what the library makes of the answers of a class: an election, an estimate, answers until a refusal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

import pyarrow as pa

from discreet.budget import BudgetExceeded, Cost, SessionLedger
from discreet.budget.errors import ParameterError
from discreet.curator.noise import ReleaseNoise
from discreet.curator.release import Curator
from discreet.curator.request import Request
from discreet.lab.classroom.activity import DRAWN_AT, Ballot, CoinFlip, Questioning
from discreet.lab.lessons.differencing import counting, spread
from discreet.lab.lessons.people import survey, town
from discreet.mechanisms.randomized_response import RandomizedResponse
from discreet.mechanisms.selection import ExponentialMechanism
from discreet.rows import Category, OpenData, Schema
from discreet.rows.filters import Filter
from discreet.rows.source import LocalSource

SMOKERS = Filter("smokes", "=", "yes")
SPENT = "The budget of the class is spent. The ledger refuses every further question."


def elected(ballot: Ballot, votes: Sequence[int]) -> Mapping[float, int]:
    """Return the place that the exponential mechanism draws at each epsilon, by the real votes of the class."""
    table = pa.table({"outing": [ballot.places[vote] for vote in votes]})
    data = OpenData(LocalSource(table), Schema({"outing": Category(ballot.places)}))
    curator = Curator(data, SessionLedger(Cost.of(sum(DRAWN_AT))))
    draws = {}
    for epsilon in DRAWN_AT:
        answer = curator.ask(Request(ExponentialMechanism(epsilon=epsilon), ("outing",))).answer
        draws[epsilon] = list(ballot.places).index(str(answer))  # type: ignore[arg-type]
    return draws


def reported(coin: CoinFlip, truth: bool) -> int:
    """Return what one person reports, after the coin; the truth goes nowhere else."""
    flipped = ReleaseNoise().bernoulli(RandomizedResponse(epsilon=coin.epsilon, people=1).flip)
    return int(truth != flipped)


@dataclass(frozen=True)
class Share:
    """The share of yes behind reports, and how far off it is 19 times in 20 at most."""

    estimate: float
    error: float


def estimated(coin: CoinFlip, reports: Sequence[int]) -> Share:
    """Return the share of yes, corrected for the coins."""
    people = len(reports)
    flip = RandomizedResponse(epsilon=coin.epsilon, people=people).flip
    slope = 1 - 2 * flip
    return Share((sum(reports) / people - flip) / slope, 1.96 * (flip * (1 - flip) / people) ** 0.5 / slope)


class CommonLedger:
    """One budget of a whole class, and all that was answered on it."""

    def __init__(self, asking: Questioning) -> None:
        """Open the ledger."""
        self._curator = Curator(survey(), SessionLedger(Cost.of(asking.limit)))
        self._mechanism = counting(asking.epsilon)
        self.person = town().names[0]
        self._filters = ((SMOKERS,), (SMOKERS, Filter("name", "!=", self.person)))
        self.answers: tuple[list[int], list[int]] = ([], [])
        self.refusals = 0
        self._lock = Lock()

    def ask(self, which: int) -> int:
        """Answer a question, 0 with that person and 1 without, or refuse it once the budget is spent."""
        with self._lock:
            answers = self.answers[which]
            request = Request(self._mechanism, ("one",), self._filters[which])
            try:
                answer = int(self._curator.ask(request, f"{which}:{len(answers)}").answer)  # type: ignore[arg-type]
            except BudgetExceeded:
                self.refusals += 1
                raise ParameterError(SPENT) from None
            answers.append(answer)
            return answer

    @property
    def left(self) -> float:
        """What is left of epsilon."""
        return self._curator.ledger.left.epsilon

    @property
    def difference(self) -> Share | None:
        """How much the averages of the two questions differ, and by how much noise alone makes them differ."""
        with self._lock:
            sizes = [len(answers) for answers in self.answers]
            if not all(sizes):
                return None
            means = [sum(answers) / size for answers, size in zip(self.answers, sizes, strict=True)]
            deviation = spread(self._mechanism.epsilon) * sum(1 / size for size in sizes) ** 0.5  # type: ignore[attr-defined]
            return Share(means[0] - means[1], 1.96 * deviation)

    @property
    def smokes(self) -> bool:
        """What the class wants to know."""
        return town().has(self.person)
