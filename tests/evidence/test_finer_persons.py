"""Layer 5 of refining, drawn: a finer answer is of the rows that chance chose for the first, and costs the difference.

Through the curator, of persons with several rows: what was read is compared through the answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise, product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from support.soak import some

from discreet.budget import BASIC, RENYI, ZCDP, Cost, ParameterError, SessionLedger, charges
from discreet.budget.accounts import generic
from discreet.curator import Curator, Request
from discreet.curator.refining import refine
from discreet.mechanisms import registry
from discreet.mechanisms.base.refining import finer
from discreet.queries import Relation
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.sum import Sum
from discreet.rows import Category, Dataset, Filter, LocalSource, Number, Person, Schema

PEOPLE, EACH = 500, 5
ROWS = np.arange(PEOPLE * EACH)
TABLE = pa.table(
    {
        "x": [(7 * at + 3 * (at // EACH) ** 2) % 11 for at in ROWS.tolist()],
        "g": [("a", "b", "b", "a", "b")[at % EACH] for at in ROWS],
        "h": [("u", "v")[at // 2 % 2] for at in ROWS],
        "who": [f"p{at // EACH}" for at in ROWS],
    }
)
X, G, H = Number(0, 10, integer=True), Category(("a", "b")), Category(("u", "v"))
PERSONS = (Person(), Person(rows=2), Person(reduce="first"), Person(reduce="mean"), None)
GROUPS = (None, "g", ("g", "h"))
WHERE = ((), (Filter("h", "=", "u"),))
FIRST, NEXT, LAST = 30.0, 32.0, 40.0
DELTA = 1e-3
LIMIT = Cost(10**12, 4 * 10**14)
REFINES = sorted(slug for slug, kind in registry.items() if kind.refines and not kind.open_only)
FRESH = 5
SUMS, MIDDLES = (Sum, Count), (Mean, Median)  # what adds up in groups, and what does not
CHAIN = (1.0, 1.25, 2.0)


def question(
    slug: str, person: Person | None, by: Any, where: Any, asked: Any = SUMS, epsilon: float = FIRST
) -> Request | None:
    """Return a question that refines, whose answer follows what chance chose; None where there is none."""
    kind: type[Any] = registry[slug]
    names = {each.name for each in fields(kind)}
    relation = Relation(rows=1 if person is None or person.reduce else person.rows)
    if person is None:
        relation = Relation(size=PEOPLE)
    given: dict[str, Any] = {"epsilon": epsilon} | ({"delta": DELTA} if "delta" in names else {})
    queries = tuple(query(relation) for query in (*asked, asked[0]))
    given |= {"query": queries[0]} if "query" in names else {}
    given |= {"queries": queries} if "queries" in names else {}
    given |= {"relation": relation} if "relation" in names else {}
    try:
        mechanism = kind(**given)
        column = "g" if mechanism.view.category else "x"
        request = Request(mechanism, (column,), where, by)
        request.check(schema(person))
    except ParameterError:
        return None
    return request


def schema(person: Person | None) -> Schema:
    """Declare the table, with who is a person or without."""
    return Schema({"x": X, "g": G, "h": H} | ({} if person is None else {"who": person}))


def numbers(answer: Any) -> list[float]:
    """Return all numbers of an answer, in order; names of groups are none."""
    if isinstance(answer, tuple):
        return [number for part in answer for number in numbers(part)]
    return [] if isinstance(answer, str) else [float(answer)]


def questions() -> Iterator[tuple[Person | None, Request]]:
    """Yield all that refines, for every way in which chance chooses among rows."""
    for slug, person, by, where in product(REFINES, PERSONS, GROUPS, WHERE):
        if where and by and "h" in by:
            continue  # a group without rows is noise alone
        asked = question(slug, person, by, where)
        if asked is not None:
            yield person, asked


EVERY = list(questions())


def chance_chooses(person: Person | None, request: Request) -> bool:
    """Say whether chance has a say in what is read, as it has not where a filter leaves one group of a person."""
    if person is None:
        return request.public_rows is not None
    free = {*request.groups, *(request.columns if request.mechanism.view.category else ())}
    fixed = {"h"} if request.where else set()
    means = person.reduce == "mean" or request.mechanism.view.category
    return bool(free - fixed) if means else True


@pytest.mark.soak
@pytest.mark.parametrize(("person", "request_"), some([c for c in EVERY if chance_chooses(*c)], 5), ids=str)
def test_a_finer_answer_is_of_the_same_rows(person: Person | None, request_: Request) -> None:
    """It lies near the first one where answers of choices of their own do not."""
    dataset = Dataset(LocalSource(TABLE), schema(person))
    curator = Curator(dataset, SessionLedger(LIMIT), tick=0)
    first = curator.ask(request_)
    second = refine(curator, first.id, NEXT)
    last = refine(curator, second.id, LAST)
    others = [numbers(curator.ask(request_, str(at)).answer) for at in range(FRESH)]
    here = np.array(numbers(first.answer))
    off = np.abs(np.array(others) - here).max(axis=0)
    for answer in (second.answer, last.answer):
        near = np.abs(np.array(numbers(answer)) - here)
        assert near[off.argmax()] < 0.5 * off.max(), (near, off)


@pytest.mark.parametrize("rule", [BASIC, ZCDP, RENYI], ids=lambda rule: rule.name)
@pytest.mark.parametrize("slug", REFINES)
def test_a_chain_costs_what_its_last_answer_does(slug: str, rule: Any) -> None:
    """In every group that a person touches, whatever the rule: not less, and not more."""
    ways = product((PERSONS[1], PERSONS[3], None), GROUPS, (SUMS, MIDDLES))
    every = ((person, question(slug, person, by, (), asked, CHAIN[0])) for person, by, asked in ways)
    for person, request in dict.fromkeys((person, asked) for person, asked in every if asked):
        dataset = Dataset(LocalSource(TABLE.slice(0, 6)), schema(person))
        curator = Curator(dataset, SessionLedger(LIMIT, rule), tick=0)
        first = curator.ask(request)
        try:
            last = refine(curator, refine(curator, first.id, CHAIN[1]).id, CHAIN[2]).request.mechanism
        except ParameterError:  # some rules take no difference
            assert rule is not BASIC
            continue
        spent = sum((entry.cost for entry in curator.ledger.entries), Cost.zero())
        chain = [request.mechanism, finer(request.mechanism, CHAIN[1]), last]
        steps = [request.mechanism.cost(), *(old.step(new)[0] for old, new in pairwise(chain))]
        touched = person.rows if person and not person.reduce and request.by and not request.mechanism.additive else 1
        assert spent == sum(steps * touched, Cost.zero())
        least = sum([last.cost()] * touched, Cost.zero())
        assert least.fits_in(spent) and (least == spent or last.cost().delta_units)
        alone = last.account() or generic(last.cost())
        rho = sum((charge.account or generic(charge.cost)).rho for charge in charges(curator.ledger.entries))
        assert touched * alone.rho * (1 - 1e-9) <= rho <= touched * alone.rho * (1 + 1e-6)
