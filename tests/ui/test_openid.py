"""Signing in through an organisation: a real OpenID provider, roles from claims, an own session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from openid_provider import Provider, fill_form
from playwright.sync_api import Browser, expect
from town import Office, start, visitor
from visitor import Visitor, free_port

from discreet.office import acts, memberships
from discreet.ui.frame.cookies import BROWSER, SESSION

ROLES = """
[roles]
claim = "groups"
officer = ["curators"]
analyst = ["staff-of-another-house"]
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Office, Provider]]:
    """Start a provider, and a server that is told of it."""
    folder, port = tmp_path_factory.mktemp("openid"), free_port()
    redirect = f"http://127.0.0.1:{port}/oauth2callback"
    provider = Provider(tmp_path_factory.mktemp("provider"), [redirect])
    told = folder / "secrets.toml"
    told.write_text(provider.secrets(redirect, "a secret of these tests") + ROLES, encoding="utf-8")
    office, stop = start(folder, port=port, STREAMLIT_SECRETS_FILES=str(told))
    yield office, provider
    stop()
    provider.stop()


def enter(one: Visitor, name: str) -> None:
    """Sign in at the provider's form, and come back."""
    page = one.open("sign-in")
    page.get_by_role("button", name="Sign in with your organisation").click()
    fill_form(page, name)
    page.wait_for_url(f"{one.server.url}/**")
    one.settle()


def test_an_officer_comes_in_by_the_groups_of_the_organisation(
    chromium: Browser, house: tuple[Office, Provider]
) -> None:
    """Role, screens and an own session, out of the reach of scripts; the workspace stays."""
    office, _ = house
    one = visitor(chromium, office)
    one.open("")
    before = {c["name"]: c["value"] for c in one.page.context.cookies()}
    enter(one, "anna")
    page = one.page
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    expect(one.open("review").get_by_text("Nothing waits for a decision")).to_be_visible()
    expect(one.open("people").get_by_text("Page not found").first).to_be_visible()
    after = {c["name"]: c for c in page.context.cookies()}
    assert after[BROWSER]["value"] == before[BROWSER]
    assert after[SESSION]["httpOnly"] and after[SESSION]["sameSite"] == "Strict"
    found = [a for a in acts.trail(office.house.store) if a.what == "signed in" and a.details]
    assert found and found[0].details["openid"] is True
    one.open("trail")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{office.server.url}/**")
    one.settle()
    expect(page.get_by_role("button", name="Sign out")).to_have_count(0)
    expect(one.open("review").get_by_text("Page not found").first).to_be_visible()
    one.leave()


@pytest.mark.soak
@pytest.mark.soak_alone
def test_whoever_the_organisation_gives_no_role_stays_outside(
    chromium: Browser, house: tuple[Office, Provider]
) -> None:
    """They are told so, have no session, and keep what needs no account.

    In `make test` test_door.py reads roles out of groups, and tests/office/test_people.py gives nobody others.
    """
    office, _ = house
    one = visitor(chromium, office)
    enter(one, "bert")
    page = one.page
    expect(page.get_by_text("it gives you no role here")).to_be_visible()
    assert SESSION not in {c["name"] for c in page.context.cookies()}
    expect(one.open("review").get_by_text("Page not found").first).to_be_visible()
    one.leave()


@pytest.mark.soak
@pytest.mark.soak_alone
def test_a_closed_account_stays_closed_whatever_the_organisation_says(
    chromium: Browser, house: tuple[Office, Provider]
) -> None:
    """An administrator's word is the last one; an old session and a new sign-in both end.

    In `make test` tests/office/test_people.py lets a provider bring somebody whose account is closed.
    """
    office, _ = house
    one = visitor(chromium, office)
    enter(one, "anna")
    expect(one.page.get_by_role("button", name="Sign out")).to_be_visible()
    known = [told["person"] for told in memberships.everybody(office.house)]
    (anna,) = [person for person in known if person.id.startswith("openid-") and person.roles]
    memberships.change(office.house, office.people["adam"], anna.login, anna.roles, active=False)
    expect(one.open("review").get_by_text("Page not found").first).to_be_visible()
    one.leave()
    again = visitor(chromium, office)
    enter(again, "anna")
    assert SESSION not in {c["name"] for c in again.page.context.cookies()}
    expect(again.open("review").get_by_text("Page not found").first).to_be_visible()
    again.leave()
    memberships.change(office.house, office.people["adam"], anna.login, anna.roles, active=True)
