"""Two servers on one PostgreSQL: the same people, sessions, queue and budget."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from postgres import Postgres
from test_office import answer_all, choose_town, fill
from town import PURPOSE, Office, question, start, visitor
from visitor import Server, Visitor, free_port, serve

from discreet.budget import BudgetExceeded


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """Start a database server."""
    server = Postgres(tmp_path_factory.mktemp("postgres"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def pair(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Office, Server]]:
    """Start two servers, which share a database and the vault's folder."""
    folder, url = tmp_path_factory.mktemp("pair"), postgres.database()
    office, stop = start(folder, url)
    port, log = free_port(), folder / "second.txt"
    home = str(folder / "home")
    second = serve("app.py", log, port, DISCREET_HOME=home, DISCREET_DATABASE=url)
    yield office, Server(f"http://127.0.0.1:{port}", log)
    second.kill()
    stop()
    office.house.store.close()


def test_asked_on_one_server_and_approved_on_the_other(chromium: Browser, pair: tuple[Office, Server]) -> None:
    """One queue, one decision, one charge, and the answer on both."""
    office, second = pair
    ann = visitor(chromium, office, "ann")
    choose_town(ann)
    ann.open("global-sensitivity")
    fill(ann, **{"What is the answer for?": PURPOSE})
    ann.page.get_by_role("button", name="Reserve").click()
    expect(ann.page.get_by_text(re.compile("waits for an officer"))).to_be_visible()

    here = visitor(chromium, office, "olga")
    there = Visitor(visitor(chromium, office, "olga").page, second)
    here.open("review")
    there.open("review")
    for one in (here, there):
        answer_all(one)
    here.page.get_by_role("button", name=re.compile("^Approve #")).click()
    there.page.get_by_role("button", name=re.compile("^Approve #")).click()
    for one in (here, there):
        expect(one.page.get_by_text(re.compile("Nothing waits for a decision"))).to_be_visible()
    kinds = [line["kind"] for line in office.desk().ledger.lines]
    assert kinds == ["reserve", "charge", "settle", "release"]

    same = Visitor(ann.page.context.new_page(), second)  # a cookie knows no port
    answer = ann.open("requests").locator("main").inner_text()
    assert "Answered." in answer
    expect(same.open("requests").get_by_text("Answered.", exact=True)).to_be_visible()
    told = re.findall(r"-?[\d.]+ years", answer)
    assert told and told == re.findall(r"-?[\d.]+ years", same.page.locator("main").inner_text())
    for one in (ann, here, there):
        one.leave()


def test_a_session_ended_on_one_server_is_over_on_the_other(chromium: Browser, pair: tuple[Office, Server]) -> None:
    """Signing out is known everywhere at once."""
    office, second = pair
    here = visitor(chromium, office, "olga")
    there = Visitor(here.page.context.new_page(), second)
    expect(there.open("trail").get_by_role("heading", name="Trail")).to_be_visible()
    here.open("trail").get_by_role("button", name="Sign out").click()
    here.settle()
    expect(there.open("trail").get_by_text("Page not found").first).to_be_visible()
    here.leave()


def test_both_servers_spend_from_one_budget(pair: tuple[Office, Server]) -> None:
    """What one has spent the other has not: until nothing is left for either."""
    office, _ = pair
    desk = office.desk("abe")
    before = desk.ledger.left.epsilon  # the other server may have spent of it: tests share a pair
    spent = 0
    with pytest.raises(BudgetExceeded):
        for round_ in range(40):
            desk.ask(question(0.2), str(round_), PURPOSE)
            spent += 1
    left = desk.ledger.left
    assert left.epsilon < 0.2 and spent == round((before - left.epsilon) / 0.2)


def test_a_database_that_is_away_is_said_and_comes_back(
    chromium: Browser, pair: tuple[Office, Server], postgres: Postgres
) -> None:
    """One sentence on a page that was open; afterwards the same page works, without a restart."""
    office, _ = pair
    olga = visitor(chromium, office, "olga")
    page = olga.open("trail")
    expect(page.get_by_text("The chain of acts holds")).to_be_visible()
    postgres.kill()
    page.reload()
    olga.settle()
    assert page.get_by_text("Something went wrong").count() == 0
    assert page.get_by_role("button", name="Sign out").count() == 0
    page.goto(f"{office.server.url}/sign-in")
    expect(page.get_by_text("Registered data cannot be reached now")).to_be_visible()
    postgres.start()
    page.goto(f"{office.server.url}/trail")
    expect(page.get_by_text("The chain of acts holds")).to_be_visible()
    olga.leave()
