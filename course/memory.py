"""Memory: guesses stay in the browser in which they were made, and come back when a server has begun anew.

Where people sign in nothing is left for whoever sits down next; a class ends with its hour.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import streamlit as st

from discreet.course.guessing import book
from discreet.ui.session import door
from discreet.ui.session.guesses import Guess, GuessBook
from discreet.ui.session.state import chosen

KEY = "course-memory"
QUESTION = re.compile(r"lesson[1-9]-[a-z]{1,20}")
MOST, LONGEST = 20_000, 40  # signs of all guesses, and of one
LARGEST = 1e15  # no figure of the course goes so far
BROWSER = st.components.v2.component(
    "discreet_memory", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
)


def remember() -> None:
    """Keep the guesses in the browser, and ask it for those of before."""
    if door.must_sign_in() or door.who() is not None:
        return
    guesses = book()
    data = {"fresh": not guesses.recalled, "book": written_book(guesses)}
    BROWSER(key=KEY, data=data, on_before_change=lambda: recall(book(), (chosen(KEY) or {}).get("before")))


def written_book(guesses: GuessBook) -> str:
    """Write what was guessed, and what was shown without a guess."""
    return json.dumps({question: guess.value for question, guess in guesses.by_question.items()})


def recall(guesses: GuessBook, text: Any) -> None:
    """Note what a browser says that was guessed before; what looks like no guess is left out."""
    guesses.recalled = True
    try:
        said = json.loads(text) if isinstance(text, str) and len(text) <= MOST else {}
    except (ValueError, RecursionError):
        return
    for question, value in said.items() if isinstance(said, dict) else ():
        if QUESTION.fullmatch(question) and _guessed(value):
            guesses.note(Guess(question, "", value))


def _guessed(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= LONGEST
    return value is None or (isinstance(value, (int, float)) and abs(value) < LARGEST)
