"""Recap: what was guessed in a lesson, what is true, and why."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from discreet.lab.lessons.guesses import Guess, Prediction
from discreet.ui.frame.words import say
from discreet.ui.learn.guess_first import book
from discreet.ui.learn.guess_words import written


def recap(predictions: Mapping[str, tuple[str, Prediction]]) -> None:
    """List what was shown of a lesson; it opens when nothing is left. Predictions by key, with the step's title."""
    guesses = {key: book().of(key, prediction.kind) for key, (_, prediction) in predictions.items()}
    shown = {key: guess for key, guess in guesses.items() if guess is not None and book().shows(key)}
    if not shown:
        return
    title = say("Recap: {done} of {all} steps", done=len(shown), all=len(predictions))
    with st.expander(title, icon=":material/checklist:", expanded=len(shown) == len(predictions)):
        st.table(pd.DataFrame([_line(*predictions[key], guess) for key, guess in shown.items()]), hide_index=True)


def _line(title: str, prediction: Prediction, guess: Guess) -> dict[str, str]:
    kind, truth = prediction.kind, prediction.answer
    mine = "–" if guess.value is None else written(guess.value, kind)
    near = guess.value is not None and kind.near(guess.value, truth)
    return {
        say("Steps"): say(title),
        say("You said"): f"{mine} ✓" if near else mine,
        say("It is"): written(truth, kind),
        say("Why"): say(prediction.why),
    }
