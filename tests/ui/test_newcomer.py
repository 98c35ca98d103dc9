"""From the setup link to the first approved release on an own table, with screens only, in a newcomer's minutes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from support.browsers import empty_page
from support.newcomer import Effort, Newcomer
from support.town import PASSWORD, PURPOSE, SCHEMA, TABLE
from support.visitor import ROOT, Server, Visitor, free_port, serve

from discreet.office import House
from discreet.office.datasets.letterhead import Letterhead
from discreet.office.datasets.letterhead import declare as declare_letterhead
from discreet.office.house.roles import TERMINAL

WHY = "It is known and accepted."
MOST_NEW, MOST_PREPARED = 15.0, 5.0  # minutes


def somebody(chromium: Browser, server: Server, effort: Effort, reads: bool) -> Newcomer:
    """Return somebody in front of a browser of their own."""
    visitor = Visitor(empty_page(chromium, server.url), server)
    visitor.watch(visitor.page)
    return Newcomer(visitor, effort, reads)


def chapter(text: str) -> str:
    """Return what the README says to whoever keeps data for others."""
    return text.split("## For organisations")[1].split("\n## ")[0]


def prepare(home: Path) -> None:
    """Say beforehand, as a command does, what every registration begins with."""
    house = House(home, f"sqlite:///{home / 'ledger.db'}")
    said = Letterhead(
        "Town Hospital", "Government", "Healthcare", "data@town.example", "Hospital Act", "a town", "two people"
    )
    declare_letterhead(house, TERMINAL, said)
    house.store.close()


def say_once(olga: Newcomer) -> None:
    """Follow the first step to the page Settings, and fill it."""
    page = olga.visitor.page
    olga.click(page.get_by_role("link", name="Next: Enter the organisation"))
    olga.fill("Organisation", "Town Hospital", exact=True)
    olga.choose("Kind of organisation", "Government")
    olga.choose("Sector", "Healthcare")
    olga.fill("Contact for people", "data@town.example")
    olga.fill("Legal basis for collection", "Hospital Act")
    olga.fill("Region", "a town")
    olga.fill("Server administrator", "two people of the computing office")
    olga.click(page.get_by_role("button", name="Save"))


def declare(olga: Newcomer) -> None:
    """Declare two columns, one after the other, from public knowledge."""
    page = olga.visitor.page
    group = page.locator('[class*="st-key-card-"]').filter(has=page.get_by_role("button", name="group"))
    olga.click(group.get_by_text("category", exact=True))
    olga.fill("Allowed values", "a, b")
    olga.fill("Known from", "the form of the survey", exact=True)


def walk(chromium: Browser, server: Server, reads: bool, shots: Path | None = None) -> dict[str, Effort]:
    """Go the whole way; return what the officer did and what the analyst did."""
    efforts = {"officer": Effort(), "analyst": Effort()}
    olga = somebody(chromium, server, efforts["officer"], reads)
    link = re.search(r"sign-in\?link=(\w+)", server.log_text())
    assert link, server.log_text()

    def shot(who: Newcomer, name: str) -> None:
        if shots is not None:
            who.visitor.page.screenshot(path=shots / f"{name}.png", full_page=True)

    if reads:
        olga.effort.read_text(chapter((ROOT / "README.md").read_text(encoding="utf-8")))
    olga.visitor.open(f"sign-in?link={link[1]}")
    olga.look()
    shot(olga, "01-setup")
    for name, text in (
        ("Login", "olga"),
        ("Name", "Olga"),
        ("New password", PASSWORD),
        ("Repeat new password", PASSWORD),
    ):
        olga.fill(name, text, exact=name in {"Name", "New password"})
    page = olga.visitor.page
    olga.click(page.get_by_role("button", name="Set up"))
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    olga.visitor.settle()
    olga.look()
    shot(olga, "02-first")
    if reads:
        say_once(olga)
    shot(olga, "03-settings")
    olga.click(page.get_by_role("link", name=re.compile("Next: Register a dataset")))
    shot(olga, "04-register")
    olga.upload("town.csv", TABLE)
    shot(olga, "05-declare")
    if reads:
        declare(olga)
    else:
        olga.visitor.import_declaration(SCHEMA.to_json(), "Register")
        olga.effort.use(4)
        olga.effort.thoughts += 2
    shot(olga, "06-declared")
    olga.fill("Source *", "A survey of the town in 2030", exact=True)
    olga.fill("Or the reason for having no deletion date", "A law keeps this register.")
    whose = page.get_by_role("radiogroup", name="Can one person have more than one row?")
    olga.click(whose.get_by_text("No: every row is a different person"))
    for question in ("Were any bounds chosen by looking at the data?", "Are there other releases"):
        olga.click(page.get_by_role("radiogroup", name=question).get_by_text("No", exact=True))
    shot(olga, "07-form")
    olga.click(page.get_by_role("button", name=re.compile("^Register( · |$)")))
    expect(page.get_by_text("Verify ledger")).to_be_visible()
    shot(olga, "08-registered")
    ann = invited(olga, chromium, server, efforts["analyst"], reads)
    shot(olga, "09-people")
    asked(ann)
    shot(ann, "10-asked")
    approve(olga)
    shot(olga, "11-approved")
    ann.visitor.leave()
    olga.visitor.leave()
    return efforts


def invited(olga: Newcomer, chromium: Browser, server: Server, effort: Effort, reads: bool) -> Newcomer:
    """Make a link for an analyst, who signs in with it."""
    page = olga.visitor.page
    olga.click(page.get_by_role("link", name=re.compile("Next: Invite")))
    olga.fill("Login", "ann")
    olga.fill("Name", "Ann", exact=True)
    olga.click(page.get_by_role("button", name="Create invitation link"))
    link = re.search(r"link=(\w+)", page.locator("code").inner_text())
    assert link
    ann = somebody(chromium, server, effort, reads)
    ann.visitor.open(f"sign-in?link={link[1]}")
    ann.look()
    ann.fill("New password", PASSWORD, exact=True)
    ann.fill("Repeat new password", PASSWORD)
    ann.click(ann.visitor.page.get_by_role("button", name="Save password"))
    expect(ann.visitor.page.get_by_role("button", name="Sign out")).to_be_visible()
    return ann


def asked(ann: Newcomer) -> None:
    """Choose the data, choose how, and send a question."""
    page = ann.visitor.page
    ann.visitor.open("dataset")
    ann.choose("Dataset", "town (registered)")
    ann.visitor.open("smooth-sensitivity")
    ann.effort.use(1)
    ann.look()
    ann.fill("Purpose", PURPOSE)
    ann.click(page.get_by_role("button", name="Send request (reserves "))
    expect(page.get_by_text(re.compile("Request #1 is waiting for approval"))).to_be_visible()


def approve(olga: Newcomer) -> None:
    """Read the card, answer what is left of the checklist, and approve."""
    page = olga.visitor.page
    olga.visitor.open("review")
    olga.effort.use(1)
    olga.look(always=True)
    for at in range(page.get_by_text("Yes", exact=True).count()):
        olga.click(page.get_by_text("Yes", exact=True).nth(at))
    why = page.get_by_role("textbox", name="Reason to approve despite this")
    for at in range(why.count()):
        olga._act(lambda at=at: (why.nth(at).fill(WHY), page.keyboard.press("Tab")))
        olga.effort.use(1, len(WHY) + 1)
    olga.click(page.get_by_role("button", name=re.compile("^Approve and run #")))
    expect(page.get_by_text("No requests are waiting for a decision")).to_be_visible()


@pytest.mark.soak_alone
@pytest.mark.parametrize(("reads", "most"), [(True, MOST_NEW), (False, MOST_PREPARED)], ids=["newcomer", "prepared"])
def test_the_way_to_the_first_release_is_short(
    chromium: Browser, tmp_path: Path, reads: bool, most: float, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every click, key, word and thought is counted from what was done; the minutes are those of the model.

    Who is prepared has the declaration as a file, works in a house whose settings are said, and knows the screens.
    Both times hold for the officer and the analyst together.

    In `make test` test_whole_way.py goes the same way, from an empty house to a release, and counts nothing.
    """
    port, log = free_port(), tmp_path / "log.txt"
    process = serve("app.py", log, port)
    try:
        if not reads:
            prepare(tmp_path / "home")
        efforts = walk(chromium, Server(f"http://127.0.0.1:{port}", log), reads, tmp_path)
    finally:
        process.kill()
    with capsys.disabled():
        for name, effort in efforts.items():
            print(f"\n{'newcomer' if reads else 'prepared'}, {name}: {effort}")
    assert sum(effort.minutes for effort in efforts.values()) <= most
