"""Processes that ask, approve and answer are killed, and so is the database: no answer is lost."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Callable
from contextlib import suppress
from math import inf
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
import sqlalchemy as sa
from support.offices import CHECKED, ON_SQLITE, PURPOSE, Clock, Office, opened, planned, question, staffed
from support.postgres import Postgres
from support.soak import times

from discreet.budget.durable import verify
from discreet.curator.release import Question
from discreet.office import House, Member
from discreet.office.datasets import registry
from discreet.office.decisions import decisions
from discreet.office.desk import asking
from discreet.office.house import audit_log
from discreet.office.house.tables import requests
from discreet.office.requests.request import Inquiry, listed
from discreet.office.rules.visit import select_requests
from discreet.office.running import housekeeping

pytestmark = [pytest.mark.both_databases, pytest.mark.long]

FORK = multiprocessing.get_context("fork")
KILLS, FEW, AT_ONCE, ROUNDS = times(8, 200), times(4, 8), 4, 1000
FREE, WAITS = 0.0005, 0.001  # within policy, and above it
ANSWERED = ["reserve", "charge", "settle", "release"]
Said = dict[str, object]


def until_killed(home: Path, url: str, who: dict[str, Member], turn: int, out: Connection) -> None:
    """Ask questions and plans, approve them, and tell each answer as a screen would show it: once it is returned."""
    with suppress(sa.exc.OperationalError):  # the server is killed, not the worker
        house = House(home, url, Clock())
        dataset = registry.everything(house)[0].id
        for attempt in range(ROUNDS):
            epsilon = FREE if (turn + attempt) % 4 else WAITS
            asks: Callable[[float], Question] = planned if attempt % 2 else question
            asked = asking.submit(house, who["bob"], dataset, asks(epsilon), PURPOSE, turn * ROUNDS + attempt)
            if asked.state == "waiting":
                asked = decisions.decide(house, who["olga"], asked.id, "approved", "", CHECKED)
            out.send((asked.id, answers(asked)))


def answers(asked: Inquiry) -> list[object]:
    """Return what is shown of a question, or of every row of a plan."""
    return [row.answer for row in asked.answers]


def started(office: Office, turn: int) -> tuple[list[multiprocessing.Process], list[Connection]]:
    """Start four workers, each with its own questions."""
    pipes = [FORK.Pipe(duplex=False) for _ in range(AT_ONCE)]
    running = [
        FORK.Process(
            target=until_killed, args=(office.home, office.url, office.who, turn * AT_ONCE + at, into), daemon=True
        )
        for at, (_, into) in enumerate(pipes)
    ]
    for process, (_, into) in zip(running, pipes, strict=True):
        process.start()
        into.close()
    return running, [out for out, _ in pipes]  # type: ignore[return-value]


def heard(out: Connection, most: float = inf) -> Said:
    """Return the answers that a worker tells, until so many or its end."""
    replies: Said = {}
    with suppress(EOFError, ConnectionResetError):
        while len(replies) < most:
            request_id, answer = out.recv()
            replies[request_id] = answer
    return replies


def killed(office: Office, kills: int) -> Said:
    """Kill so many processes at random points of their work, and more until one was cut off; return what they told."""
    office.amend(free=FREE)
    office.store.close()
    choose, replies, turn = random.Random(5), {}, 0
    while turn * AT_ONCE < kills or not cut_off(office):
        running, outs = started(office, turn)
        for process, out in zip(running, outs, strict=True):
            replies |= heard(out, choose.randrange(1, 3))
            time.sleep(choose.random() * 0.03)
            process.kill()
            replies |= heard(out)
            process.join()
        turn += 1
    return replies


def cut_off(office: Office) -> bool:
    """Say whether something was decided and not answered; no connection is left open for those that are forked."""
    house = office.again()
    cut = bool(unfinished(house))
    house.store.close()
    return cut


def unfinished(house: House) -> list[Inquiry]:
    """Return what was allowed or approved and has no answer."""
    decided = select_requests().where(requests.c.state.in_(("allowed", "approved")))
    return [inquiry for inquiry in listed(house, decided) if inquiry.release is None]


def check_that_nothing_was_lost(
    office: Office, replies: Said, restart: Callable[[House], None] = housekeeping.resume
) -> None:
    """Fail if an answer is missing, uncharged, charged twice, or drawn anew."""
    house = office.again()
    restart(house)
    assert not unfinished(house)
    inquiries = {inquiry.id: inquiry for inquiry in listed(house, select_requests())}
    for request_id, answer in replies.items():
        assert inquiries[request_id].release is not None and answers(inquiries[request_id]) == answer
    kinds: dict[str, list[str]] = {request_id: [] for request_id in inquiries}
    for line in registry.ledger(house, office.dataset).lines:
        kinds[line["request"]].append(line["kind"])
    for request_id, inquiry in inquiries.items():
        expected = ["reserve"] if inquiry.state == "waiting" else ANSWERED
        assert kinds[request_id] == expected, (inquiry.state, kinds[request_id])
    spent = registry.ledger(house, office.dataset).spent
    for request_id in list(replies)[:: max(1, len(replies) // 20)]:
        inquiry = inquiries[request_id]
        again = asking.submit(house, office.who["bob"], office.dataset, inquiry.request, PURPOSE, inquiry.round)
        assert again.id == request_id and again.release is not None and answers(again) == replies[request_id]
    assert registry.ledger(house, office.dataset).spent == spent
    assert verify(house.store, office.dataset).holds and audit_log.wrong_at(house.store) is None


@pytest.mark.soak
def test_kills_lose_no_answer(office: Office) -> None:
    """Whatever was shown is there, charged once; what was cut off is answered at the restart."""
    replies = killed(office, KILLS)
    cut = unfinished(office.again())
    print(f"{len(replies)} answers told, {len(cut)} cut off between question and answer")
    assert len(replies) > KILLS and cut
    check_that_nothing_was_lost(office, replies)


@pytest.mark.soak
@ON_SQLITE
def test_a_loss_is_noticed(office: Office) -> None:
    """The check fails where a restart forgets, and where a told answer was not kept."""
    replies = killed(office, FEW)
    with pytest.raises(AssertionError):
        check_that_nothing_was_lost(office, replies, lambda house: None)
    check_that_nothing_was_lost(office, replies)
    replies["0" * 64] = replies.popitem()[1]
    with pytest.raises((AssertionError, KeyError)):
        check_that_nothing_was_lost(office, replies)


@pytest.mark.soak
def test_a_killed_database_server_loses_no_answer(tmp_path: Path) -> None:
    """The server dies while four processes ask; after its restart every answer is there."""
    server = Postgres(tmp_path / "own")
    try:
        url = server.database()
        staffed(tmp_path / "home", url)
        office = opened(tmp_path / "home", url)
        office.amend(free=FREE)
        office.store.close()
        running, outs = started(office, 0)
        first = [heard(out, times(6, 8)) for out in outs]
        server.kill()
        replies = {request_id: answer for batch in first for request_id, answer in batch.items()}
        for process, out in zip(running, outs, strict=True):
            replies |= heard(out)
            process.join()
        server.start()
        assert len(replies) > 20
        check_that_nothing_was_lost(office, replies)
        for house in office.others:
            house.store.close()
    finally:
        server.stop()
