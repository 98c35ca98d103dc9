"""Address: where external rows are stored. The digest identifies the place, not its content."""

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
    """External rows: they may change from one query to the next."""

    @property
    def where(self) -> Located:
        """The address of the rows."""

    @property
    def types(self) -> dict[str, pa.DataType]:
        """The types of the columns, where they are public like their names."""

    def settled(self) -> LiveSource:
        """Return the source with the one full name of its table."""


@dataclass(frozen=True, repr=False)
class Located(ABC):
    """An address of rows: an identity, a text for the vault, and how it is opened.

    A subclass with a `format` is registered automatically. Registered rows are stored with that name, so it never
    changes.
    """

    format: ClassVar[str]
    unreadable: ClassVar[Phrase]  # the error for a text that is not such an address

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Register every kind of address under its name, so that there is no list to edit."""
        super().__init_subclass__(**kwargs)
        if "format" in cls.__dict__:
            sources.add(cls.format, cls)

    @property
    @abstractmethod
    def identity(self) -> tuple[Any, ...]:
        """The parts that identify the place, in a canonical spelling."""

    @property
    @abstractmethod
    def bare(self) -> Self:
        """The address without the name, password or token of a user."""

    @property
    @abstractmethod
    def place(self) -> str:
        """The place in one line and without its password, for display."""

    @abstractmethod
    def source(self) -> LiveSource:
        """Return the source; nothing is opened before it is needed."""

    @abstractmethod
    def knock(self) -> None:
        """Check that the server answers; no row is read."""

    @property
    def digest(self) -> str:
        """The hash of the identity, independent of passwords, tokens and spellings."""
        return sha256(json.dumps([self.format, *self.identity]).encode()).hexdigest()

    def to_json(self) -> str:
        """Serialise the address including its password: for the vault only."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Parse a serialised address."""
        try:
            return cls(**json.loads(text))
        except (ValueError, TypeError):
            raise ParameterError(cls.unreadable) from None


@dataclass(frozen=True, repr=False)
class Tabled(Located):
    """The address of one table; its prefix, such as `sc://`, determines its kind."""

    schemes: ClassVar[tuple[str, ...]] = ()

    url: str
    table: str

    @property
    def place(self) -> str:
        """The place in one line and without its password, for display."""
        return self.bare.url
