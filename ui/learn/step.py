"""Step: one idea of a lesson, with its figure, its guess and its page of the book."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from discreet.lab.lessons.book_page import BookPage
from discreet.lab.lessons.guesses import Prediction
from discreet.ui.learn.controls import Controls


@dataclass(frozen=True)
class Step:
    """One step: its word in the address, what it tells, what to try, what moves it, and the figure."""

    name: str
    title: str
    tell: str
    attempt: str
    controls: Callable[[Controls], Any]
    figure: Callable[[Any, str], None]
    prediction: Prediction
    page: BookPage
