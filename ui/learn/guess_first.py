"""Guess first: a step asks what somebody expects, and shows its figure when they have said it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from discreet.lab.lessons.guesses import Guess, GuessBook, GuessKind, OneOf, OnRungs, OnScale, Prediction
from discreet.ui.frame.words import say
from discreet.ui.learn.guess_point import GuessPoint
from discreet.ui.learn.guess_words import distance, written
from discreet.ui.state import chosen, workspace

ASKED, SHOWN = "yes", "no"
ADDRESS = "guess"  # guess=no in an address shows every figure at once


def book() -> GuessBook:
    """Return the guesses of this browser; an address may say whether it is asked at all."""
    guesses, word = workspace().guesses, st.query_params.get(ADDRESS, "")
    if word != guesses.address:
        guesses.address = word
        guesses.asks = guesses.asks if word not in (ASKED, SHOWN) else word == ASKED
    return guesses


def switch() -> None:
    """Offer to be asked before each figure, or not."""
    asks = book().asks
    st.toggle(say("Guess first"), asks, key=f"guess-first-{asks}", on_change=_ask_from_now_on, args=(not asks,))


def _ask_from_now_on(asks: bool) -> None:
    workspace().guesses.asks = asks


def open_to(key: str) -> bool:
    """Say whether the figure of a step may be drawn."""
    return book().shows(key)


def ask(prediction: Prediction, point: GuessPoint | None, key: str) -> None:
    """Ask, with the ways to answer it and to see the figure without."""
    guess, field, kind = book().by_question.get(key), f"{key}-guess", prediction.kind.name
    if guess is not None:
        noted = say("Your guess has been noted.") if guess.value is not None else ""
        st.info(f"{noted} {say('The answer is shown to the whole class together.')}")
        return
    st.markdown(f"### {say('First, a guess')}")
    st.markdown(say(prediction.ask))
    if point is None:
        WIDGETS[kind](prediction.kind, field)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if point is not None:
            point.type(field)
        word = say("That is my guess")
        mine = st.button(word, type="primary", on_click=_commit, args=(key, kind, field), key=f"{key}-commit")
        st.button(say("Show me"), on_click=_reveal, args=(key, kind), key=f"{key}-reveal")
    if mine and chosen(field) is None:
        st.warning(say("Guess first, or press “{show}” to see it without a guess.", show=say("Show me")))
    if point is not None:
        point.draw(field, key)


def _commit(key: str, kind: str, field: str) -> None:
    """Keep a guess; without one nothing is shown yet."""
    if chosen(field) is not None:
        workspace().guesses.note(Guess(key, kind, chosen(field)))


def _reveal(key: str, kind: str) -> None:
    workspace().guesses.note(Guess(key, kind, None))


def _scale(kind: GuessKind, key: str) -> None:
    assert isinstance(kind, OnScale)
    shown = f"%.{_digits(kind.step)}f{kind.unit.replace('%', '%%')}"
    st.slider(say("Your guess"), kind.low, kind.high, kind.low, kind.step, key=key, format=shown)


def _digits(step: float) -> int:
    return 0 if step >= 1 else 1 if step >= 0.1 else 2


def _rungs(kind: GuessKind, key: str) -> None:
    assert isinstance(kind, OnRungs)
    numbers = kind.numbers
    st.select_slider(say("Your guess"), numbers, numbers[0], key=key, format_func=lambda x: written(x, kind))


def _choice(kind: GuessKind, key: str) -> None:
    assert isinstance(kind, OneOf)
    options = kind.options
    st.radio(say("Your guess"), list(options), index=None, key=key, format_func=lambda name: say(options[name]))


WIDGETS: dict[str, Callable[[GuessKind, str], None]] = {OnScale.name: _scale, OnRungs.name: _rungs, OneOf.name: _choice}


def verdict(prediction: Prediction, key: str) -> None:
    """Say what was guessed, what is true, how far apart they are, and why."""
    truth, kind = prediction.answer, prediction.kind
    guess = book().of(key, kind)
    if guess is None:
        return
    near = guess.value is not None and kind.near(guess.value, truth)
    line = say("**The answer: {truth}.**", truth=written(truth, kind))
    if guess.value is not None:
        mine = say("You said {guess}.", guess=written(guess.value, kind))
        line = f"{mine} {line} {distance(guess.value, truth, kind)}"
    (st.success if near else st.warning)(f"{line} {say(prediction.why)}", icon=":material/lightbulb:")
