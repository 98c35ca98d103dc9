"""What somebody has to know stands where they need it: whose budget, what the policy allows, whether it is done."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.office_seats import Town, work_on
from support.seats import Seat
from support.town import CANARY, PURPOSE, TABLE, TOWN

from discreet.office import Policy
from discreet.office.datasets import changes, registering, registry
from discreet.office.house.roles import TERMINAL
from discreet.office.people import accounts, joining

WHO = replace(TOWN, name="clinic", source="the clinic's register", organisation="Town Clinic", apart="Other people.")
WHO = replace(WHO, contact="privacy@clinic.example", people=40_000)


def tables(reader: Seat) -> str:
    """Return what stands in the tables of a screen."""
    return "\n".join(table.value.to_string() for table in reader.app.dataframe)


def test_an_officer_finds_registered_budgets_and_no_sample_on_the_page_budget(town: Town) -> None:
    """A sample's budget is there once it is asked of, and named; analysts find the data in use as ever."""
    town.ask(0.5)
    olga = town.at("olga").open("budget")
    assert "town" in tables(olga) and "0.5" in tables(olga)
    assert not olga.buttons("Replace this budget") and "Census" not in olga.text() and "spent  ε" not in olga.text()
    smooth = olga.open("smooth_sensitivity")
    smooth.press(next(button.label for button in smooth.app.button if str(button.key).endswith(":spend")))
    both = smooth.open("budget")
    assert both.buttons("Replace this budget") and "Dataset: " in str([each.value for each in both.app.header])
    assert "town" in tables(both)
    ann = work_on(town.at("ann")).open("budget")
    assert "Dataset: town" in [each.value for each in ann.app.header]
    assert "Registered datasets" not in [each.value for each in ann.app.header]


def test_an_officer_of_nothing_yet_is_told_so(town: Town) -> None:
    """Where other officers keep all data there is nothing to see on the page."""
    link = joining.invite(town.house, TERMINAL, "otto", "Otto", frozenset({"officer"}))
    town.people["otto"] = joining.choose_password(town.house, link, "a long enough password")
    for name in ("olga", "otto"):
        changes.amend(town.house, town.people[name], town.dataset, Policy(officers=("olga",)))
    assert "No dataset is registered yet." in town.at("otto").open("budget").text()


def test_an_analyst_reads_what_holds_for_registered_data(town: Town) -> None:
    """Where they come from and whom to ask, what runs at once, the most, the share, the last day; nothing of rows."""
    policy = Policy(free=0.15, most=0.8, shares={"ann": 0.4}, until="2031-01-31", days=9)
    policy_free = replace(policy, free=0.0)
    registering.register(town.house, town.people["olga"], TABLE[:50_000].encode(), WHO, policy_free)
    clinic = next(data for data in registry.everything(town.house) if data.name == "clinic")
    changes.amend(town.house, TERMINAL, clinic.id, policy)
    ann = work_on(town.at("ann"), "clinic")
    for words in ("the clinic's register", "Town Clinic", "privacy@clinic.example", "0.15", "ε 0.8", "2031-01-31"):
        assert words in tables(ann), words
    assert "0.4, of which 0 is spent" in tables(ann) and "40000" in tables(ann).replace(",", "")
    assert CANARY not in ann.sent() and "Other limits" not in tables(ann)
    assert "privacy@clinic.example" not in tables(work_on(town.at("ann"), "town"))
    guess = work_on(town.at("ann"), "clinic").open("smooth_sensitivity").field("Rows (approximate)")
    assert guess.value == 40_000


def test_what_is_beyond_share_or_policy_is_said_before_the_button(town: Town) -> None:
    """With what it costs, which is more than the slider says where a person has several rows."""
    changes.amend(town.house, TERMINAL, town.dataset, Policy(free=0.1, most=0.8, shares={"ann": 0.3}))
    ann = work_on(town.at("ann")).open("global_sensitivity")
    ann.app.slider[0].set_value(0.4)
    assert "Your limit for this dataset is ε = 0.3" in ann.run().text() and not ann.buttons("Send request (reserves ")
    ann.app.slider[0].set_value(0.9)
    assert (
        "This request costs ε = 0.9. The policy of this dataset allows at most ε = 0.8 per release." in ann.run().text()
    )
    ann.app.slider[0].set_value(0.2)
    assert ann.run().buttons("Send request (reserves ") and ann.fill(**{"Purpose": PURPOSE})


def test_the_next_person_is_not_given_the_roles_of_the_one_before(town: Town) -> None:
    """The form begins anew once a link was made, and stays where it was refused; the link is shown once."""
    adam = town.at("adam").open("people")
    adam.fill(Login="Olga", Name="Another").press("Create invitation link")
    assert adam.field("Name").value == "Another" and not adam.app.code
    adam.fill(Login="carl", Name="Carl")
    adam.app.button_group[0].set_value(["officer"])
    adam.press("Create invitation link")
    assert "link=" in adam.app.code[0].value and adam.field("Login").value == adam.field("Name").value == ""
    assert adam.app.button_group[0].value == ["analyst"] and not adam.run().app.code


def test_what_was_saved_is_said(town: Town) -> None:
    """That it holds, or that it waits for somebody else."""
    olga = town.at("olga").open("datasets")
    olga.fill(**{"Maximum ε per release": 0.7}).press("Change policy")
    assert "Policy saved. It applies from now on." in [toast.value for toast in olga.app.toast]
    adam = town.at("adam").open("people")
    adam.field("Account").set_value("ann")
    adam.run().field("Closed (cannot sign in)").set_value(True)
    adam.press("Save")
    assert "Account changed." in [toast.value for toast in adam.app.toast]
    assert not next(each for each in accounts.everybody(town.house) if each["person"].login == "ann")["active"]


@pytest.mark.parametrize("name", ["olga", "adam"])
def test_a_second_person_is_waited_for_in_words(town: Town, name: str) -> None:
    """Where there is one."""
    roles = town.people[name].roles
    link = joining.invite(town.house, TERMINAL, "otto", "Otto", roles)
    joining.choose_password(town.house, link, "a long enough password")
    proposer = town.at(name).open("datasets" if name == "olga" else "people")
    if name == "olga":
        proposer.fill(**{"Runs without approval up to ε": 0.5}).press("Change policy")
    else:
        proposer.field("Account").set_value("ann")
        proposer.run()
        proposer.app.button_group[1].set_value(["analyst", "officer"])
        proposer.press("Save")
    another = "officer" if name == "olga" else "administrator"
    assert f"Proposed. Another {another} must confirm it." in [toast.value for toast in proposer.app.toast]
