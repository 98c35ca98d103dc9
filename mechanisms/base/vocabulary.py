"""Vocabulary: topics, families, noises, parameters and forecasts, in the words of forms and cards."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field
from functools import wraps
from typing import Any

from discreet.budget.errors import ParameterError, Phrase
from discreet.queries import ADD_REMOVE, Bounds, Query

# --- Topic: a query without its column, with its name and its label in forms ---


@dataclass(frozen=True)
class Topic:
    """What can be asked: a statistic, an estimate, or a mechanism's own answer.

    `columns` is the number of columns; unless `numbers_only`, categories fit as well. A topic that is not `zeroless` is
    meaningless for values whose 0 does not mean "none", such as dates. `bounds` names the ends of its column that the
    answer suggests, in the order of the answer's numbers.
    """

    name: str
    label: str
    columns: int = 1
    numbers_only: bool = True
    zeroless: bool = False
    bounds: tuple[str, ...] = ()


# --- Accuracy: what may be known before anything is spent, and what it predicts ---


@dataclass(frozen=True)
class Public:
    """What may be known before anything is spent: bounds, a public guess of n, the number of labels."""

    bounds: Bounds | None = None
    size_guess: int | None = None
    labels: int | None = None


@dataclass(frozen=True)
class Forecast:
    """Accuracy predicted from public inputs: a half width, or the reason why there is none.

    `exact` states that the width is valid for every dataset, so that the released answer plus and minus the half width
    is a valid interval.
    """

    half_width: float | None
    note: str
    exact: bool = False


def sure(forecast: Callable[..., Forecast]) -> Callable[..., Forecast]:
    """Wrap a forecast so that it raises for confidences of 0 or 1 and beyond."""

    @wraps(forecast)
    def asked(mechanism: Any, public: Public, confidence: float = 0.95) -> Forecast:
        if not 0 < confidence < 1:
            raise ParameterError("A confidence lies between 0 and 1, and is neither.")
        return forecast(mechanism, public, confidence)

    return asked


# --- Parameters: what a mechanism declares of its public fields, for forms, checks, cards, exports ---

LARGEST = sys.float_info.max  # integers may be larger, and are refused as well
DELTA = "By how much, over all answers, the chances with a person may exceed e^epsilon times those without."


@dataclass(frozen=True)
class Parameter:
    """What a form, a validator, a card and an export need to know about a public parameter."""

    label: str
    low: float
    high: float
    help: str
    unit: str = ""
    choices: tuple[Any, ...] = ()
    shown: Phrase | None = None

    def check(self, value: Any) -> None:
        """Raise ParameterError, naming the range, for a value outside it."""
        if self.choices:
            if value not in self.choices:
                allowed = ", ".join(map(str, self.choices))
                raise ParameterError(
                    "{label} must be one of {allowed}. Got {value!r}.",
                    label=Phrase(self.label),
                    allowed=allowed,
                    value=value,
                )
            return
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not abs(value) <= LARGEST or not self.low <= value <= self.high:
            raise ParameterError(
                "{label} must be between {low:.15g} and {high:.15g}. Got {value!r}.",
                label=Phrase(self.label),
                low=self.low,
                high=self.high,
                value=value,
            )


def parameter(
    label: str,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    help: str,
    default: Any = None,
    unit: str = "",
    choices: tuple[Any, ...] = (),
    shown: Phrase | None = None,
) -> Any:
    """Declare a field of a mechanism together with its label, range and help.

    `shown` is a sentence with a {value} for what an answer reveals of it.
    """
    metadata = {"parameter": Parameter(label, low, high, help, unit, choices, shown)}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Setting:
    """A public field that no form asks for as a number: its label, and what is shown of it."""

    label: Phrase
    shown: Phrase | None = None


def setting(label: Phrase, default: Any = MISSING, shown: Phrase | None = None, **more: Any) -> Any:
    """Declare a field of a mechanism that is not a form's parameter, with its label."""
    metadata = {"setting": Setting(label, shown)}
    if default is MISSING:
        return field(metadata=metadata, **more)
    return field(default=default, metadata=metadata)


def statistic(preset: type[Query]) -> Any:
    """Declare the statistic that a mechanism takes, in the same way for every mechanism."""
    return setting(Phrase("Statistic"), default_factory=preset)


def own_relation() -> Any:
    """Declare the neighbour relation of a mechanism that has no statistic to declare it."""
    return setting(Phrase("Neighbours"), ADD_REMOVE)


def declared_bins() -> Any:
    """Declare the bins of a number column for a mechanism of counts."""
    return setting(Phrase("Bins"), None, Phrase("the edges of the bins"))


def epsilon_parameter() -> Any:
    """Declare epsilon, in the same way for every mechanism."""
    return parameter("Epsilon", 1e-6, 50, default=1.0, help="Privacy loss: smaller is more private.")


def delta_parameter() -> Any:
    """Declare delta, in the same way for every mechanism that needs one."""
    return parameter("Delta", 1e-15, 0.49, default=1e-6, help=DELTA)


def labelled(declared: Any) -> Parameter | Setting | None:
    """Return the metadata of a field, or None if it has none."""
    metadata = declared.metadata if isinstance(declared, Field) else {}
    label: Parameter | Setting | None = metadata.get("parameter") or metadata.get("setting")
    return label


# --- Families: what mechanisms of one kind have in common, in the words of cards and answers ---

SECRET = Phrase("the size of the noise depends on the data and stays private.")
CHOICE = Phrase("it is a choice, and how good the others are stays private.")


@dataclass(frozen=True)
class Family:
    """A kind of mechanism: a mechanism names one, and every screen takes its words from there.

    `key` is what policies and addresses contain. `follows` states what of an answer depends on the data, `no_interval`
    why an answer may have no interval, `why` when such a mechanism is best; `sure` states that the error of an answer
    is known whatever the data are, `rigid` why an answer cannot be refined.
    """

    key: str
    name: Phrase
    follows: Phrase
    no_interval: Phrase
    why: Phrase | None = None
    sure: bool = False
    rigid: Phrase = Phrase("it has no noise that holds a smaller one inside.")


GLOBAL = Family(
    "global",
    Phrase("Global sensitivity"),
    Phrase("Only the value of the statistic. How much noise there is, is public."),
    Phrase("how far the noise moves the answer depends on how many rows there are."),
    Phrase("one person can move this statistic only a little, whatever the data, and the noise scale is public"),
    sure=True,
)
CLIPPED_AT = Family(
    "clipped",
    Phrase("Clipping at a private bound"),
    Phrase(
        "How many rows lie above each point of a public grid, and two noisy numbers of the rows as they are once "
        "clipped at the point that was chosen."
    ),
    Phrase("how far the rows beyond the chosen bound would move the mean stays private."),
    Phrase("nearly all rows lie far below the declared upper bound, and the noise follows a bound near them"),
)
PTR = Family(
    "ptr",
    Phrase("Propose-test-release"),
    Phrase(
        "The value, and how far the data are from breaking the proposed bound. That distance gets "
        "noise of its own; only whether the test was passed can be seen."
    ),
    SECRET,
    Phrase("the proposed bound holds with a wide margin here, so its noise is small; near a jump it would refuse"),
    rigid=Phrase("its test would have to be passed anew."),
)
SMOOTH = Family(
    "smooth",
    Phrase("Smooth sensitivity"),
    Phrase(
        "The value, and the size of the noise: it follows a smooth bound of the local sensitivity, "
        "which one person changes by a public factor only. Of the size nothing is shown but the "
        "interval, where one is paid for."
    ),
    SECRET,
    Phrase(
        "one person moves this statistic much less on these data than on the worst ones, and the noise follows the data"
    ),
    rigid=Phrase("the step to less noise would show how much noise there is, and that depends on the data."),
)
BLOCKS = Family(
    "blocks",
    Phrase("Sample and aggregate"),
    Phrase(
        "The estimate of every block. Who is in which block is drawn secretly for each release, "
        "and one person is in one block only."
    ),
    Phrase("how far the blocks are from all rows together depends on the data and stays private."),
    Phrase("the estimates of the blocks agree, so that their middle needs little noise"),
    rigid=Phrase("who is in which block is drawn anew for every answer."),
)
SELECTION = Family(
    "selection",
    Phrase("Exponential selection"),
    Phrase("How well each candidate fits. Only the choice is shown, no score."),
    CHOICE,
    Phrase("many people stand near the answer, so its neighbours are much less likely; whole numbers come out exact"),
    sure=True,
)
SPARSE = Family(
    "sparse",
    Phrase("Sparse vector and private bounds"),
    Phrase("The counts. Only what stands out is shown, no count."),
    CHOICE,
)
LOCAL = Family(
    "local",
    Phrase("Randomized response"),
    Phrase("Every report, which is flipped by chance before it is counted."),
    Phrase("the share is of reports that were flipped by chance."),
    rigid=Phrase("every report was flipped by itself."),
)


# --- Noises: what a mechanism draws and how, in the words of a card ---

OPENDP = Phrase("noise of the OpenDP library, exact to its finest step")
EXACT = Phrase("an exact sampler of this program: secret bits, refined until the answer is decided")
CHOICE_NOISE = Phrase("a choice with exact chances, drawn from secret bits by this program")
GRID = Phrase("an exact sampler of this program: whole numbers of a fine grid, from secret bits")
COINS = Phrase("one secret coin of 62 bits for each report")


@dataclass(frozen=True)
class Noise:
    """A kind of randomness: its name, and who draws it, how exactly."""

    name: Phrase
    source: Phrase


LAPLACE = Noise(Phrase("Laplace noise"), OPENDP)
GAUSSIAN = Noise(Phrase("Gaussian noise"), OPENDP)
GEOMETRIC = Noise(Phrase("two-sided geometric noise"), OPENDP)
TESTED = Noise(Phrase("Laplace noise, and a test whose chances are exact"), OPENDP)
CORE_TAIL = Noise(Phrase("core-tail noise"), EXACT)
STEPPED = Noise(Phrase("staircase noise"), GRID)
STUDENT = Noise(Phrase("Student noise"), EXACT)
EXPONENTIAL = Noise(Phrase("the exponential mechanism"), CHOICE_NOISE)
PERMUTED = Noise(Phrase("permute-and-flip"), CHOICE_NOISE)
FLIPPED = Noise(Phrase("randomized response"), COINS)

# what happens to an answer once it is protected
CLIPPED = Phrase(
    "Answers outside of what the statistic can be, by its declared bounds, move to the nearest "
    "possible number, which draws answers near an end to it."
)
AS_DRAWN = Phrase("None: the choice is shown as it was drawn.")
