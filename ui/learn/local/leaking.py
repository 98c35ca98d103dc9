"""Leaking: noise that follows these data tells how many people there are."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.lab.lessons import local
from discreet.ui.figures import learn
from discreet.ui.figures.learn import Mark, Series
from discreet.ui.frame.words import number, say
from discreet.ui.learn.controls import Controls
from discreet.ui.learn.lesson import numbers
from discreet.ui.learn.local.local_book import PAGES
from discreet.ui.learn.local.local_guesses import GUESSES
from discreet.ui.learn.local.rivals import EPSILONS
from discreet.ui.learn.step import Step

PEOPLE = (10, 20, 50, 100, 300, 1000, 3000, 10_000)


def leak_controls(by: Controls) -> tuple[int, float, int]:
    """Choose the secret number of people, epsilon and a draw."""
    people = by.pick("people", say("People n (the secret)"), PEOPLE, 300)
    return int(people), by.pick("epsilon", say("ε of each answer"), EPSILONS, 0.5), by.draw()


def leak(settings: tuple[int, float, int], key: str) -> None:
    """Draw how the size of the noise gives the number of people away."""
    people, epsilon, seed = settings
    guesses, places = local.recovered(people, epsilon, 1000, seed), local.places(1000)
    numbers(
        {
            say("True n"): number(people),
            say("Guess, 30 answers"): number(round(float(guesses[places.index(_at(places, 30))]))),
            say("Guess, 1,000 answers"): number(round(float(guesses[-1]))),
        }
    )
    learn.lines(
        places,
        [Series(say("guess of n"), guesses.tolist(), "exhibit", at=-1)],
        (say("Answers seen (logarithmic)"), say("Guess of n")),
        say("The guess of n from the size of the noise closes in on {n}.", n=people),
        key,
        [Mark(people, say("true n = {n}", n=number(people)), "truth", level=True)],
        xaxis_type="log",
        yaxis_range=[0, 2.5 * people],
    )


def _at(places: list[int], wish: int) -> int:
    return min(places, key=lambda place: abs(place - wish))


LEAKING = Step(
    "leak",
    Phrase("The noise leaks"),
    Phrase(
        "A textbook scales the noise of a mean to u/(n+1). Then the noise itself is a "
        "message: its size tells n, and n was secret. A spy sees the answers only."
    ),
    Phrase("Compare n = 100 with n = 300: after how many answers does the spy know?"),
    leak_controls,
    leak,
    GUESSES["leak"],
    PAGES["leak"],
)
