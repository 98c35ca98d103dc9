"""Price: fields for epsilon (a slider or typed) and delta, or for the error to aim at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

import streamlit as st

from discreet.budget import Phrase
from discreet.mechanisms import Mechanism, Public
from discreet.mechanisms.base.tuning import epsilon_for
from discreet.ui.frame.results import guess_line
from discreet.ui.frame.words import say
from discreet.ui.session.state import absent, choose, chosen

# Cost fields: epsilon by a slider or typed, and delta.

EPSILON = 0.5  # the default
LEAST, MOST = 0.01, 3.0  # the ends of the slider
TYPED_LEAST = 0.001
TYPED_MOST = 50.0
DIGITS = 6
PATIENCE = 3.0  # seconds until a browser certainly knows where its slider was moved
DELTAS = ("1e-5", "1e-6", "1e-7", "1e-8", "1e-9")


@dataclass(frozen=True)
class Stand:
    """The position of the slider, the number that counts, and how often the slider was moved.

    A browser that sends a request before an earlier response has arrived still reports the old value of a field. So a
    slider that is moved gets a new typed field, about which no old value can be pending; and for a while after a number
    was typed, the earlier slider position `before` is not taken for a move.
    """

    place: float
    number: float
    led: int = 0
    before: float | None = None
    until: float = 0.0


def epsilon_field(key: str, value: float = EPSILON) -> float:
    """Ask for epsilon by a slider or a typed number, whose range is larger."""
    left, right = st.columns([5, 2], vertical_alignment="bottom", gap="small")
    words = say("ε is the privacy loss. A smaller ε gives stronger privacy and more noise.")
    _hold(key)
    place = left.slider(say("ε"), LEAST, MOST, value, LEAST, key=key, persist_state="session", help=words)
    stand = chosen(_stand(key)) or Stand(place, place)
    if stand.place != place:  # the slider was moved: its value counts
        stand = Stand(place, place, stand.led + 1)
    choose(_stand(key), stand)
    typed = _field(key, stand)
    words = say("ε as a number")
    if not absent([typed]):
        choose(typed, stand.number)
    change: dict[str, Any] = {"on_change": _typed, "args": (key, typed), "label_visibility": "collapsed"}
    right.number_input(words, TYPED_LEAST, TYPED_MOST, stand.number, 0.05, format="%g", key=typed, **change)
    if not LEAST <= stand.number <= MOST:
        st.caption(say("Using ε = {epsilon:g}, which is outside the slider's range.", epsilon=stand.number))
    return float(stand.number)


def settings_of_epsilon(key: str, wish: float) -> dict[str, Stand | float]:
    """Return the stored values of the slider and its typed field for this epsilon."""
    number = round(wish, DIGITS)
    place = min(max(round(number, 2), LEAST), MOST)
    before = chosen(_stand(key)) or Stand(place, number)
    stand = Stand(place, number, before.led, before.place, monotonic() + PATIENCE)
    return {key: place, _stand(key): stand}


def _hold(key: str) -> None:
    """Move the slider back to the typed value while the browser may still report the earlier position."""
    stand = chosen(_stand(key))
    if stand is not None and chosen(key) == stand.before != stand.place and monotonic() < stand.until:
        choose(key, stand.place)


def _typed(key: str, typed: str) -> None:
    """Move the slider to the typed number, or to its nearer end; ignore a typed field that was replaced."""
    stand = chosen(_stand(key))
    if stand is None or typed != _field(key, stand) or chosen(typed) == stand.number:
        return
    for name, value in settings_of_epsilon(key, float(chosen(typed))).items():
        choose(name, value)


def _field(key: str, stand: Stand) -> str:
    """Return the key of the current typed field."""
    return f"{key}:typed:{stand.led}"


def _stand(key: str) -> str:
    """Return the key of the stored position of the slider."""
    return f"{key}:stand"


def delta(key: str) -> float:
    """Ask for delta."""
    return float(
        st.select_slider(
            say("δ"),
            DELTAS,
            "1e-6",
            key=key,
            persist_state="session",
            help=say("δ adds at most this to any probability. Keep it far below 1 / (number of people)."),
        )
    )


# Pricing: epsilon and delta, or the acceptable error.

WAYS = {"epsilon": Phrase("privacy budget (ε)"), "error": Phrase("margin of error")}


def priced(kind: type[Any], mechanism: Any, public: Public, unit: Phrase, key: str, place: str) -> Mechanism:
    """Ask for epsilon, or for the acceptable error in the unit of one column; and for delta.

    `unit` is the unit of privacy.
    """
    if "delta" in kind.parameters():
        mechanism = replace(mechanism, delta=delta(f"{key}:delta"))
    width = mechanism.forecast(public).half_width
    if width is None or _way(key) == "epsilon":
        epsilon = epsilon_field(f"{key}:epsilon")
    else:
        wanted = _error(float(width or 1.0), f"{place}:error:{kind.slug}")
        epsilon = float(f"{epsilon_for(mechanism, public, wanted) * 1.0005:.4g}")
        st.caption(say("This margin of error requires ε = {epsilon:g}.", epsilon=epsilon))
    at_price: Mechanism = replace(mechanism, epsilon=epsilon)
    guess_line(at_price.cost(), unit, change_one=at_price.neighbours.change_one)
    return at_price


def _way(key: str) -> str:
    """Ask what is set: the budget or the error."""
    return st.segmented_control(
        say("Target"),
        ["epsilon", "error"],
        default="epsilon",
        key=f"{key}:set",
        format_func=lambda way: say(WAYS[way]),
        required=True,
        persist_state="session",
    )


def _error(width: float, key: str) -> float:
    return st.number_input(
        say("Target margin of error (95%)"),
        min_value=1e-9,
        value=float(f"{max(width, 1e-9):.2g}"),
        format="%g",
        key=key,
        persist_state="session",
    )
