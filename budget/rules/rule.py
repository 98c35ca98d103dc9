"""Rule: how a ledger adds charges up, and how cards and forms describe it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from discreet.budget.accounts import Account, Refined
from discreet.budget.cost import Cost
from discreet.budget.errors import Phrase


@dataclass(frozen=True)
class Amount:
    """What a rule counts: a loss in the rule's own exact units, and the delta that adds up."""

    loss: int = 0
    delta_units: int = 0

    def fits_in(self, other: Amount) -> bool:
        """Return whether neither part is larger than the other's."""
        return self.loss <= other.loss and self.delta_units <= other.delta_units

    def __add__(self, other: Amount) -> Amount:
        """Add exactly."""
        return Amount(self.loss + other.loss, self.delta_units + other.delta_units)

    def __sub__(self, other: Amount) -> Amount:
        """Subtract exactly; used only for a part and its whole."""
        return Amount(self.loss - other.loss, self.delta_units - other.delta_units)


RULES: dict[str, Rule] = {}
BESIDE = " | "  # separates a rule and its allowance per period in a stored ledger


def rule_of(written: str) -> Rule:
    """Return the rule that a durable ledger was opened with."""
    rule = written.partition(BESIDE)[0]
    return RULES[rule.partition(" ")[0]].read(rule)


@dataclass(frozen=True)
class Rule(ABC):
    """A filter: it decides which charges fit a limit, even if chosen after seeing earlier answers.

    A subclass with a `name` in a file of this folder is registered automatically; ledgers are stored with that name, so
    it never changes. It states how releases compose (`composition`), what it `suits`, and the variant of differential
    privacy of a Gaussian release under it (`variant`), where that is more than its cost. If `differences` may be
    charged, a finer answer that replaces an earlier one costs the difference; otherwise it is refused, because the step
    alone loses more than that.
    """

    name: ClassVar[str]
    composition: ClassVar[Phrase]
    suits: ClassVar[Phrase | None] = None
    differences: ClassVar[bool] = False
    variant: ClassVar[str] = ""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Register every rule under its name, so that there is no list to edit."""
        super().__init_subclass__(**kwargs)
        if "name" in cls.__dict__:
            if not isinstance(getattr(cls, "composition", None), Phrase):
                raise TypeError(f"{cls.__name__} must say its composition: a card needs it.")
            RULES[cls.name] = cls()

    @property
    def written(self) -> str:
        """The text that a durable ledger stores."""
        return self.name

    def opened(self, limit: Cost) -> Rule:
        """Return the rule with the parameters that are fixed when a ledger is opened; by default unchanged."""
        return self

    def read(self, written: str) -> Rule:
        """Return the rule from the text that a durable ledger stores."""
        return self

    def takes(self, account: Account | None) -> bool:
        """Return whether a charge can be counted at all, whatever room there is."""
        return self.differences or not (isinstance(account, Refined) and account.instead)

    @abstractmethod
    def capacity(self, limit: Cost) -> Amount:
        """Return the limit in the rule's own units, rounded down."""

    @abstractmethod
    def amount(self, cost: Cost, account: Account | None, room: Amount) -> Amount | None:
        """Return the amount of a charge, rounded up, or None if it does not fit the room."""

    @abstractmethod
    def spent(self, total: Amount, limit: Cost) -> Cost:
        """Return the total cost of all charges, never above the limit."""

    @abstractmethod
    def left(self, room: Amount) -> Cost:
        """Return the largest cost that still fits for a charge without an account."""

    def part(self, cost: Cost, limit: Cost) -> float:
        """Return which part of a limit a charge without an account takes, in the rule's own units; at most 1."""
        capacity = self.capacity(limit)
        amount = self.amount(cost, None, capacity)
        return 1.0 if amount is None or not capacity.loss else amount.loss / capacity.loss

    def after(self, room: Amount, cost: Cost, account: Account | None) -> Cost | None:
        """Return what is left after a charge, or None if it does not fit."""
        amount = self.amount(cost, account, room)
        return None if amount is None else self.left(room - amount)

    def rho(self, counted: Amount) -> float | None:
        """Return the counted loss as a rho, or None if the rule counts in something else."""
        return None
