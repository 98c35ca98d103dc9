"""The other verbs: verify, audit, compare, office, run; exit codes, JSON and help."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from discreet.budget import Cost
from discreet.budget.durable import open_ledger
from discreet.command import VERBS, main, run
from discreet.command.words import Outcome, ended
from discreet.curator import Request
from discreet.curator.request import plain
from discreet.mechanisms import registry
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.selection import PermuteAndFlip
from discreet.queries.mean import Mean
from discreet.rows import Number, Schema

MEAN = Request(GlobalLaplace(query=Mean(), epsilon=0.5), ("age",))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a question and a declaration."""
    monkeypatch.chdir(tmp_path)
    Path("q.json").write_text(json.dumps(plain(MEAN)), encoding="utf-8")
    Path("c.json").write_text(Schema({"age": Number(0, 90, integer=True)}).to_json())
    return tmp_path


def give(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Give a command; return its exit code and what it printed."""
    capsys.readouterr()
    try:
        code = main(words)
    except SystemExit as ended:
        code = int(ended.code or 0)
    said = capsys.readouterr()
    return code, said.out + said.err


def report(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    """Give a command that prints JSON."""
    code, said = give(capsys, *words, "--json")
    return code, json.loads(said)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    """And the list of verbs names it."""
    code, said = give(capsys, verb, "--help")
    assert code == 0
    if verb != "office":  # its help is that of the office
        assert f"example:\n  discreet {verb}" in said
    assert f"  {verb} " in give(capsys, "--help")[1]


@pytest.mark.parametrize("words", [[], ["fly"], ["ask"], ["verify", "--json"], ["audit", "--x"]])
def test_wrong_words_end_with_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """As programs do."""
    assert give(capsys, *words)[0] == 2


def test_a_ledger_that_was_rolled_back_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    """By a head that was kept elsewhere; so is one that was begun anew, or is not there."""
    ledger = open_ledger("budget.db", Cost.of(3))
    ledger.charge("one", Cost.of(1))
    shutil.copy("budget.db", "older.db")
    for beside in ("-wal", "-shm"):
        if Path(f"budget.db{beside}").exists():
            shutil.copy(f"budget.db{beside}", f"older.db{beside}")
    ledger.charge("two", Cost.of(1))
    head = f"1:{ledger.head}"
    code, verdict = report(capsys, "verify", "budget.db", head)
    assert code == 0 and verdict["holds"] and verdict["lines"] == 2 and verdict["head"] == head
    assert report(capsys, "verify", "older.db")[0] == 0
    code, verdict = report(capsys, "verify", "older.db", head)
    assert code == 1 and not verdict["holds"] and "anchor" in verdict["wrong"]
    open_ledger("new.db", Cost.of(3))
    assert report(capsys, "verify", "new.db", head)[0] == 1
    assert report(capsys, "verify", "nowhere.db")[0] == 1 and not Path("nowhere.db").exists()
    assert report(capsys, "verify", "budget.db", "no head")[0] == 1


def test_an_office_is_verified_and_kept_by_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`verify` alone, and `office verify`, are the same; refusals and wrong words as ever."""
    monkeypatch.setenv("DISCREET_HOME", str(folder / "house"))
    assert give(capsys, "office", "setup")[0] == 0
    code, said = give(capsys, "office", "verify")
    assert code == 0 and "All is well." in said
    assert give(capsys, "verify")[0] == 0
    assert give(capsys, "office", "fly")[0] == 2
    assert give(capsys, "office", "people", "close", "nobody")[0] == 1
    code, said = give(capsys, "office", "decide", "7")
    assert code == 1 and "Use the page Review" in said


@pytest.mark.parametrize("slug", ["laplace", "smooth-core-tail", "blocks-median"])
def test_an_audit_says_whether_a_claim_holds(slug: str, capsys: pytest.CaptureFixture[str]) -> None:
    """By its name."""
    code, audit = report(capsys, "audit", slug, "--epsilon", "0.5")
    assert code == 0 and audit["holds"] and audit["pairs"] > 10 and audit["epsilon"] == 0.5


def test_an_audit_is_of_the_mechanism_of_a_question(capsys: pytest.CaptureFixture[str]) -> None:
    """By a file with a question; what is neither is refused."""
    assert report(capsys, "audit", "q.json")[1]["mechanism"] == "laplace"
    assert report(capsys, "audit", "no-such-thing")[0] == 1


def test_an_audit_of_a_printed_mechanism_that_leaks_ends_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    """The check is able to fail: a textbook's noise scaled to the local sensitivity."""
    codes = {slug: give(capsys, "audit", slug)[0] for slug, kind in registry.items() if kind.open_only}
    assert 1 in codes.values()


def test_a_comparison_is_of_people_who_do_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    """The best first; nothing is read; what cannot be compared is refused."""
    words = ("compare", "q.json", "--declaration", "c.json", "--draws", "200")
    code, comparison = report(capsys, *words)
    errors = [row["q95"] for row in comparison["mechanisms"] if row["q95"] == row["q95"]]
    assert code == 0 and len(errors) >= 5 and errors == sorted(errors)
    assert comparison["best"] in registry and (code, comparison) == report(capsys, *words)
    assert f"Recommended: {comparison['best']}." in give(capsys, *words)[1]
    code, ranked = report(capsys, *words, "--intervals")
    widths = [row["half_width"] for row in ranked["mechanisms"]]
    assert code == 0 and len(widths) >= 4 and widths == sorted(widths)
    assert ranked["best"] == ranked["mechanisms"][0]["mechanism"]
    assert f"Recommended: {ranked['best']}." in give(capsys, *words, "--intervals")[1]
    Path("q.json").write_text(json.dumps(plain(Request(PermuteAndFlip(), ("age",)))))
    assert report(capsys, *words)[0] == 1


def test_the_app_is_found_beside_the_checkout() -> None:
    """An installed one lies in the package: a test of the wheel starts it."""
    assert run.app().name == "app.py" and run.app().is_file()


def test_an_error_nobody_thought_of_is_told_by_its_class_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """Its text could hold a cell."""

    def broken() -> Outcome:
        raise ValueError("salary 13571113")

    for as_json in (False, True):
        assert ended(broken, as_json) == 1
        said = capsys.readouterr()
        assert "13571113" not in said.out + said.err and "ValueError" in said.out + said.err
