"""Activities: the questions to a class in order, and which answers are valid."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

import pyarrow as pa

from discreet.budget import BudgetExceeded, Cost, Phrase, SessionLedger
from discreet.budget.errors import ParameterError
from discreet.course.lessons.composition import numbers
from discreet.course.lessons.deidentification.numbers import survey, town
from discreet.course.lessons.differencing import numbers as differencing
from discreet.course.lessons.differencing.numbers import counting, spread
from discreet.curator.release import Curator
from discreet.curator.request import Request
from discreet.mechanisms.base.tuning import half_width
from discreet.mechanisms.randomized_response import RandomizedResponse
from discreet.mechanisms.selection import ExponentialMechanism
from discreet.noise.source import ReleaseNoise
from discreet.rows import Category, OpenData, Schema
from discreet.rows.filters import Filter
from discreet.rows.source import LocalSource

EPSILON = 0.1
DELTA = 1e-6
PLACES = (Phrase("Zoo"), Phrase("Museum"), Phrase("Lake"), Phrase("Castle"))
DRAWN_AT = (0.01, 0.1, 1.0)


@dataclass(frozen=True)
class Activity:
    """One activity of a class: its name, its question, its lesson, and the explanation of its outcome."""

    name: str
    title: Phrase
    question: Phrase
    lesson: str
    why: Phrase

    @property
    def once(self) -> bool:
        """Whether an answer is final."""
        return True

    @property
    def solution(self) -> Phrase | str | None:
        """The correct answer, for the teacher, if there is one."""
        return None

    def takes(self, value: float) -> bool:
        """Whether this is a valid answer."""
        return False


@dataclass(frozen=True)
class Estimation(Activity):
    """Everyone guesses a number before it is shown."""

    low: int
    high: int
    truth: Callable[[], float]
    places: int = 0  # decimal places of a guess

    @property
    def solution(self) -> str:
        """The number itself."""
        return f"{self.truth():.3g}"

    def takes(self, value: float) -> bool:
        """A number between the ends with no more decimal places than asked for."""
        return self.low <= value <= self.high and value == round(value, self.places)


@dataclass(frozen=True)
class Ballot(Activity):
    """Everyone votes for one of a few places, and may change the vote until the draw."""

    places: tuple[Phrase, ...]

    @property
    def once(self) -> bool:
        """False: a vote may be changed until the draw."""
        return False

    def takes(self, value: float) -> bool:
        """The index of a place."""
        return value in range(len(self.places))


@dataclass(frozen=True)
class CoinFlip(Activity):
    """Everyone answers yes or no by randomized response: several reports, each with this epsilon."""

    epsilon: float
    times: int = 3

    @property
    def cost(self) -> float:
        """The epsilon of all reports of one person."""
        return self.epsilon * self.times

    def takes(self, value: float) -> bool:
        """How many reports of one person say yes."""
        return value in range(self.times + 1)


@dataclass(frozen=True)
class Questioning(Activity):
    """The class asks two counts, as often as one budget allows."""

    epsilon: float
    limit: float

    @property
    def solution(self) -> Phrase:
        """Whether the person smokes, which the class cannot learn."""
        return Phrase("yes") if town().has(town().names[0]) else Phrase("no")


@lru_cache(maxsize=1)
def noise_reach() -> float:
    """Return the 95% margin of error of a count, in people."""
    return half_width(differencing.law(numbers.PEOPLE, EPSILON))


@lru_cache(maxsize=1)
def hundred() -> float:
    """Return the cost of a hundred noisy counts under the tightest accounting of the library."""
    return min(numbers.totals(numbers.LAPLACE, EPSILON, DELTA, numbers.MANY).values())


ACTIVITIES: tuple[Activity, ...] = (
    Estimation(
        "reach",
        Phrase("How large is the error?"),
        Phrase(
            "900 people smoke. They are counted with noise at ε = 0.1. How far from 900 are 95% of the results at most?"
        ),
        "lesson_3_laplace",
        Phrase(
            "The noise is as wide as one person's influence divided by ε: 1 / 0.1 = 10. The margin of "
            "error (95%) is 3 widths."
        ),
        0,
        200,
        noise_reach,
    ),
    Questioning(
        "pair",
        Phrase("Two queries, one budget"),
        Phrase(
            "Run either query as often as you like. The whole class spends from one budget. Does this person smoke?"
        ),
        "lesson_2_differencing",
        Phrase(
            "The two averages differ by that person. More results would reveal the answer, but the "
            "ledger stops before that."
        ),
        EPSILON,
        3.0,
    ),
    Estimation(
        "hundred",
        Phrase("A hundred results"),
        Phrase(
            "One result costs ε = 0.1. What do 100 results cost together under the best accounting "
            "method, with δ = 0.000001?"
        ),
        "lesson_5_composition",
        Phrase(
            "Privacy losses rarely all have the same sign. An accounting method that uses this gives "
            "less than 100 × 0.1."
        ),
        0,
        20,
        hundred,
        places=1,
    ),
    Ballot(
        "outing",
        Phrase("The election"),
        Phrase("Where should the class go? The teacher sees how many votes each place has, but not who gave them."),
        "lesson_7_election",
        Phrase(
            "The exponential mechanism picks a place at random. Each vote multiplies the weight of its place by e^ε."
        ),
        PLACES,
    ),
    CoinFlip(
        "copied",
        Phrase("No trusted curator"),
        Phrase(
            "Have you ever copied homework? You answer once. The server makes three reports, each with its own coin."
        ),
        "lesson_8_streams",
        Phrase(
            "A coin may have reversed each report, and the estimate is corrected for this. Three reports narrow "
            "the interval, but cost three times as much."
        ),
        1.0,
    ),
)


# Outcomes: what the library computes from the answers of a class: an election, an estimate, counts until a refusal.

SMOKERS = Filter("smokes", "=", "yes")
SPENT = "The budget of the class is spent. The ledger refuses every further query."


def elected(ballot: Ballot, votes: Sequence[int]) -> Mapping[float, int]:
    """Return the place that the exponential mechanism draws at each epsilon, from the votes of the class."""
    table = pa.table({"outing": [ballot.places[vote] for vote in votes]})
    data = OpenData(LocalSource(table), Schema({"outing": Category(ballot.places)}))
    curator = Curator(data, SessionLedger(Cost.of(sum(DRAWN_AT))))
    draws = {}
    for epsilon in DRAWN_AT:
        answer = curator.ask(Request(ExponentialMechanism(epsilon=epsilon), ("outing",))).answer
        draws[epsilon] = list(ballot.places).index(str(answer))  # type: ignore[arg-type]
    return draws


def reported(coin: CoinFlip, truth: bool) -> int:
    """Return how many of the randomized reports of one person say yes; the true answer is not kept."""
    flip = RandomizedResponse(epsilon=coin.epsilon, people=1).flip
    noise = ReleaseNoise()
    return sum(truth != noise.bernoulli(flip) for _ in range(coin.times))


@dataclass(frozen=True)
class Share:
    """An estimated share of yes, and its 95% margin of error."""

    estimate: float
    error: float


def estimated(coin: CoinFlip, yes: Sequence[int]) -> Share:
    """Return the share of yes among people, corrected for the randomization of their reports."""
    reports = coin.times * len(yes)
    flip = RandomizedResponse(epsilon=coin.epsilon, people=reports).flip
    slope = 1 - 2 * flip
    return Share((sum(yes) / reports - flip) / slope, 1.96 * (flip * (1 - flip) / reports) ** 0.5 / slope)


class CommonLedger:
    """One budget of a whole class, and all results released from it."""

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
        """Answer a query, 0 with the person in question and 1 without, or refuse it once the budget is spent."""
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
        """The remaining epsilon."""
        return self._curator.ledger.left.epsilon

    @property
    def difference(self) -> Share | None:
        """The difference between the averages of the two queries, and the margin of error of noise alone."""
        with self._lock:
            sizes = [len(answers) for answers in self.answers]
            if not all(sizes):
                return None
            means = [sum(answers) / size for answers, size in zip(self.answers, sizes, strict=True)]
            deviation = spread(self._mechanism.epsilon) * sum(1 / size for size in sizes) ** 0.5  # type: ignore[attr-defined]
            return Share(means[0] - means[1], 1.96 * deviation)

    @property
    def smokes(self) -> bool:
        """The answer that the class wants to learn."""
        return town().has(self.person)
