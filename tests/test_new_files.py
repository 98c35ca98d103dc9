"""A new format, kind of column or rule of accounting is one new file (a kind: and one of widgets)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NEW = Path(__file__).with_name("new_files")
FLOORS = ("budget", "queries", "mechanisms", "rows", "curator", "lab", "office", "ui")
FORMAT = """
from discreet.budget import ParameterError
from argparse import ArgumentParser
from discreet.command import spending
from discreet.rows import LocalSource
from discreet.rows import scanned
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
print("found")
"""
KIND = """
import pandas as pd
import pyarrow as pa

from discreet.curator import Curator, Request
from discreet.rows import Filter, LocalSource, Number, OpenData, Person, Schema
from discreet.lab.simulation import SimulationNoise
from discreet.lab.report.script import script
from discreet.lab.report.sheets import releases_csv
from discreet.budget import Cost, SessionLedger
from discreet.lab.report.meaning import parts
from discreet.lab import preview
from discreet.mechanisms import registry
from discreet.mechanisms.selection import MOST_COMMON
from discreet.office.registration import Registration
from discreet.queries.mean import Mean
from discreet.rows.columns.flag import Flag
from discreet.ui import kinds
from discreet.ui.data import declare
from discreet.ui.ask.topics import fitting

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
assert "rows in which smokes is neither yes nor no left out" in text, text
assert "smokes" in script(chosen.request, schema, Cost.of(1))
assert Registration("x", schema, Cost.of(1), "somewhere", "consent", alone=True).schema == schema
print("found")
"""
RULE = """
from discreet.budget import BudgetExceeded, Cost, SessionLedger, RULES
from discreet.budget.durable import Store, open_budget, verify
from discreet.mechanisms import registry
from discreet.office import cards, spending
from discreet.office.registration import Registration
from discreet.curator import Request
from discreet.rows import Number, Schema
from discreet.ui.frame import accounting

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
print("found")
"""


@pytest.mark.parametrize(
    ("files", "use"),
    [
        (["rows/files/record_jar.py"], FORMAT),
        (["rows/columns/flag.py", "ui/kinds/flag.py"], KIND),
        (["budget/rules/order_ten.py"], RULE),
    ],
    ids=["format", "kind", "rule"],
)
def test_a_new_format_kind_or_rule_is_found_by_lying_in_its_folder(files: list[str], use: str, tmp_path: Path) -> None:
    """In a copy of the house: read, asked, charged, and named in sentences, forms, exports and cards."""
    for folder in ("discreet", *FLOORS):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in files:
        shutil.copy(NEW / name, tmp_path / name)
    done = subprocess.run([sys.executable, "-c", use], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "found", done.stderr
