"""Spent: what was spent on contents stays when a process ends, however it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.soak import times

from discreet.budget import BASIC, RENYI, ZCDP, BudgetExceeded, Cost, ParameterError, Rule, SessionLedger
from discreet.budget.accounts import GaussianAccount
from discreet.budget.durable import spent as book
from discreet.budget.durable.spent import LastingLedger, Spent

LIMIT = Cost.of(3, "1e-5")
ROOT = Path(__file__).resolve().parents[3]


def opened(folder: Path, owner: str = "rows", rule: Rule = BASIC) -> LastingLedger:
    """Return the ledger of a content as a process that has just begun opens it."""
    spent = Spent(folder)
    if not spent.budgets(owner):
        spent.begin(owner, LIMIT, rule)
    return LastingLedger(SessionLedger(LIMIT, rule), spent, owner)


def test_another_process_finds_what_was_spent(tmp_path: Path) -> None:
    """No restart gives anything back, and what no longer fits is refused as in the same process."""
    opened(tmp_path).charge("a", Cost.of("1.5"))
    again = opened(tmp_path)
    assert (again.spent, again.left) == (Cost.of("1.5"), Cost.of("1.5", "1e-5"))
    with pytest.raises(BudgetExceeded):
        again.charge("b", Cost.of("1.6"))
    assert opened(tmp_path).spent == Cost.of("1.5") and again.entries == ()
    assert again.after(Cost.of("1.5")) is not None and again.after(Cost.of("1.6")) is None
    again.charge("b", Cost.of("1.5"))
    assert opened(tmp_path).left.nano_epsilon == 0
    assert opened(tmp_path, "other rows").left == LIMIT


@pytest.mark.parametrize("rule", [BASIC, ZCDP, RENYI], ids=lambda rule: rule.name)
def test_it_adds_up_as_one_ledger_would(tmp_path: Path, rule: Rule) -> None:
    """Under every rule, over as many restarts as charges."""
    whole, account = SessionLedger(LIMIT, rule), GaussianAccount(4.0)
    for number in range(5):
        whole.charge(f"{number}", Cost.of("0.6", "1e-6"), account=account)
        opened(tmp_path, rule=rule).charge(f"{number}", Cost.of("0.6", "1e-6"), account=account)
        assert opened(tmp_path, rule=rule).spent == whole.spent
        assert opened(tmp_path, rule=rule).left == whole.left


def test_what_was_held_and_not_taken_is_free_once(tmp_path: Path) -> None:
    """Also where the answer is released; a process that ends before has spent it."""
    ledger = opened(tmp_path)
    for name, free in (("a", True), ("b", False)):
        ledger.charge(name, Cost.of("0.1"), Cost.of("0.4"))
        assert ledger.release(name, not free, "answer") == "answer"
        assert ledger.release(name, False, "another") == "answer"
    ledger.charge("c", Cost.of("0.1"), Cost.of("0.4"))
    ledger.settle("c", False)
    ledger.charge("d", Cost.of("0.1"), Cost.of("0.4"))
    assert opened(tmp_path).spent == ledger.spent == Cost.of("1.2")


def test_two_processes_share_one_budget(tmp_path: Path) -> None:
    """What one has charged is known to the other before it decides."""
    one, two = opened(tmp_path), opened(tmp_path)
    one.charge("a", Cost.of(2))
    with pytest.raises(BudgetExceeded):
        two.charge("a", Cost.of("1.1"))
    two.charge("b", Cost.of(1))
    assert one.spent == two.spent == Cost.of(3)


def test_a_refusal_of_the_ledger_writes_nothing(tmp_path: Path) -> None:
    """A request that is charged already costs nothing more."""
    ledger = opened(tmp_path)
    ledger.charge("a", Cost.of(1))
    with pytest.raises(Exception, match="a"):
        ledger.charge("a", Cost.of(1))
    assert opened(tmp_path).spent == Cost.of(1)


def test_what_a_ledger_knows_besides_is_written_down(tmp_path: Path) -> None:
    """Kept work of another time has spent what it has spent."""
    inner = SessionLedger(LIMIT)
    inner.charge("a", Cost.of(2))
    spent = Spent(tmp_path)
    spent.begin("rows", LIMIT, BASIC)
    for _ in range(2):
        assert LastingLedger(inner, spent, "rows").spent == Cost.of(2)


def test_the_file_holds_fingerprints_and_sums_and_nothing_else(tmp_path: Path) -> None:
    """No question, no name of a content; without the key nobody can look whether some rows were asked."""
    ledger = opened(tmp_path, "digest-of-rows")
    ledger.charge("the question", Cost.of(1))
    ledger.release("the question", True, "the answer")
    text = (tmp_path / book.NAME).read_text()
    assert not any(word in text for word in ("digest", "question", "answer"))
    assert {key for line in text.splitlines() for key in json.loads(line)} == {"of", "limit", "rule", "amount"}
    for name in (book.NAME, book.KEY, book.HELD):
        assert (tmp_path / name).stat().st_mode & 0o077 == 0
    (tmp_path / book.KEY).write_text("another")
    assert Spent(tmp_path).budgets("digest-of-rows") == ()


def test_a_line_that_was_never_finished_charged_nothing(tmp_path: Path) -> None:
    """Neither is it lost what is written after it."""
    opened(tmp_path).charge("a", Cost.of(1))
    with (tmp_path / book.NAME).open("a") as file:
        file.write('{"of": "')
    ledger = opened(tmp_path)
    assert ledger.spent == Cost.of(1)
    ledger.charge("b", Cost.of(1))
    assert opened(tmp_path).spent == ledger.spent == Cost.of(2)


def test_a_long_file_is_summed_up_and_others_notice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is lost when it is written anew beneath somebody."""
    monkeypatch.setattr(book, "LONG", 2000)
    one, two = opened(tmp_path), opened(tmp_path)
    for number in range(100):
        (one, two)[number % 2].charge(f"{number}", Cost.of("0.01"))
    assert one.spent == two.spent == opened(tmp_path).spent == Cost.of(1)
    assert (tmp_path / book.NAME).stat().st_size < 2500


def test_where_nothing_can_be_written_nothing_is_spent_or_asked(tmp_path: Path) -> None:
    """A sentence, and no charge in memory either."""
    ledger = opened(tmp_path)
    (tmp_path / book.NAME).unlink()
    (tmp_path / book.NAME).mkdir()
    with pytest.raises(ParameterError, match="The server cannot record spending, so the"):
        ledger.charge("a", Cost.of(1))
    assert ledger.entries == ()


ASKING = """
import sys
from pathlib import Path
from discreet.budget import BASIC, Cost, SessionLedger
from discreet.budget.durable.spent import LastingLedger, Spent
spent = Spent(Path(sys.argv[1]))
ledger = LastingLedger(SessionLedger(Cost.of(3, "1e-5")), spent, "rows")
for number in range(100000):
    ledger.charge(f"{number}", Cost.of("0.00001"), Cost.of("0.00001"))
    ledger.release(f"{number}", number % 2 == 0, "x")
    print(ledger.spent.nano_epsilon, flush=True)
"""


@pytest.mark.soak
def test_killed_again_and_again_spent_never_falls(tmp_path: Path) -> None:
    """At whatever moment a process ends, the next one knows all that it had said was spent."""
    Spent(tmp_path).begin("rows", LIMIT, BASIC)
    known = 0
    for number in range(times(6, 60)):
        process = subprocess.Popen(
            [sys.executable, "-c", ASKING, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        first = int(process.stdout.readline())
        time.sleep(0.02 + 0.013 * (number % 7))
        os.kill(process.pid, signal.SIGKILL)
        said = [first, *(int(line) for line in process.stdout.read().splitlines() if line)]
        process.wait()
        now = Spent(tmp_path).budgets("rows")[-1].spent.nano_epsilon
        assert known < first and said[-1] <= now <= said[-1] + 20_000, (known, first, said[-1], now)
        known = now
