"""A mistaken registration on screens: withdrawn where nothing was asked, or replaced; its declaration taken along."""

from __future__ import annotations

from dataclasses import replace

from support.office_seats import QUESTION, VISITS, Town, brought, work_on
from support.seats import Seat
from support.town import SCHEMA, TOWN

from discreet.office.datasets import registering, registry
from discreet.office.house import acts, audit_log
from discreet.office.house.roles import TERMINAL
from discreet.office.people import joining
from discreet.office.rules.registration import Policy
from discreet.rows import Number, Schema

WHY, BESIDE = "registered with the wrong unit", "How is it related to"
OTHERS = "If not: why does it cover different people?"


def enrolled(town: Town, policy: Policy = Policy()) -> registry.Registered:  # noqa: B008
    """Register visits by mistake: nobody said which column names the person."""
    age = Schema({"age": Number(0, 120, integer=True, origin="life span")})
    said = replace(TOWN, name="visits", schema=age, source="A ward", alone=True, apart="They are visits.")
    return registering.register(town.house, town.people["olga"], VISITS, said, policy)


def named(town: Town) -> list[registry.Registered]:
    """Return the visits that are registered."""
    return [data for data in registry.everything(town.house) if data.name == "visits"]


def kept(officer: Seat, data: registry.Registered) -> Seat:
    """Look at one dataset."""
    return officer.open("datasets", registered_view="kept", dataset=data.id)


def test_a_registration_is_withdrawn_with_a_reason_and_a_word_that_it_is_meant(town: Town) -> None:
    """What it does not undo is said before; whoever has it open looks at something else."""
    data = enrolled(town)
    abe = work_on(town.at("abe"), "visits")
    olga = kept(town.at("olga"), data)
    assert "This dataset has no requests" in olga.text()
    assert "Backups still contain its rows." in olga.text()
    assert "The audit log keeps the fact of the registration" in olga.text()
    (button,) = olga.buttons("Withdraw registration")
    assert button.disabled
    olga.fill(**{"I understand that a withdrawn registration": True}).run().press("Withdraw registration")
    assert "Give the reason in 10 to 500 characters." in olga.text() and named(town)
    olga.fill(Reason_for_withdrawal=WHY).press("Withdraw registration")
    assert not named(town) and "visits" not in [box.label for box in olga.app.selectbox]
    assert "visits" not in abe.run().text()
    (act,) = [act for act in audit_log.trail(town.house.store) if act.what == acts.REGISTRATION_WITHDRAWN.name]
    assert act.details["why"] == WHY and "withdrew the registration of" in olga.open("audit-log").sent()


def test_what_was_asked_of_is_not_offered_to_be_withdrawn(town: Town) -> None:
    """A request that waits is enough."""
    data = enrolled(town)
    assert kept(town.at("olga"), data).buttons("Withdraw registration")
    dataset, town.dataset = town.dataset, data.id
    town.ask(0.5)
    assert not kept(town.at("olga"), data).buttons("Withdraw registration")
    assert dataset != data.id


def test_a_second_officer_confirms_a_withdrawal_where_a_deletion_takes_two(town: Town) -> None:
    """The proposal says what it is, and is none to delete the rows."""
    link = joining.invite(town.house, TERMINAL, "otto", "Otto", frozenset({"officer"}))
    town.people["otto"] = joining.choose_password(town.house, link, "a long enough password")
    data = enrolled(town, Policy(both=("deletion",)))
    olga = (
        kept(town.at("olga"), data)
        .fill(Reason_for_withdrawal=WHY, **{"I understand that a withdrawn registration": True})
        .run()
    )
    olga.press("Withdraw registration")
    assert named(town) and "Olga proposes to withdraw the registration." in olga.text()
    otto = kept(town.at("otto"), data)
    assert "proposes to delete the rows" not in otto.text()
    otto.fill(Reason_for_withdrawal="it is a mistake indeed").press("Confirm")
    assert not named(town)


def test_the_same_rows_replace_a_mistake_in_one_step(town: Town) -> None:
    """The refusal leads to it; nothing else has to be said of their people, and the old one is gone."""
    data = enrolled(town)
    olga = brought(town.at("olga")).fill(**{QUESTION: "yes"}).run().press("Register")
    assert "It has no requests yet" in olga.text() and named(town) == [data]
    olga.fill(**{BESIDE: "replaces"}).run()
    assert "visits is withdrawn when this dataset is registered" in olga.text()
    assert OTHERS not in [field.label for field in olga.app.text_input]
    olga.press("Register")
    (now,) = named(town)
    assert now.id != data.id and now.registration.schema.person is not None and now.registration.apart == ""
    assert "visits is registered." in olga.text()


def test_data_that_were_asked_of_are_not_offered_to_be_replaced(town: Town) -> None:
    """Of them their people are others, or these are a version."""
    data = enrolled(town)
    dataset, town.dataset = town.dataset, data.id
    town.ask(0.5)
    olga = brought(town.at("olga")).fill(**{QUESTION: "yes"}).run().press("Register")
    assert "These rows are already registered as visits." in olga.text()
    assert "It has no requests yet" not in olga.text() and dataset
    assert not [field for field in olga.app.radio if field.label.startswith(f"{BESIDE} visits")]


def test_what_is_declared_is_taken_along_from_the_form(town: Town) -> None:
    """With the column that names the person; it is none as long as something is missing."""
    olga = town.at("olga").open("datasets", registered_view="new", registered_from="file")
    olga.uploaded("", "visits.csv", VISITS)
    (button,) = [each for each in olga.app.get("download_button") if each.proto.label == "Export schema"]
    assert button.proto.disabled == (not olga.buttons("Register") or olga.buttons("Register")[0].disabled)
    brought(olga).fill(**{QUESTION: "yes"}).run()
    (button,) = [each for each in olga.app.get("download_button") if each.proto.label == "Export schema"]
    assert not button.proto.disabled and SCHEMA
