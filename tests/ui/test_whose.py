"""Whose rows these are: asked before the columns, and nothing is registered without an answer."""

from __future__ import annotations

import pytest
from support.office_seats import AGE, QUESTION, VISITS, Town, brought

from discreet.office.datasets import registry
from discreet.rows import Person


def made(town: Town) -> list[registry.Registered]:
    """Return what was registered."""
    return [data for data in registry.everything(town.house) if data.name == "visits"]


def test_a_table_of_visits_is_not_registered_without_a_word(town: Town) -> None:
    """The question stands first, is missing by name, and no press gets past it; the column is pointed out."""
    olga = brought(town.at("olga"))
    assert f"Answer “{QUESTION}”" in olga.text() and "these columns may identify people: patient_id" in olga.text()
    labels = [part.label for part in olga.app.main if getattr(part, "label", "")]
    assert labels.index(f"{QUESTION} *") < labels.index("**age**")
    (button,) = olga.buttons("Register ·") or olga.buttons("Register")
    button.click()
    assert f"Answer “{QUESTION}”" in olga.run().text() and not made(town)


def test_the_column_is_proposed_and_names_the_person(town: Town) -> None:
    """It is chosen already where its name says so."""
    olga = brought(town.at("olga")).fill(**{QUESTION: "yes"}).run()
    assert olga.field("Column that identifies people").value == "patient_id"
    olga.fill(**{"Maximum rows per person": 5}).run().press("Register")
    (data,) = made(town)
    assert data.registration.schema.person == ("patient_id", Person(5))
    assert (data.registration.protects, data.registration.alone) == ("person", False)


def test_another_answer_after_the_page_was_drawn_registers_nothing(town: Town) -> None:
    """What the button was drawn for is what it does."""
    olga = brought(town.at("olga")).fill(**{QUESTION: "yes"}).run()
    olga.fill(**{"Maximum rows per person": 7}).press("Register")
    assert "This page was out of date, so nothing was" in olga.text() and not made(town)


@pytest.mark.parametrize("answer, unit, words", [("unknown", "row", "one row"), ("no", "person", "a person")])
def test_every_screen_says_who_is_protected(town: Town, answer: str, unit: str, words: str) -> None:
    """Before it is registered, where it is kept, in the overview, and for whoever asks."""
    olga = brought(town.at("olga")).fill(**{QUESTION: answer}).run()
    assert (unit == "row") == ("One row is then protected, not one person" in olga.text())
    assert f"guessing the values of {words} in the dataset" in olga.text()
    olga.press("Register")
    (data,) = made(town)
    assert (data.registration.protects, data.registration.alone) == (unit, answer == "no")
    kept = [table.value for table in olga.app.dataframe if "Item" in table.value.columns]
    assert any(words in list(table["Detail"]) for table in kept)
    overview = town.at("olga").open("datasets", registered_view="all")
    (table,) = [table.value for table in overview.app.dataframe if "Dataset" in table.value.columns]
    assert dict(zip(table["Dataset"], table["Unit of privacy"], strict=True))["visits"] == words


def test_an_answer_and_the_columns_do_not_contradict_each_other(town: Town) -> None:
    """A declared person and the word that rows are different people: what is missing says so."""
    olga = town.at("olga").open("datasets", registered_view="new", registered_from="file")
    olga.uploaded("", "visits.csv", VISITS)
    person = AGE[:-2] + ', "patient_id": {"kind": "person", "rows": 3}}}'
    olga.uploaded("Schema or codebook file", "d.json", person.encode()).run().fill(**{QUESTION: "no"}).run()
    assert "is declared as the person column" in olga.text()
    olga.fill(**{QUESTION: "yes"}).run()
    assert "The schema below declares patient_id as the column that identifies people." in olga.text()
