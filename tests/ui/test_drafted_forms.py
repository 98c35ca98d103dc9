"""Forms that keep what was typed: after a reload, in another browser, for one officer alone, and not after use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from support.office_browser import fill
from support.office_seats import COLUMNS, FILE, Town, drafts_of_olga, furnish
from support.seats import Seat
from support.town import Office, start, visitor
from support.visitor import Visitor

from discreet.office.notices import drafts

SECRET = "hunter2secret"


@pytest.fixture
def furnished(town: Town, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Town:
    """Furnish a house; each seat in it is another browser, or the same one reloaded."""
    furnish(tmp_path, town.house, town.people)
    monkeypatch.setenv("DISCREET_DATABASES", f"sqlite:{tmp_path}/*")
    return town


def registering(seat: Seat) -> Seat:
    """Connect to the table by the name of the connection: nothing else is typed."""
    seat.open("datasets", registered_view="new", registered_from="connection")
    return seat.fill(Table_or_view="folk").press("Connect")


def test_a_draft_is_there_in_another_browser_for_its_officer_alone(furnished: Town) -> None:
    """What the house says is filled in; what was typed comes back, until it is discarded."""
    seat = registering(furnished.at("olga"))
    assert seat.field("Organisation").value == "Town Hospital"
    assert seat.field("Legal basis for collection").value == "Hospital Act"
    assert "Draft saved," not in seat.text()  # nothing was typed
    assert "Draft saved," in seat.fill(Source="A survey of 2030").run().text()
    again = furnished.at("olga").open("datasets", registered_view="new")
    assert "You started registering folk" in again.text()
    assert registering(again).field("Source").value == "A survey of 2030"
    other = furnished.at("otto").open("datasets", registered_view="new")
    assert "You started registering" not in other.text() and registering(other).field("Source").value == ""
    assert again.press("Discard draft").field("Source").value == "" and drafts_of_olga(furnished) == []


def test_a_registration_that_was_sent_leaves_no_draft(furnished: Town) -> None:
    """Declared columns come back with the fields; after Register there is nothing left of it."""
    seat = furnished.at("olga").open("datasets", registered_view="new", registered_from="file")
    seat.uploaded("", "pay.csv", FILE).uploaded("Schema or codebook file", "d.json", COLUMNS.encode()).run()
    seat.fill(Source="A payroll of 2030", Or_the_reason_for_having_no_deletion_date="A law keeps it.").run()
    seat.fill(Were_any_bounds_chosen_by_looking_at_the_data=False, Are_there_other_releases=False).run()
    seat.fill(**{"Can one person have more than one row?": "no"}).run()
    assert "Draft saved," in seat.text()
    again = furnished.at("olga").open("datasets", registered_view="new", registered_from="file")
    assert again.uploaded("", "pay.csv", FILE).run().field("Source").value == "A payroll of 2030"
    (button,) = again.buttons("Register ·")
    (choice,) = [group for group in again.app.segmented_control if group.label == "Number format"]
    assert (
        choice.value == "1234.5" and button.label == "Register · numbers like 1234.5"
    )  # as the declaration says that was brought, not as proposed
    assert "pay is registered." in again.press("Register ·").text()  # the columns are declared as they were
    assert drafts_of_olga(furnished) == []


def test_a_decision_and_a_policy_come_back(furnished: Town) -> None:
    """A message and points of the checklist, and a policy that is half changed; sent, both are gone."""
    asked = furnished.ask(0.5)
    seat, again = furnished.at("olga"), furnished.at("olga")
    seat.open("review", waiting=str(asked.number))
    next(part for part in seat.app.button_group if str(part.key).startswith("item:")).set_value("yes")
    assert "Draft saved," in seat.fill(Message_to_the_analyst="Please say more of it.").run().text()
    again.open("review", waiting=str(asked.number))
    assert again.field("Message to the analyst").value == "Please say more of it." and "Draft saved," in again.text()
    (draft,) = drafts_of_olga(furnished)
    assert "yes" in draft.values.values()
    assert (
        "was returned to the budget" in again.press(f"Deny #{asked.number}").text() and drafts_of_olga(furnished) == []
    )
    seat.open("datasets", dataset=furnished.dataset).fill(Other_limits="ann=0.5, nemo=1").run()
    assert "No account here has the login nemo." in seat.text() and "Draft saved," in seat.text()
    again.open("datasets", dataset=furnished.dataset)
    assert again.field("Other limits").value == "ann=0.5, nemo=1"
    again.press("Change policy")
    assert drafts_of_olga(furnished) == []


def test_no_password_becomes_a_draft_or_is_shown_again(furnished: Town) -> None:
    """The address of a table and that of a connection are typed into forms that keep nothing."""
    olga, adam = furnished.at("olga"), furnished.at("adam")
    address = f"postgresql+psycopg://u:{SECRET}@localhost/x"
    olga.open("datasets", registered_view="new", registered_from="table")
    olga.fill(Address_of_the_database_or_cluster=address, Table_or_view="folk").press("Connect")
    assert drafts_of_olga(furnished) == [] and SECRET not in olga.sent()
    adam.open("settings").fill(Name="Far", **{"Address, with its password": address}).press("Set up")
    assert "This server may not open this database" in adam.text() and SECRET not in adam.sent()
    forms = [part.proto.form for part in adam.app.main if part.type == "form"]
    assert [form.clear_on_submit for form in forms if form.form_id == "new-connection"] == [True]
    assert drafts_of_olga(furnished) == []


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """Start a server for such a house."""
    folder = tmp_path_factory.mktemp("drafted")
    site, stop = start(folder, DISCREET_DATABASES=f"sqlite:{folder}/*")
    furnish(folder, site.house, site.people)
    yield site
    stop()


def wait_for_draft(page: Page) -> None:
    """Wait until the form says that a draft is kept."""
    expect(page.get_by_text("Draft saved,")).to_be_visible()


def connected(who: Visitor) -> Page:
    """Connect to the table by the name of the connection: nothing else is typed."""
    page = who.load("datasets?registered-view=new&registered-from=connection")
    fill(who, Table_or_view="folk")
    page.get_by_role("button", name="Connect").click()
    who.settle()
    return page


@pytest.mark.soak_alone
def test_a_registration_goes_on_in_another_browser(chromium: Browser, office: Office) -> None:
    """What the house says is filled in; what was typed is there elsewhere, for this officer alone.

    In `make test` the first test of this file does the same on seats, each with nothing in its session.
    """
    olga = visitor(chromium, office, "olga")
    page = connected(olga)
    expect(page.get_by_role("textbox", name="Organisation")).to_have_value("Town Hospital")
    expect(page.get_by_role("textbox", name="Legal basis for collection")).to_have_value("Hospital Act")
    expect(page.get_by_text("Draft saved,")).to_have_count(0)  # nothing was typed
    fill(olga, Source="A survey of 2030")
    wait_for_draft(page)
    page.reload()
    olga.settle()
    expect(page.get_by_role("textbox", name="Source")).to_have_value("A survey of 2030")
    again, otto = visitor(chromium, office, "olga", 390, "dark"), visitor(chromium, office, "otto")
    there = again.load("datasets?registered-view=new")
    expect(there.get_by_text("You started registering folk")).to_be_visible()
    there = connected(again)
    expect(there.get_by_role("textbox", name="Source")).to_have_value("A survey of 2030")
    other = otto.load("datasets?registered-view=new")
    expect(other.get_by_text("You started registering")).to_have_count(0)
    other = connected(otto)
    expect(other.get_by_role("textbox", name="Source")).to_have_value("")
    there.get_by_role("button", name="Discard draft").click()
    again.settle()
    expect(there.get_by_role("textbox", name="Source")).to_have_value("")
    assert drafts.own_drafts(office.house, office.people["olga"]) == []
    for who in (olga, again, otto):
        assert not who.wrong and not who.foreign
        who.leave()
