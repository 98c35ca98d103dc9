"""Cost: (epsilon, delta) as exact integers, rounded up, known before any row is read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from decimal import Context, Decimal
from numbers import Integral, Rational, Real
from typing import Any

from discreet.budget.errors import ParameterError, Phrase

Number = str | int | float | Decimal

EPSILON_UNITS = 10**9
DELTA_UNITS = 10**15
LOWEST_EPSILON = Decimal("0.000001")
HIGHEST_EPSILON = Decimal(50)
LOWEST_DELTA = Decimal("1e-15")
HIGHEST_DELTA = Decimal("0.499999999999999")
LONGEST_TEXT = 64  # no real input is longer, and a long one takes time to parse
_DECIMAL_TEXT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,9})?")
_WIDE = Context(prec=80)  # never the thread's own context, which other code may have changed


@dataclass(frozen=True)
class Cost:
    """What a release may cost a person's privacy: epsilon in units of 1e-9, delta of 1e-15.

    Costs are integers, so sums are exact, in any order, and no sum can be NaN. A parsed number is rounded up to the
    next unit: the ledger never counts less than was asked for. Costs are only partially ordered (`fits_in`): neither of
    (1, 0) and (0.5, 1e-6) is smaller than the other.
    """

    nano_epsilon: int
    delta_units: int = 0

    def __post_init__(self) -> None:
        """Raise ParameterError for anything but non-negative integers."""
        for units in (self.nano_epsilon, self.delta_units):
            if type(units) is not int or units < 0:
                raise ParameterError(
                    "A cost must be made of whole numbers of units from 0 up. Got {given}.", given=_shown(units)
                )

    @classmethod
    def of(cls, epsilon: Number, delta: Number = 0) -> Cost:
        """Parse a cost from decimal text or numbers; a float means its shortest decimal text."""
        return cls(epsilon_units(epsilon), delta_units(delta))

    @classmethod
    def zero(cls) -> Cost:
        """Return the cost of a release that touches no row."""
        return cls(0, 0)

    @classmethod
    def parallel(cls, costs: Iterable[Cost]) -> Cost:
        """Return the cost of releasing from every group of a declared category.

        Under add/remove a person is in one group only, so neighbours agree on all other groups and the loss is that of
        one group: at most the largest epsilon with the largest delta. Not valid for change-one, where a person may move
        between two groups, nor for groups read from data.
        """
        all_ = tuple(costs)
        return cls(
            max((cost.nano_epsilon for cost in all_), default=0), max((cost.delta_units for cost in all_), default=0)
        )

    @property
    def epsilon(self) -> float:
        """Epsilon as the nearest float."""
        return self.nano_epsilon / EPSILON_UNITS

    @property
    def delta(self) -> float:
        """Delta as the nearest float."""
        return self.delta_units / DELTA_UNITS

    @property
    def numbers(self) -> dict[str, float]:
        """Both numbers by name, for a machine-readable record."""
        return {"epsilon": self.epsilon, "delta": self.delta}

    def fits_in(self, other: Cost) -> bool:
        """Return whether neither epsilon nor delta is larger than the other's."""
        return self.nano_epsilon <= other.nano_epsilon and self.delta_units <= other.delta_units

    def beyond(self, other: Cost) -> Cost:
        """Return by how much this exceeds another cost, separately in epsilon and delta."""
        return Cost(max(0, self.nano_epsilon - other.nano_epsilon), max(0, self.delta_units - other.delta_units))

    def smaller(self, other: Cost) -> Cost:
        """Return the smaller epsilon and the smaller delta of two costs."""
        return Cost(min(self.nano_epsilon, other.nano_epsilon), min(self.delta_units, other.delta_units))

    def __add__(self, other: Cost) -> Cost:
        """Add exactly: basic composition."""
        return Cost(self.nano_epsilon + other.nano_epsilon, self.delta_units + other.delta_units)

    def __sub__(self, other: Cost) -> Cost:
        """Subtract exactly; raise ParameterError if the result would be negative."""
        if not other.fits_in(self):
            raise ParameterError("A cost cannot be negative: {cost} less {other}.", cost=self, other=other)
        return Cost(self.nano_epsilon - other.nano_epsilon, self.delta_units - other.delta_units)

    def __str__(self) -> str:
        """Write all digits: "ε = 0.5, δ = 1e-6", and no delta if it is zero."""
        epsilon = _digits(self.nano_epsilon, -9)
        delta = _digits(self.delta_units, -15)
        if not delta:
            return f"ε = {epsilon:f}"
        small = delta < Decimal("0.001")
        return f"ε = {epsilon:f}, δ = {delta:e}" if small else f"ε = {epsilon:f}, δ = {delta:f}"


def cost_of(given: object) -> Cost:
    """Return the cost that a caller means: a `Cost`, an epsilon, or a pair of epsilon and delta."""
    if isinstance(given, (tuple, list)) and len(given) == 2:
        return Cost.of(*given)
    if not isinstance(given, Cost):
        if isinstance(given, bool) or not isinstance(given, (str, Real, Decimal)):
            raise ParameterError(
                "A budget must be a cost, such as Cost.of(1, 1e-6), or a number, its ε. Got {given}.",
                given=_shown(given),
            )
        return Cost.of(given)  # type: ignore[arg-type]  # what is no number by its digits is refused there
    if 0 < given.nano_epsilon < EPSILON_UNITS * LOWEST_EPSILON:
        raise ParameterError(
            "This budget is {given}, too small for any query: Cost(...) counts units of 1e-9. Write Cost.of({units}).",
            given=given,
            units=given.nano_epsilon,
        )
    return given


def as_number(given: Any) -> Any:
    """Return a real number of another library as a plain int or float, and everything else as it is.

    A float means its shortest decimal text, whatever its width. A fraction stays exact.
    """
    if isinstance(given, tuple):
        return tuple(map(as_number, given))
    if type(given) in (int, float, bool, str) or not isinstance(given, Real):
        return given
    if isinstance(given, Integral):
        return int(given)
    return given if isinstance(given, Rational) else float(str(given))


def take_numbers(frozen: Any) -> None:
    """Store the numbers of a frozen value as plain ones: it is hashed, compared and written to files."""
    for field in fields(frozen):
        given = getattr(frozen, field.name)
        if (taken := as_number(given)) is not given:
            object.__setattr__(frozen, field.name, taken)


def epsilon_units(epsilon: Number) -> int:
    """Parse an epsilon between 0.000001 and 50 and round it up to units."""
    value = _decimal(epsilon)
    if value is None or not LOWEST_EPSILON <= value <= HIGHEST_EPSILON:
        raise ParameterError("ε must be between 0.000001 and 50. Got {given}.", given=_shown(epsilon))
    return _units_up(value, EPSILON_UNITS)


def delta_units(delta: Number) -> int:
    """Parse a delta that is 0 or from 1e-15 to below 0.5 and round it up to units."""
    value = _decimal(delta)
    if value == 0:
        return 0
    if value is None or not LOWEST_DELTA <= value <= HIGHEST_DELTA:
        raise ParameterError("δ must be 0, or between 1e-15 and 0.499999999999999. Got {given}.", given=_shown(delta))
    return _units_up(value, DELTA_UNITS)


def _decimal(number: Number) -> Decimal | None:
    """Return the exact decimal, or None: Decimal alone would accept NaN, "1_0" and Arabic digits."""
    if not isinstance(number, (str, Real, Decimal)):
        return None
    if isinstance(number, Rational) and not (isinstance(number, Integral) and abs(number) < 10**6):
        return None  # str() refuses integers of thousands of digits, inside a fraction too
    text = str(number)
    if len(text) > LONGEST_TEXT or not _DECIMAL_TEXT.fullmatch(text):
        return None
    return Decimal(text, _WIDE)


def _units_up(value: Decimal, units: int) -> int:
    numerator, denominator = value.as_integer_ratio()
    return -(-numerator * units // denominator)


def _digits(units: int, exponent: int) -> Decimal:
    return Decimal(units).scaleb(exponent, _WIDE).normalize(_WIDE)


def _shown(given: object) -> str:
    if given is not None and not isinstance(given, (str, int, float, Decimal)):
        return f"something of type {type(given).__name__}"
    if isinstance(given, int) and abs(given) > 10**20:
        return "a number of more than 20 digits"
    text = ascii(given) if isinstance(given, str) else str(given)
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}..."


class BudgetExceeded(Exception):
    """A charge does not fit in what is left; nothing was charged."""

    def __init__(self, asked: Cost, left: Cost) -> None:
        """Keep both amounts, and compute by how much the charge does not fit."""
        self.asked = asked
        self.left = left
        self.shortfall = Phrase(
            "This release needs {asked}, but only {left} is left ({short} too little).",
            asked=asked,
            left=left,
            short=asked.beyond(left),
        )
        super().__init__(Phrase("{told} Use a smaller ε, or open a new budget.", told=self.shortfall))

    def __reduce__(self) -> tuple[type[BudgetExceeded], tuple[Cost, Cost]]:
        """Rebuild from the two amounts, so that the error survives a process boundary."""
        return type(self), (self.asked, self.left)
