"""Proposals: names that everybody knows say what a column is, and other names say nothing."""

from __future__ import annotations

import pyarrow as pa
import pytest

from discreet.rows import Category, Number
from discreet.rows.columns import Date, YesNo
from discreet.rows.proposals import proposed
from discreet.rows.proposals.catalogue import CATALOGUE, likely_kind, names_a_person, spellings, words

KNOWN = {
    "Age": (0, 120),
    "ageAtEntry": (0, 120),
    "PATIENT_AGE": (0, 120),
    "年龄": (0, 120),
    "Hours per week": (0, 168),
    "Education-Num": (0, 30),
    "year": (1900, 2100),
    "BirthYear": (1900, 2030),
    "heart_rate": (0, 300),
    "Percent": (0, 100),
    "身高": (0, 250),
}
UNKNOWN = (
    "stage",
    "age_group",
    "AgeBand",
    "年龄段",
    "pct_change",
    "log_age",
    "months since",
    "income",
    "year_built",
    "x1",
    "",
    "图",
)


@pytest.mark.parametrize("name", KNOWN)
def test_a_name_says_what_it_says_however_it_is_spelled(name: str) -> None:
    """Joined by capitals, signs or nothing, in either language."""
    column = proposed([name])[name].column
    assert isinstance(column, Number) and (column.lower, column.upper) == KNOWN[name]


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_name_that_says_something_else_says_nothing(name: str) -> None:
    """A group of ages is no age, and a stage contains none."""
    assert not proposed([name])


def test_levels_are_proposed_in_the_language_of_the_name() -> None:
    """A table in Chinese has Chinese levels."""
    sex, other = proposed(["gender", "性别"]).values()
    assert isinstance(sex.column, Category) and isinstance(other.column, Category)
    assert not set(sex.column.levels) & set(other.column.levels)


def test_a_proposal_says_on_what_it_stands() -> None:
    """An officer reads a public source beside every bound."""
    assert all(str(entry.why) for entry in CATALOGUE)
    assert proposed(["Age"])["Age"].declared("human lifespan").sourced


def test_who_names_a_person() -> None:
    """An identifier is no question's subject: it is only offered where one asks whose rows these are."""
    assert names_a_person("customer_id") and names_a_person("身份证号") and not names_a_person("paid")
    assert words("HTTPServer_ID2") == ("http", "server", "id2")


def test_german_and_french_names_are_known() -> None:
    """As in English: what is public is proposed, and what only the kind is known of is asked."""
    same = {"Age": ("Alter", "âge", "Âge (années)"), "Date": ("Datum", "Aufnahmedatum"), "Year": ("Jahr", "année")}
    for english, names in same.items():
        assert all(proposed([name])[name].column == proposed([english])[english].column for name in names), english
    assert all(("w", "m", "d") in spellings(name) and ("F", "M") in spellings(name) for name in ("Geschlecht", "sexe"))
    kinds = {
        "number": ("Einkommen (€)", "Monatseinkommen", "revenu", "income"),
        "category": ("PLZ", "Stadtbezirk", "canton"),
        "person": ("Patientennummer", "school_id", "Kunden-Nr", "patient", "identifiant"),
        "": ("Altersgruppe", "grid", "note", "Straße"),
    }
    for kind, names in kinds.items():
        assert all(likely_kind(name) == kind and not proposed([name]) for name in names), kind
    assert not spellings("Bezirk") and not proposed(["Altersgruppe"])


def test_types_and_labels_of_a_file_say_more_than_a_name() -> None:
    """A truth is yes or no, a day is a date; a code with a label is a category; a number is no word."""
    types = {"x": pa.bool_(), "t": pa.timestamp("us"), "weekday": pa.int64(), "age": pa.int64(), "y": pa.string()}
    notes = {"labels": {"age": {"values": {"1": "young", "2": "old"}}}}
    columns = {name: part.column for name, part in proposed(list(types), types, notes).items()}
    assert columns["x"] == YesNo() and isinstance(columns["t"], Date)
    assert columns["age"] == Category(("1", "2"), names=("young", "old"))
    assert set(columns) == {"x", "t", "age"}


def test_a_name_that_asks_is_answered_by_yes_or_no() -> None:
    """In either language; a word that only begins like a question is none."""
    assert {n: type(p.column) for n, p in proposed(["is_smoker", "hasChildren", "是否吸烟"]).items()} == {
        "is_smoker": YesNo,
        "hasChildren": YesNo,
        "是否吸烟": YesNo,
    }
    assert not proposed(["island", "is"])
