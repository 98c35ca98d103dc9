"""From an empty house to a published release without a browser: every screen and every form on the way, on seats."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from support.office_seats import answer_all, work_on
from support.seats import Seat, cheaply, seat
from support.town import CANARY, PASSWORD, PURPOSE, ROWS, SCHEMA, TABLE

from discreet.office import House, Member
from discreet.office.people import accounts, joining
from discreet.ui.session import door


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> House:
    """Return a house in which nobody is."""
    cheaply(monkeypatch)
    return House(tmp_path / "home", f"sqlite:///{tmp_path / 'ledger.db'}")


def by_link(seen: Callable[[], Seat], link: str, button: str, **entries: str) -> Seat:
    """Follow a link to the door, and choose a password."""
    newcomer = seen().open("sign_in", link=link)
    return newcomer.fill(New_password=PASSWORD, Repeat_new_password=PASSWORD, **entries).press(button)


def register(olga: Seat) -> None:
    """Choose a file, declare it, and say only in the end what every registration has to say."""
    olga.open("datasets", registered_view="new").uploaded("", "town.csv", TABLE.encode())
    olga.uploaded("Schema or codebook file", "d.json", SCHEMA.to_json().encode()).run()
    olga.fill(Source="A survey", Legal_basis_for_collection="Consent").press("Register")
    assert "Enter the date until which the rows are" in olga.text()
    olga.fill(Were_any_bounds_chosen_by_looking_at_the_data=False, Are_there_other_releases=False).run()
    olga.fill(**{"Can one person have more than one row?": "no"}).run()
    olga.fill(Or_the_reason_for_having_no_deletion_date="A law keeps this register.").press("Register")
    assert "town is registered." in olga.text() and olga.buttons("Verify ledger")


def ask(ann: Seat) -> None:
    """Work on what is registered, and ask; without a purpose nothing is sent."""
    ann.open("dataset")
    (choice,) = [box for box in ann.app.selectbox if box.label == "Dataset"]
    choice.select("town (registered)")
    ann.run()
    assert "The schema lists what is publicly known" in ann.text()
    work_on(ann).open("smooth_sensitivity").press("Send request (reserves ")
    assert "Nothing was spent." in ann.text()
    ann.fill(**{"Purpose": PURPOSE}).press("Send request (reserves ")
    assert "Request #1 is waiting for approval" in ann.text()


def read(olga: Seat) -> None:
    """Read the card; without answers it is not approved."""
    assert PURPOSE in olga.open("review", waiting="1").press("Approve and run #1 once").text()
    assert "Answer every checklist item first" in olga.text()


def decide(olga: Seat) -> None:
    """Answer every point, and approve."""
    answer_all(olga)
    assert "No requests are waiting for a decision" in olga.press("Approve and run #1 once").open("review").text()


def test_from_an_empty_house_to_a_published_release(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set up, invite, register, ask, approve, answer, publish, come back; nothing of a row is sent to anybody."""
    entered: list[Member] = []
    monkeypatch.setattr(door, "let_in", lambda person, _: entered.append(person))
    at = partial(seat, monkeypatch, house)
    link = joining.setup_link(house)
    assert link
    by_link(at, link, "Set up", Login="olga", Name="Olga")
    olga = at(entered[-1])
    assert "Next: Enter the organisation" in olga.open("review").sent()
    invited = re.search(
        r"link=(\w+)", olga.open("people").fill(Login="ann", Name="Ann").press("Create invitation link").sent()
    )
    assert invited
    by_link(at, invited[1], "Save password")
    ann = at(entered[-1])
    assert accounts.name_of(house, entered[-1].id) == "Ann"
    sent = []
    for step, who in ((register, olga), (ask, ann), (read, olga), (decide, olga)):
        step(who)
        sent += [who.sent()]
    assert "Result released." in ann.open("requests").text()
    assert ann.open("smooth_sensitivity").text().count("ledger entry") == 1
    sent += [ann.sent()]
    assert "All 4 entries are verified" in olga.open("datasets").press("Verify ledger").text()
    assert "Anyone can read the published results" in olga.open("published_results").press("Publish results").text()
    sent += [olga.sent(), at().open("published-results").sent()]
    assert "Privacy guarantee" in sent[-1]
    at().open("sign_in").fill(Login="olga", Password=PASSWORD).press("Sign in")
    assert entered[-1].login == "olga"
    everything = "\n".join(sent)
    assert CANARY not in everything and PASSWORD not in everything
    assert not re.search(rf"\b({ROWS}|{ROWS:,})\b", everything)
