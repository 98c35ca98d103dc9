"""Push: people on a line, one of them is dragged; the laws of the released mean with and without her, and a spy's odds.

The browser computes what depends on where she stands, from the parameters below; nothing runs on the server meanwhile.
True of: a mean of a public number of people, values within declared bounds, Laplace noise of global sensitivity.
Without her, the curator fills her place with the middle of the bounds (`rows.dataset.resized`), so the two means differ
by d = |her value - middle| / people. The best guess between the two laws, equally likely before, is right with
probability 1 - exp(-d / (2 scale)) / 2: the laws differ most at the point halfway between the means, within the bounds.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from discreet.budget import Cost
from discreet.mechanisms.base.vocabulary import Public
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.queries import Bounds, Relation
from discreet.queries.mean import Mean
from discreet.report.risk import ALL, best_guess, of_100
from discreet.ui.frame.words import number, say

HERE = Path(__file__)
SCRIPT = HERE.with_suffix(".js").read_text(encoding="utf-8")
PICTURE = st.components.v2.component(
    "discreet_push", js=SCRIPT, css=HERE.with_suffix(".css").read_text(encoding="utf-8")
)
OTHERS = (18, 23, 28, 33, 38, 43, 57, 63, 69)
PEOPLE = len(OTHERS) + 1
AGES = Bounds(0, 100, integer=True)
START = 92
EPSILONS = (50.0, 20.0, 10.0, 5.0, 3.0, 2.0, 1.5, 1.0)  # from little noise to much
FIRST = 2.0


def mean(epsilon: float) -> GlobalLaplace:
    """Return the mechanism of the picture."""
    return GlobalLaplace(Mean(Relation(PEOPLE)), epsilon)


def parameters() -> dict[str, Any]:
    """Return what the browser computes with: people, bounds, and the noise at each stop of the slider."""
    return {
        "others": list(OTHERS),
        "low": AGES.lower,
        "high": AGES.upper,
        "middle": AGES.value(AGES.top // 2),
        "start": START,
        "first": EPSILONS.index(FIRST),
        "stops": [_stop(mean(epsilon)) for epsilon in EPSILONS],
    }


def _stop(mechanism: GlobalLaplace) -> dict[str, Any]:
    """Return a stop of the slider: the scale of the noise, what is said of it, and what it guarantees."""
    cost = mechanism.cost()
    width = mechanism.forecast(Public(AGES)).half_width
    assert width is not None
    return {
        "scale": mechanism.scale(AGES),
        "limit": best_guess(cost),
        "published": say("Average age as published, ± {width} years", width=number(width, 2)),
        "words": _guaranteed(cost),
    }


def _guaranteed(cost: Cost) -> str:
    times = of_100(best_guess(cost))
    if times == ALL:
        return say("ε = {epsilon}: perhaps more than 99 of 100.", epsilon=number(cost.epsilon))
    return say("ε = {epsilon}: at most {times} of 100, wherever Mia is.", epsilon=number(cost.epsilon), times=times)


def push(key: str) -> None:
    """Show the picture."""
    words = {
        "noise": say("Noise"),
        "coin": say("50: tossing a coin"),
        "sure": say("100: certain"),
        "without": say("without Mia"),
        "with": say("with Mia"),
        "years": say("{age} years"),
        "person": say("Mia, {age}"),
        "label": say("Age of Mia"),
        "spy": say("{n} of 100 times, at most, a spy guesses right whether Mia is in the data"),
        "note": say(
            "Ten people, 0 to 100. Without Mia, 50 fills her place. Laplace noise: 1,000 people need a hundredth."
        ),
        "figure": say("Ten people on a line of ages, and the published average with and without Mia"),
    }
    PICTURE(key=key, data=parameters() | {"words": words})
