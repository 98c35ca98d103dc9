"""Registering: what an officer must say, one budget for the same rows, and how it ends."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from support.offices import (
    APART,
    CANARY,
    CONTENT,
    ON_SQLITE,
    POLICY,
    REGISTRATION,
    SCHEMA,
    Office,
    everything_in,
    question,
    together,
)

from discreet.budget import Cost, ParameterError
from discreet.office import House, Policy, Registration
from discreet.office.datasets import changes, lifecycle, registering, registry
from discreet.office.house import audit_log
from discreet.office.house.vault import KEY, Vault
from discreet.office.people import accounts
from discreet.office.rules.registration import FAMILIES
from discreet.office.running import housekeeping
from discreet.rows import Category, Ignored, Number, Schema
from discreet.rows import Person as PersonColumn
from discreet.rows.dataset import Dataset
from discreet.rows.files import Layout

OTHER = CONTENT + b"44,north,one more\n"


def vaulted(office: Office) -> set[str]:
    """Return the names of the files in the vault."""
    return {path.name for path in (office.home / "vault").iterdir()} - {KEY}


def new(office: Office, content: bytes = OTHER, **change: Any) -> registry.Registered:
    """Register another dataset."""
    said = replace(REGISTRATION, **{"name": "others", "apart": APART, **change})
    return registering.register(office.house, office.who["olga"], content, said, POLICY)


def test_a_registered_dataset_is_what_was_said(office: Office) -> None:
    """With its budget open, its maker, and nothing of its rows."""
    dataset = registry.find(office.house, office.dataset)
    said = replace(REGISTRATION, schema=replace(SCHEMA, layout=Layout("text")))
    assert (dataset.registration, dataset.policy) == (said, POLICY)
    assert (dataset.name, dataset.state, dataset.published) == ("people", "open", False)
    assert dataset.by == office.who["ann"].id
    assert office.ledger.limit == REGISTRATION.limit and office.ledger.spent == Cost.zero()
    assert registry.everything(office.house) == [dataset]
    assert CANARY not in repr(everything_in(office.store)) and len(vaulted(office)) == 1
    with pytest.raises(ParameterError, match="This dataset does not exist"):
        registry.find(office.house, "people")


def check_that_rows_have_one_budget(office: Office) -> None:
    """Fail if rows that are registered get another budget, under whatever name, even if erased."""
    for _ in range(2):
        with pytest.raises(ParameterError, match="These rows are already registered as people"):
            new(office, CONTENT)
        lifecycle.erase(office.house, office.who["olga"], office.dataset)
    with pytest.raises(ParameterError, match="These rows are already registered"):
        new(office, CONTENT, schema=Schema({"age": Number(0, 90, integer=True, origin="law")}))


def test_the_same_rows_are_registered_once(office: Office) -> None:
    """Not again under another name or declaration, not after the rows were deleted."""
    check_that_rows_have_one_budget(office)
    assert not vaulted(office)


@ON_SQLITE
def test_a_second_budget_is_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where fingerprints differ from upload to upload."""
    monkeypatch.setattr(Vault, "fingerprint", lambda *_: uuid4().hex)
    with pytest.raises(pytest.fail.Exception):
        check_that_rows_have_one_budget(office)


def test_eight_at_once_register_one(office: Office) -> None:
    """The same rows under eight names; then eight rows under one name. Nothing is left over."""
    outcomes = together([lambda at=at: new(office, name=f"n{at}") for at in range(8)])
    assert sum(isinstance(outcome, registry.Registered) for outcome in outcomes) == 1, outcomes
    outcomes = together([lambda at=at: new(office, OTHER + b"1,a,b\n" * at) for at in range(1, 9)])
    assert sum(isinstance(outcome, registry.Registered) for outcome in outcomes) == 1, outcomes
    assert all(isinstance(outcome, registry.Registered | ParameterError) for outcome in outcomes)
    assert len(vaulted(office)) == 3


def test_a_name_is_given_once(office: Office) -> None:
    """Other rows need another name."""
    with pytest.raises(ParameterError, match="A dataset with this name already exists"):
        new(office, name="people")


def check_that_failures_leave_nothing(office: Office) -> None:
    """Fail if a registration that was refused or broke left a file, a budget or a line behind."""
    before, files = everything_in(office.store), vaulted(office)
    act = office.house.act

    def broken(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    office.house.act = broken  # type: ignore[method-assign]
    for content, change, error in (
        (CONTENT, {}, ParameterError),
        (OTHER, {"name": "people"}, ParameterError),
        (OTHER, {"schema": Schema({"wage": Number(0, 1, origin="law")})}, ParameterError),
        (b"PK\x03\x04 no table at all", {}, ParameterError),
        (OTHER, {}, KeyboardInterrupt),
    ):
        with pytest.raises(error):
            new(office, content, **change)
    office.house.act = act  # type: ignore[method-assign]
    assert everything_in(office.store) == before
    assert vaulted(office) == files


def test_a_failed_registration_leaves_nothing_behind(office: Office) -> None:
    """No rows in the vault, no open budget; the next try finds the name and the rows free."""
    check_that_failures_leave_nothing(office)
    assert new(office).name == "others"


@ON_SQLITE
def test_files_that_are_left_are_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where nobody cleans up."""
    monkeypatch.setattr(Vault, "delete", lambda *_: None)
    with pytest.raises(AssertionError):
        check_that_failures_leave_nothing(office)


def test_no_name_of_a_client_becomes_a_path(office: Office) -> None:
    """A dataset that is called like a path is a dataset; nothing is written anywhere else."""
    around = {path for path in office.home.parent.rglob("*")}
    for at, name in enumerate(("../../../evil", "/etc/passwd", "..", "a/b\\c", "C:key")):
        assert new(office, OTHER + b"1,a,b\n" * at, name=name).name == name
    fresh = {path for path in office.home.parent.rglob("*")} - around
    beside = {path for path in fresh if path.parent != office.home / "vault"}
    assert len(fresh - beside) == 5
    assert all(path.name.startswith("ledger.db") for path in beside), beside


def test_the_layout_is_kept_with_the_rows(office: Office) -> None:
    """What an officer chose is used whenever the rows are opened."""
    rows = b"age;town\n" + b"12;north\n34;south\n" * 40
    chosen = Layout("text", "latin-1", ";")
    dataset = registering.register(
        office.house, office.who["olga"], rows, replace(REGISTRATION, name="o", apart=APART), POLICY, chosen
    )
    assert isinstance(registry.curator(office.again(), dataset.id)._dataset, Dataset)


@pytest.mark.parametrize(
    "change, why",
    [
        ({"name": ""}, "Name"),
        ({"name": " \n"}, "Name"),
        ({"name": "x" * 2001}, "Name"),
        ({"name": "a\x00b"}, "Name"),
        ({"source": ""}, "Source"),
        ({"basis": " "}, "Legal basis"),
        ({"unit": "group"}, "unit"),
        ({"unit": "row"}, "A column identifies people, so more than"),
        (
            {"unit": "row", "alone": False, "schema": Schema({"id": PersonColumn(), **SCHEMA.columns})},
            "A column identifies people, so more than",
        ),
        ({"rule": "none"}, "accounting method"),
        ({"limit": Cost.of(1) - Cost.of(1)}, "The budget needs an ε above 0"),
        ({"limit": Cost(0, 10**9)}, "The budget needs an ε above 0"),
        ({"people": 0}, "at least 1"),
        ({"people": -5}, "at least 1"),
        ({"keep_until": "soon"}, "2030-12-31"),
        ({"keep_until": "20301231"}, "2030-12-31"),
        ({"keep_until": "2030-W01-1"}, "2030-12-31"),
        ({"keep_until": "2030-02-30"}, "2030-12-31"),
        ({"schema": Schema({"age": Number(0, 120)})}, "public source"),
        ({"schema": Schema({"age": Number(0, 120, origin="  ")})}, "public source"),
        ({"schema": Schema({})}, "at least one"),
        ({"schema": Schema({"id": PersonColumn(), "x": Ignored()})}, "at least one"),
    ],
)
def test_what_an_officer_could_not_answer_for_is_refused(change: Any, why: str) -> None:
    """With what to say instead."""
    with pytest.raises(ParameterError, match=why):
        replace(REGISTRATION, **change)


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    "change, why",
    [
        ({"families": ()}, "family"),
        ({"families": ("global", "magic")}, "family"),
        ({"free": -0.1}, "The limit without approval"),
        ({"free": 2.0}, "The limit without approval"),
        ({"free": NAN}, "The limit without approval"),
        ({"most": 0.0}, "The limit without approval"),
        ({"most": 51.0}, "The limit without approval"),
        ({"most": NAN}, "The limit without approval"),
        ({"most": INF}, "The limit without approval"),
        ({"most_delta": -0.1}, "The maximum δ"),
        ({"most_delta": 0.5}, "The maximum δ"),
        ({"most_delta": NAN}, "The maximum δ"),
        ({"share": -1.0}, "An analyst limit"),
        ({"share": NAN}, "An analyst limit"),
        ({"shares": {"bob": 51.0}}, "An analyst limit"),
        ({"shares": {"bob": NAN}}, "An analyst limit"),
        ({"days": 0}, "days"),
        ({"days": 366}, "days"),
        ({"until": "tomorrow"}, "2030-12-31"),
        ({"until": "20300101"}, "2030-12-31"),
    ],
)
def test_a_policy_that_makes_no_sense_is_refused(change: Any, why: str) -> None:
    """With what to choose instead."""
    with pytest.raises(ParameterError, match=why):
        Policy(**change)


REGISTRATIONS = [
    REGISTRATION,
    replace(REGISTRATION, name="ünï \"quoted\" \\ 'one'\n", limit=Cost(1, 0)),
    replace(
        REGISTRATION,
        limit=Cost(50 * 10**9, 499_999_999_999_999),
        rule="zCDP",
        unit="user-day",
        looked="the maximum",
        others="a table of 2019",
        people=10**12,
        region="EU",
        sector="health",
        keep_until="2031-02-28",
        alone=True,
        access="two people",
        forever="a law",
        organisation="a town",
        kind="Government",
        contact="data@town.example",
        schema=Schema(
            {
                "id": PersonColumn(3, "mean"),
                "town": Category(("a", "b"), other=True),
                "wage": Number(-0.1, 1e6, 0.1, missing=0.3, origin="law", unit="€"),
                "x": Ignored(),
            }
        ),
    ),
    replace(REGISTRATION, unit="person-wave", wave="the visits of one month", compared=True),
]
POLICIES = [
    POLICY,
    Policy(),
    Policy(("global",), 0.1, 0.30000000000000004, 5e-324, 0.7, {"bob": 0.1, "é": 0.0}, 365, "2030-01-01"),
    Policy(FAMILIES[::-1], share=0.0),
]


@pytest.mark.parametrize("said", REGISTRATIONS, ids=range(len(REGISTRATIONS)))
def test_a_registration_is_read_back_exactly(said: Registration) -> None:
    """To the last bit and the last character."""
    again = Registration.from_json(said.to_json())
    assert again == said and again.to_json() == said.to_json()
    assert len(fields(said)) == 23


@pytest.mark.parametrize("policy", POLICIES, ids=range(len(POLICIES)))
def test_a_policy_is_read_back_exactly(policy: Policy) -> None:
    """Shares by login and the order of families, too."""
    again = Policy.from_json(policy.to_json())
    assert again == policy and again.to_json() == policy.to_json()


def test_the_largest_delta_is_below_one_over_the_people_squared() -> None:
    """And never above a millionth."""
    assert REGISTRATION.most_delta == 1e-6
    assert replace(REGISTRATION, people=10).most_delta == 1e-6
    assert replace(REGISTRATION, people=10_000).most_delta == 1e-8


def test_a_policy_holds_its_lines() -> None:
    """At each of them and just above."""
    policy = Policy(("global",), free=0.1, most=0.5, until="2030-06-30")
    ask, today = question(0.1), "2030-06-30"
    policy.check(ask, Cost.of("0.5", "1e-6"), today)
    for cost, day, why in (
        (Cost(500_000_001), today, "at most ε = 0.5"),
        (Cost.of("0.1", "1.001e-6"), today, "at most δ ="),
        (Cost.of("0.1"), "2030-07-01", "until 2030-06-30"),
    ):
        with pytest.raises(ParameterError, match=why):
            policy.check(ask, cost, day)
    with pytest.raises(ParameterError, match="does not allow this mechanism"):
        Policy(tuple(f for f in FAMILIES if f != "global")).check(ask, Cost.of("0.1"), today)
    assert policy.waits(question(0.1)) is None
    assert "0.1" in str(policy.waits(question(0.100000001)))
    assert "Every release" in str(Policy(free=0.0).waits(question(1e-6)))
    shares = Policy(share=0.5, shares={"bob": 2.0, "eve": 0.0})
    assert [shares.share_of(login) for login in ("bob", "eve", "max")] == [2.0, 0.0, 0.5]
    assert Policy().share_of("bob") is None


def test_a_policy_changes_and_nothing_else_does(office: Office) -> None:
    """From now on; it is on the trail with all it says."""
    before = registry.find(office.house, office.dataset)
    office.amend(free=0.5, shares={"bob": 0.3})
    after = registry.find(office.house, office.dataset)
    assert after == replace(before, policy=Policy(free=0.5, shares={"bob": 0.3}))
    newest = audit_log.trail(office.store, 1)[0]
    assert (newest.what, newest.details["policy"]["shares"]) == ("policy", {"bob": 0.3})
    with pytest.raises(ParameterError, match="This dataset does not exist"):
        changes.amend(office.house, office.who["olga"], "unknown", Policy())


def test_publishing_closing_and_erasing(office: Office) -> None:
    """Each once for all to see; what is deleted is not closed, opened or read any more."""
    house, olga, rows = office.house, office.who["olga"], vaulted(office)
    lifecycle.publish(house, olga, office.dataset, True)
    assert registry.find(house, office.dataset).published
    lifecycle.publish(house, olga, office.dataset, False)
    lifecycle.close(house, olga, office.dataset)
    dataset = registry.find(house, office.dataset)
    assert (dataset.state, dataset.published) == ("closed", False) and vaulted(office) == rows
    lifecycle.erase(house, olga, office.dataset)
    assert registry.find(house, office.dataset).state == "deleted" and not vaulted(office)
    with pytest.raises(ParameterError, match="are deleted"):
        lifecycle.close(house, olga, office.dataset)
    with pytest.raises(ParameterError, match="are deleted"):
        registry.curator(house, office.dataset)
    assert office.ledger.limit == REGISTRATION.limit


def check_that_deleted_rows_are_gone(office: Office) -> None:
    """Fail if a process that had rows in memory still answers after another deleted them."""
    mine, other = office.house, office.again()
    registry.curator(mine, office.dataset)
    lifecycle.erase(other, office.who["olga"], office.dataset)
    with pytest.raises(ParameterError, match="are deleted"):
        registry.curator(mine, office.dataset)
    assert not mine._curators


def test_no_copy_in_memory_outlives_the_rows(office: Office) -> None:
    """Another process erased them: this one lets go of its copy."""
    check_that_deleted_rows_are_gone(office)


@ON_SQLITE
def test_a_copy_that_answers_on_is_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where the state is looked at only when rows are loaded."""
    curator = registry.curator(office.house, office.dataset)
    monkeypatch.setattr(registry, "curator", lambda *_: curator)
    with pytest.raises(pytest.fail.Exception):
        check_that_deleted_rows_are_gone(office)


def test_rows_past_their_day_are_named(office: Office) -> None:
    """The day after, until they are erased."""
    dataset = new(office, keep_until="2030-03-20")
    office.clock.now = 1_900_195_200.0  # 2030-03-19, as the day before
    assert housekeeping.past_retention(office.house) == []
    office.clock.now += 2 * 24 * 3600
    assert [late.id for late in housekeeping.past_retention(office.house)] == [dataset.id]
    lifecycle.erase(office.house, office.who["olga"], dataset.id)
    assert housekeeping.past_retention(office.house) == []


def test_verifying_is_on_the_trail_with_the_head(office: Office) -> None:
    """Whether it held, and which head it had: what anchors the chain."""
    head = office.ledger.head
    assert lifecycle.check_ledger(office.house, office.who["adam"], office.dataset).holds
    assert head in repr(everything_in(office.store)["acts"])
    with pytest.raises(ParameterError, match="This dataset does not exist"):
        lifecycle.check_ledger(office.house, office.who["olga"], "unknown")


def test_a_house_whose_vault_is_elsewhere_says_so(office: Office, tmp_path: Path) -> None:
    """The database alone answers nothing, and without the key of its seals is not opened."""
    with pytest.raises(ParameterError, match="The seal key is missing"):
        House(tmp_path / "empty", office.url, office.clock)
    lost = House(tmp_path / "empty", office.url, office.clock, office.home / "seal.key")
    office.others.append(lost)
    with pytest.raises(ParameterError, match="not in the vault"):
        registry.curator(lost, office.dataset)
    assert accounts.everybody(lost)
    assert registry.find(lost, office.dataset).registration.schema.columns == SCHEMA.columns
