"""The durable ledger decides as the session's does, keeps reservations, and guards its lines."""

from __future__ import annotations

import inspect
import random
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from support.soak import times

from discreet.budget import (
    BASIC,
    RENYI,
    ZCDP,
    AlreadyCharged,
    BudgetExceeded,
    Cost,
    GaussianAccount,
    ParameterError,
    Refined,
    Rule,
    SessionLedger,
)
from discreet.budget.accounts import Account, Approximate, Pure, Single, Together
from discreet.budget.durable import DurableLedger, Store, open_budget, verify
from discreet.budget.durable import store as tables
from discreet.budget.durable.lines import account_of, line_hash, text_of

LIMIT = Cost.of("1.0", "1e-5")
TENTH = Cost.of("0.1")


@pytest.mark.soak
@pytest.mark.parametrize("rule", [BASIC, ZCDP, RENYI], ids=lambda rule: rule.name)
def test_it_decides_as_the_session_ledger_does(store: Store, rule: Rule) -> None:
    """Sixty charges and settlements (`make soak`: two hundred), held parts and accounts among them, on both."""
    choose = random.Random(7)
    session, durable = SessionLedger(LIMIT, rule), open_budget(store, "same", LIMIT, rule)
    for step in range(times(60, 200)):
        name = f"r{choose.randrange(60)}"
        outcomes: list[object] = []
        cost = Cost.of(f"0.0{choose.randrange(1, 9)}", choose.choice(["0", "1e-7"]))
        held = choose.choice([Cost.zero(), Cost.of("0.01")])
        account = choose.choice([None, Pure(cost.epsilon + held.epsilon), GaussianAccount(9.0)])
        for ledger in (session, durable):
            try:
                if step % 3:
                    ledger.charge(name, cost, held, account)
                    outcomes.append("charged")
                else:
                    ledger.settle(name, bool(step % 2))
                    outcomes.append("settled")
            except (AlreadyCharged, BudgetExceeded, ParameterError) as refused:
                outcomes.append(str(refused))
        assert outcomes[0] == outcomes[1]
        assert (session.spent, session.left) == (durable.spent, durable.left)
    mine = [(e.request_id, e.kind, e.cost, e.held, e.taken, e.account) for e in durable.entries]
    yours = [(e.request_id, e.kind, e.cost, e.held, e.taken, e.account) for e in session.entries]
    assert mine == yours and len(mine) > 10
    assert verify(store, "same").holds


def test_a_reservation_keeps_room_becomes_the_charge_or_comes_back(store: Store) -> None:
    """What is reserved cannot be spent by others; the charge itself never comes back."""
    ledger = open_budget(store, "b", LIMIT)
    ledger.reserve("waits", Cost.of("0.7"), TENTH)
    assert ledger.spent == Cost.of("0.8")
    with pytest.raises(BudgetExceeded):
        ledger.charge("other", Cost.of("0.3"))
    with pytest.raises(ParameterError, match="The charge differs from the reservation"):
        ledger.charge("waits", Cost.of("0.9"))
    ledger.charge("waits", Cost.of("0.7"), TENTH)
    assert ledger.spent == Cost.of("0.8")
    ledger.settle("waits", taken=False)
    assert ledger.spent == Cost.of("0.7")
    with pytest.raises(ParameterError, match="no reservation"):
        ledger.expire("waits")
    ledger.reserve("withdrawn", Cost.of("0.3"))
    ledger.expire("withdrawn")
    assert ledger.spent == Cost.of("0.7")
    with pytest.raises(AlreadyCharged):
        ledger.expire("withdrawn")
    kinds = [line["kind"] for line in ledger.lines]
    assert kinds == ["reserve", "refuse", "charge", "settle", "reserve", "expire"]
    assert verify(store, "b").holds


def test_what_waits_is_reserved_until_it_is_charged_or_returned(store: Store) -> None:
    """By every rule; an expired request that is charged after all is spent, and no other budget counts."""
    for rule in (BASIC, ZCDP, RENYI):
        ledger = open_budget(store, f"waits {rule.name}", Cost.of("1", "1e-6"), rule)
        other = open_budget(store, f"other {rule.name}", Cost.of("1", "1e-6"), rule)
        small = Cost.of("0.05")
        ledger.charge("spent", small)
        alone = ledger.standing
        ledger.reserve("waits", small, small)
        ledger.reserve("gone", small)
        ledger.expire("gone")
        other.reserve("spent", small)
        stands = ledger.standing
        assert (stands.spent, stands.unreserved) == (alone.spent, alone.left)
        assert stands.spent + stands.reserved == ledger.spent and stands.reserved.nano_epsilon > 0
        assert stands.left == stands.whole == ledger.left
        ledger.charge("waits", small, small)
        ledger.charge("gone", small)
        stands = ledger.standing
        assert stands.reserved == Cost.zero() and stands.spent == ledger.spent


def test_a_budget_is_opened_once_and_found_again(url: str) -> None:
    """Another process, another limit: found, or refused with nothing changed."""
    first = Store(url).prepare()
    open_budget(first, "b", LIMIT).charge("r", TENTH)
    again = Store(url).prepare()
    assert open_budget(again, "b", LIMIT).spent == TENTH
    with pytest.raises(ParameterError, match="another limit"):
        open_budget(again, "b", Cost.of("50"))
    with pytest.raises(AlreadyCharged):
        DurableLedger(again, "b").charge("r", TENTH)
    with pytest.raises(ParameterError, match="This budget does not exist"):
        DurableLedger(again, "unknown")


def test_a_sqlite_ledger_is_private_to_its_owner(tmp_path: Path) -> None:
    """Folder 0700, file 0600; one that was opened to others by hand is theirs no more at the next start."""
    for _ in range(2):
        Store(f"sqlite:///{tmp_path / 'vault' / 'ledger.db'}").prepare()
        assert (tmp_path / "vault" / "ledger.db").stat().st_mode & 0o777 == 0o600
        (tmp_path / "vault" / "ledger.db").chmod(0o666)
    Store(f"sqlite:///{tmp_path / 'vault' / 'ledger.db'}").prepare()
    assert (tmp_path / "vault").stat().st_mode & 0o777 == 0o700
    for file in (tmp_path / "vault").iterdir():
        assert file.stat().st_mode & 0o077 == 0, file


def concrete(kind: type[Account]) -> Iterator[type[Account]]:
    """Yield what is made of a kind of account, wherever it is declared in the program."""
    if not inspect.isabstract(kind) and kind.__module__.startswith("discreet."):
        yield kind
    for one in kind.__subclasses__():
        yield from concrete(one)


ACCOUNTS = st.deferred(lambda: st.one_of(*BUILT.values()))
BUILT: dict[type[Account], st.SearchStrategy[Account]] = {
    **{kind: st.builds(kind, st.floats(0.01, 1e6)) for kind in concrete(Single)},
    Approximate: st.builds(Approximate, st.builds(Cost, st.integers(0, 10**10), st.integers(0, 10**14))),
    Together: st.builds(Together, st.lists(ACCOUNTS, max_size=3).map(tuple)),
    Refined: st.builds(Refined, st.text(max_size=9), ACCOUNTS, st.booleans()),
}


@given(ACCOUNTS | st.none())
def test_an_account_is_read_back_as_it_was_written(account: Account | None) -> None:
    """Exactly, whatever its kind, what it is made of and what it stands for."""
    assert account_of(text_of(account)) == account


def test_every_kind_of_account_is_among_those_read_back() -> None:
    """What is no single number has a line of its own above."""
    assert set(concrete(Account)) == set(BUILT)


def by_hand(store: Store, statement: str) -> None:
    """Do to the database what somebody with access could try."""
    with store.engine.begin() as connection:
        connection.exec_driver_sql(statement)


def last_line(store: Store) -> dict[str, object]:
    """Return the last line of the budget b."""
    return dict(DurableLedger(store, "b").lines[-1])


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE lines SET loss = 0",
        "DELETE FROM lines",
        "UPDATE budgets SET limit_epsilon = 9",
        "DELETE FROM budgets",
        "UPDATE lines SET note = 'x' WHERE seq = 0",
    ],
)
def test_the_database_refuses_to_change_what_is_written(store: Store, statement: str) -> None:
    """By its own triggers, whoever asks."""
    open_budget(store, "b", LIMIT).charge("r", TENTH)
    with pytest.raises(sa.exc.DBAPIError, match="never changes"):
        by_hand(store, statement)


@pytest.mark.parametrize(
    "change, why",
    [
        ({"loss": 950_000_000, "total_loss": 1_050_000_000}, "overspent"),
        ({"loss": 0}, "total must be"),
        ({"total_loss": 5}, "total must be"),
        ({"seq": 7}, "follow the last"),
        ({"previous": "0" * 64}, "hash of the line before"),
        ({"kind": "settle", "loss": -200_000_000, "total_loss": -100_000_000}, "come back"),
        ({"kind": "settle", "request": "r", "loss": -100_000_001, "total_loss": 0}, "total must"),
        ({"kind": "expire", "request": "r", "loss": -1, "total_loss": 99_999_999}, "comes back"),
        ({"kind": "charge", "loss": -1, "total_loss": 99_999_999}, "come back"),
        ({"request": "r"}, "(?i)unique"),
        ({"kind": "gift"}, "(?i)check"),
    ],
)
def test_the_database_refuses_a_line_that_does_not_fit(store: Store, change: dict[str, object], why: str) -> None:
    """Overspending, giving back, jumping and doubling, all written by hand with a right hash."""
    open_budget(store, "b", LIMIT).charge("r", TENTH)
    before = last_line(store)
    line = (
        before
        | {"seq": 1, "request": "s", "loss": 100_000_000, "total_loss": 200_000_000, "previous": before["hash"]}
        | change
    )
    line["hash"] = line_hash(line)
    with pytest.raises(sa.exc.DBAPIError, match=why), store.engine.begin() as connection:
        connection.execute(sa.insert(tables.lines).values(**line))
    assert verify(store, "b").holds and len(DurableLedger(store, "b").lines) == 1


def without_guards(store: Store) -> None:
    """Take the triggers away, as somebody who owns the database can."""
    names = ("lines_follow", "lines_update", "lines_delete", "budgets_update", "budgets_delete")
    if store.lite:
        for name in names:
            by_hand(store, f"DROP TRIGGER {name}")
    else:
        by_hand(store, "ALTER TABLE lines DISABLE TRIGGER USER")
        by_hand(store, "ALTER TABLE budgets DISABLE TRIGGER USER")


@pytest.mark.parametrize(
    "statements, why",
    [
        (["UPDATE lines SET loss = 1 WHERE seq = 1"], "changed"),
        (["UPDATE lines SET cost_epsilon = 1 WHERE seq = 0"], "changed"),
        (["DELETE FROM lines WHERE seq = 1"], "missing"),
        (
            [
                "UPDATE lines SET seq = 9 WHERE seq = 0",
                "UPDATE lines SET seq = 0 WHERE seq = 1",
                "UPDATE lines SET seq = 1 WHERE seq = 9",
            ],
            "out of order|follow",
        ),
        (["UPDATE budgets SET capacity_loss = 9000000000"], "The record of the budget was changed"),
    ],
)
def test_verification_finds_what_was_changed_behind_the_guards(store: Store, statements: list[str], why: str) -> None:
    """Edited, deleted, reordered lines, a raised limit."""
    ledger = open_budget(store, "b", LIMIT)
    for name in "pqr":
        ledger.charge(name, TENTH)
    assert verify(store, "b").holds
    without_guards(store)
    for statement in statements:
        by_hand(store, statement)
    verdict = verify(store, "b")
    assert not verdict.holds and verdict.wrong is not None
    assert any(part in verdict.wrong for part in why.split("|")), verdict


def test_a_line_rebuilt_with_its_hash_still_counts_too_little(store: Store) -> None:
    """Whoever rewrites the whole chain cannot make a charge cheaper without being found."""
    open_budget(store, "b", LIMIT).charge("r", TENTH)
    line = last_line(store) | {"loss": 1, "total_loss": 1}
    line["hash"] = line_hash(line)
    without_guards(store)
    by_hand(store, "DELETE FROM lines")
    with store.engine.begin() as connection:
        connection.execute(sa.insert(tables.lines).values(**line))
    assert "An entry counts less than its cost" in str(verify(store, "b").wrong)


def test_a_settlement_rebuilt_with_its_hash_still_gives_back_too_much(store: Store) -> None:
    """A forged settlement that returns the whole charge, not only its held part."""
    ledger = open_budget(store, "b", LIMIT)
    ledger.charge("r", TENTH, TENTH)
    ledger.settle("r", taken=False)
    assert verify(store, "b").holds
    line = last_line(store) | {"loss": -200_000_000, "total_loss": 0}
    line["hash"] = line_hash(line)
    without_guards(store)
    by_hand(store, "DELETE FROM lines WHERE seq = 1")
    with store.engine.begin() as connection:
        connection.execute(sa.insert(tables.lines).values(**line))
    assert "An entry counts less than its cost" in str(verify(store, "b").wrong)


def test_only_an_anchor_finds_a_ledger_that_was_rolled_back(tmp_path: Path) -> None:
    """An older copy of the file is a perfect chain: the head on a card says that lines are gone."""
    file = tmp_path / "ledger.db"
    store = Store(f"sqlite:///{file}").prepare()
    ledger = open_budget(store, "b", LIMIT)
    ledger.charge("r", TENTH)
    with sqlite3.connect(file) as now, sqlite3.connect(tmp_path / "older.db") as older:
        now.backup(older)
    ledger.charge("s", TENTH)
    anchor = {1: ledger.head}
    assert verify(store, "b", anchor).holds
    store.close()
    for part in tmp_path.glob("ledger.db*"):
        part.unlink()
    shutil.copy(tmp_path / "older.db", file)
    again = Store(f"sqlite:///{file}").prepare()
    assert verify(again, "b").holds
    assert "anchor" in str(verify(again, "b", anchor).wrong)
