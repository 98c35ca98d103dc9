"""Allowances: never more in a period than its rule says, whoever races and whatever the clock does."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Thread

import pytest
import sqlalchemy as sa

from discreet.budget import BASIC, RENYI, ZCDP, BudgetExceeded, Cost, ParameterError
from discreet.budget.allowance import Allowance, allowance_of
from discreet.budget.durable import DurableLedger, Store, open_budget, verify
from discreet.budget.durable.lines import line_hash
from discreet.budget.rules import Rule

TENTH, LIMIT, EACH = Cost.of("0.1"), Cost.of("3", "1e-5"), Cost.of("0.3", "1e-6")
HALF = Cost.of("0.5")
NAMES = count()
MARCH, APRIL, JULY, FEBRUARY = "2030-03-31T23:59:59.9", "2030-04-01T00:00:00", "2030-07-15", "2030-02-01"


class Day:
    """A clock that stands still until it is set."""

    def __init__(self, time: str = MARCH) -> None:
        """Begin at a time."""
        self.time, self.wave = time, 1

    def __call__(self) -> str:
        """Return the time."""
        return self.time


def monthly(
    store: Store, day: Day, carried: int = 0, span: str = "month", rule: Rule = BASIC, each: Cost = EACH
) -> DurableLedger:
    """Open a budget of which 0.3 may be spent in each period."""
    open_budget(store, "b", LIMIT, rule, Allowance(span, each, carried), day)
    return DurableLedger(store, "b", day, lambda: day.wave)


def spend(ledger: DurableLedger, name: str, cost: Cost = TENTH) -> bool:
    """Charge, and say whether it fitted."""
    with suppress(BudgetExceeded):
        ledger.charge(name, cost)
        return True
    return False


def many(ledger: DurableLedger, day: Day, time: str, times: int = 12) -> int:
    """Charge as often as it fits at a time, and a few times more; return how often it was."""
    day.time = time
    return sum(spend(ledger, f"charge {next(NAMES)}") for _ in range(times))


def test_a_month_holds_what_its_rule_says_and_what_is_left_lapses(store: Store) -> None:
    """Three of four fit; the next month begins anew, a month without a question leaves nothing."""
    day = Day()
    ledger = monthly(store, day)
    assert [many(ledger, day, time) for time in (MARCH, APRIL, JULY)] == [3, 3, 3]
    assert ledger.left == Cost(0, EACH.delta_units) and ledger.after(TENTH) is None
    assert (ledger.standing.left, ledger.standing.whole) == (ledger.left, LIMIT - Cost.of("0.9"))
    day.time = "2030-08-01"
    assert ledger.left.epsilon == 0.3 and ledger.spent.epsilon == pytest.approx(0.9)
    assert ledger.period is not None and ledger.period.label == "month 2030-08"
    assert verify(store, "b").holds


@pytest.mark.parametrize(("carried", "fit"), [(1, [3, 3, 6]), (2, [3, 3, 9]), (120, [3, 3, 9])])
def test_what_is_left_is_carried_over_as_far_as_the_rule_says(store: Store, carried: int, fit: list[int]) -> None:
    """May and June leave theirs to July, each as often as was written."""
    day = Day()
    ledger = monthly(store, day, carried)
    assert [many(ledger, day, time) for time in (MARCH, APRIL, JULY)] == fit
    assert verify(store, "b").holds


def test_a_clock_that_goes_back_opens_no_period_again(store: Store) -> None:
    """The newest period on the ledger goes on, even before the day on which it was opened."""
    day = Day(APRIL)
    ledger = monthly(store, day)
    assert many(ledger, day, FEBRUARY) == 3
    assert [many(ledger, day, time) for time in (JULY, MARCH, APRIL)] == [3, 0, 0]
    assert verify(store, "b").holds


def test_what_comes_back_comes_back_to_its_own_period(store: Store) -> None:
    """A reservation counts in the month in which it was made; late, it frees nothing of another month."""
    day = Day()
    ledger = monthly(store, day)
    for name in ("approved", "denied", "late"):
        ledger.reserve(name, TENTH)
    assert not spend(ledger, "too much")
    day.time = APRIL
    ledger.charge("approved", TENTH)
    assert many(ledger, day, APRIL) == 3
    ledger.expire("denied")
    assert many(ledger, day, APRIL) == 0
    assert {line["note"] for line in ledger.lines if line["request"] == "approved"} == {"month 2030-03"}
    day.time = MARCH
    assert many(ledger, day, MARCH) == 0 and verify(store, "b").holds


def test_a_held_part_that_is_not_taken_is_free_in_its_month(store: Store) -> None:
    """Held and cost count together; what is free again can be spent in the same month."""
    day = Day()
    ledger = monthly(store, day)
    ledger.charge("r", TENTH, Cost.of("0.2"))
    assert not spend(ledger, "s")
    ledger.settle("r", False)
    assert many(ledger, day, MARCH) == 2 and verify(store, "b").holds


def test_a_wave_begins_when_somebody_says_so(store: Store) -> None:
    """No clock opens it."""
    day = Day()
    ledger = monthly(store, day, span="wave")
    assert [many(ledger, day, time) for time in (MARCH, JULY)] == [3, 0]
    day.wave = 2
    assert many(ledger, day, JULY) == 3
    day.wave = 1
    assert many(ledger, day, JULY) == 0 and verify(store, "b").holds


def test_the_whole_budget_still_ends(store: Store) -> None:
    """Eleven months of 0.3 do not fit into 3."""
    day = Day()
    ledger = monthly(store, day)
    spent = sum(many(ledger, day, f"2031-{month:02d}-01", 5) for month in range(1, 13))
    assert spent == 30 and ledger.left.epsilon == 0 and verify(store, "b").holds


@pytest.mark.parametrize("rule", [ZCDP, RENYI], ids=lambda rule: rule.name)
def test_other_rules_count_a_period_in_their_own_units(store: Store, rule: Rule) -> None:
    """What fits in a month is what fits in a budget of its size."""
    day, alone = Day(), Cost.of("2.9", "9e-6")
    ledger = monthly(store, day, rule=rule, each=alone)
    capacity, amount = ledger.rule.capacity(alone), ledger.rule.amount(HALF, None, ledger.rule.capacity(LIMIT))
    assert amount is not None
    fits = sum(spend(ledger, str(at), HALF) for at in range(10))
    assert 0 < fits == capacity.loss // amount.loss < 10 and verify(store, "b").holds


def test_many_servers_at_once_spend_no_more_than_a_month_holds(store: Store, url: str) -> None:
    """Eight connections race over the end of a month; each month holds three, whoever is first."""
    day = Day()
    monthly(store, day)
    days, fits = (MARCH, APRIL), list[str]()

    def race(at: int) -> None:
        other, mine = Store(url), Day(days[at % 2])
        ledger = DurableLedger(other, "b", mine)
        fits.extend(name for name in (f"{at}:{n}" for n in range(4)) if spend(ledger, name))
        other.close()

    threads = [Thread(target=race, args=(at,)) for at in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    lines = DurableLedger(store, "b").lines
    each = [sum(line["loss"] for line in lines if line["note"] == f"month 2030-0{month}") for month in (3, 4)]
    assert max(each) == TENTH.nano_epsilon * 3 and sum(each) == len(fits) * TENTH.nano_epsilon
    assert verify(store, "b").holds


FORGED: dict[str, str] = {
    "another period": "UPDATE lines SET note = 'month 2030-09' WHERE seq = 2",
    "no period": "UPDATE lines SET note = '' WHERE seq = 2",
    "a later day": "UPDATE lines SET time = '2030-05-01' WHERE seq = 2",
}


@pytest.mark.parametrize("what", FORGED)
def test_a_line_that_was_moved_to_another_period_is_found(tmp_path: Path, what: str) -> None:
    """By verification, even where all hashes were made anew."""
    store, day = Store(f"sqlite:///{tmp_path / 'l.db'}").prepare(), Day()
    many(monthly(store, day), day, MARCH)
    with store.engine.begin() as connection:
        for (name,) in connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'trigger'").all():
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
        connection.exec_driver_sql(FORGED[what])
        row = dict(connection.execute(sa.text("SELECT * FROM lines WHERE seq = 2")).mappings().one())
        row["taken"] = None
        again = line_hash(row)
        connection.exec_driver_sql(f"UPDATE lines SET hash = '{again}' WHERE seq = 2")
    verdict = verify(store, "b")
    assert (verdict.at, str(verdict.wrong)) == (
        2,
        "An entry is counted in another period, or exceeds the limit of its period.",
    )


REFUSED: dict[str, Callable[[], object]] = {
    "a day": lambda: Allowance("day", TENTH),
    "nothing": lambda: Allowance("month", Cost.zero()),
    "too much carried": lambda: Allowance("month", TENTH, 121),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_rule_is_refused(what: str) -> None:
    """In one sentence."""
    with pytest.raises(ParameterError):
        REFUSED[what]()


def test_a_rule_is_written_once_and_for_good(store: Store) -> None:
    """It is read back exactly; another one, or none, is another budget; more than the whole is refused."""
    rule = Allowance("quarter", TENTH, 3)
    assert allowance_of(f"{BASIC.written} | {rule.written}") == rule and allowance_of("Basic") is None
    open_budget(store, "b", LIMIT, allowance=rule)
    for other in (None, Allowance("month", TENTH, 3)):
        with pytest.raises(ParameterError, match="This budget is already open with another"):
            open_budget(store, "b", LIMIT, allowance=other)
    with pytest.raises(ParameterError, match="A period cannot have more budget than the"):
        open_budget(store, "c", TENTH, allowance=Allowance("month", LIMIT))
