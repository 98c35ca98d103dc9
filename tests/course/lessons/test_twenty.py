"""Twenty guesses: nobody beats the law on average, the best rule reaches it, and luck is counted exactly."""

from __future__ import annotations

import itertools
import math

import pytest

from discreet.course.lessons.differencing import numbers
from discreet.course.lessons.differencing.numbers import PEOPLE
from discreet.course.lessons.differencing.twenty_guesses import ROWS, places

GAMES = 500


def test_exact_counts_tell_everything() -> None:
    """Without noise the rule is right twenty times."""
    game = numbers.twenty(None, 1)
    assert game.right(game.rest("")) == PEOPLE == PEOPLE * game.allowed
    assert game.right("".join("n" if smokes else "y" for smokes in game.smokes)) == 0


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 3.0])
def test_the_best_rule_is_right_as_often_as_the_law_allows(epsilon: float) -> None:
    """e^ε / (1 + e^ε) of 10,000 guesses, five standard deviations around it: a false alarm in a million."""
    games = [numbers.twenty(epsilon, seed) for seed in range(GAMES)]
    bound = math.exp(epsilon) / (1 + math.exp(epsilon))
    assert games[0].allowed == pytest.approx(bound, abs=1e-5)
    share = sum(game.right(game.rest("")) for game in games) / (PEOPLE * GAMES)
    assert abs(share - bound) < 5 * math.sqrt(bound * (1 - bound) / (PEOPLE * GAMES))
    always = sum(game.right("y" * PEOPLE) for game in games) / (PEOPLE * GAMES)
    assert abs(always - 0.5) < 5 * 0.5 / math.sqrt(PEOPLE * GAMES)


def test_guesses_that_were_made_stay_and_only_they_count() -> None:
    """Whoever lets the rule go on keeps what they said; what is not said yet is not right."""
    game = numbers.twenty(0.5, 3)
    assert game.rest("nny").startswith("nny") and len(game.rest("nny")) == PEOPLE
    assert game.right("") == 0 and game.right("y") == int(game.smokes[0])


def test_another_epsilon_is_another_twenty() -> None:
    """Who has played with exact counts cannot know who smokes under the noise."""
    rounds = [numbers.twenty(epsilon, 7).smokes for epsilon in (None, 0.05, 0.1, 0.5, 3.0)]
    assert all(first != other for first, other in itertools.combinations(rounds, 2))


def test_luck_is_counted_over_all_rounds() -> None:
    """All 2^20 ways that twenty coins fall, by how many of them are heads."""
    ways = [math.comb(PEOPLE, heads) for heads in range(PEOPLE + 1)]
    assert numbers.luck(15, 0.5) == pytest.approx(sum(ways[15:]) / 2**PEOPLE)
    assert numbers.luck(0, 0.3) == pytest.approx(1) and numbers.luck(PEOPLE, 0.9) == pytest.approx(0.9**PEOPLE)


@pytest.mark.parametrize("made", [0, 1, 7, PEOPLE])
def test_everybody_stands_in_one_row_and_the_row_of_right_guesses_is_the_score(made: int) -> None:
    """Rows fill from 1 on without gaps; the next person to guess is filled, those after are outlines in line."""
    game = numbers.twenty(0.5, 7)
    guesses = game.rest("")[:made]
    faces = places(game, guesses)
    rows = {row: [face.at for face in faces if face.height == height] for row, height in ROWS.items()}
    assert rows["right"] == list(range(1, game.right(guesses) + 1))
    assert rows["wrong"] == list(range(1, made - game.right(guesses) + 1))
    assert rows["to come"] == list(range(made + 1, PEOPLE + 1))
    assert sum(face.gone for face in faces) == max(PEOPLE - made - 1, 0)
