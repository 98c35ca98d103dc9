"""Finer answers on both databases: processes that race are charged once, and what is written verifies."""

from __future__ import annotations

from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

import pyarrow as pa
import pytest
from support.workers import FORK

from discreet.budget import RULES, Cost, ParameterError, Refined, Rule, SessionLedger, charges
from discreet.budget.durable import DurableLedger, Store, open_budget, verify
from discreet.curator import Curator, Request
from discreet.curator.refining import refine, step
from discreet.mechanisms import registry
from discreet.mechanisms.laplace import Geometric
from discreet.rows import Category, Dataset, LocalSource, Number, Schema

ROUNDS = 6
SCHEMA = Schema({"x": Number(0, 10, integer=True)})
GROUPED = Schema({**SCHEMA.columns, "g": Category(("1", "2", "4", "9"))})
TABLE = pa.table({"x": ["1", "2", "9", "4"] * 25})
COUNT = Request(Geometric(epsilon=0.5), ("x",))


def curator(url: str) -> Curator:
    """Return a curator that spends from the database."""
    return Curator(Dataset(LocalSource(TABLE), SCHEMA), DurableLedger(Store(url), "refined"), tick=0)


def refining(url: str, earlier: list[str], epsilon: float, out: Connection) -> None:
    """Refine one answer after the other; tell each answer, or that it was refined before."""
    asked = curator(url)
    out.recv()
    for name in earlier:
        try:
            out.send(refine(asked, name, epsilon).answer)
        except ParameterError:
            out.send(None)


def test_of_processes_that_race_to_refine_one_epsilon_wins(url: str) -> None:
    """Each answer is refined once: whoever asks the same gets the same, whoever asks another is refused."""
    open_budget(Store(url).prepare(), "refined", Cost.of(50, "1e-6"))
    asked = curator(url)
    earlier = [asked.ask(COUNT, str(number)).id for number in range(ROUNDS)]
    pipes = []
    for epsilon in (1.0, 2.0, 1.0):
        here, there = FORK.Pipe()
        FORK.Process(target=refining, args=(url, earlier, epsilon, there), daemon=True).start()
        pipes.append(here)
    for pipe in pipes:
        pipe.send("go")
    for _ in earlier:
        answers = [pipe.recv() for pipe in pipes]
        assert len({answer for answer in answers if answer is not None}) == 1
        assert answers[0] == answers[2] and sum(answer is None for answer in answers) in (1, 2)
    ledger = asked.ledger
    once = charges(ledger.entries)
    assert len(once) == ROUNDS and {charge.cost for charge in once} <= {Cost.of(1), Cost.of(2)}
    assert verify(Store(url), "refined").holds


def test_an_answer_is_refined_after_a_restart_and_its_line_names_it(url: str) -> None:
    """The numbers are kept with it; the account is read back as it was written."""
    open_budget(Store(url).prepare(), "refined", Cost.of(3))
    first = curator(url).ask(COUNT)
    finer = refine(curator(url), first.id, 1.0)
    again = curator(url)
    assert refine(again, first.id, 1.0) == finer and again.ledger.spent == Cost.of(1)
    account = again.ledger.entry(finer.id).account
    assert isinstance(account, Refined) and (account.of, account.account) == (
        first.id,
        finer.request.mechanism.account(),
    )
    assert refine(again, finer.id, 2.0).refines == finer.id and verify(Store(url), "refined").holds


def test_a_process_that_dies_after_the_charge_pays_once(url: str) -> None:
    """The next one draws what was paid for; to another epsilon it draws nothing."""
    open_budget(Store(url).prepare(), "refined", Cost.of(3))
    first = curator(url).ask(COUNT)
    question = step(curator(url), first.id, 1.0)

    def dying(_: float) -> None:
        raise SystemExit

    data = Dataset(LocalSource(TABLE), SCHEMA)
    doomed = Curator(
        data, DurableLedger(Store(url), "refined"), tick=1e-9, sleep=dying, clock=iter([0.0, 0.0]).__next__
    )
    with pytest.raises(SystemExit):
        refine(doomed, first.id, 1.0)
    assert curator(url).ledger.spent == Cost.of(1) and question.cost() == Cost.of("0.5")
    with pytest.raises(ParameterError, match="This result was already improved"):
        refine(curator(url), first.id, 2.0)
    assert refine(curator(url), first.id, 1.0).request == question.request and curator(url).ledger.spent == Cost.of(1)


REFINING = sorted(slug for slug, kind in registry.items() if kind.refines and not kind.open_only)


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.name)
def test_a_ledger_opened_again_amounts_to_what_a_session_holds(url: str, rule: Rule) -> None:
    """Chains of finer answers of all that refines: the same charges, from which every view comes."""
    limit = Cost.of(50, "1e-4")
    data = Dataset(LocalSource(TABLE.append_column("g", TABLE["x"])), GROUPED)
    session = SessionLedger(limit, rule)
    open_budget(Store(url).prepare(), "both", limit, rule)
    for ledger in (session, DurableLedger(Store(url), "both")):
        asked = Curator(data, ledger, tick=0)
        for slug in REFINING:
            mechanism: Any = registry[slug](epsilon=0.3)  # type: ignore[call-arg]
            release = asked.ask(Request(mechanism, ("g" if not mechanism.view.groups else "x",)))
            for epsilon in (0.5, 0.6):
                with suppress(ParameterError):  # some rules take normal noise alone
                    release = refine(asked, release.id, epsilon)
    again = DurableLedger(Store(url), "both")
    mine, yours = charges(again.entries), charges(session.entries)
    assert mine == yours and any(isinstance(line.account, Refined) for line in again.entries)
    assert again.spent == session.spent
