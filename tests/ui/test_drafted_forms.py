"""Forms that keep what was typed: after a reload, in another browser, for one officer alone, and not after use."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from test_office import fill, nothing_before
from town import Office, start, visitor
from visitor import Visitor

from discreet.office import connections, drafts, invitations, letterhead
from discreet.office.letterhead import Letterhead
from discreet.office.roles import TERMINAL

SECRET = "hunter2secret"


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """Start a house with a second officer, words of its own and a connection."""
    folder = tmp_path_factory.mktemp("drafted")
    with closing(sqlite3.connect(folder / "folk.db")) as db, db:
        db.execute("CREATE TABLE folk (pay INTEGER, place TEXT)")
    found, stop = start(folder, DISCREET_DATABASES=f"sqlite:{folder}/*")
    link = invitations.invite(found.house, TERMINAL, "otto", "Otto", frozenset({"officer"}))
    found.people["otto"] = invitations.choose_password(found.house, link, "a long enough password")
    adam = found.people["adam"]
    letterhead.declare(
        found.house, adam, Letterhead("Town Hospital", contact="data@town.example", basis="Hospital Act")
    )
    connections.connect(found.house, adam, "Register of folk", f"sqlite:///{folder}/folk.db")
    yield found
    stop()


def kept(page: Page) -> None:
    """Wait until the form says that a draft is kept."""
    expect(page.get_by_text("Draft kept,")).to_be_visible()


def connected(who: Visitor) -> Page:
    """Connect to the table by the name of the connection: nothing else is typed."""
    page = who.load("registered?registered-view=new&registered-from=connection")
    fill(who, Table_or_view="folk")
    page.get_by_role("button", name="Connect").click()
    who.settle()
    return page


def test_a_registration_goes_on_in_another_browser(chromium: Browser, office: Office) -> None:
    """What the house says is filled in; what was typed is there elsewhere, for this officer alone."""
    olga = visitor(chromium, office, "olga")
    page = connected(olga)
    expect(page.get_by_role("textbox", name="Organisation")).to_have_value("Town Hospital")
    expect(page.get_by_role("textbox", name="Collected on the basis of")).to_have_value("Hospital Act")
    expect(page.get_by_text("Draft kept,")).to_have_count(0)  # nothing was typed
    fill(olga, Source="A survey of 2030")
    kept(page)
    page.reload()
    olga.settle()
    expect(page.get_by_role("textbox", name="Source")).to_have_value("A survey of 2030")
    again, otto = visitor(chromium, office, "olga", 390, "dark"), visitor(chromium, office, "otto")
    there = again.load("registered?registered-view=new")
    expect(there.get_by_text("You began to register folk")).to_be_visible()
    there = connected(again)
    expect(there.get_by_role("textbox", name="Source")).to_have_value("A survey of 2030")
    other = otto.load("registered?registered-view=new")
    expect(other.get_by_text("You began to register")).to_have_count(0)
    other = connected(otto)
    expect(other.get_by_role("textbox", name="Source")).to_have_value("")
    there.get_by_role("button", name="Discard this draft").click()
    again.settle()
    expect(there.get_by_role("textbox", name="Source")).to_have_value("")
    assert drafts.own_drafts(office.house, office.people["olga"]) == []
    for who in (olga, again, otto):
        assert not who.wrong and not who.foreign
        who.leave()


def test_a_registration_that_was_sent_leaves_no_draft(chromium: Browser, office: Office) -> None:
    """Declared columns come back with the fields; after Register there is nothing left of it."""
    olga = visitor(chromium, office, "olga")
    olga.load("registered?registered-view=new&registered-from=file")
    file = b"pay,place\n1,a\n2,b\n"
    olga.upload("pay.csv", file)
    said = '{"columns": {"pay": {"kind": "number", "lower": 0, "upper": 9, "integer": true, "origin": "law"}}}'
    said = said.replace("}}}", '}, "place": {"kind": "ignored"}}}')
    olga.import_declaration(said, "Register")
    fill(olga, Source="A payroll of 2030", Or_why_there_is_no_such_day="A law keeps it.")
    nothing_before(olga)
    kept(olga.page)
    olga.page.get_by_role("button", name="Discard this file").click()
    olga.settle()
    olga.upload("pay.csv", file)
    expect(olga.page.get_by_role("textbox", name="Source")).to_have_value("A payroll of 2030")
    button = olga.page.get_by_role("button", name="Register", exact=True)
    expect(button).to_be_enabled()  # the columns are declared as they were
    button.click()
    expect(olga.page.get_by_text("pay is registered.")).to_be_visible()
    assert drafts.own_drafts(office.house, office.people["olga"]) == []
    olga.leave()


def test_a_decision_and_a_policy_come_back(chromium: Browser, office: Office) -> None:
    """A message and points of the checklist, and a policy that is half changed; sent, both are gone."""
    asked = office.ask(0.5)
    olga = visitor(chromium, office, "olga")
    page = olga.load(f"review?waiting={asked.number}")
    page.get_by_text("Yes", exact=True).first.click()
    olga.settle()
    fill(olga, Message_to_the_analyst="Please say more of it.")
    kept(page)
    again = visitor(chromium, office, "olga")
    there = again.load(f"review?waiting={asked.number}")
    message = there.get_by_role("textbox", name="Message to the analyst")
    expect(message).to_have_value("Please say more of it.")
    kept(there)
    (draft,) = drafts.own_drafts(office.house, office.people["olga"])
    assert [value for value in draft.values.values() if value == "yes"]
    there.get_by_role("button", name=f"Deny #{asked.number}").click()
    expect(there.get_by_text("is free again")).to_be_visible()
    again.settle()
    assert drafts.own_drafts(office.house, office.people["olga"]) == []
    page = olga.load(f"registered?dataset={office.dataset}")
    fill(olga, Other_shares="ann=0.5, nemo=1")
    expect(page.get_by_text("Nobody here has the login nemo.")).to_be_visible()
    kept(page)
    there = again.load(f"registered?dataset={office.dataset}")
    expect(there.get_by_role("textbox", name="Other shares")).to_have_value("ann=0.5, nemo=1")
    there.get_by_role("button", name="Change the policy").click()
    again.settle()
    assert drafts.own_drafts(office.house, office.people["olga"]) == []
    for who in (olga, again):
        assert not who.wrong and not who.foreign
        who.leave()


def test_no_password_becomes_a_draft_or_is_shown_again(chromium: Browser, office: Office, tmp_path: Path) -> None:
    """The address of a table and that of a connection are typed into forms that keep nothing."""
    olga, adam = visitor(chromium, office, "olga"), visitor(chromium, office, "adam")
    page = olga.load("registered?registered-view=new&registered-from=table")
    page.get_by_role("textbox", name="Address of the database or cluster").fill(
        f"postgresql+psycopg://u:{SECRET}@localhost/x"
    )
    fill(olga, Table_or_view="folk")
    page.get_by_role("button", name="Connect").click()
    olga.settle()
    assert drafts.own_drafts(office.house, office.people["olga"]) == []
    page = adam.load("settings")
    fill(adam, Name="Far")
    page.get_by_role("textbox", name="Address, with its password").fill(f"postgresql+psycopg://u:{SECRET}@localhost/x")
    page.get_by_role("button", name="Set up").click()
    adam.settle()
    expect(page.get_by_text("This server may not open this database")).to_be_visible()
    expect(page.get_by_role("textbox", name="Address, with its password")).to_have_value("")
    for who in (olga, adam):
        assert SECRET not in who.wire() and SECRET not in office.server.told()
        who.leave()
