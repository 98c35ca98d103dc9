"""Guess point: a guess that is put on the figure itself, and held against the truth on the same figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from discreet.lab.lessons.guesses import OnFactors, OnScale, Prediction
from discreet.ui.figures.drag import Handle
from discreet.ui.figures.learn import Distance, Mark
from discreet.ui.frame.words import say
from discreet.ui.learn.guess_words import distance, written
from discreet.ui.state import chosen, workspace

MINE, TRUE, APART = "ptr", "truth", "exhibit"


@dataclass(frozen=True)
class GuessPoint:
    """Where the guess of a step lies on its figure.

    `frame` draws the figure without what is asked, with the handle of the point; `case` says whether settings
    are those of the question; `unit` is how far one unit of the guess is on the axis, `beside` its place on the
    other axis, and `shift` moves it there by a share of the figure.
    """

    prediction: Prediction
    frame: Callable[[str, Handle], None]
    case: Callable[[Any], bool]
    axis: str = "x"
    beside: float | None = None
    unit: float = 1.0
    shift: float = 0.0

    def draw(self, field: str, key: str) -> None:
        """Draw the figure on which one presses."""
        kind, places = self.prediction.kind, self._scale.places
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
        """Offer the field in which one types."""
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
        """Return guess, truth and distance as they are drawn on the figure of the question itself."""
        kind, truth = self.prediction.kind, self.prediction.answer
        guess = workspace().guesses.of(key, kind)
        if guess is None or guess.value is None or not self.case(settings):
            return []
        ends = float(guess.value) * self.unit, float(truth) * self.unit
        side, level = (-1 if ends[0] < ends[1] else 1), self.axis == "y"
        return [
            Mark(ends[0], say("your guess: {guess}", guess=written(guess.value, kind)), MINE, "dash", level, side),
            Mark(ends[1], say("truth: {truth}", truth=written(truth, kind)), TRUE, "solid", level, -side),
            Distance(ends, distance(guess.value, truth, kind), APART, level),
        ]
