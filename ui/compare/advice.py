"""Advice: which mechanism to take and why, in words, and the numbers of all."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from discreet.lab import contest
from discreet.lab.choices import Choice
from discreet.lab.contest import Advice, Contender, Ground
from discreet.lab.experiment import Experiment
from discreet.lab.publishable import Ranked
from discreet.mechanisms import registry
from discreet.ui.figures import look
from discreet.ui.frame.words import number, say


def recommend(advice: Advice | None, stand: Ground) -> None:
    """Say which to take, and why, in words."""
    if advice is None:
        st.warning(say("Every mechanism would refuse or has no answer here. Allow more budget."))
        return
    best = look.title(advice.best.slug)
    if advice.error < float(stand.bounds.resolution) * 0.01:
        text = say("**Take {best}**: its answers are exact here.", best=best)
    else:
        text = say("**Take {best}**: 19 answers in 20 are within ± {error}.", best=best, error=number(advice.error))
    st.success(text + _others(advice) + _why(advice.best.mechanism.family.why), icon=":material/recommend:")


def _others(advice: Advice) -> str:
    """Name what is as good, and what comes next."""
    text = ""
    if advice.ties:
        names = ", ".join(look.title(contender.slug) for contender in advice.ties)
        text += say(" As good here: {names}.", names=names)
    if advice.second is not None:
        text += say(
            " Next comes {second}, with {times} times the error.",
            second=look.title(advice.second.slug),
            times=number(advice.times, 3),
        )
    return text


def _why(why: str | None) -> str:
    return "" if why is None else say(" Why: {why}.", why=say(why))


def table(contenders: Sequence[Contender], results: Sequence[Experiment]) -> None:
    """Show median error, RMSE, 95% error and refusals, the best first."""
    lines = []
    for contender, result in zip(contenders, results, strict=True):
        summary = result.summary()
        lines.append(
            {
                "order": summary["q95"],
                say("Mechanism"): say(contender.title),
                say("Median error"): number(summary["median"]),
                say("RMSE"): number(summary["rmse"]),
                say("19 in 20 within"): number(summary["q95"]),
                say("Refused"): f"{summary['refusals']:.1%}",
            }
        )
    frame = pd.DataFrame(lines).sort_values("order").drop(columns="order")
    st.dataframe(frame, hide_index=True, width="stretch")


def intervals(ranked: Sequence[Ranked]) -> None:
    """Say which to take where the error is published with the answer, and show all that tell one."""
    if not ranked:
        st.warning(say("Nothing that can answer this tells how far off it is, at this cost."))
        return
    best, rest = ranked[0], [each for each in ranked[1:] if each.width > ranked[0].width * contest.TIE]
    text = say(
        "**Take {best}** where the answer stands with its interval: it is usually ± {width} wide, and holds the "
        "value of the rows 19 times in 20.",
        best=look.title(best.contender.slug),
        width=number(best.width),
    )
    if rest and best.width > 0:
        times = number(rest[0].width / best.width, 3)
        second = look.title(rest[0].contender.slug)
        text += say(" Next comes {second}, with {times} times the width.", second=second, times=times)
    st.success(text, icon=":material/recommend:")
    lines = [
        {say("Mechanism"): say(each.contender.title), say("Interval, half its width"): number(each.width)}
        for each in ranked
    ]
    st.dataframe(pd.DataFrame(lines), hide_index=True, width="stretch")


def choices(ranked: Sequence[Choice]) -> None:
    """Say which selection to take, and show the exact numbers of all."""
    best = ranked[0]
    text = say(
        "**Take {best}**: it names the most common with a chance of {right}, and its choice trails "
        "it by {rows} rows on average.",
        best=look.title(best.slug),
        right=f"{best.right:.1%}",
        rows=number(best.shortfall, 3),
    )
    st.success(text + _why(registry[best.slug].why), icon=":material/recommend:")
    lines = [
        {
            say("Mechanism"): look.title(choice.slug),
            say("Most common"): f"{choice.right:.2%}",
            say("Rows behind, on average"): number(choice.shortfall),
        }
        for choice in ranked
    ]
    st.dataframe(pd.DataFrame(lines), hide_index=True, width="stretch")
