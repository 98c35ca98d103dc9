"""Bundle: the table with its metadata, the answers with their schema, and a plan that can be asked again."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import zipfile
from datetime import datetime
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from support.publications import FILE, HOSTILE, PLAN, ROOT, SCHEMA, curator, release

from discreet.budget import Cost
from discreet.curator.plan import FixedPlan
from discreet.curator.request import Request
from discreet.mechanisms.global_mean import TwoCounts
from discreet.report.export import ANSWERS_SCHEMA, releases_json
from discreet.report.intervals import simultaneous
from discreet.report.numbers import numbers
from discreet.report.programs import plan_notebook, plan_script
from discreet.report.publication import Publication, publication
from discreet.report.tables import bundle, files
from discreet.rows import Filter
from discreet.rows.files import Layout

BROKEN = Filter(HOSTILE, "!=", "![x](//a)\n\n<b>")
AGES = FixedPlan((PLAN.rows[0], PLAN.rows[2], PLAN.rows[3]), 1e-6)
PARSED = {
    "double": float,
    "integer": int,
    "dateTime": datetime.fromisoformat,
    "string": str,
    "number": float,
    "datetime": datetime.fromisoformat,
}


@pytest.fixture(scope="module")
def report() -> Publication:
    """Return answers of every shape."""
    return publication([(given, SCHEMA) for given in curator().run(PLAN).releases], PLAN.total)


@pytest.fixture(scope="module")
def plain() -> Publication:
    """Return answers that are numbers."""
    return publication([(given, SCHEMA) for given in curator().run(AGES).releases], AGES.total)


def cells(table: str, columns: list[dict[str, Any]], kind: str) -> list[list[Any]]:
    """Read a table as its metadata says: each cell is nothing or of its kind."""
    lines = list(csv.reader(io.StringIO(table)))
    every = []
    for line in lines[1:]:
        assert len(line) == len(columns)
        row = []
        for cell, column in zip(line, columns, strict=True):
            nothing = column.get("null", column.get("missingValues", [""]))
            row.append(None if cell in nothing else PARSED[column[kind]](cell))
        every.append(row)
    return every


@pytest.mark.parametrize("which", ["report", "plain"])
def test_the_table_is_what_its_metadata_says(which: str, request: pytest.FixtureRequest) -> None:
    """CSVW and Data Package name every column in order; each cell has the declared kind."""
    answers: Publication = request.getfixturevalue(which)
    held = files(answers)
    meta, package = json.loads(held["data.csv-metadata.json"]), json.loads(held["datapackage.json"])
    head = next(csv.reader(io.StringIO(held["data.csv"])))
    columns, fields = meta["tableSchema"]["columns"], package["resources"][0]["schema"]["fields"]
    assert (
        meta["@context"] == "http://www.w3.org/ns/csvw" and meta["url"] == package["resources"][0]["path"] == "data.csv"
    )
    assert [column["titles"] for column in columns] == [field["name"] for field in fields] == head
    assert all(re.fullmatch(r"[A-Za-z0-9_]+", column["name"]) for column in columns)
    assert {resource["path"] for resource in package["resources"]} <= set(held)
    assert cells(held["data.csv"], columns, "datatype") == cells(held["data.csv"], fields, "type")
    assert (columns[head.index("answer")]["datatype"] == "double") == (which == "plain")


def test_every_line_of_the_table_is_one_number_to_the_last_digit(plain: Publication) -> None:
    """With its group, its part, its filter, its unit and its interval."""
    lines = list(csv.DictReader(io.StringIO(files(plain)["data.csv"])))
    data = [datum for chapter in plain.chapters for datum in chapter.data]
    assert [float(line["answer"]) for line in lines] == [datum.answer for datum in data]
    assert [(float(line["low"]), float(line["high"])) for line in lines] == [datum.interval for datum in data]
    assert lines[0]["unit"] == "years" and lines[-1]["unit"] == "rows" and lines[-1]["part"] == "south"
    assert "= &amp;" in lines[-1]["where"] and lines[1]["group"].endswith(" · north")


def test_intervals_that_hold_at_once_stand_in_columns_of_their_own() -> None:
    """Beside each number's own, in the table and its metadata; empty where nobody asked for them."""
    given = curator().run(AGES).releases
    pairs = [(each, SCHEMA) for each in given]
    alone, both = publication(pairs, AGES.total), publication(pairs, AGES.total, simultaneous(given, SCHEMA))
    (plain, wide), printed = (
        [list(csv.DictReader(io.StringIO(files(each)["data.csv"]))) for each in (alone, both)],
        [datum.interval for chapter in both.chapters for datum in chapter.data],
    )
    assert {line["low at once"] + line["high at once"] for line in plain} == {""}
    assert [line["low"] for line in plain] == [line["low"] for line in wide]
    ends = [(line["low at once"], line["high at once"]) for line in wide]
    assert [None if low == "" else (float(low), float(high)) for low, high in ends] == printed
    assert both.together == len(wide) > 1 and any(low != "" for low, _ in ends)
    (column,) = [
        each
        for each in json.loads(files(both)["data.csv-metadata.json"])["tableSchema"]["columns"]
        if each["titles"] == "low at once"
    ]
    assert "all that stand in this column hold at once" in column["dc:description"]


def test_a_refusal_and_a_vague_number_are_marked_in_the_table() -> None:
    """One is no number, the other keeps its number and has a note."""
    answers = publication(
        [(release(TwoCounts(), (("north", None), ("south", 38.0)), (("south", (0.0, 90.0)),), by="town"), SCHEMA)]
    )
    lines = list(csv.DictReader(io.StringIO(files(answers)["data.csv"])))
    assert [(line["answer"], line["note"]) for line in lines] == [("refused", ""), ("38.0", "not shown (too noisy)")]


def test_answers_are_what_their_schema_says(report: Publication) -> None:
    """Every shape of answers; a record with more or with less is refused."""
    held = files(report)
    jsonschema.Draft202012Validator.check_schema(ANSWERS_SCHEMA)
    assert json.loads(held["answers.schema.json"]) == ANSWERS_SCHEMA
    whole = json.loads(held["answers.json"])
    jsonschema.validate(whole, ANSWERS_SCHEMA)
    assert held["answers.json"] == releases_json([each.release for each in report.chapters], SCHEMA)
    for wrong in ({"n": 3}, {"cost": {"epsilon": 1}}, {"refused": "no"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(whole | {"releases": [whole["releases"][0] | wrong]}, ANSWERS_SCHEMA)


def test_the_archive_holds_all_files_and_is_the_same_for_the_same_answers(report: Publication) -> None:
    """Nothing of the clock or of the machine is in it."""
    packed = bundle(report)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == files(report)
        assert all(entry.external_attr >> 16 == 0o644 for entry in archive.infolist())
    assert bundle(report) == packed


def test_a_script_asks_the_same_plan_and_writes_its_report(tmp_path: Path) -> None:
    """In an empty folder, of a file one names: one charge, every number, a page."""
    (tmp_path / "people.csv").write_text(FILE, encoding="utf-8")
    (tmp_path / "ask_plan.py").write_text(plan_script(PLAN, SCHEMA, Cost.of(5, "1e-5")), encoding="utf-8")
    command = [sys.executable, "ask_plan.py", "people.csv"]
    run = subprocess.run(
        command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True
    )
    assert str(PLAN.total.cost) in run.stdout and (tmp_path / "report.html").stat().st_size > 5000
    expected = sum(len(answer) if isinstance(answer, tuple) else 1 for answer in shapes())
    assert len(list(csv.reader(io.StringIO(run.stdout.split("\n\n")[0])))) == expected + 1


def shapes() -> list[Any]:
    """Return an answer for each group of the plan."""
    return [answer for given in curator().run(PLAN).releases for _, answer, _ in numbers(given)]


def test_a_notebook_asks_the_same_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Format 4.5; its cells run from the first to the last, and build the very same plan."""
    book = json.loads(plan_notebook(PLAN, SCHEMA, Cost.of(5, "1e-5"), Layout("text", separator=",")))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5) and book["metadata"]["kernelspec"]["name"] == "python3"
    names = [cell["id"] for cell in book["cells"]]
    assert len(set(names)) == len(names) and all(re.fullmatch(r"[a-zA-Z0-9-_]{1,64}", name) for name in names)
    assert all(set(cell) == {"id", "cell_type", "metadata", "source"} for cell in book["cells"][::2])
    program = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]
    (plan,) = [cell["source"] for cell in book["cells"] if cell["source"][0].startswith("## The plan")]
    odd = json.loads(plan_notebook(FixedPlan((Request(TwoCounts(), ("age",), (BROKEN,)),)), SCHEMA, Cost.of(1)))
    (twin,) = [cell["source"] for cell in odd["cells"] if cell["source"][0].startswith("## The plan")]
    assert (
        len(twin) == 3 and len(plan) == 2 + len(PLAN.rows) and all(line.startswith("    ") for line in plan[2:])
    )  # code, whatever it says
    (tmp_path / "people.csv").write_text(FILE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    scope: dict[str, Any] = {}
    exec(compile("\n".join(program), "book", "exec"), scope)
    assert scope["PLAN"].identity == PLAN.identity and scope["curator"].ledger.spent == PLAN.total.cost
    assert (tmp_path / "report.html").exists() and isinstance(PLAN.rows[0], Request)
