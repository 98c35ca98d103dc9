"""Step board: the guesses of a class on a step of a lesson in one figure, with what the teacher does about them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

import streamlit as st

from discreet.lab.classroom.step_guesses import StepGuesses
from discreet.lab.lessons.guesses import OneOf, OnRungs, Value
from discreet.ui.classroom.convened import meeting
from discreet.ui.figures import learn, look
from discreet.ui.figures.sketch import Sketch
from discreet.ui.frame.links import link
from discreet.ui.frame.words import drawn, say
from discreet.ui.learn.guess_words import written
from discreet.ui.learn.whole_course import Place, places
from discreet.ui.state import browser

REFRESH = 1.0  # seconds between two looks at the guesses
CELLS = 20


def above_step(key: str) -> None:
    """Show on a step what the class guesses there: to its teacher always, to everybody once it is open."""
    here, place = meeting(), places().get(key)
    if place is None:
        return
    if here.teaches(browser()):
        with st.container(border=True):
            st.fragment(_led, run_every=REFRESH)(place)
            _buttons(place)
    elif key in here.steps.opened:
        with st.container(border=True):
            st.markdown(f"**{say('What the class guessed')}**")
            figure(place, True)
    elif key == here.steps.asked:
        st.info(say("The whole class is asked this. Your teacher shows the answer to everybody."))


def _led(place: Place) -> None:
    """Show the teacher how many have guessed, and what."""
    given, shown = meeting().steps.given(place.key), place.key in meeting().steps.opened
    st.markdown(say("{count} of {here} have guessed on this step.", count=len(given), here=len(meeting().present())))
    figure(place, shown)


def _buttons(place: Place) -> None:
    steps, key = meeting().steps, place.key
    with st.container(horizontal=True):
        asked = steps.asked == key
        ask = say("Ask the whole class")
        st.button(ask, key="step-ask", on_click=_act, args=(StepGuesses.ask, key), disabled=asked)
        opened = key in steps.opened
        reveal = say("Reveal to everybody")
        st.button(reveal, key="step-open", on_click=_act, args=(StepGuesses.open, key), disabled=opened)
        st.button(say("Forget these guesses"), key="step-forget", on_click=_act, args=(StepGuesses.forget, key))


def _act(work: Callable[[StepGuesses, str], None], key: str) -> None:
    """Do something about the guesses on a step, as its teacher."""
    meeting().on_steps(browser(), lambda steps: work(steps, key))


def figure(place: Place, shown: bool) -> None:
    """Draw how many guessed what, and the truth if it is shown."""
    kind, given = place.step.prediction.kind, meeting().steps.given(place.key)
    truth = place.step.prediction.answer
    values: list[Value]
    if isinstance(kind, OneOf):
        names, values = [say(each) for each in kind.options.values()], list(kind.options)
    elif isinstance(kind, OnRungs):
        names, values = [written(each, kind) for each in kind.numbers], list(kind.numbers)
    else:
        _spread(place, given, shown)
        return
    counts = [list(given).count(value) for value in values]
    right = [shown and kind.near(value, truth) for value in values]
    fig = look.figure(say("Guess"), say("Number of answers"), bargap=0.25, xaxis_type="category")
    tints = [learn.colour("smooth" if true else "global") for true in right]
    labels = [drawn(f"{name} ✓" if true else name) for name, true in zip(names, right, strict=True)]
    fig.add_bar(x=labels, y=counts, marker={"color": tints})
    _show(fig, counts, place)


def _spread(place: Place, given: Sequence[Value], shown: bool) -> None:
    """Draw guesses on a scale in cells of equal width, on a scale of factors in cells of equal factors."""
    kind = place.step.prediction.kind
    low, high = kind.low, kind.high  # type: ignore[attr-defined]
    place_of = math.log10 if kind.factors else float
    start, width = place_of(low), (place_of(high) - place_of(low)) / CELLS
    cells = Counter(min(CELLS - 1, int((place_of(float(value)) - start) / width)) for value in given)
    ends = [start + (cell + 0.5) * width for cell in range(CELLS)]
    fig = look.figure(say("Guess"), say("Number of answers"), bargap=0.05)
    middles = [10**end if kind.factors else end for end in ends]
    counts = [cells[cell] for cell in range(CELLS)]
    sizes = [10 ** (end + width / 2) - 10 ** (end - width / 2) if kind.factors else width for end in ends]
    fig.add_bar(x=middles, y=counts, width=sizes, marker={"color": learn.colour("global")})
    if kind.factors:
        fig.update_layout(xaxis_type="log", xaxis_dtick=1)
    fig.update_layout(xaxis_range=[start, start + CELLS * width])
    if shown:
        truth = place.step.prediction.answer
        look.mark(fig, float(truth), say("truth: {truth}", truth=written(truth, kind)), look.truth_colour())
    _show(fig, counts, place)


def _show(fig: Sketch, counts: Sequence[int], place: Place) -> None:
    top = max(4, *counts)
    fig.update_layout(yaxis={"range": [0, top * 1.15], "dtick": max(1, round(top / 5))})
    words = say("{count} guesses of the class.", count=sum(counts))
    with st.container(key="class-guesses"):
        st.plotly_chart(fig, height="stretch", config=look.CONFIG, key=f"{place.key}-class", alt=words)


def listed() -> None:
    """List for the teacher the steps on which somebody has guessed, each with its way there."""
    counts = meeting().steps.counts()
    for place in (place for key, place in places().items() if counts[key]):
        name = say("Lesson {number}", number=place.lesson.number)
        label = say("{place}: {count} guesses", place=f"{name}, {say(place.step.title)}", count=counts[place.key])
        link(place.lesson.page, label, "bar_chart", place.address)


def called() -> bool:
    """Lead a participant to the step that the whole class is asked, and say whether there is one."""
    place = places().get(meeting().steps.asked)
    if place is None:
        return False
    st.header(say("A question to the whole class"), anchor=False)
    st.markdown(say(place.step.prediction.ask))
    link(place.lesson.page, say("Guess now"), "arrow_forward", place.address)
    return True
