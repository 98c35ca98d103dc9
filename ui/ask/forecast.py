"""Forecast: the margin of error of a result before it is paid for, in a sentence and in a chart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial

import numpy as np
import streamlit as st

from discreet.budget import Phrase
from discreet.budget.errors import ParameterError
from discreet.curator import Request
from discreet.lab import explain
from discreet.lab.contest import MOST_PEOPLE
from discreet.lab.experiment import NOBODY
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism
from discreet.mechanisms.base.tuning import half_width
from discreet.mechanisms.base.view import LevelCounts
from discreet.mechanisms.laws.law import Law, Picked
from discreet.mechanisms.selection import Selection
from discreet.report.words import place_names
from discreet.ui.ask.form import Question
from discreet.ui.figures import answers as figures
from discreet.ui.figures import curves
from discreet.ui.frame.words import number, quoted, say, unit_of
from discreet.ui.session.state import choose, chosen, workspace
from discreet.ui.session.workspace import Shown

EPSILONS = (0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)


def assumed(words: str, people: int, key: str, change: Callable[[int], None] | None = None) -> None:
    """Say what a forecast assumes, and offer to change the number of people in the same line.

    Without a `change` the new number goes to the field of the page.
    """
    mark = f"{key}:assumed"
    choose(mark, people)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.markdown(words, width="content" if change else "stretch")
        with st.popover(say("Change"), type="tertiary"):
            st.number_input(
                say("Assumed number"),
                1,
                MOST_PEOPLE,
                key=mark,
                on_change=_take_people,
                args=(mark, change or partial(choose, f"{key}:people")),
            )


def _take_people(mark: str, change: Callable[[int], None]) -> None:
    change(int(chosen(mark)))


def expected(asked: Question, mechanism: Mechanism | None = None) -> float | None:
    """Return the 95% half-width: guaranteed if possible, else expected on public ground."""
    tried = mechanism or asked.request.mechanism
    promised = tried.forecast(asked.public).half_width
    if promised is not None:
        return promised
    if asked.ground is None or asked.topic.bounds:  # proposed bounds need not be close to an exact value
        return None
    stand_in = tried.view.stand_in(asked.ground.column, SimulationNoise(0))
    if stand_in is None:
        return None
    law = tried.law(stand_in)
    try:
        return half_width(law) if law.refusal < 0.5 else None
    except (NotImplementedError, ValueError, TypeError):
        return None


def sentence(asked: Question) -> None:
    """Show the expected quality of the result, and what the statement is based on."""
    mechanism = asked.request.mechanism
    forecast = mechanism.forecast(asked.public)
    unit = unit_of(asked.request, workspace().dataset.schema)
    if forecast.half_width is not None:
        width = f"{number(forecast.half_width)}{unit}"
        st.markdown(
            say("**Margin of error: ± {width}** (95%).", width=quoted(width)) + f" {quoted(say(forecast.note))}"
        )
        return
    known = "" if isinstance(mechanism, Selection) else say("**The margin of error depends on the data.**")
    st.markdown(f"{known} {quoted(say(forecast.note))}")
    _on_the_ground(asked, unit)


def _on_the_ground(asked: Question, unit: str) -> None:
    """Show what is expected when nothing can be guaranteed."""
    width = expected(asked)
    ground = asked.ground
    if width is None or ground is None:
        return
    place = say("this public dataset") if ground.scenario is None else ground.name
    st.caption(
        say(
            "Expected on {place}: ± {width} (95%){bias}.",
            place=quoted(place),
            width=quoted(f"{number(width)}{unit}"),
            bias=say(", bias not included") if asked.request.mechanism.view.in_blocks else "",
        )
    )


def curve(asked: Question, key: str) -> None:
    """Draw the error against epsilon with the current setting; nothing if no error can be forecast."""
    mechanism = asked.request.mechanism
    now = float(mechanism.values().get("epsilon", 0.0))
    at = {**_widths(asked), now: _width_at(asked, now)}
    points = sorted(at)
    widths = [at[epsilon] for epsilon in points]
    if not any(np.isfinite(widths)):
        return
    on = asked.ground.name if asked.ground is not None else say("public bounds")
    promised = mechanism.forecast(asked.public).half_width is not None
    with st.container(border=True):
        curves.error_curve(points, widths, now, None if promised else on, key)


def _widths(asked: Question) -> dict[float, float]:
    """Return the error at each epsilon of the chart, which is fixed while the slider moves."""
    mechanism = asked.request.mechanism
    stand = asked.ground and (asked.ground.name, asked.ground.bounds)
    settings = tuple(vars(mechanism)[each.name] for each in fields(mechanism) if each.name != "epsilon")
    key = ("curve", type(mechanism), settings, asked.public, asked.topic.bounds, stand)
    return workspace().here.remember(key, lambda: {epsilon: _width_at(asked, epsilon) for epsilon in EPSILONS})


def _width_at(asked: Question, epsilon: float) -> float:
    try:
        width = expected(asked, replace(asked.request.mechanism, epsilon=epsilon))  # type: ignore[call-arg]
    except ParameterError:
        width = None
    return float("nan") if width is None else width


# Picture: what can be shown of a result before it is paid for.

NOTHING_PASSES = Phrase(
    "No row of this dataset passes the filter and has a readable value in this column. Change the filter or the schema."
)
NEVER = 0.999  # above this probability of a refusal, no result is drawn


def picture(asked: Question, key: str) -> None:
    """Draw what may be shown: the distribution and exact value of public data, the forecast for protected data."""
    request = asked.request
    shown = workspace().here.shown
    counted = isinstance(request.mechanism.view, LevelCounts)
    if shown is None or request.groups or not (counted or request.mechanism.single):
        curve(asked, f"{key}:curve")
        return
    with st.container(border=True):
        if explain.nobody(shown.dataset, request):
            st.info(say(NOTHING_PASSES if request.where else NOBODY))
        elif counted:
            _counts(asked, shown, f"{key}:law")
        else:
            _law(request, shown, f"{key}:law")


def _counts(asked: Question, shown: Shown, key: str) -> None:
    """Draw the exact counts and the range of the noise."""
    mechanism = asked.request.mechanism
    ((_, view),) = explain.views(shown.dataset, asked.request)
    width = mechanism.forecast(asked.public).half_width
    figures.counts(view.labels, view.counts.tolist(), width, key)


def _law(request: Request, shown: Shown, key: str) -> None:
    """Draw the distribution of the result, the exact value, and what was released."""
    mechanism = request.mechanism
    ((_, view),) = explain.views(shown.dataset, request)
    truth = explain.truth(shown.dataset, request, view)
    st.caption(say("Exact value shown: public dataset"))
    stored = workspace().stored(request)
    released = stored.answer if stored is not None and isinstance(stored.answer, (int, float)) else None
    law = mechanism.law(view)
    if _comes(law):
        figures.law(law, truth, key, released, place_names(request, shown.dataset.schema))


def _comes(law: Law) -> bool:
    """Show the probability of a refusal, if there is any; return whether a result can be expected at all."""
    if isinstance(law, Picked) or not law.refusal:
        return True
    chance = f"{law.refusal:.2%}" if law.refusal < NEVER else say("almost 100%")
    st.metric(say("Chance of no result"), chance)
    if law.refusal >= NEVER:
        st.info(say("The test would almost always fail, so no distribution is shown. Propose a larger bound b."))
    return law.refusal < NEVER
