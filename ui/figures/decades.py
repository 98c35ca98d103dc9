"""Decades: which places of a logarithmic axis are named, so that their names have room."""

from __future__ import annotations

import math
from collections.abc import Iterable

from discreet.ui.figures.sketch import Sketch

# so many decades at most name 1, 2 and 5 of each: names stand beside each other on one axis, above each other on the
# other; a telephone has room for five and fifteen
FEW = {"x": 1.5, "y": 4.0}
LEAST = math.log10(5)  # of a shorter axis 1, 2 and 5 may name one place or none: Plotly chooses
MOST = {"x": 5, "y": 15}  # named decades


def name(fig: Sketch) -> None:
    """Name places of both axes, where they are logarithmic and nobody has said which are named."""
    for letter in ("x", "y"):
        axis = fig.axis(letter)
        if axis.get("type") == "log" and not axis.keys() & {"dtick", "tickvals"}:
            width = axis["range"][1] - axis["range"][0] if "range" in axis else span(fig.places(letter))
            if width >= LEAST:
                fig.update_layout(**{f"{letter}axis_dtick": steps(letter, width)})


def span(places: Iterable[float]) -> float:
    """Return how many decades numbers cover; what is no positive number has no place."""
    real = [place for place in places if math.isfinite(place) and place > 0]
    return math.log10(max(real) / min(real)) if real else 0.0


def steps(letter: str, decades: float) -> str | int:
    """Return 1, 2 and 5 of each decade, each decade, or every so-manieth."""
    return "D2" if decades <= FEW[letter] else max(1, math.ceil(decades / MOST[letter]))
