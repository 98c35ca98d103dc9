"""Odds: what an epsilon lets anybody learn about one person, in a sentence beside the place where it is set."""

from __future__ import annotations

from discreet.budget import Cost
from discreet.lab.report.risk import odds_factor
from discreet.ui.frame.words import number, say


def odds(cost: Cost) -> str:
    """Say how far the odds of a guess may move, and how often even that may fail."""
    factor = odds_factor(cost)
    words = say(
        "Odds of 1 to 1 that somebody is in the data become at most {odds} to 1; of anything said of "
        "somebody who is known to be in them, at most {square} to 1.",
        odds=number(factor, 3),
        square=number(factor**2, 3),
    )
    if not cost.delta_units:
        return words
    return words + say(" This may fail once in {times}.", times=number(round(1 / cost.delta), 3))
