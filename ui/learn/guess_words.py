"""Guess words: how a guess, the truth and the distance between them are said."""

from __future__ import annotations

from collections.abc import Callable

from discreet.lab.lessons.guesses import GuessKind, InOrder, OneOf, Value
from discreet.ui.frame.words import number, say


def written(value: Value, kind: GuessKind, speak: Callable[..., str] = say) -> str:
    """Write a guess or the truth as people read it, in the language of the screen or of a paper."""
    if isinstance(kind, OneOf):
        return speak(kind.options[str(value)])
    if isinstance(kind, InOrder):
        return ", ".join(str(value))
    return f"{number(int(value) if float(value).is_integer() else float(value), 3)}{kind.unit}"


def distance(value: Value, truth: Value, kind: GuessKind) -> str:
    """Say how far a guess is from the truth."""
    if kind.near(value, truth):
        return say("Well guessed.")
    if isinstance(kind, OneOf):
        return ""
    guess, right, above = float(value), float(truth), float(value) > float(truth)
    if kind.factors and guess and right:
        apart = number(max(guess / right, right / guess), 2)
        return say("{times} times too much.", times=apart) if above else say("{times} times too little.", times=apart)
    apart = written(abs(guess - right), kind)
    return say("{apart} too much.", apart=apart) if above else say("{apart} too little.", apart=apart)
