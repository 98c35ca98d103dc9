"""A new format, kind of column, rule, statistic or mechanism is one new file (a kind: and one of widgets)."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.floors import FLOORS

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[1]
NEW = Path(__file__).with_name("new_files")
FORMAT = """
from discreet.budget import ParameterError
from argparse import ArgumentParser
from discreet.command import spending
from discreet.rows import LocalSource
from discreet.rows.intake import opening as scanned
from discreet.rows.files import Layout, accepted, suggest

ROWS = b"%%\\nage: 30\\ntown: a, b\\n%%\\ntown: x\\n%%\\nage: 2.5\\nmore: 1\\n"
READ = [("30", "a, b"), (None, "x"), ("2.5", None)]


def cells(batch):
    return list(zip(*(column.to_pylist() for column in batch.columns)))


def refused(data):
    try:
        LocalSource(data)
    except ParameterError as wrong:
        return str(wrong)


layout = suggest(ROWS)
assert layout == Layout("record-jar"), layout
assert str(accepted()).endswith(" or record jars."), str(accepted())
parser = ArgumentParser()
spending.add_to(parser)
assert "record jars" in " ".join(parser.format_help().split())
assert LocalSource(ROWS).map(cells, ["age", "town"], []) == READ
open("rows.jar", "wb").write(ROWS)
scanned.SPOOL = 1
assert LocalSource("rows.jar").map(cells, ["age", "town"], []) == READ
assert "is no cell" in refused(ROWS + b"17\\n") and "is no cell" in refused(b"%%\\noh")
print("found: format")
"""
KIND = """
import pandas as pd
import pyarrow as pa

from discreet.curator import Curator, Request
from discreet.rows import Filter, LocalSource, Number, OpenData, Person, Schema
from discreet.lab.simulation import SimulationNoise
from discreet.report.programs import script
from discreet.report.tables import releases_csv
from discreet.budget import Cost, SessionLedger
from discreet.report.words import parts
from discreet.lab import explain as preview
from discreet.mechanisms import registry
from discreet.mechanisms.selection import MOST_COMMON
from discreet.office.rules.registration import Registration
from discreet.queries.mean import Mean
from discreet.rows.columns.flag import Flag
from discreet.ui import kinds
from discreet.ui.data import table as declare
from discreet.ui.ask.form import fitting

# what is typed becomes a declaration, which survives its file
lines = declare.lines_of(Schema({}), ["smokes", "age"])
lines.loc[0, "kind"], lines.loc[0, "silent"] = "flag", True
lines.loc[1, "lower"], lines.loc[1, "upper"] = 0.0, 90.0
typed = declare.schema_of(lines)
assert typed == Schema({"smokes": Flag(silent=True), "age": Number(0, 90)}), typed
assert Schema.from_json(typed.to_json()) == typed
assert declare.schema_of(declare.lines_of(typed, ["smokes", "age"])) == typed
assert list(declare.reading(typed)["Declared"])[0] == "yes or no"

# cells become codes; filters, groups, choices and counts are of them
schema = Schema({"smokes": Flag(), "age": Number(0, 90, origin="a life", integer=True)})
table = pa.table({"smokes": ["Yes", "no", "0", "maybe", "TRUE", None], "age": [10, 20, 30, 40, 50, 60]})
data = OpenData(LocalSource(table), schema)
assert preview.counts(data, "smokes").counts.tolist() == [2, 2]
assert fitting(schema, MOST_COMMON) == ["smokes", "age"] and schema.askable == ["smokes", "age"]
curator = Curator(data, SessionLedger(Cost.of(9)), SimulationNoise(1))
mean = registry["laplace"](query=Mean(), epsilon=1.0)
grouped = curator.ask(Request(mean, ("age",), (Filter("smokes", "!=", "no"),), by="smokes"))
assert [label for label, _ in grouped.answer] == ["no", "yes"] == list(parts(grouped.request, schema))
chosen = curator.ask(Request(registry["exponential-mechanism"](epsilon=1.0), ("smokes",)))
assert chosen.answer in ("no", "yes")

# what leaves says as what the cells count
text = releases_csv([grouped, chosen], schema)
assert "rows in which smokes is neither yes nor no dropped" in text, text
assert "smokes" in script(chosen.request, schema, Cost.of(1))
assert Registration("x", schema, Cost.of(1), "somewhere", "consent", alone=True).schema == schema
print("found: kind")
"""
RULE = """
from discreet.budget import BudgetExceeded, Cost, SessionLedger, RULES
from discreet.budget.durable import Store, open_budget, verify
from discreet.mechanisms import registry
from discreet.office.cards import cards
from discreet.office.rules.registration import Registration
from discreet.curator import Request
from discreet.rows import Number, Schema
from discreet.ui.frame import results as accounting

rule, limit = RULES["Ten"], Cost.of(4, "1e-4")
store = Store("sqlite:///ledgers.db")
store.prepare()
asked = []
accounting.st.selectbox = lambda label, names, first, _, **more: asked.append((names, first, more["help"]))
accounting.choice()
assert sorted(asked[0][0]) == ["Basic", "Rényi", "Ten", "zCDP"], asked
assert asked[0][0][asked[0][1]] == "Basic" and "Order ten suits a lesson" in asked[0][2]
gaussian = Request(registry["gaussian"](epsilon=0.1, delta=1e-7), ("age",))
session, durable = SessionLedger(limit, rule), open_budget(store, "people", limit, rule)
for ledger in (session, durable):
    count = 0
    try:
        while True:
            ledger.charge(str(count), gaussian.cost(), account=gaussian.account())
            count += 1
    except BudgetExceeded:
        pass
    assert count > 60, count
    assert ledger.spent.fits_in(limit) and ledger.rule is rule
assert session.entries[-1].total == durable.entries[-1].total
assert verify(store, "people").holds
schema = Schema({"age": Number(0, 90, origin="a life")})
registration = Registration("x", schema, limit, "somewhere", "consent", rule=rule.name, alone=True)


class Asked:
    request, cost = gaussian, gaussian.cost()


assert cards._variant(registration, Asked) == ("Rényi DP", gaussian.account().rho)
print("found: rule")
"""


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
from discreet.mechanisms.base.vocabulary import SMOOTH, Family
from discreet.mechanisms.laws.law import Noisy
from discreet.mechanisms.base.vocabulary import Forecast
from discreet.mechanisms.base.mechanism import OneStatistic
from discreet.mechanisms.base.vocabulary import EXACT, Noise
from discreet.mechanisms.base.vocabulary import epsilon_parameter, parameter, statistic
from discreet.mechanisms.laws.law import Laplace
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
STAIR = """
import json

import numpy as np

from discreet.curator import Request
from discreet.rows import LocalSource, Number, Schema
from discreet.lab.contest import Ground, contenders
from discreet.report.words import no_interval
from discreet.office.cards.method import method, unprotected
from discreet.office.rules.registration import Policy, Registration
from discreet.lab.contest import Scenario
from discreet.budget import Cost
from discreet.mechanisms import registry
from discreet.queries import Bounds, Column, registry as queries
from discreet.ui.frame.families import asked_on, face
from discreet.ui.figures.theme import _places
from discreet.ui.ask.form import methods
from discreet.ui.frame.words import unit_of

column = Column.from_values(Bounds(0, 100, integer=True), np.arange(80))
query = queries["upper share"]()
law = registry["stair"](query=query).law(column)
assert abs(float(law.quantile(0.5)) - 0.29) < 1e-9, law

request = Request(registry["stair"](query=query), ("age",))
schema = Schema({"age": Number(0, 100, unit="years", origin="an age")})
registration = Registration("x", schema, Cost.of(1), "somewhere", "consent", alone=True)
card = method(request, "program")
assert card.noise == "staircase noise" and "exact sampler" in card.noise_source, card
assert card.post_processing == "The answer goes up a stair."
assert "smooth bound" in card.depends_on_the_data
assert [told.label for told in card.parameters] == ["Statistic", "ε", "Steps"]
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
print("found: statistic and mechanism")
"""
FILES = ("rows/files/record_jar.py", "rows/columns/flag.py", "ui/kinds/flag.py", "budget/rules/order_ten.py")
USES = {"format": FORMAT, "kind": KIND, "rule": RULE, "statistic and mechanism": STAIR}
# all of them in one process: what takes longest is to import the house
WALK = """
import json, sys, traceback
for name, use in json.loads(sys.stdin.read()).items():
    try:
        exec(compile(use, name, "exec"), {"__name__": "__main__"})
    except BaseException:
        print(name, traceback.format_exc())
"""


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Lay one of each into a copy of the house; return what is said of them all."""
    house = tmp_path_factory.mktemp("house")
    for folder in ("discreet", *FLOORS[:-1]):
        shutil.copytree(
            ROOT / folder, house / folder, symlinks=True
        )  # compiled as it is: the times of files are the same
    for name in FILES:
        shutil.copy(NEW / name, house / name)
    (house / "queries" / "upper_share.py").write_text(NEW_QUERY, encoding="utf-8")
    (house / "mechanisms" / "stair.py").write_text(NEW_MECHANISM, encoding="utf-8")
    command = [sys.executable, "-c", WALK]
    done = subprocess.run(
        command, cwd=house, input=json.dumps(USES), capture_output=True, text=True, timeout=300, check=True
    )
    return done.stdout


@pytest.mark.parametrize("new", USES)
def test_what_is_new_is_found_by_lying_in_its_folder(new: str, walked: str) -> None:
    """In a copy of the house: read, asked, charged, compared, and named in sentences, forms, exports and cards."""
    assert f"found: {new}\n" in walked, walked
