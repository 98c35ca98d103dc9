"""Step: one idea of a lesson, with its figure, its guess and its page of the book."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from discreet.lab.lessons.book_page import BookPage
from discreet.lab.lessons.guesses import Prediction
from discreet.ui.learn.controls import Controls
from discreet.ui.learn.guess_point import GuessPoint
from discreet.ui.learn.letters import Letter


@dataclass(frozen=True)
class Step:
    """One step: its word in the address, what it tells, what to try, what moves it, and the figure.

    With a point its guess is put on the figure itself; the letters are those of its formulas.
    """

    name: str
    title: str
    tell: str
    attempt: str
    controls: Callable[[Controls], Any]
    figure: Callable[[Any, str], None]
    prediction: Prediction
    page: BookPage
    point: GuessPoint | None = None
    letters: Mapping[str, Letter] = field(default_factory=dict)
