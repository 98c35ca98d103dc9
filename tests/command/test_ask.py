"""The command ask: releases what the road releases, on a budget that a repetition cannot renew."""

from __future__ import annotations

import json
import multiprocessing
import shutil
import sqlite3
import sys
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xlsxwriter

from discreet.budget import Cost, ParameterError
from discreet.budget.durable import Store, open_budget, open_ledger
from discreet.command import main
from discreet.command.layouts import opened
from discreet.curator import Curator, Request
from discreet.curator.release import name_of
from discreet.curator.request import plain
from discreet.mechanisms.gaussian import AnalyticGaussian
from discreet.mechanisms.laplace import Geometric
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.sum import Sum
from discreet.report.public import OUTPUTS, strangers
from discreet.rows import Category, Dataset, Filter, Number, Schema

FORK = multiprocessing.get_context("fork")
SCHEMA = Schema({"age": Number(0, 100, integer=True), "town": Category(("a", "b"))})
ROWS = "age,town\n" + "".join(f"{i % 90},{'ab'[i % 2]}\n" for i in range(400))
MEDIAN = Request(SmoothCoreTail(query=Median(), epsilon=0.5), ("age",))
OTHER = Request(SmoothCoreTail(query=Mean(), epsilon=0.5), ("age",))
GROUPS = Request(AnalyticGaussian(Mean(), 0.2, 1e-7), ("age",), (Filter("age", ">=", 3),), by="town")
SURELY_REFUSED = Request(ProposeTestRelease(Mean(), 0.5, 1e-6, 1e-9), ("age",))
Give = Callable[..., tuple[int, Any]]


@pytest.fixture
def give(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Give:
    """Return how to ask beside a file of people: the exit code, and the JSON or what was said."""
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text(ROWS, encoding="utf-8")
    Path("columns.json").write_text(SCHEMA.to_json(), encoding="utf-8")
    for name, request in (("a", MEDIAN), ("b", OTHER), ("g", GROUPS), ("no", SURELY_REFUSED)):
        Path(f"{name}.json").write_text(json.dumps(plain(request)), encoding="utf-8")

    def work(question: str, *words: str, data: str = "people.csv", text: bool = False) -> Any:
        given = ["ask", question, data, "--declaration", "columns.json", *words]
        capsys.readouterr()
        try:
            code = main(given if text else [*given, "--json"])
        except SystemExit as ended:
            code = int(ended.code or 0)
        said = capsys.readouterr()
        return code, json.loads(said.out) if said.out and not text else said.out + said.err

    return work


LEDGER = ("--ledger", "budget.db", "--limit", "1")


def test_an_answer_is_charged_once_and_kept(give: Give) -> None:
    """The same question of the same bytes is the same answer, under any name of the file."""
    code, first = give("a.json", *LEDGER)
    assert code == 0 and first["cost"] == {"epsilon": 0.5, "delta": 0}
    assert first["left"]["epsilon"] == 0.5 and 0 <= first["answer"] <= 100
    assert strangers(list(first), OUTPUTS["A result as the command prints it"]) == []
    shutil.copy("people.csv", "others.csv")
    code, again = give("a.json", "--ledger", "budget.db", data="others.csv")
    assert code == 0 and again == first


def test_an_id_does_not_confirm_a_guess_of_the_rows(give: Give, tmp_path: Path) -> None:
    """An id is published: it cannot be computed from query, declaration and all rows, nor from another ledger."""
    _, first = give("a.json", *LEDGER)
    declared = Schema.from_json(Path("columns.json").read_text(encoding="utf-8")).digest
    guess = sha256(ROWS.encode()).hexdigest()
    assert first["id"] != name_of(MEDIAN, f"{guess}:{declared}:")
    assert first["id"] != give("a.json", "--ledger", "other.db", "--limit", "1")[1]["id"]
    assert (
        give("a.json", "--no-ledger", "--limit", "1")[1]["id"] != give("a.json", "--no-ledger", "--limit", "1")[1]["id"]
    )


def test_what_an_older_version_charged_is_not_charged_again(give: Give) -> None:
    """Its ids were made of the rows alone."""
    source = opened("people.csv", [], None)
    schema = Schema.from_json(Path("columns.json").read_text(encoding="utf-8"))
    ledger = open_ledger("budget.db", Cost.of(1))
    nonce = f"{source.digest}:{schema.digest}:"
    old = Curator(Dataset(source, replace(schema, layout=source.layout)), ledger).ask(MEDIAN, nonce)
    _, again = give("a.json", "--ledger", "budget.db")
    assert (again["id"], again["left"]["epsilon"]) == (old.id, 0.5)


def test_a_folder_is_asked_like_its_rows(give: Give) -> None:
    """By its path or a pattern; the same bytes in other files' names are the same question."""
    ages = [i % 90 for i in range(400)]
    for folder, name in (("parts", "x{}"), ("moved", "y{}")):
        Path(folder).mkdir()
        for at in range(4):
            part = pa.table({"age": ages[at::4], "town": ["a"] * 100})
            pq.write_table(part, Path(folder, f"{name.format(at)}.parquet"))
    code, first = give("a.json", *LEDGER, data="parts")
    assert code == 0 and 0 <= first["answer"] <= 100
    for data in ("parts/*.parquet", "moved"):
        assert give("a.json", "--ledger", "budget.db", data=data) == (0, first)
    assert give("a.json", "--ledger", "budget.db", data="nowhere")[0] == 1


@pytest.mark.parametrize("way", ["another byte", "another declaration", "another word"])
def test_no_way_around_the_file_opens_a_new_budget(give: Give, way: str) -> None:
    """It is another question, so it gets no stored answer; and it is paid from what is left."""
    _, first = give("a.json", *LEDGER)
    words: tuple[str, ...] = ("--ledger", "budget.db")
    if way == "another byte":
        Path("people.csv").write_text(ROWS + "7,a\n", encoding="utf-8")
    elif way == "another declaration":
        wider = Schema({"age": Number(0, 120, integer=True), "town": Category(("a", "b"))})
        Path("columns.json").write_text(wider.to_json(), encoding="utf-8")
    else:
        words = (*words, "--again", "monday")
    code, second = give("a.json", *words)
    assert code == 0 and second["id"] != first["id"] and second["left"]["epsilon"] == 0
    code, third = give("b.json", *words)
    assert code == 1 and set(third) == {"error"} and "too little" in third["error"]


def test_a_limit_is_said_once_and_for_good(give: Give) -> None:
    """Neither a larger one later, nor a ledger without one."""
    code, said = give("a.json", "--ledger", "budget.db")
    assert code == 1 and "No ledger exists at this path" in said["error"] and not Path("budget.db").exists()
    assert give("a.json", *LEDGER)[0] == 0
    code, said = give("b.json", "--ledger", "budget.db", "--limit", "9")
    assert code == 1 and "another limit" in said["error"]


def test_whoever_asks_without_a_memory_says_so_and_is_told(give: Give) -> None:
    """There is no way to spend without a ledger by leaving a word out."""
    assert give("a.json", "--limit", "1")[0] == 2
    assert give("a.json", "--no-ledger")[0] == 2
    assert give("a.json", "--no-ledger", "--ledger", "budget.db", "--limit", "1")[0] == 2
    code, said = give("a.json", "--no-ledger", "--limit", "1", text=True)
    assert code == 0 and "spending is not recorded. Repeated runs spend again." in said


@pytest.mark.parametrize("kind", ["text", "database", "budgets"])
def test_a_file_that_is_no_such_ledger_is_left_as_it_was(give: Give, kind: str) -> None:
    """Budgets that another program keeps are not touched, and nothing is written beside them."""
    file = Path("budget.db")
    if kind == "text":
        file.write_text(ROWS, encoding="utf-8")
    elif kind == "database":
        with sqlite3.connect(file) as connection:
            connection.execute("CREATE TABLE people (age INTEGER)")
        connection.close()
    else:
        store = Store(f"sqlite:///{file}").prepare()
        open_budget(store, "of an office", Cost.of(5))
        store.close()
    before = file.read_bytes()
    code, said = give("a.json", *LEDGER)
    assert code == 1 and "is not a single ledger of this kind" in said["error"] and file.read_bytes() == before
    with pytest.raises(ParameterError, match="is not a single ledger of this kind"):
        open_ledger(file)


def test_a_ledger_is_read_by_its_owner_alone(give: Give) -> None:
    """It holds answers."""
    assert give("a.json", *LEDGER)[0] == 0
    assert Path("budget.db").stat().st_mode & 0o77 == 0


def test_groups_and_refusals_are_told_as_text(give: Give) -> None:
    """An answer for each group; a refusal has exit code 1, and was charged."""
    code, said = give("g.json", "--ledger", "budget.db", "--limit", "1,1e-5", text=True)
    assert code == 0 and said.startswith("a: ") and "\nb: " in said
    assert "Latest hash of the ledger: 2:" in said and "Left: " in said
    code, said = give("no.json", "--ledger", "budget.db", text=True)
    assert code == 1 and said.startswith("result: no result")


def test_a_file_of_several_questions_wants_a_number(give: Give) -> None:
    """An export of answers is a list of questions; nothing is spent on a guess."""
    questions = [{"question": plain(request)} for request in (MEDIAN, OTHER)]
    Path("all.json").write_text(json.dumps({"discreet_releases": 1, "releases": questions}))
    code, said = give("all.json", *LEDGER)
    assert code == 1 and "This file contains 2 queries" in said["error"]
    code, answer = give("all.json", *LEDGER, "--number", "2")
    assert code == 0 and answer["question"] == json.loads(json.dumps(plain(OTHER)))
    assert give("all.json", *LEDGER, "--number", "3")[0] == 1


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{",
        '{"kind": "Path"}',
        '{"kind": "Number", "lower": 0, "upper": 1}',
        '{"question": 3}',
        '{"kind": "Request", "mechanism": {"kind": "os.system"}}',
    ],
)
def test_what_is_no_question_is_refused_in_a_sentence(give: Give, content: str) -> None:
    """And nothing of it is run or made."""
    Path("a.json").write_text(content, encoding="utf-8")
    code, said = give("a.json", *LEDGER)
    assert code == 1 and said["error"].startswith("This") and not Path("budget.db").exists()


def test_no_error_quotes_a_cell(give: Give) -> None:
    """A file that cannot be read is refused by a sentence."""
    Path("people.csv").write_bytes(b"age,town\n1,secret-town\n2\n\x00\xff")
    code, said = give("a.json", *LEDGER)
    assert code == 1 and "secret" not in said["error"]
    code, said = give("a.json", *LEDGER, data="nowhere.csv")
    assert code == 1 and "Traceback" not in said["error"]


def test_several_processes_share_one_budget(give: Give) -> None:
    """A pipeline may start as many as it likes: two answers fit, whoever is first."""
    words = ["ask", "a.json", "people.csv", "--declaration", "columns.json", *LEDGER, "--json"]
    several = [FORK.Process(target=lambda i=i: sys.exit(main([*words, "--again", f"{i}"]))) for i in range(4)]
    for process in several:
        process.start()
    for process in several:
        process.join(120)
    assert sorted(str(process.exitcode) for process in several) == ["0", "0", "1", "1"]
    assert open_ledger("budget.db").spent == Cost.of(1)


def test_how_a_file_is_read_can_be_corrected(give: Give) -> None:
    """A sheet of remarks above the table is skipped; another reading is another question; nonsense is a sentence."""
    remarks = "age,of those\nwho,answered\n"
    Path("odd.csv").write_text(remarks + ROWS, encoding="utf-8")
    Path("sum.json").write_text(json.dumps(plain(Request(Geometric(Sum(), 40), ("age",)))), encoding="utf-8")
    paid = ("--ledger", "budget.db", "--limit", "50")
    code, first = give("sum.json", *paid, "--read", "skip=2", data="odd.csv")
    assert code == 0 and first["left"]["epsilon"] == 10
    assert abs(first["answer"] - sum(i % 90 for i in range(400))) <= 100  # false alarms: 2 exp(-40), below 1e-16
    assert give("sum.json", *paid, "--read", "skip=2", data="odd.csv")[1]["answer"] == first["answer"]
    for words, says in (
        ("skip=x", "whole number"),
        ("header=maybe", "yes or no"),
        ("colour=red", "takes NAME=VALUE with one of these names"),
    ):
        code, said = give("a.json", *paid, "--read", words, data="odd.csv", text=True)
        assert code == 1 and says in said


def test_a_workbook_of_several_sheets_is_refused_until_one_is_said(give: Give) -> None:
    """The sentence names them, and says how to choose."""
    with xlsxwriter.Workbook("people.xlsx") as book:
        book.add_worksheet("Info").write(0, 0, "about")
        page = book.add_worksheet("All data")
        for at, line in enumerate(ROWS.splitlines()):
            page.write_row(at, 0, line.split(","))
    paid = ("--ledger", "budget.db", "--limit", "2")
    code, said = give("a.json", *paid, data="people.xlsx")
    assert code == 1 and "2 sheets: Info, All data. Choose one. Use --read" in said["error"]
    assert "--read 'sheet=All data'" in said["error"]
    assert give("a.json", *paid, "--read", "sheet=All data", data="people.xlsx")[0] == 0


def test_a_correction_leaves_the_rest_as_it_is_suggested(give: Give) -> None:
    """A file that is not plain is refused with what its rows look like, and nothing is spent; said so, it is read."""
    Path("late.csv").write_bytes((ROWS * 40).encode() + "5,caf\xe9\n".encode("latin-1"))
    paid = ("--ledger", "budget.db", "--limit", "2")
    code, refused = give("a.json", *paid, data="late.csv")
    assert code != 0 and refused["error"].endswith("The rows suggest these options: --read encoding=latin-1.")
    assert not Path("budget.db").exists()
    refused = give("a.json", *paid, "--read", "comment=#", data="late.csv")[1]["error"]
    assert refused.startswith("Choose another encoding: line")
    first = give("a.json", *paid, "--read", "encoding=latin-1", data="late.csv")[1]
    assert first["left"]["epsilon"] < 2 and "latin-1" in str(first)
    other = give("a.json", *paid, "--read", "lenient=yes", data="late.csv")[1]
    assert other["id"] != first["id"]  # read otherwise, it is another question


def test_a_stored_answer_is_refined_for_the_difference(give: Give) -> None:
    """In another run, of the same bytes; the same again is free, and noise that follows the data is not refined."""
    purse = ("--ledger", "budget.db", "--limit", "3,1e-5")
    Path("count.json").write_text(json.dumps(plain(Request(Geometric(epsilon=0.5), ("age",)))), encoding="utf-8")
    assert "This query has no stored result to improve" in give("count.json", *purse, "--finer", "1")[1]["error"]
    first = give("count.json", *purse)[1]
    code, finer = give("count.json", *purse, "--finer", "1")
    assert (code, finer["refines"], finer["cost"]["epsilon"]) == (0, first["id"], 0.5)
    assert give("count.json", *purse, "--finer", "1")[1]["answer"] == finer["answer"]
    last = give("count.json", *purse, "--finer", "2")[1]
    assert (last["refines"], last["left"]["epsilon"]) == (finer["id"], 1.0)
    paid = give("count.json", *purse, "--finer", "1")[1]  # a script that is run again gets what it paid for
    assert (paid["id"], paid["left"]["epsilon"]) == (finer["id"], 1.0)
    give("a.json", *purse)
    assert "the change in noise would reveal the size" in give("a.json", *purse, "--finer", "1")[1]["error"]
    Path("people.csv").write_text(ROWS + "5,a\n", encoding="utf-8")
    assert "This query has no stored result to improve" in give("count.json", *purse, "--finer", "3")[1]["error"]
