"""The numbers of lesson 7: against weights, all orders of flips, enumeration, and the guarantee."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from discreet.course.lessons.election import numbers
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import registry

VOTES = (9, 7, 6, 3)
CHOICE, FLIP, NOISY, COUNTED = numbers.WAYS
DRAWS = 40_000
FIVE_SIGMA = 5 * math.sqrt(0.25 / DRAWS)  # a right law fails one in a million times


def test_the_votes_are_those_of_the_sample() -> None:
    """25 votes for four places."""
    votes = numbers.votes()
    assert votes.labels == ("Zoo", "Museum", "Lake", "Castle")
    assert tuple(votes.counts.tolist()) == VOTES


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0])
def test_the_exponential_mechanism_draws_by_weight(epsilon: float) -> None:
    """exp(epsilon votes), normalised: one vote a pupil moves all counts one way."""
    weights = np.exp(epsilon * np.array(VOTES))
    expected = weights / weights.sum()
    assert numbers.chances(CHOICE, VOTES, epsilon) == pytest.approx(expected, rel=1e-6)


def test_permute_and_flip_is_the_average_over_all_orders() -> None:
    """Every order of the four places, flips until one is accepted."""
    p = np.exp(0.5 * (np.array(VOTES) - 9))
    expected = np.zeros(4)
    for order in itertools.permutations(range(4)):
        left = 1.0
        for place in order:
            expected[place] += left * p[place] / 24
            left *= 1 - p[place]
    assert numbers.chances(FLIP, VOTES, 0.5) == pytest.approx(expected, rel=1e-6)


def test_the_largest_noisy_count_by_enumeration() -> None:
    """Three geometric counts, never below 0, every triple, ties by lot."""
    votes, a, top = (2, 1, 0), math.exp(-1.0), 40
    z = np.arange(-60, 61)
    noise = (1 - a) / (1 + a) * a ** np.abs(z)
    laws = [np.bincount(np.clip(z + count, 0, top), noise, minlength=top + 1) for count in votes]
    expected = np.zeros(3)
    for shown in itertools.product(range(top + 1), repeat=3):
        best = [place for place in range(3) if shown[place] == max(shown)]
        chance = math.prod(laws[place][shown[place]] for place in range(3))
        expected[best] += chance / len(best)
    assert numbers.chances(COUNTED, votes, 1.0) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("way", [NOISY, COUNTED])
def test_noisy_ways_agree_with_simulated_counts(way: str) -> None:
    """40,000 elections drawn by uniforms; ties of whole counts by a lot of their own."""
    uniforms = SimulationNoise(7).uniforms(8, DRAWS)
    if way == COUNTED:
        law = registry[COUNTED](epsilon=0.5).law(numbers.votes())  # type: ignore[call-arg]
        shown = law.simulate(uniforms[:4]) + uniforms[4:] / 2
    else:
        side = np.sign(uniforms[:4] - 0.5)
        noise = -side * np.log(1 - 2 * np.abs(uniforms[:4] - 0.5)) / 0.5
        shown = np.array(VOTES)[:, None] + noise
    shares = np.bincount(shown.argmax(axis=0), minlength=4) / DRAWS
    assert shares == pytest.approx(numbers.chances(way, VOTES, 0.5), abs=FIVE_SIGMA)


@pytest.mark.parametrize("way", numbers.WAYS)
@pytest.mark.parametrize("several", [False, True])
def test_one_ballot_moves_every_chance_by_epsilon_at_most(way: str, several: bool) -> None:
    """All ballots that one pupil could have cast, with one vote or several, in all four ways."""
    epsilon, full = 0.7, numbers.chances(way, VOTES, 0.7, several)
    sizes = range(1, 5) if several else (1,)
    for places in itertools.chain.from_iterable(itertools.combinations(range(4), size) for size in sizes):
        less = tuple(count - (place in places) for place, count in enumerate(VOTES))
        without = numbers.chances(way, less, epsilon, several)
        assert np.abs(np.log(full / without)).max() <= epsilon * (1 + 1e-9)


def test_several_votes_a_pupil_make_only_shown_counts_worse() -> None:
    """A choice depends on the largest move, shown counts on the sum; 16 more places cost more."""
    longer = numbers.with_more(VOTES, 16)
    assert longer == (*VOTES, *[0] * 16)
    for way in (CHOICE, FLIP, NOISY):
        assert np.array_equal(numbers.chances(way, longer, 0.5), numbers.chances(way, longer, 0.5, True))
    single = numbers.chances(COUNTED, longer, 0.5)
    several = numbers.chances(COUNTED, longer, 0.5, True)
    assert numbers.right(longer, several) < 0.2 * numbers.right(longer, single)


def test_right_and_behind_by_hand() -> None:
    """Two winners share; the third place is 4 votes behind."""
    chances = np.array([0.5, 0.25, 0.25])
    assert numbers.right((5, 5, 1), chances) == 0.75
    assert numbers.behind((5, 5, 1), chances) == 1.0


def test_the_fortnight_has_two_closed_mondays_and_nobody_on_them() -> None:
    """Days 6 and 13; wishes are at most the class."""
    assert np.flatnonzero(~numbers.opened()).tolist() == [5, 12]
    for school_class in range(1, 21):
        wishes = numbers.wishes(school_class)
        assert wishes[[5, 12]].sum() == 0 and wishes.min() >= 0 and wishes.max() <= numbers.PUPILS


def test_noise_on_the_day_by_hand() -> None:
    """Laplace of scale 13 / epsilon around the best day, rounded, the ends pulled in."""
    day = numbers.by_noise(1, 1.0)
    best = int(day.wishes.argmax()) + 1

    def below(x: float) -> float:
        d = (x - best) / 13
        return 0.5 * math.exp(d) if d < 0 else 1 - 0.5 * math.exp(-d)

    assert day.chances.sum() == pytest.approx(1)
    assert day.chances[0] == pytest.approx(below(1.5))
    assert day.chances[7] == pytest.approx(below(8.5) - below(7.5))
    assert day.chances[13] == pytest.approx(1 - below(13.5))
    assert day.pupils == pytest.approx(sum(day.chances * day.wishes))
    assert day.empty == pytest.approx(day.chances[day.wishes <= 5].sum())


def test_both_ways_to_find_a_day_keep_epsilon() -> None:
    """The best day may be any; a pupil may leave any of the open days at once."""
    base = numbers.by_weight(1, 1.0)
    lower = tuple((base.wishes[numbers.opened()] - np.arange(12) % 2).clip(0).tolist())
    moved = numbers.chances(CHOICE, lower, 1.0)
    assert np.abs(np.log(base.chances[numbers.opened()] / moved)).max() <= 1 + 1e-9
    days = {int(numbers.by_noise(c, 1.0).wishes.argmax()): c for c in range(1, 21)}
    for first, other in itertools.combinations(days.values(), 2):
        ratio = numbers.by_noise(first, 1.0).chances / numbers.by_noise(other, 1.0).chances
        assert np.abs(np.log(ratio)).max() <= 1 + 1e-9


@pytest.mark.parametrize("school_class", range(1, 21))
def test_weighing_days_beats_noise_on_the_day_in_every_class(school_class: int) -> None:
    """Never a closed day, and half as many pupils again at epsilon 1, or more."""
    weight, noise = numbers.by_weight(school_class, 1.0), numbers.by_noise(school_class, 1.0)
    assert weight.chances[~numbers.opened()].sum() == 0
    assert weight.chances.sum() == pytest.approx(1)
    assert weight.pupils > 1.5 * noise.pupils
