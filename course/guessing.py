"""Guessing: a step asks for a guess, shows its figure, and says how far off the guess was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from discreet.course.figures import Distance, Mark
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.formulas import typeset
from discreet.ui.frame.words import number, say
from discreet.ui.session.guesses import (
    Guess,
    GuessBook,
    GuessKind,
    InOrder,
    OneOf,
    OnFactors,
    OnRungs,
    OnScale,
    Prediction,
    Typed,
    Value,
)
from discreet.ui.session.state import chosen, workspace

# Wording: a guess, the true value, and the distance between them.


def written(value: Value, kind: GuessKind, speak: Callable[..., str] = say) -> str:
    """Format a guess or a true value, in the language of the screen or of a paper."""
    if isinstance(kind, OneOf):
        return speak(kind.options[str(value)])
    if isinstance(kind, InOrder):
        return ", ".join(str(value))
    digits = 4 if isinstance(kind, Typed) else 3
    return f"{number(int(value) if float(value).is_integer() else float(value), digits)}{kind.unit}"


def distance(value: Value, truth: Value, kind: GuessKind) -> str:
    """Describe how far a guess is from the true value."""
    if kind.near(value, truth):
        return say("Good guess!")
    if isinstance(kind, OneOf):
        return ""
    guess = float(value)
    right = float(truth)
    above = float(value) > float(truth)
    if kind.factors and guess and right:
        apart = number(max(guess / right, right / guess), 2)
        return (
            say("Too high by a factor of {times}.", times=apart)
            if above
            else say("Too low by a factor of {times}.", times=apart)
        )
    if kind.unit == "%":  # a difference of two shares
        apart = number(abs(guess - right), 3)
        return (
            say("Too high by {apart} percentage points.", apart=apart)
            if above
            else say("Too low by {apart} percentage points.", apart=apart)
        )
    apart = written(abs(guess - right), kind)
    return say("Too high by {apart}.", apart=apart) if above else say("Too low by {apart}.", apart=apart)


# Guess point: a guess that is put on the figure, and compared with the true value there.

MINE = "quiet"
TRUE = "truth"
APART = "refused"
NEAR = "done"


@dataclass(frozen=True)
class GuessPoint:
    """The position of a step's guess on its figure.

    `frame` draws the figure without the answer, with the handle of the point; `case` returns whether settings are those
    of the question; `unit` is the length of one unit of the guess on the axis, `beside` the position on the other axis,
    and `shift` offsets it by a share of the figure.
    """

    prediction: Prediction
    frame: Callable[[str, Handle], None]
    case: Callable[[Any], bool]
    axis: str = "x"
    beside: float | None = None
    unit: float = 1.0
    shift: float = 0.0

    def draw(self, field: str, key: str) -> None:
        """Draw the figure that is clicked to guess."""
        kind = self.prediction.kind
        places = self._scale.places
        handle = Handle(
            field,
            say("Your guess"),
            places,
            [place * self.unit for place in places],
            chosen(field),
            [written(place, kind) for place in places],
            self.axis,
            self.beside,
            self.shift,
            press=True,
        )
        self.frame(f"{key}-frame", handle)

    def type(self, field: str) -> None:
        """Show the field to type the guess."""
        scale = self._scale
        label = say("Your guess, in {unit}", unit=scale.unit) if scale.unit else say("Your guess")
        st.number_input(
            label, float(scale.low), float(scale.high), None, float(scale.step), key=field, format="%g", width=200
        )

    @property
    def _scale(self) -> OnScale | OnFactors:
        assert isinstance(self.prediction.kind, (OnScale, OnFactors))
        return self.prediction.kind

    def marks(self, key: str, settings: Any) -> list[Mark | Distance]:
        """Return guess, true value and distance as marks for the figure of the question."""
        kind = self.prediction.kind
        truth = self.prediction.answer
        guess = workspace().guesses.of(key, kind)
        if guess is None or guess.value is None or not self.case(settings):
            return []
        ends = float(guess.value) * self.unit, float(truth) * self.unit
        side = -1 if ends[0] < ends[1] else 1
        level = self.axis == "y"
        return [
            Mark(ends[0], say("your guess: {guess}", guess=written(guess.value, kind)), MINE, "dash", level, side),
            Mark(ends[1], say("correct answer: {truth}", truth=written(truth, kind)), TRUE, "solid", level, -side),
            Distance(ends, distance(guess.value, truth, kind), NEAR if kind.near(guess.value, truth) else APART, level),
        ]


# Guess first: a step asks for a guess, and shows its figure afterwards.

ASKED = "yes"
SHOWN = "no"
ADDRESS = "guess"  # guess=no in an address shows every figure immediately


def book() -> GuessBook:
    """Return the guesses of this browser; an address may turn the questions on or off."""
    guesses = workspace().guesses
    word = st.query_params.get(ADDRESS, "")
    if word != guesses.address:
        guesses.address = word
        guesses.asks = guesses.asks if word not in (ASKED, SHOWN) else word == ASKED
    return guesses


def switch() -> None:
    """Offer to turn the questions before each figure on or off."""
    asks = book().asks
    st.toggle(say("Guess first"), asks, key=f"guess-first-{asks}", on_change=_ask_from_now_on, args=(not asks,))


def _ask_from_now_on(asks: bool) -> None:
    workspace().guesses.asks = asks


def open_to(key: str) -> bool:
    """Whether the figure of a step may be drawn."""
    return book().shows(key)


def ask(prediction: Prediction, point: GuessPoint | None, key: str) -> None:
    """Ask the question, with ways to answer it or to see the figure without a guess."""
    guess = book().by_question.get(key)
    field = f"{key}-guess"
    waits = point is None and prediction.kind.rests
    if guess is not None:
        noted = say("Your guess has been noted.") if guess.value is not None else ""
        st.info(f"{noted} {say('The answer is revealed to the whole class together.')}")
        return
    st.markdown(f"### {say('First, a guess')}")
    st.markdown(typeset(say(prediction.ask)))
    if point is None:
        WIDGETS[prediction.kind.name](prediction.kind, field)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if point is not None:
            point.type(field)
        word = say("Submit guess")
        mine = st.button(
            word, type="primary", on_click=_commit, args=(key, prediction, field, waits), key=f"{key}-commit"
        )
        st.button(say("Show answer"), on_click=_reveal, args=(key, prediction.kind.name), key=f"{key}-reveal")
    if mine and _given(field, waits) is None:
        st.warning(say("Guess first, or press “{show}” to skip.", show=say("Show answer")))
    if point is not None:
        point.draw(field, key)


def _given(field: str, waits: bool) -> Value | None:
    """Return the value in the field of a guess; a field that waits to be moved holds none before."""
    if waits and field not in workspace().guesses.moved:
        return None
    value: Value | None = chosen(field)
    return value


def _commit(key: str, prediction: Prediction, field: str, waits: bool) -> None:
    """Keep a guess; without one nothing is shown yet."""
    value = _given(field, waits)
    if value is not None:
        workspace().guesses.note(Guess(key, prediction.kind.name, prediction.counted(value)))


def _moved(field: str) -> None:
    workspace().guesses.moved.add(field)


def _reveal(key: str, kind: str) -> None:
    workspace().guesses.note(Guess(key, kind, None))


def _scale(kind: GuessKind, key: str) -> None:
    assert isinstance(kind, OnScale)
    shown = f"%.{_digits(kind.step)}f{kind.unit.replace('%', '%%')}"
    st.slider(
        say("Your guess"),
        kind.low,
        kind.high,
        kind.low,
        kind.step,
        key=key,
        format=shown,
        on_change=_moved,
        args=(key,),
    )


def _digits(step: float) -> int:
    return 0 if step >= 1 else 1 if step >= 0.1 else 2


def _rungs(kind: GuessKind, key: str) -> None:
    assert isinstance(kind, OnRungs)
    numbers = kind.numbers
    st.select_slider(
        say("Your guess"),
        numbers,
        numbers[0],
        key=key,
        format_func=lambda x: written(x, kind),
        on_change=_moved,
        args=(key,),
    )


def _choice(kind: GuessKind, key: str) -> None:
    assert isinstance(kind, OneOf)
    options = kind.options
    st.radio(say("Your guess"), list(options), index=None, key=key, format_func=lambda name: say(options[name]))


WIDGETS: dict[str, Callable[[GuessKind, str], None]] = {OnScale.name: _scale, OnRungs.name: _rungs, OneOf.name: _choice}


def verdict(prediction: Prediction, key: str) -> None:
    """Show the guess, the true value, the distance between them, and the explanation; folded if no guess was asked."""
    truth = prediction.answer
    kind = prediction.kind
    guess = book().of(key, kind)
    line = say("**The answer: {truth}.**", truth=written(truth, kind))
    if guess is None:
        with st.expander(say("Question and answer"), icon=":material/lightbulb:", type="compact"):
            st.markdown(f"{typeset(say(prediction.ask))}\n\n{line} {typeset(say(prediction.why))}")
        return
    near = guess.value is not None and kind.near(guess.value, truth)
    if guess.value is not None:
        mine = say("Your guess: {guess}.", guess=written(guess.value, kind))
        line = f"{mine} {line} {distance(guess.value, truth, kind)}"
    (st.success if near else st.warning)(f"{line} {typeset(say(prediction.why))}", icon=":material/lightbulb:")
