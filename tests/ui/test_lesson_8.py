"""Lesson 8 shows what watching and trusting nobody cost, and moves with its controls."""

from __future__ import annotations

import math

from support.lessons import Pupil

from discreet.course.lessons.streams import numbers

PAGE = "lesson_8_streams"


def test_watching_costs_the_same_however_long() -> None:
    """Epsilon for 60 days and for 120; false alarms become likelier, each count would cost more."""
    pupil = Pupil(PAGE)
    for days, each in ((60, "ε = 12"), (120, "ε = 24")):
        pupil.move("stream-days", days)
        watch = numbers.watched(days, 0.2, 100)
        assert pupil.numbers() == {
            "Cost of watching": "ε = 0.2",
            "If every count is released": each,
            "Within 3 days": f"{watch.near(3):.1%}",
            "False alarm": f"{watch.early(3):.1%}",
        }
    pupil.move("stream-threshold", 140)
    assert pupil.numbers()["False alarm"] == f"{numbers.watched(120, 0.2, 140).early(3):.1%}"
    pupil.reset()
    assert pupil.numbers()["If every count is released"] == "ε = 12"


def test_the_price_of_patience_by_hand() -> None:
    """Watching is off by 2/e1 logarithms; the address brings length and epsilon."""
    pupil = Pupil(PAGE, step="patience", **{"patience-epsilon": "0.5", "patience-length": "10"})

    def watching(length: int) -> str:
        return f"± {4 * (math.log(40) + math.log(40 * length)):.3g}"

    assert pupil.numbers()["Watching"] == watching(10)
    pupil.move("patience-length", 500)
    assert pupil.numbers()["Watching"] == watching(500)
    slack, at = numbers.slack(0.5), numbers.LENGTHS.index(500)
    assert pupil.numbers()["Ratio of released to watching"] == f"{slack.counted[at] / slack.watched[at]:.3g}"


def test_a_report_is_true_with_the_odds_of_epsilon() -> None:
    """And both errors are those of the exact laws."""
    pupil = Pupil(PAGE, step="local")
    pupil.move("local-epsilon", 2.0)
    pupil.move("local-yes", 50)
    pupil.move("local-people", 3000)
    survey, shown = numbers.surveyed(3000, 1500, 2.0), pupil.numbers()
    assert shown["A report is true"] == f"{1 / (1 + math.exp(-2)):.1%}"
    assert shown["No one trusted"] == f"± {100 * survey.local:.3g}%"
    assert shown["Curator trusted"] == f"± {100 * survey.central:.3g}%"


def test_what_trust_is_worth_grows_with_the_root() -> None:
    """The ratio is shown beside the root of the people."""
    pupil = Pupil(PAGE, step="people")
    for people, root in ((10_000, "100"), (100_000, "316")):
        pupil.move("people-people", people)
        shown = pupil.numbers()
        assert shown["√ of the number of people"] == root
        assert shown["Ratio"] == f"{numbers.surveyed(people, 3 * people // 10, 1.0).ratio:.3g}"
