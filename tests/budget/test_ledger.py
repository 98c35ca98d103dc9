"""A ledger never spends more than its limit, never twice for one request, and forgets nothing."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from datetime import UTC, datetime
from functools import reduce
from operator import add

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.budget import (
    BASIC,
    ZCDP,
    Account,
    AlreadyCharged,
    BudgetExceeded,
    Charge,
    Cost,
    Entry,
    GaussianAccount,
    Ledger,
    ParameterError,
    SessionLedger,
    SessionLedgers,
    charges,
)
from discreet.budget.rules import Amount

NOTHING = Cost.zero()
LIMIT = Cost.of(1, "1e-6")
TENTH = Cost.of("0.1")
MICRO = Cost(0, 10**9)


def test_a_charge_is_spent_before_anything_else_happens() -> None:
    """Spent, left and the entry agree from the moment the charge returns."""
    ledger: Ledger = SessionLedger(LIMIT)
    entry = ledger.charge("a", Cost.of("0.25", "4e-7"))
    assert (ledger.spent, ledger.left) == (Cost.of("0.25", "4e-7"), Cost.of("0.75", "6e-7"))
    assert (ledger.limit, ledger.entries) == (LIMIT, (entry,))
    assert (entry.seq, entry.request_id, entry.kind, entry.time) == (0, "a", "charge", None)


def test_a_tenth_ten_times_is_one_and_not_a_unit_more_fits() -> None:
    """Exact sums use the last unit of the limit, where floats stop at 0.9999999999999999."""
    ledger = SessionLedger(LIMIT)
    for number in range(10):
        ledger.charge(f"q{number}", TENTH)
    assert ledger.left == MICRO
    with pytest.raises(BudgetExceeded):
        ledger.charge("one more", Cost(1))
    assert reduce(add, [0.1] * 10) != 1.0


def test_a_refused_charge_changes_nothing_and_names_both_amounts() -> None:
    """After a refusal the same request may ask for less; epsilon and delta refuse alike."""
    ledger = SessionLedger(LIMIT)
    ledger.charge("a", Cost.of("0.95"))
    for too_much in (TENTH, Cost.of("0.01", "1.1e-6")):
        with pytest.raises(BudgetExceeded) as refused:
            ledger.charge("b", too_much)
        assert (refused.value.asked, refused.value.left) == (too_much, Cost.of("0.05", "1e-6"))
        assert len(ledger.entries) == 1 and ledger.spent == Cost.of("0.95")
    ledger.charge("b", Cost.of("0.05", "1e-6"))
    assert ledger.left == Cost.zero()


def test_one_request_is_charged_once() -> None:
    """A double click, a retry or a reconnect raises and leaves one entry."""
    ledger = SessionLedger(LIMIT)
    ledger.charge("a", TENTH)
    with pytest.raises(AlreadyCharged) as refused:
        ledger.charge("a", Cost.of("0.2"))
    assert refused.value.request_id == "a" and "is already in the ledger" in str(refused.value)
    assert pickle.loads(pickle.dumps(refused.value)).request_id == "a"
    assert len(ledger.entries) == 1 and ledger.spent == TENTH


def test_a_held_part_counts_as_spent_until_it_is_settled() -> None:
    """Nothing fits into what is held; freed, it fits; taken, it stays spent."""
    for taken, left in ((False, Cost.of("0.9")), (True, Cost.zero())):
        ledger = SessionLedger(Cost.of(1))
        ledger.charge("ptr", TENTH, held=Cost.of("0.9"))
        with pytest.raises(BudgetExceeded):
            ledger.charge("other", Cost(1000))
        ledger.settle("ptr", taken)
        assert ledger.left == left


def test_a_crash_before_settling_leaves_the_held_part_spent() -> None:
    """An error between charge and settlement, of any kind, costs the whole."""
    ledger = SessionLedger(LIMIT)
    with pytest.raises(KeyboardInterrupt):
        ledger.charge("ptr", TENTH, held=Cost.of("0.4", "1e-7"))
        raise KeyboardInterrupt
    assert ledger.spent == Cost.of("0.5", "1e-7")
    assert charges(ledger.entries) == (Charge(Cost.of("0.5", "1e-7")),)


def test_a_settlement_happens_once_and_only_after_a_charge() -> None:
    """A second settlement, in either direction, gives nothing back; an unknown one is refused."""
    for first in (True, False):
        ledger = SessionLedger(LIMIT)
        ledger.charge("ptr", TENTH, held=TENTH)
        ledger.settle("ptr", first)
        spent = ledger.spent
        for second in (True, False):
            with pytest.raises(AlreadyCharged):
                ledger.settle("ptr", second)
        with pytest.raises(ParameterError, match="is not in the ledger"):
            ledger.settle("unknown", False)
        assert ledger.spent == spent and len(ledger.entries) == 2


@pytest.mark.parametrize("answer", [None, 0, "", "no", 1])
def test_only_false_itself_sets_a_held_part_free(answer: object) -> None:
    """A forgotten or mistyped answer counts as taken."""
    ledger = SessionLedger(LIMIT)
    ledger.charge("ptr", TENTH, held=TENTH)
    ledger.settle("ptr", answer)  # type: ignore[arg-type]
    assert ledger.spent == Cost.of("0.2")


def test_settling_a_charge_that_holds_nothing_changes_nothing() -> None:
    """The one road may settle every request in the same way."""
    for rule in (BASIC, ZCDP):
        ledger = SessionLedger(LIMIT, rule)
        ledger.charge("a", TENTH, account=GaussianAccount(6.0))
        spent = ledger.spent
        ledger.settle("a", False)
        assert ledger.spent == spent
        assert charges(ledger.entries) == (Charge(TENTH, GaussianAccount(6.0)),)


def test_entries_read_like_a_bank_statement() -> None:
    """Sequence, kinds, settlement and the running total are on the lines, which cannot change."""
    ticks = iter(datetime(2030, 1, day, tzinfo=UTC) for day in (3, 2, 1))
    ledger = SessionLedger(LIMIT, clock=lambda: next(ticks))
    ledger.charge("ptr", TENTH, held=Cost.of("0.2"))
    ledger.settle("ptr", False)
    ledger.charge("next", MICRO)
    lines = ledger.entries
    assert [line.seq for line in lines] == [0, 1, 2]
    assert [line.kind for line in lines] == ["charge", "settle", "charge"]
    assert [line.taken for line in lines] == [None, False, None]
    assert [line.total.loss for line in lines] == [3 * 10**8, 10**8, 10**8]
    assert [line.time.day for line in lines if line.time] == [3, 2, 1]
    with pytest.raises(FrozenInstanceError):
        lines[0].cost = Cost.zero()  # type: ignore[misc]


def test_a_clock_that_goes_back_or_fails_gives_nothing_back() -> None:
    """Time is for display: a failing clock writes no entry, and no clock refills anything."""

    def broken() -> datetime:
        raise OSError

    ledger = SessionLedger(LIMIT, clock=broken)
    with pytest.raises(OSError):
        ledger.charge("a", TENTH)
    assert ledger.entries == () and ledger.spent == Cost.zero()


def test_a_ledger_cannot_be_copied() -> None:
    """Two copies would spend the budget twice, so copying and pickling are refused."""
    ledger = SessionLedger(LIMIT)
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be copied"):
            attempt(ledger)


def test_what_is_no_cost_is_refused_before_anything_is_written() -> None:
    """A float, a NaN or a negative number in place of a cost leaves the ledger as it was."""
    ledger = SessionLedger(LIMIT)
    for wrong in (0.1, float("nan"), -1, None, "1"):
        with pytest.raises((TypeError, AttributeError)):
            ledger.charge("a", wrong)  # type: ignore[arg-type]
        with pytest.raises((TypeError, AttributeError)):
            ledger.charge("a", TENTH, held=wrong)  # type: ignore[arg-type]
    assert ledger.entries == ()


steps = st.lists(
    st.tuples(
        st.sampled_from(["charge", "take", "free"]),
        st.integers(0, 5),
        st.builds(Cost, st.integers(0, 4 * 10**8), st.integers(0, 4 * 10**8)),
        st.builds(Cost, st.integers(0, 4 * 10**8), st.integers(0, 4 * 10**8)),
    ),
    max_size=14,
)
Step = tuple[str, int, Cost, Cost]


def disagrees(open_ledger: Callable[[Cost], SessionLedger], history: list[Step]) -> bool:
    """Say whether a ledger departs from its specification on one history of steps."""
    ledger, spent = open_ledger(LIMIT), Cost.zero()
    held: dict[str, Cost | None] = {}
    for verb, number, cost, part in history:
        name, before = f"r{number}", spent
        expected: type[Exception] | None = None
        if verb == "charge":
            if name in held:
                expected = AlreadyCharged
            elif not (spent + cost + part).fits_in(LIMIT):
                expected = BudgetExceeded
            else:
                held[name], spent = part, spent + cost + part
        elif name not in held:
            expected = ParameterError
        elif held[name] is None:
            expected = AlreadyCharged
        else:
            freed = held[name] if verb == "free" else Cost.zero()
            held[name], spent = None, spent - (freed or Cost.zero())
        raised: type[Exception] | None = None
        try:
            if verb == "charge":
                ledger.charge(name, cost, part)
            else:
                ledger.settle(name, verb == "take")
        except (AlreadyCharged, BudgetExceeded, ParameterError) as error:
            raised = type(error)
        whole = sum((charge.cost for charge in charges(ledger.entries)), Cost.zero())
        if raised is not expected or ledger.spent != spent or whole != spent:
            return True
        assert before.fits_in(LIMIT) and ledger.left + spent == LIMIT
    return False


@given(steps)
def test_every_history_agrees_with_the_specification(history: list[Step]) -> None:
    """Spent is what was charged less what was freed, and entries alone tell the same."""
    assert not disagrees(SessionLedger, history)


class RefundsEverything(SessionLedger):
    """A broken twin: a release that was not taken costs nothing at all."""

    def _freed(self, line: Entry) -> Amount:
        return line.amount


class ForgetsHeld(SessionLedger):
    """A broken twin: the held part does not count until it is taken."""

    def charge(self, request_id: str, cost: Cost, held: Cost = NOTHING, account: Account | None = None) -> Entry:
        """Charge the cost alone."""
        return super().charge(request_id, cost, NOTHING, account)


class ChargesAgain(SessionLedger):
    """A broken twin: the same request may be charged again."""

    def charge(self, request_id: str, cost: Cost, held: Cost = NOTHING, account: Account | None = None) -> Entry:
        """Forget who was charged, not what."""
        lines = enumerate(self._lines.items())
        self._lines = {(f"{number}", kind): line for number, ((_, kind), line) in lines}
        return super().charge(request_id, cost, held, account)


class NeverGivesBack(SessionLedger):
    """A twin that is safe but wasteful: the proven refund is lost."""

    def settle(self, request_id: str, taken: bool) -> Entry:
        """Call everything taken."""
        return super().settle(request_id, True)


@pytest.mark.parametrize("twin", [RefundsEverything, ForgetsHeld, ChargesAgain, NeverGivesBack])
def test_broken_ledgers_are_caught(twin: Callable[[Cost], SessionLedger]) -> None:
    """One short history tells every twin from the specification."""
    held = Cost.of("0.2")
    history: list[Step] = [("charge", 0, TENTH, held), ("free", 0, TENTH, held), ("charge", 0, TENTH, held)]
    assert not disagrees(SessionLedger, history)
    assert disagrees(twin, history)


def test_a_reload_or_a_second_tab_sees_the_same_budget() -> None:
    """Opening again, with another limit too, is a view of the first ledger."""
    ledgers = SessionLedgers()
    first = ledgers.open("digest", LIMIT)
    first.charge("a", TENTH)
    assert ledgers.open("digest", Cost.of(50)) is first
    assert ledgers.open("digest", LIMIT, ZCDP).left == Cost.of("0.9", "1e-6")
    assert ledgers.open("other", LIMIT).left == LIMIT


def test_replacing_a_budget_is_an_act_of_its_own_and_closes_the_old_one() -> None:
    """A tab that kept the old ledger can spend nothing more from it, held parts included."""
    ledgers = SessionLedgers()
    old = ledgers.open("digest", LIMIT)
    old.charge("ptr", TENTH, held=Cost.of("0.5"))
    new = ledgers.replace("digest", Cost.of(2))
    assert ledgers.open("digest", LIMIT) is new and new.left == Cost.of(2)
    old.settle("ptr", False)
    assert old.left == Cost.zero() and old.spent == TENTH
    with pytest.raises(BudgetExceeded):
        old.charge("b", Cost.of("1e-6"))


def test_what_was_answered_stays_answered_after_a_replacement() -> None:
    """The new ledger tells the old answer, and has spent nothing of its own for it."""
    ledgers = SessionLedgers()
    old = ledgers.open("digest", LIMIT)
    old.charge("a", TENTH)
    old.release("a", True, "told")
    new = ledgers.replace("digest", LIMIT)
    assert new.answer("a") == "told" == new.release("a", False, "another")
    assert new.spent == Cost.zero() and new.entries == () and new.answer("b") is None
    assert ledgers.replace("digest", LIMIT).answer("a") == "told"


@pytest.mark.parametrize("write", [0, 1])
def test_an_interrupted_release_is_none(write: int) -> None:
    """Settlement and answer are one write: there are both or neither."""

    class Interrupted(SessionLedger):
        def _write(self, entry: Entry, body: str | None = None) -> Entry:
            if entry.kind == "settle" and write == 0:
                raise KeyboardInterrupt
            written = super()._write(entry, body)
            if entry.kind == "settle":
                raise KeyboardInterrupt
            return written

    ledger = Interrupted(LIMIT)
    ledger.charge("a", TENTH)
    with pytest.raises(KeyboardInterrupt):
        ledger.release("a", True, "told")
    kinds = [line.kind for line in ledger.entries]
    assert (kinds, ledger.answer("a")) == ((["charge"], None) if write == 0 else (["charge", "settle"], "told"))


def test_a_replacement_that_cannot_be_opened_leaves_the_old_budget_open() -> None:
    """A limit that the rule refuses closes nothing."""
    ledgers = SessionLedgers()
    old = ledgers.open("digest", LIMIT)
    with pytest.raises(ParameterError, match="zCDP rule needs"):
        ledgers.replace("digest", Cost.of(1), ZCDP)
    assert ledgers.open("digest", LIMIT) is old and old.left == LIMIT


def test_a_freed_part_takes_its_account_along() -> None:
    """An account speaks of the whole release, so after a refusal only the cost is known."""
    ledger = SessionLedger(Cost.of(2, "1e-6"))
    ledger.charge("taken", TENTH, Cost.of("0.2"), GaussianAccount(9.0))
    ledger.settle("taken", True)
    ledger.charge("freed", TENTH, Cost.of("0.2"), GaussianAccount(9.0))
    ledger.settle("freed", False)
    ledger.charge("open", TENTH, Cost.of("0.2"), GaussianAccount(9.0))
    whole = Charge(Cost.of("0.3"), GaussianAccount(9.0))
    assert charges(ledger.entries) == (whole, Charge(TENTH), whole)


def test_an_answer_is_known_however_often_its_budget_was_replaced() -> None:
    """Thousands of times: what is remembered is walked, not climbed."""
    ledgers = SessionLedgers()
    first = ledgers.open("data", Cost.of(1))
    first.charge("asked", Cost.of("0.5"))
    first.release("asked", True, "the answer")
    for _ in range(3000):
        last = ledgers.replace("data", Cost.of(1))
    assert last.answer("asked") == "the answer" and last.answer("never") is None
