"""Lesson 7 shows the exact chances of every way to choose, and moves with its controls."""

from __future__ import annotations

import json
import math

from support.lessons import Pupil

from discreet.course.lessons.election import numbers as election

PAGE = "lesson_7_election"
VOTES = (9, 7, 6, 3)
CHOICE, FLIP, NOISY, COUNTED = election.WAYS


def winner(votes: tuple[int, ...], epsilon: float) -> str:
    """Return the chance of the most votes by weights, as it is shown."""
    weights = [math.exp(epsilon * count) for count in votes]
    best = sum(w for w, count in zip(weights, votes, strict=True) if count == max(votes))
    return f"{best / sum(weights):.1%}"


def test_the_winner_has_the_chance_of_its_weight() -> None:
    """At three values of epsilon; three more votes for the Museum make it the winner."""
    pupil = Pupil(PAGE)
    assert list(pupil.numbers().values()) == [winner(VOTES, e) for e in (0.01, 0.1, 1.0)]
    pupil.move("election-museum", 10)
    moved = list(pupil.numbers().values())
    assert moved == [winner((9, 10, 6, 3), e) for e in (0.01, 0.1, 1.0)]
    pupil.reset()
    assert list(pupil.numbers().values()) == [winner(VOTES, e) for e in (0.01, 0.1, 1.0)]


def test_a_table_of_noisy_votes_is_a_lottery_at_a_small_epsilon() -> None:
    """Each place has noise of its own, drawn by the law of a count; how far off the furthest is, is said."""
    pupil = Pupil(PAGE, step="election", **{"election-show": "noisy"})
    for draw in (1, 2):
        pupil.move("election-draw", draw)
        off = [max(abs(a - b) for a, b in zip(election.noisy(VOTES, e, draw), VOTES, strict=True)) for e in (0.01, 1.0)]
        shown = list(pupil.numbers().values())
        assert (shown[0], shown[2]) == tuple(map(str, off)) and off[0] > off[1]


def test_four_ways_are_compared_by_the_votes_they_lose() -> None:
    """The address brings epsilon; a longer list and several votes a pupil hurt shown counts."""
    pupil = Pupil(PAGE, step="ways", **{"ways-epsilon": "1.0"})
    ways = {"Votes lost: exponential": CHOICE, "Votes lost: coin flips": FLIP, "Votes lost: noisy counts": COUNTED}

    def expected(votes: tuple[int, ...], several: bool) -> dict[str, str]:
        lotteries = {label: election.chances(way, votes, 1.0, several) for label, way in ways.items()}
        return {label: f"{election.behind(votes, chances):.3g} votes" for label, chances in lotteries.items()}

    assert pupil.numbers() == expected(VOTES, False)
    pupil.move("ways-more", 10)
    pupil.move("ways-several", True)
    assert pupil.numbers() == expected((*VOTES, *[0] * 10), True)


def test_a_day_by_weight_and_a_day_by_noise() -> None:
    """Average pupils of both, for the class and the epsilon that are chosen."""
    pupil = Pupil(PAGE, step="date")
    for school_class, epsilon in ((1, 1.0), (4, 1.0), (4, 10.0)):
        pupil.move("date-class", school_class)
        pupil.move("date-epsilon", epsilon)
        numbers, noise = pupil.numbers(), election.by_noise(school_class, epsilon)
        weight = election.by_weight(school_class, epsilon)
        assert numbers["By weight"] == f"{weight.pupils:.3g} come"
        assert numbers["With noise"] == f"{noise.pupils:.3g} come"
        assert numbers["With noise, fewer than 6 come"] == f"{noise.empty:.0%}"
        assert f"{noise.wishes.max()} come" in numbers.values()


def test_pupils_and_chances_have_an_axis_each() -> None:
    """How many can come is counted above, and what each way does is a chance below: no bar is measured by the other."""
    pupil = Pupil(PAGE, step="date")
    (chart,) = pupil.app.get("plotly_chart")
    figure = json.loads(chart.proto.spec)
    on = {trace["yaxis"]: max(trace["y"]) for trace in figure["data"] if trace["yaxis"] == "y"}
    assert on == {"y": int(election.wishes(1).max())} and len(figure["data"]) == 3
    assert all(max(trace["y"]) <= 1 for trace in figure["data"] if trace["yaxis"] == "y2")
    upper, lower = figure["layout"]["yaxis"]["domain"], figure["layout"]["yaxis2"]["domain"]
    assert lower[1] < upper[0]
