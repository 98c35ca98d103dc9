"""By command all that screens do: a dataset from its file to a decided request, as words and as JSON."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from discreet.office import acts, asked, examining, registry, submissions
from discreet.office.__main__ import main
from discreet.rows import Category
from tests.office.offices import CHECKED, ON_SQLITE, PURPOSE, Office, everything_in, question

ROWS = b"age,town\n" + b"12,north\n" * 50
Give = Callable[..., tuple[int, dict[str, Any]]]
pytestmark = ON_SQLITE


@pytest.fixture
def give(office: Office, capsys: pytest.CaptureFixture[str]) -> Give:
    """Return how to give a command, and read its JSON."""

    def command(*words: str) -> tuple[int, dict[str, Any]]:
        capsys.readouterr()
        try:
            code: Any = main(["--home", str(office.home), "--database", office.url, "--json", *words])
        except SystemExit as ended:
            code = ended.code
        return code, json.loads(capsys.readouterr().out)

    return command


@pytest.fixture
def charter(give: Give, tmp_path: Path) -> dict[str, Any]:
    """Return what was said of the dataset, as the file that registers another one."""
    code, reply = give("describe", "people")
    assert code == 0 and reply["ok"]
    said: dict[str, Any] = reply["lines"][0]
    return said | {"name": "more", "apart": "the people of another town", "keep_until": "2040-12-31"}


def file(folder: Path, name: str, content: Any) -> str:
    """Write a file; return its path."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return str(path)


def test_a_dataset_is_registered_asked_and_decided_by_command(
    office: Office, give: Give, charter: dict[str, Any], tmp_path: Path
) -> None:
    """Each act is on the trail: by the terminal, or by the account it was done for and by command."""
    rows = file(tmp_path, "rows.csv", ROWS)
    assert give("register", file(tmp_path, "more.json", charter), rows)[0] == 0
    data = next(each for each in registry.everything(office.house) if each.name == "more")
    assert data.registration.keep_until == "2040-12-31" and data.policy.free == 0.2
    assert data.registration.schema == registry.find(office.house, office.dataset).registration.schema
    assert give("policy", "more", file(tmp_path, "policy.json", {"free": 0.0, "days": 3}))[0] == 0
    changed = registry.find(office.house, data.id).policy
    assert (changed.free, changed.days, changed.most) == (0.0, 3, 1.0)
    waits = submissions.submit(office.house, office.who["eve"], data.id, question(0.1), PURPOSE)
    number = str(waits.number)
    assert give("request", f"#{number}")[1]["lines"][0]["identity"]["number"] == waits.number
    _, reply = give("points", number, "--as", "olga")
    *points, last = reply["lines"]
    said = {point["name"]: CHECKED[point["name"]] for point in points if point["state"] == "answer it"}
    words = ("decide", number, "approve", "--as", "olga", "--answers", file(tmp_path, "answers.json", said))
    assert give(*words)[0] == 1 and give(*words, "--seen", "0" * 64)[0] == 1
    assert asked.find(office.house, waits.id).state == "waiting"
    code, reply = give(*words, "--seen", last["seen"])
    assert code == 0 and reply["lines"] == [{"number": f"#{number}", "state": "answered"}]
    approved = next(act for act in acts.trail(office.store) if act.what == "approved")
    assert approved.who == office.who["olga"].id and approved.details["by_command"]
    assert give("publish", "more")[0] == give("publish", "more", "--no")[0] == give("shut", "more")[0] == 0
    for command in ("datasets", "people", "requests", "trail", "health", "verify", "migrate"):
        code, reply = give(command)
        assert code == 0 and reply["ok"] and reply["lines"], command


def test_who_is_named_has_their_guards(office: Office, give: Give, charter: dict[str, Any], tmp_path: Path) -> None:
    """Not an analyst, not the asker, not a closed account; what runs at once waits for a second officer."""
    waits = office.ask(0.5, "max")
    before = everything_in(office.store)
    why = "the purpose is not clear enough"
    for login, word in (("bob", "role"), ("max", "own request"), ("nobody", "no account")):
        code, reply = give("decide", str(waits.number), "deny", why, "--as", login)
        assert code == 1 and word in reply["error"], reply
    assert everything_in(office.store) == before
    rows = file(tmp_path, "rows.csv", ROWS)
    _, reply = give("register", file(tmp_path, "more.json", charter), rows, "--as", "otto")
    assert "second officer" in reply["lines"][0]
    give("close", "olga")
    assert give("decide", str(waits.number), "deny", why, "--as", "olga")[0] == 1
    assert give("reopen", "olga")[0] == give("signout", "olga")[0] == 0
    assert give("decide", str(waits.number), "deny", why, "--as", "olga")[0] == 0


def test_a_table_is_registered_where_the_keeper_lets_it_be(
    office: Office, give: Give, charter: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its address is read from standard input; a database that no setting names is not opened."""
    rows = tmp_path / "rows.db"
    with closing(sqlite3.connect(rows)) as db:
        db.execute("CREATE TABLE people (age INTEGER, town TEXT)")
    for allowed, code in (("", 1), (f"sqlite:{rows}", 0)):
        monkeypatch.setenv("DISCREET_DATABASES", allowed)
        monkeypatch.setattr("sys.stdin", io.StringIO(f"sqlite:///{rows}\n"))
        outcome = give("register", file(tmp_path, "more.json", charter), "table:people")
        assert outcome[0] == code and (code == 0 or "DISCREET_DATABASES" in outcome[1]["error"]), outcome
    assert next(each for each in registry.everything(office.house) if each.name == "more").table


MISTAKES: dict[str, tuple[Any, str]] = {
    "no JSON": (b"\xff", "JSON object"),
    "a list": ([], "JSON object"),
    "nothing": ({}, "no registration"),
    "no budget": ({"budget": 3}, "budget"),
    "a misspelt name": ({"nmae": "x"}, "no 'nmae'"),
    "another kind": ({"alone": "yes"}, "cannot be"),
    "a misspelt policy": ({"policy": {"fre": 1}}, "no 'fre'"),
    "another kind of policy": ({"policy": {"families": "global"}}, "cannot be"),
    "no source": ({"source": None}, "cannot be"),
    "the same people": ({"apart": ""}, "look like people"),
    "columns that are not there": ({"declaration": {"discreet": 1, "columns": {}}}, ""),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_wrong_file_registers_nothing_and_says_why(
    office: Office, give: Give, charter: dict[str, Any], tmp_path: Path, mistake: str
) -> None:
    """One sentence, and 1."""
    change, word = MISTAKES[mistake]
    said = charter | change if isinstance(change, dict) and change else change
    before = everything_in(office.store)
    code, reply = give("register", file(tmp_path, "more.json", said), file(tmp_path, "rows.csv", ROWS))
    assert code == 1 and not reply["ok"] and word in reply["error"], reply
    assert everything_in(office.store) == before


def test_a_request_is_talked_about_by_command(office: Office, give: Give) -> None:
    """With the guards of the screen: whoever may not read a comment is told none."""
    waits = office.ask(0.5)
    number = str(waits.number)
    assert give("comment", number, "Is this for the yearly report?", "--as", "olga")[0] == 0
    assert give("comment", number, "I would deny it.", "officers", "--as", "olga")[0] == 0
    texts = {
        login: [line["text"] for line in give("comments", number, "--as", login)[1]["lines"]]
        for login in ("olga", "bob")
    }
    assert texts == {
        "olga": ["Is this for the yearly report?", "I would deny it."],
        "bob": ["Is this for the yearly report?"],
    }
    before = everything_in(office.store)
    for words in (("comments", number), ("comment", number, "x"), ("comments", number, "--as", "eve")):
        assert give(*words)[0] != 0, words
    assert give("comment", number, "   ", "--as", "olga")[0] == 1
    assert everything_in(office.store) == before


def test_the_evidence_is_run_by_command(office: Office, give: Give) -> None:
    """It is sealed on the trail like that of the screen."""
    waits = office.ask(0.5)
    code, reply = give("examine", str(waits.number), "--as", "olga")
    assert code == 0 and len(reply["lines"]) == 6 and reply["lines"][-1]["summary"]
    said = examining.latest(office.house, waits)
    assert said is not None and said.by == office.who["olga"].id


def test_more_is_declared_by_command_and_a_proposal_is_dropped(office: Office, give: Give, tmp_path: Path) -> None:
    """The first officer proposes, it is dropped; then two want the same, and it holds."""
    before = registry.find(office.house, office.dataset).registration.schema
    more = replace(before, columns={**before.columns, "town": Category(("north", "south", "east"))})
    wider = file(tmp_path, "wider.json", more.to_json().encode())
    assert give("extend", "people", file(tmp_path, "none.json", b"[1]"), "--as", "olga")[0] == 1
    assert "is proposed" in give("extend", "people", wider, "--as", "olga")[1]["lines"][0]
    assert give("drop", "people", "--as", "otto")[0] == 0 and give("drop", "people", "--as", "otto")[0] == 1
    assert registry.find(office.house, office.dataset).registration.schema == before
    for login, end, word in (("olga", 3, "is proposed"), ("otto", 0, "is extended")):
        code, reply = give("extend", "people", wider, "--as", login)
        assert code == end and word in reply["lines"][0]
    assert registry.find(office.house, office.dataset).registration.schema == more
