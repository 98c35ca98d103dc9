"""Two persons, on screens: whoever names only themselves waits for another officer, who reads it and confirms it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.office_seats import COLUMNS, FILE, Town, drafts_of_olga, furnish

from discreet.office import Policy
from discreet.office.datasets import changes, registry


@pytest.fixture
def staffed(town: Town, tmp_path: Path) -> Town:
    """Bring in a second officer."""
    furnish(tmp_path, town.house, town.people)
    return town


@pytest.mark.soak_alone
def test_who_names_only_herself_at_registration_waits_for_another(staffed: Town) -> None:
    """From a draft that she took up again: the data begin without the names, and the other one is asked.

    In `make test` tests/office/test_two_persons.py holds the same of the verbs.
    """
    seat = staffed.at("olga").open("datasets", registered_view="new", registered_from="file")
    seat.uploaded("", "pay.csv", FILE).uploaded("Schema or codebook file", "d.json", COLUMNS.encode()).run()
    seat.fill(**{"Can one person have more than one row?": "no"}).run()
    seat.fill(Source="A payroll of 2030", Or_the_reason_for_having_no_deletion_date="A law keeps it.").run()
    seat.fill(Were_any_bounds_chosen_by_looking_at_the_data=False, Are_there_other_releases=False)
    seat.fill(Responsible_officers="olga").run()
    assert "a policy that names fewer than two officers" in seat.text() and drafts_of_olga(staffed)
    again = staffed.at("olga").open("datasets", registered_view="new", registered_from="file")
    assert again.uploaded("", "pay.csv", FILE).run().field("Responsible officers").value == "olga"
    again.press("Register ·")
    data = next(each for each in registry.everything(staffed.house) if each.name == "pay")
    assert data.policy.officers == () and "proposes another policy" in again.text()
    otto = staffed.at("otto").open("datasets", dataset=data.id)
    assert "Olga proposes another policy" in otto.text()
    otto.press("Confirm policy")
    assert registry.find(staffed.house, data.id).policy.officers == ("olga",)


def test_an_officer_who_keeps_other_data_reads_and_confirms_what_loosens_a_policy(staffed: Town) -> None:
    """Nothing else of the data is shown, and whoever proposes it cannot confirm it; a non-officer sees nothing."""
    named = Policy(officers=("olga",))
    for name in ("olga", "otto"):
        changes.amend(staffed.house, staffed.people[name], staffed.dataset, named)
    name = registry.find(staffed.house, staffed.dataset).name
    assert name not in staffed.at("otto").open("datasets").text()
    olga = staffed.at("olga").open("datasets")
    olga.fill(**{"Runs without approval up to ε": 0.9}).press("Change policy")
    assert not olga.buttons("Confirm policy")
    otto = staffed.at("otto").open("datasets")
    assert f"Policy of {name}" in otto.text() and "Olga proposes another policy" in otto.text()
    assert "Spent or reserved" not in otto.text() and not otto.buttons("Change policy")
    otto.press("Confirm policy")
    assert registry.find(staffed.house, staffed.dataset).policy.free == 0.9 and name not in otto.text()
