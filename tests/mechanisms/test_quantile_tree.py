"""Several quantiles at once: the joint law against its definition, its losses, and how far each may be off."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from scipy import stats
from support.soak import times

from discreet.budget import Cost
from discreet.budget.errors import ParameterError
from discreet.lab.experiment import simulate
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public
from discreet.mechanisms.laws.law import Product
from discreet.mechanisms.laws.ranks import Part, RankTree, Stretch
from discreet.mechanisms.quantile_tree import QuantileTree, noise_beyond
from discreet.mechanisms.quantiles_apart import QuantilesApart
from discreet.queries import Bounds, Column, Relation

TICKS, MOST = 3, 4
BOUNDS = Bounds(0, TICKS - 1, integer=True)
LEVELS = [(0.25, 0.75), (0.25, 0.5, 0.75), (0.1, 0.5, 0.6, 0.9), (0.0, 1.0)]
ROUNDING = 1 + 1e-8
FALSE_ALARM = 1e-9
Rows = tuple[int, ...]
Law = dict[tuple[int, ...], float]


def column(x: Any, bounds: Bounds = BOUNDS) -> Column:
    """Return a column of ticks."""
    return Column.from_ticks(bounds, np.array(x, dtype=np.int64))


def datasets(sizes: Any) -> list[Rows]:
    """Return all multisets of ticks of the given sizes."""
    return [x for n in sizes for x in combinations_with_replacement(range(TICKS), n)]


def neighbours(x: Rows, relation: Relation) -> set[Rows]:
    """Return all datasets with up to so many rows more, or with so many rows changed."""
    near = {x}
    for _ in range(relation.rows):
        if relation.change_one:
            near |= {(*old[:i], t, *old[i + 1 :]) for old in near for i in range(len(x)) for t in range(TICKS)}
        else:
            near |= {(*old, t) for old in near for t in range(TICKS)}
    return {tuple(sorted(other)) for other in near} - {x}


def slowly(
    rows: Rows, levels: tuple[Fraction, ...], between: tuple[Any, Any], ticks: Any, rate: Any, scale: Any
) -> Law:
    """Return the joint law from its words: lists of rows, one tick and one division after the other."""
    if not levels:
        return {(): 1.0}
    (low, high), at, n = between, len(levels) // 2, len(rows)
    share = (levels[at] - low) / (high - low)
    far = [max(0, sum(v < t for v in rows) - share * n, share * n - sum(v <= t for v in rows)) for t in ticks]
    spread = max(share, 1 - share) * (1 if share in (0, 1) else 2)
    weights = np.exp([-rate / float(spread) * float(d) for d in far])
    joint: Law = {}
    for tick, chance in zip(ticks, weights / weights.sum(), strict=True):
        below, on = [v for v in rows if v < tick], [v for v in rows if v == tick]
        for down in range(len(on) + 1):
            z = range(-600, 601)
            centre = math.floor(share * n) - len(below)
            weight = sum(math.exp(-abs(k) / scale) for k in z if min(max(centre + k, 0), len(on)) == down)
            weight *= math.tanh(0.5 / scale) if len(levels) > 1 else 1 / sum(math.exp(-abs(k) / scale) for k in z)
            lower = slowly((*below, *on[:down]), levels[:at], (low, levels[at]), range(ticks[0], tick + 1), rate, scale)
            rest = (*on[down:], *(v for v in rows if v > tick))
            upper = slowly(rest, levels[at + 1 :], (levels[at], high), range(tick, ticks[-1] + 1), rate, scale)
            for a, p in lower.items():
                for b, q in upper.items():
                    joint[*a, tick, *b] = joint.get((*a, tick, *b), 0.0) + chance * weight * p * q
    return joint


@pytest.mark.parametrize("levels", LEVELS, ids=str)
@pytest.mark.parametrize("x", [(), (1,), (0, 0, 2), (1, 1, 1, 1), (0, 1, 1, 2, 2)], ids=str)
def test_the_joint_law_is_the_one_in_words(levels: tuple[float, ...], x: Rows) -> None:
    """Look-ups by rank equal lists of rows that are cut, divided and handed on."""
    mechanism = QuantileTree(levels=levels, epsilon=6.0)
    law = mechanism.law(column(x))
    assert isinstance(law, RankTree)
    expected = slowly(x, mechanism.shares, (Fraction(0), Fraction(1)), range(TICKS), mechanism.rate, mechanism.scale)
    joint = law.joint()
    assert sum(joint.values()) == pytest.approx(1.0, abs=1e-12)
    assert {k: v for k, v in joint.items() if v} == pytest.approx({k: v for k, v in expected.items() if v}, rel=1e-6)
    assert all(list(answer) == sorted(answer) for answer in joint)


RELATIONS = [Relation(), Relation(rows=2), Relation(size=4), Relation(size=4, rows=2)]


def worst_loss(mechanism: QuantileTree, bounds: Bounds = BOUNDS) -> float:
    """Return the largest log-ratio of an answer over all pairs of neighbours, both ways."""
    relation = mechanism.relation
    sizes = [relation.size] if relation.size else range(MOST)
    laws: dict[Rows, Law] = {}

    def law(x: Rows) -> Law:
        if x not in laws:
            tree = mechanism.law(column(x, bounds))
            assert isinstance(tree, RankTree)
            laws[x] = tree.joint()
        return laws[x]

    pairs = ((law(x), law(other)) for x in datasets(sizes) for other in neighbours(x, relation))
    return max(abs(math.log(p[k] / q[k])) for p, q in pairs for k in p)


@pytest.mark.parametrize("relation", RELATIONS, ids=str)
@pytest.mark.parametrize("levels", LEVELS[:2], ids=str)
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_no_pair_of_neighbours_loses_more_than_epsilon(
    levels: tuple[float, ...], epsilon: float, relation: Relation
) -> None:
    """Every answer of every pair: no rows, ties on cuts, rows of one person on both sides, rows that change sides."""
    assert worst_loss(QuantileTree(levels=levels, epsilon=epsilon, relation=relation)) <= epsilon * ROUNDING


@dataclass(frozen=True, eq=False)
class Overlapping(RankTree):
    """A broken twin: rows on a cut count on both of its sides."""

    def split(self, part: Part, tick: int, lower: int) -> tuple[Part, Part]:
        """Give both sides all of them."""
        below, on = self.standing(part, tick)
        first = part.first + below
        return Part(part.first, first + on, part.low, tick), Part(first, part.last, tick, part.high)


@dataclass(frozen=True, eq=False)
class Undivided(RankTree):
    """A broken twin: rows on a cut are divided exactly, without any noise."""

    def division(self, span: Stretch, part: Part, tick: int) -> Any:
        """Take nearly no noise."""
        whole, on = super().division(span, part, tick)
        return type(whole)(whole.centre, 1e-3), on


def chance(law: RankTree, span: Stretch, part: Part, ticks: tuple[int, ...]) -> float:
    """Return the exact chance of one answer on a grid of any size."""
    if not span.levels:
        return 1.0
    at, runs = span.middle, law.runs(span, part)
    run = int(np.searchsorted(runs.starts, ticks[at], side="right")) - 1
    sides = 0.0
    for (lower, upper), weight in law._divided(span, part, ticks[at]):
        below, above = span.sides
        sides += weight * chance(law, below, lower, ticks[:at]) * chance(law, above, upper, ticks[at + 1 :])
    return float(runs.probabilities[run] / runs.widths[run]) * sides


def lost(kind: type[RankTree], ticks: tuple[int, int, int], mechanism: QuantileTree, *rows: list[int]) -> float:
    """Return how much one answer tells two datasets apart, on a wide grid."""
    laws = [kind(column(x, MILLION), mechanism.shares, mechanism.rate, mechanism.scale) for x in rows]
    p, q = (chance(law, law.span, Part.whole(law.column), ticks) for law in laws)
    return abs(math.log(p / q))


MILLION = Bounds(0, 10**6, integer=True)
MIDDLE = 5 * 10**5
BESIDE = [MIDDLE - 2] * 3 + [MIDDLE + 2] * 3


def test_sides_that_overlap_are_caught() -> None:
    """A row on the cut, between two places with wide gaps beyond: on both sides it loses more than epsilon."""
    ticks, mechanism = (MIDDLE - 1, MIDDLE, MIDDLE + 1), QuantileTree(epsilon=4.0)
    pair = (BESIDE, sorted([*BESIDE, MIDDLE]))
    assert lost(Overlapping, ticks, mechanism, *pair) > 4.0 * 1.05
    assert 0.5 * 4.0 < lost(RankTree, ticks, mechanism, *pair) <= 4.0 * ROUNDING


def test_a_division_without_noise_is_caught() -> None:
    """One row more below moves a row on the cut from side to side, as surely as without noise."""
    mechanism = QuantileTree(epsilon=4.0)
    pair = ([1, *[2] * 4, 3], [1, 1, *[2] * 4, 3])
    noisy, exact = (
        max(abs(math.log(p[k] / q[k])) for k in p)
        for kind in (RankTree, Undivided)
        for p, q in [[kind(column(x, FOUR), mechanism.shares, mechanism.rate, mechanism.scale).joint() for x in pair]]
    )
    assert noisy <= 4.0 * ROUNDING
    assert exact != pytest.approx(noisy, rel=0.01)


FOUR = Bounds(0, 4, integer=True)


def test_changed_rows_are_one_less_and_one_more() -> None:
    """From one end to the other, a row loses more than a mechanism says that takes it for one row."""
    high = MILLION.top - 3
    pair, ticks = ([0, *[high] * 4], [*[high] * 4, MILLION.top]), (high + 1,) * 3
    claimed = QuantileTree(epsilon=4.0, relation=Relation(size=5))
    as_added = QuantileTree(epsilon=8.0, relation=Relation(size=5))
    assert as_added.rate == pytest.approx(QuantileTree(epsilon=4.0).rate)
    assert lost(RankTree, ticks, claimed, *pair) <= 4.0 * ROUNDING
    assert lost(RankTree, ticks, as_added, *pair) > 4.0 * 1.2


@pytest.mark.parametrize("x", [(0, 1, 1, 1, 2), (2, 2, 2, 2)], ids=str)
def test_draws_have_the_exact_chances(x: Rows) -> None:
    """Drawn and simulated answers, with the right frequencies (chi-square)."""
    law, noise = QuantileTree(epsilon=3.0).law(column(x)), SimulationNoise(4)
    assert isinstance(law, RankTree)
    joint = law.joint()
    for answers in (np.array([law.draw(noise) for _ in range(1500)]).T, simulate(law, 4000, noise)):
        seen = {each: 0 for each in joint}
        for each in answers.T:
            seen[tuple(each.astype(int).tolist())] += 1
        assert (
            stats.chisquare(list(seen.values()), np.array(list(joint.values())) * answers.shape[1]).pvalue > FALSE_ALARM
        )


def adversarial() -> Iterator[tuple[str, list[int]]]:
    """Return rows on a grid of 0 to 1000 that are hard for cuts: ties, gaps, few rows."""
    rng = np.random.default_rng(3)
    for n in (1, 60, 4000):
        yield "all equal", [500] * n
        yield "all at an end", [0] * n
        yield "two points", [0] * (n // 2) + [1000] * (n - n // 2)
        yield "nearly all on the cut", [10] * (n // 10) + [20] * (n - n // 5) + [30] * (n // 10)
        yield "ties at the quartiles", [100] * (n // 4) + [200] * (n // 2) + [900] * (n - n // 4 - n // 2)
        yield "spread", rng.integers(0, 1001, n).tolist()
        yield "heavy tail", np.minimum(1000, 1 / rng.random(n)).astype(int).tolist()
    yield "nobody", []


def off(rows: list[int], share: float, answers: Any) -> Any:
    """Return how many rows each answer is from being a quantile."""
    ordered = np.sort(rows)
    below, upto = (np.searchsorted(ordered, answers, side=side) for side in ("left", "right"))
    return np.maximum(0, np.maximum(below - share * len(rows), share * len(rows) - upto))


@pytest.mark.parametrize("kind", [QuantileTree, QuantilesApart])
@pytest.mark.parametrize("epsilon", [0.2, 3.0])
def test_the_promised_number_of_rows_holds_on_adversarial_rows(kind: Any, epsilon: float) -> None:
    """Each answer by itself: 19 times in 20 at least, but for a false alarm of once in 10^9 for each case."""
    wide, draws = Bounds(0, 1000, integer=True), 200
    mechanism = kind(levels=(0.1, 0.25, 0.5, 0.75, 0.9), epsilon=epsilon)
    promised = mechanism.rank_error(Public(wide))
    for name, rows in adversarial():
        answers = simulate(mechanism.law(column(rows, wide)), draws, SimulationNoise(7))
        for level, most, own in zip(mechanism.levels, promised, answers, strict=True):
            inside = int((off(rows, level, own) <= most + 1e-9).sum())
            assert inside >= stats.binom.ppf(FALSE_ALARM, draws, 0.95), (name, len(rows), level)


def test_without_a_division_equal_rows_would_be_missed() -> None:
    """All rows equal: dividing by the noisy number finds them at all levels; all to one side does not."""
    wide = Bounds(0, 10**6, integer=True)
    law = QuantileTree(epsilon=1.0).law(column([500_000] * 3000, wide))
    assert (simulate(law, 200, SimulationNoise(1)) == 500_000).mean() > 0.99

    class AllDown(RankTree):
        def split(self, part: Part, tick: int, lower: int) -> tuple[Part, Part]:
            return super().split(part, tick, 10**9)

    assert isinstance(law, RankTree)
    twin = AllDown(law.column, law.levels, law.rate, law.scale)
    noise = SimulationNoise(1)
    assert np.mean([twin.draw(noise)[2] == 500_000 for _ in range(200)]) < 0.05  # type: ignore[index]


def one_by_one(law: RankTree, uniforms: Any, span: Stretch, part: Part) -> list[int]:
    """Return the ticks of one simulated answer, from the law of each draw."""
    if not span.levels:
        return []
    at = span.middle
    tick = int(law.runs(span, part).ticks(uniforms[at, 0]))
    whole, on = law.division(span, part, tick)
    sides = law.split(part, tick, int(np.clip(whole.quantile(uniforms[at, 1]), 0, on)))
    below, above = (
        one_by_one(law, own, *side)
        for own, *side in zip((uniforms[:at], uniforms[at + 1 :]), span.sides, sides, strict=True)
    )
    return [*below, tick, *above]


@pytest.mark.soak
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 30.0])
@pytest.mark.parametrize("levels", [(0.25, 0.5, 0.75), (0.0, 0.1, 0.3333, 0.5, 0.9, 1.0)], ids=str)
def test_draws_of_all_parts_at_once_are_those_of_each(levels: tuple[float, ...], epsilon: float) -> None:
    """The same uniforms make the same ticks: look-ups in sums over all rows, and the law of each part by itself."""
    many = times(10, 20)
    for name, rows in adversarial():
        law = QuantileTree(levels=levels, epsilon=epsilon).law(column(rows, Bounds(0, 1000, integer=True)))
        assert isinstance(law, RankTree)
        uniforms = np.random.default_rng(5).random((law.draws, many))
        each = uniforms.reshape(len(levels), 2, -1)
        expected = [one_by_one(law, each[..., at], law.span, Part.whole(law.column)) for at in range(many)]
        assert law.simulate(uniforms).T.astype(int).tolist() == expected, (name, len(rows))


def test_half_as_many_draws_make_smaller_errors() -> None:
    """Nine levels: four draws instead of nine, and the largest error of ranks is less than two thirds."""
    wide, levels = Bounds(0, 10**5, integer=True), tuple(at / 10 for at in range(1, 10))
    rows = np.random.default_rng(2).integers(0, 10**5, 20_000).tolist()
    errors = []
    for kind in (QuantileTree, QuantilesApart):
        answers = simulate(kind(levels=levels, epsilon=0.5).law(column(rows, wide)), 150, SimulationNoise(3))
        errors.append(max(np.quantile(off(rows, q, own), 0.95) for q, own in zip(levels, answers, strict=True)))
    assert errors[0] < 2 / 3 * errors[1]


@pytest.mark.parametrize("scale", [0.3, 2.0, 40.0])
def test_noise_beyond_is_the_least_that_holds(scale: float) -> None:
    """Against the geometric law itself."""
    a = math.exp(-1 / scale)
    for alpha in (0.3, 0.05, 0.001):
        z = noise_beyond(scale, alpha)
        assert 2 * a ** (z + 1) / (1 + a) <= alpha
        assert not z or 2 * a**z / (1 + a) > alpha


def test_what_it_costs_and_tells() -> None:
    """The parts of the account add up to epsilon; one level is one part of the answer."""
    mechanism = QuantileTree(levels=(0.1, 0.5, 0.9), epsilon=1.0)
    assert mechanism.cost() == Cost.of(1.0) and mechanism.parts(()) == ("0.1", "0.5", "0.9")
    account = mechanism.account()
    assert account is not None and sum(part.size for part in account.parts) == pytest.approx(1.0)
    assert account.rho < 0.5 * 1.0**2 / 4
    assert isinstance(QuantilesApart().law(column([1, 2])), Product)


@pytest.mark.parametrize(
    "levels", [(0.5,), (0.5, 0.25), (0.5, 0.5), (0.1, 1.1), (0.1, math.nan), (0.1, "x"), (0.1, True)]
)
@pytest.mark.parametrize("kind", [QuantileTree, QuantilesApart])
def test_levels_that_are_none_are_refused(kind: Any, levels: Any) -> None:
    """In one sentence."""
    with pytest.raises(ParameterError, match="2 to 100 ascending numbers"):
        kind(levels=levels)
