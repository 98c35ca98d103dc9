"""Codebook: the base of all codebook formats, and how the format of a file is recognised."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sized
from dataclasses import dataclass
from typing import Any, ClassVar

from discreet.budget.errors import ParameterError
from discreet.budget.plugins import CODEBOOKS, Registry
from discreet.rows.capacity import MIB
from discreet.rows.columns import Category, Kind, Number
from discreet.rows.intake.small_files import read_aside
from discreet.rows.schema import Schema, check_name

LARGEST = 2 * MIB
MOST = 10_000  # columns: parsing one takes a tenth of a millisecond
WHOLE, PART = b"=", b"<"  # of all possible declarations
codebooks: Registry[Codebook] = Registry(CODEBOOKS)


class Codebook(ABC):
    """A codebook format. A subclass with a `name` in a file of this folder is registered automatically."""

    name: ClassVar[str]
    title: ClassVar[str]
    rank: ClassVar[int] = 100
    whole: ClassVar[bool] = False  # a file of it declares everything that can be declared

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Register every format under its name, so that there is no list to edit."""
        super().__init_subclass__(**kwargs)
        if "name" in cls.__dict__:
            codebooks.add(cls.name, cls())

    @abstractmethod
    def columns(self, text: str) -> Mapping[str, Kind] | None:
        """Return the declarations of columns in a text; None if it has another format."""


def brought(data: bytes, names: Collection[str]) -> tuple[dict[str, Kind], bool]:
    """Read a codebook that a user uploads to a server, in the process that has limits."""
    if len(data) > LARGEST:
        raise too_large()
    answer = read_aside(in_our_form, data, list(names))
    return dict(Schema.from_json(answer[1:].decode()).columns), answer[:1] == WHOLE


def in_our_form(data: bytes, names: Collection[str]) -> bytes:
    """Return a codebook in the format of an exported declaration, preceded by a byte that tells whether it is whole."""
    columns, whole = read(data, names)
    return (WHOLE if whole else PART) + Schema(columns).to_json().encode()


def read(data: bytes, names: Collection[str]) -> tuple[dict[str, Kind], bool]:
    """Return what a codebook of any format declares of columns, and whether its format declares everything.

    An exported declaration is complete, so a column that the data lack is an error; a codebook may have more columns,
    and may describe some incompletely.
    """
    if len(data) > LARGEST:
        raise too_large()
    text = data.decode("utf-8-sig", "replace")
    forms = sorted(codebooks.values(), key=lambda form: form.rank)
    for form in forms:
        columns = _said_by(form, text)
        if columns is not None:
            return _fitting(form, {check_name(name): column for name, column in columns.items()}, names), form.whole
    titles = ", ".join(form.title for form in forms)
    raise ParameterError("This is not a supported codebook. Supported are: {titles}.", titles=titles)


def too_large() -> ParameterError:
    """Return the error for a file that is too large, before it is read."""
    return ParameterError("The codebook is larger than {most} MiB. Use a smaller file.", most=LARGEST // MIB)


def _said_by(form: Codebook, text: str) -> Mapping[str, Kind] | None:
    """Return the columns of a text in a format; None if parsing fails, because foreign text may be anything."""
    try:
        return form.columns(text)
    except ParameterError:
        raise
    except Exception:
        return None


def _fitting(form: Codebook, columns: dict[str, Kind], names: Collection[str]) -> dict[str, Kind]:
    """Return the columns that the data have."""
    derived = {name: column for name, column in columns.items() if column.derived_from}
    missing = [name for name in columns if name not in names and name not in derived]
    if form.whole and missing:
        raise ParameterError("The dataset has no column {column!r}. Correct the file.", column=missing[0])
    fitting = {name: column for name, column in columns.items() if name in names and name not in derived}
    if not fitting and not form.whole:
        raise ParameterError(
            "This codebook has no bounds or allowed values for any column of this dataset. Declare the columns by hand."
        )
    return fitting | derived


@dataclass(frozen=True)
class Noted:
    """What a codebook of any format states about one column: bounds, levels, the unit."""

    lower: Any = None
    upper: Any = None
    levels: tuple[str, ...] = ()
    integer: bool = False
    unit: str = ""
    origin: str = ""

    def column(self) -> Kind | None:
        """Return the declaration; None if the notes are incomplete or cannot be declared."""
        try:
            return self._declared()
        except (ParameterError, TypeError, ValueError, OverflowError):
            return None

    def _declared(self) -> Kind | None:
        if self.levels:
            levels = dict.fromkeys(level.strip() for level in self.levels if level.strip())
            return Category(tuple(levels), origin=self.origin)
        if self.lower is None or self.upper is None:
            return None
        number: Callable[[Any], float] = float
        lower = number(self.lower)
        upper = number(self.upper)
        whole = self.integer and lower == int(lower) and upper == int(upper)
        if whole:
            lower, upper = int(lower), int(upper)
        return Number(lower, upper, integer=whole, origin=self.origin, unit=self.unit)


def said(notes: Mapping[str, Noted]) -> dict[str, Kind]:
    """Return the declarations of the columns that are described sufficiently."""
    check_many(notes)
    columns = {name: note.column() for name, note in notes.items()}
    return {name: column for name, column in columns.items() if column is not None}


def check_many(columns: Sized) -> None:
    """Raise ParameterError for more columns than any table has, before any of them is created."""
    if len(columns) > MOST:
        raise ParameterError("A codebook may describe at most {most:,} columns.", most=MOST)


def items(thing: Any, key: str) -> list[dict[str, Any]]:
    """Return a list of objects from an object, or an empty one: foreign files may contain anything."""
    listed = thing.get(key) if isinstance(thing, dict) else None
    return [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []


def part(thing: Any, key: str) -> dict[str, Any]:
    """Return an object from an object, empty if there is none."""
    inner = thing.get(key) if isinstance(thing, dict) else None
    return inner if isinstance(inner, dict) else {}
