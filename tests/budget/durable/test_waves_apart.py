"""Waves apart: ledgers of earlier versions with a budget for each wave verify, and nothing more is spent on them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from discreet.budget import BASIC, RENYI, ZCDP, BudgetExceeded, Cost, ParameterError
from discreet.budget.allowance import Allowance, allowance_of
from discreet.budget.durable import DurableLedger, Store, open_budget, verify
from discreet.budget.durable import ledger as budgets
from discreet.budget.durable.lines import Meter, Space, budget_hash, line_hash, strays
from discreet.budget.rules import Amount, Rule

TENTH, EACH = Cost.of("0.1"), Cost.of("0.3", "1e-6")
APART = Allowance("wave", EACH, apart=True)
PERIOD = "An entry is counted in another period, or exceeds the limit of its period."


def space(meter: Meter, connection: sa.Connection, budget: str, whole: Space, time: str, wave: int) -> Space:
    """Return what fitted in a wave where each had a budget of its own, as earlier versions said it."""
    used = meter._used(connection, budget)
    here = used.get(wave, Amount())
    return Space(meter.left(used, wave), here, meter.allowance.label(wave), here)


def in_wave(store: Store, wave: int, rule: Rule = BASIC) -> DurableLedger:
    """Return a ledger of an earlier version of which each wave holds 0.3, in one of its waves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budgets, "_within", lambda _limit, _rule, allowance: allowance)
        open_budget(store, "b", EACH, rule, APART)
    return DurableLedger(store, "b", wave=lambda: wave)


def spend(ledger: DurableLedger, name: str, cost: Cost = TENTH) -> bool:
    """Charge as an earlier version did, and say whether it fitted."""
    with pytest.MonkeyPatch.context() as patch, suppress(BudgetExceeded):
        patch.setattr(Meter, "space", space)
        ledger.charge(name, cost)
        return True
    return False


@pytest.mark.parametrize("rule", [BASIC, ZCDP, RENYI], ids=lambda rule: rule.name)
def test_what_was_spent_of_all_waves_is_added_up_and_nothing_more_fits(store: Store, rule: Rule) -> None:
    """The budgets of all waves bound it together, by every rule; what was reserved can still be charged or returned."""
    for wave in (1, 2, 3):
        while spend(in_wave(store, wave, rule), f"{wave}:{len(in_wave(store, wave, rule).lines)}", Cost.of("0.05")):
            pass
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Meter, "space", space)
        for name in ("waits", "denied"):
            in_wave(store, 4, rule).reserve(name, Cost.of("0.01"))
    ledger = DurableLedger(store, "b")
    assert ledger.limit == Cost.of("1.2", "4e-6") and ledger.spent.fits_in(ledger.limit)
    stands = ledger.standing
    assert stands.left == ledger.left and stands.spent + stands.reserved == ledger.spent
    assert stands.reserved.nano_epsilon > 0
    assert not ledger.spent.fits_in(EACH)
    assert ledger.left.nano_epsilon == 0 and ledger.period is None and ledger.after(TENTH) is None
    for refused in (ledger.reserve, ledger.charge):
        with pytest.raises(BudgetExceeded):
            refused("new", Cost.of("0.000001"))
    ledger.expire("denied")
    ledger.charge("waits", Cost.of("0.01"))
    assert verify(store, "b").holds


def test_no_budget_is_opened_for_each_wave(store: Store) -> None:
    """Nor is one that was taken for another one; the words of old ledgers are read."""
    assert allowance_of(f"Basic | {APART.written}") == APART != replace(APART, apart=False)
    with pytest.raises(ParameterError, match="A wave no longer has a separate budget"):
        open_budget(store, "b", EACH, allowance=APART)
    in_wave(store, 1)
    for other in (None, replace(APART, apart=False)):
        with pytest.raises(ParameterError, match="This budget is already open with another"):
            open_budget(store, "b", EACH, allowance=other)


def test_an_answer_that_counts_in_another_wave_than_its_rows_is_a_stray(store: Store) -> None:
    """Versions of the rows say of which wave each request is."""
    for wave, name in ((1, "first"), (2, "second")):
        assert spend(in_wave(store, wave), name)
    numbers, lines = {"first": 4, "second": 7}, DurableLedger(store, "b").lines
    assert list(strays([(0, 1), (7, 2)], numbers, lines)) == []
    assert list(strays([(0, 1), (8, 2)], numbers, lines)) == [7]


def test_a_budget_of_before_adds_its_waves_up_as_it_did(store: Store) -> None:
    """A rule of waves that do not stand apart still ends with the whole."""
    open_budget(store, "b", EACH, BASIC, Allowance("wave", Cost.of("0.2", "1e-6")))
    each = {wave: DurableLedger(store, "b", wave=lambda wave=wave: wave) for wave in (1, 2)}
    fits = []
    for wave, at in ((1, 1), (1, 2), (2, 1), (2, 2)):
        with suppress(BudgetExceeded):
            each[wave].charge(str((wave, at)), TENTH)
            fits.append((wave, at))
    assert fits == [(1, 1), (1, 2), (2, 1)] and verify(store, "b").holds


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
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Meter, "space", space)
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
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Meter, "space", space)
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
    assert str(verify(store, "b").wrong) == "The record of the budget was changed."
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
