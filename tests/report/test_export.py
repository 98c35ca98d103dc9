"""Exports: nothing a spreadsheet would execute, nothing that was not released, scripts that run."""

from __future__ import annotations

import csv
import io
import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from discreet.budget import Cost, SessionLedger
from discreet.command.spending import lines as printed
from discreet.curator import Curator, Request
from discreet.mechanisms import Public
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.gaussian import AnalyticGaussian
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.mechanisms.sample_aggregate import BlocksMedian
from discreet.mechanisms.selection import PermuteAndFlip
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries import Relation
from discreet.queries.column import Bins
from discreet.queries.mean import Mean
from discreet.queries.quantile import Quantile
from discreet.queries.trimmed import TrimmedMean
from discreet.report.export import release_record, releases_json
from discreet.report.programs import script
from discreet.report.tables import ledger_csv, releases_csv, safe_csv
from discreet.rows import Bands, Category, Dataset, Filter, LocalSource, Number, Recode, Schema
from discreet.rows.files import Layout

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = Schema({"=age": Number(0, 90, integer=True), "@town": Category(("=1+1", "-b"))})
FILE = "=age,@town\n" + "".join(f"{i % 80},{('=1+1', '-b')[i % 2]}\n" for i in range(400))
QUESTIONS = {
    "filtered": Request(SmoothCoreTail(Mean(), 0.3, 16), ("=age",), (Filter("=age", ">=", 3),)),
    "grouped": Request(AnalyticGaussian(Mean(), 0.2, 1e-7), ("=age",), by="@town"),
    "in bands": Request(AnalyticGaussian(Mean(), 0.2, 1e-7), ("=age",), by=("@town", Bands("=age", (18, 65)))),
    "merged": Request(
        AnalyticGaussian(Mean(), 0.2, 1e-7), ("=age",), by=Recode("@town", (("=1+1", "=2+2"), ("-b", "<b>")))
    ),
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


@pytest.mark.parametrize("between", [";", "\t", "|"])
def test_no_cell_begins_a_formula_where_another_sign_parts_them(between: str) -> None:
    """A spreadsheet of another country takes a semicolon for the end of a cell."""
    parts = ("=1+1", "@SUM(A1)", "-2+3", '"=1+1"', " =1+1", "\uff1d1")
    text = safe_csv(["a"], [[f"north{between}{part}{between}south"] for part in parts])
    cells = [cell for line in csv.reader(io.StringIO(text), delimiter=between) for cell in line]
    assert len([cell for cell in cells if "1" in cell or "-2+3" in cell or "SUM" in cell]) == len(parts)
    assert not [cell for cell in cells if cell.strip(' "').startswith(("=", "+", "-", "@", "\uff1d"))]
    assert safe_csv(["a"], [["18-24; 2 - 3 | 5 <= x"]]) == "a\r\n18-24; 2 - 3 | 5 <= x\r\n"


def test_a_record_tells_everything_that_was_released_and_nothing_else() -> None:
    """JSON holds question, answer, interval, cost and entry of every release."""
    asked = curator()
    for name, request in QUESTIONS.items():
        release = asked.ask(request)
        record = json.loads(json.dumps(release_record(release, SCHEMA)))
        assert record["id"] == release.id and record["cost"]["epsilon"] == release.cost.epsilon, name
        assert set(record) == {
            "id",
            "question",
            "mechanism",
            "columns",
            "by",
            "where",
            "answer",
            "refused",
            "interval",
            "confidence",
            "holding_together",
            "population_interval",
            "population_if",
            "rank_error",
            "population_of",
            "size",
            "answer_dated",
            "interval_dated",
            "as_read",
            "cost",
            "ledger_entry",
            "refines",
            "packages",
            "at",
        }
    whole = json.loads(releases_json(asked.releases, SCHEMA))
    assert len(whole["releases"]) == len(QUESTIONS)


def test_how_far_a_median_is_from_its_rank_stands_in_every_export() -> None:
    """It is public, so it stands beside each answer: in JSON, in CSV and in what the command prints."""
    asked = curator()
    release = asked.ask(Request(QuantileExponential(epsilon=0.5), ("=age",), by="@town"))
    other = asked.ask(QUESTIONS["quantile"])
    rows = QuantileExponential(epsilon=0.5).rank_error(Public(SCHEMA.bounds("=age")))
    assert rows is not None and rows > 10
    assert [release_record(answer, SCHEMA)["rank_error"] for answer in (release, other)] == [rows, None]
    lines = list(csv.DictReader(io.StringIO(releases_csv((release, other), SCHEMA))))
    assert [line["rank error"] for line in lines] == [str(rows), str(rows), ""]
    sentence = (
        f"With 95% probability, the result is at most this many rows from the true rank, for any dataset: {rows:,}."
    )
    assert sentence in printed(release, SCHEMA) and not any("true rank" in line for line in printed(other, SCHEMA))


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


def test_a_script_reads_a_file_as_it_was_corrected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two lines above the table, comma decimals with a point for thousands, semicolons, Latin letters."""
    schema = Schema({"größe": Number(0, 9000, decimal=",", thousands=".")})
    layout = Layout("text", encoding="latin-1", separator=";", skip=2, comment="#")
    file, code = tmp_path / "rows.csv", tmp_path / "ask.py"
    file.write_text("made\nby; hand\nname;größe\n# a remark\n" + "a;1.234,5\n" * 4000, encoding="latin-1")
    request = Request(SmoothCoreTail(Mean(), 5.0, 16), ("größe",))
    code.write_text(script(request, schema, Cost.of(5, "1e-6"), layout), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", [str(code), str(file)])
    runpy.run_path(str(code), run_name="__main__")
    assert 1100 < float(capsys.readouterr().out.split()[0]) < 1400
    assert "Layout" not in script(request, schema, Cost.of(5))


def test_a_script_runs_by_itself(tmp_path: Path) -> None:
    """As a person would: python ask.py rows.csv, beside the program."""
    file, code = tmp_path / "rows.csv", tmp_path / "ask.py"
    file.write_text(FILE, encoding="utf-8")
    code.write_text(script(QUESTIONS["filtered"], SCHEMA, Cost.of(5)), encoding="utf-8")
    process = subprocess.run(
        [sys.executable, str(code), str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT)},
        check=True,
    )
    assert "ε = 0.3" in process.stdout
