"""Small files that people bring: measured first, read in the process that has limits, and none takes the server's."""

from __future__ import annotations

import json
import operator
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from discreet.budget import Cost, ParameterError
from discreet.budget.errors import Phrase
from discreet.plans import Plan, Wanted, plan_from, plan_text, planned, planning, request_list
from discreet.plans.request_list import LARGEST, brought_plan
from discreet.rows import Category, Number, Schema, codebooks
from discreet.rows.codebooks import codebook
from discreet.rows.intake import parser, small_files
from discreet.rows.intake.small_files import read_aside
from discreet.ui.session import own_table

DECLARED = Schema({"x": Number(0, 100), "sex": Category(("f", "m"))})
TOTAL = Cost.of(1)
ROW = {"statistic": "mean", "column": "x"}
FEW = 8 * 2**20  # bytes that reading one may take of the server


def plan_of(**row: object) -> dict[str, object]:
    """Return a plan of one row as its file says it."""
    return {"discreet_plan": 1, "epsilon": 1, "rows": [ROW | row]}


@contextmanager
def little(most: int = FEW) -> Iterator[None]:
    """Fail if something takes much memory of this process."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


def plan_file(data: bytes) -> object:
    """Bring a plan."""
    return brought_plan(data, DECLARED, TOTAL)


def declaration(data: bytes) -> object:
    """Bring a declaration or a codebook."""
    return codebooks.brought(data, ["x"])


ATTACKS: list[tuple[Callable[[bytes], object], bytes, str]] = [
    (plan_file, b'{"a":[' + b"[]," * (LARGEST // 3 - 10) + b"[]]}", "not a plan file"),
    (plan_file, b"[" * LARGEST, "not a plan file"),
    (plan_file, b'{"a":' * (LARGEST // 6) + b"1", "not a plan file"),
    (plan_file, json.dumps({f"r{at}": {"type": "x"} for at in range(40_000)}).encode(), "between 1 and 1,000 queries"),
    (own_table.brought, b"\n" * own_table.MOST_BYTES, "too large|larger than"),
    (own_table.brought, b'"' + b"a" * 4_000_000, "not a comma-separated UTF-8 text file"),
    (own_table.brought, b"a,b\n" + b",,,,,,,,,\n" * 400_000, "too large|larger than"),
    (declaration, json.dumps({"columns": {f"c{at}": {"kind": "ignored"} for at in range(50_000)}}).encode(), "10,000"),
    (declaration, b'{"fields":[' + b"{}," * 600_000 + b"{}]}", "This codebook has no bounds or allowed"),
    (declaration, b"<codeBook>" + b"<var/>" * 300_000 + b"</codeBook>", "This codebook has no bounds or allowed"),
]


@pytest.mark.parametrize(("bring", "data", "said"), ATTACKS)
def test_what_is_made_to_take_memory_takes_none_of_the_server(
    bring: Callable[[bytes], object], data: bytes, said: str
) -> None:
    """Lists of nothing, lines of nothing, columns that nobody has: each would be hundreds of MiB of objects."""
    with little(), pytest.raises(ParameterError, match=said):
        bring(data)


@pytest.mark.parametrize(
    ("bring", "size"),
    [(plan_file, LARGEST), (declaration, codebook.LARGEST), (own_table.brought, own_table.MOST_BYTES)],
)
def test_a_file_is_measured_before_it_is_handed_on(
    monkeypatch: pytest.MonkeyPatch, bring: Callable[[bytes], object], size: int
) -> None:
    """What the field for it says stands here too: the browser alone keeps to it."""
    monkeypatch.setattr(small_files, "hand_over", None)
    with pytest.raises(ParameterError, match="at most|too large|larger than"):
        bring(b" " * (size + 1))


def test_conditions_are_counted_before_one_is_made() -> None:
    """Of a row, alternatives among them, and of a filter in a list of requests."""
    below = [["x", "<", at] for at in range(100)]
    assert len(plan_from(json.dumps(plan_of(where=below))).items[0].where) == 100
    for where in ([*below, ["x", "<", 1]], [below, ["x", "<", 1]], [[*below, *below]]):
        with pytest.raises(ParameterError, match="Query 1 of the plan has more than 100 conditions"):
            plan_from(json.dumps(plan_of(where=where)))
    for joined, times in ((" | ", 101), (" & ", 101), (" & x < 3 | x < 2 & ", 7)):
        text = joined.join(["x < 1"] * times)
        with pytest.raises(ParameterError, match="conditions"):
            request_list.conditions(text, DECLARED)


def test_plans_and_lists_come_back_as_they_were_meant() -> None:
    """What the other process makes of them is what this one would."""
    where = json.dumps(plan_of(where=[["sex", "=", "f"], [["x", "<", 3], ["x", ">", 90]]], wish=0.5, by=["sex"]))
    assert brought_plan(where.encode(), DECLARED, TOTAL) == plan_from(where)
    listed = json.dumps({"r": {"type": "quantile", "variable": "x", "alpha": [0.5, 0.25], "filtre": "sex == 'f'"}})
    assert brought_plan(listed.encode(), DECLARED, TOTAL) == request_list.opened(listed, DECLARED, TOTAL).plan
    tiny = Plan((Wanted("mean", "x"),), Cost.of("0.123456789", "1e-15"), reserve=1 / 3)
    assert brought_plan(plan_text(tiny).encode(), DECLARED, TOTAL) == tiny


@pytest.mark.parametrize(
    "book", [Schema({"x": Number(0, 7, unit="km", origin="law")}).to_json(), "x; 0 to 3\ny; a, b\n", "x: 1.5 to 9"]
)
def test_codebooks_come_back_as_they_are_read(book: str) -> None:
    """Whole or not."""
    assert codebooks.brought(book.encode(), ["x"]) == codebooks.read(book.encode(), ["x"])


def test_a_refusal_comes_back_as_the_sentence_it_is() -> None:
    """With its template and its values, so that a screen says it in another language; a long word is cut."""
    with pytest.raises(ParameterError) as refused:
        plan_file(json.dumps(plan_of(**{"w" * 5_000: 1})).encode())
    said = refused.value.args[0]
    assert said.template.startswith("Unknown name {name!r}") and len(said) < 300
    inner = Phrase("in {place}", place="a {row}")
    both = Phrase("{what} {at} {number:.1f}", what=inner, at=None, number=2)
    assert Phrase.of(json.loads(json.dumps(both.plain()))) == "in a {row} None 2.0"


@pytest.mark.parametrize("most", [2**27, 2**40])
def test_an_answer_has_an_end(most: int) -> None:
    """What is longer than any of our forms is not taken over; the next file is read."""
    with little(small_files.MOST_ANSWER + 2 * FEW), pytest.raises(ParameterError, match="more time or memory"):
        read_aside(operator.mul, b"a", most)
    assert read_aside(operator.mul, b"ab", 10**5) == b"ab" * 10**5


def test_what_grows_without_end_ends_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before it is answered, however long an answer may be."""
    monkeypatch.setattr(small_files, "MOST_ANSWER", 2**30)
    with pytest.raises(ParameterError, match="more time or memory"):
        read_aside(operator.mul, b"a", small_files.ROOM + 2**27)


def test_what_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its processor time."""
    monkeypatch.setattr(small_files, "SECONDS", 1)
    cells = "\n".join(["a,b", *["1,2"] * 99_000, *["," * 1_000] * 90_000])
    with pytest.raises(ParameterError, match="more time or memory"):
        read_aside(own_table.in_our_form, cells.encode())


def test_small_files_queue_and_do_not_stand_behind_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of one browser one after the other, a few of all at once; whoever waits too long is told so."""
    monkeypatch.setattr(parser, "PATIENCE", 0.1)
    good = json.dumps(plan_of()).encode()
    with ExitStack() as held:
        for _ in range(parser.AT_ONCE):
            held.enter_context(parser._turn(parser._turns, lambda _: None))
        assert plan_file(good)  # tables of others are being read
        held.enter_context(parser._turn(parser._own("one"), lambda _: None))
        with parser.brought_by("one"), pytest.raises(ParameterError, match="reading other files"):
            plan_file(good)
        with parser.brought_by("another"):
            assert plan_file(good)
        for _ in range(parser.AT_ONCE):
            held.enter_context(parser._turn(parser._small_turns, lambda _: None))
        with parser.brought_by("a third"), pytest.raises(ParameterError, match="reading other files"):
            plan_file(good)
    assert plan_file(good)


def test_long_plans_are_planned_a_few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short one waits for none of them."""
    monkeypatch.setattr(planning, "PATIENCE", 0.1)
    short = Plan((Wanted("mean", "x"),), TOTAL)
    long = Plan((Wanted("mean", "x", interval=True),), TOTAL, 10**6)
    assert planning.seconds(long.items[0].subject(DECLARED, long.people, long.shape)) > planning.QUICK
    with ExitStack() as held:
        for _ in range(planning.LANES):
            assert planning._lanes.acquire(timeout=1)
            held.callback(planning._lanes.release)
        with pytest.raises(ParameterError, match="planning other long plans"):
            planned(long, DECLARED)
        assert planned(short, DECLARED).rows
