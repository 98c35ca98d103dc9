"""Figures of open data: how often each value or level occurs."""

from __future__ import annotations

from discreet.queries.scores import Scores
from discreet.ui.figures import look
from discreet.ui.frame.words import drawn, say


def distribution(scores: Scores, name: str, numbers: bool) -> None:
    """Draw the counts of one column of open data, of its numbers or of its levels."""
    labels = [drawn(label) for label in scores.labels]
    fig = look.figure(drawn(name), say("Rows"), bargap=0.05 if numbers else 0.25)
    x = [float(label.split(" to ")[0]) for label in scores.labels] if numbers else labels
    fig.add_bar(
        x=x,
        y=scores.counts.tolist(),
        marker={"color": look.hue("global")},
        customdata=labels,
        hovertemplate="%{customdata}: %{y:,}<extra></extra>",
    )
    words = say("How often each value of {name} occurs in these open data.", name=name)
    table = {name: list(scores.labels), say("rows"): scores.counts.tolist()}
    look.show(fig, words, table, "distribution-figure", height=330)
