"""The numbers of lesson 9: every printed form fails where it is said to, every proven one holds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.course.lessons.mistakes import numbers
from discreet.course.lessons.mistakes.numbers import Case
from discreet.evidence.audit import Event
from discreet.mechanisms.exhibits.exhibit import largest
from discreet.mechanisms.exhibits.ptr import distance
from discreet.mechanisms.laws.divergence import loss
from discreet.queries import registry as statistics

FORMS = ("printed", "corrected")

CASES: dict[str, tuple[Case, ...]] = {
    "global": tuple(numbers.global_mean(e, u) for e in (0.1, 1.0, 4.0) for u in (5, 10, 20, 50, 75, 100)),
    "local": tuple(
        numbers.local_mean(e, low, n) for e in (0.1, 1.0, 4.0) for low in (-1000, -100, -50, 0) for n in (3, 40, 1000)
    ),
    "test": tuple(
        numbers.tested(e, d, t) for e in (0.5, 1.0, 3.0) for d in (1e-6, 1e-3, 1e-2) for t in (0, 1, 2, 5, 12)
    ),
    "smooth": tuple(numbers.smooth(e, d) for e in (0.5, 1.0, 4.0, 6.0, 8.0) for d in (1e-6, 1e-2, 0.1)),
    "chunks": tuple(numbers.chunks(e, k, seed) for e in (0.01, 0.1, 1.0) for k in (2, 20, 600) for seed in (1, 2)),
}


@pytest.mark.parametrize("name", CASES)
def test_the_corrected_form_passes_on_every_pair_of_the_lesson(name: str) -> None:
    """Exactly: its delta at the claimed epsilon is at most the claimed delta."""
    for case in CASES[name]:
        assert case.exact("corrected").holds, case
        assert case.corrected.cost().epsilon == case.printed.claim.epsilon


@pytest.mark.parametrize("name", CASES)
def test_no_pair_exceeds_what_the_exhibit_says_of_itself(name: str) -> None:
    """The general truth is not undercut: the pair fits its epsilon and delta."""
    for case in CASES[name]:
        truth = case.truth
        delta = largest([case.laws("printed")], truth.epsilon)
        assert delta <= truth.delta * (1 + 1e-6) + 2e-11, case


def test_the_noise_for_u_fails_exactly_where_the_lowest_value_is_further_away() -> None:
    """For l = -100 the claim is false for every u below 100, and true at 100."""
    for epsilon in (0.1, 1.0, 4.0):
        for upper in (5, 10, 20, 50, 75):
            case = numbers.global_mean(epsilon, upper)
            assert not case.exact("printed").holds
            assert case.truth.epsilon == pytest.approx(epsilon / 2 * (1 + 100 / upper))
        assert numbers.global_mean(epsilon, 100).exact("printed").holds


@pytest.mark.parametrize(("lower", "people"), [(-100, 40), (0, 3), (0, 40), (-1000, 1000)])
def test_local_noise_fails_as_two_laplace_laws_by_numerical_integration(lower: int, people: int) -> None:
    """Means (u - l)/n apart, scales u/(n+1) and u/n: the integral of what exceeds e^eps q."""
    case = numbers.local_mean(1.0, lower, people)
    shift = (100 - lower) / people if people > 1 else 0.0
    with_, without = 100 / (people + 1), 100 / people
    y = np.linspace(-60 * without, shift + 60 * without, 2_000_001)
    p = np.exp(-np.abs(y - shift) / with_) / 2 / with_
    q = np.exp(-np.abs(y) / without) / 2 / without
    most = max(float(np.trapezoid(np.maximum(a - math.e * b, 0), y)) for a, b in ((p, q), (q, p)))
    assert case.exact("printed").delta == pytest.approx(most, rel=1e-3)
    assert case.truth.delta == pytest.approx(most, rel=1e-3)


def test_the_people_at_1_are_the_distance_from_the_jump() -> None:
    """t = 0 jumps by 500; else the median moves by b and the distance falls from 2t - 1 by one."""
    median = statistics["median"]()
    for ones in range(13):
        without, within = numbers.tested(1.0, 1e-3, ones).views["printed"]
        moved = median.value(within) - median.value(without)
        away = [distance(median, view, numbers.BOUND) for view in (without, within)]
        assert moved == (numbers.BOUND if ones else 500)
        assert away == ([2 * ones - 1, 2 * ones - 2] if ones else [0, 0])


def test_the_low_threshold_lets_a_jump_through_as_often_as_its_closed_form() -> None:
    """At distance 0 the answers never overlap: delta is the chance to pass, sqrt(delta/2)/2."""
    for delta in (1e-6, 1e-4, 1e-3, 1e-2):
        case = numbers.tested(1.0, delta, 0)
        assert case.exact("printed").delta == pytest.approx(math.sqrt(delta / 2) / 2, rel=1e-6)
        assert not case.exact("printed").holds


def test_away_from_the_jump_the_printed_test_spends_a_second_epsilon() -> None:
    """Two steps away its loss is twice the claim; the proven one keeps to it."""
    case = numbers.tested(1.0, 1e-3, 2)
    assert loss(*reversed(case.laws("printed"))) < 2 + 1e-9
    assert loss(*case.laws("printed")) == pytest.approx(2, rel=1e-6)
    assert max(loss(*case.laws("corrected")), loss(*reversed(case.laws("corrected")))) <= 1


def test_the_smooth_pair_is_the_worst_case_that_the_printed_bound_allows() -> None:
    """S falls by exp(beta), the median moves by exp(beta) times the smaller S."""
    for epsilon, delta in ((1.0, 1e-6), (4.0, 1e-2), (6.0, 0.1)):
        case = numbers.smooth(epsilon, delta)
        without, within = case.laws("printed")
        beta = epsilon / (2 * math.log(2 / delta))
        if beta < math.log(2):  # else a move of half the range would be more than there is
            assert without.scale / within.scale == pytest.approx(math.exp(beta), rel=1e-4)
            moved = within.centre - without.centre
            assert moved * epsilon / 2 == pytest.approx(math.exp(beta) * within.scale * epsilon**2 / 4, rel=1e-4)
            assert case.exact("printed").delta == pytest.approx(case.truth.delta, rel=1e-2)


def test_the_smooth_claim_holds_as_used_and_fails_at_large_parameters() -> None:
    """Within at epsilon 1 and delta 1e-6, above at 6 and 0.1: half of the answers give it away."""
    usual, large = numbers.smooth(1.0, 1e-6), numbers.smooth(6.0, 0.1)
    assert usual.exact("printed").holds and usual.truth.delta < 1e-8
    assert not large.exact("printed").holds
    assert numbers.attack(large, "printed", 1).refuted
    assert not numbers.attack(usual, "printed", 1).refuted


def test_chunks_lose_k_minus_a_half_times_epsilon() -> None:
    """From 0 to 50 in every chunk but the last of one row, which counts as the middle, 25."""
    for k in (2, 20, 600):
        case = numbers.chunks(0.01, k, 1)
        without, within = case.laws("printed")
        assert within.centre == 0
        assert without.centre == pytest.approx(50 * (k - 0.5) / k)
        assert loss(without, within) == pytest.approx(0.01 * (k - 0.5))
        shift = 0.01 * (k - 0.5)
        expected = -math.expm1((0.01 - shift) / 2) if shift > 0.01 else 0.0
        assert case.exact("printed").delta == pytest.approx(expected, abs=1e-9)


def test_one_person_changes_one_block_at_most() -> None:
    """The others keep their blocks, whatever the draw."""
    for seed in range(1, 30):
        without, within = numbers.chunks(0.1, 20, seed).views["corrected"]
        assert np.count_nonzero(without.estimates != within.estimates) <= 1
        assert without.estimates.size == 20


@pytest.mark.parametrize("name", CASES)
def test_the_attack_never_proves_more_than_the_exact_truth(name: str) -> None:
    """A certified epsilon beyond the claim only where the exact delta is beyond the claim."""
    for case in CASES[name][:: 1 + len(CASES[name]) // 6]:
        for form in FORMS:
            finding = numbers.attack(case, form, 1)
            assert finding.refuted == (finding.epsilon > case.printed.claim.epsilon)
            assert not (finding.refuted and case.exact(form).holds), (case, form)


def test_the_attack_repeats_itself_and_differs_between_draws() -> None:
    """The draw number is the seed."""
    case = numbers.global_mean(1.0, 20)
    first = numbers.attack(case, "printed", 1)
    numbers.attack.cache_clear()
    assert numbers.attack(case, "printed", 1) == first
    assert numbers.attack(case, "printed", 2) != first


@pytest.mark.parametrize("name", CASES)
def test_bars_hold_nearly_all_answers_and_the_refusals(name: str) -> None:
    """The bins are the same for both forms; with refusals they add up to almost 1."""
    for case in CASES[name][:3]:
        both = [numbers.bars(case, form) for form in FORMS]
        assert np.array_equal(both[0].middles, both[1].middles)
        for bars in both:
            for chances, refused in zip((bars.without, bars.within), bars.refused, strict=True):
                assert chances.size == numbers.BINS and chances.min() >= -1e-15
                assert 0.96 * (1 - refused) - 1e-9 <= chances.sum() <= 1 - refused + 1e-12


def test_the_catastrophe_comes_by_its_chance() -> None:
    """1 − (1 − δ)^k; the median of drawn days is the day from which on it is likelier than not."""
    assert numbers.public_by(0.001, 365) == pytest.approx(1 - 0.999**365)
    assert numbers.likelier_than_not(0.001) == 693
    days = sorted(numbers.fatal_days(0.001, 4001, 1))
    assert days[2000] == pytest.approx(693, rel=0.1) and days[0] >= 1


@pytest.mark.parametrize(
    ("event", "cells"),
    [
        (Event(True, ((0.6, 1.4), (3.0, 3.0))), [(0, 0), (2, 2), (4, 4)]),
        (Event(False, ((-math.inf, 0.5),)), [(1, 1)]),
        (Event(False, ((0.4, math.inf),)), [(1, 4)]),
        (Event(True, ((-math.inf, 0.1),)), [(0, 1)]),
        (Event(False, ((9.0, math.inf),)), []),
    ],
)
def test_an_event_of_an_attack_shades_the_cells_that_it_touches(event: Event, cells: list[tuple[int, int]]) -> None:
    """Bins of width 1 around 0, 1, 2 and 3 are the cells 1 to 4; a refusal is the cell before them."""
    nothing = np.zeros(4)
    assert numbers.cells(numbers.Bars(np.arange(4.0), nothing, nothing, (0.0, 0.0)), event) == cells
