"""A fixed plan: one charge, one record, every row answered or refused by itself."""

from __future__ import annotations

from dataclasses import replace
from threading import Thread
from typing import Any

import pyarrow as pa
import pytest

from discreet.budget import ZCDP, BudgetExceeded, Cost, SessionLedger
from discreet.budget.durable import open_ledger
from discreet.budget.errors import ParameterError
from discreet.curator import Answers, Curator, FixedPlan, Release, Request
from discreet.curator.records import answers_of, release_of, text_of
from discreet.curator.release import name_of
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.exhibits.global_mean import TextbookGlobalMean
from discreet.mechanisms.gaussian import AnalyticGaussian
from discreet.mechanisms.laplace import Geometric, GlobalLaplace
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.queries import Relation
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.sum import Sum
from discreet.rows import Category, Dataset, LocalSource, Number, Schema

SCHEMA = Schema({"x": Number(0, 10, integer=True), "g": Category(("a", "b"))})
TABLE = pa.table({"x": ["1", "2", "9", "4"] * 25, "g": ["a", "b", "a", "a"] * 25})
COUNTS = Request(CountsGeometric(epsilon=0.2), ("g",))
SUMS = Request(Geometric(Sum(), 0.1), ("x",), by="g")
MEDIAN = Request(QuantileExponential(epsilon=0.3), ("x",))
PLAN = FixedPlan((COUNTS, SUMS, MEDIAN))
MANY = FixedPlan(tuple(Request(Geometric(Sum(), 0.05), ("x",), by=by) for by in [None, "g"] * 10), 1e-6)


def curator(ledger: Any = None) -> Curator:
    """Return a curator over protected rows."""
    return Curator(Dataset(LocalSource(TABLE), SCHEMA), ledger or SessionLedger(Cost.of(2, "1e-5")), tick=0)


def test_a_plan_is_one_charge_and_one_answer_for_every_row() -> None:
    """Three questions: one line of the ledger, three releases that the screens know as any other."""
    asked = curator()
    answers = asked.run(PLAN)
    assert isinstance(answers, Answers) and len(answers.releases) == 3
    assert [entry.kind for entry in asked.ledger.entries] == ["charge", "settle"]
    assert asked.ledger.spent == Cost.of("0.6") == answers.cost
    assert [row.request for row in answers.releases] == list(PLAN.rows) and asked.releases == answers.releases
    assert len({row.id for row in answers.releases}) == 3 and {row.entry for row in answers.releases} == {0}
    counts, sums, median = answers.releases
    assert len(counts.interval) == 2 and dict(sums.interval)["a"] is not None and 0 <= float(median.answer) <= 10  # type: ignore[arg-type]


def test_the_same_plan_is_the_same_answer_and_another_nonce_another_draw() -> None:
    """A repeat costs nothing; a new draw costs again; a question alone is none of its rows."""
    asked = curator()
    first = asked.run(PLAN)
    assert asked.run(PLAN) is first and asked.ledger.spent == Cost.of("0.6")
    assert asked.run(PLAN, "again").id != first.id and asked.ledger.spent == Cost.of("1.2")
    assert isinstance(asked.ask(COUNTS), Release) and asked.ledger.spent == Cost.of("1.4")


def test_many_rows_cost_less_than_their_sum_and_the_proof_is_named() -> None:
    """Twenty rows of 0.05: what is charged is what losses compose to, and no more than is left."""
    asked = curator(SessionLedger(Cost.of("0.9", "1e-6")))
    assert MANY.total.plain == Cost.of(1) and MANY.total.proof in {"Advanced", "Privacy loss distributions (PLD)"}
    answers = asked.run(MANY)
    assert answers.cost == MANY.cost() == asked.ledger.spent and 0.8 < answers.cost.epsilon < 0.88
    with pytest.raises(BudgetExceeded):
        asked.run(replace(MANY, delta=0.0), "again")


def test_a_ledger_of_rho_takes_what_it_knows_of_every_row() -> None:
    """Gaussian rows count their rho, all together, and less than the cost of the plan would."""
    rows = tuple(Request(AnalyticGaussian(Sum(), 0.1, 1e-7), ("x",)) for _ in range(20))
    ledger = SessionLedger(Cost.of(2, "1e-5"), ZCDP)
    curator(ledger).run(FixedPlan(rows, 1e-6))
    account = FixedPlan(rows).account()
    assert ZCDP.rho(ledger.entries[0].amount) == pytest.approx(account.rho, rel=1e-6)


def test_a_row_that_fails_or_refuses_is_an_answer_of_that_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are answered, and nothing comes back."""
    refusing = Request(ProposeTestRelease(Median(), epsilon=0.5, delta=1e-6, b=0.001), ("x",))
    plan = FixedPlan((refusing, MEDIAN), 1e-6)
    monkeypatch.setattr(QuantileExponential, "law", lambda self, data: 1 / 0)
    asked = curator()
    answers = asked.run(plan)
    assert answers.releases[1].refused and answers.releases[1].answer is None
    assert asked.ledger.spent == plan.cost() == answers.cost


@pytest.mark.parametrize("database", [False, True])
def test_a_plan_reads_back_to_the_last_bit(database: bool, tmp_path: Any) -> None:
    """As text, and from a ledger on disk after a restart."""
    ledger = open_ledger(tmp_path / "ledger.db", Cost.of(2, "1e-5")) if database else SessionLedger(Cost.of(2))
    first = curator(ledger).run(PLAN)
    assert answers_of(text_of(first)) == first
    again = open_ledger(tmp_path / "ledger.db") if database else ledger
    assert curator(again).run(PLAN) == first and len(again.entries) == 2


def test_a_crash_between_charge_and_record_costs_nothing_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plan is paid once, whatever ends the process before anybody saw an answer."""
    asked, ends = curator(), iter([True, True, False])

    def crashing(*_: object) -> Any:
        raise KeyboardInterrupt

    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr("discreet.curator.release.keep", crashing)
            with pytest.raises(KeyboardInterrupt):
                asked.run(PLAN)
        assert next(ends) and asked.ledger.spent == Cost.of("0.6") and asked.releases == ()
    assert len(asked.run(PLAN).releases) == 3 and asked.ledger.spent == Cost.of("0.6")


def test_many_at_once_get_one_plan() -> None:
    """Eight threads that press the same button."""
    asked, got = curator(), list[Answers]()
    threads = [Thread(target=lambda: got.append(asked.run(PLAN))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(answers) for answers in got}) == 1 and asked.ledger.spent == Cost.of("0.6")


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ((), "between 1 and 1,000 queries"),
        ((COUNTS, Request(Geometric(Sum(), 0.1), ("y",))), "Query 2 of the plan: Column 'y' is not declared"),
        (
            (Request(GlobalLaplace(Mean(Relation(size=3)), 0.1), ("x",)), COUNTS),
            "All queries of a plan must use the same",
        ),
        (
            (Request(GlobalLaplace(Median(Relation(rows=2)), 0.1), ("x",)), COUNTS),
            "All queries of a plan must use the same",
        ),
        ((COUNTS, Request(TextbookGlobalMean(), ("x",))), r"textbook version \(not private\)"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_a_charge(rows: Any, sentence: str) -> None:
    """With the number of the row where one row is wrong."""
    asked = curator()
    with pytest.raises(ParameterError, match=sentence):
        asked.run(FixedPlan(rows))
    assert asked.ledger.entries == ()


def test_plans_and_questions_have_names_of_their_own() -> None:
    """Nobody gets the answer of a plan by asking its only row, nor of another order or delta."""
    names = [name_of(q, "") for q in (COUNTS, FixedPlan((COUNTS,)), FixedPlan((COUNTS,), 1e-6))]
    names += [name_of(FixedPlan(PLAN.rows[::-1]), ""), name_of(PLAN, ""), name_of(PLAN, "again")]
    assert len(set(names)) == len(names)


def test_several_categories_are_crossed() -> None:
    """Each level with each, in one question; the record reads back; a person counts as in one group."""
    schema = Schema({**SCHEMA.columns, "h": Category(("x", "y", "z"))})
    table = TABLE.append_column("h", pa.array(["x", "y"] * 50))
    asked = Curator(Dataset(LocalSource(table), schema), SessionLedger(Cost.of(2)), tick=0)
    release = asked.ask(Request(Geometric(Sum(), 0.5), ("x",), by=("g", "h")))
    levels = [level for level, _ in release.answer]  # type: ignore[union-attr, misc]
    assert levels == ["a · x", "a · y", "a · z", "b · x", "b · y", "b · z"] and release.cost == Cost.of("0.5")
    assert dict(release.interval)["b · z"] is not None
    assert release_of(text_of(release)) == release
    assert Request(Geometric(), ("x",), by=["g"]) == Request(Geometric(), ("x",), by="g")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("by", "sentence"),
    [
        (("g", "g"), "already used for grouping"),
        (("g", "x"), "'x' is not a declared category"),
        (("g", "k"), "not declared"),
        (("odd", "odder"), "the same name"),
        (tuple("abcdef"), "at most 10,000 groups"),
    ],
)
def test_categories_that_make_no_groups_are_refused(by: tuple[str, ...], sentence: str) -> None:
    """Before a charge, by public things."""
    many = {name: Category(tuple(map(str, range(9)))) for name in "abcdef"}
    odd = {"odd": Category(("1", "1 · 2")), "odder": Category(("2 · 3", "3"))}
    schema = Schema({**SCHEMA.columns, **many, **odd})
    with pytest.raises(ParameterError, match=sentence):
        Request(Geometric(), ("x",), by=by).check(schema)
