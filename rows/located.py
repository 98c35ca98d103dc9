"""Located: an address of rows that stay where they are. Its digest names the place, and not what is in it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, ClassVar, Self

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase


@dataclass(frozen=True, repr=False)
class Located:
    """What all addresses of rows share: an identity, and a text for the vault."""

    format: ClassVar[str]
    unreadable: ClassVar[Phrase]  # what is said of a text that is no such address

    @property
    def identity(self) -> tuple[Any, ...]:
        """The parts that make it this place and no other one, in one spelling."""
        raise NotImplementedError

    @property
    def digest(self) -> str:
        """The identity as a hash: passwords, tokens and spellings change nothing in it."""
        return sha256(json.dumps([self.format, *self.identity]).encode()).hexdigest()

    def to_json(self) -> str:
        """Write it, password and all: for the vault only."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read it back."""
        try:
            return cls(**json.loads(text))
        except (ValueError, TypeError):
            raise ParameterError(cls.unreadable) from None
