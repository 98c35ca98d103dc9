"""Push: people on a line, who are moved; what one of them can change, and what a spy learns of her.

On Home one of ten is dragged: the laws of the released mean with and without her, and a spy's odds.

The browser computes what depends on where she stands, from the parameters below; nothing runs on the server meanwhile.
True of: a mean of a public number of people, values within declared bounds, Laplace noise of global sensitivity.
Without her, the curator fills her place with the middle of the bounds (`rows.dataset.resized`), so the two means differ
by d = |her value - middle| / people. The best guess between the two laws, equally likely before, is right with
probability 1 - exp(-d / (2 scale)) / 2: the laws differ most at the point halfway between the means, within the bounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from discreet.budget import Cost
from discreet.mechanisms.base.vocabulary import Public
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.queries import Bounds, Relation
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.report.risk import ALL, best_guess, of_100
from discreet.ui.figures import people
from discreet.ui.frame.words import number, say
from discreet.ui.session.state import choose, chosen

HERE = Path(__file__)


def _text(*names: str) -> str:
    return "\n".join((HERE.parent / name).read_text(encoding="utf-8") for name in names)


SCRIPT = _text("push.js", "crowd.js")
PICTURE = st.components.v2.component("discreet_push", js=SCRIPT, css=_text("push.css", "crowd.css"))
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
    } | _drawn()


def _drawn() -> dict[str, Any]:
    """Return how people are drawn: in their order, and Mia."""
    everyone = people.cast()
    mia = next(each for each in everyone if each["name"] == people.MIA)
    return {"cast": everyone, "mia": mia, "face": people.FACE}


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
        return say("Limit of ε = {epsilon}, wherever Mia is: over 99 of 100.", epsilon=number(cost.epsilon))
    return say("Limit of ε = {epsilon}, wherever Mia is: {times} of 100.", epsilon=number(cost.epsilon), times=times)


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
        "spy": say("{n} of 100 times, at most, a spy guesses right whether Mia, {age}, is in the data"),
        "note": say("Ten people, 0 to 100. Without Mia, 50 fills her place. 1,000 people need 1% of this noise."),
        "figure": say("Ten people on a line of ages, and the published average with and without Mia"),
    }
    PICTURE(key=key, data=parameters() | {"words": words})


# Crowd: people who are moved, sent away and called; what one of them can change, and what a spy learns of her.

MOST = len(people.CAST)
CALLED = 60.0  # the age of a person who is called for the first time


def listed(ages: Sequence[float]) -> str:
    """Return ages as they are typed, and as an address carries them."""
    return " ".join(f"{age:g}" for age in ages)


def ages_in(text: str, bounds: Bounds) -> tuple[float, ...] | None:
    """Return the ages that were typed, in their order and on the grid, or None if they cannot be drawn."""
    try:
        ages = [float(word) for word in text.replace(",", " ").split()]
    except ValueError:
        return None
    if not 1 <= len(ages) <= MOST or not all(bounds.lower <= age <= bounds.upper for age in ages):
        return None
    return tuple(map(float, bounds.value(bounds.ticks(np.array(ages)))))


def crowd(
    ages: Sequence[float],
    first: Sequence[float],
    bounds: Bounds,
    controls: Mapping[str, str],
    part: Mapping[str, Any],
    key: str,
) -> None:
    """Show people and a part of the picture.

    `controls` are the keys of the widgets that follow what is moved: `ages`, and of the part `b` or `who`.
    *Start again* restores the first ages.
    """
    data = {
        "low": bounds.lower,
        "high": bounds.upper,
        "ages": list(ages),
        "first": list(first),
        "most": MOST,
        "called": CALLED,
        "global": Median().global_sensitivity(bounds),
    } | _drawn()
    said = {"words": _words() | _middle(part) | part.get("said", {})}
    offered = part.get("offered", ())
    PICTURE(
        key=f"{key}:push", data=data | dict(part) | said, on_moved_change=lambda: _moved(key, controls, bounds, offered)
    )


def _words() -> dict[str, str]:
    return {
        "here": say("local sensitivity: {years} years"),
        "anywhere": say("global sensitivity: {years} years"),
        "block": say("one person: {years} years at most"),
        "stair": say("A({k}) = {years} years, {k} people away"),
        "years": say("{age} years"),
        "add": say("Add person"),
        "full": say("{n} people at most", n=MOST),
        "remove": say("Remove person"),
        "worst": say("Show worst people"),
        "again": say("Start again"),
        "bound": say("b = {b}"),
        "bar": say("Bound b"),
        "distance": say("D = {d}"),
        "distanced": say("Distance k in people"),
        "rungs": say("A(k) in years"),
        "roof": say("S = {s}"),
        "figure": say(
            "{n} people on a line of ages. Their median is {median}. One person can move it by {local} years here, "
            "and by {global} years among the worst people."
        ),
    }


def _middle(part: Mapping[str, Any]) -> dict[str, str]:
    return {"middle": say("mean of the blocks {age}") if "deal" in part else say("median {age}")}


def _moved(key: str, controls: Mapping[str, str], bounds: Bounds, offered: Sequence[float]) -> None:
    """Set the controls to what the browser reports, where it can be drawn."""
    word = (chosen(f"{key}:push") or {}).get("moved") or {}
    said = word.get("ages")
    ages = ages_in(" ".join(map(str, said)), bounds) if isinstance(said, list) else None
    if ages is not None:
        choose(controls["ages"], listed(ages), again=True)
    if "b" in controls and word.get("b") in offered:
        choose(controls["b"], offered[offered.index(word["b"])], again=True)  # a browser sends 40 for 40.0
    if "who" in controls and word.get("who") in range(1, MOST + 1):
        choose(controls["who"], word["who"], again=True)
