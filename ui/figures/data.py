"""Figures of open data: how often each value or level occurs."""

from __future__ import annotations

from typing import Any

from discreet.queries.scores import Scores
from discreet.rows.columns import Quantity
from discreet.ui.figures import look
from discreet.ui.frame.words import drawn, say


def distribution(scores: Scores, name: str, numbers: Quantity | None) -> None:
    """Draw the counts of one column of open data, of its numbers or of its levels."""
    labels, x = [drawn(label) for label in scores.labels], list[Any]()
    if numbers is not None:
        ends = [[float(end) for end in label.split(" to ")] for label in scores.labels]
        x = [low if numbers.zero else numbers.shown(low) for low, _ in ends]
        labels = labels if numbers.zero else [f"{numbers.shown(low)} to {numbers.shown(high)}" for low, high in ends]
    fig = look.figure(drawn(name), say("Rows"), bargap=0.25 if numbers is None else 0.05)
    if numbers is not None and not numbers.zero:
        fig.update_xaxes(**look.AS_DATES)
    fig.add_bar(
        x=x or labels,
        y=scores.counts.tolist(),
        marker={"color": look.hue("global")},
        customdata=labels,
        hovertemplate="%{customdata}: %{y:,}<extra></extra>",
    )
    words = say("How often each value of {name} occurs in these open data.", name=name)
    table = {name: labels, say("rows"): scores.counts.tolist()}
    look.show(fig, words, table, "distribution-figure", height=330)
