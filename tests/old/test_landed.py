"""What versions left behind that were in use: each archive of this folder (`make.py`) opens, and work goes on in it.

A later archive holds more: a test of that opens those archives alone whose notes say that it is there.
"""

from __future__ import annotations

import json
import shutil
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from old.texts import COUNTS, GROWN, LOOKED, PURPOSE, REASON, ROWS, SHEETS, TOTAL, TOWNS, german_text, towns_of
from streamlit.testing.v1 import AppTest
from support.kept_work import stopped
from support.seats import SHELL, seat

import discreet.ui.session.state
from discreet.budget import BudgetExceeded, Cost, ParameterError, Phrase
from discreet.budget.durable.spent import Spent
from discreet.command import main
from discreet.curator import Curator, Request, clock
from discreet.curator.records import rebuilt
from discreet.office import House, Policy, Registration
from discreet.office.__main__ import main as office
from discreet.office.cards import cards
from discreet.office.cards.review_case import snapshot
from discreet.office.datasets import changes, later_bounds, lifecycle, registering, registry
from discreet.office.datasets.later_bounds import Later
from discreet.office.decisions import decisions
from discreet.office.decisions.checklist import POINTS
from discreet.office.desk import asking
from discreet.office.house import acts, audit_log, versions
from discreet.office.people import accounts, joining, signing_in
from discreet.office.requests.request import Inquiry, find
from discreet.plans import plan_from
from discreet.rows import Dataset, LocalSource, Schema
from discreet.rows.files import Layout
from discreet.ui.frame.catalogue import CATALOGUES
from discreet.ui.session.budgets import PROJECT
from discreet.ui.session.project_file import ProjectFile
from discreet.ui.session.server import Server

CARDS = Path(__file__).parent / "cards.json"
CHECKED = dict.fromkeys(POINTS, LOOKED)
UNSAID = {  # by the notes of the first archive
    "proposed": ["by place", "named rows", "first sheet"],
    "chosen": {"first sheet": SHEETS[0]},  # today somebody has to, where there are several
}
PAID = ("people.csv", "--declaration", "columns.json", "--ledger", "budget.db")
SAID = {  # on a card, whatever else it says by now
    "identity": ("id", "number", "asked", "state"),
    "release": ("identity", "plain", "answer", "interval", "parts"),
    "data": ("id", "registration_sha256", "fingerprint", "version", "bounds_chosen_by_looking"),
    "accounting": ("cost", "charge"),
}
Notes = dict[str, Any]
Ask = Callable[..., tuple[int, Any]]


def name_of(path: Path) -> str:
    """Return the name of an archive, and of all that is in it."""
    return path.name.partition(".")[0]


def noted(path: Path) -> Notes:
    """Return what an archive says of itself."""
    with tarfile.open(path) as archive:
        file = archive.extractfile(f"{name_of(path)}/notes.json")
        assert file is not None
        notes: Notes = json.load(file)
        return notes


ARCHIVES = {path: noted(path) for path in sorted(Path(__file__).parent.glob("*.tar.gz"))}


def having(part: str, within: str = "house") -> pytest.MarkDecorator:
    """Open those archives alone in which there is something."""
    there = [path for path, said in ARCHIVES.items() if part in (said[within] if within else said)]
    return pytest.mark.parametrize("unpacked", there, indirect=True, ids=name_of)


@pytest.fixture(scope="module", params=ARCHIVES, ids=name_of)
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
        monkeypatch.setattr(clock, tick, 0.0)
    return Path(shutil.copytree(unpacked, tmp_path / "left"))


def notes(left: Path, of: str) -> Any:
    """Return what has to be found again."""
    return json.loads((left / "notes.json").read_text(encoding="utf-8"))[of]


class Old:
    """A house of an earlier version, opened by this one."""

    def __init__(self, left: Path) -> None:
        """Open it at the time at which it was left."""
        self.notes, self.left = UNSAID | notes(left, "house"), left
        self.house = House(left / "home", f"sqlite:///{left / 'home' / 'ledger.db'}", lambda: self.notes["at"])
        self.who = {account["person"].login: account["person"] for account in accounts.everybody(self.house)}
        self.data: dict[str, Notes] = self.notes["datasets"]

    def ask(self, login: str, name: str, question: Request, round: int = 1) -> Inquiry:
        """Ask; what was asked before is drawn anew."""
        return asking.submit(self.house, self.who[login], self.data[name]["id"], question, PURPOSE, round)

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
        assert signing_in.sign_in(old.house, login, password, "here") == old.who[login]
    joining.choose_password(old.house, old.notes["invited"], "another long password")
    for name, data in old.data.items():
        assert registry.ledger(old.house, data["id"]).spent == Cost(*data["spent"]), name
        schema = old.find(name).registration.schema
        assert schema.digest == data["declaration"], name
        assert (schema.layout and schema.layout.plain) == data.get("declared_layout"), name
    for asked in old.notes["requests"]:
        there = find(old.house, asked["id"])
        assert (there.number, there.status) == (asked["number"], asked["status"])
        assert as_left([answer.answer for answer in there.answers]) == asked["answers"]
        assert there.why is None or there.why.template in CATALOGUES["zh"]  # stored in the words of that version
    assert not old.wrong()


def test_a_card_says_of_an_answer_what_it_said(old: Old) -> None:
    """The question, the answer, its cost and the line that paid, and which rows it is of."""
    said = old.notes["card"]
    card = json.loads(cards.card_json(cards.card(snapshot(old.house, find(old.house, said["identity"]["id"])))))
    for part, names in SAID.items():
        assert [card[part][name] for name in names] == [said[part][name] for name in names]
    for asked in old.notes["requests"]:
        assert not cards.strange_parts(cards.card(snapshot(old.house, find(old.house, asked["id"]))).to_json())


CHANGING = {("mechanism", "program"), ("mechanism", "opendp")}  # with every version of the program
RUNNING = ("program", "commit", "code_sha256", "requirements_sha256")


def shape(part: Any, *place: str) -> Any:
    """Return a part of a card without its sentences and without what is of the program that runs."""
    if place[-2:] in CHANGING or (place[-2:-1] == ("evidence",) and place[-1] in RUNNING) or isinstance(part, Phrase):
        return "…"
    if isinstance(part, dict):
        return {name: shape(value, *place, name) for name, value in part.items()}
    return [shape(each, *place) for each in part] if isinstance(part, list) else part


def test_every_card_is_written_as_it_was(old: Old, unpacked: Path) -> None:
    """Each section in its order, with every number and name: `cards.json` has the hashes of what was written before."""
    written = {}
    for asked in old.notes["requests"]:
        for names in (True, False):
            card = cards.card(snapshot(old.house, find(old.house, asked["id"])), names).to_json()
            text = json.dumps(shape(card), ensure_ascii=False)
            written[f"{asked['number']} {'named' if names else 'public'}"] = sha256(text.encode()).hexdigest()[:16]
    assert written == json.loads(CARDS.read_text(encoding="utf-8"))[unpacked.name]


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
    beside = {old.notes.get("half", {}).get("id"), old.notes.get("former", {}).get("waits")}
    waiting = [asked for asked in old.notes["requests"] if asked["status"] == "waiting" and asked["id"] not in beside]
    assert len(waiting) == len(old.notes["waits"]) > 0
    spent = registry.ledger(old.house, old.data["heights"]["id"]).spent
    for asked, truth in zip(waiting, old.notes["waits"], strict=True):
        answered = decisions.decide(old.house, old.who["otto"], asked["id"], "approved", "", CHECKED)
        assert right(answered.answers[0].answer, truth)
    assert registry.ledger(old.house, old.data["heights"]["id"]).spent == spent  # it was reserved
    with pytest.raises(ParameterError, match="Your limit for this dataset"):
        old.ask("eve", "heights", rebuilt(old.data["heights"]["asked"][1]["question"]))
    assert not old.wrong()


def test_what_one_officer_proposed_a_second_one_confirms(old: Old) -> None:
    """A policy, a publication, and versions: the same file is the same proposal, also where nobody says how to read."""
    otto = old.who["otto"]
    assert changes.amend(old.house, otto, old.data["over lines"]["id"], Policy(free=7.0, most=20.0))
    assert lifecycle.publish(old.house, otto, old.data["first sheet"]["id"], True)
    chosen = {name: Layout("excel", sheet=sheet) for name, sheet in old.notes["chosen"].items()}
    for name in old.notes["proposed"]:
        content = (old.left / f"{name}.new").read_bytes()
        data = changes.renew(old.house, otto, old.data[name]["id"], content, GROWN, chosen.get(name))
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
        assert changes.renew(old.house, old.who["otto"], id_, content, GROWN, layout) is None
        assert len(old.find(name).versions) == 1


def test_new_rows_of_old_data_are_read_as_those_before_them(old: Old) -> None:
    """Where nobody says how, whether the declaration says so or was made before it did."""
    heights, rows = old.data["heights"], ROWS + 45
    content = german_text(rows).encode("latin-1")
    data = changes.renew(old.house, old.who["olga"], heights["id"], content, GROWN)
    assert data is not None and data.versions[-1].layout == data.versions[-2].layout
    given = old.ask("bob", "heights", rebuilt(heights["asked"][0]["question"])).answers[0].answer
    there = Counter(towns_of(rows))
    assert right(given, heights["asked"][0] | {"truth": {town: there[town] for town in TOWNS}})


def test_rows_that_are_registered_are_known_again_in_another_file(old: Old) -> None:
    """By the marks that were kept of them: its encoding and the names of its columns are others."""
    heading, before = "Länge;Ort", old.find("heights").registration
    schema = Schema(dict(zip(heading.split(";"), before.schema.columns.values(), strict=True)))
    said = Registration("again", schema, before.limit, "another survey", "consent", alone=True)
    with pytest.raises(ParameterError, match="heights"):
        registering.register(old.house, old.who["olga"], german_text(ROWS, heading).encode(), said, Policy())


def acts_of(old: Old, what: str) -> dict[str, Any]:
    """Return what the trail says of acts of a kind, by what they are about."""
    return {act.about: act.details for act in audit_log.trail(old.house.store, sieve=audit_log.Excerpt(what=(what,)))}


@having("bounds")
def test_bounds_hold_from_their_version_on_and_the_next_ones_take_a_second_officer(old: Old) -> None:
    """An answer keeps those it was asked under; the same question is another one now, until the bounds go on."""
    said = old.notes["bounds"]
    name, column, (first, second, third) = said["dataset"], said["column"], said["ends"]
    asked = rebuilt(old.data[name]["asked"][1]["question"])
    data = old.find(name)
    assert (data.first.ends[column], data.registration.schema.ends[column]) == (first, second)
    (told,) = later_bounds.history(data)
    assert (told.values["version"], told.values["end"], told.values["before"]) == (2, second, first)
    with pytest.raises(ParameterError, match="with earlier bounds, and its result uses them"):
        old.ask("bob", name, asked, 0)
    content, later = (old.left / f"{name}.new").read_bytes(), Later({column: third}, said["source"])
    assert changes.renew(old.house, old.who["olga"], data.id, content, GROWN, later=later) is None  # she has said so
    new = changes.renew(old.house, old.who["otto"], data.id, content, GROWN, later=later)
    assert new is not None and new.registration.schema.ends[column] == third
    for each in said["asked"]:
        assert right(old.ask("bob", name, rebuilt(each["question"])).answers[0].answer, each)
    assert not old.wrong()


@having("mistaken")
def test_what_was_withdrawn_is_gone_and_its_rows_may_begin_anew(old: Old) -> None:
    """By one officer, by the second of two, and in the place of a first try."""
    olga, otto = old.who["olga"], old.who["otto"]
    mistaken, regretted = old.notes["mistaken"], old.notes["regretted"]
    assert acts_of(old, acts.REGISTRATION_WITHDRAWN.name).keys() == {mistaken["name"], old.notes["replaced"]["name"]}
    assert acts_of(old, acts.REGISTRATION_WITHDRAWN.name)[mistaken["name"]]["why"] == mistaken["why"]
    assert {data.name for data in registry.everything(old.house)} == {*old.data, regretted["name"]}
    assert lifecycle.withdraw(old.house, otto, regretted["id"], regretted["why"])
    for gone in (mistaken, regretted):
        said, content = Registration.from_json(gone["registration"]), (old.left / f"{gone['name']}.rows").read_bytes()
        assert registering.register(old.house, olga, content, said, Policy()).id != gone["id"]
    replacing = old.data[old.notes["replaced"]["by"]]["id"]
    with pytest.raises(ParameterError, match="This dataset already has requests"):
        lifecycle.withdraw(old.house, olga, replacing, "it was asked of already")
    assert not old.wrong()


@having("agreed")
def test_what_two_officers_agreed_on_stays_on_the_trail(old: Old) -> None:
    """Rows like those that take two came in with their own budget once another officer had agreed."""
    said = old.notes["agreed"]
    assert old.find(said["beside"]).registration.apart == said["why"]
    agreed = acts_of(old, "apart agreed")
    assert list(agreed) == said["of"]
    registered = acts_of(old, "registered")[said["beside"]]
    assert (registered["like"], registered["apart"]) == (said["of"], said["why"])


@having("told")
def test_what_was_told_and_declared_later_still_holds(old: Old) -> None:
    """A dated note, and a column that two officers declared after the others were asked."""
    told, more = old.notes["told"], old.notes["extended"]
    notes_of = registry.row_of(old.house, old.data[told["dataset"]]["id"])["errata"]
    assert [note["text"] for note in notes_of] == [told["note"]]
    column, name = more["column"], more["dataset"]
    assert column in old.find(name).registration.schema.askable and column not in old.find(name).first.askable
    asked = replace(rebuilt(old.data[name]["asked"][0]["question"]), columns=(column,))
    assert right(old.ask("bob", name, asked).answers[0].answer, more | {"within": 8.0})


@having("half")
def test_what_one_officer_approved_a_second_one_answers(old: Old) -> None:
    """The first approval counts; whoever gave it is no second one."""
    half, said = old.notes["half"], ("approved", "", CHECKED)
    with pytest.raises(ParameterError, match="You have already approved this request"):
        decisions.decide(old.house, old.who[half["first"]], half["id"], *said)
    assert find(old.house, half["id"]).status == "waiting"
    assert decisions.decide(old.house, old.who[half["second"]], half["id"], *said).status == "answered"
    assert not old.wrong()


@having("refused")
def test_what_there_was_no_room_for_is_asked_anew(old: Old) -> None:
    """The old request stays refused; there is room by now, for another draw."""
    refused = old.notes["refused"]
    question = rebuilt(refused["question"])
    with pytest.raises(ParameterError, match="It is large enough now: run the query again"):
        old.ask("bob", refused["dataset"], question, 0)
    assert old.ask("bob", refused["dataset"], question, 1).status == "waiting"


@having("former")
def test_noise_that_is_offered_no_more_answers_nothing_new(old: Old) -> None:
    """What it answered is there, for nothing; what waits is denied, and its part of the budget comes back."""
    former = old.notes["former"]
    name, question = former["dataset"], rebuilt(former["question"])
    spent = registry.ledger(old.house, old.data[name]["id"]).spent
    assert old.ask("eve", name, question, 0).id == former["answered"]
    assert not cards.strange_parts(cards.card(snapshot(old.house, find(old.house, former["answered"]))).to_json())
    with pytest.raises(ParameterError, match="no longer offered"):
        old.ask("eve", name, question)
    with pytest.raises(ParameterError, match="no longer offered"):
        decisions.decide(old.house, old.who["otto"], former["waits"], "approved", "", CHECKED)
    waits = find(old.house, former["waits"])
    decisions.decide(old.house, old.who["otto"], former["waits"], "denied", REASON)
    after = registry.ledger(old.house, old.data[name]["id"]).spent
    assert after.nano_epsilon == spent.nano_epsilon - waits.cost.nano_epsilon
    assert not old.wrong()


def test_an_auditors_file_still_proves_itself(left: Path, old: Old) -> None:
    """That of then, and one that is written now."""
    key = old.notes["public_key"]
    assert main(["verify", str(left / "bundle.zip"), "--key", key]) == 0
    home = ("--home", str(left / "home"), "--database", "")
    assert office(["bundle", "heights", str(left / "new.zip"), *home]) == 0
    assert main(["verify", str(left / "new.zip"), "--key", key]) == 0


def test_screens_show_what_was(old: Old, monkeypatch: pytest.MonkeyPatch) -> None:
    """The officer's queue, data and trail, the list for everybody, and an analyst's own answers and data."""

    def at(login: str, page: str, **query: str) -> str:
        return seat(monkeypatch, old.house, old.who.get(login)).open(page, **query).sent()

    for view in ("kept", "all"):
        at("otto", "datasets", registered_view=view, dataset=old.data["heights"]["id"])
    for asked in old.notes["requests"]:
        if asked["status"] == "waiting":
            assert f"#{asked['number']}" in at("otto", "review", waiting=str(asked["number"]))
    assert "heights" in at("bob", "requests", request=str(old.notes["card"]["identity"]["number"]))
    assert "heights (registered)" in at("bob", "dataset")
    for login, page in (
        ("ann", "audit_log"),
        ("ann", "people"),
        ("otto", "news"),
        ("bob", "budget"),
        ("", "published_results"),
    ):
        at(login, page)


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
        layout = there.dataset.schema.layout
        assert (layout and layout.plain) == table.get("declared_layout")
        assert there.curator.ledger.spent == Cost(*table["spent"])
        assert as_left([release.answer for release, _ in there.answered]) == table["answers"]
    assert space.sheet.plan == plan_from(kept["plan"]) and space.sheet.answers is not None
    assert as_left([row.answer for row in space.sheet.answers.releases]) == kept["plan_answers"]
    stopped(server)


def test_a_file_that_is_brought_again_is_read_as_it_was(left: Path) -> None:
    """As was guessed, corrected or declared; answers cost nothing again, and new ones are right, twice."""
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


def uploaded(left: Path, private: bool) -> Any:
    """Bring a file of which others have spent to a server, in a browser that nobody knows."""
    said, server = notes(left, "upload"), Server()
    server.roads.spent, server.roads.private = Spent(left / "server"), lambda: private
    schema = Schema.from_json(said["declaration"])
    source = LocalSource((left / "own" / said["file"]).read_bytes(), schema.layout)
    space = server.workspace("a new browser")
    space.open("people.csv", Dataset(source, schema), source=source)
    return space


@having("upload", "")
def test_what_uploads_spent_counts_on(left: Path) -> None:
    """In the budget in use, beside those before it; what is asked now is written down, too, and no more than fits."""
    said, space = notes(left, "upload"), uploaded(left, private=False)
    limit, spent = Cost(*said["limit"]), Cost(*said["spent"])
    assert (space.curator.ledger.limit, space.curator.ledger.spent) == (limit, spent)
    assert space.before == tuple(Cost(*each) for each in said["before"])
    groups, whole = ((rebuilt(asked["question"]), asked) for asked in said["asked"])
    assert right(space.curator.ask(whole[0], space.nonce(whole[0])).answer, whole[1])
    again = uploaded(left, private=False)
    assert again.curator.ledger.spent == spent + Cost.of(str(TOTAL))
    with pytest.raises(BudgetExceeded):
        again.curator.ask(groups[0], again.nonce(groups[0]))
    with pytest.raises(ParameterError, match="cannot be replaced on a server that other people can reach"):
        again.replace_budget(limit, again.curator.ledger.rule)
    anew = uploaded(left, private=True)
    anew.replace_budget(limit, anew.curator.ledger.rule)
    assert right(anew.curator.ask(groups[0], anew.nonce(groups[0])).answer, groups[1])
    last = uploaded(left, private=False)
    assert last.curator.ledger.spent == Cost.of(str(COUNTS)) and len(last.before) == len(said["before"]) + 1


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
        discreet.ui.session.state.server().clear()
        app = AppTest.from_file(str(SHELL), default_timeout=60)
        for key, word in address["query"].items():
            app.query_params[key] = word
        app.run().switch_page(f"../pages/{address['page']}.py")
        for key, word in address["query"].items():
            app.query_params[key] = word
        app.run()
        assert not app.exception and not app.error
        assert {key: app.session_state[key] for key in address["shows"]} == address["shows"]
