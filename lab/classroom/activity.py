"""Activities: what a class is asked, in their order, and what counts as an answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from discreet.budget import Phrase
from discreet.lab.lessons import composition, differencing
from discreet.mechanisms.tuning import half_width

EPSILON = 0.1
DELTA = 1e-6
PLACES = (Phrase("Zoo"), Phrase("Museum"), Phrase("Lake"), Phrase("Castle"))
DRAWN_AT = (0.01, 0.1, 1.0)


@dataclass(frozen=True)
class Activity:
    """One thing that a class does together: its name, what it asks, the lesson it is of, and why it comes out so."""

    name: str
    title: Phrase
    question: Phrase
    lesson: str
    why: Phrase

    @property
    def once(self) -> bool:
        """Say whether an answer stands once it is given."""
        return True

    def takes(self, value: float) -> bool:
        """Say whether this is an answer to it at all."""
        return False


@dataclass(frozen=True)
class Estimation(Activity):
    """Everybody guesses a number before it is shown."""

    low: int
    high: int
    truth: Callable[[], float]

    def takes(self, value: float) -> bool:
        """A whole number between the ends."""
        return self.low <= value <= self.high and value == int(value)


@dataclass(frozen=True)
class Ballot(Activity):
    """Everybody names one of a few places, and may think again until the draw."""

    places: tuple[Phrase, ...]

    @property
    def once(self) -> bool:
        """A vote may be changed until the draw."""
        return False

    def takes(self, value: float) -> bool:
        """The number of a place."""
        return value in range(len(self.places))


@dataclass(frozen=True)
class CoinFlip(Activity):
    """Everybody answers yes or no through a coin of this epsilon."""

    epsilon: float

    def takes(self, value: float) -> bool:
        """A report, which is 0 or 1."""
        return value in (0, 1)


@dataclass(frozen=True)
class Questioning(Activity):
    """The class asks two counts, as often as one budget lets it."""

    epsilon: float
    limit: float


@lru_cache(maxsize=1)
def noise_reach() -> float:
    """Return within how many people of the truth 19 in 20 answers of a count lie."""
    return half_width(differencing.law(composition.PEOPLE, EPSILON))


@lru_cache(maxsize=1)
def hundred() -> float:
    """Return what a hundred noisy counts cost by the best account that the library keeps."""
    return min(composition.totals(composition.LAPLACE, EPSILON, DELTA, composition.MANY).values())


ACTIVITIES: tuple[Activity, ...] = (
    Estimation(
        "reach",
        Phrase("How far off?"),
        Phrase(
            "900 people smoke. They are counted with noise at ε = 0.1. How far from 900 are 19 of 20 answers at most?"
        ),
        "lesson_3_laplace",
        Phrase(
            "The noise is as wide as one person's influence divided by ε: 1 / 0.1 = 10. 19 of 20 lie within 3 widths."
        ),
        0,
        200,
        noise_reach,
    ),
    Questioning(
        "pair",
        Phrase("Two questions, one budget"),
        Phrase("Ask either question as often as you like. All of you pay from one budget. Does this person smoke?"),
        "lesson_2_differencing",
        Phrase("The two averages differ by that person. More answers would tell; the ledger ends them before."),
        EPSILON,
        3.0,
    ),
    Estimation(
        "hundred",
        Phrase("A hundred answers"),
        Phrase("One answer costs ε = 0.1. What do 100 answers cost together by the best account, with δ = 0.000001?"),
        "lesson_5_composition",
        Phrase("Losses rarely all point the same way. An account that knows this adds up to less than 100 × 0.1."),
        0,
        20,
        hundred,
    ),
    Ballot(
        "outing",
        Phrase("The election"),
        Phrase("Where shall the class go? The teacher sees how many votes each place has, and not whose they are."),
        "lesson_7_election",
        Phrase("The exponential mechanism draws by lot; each vote multiplies the weight of its place by e^ε."),
        PLACES,
    ),
    CoinFlip(
        "copied",
        Phrase("Nobody to trust"),
        Phrase("Have you ever copied homework? A coin may turn your answer around before anybody gets it."),
        "lesson_8_streams",
        Phrase(
            "Every report can be denied. The share of yes is corrected for the coins, so it may lie below 0 or above 1."
        ),
        1.0,
    ),
)
