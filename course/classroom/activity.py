"""Activities: the questions to a class in order, and which answers are valid."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from typing import Any, ClassVar
from uuid import uuid4

import numpy as np
import pyarrow as pa

from discreet.budget import BudgetExceeded, Cost, Phrase, SessionLedger
from discreet.budget.errors import ParameterError
from discreet.course.lessons.composition import numbers
from discreet.course.lessons.deidentification.numbers import MIA, survey, town
from discreet.course.lessons.differencing import numbers as differencing
from discreet.course.lessons.differencing.numbers import counting, spread
from discreet.course.lessons.local import numbers as local
from discreet.curator.release import Curator
from discreet.curator.request import Request
from discreet.lab.samples import census
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.base.tuning import half_width
from discreet.mechanisms.base.vocabulary import GLOBAL, SMOOTH
from discreet.mechanisms.laws.law import CoreTail, Laplace, Law, Noisy
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.randomized_response import RandomizedResponse
from discreet.mechanisms.sample_aggregate import BlocksMedian
from discreet.mechanisms.selection import ExponentialMechanism
from discreet.mechanisms.smooth import SmoothCoreTail, smooth_bound
from discreet.noise.source import ReleaseNoise
from discreet.queries import Column
from discreet.queries.median import Median
from discreet.rows import Category, OpenData, Schema
from discreet.rows.filters import Filter
from discreet.rows.source import LocalSource

EPSILON = 0.1
DELTA = 1e-6
PROPOSED_FOR = 1000  # people
TEN = 10
AGES = (40, 80)
PLACES = (Phrase("Zoo"), Phrase("Museum"), Phrase("Lake"), Phrase("Castle"))
DRAWN_AT = (0.01, 0.1, 1.0)
LOCAL = "local"
MOST_PROPOSALS = 250


@dataclass(frozen=True)
class Activity:
    """One activity of a class: its name, its question, its step of a lesson, and the explanation of its outcome."""

    name: str
    title: Phrase
    question: Phrase
    step: str  # its key in the whole course
    why: Phrase

    further: ClassVar[Phrase | None] = None  # the label of a button for the teacher, once the answers are closed

    @property
    def once(self) -> bool:
        """Whether an answer is final."""
        return True

    def drawn(self, given: Sequence[float]) -> Any:
        """Return what is drawn once when the answers are closed; None if nothing is."""
        return None

    def drawn_further(self, before: Any, given: Sequence[float]) -> Any:
        """Return what replaces the draw when the teacher presses the button."""
        return before

    @property
    def solution(self) -> Phrase | str | None:
        """The correct answer, for the teacher, if there is one."""
        return None

    def takes(self, value: float) -> bool:
        """Whether this is a valid answer."""
        return False


@dataclass(frozen=True)
class Entry(Activity):
    """Everyone enters a number between two ends."""

    low: int
    high: int
    places: int = field(default=0, kw_only=True)  # decimal places

    def takes(self, value: float) -> bool:
        """A number between the ends with no more decimal places than asked for."""
        return self.low <= value <= self.high and value == round(value, self.places)


@dataclass(frozen=True)
class Estimation(Entry):
    """Everyone guesses a number before it is shown."""

    truth: Callable[[], float]

    @property
    def solution(self) -> str:
        """The number itself."""
        return f"{self.truth():.3g}"


@dataclass(frozen=True)
class Choice(Activity):
    """Everyone chooses one of a few places, and may change the choice until the answers are closed."""

    places: tuple[Phrase, ...]

    @property
    def once(self) -> bool:
        """False: a choice may be changed."""
        return False

    def takes(self, value: float) -> bool:
        """The index of a place."""
        return value in range(len(self.places))

    def counts(self, given: Sequence[float]) -> tuple[int, ...]:
        """Return how many chose each place."""
        return tuple(list(given).count(place) for place in range(len(self.places)))


@dataclass(frozen=True)
class Ballot(Choice):
    """Everyone votes for one of a few places, and the exponential mechanism draws the winner."""

    further: ClassVar[Phrase | None] = Phrase("Draw ten times")

    def drawn(self, given: Sequence[float]) -> Election:
        """Hold the election once."""
        draws = elected(self, given, 1)
        return Election({epsilon: place for epsilon, (place,) in draws.items()}, dict.fromkeys(draws, ()))

    def drawn_further(self, before: Election, given: Sequence[float]) -> Election:
        """Hold it ten times more; the first draw stands."""
        return before.with_more(elected(self, given, TEN))


@dataclass(frozen=True)
class Standing(Choice):
    """Everyone stands at one of two ages, and people are taken away one by one: whose noise changes?"""

    further: ClassVar[Phrase | None] = Phrase("Take one person away")

    epsilon: float

    def drawn(self, given: Sequence[float]) -> int:
        """Return how many people were taken away: none."""
        return 0

    def drawn_further(self, before: int, given: Sequence[float]) -> int:
        """Take one more away, unless one person is left."""
        return min(before + 1, len(given) - 1)


@dataclass(frozen=True)
class Dealing(Entry):
    """Everyone gives a number, and the class is dealt into blocks: the noisy median of the medians of the blocks."""

    further: ClassVar[Phrase | None] = Phrase("Deal again")

    epsilon: float
    size: int = 3  # people of a block, on average

    def drawn(self, given: Sequence[float]) -> Dealt:
        """Deal the class into blocks once."""
        return dealt(self, given)

    def drawn_further(self, before: Dealt, given: Sequence[float]) -> Dealt:
        """Deal it again, with fresh noise."""
        return dealt(self, given, before.times + 1)


@dataclass(frozen=True)
class Tournament(Activity):
    """Everyone is the attacker of twenty people; the answer is how many of them a participant got right."""

    epsilon: float

    @property
    def solution(self) -> str:
        """The theoretical limit of the average."""
        return f"{differencing.PEOPLE * self.allowed:.1f} / {differencing.PEOPLE}"

    @property
    def allowed(self) -> float:
        """The theoretical limit of the probability of being right: e^epsilon / (1 + e^epsilon)."""
        return differencing.pointed(self.epsilon).right


@dataclass(frozen=True)
class Proposal(Activity):
    """Everyone proposes a bound for the median of public ages; one budget pays for all tests and results."""

    epsilon: float
    delta: float
    limit: float
    bounds: tuple[float, ...]

    @property
    def solution(self) -> str:
        """The smallest bound that is usually released."""
        return f"b = {self.least:g}"

    @property
    def least(self) -> float:
        """The smallest bound whose distance reaches the threshold of the test."""
        return _least(self)

    def mechanism(self, b: float) -> ProposeTestRelease:
        """Return the library's mechanism: half of epsilon is for the test."""
        return ProposeTestRelease(query=Median(), epsilon=self.epsilon, delta=self.delta, b=b)

    def error(self, b: float) -> float:
        """Return the 95% margin of error of a result for a bound; it is public."""
        return half_width(Noisy(0.0, self.mechanism(b).scale(local.AGES), Laplace()))


@lru_cache(maxsize=1)
def ages() -> Column:
    """Return the public ages for which bounds are proposed."""
    return local.crowd(PROPOSED_FOR).column


@lru_cache(maxsize=1)
def _least(asking: Proposal) -> float:
    chances = {b: 1 - asking.mechanism(b).law(ages()).refusal for b in asking.bounds}
    return next(b for b, chance in chances.items() if chance > 0.5)


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
        return Phrase("yes") if town().has(town().names[MIA]) else Phrase("no")


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
        "lesson3-count",
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
        Phrase("Run either query as often as you like. The whole class spends from one budget. Does Mia smoke?"),
        "lesson2-again",
        Phrase(
            "The two averages differ by Mia. More results would reveal the answer, but the ledger stops before that."
        ),
        EPSILON,
        3.0,
    ),
    Tournament(
        "spy",
        Phrase("Beat the limit"),
        Phrase(
            "A coin decided for each of twenty people whether they smoke. Each is counted with noise at ε = 1. "
            "Guess from the counts who smokes."
        ),
        "lesson2-twenty",
        Phrase(
            "On average, no attacker is right more often than e^ε / (1 + e^ε), which is 73% at ε = 1. A single "
            "score is higher by luck."
        ),
        1.0,
    ),
    Estimation(
        "hundred",
        Phrase("A hundred results"),
        Phrase(
            "One result costs ε = 0.1. What do 100 results cost together under the best accounting "
            "method, with δ = 0.000001?"
        ),
        "lesson5-accounts",
        Phrase(
            "Privacy losses rarely all have the same sign. An accounting method that uses this gives "
            "less than 100 × 0.1."
        ),
        0,
        20,
        hundred,
        places=1,
    ),
    Proposal(
        "propose",
        Phrase("Propose a bound"),
        Phrase(
            "The query is the median age of 1,000 people. Propose a bound b on its local sensitivity, in years. "
            "The whole class spends from one budget."
        ),
        "lesson6-test",
        Phrase(
            "A small b means little noise. But the test refuses it if few people could push the local sensitivity "
            "above b. A refusal costs half."
        ),
        1.0,
        1e-6,
        10.0,
        (0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0),
    ),
    Standing(
        "stand",
        Phrase("Stand at the jump"),
        Phrase(
            "Stand at age 40 or at age 80. The query is the median age. One person leaves after that: does the noise "
            "become wider?"
        ),
        "lesson6-jump",
        Phrase(
            "Near the jump, one person changes the local sensitivity from 0 to 20 years. The width of the noise "
            "would reveal that. Smooth sensitivity changes by the factor e^β at most."
        ),
        (Phrase("Age 40"), Phrase("Age 80")),
        1.0,
    ),
    Dealing(
        "blocks",
        Phrase("Blocks of classmates"),
        Phrase(
            "How many minutes did you need to come here today, up to 60? The class is dealt into random blocks, and "
            "each block has a median."
        ),
        "lesson6-blocks",
        Phrase(
            "One person is in one block and changes one median. So the noisy median of the medians needs no bound "
            "on local sensitivity."
        ),
        0,
        60,
        2.0,
    ),
    Ballot(
        "outing",
        Phrase("The election"),
        Phrase("Where should the class go? The teacher sees how many votes each place has, but not who gave them."),
        "lesson7-election",
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
        "lesson8-local",
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


@dataclass(frozen=True)
class Election:
    """The places drawn at each epsilon: once, and in all later draws."""

    first: Mapping[float, int]
    more: Mapping[float, tuple[int, ...]]

    def with_more(self, later: Mapping[float, tuple[int, ...]]) -> Election:
        """Return the election with later draws added."""
        return Election(self.first, {epsilon: self.more[epsilon] + places for epsilon, places in later.items()})


def elected(ballot: Ballot, votes: Sequence[float], times: int) -> Mapping[float, tuple[int, ...]]:
    """Return the places that the exponential mechanism draws at each epsilon, from the votes of the class."""
    table = pa.table({"outing": [ballot.places[int(vote)] for vote in votes]})
    data = OpenData(LocalSource(table), Schema({"outing": Category(ballot.places)}))
    curator = Curator(data, SessionLedger(Cost.of(times * sum(DRAWN_AT))))

    def place(epsilon: float, time: int) -> int:
        request = Request(ExponentialMechanism(epsilon=epsilon), ("outing",))
        return list(ballot.places).index(str(curator.ask(request, f"{epsilon}:{time}").answer))  # type: ignore[arg-type]

    return {epsilon: tuple(place(epsilon, time) for time in range(times)) for epsilon in DRAWN_AT}


@dataclass(frozen=True)
class Dealt:
    """The medians of the blocks of one deal, the noisy median, and how often the class was dealt."""

    medians: tuple[float, ...]
    middle: float
    times: int


def dealt(dealing: Dealing, minutes: Sequence[float], times: int = 1) -> Dealt:
    """Deal the answers into random blocks, and draw the noisy median of their medians."""
    mechanism = BlocksMedian(
        estimator=Median.name,
        k=max(1, len(minutes) // dealing.size),
        lower=float(dealing.low),
        upper=float(dealing.high),
        epsilon=dealing.epsilon,
    )
    blocks = mechanism.view.split(np.array([minutes], dtype=np.float64), SimulationNoise(seed()))
    middle = mechanism.law(blocks).draw(ReleaseNoise())
    return Dealt(tuple(map(float, blocks.estimates)), float(middle), times)  # type: ignore[arg-type]


def seed() -> int:
    """Return a fresh number for a simulation."""
    return uuid4().int % 2**32


def remaining(counts: tuple[int, ...], taken: int) -> tuple[int, ...]:
    """Return how many stand at each age after people were taken away, each from the larger group."""
    left = list(counts)
    for _ in range(taken):
        left[left.index(max(left))] -= 1
    return tuple(left)


@lru_cache(maxsize=1024)
def noises(counts: tuple[int, ...], epsilon: float) -> Mapping[str, float]:
    """Return the 95% margin of error of the median under local, smooth and global sensitivity."""
    ages = np.repeat(np.array(AGES, dtype=np.float64), counts)
    column = Column.from_values(local.AGES, ages)
    smooth = SmoothCoreTail(query=Median(), epsilon=epsilon)
    scale = max(
        local.local(Median(), column), local.AGES.resolution / 2
    )  # as in the lesson: a scale of 0 has no density
    laws: dict[str, Law] = {
        LOCAL: Noisy(0.0, scale / epsilon, Laplace()),
        SMOOTH.key: Noisy(0.0, smooth_bound(Median(), column, smooth.beta) / epsilon, CoreTail(smooth.m)),
        GLOBAL.key: Noisy(0.0, Median().global_sensitivity(local.AGES) / epsilon, Laplace()),
    }
    return {name: half_width(law) for name, law in laws.items()}


@dataclass(frozen=True)
class Proposed:
    """What became of a proposal: a result, a refusal by the test, or one by the ledger."""

    b: float
    outcome: Phrase
    answer: float | None = None


RELEASED = Phrase("released")
TOO_NEAR = Phrase("refused by the test")
TOO_LATE = Phrase("refused by the ledger")


class ProposalLedger:
    """One budget for all proposals of a class, on public ages."""

    def __init__(self, asking: Proposal) -> None:
        """Open the ledger."""
        table = pa.table({"age": ages().values()})
        data = OpenData(LocalSource(table), Schema({"age": census().schema.columns["age"]}))
        self._curator = Curator(data, SessionLedger(Cost.of(asking.limit, MOST_PROPOSALS * asking.delta)))
        self._asking = asking
        self._lock = Lock()
        self.made: list[Proposed] = []

    def propose(self, b: float) -> Proposed:
        """Test a proposal, and release a noisy median if it passes."""
        with self._lock:
            request = Request(self._asking.mechanism(b), ("age",))
            try:
                answer = self._curator.ask(request, str(len(self.made))).answer
            except BudgetExceeded:
                made = Proposed(b, TOO_LATE)
            else:
                made = Proposed(b, TOO_NEAR) if answer is None else Proposed(b, RELEASED, float(answer))  # type: ignore[arg-type]
            self.made.append(made)
            return made

    @property
    def left(self) -> float:
        """The remaining epsilon."""
        return self._curator.ledger.left.epsilon


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
        self.person = town().names[MIA]
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
