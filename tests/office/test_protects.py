"Unit of privacy: a record never says a person where nothing says which rows belong to one."

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from support.offices import APART, CONTENT, ON_SQLITE, REGISTRATION, SCHEMA, Office, everything_in

from discreet.budget import ParameterError
from discreet.office import Policy
from discreet.office.__main__ import main as command
from discreet.office.api.operations import _said
from discreet.office.auditing import bundles
from discreet.office.cards import cards, records
from discreet.office.cards.review_case import dossier, snapshot
from discreet.office.datasets import registering, registry
from discreet.office.decisions.checklist import checklist
from discreet.office.requests.request import find
from discreet.office.rules.registration import Registration
from discreet.rows import Person, Schema

VISITS = replace(REGISTRATION, name="visits", source="visits", apart=APART, alone=False)
OWN = CONTENT + b"1,north,y\n"
NAMED = Schema({"note": Person(), **SCHEMA.columns})


def enrolled(office: Office, said: Registration) -> registry.Registered:
    """Register rows."""
    return registering.register(office.house, office.who["olga"], OWN, said, Policy(free=0.2))


@ON_SQLITE
@pytest.mark.parametrize(
    "change",
    [{}, {"unit": "household"}, {"unit": "event"}, {"unit": "user-day"}, {"unit": "household", "alone": True}],
    ids=lambda change: "-".join(change) or "plain",
)
def test_a_unit_that_is_not_protected_is_refused(office: Office, change: dict[str, Any]) -> None:
    """With neither a column nor the word that rows are different people nothing is written, by whatever road."""
    before = everything_in(office.store)
    with pytest.raises(ParameterError, match="No column shows which rows belong to"):
        enrolled(office, replace(VISITS, **change))
    assert everything_in(office.store) == before


@ON_SQLITE
def test_a_row_is_called_a_row_wherever_a_unit_stands(office: Office) -> None:
    """On the card and its record, in the list of releases, for programs, in the bundle, and as describe prints it."""
    data = enrolled(office, replace(VISITS, unit="row"))
    office.dataset = data.id
    asked = office.ask(0.1)
    here = dossier(office.house, asked, office.who["otto"])
    card = cards.card(here.snapshot)
    every = [
        cards.card_json(card),
        cards.card_yaml(card),
        records.releases_json(office.house, data.id),
        json.dumps(_said(data)["unit"]),
    ]
    assert all("one row" in text for text in every[:3]) and every[3] == '"row"'
    sentences = json.dumps([card.to_json()["guarantee"], json.loads(every[2])["unit"]], default=str)
    assert "This protects one row, not one person" in sentences and "If one row is known to be in" in sentences
    for word in ("a person", "people together", "such as a family"):
        left = sentences.replace("not a person", "").replace("If a person has several rows, each row is protected", "")
        assert word not in left, word
    (unit,) = [item for item in checklist(here) if item.name == "unit"]
    assert unit.verified is False and "One row is protected, not one person" in unit.note
    assert bundles._dataset(data)["protects"] == "row"


@ON_SQLITE
@pytest.mark.parametrize(
    "change, unit, words",
    [
        ({}, "row", "one row"),
        ({"unit": "household", "alone": True}, "person", "a person"),
        ({"schema": NAMED}, "person", "a person"),
        ({"schema": NAMED, "unit": "household"}, "household", "a household"),
    ],
)
def test_what_was_registered_before_anybody_was_asked_says_what_is_true(
    office: Office, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], unit: str, words: str
) -> None:
    """It opens, its text and hash stay as they were stored, and it verifies."""
    with monkeypatch.context() as before:
        before.setattr(Registration, "check_unit", lambda _: None)
        office.dataset = enrolled(office, replace(VISITS, **change)).id
    data = registry.find(office.again(), office.dataset)
    with office.store.reading() as connection:
        stored = connection.execute(sa.text("SELECT body FROM datasets WHERE id = :id"), {"id": data.id}).scalar_one()
    assert stored == data.registration.to_json() and data.registration.unit == change.get("unit", "person")
    card = cards.card(snapshot(office.house, find(office.house, office.ask(0.1).id)))
    assert (data.registration.protects, str(card.guarantee.privacy_unit)) == (unit, words)
    assert command(["verify", "--home", str(office.home), "--database", office.url]) == 0
