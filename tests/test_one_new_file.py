"""A new statistic or mechanism is one new file: nothing else is touched."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FLOORS = ("budget", "queries", "mechanisms", "rows", "curator", "lab", "office", "ui")

NEW_QUERY = '''
"""The share of rows in the upper half of the bounds."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from discreet.queries.query import Query


@dataclass(frozen=True)
class UpperShare(Query):
    """Rows in the upper half over a public hundred: moves by 1/100 a row."""

    name: ClassVar[str] = "upper share"
    label: ClassVar[str] = "Upper share"

    def value(self, column):
        return float(column.counts[2 * column.levels > column.bounds.top].sum()) / 100

    def empty(self, bounds):
        return 0.0

    def row_sensitivity(self, bounds):
        return 0.01

    def row_ladder(self, column, k):
        return np.full(k.shape, 0.01)

    def unit(self, column):
        return "hundreds"
'''
NEW_MECHANISM = '''
"""Noise on a stair, around any statistic."""

from dataclasses import dataclass
from typing import ClassVar

from discreet.budget import Cost, Phrase
from discreet.mechanisms.families import SMOOTH, Family
from discreet.mechanisms.laws import Noisy
from discreet.mechanisms.accuracy import Forecast
from discreet.mechanisms.one_statistic import OneStatistic
from discreet.mechanisms.noises import EXACT, Noise
from discreet.mechanisms.parameters import epsilon_parameter, parameter, statistic
from discreet.mechanisms.shapes import Laplace
from discreet.queries import Query
from discreet.queries.mean import Mean


@dataclass(frozen=True)
class Stair(OneStatistic):
    """Stand on a stair.

    Guarantee: none. Proof: none. Reference: none. Corner cases: none.
    """

    slug: ClassVar[str] = "stair"
    title: ClassVar[str] = "Stair"
    family: ClassVar[Family] = SMOOTH
    noise: ClassVar[Noise] = Noise(Phrase("staircase noise"), EXACT)
    after: ClassVar[Phrase] = Phrase("The answer goes up a stair.")

    query: Query = statistic(Mean)
    epsilon: float = epsilon_parameter()
    steps: int = parameter("Steps", 1, 9, default=3, help="Up.", shown=Phrase("{value} steps"))

    def cost(self):
        return Cost.of(self.epsilon)

    def law(self, data):
        return Noisy(self.query.exact(data), 0.01 / self.epsilon, Laplace())

    def forecast(self, public, confidence=0.95):
        return Forecast(None, "It is a stair.")
'''
USE = """
import json

import numpy as np

from discreet.curator import Request
from discreet.rows import LocalSource, Number, Schema
from discreet.lab.contest import Ground, contenders
from discreet.lab.report.meaning import no_interval
from discreet.office.method import method, unprotected
from discreet.office.registration import Policy, Registration
from discreet.lab.scenario import Scenario
from discreet.budget import Cost
from discreet.mechanisms import registry
from discreet.queries import Bounds, Column, registry as queries
from discreet.ui.frame.faces import asked_on, face
from discreet.ui.figures.look import _places
from discreet.ui.ask.topics import methods
from discreet.ui.frame.units import unit_of

column = Column.from_values(Bounds(0, 100, integer=True), np.arange(80))
query = queries["upper share"]()
law = registry["stair"](query=query).law(column)
assert abs(float(law.quantile(0.5)) - 0.29) < 1e-9, law

request = Request(registry["stair"](query=query), ("age",))
schema = Schema({"age": Number(0, 100, unit="years", origin="an age")})
registration = Registration("x", schema, Cost.of(1), "somewhere", "consent", alone=True)
card = method(request, "program")
assert card["noise"] == "staircase noise" and "exact sampler" in card["noise_source"], card
assert card["post_processing"] == "The answer goes up a stair."
assert "smooth bound" in card["depends_on_the_data"]
assert [told["label"] for told in card["parameters"]] == ["Statistic", "Epsilon", "Steps"]
assert "3 steps" in unprotected(request, registration)
assert "stays private" in no_interval(request)
assert unit_of(request, schema) == " hundreds"
Policy(families=("smooth",)).check(request, Cost.of("0.1"), "2026-01-01")

kind = registry["stair"]
assert kind in methods([kind.family], "upper share")
assert asked_on(request.mechanism) == "smooth_sensitivity"
assert face(kind.family).hues and len({_places()[s] for s in registry}) == len(registry)
stand = Ground.of(Scenario(Bounds(0, 100), 50))
assert "stair" in [one.slug for one in contenders(query, Cost.of(1), stand)]
print("found")
"""


def test_a_new_statistic_and_a_new_mechanism_are_found_by_lying_in_their_folder(tmp_path: Path) -> None:
    """Two files in a copy: asked, compared, coloured, and on a card in their own words."""
    for folder in ("discreet", *FLOORS):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / "queries" / "upper_share.py").write_text(NEW_QUERY, encoding="utf-8")
    (tmp_path / "mechanisms" / "stair.py").write_text(NEW_MECHANISM, encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", USE], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "found", done.stderr
