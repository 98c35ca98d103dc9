"""Selection: exact chances, the factor of two, and what draws do."""

from __future__ import annotations

import math
from functools import cache
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from discreet.budget import BoundedRange, Pure
from discreet.budget.errors import ParameterError
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public
from discreet.mechanisms.laws import selecting
from discreet.mechanisms.selection import ExponentialMechanism, NoisyMax, PermuteAndFlip, Selection
from discreet.queries import Bounds, Column, Relation
from discreet.queries.column import Bins, Scores

MECHANISMS: list[type[Selection]] = [PermuteAndFlip, ExponentialMechanism, NoisyMax]
CHANGE_ONE = Relation(size=5)
ROUNDING = 1 + 1e-9
DRAWS = 20_000
FALSE_ALARM = 1e-9  # chance that right frequencies fail one chi-square test
VOTES = np.array([24, 15, 9, 2])
KNOWN = {  # (epsilon, way): the chances of each of the four candidates
    (0.01, "EM"): (0.2645800050606309, 0.25293781858135195, 0.24546237630777584, 0.2370198000502413),
    (0.01, "EM mono"): (0.279551535402533, 0.25549086609482874, 0.24061223634283213, 0.22434536215980608),
    (0.01, "PF"): (0.26972568032937494, 0.253653938758366, 0.24374542327800716, 0.23287495763425214),
    (0.01, "PF mono"): (0.29053649143661875, 0.25622676021271756, 0.2367339267207881, 0.2165028216298758),
    (0.1, "EM"): (0.40935527644922076, 0.26101644827893666, 0.19336574078266344, 0.13626253448917905),
    (0.1, "EM mono"): (0.5745465606756236, 0.23359319967901965, 0.1281986660962814, 0.06366157354907538),
    (0.1, "PF"): (0.4770621790563896, 0.2415952818312961, 0.1681329503097694, 0.11320958880254499),
    (0.1, "PF mono"): (0.6807324459892634, 0.181494623568524, 0.09316248642630907, 0.044610444015903535),
    (1.0, "EM"): (0.9884560368271638, 0.010980754691317672, 0.0005466995845473757, 1.6508896971399332e-05),
    (1.0, "EM mono"): (0.9998762993183975, 0.00012339453820979762, 3.0586448017627593e-07, 2.7891231337645286e-10),
    (1.0, "PF"): (0.9941627216660682, 0.0055534433190911215, 0.00027551661865831816, 8.318396182368595e-06),
    (1.0, "PF mono"): (0.9999381420199184, 6.170489574571141e-05, 1.529448683457849e-07, 1.394676529607303e-10),
}


def scores(counts: Any) -> Scores:
    """Return scores with made-up labels."""
    return Scores(tuple(f"c{i}" for i in range(len(counts))), np.array(counts, dtype=np.int64))


def probabilities(mechanism: Selection, counts: Any) -> Any:
    """Return the exact chances of all candidates."""
    return mechanism.law(scores(counts)).probabilities  # type: ignore[attr-defined]


@cache
def worlds(labels: int = 3, most: int = 4) -> list[tuple[int, ...]]:
    """Return all counts of up to `most` rows for each label."""
    return list(product(range(most + 1), repeat=labels))


@cache
def moves(counts: tuple[int, ...], relation: Relation) -> list[tuple[int, ...]]:
    """Return all neighbours: rows added (all to fewer counts), or rows moved."""
    histograms = {counts}
    for _ in range(relation.rows):
        histograms |= {c for old in histograms for c in one_move(old, relation.change_one)}
    return [c for c in histograms if c != counts]


def one_move(counts: tuple[int, ...], moved: bool) -> list[tuple[int, ...]]:
    """Return the counts after one row more, or after one row has changed its mind."""
    size = range(len(counts))
    plus = [tuple(c + (i == j) for j, c in enumerate(counts)) for i in size]
    if not moved:
        return plus
    return [tuple(c - (i == j) for j, c in enumerate(more)) for more in plus for i in size if more[i]]


def worst_loss(mechanism: Selection, relation: Relation | None = None) -> float:
    """Return the largest log-ratio of any candidate over all pairs of neighbours, exactly."""
    kind, worst = relation or mechanism.relation, 0.0
    laws = {c: np.log(probabilities(mechanism, c)) for c in worlds(most=4 + kind.rows)}
    for world in worlds():
        for other in moves(world, kind):
            worst = max(worst, float(np.abs(laws[world] - laws[other]).max()))
    return worst


@pytest.mark.parametrize(("epsilon", "way"), KNOWN)
def test_the_votes_of_a_class_give_the_known_chances(epsilon: float, way: str) -> None:
    """The table of exponential mechanism and permute-and-flip, general and monotone."""
    exact = selecting.permute_and_flip if way.startswith("PF") else selecting.exponential
    rate = epsilon if way.endswith("mono") else epsilon / 2
    assert exact(VOTES, rate) == pytest.approx(KNOWN[epsilon, way], rel=1e-12)
    mechanism = (PermuteAndFlip if way.startswith("PF") else ExponentialMechanism)(
        epsilon=epsilon, form="monotone" if way.endswith("mono") else "general"
    )
    assert probabilities(mechanism, VOTES) == pytest.approx(KNOWN[epsilon, way], rel=1e-6)


def by_permutations(values: Any, rate: float) -> Any:
    """Return the chances of permute-and-flip from its definition: every order, every flip."""
    accept = np.exp(rate * (np.asarray(values, float) - max(values)))
    totals = np.zeros(len(values))
    for order in permutations(range(len(values))):
        reached = 1.0
        for i in order:
            totals[i] += reached * accept[i]
            reached *= 1 - accept[i]
    return totals / math.factorial(len(values))


@pytest.mark.parametrize("m", range(1, 7))
def test_permute_and_flip_is_the_average_over_all_orders(m: int) -> None:
    """The integral equals the definition by permutations, ties included, to 1e-12."""
    rng = np.random.default_rng(m)
    for rate in (0.05, 0.7, 3.0):
        values = rng.integers(-3, 4, m)
        expected = by_permutations(values.tolist(), rate)
        assert selecting.permute_and_flip(values, rate) == pytest.approx(expected, rel=1e-12)


def test_permute_and_flip_holds_for_ten_thousand_candidates() -> None:
    """Equal candidates share equally, and mixed ones agree with adaptive quadrature."""
    assert selecting.permute_and_flip(np.zeros(10_000, int), 1.0) == pytest.approx(1e-4, rel=1e-11)
    tied = np.concatenate((np.full(7, 900), np.zeros(9_993, int)))
    assert selecting.permute_and_flip(tied, 1.0)[:7] == pytest.approx(1 / 7, rel=1e-11)
    rng = np.random.default_rng(5)
    for size, rate in ((300, 0.01), (3000, 0.002), (10_000, 0.5)):
        values = rng.integers(0, size // 3, size)
        p = np.exp(rate * (values - values.max()))
        masses = selecting.permute_and_flip(values, rate)
        assert masses.sum() == pytest.approx(1, abs=1e-11)
        for i in (int(np.argmax(values)), int(np.argsort(values)[-size // 10])):

            def left(t: float, p: Any = p, i: int = i) -> float:
                return float(np.exp(np.log1p(-p * t).sum() - np.log1p(-p[i] * t)))

            split = min(0.5, 40 / p.sum())
            parts = [
                integrate.quad(left, *ends, epsabs=0, epsrel=1e-11, limit=200)[0]
                for ends in ((0, split), (split, 1 - 1e-15))
            ]
            assert masses[i] == pytest.approx(p[i] * sum(parts), rel=1e-9)


@pytest.mark.parametrize("gap", [0, 1, 5, 40])
def test_noisy_max_of_two_candidates_has_its_closed_form(gap: int) -> None:
    """The one behind by g scales wins with chance (2 + g) exp(-g) / 4."""
    for scale in (0.3, 1.0, 7.0):
        g = gap / scale
        expected = (2 + g) * math.exp(-g) / 4
        masses = selecting.noisy_max(np.array([3, 3 + gap]), scale)
        assert masses == pytest.approx([expected, 1 - expected], rel=1e-10, abs=1e-40)


def test_noisy_max_agrees_with_adaptive_quadrature() -> None:
    """Many candidates with ties: every chance to 1e-10, and they sum to one."""
    values = np.array([0, 3, 3, 4, 9, 9, 11])
    noise = stats.laplace(scale=2.5)
    masses = selecting.noisy_max(values, 2.5)
    assert masses.sum() == pytest.approx(1, abs=1e-13)
    for i, q in enumerate(values):
        others = np.delete(values, i)

        def wins(z: float, q: int = q, others: Any = others) -> float:
            return float(noise.pdf(z - q) * np.prod(noise.cdf(z - others)))

        ends = ((-60, 0), (0, 3), (3, 4), (4, 9), (9, 11), (11, 120))
        parts = [integrate.quad(wins, low, high, epsabs=1e-14)[0] for low, high in ends]
        assert masses[i] == pytest.approx(sum(parts), abs=1e-10)


@pytest.mark.parametrize("kind", MECHANISMS)
@pytest.mark.parametrize("least", [False, True])
def test_draws_have_the_exact_chances(kind: type[Selection], least: bool) -> None:
    """Frequencies of drawn and of simulated answers fit the exact chances (chi-square)."""
    law = kind(epsilon=0.8, least=least).law(scores([4, 2, 3, 3]))
    noise = SimulationNoise(7)
    drawn = [law.candidates.index(law.draw(noise)) for _ in range(DRAWS)]  # type: ignore[attr-defined]
    simulated = law.simulate(noise.uniforms(law.draws, DRAWS)).astype(int)
    for answers in (drawn, simulated):
        seen = np.bincount(answers, minlength=4)
        expected = law.probabilities * DRAWS  # type: ignore[attr-defined]
        assert stats.chisquare(seen, expected).pvalue > FALSE_ALARM
    best = "c1" if least else "c0"
    assert law.candidates[int(np.argmax(law.probabilities))] == best  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", MECHANISMS)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("relation", [Relation(), Relation(rows=2), CHANGE_ONE])
def test_no_pair_of_neighbours_loses_more_than_epsilon(
    kind: type[Selection], epsilon: float, relation: Relation
) -> None:
    """All counts of three candidates up to four rows, all neighbours, all answers, both ways."""
    mechanism = kind(epsilon=epsilon, relation=relation)
    assert worst_loss(mechanism) <= epsilon * ROUNDING
    least = kind(epsilon=epsilon, relation=relation, least=True)
    assert worst_loss(least) <= epsilon * ROUNDING


@pytest.mark.parametrize("kind", MECHANISMS)
def test_the_automatic_form_spends_what_it_charges(kind: type[Selection]) -> None:
    """The bound is nearly reached, so less noise would break it; general wastes on add/remove."""
    assert worst_loss(kind(epsilon=3.0)) > 0.85 * 3
    assert worst_loss(kind(epsilon=3.0, relation=CHANGE_ONE)) > 0.75 * 3
    assert worst_loss(kind(epsilon=3.0, form="general")) < 0.55 * 3


@pytest.mark.parametrize("kind", MECHANISMS)
def test_without_the_factor_of_two_change_one_is_caught(kind: type[Selection]) -> None:
    """The monotone form on counts that rise and fall loses about twice epsilon."""
    broken = kind(epsilon=1.0)
    assert broken.rate > 1.9 * kind(epsilon=1.0, relation=CHANGE_ONE).rate
    assert worst_loss(broken, CHANGE_ONE) > 1.4


@pytest.mark.parametrize("kind", MECHANISMS)
def test_the_monotone_form_is_refused_under_change_one(kind: type[Selection]) -> None:
    """The sentence says which form is allowed, before anything is charged."""
    with pytest.raises(ParameterError, match="Form must be general or automatic"):
        kind(form="monotone", relation=CHANGE_ONE)
    with pytest.raises(ParameterError, match="Form must be one of"):
        kind(form="other")
    with pytest.raises(ParameterError, match="ε must be between 1e-06 and 50"):
        kind(epsilon=0.0)
    with pytest.raises(ParameterError, match="The number of candidates must be between 1 and 100000"):
        kind().check(Public(labels=0))


@pytest.mark.parametrize("kind", MECHANISMS)
def test_corner_cases_are_ordinary(kind: type[Selection]) -> None:
    """One candidate is certain; no rows and ties share equally; far apart is certain."""
    mechanism, noise = kind(epsilon=1.0), SimulationNoise(3)
    assert probabilities(mechanism, [5]) == pytest.approx([1.0], abs=1e-12)
    assert mechanism.law(scores([5])).draw(noise) == "c0"
    for tie in ([0, 0, 0], [7, 7, 7]):
        assert probabilities(mechanism, tie) == pytest.approx([1 / 3] * 3, rel=1e-12)
    huge = probabilities(kind(epsilon=50.0), [10**12, 0])
    assert huge == pytest.approx([1, 0], abs=1e-12)
    assert np.isfinite(huge).all()


def test_bins_of_a_number_are_selected_like_categories() -> None:
    """The curator counts declared bins; the law names them."""
    mechanism = PermuteAndFlip(bins=Bins((0.0, 10.0, 20.0, 30.0)), epsilon=5.0)
    column = Column.from_values(Bounds(0, 30, integer=True), [1, 12, 12, 12, 12, 29])
    assert mechanism.bins is not None
    law = mechanism.law(mechanism.bins.scores(column))
    assert law.draw(SimulationNoise(1)) == "10 to 20"
    assert "within" in mechanism.forecast(Public(bounds=column.bounds)).note


@pytest.mark.parametrize("kind", MECHANISMS)
@pytest.mark.parametrize("counts", [[9, 8, 8, 8], [30, 0, 29, 1], [5, 0, 0, 0]])
def test_the_promised_gap_holds_for_any_counts(kind: type[Selection], counts: list[int]) -> None:
    """The chance to trail the best by more rows than promised is at most alpha."""
    for epsilon in (0.05, 0.5, 2.0):
        mechanism = kind(epsilon=epsilon)
        for alpha in (0.5, 0.05, 0.001):
            gap = mechanism.gap(len(counts), alpha)
            behind = max(counts) - np.array(counts) > gap
            assert probabilities(mechanism, counts)[behind].sum() <= alpha


def test_accounts_say_what_composes_better() -> None:
    """Bounded range is claimed for the exponential mechanism alone."""
    assert ExponentialMechanism(epsilon=2.0).account() == BoundedRange(2.0)
    assert PermuteAndFlip(epsilon=2.0).account() == Pure(2.0) == NoisyMax(epsilon=2.0).account()
    for relation, form in ((Relation(), "monotone"), (CHANGE_ONE, "general")):
        mechanism = ExponentialMechanism(epsilon=2.0, relation=relation, form=form)
        for world in worlds(most=2):
            for other in moves(world, relation):
                losses = np.log(probabilities(mechanism, world) / probabilities(mechanism, other))
                assert np.ptp(losses) <= 2.0 * ROUNDING
