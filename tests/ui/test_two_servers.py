"""Two servers on one PostgreSQL: the same people, sessions, queue and budget."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from support.offices import CHECKED
from support.postgres import Postgres
from support.town import PURPOSE, Office, question, start
from support.visitor import Server, free_port, serve
from support.wire import Wire

from discreet.budget import BudgetExceeded
from discreet.office.decisions import decisions
from discreet.ui.session.cookies import SESSION


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


@pytest.fixture
def lines(pair: tuple[Office, Server]) -> Iterator[Callable[[str], list[Wire]]]:
    """Return a maker of connections of one browser to both servers: a cookie knows no port."""
    office, second = pair
    with ExitStack() as opened:

        def both(name: str) -> list[Wire]:
            cookies = {SESSION: office.cookie(name)}
            return [opened.enter_context(Wire(url, cookies)) for url in (office.server.url, second.url)]

        yield both


Lines = Callable[[str], list[Wire]]


def test_asked_on_one_server_and_decided_about_by_another_is_answered_on_both(
    pair: tuple[Office, Server], lines: Lines
) -> None:
    """One queue, one decision, one charge, and the answer on both. Two who decide at once: tests/office."""
    office, _ = pair
    asked, olga, ann = office.ask(mechanism="smooth-core-tail"), lines("olga"), lines("ann")
    assert all(PURPOSE in line.run(page="review") for line in olga)
    decisions.decide(office.house, office.people["olga"], asked.id, "approved", "", CHECKED)
    assert all("No requests are waiting for a decision" in line.run(page="review") for line in olga)
    assert [line["kind"] for line in office.desk().ledger.lines] == ["reserve", "charge", "settle", "release"]
    first, other = (line.run(page="requests") for line in ann)
    assert "Result released." in first and "Result released." in other
    shown = re.findall(r'(?:body|label|value): "(.*)"', first)
    assert any(re.search(r"\d years", text) for text in shown), shown
    assert shown == re.findall(r'(?:body|label|value): "(.*)"', other)


def test_a_session_ended_on_one_server_is_over_on_the_other(pair: tuple[Office, Server], lines: Lines) -> None:
    """Signing out is known everywhere at once."""
    here, there = lines("olga")
    assert "Audit log verified: no entry was changed," in there.run(page="audit-log")
    here.press("audit-log", "Sign out")
    for line in (here, there):
        sent = line.run(page="audit-log")
        assert "page_not_found" in sent and "Audit log verified: no entry was changed," not in sent


@pytest.mark.soak_alone
def test_both_servers_spend_from_one_budget(pair: tuple[Office, Server]) -> None:
    """What one has spent the other has not: until nothing is left for either.

    In `make test` tests/budget/durable/test_many_processes.py holds the same of processes.
    """
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
    pair: tuple[Office, Server], lines: Lines, postgres: Postgres
) -> None:
    """One sentence on a page that was open; afterwards the same page works, without a restart."""
    here, _ = lines("olga")
    assert "Audit log verified: no entry was changed," in here.run(page="audit-log")
    postgres.kill()
    sent = here.run(page="audit-log")
    assert "Something went wrong" not in sent and 'label: "Sign out"' not in sent
    assert "Registered datasets are not available now" in here.run(page="sign-in")
    postgres.start()
    assert "Audit log verified: no entry was changed," in here.run(page="audit-log")
