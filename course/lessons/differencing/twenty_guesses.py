"""Twenty guesses: the reader is the attacker, compared with a coin and with the theoretical limit."""

from __future__ import annotations

import streamlit as st

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Face, Mark, percent
from discreet.course.lesson import numbers
from discreet.course.lessons.differencing import numbers as differencing
from discreet.course.lessons.differencing.answers import ANSWERS
from discreet.course.lessons.differencing.book import PAGES
from discreet.course.lessons.differencing.guesses import EPSILON, GUESSES
from discreet.course.lessons.differencing.guessing import EPSILONS
from discreet.course.lessons.differencing.letters import LETTERS
from discreet.course.lessons.differencing.numbers import COIN, PEOPLE, Twenty
from discreet.course.steps import Step
from discreet.ui.figures.people import CAST
from discreet.ui.frame.words import number, say
from discreet.ui.session.state import choose, chosen, preset

NOISES = {"none": Phrase("None"), "private": Phrase("Geometric")}
Chosen = tuple[str, float, int]
ROWS = {"to come": 0, "wrong": 1, "right": 2}  # the heights at which people stand
MIDDLE = 0.3  # of a person, above their row
LATE = 0.7  # of the figure: a name of a line beyond it stands before the line


def twenty_controls(by: Controls) -> Chosen:
    """Choose the noise, epsilon, and who smokes."""
    noise = by.choose("noise", say("Noise on every count"), NOISES)
    return noise, by.pick("epsilon", say("ε per count"), EPSILONS, EPSILON), by.draw(7)


def played(settings: Chosen, key: str) -> None:
    """Ask for one guess after the other, and draw the people who were guessed right and wrong."""
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
    _figure(games, said, noise, key)


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


def _figure(games: dict[str, Twenty], said: dict[str, str], noise: str, key: str) -> None:
    """Draw the people of this round: right guesses fill a row up to a coin and the best guesser, wrong ones another."""
    scores = {name: [game.right(said[name]), PEOPLE * COIN, PEOPLE * game.allowed] for name, game in games.items()}
    best = scores[noise][-1]
    figures.crowd(
        places(games[noise], said[noise]),
        [
            Mark(PEOPLE * COIN, say("A coin"), side=-1),
            Mark(best, say("The best guesser"), "truth", "solid", side=-1 if best > LATE * PEOPLE else 1),
        ],
        say("People"),
        say("You have {none} right without noise, and {private} with it.", **{n: str(s[0]) for n, s in scores.items()}),
        {
            say("Right, of twenty"): [say("You, so far"), say("A coin"), say("The best guesser")],
            say("exact counts"): scores["none"],
            say("counts with noise"): scores["private"],
        },
        key,
        xaxis_range=[0, PEOPLE + 1],
        xaxis_tickvals=list(range(0, PEOPLE + 1, 5)),
        yaxis_range=[-0.25, 3.25],
        yaxis_tickvals=[row + MIDDLE for row in ROWS.values()],
        yaxis_ticktext=[say("to come"), say("guessed wrong"), say("guessed right")],
    )


def places(game: Twenty, guesses: str) -> list[Face]:
    """Return each person where they stand: in line as long as they are not guessed, then behind the others of a row."""
    filled = {"right": 0, "wrong": 0}
    faces = []
    for person in range(PEOPLE):
        name = CAST[person % len(CAST)]
        if person >= len(guesses):
            faces.append(Face(name, person + 1, ROWS["to come"], "quiet", gone=person > len(guesses)))
            continue
        row = "right" if (guesses[person] == "y") == game.smokes[person] else "wrong"
        filled[row] += 1
        faces.append(Face(name, filled[row], ROWS[row], "done" if row == "right" else "refused"))
    return faces


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
    answer=ANSWERS["twenty"],
)
