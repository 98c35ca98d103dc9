"""Answers that outlive their process: kept with their charge, once, whoever drew them."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import sqlalchemy as sa

import discreet.curator.release
from discreet.budget import Cost
from discreet.budget.durable import DurableLedger, Store, open_budget, verify
from discreet.curator import Curator, ReleaseNoise, Request
from discreet.curator.records import rebuilt, release_of, text_of
from discreet.curator.request import plain
from discreet.mechanisms import former, registry
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries import Relation
from discreet.queries import registry as statistics
from discreet.queries.column import Bins
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.quantile import Quantile
from discreet.queries.trimmed import TrimmedMean
from discreet.rows import Category, Dataset, Either, Filter, LocalSource, Number, Schema

SCHEMA = Schema({"age": Number(0, 100, integer=True), "town": Category(("a", "b"))})
LIMIT = Cost.of("5.0", "1e-5")
ASKED = Request(SmoothCoreTail(query=Median(), epsilon=0.5), ("age",))


def people() -> Dataset:
    """Return protected people."""
    ages = [18 + i % 60 for i in range(500)]
    table = pa.table({"age": ages, "town": ["ab"[i % 2] for i in range(500)]})
    return Dataset(LocalSource(table), SCHEMA)


@pytest.fixture
def open_again(tmp_path: Path) -> Callable[..., Curator]:
    """Return a maker of curators over one file, each as a new process would open it."""

    def make(noise: Any = None) -> Curator:
        store = Store(f"sqlite:///{tmp_path / 'vault' / 'ledger.db'}").prepare()
        return Curator(people(), open_budget(store, "people", LIMIT), noise, tick=0.0)

    return make


QUESTIONS = [
    *(Request(kind(), ("age",)) for kind in (*registry.values(), *former.values())),
    *(Request(SmoothCoreTail(query=query()), ("age",)) for query in statistics.values() if query is not TrimmedMean),
    Request(SmoothCoreTail(query=Quantile(q=Fraction(9, 10))), ("age",), [Filter("age", ">", 3.5)]),
    Request(SmoothCoreTail(query=Mean(Relation(500, 3))), ("age",), [Filter("town", "in", ["a"])]),
    Request(SmoothCoreTail(), ("age",), [Either((Filter("age", ">", 3), Filter("town", "not in", ["a", "b"])))]),
    Request(SmoothCoreTail(query=TrimmedMean(cut="0.1", resize=400)), ("age",), by="town"),
    Request(CountsGeometric(epsilon=0.1, bins=Bins((0.0, 20.0, 100.0))), ("age",)),
    Request(registry["several-gaussian"](queries=(Mean(), Median())), ("age",)),  # type: ignore[call-arg]
]


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: type(asked.mechanism).slug)
def test_a_kept_question_is_the_question(asked: Request) -> None:
    """Every mechanism, every statistic, filters, groups, bins: the same value, the same name."""
    again = rebuilt(json.loads(json.dumps(plain(asked))))
    assert again == asked and again.identity == asked.identity


@pytest.mark.parametrize(
    "asked",
    [
        ASKED,
        Request(SmoothCoreTail(query=Median(), epsilon=0.5), ("age",), by="town"),
        Request(CountsGeometric(epsilon=0.5), ("town",)),
        Request(registry["permute-and-flip"](epsilon=0.5), ("town",)),  # type: ignore[call-arg]
        Request(registry["laplace"](query=Median(), epsilon=0.5), ("age",)),
    ],
)
def test_an_answer_is_there_after_a_restart_and_costs_once(open_again: Callable[..., Curator], asked: Request) -> None:
    """Numbers, groups, counts, choices, intervals: read back to the last bit."""
    first = open_again().ask(asked, "n")
    assert release_of(text_of(first)) == first
    later = open_again()
    assert later.stored(asked, "n") == first == later.ask(asked, "n")
    assert later.ledger.spent == first.cost
    assert later.ask(asked, "another").cost + first.cost == later.ledger.spent


def test_a_refusal_is_kept_and_its_held_part_is_free(open_again: Callable[..., Curator]) -> None:
    """Settled, chained and kept in one step."""
    test = ProposeTestRelease(query=Median(), epsilon=0.5, b=1e-9)
    refused = open_again().ask(Request(test, ("age",)))
    assert refused.refused
    later = open_again()
    assert later.ask(Request(test, ("age",))) == refused
    assert later.ledger.spent == refused.cost != test.cost()


def test_a_crash_before_an_answer_is_kept_costs_once_and_is_answered_later(
    open_again: Callable[..., Curator], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process dies with a drawn answer that nobody saw."""

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(discreet.curator.release, "keep", dies)
        with pytest.raises(KeyboardInterrupt):
            open_again().ask(ASKED)
    later = open_again()
    assert later.stored(ASKED) is None and later.ledger.spent == Cost.of("0.5")
    answer = later.ask(ASKED)
    assert later.ledger.spent == Cost.of("0.5") == answer.cost
    assert open_again().ask(ASKED) == answer


class Interrupted(ReleaseNoise):
    """A source of noise that lets another process ask the same while it draws."""

    def __init__(self, meanwhile: Callable[[], Any]) -> None:
        """Take what happens in between."""
        super().__init__()
        self.meanwhile, self.answer = meanwhile, None

    def core_tail(self, centre: float, scale: float, m: int) -> float:
        """Draw, while another is faster."""
        self.answer = self.meanwhile()
        return super().core_tail(centre, scale, m)


def test_of_two_processes_that_draw_at_once_one_answer_is_released(open_again: Callable[..., Curator]) -> None:
    """The second draw is thrown away unseen, and both tell the first."""
    noise = Interrupted(lambda: open_again().ask(ASKED))
    slower = open_again(noise)
    answer = slower.ask(ASKED)
    assert answer == noise.answer and slower.ledger.spent == answer.cost
    kinds = [line["kind"] for line in slower.ledger.lines]  # type: ignore[attr-defined]
    assert kinds == ["charge", "settle", "release"]


def test_a_kept_answer_cannot_change_and_a_changed_one_is_found(
    open_again: Callable[..., Curator], tmp_path: Path
) -> None:
    """The database refuses; behind its guards verification finds it by the chained digest."""
    open_again().ask(ASKED)
    store = Store(f"sqlite:///{tmp_path / 'vault' / 'ledger.db'}")
    assert verify(store, "people").holds
    for statement in ("UPDATE answers SET body = '{}'", "DELETE FROM answers"):
        with pytest.raises(sa.exc.DBAPIError, match="never changes"), store.engine.begin() as line:
            line.exec_driver_sql(statement)
    with store.engine.begin() as line:
        line.exec_driver_sql("DROP TRIGGER answers_update")
        line.exec_driver_sql("UPDATE answers SET body = replace(body, '\"answer\"', '\"answers\"')")
    assert "A result was changed or is missing" in str(verify(store, "people").wrong)
    assert DurableLedger(store, "people").spent == Cost.of("0.5")


EARLIER = """{"id": "f25c4e", "answer": 42.54863277836076, "entry": 0, "interval": null, "request":
{"kind": "Request", "mechanism": {"kind": "SmoothCoreTail", "query": {"kind": "Median", "relation":
{"kind": "Relation", "size": null, "rows": 1}}, "epsilon": 0.5, "m": 3}, "columns": ["age"],
"where": [{"kind": "Filter", "column": "age", "comparison": ">=", "value": 3}], "by": null},
"identity": "789223783649db09564153a0be6fd91978aaf6a5124688609ffb45df6461342d",
"cost": [500000000, 0], "at": "2026-11-22T03:52:56.631843+00:00"}"""


def test_an_answer_that_was_kept_under_other_names_of_modules_is_read() -> None:
    """What is kept names classes and no modules: a folder may move, the answer stays."""
    release = release_of(EARLIER)
    assert release.answer == 42.54863277836076 and release.request.mechanism == ASKED.mechanism
    assert text_of(release) == json.dumps(json.loads(EARLIER))
    for name in ("discreet", "curator", "mechanisms", "queries", "budget"):
        assert f"{name}." not in text_of(release)
