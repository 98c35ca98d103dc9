"""Kind: the base class of all column declarations."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import Bounds, FloatArray, IntArray
from discreet.queries.column import READ
from discreet.rows.cells import Mask
from discreet.rows.numerals import Numerals

Value = float | str | tuple[str, ...]  # the right side of a comparison
kinds: dict[str, type[Kind]] = {}
NUMBERS, DATES = "numbers", "dates"


@dataclass(frozen=True)
class Kind(ABC):
    """The declaration of one column, made by a person before any row is read.

    A subclass with a `name` in a file of this folder is registered automatically, and declaration files use that name.
    A kind that queries can be about is a `Quantity` or a `Factor`.
    """

    name: ClassVar[str]
    askable: ClassVar[bool] = False
    used: ClassVar[bool] = True
    grows: ClassVar[bool] = False  # it can be extended later
    amounts: ClassVar[str] = ""  # what its values are, if two of them can be subtracted: NUMBERS or DATES

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Register every kind under its name, so that there is no list to edit."""
        super().__init_subclass__(**kwargs)
        if "name" in cls.__dict__:
            kinds[cls.name] = cls

    def plain(self) -> dict[str, Any]:
        """Return the declaration as plain values, for a file."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    @classmethod
    def from_plain(cls, column: str, values: dict[str, Any]) -> Self:
        """Build the declaration from plain values; every error names the column and what to do."""
        names = {field.name for field in fields(cls)}
        if not set(values) <= names:
            choices = ", ".join(sorted(names))
            raise ParameterError("Column {name!r}: only {choices} can be set.", name=column, choices=choices)
        try:
            return cls(**values)
        except (TypeError, ParameterError) as error:
            raise ParameterError("Column {name!r}: {error}", name=column, error=error.args[0]) from None

    @classmethod
    def short(cls, given: Any) -> Self | None:
        """Return the declaration that a short form means; None if it is not a short form of this kind."""
        return None

    @property
    def derived_from(self) -> tuple[str, ...]:
        """The columns of the row from which it is derived; none for a column that is read."""
        return ()

    @property
    def unit(self) -> str:
        """The unit of values, empty if it is not declared."""
        return ""

    @property
    def sourced(self) -> bool:
        """Whether the public source of the declaration is given, where one is required."""
        return True

    @property
    def unsourced(self) -> bool:
        """Whether bounds or levels are declared without a source."""
        return not self.sourced

    def from_source(self, origin: str) -> Self:
        """Return the declaration with the source of its bounds or levels, if it has any."""
        return self

    def continues(self, before: Kind) -> bool:
        """Return whether everything that was declared before is still declared, each level at its index."""
        return self == before

    @property
    def end(self) -> str:
        """The upper bound or last date as declared; empty if there is none."""
        return ""

    def until(self, end: str, origin: str) -> Self:
        """Return the declaration with a higher bound or a later date, and the public source of that."""
        raise ParameterError("This column has no upper bound and no last day.")

    def outgrows(self, before: Kind) -> bool:
        """Return whether this equals an earlier declaration except for a higher bound or a later date."""
        try:
            return bool(before.end) and self == before.until(self.end, str(self.plain().get("origin")))
        except ParameterError:
            return False

    @property
    def grid(self) -> Bounds | None:
        """The grid to which a typed number is rounded using its bounds alone; None if reading cells involves more."""
        return None

    @property
    def numeric(self) -> bool:
        """Whether cells are written as numbers."""
        return False

    @property
    def complete(self) -> bool:
        """Whether every row has a value, as its cell is read."""
        return False

    @property
    def steps(self) -> int:
        """The number of steps that are counted one by one, whatever the rows are."""
        return 0

    def as_read(self, column: str) -> tuple[Phrase, ...]:
        """Describe how cells count, and which rows are left out."""
        return ()

    def check(self, column: str, comparison: str, value: Value) -> None:
        """Raise ParameterError for a filter that does not fit."""
        raise ParameterError(
            "You cannot filter on {column!r}: it is not a number or a category. Change the schema first.", column=column
        )

    def passes(self, cells: Any, comparison: str, value: Value) -> Mask:
        """Return which cells pass a checked filter; each cell's result depends on that cell only."""
        raise NotImplementedError

    def evenly(self, values: Sequence[Value]) -> tuple[IntArray, FloatArray]:
        """Return declared values by their codes or ticks, and for what part of all declared values each stands.

        Those that one of them stands for compare alike with each of the given values.
        """
        raise NotImplementedError

    def placed(self, cells: Any) -> tuple[IntArray, Mask]:
        """Return the code or tick of each cell, and which rows have one."""
        raise NotImplementedError

    def met(self, places: IntArray, comparison: str, value: Value) -> Mask:
        """Return which codes or ticks pass a checked filter."""
        raise NotImplementedError

    @property
    def readable(self) -> tuple[int, ...]:
        """The ways in which cells may be read, as numbers of `HowRead`."""
        return (READ,)

    @property
    def numerals(self) -> Numerals | None:
        """How numbers are written in text; None if cells are not numbers."""
        return None

    def written(self, like: Numerals) -> Self:
        """Return the declaration with another way of writing numbers, if cells are numbers."""
        return self

    def readings(self, cells: Any) -> IntArray:
        """Return how each cell is read, as numbers of `HowRead`; -1 for cells that are not."""
        raise NotImplementedError
