"""Ask once more, pay the difference: one charge, one draw, one chain; and what cannot be refined."""

from __future__ import annotations

from dataclasses import replace
from threading import Barrier, Thread
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from discreet.budget import ZCDP, BudgetExceeded, Charge, Cost, ParameterError, SessionLedger, all_views, charges
from discreet.curator import Curator, FixedPlan, Release, Request, road
from discreet.curator.records import behind, release_of, text_of
from discreet.curator.refining import refine
from discreet.mechanisms import registry
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.gaussian import AnalyticGaussian
from discreet.mechanisms.laplace import Geometric, GlobalLaplace
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries import Relation
from discreet.queries.mean import Mean
from discreet.queries.sum import Sum
from discreet.rows import Category, Dataset, LocalSource, Number, Person, Schema
from discreet.rows.files.format import Layout
from discreet.rows.persons import DrawnLots, Seeded

SCHEMA = Schema({"x": Number(0, 10, integer=True), "g": Category(("a", "b")), "w": Number(0, 10)})
TABLE = pa.table({"x": [1, 2, 3, 4] * 50, "g": ["a", "b"] * 100, "w": [0.5] * 200})
COUNT = Request(Geometric(epsilon=0.5), ("x",))
LIMIT = Cost.of(3, "1e-5")


def dataset(table: pa.Table = TABLE, schema: Schema = SCHEMA) -> Dataset:
    """Return protected rows."""
    return Dataset(LocalSource(table), schema)


def curator(ledger: Any = None, data: Dataset | None = None, **more: Any) -> Curator:
    """Return a curator of a session budget."""
    return Curator(data or dataset(), ledger or SessionLedger(LIMIT), tick=0, **more)


def test_a_finer_answer_costs_the_difference_and_names_the_first() -> None:
    """Half now and one later cost one in all; the ledger's line and the release name the earlier answer."""
    asked = curator()
    first = asked.ask(COUNT)
    finer = refine(asked, first.id, 1.0)
    assert (finer.cost, asked.ledger.spent) == (Cost.of("0.5"), Cost.of(1))
    assert finer.refines == first.id and asked.ledger.entry(finer.id).account.of == first.id  # type: ignore[union-attr]
    assert finer.request == replace(COUNT, mechanism=Geometric(epsilon=1.0)) and finer.interval is not None
    assert asked.releases == (first, finer)
    again = release_of(text_of(finer))
    assert again == finer and again.refines == first.id


def test_the_pair_is_one_release_in_every_view() -> None:
    """And a chain of three, with another answer between, is the finest one and the other."""
    asked = curator()
    first = asked.ask(COUNT)
    asked.ask(Request(GlobalLaplace(Sum(), 0.25), ("w",)))
    refine(asked, refine(asked, first.id, 1.0).id, 1.5)
    wanted = [Charge(m.cost(), m.account()) for m in (GlobalLaplace(Sum(), 0.25), Geometric(epsilon=1.5))]
    assert sorted(charges(asked.ledger.entries), key=repr) == sorted(wanted, key=repr)
    assert all_views(charges(asked.ledger.entries), "1e-6") == all_views(wanted, "1e-6")


def test_normal_noise_counts_its_rho_once_in_every_view() -> None:
    """The two lines add up to the finer rho, by a rule of rho as well."""
    ledger = SessionLedger(Cost.of(4, "1e-5"), ZCDP)
    asked = curator(ledger)
    question = Request(AnalyticGaussian(Mean(Relation()), 0.5, 1e-6), ("w",))
    with pytest.raises(ParameterError):
        refine(asked, asked.ask(COUNT, "pure").id, 1.0)
    before = ledger.entries[-1].total.loss
    finer = refine(asked, asked.ask(Request(AnalyticGaussian(Sum(), 0.5, 1e-6), ("w",))).id, 1.0)
    counted = ledger.entries[-1].total.loss - before
    alone = ZCDP.amount(Cost.of(1, "1e-6"), finer.request.mechanism.account(), ZCDP.capacity(ledger.limit))
    assert alone is not None and alone.loss <= counted <= alone.loss * (1 + 1e-8)
    assert question.mechanism.refines


@pytest.mark.parametrize("slug", sorted(slug for slug, kind in registry.items() if kind.refines and not kind.open_only))
def test_all_that_refines_is_refined_through_the_road(slug: str) -> None:
    """Groups as well: every number of it is drawn given its own earlier one."""
    mechanism: Any = registry[slug](epsilon=0.5)  # type: ignore[call-arg]
    counts = not mechanism.view.groups
    for by in (None,) if counts else (None, "g"):
        asked = curator(SessionLedger(Cost.of(50, "1e-4")))
        first = asked.ask(Request(mechanism, ("g",) if counts else ("x",), by=by))
        second = refine(asked, first.id, 1.0)
        third = refine(asked, second.id, 8.0)
        assert not (first.refused or second.refused or third.refused)
        assert third.request.mechanism.cost().epsilon == 8 and third.refines == second.id


def test_finer_answers_come_near() -> None:
    """With epsilon 50 a count of two hundred is exact but for a chance of exp(-50)."""
    asked = curator(SessionLedger(Cost.of(50)))
    assert refine(asked, refine(asked, asked.ask(COUNT).id, 3).id, 50).answer == 200


def test_the_same_twice_is_one_charge_and_another_epsilon_is_refused() -> None:
    """The finer answer is refined from then on."""
    asked = curator()
    first = asked.ask(COUNT)
    finer = refine(asked, first.id, 1.0)
    assert refine(asked, first.id, 1.0) is finer and asked.ledger.spent == Cost.of(1)
    with pytest.raises(ParameterError, match="This result was already improved"):
        refine(asked, first.id, 2.0)
    assert asked.ledger.spent == Cost.of(1) and refine(asked, finer.id, 2.0).cost == Cost.of(1)


def test_of_two_that_race_one_wins() -> None:
    """Whatever epsilon each asks, there is one line and one answer."""
    for _ in range(20):
        ledger = SessionLedger(LIMIT)
        first = curator(ledger).ask(COUNT)
        start, ended = Barrier(4), list[Any]()

        def race(
            epsilon: float, asked: Curator, id: str = first.id, at: Barrier = start, to: list[Any] = ended
        ) -> None:
            at.wait()
            try:
                to.append(refine(asked, id, epsilon))
            except ParameterError as refused:
                to.append(refused)

        threads = [Thread(target=race, args=(e, curator(ledger))) for e in (1.0, 1.0, 2.0, 2.0)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        answers = {release.answer for release in ended if isinstance(release, Release)}
        assert len(answers) == 1 and sum(isinstance(each, ParameterError) for each in ended) == 2
        assert len(charges(ledger.entries)) == 1 and ledger.spent in (Cost.of(1), Cost.of(2))


def test_after_a_crash_the_paid_step_is_drawn_and_nothing_is_paid_twice() -> None:
    """A charge without an answer is answered at the next try, to its own epsilon alone."""
    ledger = SessionLedger(LIMIT)
    asked = curator(ledger)
    first = asked.ask(COUNT)

    def crash(_: float) -> None:
        raise KeyboardInterrupt

    dying = Curator(dataset(), ledger, tick=1e-9, sleep=crash, clock=iter([0.0, 0.0]).__next__)
    with pytest.raises(KeyboardInterrupt):
        refine(dying, first.id, 1.0)
    assert ledger.spent == Cost.of(1)
    with pytest.raises(ParameterError, match="This result was already improved"):
        refine(curator(ledger), first.id, 2.0)
    assert refine(curator(ledger), first.id, 1.0).answer is not None and ledger.spent == Cost.of(1)


def test_what_is_too_dear_is_refused_and_changes_nothing() -> None:
    """The earlier answer can still be refined to less."""
    asked = curator(SessionLedger(Cost.of(1)))
    first = asked.ask(COUNT)
    with pytest.raises(BudgetExceeded):
        refine(asked, first.id, 1.5)
    assert refine(asked, first.id, 1.0).answer is not None


class Changing(LocalSource):
    """Rows that may be others when they are read again."""

    ground = None  # type: ignore[assignment]


MANY = pa.table({"x": [0, 10] * 300, "p": [f"p{at // 3}" for at in range(600)]})
PERSONS = Schema({"x": Number(0, 10, integer=True), "p": Person(1)})


def test_a_finer_answer_is_of_the_rows_that_chance_chose_for_the_first() -> None:
    """Of each person one row, of a public number of rows those that were kept: the same ones each time."""
    public = Request(GlobalLaplace(Mean(Relation(size=30)), 0.5), ("w",))
    cases = [
        (Dataset(LocalSource(MANY), PERSONS), Request(Geometric(Sum(), 0.5), ("x",))),
        (dataset(TABLE.set_column(2, "w", pa.array(range(200)))), replace(public, columns=("x",))),
    ]
    for data, question in cases:
        asked = curator(data=data)
        first = asked.ask(question)
        seeds = [behind(asked.ledger, each.id, data.ground).seed for each in (first, refine(asked, first.id, 1.0))]  # type: ignore[union-attr]
        read = [road.views(data, question, DrawnLots(Seeded(seed)))[0][1].total for seed in (*seeds, 1, 2, 3)]
        assert seeds[0] == seeds[1] > 2**200 and read[0] == read[1] and len(set(read)) > 2


def test_a_chain_of_sure_answers_tells_one_number() -> None:
    """What is drawn is of the same rows, too, alone and in groups: another choice would be far from the first."""
    ends = dataset(TABLE.set_column(2, "w", pa.array([at % 2 * 10 for at in range(200)])))
    groups = MANY.append_column("g", pa.array(["ab"[at % 2] for at in range(600)]))
    persons = Dataset(LocalSource(groups), Schema({**PERSONS.columns, "g": SCHEMA.columns["g"]}))
    cases: list[tuple[Dataset, Request, float, bool]] = [
        (persons, Request(Geometric(Sum(), 15), ("x",)), 25.0, True),
        (persons, Request(Geometric(Sum(), 15), ("x",), by="g"), 25.0, True),
        (ends, Request(GlobalLaplace(Mean(Relation(size=30)), 15), ("w",)), 0.7, True),
        (ends, Request(GlobalLaplace(Sum(), 15), ("w",)), 25.0, False),
    ]
    for data, question, near, chosen in cases:
        fresh = [numbers(curator(SessionLedger(Cost.of(50)), data).ask(question).answer) for _ in range(9)]
        assert (np.ptp(fresh, axis=0).max() > near) == chosen
        asked = curator(SessionLedger(Cost.of(50)), data)
        release = asked.ask(question)
        told = [numbers(release.answer)]
        for epsilon in (30, 50):
            release = refine(asked, release.id, epsilon)
            told.append(numbers(release.answer))
        assert np.ptp(told, axis=0).max() <= near, question


def numbers(answer: Any) -> list[float]:
    """Return an answer as numbers, whether of groups or not."""
    return [value for _, value in answer] if isinstance(answer, tuple) else [answer]


def test_only_the_same_rows_read_and_declared_the_same_way_refine() -> None:
    """Other rows, another declaration, a replaced budget, or a curator that keeps no numbers."""
    ledger = SessionLedger(LIMIT)
    first = curator(ledger).ask(COUNT)
    other = dataset(TABLE.slice(1))
    wider = dataset(schema=Schema({**SCHEMA.columns, "x": Number(0, 20, integer=True)}))
    for data in (other, wider):
        with pytest.raises(ParameterError, match="This result cannot be improved: the data or"):
            refine(curator(ledger, data), first.id, 1.0)
    with pytest.raises(ParameterError, match="is not in the ledger"):
        refine(curator(SessionLedger(LIMIT, former=ledger)), first.id, 1.0)
    without = curator(refines=False)
    with pytest.raises(ParameterError, match="This result cannot be improved: the data or"):
        refine(without, without.ask(COUNT).id, 1.0)
    assert ledger.spent == Cost.of("0.5")


TWICE = b"x,g,w\n1,a,2\nx,g,w\n" + b"3,a,4\n" * 30 + b"# x;9,b,1\n"  # whatever line names the columns
USUAL = Layout("text", lenient=True)


@pytest.mark.parametrize(
    "other",
    [{"skip": 2}, {"comment": "#"}, {"encoding": "cp1252"}, {"lenient": False}, {"skip": 2, "comment": "#"}],
    ids=str,
)
def test_the_same_file_read_another_way_is_not_the_same_rows(other: dict[str, Any]) -> None:
    """Its cells are others, or could be: an answer of one reading is refined over that one alone."""
    ledger, layouts = SessionLedger(LIMIT), (USUAL, replace(USUAL, **other))
    first = curator(ledger, Dataset(LocalSource(TWICE, USUAL), SCHEMA)).ask(COUNT)
    sources = [Dataset(LocalSource(TWICE, layout), SCHEMA) for layout in layouts]
    assert sources[0].ground != sources[1].ground
    with pytest.raises(ParameterError, match="This result cannot be improved: the data or"):
        refine(curator(ledger, sources[1]), first.id, 1.0)
    assert ledger.spent == Cost.of("0.5")
    assert refine(curator(ledger, sources[0]), first.id, 1.0).refines == first.id and ledger.spent == Cost.of(1)


def test_what_cannot_be_refined_is_refused_before_a_charge() -> None:
    """Secret scales, rows that may change, plans, and answers that are not there."""
    asked = curator()
    release = asked.ask(Request(SmoothCoreTail(epsilon=0.5), ("w",)))
    with pytest.raises(ParameterError, match="the change in noise would reveal the size"):
        refine(asked, release.id, 1.0)
    asked = curator(data=Dataset(Changing(TABLE), SCHEMA))
    release = asked.ask(COUNT)
    with pytest.raises(ParameterError, match="This result cannot be improved: the data or"):
        refine(asked, release.id, 1.0)
    assert asked.ledger.spent == Cost.of("0.5")
    asked = curator()
    row = asked.run(FixedPlan((COUNT, Request(CountsGeometric(epsilon=0.5), ("g",))))).releases[0]
    for id in (row.id, "nothing"):
        with pytest.raises(ParameterError, match="Only results of single queries can be"):
            refine(asked, id, 1.0)


def test_a_step_by_a_hair_is_charged_as_wide_noise() -> None:
    """Its own noise is wider than any account: it is counted as the widest there is, which loses more."""
    asked = curator()
    first = asked.ask(Request(AnalyticGaussian(Sum(), 0.0001, 1e-6), ("w",)))
    finer = refine(asked, first.id, "0.000100001")
    assert not finer.refused and finer.cost == Cost.of("0.000001", "1e-6")
    assert asked.ledger.entry(finer.id).account.rho == 0.5e-12  # type: ignore[union-attr]


def test_what_is_behind_an_answer_is_not_shown() -> None:
    """The numbers and the hash lie in the ledger; the release and its text without them are the same."""
    asked = curator()
    first = asked.ask(COUNT)
    body = str(asked.ledger.answer(first.id))
    assert '"behind": {"numbers": [[' in body and release_of(body) == first
    assert "behind" not in text_of(first) and dataset().digest not in body
