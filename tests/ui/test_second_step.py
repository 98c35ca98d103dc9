"""The second factor on screens: set up, asked for, taken away; and that nobody halfway sees or does anything."""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from support.codes import code_of
from support.seats import Seat, cheaply, seat
from support.town import PASSWORD, prepare, start, visitor
from support.visitor import Visitor

from discreet.office import House, Member
from discreet.office.house import audit_log
from discreet.office.house.roles import TERMINAL
from discreet.office.people import accounts as memberships
from discreet.office.people import joining, second_factor_setup, signing_in
from discreet.office.people.second_factor import PERIOD
from discreet.office.running import settings
from discreet.ui.session import door
from discreet.ui.session.cookies import SESSION

OFFICE = ("news", "requests", "review", "evidence", "datasets", "audit-log", "settings", "people", "account")


@dataclass
class Hall:
    """A house with people, seats at its screens, and whom its door has let in."""

    house: House
    people: dict[str, Member]
    sit: Callable[[Member | None], Seat]
    entered: list[Member]

    def at(self, name: str = "") -> Seat:
        """Sit down as somebody."""
        return self.sit(self.people.get(name))

    def equip(self, name: str) -> tuple[str, tuple[str, ...]]:
        """Give somebody a second factor; return its secret and recovery codes."""
        secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        code = code_of(secret, time.time())
        return secret, second_factor_setup.set_up_factor(self.house, self.people[name], secret, code)

    def halfway(self, name: str) -> Seat:
        """Type somebody's password at the door."""
        guest = self.at().open("sign_in").fill(Login=name, Password=PASSWORD).press("Sign in")
        assert not self.entered
        return guest


@pytest.fixture
def hall(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Hall:
    """Prepare a house; a browser's way through the door is walked in the test of browsers."""
    cheaply(monkeypatch)
    house, people, _ = prepare(tmp_path / "home", rows="age,group,note\n" + "12,a,x\n" * 60)
    entered: list[Member] = []
    monkeypatch.setattr(door, "let_in", lambda person, _: entered.append(person))
    return Hall(house, people, lambda who: seat(monkeypatch, house, who), entered)


def next_code(secret: str) -> str:
    """Return the code of an app whose clock is ahead: that of now may be used up."""
    return code_of(secret, time.time() + PERIOD)


def check_nothing_is_there(guest: Seat) -> None:
    """Fail if somebody halfway finds a screen of the office, or another way than to give what is missing or leave."""
    assert [
        button.label for button in guest.app.button if button.label in ("Sign out", "Sign in", "Finish set-up")
    ] in (["Sign in"], ["Finish set-up"])
    for page in OFFICE:
        with pytest.raises(ValueError, match="Could not find a navigation page"):
            guest.open(page)


def test_a_second_factor_is_set_up_on_the_account_page(hall: Hall) -> None:
    """A square, a secret, one right code; recovery codes once; then it is asked for at the door."""
    olga = hall.at("olga").open("account").press("Set up two-factor authentication")
    secret = olga.app.code[0].value.replace(" ", "")
    assert "data:image/svg+xml;base64," in olga.sent() and secret not in olga.text()
    olga.fill(Code="000000").press("Finish set-up")
    assert (
        "Check that your phone's clock is correct," in olga.text() and olga.app.code[0].value.replace(" ", "") == secret
    )
    olga.fill(Code=code_of(secret, time.time())).press("Finish set-up")
    recoveries = olga.app.code[0].value.split("\n")
    assert len(recoveries) == 10 and "is set up" in olga.text() and secret not in olga.sent()
    olga.press("I have saved the codes")
    assert recoveries[0] not in olga.sent() and "Recovery codes left: 10" in olga.text()
    guest = hall.halfway("olga").fill(Code="123456").press("Sign in")
    assert "Wrong or already used code." in guest.text() and not hall.entered
    guest.fill(Code=recoveries[0]).press("Sign in")
    assert hall.entered == [hall.people["olga"]]
    olga.run().fill(Code=next_code(secret)).press("Turn off")
    assert "Two-factor authentication is turned off." in olga.text() and olga.buttons(
        "Set up two-factor authentication"
    )
    hall.entered.clear()
    hall.at().open("sign_in").fill(Login="olga", Password=PASSWORD).press("Sign in")
    assert hall.entered == [hall.people["olga"]]


def test_whoever_is_halfway_finds_nothing_and_can_leave(hall: Hall) -> None:
    """No screen of the office, whatever is typed into the address; another tab knows of nothing."""
    hall.equip("olga")
    guest = hall.halfway("olga")
    check_nothing_is_there(guest)
    assert "Enter the code from your authenticator app" in guest.open("sign_in").text()
    assert "Enter the code from your authenticator app" not in hall.at().open("sign_in").text()
    guest.press("Cancel")
    assert guest.field("Password") and "Enter the code from your authenticator app" not in guest.text()
    assert not [act for act in audit_log.trail(hall.house.store) if act.what == "signed in"]


def test_a_door_that_takes_halfway_for_in_is_caught(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where the person of a right password counts before the code."""
    hall.equip("olga")
    guest, olga = hall.halfway("olga"), hall.people["olga"]
    monkeypatch.setattr(guest, "enter", lambda: monkeypatch.setattr(door, "who", lambda: olga))
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        check_nothing_is_there(guest.open("sign_in"))


def test_where_the_house_wants_one_an_officer_sets_it_up_before_anything_else(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the password there is this and the way out; an analyst is let in; a session without one is over."""
    before = hall.at("olga").open("review")
    assert before.app.title[0].value == "Inbox" and before.buttons("Sign out")
    monkeypatch.setenv(settings.FACTOR, settings.REQUIRED)
    assert not before.run().buttons("Sign out") and "Inbox" not in [each.value for each in before.app.title]
    guest = hall.halfway("olga")
    check_nothing_is_there(guest)
    guest.open("sign_in")
    secret = guest.app.code[0].value.replace(" ", "")
    guest.fill(Code=code_of(secret, time.time())).press("Finish set-up")
    assert len(guest.app.code[0].value.split("\n")) == 10 and not hall.entered
    check = signing_in.start_session(hall.house, hall.people["olga"])
    assert signing_in.of_session(hall.house, check) == hall.people["olga"]
    guest.press("I have saved the codes")
    assert hall.entered == [hall.people["olga"]]
    hall.entered.clear()
    hall.at().open("sign_in").fill(Login="ann", Password=PASSWORD).press("Sign in")
    assert hall.entered == [hall.people["ann"]]


def test_nobody_is_given_a_secret_that_somebody_else_has_seen(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one tab: whoever leaves halfway, and comes again, or another person does, is shown another secret."""
    monkeypatch.setenv(settings.FACTOR, settings.REQUIRED)
    guest, secrets = hall.halfway("olga"), []
    for name in ("olga", "adam"):
        secrets.append(guest.open("sign_in").app.code[0].value)
        guest.press("Cancel").fill(Login=name, Password=PASSWORD).press("Sign in")
    secrets.append(guest.app.code[0].value)
    assert len(set(secrets)) == 3 and not hall.entered
    guest.app.session_state["halfway"] = signing_in.sign_in(hall.house, "olga", PASSWORD)  # without a word of leaving
    assert guest.run().app.code[0].value not in secrets


def test_recovery_codes_on_a_screen_that_was_left_open_let_nobody_in(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The account has another password since; the codes are shown no more."""
    monkeypatch.setenv(settings.FACTOR, settings.REQUIRED)
    guest = hall.halfway("olga")
    secret = guest.open("sign_in").app.code[0].value.replace(" ", "")
    guest.fill(Code=code_of(secret, time.time())).press("Finish set-up")
    link = joining.renew(hall.house, TERMINAL, "olga")
    joining.choose_password(hall.house, link, "another long password of hers")
    guest.press("I have saved the codes")
    assert not hall.entered and "Sign in again." in guest.text()
    assert guest.run().field("Password") and not guest.app.code


def test_an_administrator_takes_it_away_and_the_owner_reads_it(hall: Hall) -> None:
    """For a lost telephone; one's own only with a code."""
    hall.equip("olga")
    adam = hall.at("adam").open("people")
    accounts = adam.field("Account")
    accounts.select_index([option.startswith("Olga") for option in accounts.options].index(True))
    adam.run()
    assert "has a password and two-factor authentication" in str(adam.app.dataframe[0].value)
    adam.press("Turn off two-factor authentication")
    assert not adam.buttons("Turn off two-factor authentication")
    assert second_factor_setup.recoveries_left(hall.house, hall.people["olga"]) is None
    assert "turned off two-factor authentication for olga" in hall.at("olga").open("news").text()
    hall.equip("adam")
    adam = hall.at("adam").open("people")
    accounts = adam.field("Account")
    accounts.select_index([option.startswith("Adam") for option in accounts.options].index(True))
    assert not adam.run().buttons("Turn off two-factor authentication")


def test_an_administrator_erases_the_name_of_a_closed_account(hall: Hall) -> None:
    """Only of a closed one, only after a word of confirmation; no screen shows it afterwards."""
    adam = hall.at("adam").open("people")
    accounts = adam.field("Account")
    accounts.select_index([option.startswith("Olga") for option in accounts.options].index(True))
    assert not adam.run().buttons("Erase name and email address")
    memberships.change(hall.house, TERMINAL, "olga", hall.people["olga"].roles, False)
    (button,) = adam.run().buttons("Erase name and email address")
    assert button.disabled
    adam.app.checkbox(key=f"erase:{hall.people['olga'].id}").check()
    adam.run()
    adam.press("Erase name and email address")
    assert memberships.name_of(hall.house, hall.people["olga"].id) == "olga"
    for page in ("people", "news", "audit-log"):
        screen = adam.open(page)
        seen = screen.text() + "".join(table.value.to_string() for table in screen.app.dataframe)
        assert "Olga" not in seen, page
    assert "erased the name and email address of" in seen


def stands(person: Visitor, path: str) -> int:
    """Ask for an address with the cookies of a browser; return the status."""
    cookies = "; ".join(f"{each['name']}={each['value']}" for each in person.page.context.cookies())  # type: ignore[typeddict-item]
    asked = urllib.request.Request(f"{person.server.url}/{path}", headers={"Cookie": cookies})
    try:
        with urllib.request.urlopen(asked) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


def sign_in(person: Visitor, login: str) -> None:
    """Give a login and its password."""
    page = person.load("sign-in")
    page.get_by_role("textbox", name="Login").fill(login)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    person.settle()


def give(person: Visitor, code: str, button: str) -> None:
    """Type a code, and send it."""
    person.page.get_by_role("textbox", name="Code").fill(code)
    person.page.get_by_role("button", name=button).click()


@pytest.mark.soak_alone
def test_in_a_browser_there_is_no_session_before_the_code(chromium: Browser, tmp_path: Path) -> None:
    """Where the house wants it: after the password no cookie of a session, no file and no screen, until the code.

    In `make test` test_whoever_is_halfway_finds_nothing_and_can_leave holds the same without a browser.
    """
    office, stop = start(tmp_path, DISCREET_SECOND_FACTOR="required")
    try:
        assert (
            "Officers and administrators with a password here must use two-factor authentication."
            in office.server.log_text()
        )
        waits, secret = office.ask(0.5), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        second_factor_setup.set_up_factor(office.house, office.people["olga"], secret, code_of(secret, time.time()))
        olga = visitor(chromium, office)
        sign_in(olga, "olga")
        page = olga.page
        expect(page.get_by_text("Enter the code from your authenticator app")).to_be_visible()
        assert SESSION not in {each["name"] for each in page.context.cookies()}  # type: ignore[typeddict-item]
        assert stands(olga, f"card/{waits.id}.json") == stands(olga, f"bundle/{office.dataset}") == 404
        tab = olga.tab()
        tab.goto(f"{office.server.url}/review")
        expect(tab.get_by_text("Page not found").first).to_be_visible()
        tab.close()
        give(olga, next_code(secret), "Sign in")
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()
        expect(page.get_by_role("heading", name="Inbox")).to_be_visible()
        assert stands(olga, f"card/{waits.id}.json") == 200
        carried = {each["name"]: each["value"] for each in page.context.cookies()}  # type: ignore[typeddict-item]
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_role("button", name="Sign out")).to_have_count(0)
        assert signing_in.of_session(office.house, carried[SESSION]) is None
        assert stands(olga, f"card/{waits.id}.json") == 404
        olga.leave()
    finally:
        stop()
