"""The office in browsers: from an empty house to a published release. Most of its screens: test_office_screens.py."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from support.axe import in_both_themes, stands, violations
from support.browsers import empty_page
from support.office_browser import answer_all, choose_town, fill, nothing_before
from support.soak import SOAKS
from support.town import CANARY, PASSWORD, PURPOSE, ROWS, SCHEMA, TABLE, Office, start, visitor
from support.visitor import Server, Visitor, free_port, serve

from discreet.office.desk import queue


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """Start a house with people and data."""
    town, stop = start(tmp_path_factory.mktemp("office"))
    yield town
    stop()


def stranger(chromium: Browser, server: Server) -> Visitor:
    """Return somebody new in front of a browser of their own."""
    person = Visitor(empty_page(chromium, server.url), server)
    person.watch(person.page)
    return person


@pytest.mark.soak_alone
def test_from_an_empty_house_to_a_published_release(chromium: Browser, tmp_path: Path) -> None:
    """Set up, invite, register, ask, approve, answer, publish, come back: as newcomers, on screens only.

    In `make test` test_whole_way.py goes the same way on seats; test_second_step.py comes in by a browser,
    test_first_answer.py types and presses in one, and the test below opens screens.
    """
    port, log = free_port(), tmp_path / "log.txt"
    process = serve("app.py", log, port)
    server = Server(f"http://127.0.0.1:{port}", log)
    try:
        link = re.search(r"sign-in\?link=(\w+)", server.log_text())
        assert link, server.log_text()
        olga = stranger(chromium, server)
        olga.open(f"sign-in?link={link[1]}")
        fill(olga, Login="olga", Name="Olga", New_password=PASSWORD, Repeat_new_password=PASSWORD)
        olga.page.get_by_role("button", name="Set up").click()
        expect(olga.page.get_by_role("button", name="Sign out")).to_be_visible()

        olga.open("review")
        expect(olga.page.get_by_role("link", name="Next: Enter the organisation")).to_be_visible()
        olga.open("people")
        fill(olga, Login="ann", Name="Ann")
        olga.page.get_by_role("button", name="Create invitation link").click()
        invited = re.search(r"link=(\w+)", olga.page.locator("code").inner_text())
        assert invited
        ann = stranger(chromium, server)
        ann.open(f"sign-in?link={invited[1]}")
        fill(ann, New_password=PASSWORD, Repeat_new_password=PASSWORD)
        ann.page.get_by_role("button", name="Save password").click()
        expect(ann.page.get_by_role("button", name="Sign out")).to_be_visible()

        olga.open("datasets")
        olga.upload("town.csv", TABLE.encode())
        olga.import_declaration(SCHEMA.to_json(), "Register")
        fill(olga, Source="A survey", Legal_basis_for_collection="Consent")
        olga.page.get_by_role("button", name=re.compile("^Register( · |$)")).click()
        expect(olga.page.get_by_text("Enter the date until which the rows are").first).to_be_visible()
        nothing_before(olga)
        fill(olga, Or_the_reason_for_having_no_deletion_date="A law keeps this register.")
        olga.page.get_by_role("button", name=re.compile("^Register( · |$)")).click()
        expect(olga.page.get_by_text("town is registered.")).to_be_visible()
        expect(olga.page.get_by_text("Verify ledger")).to_be_visible()
        expect(olga.page.get_by_role("link", name="Next: The analyst signs in")).to_be_visible()

        ann.open("dataset")
        expect(ann.page.get_by_text("The schema lists what is publicly known")).to_be_visible()
        choose_town(ann)
        ann.open("smooth-sensitivity")
        ann.page.get_by_role("button", name="Send request (reserves ").click()
        expect(ann.page.get_by_text("Nothing was spent.")).to_be_visible()  # no purpose yet
        fill(ann, **{"Purpose": PURPOSE})
        ann.page.get_by_role("button", name="Send request (reserves ").dblclick()
        expect(ann.page.get_by_text(re.compile("Request #1 is waiting for approval"))).to_be_visible()

        olga.open("review")
        expect(olga.page.get_by_text(PURPOSE)).to_be_visible()
        approve = olga.page.get_by_role("button", name=re.compile("^Approve and run #"))
        approve.click()
        expect(olga.page.get_by_text("Answer every checklist item first")).to_be_visible()
        answer_all(olga)
        approve.click()
        expect(olga.page.get_by_text("No requests are waiting for a decision")).to_be_visible()

        ann.open("requests")
        expect(ann.page.get_by_text("Result released.", exact=True)).to_be_visible()
        ann.open("smooth-sensitivity")
        expect(ann.page.get_by_text(re.compile("^Done\\."))).to_be_visible()
        ann.settle()
        assert ann.cards() == 1

        olga.open("datasets")
        olga.page.get_by_role("button", name="Verify ledger").click()
        expect(olga.page.get_by_text(re.compile("All 4 entries are verified"))).to_be_visible()
        olga.open("published-results")
        olga.page.get_by_role("button", name="Publish results").click()
        expect(olga.page.get_by_text("Anyone can read the published results")).to_be_visible()
        olga.open("datasets")
        expect(olga.page.get_by_role("button", name="Verify ledger")).to_be_visible()
        expect(olga.page.get_by_text("First steps")).to_have_count(0)
        anybody = stranger(chromium, server)
        page = anybody.open("published-results")
        expect(page.get_by_text("Privacy guarantee")).to_be_visible()
        address = page.get_by_role("link", name="JSON").get_attribute("href")
        with urllib.request.urlopen(f"{server.url}{address}") as answer:
            card = json.load(answer)
        assert card
        olga.page.get_by_role("button", name="Sign out").click()
        olga.settle()
        olga.open("sign-in")
        fill(olga, Login="olga", Password=PASSWORD)
        olga.page.get_by_role("button", name="Sign in").click()
        expect(olga.page.get_by_role("button", name="Sign out")).to_be_visible()
        everything = "".join(v.wire() for v in (olga, ann, anybody)) + server.log_text()
        everything += json.dumps(card)
        assert CANARY not in everything
        assert not re.search(rf"\b({ROWS}|{ROWS:,})\b", everything)
        assert PASSWORD not in everything
        for person in (olga, ann, anybody):
            assert not person.wrong and not person.foreign
            person.leave()
    finally:
        process.kill()


def unfold(person: Visitor) -> None:
    """Open every fold by its key, one after the other: each fetches what it holds."""
    folds = person.page.locator('[data-testid="stExpander"] summary')
    assert folds.count() >= 8
    for at in range(folds.count()):
        folds.nth(at).press("Enter")
        person.settle()
    expect(person.page.get_by_text("Fingerprint of the rows, which only this server can create:")).to_be_visible()
    expect(person.page.get_by_text("Checked automatically just now")).to_be_visible()


FIRST = {"sign-in", "review", "datasets"}  # made of the same parts as the others


@pytest.mark.soak
def test_every_screen_of_the_office_stands_in_every_theme_and_width(chromium: Browser, office: Office) -> None:
    """No error box, a heading, nothing wider than the screen, nothing of ours for axe to find.

    In `make test` three of them, in light: all take their colours from one place, and test_axe.py looks at the dark.
    """
    if not office.desk("ann").requests:
        office.ask(0.1)
    if not queue.queue(office.house, office.people["olga"]):
        office.ask(0.4)
    for name, paths in (
        ("", ("sign-in", "published-results")),
        ("ann", ("requests", "budget")),
        ("olga", ("review", "datasets", "audit-log", "review?review-view=decided", "datasets?registered-view=new")),
        ("olga", ("account",)),
        ("adam", ("people", "settings")),
    ):
        walked = [path for path in paths if SOAKS or path in FIRST]
        if not walked:
            continue
        person = visitor(chromium, office, name)
        for path in walked:
            page = person.open(path) if path == paths[0] or "?" in path else person.go(path)
            if path == "review":
                unfold(person)
            stands(page, path)
            assert not (in_both_themes(person) if SOAKS else violations(page)), path
            page.set_viewport_size({"width": 390, "height": 900})
            person.settle()
            stands(page, path)
            page.set_viewport_size({"width": 1280, "height": 900})
        assert not person.wrong
        person.leave()
