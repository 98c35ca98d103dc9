"""Exercises of a lesson: worked out on paper or with the library, checked as often as one likes, with a solution."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.lab.lessons.guesses import InOrder, OneOf, Prediction, Value
from discreet.ui.frame.words import say
from discreet.ui.learn.guess_words import written
from discreet.ui.state import chosen


def exercises(tasks: Sequence[Prediction], prefix: str) -> None:
    """List the exercises, with what is solved of them."""
    keys = [f"{prefix}-exercise-{place}" for place in range(1, len(tasks) + 1)]
    done = sum(_right(task, chosen(key)) for task, key in zip(tasks, keys, strict=True))
    title = say("Exercises: {done} of {all} solved", done=done, all=len(tasks))
    with st.expander(title, icon=":material/edit:", key=f"{prefix}-exercises"):
        for place, (task, key) in enumerate(zip(tasks, keys, strict=True), 1):
            _exercise(place, task, key)


def _right(task: Prediction, answer: Value | list[str] | None) -> bool:
    """Say whether an answer is right; lines of a proof come one by one."""
    value = "".join(answer) if isinstance(answer, list) else answer
    return value is not None and task.kind.near(value, task.answer)


def _exercise(place: int, task: Prediction, key: str) -> None:
    st.markdown(f"**{place}.** {say(task.ask)}")
    if isinstance(task.kind, InOrder):
        st.markdown("\n".join(f"- **{letter}** · {say(line)}" for letter, line in task.kind.lines.items()))
    with st.container(horizontal=True, vertical_alignment="center"):
        answer = _answer(place, task, key)
        if answer is not None and _right(task, answer):
            st.markdown(f":green[:material/check:] {say('Right.')}", width="content")
        elif answer is not None:
            st.markdown(f":orange[:material/close:] {say('Not yet.')}", width="content")
        with st.popover(say("Solution"), type="tertiary", width="content"):
            st.markdown(f"**{written(task.answer, task.kind)}**. {say(task.why)}")
            if task.program:
                st.code(task.program.strip(), language=None)


def _answer(place: int, task: Prediction, key: str) -> Value | None:
    label = say("Answer to exercise {place}", place=place)
    if isinstance(task.kind, InOrder):
        return _ordered(task.kind, label, key)
    if isinstance(task.kind, OneOf):
        options = task.kind.options
        return st.radio(
            label,
            list(options),
            index=None,
            key=key,
            format_func=lambda name: say(options[name]),
            label_visibility="collapsed",
        )
    return st.number_input(label, value=None, key=key, format="%g", label_visibility="collapsed", width=200)


def _ordered(kind: InOrder, label: str, key: str) -> str | None:
    """Take the lines of a proof in the order in which they are chosen."""
    letters = st.multiselect(
        label,
        list(kind.lines),
        key=key,
        label_visibility="collapsed",
        select_all=False,
        placeholder=say("Choose the lines in their order"),
        width=360,
    )
    return "".join(letters) or None
