"""Preparing: nobody waits for a table to be opened; a question that kills is not tried for ever."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.offices import APART, ON_SQLITE, POLICY, PURPOSE, REGISTRATION, SCHEMA, Clock, Office, planned, question
from support.visitor import ROOT, free_port, serve

from discreet.budget import ParameterError
from discreet.budget.durable import verify
from discreet.curator.release import Curator
from discreet.office import House
from discreet.office.datasets import lifecycle, registering, registry
from discreet.office.desk import asking
from discreet.office.house import acts, audit_log
from discreet.office.house import house as ahead
from discreet.office.house.house import trying
from discreet.office.requests.request import find, listed
from discreet.office.rules.visit import select_requests
from discreet.office.running import housekeeping

FORK = multiprocessing.get_context("fork")
SIZES = (1_000, 20_000, 80_000)


def killed(*args: object) -> None:
    """End this process as the system does when memory is gone."""
    os.kill(os.getpid(), signal.SIGKILL)


def dies(office: Office, work: str) -> int:
    """Ask, or begin again, in a process in which computing an answer is the end."""

    def run() -> None:
        Curator._drawn = killed  # type: ignore[assignment, method-assign]
        house = House(office.home, office.url, Clock())
        if work == "ask":
            dataset = registry.everything(house)[0].id
            asking.submit(house, office.who["bob"], dataset, office.asks(0.1), PURPOSE)
        else:
            housekeeping.resume(house)

    process = FORK.Process(target=run)
    process.start()
    process.join(60)
    return int(process.exitcode or 0)


@ON_SQLITE
@pytest.mark.parametrize("asks", [question, planned])
def test_a_question_that_kills_is_charged_refused_and_never_runs_again(office: Office, asks: Any) -> None:
    """It may kill the process that asks and the first that begins again; then it is over: of a plan, all of it."""
    office.asks = asks
    assert dies(office, "ask") == -signal.SIGKILL
    assert dies(office, "resume") == -signal.SIGKILL
    assert dies(office, "resume") == 0, "tried, died, and not computed again"
    house = office.house
    (asked,) = listed(house, select_requests())
    assert asked.release is not None and len(asked.answers) == len(asks(0.1).rows)
    assert all(row.refused for row in asked.answers)
    assert asked.release.cost == asked.cost == registry.ledger(house, asked.dataset).spent
    assert verify(house.store, asked.dataset).holds
    with house.store.reading() as connection:
        assert audit_log.recorded(connection, acts.ANSWERED, f"#{asked.number}")
    housekeeping.resume(house)
    assert find(house, asked.id).release == asked.release


@ON_SQLITE
def test_a_question_that_was_killed_by_chance_is_answered(office: Office) -> None:
    """One death, of whatever cause, loses no answer."""
    assert dies(office, "ask") == -signal.SIGKILL
    housekeeping.resume(office.house)
    (asked,) = listed(office.house, select_requests())
    assert asked.release is not None and asked.release.answer is not None


DEADLY = """
import os, signal, sys
sys.path.insert(0, {root!r})
import streamlit as st
from discreet.curator.release import Curator
Curator._drawn = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
from app import ROUTES, warm
app = st.App({root!r} + "/ui/shell.py", lifespan=warm, routes=ROUTES)
"""


@ON_SQLITE
def test_a_server_listens_before_it_begins_again_and_is_not_ended_twice(office: Office, tmp_path: Path) -> None:
    """A real server, in which computing is the end: it listens, dies once, and then stays."""
    assert dies(office, "ask") == -signal.SIGKILL
    script, log = tmp_path / "served.py", tmp_path / "log.txt"
    script.write_text(DEADLY.format(root=str(ROOT)), encoding="utf-8")
    environment = {"DISCREET_HOME": str(office.home), "DISCREET_DATABASE": office.url}
    first = serve(str(script), log, free_port(), **environment)  # waits until it is healthy
    assert first.wait(60) == -signal.SIGKILL
    second = serve(str(script), log, free_port(), **environment)
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            (asked,) = listed(office.house, select_requests())
            if asked.release is not None:
                break
            time.sleep(0.2)
        assert asked.release is not None and asked.release.answer is None
        assert second.poll() is None
    finally:
        second.kill()


def begins_and_dies(folder: Path) -> None:
    """Mark what is begun, and end."""
    with trying(folder, "a"):
        killed()


def test_what_another_process_is_at_is_left_to_it(tmp_path: Path) -> None:
    """A mark that is held is no death; a mark that was left is one."""
    folder = tmp_path / "tried"
    with trying(folder, "a") as first, trying(folder, "a") as second:
        assert (first, second) == (0, None)
    with trying(folder, "a") as again:
        assert again == 0
    process = FORK.Process(target=begins_and_dies, args=(folder,))
    process.start()
    process.join(30)
    with trying(folder, "a") as after:
        assert after == 1


def content(rows: int) -> bytes:
    """Return a table of so many rows."""
    line = "\n".join(f"{i % 90},north" for i in range(rows))
    return f"age,town\n{line}\n".encode()


@ON_SQLITE
def test_a_question_before_the_rows_are_open_costs_nothing(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks too early hears so; what cannot be opened is said as before."""
    monkeypatch.setattr(ahead, "TICK", 0.3)
    house = House(office.home, office.url, Clock())
    house.ahead = True
    (dataset,) = registry.everything(house)
    with pytest.raises(ParameterError, match="being prepared"):
        asking.submit(house, office.who["bob"], dataset.id, question(0.1), PURPOSE)
    assert not listed(house, select_requests())
    housekeeping.prepare(house)
    asked = asking.submit(house, office.who["bob"], dataset.id, question(0.1), PURPOSE)
    assert asked.release is not None


@ON_SQLITE
def test_the_first_question_takes_as_long_whatever_the_size_of_the_table(office: Office) -> None:
    """Its time does not follow the rows; a process that opens them while one waits shows them."""
    house, registration = office.house, REGISTRATION
    names = []
    for rows in SIZES:
        form = registration.__class__(
            f"people {rows}", SCHEMA, registration.limit, "survey", "consent", apart=APART, alone=True
        )
        names.append(registering.register(house, office.who["olga"], content(rows), form, POLICY).id)

    def first_times(prepared: bool, turn: int) -> list[float]:
        new, times = House(office.home, office.url, Clock()), []
        if prepared:
            new.ahead = True
            housekeeping.prepare(new)
        for name in names:
            start = time.perf_counter()
            asked = question(0.01 if prepared else 0.02)
            asking.submit(new, office.who["bob"], name, asked, PURPOSE, turn)
            times.append(time.perf_counter() - start)
        return times

    naive, ours = (np.min([first_times(prepared, turn) for turn in range(3)], axis=0) for prepared in (False, True))
    assert naive[2] - naive[0] > 2 * abs(ours[2] - ours[0])
    assert np.argmax(naive) == 2


@ON_SQLITE
def test_rows_that_another_process_erases_are_let_go(office: Office) -> None:
    """A server looks now and then, without being asked."""
    house, other = office.house, House(office.home, office.url, Clock())
    (dataset,) = registry.everything(house)
    registry.curator(house, dataset.id)
    lifecycle.erase(other, office.who["olga"], dataset.id)
    assert house.opened() == [dataset.id]
    housekeeping.drop_deleted(house)
    assert not house.opened()
