"Mixtures of several values: compared exactly where they can be, else from below, and never by too many events."

from __future__ import annotations

import itertools
import math
import tracemalloc
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest

from discreet.curator import Request
from discreet.evidence.whole_road import laws, leak
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.laws import divergence as mixture
from discreet.mechanisms.laws.divergence import Mixture, Weighted, apart, divergence
from discreet.mechanisms.laws.law import Laplace, Law, Noisy, Picked, Product
from discreet.mechanisms.smooth_interval import StudentInterval
from discreet.queries.count import Count
from discreet.queries.median import Median
from discreet.rows import Category, LocalSource, Number, Person, Schema

EPSILON = 0.3


def picked(*chances: float) -> Law:
    """Return a law on 0, 1, 2 …"""
    return Picked(range(len(chances)), np.arange(len(chances), dtype=float), lambda: np.array(chances), lambda _: 0)


def noisy(centre: float) -> Law:
    """Return a number with noise of scale 1."""
    return Noisy(centre, 1.0, Laplace())


def mixed(first: Sequence[Law], second: Sequence[Law], weight: float = 0.3) -> Weighted:
    """Return one of two products, by chance."""
    return [(weight, Product(tuple(first))), (1 - weight, Product(tuple(second)))]


def by_hand(p: Weighted, q: Weighted) -> float:
    """Return the divergence of mixtures of picked answers, over all of them."""

    def chances(side: Weighted) -> dict[tuple[int, ...], float]:
        tables = [(weight, [part.probabilities for part in law.parts]) for weight, law in side]  # type: ignore[attr-defined]
        answers = itertools.product(*(range(table.size) for table in tables[0][1]))
        return {
            answer: math.fsum(w * math.prod(t[at] for t, at in zip(ts, answer, strict=True)) for w, ts in tables)
            for answer in answers
        }

    there, back = chances(p), chances(q)
    return math.fsum(max(0.0, there[answer] - math.exp(EPSILON) * back[answer]) for answer in there)


def test_mixtures_of_several_choices_are_compared_answer_by_answer() -> None:
    """Both ways, as brute force says, of two, three and six numbers."""
    a, b, c, d = picked(0.2, 0.5, 0.3), picked(0.4, 0.4, 0.2), picked(0.9, 0.1, 0), picked(0.6, 0.4, 0)
    for p, q in (
        (mixed([a, c], [b, d]), mixed([b, c], [a, d])),
        (mixed([a, b, c], [b, d, d]), mixed([b, a, d], [a, c, c], 0.6)),
        (mixed([a, b, c] * 2, [b, d, d] * 2), mixed([b, a, d] * 2, [a, c, c] * 2, 0.6)),
    ):
        assert by_hand(p, q) > 0.01
        assert apart(p, q, EPSILON) == pytest.approx((by_hand(p, q), by_hand(q, p)), rel=1e-9)


def test_a_number_that_is_the_same_everywhere_tells_nothing() -> None:
    """The other is compared exactly, as if it stood alone; where all are the same, nothing is left."""
    p, q = mixed([noisy(0), noisy(7)], [noisy(2), noisy(7)]), mixed([noisy(1), noisy(7)], [noisy(2), noisy(7)])
    sides = (Mixture((0.3, 0.7), (noisy(centre), noisy(2))) for centre in (0, 1))
    exact = divergence(*sides, EPSILON)
    assert apart(p, q, EPSILON)[0] == exact > 0.01
    assert apart(p, mixed([noisy(0), noisy(7)], [noisy(2), noisy(7)]), 0.0) == (0.0, 0.0)
    same = [noisy(1), noisy(7)]
    assert apart(mixed(same, same), mixed(same, same, 0.8), 0.0) == pytest.approx((0.0, 0.0), abs=1e-15)


@pytest.mark.parametrize("size", [2, 6, pytest.param(12, marks=pytest.mark.soak_alone)])
def test_many_numbers_are_compared_from_below_in_little_memory(size: int) -> None:
    """What one of them tells is not lost, what all of them lose is not exceeded; six took 124 GiB.

    In `make test` six hold the same of joined events as twelve.
    """
    p = mixed([noisy(0.0)] * size, [noisy(1.0)] * size)
    q = mixed([noisy(0.5)] * size, [noisy(1.5)] * size)
    tracemalloc.start()
    there, back = apart(p, q, EPSILON)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    single = [Mixture((0.3, 0.7), (noisy(a), noisy(b))) for a, b in ((0.0, 1.0), (0.5, 1.5))]
    assert 0.8 * divergence(single[0], single[1], EPSILON) < there and 0.8 * divergence(*single[::-1], EPSILON) < back
    most = divergence(Product((noisy(0.0),) * size), Product((noisy(0.5),) * size), EPSILON)  # of all parts alike
    assert max(there, back) <= most * 1.02  # itself approached from below where there are several
    assert peak < 300 * 2**20


def test_few_events_lose_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three numbers in a ten-thousandth of the room: less, and not much less."""
    p = mixed([noisy(0.0)] * 3, [noisy(1.0)] * 3)
    q = mixed([noisy(0.5)] * 3, [noisy(1.5)] * 3)
    fine = apart(p, q, EPSILON)
    monkeypatch.setattr(mixture, "EVENTS", mixture.EVENTS // 10_000)
    rough = apart(p, q, EPSILON)
    assert all(0.8 * whole < part <= whole for whole, part in zip(fine, rough, strict=True))


TABLE = Schema({"x": Number(0, 2, integer=True), "g": Category(("a", "b"), other=True), "who": Person()})


def table(rows: int) -> pa.Table:
    """Return rows of one person."""
    return pa.table({name: [cell] * rows for name, cell in (("x", "0"), ("g", "a"), ("who", "p"))})


def test_what_is_certain_is_one_law_and_not_a_mixture() -> None:
    """Six orders of three equal rows, each with its sixth: the sum is 1, not nearly."""
    request = Request(GlobalLaplace(Median(), 1.0), ("x",))
    (weighted,) = laws(table(3), TABLE, request, LocalSource)
    assert weighted[0] == 1.0


def test_groups_with_intervals_are_compared_in_little_memory() -> None:
    """Three groups of two numbers each; one person more is in one of them."""
    request = Request(StudentInterval(query=Count(), epsilon=0.01), ("x",), by="g")
    request.check(TABLE)
    assert leak(request, TABLE, table(3), table(0)).holds
