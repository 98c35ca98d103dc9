"""Rule: how a ledger adds up what was charged, and what a card and a form say of it."""

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
        """Say whether neither part is larger than the other's."""
        return self.loss <= other.loss and self.delta_units <= other.delta_units

    def __add__(self, other: Amount) -> Amount:
        """Add exactly."""
        return Amount(self.loss + other.loss, self.delta_units + other.delta_units)

    def __sub__(self, other: Amount) -> Amount:
        """Subtract exactly; only ever of a part from its whole."""
        return Amount(self.loss - other.loss, self.delta_units - other.delta_units)


RULES: dict[str, Rule] = {}
BESIDE = " | "  # between a rule and the allowance of each period, where a ledger keeps both


def rule_of(written: str) -> Rule:
    """Return the rule that a durable ledger was opened with."""
    rule = written.partition(BESIDE)[0]
    return RULES[rule.partition(" ")[0]].read(rule)


@dataclass(frozen=True)
class Rule(ABC):
    """A filter: it says which charges fit a limit, even if chosen after seeing earlier answers.

    A subclass with a `name` in a file of this folder is found by registration; ledgers are kept
    under that name, so it stays. It says how releases compose (`composition`), what it `suits`,
    and what a Gaussian release is under it (`variant`), where that is more than its cost. Where
    `differences` may be charged, a finer answer that stands instead of an earlier one costs what it
    costs more; else it is refused, because the step alone loses more than that.
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
        """What a durable ledger keeps of it."""
        return self.name

    def opened(self, limit: Cost) -> Rule:
        """Return the rule with what is fixed when a ledger is opened: nothing, unless it says otherwise."""
        return self

    def read(self, written: str) -> Rule:
        """Return the rule as a durable ledger keeps it."""
        return self

    def takes(self, account: Account | None) -> bool:
        """Say whether a charge can be counted at all, whatever room there is."""
        return self.differences or not (isinstance(account, Refined) and account.instead)

    @abstractmethod
    def capacity(self, limit: Cost) -> Amount:
        """Return the limit in the rule's own units, rounded down."""

    @abstractmethod
    def amount(self, cost: Cost, account: Account | None, room: Amount) -> Amount | None:
        """Return what a charge counts for, rounded up, or None where it does not fit the room."""

    @abstractmethod
    def spent(self, total: Amount, limit: Cost) -> Cost:
        """Return the cost that all charges together amount to, never above the limit."""

    @abstractmethod
    def left(self, room: Amount) -> Cost:
        """Return the largest cost of which nothing else is known that still fits."""

    def after(self, room: Amount, cost: Cost, account: Account | None) -> Cost | None:
        """Return what is left after a charge, or None where it does not fit."""
        amount = self.amount(cost, account, room)
        return None if amount is None else self.left(room - amount)

    def rho(self, counted: Amount) -> float | None:
        """Return what was counted as a rho; None where the rule counts in something else."""
        return None
