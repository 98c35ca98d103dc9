"""Declarations: what a person says about columns before any row is read."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from hashlib import sha256
from typing import Any

from discreet.budget.errors import ParameterError
from discreet.queries import Bounds
from discreet.queries.scores import MOST_CANDIDATES
from discreet.rows.persons import Means

LONGEST_NAME = 200
DROP = "drop"
OTHER = "other"


@dataclass(frozen=True)
class Number:
    """A number with public bounds and a missing rule: leave the row out, or take a constant.

    `origin` is where the bounds come from, for the officer: public knowledge, never the file.
    `unit` is what a value is counted in, for cards and forecasts.
    """

    lower: float
    upper: float
    step: float | None = None
    integer: bool = False
    missing: str | float = DROP
    origin: str = ""
    unit: str = ""

    def __post_init__(self) -> None:
        """Check the bounds, and that a constant lies inside them."""
        bounds = self.bounds
        if self.missing == DROP:
            return
        number = isinstance(self.missing, (int, float)) and not isinstance(self.missing, bool)
        if not number or not bounds.lower <= float(self.missing) <= bounds.upper:
            raise ParameterError(
                "Missing must be 'drop' or a number between {lower} and {upper}. Got {missing!r}.",
                lower=bounds.lower,
                upper=bounds.upper,
                missing=self.missing,
            )

    @cached_property
    def bounds(self) -> Bounds:
        """The grid of ticks of this column."""
        return Bounds(self.lower, self.upper, self.step, self.integer)


@dataclass(frozen=True)
class Category:
    """A declared list of levels; anything else is `other`, or left out where there is no other."""

    levels: tuple[str, ...]
    other: bool = False

    def __post_init__(self) -> None:
        """Freeze the levels and refuse lists that are empty, double or endless."""
        object.__setattr__(self, "levels", tuple(self.levels))
        good = all(isinstance(level, str) and level.strip() == level for level in self.levels)
        if not good or not 1 <= len(self.levels) <= MOST_CANDIDATES:
            raise ParameterError(
                "A category needs 1 to {most_candidates} levels, texts without outer blanks.",
                most_candidates=MOST_CANDIDATES,
            )
        if len(set(self.levels)) < len(self.levels) or "" in self.levels:
            raise ParameterError("The levels of a category must differ and none may be empty.")
        if self.other and OTHER in self.levels:
            raise ParameterError("A level is called 'other' already: switch other off or rename it.")

    @property
    def labels(self) -> tuple[str, ...]:
        """The levels, and `other` where it is declared."""
        return (*self.levels, OTHER) if self.other else self.levels


@dataclass(frozen=True)
class Person:
    """The column that names the person, and how many rows of one person may count.

    `reduce` makes one row of all rows of a person. With `first` it is one of them, by secret
    chance. With `mean` a number is the mean of all; a level is that of one row by secret chance,
    and with groups a person is in the group of that row, with the mean of their rows there.
    An identifier is its exact text without outer blanks; with `fold`, capitals and Unicode
    variants of it are the same person: only for identifiers in which they mean nothing.
    """

    rows: int = 1
    reduce: str | None = None
    fold: bool = False

    def __post_init__(self) -> None:
        """Refuse caps that make no sense."""
        if isinstance(self.rows, bool) or not isinstance(self.rows, int):
            raise ParameterError("Rows per person must be a whole number between 1 and 10000.")
        if not 1 <= self.rows <= 10_000:
            raise ParameterError("Rows per person must be between 1 and 10000. Got {rows}.", rows=self.rows)
        if self.reduce not in (None, "mean", "first"):
            raise ParameterError("Reduce must be mean, first or nothing. Got {reduce!r}.", reduce=self.reduce)
        if not isinstance(self.fold, bool):
            raise ParameterError("Fold must be true or false. Got {fold!r}.", fold=self.fold)


@dataclass(frozen=True)
class Ignored:
    """A column that no question may touch."""


Declaration = Number | Category | Person | Ignored
KINDS: dict[str, type[Any]] = {"number": Number, "category": Category, "person": Person, "ignored": Ignored}


def check_name(name: str) -> str:
    """Return a column name, or say why it cannot be one."""
    if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME:
        raise ParameterError("A column name must have 1 to {longest_name} characters.", longest_name=LONGEST_NAME)
    if any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in name):
        raise ParameterError("A column name must not hold control or direction characters.")
    return name


@dataclass(frozen=True)
class Schema:
    """The declarations of a dataset by column name. At most one column names the person."""

    columns: Mapping[str, Declaration] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check names, and that one column at most is the person."""
        object.__setattr__(self, "columns", dict(self.columns))
        for name in self.columns:
            check_name(name)
        if sum(isinstance(d, Person) for d in self.columns.values()) > 1:
            raise ParameterError("Only one column can name the person.")
        for name, declared in self.columns.items():
            if isinstance(declared, Number):
                self.bounds(name)  # a finer grid that cannot be is refused here

    @property
    def person(self) -> tuple[str, Person] | None:
        """The column that names the person, if there is one."""
        found = [(n, d) for n, d in self.columns.items() if isinstance(d, Person)]
        return found[0] if found else None

    @property
    def rows_per_person(self) -> int:
        """How many rows of one person may count in an answer."""
        person = self.person
        return 1 if person is None or person[1].reduce else person[1].rows

    def bounds(self, name: str) -> Bounds:
        """Return the grid of a number column as it is read: finer where persons have one mean."""
        declared = self.columns.get(name)
        if not isinstance(declared, Number):
            raise ParameterError("Column {name!r} is not declared as a number.", name=name)
        person = self.person
        reduced = person is not None and person[1].reduce == "mean"
        return Means(declared.bounds).bounds if reduced else declared.bounds

    def to_json(self) -> str:
        """Write the declaration as text that `from_json` reads back exactly."""
        told = {name: _plain(declared) for name, declared in self.columns.items()}
        return json.dumps({"discreet": 1, "columns": told}, indent=1, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Schema:
        """Read a declaration; every error names the column and what to do."""
        try:
            told = json.loads(text)
            columns = dict(told["columns"])
        except (ValueError, TypeError, KeyError):
            raise ParameterError("This is no declaration file. Export one to see what it looks like.") from None
        return cls({name: _declared(name, fields_) for name, fields_ in columns.items()})

    @property
    def digest(self) -> str:
        """A hash of the whole declaration."""
        return sha256(self.to_json().encode()).hexdigest()


def _plain(declared: Declaration) -> dict[str, Any]:
    kind = next(name for name, made in KINDS.items() if type(declared) is made)
    told = {f.name: getattr(declared, f.name) for f in fields(declared)}
    if told.get("fold") is False:
        del told["fold"]  # what was written before there was a choice keeps its hash
    return {"kind": kind, **{k: list(v) if isinstance(v, tuple) else v for k, v in told.items()}}


def _declared(name: str, told: Any) -> Declaration:
    if not isinstance(told, dict) or told.get("kind") not in KINDS:
        raise ParameterError("Column {name!r}: kind must be one of {choices}.", name=name, choices=", ".join(KINDS))
    made = KINDS[told["kind"]]
    known = {f.name for f in fields(made)}
    given = {key: value for key, value in told.items() if key != "kind"}
    if not set(given) <= known:
        raise ParameterError("Column {name!r}: only {choices} can be set.", name=name, choices=", ".join(sorted(known)))
    try:
        declared: Declaration = made(**given)
    except (TypeError, ParameterError) as error:
        raise ParameterError("Column {name!r}: {error}", name=name, error=error.args[0]) from None
    return declared
