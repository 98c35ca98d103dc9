"""Refining: noise inside of noise. The joint law of old and new is exact, and near misses are caught."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, cast

import numpy as np
import pytest
from scipy import stats
from support.evidence.cases import audits, pairs, settings
from support.soak import times

from discreet.budget import BASIC, ZCDP, Cost, GaussianAccount, ParameterError
from discreet.evidence.audit import worst
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism, registry
from discreet.mechanisms.base.refining import LEAST, Difference, Traced, check_refines, finer
from discreet.mechanisms.gaussian import gaussian_delta
from discreet.mechanisms.laws.law import Gaussian, Laplace, Law, Noisy, Product, Whole
from discreet.noise import samplers
from discreet.noise.protocol import NoiseSource
from discreet.noise.samplers import less_noise

PRECISION = 400
WINDOW = 40  # what lies beyond is left out of both tables, which adds nothing to a divergence
FAR = 200  # beyond it the noises here have less than 1e-20
SCALES = ((Fraction(2), Fraction(1)), (Fraction(3, 2), Fraction(7, 5)), (Fraction(4), Fraction(1, 3)))
FALSE_ALARM = 1e-6
Table = dict[tuple[int, int], float]


def law_of(scale: Fraction) -> Callable[[int], float]:
    """Return the chances of geometric noise."""
    ratio = math.exp(-1 / scale)
    return lambda z: (1 - ratio) / (1 + ratio) * ratio ** abs(z)


@cache
def parts(d: int, old: Fraction, new: Fraction) -> tuple[float, ...]:
    """Return the chances of the four parts, as the sampler has them, and how they fall outwards and inside."""
    outer, inner = math.exp(-1 / old - 1 / new), math.exp(1 / old - 1 / new)
    return *samplers.less_chances(d, old, new, PRECISION), outer, inner


def given(z: int, noise: int, old: Fraction, new: Fraction) -> float:
    """Return the chance that the sampler draws the smaller noise z inside of `noise`."""
    d, z = abs(noise), z if noise >= 0 else -z
    atom, left, middle, right, outer, inner = parts(d, old, new)
    at = atom if z == d else 0.0
    if z < 0:
        return at + left * (1 - outer) * outer ** (-z - 1)
    if z > d:
        return at + right * (1 - outer) * outer ** (z - d - 1)
    return at + middle * inner**z * (1 - inner) / (1 - inner ** (d + 1))


@cache
def joint(centre: int, old: Fraction, new: Fraction, draw: Callable[..., float] = given) -> Table:
    """Return the joint law of the old and the new answer, where both are near."""
    first, near = law_of(old), range(-WINDOW, WINDOW + 1)
    return {(y, z): first(y - centre) * draw(z - centre, y - centre, old, new) for y in near for z in near}


def lost(p: Table, q: Table, epsilon: float) -> float:
    """Return the exact divergence of two tables."""
    grown = math.exp(epsilon)
    return math.fsum(max(0.0, chance - grown * q[pair]) for pair, chance in p.items())


@pytest.mark.parametrize(("old", "new"), SCALES)
def test_both_answers_together_lose_what_the_finer_one_alone_does(old: Fraction, new: Fraction) -> None:
    """For shifts of one and two: pure in both directions, and nothing less would do."""
    for shift in (1, 2):
        tables, epsilon = (joint(0, old, new), joint(shift, old, new)), shift / float(new)
        assert max(lost(*tables, epsilon), lost(*tables[::-1], epsilon)) <= 1e-15
        assert lost(*tables, epsilon * 0.99) > 1e-4


@pytest.mark.parametrize(("old", "new"), SCALES)
def test_the_finer_answer_by_itself_is_as_if_asked_at_once(old: Fraction, new: Fraction) -> None:
    """Its chances are those of the smaller noise, so its interval holds."""
    first = law_of(old)
    for z in range(-12, 13):
        alone = math.fsum(first(y) * given(z, y, old, new) for y in range(-FAR, FAR + 1))
        assert alone == pytest.approx(law_of(new)(z), rel=1e-12)


def test_near_misses_are_caught() -> None:
    """Fresh noise, noise inside of a clipped answer, and rows chosen anew each time cost more than the difference."""
    old, new = SCALES[0]
    epsilon = 1 / float(new)

    def fresh(z: int, _: int, __: Fraction, scale: Fraction) -> float:
        return law_of(scale)(z)

    def clipped(z: int, noise: int, *scales: Fraction) -> float:
        return given(z, min(max(noise, -2), 2), *scales)

    for twin in (fresh, clipped):
        assert lost(joint(0, old, new, twin), joint(1, old, new, twin), epsilon) > 1e-3
    first, near = law_of(old), range(-WINDOW, WINDOW + 1)
    moved = {  # the exact answer is c or c + 1 by a coin that is thrown for each answer
        c: {
            (y, z): sum(first(y - a) * given(z - b, y - b, old, new) for a in (c, c + 1) for b in (c, c + 1)) / 4
            for y in near
            for z in near
        }
        for c in (0, 1)
    }
    assert max(lost(moved[0], moved[1], epsilon), lost(moved[1], moved[0], epsilon)) > 1e-4


def test_the_step_alone_loses_more_than_the_difference() -> None:
    """So a rule of Renyi divergences, which looks at steps, takes no differences of such noise; the plain sum does."""
    old, new = SCALES[0]
    alpha, most = 2.0, 0.0
    for y in range(-8, 9):
        p = np.array([given(z, y, old, new) for z in range(-60, 61)])
        q = np.array([given(z - 1, y - 1, old, new) for z in range(-60, 61)])
        most = max(most, math.log(float(np.sum(p**alpha * q ** (1 - alpha)))) / (alpha - 1))
    pure = [float(registry["geometric"](epsilon=1 / float(s)).account().rdp(alpha)) for s in (new, old)]  # type: ignore[call-arg, union-attr]
    assert most > 1.2 * (pure[0] - pure[1])
    step = Difference.between("a", registry["geometric"](epsilon=0.5), registry["geometric"](epsilon=1.0))  # type: ignore[call-arg]
    normal = Difference.between("a", registry["gaussian"](epsilon=0.5), registry["gaussian"](epsilon=1.0))  # type: ignore[call-arg]
    assert BASIC.takes(step.refined) and not ZCDP.takes(step.refined) and ZCDP.takes(normal.refined)
    room = ZCDP.capacity(Cost.of(20, "1e-6"))
    assert ZCDP.amount(step.price, step.refined, room) is None


def test_an_adversary_who_refines_what_looks_best_stays_within_the_sum() -> None:
    """Two answers, of which the more telling one is refined, or none, or both as far as the budget goes: exact."""
    old, new, near = Fraction(2), Fraction(1), range(-14, 15)
    worlds = []
    for centre in (0, 1):
        first = law_of(old)
        chances: dict[Any, float] = {}
        for y in near:
            for other in near:
                weight = first(y - centre) * first(other - centre)
                if y <= 0 and other <= 0:  # nothing worth refining: the budget goes to a third answer
                    for third in near:
                        chances[y, other, third] = weight * first(third - centre)
                    continue
                base = max(y, other)
                for z in near:
                    chances[y, other, "finer", z] = weight * given(z - centre, base - centre, old, new)
        worlds.append(chances)
    p, q = worlds
    for masses, beside in ((p, q), (q, p)):
        assert math.fsum(max(0.0, c - math.exp(1.5) * beside[at]) for at, c in masses.items()) <= 1e-15


@pytest.mark.soak
@pytest.mark.parametrize("noise", [0, -5])
@pytest.mark.parametrize(("old", "new"), SCALES)
def test_the_sampler_draws_these_chances(noise: int, old: Fraction, new: Fraction) -> None:
    """Draws from fixed bits follow the law; a false alarm has a chance of FALSE_ALARM."""
    source, many = random.Random(7), times(2_000, 20_000)
    drawn = Counter(less_noise(source.getrandbits, noise, old, new) for _ in range(many))
    cells = [z for z in range(-FAR, FAR) if many * given(z, noise, old, new) >= 5]
    rest = 1 - math.fsum(given(z, noise, old, new) for z in cells)
    seen = [*(drawn[z] for z in cells), many - sum(drawn[z] for z in cells)]
    wanted = [*(many * given(z, noise, old, new) for z in cells), max(many * rest, 1e-9)]
    if wanted[-1] < 5:
        seen, wanted = [*seen[:-2], seen[-2] + seen[-1]], [*wanted[:-2], wanted[-2] + wanted[-1]]
    statistic = sum((s - w) ** 2 / w for s, w in zip(seen, wanted, strict=True))
    assert statistic <= stats.chi2.isf(FALSE_ALARM, max(1, len(seen) - 1))


def test_a_part_is_decided_by_its_exact_end() -> None:
    """Bits on either side of an end choose either part; bits on the end itself are followed by more."""
    old, new = SCALES[0]
    sums, whole = samplers._sums(3, 1 / old, 1 / new, PRECISION)
    for part, (end, _) in enumerate(sums):
        at = (end << 128) // whole[0]
        for offset, chosen in ((-(2**20), part), (2**20, part + 1)):
            assert samplers._part(lambda _, u=at + offset: u, 3, 1 / old, 1 / new) == chosen  # type: ignore[misc]
        assert samplers._part(lambda n, u=at: u if n == 128 else 0, 3, 1 / old, 1 / new) == part  # type: ignore[misc]


def test_noise_of_any_size_is_refined_at_once() -> None:
    """Scales of 2^53 cells, and of 2^200, and noise far outside take no longer."""
    for old, noise in ((Fraction(2**53), 2**54), (Fraction(2**200), -(2**201)), (Fraction(3), 10**6)):
        drawn = less_noise(random.Random(3).getrandbits, noise, old, old / 2)
        assert abs(drawn) <= 60 * old + abs(noise)


REFINING = sorted(slug for slug, kind in registry.items() if kind.refines and not kind.open_only)


class Parts:
    """A source that draws nothing, and writes down which noisy numbers a law is made of."""

    def __init__(self) -> None:
        """Begin with none."""
        self.laws: list[Law] = []

    def laplace(self, centre: Any, scale: float) -> float:
        """Write down Laplace noise."""
        self.laws.append(Noisy(centre, scale, Laplace()))
        return float(centre)

    def gaussian(self, centre: Any, scale: float) -> float:
        """Write down normal noise."""
        self.laws.append(Noisy(centre, scale, Gaussian()))
        return float(centre)

    def geometric(self, centre: int, scale: float) -> int:
        """Write down geometric noise."""
        self.laws.append(Whole(centre, scale))
        return centre

    def geometrics(self, centres: list[int], scale: float) -> list[int]:
        """Write down many."""
        return [self.geometric(centre, scale) for centre in centres]


def numbers(law: Law) -> list[Any]:
    """Return the laws of the noisy numbers that an answer is made of."""
    source = Parts()
    law.draw(cast(NoiseSource, source))
    return source.laws


class Behind:
    """The noisy numbers behind an answer as one mechanism, at the price of the answer."""

    def __init__(self, mechanism: Mechanism) -> None:
        """Take the mechanism; the scales of its numbers are written down view by view."""
        self.cost, self.own, self.scales = mechanism.cost, mechanism, dict[int, list[float]]()

    def law(self, view: Any) -> Law:
        """Return the joint law of the numbers."""
        laws = numbers(self.own.law(view))
        self.scales[id(view)] = [law.scale for law in laws]
        return Product(tuple(laws))


@pytest.mark.parametrize("slug", REFINING)
def test_what_is_kept_behind_an_answer_was_paid_for(slug: str) -> None:
    """The noisy numbers before clipping: their number and scales are public, their joint law within the cost."""
    for mechanism, views in audits(registry[slug], 1.0):
        behind: Any = Behind(mechanism)
        assert worst(behind, views).delta <= mechanism.cost().delta + 1e-12, mechanism
        assert all(behind.scales[id(this)] == behind.scales[id(other)] for this, other in views)


@pytest.mark.parametrize("slug", REFINING)
def test_a_step_leads_from_each_number_to_a_finer_one(slug: str) -> None:
    """Every number of the finer law stands around the same centre with a smaller scale, in the same order."""
    mechanism = next(settings(registry[slug], 1.0))
    more, view = finer(mechanism, 1.5), next(pairs(mechanism))[0]
    for old, new in zip(numbers(mechanism.law(view)), numbers(more.law(view)), strict=True):
        assert old.centre == new.centre and new.scale < old.scale
    first = Traced(SimulationNoise(5))
    mechanism.law(view).draw(cast(NoiseSource, first))
    second = Traced(SimulationNoise(6), first.numbers)
    answer = more.law(view).draw(cast(NoiseSource, second))
    assert len(first.numbers) == len(second.numbers) and answer is not None
    again = Traced(SimulationNoise(6), first.numbers)
    assert more.law(view).draw(cast(NoiseSource, again)) == answer


def test_a_finer_laplace_answer_has_the_smaller_noise_on_the_first_grid() -> None:
    """Four thousand pairs: the finer numbers follow the smaller law; what is left is independent of them."""
    pairs = []
    noise = SimulationNoise(11)
    for _ in range(4_000):
        first = Traced(noise)
        first.laplace(Fraction(1, 3), 2.0)
        second = Traced(noise, first.numbers)
        pairs.append((first.numbers[0], second.laplace(Fraction(1, 3), 0.5)))
        assert first.numbers[0][1] == second.numbers[0][1] == -51
    new = np.array([z for _, z in pairs]) - 1 / 3
    step = np.array([cells * 2.0**exponent for (cells, exponent, _), _ in pairs]) - 1 / 3 - new
    assert stats.kstest(new, stats.laplace(scale=0.5).cdf).pvalue > FALSE_ALARM
    assert np.mean(step == 0) == pytest.approx(0.0625, abs=0.02)  # (new / old)^2 of all do not move at all
    moves = step != 0
    assert stats.kstest(step[moves], stats.laplace(scale=2.0).cdf).pvalue > FALSE_ALARM
    assert abs(stats.spearmanr(new[moves], step[moves]).statistic) < 0.08


def test_normal_noise_pays_for_the_precision_that_comes_in() -> None:
    """The account of the step and the old one are the finer one; its price alone is that of such noise."""
    for less, more in ((0.5, 1.0), (0.001, 3.0), (1.0, 1.000001)):
        old, new = registry["gaussian"](epsilon=less), registry["gaussian"](epsilon=more)  # type: ignore[call-arg]
        step = Difference.between("a", old, new)
        account = step.refined.account
        assert isinstance(account, GaussianAccount) and not step.refined.instead
        assert new.account().rho <= old.account().rho + account.rho <= new.account().rho * (1 + 1e-5)  # type: ignore[union-attr]
        assert gaussian_delta(account.sigma, step.price.epsilon) <= 1e-6
        assert step.price.epsilon <= more


def test_an_average_has_the_finer_noise() -> None:
    """Weights by precision: the variance of the average is the smaller one, to the last digits."""

    class Unit(SimulationNoise):
        def gaussian(self, centre: Any, scale: float) -> float:
            """Move by one deviation."""
            return float(centre) + scale

    for old, new in ((2.0, 1.0), (5.0, 4.9)):
        share = (new / old) ** 2
        second = Traced(Unit(1), [(0, 0, old)])
        fresh = second.gaussian(0.0, new)
        assert (share * old) ** 2 + fresh**2 == pytest.approx(new**2, rel=1e-12)


def test_what_cannot_be_refined_says_why() -> None:
    """Noise that follows the data, choices, tests, blocks and reports; less epsilon; too little of it."""
    for slug, kind in registry.items():
        if slug not in REFINING and not kind.open_only:
            with pytest.raises(ParameterError, match="cannot be improved: "):
                check_refines(cast(Any, kind))
    with pytest.raises(ParameterError, match="the change in noise would reveal the size"):
        check_refines(registry["smooth-core-tail"]())
    with pytest.raises(ParameterError, match=r"Enter an ε above 1\."):
        finer(registry["laplace"](epsilon=1.0), 1.0)  # type: ignore[call-arg]
    with pytest.raises(ParameterError, match="too imprecise to be improved"):
        finer(registry["laplace"](epsilon=LEAST.epsilon / 2), 1.0)  # type: ignore[call-arg]
    with pytest.raises(ParameterError, match="smaller scale"):
        Traced(SimulationNoise(1), [(0, 0, 1.0)]).geometric(0, 1.0)
