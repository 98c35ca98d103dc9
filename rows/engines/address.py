"""Located: an address of rows that stay where they are. Its digest names the place, and not what is in it."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, ClassVar, Protocol, Self

import pyarrow as pa

from discreet.budget.errors import ParameterError, Phrase
from discreet.budget.plugins import SOURCES, Registry
from discreet.rows.source import Source

sources: Registry[type[Located]] = Registry(SOURCES)


class LiveSource(Source, Protocol):
    """Rows that stay where they are: they may change from one question to the next."""

    @property
    def where(self) -> Located:
        """The address of the rows."""

    @property
    def types(self) -> dict[str, pa.DataType]:
        """The types of the columns, where they are public like their names."""

    def settled(self) -> LiveSource:
        """Return the same rows under the one full name of where they are."""


@dataclass(frozen=True, repr=False)
class Located(ABC):
    """An address of rows: an identity, a text for the vault, and how it is opened.

    A subclass with a `format` is found by registration. Registered rows are kept with that name, so it stays.
    """

    format: ClassVar[str]
    unreadable: ClassVar[Phrase]  # what is said of a text that is no such address

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Register every kind of address under its name, so that there is no list to edit."""
        super().__init_subclass__(**kwargs)
        if "format" in cls.__dict__:
            sources.add(cls.format, cls)

    @property
    @abstractmethod
    def identity(self) -> tuple[Any, ...]:
        """The parts that make it this place and no other one, in one spelling."""

    @property
    @abstractmethod
    def bare(self) -> Self:
        """The same place without the name, password or token of whoever asks."""

    @property
    @abstractmethod
    def place(self) -> str:
        """Where it leads, in one line and without its password."""

    @abstractmethod
    def source(self) -> LiveSource:
        """Return its rows; nothing is opened before it is needed."""

    @abstractmethod
    def knock(self) -> None:
        """See whether somebody answers there; no row is looked at."""

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


@dataclass(frozen=True, repr=False)
class Tabled(Located):
    """The address of one table; what it begins with, as `sc://`, says of which kind it is."""

    schemes: ClassVar[tuple[str, ...]] = ()

    url: str
    table: str

    @property
    def place(self) -> str:
        """Where it leads, in one line and without its password."""
        return self.bare.url
