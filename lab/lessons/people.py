"""People: a small town that does not exist, the same every time, for the lessons on attacks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from discreet.lab.simulation import SimulationNoise
from discreet.rows.columns import Category, Number
from discreet.rows.open_data import OpenData
from discreet.rows.schema import Schema
from discreet.rows.source import LocalSource

SEED = 1729
PEOPLE = 2000
SMOKERS = 900
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
    """Who lives there, and who smokes."""

    names: tuple[str, ...]
    smokes: NDArray[np.bool_]

    def has(self, name: str) -> bool:
        """Say whether a person smokes: what no answer should tell."""
        return bool(self.smokes[self.names.index(name)])


@lru_cache(maxsize=1)
def town() -> Town:
    """Return 2,000 people, of whom exactly 900 smoke; every name occurs once."""
    u = SimulationNoise(SEED).uniforms(2, max(PEOPLE, WORDS.size))
    names = WORDS[np.argsort(u[0][: WORDS.size])][:PEOPLE]
    smokes = np.zeros(PEOPLE, dtype=bool)
    smokes[np.argsort(u[1][:PEOPLE])[:SMOKERS]] = True
    return Town(tuple(map(str, names)), smokes)


@lru_cache(maxsize=1)
def survey() -> OpenData:
    """Return the town as an open dataset that can be asked like any other."""
    people = town()
    table = pa.table(
        {
            "name": list(people.names),
            "smokes": ["yes" if smokes else "no" for smokes in people.smokes],
            "one": np.ones(PEOPLE, dtype=np.int64),
        }
    )
    schema = Schema(
        {"name": Category(people.names), "smokes": Category(("yes", "no")), "one": Number(0, 1, integer=True)}
    )
    return OpenData(LocalSource(table), schema)
