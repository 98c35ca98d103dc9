"""Frozen: what is registered, asked and decided is what stood on the screen, by who may now."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from support.office_browser import answer_all, choose_town, fill, nothing_before, other_people
from support.offices import everything_in
from support.soak import times
from support.town import PURPOSE, SCHEMA, Office, start, visitor

from discreet.office.datasets import registry
from discreet.office.house.roles import TERMINAL
from discreet.office.people import accounts, joining

RUNS = times(1, 10)
REASON = "Please use the share of the town as a whole."


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """Start a house with people and data."""
    site, stop = start(tmp_path_factory.mktemp("frozen"))
    yield site
    stop()


def table(at: int) -> bytes:
    """Return a small table that is like no other one."""
    return ("age,group,note\n" + "".join(f"{i % 90},a,{at}\n" for i in range(60))).encode()


def declared(officer: Any, name: str, content: bytes) -> Page:
    """Fill everything that a registration needs, but for its numbers."""
    page: Page = officer.open("datasets?registered-view=new")
    officer.upload(f"{name}.csv", content)
    officer.import_declaration(SCHEMA.to_json(), "Register")
    fill(
        officer,
        Source="A survey",
        Legal_basis_for_collection="Consent",
        Or_the_reason_for_having_no_deletion_date="A law keeps it.",
    )
    nothing_before(officer)
    other_people(officer)
    return page


@pytest.mark.soak_alone
def test_a_number_typed_and_registered_at_once_is_the_number(chromium: Browser, office: Office) -> None:
    """Again and again: the button is pressed before the page has heard of the number.

    In `make test` test_office_screens.py types and presses at once on a seat, and test_workspaces.py seals a file as
    it is read by now.
    """
    olga = visitor(chromium, office, "olga")
    for at in range(RUNS):
        page = declared(olga, f"typed{at}", table(at))
        wanted = 0.5 + at / 4
        page.get_by_role("spinbutton", name="Total ε").fill(str(wanted))
        page.get_by_role("button", name=re.compile("^Register( · |$)")).click()
        expect(page.get_by_text("Verify ledger")).to_be_visible()
        dataset = next(d for d in registry.everything(office.house) if d.name == f"typed{at}")
        assert dataset.registration.limit.epsilon == wanted
    olga.leave()


@pytest.mark.soak_alone
def test_a_question_that_the_button_did_not_name_is_not_sent(chromium: Browser, office: Office) -> None:
    """A number is typed and the button pressed at once: neither the old question nor the new.

    In `make test` test_office_screens.py does the same on a seat, and test_browser.py moves a slider during a release.
    """
    abe = visitor(chromium, office, "abe")
    choose_town(abe)
    page = abe.open("smooth-sensitivity")
    public = page.get_by_text("The number of rows in this query is public")
    abe.unfold("Assumptions")
    public.click()
    abe.settle()
    fill(abe, **{"Purpose": PURPOSE})
    page.get_by_role("spinbutton", name="Number of rows in the query", exact=True).fill("500")
    button = page.get_by_role("button", name=re.compile("^Send request \\(reserves "))
    button.click()
    expect(page.get_by_text("This page was out of date, so nothing was")).to_be_visible()
    abe.settle()
    assert not office.desk("abe").requests
    button.click()
    expect(page.get_by_text(re.compile("waiting for approval"))).to_be_visible()
    assert [asked.request.mechanism.neighbours.size for asked in office.desk("abe").requests] == [500]
    abe.leave()


def pressed(page: Page, *names: str) -> None:
    """Press buttons of an open page, as long as they are there."""
    for name in names:
        button = page.get_by_role("button", name=re.compile(name)).first
        if button.count() and button.is_enabled():
            button.click()
            page.wait_for_timeout(700)
            return


# who has which page open, what is filled in, and the button that is pressed on it
OPEN = [
    ("olga", "datasets", "", "^Change policy"),
    ("olga", "published-results", "", "^Publish results"),
    ("olga", "datasets", "", "^Verify ledger"),
    ("olga", "datasets", "I understand that a closed dataset cannot", "^Close dataset"),
    ("olga", "datasets", "I understand that deleted rows cannot be", "^Delete rows"),
    ("olga", "review", "", "^Approve and run #"),
    ("olga", "review", "reason", "^Request changes"),
    ("olga", "review", "reason", "^Deny #"),
    ("olga", "new", "", "^Register( · |$)"),
    ("ann", "requests", "", "^Withdraw"),
    ("ann", "global-sensitivity", "purpose", "^(Send request|Release result) "),
    ("adam", "people", "invite", "^Create invitation link"),
    ("adam", "people", "", "^New password link"),
    ("adam", "people", "", "^End all sessions"),
    ("adam", "people", "roles", "^Save"),
]


def prepared(member: Any, path: str, what: str) -> Page:
    """Open a page and fill in what its button needs."""
    if path == "new":
        return declared(member, "late", table(1234))
    if path == "global-sensitivity":
        choose_town(member)
    page: Page = member.open(path)
    if what.startswith("I understand"):
        page.get_by_text(what).click()
    elif what == "reason":
        fill(member, Message_to_the_analyst=REASON)
    elif what == "purpose":
        fill(member, **{"Purpose": PURPOSE})
    elif what == "invite":
        fill(member, Login="carl", Name="Carl")
    elif what == "roles":
        page.get_by_text("Closed (cannot sign in)").click()
    elif path == "review":
        answer_all(member)
    member.settle()
    return page


@pytest.mark.soak_alone
def test_a_closed_accounts_open_page_does_nothing(chromium: Browser, office: Office) -> None:
    """Buttons of every part of the office that act, pressed after the account was closed.

    In `make test` tests/office/test_office_guards.py gives every verb somebody who lacks its role.
    """
    office.ask(0.5, "ann")
    office.ask(0.45, "ann")
    second = joining.invite(office.house, TERMINAL, "zoe", "Zoe", frozenset({"administrator"}))
    joining.choose_password(office.house, second, "a long enough password")
    vault = office.server.log.parent / "home" / "vault"
    for name, path, what, button in OPEN:
        member = visitor(chromium, office, name)
        page, roles = prepared(member, path, what), office.people[name].roles
        accounts.change(office.house, TERMINAL, name, roles, False)
        before, files = everything_in(office.house.store), sorted(vault.iterdir())
        assert page.get_by_role("button", name=re.compile(button)).count(), button
        pressed(page, button)
        after = everything_in(office.house.store)
        for table_ in before:
            assert table_ == "sessions" or after[table_] == before[table_], (button, table_)
        assert sorted(vault.iterdir()) == files, button
        member.leave()
        accounts.change(office.house, TERMINAL, name, roles, True)
