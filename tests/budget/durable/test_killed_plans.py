"""Processes that run plans are killed at random points: each plan is paid once, and told answers stay."""

from __future__ import annotations

import random
import time
from contextlib import suppress
from math import inf
from multiprocessing.connection import Connection

import pyarrow as pa
import pytest
from support.soak import times
from support.workers import FORK

from discreet.budget import Cost
from discreet.budget.durable import DurableLedger, Store, open_budget, verify
from discreet.curator import Curator, FixedPlan, Request
from discreet.curator.release import name_of
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.laplace import Geometric
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.queries.sum import Sum
from discreet.rows import Category, Dataset, LocalSource, Number, Schema

KILLS, ROUNDS = times(12, 50), 40
SCHEMA = Schema({"x": Number(0, 10, integer=True), "g": Category(("a", "b"))})
TABLE = pa.table({"x": ["1", "2", "9", "4"] * 25, "g": ["a", "b", "a", "a"] * 25})
ROWS = (
    Request(CountsGeometric(epsilon=0.0002), ("g",)),
    Request(Geometric(Sum(), 0.0001), ("x",), by="g"),
    Request(TwoCounts(epsilon=0.0001), ("x",)),
    Request(QuantileExponential(epsilon=0.0001), ("x",)),
)
PLAN = FixedPlan(ROWS)


def curator(url: str) -> Curator:
    """Return a curator that spends from the database."""
    return Curator(Dataset(LocalSource(TABLE), SCHEMA), DurableLedger(Store(url), "plans"), tick=0)


def until_killed(url: str, turn: int, out: Connection) -> None:
    """Run one plan after another, and tell each one's answers once they are returned."""
    asked = curator(url)
    for number in range(ROUNDS):
        nonce = f"{turn}:{number}"
        out.send(("begun", nonce))
        out.send((nonce, [row.answer for row in asked.run(PLAN, nonce).releases]))


def hear(process: Connection, begun: set[str], answered: dict[str, object], most: float) -> None:
    """Take down what a process says, until it has told so many answers or has ended."""
    with suppress(EOFError, ConnectionResetError):
        while most > 0:
            nonce, answers = process.recv()
            if nonce == "begun":
                begun.add(answers)
            else:
                answered[nonce], most = answers, most - 1


def killed(url: str) -> tuple[dict[str, object], set[str]]:
    """Kill one process after another, each in a plan; return what they told, and every plan that was begun."""
    choose, answered, begun = random.Random(11), dict[str, object](), {"first"}
    start = time.perf_counter()
    curator(url).run(PLAN, "first")
    taken = time.perf_counter() - start
    for turn in range(KILLS):
        here, there = FORK.Pipe(duplex=False)
        process = FORK.Process(target=until_killed, args=(url, turn, there), daemon=True)
        process.start()
        there.close()
        here.poll(10)
        hear(here, begun, answered, choose.randrange(3))  # however busy the machine is
        time.sleep(choose.random() * 2 * taken)
        process.kill()
        hear(here, begun, answered, inf)
        process.join()
    return answered, begun


@pytest.mark.soak
def test_a_plan_is_paid_once_wherever_it_is_cut_off(url: str) -> None:
    """Many kills: what was told is there; the rest is answered for the charge that was made, if one was."""
    open_budget(Store(url).prepare(), "plans", Cost.of(20))
    answered, begun = killed(url)
    asked, ledger = curator(url), DurableLedger(Store(url), "plans")
    lines = [(line["request"], line["kind"]) for line in ledger.lines]
    cut = {request for request, kind in lines if kind == "charge"} - {r for r, kind in lines if kind == "settle"}
    print(f"{len(answered)} plans told, {len(begun)} begun, {len(cut)} charged and cut off before their answers")
    assert len(answered) > KILLS / 2 and cut
    for nonce in begun:
        answers = asked.run(PLAN, nonce)
        assert nonce not in answered or [row.answer for row in answers.releases] == answered[nonce]
    lines = [(line["request"], line["kind"]) for line in ledger.lines]
    names = {name_of(PLAN, nonce) for nonce in begun}
    assert sorted(request for request, kind in lines if kind == "charge") == sorted(names)
    assert sorted(request for request, kind in lines if kind == "settle") == sorted(names)
    assert ledger.spent == Cost(PLAN.cost().nano_epsilon * len(names)) and verify(Store(url), "plans").holds
