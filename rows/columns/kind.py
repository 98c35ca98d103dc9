"""Kind: what every declaration of a column says, whatever kind of column it is."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import Bounds, IntArray
from discreet.queries.column import READ
from discreet.rows.cells import Mask
from discreet.rows.numerals import Numerals

Value = float | str | tuple[str, ...]  # what a filter compares with
kinds: dict[str, type[Kind]] = {}


@dataclass(frozen=True)
class Kind(ABC):
    """A declaration: what a person says about one column before any row is read.

    A subclass with a `name` in a file of this folder is found by registration, and declaration
    files call it so. One that questions can be asked of is a `Quantity` or a `Factor`.
    """

    name: ClassVar[str]
    askable: ClassVar[bool] = False
    used: ClassVar[bool] = True
    grows: ClassVar[bool] = False  # more of it can be declared later

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Register every kind under its name, so that there is no list to edit."""
        super().__init_subclass__(**kwargs)
        if "name" in cls.__dict__:
            kinds[cls.name] = cls

    def plain(self) -> dict[str, Any]:
        """Return what a declaration file says of the column."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    @classmethod
    def from_plain(cls, column: str, values: dict[str, Any]) -> Self:
        """Read it back; every error names the column and what to do."""
        names = {field.name for field in fields(cls)}
        if not set(values) <= names:
            choices = ", ".join(sorted(names))
            raise ParameterError("Column {name!r}: only {choices} can be set.", name=column, choices=choices)
        try:
            return cls(**values)
        except (TypeError, ParameterError) as error:
            raise ParameterError("Column {name!r}: {error}", name=column, error=error.args[0]) from None

    @property
    def unit(self) -> str:
        """What a value is counted in; nothing where that is not said."""
        return ""

    @property
    def sourced(self) -> bool:
        """Whether it is said from what public source all of this is known, where it must be."""
        return True

    @property
    def unsourced(self) -> bool:
        """Whether bounds or levels are declared, and nobody said from where they are known."""
        return not self.sourced

    def from_source(self, origin: str) -> Self:
        """Return the same declaration with where its bounds or levels come from, where it has any."""
        return self

    def continues(self, before: Kind) -> bool:
        """Say whether all that was declared before is declared still, each level in its place."""
        return self == before

    @property
    def end(self) -> str:
        """The upper bound or the last day as it is declared; nothing where there is none."""
        return ""

    def until(self, end: str, origin: str) -> Self:
        """Return the same up to a higher bound or a later day, with the public source of that."""
        raise ParameterError("There is no upper bound and no last day.")

    def outgrows(self, before: Kind) -> bool:
        """Say whether this is what was declared before, but for a higher bound or a later day."""
        try:
            return bool(before.end) and self == before.until(self.end, str(self.plain().get("origin")))
        except ParameterError:
            return False

    @property
    def grid(self) -> Bounds | None:
        """The grid to which a typed number is brought by nothing but its bounds; none where cells mean more."""
        return None

    @property
    def numeric(self) -> bool:
        """Whether cells are written as numbers."""
        return False

    @property
    def steps(self) -> int:
        """How many steps are counted one by one, whatever the rows are."""
        return 0

    def as_read(self, column: str) -> tuple[Phrase, ...]:
        """Say as what the cells count, and which rows are left out."""
        return ()

    def check(self, column: str, comparison: str, value: Value) -> None:
        """Refuse a filter that does not fit."""
        raise ParameterError("Column {column!r} is not declared as number or category: no filter on it.", column=column)

    def passes(self, cells: Any, comparison: str, value: Value) -> Mask:
        """Return which cells pass a filter that was checked, each by itself."""
        raise NotImplementedError

    @property
    def readable(self) -> tuple[int, ...]:
        """As what cells may be read, of the numbers of `HowRead`."""
        return (READ,)

    @property
    def numerals(self) -> Numerals | None:
        """How numbers are written in text; none where cells are no numbers."""
        return None

    def written(self, like: Numerals) -> Self:
        """Return the same with numbers that are written otherwise, where cells are numbers."""
        return self

    def readings(self, cells: Any) -> IntArray:
        """Return how each cell is read, by the numbers of `HowRead`; -1 is not."""
        raise NotImplementedError
