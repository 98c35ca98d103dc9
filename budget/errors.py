"""The three refusals of the budget floor; their messages are built from public values only."""

from __future__ import annotations

from budget.cost import Cost
from budget.phrase import ParameterError, Phrase

__all__ = ["AlreadyCharged", "BudgetExceeded", "ParameterError"]


class BudgetExceeded(Exception):
    """A charge does not fit in what is left; nothing was charged."""

    def __init__(self, asked: Cost, left: Cost) -> None:
        """Keep both amounts, and say by how much the charge does not fit."""
        self.asked = asked
        self.left = left
        self.shortfall = Phrase(
            "This costs {asked} and only {left} is left: {short} too much.",
            asked=asked,
            left=left,
            short=_shortfall(asked, left),
        )
        super().__init__(
            Phrase("{told} Ask for less, or open a larger budget.", told=self.shortfall)
        )

    def __reduce__(self) -> tuple[type[BudgetExceeded], tuple[Cost, Cost]]:
        """Rebuild from the two amounts, so that the error survives a process boundary."""
        return type(self), (self.asked, self.left)


class AlreadyCharged(Exception):
    """This request was charged (or its held part settled) before; nothing was charged again."""

    def __init__(self, request_id: str) -> None:
        """Keep the request's identifier, which is public."""
        self.request_id = request_id
        super().__init__(
            Phrase(
                "Request {request} is already on the ledger. Read its release from the record.",
                request=request_id,
            )
        )

    def __reduce__(self) -> tuple[type[AlreadyCharged], tuple[str]]:
        """Rebuild from the identifier, so that the error survives a process boundary."""
        return type(self), (self.request_id,)


def _shortfall(asked: Cost, left: Cost) -> Cost:
    return Cost(
        max(0, asked.nano_epsilon - left.nano_epsilon),
        max(0, asked.delta_units - left.delta_units),
    )
