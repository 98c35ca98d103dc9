"""Layer 5 of refining: from the rows of a table to an answer and its finer one, at what both are charged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats
from support.evidence.tables import CAPPED, HERE, PAIR, ROW, TWO, World
from support.soak import times

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Request
from discreet.curator.refining import refine
from discreet.evidence.audit import Worst
from discreet.evidence.certificate import refined
from discreet.evidence.refined_road import AskedTwice, OldAndNew, laws
from discreet.evidence.whole_road import between
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.gaussian import AnalyticGaussian
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.laplace import Geometric, GlobalLaplace
from discreet.mechanisms.laws.divergence import Failed, Weighted
from discreet.mechanisms.laws.law import Law, Product
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries.count import Count
from discreet.queries.sum import Sum
from discreet.rows import LocalSource, OpenData

GRID: list[tuple[str, World, Request]] = [
    ("sum of some", ROW, Request(Geometric(Sum(), 0.5), ("x",), HERE)),
    ("sum by group", ROW, Request(Geometric(Sum(), 0.5), ("x",), by="g")),
    ("counts capped", CAPPED, Request(CountsGeometric(epsilon=0.5), ("g",))),
    ("sum capped", CAPPED, Request(Geometric(Sum(), 0.5), ("x",))),
    ("count of pairs", PAIR, Request(Geometric(Count(TWO), 0.5), ("x",), by="g")),
    ("on cells", ROW, Request(GlobalLaplace(Sum(), 0.5), ("x",))),
    ("mean of two counts", CAPPED, Request(TwoCounts(epsilon=0.5), ("x",))),
    ("normal", ROW, Request(AnalyticGaussian(Sum(), 0.5, 0.01), ("x",))),
]
FINER = 1.0


@dataclass
class Pairs:
    """What both answers tell of the tables of a world: the laws of each table are computed once."""

    world: World
    asked: AskedTwice
    laws: dict[Any, Weighted] = field(default_factory=dict)

    def table(self, rows: Any) -> Weighted:
        """Return the laws of one table."""
        if rows not in self.laws:
            self.laws[rows] = laws(self.world.table(rows), self.world.schema, self.asked)
        return self.laws[rows]

    def all(self, step: int = 1) -> Iterator[Worst]:
        """Compare the neighbours of each so-manieth table, both ways; in `make soak` of every one."""
        changed = self.asked.request.mechanism.neighbours.change_one
        for rows, other in self.world.pairs(changed, step):
            yield between(self.asked, self.table(rows), self.table(other))


@pytest.mark.soak
@pytest.mark.parametrize(("world", "request_"), [c[1:] for c in GRID], ids=[c[0] for c in GRID])
def test_an_answer_and_its_finer_one_are_covered_by_what_both_are_charged(world: World, request_: Request) -> None:
    """From cells to the numbers behind both, through every secret choice; and hardly less would do."""
    asked = AskedTwice(request_, FINER)
    pairs = Pairs(world, asked)
    losses = list(pairs.all(2 if world is ROW else 7))
    assert not any(isinstance(law, Failed) for each in pairs.laws.values() for _, law in each)  # none was left out
    assert len(losses) > 20 and all(each.holds for each in losses)
    if not asked.cost().delta_units:
        assert asked.cost() == sum([Cost.of(FINER)] * request_.times(), Cost.zero())


@dataclass(frozen=True)
class Fresh(AskedTwice):
    """A broken twin: the finer answer is drawn by itself, and the difference is charged as if it were not."""

    def pair(self, old: Any, new: Any) -> Law:
        """Return independent numbers."""
        return Product((old, new))


@dataclass(frozen=True)
class Unpaid(AskedTwice):
    """A broken twin: the finer answer costs nothing more."""

    def cost(self) -> Cost:
        """Charge the first answer alone."""
        return self.request.cost()


@pytest.mark.parametrize("name", ["sum of some", "sum capped", "on cells"])
@pytest.mark.parametrize("twin", [Fresh, Unpaid])
def test_near_misses_are_caught(twin: type[AskedTwice], name: str) -> None:
    """On the same tables: fresh noise at the price of the difference, and a difference that nobody pays."""
    world, request_ = next(case[1:] for case in GRID if case[0] == name)
    assert not all(each.holds for each in Pairs(world, twin(request_, FINER)).all())


def test_the_certificate_covers_both_answers_and_catches_fresh_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `discreet audit` says; nothing is said of what is not refined, or has too large a table."""
    for mechanism in (Geometric(Count(), 0.7), AnalyticGaussian(Sum(), 0.7, 0.01), CountsGeometric(epsilon=0.7)):
        again = refined(mechanism)
        assert again is not None and again.pairs > 100 and again.worst.holds
    assert refined(SmoothCoreTail(Sum(), 0.7)) is None and refined(Geometric(Count(), 0.001)) is None
    assert refined(Geometric(Count(), 30.0)) is None
    monkeypatch.setattr(AskedTwice, "pair", Fresh.pair)
    again = refined(Geometric(Count(), 0.7))
    assert again is not None and not again.worst.holds


@pytest.mark.soak
def test_the_audited_law_is_the_one_that_answers() -> None:
    """Two thousand counts, or more, each refined on the road, beside the joint law (chi-square, fails once in 10^6)."""
    rows, noise = [(("0", "a"),)] * 20, SimulationNoise(8)
    world = World(ROW.schema, 20, names=tuple(map(str, range(20))))
    table, request_ = world.table(tuple(rows)), Request(Geometric(Count(), 0.5), ("x",))
    ((weight, law),) = laws(table, ROW.schema, AskedTwice(request_, FINER))
    assert weight == pytest.approx(1.0) and isinstance(law, Product) and isinstance(law.parts[0], OldAndNew)
    both, data, many = law.parts[0], OpenData(LocalSource(table), ROW.schema), times(2000, 10_000)
    assert both.centre == 20 and both.old > both.new > Fraction(1)
    drawn: Counter[tuple[int, int]] = Counter()
    for _ in range(many):
        curator = Curator(data, SessionLedger(Cost.of(2)), noise, tick=0)
        first = curator.ask(request_)
        drawn[int(first.answer), int(refine(curator, first.id, FINER).answer)] += 1  # type: ignore[arg-type]
    wanted = many * both.chances
    places = np.argwhere(wanted >= 5) - both.reach
    seen = [drawn[old, new] for old, new in places.tolist()]
    expected = wanted[wanted >= 5].tolist()
    seen, expected = [*seen, many - sum(seen)], [*expected, many - sum(expected)]
    assert len(seen) > 50 and stats.chisquare(seen, expected).pvalue > 1e-6
