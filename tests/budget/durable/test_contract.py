"""The contract of a ledger: what each one keeps, wherever it keeps it; a broken one breaks it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from support.databases import DATABASES

from discreet import budget
from discreet.budget import (
    BASIC,
    RENYI,
    ZCDP,
    AlreadyCharged,
    BudgetExceeded,
    Cost,
    GaussianAccount,
    Ledger,
    ParameterError,
    Rule,
    SessionLedger,
)
from discreet.budget.durable import DurableLedger, Store, open_budget
from discreet.budget.durable.spent import LastingLedger, Spent

LIMIT = Cost.of("1.0", "1e-6")
TENTH = Cost.of("0.1")
NORMAL = Cost.of("0.9", "1e-6")  # too much by itself, after anything
Open = Callable[..., Ledger]


# every ledger by how it is opened; another one is one line more
LEDGERS: dict[str, type[Any]] = {
    "session": SessionLedger,
    "lasting": LastingLedger,
    **dict.fromkeys(DATABASES, DurableLedger),
}


@pytest.fixture(params=LEDGERS)
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Return a maker of empty ledgers of one kind."""
    if LEDGERS[request.param] is SessionLedger:
        yield SessionLedger
        return
    if LEDGERS[request.param] is LastingLedger:
        yield lambda limit, rule=BASIC: lasting(Spent(tmp_path), limit, rule)
        return
    url = f"sqlite:///{tmp_path / 'ledger.db'}"
    if request.param != "sqlite":
        url = request.getfixturevalue("postgres").prepared()
    store = Store(url).prepare()
    yield lambda limit, rule=BASIC: open_budget(store, uuid4().hex, limit, rule)
    store.close()


def lasting(spent: Spent, limit: Cost, rule: Rule) -> Ledger:
    """Open a budget that nobody else has."""
    owner = uuid4().hex
    spent.begin(owner, limit, rule)
    return LastingLedger(SessionLedger(limit, rule), spent, owner)


class LedgerContract:
    """What holds of every ledger."""

    def test_nothing_is_spent_at_first(self, make: Open) -> None:
        """All of the limit is left, and there is no line."""
        ledger = make(LIMIT)
        assert (ledger.limit, ledger.left, ledger.spent) == (LIMIT, LIMIT, Cost.zero())
        assert (ledger.entries, ledger.rule, ledger.answer("a")) == ((), BASIC, None)

    def test_a_charge_is_spent_and_found_by_its_name(self, make: Open) -> None:
        """What is charged is spent at once, and its line is there."""
        ledger = make(LIMIT)
        line = ledger.charge("a", TENTH, held=TENTH)
        assert ledger.spent == Cost.of("0.2") and ledger.entry("a") == line
        assert (line.request_id, line.kind, line.cost, line.held) == ("a", "charge", TENTH, TENTH)
        assert ledger.answer("a") is None

    def test_one_request_is_charged_once(self, make: Open) -> None:
        """Whatever it would cost the second time, released or not."""
        ledger = make(LIMIT)
        ledger.charge("a", TENTH)
        for _ in range(2):
            with pytest.raises(AlreadyCharged):
                ledger.charge("a", Cost.of("0.2"))
            assert ledger.spent == TENTH
            ledger.release("a", True, "{}")

    def test_what_does_not_fit_is_refused_and_costs_nothing(self, make: Open) -> None:
        """The held part has to fit, too."""
        ledger = make(LIMIT)
        with pytest.raises(BudgetExceeded) as refused:
            ledger.charge("a", Cost.of("0.9"), held=Cost.of("0.2"))
        assert (refused.value.asked, refused.value.left) == (Cost.of("1.1"), LIMIT)
        assert ledger.left == LIMIT and ledger.entries == ()
        ledger.charge("a", Cost.of("0.9"))

    def test_it_says_what_would_be_left(self, make: Open) -> None:
        """By the account, where that is counted: a normal answer fits whose cost alone would not."""
        normal = GaussianAccount(20.0)
        for rule in (BASIC, ZCDP, RENYI):
            ledger = make(LIMIT, rule)
            after = ledger.after(Cost.of("0.2"))
            ledger.charge("plain", Cost.of("0.2"))
            assert ledger.left == after is not None
            after = ledger.after(NORMAL, normal)
            assert (after is None) is (rule is BASIC) and ledger.after(NORMAL) is None
            if after is not None:
                ledger.charge("normal", NORMAL, account=normal)
                assert ledger.left == after
            else:
                with pytest.raises(BudgetExceeded):
                    ledger.charge("normal", NORMAL, account=normal)

    def test_it_stands_as_its_charges_say(self, make: Open) -> None:
        """Nothing waits, so all that is used is spent, and what is left is left of the whole; widths add up to one."""
        for rule in (BASIC, ZCDP, RENYI):
            ledger = make(LIMIT, rule)
            for name in ("", "a", "b"):
                if name:
                    ledger.charge(name, Cost.of("0.03"), held=Cost.of("0.03"))
                    ledger.settle(name, name == "b")
                stands = ledger.standing
                assert (stands.limit, stands.spent, stands.left) == (ledger.limit, ledger.spent, ledger.left)
                assert stands.reserved == Cost.zero() and stands.whole == stands.unreserved == stands.left
            used = ledger.entries[-1].total.loss / ledger.rule.capacity(LIMIT).loss
            assert ledger.standing.part(ledger.left) == pytest.approx(1 - used, abs=1e-6)
        assert ledger.standing.part(Cost.of(40)) == 1.0

    def test_its_latest_charges_are_the_end_of_its_lines(self, make: Open) -> None:
        """Each with its settlement, however late that came; never more than were asked for."""
        ledger = make(LIMIT)
        assert ledger.latest(2) == ()
        for name in "abc":
            ledger.charge(name, TENTH, held=TENTH)
        ledger.settle("a", False)
        ledger.settle("c", True)
        assert [(line.request_id, line.kind) for line in ledger.latest(2)] == [
            *(("b", "charge"), ("c", "charge"), ("c", "settle"))
        ]
        assert ledger.latest(9) == ledger.entries

    def test_a_release_settles_and_keeps_the_answer(self, make: Open) -> None:
        """In one step: the held part is decided, and the answer is there, as it was written."""
        body = '{"answer": 0.1, "word": "ε 统计"}'
        for taken, spent in ((True, "0.3"), (False, "0.1")):
            ledger = make(LIMIT)
            line = ledger.charge("a", TENTH, held=Cost.of("0.2"))
            assert ledger.release("a", taken, body) == body == ledger.answer("a")
            assert ledger.spent == Cost.of(spent) and ledger.entry("a") == line
            entries = [(e.kind, e.taken) for e in ledger.entries]
            assert entries == [("charge", None), ("settle", taken)]

    def test_the_first_answer_is_the_answer(self, make: Open) -> None:
        """Whoever comes second is told the first one, and nothing more is settled."""
        ledger = make(LIMIT)
        ledger.charge("a", TENTH, held=TENTH)
        assert ledger.release("a", True, "first") == ledger.release("a", False, "second") == "first"
        assert ledger.answer("a") == "first" and ledger.spent == Cost.of("0.2")
        with pytest.raises(AlreadyCharged):
            ledger.settle("a", False)

    def test_nothing_is_released_without_a_charge_or_after_a_settlement(self, make: Open) -> None:
        """And nothing is kept, nothing spent."""
        ledger = make(LIMIT)
        for work in (ledger.entry, lambda name: ledger.release(name, True, "{}")):
            with pytest.raises(ParameterError, match="is not in the ledger"):
                work("a")
        ledger.charge("a", TENTH)
        ledger.settle("a", False)
        with pytest.raises(ParameterError, match="not settled"):
            ledger.release("a", True, "{}")
        assert ledger.answer("a") is None and ledger.spent == TENTH

    def test_answers_do_not_mix(self, make: Open) -> None:
        """Each request has its own, and an order of its own."""
        ledger = make(LIMIT)
        for name in "abc":
            ledger.charge(name, TENTH)
        for name in "cab":
            ledger.release(name, True, f"of {name}")
        assert [ledger.answer(name) for name in "abc"] == ["of a", "of b", "of c"]
        assert [ledger.entry(name).request_id for name in "cba"] == ["c", "b", "a"]


class TestEveryLedger(LedgerContract):
    """Each ledger keeps the contract, a durable one in every kind of database."""


def breaks(make: Open) -> list[str]:
    """Return the parts of the contract that a ledger does not keep."""
    broken = []
    for name in [name for name in vars(LedgerContract) if name.startswith("test_")]:
        try:
            getattr(LedgerContract(), name)(make)
        except (Exception, pytest.fail.Exception):
            broken.append(name)
    return broken


class LastAnswerCounts(SessionLedger):
    """A broken twin: whoever comes second replaces what was released."""

    def release(self, request_id: str, taken: bool, body: str) -> str:
        """Write over it."""
        super().release(request_id, taken, body)
        self._lines[request_id, "settle"] = self._lines[request_id, "settle"]._replace(body=body)
        return body


class AnswersUnpaid(SessionLedger):
    """A broken twin: an answer is kept although nothing was charged."""

    def release(self, request_id: str, taken: bool, body: str) -> str:
        """Charge nothing."""
        if (request_id, "charge") not in self._lines:
            self.charge(request_id, Cost.zero())
        return super().release(request_id, taken, body)


class KeepsAllOfIt(SessionLedger):
    """A broken twin: a release that was not taken still costs its held part."""

    def release(self, request_id: str, taken: bool, body: str) -> str:
        """Call everything taken."""
        return super().release(request_id, True, body)


@pytest.mark.parametrize("twin", [LastAnswerCounts, AnswersUnpaid, KeepsAllOfIt])
def test_a_broken_ledger_breaks_the_contract(twin: Open) -> None:
    """The contract catches each twin, and not the ledger it is made of."""
    assert breaks(twin) and not breaks(SessionLedger)


def test_every_ledger_of_the_house_is_held_to_the_contract() -> None:
    """Whatever class charges and settles is in the list above; only the protocol is not."""
    root = Path(budget.__file__).parent
    ledgers = {
        node.name
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        and {"charge", "settle"} <= {f.name for f in node.body if isinstance(f, ast.FunctionDef)}
    }
    assert ledgers - {"Ledger"} == {kind.__name__ for kind in LEDGERS.values()}
