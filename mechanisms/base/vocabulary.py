"""Vocabulary: topics, families, noises, parameters and forecasts, in the words of forms and cards."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field
from functools import wraps
from typing import Any

from discreet.budget.errors import ParameterError, Phrase, kind_of
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
    """What may be known before anything is spent: bounds, a public guess of n, the number of labels.

    `second` are the bounds of the second of two columns.
    """

    bounds: Bounds | None = None
    size_guess: int | None = None
    labels: int | None = None
    second: Bounds | None = None


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
            raise ParameterError("The confidence must be above 0 and below 1.")
        return forecast(mechanism, public, confidence)

    return asked


# --- Parameters: what a mechanism declares of its public fields, for forms, checks, cards, exports ---

LARGEST = sys.float_info.max  # integers may be larger, and are refused as well
DELTA = "δ adds at most this much to the probability of any outcome, beyond the factor e^ε."


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
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            shown = value if isinstance(value, str) else kind_of(value)
            raise ParameterError("{name} must be a number. Got {given!r}.", name=Phrase(self.label), given=shown)
        if not abs(value) <= LARGEST or not self.low <= value <= self.high:
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
    return parameter("ε", 1e-6, 50, default=1.0, help="ε is the privacy loss. A smaller ε gives stronger privacy.")


def delta_parameter() -> Any:
    """Declare delta, in the same way for every mechanism that needs one."""
    return parameter("δ", 1e-15, 0.49, default=1e-6, help=DELTA)


def labelled(declared: Any) -> Parameter | Setting | None:
    """Return the metadata of a field, or None if it has none."""
    metadata = declared.metadata if isinstance(declared, Field) else {}
    label: Parameter | Setting | None = metadata.get("parameter") or metadata.get("setting")
    return label


# --- Families: what mechanisms of one kind have in common, in the words of cards and answers ---

SECRET = Phrase("the size of the noise depends on the data and stays private.")
CHOICE = Phrase("the result is a choice, and the fit of the other options stays private.")


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
    rigid: Phrase = Phrase("this noise cannot be reduced afterwards.")


GLOBAL = Family(
    "global",
    Phrase("Global sensitivity"),
    Phrase("Only the value of the statistic. The amount of noise is public."),
    Phrase("how far the noise changes the result depends on the number of rows."),
    Phrase("one person can change this statistic only a little, whatever the dataset, and the noise scale is public"),
    sure=True,
)
CLIPPED_AT = Family(
    "clipped",
    Phrase("Clipping at a private bound"),
    Phrase(
        "The number of rows above each point of a public grid. Also noisy sums over the rows, "
        "clipped at the chosen point."
    ),
    Phrase("how far the rows beyond the chosen bound would change the result stays private."),
    Phrase("nearly all rows are far below the declared upper bound, and the noise follows a bound near them"),
)
PTR = Family(
    "ptr",
    Phrase("Propose-test-release"),
    Phrase(
        "The value, and the distance of the dataset from breaking the proposed bound. Separate "
        "noise is added to that distance. Only the outcome of the test is visible."
    ),
    SECRET,
    Phrase(
        "the proposed bound is valid with a wide margin here, so its noise is small; near a jump, the test would fail"
    ),
    rigid=Phrase("its test would have to be passed again."),
)
SMOOTH = Family(
    "smooth",
    Phrase("Smooth sensitivity"),
    Phrase(
        "The value, and the size of the noise. The size follows a smooth bound of the local "
        "sensitivity, which one person changes by at most a public factor. The size stays hidden, "
        "except for an interval that is paid for with budget."
    ),
    SECRET,
    Phrase(
        "one person changes this statistic much less on this dataset than in the worst case, and "
        "the noise follows the data"
    ),
    rigid=Phrase("the change in noise would reveal the size of the noise, which depends on the data."),
)
BLOCKS = Family(
    "blocks",
    Phrase("Sample and aggregate"),
    Phrase(
        "The estimate of every block. People are assigned to blocks at random and in secret for "
        "each release. Each person is in one block only."
    ),
    Phrase("the difference between the blocks and all rows together depends on the data and stays private."),
    Phrase("the estimates of the blocks agree, so their mean or median needs little noise"),
    rigid=Phrase("people are assigned to blocks again for every result."),
)
SELECTION = Family(
    "selection",
    Phrase("Exponential mechanism"),
    Phrase("The fit of each candidate. Only the choice is shown, not its score."),
    CHOICE,
    Phrase("many people are near the result, so its neighbours are much less likely; whole numbers are exact"),
    sure=True,
)
SPARSE = Family(
    "sparse",
    Phrase("Sparse vector and private bounds"),
    Phrase("The counts. Only the outcome is shown, no counts."),
    CHOICE,
)
LOCAL = Family(
    "local",
    Phrase("Randomized response"),
    Phrase("Every report. It is flipped at random before it is counted."),
    Phrase("the share is computed from reports that were flipped at random."),
    rigid=Phrase("each report was flipped separately."),
)


# --- Noises: what a mechanism draws and how, in the words of a card ---

OPENDP = Phrase("noise from the OpenDP library, exact to its finest step")
EXACT = Phrase("an exact sampler of Discreet: secret bits, drawn until the result is determined")
CHOICE_NOISE = Phrase("a choice with exact probabilities, drawn from secret bits by Discreet")
GRID = Phrase("an exact sampler of Discreet: whole numbers of a fine grid, from secret bits")
COINS = Phrase("one secret coin of 62 bits for each report")


@dataclass(frozen=True)
class Noise:
    """A kind of randomness: its name, and who draws it, how exactly."""

    name: Phrase
    source: Phrase


LAPLACE = Noise(Phrase("Laplace noise"), OPENDP)
GAUSSIAN = Noise(Phrase("Gaussian noise"), OPENDP)
GEOMETRIC = Noise(Phrase("two-sided geometric noise"), OPENDP)
TESTED = Noise(Phrase("Laplace noise, and a test with exact probabilities"), OPENDP)
CORE_TAIL = Noise(Phrase("core-tail noise"), EXACT)
STEPPED = Noise(Phrase("staircase noise"), GRID)
STUDENT = Noise(Phrase("Student-t noise"), EXACT)
EXPONENTIAL = Noise(Phrase("the exponential mechanism"), CHOICE_NOISE)
PERMUTED = Noise(Phrase("permute-and-flip"), CHOICE_NOISE)
FLIPPED = Noise(Phrase("randomized response"), COINS)

# what happens to an answer once it is protected
CLIPPED = Phrase(
    "Results outside the range allowed by the declared bounds are moved to its nearest end. "
    "This pulls results near the ends towards them."
)
AS_DRAWN = Phrase("No post-processing: the choice is shown as drawn.")
