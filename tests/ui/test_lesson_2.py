"""Lesson 2 shows the numbers of the attack, moves with its controls, and comes back."""

from __future__ import annotations

import math

from support.lessons import Pupil

from discreet.budget import Cost
from discreet.course.lessons.deidentification.numbers import town
from discreet.course.lessons.differencing import numbers as differencing
from discreet.course.lessons.differencing.guesses import GUESSES
from discreet.course.lessons.differencing.twice import TWICE
from discreet.report.risk import best_guess, of_100
from discreet.ui.frame.words import number

PAGE = "lesson_2_differencing"


def test_exact_answers_give_the_person_away_and_noise_does_not() -> None:
    """900 and 899; with noise the chance of the best guess is that of the exact law."""
    pupil = Pupil(PAGE)
    assert list(pupil.numbers().values()) == ["900", "899", "100%", "100%"]
    assert not [slider for slider in pupil.app.select_slider if slider.key == pupil.key("two-epsilon")]
    assert pupil.app.slider(key=pupil.key("two-person")).value == 7 and "Mia smokes" in str(GUESSES["two"].kind)
    pupil.move("two-noise", "even")  # 3 and −2 prove it: one difference in nine
    assert not [slider for slider in pupil.app.slider if slider.key == pupil.key("two-person")]
    assert pupil.numbers()["Certain results"] == "11%" and pupil.numbers()["Best guess is right"] == "67%"
    pupil.move("two-noise", "private")
    right = differencing.difference(0.5).right
    assert [slider for slider in pupil.app.select_slider if slider.key == pupil.key("two-epsilon")]
    assert pupil.numbers()["Best guess is right"] == f"{right:.0%}" and pupil.numbers()["Certain results"] == "0%"
    pupil.reset()
    assert list(pupil.numbers().values()) == ["900", "899", "100%", "100%"]


def test_the_sentences_of_the_first_step_have_its_numbers() -> None:
    """What proves it under bounded noise, what ε allows a spy, and the best guess at a small ε."""
    seen = differencing.naive()
    assert seen.answers[seen.within == 0].tolist() == [-2] and seen.answers[seen.without == 0].tolist() == [3]
    assert TWICE.answer.text.startswith("−2 proves that Mia does not smoke, 3 ")
    assert f"at most {of_100(best_guess(Cost.of(1)))} of 100 cases" in TWICE.attempt
    assert TWICE.answer.numbers() == {"right": f"{differencing.difference(0.1).right:.0%}"}


def test_a_pointed_question_tells_at_most_what_epsilon_allows() -> None:
    """The address opens step and setting; e^eps / (1 + e^eps) is shown beside what is reached."""
    pupil = Pupil(PAGE, step="named", **{"named-epsilon": "1.0"})
    numbers = pupil.numbers()
    assert numbers["Never more than"] == f"{math.e / (1 + math.e):.1%}"
    assert numbers["Best guess is right"] == f"{differencing.pointed(1.0).right:.1%}"
    person = town().names[6]
    assert numbers["Three results"] == ", ".join(f"{a}" for a in differencing.asked(person, 1.0, 3, 1)).replace(
        "-", "−"
    )
    pupil.move("named-draw", 2)
    assert pupil.numbers()["Three results"] != numbers["Three results"]


def test_the_ledger_stops_after_as_many_answers_as_the_budget_pays() -> None:
    """A real curator is asked until it refuses."""
    pupil = Pupil(PAGE, step="again")
    assert pupil.numbers()["Results within budget"] == "10"
    pupil.move("again-epsilon", 0.05)
    assert pupil.numbers()["Results within budget"] == "20"


def test_the_reader_guesses_twenty_people_without_noise_and_with_it() -> None:
    """Each guess is judged at once; after twenty the score stands beside a coin and the law; both rounds stay."""
    pupil, exact, noisy = Pupil(PAGE, step="twenty"), differencing.twenty(None, 7), differencing.twenty(0.5, 7)
    pupil.press("Smokes" if exact.smokes[0] else "Does not smoke")
    assert pupil.numbers()["Right"] == "1" and "Right." in spoken(pupil)
    pupil.press("Does not smoke" if exact.smokes[1] else "Smokes")
    assert pupil.numbers()["Right"] == "1" and "Wrong." in spoken(pupil)
    assert f"The count of person 3 is **{exact.answers[2]}**" in spoken(pupil)
    pupil.press("Guess the rest from the counts")
    assert pupil.numbers() == {"Guesses": "20 of 20", "Right": "19", "The best guesser, on average": "20"}
    pupil.move("twenty-noise", "private")
    assert pupil.numbers() == {"Guesses": "0 of 20", "Right": "0", "The best guesser, on average": "12.4"}
    pupil.press("Guess the rest from the counts")
    right = noisy.right(noisy.rest(""))
    assert pupil.numbers()["Right"] == str(right)
    (verdict,) = [info.value for info in pupil.app.info if "A coin gets 10" in info.value]
    assert verdict.startswith(f"{right} of 20.") and f"{differencing.luck(right, noisy.allowed):.0%}" in verdict
    pupil.move("twenty-noise", "none")
    assert pupil.numbers()["Right"] == "19"
    pupil.reset()
    assert pupil.numbers()["Right"] == "0"


def spoken(pupil: Pupil) -> str:
    """Return what is said on the screen."""
    return " ".join(part.value for part in pupil.app.markdown)


def test_a_draw_number_is_the_same_noise_for_everybody() -> None:
    """The average that is told lies on the curve beside it, and two browsers see the same."""
    averages = [Pupil(PAGE, step="again", **{"again-draw": "3"}).numbers()["Their average"] for _ in range(2)]
    assert averages == [number(float(differencing.averages(0.1, 1000, 3)[9]), 5)] * 2
