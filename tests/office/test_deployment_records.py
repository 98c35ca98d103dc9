"""Records of the public registry: every kind of request gives one that its schema takes, true in every field."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import yaml
from jsonschema import Draft202012Validator
from support.offices import APART, CHECKED, CONTENT, ON_SQLITE, PURPOSE, REASON, REGISTRATION, Office, planned, question

from discreet.curator import Request
from discreet.curator.plan import FixedPlan
from discreet.mechanisms import registry as mechanisms
from discreet.office import Policy
from discreet.office.cards import cards, records
from discreet.office.cards.review_case import snapshot
from discreet.office.datasets import changes, registering
from discreet.office.decisions import decisions
from discreet.office.desk import asking
from discreet.office.requests.request import Inquiry, find
from discreet.queries.mean import Mean
from discreet.rows.engines.connection import DatabaseSource

pytestmark = ON_SQLITE
ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "deployment-record.schema.json").read_text(encoding="utf-8"))
Draft202012Validator.check_schema(SCHEMA)
VALIDATOR = Draft202012Validator(SCHEMA)
HOUSE = {"organisation": "Town Hospital", "kind": "Nonprofit", "sector": "Healthcare", "contact": "data@town.example"}


def record(office: Office, asked: Inquiry, names: bool = True) -> dict[str, Any]:
    """Return the record of a request, as its YAML says it, and fail if the schema refuses it."""
    text = cards.card_yaml(cards.card(snapshot(office.house, find(office.house, asked.id)), names))
    whole: dict[str, Any] = yaml.safe_load(text)
    assert [error.message for error in VALIDATOR.iter_errors(whole)] == []
    deployment: dict[str, Any] = whole["deployment"]
    return deployment


def registered(office: Office, content: Any, name: str, **said: Any) -> str:
    """Register rows of the hospital; return the dataset."""
    words, policy = replace(REGISTRATION, name=name, apart=APART, **HOUSE | said), Policy(free=0.2)
    data = registering.register(office.house, office.who["olga"], content, words, policy)
    changes.amend(office.house, office.who["otto"], data.id, policy)
    return data.id


def of_a_hospital(office: Office) -> None:
    """Register patients."""
    office.dataset = registered(office, CONTENT + b"1,north,x\n", "patients")


@pytest.fixture
def hospital(another: Callable[..., Office]) -> Office:
    """Return a house whose data are of a hospital."""
    return another(of_a_hospital)


STATES: dict[str, Callable[[Office, Inquiry], object]] = {
    "approved": lambda o, a: decisions.decide(o.house, o.who["otto"], a.id, "approved", "", CHECKED),
    "denied": lambda o, a: decisions.decide(o.house, o.who["otto"], a.id, "denied", REASON),
    "changes": lambda o, a: decisions.decide(o.house, o.who["otto"], a.id, "changes", REASON),
    "withdrawn": lambda o, a: decisions.withdraw(o.house, o.who["bob"], a.id),
    "waiting": lambda o, a: None,
}


@pytest.mark.parametrize("state", STATES)
def test_a_request_in_every_state_is_a_record(hospital: Office, state: str) -> None:
    """With and without names; only what was answered says that an answer was given."""
    asked = hospital.ask(0.5)
    STATES[state](hospital, asked)
    for names in (True, False):
        said = record(hospital, asked, names)
        given = said["deployment_model"]["release_type_details"].startswith("One result, released once.")
        assert given == (state == "approved")
        assert (
            "There is no result: the date is that of the request." in said["implementation"]["additional_information"]
        ) != given
        assert said["basic"]["data_curators"] == [
            {"data_curator_name": "Town Hospital", "data_curator_type": "Nonprofit"}
        ]
        assert said["administrative"]["registry_authors"] == ["Town Hospital"]
        assert said["basic"]["data_product_sector"] == "Healthcare"
        assert "data@town.example" in said["basic"]["description"]


def test_a_late_request_is_a_record(hospital: Office) -> None:
    """One that expired says so."""
    asked = hospital.ask(0.5)
    hospital.clock.now += 15 * asking.DAY
    decisions.sweep(hospital.house)
    assert "No result was released" in record(hospital, asked)["deployment_model"]["release_type_details"]


KINDS: dict[str, Callable[[], Any]] = {
    "mean": lambda: question(0.1),
    "groups": lambda: replace(question(0.05), by="town"),
    "plan": lambda: planned(0.15),
    "choice": lambda: Request(mechanisms["quantile-exponential"](epsilon=0.1), ("age",)),  # type: ignore[call-arg]
    "smooth": lambda: Request(mechanisms["smooth-laplace"](query=Mean(), epsilon=0.1, delta=1e-8), ("age",)),  # type: ignore[call-arg]
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_question_is_a_record(hospital: Office, kind: str) -> None:
    """Alone, by groups, a plan, a choice, with a delta."""
    asked = asking.submit(hospital.house, hospital.who["bob"], hospital.dataset, KINDS[kind](), PURPOSE)
    said = record(hospital, asked)
    assert isinstance(asked.request, FixedPlan) == (kind == "plan")
    assert ("delta" in said["privacy_loss"]["privacy_parameters"]) == (kind == "smooth")


def test_a_live_table_and_a_version_are_told_as_they_are(hospital: Office, tmp_path: Path) -> None:
    """Dynamic is what is read anew; a version says its number."""
    address = f"sqlite:///{tmp_path / 'people.db'}"
    engine = sa.create_engine(address)
    with engine.begin() as db:
        db.exec_driver_sql("create table people (age integer, town text)")
        db.exec_driver_sql("insert into people values (40, 'north')")
    engine.dispose()
    patients = hospital.dataset
    hospital.dataset = registered(hospital, DatabaseSource(address, "people"), "live")
    model = record(hospital, hospital.ask(0.1))["deployment_model"]
    assert model["data_source_type"] == "Dynamic" and "read again for every result" in model["data_source_type_details"]
    hospital.dataset = patients
    first = hospital.ask(0.1)
    changes.renew(hospital.house, hospital.who["olga"], patients, CONTENT + b"2,south,x\n", "the second wave of it")
    second = hospital.ask(0.11)
    for asked, number in ((first, 1), (second, 2)):
        model = record(hospital, asked)["deployment_model"]
        assert model["data_source_type"] == "Static"
        assert model["data_source_type_details"].startswith(f"Version {number} of the rows.")


def test_data_of_whom_nobody_said_anything_name_no_person(office: Office) -> None:
    """Registered before the house said its name: no officer stands there in its place, and no kind is guessed."""
    said = record(office, office.ask(0.1))
    assert said["basic"]["data_curators"] == [{"data_curator_name": records.UNNAMED}]
    assert said["administrative"]["registry_authors"] == [records.UNNAMED]
    assert "data_product_sector" not in said["basic"]


def _changed(whole: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    twin = copy.deepcopy(whole)
    *way, last = path.split("/")
    part = twin
    for name in way:
        part = part[name]
    if value is None:
        del part[last]
    else:
        part[last] = value
    return twin


ANSWERED: list[dict[str, Any]] = []


def answered(office: Office) -> dict[str, Any]:
    """Return the record of an answer, the first that was written: nobody changes it."""
    if not ANSWERED:
        ANSWERED.append(yaml.safe_load(cards.card_yaml(cards.card(snapshot(office.house, office.ask(0.1))))))
    return ANSWERED[0]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("url_slug", "Has Blanks"),
        ("deployment/basic/data_product_type", "Everything"),
        ("deployment/basic/publication_date", "1/1/2030"),
        ("deployment/basic/data_curators", []),
        ("deployment/basic/rows", 300),
        ("deployment/privacy_loss/privacy_parameters", {}),
        ("deployment/privacy_loss/privacy_parameters", {"epsilon": 0}),
        ("deployment/privacy_loss/number_of_privacy_units", 0),
        ("deployment/deployment_model/data_source_type", "Live"),
        ("deployment/dp_variant/variant_name", "Almost DP"),
        ("deployment/implementation/justification", ""),
        ("deployment/implementation/mechanisms", None),
        ("deployment/administrative/status", "Approved"),
        ("deployment/administrative/tier", 2),
    ],
)
def test_the_schema_refuses_what_is_wrong(office: Office, path: str, value: Any) -> None:
    """One change at a time, in a record that it takes."""
    whole = answered(office)
    assert VALIDATOR.is_valid(whole) and not VALIDATOR.is_valid(_changed(whole, path, value))
