"""The commands plan and run-plan: a forecast that spends nothing, and one charge for all rows."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from discreet.budget import Cost
from discreet.budget.durable import open_ledger
from discreet.command import main
from discreet.plans import Plan, Wanted, plan_text
from discreet.plans.plan import SCHEMA
from discreet.rows import Category, Filter, Number, Schema

ROOT = Path(__file__).resolve().parents[2]
DECLARED = Schema({"age": Number(0, 100, integer=True), "town": Category(("a", "b"))})
ROWS = "age,town\n" + "".join(f"{i % 90},{'ab'[i % 2]}\n" for i in range(400))
ITEMS = (Wanted("mean", "age", by="town"), Wanted("median", "age"), Wanted("counts", "town", wish=5.0))
PLAN = Plan(ITEMS, Cost.of(1, "1e-6"), people=400, shape="even")
LEDGER = ("--ledger", "budget.db", "--limit", "1.5,1e-5")
Said = tuple[int, Any]


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Return how to run a verb beside a plan, a declaration and a file of people."""
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text(ROWS, encoding="utf-8")
    Path("columns.json").write_text(DECLARED.to_json(), encoding="utf-8")
    Path("plan.json").write_text(plan_text(PLAN), encoding="utf-8")

    def run(*words: str, text: bool = False) -> Said:
        capsys.readouterr()
        code = main([*words, "--declaration", "columns.json", *([] if text else ["--json"])])
        out = capsys.readouterr()
        return code, out.out + out.err if text else json.loads(out.out)

    return run


def test_a_plan_is_forecast_and_nothing_is_read(said: Callable[..., Said]) -> None:
    """Every row with its method, its reason and its error; the total with its proof."""
    Path("people.csv").unlink()
    code, plan = said("plan", "plan.json")
    assert code == 0 and len(plan["rows"]) == 3 and plan["total"]["epsilon"] <= 1
    assert all(row["error"] > 0 and row["reason"] for row in plan["rows"])
    assert plan["rows"][0]["of_wish"] is None and plan["rows"][2]["of_wish"] > 0
    code, finer = said("plan", "plan.json", "--total", "4,1e-6")
    assert code == 0 and finer["rows"][0]["error"] < plan["rows"][0]["error"]
    code, lines = said("plan", "plan.json", text=True)
    assert code == 0 and "mean of age by town" in lines and "Total: ε = " in lines and "simulated people" in lines


def test_bands_are_written_in_the_plan_and_name_the_groups(said: Callable[..., Said]) -> None:
    """By a width or by edges, crossed with a category; a width that does not fit is refused before any charge."""
    bands: dict[str, Any] = {"bands": "age", "every": 50}
    row = {"statistic": "mean", "column": "age", "by": bands}
    whole = {"discreet_plan": 1, "epsilon": 1, "rows": [row, row | {"by": ["town", {"bands": "age", "edges": [18]}]}]}
    Draft202012Validator(SCHEMA).validate(whole)
    Path("bands.json").write_text(json.dumps(whole), encoding="utf-8")
    code, lines = said("plan", "bands.json", text=True)
    assert code == 0 and "mean of age by age (bands of 50)" in lines and "town, age (bands from 18)" in lines
    code, record = said("plan", "bands.json", "--write", "again.json")
    assert code == 0 and [line["by"] for line in record["rows"]] == [bands, ["town", {"bands": "age", "edges": [18]}]]
    assert json.loads(Path("again.json").read_text())["rows"][0]["by"] == bands
    code, answers = said("run-plan", "again.json", "people.csv", *LEDGER)
    first, second = answers["releases"]
    assert code == 0 and [name for name, _ in first["answer"]] == ["0–49", "50–100"] and first["by"] == "age"
    assert [name for name, _ in second["answer"]] == ["a · 0–17", "a · 18–100", "b · 0–17", "b · 18–100"]
    wrongs = ({"bands": "town", "every": 1}, {"bands": "age", "every": 0}, {"bands": "age"}, {"every": 3}, 7)
    for wrong, words in zip(wrongs, ("'town'", "width", "width", "Query 1", "Query 1"), strict=True):
        Path("wrong.json").write_text(json.dumps(whole | {"rows": [row | {"by": wrong}]}), encoding="utf-8")
        code, refused = said("plan", "wrong.json")
        assert code == 1 and words in refused["error"], wrong


def test_what_a_forecast_assumes_is_printed_and_guesses_take_its_place(said: Callable[..., Said]) -> None:
    """A part behind a filter, and sizes of groups: they change no query, and are written into the plan."""
    inside = {"statistic": "mean", "column": "age", "where": [["town", "=", "a"]]}
    whole = {"discreet_plan": 1, "epsilon": 1, "people": 4000, "rows": [inside, inside | {"where": [], "by": "town"}]}
    guessed = whole | {"rows": [inside | {"passing": 0.1}, whole["rows"][1]]}  # type: ignore[index]
    guessed |= {"sizes": [{"by": "town", "people": {"a": 9, "b": 1}}]}
    Draft202012Validator(SCHEMA).validate(guessed)
    Path("assumed.json").write_text(json.dumps(whole), encoding="utf-8")
    Path("guessed.json").write_text(json.dumps(guessed), encoding="utf-8")
    code, lines = said("plan", "assumed.json", text=True)
    assert code == 0 and "No. 1: assumes that about half pass the filter." in lines
    assert "the smallest one has at least this margin of error." in lines
    code, lines = said("plan", "guessed.json", "--write", "again.json", text=True)
    assert code == 0 and "assume" not in lines and " to " in lines
    assert json.loads(Path("again.json").read_text())["sizes"] == guessed["sizes"]
    code, plan = said("plan", "guessed.json")
    first, second = plan["rows"]
    assert code == 0 and first["passing"] == 0.1 and not first["assumed"] and not plan["notes"]
    assert [group["people"] for group in second["groups"]] == [3600, 400]
    assert second["groups"][1]["error"] > 5 * second["groups"][0]["error"]


def test_merged_values_are_written_in_the_plan_and_name_the_groups(said: Callable[..., Said]) -> None:
    """As pairs or by name, crossed with bands; a value that is not declared is refused before any charge."""
    merged: dict[str, Any] = {"recode": "town", "into": {"a": "here"}}
    row = {"statistic": "mean", "column": "age", "by": merged}
    whole = {"discreet_plan": 1, "epsilon": 1, "rows": [row, row | {"by": [{"bands": "age", "every": 50}, merged]}]}
    Draft202012Validator(SCHEMA).validate(whole)
    Path("merged.json").write_text(json.dumps(whole), encoding="utf-8")
    code, lines = said("plan", "merged.json", text=True)
    assert code == 0 and "mean of age by town (merged into here)" in lines
    assert said("plan", "merged.json", "--write", "again.json")[0] == 0
    pairs = {"recode": "town", "into": [["a", "here"]]}
    assert json.loads(Path("again.json").read_text())["rows"][0]["by"] == pairs
    Draft202012Validator(SCHEMA).validate(json.loads(Path("again.json").read_text()))
    code, answers = said("run-plan", "again.json", "people.csv", *LEDGER)
    first, second = answers["releases"]
    assert code == 0 and [name for name, _ in first["answer"]] == ["here", "other"] and first["by"] == "town"
    assert [name for name, _ in second["answer"]] == [
        *("0–49 · here", "0–49 · other", "50–100 · here", "50–100 · other")
    ]
    for into in ({"z": "x"}, {"a": ""}, {}, "a = x", None, [["a"]]):
        Path("wrong.json").write_text(json.dumps(whole | {"rows": [row | {"by": merged | {"into": into}}]}))
        assert said("plan", "wrong.json")[0] == 1, into


def test_a_list_of_requests_becomes_a_plan_that_is_run(said: Callable[..., Said]) -> None:
    """It needs a total of one's own; what it makes is written, told where it differs, and run as any plan."""
    by_town = {"type": "quantile", "variable": "age", "bounds": [0, 90], "by": ["town"], "alpha": [0.25, 0.75]}
    Path("list.json").write_text(json.dumps({"some": by_town | {"filtre": "age < 80 | town == 'a'"}}), encoding="utf-8")
    for verb in (("plan", "list.json"), ("run-plan", "list.json", "people.csv", *LEDGER)):
        code, refused = said(*verb)
        assert code == 1 and "--total 1 --write plan.json" in refused["error"]
    code, plan = said("plan", "list.json", "--total", "1,1e-6", "--write", "new.json")
    assert code == 0 and len(plan["rows"]) == 1 and "not 0 to 90" in plan["notes"][0]
    code, answers = said("run-plan", "new.json", "people.csv", *LEDGER)
    assert code == 0 and len(answers["releases"][0]["answer"]) == 2
    assert answers["releases"][0]["where"] == [[["age", "<", 80.0], ["town", "=", "a"]]]
    assert "only where (age < 80.0 or town = a)" in answers["releases"][0]["as_read"]


def test_a_plan_is_run_under_one_charge_and_kept(said: Callable[..., Said]) -> None:
    """One line of the ledger, the same answers again for nothing, and a ledger that verifies."""
    code, first = said("run-plan", "plan.json", "people.csv", *LEDGER)
    assert code == 0 and len(first["releases"]) == 3
    assert [len(first["releases"][at]["answer"]) for at in (0, 2)] == [2, 2]
    assert first["total"] == said("plan", "plan.json")[1]["total"]
    ledger = open_ledger("budget.db")
    assert [entry.kind for entry in ledger.entries] == ["charge", "settle"]
    assert ledger.spent.epsilon == first["total"]["epsilon"]
    assert said("run-plan", "plan.json", "people.csv", "--ledger", "budget.db") == (0, first)
    code, refused = said("run-plan", "plan.json", "people.csv", "--ledger", "budget.db", "--again", "x")
    assert code == 1 and "only" in refused["error"]


def test_answers_are_printed_with_their_intervals(said: Callable[..., Said]) -> None:
    """As text: each row by its name, then what is left."""
    code, text = said("run-plan", "plan.json", "people.csv", *LEDGER, text=True)
    assert code == 0 and "1. mean of age by town" in text and "3. counts of town" in text and "Left: ε = " in text
    assert (
        "Population mean, if the rows that were read are an independent sample" in text
        and "Difference b minus a" in text
    )
    assert "Population shares, if the rows that were read are an independent sample" in text


def test_differences_of_shares_between_two_groups_are_told(said: Callable[..., Said]) -> None:
    """As text and as JSON; with intervals that hold at once nothing is said of the population."""
    counts = [Wanted("counts", "town", where=(Filter("who", "=", level),)) for level in ("x", "y")]
    Path("two.json").write_text(plan_text(Plan(tuple(counts), Cost.of(1), 300)), encoding="utf-8")
    Path("people.csv").write_text("town,who\n" + "a,x\n" * 400 + "b,y\n" * 300, encoding="utf-8")
    schema = Schema({"town": Category(("a", "b")), "who": Category(("x", "y"))})
    Path("columns.json").write_text(schema.to_json(), encoding="utf-8")
    code, record = said("run-plan", "two.json", "people.csv", *LEDGER)
    (apart,) = record["population_differences"]
    assert code == 0 and apart["group"] == ["who", "=", "y"] and apart["less"] == ["who", "=", "x"]
    assert apart["shares"]["a"][1] < -0.5 and apart["shares"]["b"][0] > 0.5
    again = ("run-plan", "two.json", "people.csv", "--ledger", "budget.db")
    assert (
        "Difference of population shares, who = y minus who = x, if the rows that were read"
        in said(*again, text=True)[1]
    )
    assert said(*again, "--simultaneous")[1]["population_differences"] == []


def test_intervals_that_hold_at_once_are_made_of_the_same_answers(said: Callable[..., Said]) -> None:
    """Wider, with their number, and nothing is charged for them."""
    first_code, plain = said("run-plan", "plan.json", "people.csv", *LEDGER)
    code, wide = said("run-plan", "plan.json", "people.csv", "--ledger", "budget.db", "--simultaneous")
    assert first_code == code == 0 and (wide["left"], wide["head"]) == (plain["left"], plain["head"])
    for old, new in zip(plain["releases"], wide["releases"], strict=True):
        assert new["answer"] == old["answer"] and new["confidence"] == 0.95
        assert (old["holding_together"], new["holding_together"]) == (1, 5)
    (low, high), (lower, upper) = plain["releases"][2]["interval"][0], wide["releases"][2]["interval"][0]
    assert lower < low < high < upper
    code, text = said("run-plan", "plan.json", "people.csv", "--ledger", "budget.db", "--simultaneous", text=True)
    assert code == 0 and "With 95% confidence, all 5 intervals are correct at the same time." in text


def test_a_report_is_written_with_the_same_answers_and_again_for_nothing(said: Callable[..., Said]) -> None:
    """One HTML file, or all files; in another language from the answers that are kept."""
    code, first = said("run-plan", "plan.json", "people.csv", *LEDGER, "--report", "report.html")
    page = Path("report.html").read_text(encoding="utf-8")
    assert code == 0 and page.startswith("<!doctype html>") and "Released statistics" in page
    again = ("run-plan", "plan.json", "people.csv", "--ledger", "budget.db", "--simultaneous", "--report", "all.zip")
    code, record = said(*again, "--lang", "zh")
    assert code == 0 and record["left"] == first["left"]
    with zipfile.ZipFile("all.zip") as archive:
        chinese = archive.read("report.html").decode()
        held = json.loads(archive.read("answers.json"))["releases"]
        sheet = list(csv.DictReader(io.StringIO(archive.read("data.csv").decode())))
    assert '<html lang="zh">' in chinese and "全部 5 个区间同时成立" in chinese
    assert [row["answer"] for row in held] == [row["answer"] for row in first["releases"]]
    assert held[0]["holding_together"] == 5
    lines = [line for line in sheet if line["low"]]  # an answer that has no interval has no wider one
    assert [line for line in sheet if line["low at once"]] == lines and len(lines) < len(sheet) == 5
    own = [list(map(float, (line["low"], line["high"]))) for line in lines]
    wide = [list(map(float, (line["low at once"], line["high at once"]))) for line in lines]
    assert own[-2:] == first["releases"][2]["interval"] and wide[-2:] == held[2]["interval"]
    assert all(lower < low < high < upper for (low, high), (lower, upper) in zip(own, wide, strict=True))


@pytest.mark.parametrize("place", ["report.pdf", "nowhere/report.html", "folder.html"])
def test_a_report_that_cannot_be_written_is_refused_before_anything_is_spent(
    said: Callable[..., Said], place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another ending, a folder that is not there, a folder in its place."""
    Path("folder.html").mkdir()
    with pytest.raises(SystemExit):
        said("run-plan", "plan.json", "people.csv", *LEDGER, "--report", place)
    assert "--report needs" in capsys.readouterr().err and not Path("budget.db").exists()


def test_a_report_loads_no_screen() -> None:
    """Whoever installs no app has reports in every language."""
    code = "import discreet.command.run_plan, sys; print('streamlit' in sys.modules, 'plotly' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("broken", ["", "{}", '{"discreet_plan": 1, "epsilon": 1, "rows": [{"statistic": "mean"}]}'])
def test_a_plan_that_is_none_is_told_in_a_sentence(said: Callable[..., Said], broken: str) -> None:
    """With exit code 1, and before a ledger is made."""
    Path("plan.json").write_text(broken, encoding="utf-8")
    for verb in (("plan", "plan.json"), ("run-plan", "plan.json", "people.csv", *LEDGER)):
        code, record = said(*verb)
        assert code == 1 and "plan" in record["error"]
    assert not Path("budget.db").exists()


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """As JSON, and the plans that are written keep to its names."""
    assert main(["plan", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(SCHEMA))
