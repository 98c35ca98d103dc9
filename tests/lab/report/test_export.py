"""Exports: nothing a spreadsheet would execute, nothing that was not released, scripts that run."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Request
from discreet.lab.report.export import release_record, releases_json
from discreet.lab.report.script import script
from discreet.lab.report.sheets import ledger_csv, releases_csv, safe_csv
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.gaussian import AnalyticGaussian
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.sample_aggregate import BlocksMedian
from discreet.mechanisms.selection import PermuteAndFlip
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries import Relation
from discreet.queries.mean import Mean
from discreet.queries.quantile import Quantile
from discreet.queries.scores import Bins
from discreet.queries.trimmed import TrimmedMean
from discreet.rows import Category, Dataset, Filter, LocalSource, Number, Schema

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = Schema({"=age": Number(0, 90, integer=True), "@town": Category(("=1+1", "-b"))})
FILE = "=age,@town\n" + "".join(f"{i % 80},{('=1+1', '-b')[i % 2]}\n" for i in range(400))
QUESTIONS = {
    "filtered": Request(SmoothCoreTail(Mean(), 0.3, 16), ("=age",), (Filter("=age", ">=", 3),)),
    "grouped": Request(AnalyticGaussian(Mean(), 0.2, 1e-7), ("=age",), by="@town"),
    "quantile": Request(SmoothCoreTail(Quantile(q="0.9"), 0.3), ("=age",)),
    "trimmed": Request(SmoothCoreTail(TrimmedMean(resize=300), 0.3), ("=age",)),
    "tested": Request(ProposeTestRelease(Mean(Relation(rows=1)), 0.5, 1e-6, 0.9), ("=age",)),
    "chosen": Request(PermuteAndFlip(epsilon=0.2), ("@town",)),
    "binned": Request(CountsGeometric(epsilon=0.2, bins=Bins((0.0, 30.0, 90.0))), ("=age",)),
    "blocks": Request(BlocksMedian(estimator="quantile:0.9", k=20, upper=90.0, epsilon=0.4), ("=age",)),
    "levels": Request(SmoothCoreTail(Mean(), 0.1, 16), ("=age",), (Filter("@town", "in", ("=1+1",)),)),
}


def curator() -> Curator:
    """Return who answers for the file."""
    dataset = Dataset(LocalSource(FILE.encode()), SCHEMA)
    return Curator(dataset, SessionLedger(Cost.of(20, "1e-4")), tick=0)


def test_no_cell_of_an_export_starts_a_formula() -> None:
    """Names, levels and texts that a spreadsheet would execute get an apostrophe."""
    asked = curator()
    for request in QUESTIONS.values():
        asked.ask(request)
    text = releases_csv(asked.releases, SCHEMA) + ledger_csv(asked.ledger.entries)
    for line in csv.reader(io.StringIO(text)):
        for cell in line:
            number = cell.lstrip("-").replace(".", "", 1).replace("e-", "", 1).isdigit()
            assert number or not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert "'=1+1" in text and "'=age" in text
    assert safe_csv(["+a"], [["\t=x"]]).startswith("'+a")
    assert safe_csv(["\uff1d1+1"], [["\uff0d1"], ["\uff20a"], ["\uff0b1"]]).count("'") == 4


def test_a_record_tells_everything_that_was_released_and_nothing_else() -> None:
    """JSON holds question, answer, interval, cost and entry of every release."""
    asked = curator()
    for name, request in QUESTIONS.items():
        release = asked.ask(request)
        told = json.loads(json.dumps(release_record(release, SCHEMA)))
        assert told["id"] == release.id and told["cost"]["epsilon"] == release.cost.epsilon, name
        assert set(told) == {
            "id",
            "question",
            "mechanism",
            "columns",
            "by",
            "where",
            "answer",
            "refused",
            "interval",
            "as_read",
            "cost",
            "ledger_entry",
            "at",
        }
    whole = json.loads(releases_json(asked.releases, SCHEMA))
    assert len(whole["releases"]) == len(QUESTIONS)


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_script_asks_the_same_question(tmp_path: Path, name: str) -> None:
    """The script builds the very same request, by its identity, and its release is charged."""
    request, file = QUESTIONS[name], tmp_path / "rows.csv"
    file.write_text(FILE, encoding="utf-8")
    code = script(request, SCHEMA, Cost.of(5, "1e-5"))
    scope: dict[str, Any] = {}
    argv, sys.argv = sys.argv, ["ask.py", str(file)]
    try:
        exec(compile(code, "ask.py", "exec"), scope)
    finally:
        sys.argv = argv
    assert scope["request"].identity == request.identity
    assert scope["curator"].ledger.spent == scope["release"].cost


def test_a_script_runs_by_itself(tmp_path: Path) -> None:
    """As a person would: python ask.py rows.csv, beside the program."""
    file, code = tmp_path / "rows.csv", tmp_path / "ask.py"
    file.write_text(FILE, encoding="utf-8")
    code.write_text(script(QUESTIONS["filtered"], SCHEMA, Cost.of(5)), encoding="utf-8")
    told = subprocess.run(
        [sys.executable, str(code), str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT)},
        check=True,
    )
    assert "ε = 0.3" in told.stdout
