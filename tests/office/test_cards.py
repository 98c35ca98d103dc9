"""Cards: what stands on them is what the ledger says, and nothing of the rows; the checklist sees.

All on one SQLite house with rows that hold a canary and whose number is easy to find.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa
import yaml
from support.for_each import for_each
from support.offices import APART, CHEAP, Clock, Office, copied, opened, ruled, secret_of

from discreet.budget import Cost, ParameterError, Phrase
from discreet.budget.durable import verify
from discreet.curator import Request
from discreet.evidence.audit import Worst
from discreet.evidence.certificate import Certificate
from discreet.mechanisms import registry as mechanisms
from discreet.office import House, Policy, Registration
from discreet.office.cards import cards, proof, sections
from discreet.office.cards.card import Answered, Card
from discreet.office.cards.method import accuracy, statement
from discreet.office.cards.review_case import dossier, snapshot
from discreet.office.datasets import changes, registering, registry
from discreet.office.decisions.checklist import POINTS, Item, checklist, to_answer
from discreet.office.decisions.decisions import decide, sweep, withdraw
from discreet.office.desk.asking import submit
from discreet.office.house import acts
from discreet.office.house.house import Bookmark
from discreet.office.house.replay import Trail
from discreet.office.people import accounts, joining
from discreet.office.requests import request as asking
from discreet.office.requests.request import Inquiry
from discreet.office.rules.visit import select_requests
from discreet.queries import Bounds, Column, Relation
from discreet.queries import registry as statistics
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.query import Location
from discreet.report.public import OUTPUTS, strangers
from discreet.report.risk import GROUPS, best_guess, odds_factor, together
from discreet.rows import Bands, Category, Filter, Number, Person, Recode, Schema, YesNo
from discreet.rows.engines.connection import DatabaseSource

PEOPLE = 13_577  # found as a number of its own nowhere, unless somebody counted
CANARY = "zebracanary"
EXACT = 40.2468135  # the mean of the column, to the last digit
ROWS = "\n".join(f"p{i},{'north' if i % 3 else 'south'},{EXACT},{CANARY}{i}" for i in range(PEOPLE))
CONTENT = f"id,town,age,note\n{ROWS}\n".encode()
SCHEMA = Schema(
    {
        "id": Person(),
        "age": Number(0, 120, origin="life span", unit="years"),
        "town": Category(("north", "south"), origin="a map"),
    }
)
REGISTRATION = Registration(
    "People of a town",
    SCHEMA,
    Cost.of("3", "1e-5"),
    "survey",
    "consent",
    people=10_000,
    region="a town",
    sector="government",
    organisation="Town of Examples",
    kind="Government",
    contact="data@town.example",
    keep_until="2040-01-01",
    others="a count in a report",
)
PURPOSE = "to know how old people are"
WHY = "the purpose is not clear enough"
DAY = 24 * 3600.0
SECTIONS = ("identity", "release", "data", "guarantee", "mechanism", "accounting", "accuracy", "evidence", "people")
# what the registry's schema requires, and what makes a record one of tier 3
BASIC = (
    "name",
    "data_curators",
    "description",
    "intended_use",
    "data_product_type",
    "data_product_region",
    "publication_date",
)
TIER_3 = {
    "dp_variant": ("variant_name", "data_domain", "unprotected_quantities"),
    "privacy_loss": ("privacy_unit", "privacy_unit_details", "privacy_parameters"),
    "deployment_model": (
        "model_name",
        "trust_assumptions",
        "actors",
        "release_type",
        "data_source_type",
        "access_type",
        "access_type_details",
    ),
    "implementation": (
        "preprocessing_and_hyperparameter_tuning",
        "mechanisms",
        "composition",
        "post_processing",
        "justification",
    ),
    "administrative": ("status", "registry_authors", "tier"),
}
CHOICES = {
    ("basic", "data_product_type"): {"Summary statistics"},
    ("basic", "data_product_sector"): {"Technology", "Healthcare", "Education", "Government", "Energy", "Finance"},
    ("dp_variant", "variant_name"): {"Pure DP", "Approximate DP", "Zero-concentrated DP"},
    ("deployment_model", "model_name"): {"Central"},
    ("deployment_model", "release_type"): {"One release", "Many releases"},
    ("deployment_model", "data_source_type"): {"Static", "Dynamic"},
    ("deployment_model", "access_type"): {"Interactive", "Non-interactive"},
    ("administrative", "status"): {"Draft"},
    ("administrative", "tier"): {3},
}

SAID = dict.fromkeys(POINTS, "no: it is known") | {"public": "yes"}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a house on SQLite with two officers, an analyst and one dataset."""
    home = tmp_path_factory.mktemp("model") / "home"
    house = House(home, f"sqlite:///{home / 'ledger.db'}", Clock())
    link = joining.setup_link(house)
    assert link is not None
    with pytest.MonkeyPatch.context() as quickly:
        quickly.setattr(accounts, "HASHER", CHEAP)
        ann = joining.set_up(house, link, "ann", "Ann", secret_of("ann"))
        for login, role in (("olga", "officer"), ("bob", "analyst")):
            invitation = joining.invite(house, ann, login, login.title(), frozenset({role}))
            joining.choose_password(house, invitation, secret_of(login))
    policy = Policy(free=0.2)
    ruled(house, registering.register(house, ann, CONTENT, replace(REGISTRATION, apart=APART), policy).id, policy)
    house.store.close()
    return home


@pytest.fixture
def bureau(tmp_path: Path, model: Path) -> Iterator[Office]:
    """Return a copy of that house."""
    home = tmp_path / "home"
    office = opened(home, copied(f"sqlite:///{model / 'ledger.db'}", model, home, None))
    yield office
    office.house.store.close()


def registered(office: Office, content: bytes = CONTENT, **change: Any) -> registry.Registered:
    """Register rows; policy is what is not said otherwise."""
    policy = change.pop("policy", Policy(free=0.2))
    said = replace(REGISTRATION, **{"apart": APART, **change})
    dataset = registering.register(office.house, office.who["ann"], content, said, policy)
    ruled(office.house, dataset.id, policy)
    return dataset


def smooth(epsilon: float = 0.5, delta: float = 1e-8) -> Request:
    """Return a question whose noise is private."""
    kind: Any = mechanisms["smooth-laplace"]
    return Request(kind(query=Mean(), epsilon=epsilon, delta=delta), ("age",))


def laplace(epsilon: float = 0.1, **more: Any) -> Request:
    """Return a question whose noise is public."""
    kind: Any = mechanisms["laplace"]
    return Request(kind(query=Mean(), epsilon=epsilon), ("age",), **more)


def ask(office: Office, request: Request, dataset: str = "", round: int = 0) -> Inquiry:
    """Ask as Bob does."""
    bob, asked = office.who["bob"], dataset or office.dataset
    return submit(office.house, bob, asked, request, PURPOSE, round)


def approve(office: Office, asked: Inquiry, reason: str = "") -> Inquiry:
    """Approve as Olga does."""
    return decide(office.house, office.who["olga"], asked.id, "approved", reason, SAID)


def made(office: Office, asked: Inquiry, names: bool = True) -> Card:
    """Return the card of a request as it stands now."""
    return cards.card(snapshot(office.house, asked), names)


def card_of(office: Office, asked: Inquiry, names: bool = True) -> dict[str, Any]:
    """Return the same as it is written."""
    return made(office, asked, names).to_json()


def points(office: Office, asked: Inquiry, who: Any = None) -> dict[int, bool | None]:
    """Return what the checklist finds."""
    items = checklist(dossier(office.house, asked, who))
    return {item.number: item.verified for item in items}


def written(office: Office, asked: Inquiry) -> str:
    """Return everything that is written of a request, in whatever form."""
    views = [made(office, asked), made(office, asked, names=False)]
    texts = [text for card in views for text in (cards.card_json(card), cards.card_yaml(card))]
    items = [f"{item.question} {item.note}" for item in checklist(dossier(office.house, asked))]
    house, name = office.house, office.dataset
    return "\n".join([*texts, *items, cards.releases_json(house, name), cards.releases_yaml(house, name)])


def leaks(text: str) -> list[str]:
    """Return what a text says of the rows: the canary, how many they are, their exact mean."""
    alone = r"(?<![\w.])(?:13577(?:\.0)?|13,577)(?![\w.])"
    return re.findall(rf"{CANARY}|{alone}|40\.246813", text)


# what stands on a card is what is on the ledger


def test_before_an_answer_a_card_says_what_it_costs_now_and_after(bureau: Office) -> None:
    """The reservation counts after, and not before; there is no answer and no charge."""
    first, waiting = ask(bureau, laplace()), ask(bureau, smooth())
    card = card_of(bureau, waiting)
    account, ledger = card["accounting"], bureau.ledger
    assert tuple(card) == ("discreet_card", *SECTIONS) and not cards.strange_parts(card)
    assert account["spent_before"] == {"epsilon": 0.1, "delta": 0.0}
    assert Cost.of(*map(str, account["spent_after"].values())) == ledger.spent
    assert Cost.of(*map(str, account["left_now"].values())) == ledger.left
    assert account["total"] == {"epsilon": 3.0, "delta": 1e-5}
    assert account["charge"] is None and card["release"]["answer"] is None
    assert card["identity"]["status"] == "Pending" and card["identity"]["published"] == ""
    assert [other["request"] for other in account["other_releases"]] == [first.number]
    assert card["guarantee"]["variant"] == "Approximate DP"


def test_after_the_answer_a_card_names_its_charge_and_the_head(bureau: Office) -> None:
    """Both as LINE:HASH that verification takes as anchors; later charges leave it as it was."""
    first, waiting = ask(bureau, laplace()), ask(bureau, smooth())
    answered = approve(bureau, waiting, "for one year only")
    card, release = card_of(bureau, answered), answered.release
    account, lines = card["accounting"], bureau.ledger.lines
    assert release is not None and card["release"]["answer"] == release.answer
    (line,) = [x for x in lines if x["request"] == answered.id and x["kind"] == "charge"]
    assert account["charge"] == {"line": line["seq"], "hash": line["hash"]}
    assert line["seq"] == release.entry
    head, anchor = account["head"].split(":")
    assert (int(head), anchor) == (len(lines) - 1, bureau.ledger.head)
    assert verify(bureau.store, bureau.dataset, {int(head): anchor, line["seq"]: line["hash"]})
    ask(bureau, laplace(0.15))
    later = card_of(bureau, answered)["accounting"]
    assert later["spent_before"] == account["spent_before"] == {"epsilon": 0.1, "delta": 0.0}
    assert later["spent_after"] == account["spent_after"] == {"epsilon": 0.6, "delta": 1e-8}
    assert [other["request"] for other in later["other_releases"]] == [first.number, 3]
    charges = {other["charge"] for other in later["other_releases"]}
    assert charges <= {f"{line['seq']}:{line['hash']}" for line in bureau.ledger.lines}
    assert card["people"]["analyst"] == "Bob" and card["people"]["decided_by"] == "Olga"
    assert card["people"]["reason"] == "for one year only"
    assert card["people"]["checklist"] == SAID


@pytest.mark.parametrize("way", ["denied", "changes", "withdrawn", "expired", "refused"])
def test_a_request_without_an_answer_has_a_card_on_which_nothing_is_spent(bureau: Office, way: str) -> None:
    """What was reserved came back: before and after are the same."""
    ask(bureau, laplace())
    if way == "refused":
        ruled(bureau.house, bureau.dataset, Policy(most=9, free=0.2))
        with pytest.raises(Exception, match="left"):
            ask(bureau, smooth(4.0))
        asked = asking.listed(bureau.house, select_requests())[-1]
    else:
        asked = ask(bureau, smooth())
    if way in ("denied", "changes"):
        decide(bureau.house, bureau.who["olga"], asked.id, way, WHY)
    if way == "withdrawn":
        withdraw(bureau.house, bureau.who["bob"], asked.id)
    if way == "expired":
        bureau.clock.now += 15 * DAY
        assert sweep(bureau.house) == 1
    card = card_of(bureau, asked)
    assert asking.find(bureau.house, asked.id).state == way
    assert card["accounting"]["spent_before"] == card["accounting"]["spent_after"]
    assert card["accounting"]["spent_after"] == {"epsilon": 0.1, "delta": 0.0}
    assert card["identity"]["status"] == ("Changes Required" if way == "changes" else "Draft")
    assert cards.card_yaml(made(bureau, asked)) and not cards.strange_parts(card)


def test_bands_are_part_of_what_is_asked_approved_and_shown(bureau: Office) -> None:
    """Other bands are another request; the card names each band before anything is decided."""
    narrow, wide = (laplace(by=Bands("age", every=width)) for width in (20, 50))
    waiting, other = ask(bureau, replace(narrow, mechanism=smooth().mechanism)), ask(bureau, narrow)
    assert ask(bureau, wide).id != other.id and len({narrow.identity, wide.identity, laplace().identity}) == 3
    text = written(bureau, waiting)
    levels = [*(f"{low} to under {low + 20}" for low in range(0, 100, 20)), "100 to 120"]
    assert f"age in 6 bands: {'; '.join(levels)}" in text and not leaks(text)
    answered = approve(bureau, waiting)
    assert answered.release is not None and answered.request.rows[0].by == Bands("age", every=20)
    assert [name for name, _ in answered.answers[0].answer] == levels
    assert asking.find(bureau.house, answered.id) == answered and verify(bureau.store, bureau.dataset)
    assert not asking.alike(narrow, wide) and asking.alike(narrow, replace(narrow, mechanism=laplace(0.2).mechanism))


def test_merged_levels_are_part_of_what_is_asked_approved_and_shown(bureau: Office) -> None:
    """Another list is another request; the card says which values each group has before anything is decided."""
    north, south = (laplace(by=Recode("town", ((name, "here"),))) for name in ("north", "south"))
    waiting, other = ask(bureau, replace(north, mechanism=smooth().mechanism)), ask(bureau, north)
    assert ask(bureau, south).id != other.id and north.identity != south.identity
    text = written(bureau, waiting)
    assert "values of town merged: here (north); other (south" in text and not leaks(text)
    answered = approve(bureau, waiting)
    assert answered.release is not None and answered.request.rows[0].by == north.by
    assert [name for name, _ in answered.answers[0].answer] == ["here", "other"]
    assert asking.find(bureau.house, answered.id) == answered and verify(bureau.store, bureau.dataset)
    assert not asking.alike(north, south) and asking.alike(north, replace(north, mechanism=laplace(0.2).mechanism))


def test_under_zcdp_a_card_says_rho_and_what_the_ledger_says(bureau: Office) -> None:
    """Gaussian noise is zero-concentrated there; pure mechanisms stay pure."""
    dataset = registered(bureau, CONTENT + b"p,north,1,x\n", name="second", rule="zCDP")
    kind: Any = mechanisms["gaussian"]
    gaussian = Request(kind(query=Mean(), epsilon=0.1, delta=1e-9), ("age",))
    first = ask(bureau, laplace(), dataset.id)
    second = ask(bureau, gaussian, dataset.id)
    card, ledger = card_of(bureau, second), registry.ledger(bureau.house, dataset.id)
    rho = gaussian.mechanism.account().rho  # type: ignore[union-attr]
    assert (card["guarantee"]["variant"], card["guarantee"]["rho"]) == ("Zero-concentrated DP", rho)
    assert card["accounting"]["counted_rho"] == pytest.approx(rho, rel=1e-6)
    assert card["accounting"]["counted_rho"] >= rho
    spent = ledger.spent
    assert card["accounting"]["spent_after"] == {"epsilon": spent.epsilon, "delta": spent.delta}
    assert card_of(bureau, first)["guarantee"]["variant"] == "Pure DP"


def test_a_refusal_costs_the_same_unless_it_is_proven_to_cost_less(bureau: Office) -> None:
    """Only the pure test gives back the answer's part."""
    kind: Any = mechanisms["propose-test-release"]
    mechanism = kind(query=Median(), epsilon=0.4, delta=1e-9, b=1.0)
    for request, same in ((smooth(), True), (Request(mechanism, ("age",)), False)):
        account = card_of(bureau, ask(bureau, request))["accounting"]
        assert (account["cost_of_a_refusal"] == account["cost"]) == same
        assert ("same" in account["refusals"]) == same


def test_other_releases_stand_there_with_what_they_came_to(bureau: Office) -> None:
    """With the answer's part, or without it where the test refused: wrong once in 10^9 times."""
    kind: Any = mechanisms["propose-test-release"]
    for bound, taken in ((100.0, True), (1e-9, False)):
        mechanism = kind(query=Mean(), epsilon=0.4, delta=1e-9, b=bound)
        asked = approve(bureau, ask(bureau, Request(mechanism, ("age",))))
        assert asked.release is not None and asked.release.refused is not taken
    others = card_of(bureau, ask(bureau, laplace()))["accounting"]["other_releases"]
    assert [other["epsilon"] for other in others] == [0.4, 0.2]
    assert bureau.ledger.spent.nano_epsilon == round((0.4 + 0.2 + 0.1) * 10**9)


# forms


def test_a_card_survives_json(bureau: Office) -> None:
    """Every value is plain; sentences are texts that still know their template."""
    card = made(bureau, approve(bureau, ask(bureau, smooth())))
    assert json.loads(cards.card_json(card)) == card.to_json()
    assert isinstance(card.accounting.composition, Phrase)


def test_a_card_as_yaml_is_a_record_of_tier_3(bureau: Office) -> None:
    """All fields that the registry requires, and those of tier 3, with values from its lists."""
    for request, answered in ((laplace(), True), (smooth(), False)):
        asked = ask(bureau, request)
        document = yaml.safe_load(cards.card_yaml(made(bureau, asked)))
        record = document["deployment"]
        assert set(document) == {"url_slug", "deployment"} and document["url_slug"]
        assert all(record["basic"][name] for name in BASIC)
        assert all(record[part][name] for part, names in TIER_3.items() for name in names)
        for (part, name), choices in CHOICES.items():
            assert record[part][name] in choices
        (curator,) = record["basic"]["data_curators"]
        assert curator == {"data_curator_name": "Town of Examples", "data_curator_type": "Government"}
        parameters = record["privacy_loss"]["privacy_parameters"]
        assert parameters == {"epsilon": 0.1} if answered else {"epsilon": 0.5, "delta": 1e-8}
        assert record["privacy_loss"]["number_of_privacy_units"] == 10_000
        assert isinstance(record["basic"]["publication_date"], str)


def test_the_list_of_releases_holds_the_answers_and_no_names(bureau: Office) -> None:
    """The same as JSON and as YAML, with the line of every charge."""
    answered = approve(bureau, ask(bureau, smooth()))
    ask(bureau, smooth(0.6))
    listing = json.loads(cards.releases_json(bureau.house, bureau.dataset))
    assert yaml.safe_load(cards.releases_yaml(bureau.house, bureau.dataset)) == listing
    (release,) = listing["releases"]
    assert answered.release is not None and release["answer"] == answered.release.answer
    assert release["charge"].startswith(f"{answered.release.entry}:")
    assert listing["head"].endswith(bureau.ledger.head)
    text = cards.card_json(made(bureau, answered, names=False)) + json.dumps(listing)
    assert not [name for name in ("Ann", "Olga", "Bob") if name in text]


# nothing of the rows


def test_no_card_says_anything_of_the_rows(bureau: Office) -> None:
    """Before and after, in every form: no canary, no number of rows, no exact value."""
    grouped = ask(bureau, laplace(0.05, by="town"))
    waiting = ask(bureau, smooth())
    assert not leaks(written(bureau, waiting))
    for asked in (grouped, approve(bureau, waiting)):
        assert asked.release is not None and not leaks(written(bureau, asked))


@dataclass(frozen=True, kw_only=True)
class Counted(Answered):
    """A section that says how many rows there are."""

    n: int


def test_a_card_that_counts_is_caught(bureau: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """A twin with the number of rows on it: found by its field, and by its value."""
    asked, honest = ask(bureau, laplace()), sections._release
    assert points(bureau, asked)[9] is True
    monkeypatch.setattr(sections, "_release", lambda *arguments: Counted(**vars(honest(*arguments)), n=PEOPLE))
    assert cards.strange_parts(card_of(bureau, asked)) == ["release.n"]
    assert points(bureau, asked)[9] is False
    assert leaks(cards.card_json(made(bureau, asked)))


def test_accuracy_is_stated_only_where_it_is_the_same_for_all_data(bureau: Office) -> None:
    """Noise that follows the data would tell about them."""
    public, private = ask(bureau, laplace()), ask(bureau, smooth())
    assert public.release is not None
    low, high = public.release.interval
    width = card_of(bureau, public)["accuracy"]["half_width"]
    answer = float(public.release.answer)  # type: ignore[arg-type]
    assert (low, high) == pytest.approx((max(answer - width, 0), min(answer + width, 120)))
    kind: Any = mechanisms["blocks-mean"]  # its forecast has a width, which is not of the truth
    blocks = ask(bureau, Request(kind(k=50, upper=120.0, epsilon=0.1), ("age",)))
    for asked in (private, blocks):
        section = card_of(bureau, asked)["accuracy"]
        assert section["half_width"] is None and section["note"].startswith("Not available.")


def test_a_card_says_what_the_cap_of_weights_clips() -> None:
    """Beside what bounds do to values; of yes and no, the weights alone."""
    kind: Any = mechanisms["soft-weights"]
    columns = {"age": Number(0, 120, origin="x"), "w": Number(0, 7.5, step=0.5, origin="x"), "well": YesNo()}
    said = replace(REGISTRATION, schema=Schema(columns))
    weights = (
        "Weights above 7.5 count as 7.5. If many weights are above, the result may be biased, and no interval shows"
    )
    values = str(accuracy(laplace(), said).clipping)
    mean = Request(kind(epsilon=0.1), ("age", "w"))
    share = Request(kind(estimator="weighted-share", epsilon=0.1), ("well", "w"))
    assert str(accuracy(mean, said).clipping).startswith(f"{values} {weights}")
    assert str(accuracy(share, said).clipping).startswith(weights) and values.startswith("Values outside")
    assert accuracy(Request(mean.mechanism, ("w", "age")), said).clipping != accuracy(mean, said).clipping


def test_what_is_not_protected_is_said(bureau: Office) -> None:
    """Blocks and proposals are public, and so is what the registration admits."""
    for slug, more, word in (
        ("blocks-median", {"k": 37, "upper": 120.0}, "blocks, 37"),
        ("propose-test-release", {"query": Median(), "delta": 1e-9, "b": 0.75}, "bound b, 0.75"),
    ):
        kind: Any = mechanisms[slug]
        asked = ask(bureau, Request(kind(epsilon=0.3, **more), ("age",)))
        quantities = card_of(bureau, asked)["guarantee"]["unprotected_quantities"]
        assert [text for text in quantities if word in text]
        assert [text for text in quantities if "a count in a report" in text]
        assert [text for text in quantities if "whether a result was released" in text]


# what it means


@pytest.mark.parametrize("cost", [Cost.of(0.1), Cost.of(1, 0.1), Cost.of(5), Cost.of(9, 1e-6)])
def test_odds_and_guesses_are_those_of_the_worst_pair(cost: Cost) -> None:
    """Of the mechanism that shows all with chance delta and flips a coin of e^eps otherwise."""
    right = math.exp(cost.epsilon) / (1 + math.exp(cost.epsilon))
    assert odds_factor(cost) == math.exp(cost.epsilon)
    assert best_guess(cost) == pytest.approx(cost.delta + (1 - cost.delta) * right, rel=1e-12)
    for size in GROUPS:
        epsilon, delta = together(cost, size)
        grown = cost.delta * math.expm1(size * cost.epsilon) / math.expm1(cost.epsilon)
        assert epsilon == size * cost.epsilon and delta == pytest.approx(min(1, grown))


def test_the_risk_on_a_card_is_of_this_release_and_of_all(bureau: Office) -> None:
    """In numbers and in words."""
    ask(bureau, laplace())
    guarantee = card_of(bureau, ask(bureau, smooth()))["guarantee"]
    assert guarantee["risk"]["odds_factor"] == math.exp(0.5)
    assert guarantee["risk_of_all"]["odds_factor"] == math.exp(0.6)
    assert "at most 63 of 100 cases" in guarantee["risk"]["in_words"][0]
    assert [group["epsilon"] for group in guarantee["risk"]["groups"]] == [1.0, 2.5]


# how long it lasts


def test_so_many_more_fit_as_the_ledger_takes(bureau: Office) -> None:
    """Counted by asking until it refuses."""
    asked = ask(bureau, laplace(0.2))
    more = card_of(bureau, asked)["accounting"]["use"]["more_like_this"]
    for at in range(more):
        ask(bureau, laplace(0.2), round=at + 1)
    assert more == 14
    with pytest.raises(Exception, match="left"):
        ask(bureau, laplace(0.2), round=more + 1)
    assert card_of(bureau, asked)["accounting"]["use"]["more_like_this"] == 0


def test_the_pace_says_when_the_budget_ends(bureau: Office) -> None:
    """Two charges in two weeks cost 0.2, so 2.8 last for 28 weeks more; one charge is no pace."""
    asked = ask(bureau, laplace(0.1))
    assert card_of(bureau, asked)["accounting"]["use"]["pace"] is None
    ask(bureau, laplace(0.1), round=1)
    bureau.clock.now += 14 * DAY
    use = card_of(bureau, asked)["accounting"]["use"]
    assert use["pace"]["charges_a_week"] == pytest.approx(1, rel=1e-3)
    assert use["pace"]["epsilon"] == pytest.approx(0.1, rel=1e-3)
    due = bureau.house.now + timedelta(weeks=28)
    assert abs(datetime.fromisoformat(use["ends"]).date() - due.date()) <= timedelta(days=1)


# evidence


def test_evidence_names_the_program_as_it_runs(bureau: Office) -> None:
    """Version, packages, code, and an exact audit that holds."""
    evidence = card_of(bureau, ask(bureau, laplace()))["evidence"]
    assert evidence["holds"] and evidence["pairs"] > 100 and evidence["claimed_delta"] == 0
    assert re.fullmatch("[0-9a-f]{64}", evidence["code_sha256"])
    assert re.fullmatch("[0-9a-f]{64}", evidence["requirements_sha256"])
    assert evidence["program"] and re.fullmatch("([0-9a-f]{40})?", evidence["commit"])
    assert proof.locked("opendp") == version("opendp")


@for_each([s for s, kind in mechanisms.items() if not kind.open_only])
def test_every_mechanism_says_how_its_answer_is_made(slug: str) -> None:
    """From its docstring: a description, a guarantee and a proof."""
    method = statement(mechanisms[slug])
    assert method["description"] and method["guarantee"] and method["proof"]


def statements(office: Office, work: Callable[[], Any]) -> tuple[int, int]:
    """Return how many statements something takes, and in how many transactions."""
    verbs: list[str] = []

    def heard(_: Any, __: Any, statement: str, *___: Any) -> None:
        verbs.append(statement.split()[0])

    sa.event.listen(office.store.engine, "before_cursor_execute", heard)
    work()
    sa.event.remove(office.store.engine, "before_cursor_execute", heard)
    begun = sum(word == "BEGIN" for word in verbs)
    return len(verbs) - begun, begun


def test_a_card_is_of_one_moment(bureau: Office) -> None:
    """One transaction reads it, however much there is: five statements, eight with the checklist."""
    house, olga = bureau.house, bureau.who["olga"]
    asked = ask(bureau, smooth())
    for round_ in range(3):
        assert statements(bureau, lambda: cards.card(snapshot(house, asked))) == (5, 1)
        assert statements(bureau, lambda: dossier(house, asked, olga)) == (8, 1)
        ask(bureau, laplace(0.01), round=round_)
    here = dossier(house, asked, olga)
    assert statements(bureau, lambda: (cards.card(here.snapshot), checklist(here))) == (0, 0)


def test_a_decision_takes_few_statements(bureau: Office) -> None:
    """Eight look, the others check, write down, charge and keep the answer; `test_statements` counts them cold."""
    first, second = ask(bureau, smooth(0.3)), ask(bureau, smooth(0.4))
    ask(bureau, smooth(0.2))  # it runs at once: now the rows are open
    assert statements(bureau, lambda: approve(bureau, first))[0] <= 30
    olga = bureau.who["olga"]
    deny = lambda: decide(bureau.house, olga, second.id, "denied", WHY)  # noqa: E731
    assert statements(bureau, deny)[0] <= 25


# the checklist


def test_answers_are_kept_by_name_and_old_ones_by_place_are_read_right(bureau: Office) -> None:
    """Before points had names, their places were written; the trail still knows these."""
    asked, olga = ask(bureau, smooth()), bureau.who["olga"]
    old = {"1": "yes", "14": "no: a day follows"}
    decide(bureau.house, olga, asked.id, "denied", WHY, old)
    with bureau.store.reading() as connection:
        written_ = sa.text("SELECT checklist FROM requests WHERE id = :id")
        assert json.loads(connection.execute(written_, {"id": asked.id}).scalar_one()) == old
    said = {"unit": "yes", "deletion": "no: a day follows"}
    assert asking.find(bureau.house, asked.id).checklist == said
    assert card_of(bureau, asked)["people"]["checklist"] == said
    assert snapshot(bureau.house, asked).stands
    assert list(asking.PLACES.values()) == list(POINTS)
    assert [item.name for item in checklist(dossier(bureau.house, asked))] == list(POINTS)


def test_a_good_request_leaves_to_people_what_only_they_can_say(bureau: Office) -> None:
    """Fourteen points are found out, or were said; purpose, readers and trust are left."""
    asked = ask(bureau, laplace(0.5))
    items = checklist(dossier(bureau.house, asked, bureau.who["olga"]))
    assert [item.number for item in items] == list(range(1, 18))
    assert [item.number for item in items if item.verified is None] == [11, 13, 17]
    assert not [item for item in items if item.verified is False]
    assert [item.number for item in items if item.said] == [3]  # on the registrar's word alone
    assert to_answer(items) == ("trust", "readable", "purpose")
    assert to_answer([Item("total", 4, Phrase("Yes"), False, Phrase("No"))]) == ("total",)
    assert all(isinstance(text, Phrase) for item in items for text in (item.question, item.note))


@pytest.mark.parametrize(
    "change, point, verdict",
    [
        ({"unit": "household"}, 1, False),
        ({"schema": Schema({"age": Number(0, 120, origin="x")}), "unit": "row"}, 1, False),
        ({"people": 100_000}, 2, False),
        ({"people": None}, 2, None),
        ({"looked": "seen in a histogram"}, 3, False),
        ({"others": ""}, 5, True),
        ({"keep_until": ""}, 14, False),
        ({"keep_until": "", "forever": "a law keeps them"}, 14, True),
        ({"access": "two people"}, 11, True),
        ({"schema": Schema({"age": Number(0, 120, origin="x")}), "alone": True}, 1, True),
        ({"schema": Schema({**SCHEMA.columns, "town": Category(("north", "south"))})}, 3, False),
    ],
)
def test_a_point_turns_with_what_was_registered(
    bureau: Office, change: dict[str, Any], point: int, verdict: bool | None
) -> None:
    """Delta 1e-9 is above one over a hundred thousand squared, and so on."""
    dataset = registered(bureau, CONTENT + b"p,north,1,x\n", name="second", **change)
    assert points(bureau, ask(bureau, smooth(0.31, 1e-9), dataset.id))[point] is verdict


def test_points_stand_as_they_do_without_such_a_change(bureau: Office) -> None:
    """So each of the above turns by what was changed."""
    plain = points(bureau, ask(bureau, smooth(0.3, 1e-9)))
    assert {point: plain[point] for point in (1, 2, 3, 5, 11, 14)} == dict.fromkeys((1, 2, 3, 5, 14), True) | {11: None}


def test_what_was_said_about_other_releases_grows_old(bureau: Office) -> None:
    """After ninety days whoever decides is asked whether there are still none."""
    dataset = registered(bureau, CONTENT + b"p,north,1,x\n", name="second", others="")
    asked = ask(bureau, laplace(0.5), dataset.id)
    bureau.clock.now += 89 * 24 * 3600.0
    assert points(bureau, asked)[5] is True
    bureau.clock.now += 2 * 24 * 3600.0
    assert points(bureau, asked)[5] is None


@pytest.mark.parametrize("asks", [{"by": "town"}, {"where": (Filter("town", "=", "north"),)}])
def test_groups_need_a_word(bureau: Office, asks: dict[str, Any]) -> None:
    """Answers about few are easily misread; one number about all rows is not."""
    assert points(bureau, ask(bureau, laplace(0.5)))[10] is True
    assert points(bureau, ask(bureau, laplace(0.5, **asks)))[10] is None


def test_a_day_of_deletion_that_passes_while_a_request_waits_is_found(bureau: Office) -> None:
    """Nothing more is asked after it, and what waits is shown as late."""
    asked = ask(bureau, smooth(0.3, 1e-9))
    assert points(bureau, asked)[14] is True
    bureau.clock.now += 20 * 365 * 24 * 3600.0
    assert points(bureau, asked)[14] is False
    with pytest.raises(ParameterError, match="The rows of this dataset could be kept only"):
        ask(bureau, smooth(0.4, 1e-9))


@pytest.mark.parametrize(
    "policy, turned",
    [
        (Policy(most=0.4), {2}),
        (Policy(most_delta=1e-12), {2}),
        (Policy(families=("ptr",)), {2, 6}),
        (Policy(until="2029-12-31"), {2}),
    ],
)
def test_a_point_turns_with_the_policy(bureau: Office, policy: Policy, turned: set[int]) -> None:
    """Amended while the request waits."""
    asked = ask(bureau, smooth())
    assert False not in points(bureau, asked).values()
    ruled(bureau.house, bureau.dataset, policy)
    assert {at for at, verdict in points(bureau, asked).items() if verdict is False} == turned


def test_delta_needs_a_word_and_no_delta_needs_none(bureau: Office) -> None:
    """Pure where it is possible."""
    assert points(bureau, ask(bureau, smooth()))[7] is None
    assert points(bureau, ask(bureau, laplace()))[7] is True


def test_a_ledger_or_a_trail_that_was_changed_is_found(bureau: Office) -> None:
    """By recomputing both while the officer looks."""
    asked = ask(bureau, smooth())
    assert points(bureau, asked)[15] is True
    bureau.without_guards()
    bureau.by_hand("UPDATE acts SET told = '{}' WHERE seq = (SELECT MAX(seq) FROM acts)")
    assert points(bureau, asked)[15] is False
    bureau.by_hand("DELETE FROM acts")
    assert points(bureau, asked)[15] is False  # seals without acts: they were cut off
    bureau.by_hand("DELETE FROM seals WHERE chain = 'trail'")
    assert points(bureau, asked)[15] is False  # what was there is remembered
    bureau.house.bookmark = Bookmark()
    assert points(bureau, asked)[15] is True  # and forgotten by another process
    bureau.by_hand("UPDATE lines SET cost_epsilon = 1")
    assert points(bureau, asked)[15] is False


def test_a_request_that_does_not_fit_any_more_is_found(bureau: Office) -> None:
    """After it was refused, or when its reservation came back and others took the room."""
    changes.amend(bureau.house, bureau.who["ann"], bureau.dataset, Policy(most=3))
    asked = ask(bureau, laplace(2.0))
    assert points(bureau, asked)[4] is True
    withdraw(bureau.house, bureau.who["bob"], asked.id)
    assert points(bureau, asked)[4] is True
    ask(bureau, laplace(1.5))
    assert points(bureau, asked)[4] is False


def test_evidence_and_noise_are_looked_at_now(bureau: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim that fails, and a library that is not the tested one."""
    asked = ask(bureau, smooth())
    bad = Certificate(1, Worst(0.5, 0.0, None))
    monkeypatch.setattr(proof, "checked", lambda slug: bad)
    monkeypatch.setattr(proof, "locked", lambda package: "0.1.0")
    verdicts = points(bureau, asked)
    assert verdicts[6] is False and verdicts[8] is False


def test_nobody_approves_their_own_question_nor_by_their_own_policy(bureau: Office) -> None:
    """The one who decides, and the one whose policy let it run."""
    asked = ask(bureau, smooth())
    assert points(bureau, asked, bureau.who["olga"])[12] is True
    assert points(bureau, asked, bureau.who["bob"])[12] is False
    free = ask(bureau, laplace())
    assert free.state == "allowed" and points(bureau, free)[12] is True
    both = bureau.who["bob"]
    with bureau.house.writing() as connection:  # the rule of today would refuse it
        bureau.house._write(Trail(connection, bureau.house.seal), both.id, acts.POLICY, REGISTRATION.name, {})
    assert points(bureau, free)[12] is False


def test_a_second_answer_to_one_question_needs_a_word(bureau: Office) -> None:
    """Answers to the same question may be compared before they are approved."""
    first = ask(bureau, smooth())
    assert points(bureau, first)[16] is True
    approve(bureau, first)
    assert points(bureau, first)[16] is True
    assert points(bureau, ask(bureau, smooth(), round=1))[16] is None


def test_an_answer_that_nobody_approved_is_found(bureau: Office) -> None:
    """The trail must hold the approval before the answer."""
    asked = approve(bureau, ask(bureau, smooth()))
    bureau.without_guards()
    bureau.by_hand("UPDATE acts SET what = 'verified' WHERE what = 'approved'")
    assert points(bureau, asked)[16] is False


# no sentence that is not true


def test_a_table_that_may_change_is_not_called_static(bureau: Office, tmp_path: Path) -> None:
    """The public record says of rows in a database that they are read anew."""
    address = f"sqlite:///{tmp_path / 'people.db'}"
    engine = sa.create_engine(address)
    with engine.begin() as db:
        db.exec_driver_sql("create table people (id text, town text, age float, note text)")
        db.exec_driver_sql("insert into people values ('p', 'north', 40.5, 'x')")
    engine.dispose()
    live = registering.register(
        bureau.house,
        bureau.who["ann"],
        DatabaseSource(address, "people"),
        replace(REGISTRATION, name="live", apart=APART),
        Policy(free=0.2),
    )
    for dataset, kind in ((bureau.dataset, "Static"), (live.id, "Dynamic")):
        asked = ask(bureau, laplace(), dataset)
        model = yaml.safe_load(cards.card_yaml(made(bureau, asked)))["deployment"]
        assert model["deployment_model"]["data_source_type"] == kind


PLACES = [name for name, kind in statistics.items() if issubclass(kind, Location)]


@pytest.mark.parametrize("name", PLACES)
def test_noise_as_wide_as_the_bounds_is_warned_of_for_every_place(name: str) -> None:
    """The lower median too, and whatever lies between the bounds from now on."""
    more = {"resize": 100} if name == "trimmed-mean" else {}
    kind: Any = mechanisms["laplace"]
    asked = Request(kind(query=statistics[name](**more), epsilon=0.001), ("age",))
    assert accuracy(asked, REGISTRATION).warning is not None


def test_a_card_of_blocks_does_not_speak_of_a_cap(bureau: Office) -> None:
    """All rows of a person are in one block: none is left out."""
    kind: Any = mechanisms["blocks-median"]
    blocks = card_of(bureau, ask(bureau, Request(kind(k=50, upper=120.0, epsilon=0.1), ("age",))))
    plain = card_of(bureau, ask(bureau, laplace()))
    for card, capped in ((blocks, False), (plain, True)):
        guarantee = card["guarantee"]
        for text in (guarantee["privacy_unit_details"], guarantee["neighbours"]):
            assert ("at most" in text) == capped and ("block" in text) != capped


def test_under_a_public_size_the_guarantee_is_about_tables_of_that_size(bureau: Office) -> None:
    """Not about tables of any number of rows."""
    kind: Any = mechanisms["laplace"]
    sized = Request(kind(query=Mean(Relation(size=500)), epsilon=0.1), ("age",))
    for request, word in ((sized, "500 rows are counted"), (laplace(), "any number of rows")):
        assert word in card_of(bureau, ask(bureau, request))["guarantee"]["data_domain"]


def test_what_a_guess_gains_is_said_for_the_relation_of_the_requests_that_count(bureau: Office) -> None:
    """Of one request, of all so far and with all that waits; of the whole budget for any, as nobody knows the rest."""
    kind: Any = mechanisms["laplace"]

    def sized(epsilon: float) -> Inquiry:
        return ask(bureau, Request(kind(query=Mean(Relation(size=500)), epsilon=epsilon), ("age",)))

    def said(asked: Inquiry, part: str) -> tuple[str, bool]:
        first, second, *_ = card_of(bureau, asked)["guarantee"][part]["in_words"]
        about = "values" if "guessing the values" in first else "whether"
        return f"{about} {re.findall('(?:most|than) ([0-9]+) of', first)[0]}", "do not protect whether" in second

    first = sized(0.1)
    assert said(first, "risk") == ("values 53", False) and said(first, "risk_of_all") == ("values 53", False)
    assert said(first, "risk_of_budget") == ("values 99", True)  # more than
    second = ask(bureau, laplace())
    assert said(second, "risk") == ("whether 53", False)
    assert said(second, "risk_of_all") == ("values 60", True)  # e^0.4 / (1 + e^0.4) = 0.5987
    assert said(first, "risk_of_all") == ("values 53", False)  # what came later is not in it
    waits = ask(bureau, smooth())
    assert said(waits, "risk_of_all") == ("values 81", True)  # e^1.4 / (1 + e^1.4) = 0.8022
    sized(0.3)
    assert said(waits, "risk_of_waiting") == ("values 89", True)  # e^2 / (1 + e^2) = 0.8808


def test_what_happens_after_the_noise_is_what_the_laws_do() -> None:
    """Laws that cut answers off say so, and no others do."""
    grid = Bounds(0, 120)
    column = Column.from_values(grid, np.array([1.0, 2.0]))
    for slug in ("laplace", "geometric", "gaussian", "smooth-core-tail", "smooth-student"):
        kind: Any = mechanisms[slug]
        request = Request(kind(query=Count(), epsilon=0.01), ("age",))
        lowest = float(request.mechanism.law(column).quantile(1e-9))
        assert ("Results outside the range allowed by the" in request.mechanism.after) == (lowest >= 0), slug


def test_a_card_says_of_which_rows_its_answer_is(bureau: Office) -> None:
    """In all its forms, beside the interval, and where there is none, why."""
    asked = ask(bureau, laplace(where=(Filter("age", ">", 3),)))
    card = card_of(bureau, asked)
    assert "only where age > 3" in card["release"]["as_read"]
    record = yaml.safe_load(cards.card_yaml(made(bureau, asked)))["deployment"]["implementation"]["utility"]
    assert "value of the rows as they are read" in record and "only where age > 3" in record
    (release,) = json.loads(cards.releases_json(bureau.house, bureau.dataset))["releases"]
    assert release["as_read"] == card["release"]["as_read"]


def test_everything_on_a_card_is_listed_down_to_its_last_part(bureau: Office) -> None:
    """Of every state and in the list of releases; a number of rows deep inside is caught."""
    first = ask(bureau, laplace())
    waiting = ask(bureau, smooth())
    for asked in (first, waiting, approve(bureau, waiting)):
        for names in (True, False):
            assert cards.strange_parts(card_of(bureau, asked, names)) == []
    card = card_of(bureau, first)
    card["accounting"]["use"]["rows"] = PEOPLE
    assert cards.strange_parts(card) == ["accounting.use.rows"]
    whole = json.loads(cards.releases_json(bureau.house, bureau.dataset))
    assert len(whole["releases"]) == 2
    for release in whole["releases"]:
        assert strangers([*release, *whole], OUTPUTS["A list of released results"]) == []
