"""Schema: the declarations of all columns of a dataset, made before any row is read."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from itertools import product
from typing import Any

from discreet.budget.errors import ParameterError, kind_of
from discreet.queries import Bounds
from discreet.rows.columns import Factor, Kind, Person, Quantity, YesNo, kinds
from discreet.rows.columns.banded import banded
from discreet.rows.columns.bands import Bands
from discreet.rows.columns.derivation import joined
from discreet.rows.columns.grouping import Grouping
from discreet.rows.columns.person import Means
from discreet.rows.columns.recode import Recode, recoded
from discreet.rows.files.format import Layout

LONGEST_NAME = 200
ANSWERS = Bounds(0, 1, integer=True)  # no and yes
BETWEEN = " · "  # separates the names of crossed levels


def check_name(name: str) -> str:
    """Return a column name; raise ParameterError if it is not a valid one."""
    if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME:
        raise ParameterError("A column name must have 1 to {longest_name} characters.", longest_name=LONGEST_NAME)
    if any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in name):
        raise ParameterError("A column name must not contain control or direction characters.")
    return name


@dataclass(frozen=True)
class Schema:
    """The declarations of a dataset by column name, and how its file is read. At most one column names the person."""

    columns: Mapping[str, Kind] = field(default_factory=dict)
    layout: Layout | None = None  # None for tables that need none, and in declarations from before layouts

    def __post_init__(self) -> None:
        """Take short forms as well; check names, and that at most one column is the person."""
        if not isinstance(self.columns, Mapping):
            raise ParameterError(
                'A schema needs the columns by name: {{"age": (0, 100)}}. Got {kind}.', kind=kind_of(self.columns)
            )
        for name in self.columns:
            check_name(name)
        given = {name: _kind(name, given) for name, given in self.columns.items()}
        object.__setattr__(self, "columns", joined(given))
        if sum(isinstance(declared, Person) for declared in self.columns.values()) > 1:
            raise ParameterError("Only one column can identify people.")
        for name in self.numbers:
            self.bounds(name)  # raises for an invalid finer grid
        self._check_texts()

    def _check_texts(self) -> None:
        """Raise ParameterError for half a surrogate pair, which JSON can contain but no file or screen can."""
        try:
            self.to_json().encode()
        except UnicodeEncodeError:
            raise ParameterError("This schema contains an invalid Unicode character. Correct it.") from None

    @cached_property
    def numbers(self) -> dict[str, Quantity]:
        """The columns whose cells are numbers, or are counted like numbers."""
        return {name: declared for name, declared in self.columns.items() if isinstance(declared, Quantity)}

    @cached_property
    def categories(self) -> dict[str, Factor]:
        """The columns whose cells name a level."""
        return {name: declared for name, declared in self.columns.items() if isinstance(declared, Factor)}

    @cached_property
    def answers(self) -> list[str]:
        """The columns whose cells are yes or no."""
        return [name for name, declared in self.columns.items() if isinstance(declared, YesNo)]

    @property
    def askable(self) -> list[str]:
        """The columns that queries and filters can be about."""
        return [name for name, declared in self.columns.items() if declared.askable]

    @property
    def checkable(self) -> list[str]:
        """The columns of which it can be checked how their cells are read: those that are in the data."""
        return [name for name in self.askable if not self.columns[name].derived_from]

    @property
    def groupable(self) -> list[str]:
        """The columns that queries can group by: categories as they are, numbers and dates in bands."""
        return [*self.categories, *(name for name, declared in self.numbers.items() if declared.usual is not None)]

    @property
    def ends(self) -> dict[str, str]:
        """The columns that have an upper bound or a last day, with that bound."""
        return {name: declared.end for name, declared in self.columns.items() if declared.end}

    @property
    def unsourced(self) -> list[str]:
        """The columns whose bounds or levels were declared without a source."""
        return [name for name, declared in self.columns.items() if declared.unsourced]

    @property
    def used(self) -> list[str]:
        """The columns that are read."""
        return [name for name, declared in self.columns.items() if declared.used and not declared.derived_from]

    @property
    def in_data(self) -> list[str]:
        """The columns that the data have, read or ignored."""
        return [name for name, declared in self.columns.items() if not declared.derived_from]

    @property
    def derived(self) -> list[str]:
        """The columns that are derived from others of the row, and that no file has."""
        return [name for name, declared in self.columns.items() if declared.derived_from]

    def sources(self, name: str) -> list[str]:
        """Return the columns that a derived column is derived from, and those that they are derived from."""
        declared = self.columns.get(name)
        direct = () if declared is None else declared.derived_from
        return [each for source in direct for each in (source, *self.sources(source))]

    def number(self, name: str) -> Quantity:
        """Return the declaration of a number column; raise ParameterError if it is none."""
        if name not in self.numbers:
            raise ParameterError("Column {name!r} is not declared as a number.", name=name)
        return self.numbers[name]

    def category(self, name: Grouping) -> Factor:
        """Return a category, the bands of a column or merged levels; raise ParameterError for what does not fit."""
        if isinstance(name, Bands):
            return banded(self.number(name.column), name)
        if isinstance(name, Recode):
            return recoded(self.category(name.column), name)
        if name not in self.categories:
            raise ParameterError("Column {name!r} is not declared as a category.", name=name)
        return self.categories[name]

    def crossed(self, names: Sequence[Grouping]) -> tuple[str, ...]:
        """Return the names of the groups of several categories: each combination of levels."""
        return tuple(map(BETWEEN.join, product(*(self.category(name).labels for name in names))))

    def cells(self, names: Iterable[Grouping]) -> int:
        """Return the number of groups of several categories."""
        return math.prod(len(self.category(name).labels) for name in names)

    @cached_property
    def person(self) -> tuple[str, Person] | None:
        """The column that names the person, or None."""
        persons = ((name, declared) for name, declared in self.columns.items() if isinstance(declared, Person))
        return next(persons, None)

    @property
    def rows_per_person(self) -> int:
        """How many rows of one person may count in an answer."""
        person = self.person
        return 1 if person is None or person[1].reduce else person[1].rows

    def bounds(self, name: str) -> Bounds:
        """Return the grid of a number column as it is read: finer where each person counts as one mean."""
        declared = self.number(name).bounds
        reduced = self.person is not None and self.person[1].reduce == "mean"
        return Means(declared).bounds if reduced else declared

    def grid(self, name: str) -> Bounds:
        """Return the grid of a number column, or 0 and 1 for no and yes."""
        return ANSWERS if name in self.answers else self.bounds(name)

    def to_json(self) -> str:
        """Serialise the declaration as text that `from_json` parses exactly."""
        columns = {name: {"kind": declared.name, **declared.plain()} for name, declared in self.columns.items()}
        read = {} if self.layout is None else {"read": self.layout.plain}
        return json.dumps({"discreet": 1, **read, "columns": columns}, indent=1, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Schema:
        """Parse a declaration; every error names the column and what to do."""
        try:
            whole = json.loads(text)
            columns = dict(whole["columns"])
            read = whole.get("read")
            layout = None if read is None else Layout(**read)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise ParameterError("This is not a schema file. Export a schema to see the format.") from None
        return cls({name: declared_column(name, values) for name, values in columns.items()}, layout)

    def read_as(self, layout: Layout | None) -> Schema:
        """Return the declaration with the layout of other rows, if it has a layout at all."""
        return self if self.layout is None else replace(self, layout=layout)

    @cached_property
    def digest(self) -> str:
        """A hash of the whole declaration."""
        return sha256(self.to_json().encode()).hexdigest()


def schema_of(given: Schema | Mapping[str, Any]) -> Schema:
    """Return the schema that a caller means: a schema, or declarations by column name, also in their short forms."""
    return given if isinstance(given, Schema) else Schema(given)


def _kind(name: str, given: Any) -> Kind:
    """Return the declaration of a column that may be in its short form."""
    if isinstance(given, Kind):
        return given
    try:
        short = next((found for kind in kinds.values() if (found := kind.short(given)) is not None), None)
    except ParameterError as error:
        raise ParameterError("Column {name!r}: {error}", name=name, error=error.args[0]) from None
    if short is None:
        raise ParameterError(
            "Column {name!r}: declare bounds as a pair (0, 100), allowed values as a list of texts, bool, or a kind "
            "such as Person(). Got {kind}.",
            name=name,
            kind=kind_of(given),
        )
    return short


def declared_column(name: str, values: Any) -> Kind:
    """Parse the declaration of one column, as it is in the file of a schema; a derived one without its sources."""
    if not isinstance(values, dict) or values.get("kind") not in kinds:
        raise ParameterError("Column {name!r}: kind must be one of {choices}.", name=name, choices=", ".join(kinds))
    return kinds[values["kind"]].from_plain(name, {key: value for key, value in values.items() if key != "kind"})
