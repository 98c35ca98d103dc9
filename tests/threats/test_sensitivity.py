"""S1 and S2: proposals and formulas on which the noise stands. Each also catches a naive twin."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy import optimize, stats
from support.evidence.worlds import World, every_query, title_of, world
from support.pages import press
from threats.screens import at, space, working_on

from discreet.budget import BASIC, RENYI, ZCDP, BudgetExceeded, Cost, Pure, Rule, SessionLedger
from discreet.curator import Curator, ReleaseNoise, Request
from discreet.evidence.worlds import book, ladder_faults
from discreet.mechanisms.ptr import ProposeTestRelease
from discreet.queries import ADD_REMOVE, Bounds, Column, Query, Relation
from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.sum import Sum
from discreet.rows import Dataset, LocalSource, Number, Schema
from discreet.rows.persons import DrawnLots

AGES = Schema({"age": Number(0, 100, integer=True)})
CALM, WILD = (50,) * 300, (0, 100) * 100


def people(*ages: float) -> Dataset:
    """Return protected people of these ages."""
    return Dataset(LocalSource(pa.table({"age": [str(age) for age in ages]})), AGES)


def column(dataset: Dataset) -> Column:
    """Return their ages, as a mechanism sees them."""
    return dataset.column("age", (), DrawnLots(ReleaseNoise()))


# S1: a bound b that is found by trying.

PROPOSAL = ProposeTestRelease(Median(), epsilon=0.4, delta=1e-7, share=0.5)


def cheap_search(ask: Callable[[ProposeTestRelease, int], Any], spent: Callable[[], Cost]) -> bool:
    """Halve b for as long as answers come, as somebody would who looks for the sensitivity."""
    b, tries = 100.0, 0
    try:
        for turn in range(60):
            answered = ask(replace(PROPOSAL, b=b), turn) is not None
            tries, b = tries + 1, b / 2 if answered else b * 1.5
    except BudgetExceeded:
        pass
    return tries * PROPOSAL.refusal_cost().nano_epsilon > spent().nano_epsilon


def test_s1_every_proposal_is_paid_for() -> None:
    """Trying bounds until one passes spends a test for each; the book's search is free."""
    dataset, limit = people(*range(20, 80)), Cost.of(4, "1e-4")
    road = Curator(dataset, SessionLedger(limit), tick=0)
    naive_ledger = SessionLedger(limit)

    def ours(proposed: ProposeTestRelease, turn: int) -> Any:
        return road.ask(Request(proposed, ("age",)), str(turn)).answer

    def naive_search(proposed: ProposeTestRelease, turn: int) -> Any:
        answer = proposed.law(column(dataset)).draw(ReleaseNoise())
        if turn == 0:
            naive_ledger.charge("the answer", proposed.cost())
        return answer

    assert not cheap_search(ours, lambda: road.ledger.spent)
    assert len(road.releases) >= limit.nano_epsilon // PROPOSAL.cost().nano_epsilon
    assert cheap_search(naive_search, lambda: naive_ledger.spent)


def follows_rows(propose: Callable[[Dataset], float]) -> bool:
    """Say whether a proposal is another one for other people."""
    return propose(people(*CALM)) != propose(people(*WILD))


def test_s1_a_preset_proposal_follows_public_inputs() -> None:
    """The screen proposes the same b whatever the rows; a b tuned on them tells about them."""

    def ours(dataset: Dataset) -> float:
        app = press(at(working_on(dataset), "propose_test_release"), ":spend")
        (release,) = space(app).curator.releases
        mechanism = release.request.mechanism
        assert isinstance(mechanism, ProposeTestRelease)
        return mechanism.b

    def naive_tuning(dataset: Dataset) -> float:
        best = ProposeTestRelease(Mean(), epsilon=0.5).variants(column(dataset))[-1]
        assert isinstance(best, ProposeTestRelease)
        return best.b

    assert not follows_rows(ours)
    assert follows_rows(naive_tuning)


# S2: formulas.

FIVE = Bounds(-4, 8, step=3, integer=True)
SMALL = world(5, 0, 6, ADD_REMOVE)
SIZED = world(5, 3, 3, Relation(3))


def faults(query: Query, small: World = SMALL) -> list[str]:
    """Return what no neighbour pair of a small world may break, and some do."""
    b, _ = book(query, FIVE, small)
    breaches = [name for name, count in ladder_faults(b).items() if count]
    return breaches + ["global"] * bool(np.any(b.moves > b.most + b.slack))


@dataclass(frozen=True)
class NaiveWidth(Mean):
    """A mean whose width is lower less lower: the lower bound used twice, so the noise is 0."""

    def global_sensitivity(self, bounds: Bounds) -> float:
        """Return 0."""
        return (bounds.lower - bounds.lower) / 2


@dataclass(frozen=True)
class NaiveSum(Sum):
    """A sum that a person moves by the width of the bounds, wherever they lie."""

    def row_sensitivity(self, bounds: Bounds) -> float:
        """Return the width, also for years from 1900 to 2000."""
        return bounds.width / 2


@dataclass(frozen=True)
class NaiveLadder(Mean):
    """A mean with the local sensitivity that textbooks print: u / (n + 1)."""

    def row_ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Return the printed formula at n - k rows."""
        return np.asarray(column.bounds.upper / (np.maximum(column.n - k, 0) + 1))


def test_s2_no_person_moves_a_statistic_further_than_its_formulas() -> None:
    """Every neighbour pair of every small dataset, for every statistic that can be asked."""
    for query in every_query(ADD_REMOVE):
        assert not faults(query), title_of(query)
    for query in every_query(Relation(3)):
        assert not faults(query, SIZED), title_of(query)
    for twin in (NaiveWidth(), NaiveSum(), NaiveLadder()):
        assert faults(twin), type(twin)


COUNT, EACH, DELTA = 40, 0.2, 1e-6


def truth() -> float:
    """Return the least epsilon of forty answers of epsilon 0.2: worst case, exactly.

    Forty lies or truths of randomized response; the divergence is a sum of binomials.
    """
    lies = np.arange(COUNT + 1)
    lie = 1 / (1 + math.exp(EACH))
    law, other = stats.binom.pmf(lies, COUNT, lie), stats.binom.pmf(lies, COUNT, 1 - lie)

    def excess(epsilon: float) -> float:
        return float(np.maximum(0, law - math.exp(epsilon) * other).sum()) - DELTA

    return float(optimize.brentq(excess, 0.0, COUNT * EACH))


@pytest.mark.parametrize("rule", [BASIC, ZCDP, RENYI], ids=lambda rule: rule.name)
def test_s2_an_odometer_never_tells_less_than_the_truth(rule: Rule) -> None:
    """What a ledger says is spent is at least what the worst case loses; a root alone is less."""
    ledger = SessionLedger(Cost.of(20, 2 * DELTA), rule)
    for turn in range(COUNT):
        ledger.charge(str(turn), Cost.of(EACH), account=Pure(EACH))

    def understates(epsilon: float) -> bool:
        return epsilon < truth()

    naive_root = math.sqrt(COUNT) * EACH
    assert ledger.spent.delta <= DELTA and not understates(ledger.spent.epsilon)
    assert understates(naive_root)


def test_s2_values_are_clipped_on_both_sides_before_anything_is_computed() -> None:
    """One person far below or far above moves the mean no further than its sensitivity."""
    most = Mean().global_sensitivity(AGES.columns["age"].bounds)  # type: ignore[union-attr]

    def moves_too_far(mean: Callable[..., float]) -> bool:
        start = mean(20, 30, 40)
        return any(abs(mean(20, 30, 40, far) - start) > most for far in (-1e12, 1e12))

    def naive_clip(*ages: float) -> float:
        return float(np.minimum(ages, 100).mean())

    assert not moves_too_far(lambda *ages: Mean().value(column(people(*ages))))
    assert moves_too_far(naive_clip)
