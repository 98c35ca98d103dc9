"""Figures of composition: one history under several accountings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from discreet.budget import Total
from discreet.ui.figures import look
from discreet.ui.frame.words import number, say


def views(accountings: Sequence[Total]) -> None:
    """Draw what the history amounts to under each accounting."""
    shown = [view for view in accountings if math.isfinite(view.epsilon)]
    fig = look.figure(say("Epsilon in all"), "")
    fig.add_bar(
        x=[view.epsilon for view in shown][::-1],
        y=[say(view.name) for view in shown][::-1],
        orientation="h",
        text=[number(view.epsilon) for view in shown][::-1],
        textposition="outside",
        cliponaxis=False,
        marker={"color": look.hue("smooth")},
    )
    longest = max((view.epsilon for view in shown), default=0.0) or 1.0
    fig.update_xaxes(range=[0, longest * 1.2])  # with room for the number behind the bar
    words = say("Epsilon of the same history under {n} accountings.", n=len(shown))
    table: dict[str, list[Any]] = {
        "accounting": [say(v.name) for v in accountings],
        "epsilon": [v.epsilon for v in accountings],
    }
    look.show(fig, words, table, "composition", height=260)
