"""Memory: guesses are kept in the browser, and restored after a restart of the server.

Where people sign in, nothing is kept for the next user of the browser; a class keeps nothing after its end.
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
MOST, LONGEST = 20_000, 40  # characters of all guesses, and of one
LARGEST = 1e15  # beyond any number of the course
BROWSER = st.components.v2.component(
    "discreet_memory", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
)


def remember() -> None:
    """Keep the guesses in the browser, and ask it for the earlier ones."""
    if door.must_sign_in() or door.who() is not None:
        return
    guesses = book()
    data = {"fresh": not guesses.recalled, "book": written_book(guesses)}
    BROWSER(key=KEY, data=data, on_before_change=lambda: recall(book(), (chosen(KEY) or {}).get("before")))


def written_book(guesses: GuessBook) -> str:
    """Serialise the guesses, including figures shown without a guess."""
    return json.dumps({question: guess.value for question, guess in guesses.by_question.items()})


def recall(guesses: GuessBook, text: Any) -> None:
    """Restore the guesses that a browser sends; invalid ones are left out."""
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
