"""Waves apart: each wave is a budget of its own, never more than its amount, whoever races and whatever is forged."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from discreet.budget import BASIC, RENYI, ZCDP, BudgetExceeded, Cost, ParameterError
from discreet.budget.allowance import Allowance, allowance_of
from discreet.budget.durable import DurableLedger, Store, open_budget, verify
from discreet.budget.durable.chain import budget_hash, line_hash
from discreet.budget.durable.periods import COUNTING
from discreet.budget.rules import Rule

FORK = multiprocessing.get_context("fork")
TENTH, EACH = Cost.of("0.1"), Cost.of("0.3", "1e-6")
APART = Allowance("wave", EACH, apart=True)
PERIOD = "A line counts in another period, or more than its period allows."


def in_wave(store: Store, wave: int, rule: Rule = BASIC) -> DurableLedger:
    """Return a ledger of which each wave holds 0.3, in one of its waves."""
    open_budget(store, "b", EACH, rule, APART)
    return DurableLedger(store, "b", wave=lambda: wave)


def spend(ledger: DurableLedger, name: str, cost: Cost = TENTH) -> bool:
    """Charge, and say whether it fitted."""
    with suppress(BudgetExceeded):
        ledger.charge(name, cost)
        return True
    return False


def spent(store: Store) -> dict[str, int]:
    """Return what each wave has counted, in billionths of epsilon."""
    sums: dict[str, int] = {}
    for line in DurableLedger(store, "b").lines:
        if line["kind"] in COUNTING:
            sums[line["note"]] = sums.get(line["note"], 0) + line["loss"]
    return sums


def test_each_wave_holds_the_whole_amount_and_no_more(store: Store) -> None:
    """Three of four fit in each of three waves, though all together are three times the limit of the budget."""
    for wave in (1, 2, 3):
        ledger = in_wave(store, wave)
        assert (ledger.spent, ledger.left) == (Cost.zero(), EACH)
        assert [spend(ledger, f"{wave}:{at}") for at in range(4)] == [True, True, True, False]
        assert ledger.spent.epsilon == 0.3 and ledger.left.epsilon == 0
        assert ledger.period is not None and ledger.period.label == f"wave {wave}"
    assert spent(store) == {f"wave {wave}": 300_000_000 for wave in (1, 2, 3)}
    assert verify(store, "b").holds


@pytest.mark.parametrize("rule", [ZCDP, RENYI], ids=lambda rule: rule.name)
def test_other_rules_fill_each_wave_in_their_own_units(store: Store, rule: Rule) -> None:
    """As often as a budget of the same size is filled, in each wave alike."""
    limit, fits = Cost.of("3", "1e-5"), []
    open_budget(store, "b", limit, rule, replace(APART, each=limit))
    for wave in (1, 2):
        ledger = DurableLedger(store, "b", wave=lambda wave=wave: wave)
        fits.append(sum(spend(ledger, f"{wave}:{at}", Cost.of("0.5")) for at in range(10)))
    capacity = ledger.rule.capacity(limit)
    single = ledger.rule.amount(Cost.of("0.5"), None, capacity)
    assert single is not None and fits == [capacity.loss // single.loss] * 2 and 0 < fits[0] < 10
    assert verify(store, "b").holds


def test_what_comes_back_comes_back_to_the_wave_of_its_rows(store: Store) -> None:
    """A reservation that ends, and a part that was held, free nothing of a later wave, whenever that happens."""
    first, second = in_wave(store, 1), in_wave(store, 2)
    first.reserve("denied", TENTH)
    first.reserve("late", TENTH, TENTH)
    assert [spend(second, str(at)) for at in range(3)] == [True] * 3
    second.expire("denied")
    second.charge("late", TENTH, TENTH)
    second.settle("late", False)
    assert not spend(second, "more") and first.left.epsilon == 0.2 and second.left.epsilon == 0
    assert {line["note"] for line in second.lines if line["request"] in ("denied", "late")} == {"wave 1"}
    assert verify(store, "b").holds


def test_an_answer_of_older_rows_counts_in_their_wave(store: Store) -> None:
    """Also where it was never reserved: the newest wave pays for rows of its own only."""
    assert spend(in_wave(store, 2), "new") and spend(in_wave(store, 1), "old")
    assert spent(store) == {"wave 1": 100_000_000, "wave 2": 100_000_000}


def test_a_budget_of_before_adds_its_waves_up_as_it_did(store: Store) -> None:
    """A rule of waves that do not stand apart still ends with the whole."""
    open_budget(store, "b", EACH, BASIC, Allowance("wave", Cost.of("0.2", "1e-6")))
    each = {wave: DurableLedger(store, "b", wave=lambda wave=wave: wave) for wave in (1, 2)}
    fits = [spend(each[wave], str((wave, at))) for wave in (1, 2) for at in (1, 2)]
    assert fits == [True, True, True, False] and verify(store, "b").holds


REFUSED: dict[str, Callable[[Store], object]] = {
    "months": lambda _: Allowance("month", EACH, apart=True),
    "carried over": lambda _: Allowance("wave", EACH, 1, apart=True),
    "another limit": lambda store: open_budget(store, "b", Cost.of("3", "1e-5"), allowance=APART),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_would_not_be_a_budget_for_each_wave_is_refused(store: Store, what: str) -> None:
    """Time is no part of the rows, nothing is carried from other rows, and there is no whole beside."""
    with pytest.raises(ParameterError):
        REFUSED[what](store)


def test_the_rule_is_written_once_and_read_back(store: Store) -> None:
    """Neither is a budget of waves opened as one of a whole, nor the other way round."""
    assert allowance_of(f"Basic | {APART.written}") == APART != replace(APART, apart=False)
    in_wave(store, 1)
    for other in (None, replace(APART, apart=False)):
        with pytest.raises(ParameterError, match="another limit or rule"):
            open_budget(store, "b", EACH, allowance=other)


def race(url: str, at: int, queue: Any) -> None:
    """Be a server: charge, reserve and return in two waves, as fast as it goes."""
    store, fits = Store(url), 0
    for turn in range(6):
        ledger = DurableLedger(store, "b", wave=lambda turn=turn: 1 + turn % 2)
        name = f"{at}:{turn}"
        with suppress(BudgetExceeded):
            ledger.reserve(name, TENTH)
            if turn % 3 == 2:
                ledger.expire(name)
            else:
                ledger.charge(name, TENTH)
                fits += 1
    store.close()
    queue.put(fits)


def test_two_processes_never_spend_more_of_a_wave_than_it_holds(store: Store, url: str) -> None:
    """At every line, of every wave, and all that was said to fit is there."""
    in_wave(store, 1)
    store.engine.dispose()
    queue = FORK.Queue()
    processes = [FORK.Process(target=race, args=(url, at, queue)) for at in range(2)]
    [process.start() for process in processes]
    fits = sum(queue.get(timeout=60) for _ in processes)
    [process.join() for process in processes]
    so_far: dict[str, int] = {}
    for line in DurableLedger(store, "b").lines:
        if line["kind"] in COUNTING:
            so_far[line["note"]] = so_far.get(line["note"], 0) + line["loss"]
            assert 0 <= so_far[line["note"]] <= EACH.nano_epsilon
    assert sum(so_far.values()) == fits * TENTH.nano_epsilon and fits >= 4
    assert verify(store, "b").holds


def forged(store: Store, **values: Any) -> dict[str, Any]:
    """Return a line that follows the last one, as somebody would write it who knows all but the key."""
    last = DurableLedger(store, "b").lines[-1]
    line = last | {"seq": last["seq"] + 1, "previous": last["hash"]} | values
    line["total_loss"], line["total_delta"] = last["total_loss"] + line["loss"], last["total_delta"]
    return line | {"hash": line_hash(line)}


BEYOND: dict[str, tuple[dict[str, Any], str]] = {
    "a wave that is full": ({"request": "x", "loss": 100_000_000, "note": "wave 1"}, "overspent"),
    "a refund elsewhere": ({"request": "1:0", "kind": "settle", "loss": 0, "note": "wave 2"}, "in one wave"),
    "a charge elsewhere": ({"request": "waits", "loss": 0, "note": "wave 3"}, "in one wave"),
}


@pytest.mark.parametrize("what", BEYOND)
def test_the_database_itself_refuses_more_than_a_wave_holds(store: Store, what: str) -> None:
    """Whoever writes to the tables by hand meets the same rule; what fits in a wave, it takes."""
    in_wave(store, 2).reserve("waits", TENTH)
    assert all(spend(in_wave(store, 1), f"1:{at}") for at in range(3))
    values, why = BEYOND[what]
    line = forged(store, **{"cost_epsilon": 100_000_000, "held_epsilon": 0, "account": None, **values})
    insert = sa.text(f"INSERT INTO lines ({', '.join(line)}) VALUES ({', '.join(f':{name}' for name in line)})")
    with pytest.raises(sa.exc.DBAPIError, match=why), store.engine.begin() as connection:
        connection.execute(insert, line)
    line |= {"note": "wave 2", "request": "y", "loss": 100_000_000, "kind": "charge"}
    line |= {"total_loss": DurableLedger(store, "b").lines[-1]["total_loss"] + 100_000_000}
    with store.engine.begin() as connection:
        connection.execute(insert, line | {"hash": line_hash(line)})
    assert verify(store, "b").holds


MOVED: dict[str, str] = {
    "a charge into another wave": "UPDATE lines SET note = 'wave 1' WHERE seq = 3",
    "a wave of another name": "UPDATE lines SET note = 'wave  2' WHERE seq = 3",
    "a wave before the first": "UPDATE lines SET note = 'wave 0' WHERE seq = 3",
    "a refund into another wave": "UPDATE lines SET note = 'wave 1' WHERE seq = 4",
}


@pytest.mark.parametrize("what", MOVED)
def test_verification_finds_a_chain_that_was_built_anew(tmp_path: Path, what: str) -> None:
    """All hashes were made anew, and every total is right: only the waves are not."""
    store = Store(f"sqlite:///{tmp_path / 'l.db'}").prepare()
    assert all(spend(in_wave(store, 1), f"1:{at}") for at in range(3))
    second = in_wave(store, 2)
    second.charge("r", TENTH, TENTH)
    second.settle("r", False)
    assert verify(store, "b").holds
    rebuilt(store, MOVED[what])
    verdict = verify(store, "b")
    assert (verdict.at, str(verdict.wrong)) == (4 if "refund" in what else 3, PERIOD)


def test_verification_finds_that_a_budget_was_called_one_of_waves(tmp_path: Path) -> None:
    """To overspend it: the chain begins with the hash of its rule."""
    store = Store(f"sqlite:///{tmp_path / 'l.db'}").prepare()
    open_budget(store, "b", EACH)
    spend(DurableLedger(store, "b"), "r")
    with store.engine.begin() as connection:
        for (name,) in connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'trigger'").all():
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
        connection.exec_driver_sql(f"UPDATE budgets SET rule = 'Basic | {APART.written}'")
    assert str(verify(store, "b").wrong) == "The budget itself was changed."
    with store.engine.begin() as connection:
        row = dict(connection.execute(sa.text("SELECT * FROM budgets")).mappings().one())
        connection.exec_driver_sql(f"UPDATE budgets SET hash = '{budget_hash(row)}'")
    assert not verify(store, "b").holds


def rebuilt(store: Store, change: str) -> None:
    """Change a line behind the guards, and make all hashes after it anew."""
    with store.engine.begin() as connection:
        for (name,) in connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'trigger'").all():
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
        connection.exec_driver_sql(change)
        before = connection.execute(sa.text("SELECT hash FROM budgets")).scalar_one()
        for row in connection.execute(sa.text("SELECT * FROM lines ORDER BY seq")).mappings().all():
            line = dict(row) | {"previous": before, "taken": None if row["taken"] is None else bool(row["taken"])}
            before = line_hash(line)
            values = {"previous": line["previous"], "hash": before, "seq": line["seq"]}
            connection.execute(sa.text("UPDATE lines SET previous = :previous, hash = :hash WHERE seq = :seq"), values)
