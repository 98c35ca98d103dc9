"""Twenty guesses: the reader is the attacker, compared with a coin and with the theoretical limit."""

from __future__ import annotations

import streamlit as st

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Series, percent
from discreet.course.lesson import numbers
from discreet.course.lessons.differencing import numbers as differencing
from discreet.course.lessons.differencing.book import PAGES
from discreet.course.lessons.differencing.guesses import EPSILON, GUESSES
from discreet.course.lessons.differencing.guessing import EPSILONS
from discreet.course.lessons.differencing.letters import LETTERS
from discreet.course.lessons.differencing.numbers import COIN, PEOPLE, Twenty
from discreet.course.steps import Step
from discreet.ui.frame.words import number, say
from discreet.ui.session.state import choose, chosen, preset

NOISES = {"none": Phrase("None"), "private": Phrase("Geometric")}
Chosen = tuple[str, float, int]


def twenty_controls(by: Controls) -> Chosen:
    """Choose the noise, epsilon, and who smokes."""
    noise = by.choose("noise", say("Noise on every count"), NOISES)
    return noise, by.pick("epsilon", say("ε per count"), EPSILONS, EPSILON), by.draw(7)


def played(settings: Chosen, key: str) -> None:
    """Ask for one guess after the other, and draw how many were right without noise and with it."""
    noise, epsilon, seed = settings
    games = {"none": differencing.twenty(None, seed), "private": differencing.twenty(epsilon, seed)}
    fields = {"none": f"{key}-said-{seed}", "private": f"{key}-said-{seed}-{epsilon:g}"}
    for field in fields.values():
        preset(field, "")
    said = {name: chosen(field, "") for name, field in fields.items()}
    game = games[noise]
    guesses = said[noise]
    numbers(
        {
            say("Guesses"): say("{n} of {all}", n=len(guesses), all=PEOPLE),
            say("Right"): str(game.right(guesses)),
            say("The best guesser, on average"): number(PEOPLE * game.allowed, 3),
        }
    )
    _ask(game, guesses, fields[noise], key) if len(guesses) < PEOPLE else _verdict(game, guesses)
    _figure(games, said, key)


def _ask(game: Twenty, guesses: str, field: str, key: str) -> None:
    """Show the count of the next person, and ask for a guess."""
    at = len(guesses)
    before = _before(game, guesses) if guesses else ""
    with st.container(gap=None):  # so that the height of the screen equals that of other steps
        st.markdown(f"{before} {say('The count of person {n} is **{answer}**.', n=at + 1, answer=game.answers[at])}")
        _buttons(game, guesses, field, key)


def _buttons(game: Twenty, guesses: str, field: str, key: str) -> None:
    """Show a button for each guess, and one that leaves the rest to the best rule."""
    with st.container(horizontal=True, gap="small"):
        for word, guess in ((say("Smokes"), "y"), (say("Does not smoke"), "n")):
            st.button(word, on_click=choose, args=(field, guesses + guess), key=f"{key}-{guess}", type="primary")
        rest = say("Guess the rest from the counts")
        st.button(rest, on_click=choose, args=(field, game.rest(guesses)), key=f"{key}-rest", type="tertiary")


def _before(game: Twenty, guesses: str) -> str:
    """Show the true answer for the previous person."""
    right = (guesses[-1] == "y") == game.smokes[len(guesses) - 1]
    return say("Right.") if right else say("Wrong.")


def _exact(right: int) -> str:
    return say(
        "{right} of {all}: an exact count hides no one. Now choose noise on every count.", right=right, all=PEOPLE
    )


def _verdict(game: Twenty, guesses: str) -> None:
    """Compare all guesses with a coin and with the theoretical limit."""
    right = game.right(guesses)
    if game.epsilon is None:
        st.info(_exact(right))
        return
    lucky = percent(differencing.luck(right, game.allowed))
    st.info(
        say(
            "{right} of {all}. A coin gets {coin} right. The best guesser gets {best} on average, and "
            "as many as you or more with a chance of {lucky}.",
            right=right,
            all=PEOPLE,
            coin=number(PEOPLE * COIN),
            best=number(PEOPLE * game.allowed, 3),
            lucky=lucky,
        )
    )


def _figure(games: dict[str, Twenty], said: dict[str, str], key: str) -> None:
    """Draw the right guesses beside those of a coin and of the best rule."""
    bars = {name: [game.right(said[name]), PEOPLE * COIN, PEOPLE * game.allowed] for name, game in games.items()}
    mine = {name: str(bars[name][0]) for name in bars}
    figures.bars(
        [say("You, so far"), say("A coin"), say("The best guesser")],
        [
            Series(say("exact counts"), bars["none"], "with"),
            Series(say("counts with noise"), bars["private"], "result"),
        ],
        ("", say("Right, of twenty")),
        say("You have {none} right without noise, and {private} with it.", **mine),
        key,
        text=".3~g",
        yaxis_range=[0, 1.15 * PEOPLE],
    )


TWENTY = Step(
    "twenty",
    Phrase("Twenty guesses"),
    Phrase(
        "Now you are the attacker. A coin decided for each of twenty people whether they smoke, "
        "and each is counted alone. Guess from the counts, first without noise and then with "
        "noise."
    ),
    Phrase("Play both. Next, try ε = 3 and ε = 0.1: at which ε are the counts of almost no use?"),
    twenty_controls,
    played,
    GUESSES["twenty"],
    PAGES["twenty"],
    letters=LETTERS["twenty"],
)
