"""Old waves: a house whose waves had budgets of their own opens and verifies, and answers nothing more of them.

So does what its officers agreed on of other people: it stays on the trail.
"""

from __future__ import annotations

import json
import shutil
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from old.with_waves import rows
from support.seats import Seat, seat

from discreet.budget import Cost, ParameterError, Phrase
from discreet.command import main
from discreet.curator import Request
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.office import House, Policy
from discreet.office.auditing import bundle_check, bundles, inspection
from discreet.office.auditing.bundles import Period
from discreet.office.cards import cards, records
from discreet.office.cards.review_case import snapshot
from discreet.office.datasets import changes, lifecycle, registering, registry
from discreet.office.datasets.likeness import Guarded
from discreet.office.decisions import decisions
from discreet.office.decisions.checklist import POINTS
from discreet.office.desk import asking
from discreet.office.desk.asking import Desk
from discreet.office.house import audit_log
from discreet.office.notices import news
from discreet.office.people import accounts
from discreet.office.requests.request import Inquiry, find
from discreet.office.rules import rights
from discreet.office.rules.registration import ENDED
from discreet.office.rules.visit import Visit
from discreet.queries.mean import Mean

(ARCHIVE,) = (Path(__file__).parent / "ended").glob("*.tar.gz")
PURPOSE = "to plan the beds of next year"
CHECKED = dict.fromkeys(POINTS, "explained: looked at it")
NEXT = b"age,town,note\n" + b"".join(b"%d,north,visit 4-%d\n" % (at % 90, at) for at in range(300))
SAID = {  # on a card, whatever else it says by now
    "identity": ("id", "number", "asked", "state"),
    "release": ("identity", "plain", "answer", "interval", "parts"),
    "data": ("id", "registration_sha256", "fingerprint", "bounds_chosen_by_looking"),
    "guarantee": ("epsilon", "delta"),
    "accounting": ("cost", "charge"),
}


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the archive, which nobody writes into."""
    folder = tmp_path_factory.mktemp("ended")
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    return next(folder.iterdir())


class Old:
    """The house, opened at the time at which it was left."""

    def __init__(self, left: Path) -> None:
        """Open it."""
        self.left = left
        self.notes: dict[str, Any] = json.loads((left / "notes.json").read_text(encoding="utf-8"))
        self.house = House(left / "home", f"sqlite:///{left / 'home' / 'ledger.db'}", lambda: self.notes["at"])
        self.who = {account["person"].login: account["person"] for account in accounts.everybody(self.house)}
        self.ids: dict[str, str] = self.notes["datasets"]

    def ask(self, name: str, epsilon: float, round: int = 9) -> Inquiry:
        """Ask a question."""
        question = Request(GlobalLaplace(query=Mean(), epsilon=epsilon), ("age",))
        return asking.submit(self.house, self.who["bob"], self.ids[name], question, PURPOSE, round)

    def wrong(self) -> list[str]:
        """Return what an inspection finds."""
        return [str(each) for each in inspection.look(self.house).all]


@pytest.fixture
def old(unpacked: Path, tmp_path: Path) -> Iterator[Old]:
    """Open a copy of the house."""
    house = Old(Path(shutil.copytree(unpacked, tmp_path / "left")))
    yield house
    house.house.store.close()


def test_it_opens_and_verifies_with_all_that_was_spent_and_answered(old: Old) -> None:
    """What was spent of all waves counts together, within their budgets together; of each wave nothing is left."""
    assert old.wrong() == [] and old.house.wrong_act(whole=True) is None
    visits, rounds = (registry.ledger(old.house, old.ids[name]) for name in ("visits", "rounds"))
    assert (visits.spent, visits.limit) == (Cost.of("1.16"), Cost.of("1.5", "3e-6"))
    assert rounds.spent.epsilon > 1 and rounds.spent.fits_in(rounds.limit)
    for ledger in (visits, rounds):
        assert ledger.left == Cost.zero() and ledger.period is None
    for asked in old.notes["requests"]:
        there = find(old.house, asked["id"])
        assert (there.number, there.status) == (asked["number"], asked["status"])
        assert json.loads(json.dumps([answer.answer for answer in there.answers])) == asked["answers"]


def test_a_card_says_what_it_said_and_of_all_waves_together(old: Old) -> None:
    """The answer, the unit and the line that paid; amounts are those of all waves, with the k of a person."""
    asked = find(old.house, old.notes["requests"][0]["id"])
    card = cards.card(snapshot(old.house, asked))
    assert cards.strange_parts(card.to_json()) == []
    text = json.loads(cards.card_json(card))
    for part, names in SAID.items():
        assert [text[part][name] for name in names] == [old.notes["card"][part][name] for name in names]
    risks = [dict(of["guarantee"]["risk"]) for of in (text, old.notes["card"])]
    assert all(risk.pop("in_words") for risk in risks) and risks[0] == risks[1]  # the words are of today
    assert text["guarantee"]["privacy_unit"] == "the data of a person in one wave"
    assert text["accounting"]["total"]["epsilon"] == 1.5
    assert "A wave is: “the visits of one month, and of no other”." in text["guarantee"]["privacy_unit_details"]
    assert "A person in k waves has a privacy loss of at most k times that." in text["accounting"]["period"]["rule"]
    every = json.loads(records.releases_json(old.house, old.ids["visits"]))
    assert (every["total"]["epsilon"], every["spent"]["epsilon"], len(every["releases"])) == (1.5, 1.16, 4)
    assert cards.published(old.house)[0]["name"] == "visits"


def test_nothing_more_is_asked_and_a_sentence_says_what_to_do(old: Old) -> None:
    """Neither asked, approved, renewed nor extended; what waits is denied, and what was reserved comes back."""
    olga, otto, visits = old.who["olga"], old.who["otto"], old.ids["visits"]
    before, data = registry.ledger(old.house, visits).lines, registry.find(old.house, visits)
    assert data.state == "closed" and Desk(old.house, old.who["bob"], visits).registered == data
    refused = [
        lambda: old.ask("visits", 0.01),
        lambda: old.ask("rounds", 0.01),
        lambda: decisions.decide(old.house, otto, old.notes["waits"], "approved", "", CHECKED),
        lambda: changes.renew(old.house, olga, visits, NEXT, "the visits of the next month"),
        lambda: changes.extend(old.house, olga, visits, data.registration.schema),
    ]
    for act in refused:
        with pytest.raises(ParameterError) as sentence:
            act()
        assert sentence.value.args[0] == ENDED
    assert registry.ledger(old.house, visits).lines == before
    decisions.decide(old.house, otto, old.notes["waits"], "denied", "the months are no budgets any more")
    assert registry.ledger(old.house, visits).spent == Cost.of("0.85") and old.wrong() == []
    lifecycle.close(old.house, olga, visits)
    lifecycle.erase(old.house, olga, visits)
    assert old.wrong() == [] and find(old.house, old.notes["requests"][0]["id"]).release is not None


def test_what_was_answered_is_answered_again_for_nothing_only_in_its_own_round(old: Old) -> None:
    """The same request finds its answer; nothing is charged."""
    first, spent = old.notes["requests"][0], registry.ledger(old.house, old.ids["visits"]).spent
    again = old.ask("visits", 0.3, 0)
    assert again.id == first["id"] and [each.answer for each in again.answers] == first["answers"]
    assert registry.ledger(old.house, old.ids["visits"]).spent == spent


def test_no_wave_is_a_unit_of_a_new_registration(old: Old) -> None:
    """Its own file is refused with what to do; the same rows have their budget; the next ones are asked about."""
    said = registry.find(old.house, old.ids["visits"]).registration
    olga, first = old.who["olga"], "the visits of January were asked: ε 0.4"
    new = replace(said, name="again", unit="person", wave="", others=first, apart="")

    def register(content: bytes, registration: Any) -> registry.Registered:
        return registering.register(old.house, olga, content, registration, Policy())

    with pytest.raises(ParameterError, match="A wave is no longer a unit of privacy"):
        register(NEXT, said)
    with pytest.raises(ParameterError, match="A wave is no longer a unit of privacy"):
        register(NEXT, replace(new, wave=said.wave))
    for known in ("visits-1", "visits-2", "visits-3-corrected"):
        with pytest.raises(ParameterError, match="already registered as visits"):
            register(rows(known), replace(new, apart="the people of another town"))
    with pytest.raises(ParameterError, match="looks like visits"):
        register(NEXT, new)
    assert register(NEXT, replace(new, apart="the visits after those")).registration.others == first
    assert old.wrong() == []


def test_an_auditors_file_still_proves_itself(old: Old) -> None:
    """That of then, and one that is written now; a request that is moved into another wave is found in both."""
    key = old.notes["public_key"]
    assert main(["verify", str(old.left / "bundle.zip"), "--key", key]) == 0
    new = old.left / "new.zip"
    new.write_bytes(bundles.bundle(old.house, old.who["ann"], old.ids["visits"], Period()))
    assert main(["verify", str(new), "--key", key]) == 0
    for bundle in (old.left / "bundle.zip", new):
        files = bundle_check.read(bundle)
        data = json.loads(files["dataset.json"])
        data["versions"][1]["wave"] = 1
        found = list(bundle_check._waves({**files, "dataset.json": json.dumps(data).encode()}))
        assert Phrase("Request #{number} is counted in a different wave from its rows.", number=4) in found


def test_what_was_said_of_other_people_stays_on_the_trail_and_takes_nobody_in(old: Old) -> None:
    """Old acts are told, and whoever agreed asks nothing; what waits still is no proposal that anybody confirms."""
    told = {
        act.what: str(act.words) for act in audit_log.trail(old.house.store, sieve=audit_log.Excerpt(about="people"))
    }
    assert told["apart proposed"] == "proposed to register rows similar to those of"
    assert told["apart agreed"] == "confirmed that the people differ from those of"
    beside = registry.find(old.house, old.ids["beside"]).registration
    assert beside.apart == "the people of another town"
    otto = replace(old.who["otto"], roles=frozenset({"analyst", "officer"}))
    with (
        old.house.store.reading() as connection,
        pytest.raises(ParameterError, match="Someone else must send the request"),
    ):
        rights.may_ask(Visit(old.house, connection, otto, old.ids["people"]))
    for login in ("olga", "otto"):
        with pytest.raises(Guarded, match="A version of people requires two officers"):
            registering.register(old.house, old.who[login], rows("later"), replace(beside, name="later"), Policy())
    assert "apart proposed" not in {line["what"] for line in _news(old)} and old.wrong() == []


def _news(old: Old) -> list[Any]:
    """Return the acts that are news for an officer."""
    with old.house.store.reading() as connection:
        return list(news.lines(old.house, connection, old.who["otto"]))


def test_screens_show_what_was_and_say_what_to_do(old: Old, monkeypatch: pytest.MonkeyPatch) -> None:
    """The officer's page, the overview, the queue, the list for everybody, and the analyst's own answers."""

    def sit(login: str, page: str, **query: str) -> Seat:
        return seat(monkeypatch, old.house, old.who.get(login)).open(page, **query)

    def at(login: str, page: str, **query: str) -> str:
        return sit(login, page, **query).text()

    visits = old.ids["visits"]
    kept = at("otto", "datasets", registered_view="kept", dataset=visits)
    assert "accepts no more requests. Register the next rows as a dataset with one budget" in kept
    table = sit("otto", "datasets", registered_view="all", dataset=visits).app.dataframe[0].value.set_index("Dataset")
    assert list(table.loc["visits", ["State", "ε spent or reserved", "ε left", "Total ε"]]) == ["closed", 1.16, 0, 1.5]
    waits = find(old.house, old.notes["waits"])
    assert "This dataset is closed, so the request cannot be approved" in at(
        "otto", "review", waiting=str(waits.number)
    )
    assert "ε = 1.16 of ε = 1.5" in at("", "published_results")
    answered = at("bob", "requests", request="1")
    assert "the data of a person in one wave" in answered and "A wave is: “the visits of one month" in answered
    assert "The dataset of request #8 was closed" in at("bob", "requests", request=str(waits.number))
    offered = sit("bob", "dataset").sent()
    assert "people (registered)" in offered and "visits (registered)" not in offered
