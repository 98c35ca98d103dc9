"""The office as people meet it: from an empty house to a published release."""

from __future__ import annotations

import json
import re
import sqlite3
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from browsers import empty_page
from playwright.sync_api import Browser, expect
from soak import SOAKS
from test_axe import in_both_themes, stands, violations
from town import CANARY, PASSWORD, PURPOSE, ROWS, SCHEMA, TABLE, Office, start, visitor
from visitor import Server, Visitor, free_port, serve

from discreet.office import acts, decisions, inbox, memberships, registry

REASON = "Please use the share of the town as a whole."


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """Start a house with people and data."""
    found, stop = start(tmp_path_factory.mktemp("office"))
    yield found
    stop()


def stranger(chromium: Browser, server: Server) -> Visitor:
    """Return somebody new in front of a browser of their own."""
    one = Visitor(empty_page(chromium, server.url), server)
    one.watch(one.page)
    return one


def fill(one: Visitor, **told: str) -> None:
    """Fill text fields by their names, and leave the last one."""
    for name, text in told.items():
        one.page.get_by_role("textbox", name=name.replace("_", " ")).fill(text)
    one.page.keyboard.press("Tab")
    one.settle()


def other_people(one: Visitor) -> None:
    """Say why the people are others, where data look like registered ones."""
    if one.page.get_by_role("textbox", name="why are their people others").count():
        fill(one, why_are_their_people_others="They live in another town.")


def choose_town(one: Visitor, name: str = "town") -> None:
    """Work on the registered data."""
    page = one.open("")
    page.get_by_label("Work on").click()
    page.get_by_text(f"{name} (registered)").click()
    one.settle()


def answer_all(one: Visitor) -> None:
    """Say yes to every point of the checklist, and give a reason where the system says no."""
    for at in range(one.page.get_by_text("Yes", exact=True).count()):
        one.page.get_by_text("Yes", exact=True).nth(at).click()
        one.settle()
    why = one.page.get_by_role("textbox", name="Your reason for approving")
    for at in range(why.count()):
        why.nth(at).fill("It is known and accepted.")


def test_from_an_empty_house_to_a_published_release(chromium: Browser, tmp_path: Path) -> None:
    """Set up, invite, register, ask, approve, answer, publish: as newcomers, on screens only."""
    port, log = free_port(), tmp_path / "log.txt"
    process = serve("app.py", log, port)
    server = Server(f"http://127.0.0.1:{port}", log)
    try:
        link = re.search(r"sign-in\?link=(\w+)", server.told())
        assert link, server.told()
        olga = stranger(chromium, server)
        olga.open(f"sign-in?link={link[1]}")
        fill(olga, Login="olga", Name="Olga", New_password=PASSWORD, The_same_again=PASSWORD)
        olga.page.get_by_role("button", name="Set up").click()
        expect(olga.page.get_by_role("button", name="Sign out")).to_be_visible()

        olga.open("review")
        expect(olga.page.get_by_role("link", name="Go on: Say once")).to_be_visible()
        olga.open("people")
        fill(olga, Login="ann", Name="Ann")
        olga.page.get_by_role("button", name="Make a link").click()
        invited = re.search(r"link=(\w+)", olga.page.locator("code").inner_text())
        assert invited
        ann = stranger(chromium, server)
        ann.open(f"sign-in?link={invited[1]}")
        fill(ann, New_password=PASSWORD, The_same_again=PASSWORD)
        ann.page.get_by_role("button", name="Use this password").click()
        expect(ann.page.get_by_role("button", name="Sign out")).to_be_visible()

        olga.open("registered")
        olga.upload("town.csv", TABLE.encode())
        olga.import_declaration(SCHEMA.to_json(), "Register")
        fill(olga, Source="A survey", Collected_on_the_basis_of="Consent")
        olga.page.get_by_role("button", name="Register", exact=True).click()
        expect(olga.page.get_by_text("Say until when the rows are kept").first).to_be_visible()
        fill(olga, Or_why_there_is_no_such_day="A law keeps this register.")
        olga.page.get_by_role("button", name="Register", exact=True).click()
        expect(olga.page.get_by_text("town is registered.")).to_be_visible()
        expect(olga.page.get_by_text("Verify the whole chain")).to_be_visible()
        expect(olga.page.get_by_role("link", name="Go on: They sign in")).to_be_visible()

        ann.open("")
        ann.page.get_by_role("button", name="Work on town").click()
        expect(ann.page.get_by_text("What was said about the columns")).to_be_visible()
        choose_town(ann)
        ann.open("smooth-sensitivity")
        ann.page.get_by_role("button", name="Reserve").click()
        expect(ann.page.get_by_text("Nothing was spent.")).to_be_visible()  # no purpose yet
        fill(ann, **{"What is the answer for?": PURPOSE})
        ann.page.get_by_role("button", name="Reserve").dblclick()
        expect(ann.page.get_by_text(re.compile("Request #1 waits for an officer"))).to_be_visible()

        olga.open("review")
        expect(olga.page.get_by_text(PURPOSE)).to_be_visible()
        approve = olga.page.get_by_role("button", name=re.compile("^Approve #"))
        approve.click()
        expect(olga.page.get_by_text("Answer every point of the checklist first")).to_be_visible()
        answer_all(olga)
        approve.click()
        expect(olga.page.get_by_text("Nothing waits for a decision")).to_be_visible()

        ann.open("requests")
        expect(ann.page.get_by_text("Answered.", exact=True)).to_be_visible()
        ann.open("smooth-sensitivity")
        expect(ann.page.get_by_text(re.compile("^Answered"))).to_be_visible()
        ann.settle()
        assert ann.cards() == 1

        olga.open("registered")
        olga.page.get_by_role("button", name="Verify the whole chain").click()
        expect(olga.page.get_by_text(re.compile("All 4 lines hold"))).to_be_visible()
        olga.page.get_by_role("button", name="Publish the list of releases").click()
        expect(olga.page.get_by_text("Everybody can read")).to_be_visible()
        expect(olga.page.get_by_text("First steps")).to_have_count(0)
        anybody = stranger(chromium, server)
        page = anybody.open("published")
        expect(page.get_by_text("What is promised")).to_be_visible()
        address = page.get_by_role("link", name="JSON").get_attribute("href")
        with urllib.request.urlopen(f"{server.url}{address}") as answer:
            card = json.load(answer)
        assert card
        everything = "".join(v.wire() for v in (olga, ann, anybody)) + server.told()
        everything += json.dumps(card)
        assert CANARY not in everything
        assert not re.search(rf"\b({ROWS}|{ROWS:,})\b", everything)
        assert PASSWORD not in everything
        for one in (olga, ann, anybody):
            assert not one.wrong and not one.foreign
            one.leave()
    finally:
        process.kill()


def test_within_policy_a_question_runs_at_once(chromium: Browser, office: Office) -> None:
    """Nobody waits for what the policy allows; the same question again costs nothing."""
    one = visitor(chromium, office, "ann")
    choose_town(one)
    page = one.open("global-sensitivity")
    slider = page.get_by_role("slider").first
    slider.focus()
    page.keyboard.press("Home")
    one.settle()
    expect(page.get_by_text("This is within the policy and runs at once.")).to_be_visible()
    fill(one, **{"What is the answer for?": PURPOSE})
    page.get_by_role("button", name="and release").dblclick()
    expect(page.get_by_text(re.compile("^Answered"))).to_be_visible()
    one.settle()
    assert one.cards() == 1
    page.reload()
    one.settle()
    assert one.cards() == 1
    assert len([r for r in office.desk().requests if r.release is not None]) == 1
    one.leave()


def test_denied_changed_and_withdrawn_requests_say_so_and_cost_nothing(chromium: Browser, office: Office) -> None:
    """The analyst reads the officer's reason; what was reserved is back."""
    left = office.desk("abe").ledger.left
    denied, changed = office.ask(0.5, "abe"), office.ask(0.6, "abe")
    officer = visitor(chromium, office, "olga")
    for number, button in ((denied.number, "Deny"), (changed.number, "Ask for changes of")):
        page = officer.open(f"review?waiting={number}")
        page.get_by_role("button", name=f"{button} #{number}").click()
        expect(page.get_by_text("Say why in at least")).to_be_visible()
        fill(officer, Message_to_the_analyst=REASON)
        page.get_by_role("button", name=f"{button} #{number}").click()
        officer.settle()
        expect(page.get_by_text(re.compile(r"is free again"))).to_be_visible()
    officer.leave()
    office.ask(0.7, "abe")
    analyst = visitor(chromium, office, "abe")
    for number, words in ((denied.number, "was denied"), (changed.number, "wants request")):
        page = analyst.open(f"requests?request={number}")
        expect(page.get_by_text(re.compile(words)).first).to_be_visible()
        expect(page.get_by_text(re.compile("share of the town")).first).to_be_visible()
    page.get_by_role("button", name="Ask again, changed").click()
    expect(page.get_by_role("heading", name="Global sensitivity", level=1)).to_be_visible()
    expect(page.get_by_text("What is the answer for?")).to_be_visible()  # of registered data
    page = analyst.open("requests")
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_text(re.compile("You withdrew request"))).to_be_visible()
    assert office.desk("abe").ledger.left == left
    analyst.leave()


def test_a_request_is_talked_about_sent_back_and_asked_again(chromium: Browser, office: Office) -> None:
    """The comment is read by its analyst as it was written, and the form stands as the frozen question did."""
    asked, hostile = office.ask(0.45, "abe"), "Which of <b>both</b>, and [why](http://x)?"
    olga, abe = visitor(chromium, office, "olga"), visitor(chromium, office, "abe")
    page = olga.open(f"review?waiting={asked.number}")
    fill(olga, Your_comment=hostile)
    page.get_by_text("the analyst and the officers", exact=True).click()
    olga.settle()
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(page.get_by_role("textbox", name="Your comment")).to_have_value("")
    expect(page.get_by_text(hostile)).to_be_visible()
    other = visitor(chromium, office, "olga")
    other.open(f"review?waiting={asked.number}")
    fill(olga, Message_to_the_analyst=REASON)
    page.get_by_role("button", name=f"Ask for changes of #{asked.number}").click()
    olga.settle()
    other.page.get_by_role("button", name=f"Approve #{asked.number} and run it once").click()
    expect(other.page.get_by_text(re.compile("changes wanted by Olga on .*had no effect"))).to_be_visible()
    other.leave()
    mine = abe.open("news")
    expect(mine.get_by_text(re.compile(f"Olga commented on #{asked.number}"))).to_be_visible()
    mine.get_by_role("button", name=f"Open #{asked.number}").first.click()
    expect(mine.get_by_text(hostile)).to_be_visible()
    mine.get_by_role("button", name="Ask again, changed").click()
    expect(mine.get_by_text(f"This will replace request #{asked.number}")).to_be_visible()
    expect(mine.get_by_role("textbox", name="What is the answer for?")).to_have_value(PURPOSE)
    mine.get_by_role("button", name=re.compile("Reserve ε = 0.45")).click()
    expect(mine.get_by_text(re.compile("waits for an officer"))).to_be_visible()
    (again,) = [each for each in office.desk("abe").requests if each.state == "waiting"]
    page = olga.open(f"review?waiting={again.number}")
    expect(page.get_by_text(re.compile(f"Replaces #{asked.number}"))).to_be_visible()
    for one in (olga, abe):
        assert not one.wrong and not one.foreign
        one.leave()
    decisions.withdraw(office.house, office.people["abe"], again.id)


def test_an_officer_cannot_decide_about_an_own_request(chromium: Browser, office: Office) -> None:
    """Somebody with both roles sees the card and no button."""
    both = frozenset({"analyst", "officer"})
    memberships.change(office.house, office.people["adam"], "abe", both, active=True)
    asked = office.ask(0.9, "abe")
    one = visitor(chromium, office, "abe")
    page = one.open(f"review?waiting={asked.number}")
    expect(page.get_by_text("another officer must decide")).to_be_visible()
    assert page.get_by_role("button", name=re.compile("^Approve #")).count() == 0
    one.leave()
    decisions.withdraw(office.house, office.people["abe"], asked.id)


def test_a_changed_policy_holds_for_the_next_question(chromium: Browser, office: Office) -> None:
    """An officer lets more run at once; the trail says who did it."""
    one = visitor(chromium, office, "olga")
    page = one.open("registered")
    free = page.get_by_role("spinbutton", name="Runs at once up to epsilon")
    free.fill("0.3")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Change the policy").click()
    one.settle()
    assert registry.find(office.house, office.dataset).policy.free == 0.3
    page = one.open("trail")
    expect(page.get_by_text("The chain of acts holds")).to_be_visible()
    one.leave()


def test_a_table_of_a_database_is_registered_and_reached_anew(
    chromium: Browser, office: Office, tmp_path: Path
) -> None:
    """Its address is asked for like a password; another table is refused in one sentence."""
    rows = tmp_path / "rows.db"
    with closing(sqlite3.connect(rows)) as db, db:
        for name in ("folk", "others"):
            db.execute(f'CREATE TABLE {name} (age INTEGER, "group" TEXT)')
        db.execute("INSERT INTO folk VALUES (41, 'a')")
    one = visitor(chromium, office, "olga")
    page = one.open("registered?registered-view=new")
    page.get_by_text("A table of a database or cluster").click()
    one.settle()
    fill(one, Address_of_the_database_or_cluster=f"sqlite:///{rows}", Table_or_view="nothing")
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_text("no single table or view of this name")).to_be_visible()
    fill(one, Table_or_view="folk")
    page.get_by_role("button", name="Connect").click()
    one.import_declaration(SCHEMA.to_json(), "Register")
    fill(one, Source="A register", Collected_on_the_basis_of="A law", Or_why_there_is_no_such_day="A law keeps it.")
    other_people(one)
    page.get_by_role("button", name="Register", exact=True).click()
    expect(page.get_by_text("Verify the whole chain")).to_be_visible()
    one.settle()
    fill(one, Address_of_the_database_or_cluster=f"sqlite:///{rows}", Table_or_view="others")
    page.get_by_role("button", name="Change the connection").click()
    expect(page.get_by_text("This is another table.")).to_be_visible()
    fill(one, Table_or_view="main.folk")
    page.get_by_role("button", name="Change the connection").click()
    one.settle()
    expect(page.get_by_text("This is another table.")).to_have_count(0)
    assert "reconnected" in [act.what for act in acts.trail(office.house.store)]
    assert str(rows) not in one.wire()
    one.leave()


def test_a_folder_is_registered(chromium: Browser, office: Office, tmp_path: Path) -> None:
    """One that holds no files is refused in one sentence; its address is not asked for anew."""
    rows = tmp_path / "lake"
    rows.mkdir()
    pq.write_table(pa.table({"age": [41], "group": ["a"]}), rows / "part.parquet")
    one = visitor(chromium, office, "olga")
    page = one.open("registered?registered-view=new")
    page.get_by_text("A folder of Parquet").click()
    one.settle()
    fill(one, Folder_on_this_server=str(tmp_path))
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_text("There are no Parquet files")).to_be_visible()
    fill(one, Folder_on_this_server=str(rows))
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_text("Proposed by names, types and labels, without a look at any row: age.")).to_be_visible()
    one.import_declaration(SCHEMA.to_json(), "Register")
    fill(one, Source="A register", Collected_on_the_basis_of="A law", Or_why_there_is_no_such_day="A law keeps it.")
    other_people(one)
    page.get_by_role("button", name="Register", exact=True).click()
    expect(page.get_by_text("Verify the whole chain")).to_be_visible()
    expect(page.get_by_role("button", name="Change the connection")).to_have_count(0)
    one.leave()


def test_an_administrator_keeps_accounts(chromium: Browser, tmp_path: Path) -> None:
    """A wrong password, a right one, a new link, a closed account that stays closed."""
    office, stop = start(tmp_path)
    try:
        abe = stranger(chromium, office.server)
        page = abe.open("sign-in")
        fill(abe, Login="abe", Password="not this one")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_text("do not belong together")).to_be_visible()
        fill(abe, Password=PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()

        adam = visitor(chromium, office, "adam")
        mine = adam.open("people")
        mine.get_by_label("Account", exact=True).click()
        mine.get_by_role("option", name="Abe (abe)").click()
        adam.settle()
        mine.get_by_role("button", name="New password link").click()
        link = re.search(r"link=(\w+)", mine.locator("code").inner_text())
        assert link
        mine.get_by_text("Closed: cannot sign in").click()
        adam.settle()
        mine.get_by_role("button", name="Save").click()
        adam.settle()
        page.reload()
        expect(page.get_by_role("button", name="Sign out")).to_have_count(0)
        page = abe.open("sign-in")
        fill(abe, Login="abe", Password=PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_text("do not belong together")).to_be_visible()

        mine = adam.open("people")
        mine.get_by_label("Account", exact=True).click()
        mine.get_by_role("option", name="Abe (abe)").click()
        adam.settle()
        expect(mine.get_by_role("checkbox", name="Closed: cannot sign in")).to_be_checked()
        mine.get_by_role("button", name="Save").click()
        adam.settle()
        closed = {one["person"].login: not one["active"] for one in memberships.everybody(office.house)}
        assert closed["abe"] and not closed["ann"]
        for one in (abe, adam):
            assert not one.wrong
            one.leave()
    finally:
        stop()


def test_an_officer_ends_a_dataset(chromium: Browser, tmp_path: Path) -> None:
    """Published and not, closed, its rows deleted: each on purpose, each seen at once."""
    office, stop = start(tmp_path)
    try:
        assert office.ask(0.1).release is not None
        one = visitor(chromium, office, "olga")
        page = one.open("registered")
        page.get_by_role("button", name="Publish the list of releases").click()
        expect(page.get_by_text("Everybody can read the list of releases.")).to_be_visible()
        page.get_by_role("button", name="Stop publishing").click()
        expect(page.get_by_role("button", name="Publish the list of releases")).to_be_visible()
        for known, button in (
            ("closed data cannot be opened again", "Close: nothing more is asked"),
            ("deleted rows cannot be brought back", "Delete the rows"),
        ):
            assert page.get_by_role("button", name=button).is_disabled()
            page.get_by_text(known).click()
            page.get_by_role("button", name=button).click()
            expect(page.get_by_role("button", name=button)).to_have_count(0)
        expect(page.get_by_text("The rows are deleted.")).to_be_visible()
        kept = registry.find(office.house, office.dataset)
        assert (kept.state, kept.published) == ("deleted", False)
        assert [p.name for p in (tmp_path / "home" / "vault").iterdir()] == ["key"]
        page.get_by_role("button", name="Verify the whole chain").click()
        expect(page.get_by_text(re.compile("lines hold"))).to_be_visible()
        analyst = visitor(chromium, office, "ann")
        page = analyst.open("")
        page.get_by_label("Work on").click()
        expect(page.get_by_role("option").first).to_be_visible()
        assert page.get_by_role("option", name="town (registered)").count() == 0
        page = analyst.open("requests")
        expect(page.get_by_text("Answered.", exact=True)).to_be_visible()
        for seen in (one, analyst):
            assert not seen.wrong
            seen.leave()
    finally:
        stop()


@pytest.mark.soak
def test_every_screen_of_the_office_stands_in_every_theme_and_width(chromium: Browser, office: Office) -> None:
    """No error box, a heading, nothing wider than the screen, nothing of ours for axe to find.

    In the dark, which has the same markup, the first two of everybody, and in `make soak` all.
    """
    if not office.desk("ann").requests:
        office.ask(0.1)
    if not inbox.queue(office.house, office.people["olga"]):
        office.ask(0.4)
    for name, paths in (
        ("", ("sign-in", "published")),
        ("ann", ("requests", "budget")),
        ("olga", ("review", "registered", "trail", "review?review-view=decided", "registered?registered-view=new")),
        ("adam", ("people",)),
    ):
        one = visitor(chromium, office, name)
        for path in paths:
            page = one.open(path) if path == paths[0] or "?" in path else one.go(path)
            stands(page, path)
            assert not (in_both_themes(one) if SOAKS or path in paths[:2] else violations(page)), path
            page.set_viewport_size({"width": 390, "height": 900})
            one.settle()
            stands(page, path)
            page.set_viewport_size({"width": 1280, "height": 900})
        assert not one.wrong
        one.leave()
