"""Bundle: the table with its metadata, the answers with their schema, and a plan that can be asked again."""

from __future__ import annotations

import ast
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
import plotly.io  # type: ignore[import-untyped]
import pytest
from plotly.io.base_renderers import ExternalRenderer  # type: ignore[import-untyped]
from support.publications import FILE, HOSTILE, PLAN, ROOT, SCHEMA, curator, release

from discreet.budget import Cost
from discreet.curator.plan import FixedPlan
from discreet.curator.request import Request
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.report.export import ANSWERS_SCHEMA, file_name, releases_json
from discreet.report.intervals import simultaneous
from discreet.report.numbers import numbers
from discreet.report.programs import plan_notebook, plan_script, results_notebook
from discreet.report.publication import WITHDRAWN, Cover, Publication, publication
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


def cells_of(book: str, kind: str) -> list[str]:
    """Return the cells of a kind, each as one text."""
    return ["".join(cell["source"]) for cell in json.loads(book)["cells"] if cell["cell_type"] == kind]


def kept(shown: list[str]) -> Any:
    """Return a renderer of charts that keeps what it is given: there is no notebook around."""

    class Kept(ExternalRenderer):  # type: ignore[misc]
        def render(self, fig: Any) -> None:
            shown.append(str(fig))

    return Kept()


def test_a_notebook_shows_the_results_and_then_asks_the_same_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, report: Publication
) -> None:
    """Format 4.5; its cells run from the first to the last: released numbers and charts, then the very same plan."""
    limit = Cost.of(5, "1e-5")
    text = plan_notebook(PLAN, SCHEMA, limit, Layout("text", separator=","), report, "own people.csv")
    book = json.loads(text)
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5) and book["metadata"]["kernelspec"]["name"] == "python3"
    names = [cell["id"] for cell in book["cells"]]
    assert len(set(names)) == len(names) and all(re.fullmatch(r"[a-zA-Z0-9-_]{1,64}", name) for name in names)
    (plan,) = [cell.splitlines() for cell in cells_of(text, "markdown") if cell.startswith("### The plan")]
    levels = (Request(QuantileExponential(q=level), ("age",), (Filter("age", ">", 9),)) for level in (0.25, 0.75))
    quantiles = plan_notebook(FixedPlan(tuple(levels)), SCHEMA, Cost.of(5), None, report)
    (asked,) = [cell for cell in cells_of(quantiles, "markdown") if cell.startswith("### The plan")]
    lines = [f"    {number}. Quantile {level} of age (years) where age > 9" for number, level in ((1, 0.25), (2, 0.75))]
    assert asked.splitlines()[2:] == lines  # they differ by what they ask
    broken = FixedPlan((Request(TwoCounts(), ("age",), (BROKEN,)),))
    odd = plan_notebook(broken, SCHEMA, Cost.of(1), None, report)
    (twin,) = [cell.splitlines() for cell in cells_of(odd, "markdown") if cell.startswith("### The plan")]
    assert (
        len(twin) == 3 and len(plan) == 2 + len(PLAN.rows) and all(line.startswith("    ") for line in plan[2:])
    )  # code, whatever it says
    (tmp_path / "own people.csv").write_text(FILE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    shown: list[str] = []
    monkeypatch.setitem(plotly.io.renderers._renderers, "kept", kept(shown))
    monkeypatch.setattr(plotly.io.renderers, "default", "kept")
    scope: dict[str, Any] = {}
    table, charts, *again = cells_of(text, "code")
    exec(compile(f"{table}\n{charts}", "book", "exec"), scope)
    data = [datum for chapter in report.chapters for datum in chapter.data]
    drawn = [row["answer"] for row in scope["RESULTS"] if isinstance(row["answer"], (int, float))]
    assert drawn == [x.answer for x in data if x.answer in drawn] and len(scope["results"]) == len(data)
    assert {HOSTILE, "town"} <= set(scope["results"].columns) and not list(tmp_path.glob("report*"))
    assert len(shown) == 5 and "&lt;b" in shown[1] and "<b" not in "".join(shown) and "curator" not in scope
    for cell in again:
        exec(compile(cell, "book", "exec"), scope)
    assert scope["PLAN"].identity == PLAN.identity and scope["curator"].ledger.spent == PLAN.total.cost
    assert (tmp_path / "report.html").exists() and "<iframe" in scope["Inline"](scope["report"])._repr_html_()


def test_a_notebook_of_results_shows_its_table_before_it_runs_and_says_who_and_whether_it_stands(
    report: Publication,
) -> None:
    """Nothing typed becomes a link, a picture or a tag; installing and versions are in sight."""
    cover = Cover("![x](//a) <b>", "Office_1", "me@example.org", "First.\n\n# Second", status=WITHDRAWN)
    text = results_notebook(report.covered(cover))
    first, *_ = cells_of(text, "markdown")
    assert "\\!\\[x\\]" in first and "\\<b\\>" in first and "\n# Second" not in first and "**Withdrawn." in first
    assert 'pip install ".[app]"' in first and "Discreet" in first and "Python 3" in first
    cells = json.loads(text)["cells"]
    (output,) = cells[1]["outputs"]
    page = "".join(output["data"]["text/html"])
    assert page.count("<tr>") == 1 + sum(len(each.data) for each in report.chapters) and "<script" not in page
    assert "withdrawn" in page and "curator" not in "".join(cells_of(text, "code"))


@pytest.mark.parametrize(
    "name", ["own people.csv", "a'b.csv", '"""\nimport os #.csv', "\\", "-rf", "日本.csv", "{x}.csv"]
)
def test_a_script_names_the_file_and_how_to_install(name: str) -> None:
    """Whatever the name is, the script is the same program, and says what it was made with."""
    plain, own = (plan_script(PLAN, SCHEMA, Cost.of(5, "1e-5"), None, each) for each in ("x", name))
    bodies = [ast.parse(text).body[1:] for text in (plain, own)]
    assert [ast.dump(line) for line in bodies[0]] == [ast.dump(line) for line in bodies[1]]
    words = str(ast.get_docstring(ast.parse(own)))
    assert "pip install ." in words and "Made with: Discreet" in words and "numpy" in words


def test_files_are_named_by_what_they_are_and_of_which_day() -> None:
    """Letters and digits of any alphabet, never a path, and never longer than a file system allows."""
    assert file_name("people (1).csv", "Plan", "2026-11-27", ending="html") == "people-1-csv-Plan-2026-11-27.html"
    for odd in ("../../etc/passwd", "a" * 500, "界" * 500, "\N{FAMILY}", "=cmd|x", "..", "\x00", "\u202egnp", "con"):
        name = file_name(odd, odd, "2026-11-27", ending="xlsx")
        assert name.endswith("2026-11-27.xlsx") and len(name.encode()) < 256 and not re.search(r"[^\w.-]|\.\.", name)
