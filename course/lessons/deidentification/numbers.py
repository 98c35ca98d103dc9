"""Numbers of lesson 1: a simulated town, and who can be found in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from discreet.lab.samples import census_table
from discreet.lab.simulation import SimulationNoise
from discreet.queries.bounds import FloatArray, IntArray
from discreet.rows.columns import Category, Number
from discreet.rows.dataset import OpenData
from discreet.rows.schema import Schema
from discreet.rows.source import LocalSource
from discreet.ui.figures import people
from discreet.ui.session.own_table import OwnTable

# Town: simulated people, always equal, for the lessons on attacks.

TOWN_SEED = 1729
PEOPLE = 2000
SMOKERS = 900
MIA = 6  # her place in the town: the person who may be left out
FIRST = (
    "Alo",
    "Bera",
    "Cuno",
    "Deka",
    "Elpi",
    "Fano",
    "Gira",
    "Hedu",
    "Ilva",
    "Jomi",
    "Kelu",
    "Lora",
    "Mivo",
    "Nalu",
    "Oske",
    "Pavi",
    "Quno",
    "Reda",
    "Suma",
    "Tilo",
)
MIDDLE = ("ban", "cer", "dol", "far", "gim", "hun", "kel", "lum", "mar", "nos")
LAST = ("ado", "eki", "ilo", "ora", "umi", "esh", "ant", "ovi", "ung", "yra")
WORDS = np.array([f"{a} {b.capitalize()}{c}" for a in FIRST for b in MIDDLE for c in LAST])


@dataclass(frozen=True)
class Town:
    """The people of the town, and who smokes."""

    names: tuple[str, ...]
    smokes: NDArray[np.bool_]

    def has(self, name: str) -> bool:
        """Whether a person smokes: the secret that no result should reveal."""
        return bool(self.smokes[self.names.index(name)])


@lru_cache(maxsize=1)
def town() -> Town:
    """Return 2,000 people with exactly 900 smokers; every name occurs once."""
    u = SimulationNoise(TOWN_SEED).uniforms(2, max(PEOPLE, WORDS.size))
    names = list(map(str, WORDS[np.argsort(u[0][: WORDS.size])][:PEOPLE]))
    names[MIA] = f"{people.MIA} {names[MIA].split()[1]}"
    smokes = np.zeros(PEOPLE, dtype=bool)
    smokes[np.argsort(u[1][:PEOPLE])[:SMOKERS]] = True
    return Town(tuple(names), smokes)


@lru_cache(maxsize=1)
def survey() -> OpenData:
    """Return the town as a public dataset that can be queried like any other."""
    everyone = town()
    table = pa.table(
        {
            "name": list(everyone.names),
            "smokes": ["yes" if smokes else "no" for smokes in everyone.smokes],
            "one": np.ones(PEOPLE, dtype=np.int64),
        }
    )
    schema = Schema(
        {"name": Category(everyone.names), "smokes": Category(("yes", "no")), "one": Number(0, 1, integer=True)}
    )
    return OpenData(LocalSource(table), schema)


# De-identification: who can be found in a table without names, and what it costs to hide them.

SEED = 1854
PATIENTS = 1000
HER_ROW = 11  # from 0
SAFE = 5
AGES = 100
OLDEST = 79
OPEN_END = 60
WIDTHS = (1, 2, 5, 10, 20, 40, 100)
DIGITS = 5
SIZES = (1, 2, 5, 10, 20)
CENSUS = ("age", "sex", "education_years", "occupation", "marital_status", "hours")
ILLNESS_SHARES = (0.26, 0.22, 0.2, 0.14, 0.1, 0.08)
LARGEST_CODE = 2**62

# a postcode is 62, then a district, a quarter and a street: 4 x 3 x 4 codes of different frequency
DISTRICTS = (0.4, 0.25, 0.2, 0.15)
QUARTERS = (0.4, 0.35, 0.25)
STREETS = (0.3, 0.3, 0.2, 0.2)
CODES = np.array([62000 + 100 * a + 10 * b + c for a in range(1, 5) for b in range(1, 4) for c in range(1, 5)])


@dataclass(frozen=True)
class Register:
    """The public columns of everyone in the town, in the order of the town's names."""

    age: IntArray
    sex: IntArray
    postcode: IntArray
    birthday: IntArray

    def columns(self, names: Collection[str], rows: IntArray | None = None) -> list[IntArray]:
        """Return the named columns, of all people or of some."""
        chosen = slice(None) if rows is None else rows
        return [np.asarray(getattr(self, name))[chosen] for name in names]


@dataclass(frozen=True)
class Hospital:
    """A table without names: the positions of its rows in the register (secret) and the illnesses."""

    persons: IntArray
    illness: IntArray


def _among(shares: Sequence[float], uniform: FloatArray) -> IntArray:
    return np.asarray(np.searchsorted(np.cumsum(shares[:-1]), uniform), dtype=np.int64)


@lru_cache(maxsize=1)
def register() -> Register:
    """Return the public register of the town, where the highest age is 79."""
    u = SimulationNoise(SEED).uniforms(6, PEOPLE)
    digits = [_among(s, u[3 + i]) + 1 for i, s in enumerate((DISTRICTS, QUARTERS, STREETS))]
    return Register(
        age=np.floor((OLDEST + 1) * u[0] ** 1.2).astype(np.int64),
        sex=(u[1] < 0.5).astype(np.int64),
        postcode=62000 + 100 * digits[0] + 10 * digits[1] + digits[2],
        birthday=np.floor(365 * u[2]).astype(np.int64),
    )


@lru_cache(maxsize=1)
def hospital() -> Hospital:
    """Return half of the town as patients in random order, with one illness each; Mia is in the 12th row."""
    u = SimulationNoise(SEED + 1).uniforms(2, PEOPLE)
    persons = np.argsort(u[0])[:PATIENTS]
    hers = int(np.argmax(persons == MIA))
    persons[[HER_ROW, hers]] = persons[[hers, HER_ROW]]
    return Hospital(persons, _among(ILLNESS_SHARES, u[1][:PATIENTS]))


@lru_cache(maxsize=1)
def census_columns() -> dict[str, IntArray]:
    """Return the harmless columns of the census sample, every value as a small whole number."""
    table = census_table()
    return {name: numbered(table[name].to_numpy()) for name in CENSUS}


def numbered(values: object) -> IntArray:
    """Return the index of every value among the distinct values."""
    return np.asarray(np.unique(np.asarray(values), return_inverse=True)[1], dtype=np.int64)


def combined(columns: Sequence[IntArray], rows: int) -> IntArray:
    """Return one whole number per row; two rows have equal numbers exactly if they agree in all columns."""
    code = np.zeros(rows, dtype=np.int64)
    span = 1
    for column in columns:
        low = int(column.min())
        width = int(column.max()) - low + 1
        if span * width > LARGEST_CODE:
            code = numbered(code)
            span = int(code.max()) + 1
        code, span = code * width + (column - low), span * width
    return code


def group_sizes(columns: Sequence[IntArray], rows: int) -> IntArray:
    """Return for every row how many rows agree with it, including itself."""
    code = combined(columns, rows)
    _, place, counts = np.unique(code, return_inverse=True, return_counts=True)
    return np.asarray(counts[place])


def by_size(sizes: IntArray) -> IntArray:
    """Return how many people are in groups of 1, 2-4, 5-9, 10-19, and 20 or more."""
    return np.bincount(np.searchsorted(SIZES, sizes, side="right") - 1, minlength=len(SIZES))


@dataclass(frozen=True)
class Joined:
    """For every row of a first table: how many rows agree in each table, and one matching row of the second.

    `partner` is -1 without a match.
    """

    here: IntArray
    there: IntArray
    partner: IntArray

    @property
    def recognised(self) -> IntArray:
        """The rows that are unique in both tables."""
        return np.flatnonzero((self.here == 1) & (self.there == 1))


def join(first: Sequence[IntArray], second: Sequence[IntArray], rows: tuple[int, int]) -> Joined:
    """Join two tables on all the given columns."""
    pairs = zip(first, second, strict=True)
    both = [np.concatenate((a, b)) for a, b in pairs]
    place = numbered(combined(both, sum(rows)))
    here = place[: rows[0]]
    there = place[rows[0] :]
    groups = int(place.max()) + 1
    partner = np.full(groups, -1, dtype=np.int64)
    partner[there[::-1]] = np.arange(rows[1])[::-1]
    return Joined(np.bincount(here, minlength=groups)[here], np.bincount(there, minlength=groups)[here], partner[here])


def attack(names: Collection[str]) -> Joined:
    """Join the hospital's table with the public register on the named columns."""
    list_ = register()
    return join(list_.columns(names, hospital().persons), list_.columns(names), (PATIENTS, PEOPLE))


def name_of(person: int) -> str:
    """Return the name of a row of the register."""
    return town().names[person]


def census_sizes(names: Collection[str]) -> IntArray:
    """Return the group size of everyone in the census sample for the named columns."""
    columns = census_columns()
    return group_sizes([columns[name] for name in names], columns["age"].size)


def own_sizes(table: OwnTable, names: Collection[str]) -> IntArray:
    """Return the group size of everyone in the table of a class for the named columns."""
    return group_sizes([numbered(table.written[name]) for name in names], table.rows)


@dataclass(frozen=True)
class Published:
    """A generalised table: its smallest group, the people in small groups, and the loss of detail."""

    k: int
    below: int
    lost: float


def generalised(width: int, digits: int, with_sex: bool) -> Published:
    """Publish the hospital's ages in groups, the first digits of postcodes, optionally the sex."""
    age, postcode, sex = register().columns(("age", "postcode", "sex"), hospital().persons)
    columns = [age // width, postcode // 10 ** (DIGITS - digits)] + [sex] * with_sex
    sizes = group_sizes(columns, PATIENTS)
    lost = (ages_lost(age, width) + postcodes_lost(postcode, digits) + (not with_sex)) / 3
    return Published(int(sizes.min()), int((sizes < SAFE).sum()), lost)


def ages_lost(age: IntArray, width: int) -> float:
    """Return the mean share of the other 99 ages that a published age may also be."""
    low = age // width * width
    left = np.minimum(low + width, AGES) - low
    return float(np.mean(left - 1)) / (AGES - 1)


def postcodes_lost(postcode: IntArray, digits: int) -> float:
    """Return the mean share of the other postcodes that a shortened postcode may also be."""
    cut = 10 ** (DIGITS - digits)
    left = (CODES[None, :] // cut == postcode[:, None] // cut).sum(axis=1)
    return float(np.mean(left - 1)) / (CODES.size - 1)


@dataclass(frozen=True)
class Crowd:
    """The smallest group for every width of age groups, with and without one more person."""

    within: tuple[int, ...]
    without: tuple[int, ...]

    @staticmethod
    def needed(ks: Sequence[int]) -> int:
        """Return the smallest width of age groups with a safe k; at most the width that hides every age."""
        return next(w for w, k in zip(WIDTHS, ks, strict=True) if k >= SAFE)


def outlier(age: int, open_end: bool) -> Crowd:
    """Add one woman of an age to the hospital's table, which has ages in groups and the sex.

    With an open end, everyone of 60 or more is in the group of 60.
    """
    others, sexes = register().columns(("age", "sex"), hospital().persons)
    ages = np.append(others, age)
    sex = np.append(sexes, 1)
    if open_end:
        ages = np.minimum(ages, OPEN_END)
    tables = [(ages // width, sex) for width in WIDTHS]
    return Crowd(
        tuple(int(group_sizes(table, PATIENTS + 1).min()) for table in tables),
        tuple(int(group_sizes([c[:-1] for c in table], PATIENTS).min()) for table in tables),
    )
