"""Parameters: what a mechanism declares of its public fields, for forms, checks, cards, exports."""

from __future__ import annotations

import math
import sys
from dataclasses import MISSING, Field, dataclass, field
from typing import Any

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.queries import ADD_REMOVE, Query

LARGEST = sys.float_info.max  # whole numbers may be larger, and are refused as well
DELTA = "By how much, over all answers, the chances with a person may exceed e^epsilon times those without."


@dataclass(frozen=True)
class Parameter:
    """What a form, a validator, a card and an export all need to know about a public parameter."""

    label: str
    low: float
    high: float
    help: str
    unit: str = ""
    choices: tuple[Any, ...] = ()
    shown: Phrase | None = None

    def check(self, value: Any) -> None:
        """Raise a sentence that names the range."""
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

    `shown` says in a sentence with a {value} what an answer gives away of it to everybody.
    """
    metadata = {"parameter": Parameter(label, low, high, help, unit, choices, shown)}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Setting:
    """A public field that no form asks for as a number: its label, and what is shown of it."""

    label: Phrase
    shown: Phrase | None = None


def setting(label: Phrase, default: Any = MISSING, shown: Phrase | None = None, **more: Any) -> Any:
    """Declare a field of a mechanism that is no parameter of a form, with its label."""
    metadata = {"setting": Setting(label, shown)}
    if default is MISSING:
        return field(metadata=metadata, **more)
    return field(default=default, metadata=metadata)


def statistic(preset: type[Query]) -> Any:
    """Declare the statistic that a mechanism takes, the same way for every mechanism."""
    return setting(Phrase("Statistic"), default_factory=preset)


def own_relation() -> Any:
    """Declare the neighbours of a mechanism that has no statistic to declare them."""
    return setting(Phrase("Neighbours"), ADD_REMOVE)


def declared_bins() -> Any:
    """Declare the bins that a mechanism of counts takes of a number column."""
    return setting(Phrase("Bins"), None, Phrase("the edges of the bins"))


def epsilon_parameter() -> Any:
    """Declare epsilon, the same way for every mechanism."""
    return parameter("Epsilon", 1e-6, 50, default=1.0, help="Privacy loss: smaller is more private.")


def delta_parameter() -> Any:
    """Declare delta, the same way for every mechanism that needs one."""
    return parameter("Delta", 1e-15, 0.49, default=1e-6, help=DELTA)


def labelled(declared: Any) -> Parameter | Setting | None:
    """Return what a field says about itself, if it is one that says anything."""
    metadata = declared.metadata if isinstance(declared, Field) else {}
    label: Parameter | Setting | None = metadata.get("parameter") or metadata.get("setting")
    return label
