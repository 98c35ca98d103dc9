"""Refusals of the budget floor; their messages are built from public values only."""

from __future__ import annotations

from discreet.budget.phrase import Phrase


class ParameterError(ValueError):
    """A public parameter is out of range; the message names the range and what to do."""

    def __init__(self, template: str, /, **values: object) -> None:
        """Say what is wrong, as a phrase that a screen can say in another language."""
        super().__init__(Phrase(template, **values))


class AlreadyCharged(Exception):
    """This request was charged (or its held part settled) before; nothing was charged again."""

    def __init__(self, request_id: str) -> None:
        """Keep the request's identifier, which is public."""
        self.request_id = request_id
        super().__init__(
            Phrase("Request {request} is already on the ledger. Read its release from the record.", request=request_id)
        )

    def __reduce__(self) -> tuple[type[AlreadyCharged], tuple[str]]:
        """Rebuild from the identifier, so that the error survives a process boundary."""
        return type(self), (self.request_id,)
