"""What versions left behind that were in use: each archive of this folder (`make.py`) opens, and work goes on in it."""

from __future__ import annotations

import json
import shutil
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from kept_work import stopped
from old.house import CHECKED, LIMIT, POLICIES, PURPOSE
from old.tables import GROWN, ROWS, SHEETS, TOTAL, german
from seats import SHELL
from streamlit.testing.v1 import AppTest

import discreet.ui.state
from discreet.budget import Cost, ParameterError
from discreet.command import main
from discreet.curator import Curator, Request
from discreet.curator.records import rebuilt
from discreet.lab.plans import plan_from
from discreet.office import (
    House,
    Policy,
    Registration,
    cards,
    decisions,
    enrolment,
    entrance,
    invitations,
    memberships,
    registry,
    renewal,
    rulings,
    submissions,
    upkeep,
    versions,
)
from discreet.office.__main__ import main as office
from discreet.office.asked import Inquiry, find
from discreet.office.snapshot import snapshot
from discreet.rows import Schema, pace
from discreet.rows.files import Layout
from discreet.ui.project.project_file import ProjectFile
from discreet.ui.roads import PROJECT
from discreet.ui.workspaces import Server

ARCHIVES = sorted(Path(__file__).parent.glob("*.tar.gz"))
CHOSEN = {"first sheet": Layout("excel", sheet=SHEETS[0])}  # today somebody has to, where there are several
PAID = ("people.csv", "--declaration", "columns.json", "--ledger", "budget.db")
SAID = {  # on a card, whatever else it says by now
    "identity": ("id", "number", "asked", "state"),
    "release": ("identity", "plain", "answer", "interval", "parts"),
    "data": ("id", "registration_sha256", "fingerprint", "version", "bounds_chosen_by_looking"),
    "accounting": ("cost", "charge"),
}
Notes = dict[str, Any]
Ask = Callable[..., tuple[int, Any]]


@pytest.fixture(scope="module", params=ARCHIVES, ids=lambda path: path.name.partition(".")[0])
def unpacked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an archive, which nobody writes into."""
    folder = tmp_path_factory.mktemp("old")
    with tarfile.open(request.param) as archive:
        archive.extractall(folder, filter="data")
    return next(folder.iterdir())


@pytest.fixture
def left(unpacked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of what was left behind. Answers come at once: the same code, sooner."""
    monkeypatch.setattr(registry, "Curator", partial(Curator, tick=0.0))
    for tick in ("TICK", "TICK_OF_PERSONS"):
        monkeypatch.setattr(pace, tick, 0.0)
    return Path(shutil.copytree(unpacked, tmp_path / "left"))


def notes(left: Path, of: str) -> Any:
    """Return what has to be found again."""
    return json.loads((left / "notes.json").read_text(encoding="utf-8"))[of]


class Old:
    """A house of an earlier version, opened by this one."""

    def __init__(self, left: Path) -> None:
        """Open it at the time at which it was left."""
        self.notes, self.left = notes(left, "house"), left
        self.house = House(left / "home", f"sqlite:///{left / 'home' / 'ledger.db'}", lambda: self.notes["at"])
        self.who = {account["person"].login: account["person"] for account in memberships.everybody(self.house)}
        self.data: dict[str, Notes] = self.notes["datasets"]

    def ask(self, login: str, name: str, question: Request, round: int = 1) -> Inquiry:
        """Ask; what was asked before is drawn anew."""
        return submissions.submit(self.house, self.who[login], self.data[name]["id"], question, PURPOSE, round)

    def find(self, name: str) -> registry.Registered:
        """Return a dataset."""
        return registry.find(self.house, self.data[name]["id"])

    def wrong(self) -> list[str]:
        """Return what a verification tells, if all is not well."""
        return [] if office(["verify", "--home", str(self.left / "home"), "--database", ""]) == 0 else ["see above"]


@pytest.fixture
def old(left: Path) -> Iterator[Old]:
    """Open a house."""
    house = Old(left)
    yield house
    house.house.store.close()


def right(answer: Any, asked: Notes) -> bool:
    """Say whether an answer is as near to the truth as its noise lets it be."""
    truth = asked["truth"]
    pairs = zip(answer, truth.values(), strict=True) if isinstance(truth, dict) else [(answer, truth)]
    return all(abs(given - true) <= asked["within"] for given, true in pairs)


def as_left(answer: Any) -> Any:
    """Return an answer as JSON keeps it."""
    return json.loads(json.dumps(answer))


def test_a_house_opens_and_all_is_well(old: Old) -> None:
    """Accounts, budgets, declarations, answers and cards are what they were; who was invited may still come."""
    assert not old.wrong()
    for login, password in old.notes["people"].items():
        assert entrance.sign_in(old.house, login, password, "here") == old.who[login]
    invitations.choose_password(old.house, old.notes["invited"], "another long password")
    for name, data in old.data.items():
        assert registry.ledger(old.house, data["id"]).spent == Cost(*data["spent"]), name
        assert old.find(name).registration.schema.digest == data["declaration"], name
    for asked in old.notes["requests"]:
        there = find(old.house, asked["id"])
        assert (there.number, there.status) == (asked["number"], asked["status"])
        assert as_left([answer.answer for answer in there.answers]) == asked["answers"]
    assert not old.wrong()


def test_a_card_says_of_an_answer_what_it_said(old: Old) -> None:
    """The question, the answer, its cost and the line that paid, and which rows it is of."""
    said, asked = old.notes["card"], find(old.house, old.notes["requests"][0]["id"])
    card = json.loads(cards.card_json(cards.card(snapshot(old.house, asked))))
    for part, names in SAID.items():
        assert [card[part][name] for name in names] == [said[part][name] for name in names]


def test_every_dataset_answers_from_the_rows_that_its_file_means(old: Old) -> None:
    """Read as it was read, whoever guessed that; a row with an open quote is missing, and no other one with it."""
    for name, data in old.data.items():
        row = registry.row_of(old.house, data["id"])
        assert [json.loads(line["layout"]) for line in (row, *row["versions"])] == data["layouts"], name
        for asked in data["asked"]:
            answer = old.ask("bob", name, rebuilt(asked["question"]))
            assert answer.release is not None and right(answer.answers[0].answer, asked), (name, asked)
    assert not old.wrong()


def test_what_waits_is_approved_and_answered_from_the_rows_it_was_asked_of(old: Old) -> None:
    """A question and a plan, both asked before other rows came."""
    waiting = [asked for asked in old.notes["requests"] if asked["status"] == "waiting"]
    assert len(waiting) == len(old.notes["waits"]) > 0
    spent = registry.ledger(old.house, old.data["heights"]["id"]).spent
    for asked, truth in zip(waiting, old.notes["waits"], strict=True):
        answered = decisions.decide(old.house, old.who["otto"], asked["id"], "approved", "", CHECKED)
        assert right(answered.answers[0].answer, truth)
    assert registry.ledger(old.house, old.data["heights"]["id"]).spent == spent  # it was reserved
    with pytest.raises(ParameterError, match="share"):
        old.ask("eve", "heights", rebuilt(old.data["heights"]["asked"][1]["question"]))
    assert not old.wrong()


def test_what_one_officer_proposed_a_second_one_confirms(old: Old) -> None:
    """A policy, a publication, and versions: the same file is the same proposal, also where nobody says how to read."""
    otto = old.who["otto"]
    assert rulings.amend(old.house, otto, old.data["over lines"]["id"], Policy(free=7.0, most=20.0))
    assert upkeep.publish(old.house, otto, old.data["first sheet"]["id"], True)
    for name in POLICIES:
        content = (old.left / f"{name}.new").read_bytes()
        data = renewal.renew(old.house, otto, old.data[name]["id"], content, GROWN, CHOSEN.get(name))
        assert data is not None and len(data.versions) == 2, name
        asked = old.data[name]["asked"][0]
        given = old.ask("bob", name, rebuilt(asked["question"])).answers[0].answer
        assert right([each - 20 * at for each, at in zip(given, (2, 1), strict=True)], asked)  # sixty more rows
    assert not old.wrong()


def test_another_reading_of_what_was_proposed_is_another_proposal(old: Old) -> None:
    """Another sheet, or what cannot be read left out."""
    plain = versions.layout_of(json.dumps(old.data["by place"]["layouts"][0]))
    assert plain is not None
    for name, layout in (("first sheet", Layout("excel", sheet=SHEETS[1])), ("by place", replace(plain, lenient=True))):
        content, id_ = (old.left / f"{name}.new").read_bytes(), old.data[name]["id"]
        assert renewal.renew(old.house, old.who["otto"], id_, content, GROWN, layout) is None
        assert len(old.find(name).versions) == 1


def test_new_rows_of_old_data_are_read_as_those_before_them(old: Old) -> None:
    """Where nobody says how, and the declaration was made before it said so."""
    later = german(ROWS + 45)
    data = renewal.renew(old.house, old.who["olga"], old.data["heights"]["id"], later.content, GROWN)
    assert data is not None and data.versions[-1].layout == data.versions[-2].layout
    asked = later.asked[0]
    given = old.ask("bob", "heights", asked.request).answers[0].answer
    assert right(given, {"truth": asked.truth, "within": asked.within})


def test_rows_that_are_registered_are_known_again_in_another_file(old: Old) -> None:
    """By the marks that were kept of them: its encoding and the names of its columns are others."""
    olga, table = old.who["olga"], german(ROWS, "Länge;Ort")
    said = Registration("again", table.schema, LIMIT, "another survey", "consent", alone=True)
    content = table.content.decode("latin-1").encode()
    with pytest.raises(ParameterError, match="heights"):
        enrolment.register(old.house, olga, content, said, Policy())


def test_an_auditors_file_still_proves_itself(left: Path, old: Old) -> None:
    """That of then, and one that is written now."""
    key = old.notes["public_key"]
    assert main(["verify", str(left / "bundle.zip"), "--key", key]) == 0
    home = ("--home", str(left / "home"), "--database", "")
    assert office(["bundle", "heights", str(left / "new.zip"), *home]) == 0
    assert main(["verify", str(left / "new.zip"), "--key", key]) == 0


def started(left: Path) -> Server:
    """Start a server that finds kept work."""
    server = Server()
    server.begin(ProjectFile(left / "own" / "project.sqlite"))
    return server


def test_kept_work_opens_with_its_answers_and_its_budgets(left: Path) -> None:
    """Each table as it was declared, with what was spent; the plan with the answers of its last run."""
    kept, server = notes(left, "project"), started(left)
    space = server.workspace(kept["browser"])
    assert space.browser == PROJECT and space.current == "uploaded.csv"
    for name, table in kept["tables"].items():
        there = space.opened[name]
        assert there.shelved and there.dataset.schema.digest == table["declaration"]
        assert there.curator.ledger.spent == Cost(*table["spent"])
        assert as_left([release.answer for release, _ in there.answered]) == table["answers"]
    assert space.sheet.plan == plan_from(kept["plan"]) and space.sheet.answers is not None
    assert as_left([row.answer for row in space.sheet.answers.releases]) == kept["plan_answers"]
    stopped(server)


def test_a_file_that_is_brought_again_is_read_as_it_was(left: Path) -> None:
    """By its guess of then, or as it was corrected; answers cost nothing again, and new ones are right, twice."""
    kept = notes(left, "project")
    for draw in (1, 2):
        server = started(left)
        space = server.workspace(kept["browser"])
        for name, table in kept["tables"].items():
            space.current = name
            space.bring(space.here, (left / "own" / name).read_bytes(), server.room(PROJECT))
            assert not space.here.shelved and space.dataset.schema.digest == table["declaration"]
            questions = [rebuilt(asked["question"]) for asked in table["asked"]]
            spent, stored = space.curator.ledger.spent, [space.stored(question) for question in questions]
            assert None not in stored
            assert [space.curator.ask(each, space.nonce(each)) for each in questions] == stored
            assert space.curator.ledger.spent == spent
            for asked, question in zip(table["asked"], questions, strict=True):
                space.prepare(question)
                assert right(space.curator.ask(question, space.nonce(question)).answer, asked), (name, draw)
            assert space.curator.ledger.spent == spent + sum((each.cost() for each in questions), Cost.zero())
        assert server.project is not None
        server.project.save(space)
        stopped(server)


@pytest.fixture
def give(left: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Return how to command beside what was left: the exit code, and what was printed."""
    monkeypatch.chdir(left / "own")

    def work(*words: str) -> tuple[int, Any]:
        capsys.readouterr()
        code = main([*words, "--json"])
        return code, json.loads(capsys.readouterr().out)

    return work


def test_a_ledger_of_the_command_goes_on(left: Path, give: Ask) -> None:
    """It verifies; what was asked of the same bytes costs nothing again; a new draw is paid from what is left."""
    before, head = notes(left, "command"), notes(left, "command")["answers"]["head"]
    assert Schema.from_json(Path("columns.json").read_text("utf-8")).digest == before["declaration"]
    assert give("verify", "budget.db", head)[0] == 0
    code, again = give("ask", "question.json", *PAID)
    assert (code, again["id"], again["answer"]) == (0, before["answer"]["id"], before["answer"]["answer"])
    code, plan = give("run-plan", "plan.json", *PAID)
    assert (code, plan["id"]) == (0, before["answers"]["id"])
    assert [row["answer"] for row in plan["releases"]] == [row["answer"] for row in before["answers"]["releases"]]
    assert plan["left"] == before["answers"]["left"] and plan["head"] == head
    code, anew = give("ask", "answer.json", *PAID, "--again", "monday")
    assert code == 0 and anew["left"]["epsilon"] == pytest.approx(plan["left"]["epsilon"] - TOTAL)
    assert give("plan", "plan.json", "--declaration", "columns.json")[0] == 0
    assert give("verify", "budget.db", head)[0] == 0


def test_an_address_leads_to_what_it_led_to(left: Path) -> None:
    """A page with what was chosen on it."""
    for address in notes(left, "addresses"):
        discreet.ui.state.server().clear()
        app = AppTest.from_file(str(SHELL), default_timeout=60)
        for key, word in address["query"].items():
            app.query_params[key] = word
        app.run().switch_page(f"../pages/{address['page']}.py")
        for key, word in address["query"].items():
            app.query_params[key] = word
        app.run()
        assert not app.exception and not app.error
        assert {key: app.session_state[key] for key in address["shows"]} == address["shows"]
