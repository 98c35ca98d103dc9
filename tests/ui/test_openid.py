"""Signing in through an organisation: a real OpenID provider, roles from claims, an own session."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.cookies import Morsel, SimpleCookie
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
from playwright.sync_api import Browser, expect
from support.openid_provider import PEOPLE, Provider, fill_form
from support.town import Office, start, visitor
from support.visitor import Visitor, free_port
from support.wire import Answer, Wire, ask, xsrf_token

from discreet.office.house import audit_log
from discreet.office.people import accounts, signing_in
from discreet.ui.session.cookies import BROWSER, SESSION

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
    config = folder / "secrets.toml"
    config.write_text(provider.secrets(redirect, "a secret of these tests") + ROLES, encoding="utf-8")
    office, stop = start(folder, port=port, STREAMLIT_SECRETS_FILES=str(config))
    yield office, provider
    stop()
    provider.stop()


def enter(guest: Visitor, name: str) -> None:
    """Sign in at the provider's form, and come back."""
    page = guest.open("sign-in")
    page.get_by_role("button", name="Sign in with your organisation").click()
    fill_form(page, name)
    page.wait_for_url(f"{guest.server.url}/**")
    guest.settle()


@dataclass
class Agent:
    """A browser without screens: it goes where it is sent, with the cookies that a browser takes along on that way."""

    home: str
    jar: dict[tuple[str, str], Morsel[str]] = field(default_factory=dict)

    def cookies(self, site: str, away: bool = False) -> dict[str, str]:
        """Return what goes along to a site; from another one all but what is strictly for the site itself."""
        mine = {name: cookie for (host, name), cookie in self.jar.items() if host == site}
        strict = {name for name, cookie in mine.items() if cookie["samesite"].lower() == "strict"}
        return {name: cookie.coded_value for name, cookie in mine.items() if not (away and name in strict)}

    def go(self, address: str, origin: str = "", form: dict[str, str] | None = None) -> tuple[str, Answer]:
        """Go to an address from a page of the house or of another origin, and wherever that leads; return the end."""
        before, strayed = urlsplit(origin or self.home).hostname, False
        address, body = urljoin(origin or self.home, address), urlencode(form).encode() if form else None
        while True:
            place = urlsplit(address)
            site, strayed = str(place.hostname), strayed or place.hostname != before
            carried = "; ".join(f"{name}={value}" for name, value in self.cookies(site, site != before).items())
            headers = {"Accept": "text/html", "Sec_Fetch_Mode": "navigate"} | ({"Cookie": carried} if carried else {})
            headers["Sec_Fetch_Site"] = "cross-site" if strayed else "same-origin"
            headers |= {"Content_Type": "application/x-www-form-urlencoded"} if body else {}
            answer = ask(address, f"{place.path}?{place.query}", "POST" if body else "GET", body, **headers)
            self._keep(site, answer)
            if not answer.header("location"):
                return address, answer
            address, body = urljoin(address, answer.header("location")), None

    def _keep(self, site: str, answer: Answer) -> None:
        """Keep the cookies of an answer, and drop those that it takes back."""
        for line in answer.header("set-cookie").splitlines():
            for name, cookie in SimpleCookie(line).items():
                self.jar[site, name] = cookie
                if cookie["max-age"] == "0":
                    del self.jar[site, name]

    def wire(self) -> Wire:
        """Connect as a page of the house does, which has all its cookies."""
        token = xsrf_token(self.home)
        cookies = self.cookies(str(urlsplit(self.home).hostname))
        return Wire(self.home, cookies | {"_streamlit_xsrf": token}, xsrf=token)

    def screen(self, page: str) -> str:
        """Return all that a screen sends."""
        with self.wire() as line:
            return line.run(page=page)

    def press(self, page: str, label: str) -> str:
        """Press a button that leads away; return the address to which the page is sent."""
        with self.wire() as line:
            (address,) = re.findall(r'auth_redirect \{\s+url: "([^"]+)"', line.press(page, label))
        return str(address)


def enter_by_hand(agent: Agent, name: str) -> str:
    """Sign in at the provider's form, and come back; return the address at which that ends."""
    origin, answer = agent.go(agent.press("sign-in", "Sign in with your organisation"))
    ((action, token),) = re.findall(
        r'action="([^"]+)">\s*<input type="hidden" name="token" value="([^"]+)"', answer.text
    )
    form = {"token": html.unescape(token), "username": name, "password": str(PEOPLE[name]["password"])}
    back, answer = agent.go(action, origin, form)
    assert back == f"{agent.home}/" and answer.status == 200, (back, answer)
    (ticket,) = set(re.findall(r"/enter/\w+", agent.screen("")))
    return agent.go(ticket)[0]


def test_the_groups_of_the_organisation_give_an_officer_a_session_and_its_screens(
    house: tuple[Office, Provider],
) -> None:
    """Role, screens and an own session, out of the reach of scripts; the workspace stays; after leaving it is gone."""
    office, _ = house
    agent = Agent(office.server.url)
    agent.go("/")
    browser = agent.jar["127.0.0.1", BROWSER].value
    assert enter_by_hand(agent, "anna") == f"{office.server.url}/review"
    review = agent.screen("review")
    assert "No requests are waiting for a decision" in review and 'label: "Sign out"' in review
    assert "page_not_found" in agent.screen("people")
    session = agent.jar["127.0.0.1", SESSION]
    assert agent.jar["127.0.0.1", BROWSER].value == browser
    assert session["httponly"] is True and session["samesite"].lower() == "strict"
    entries = [act for act in audit_log.trail(office.house.store) if act.what == "signed in" and act.details]
    assert entries and entries[0].details["openid"] is True
    assert agent.go(agent.press("audit-log", "Sign out"))[0] == f"{office.server.url}/"
    assert signing_in.of_session(office.house, session.value) is None
    landing, review = agent.screen(""), agent.screen("review")
    assert "/enter/" not in landing and 'label: "Sign out"' not in landing + review
    assert "page_not_found" in review


@pytest.mark.soak_alone
def test_an_officer_comes_in_by_the_groups_of_the_organisation(
    chromium: Browser, house: tuple[Office, Provider]
) -> None:
    """Role, screens and an own session, out of the reach of scripts; the workspace stays.

    In `make test` the test above goes the same way without a browser.
    """
    office, _ = house
    guest = visitor(chromium, office)
    guest.open("")
    before = {c["name"]: c["value"] for c in guest.page.context.cookies()}
    enter(guest, "anna")
    page = guest.page
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    expect(guest.open("review").get_by_text("No requests are waiting for a decision")).to_be_visible()
    expect(guest.open("people").get_by_text("Page not found").first).to_be_visible()
    after = {c["name"]: c for c in page.context.cookies()}
    assert after[BROWSER]["value"] == before[BROWSER]
    assert after[SESSION]["httpOnly"] and after[SESSION]["sameSite"] == "Strict"
    entries = [a for a in audit_log.trail(office.house.store) if a.what == "signed in" and a.details]
    assert entries and entries[0].details["openid"] is True
    guest.open("audit-log")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{office.server.url}/**")
    guest.settle()
    expect(page.get_by_role("button", name="Sign out")).to_have_count(0)
    expect(guest.open("review").get_by_text("Page not found").first).to_be_visible()
    guest.leave()


@pytest.mark.soak_alone
def test_whoever_the_organisation_gives_no_role_stays_outside(
    chromium: Browser, house: tuple[Office, Provider]
) -> None:
    """They are told so, have no session, and keep what needs no account.

    In `make test` test_door.py reads roles out of groups, and tests/office/test_people.py gives nobody others.
    """
    office, _ = house
    guest = visitor(chromium, office)
    enter(guest, "bert")
    page = guest.page
    expect(page.get_by_text("it gives you no role here")).to_be_visible()
    assert SESSION not in {c["name"] for c in page.context.cookies()}
    expect(guest.open("review").get_by_text("Page not found").first).to_be_visible()
    guest.leave()


@pytest.mark.soak_alone
def test_a_closed_account_stays_closed_whatever_the_organisation_says(
    chromium: Browser, house: tuple[Office, Provider]
) -> None:
    """An administrator's word is the last one; an old session and a new sign-in both end.

    In `make test` tests/office/test_people.py lets a provider bring somebody whose account is closed.
    """
    office, _ = house
    guest = visitor(chromium, office)
    enter(guest, "anna")
    expect(guest.page.get_by_role("button", name="Sign out")).to_be_visible()
    members = [account["person"] for account in accounts.everybody(office.house)]
    (anna,) = [person for person in members if person.id.startswith("openid-") and person.roles]
    accounts.change(office.house, office.people["adam"], anna.login, anna.roles, active=False)
    expect(guest.open("review").get_by_text("Page not found").first).to_be_visible()
    guest.leave()
    again = visitor(chromium, office)
    enter(again, "anna")
    assert SESSION not in {c["name"] for c in again.page.context.cookies()}
    expect(again.open("review").get_by_text("Page not found").first).to_be_visible()
    again.leave()
    accounts.change(office.house, office.people["adam"], anna.login, anna.roles, active=True)
