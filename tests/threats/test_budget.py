"""B1 to B9: how a budget could be spent twice or come back. Each catches a naive twin, too."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Barrier, Thread
from typing import Any, Protocol
from uuid import uuid4

import pyarrow as pa
import pytest
import sqlalchemy as sa
from support import workers

import discreet.ui.session.state
from discreet.budget import BudgetExceeded, Cost, ParameterError, SessionLedger
from discreet.budget.durable import DurableLedger, Store, open_budget, verify
from discreet.curator import Curator, ReleaseNoise, Request
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries.mean import Mean
from discreet.rows import Dataset, LocalSource, Number, Schema
from discreet.rows.persons import DrawnLots

LIMIT = Cost.of(1)
TENTH = Cost.of("0.1")
AGES = Schema({"age": Number(0, 100, integer=True)})
MEAN = Request(SmoothCoreTail(query=Mean(), epsilon=0.1), ("age",))
FORK = multiprocessing.get_context("fork")


def people(*ages: int) -> Dataset:
    """Return protected people of these ages."""
    return Dataset(LocalSource(pa.table({"age": list(ages)})), AGES)


PEOPLE = people(*range(20, 80))


# B1: many at once.

ATTEMPTS, FITS = 30, 100


def accepted(work: Callable[..., None], url: str) -> int:
    """Let eight processes charge at once; return how many charges were accepted."""
    reports = workers.together(work, url, ATTEMPTS)
    return sum(len(names) for names, _, _ in reports)


def naively(store: Store) -> int:
    """Let eight processes charge a table without guards, from nothing."""
    with store.engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM naive"))
    store.close()
    return accepted(workers.naive, store.engine.url.render_as_string(hide_password=False))


def test_b1_processes_that_race_spend_a_budget_once(url: str) -> None:
    """As many charges as fit; whoever reads first and writes then lets more through."""
    store = Store(url).prepare()
    open_budget(store, "race", Cost.of("0.1"))
    with store.engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE naive (name TEXT)"))
    store.close()
    assert accepted(workers.race, url) == FITS
    assert any(naively(store) > FITS for _ in range(5))  # a race: by chance nobody may be too late once


# B2 and B3: another session, another file.


def comes_back(spend: Callable[[], Any], left: Callable[[], Cost]) -> bool:
    """Say whether what was spent is there again for whoever comes next."""
    spend()
    return left() == discreet.ui.session.state.LIMIT


def test_b2_a_new_session_sees_the_budget_that_is_left() -> None:
    """Another browser, a deleted cookie, a forgotten workspace: the budget is the data's."""
    server = discreet.ui.session.state.Server()

    def spend() -> None:
        server.workspace("first")
        server.roads.curator(people(20, 30), "first").ledger.charge("one", TENTH)

    def other_browser() -> Cost:
        return server.roads.curator(people(20, 30), "second").ledger.left

    def forgotten() -> Cost:
        server.workspace("first").seen -= 2 * discreet.ui.session.state.LIFETIME
        server.workspace("second")
        return server.roads.curator(people(20, 30), "first").ledger.left

    assert not comes_back(spend, other_browser)
    assert not comes_back(lambda: None, forgotten)
    naive_sessions: dict[str, SessionLedger] = {}

    def naive_state(session: str) -> SessionLedger:
        return naive_sessions.setdefault(session, SessionLedger(discreet.ui.session.state.LIMIT))

    assert comes_back(lambda: naive_state("one").charge("one", TENTH), lambda: naive_state("two").left)


def test_b2_a_new_process_sees_the_budget_that_is_left(url: str) -> None:
    """The durable budget is found again as it was left, by whoever opens it."""
    naive_memory = SessionLedger(discreet.ui.session.state.LIMIT)
    assert not comes_back(
        lambda: open_budget(Store(url).prepare(), "b", discreet.ui.session.state.LIMIT).charge("one", TENTH),
        lambda: open_budget(Store(url).prepare(), "b", discreet.ui.session.state.LIMIT).left,
    )
    assert comes_back(
        lambda: naive_memory.charge("one", TENTH), lambda: SessionLedger(discreet.ui.session.state.LIMIT).left
    )


def test_b3_the_same_file_again_has_the_same_budget() -> None:
    """Under another name, by another browser, declared anew: the content is what counts."""
    server = discreet.ui.session.state.Server()
    data, wider = b"age\n20\n30\n", Schema({"age": Number(0, 120)})

    def upload(schema: Schema, browser: str) -> SessionLedger:
        ledger = server.roads.curator(Dataset(LocalSource(data), schema), browser).ledger
        assert isinstance(ledger, SessionLedger)
        return ledger

    naive_uploads: dict[str, SessionLedger] = {}

    def naive_upload() -> SessionLedger:
        return naive_uploads.setdefault(uuid4().hex, SessionLedger(discreet.ui.session.state.LIMIT))

    upload(AGES, "first").charge("one", TENTH)
    for schema, browser in ((AGES, "first"), (AGES, "second"), (wider, "third")):
        assert not comes_back(lambda: None, lambda s=schema, b=browser: upload(s, b).left)
    assert comes_back(lambda: naive_upload().charge("one", TENTH), lambda: naive_upload().left)


def test_b3_a_registered_budget_stays_when_one_row_is_changed(store: Store) -> None:
    """A budget that was opened by name is spent by every version of the data.

    A budget by content is the naive twin here. The app's session budgets are such budgets, and
    docs/explanation/threat-model.md says so.
    """
    versions = people(20, 30, 40), people(20, 30, 41)

    def registered(version: Dataset) -> Curator:
        return Curator(version, open_budget(store, "people of 2026", discreet.ui.session.state.LIMIT), tick=0)

    naive_contents: dict[str, SessionLedger] = {}

    def naive_content(version: Dataset) -> Curator:
        ledger = naive_contents.setdefault(version.digest, SessionLedger(discreet.ui.session.state.LIMIT))
        return Curator(version, ledger, tick=0)

    for budget_of, returns in ((registered, False), (naive_content, True)):
        refund = comes_back(
            lambda b=budget_of: b(versions[0]).ask(MEAN), lambda b=budget_of: b(versions[1]).ledger.left
        )
        assert refund == returns


# B4 and B5: one request, one charge, one answer.


class Dies(ReleaseNoise):
    """A source that kills its process while an answer is drawn."""

    def core_tail(self, centre: float, scale: float, m: int) -> float:
        """Die as by kill -9."""
        os.kill(os.getpid(), signal.SIGKILL)
        return centre


def ours_at(url: str, pipe: Connection, noise: ReleaseNoise | None) -> None:
    """Ask as the curator does."""
    ledger = DurableLedger(Store(url), "b")
    pipe.send(Curator(PEOPLE, ledger, noise, tick=0).ask(MEAN, "form").answer)


def naive_late(url: str, pipe: Connection, noise: ReleaseNoise | None) -> None:
    """Show the answer, then charge: whoever dies in between has answered for nothing."""
    pipe.send(50.0)
    if noise is not None:
        os.kill(os.getpid(), signal.SIGKILL)
    DurableLedger(Store(url), "b").charge("form", MEAN.cost())


def naive_retry(url: str, pipe: Connection, noise: ReleaseNoise | None) -> None:
    """Charge each attempt under a new name: a retry pays twice."""
    DurableLedger(Store(url), "b").charge(uuid4().hex, MEAN.cost())
    if noise is not None:
        os.kill(os.getpid(), signal.SIGKILL)
    pipe.send(50.0)


def crash_and_retry(ask: Callable[..., None], url: str) -> list[tuple[bool, Cost]]:
    """Ask and be killed, then ask again; return whether an answer was seen, and what was spent."""
    open_budget(Store(url).prepare(), "b", LIMIT)
    outcomes = []
    for noise in (Dies(), None):
        out, into = FORK.Pipe(duplex=False)
        process = FORK.Process(target=ask, args=(url, into, noise))
        process.start()
        into.close()
        process.join()
        outcomes.append((out.poll() and _received(out), DurableLedger(Store(url), "b").spent))
    return outcomes


def _received(out: Connection) -> bool:
    try:
        return out.recv() is not None
    except EOFError:
        return False


def test_b4_a_kill_between_charge_and_answer_costs_once(tmp_path: Path) -> None:
    """Killed: charged and nothing seen. Again: the answer, without another charge."""

    def right(ask: Callable[..., None]) -> bool:
        url = f"sqlite:///{tmp_path / ask.__name__ / 'ledger.db'}"
        return crash_and_retry(ask, url) == [(False, MEAN.cost()), (True, MEAN.cost())]

    assert right(ours_at)
    assert not right(naive_late)
    assert not right(naive_retry)


def clicks(roads: list[Callable[[], Any]]) -> set[Any]:
    """Click everywhere at once; return the different answers that were seen."""
    start, seen = Barrier(len(roads)), []

    def click(road: Callable[[], Any]) -> None:
        start.wait()
        seen.append(road())

    threads = [Thread(target=click, args=(road,)) for road in roads]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == len(roads)
    return set(seen)


def test_b5_a_double_click_is_one_charge_and_one_answer(store: Store) -> None:
    """Eight clicks, in one server and in eight that share a ledger: one answer, paid once."""
    once = MEAN.cost()
    session = Curator(PEOPLE, SessionLedger(LIMIT), tick=0)
    assert len(clicks([lambda: session.ask(MEAN, "form").answer] * 8)) == 1
    assert session.ledger.spent == once
    shared = open_budget(store, "b", LIMIT)
    many = [Curator(PEOPLE, DurableLedger(store, "b"), tick=0) for _ in range(8)]
    assert len(clicks([lambda c=c: c.ask(MEAN, "form").answer for c in many])) == 1
    assert shared.spent == once and verify(store, "b").holds
    naive_ledger = SessionLedger(LIMIT)

    def naive_click() -> float:
        naive_ledger.charge(uuid4().hex, MEAN.cost())
        return ReleaseNoise().laplace(50.0, 10.0)

    assert len(clicks([naive_click] * 8)) == 8 and naive_ledger.spent != once


# B6 and B7: numbers and clocks.


class Book(Protocol):
    """What the checks of numbers need of a ledger."""

    def pay(self, name: str, epsilon: Any) -> None:
        """Charge, or raise."""

    def rest(self) -> float:
        """Return what is left."""


class OurBook:
    """Our ledger behind the way in which an epsilon is read."""

    def __init__(self, ledger: SessionLedger | DurableLedger) -> None:
        """Keep the ledger."""
        self.ledger = ledger

    def pay(self, name: str, epsilon: Any) -> None:
        """Charge, or raise."""
        self.ledger.charge(name, Cost.of(epsilon))

    def rest(self) -> float:
        """Return what is left."""
        return self.ledger.left.epsilon


class NaiveBook:
    """A budget in floating point."""

    def __init__(self, limit: float) -> None:
        """Start with nothing spent."""
        self.limit, self.spent = limit, 0.0

    def pay(self, name: str, epsilon: Any) -> None:
        """Charge, or raise."""
        asked = float(epsilon)
        if self.spent + asked > self.limit:
            raise BudgetExceeded(Cost.of(1), Cost.zero())
        self.spent += asked

    def rest(self) -> float:
        """Return what is left."""
        return self.limit - self.spent


FREE = ("0", 0, "-1", -1.0, "nan", float("nan"), "1e-300", "-1e999", "-0.0", "−1", "1_0", "٠")


def number_faults(book: Callable[[], Book]) -> set[str]:
    """Return what a ledger does wrong with odd numbers."""
    faults = set()
    for epsilon in FREE:
        ledger = book()
        try:
            ledger.pay("odd", epsilon)
            faults.add(str(epsilon))
        except (ParameterError, BudgetExceeded, ValueError):
            pass
        if not ledger.rest() <= 1:
            faults.add("grew")
    ten = book()
    try:
        for step in range(10):
            ten.pay(f"tenth {step}", 0.1)
    except BudgetExceeded:
        faults.add("ten tenths do not fit")
    if ten.rest() != 0:
        faults.add("ten tenths are not one")
    return faults


def test_b6_no_odd_number_is_a_charge_and_sums_are_exact(store: Store) -> None:
    """Nothing, less than nothing, no number and next to nothing are refused; ten tenths are one."""
    assert not number_faults(lambda: OurBook(SessionLedger(LIMIT)))
    assert not number_faults(lambda: OurBook(open_budget(store, uuid4().hex, LIMIT)))
    faults = number_faults(lambda: NaiveBook(1.0))
    assert {"0", "-1", "nan", "1e-300", "grew", "ten tenths are not one"} <= faults
    for epsilon in ("1e999", "inf", "51"):
        with pytest.raises(ParameterError):
            Cost.of(epsilon)


def test_b6_the_database_itself_refuses_a_charge_below_zero(store: Store) -> None:
    """Past all Python: the guards of the tables refuse what a naive table takes."""
    ledger = open_budget(store, "b", LIMIT)
    ledger.charge("one", TENTH)
    with store.engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE naive (spent BIGINT)"))

    def refuses(statement: str) -> bool:
        try:
            with store.engine.begin() as connection:
                connection.execute(sa.text(statement))
        except sa.exc.DBAPIError:
            return True
        return False

    assert refuses("UPDATE lines SET cost_epsilon = -1, loss = -1")
    assert refuses("DELETE FROM lines")
    assert refuses("UPDATE budgets SET capacity_loss = 50000000000")
    naive_insert = "INSERT INTO naive VALUES (-1)"
    assert not refuses(naive_insert)
    assert ledger.left == LIMIT - TENTH


class NaiveMonth:
    """A budget that is full again when the month is another one."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        """Start in the month of the clock."""
        self.clock, self.month, self.spent = clock, clock().month, Cost.zero()

    def charge(self, name: str, cost: Cost) -> None:
        """Charge, or raise."""
        if self.clock().month != self.month:
            self.month, self.spent = self.clock().month, Cost.zero()
        if not (self.spent + cost).fits_in(LIMIT):
            raise BudgetExceeded(cost, LIMIT - self.spent)
        self.spent += cost


def refills(ledger: Any, now: list[datetime]) -> bool:
    """Spend all, then move the clock, forth and back; say whether anything can be spent again."""
    ledger.charge("all", LIMIT)
    for days in (31, 400, -800):
        now[0] += timedelta(days=days)
        try:
            ledger.charge(f"after {days}", TENTH)
        except BudgetExceeded:
            continue
        return True
    return False


def test_b7_no_clock_fills_a_budget(store: Store) -> None:
    """Time is for display: whatever the clock says, what is spent is spent, in order."""
    now = [datetime(2026, 1, 31, 12)]
    open_budget(store, "b", LIMIT)
    durable = DurableLedger(store, "b", clock=lambda: now[0].isoformat())
    assert not refills(SessionLedger(LIMIT, clock=lambda: now[0]), now)
    assert not refills(durable, now)
    assert refills(NaiveMonth(lambda: now[0]), now)
    assert [line["seq"] for line in durable.lines] == list(range(4)) and verify(store, "b").holds


# B8: somebody who can write to the file.


@dataclass
class OurFile:
    """Our ledger in a file, with its newest head kept outside."""

    folder: Path
    anchor: tuple[int, str] = (0, "")

    @property
    def file(self) -> Path:
        """The file."""
        return self.folder / "ledger.db"

    def spend(self) -> None:
        """Charge a tenth, and note the head."""
        store = Store(f"sqlite:///{self.file}").prepare()
        ledger = open_budget(store, "b", LIMIT)
        ledger.charge(uuid4().hex, TENTH)
        self.anchor = (len(ledger.lines) - 1, ledger.head)
        store.close()

    def edit(self) -> None:
        """Make the first charge cheaper, as the owner of the file can."""
        with sqlite3.connect(self.file) as connection:
            for guard in ("lines_follow", "lines_update", "lines_delete"):
                connection.execute(f"DROP TRIGGER {guard}")
            connection.execute("UPDATE lines SET loss = 1, total_loss = 1 WHERE seq = 0")

    def sound(self) -> bool:
        """Say whether nothing is found."""
        store = Store(f"sqlite:///{self.file}").prepare()
        verdict = verify(store, "b", dict([self.anchor])).holds
        store.close()
        return verdict


@dataclass
class NaiveFile:
    """A budget as JSON in a file."""

    folder: Path

    @property
    def file(self) -> Path:
        """The file."""
        return self.folder / "budget.json"

    def _read(self) -> float:
        return float(json.loads(self.file.read_text())["spent"]) if self.file.exists() else 0.0

    def spend(self) -> None:
        """Add a tenth."""
        self.file.write_text(json.dumps({"spent": self._read() + 0.1}))

    def edit(self) -> None:
        """Write another number."""
        self.file.write_text('{"spent": 0.0}')

    def sound(self) -> bool:
        """Say whether nothing is found: the number is one that could be."""
        return 0 <= self._read() <= 1


def unnoticed(book: OurFile | NaiveFile) -> set[str]:
    """Edit, roll back and delete; return what is not found afterwards."""
    book.folder.mkdir()
    older, now = book.folder / "older", book.folder / "now"
    book.spend()
    shutil.copy(book.file, older)
    book.spend()
    shutil.copy(book.file, now)
    assert book.sound()

    def put(backup: Path | None) -> None:
        for part in book.folder.glob(f"{book.file.name}*"):
            part.unlink()
        if backup is not None:
            shutil.copy(backup, book.file)

    misses = set()
    for name, tamper in (("edited", book.edit), ("rolled back", lambda: put(older)), ("deleted", lambda: put(None))):
        tamper()
        if book.sound():
            misses.add(name)
        put(now)
        assert book.sound()
    return misses


def test_b8_a_ledger_that_was_edited_rolled_back_or_deleted_is_found(tmp_path: Path) -> None:
    """By its chain and by a head that was kept outside; a file with a number tells nothing."""
    assert not unnoticed(OurFile(tmp_path / "ours"))
    assert unnoticed(NaiveFile(tmp_path / "naive")) == {"edited", "rolled back", "deleted"}


# B9: refusals.

REFUSED = Request(ProposeTestRelease(Mean(), epsilon=0.2, delta=1e-6, b=1e-4), ("age",))


def free_refusals(ask: Callable[[int], Any], tries: int = 200) -> bool:
    """Say whether somebody can be refused without end, and so learn a distance for nothing."""
    for turn in range(tries):
        try:
            assert ask(turn) is None
        except BudgetExceeded:
            return False
    return True


def test_b9_a_refusal_is_charged() -> None:
    """The test's own cost, proven, is spent by a refusal: the budget ends after a few."""
    limit = Cost.of(1, "1e-4")
    road = Curator(PEOPLE, SessionLedger(limit), tick=0)
    assert not free_refusals(lambda turn: road.ask(REFUSED, str(turn)).answer)
    paid = REFUSED.refusal_cost()
    assert paid.nano_epsilon > 0 and all(release.cost == paid for release in road.releases)
    assert road.ledger.spent == sum([paid] * len(road.releases), Cost.zero())
    naive_ledger = SessionLedger(limit)

    def naive_ask(turn: int) -> Any:
        view = PEOPLE.column("age", (), DrawnLots(ReleaseNoise()))
        answer = REFUSED.mechanism.law(view).draw(ReleaseNoise())
        if answer is not None:
            naive_ledger.charge(str(turn), REFUSED.cost())
        return answer

    assert free_refusals(naive_ask)
